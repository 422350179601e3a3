/* Fixed tendons of an MJCF file: lengths that are sums of coordinates. What a tendon of one joint brings belongs to the
 * joint: with length c q, stiffness k means c^2 k at the joint, friction |c| f. */
#include <math.h>
#include <string.h>

#include "read/mjcf.h"

/* The tendon ends where its last term stands. */
static zvStatus read_terms(ziMjcf *m, const ziXmlElement *element, ziMjcfTendon *tendon) {
    tendon->first_term = (int)m->nterm;
    for (const ziXmlElement *e = element->first; e; e = e->next) {
        if (strcmp(e->name, "joint") != 0) continue;
        ziMjcfTerm term = {.ratio = 0};
        zvStatus status = zi_mjcf_lookup(m, e, "joint", &m->joint_names, "joint", &term.joint);
        if (status == ZV_OK) status = zi_mjcf_number(m, (ziMjcfItem){e, "joint", -1}, "coef", &term.ratio);
        if (status != ZV_OK) return status;
        if (m->joints[term.joint].type <= ZI_MJCF_BALL)
            return zi_mjcf_fail(m, ZV_SCHEMA, e, "joint",
                                "<fixed>: expected hinges and slides, found \"%.60s\", which has several freedoms",
                                m->joints[term.joint].name);
        if (!zi_grow(&m->terms, m->nterm, &m->term_room, sizeof *m->terms)) return zi_mjcf_memory(m, e);
        m->terms[m->nterm++] = term;
        tendon->nterm++;
    }
    return ZV_OK;
}

/* What of a tendon exerts forces. */
typedef struct Passive {
    double stiffness, damping, friction, armature, length[2];
    bool limited;
} Passive;

/* One length of the spring stands for both ends of its slack range; below zero it is that of the joints at rest. */
static zvStatus read_passive(ziMjcf *m, ziMjcfItem item, Passive *p) {
    static const char *const words[] = {"false", "true", "auto"};
    double more[3] = {0}, range[2] = {0, 0};
    int limited = 2, lengths;
    zvStatus status = zi_mjcf_numbers(m, item, "stiffness", 1, 3, more, NULL);
    p->stiffness = more[0];
    more[0] = 0;
    if (status == ZV_OK) status = zi_mjcf_numbers(m, item, "damping", 1, 3, more, NULL);
    p->damping = more[0];
    p->length[0] = -1;
    if (status == ZV_OK) status = zi_mjcf_number(m, item, "frictionloss", &p->friction);
    if (status == ZV_OK) status = zi_mjcf_number(m, item, "armature", &p->armature);
    if (status == ZV_OK) status = zi_mjcf_numbers(m, item, "springlength", 1, 2, p->length, &lengths);
    if (status == ZV_OK) status = zi_mjcf_numbers(m, item, "range", 2, 2, range, NULL);
    if (status == ZV_OK) status = zi_mjcf_word(m, item, "limited", words, 3, &limited);
    if (status == ZV_OK && lengths < 2) p->length[1] = p->length[0];
    p->limited = limited == 1 || (limited == 2 && m->autolimits && (range[0] != 0 || range[1] != 0));
    if (!m->springs) p->stiffness = 0;
    if (!m->dampers) p->damping = 0;
    if (!m->friction) p->friction = 0;
    return status;
}

/* Two springs of one joint are one at their common rest. */
static void give_to_joint(ziMjcf *m, const ziMjcfTendon *tendon, const Passive *p) {
    const ziMjcfTerm *term = &m->terms[tendon->first_term];
    zvDof *dof = &m->joints[term->joint].dof;
    const double c = term->ratio, own = c * c * p->stiffness;
    const double rest = p->length[0] < 0 ? dof->rest : p->length[0] / c;
    if (own > 0) dof->rest = (dof->stiffness * dof->rest + own * rest) / (dof->stiffness + own);
    dof->stiffness += own;
    dof->damping += c * c * p->damping;
    dof->armature += c * c * p->armature;
    dof->friction += fabs(c) * p->friction;
}

/* Kept for a scenario: the length at rest is that of the springs of the joints where none is written. */
static zvStatus keep_spring(ziMjcf *m, const ziXmlElement *element, ziMjcfTendon *tendon, const Passive *p) {
    tendon->stiffness = p->stiffness;
    tendon->damping = p->damping;
    tendon->rest = p->length[0];
    if (p->length[0] < 0) {
        tendon->rest = 0;
        for (int i = 0; i < tendon->nterm; i++) {
            const ziMjcfTerm *term = &m->terms[tendon->first_term + i];
            tendon->rest += term->ratio * m->joints[term->joint].dof.rest;
        }
    }
    return zi_mjcf_tell(m, ZV_SEVERITY_NOTE, element, "tendon springs", "of-scenario",
                        "springs and dampers of tendons with several joints are no part of a robot but drives of a "
                        "scenario",
                        "zveno convert --format scenario writes them into one");
}

/* A spring that is slack in a range, and friction and inertia of several joints together, have no counterpart. */
static zvStatus give(ziMjcf *m, const ziXmlElement *element, ziMjcfTendon *tendon, Passive *p) {
    const bool slack = p->stiffness > 0 && p->length[0] != p->length[1];
    const bool single = tendon->nterm == 1 && m->terms[tendon->first_term].ratio != 0;
    zvStatus status = ZV_OK;
    if (slack) p->stiffness = 0;
    if (single) give_to_joint(m, tendon, p);
    if (!single && (p->stiffness > 0 || p->damping > 0)) status = keep_spring(m, element, tendon, p);
    if (status == ZV_OK && slack)
        status = zi_mjcf_tell(m, ZV_SEVERITY_WARNING, element, NULL, "not-modelled",
                              "the spring of the tendon is left out: it is slack in a range of lengths",
                              "give springs and dampers to the joints, or add forces to a scenario");
    if (status == ZV_OK && !single && (p->friction > 0 || p->armature > 0))
        status =
            zi_mjcf_tell(m, ZV_SEVERITY_WARNING, element, NULL, "not-modelled",
                         "friction and armature of a tendon of several joints are left out", "give them to the joints");
    if (status == ZV_OK && p->limited)
        status = zi_mjcf_tell(m, ZV_SEVERITY_WARNING, element, NULL, "not-modelled",
                              "the range of the tendon's length is left out", "limit the joints");
    return status;
}

/* Kept by name, since relations and actuators refer to it. */
static zvStatus read_fixed(ziMjcf *m, const ziXmlElement *element) {
    ziMjcfItem item = {element, "tendon", 0};
    ziMjcfTendon tendon = {.element = element};
    Passive passive = {0};
    zvStatus status = zi_mjcf_class(m, element, "class", 0, &item.class);
    if (status == ZV_OK) status = read_terms(m, element, &tendon);
    if (status == ZV_OK) status = read_passive(m, item, &passive);
    if (status != ZV_OK) return status;
    status = give(m, element, &tendon, &passive);
    const ziXmlAttribute *name = zi_xml_attribute(element, "name");
    tendon.name = name && name->value[0] ? name->value : NULL;
    if (status != ZV_OK) return status;
    if (!zi_grow(&m->tendons, m->ntendon, &m->tendon_room, sizeof *m->tendons) ||
        (tendon.name && zi_names_add(&m->tendon_names, tendon.name, (int)m->ntendon) < 0))
        return zi_mjcf_memory(m, element);
    m->tendons[m->ntendon++] = tendon;
    return ZV_OK;
}

/* Joints have been read: tendons name them. */
zvStatus zi_mjcf_tendons(ziMjcf *m) {
    zvStatus status = ZV_OK;
    for (const ziXmlElement *section = m->root->first; section; section = section->next) {
        if (strcmp(section->name, "tendon") != 0) continue;
        for (const ziXmlElement *e = section->first; e && status == ZV_OK; e = e->next) {
            if (strcmp(e->name, "fixed") == 0) status = read_fixed(m, e);
            if (strcmp(e->name, "spatial") == 0)
                status = zi_mjcf_tell(m, ZV_SEVERITY_WARNING, e, NULL, "not-modelled",
                                      "the spatial tendon is left out: its path, spring, damper and limits",
                                      "replace a straight one by a spring between frames in a scenario");
        }
        if (status != ZV_OK) return status;
    }
    return ZV_OK;
}
