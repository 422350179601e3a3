/* <equality> of an MJCF file: joints that follow others, and what closes loops.
 *
 * A linear relation of two joints is a joint that follows (mimic), as long as it follows one alone; other linear ones
 * are couplings. connect is a ball joint and weld a fixed one that close a loop. All of them are exact here, without
 * the softness that solref and solimp give them. */
#include <string.h>

#include "read/mjcf.h"

/* The nearest of the names known stands in the error: most unknown ones are typing errors. */
zvStatus zi_mjcf_lookup(const ziMjcf *m, const ziXmlElement *element, const char *attribute, const ziNames *names,
                        const char *what, int *index) {
    const ziXmlAttribute *found = zi_xml_attribute(element, attribute);
    if (!found)
        return zi_mjcf_fail(m, ZV_SCHEMA, element, NULL, "<%s>: expected %s=\"...\", found none; add it", element->name,
                            attribute);
    *index = zi_names_find(names, found->value);
    if (*index >= 0) return ZV_OK;
    const char *known[256];
    size_t count = 0;
    for (size_t i = 0; i < names->size && count < 256; i++)
        if (names->texts[i]) known[count++] = names->texts[i];
    const char *near = zv_nearest_name(found->value, known, count);
    return zi_mjcf_fail(m, ZV_NAME, element, attribute, "%s of <%s>: expected a %s, found \"%.60s\"%s%.60s%s",
                        attribute, element->name, what, found->value, near ? "; did you mean \"" : "", near ? near : "",
                        near ? "\"?" : "");
}

typedef zvStatus Visit(ziMjcf *m, const ziXmlElement *element, ziMjcfItem item);

/* All elements of all sections, with their class. */
static zvStatus visit(ziMjcf *m, Visit *each) {
    for (const ziXmlElement *section = m->root->first; section; section = section->next) {
        if (strcmp(section->name, "equality") != 0) continue;
        for (const ziXmlElement *e = section->first; e; e = e->next) {
            ziMjcfItem item = {e, "equality", 0};
            zvStatus status = zi_mjcf_class(m, e, "class", 0, &item.class);
            if (status == ZV_OK) status = each(m, e, item);
            if (status != ZV_OK) return status;
        }
    }
    return ZV_OK;
}

static zvStatus is_active(ziMjcf *m, ziMjcfItem item, bool *active) {
    *active = true;
    const zvStatus status = zi_mjcf_flag(m, item, "active", active);
    *active = *active && m->equalities;
    return status;
}

/* Relations of coordinates -------------------------------------------------------------------------- */

/* y - y0 = polynomial of (x - x0) */
typedef struct Relation {
    int y, x; /* x -1: y is constant */
    double polynomial[5];
    bool linear;
} Relation;

static zvStatus read_polynomial(ziMjcf *m, ziMjcfItem item, Relation *r) {
    memcpy(r->polynomial, (double[5]){0, 1, 0, 0, 0}, sizeof r->polynomial);
    const zvStatus status = zi_mjcf_numbers(m, item, "polycoef", 1, 5, r->polynomial, NULL);
    r->linear = r->x < 0 || (r->polynomial[2] == 0 && r->polynomial[3] == 0 && r->polynomial[4] == 0);
    if (r->x < 0) r->polynomial[1] = 0;
    return status;
}

static zvStatus read_relation(ziMjcf *m, ziMjcfItem item, const char *y, const char *x, const ziNames *names,
                              const char *what, Relation *r) {
    r->x = -1;
    zvStatus status = zi_mjcf_lookup(m, item.element, y, names, what, &r->y);
    if (status == ZV_OK && zi_xml_attribute(item.element, x))
        status = zi_mjcf_lookup(m, item.element, x, names, what, &r->x);
    return status != ZV_OK ? status : read_polynomial(m, item, r);
}

/* Joints with several freedoms have no single coordinate. */
static zvStatus read_joints(ziMjcf *m, ziMjcfItem item, Relation *r) {
    const zvStatus status = read_relation(m, item, "joint1", "joint2", &m->joint_names, "joint", r);
    if (status != ZV_OK) return status;
    for (int i = 0; i < 2; i++) {
        const int joint = i == 0 ? r->y : r->x;
        if (joint < 0 || m->joints[joint].type > ZI_MJCF_BALL) continue;
        return zi_mjcf_fail(m, ZV_SCHEMA, item.element, i == 0 ? "joint1" : "joint2",
                            "<joint> of <equality>: expected a hinge or a slide, found \"%.60s\", which has several "
                            "freedoms",
                            m->joints[joint].name);
    }
    return ZV_OK;
}

/* Whether x follows y already, or is y: then it cannot lead it. */
static bool in_circle(const ziMjcf *m, const Relation *r) {
    for (int at = r->x; at >= 0; at = m->joints[at].follows)
        if (at == r->y) return true;
    return false;
}

static bool can_follow(const ziMjcf *m, const Relation *r) {
    return r->linear && r->x >= 0 && r->polynomial[1] != 0 && m->joints[r->y].follows < 0 && !in_circle(m, r);
}

/* Makes joint1 follow joint2 where that says the same. */
static zvStatus follow(ziMjcf *m, const ziXmlElement *element, ziMjcfItem item) {
    if (strcmp(element->name, "joint") != 0) return ZV_OK;
    Relation r;
    bool active;
    zvStatus status = read_joints(m, item, &r);
    if (status == ZV_OK) status = is_active(m, item, &active);
    if (status != ZV_OK || !active || !can_follow(m, &r)) return status;
    ziMjcfJoint *y = &m->joints[r.y];
    y->follows = r.x;
    y->equality = element;
    y->ratio = r.polynomial[1];
    y->offset = y->ref + r.polynomial[0] - r.polynomial[1] * m->joints[r.x].ref;
    return ZV_OK;
}

zvStatus zi_mjcf_followers(ziMjcf *m) { return visit(m, follow); }

/* Loops --------------------------------------------------------------------------------------------- */

static zvStatus put_loop(ziMjcf *m, const ziXmlElement *element, ziMjcfItem item, zvLoop *loop) {
    const ziXmlAttribute *name = zi_xml_attribute(element, "name");
    bool active;
    const zvStatus status = is_active(m, item, &active);
    if (status != ZV_OK) return status;
    loop->name = zi_mjcf_name(m, &m->taken_joints, name && name->value[0] ? name->value : element->name);
    if (!loop->name) return zi_mjcf_memory(m, element);
    loop->open = !active;
    loop->mark = zi_mjcf_mark(element);
    return zv_builder_add_loop(m->builder, loop, m->error);
}

enum { MOST_TERMS = 256 };

/* += factor times the coordinate of a joint; a joint counts once. */
static bool add_term(const ziMjcf *m, zvLoop *loop, zvLoopTerm *terms, int joint, double factor) {
    const char *name = m->joints[joint].joint;
    for (int i = 0; i < loop->term_count; i++) {
        if (strcmp(terms[i].joint, name) != 0) continue;
        terms[i].ratio += factor;
        return true;
    }
    if (loop->term_count == MOST_TERMS) return false;
    terms[loop->term_count++] = (zvLoopTerm){name, factor};
    return true;
}

static zvStatus too_many(const ziMjcf *m, const ziXmlElement *element) {
    return zi_mjcf_fail(m, ZV_SIZE, element, NULL, "<%s>: expected at most %d joints in a relation, found more",
                        element->name, MOST_TERMS);
}

static zvStatus tell_polynomial(ziMjcf *m, const ziXmlElement *element) {
    return zi_mjcf_tell(m, ZV_SEVERITY_WARNING, element, NULL, "not-modelled",
                        "the relation is left out: couplings are linear, its polynomial has terms of higher order",
                        "replace it by the linkage that it stands for, or by its first two coefficients");
}

/* What no joint could follow. */
static zvStatus couple_joints(ziMjcf *m, const ziXmlElement *element, ziMjcfItem item) {
    zvLoopTerm terms[MOST_TERMS];
    zvLoop loop = zv_loop_default("", ZV_LOOP_COUPLING, ZV_JOINT_FIXED, "", "");
    Relation r;
    const zvStatus status = read_joints(m, item, &r);
    if (status != ZV_OK || m->joints[r.y].equality == element) return status;
    if (!r.linear) return tell_polynomial(m, element);
    loop.terms = terms;
    loop.offset = m->joints[r.y].ref + r.polynomial[0];
    add_term(m, &loop, terms, r.y, 1);
    if (r.x >= 0 && r.polynomial[1] != 0) add_term(m, &loop, terms, r.x, -r.polynomial[1]);
    if (r.x >= 0) loop.offset -= r.polynomial[1] * m->joints[r.x].ref;
    return put_loop(m, element, item, &loop);
}

/* Lengths of fixed tendons, measured from those where all joints are as written. */
static zvStatus couple_tendons(ziMjcf *m, const ziXmlElement *element, ziMjcfItem item) {
    zvLoopTerm terms[MOST_TERMS];
    zvLoop loop = zv_loop_default("", ZV_LOOP_COUPLING, ZV_JOINT_FIXED, "", "");
    Relation r;
    zvStatus status = ZV_OK;
    for (int i = 0; i < 2; i++) {
        const ziXmlAttribute *name = zi_xml_attribute(element, i == 0 ? "tendon1" : "tendon2");
        if (name && zi_names_find(&m->tendon_names, name->value) < 0)
            return zi_mjcf_tell(m, ZV_SEVERITY_WARNING, element, NULL, "not-modelled",
                                "the relation is left out: it names a tendon that is none of <fixed>",
                                "nothing to do if the tendon does not matter");
    }
    status = read_relation(m, item, "tendon1", "tendon2", &m->tendon_names, "tendon", &r);
    if (status != ZV_OK) return status;
    if (!r.linear) return tell_polynomial(m, element);
    loop.terms = terms;
    loop.offset = r.polynomial[0];
    for (int side = 0; side < (r.x >= 0 ? 2 : 1); side++) {
        const ziMjcfTendon *tendon = &m->tendons[side == 0 ? r.y : r.x];
        for (int i = 0; i < tendon->nterm; i++) {
            const ziMjcfTerm *term = &m->terms[tendon->first_term + i];
            const double factor = side == 0 ? term->ratio : -r.polynomial[1] * term->ratio;
            if (!add_term(m, &loop, terms, term->joint, factor)) return too_many(m, element);
            loop.offset += factor * m->joints[term->joint].ref;
        }
    }
    return put_loop(m, element, item, &loop);
}

/* The two ends of a connect or weld. */
typedef struct Ends {
    int body[2];
    zvPose pose[2]; /* of sites in their bodies; identity else */
    bool sites;
} Ends;

/* By two sites, or by two bodies of which the second may be the world. */
static zvStatus read_ends(ziMjcf *m, const ziXmlElement *element, Ends *s) {
    static const char *const bodies[] = {"body1", "body2"}, *const sites[] = {"site1", "site2"};
    s->sites = zi_xml_attribute(element, "site1") || zi_xml_attribute(element, "site2");
    for (int i = 0; i < 2; i++) {
        s->pose[i] = zv_pose_identity();
        s->body[i] = 0;
        int site;
        zvStatus status = ZV_OK;
        if (s->sites) {
            status = zi_mjcf_lookup(m, element, sites[i], &m->site_names, "site", &site);
            if (status == ZV_OK) s->body[i] = m->sites[site].body, s->pose[i] = m->sites[site].pose;
        } else if (i == 0 || zi_xml_attribute(element, bodies[i])) {
            status = zi_mjcf_lookup(m, element, bodies[i], &m->body_names, "body", &s->body[i]);
        }
        if (status != ZV_OK) return status;
    }
    return ZV_OK;
}

int zi_mjcf_moving(const ziMjcf *m, int body) {
    while (body > 0 && m->bodies[body].njoint == 0) body = m->bodies[body].parent;
    return body;
}

/* Where the second body stands in the first one while all joints are as written. */
static zvPose between(const ziMjcf *m, const Ends *s) {
    const zvPose back = zi_pose_inverse(&m->bodies[s->body[0]].world);
    return zv_pose_compose(&back, &m->bodies[s->body[1]].world);
}

/* The two places that must fit: of a connect the anchor in both, of a weld the second body in the first. */
static zvStatus read_places(ziMjcf *m, ziMjcfItem item, const Ends *s, bool weld, zvLoop *loop) {
    zvPose relative = between(m, s), anchor = zv_pose_identity();
    double pose[7] = {0};
    loop->origin = s->pose[0];
    loop->child_origin = s->pose[1];
    if (s->sites) return ZV_OK;
    zvStatus status = zi_mjcf_numbers(m, item, weld ? "relpose" : "anchor", weld ? 7 : 3, weld ? 7 : 3, pose, NULL);
    if (status != ZV_OK) return status;
    if (!weld) {
        memcpy(anchor.p, pose, sizeof anchor.p);
        loop->origin = anchor;
        relative = zi_pose_inverse(&relative);
        loop->child_origin = zv_pose_compose(&relative, &anchor);
        return ZV_OK;
    }
    if (pose[3] != 0 || pose[4] != 0 || pose[5] != 0 || pose[6] != 0) {
        zi_mjcf_rotation(pose + 3, relative.R);
        memcpy(relative.p, pose, sizeof relative.p);
    }
    loop->origin = relative;
    return ZV_OK;
}

/* connect and weld. */
static zvStatus close_loop(ziMjcf *m, const ziXmlElement *element, ziMjcfItem item) {
    const bool weld = strcmp(element->name, "weld") == 0;
    Ends s;
    zvStatus status = read_ends(m, element, &s);
    if (status != ZV_OK) return status;
    zvLoop loop = zv_loop_default("", ZV_LOOP_JOINT, weld ? ZV_JOINT_FIXED : ZV_JOINT_SPHERICAL,
                                  m->bodies[s.body[0]].link, m->bodies[s.body[1]].link);
    status = read_places(m, item, &s, weld, &loop);
    if (status != ZV_OK) return status;
    if (zi_mjcf_moving(m, s.body[0]) == zi_mjcf_moving(m, s.body[1]))
        return zi_mjcf_tell(m, ZV_SEVERITY_NOTE, element, NULL, "idle-equality",
                            "the constraint is left out: both of its bodies are rigidly joined anyway",
                            "nothing to do");
    return put_loop(m, element, item, &loop);
}

static zvStatus constrain(ziMjcf *m, const ziXmlElement *element, ziMjcfItem item) {
    if (strcmp(element->name, "joint") == 0) return couple_joints(m, element, item);
    if (strcmp(element->name, "tendon") == 0) return couple_tendons(m, element, item);
    if (strcmp(element->name, "connect") == 0 || strcmp(element->name, "weld") == 0)
        return close_loop(m, element, item);
    return zi_mjcf_tell(m, ZV_SEVERITY_WARNING, element, NULL, "not-modelled", "the constraint is left out",
                        "nothing to do if what it holds does not matter");
}

zvStatus zi_mjcf_equalities(ziMjcf *m) { return visit(m, constrain); }
