/* What an MJCF file has and the robot has not, or not as meant: elements without a place here, and words that are none
 * of the format. Elements that are for pictures, contacts, sensors or the numerics of another program are passed over.
 */
#include <stdio.h>
#include <string.h>

#include "read/mjcf.h"

/* Attributes of the elements that are read, and of those that are passed over within them, in words between blanks. */
typedef struct Words {
    const char *element, *attributes;
} Words;

#define FORMS " pos quat axisangle xyaxes zaxis euler "
#define MARKED " name class user group "
#define SOLVER " solref solimp "

static const Words known[] = {
    {"compiler",
     " alignfree angle assetdir autolimits balanceinertia boundinertia boundmass conflict convexhull coordinate "
     "discardvisual eulerseq exactmeshinertia fitaabb fusestatic inertiafromgeom inertiagrouprange meshdir passthrough "
     "savecanonical savecompiled saveinertial settotalmass strippath texturedir usethread "},
    {"body", FORMS " name childclass mocap gravcomp user fuse simple sleep "},
    {"worldbody", " name childclass "},
    {"frame", FORMS " name childclass "},
    {"replicate", " count offset euler sep prefix "},
    {"inertial", FORMS " mass diaginertia fullinertia "},
    {"joint",
     MARKED " actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis damping frictionloss limited "
            "margin pos range ref solimpfriction solimplimit solreffriction solreflimit springdamper springref "
            "springyield stiffness type joint coef joint1 joint2 polycoef active " SOLVER},
    {"freejoint", " name group align "},
    {"geom", MARKED FORMS SOLVER
     " adhesion castshadow conaffinity condim contype density fitscale fluidcoef fluidshape friction fromto gap hfield "
     "margin mass material mesh priority rgba shellinertia size solmix surfacevel type geom sidesite "},
    {"site", MARKED FORMS " fromto material mesh rgba size type site "},
    {"fixed",
     MARKED " actuatorfrclimited actuatorfrcrange armature damping frictionloss limited margin range "
            "solimpfriction solimplimit solreffriction solreflimit springlength springyield stiffness rgba width "},
    {"connect", " active anchor body1 body2 class name site1 site2 " SOLVER},
    {"weld", " active anchor body1 body2 class name relpose site1 site2 torquescale " SOLVER},
    {"tendon", MARKED SOLVER
     " actuatorfrclimited actuatorfrcrange active armature damping frictionloss limited margin material polycoef range "
     "rgba solimpfriction solimplimit solreffriction solreflimit springlength springyield stiffness tendon1 tendon2 "
     "width tendon "},
};

/* Elements of the tree of bodies that are passed over: they do not touch the dynamics. */
static const char *const silent[] = {"camera", "light", "include", "config"};

/* With the nearest attribute that the element has. */
static zvStatus tell_attribute(ziMjcf *m, const ziXmlElement *element, const ziXmlAttribute *attribute,
                               const char *list) {
    char near[ZI_QUOTE_SIZE] = "", quote[ZI_QUOTE_SIZE], why[160], repair[96];
    const bool any = zi_nearest_word(list, attribute->name, near) != NULL;
    snprintf(why, sizeof why, "%s=\"...\" is not an attribute of <%s> and is left out",
             zi_text_quote(quote, attribute->name, strlen(attribute->name)), element->name);
    snprintf(repair, sizeof repair, any ? "did you mean %s=\"...\"?" : "remove it", near);
    const ziXmlAttribute *name = zi_xml_attribute(element, "name");
    const zvRemark remark = {ZV_SEVERITY_WARNING,
                             ZV_SCHEMA,
                             "unknown-attribute",
                             name ? element->name : "robot",
                             name ? name->value : zv_builder_name(m->builder),
                             attribute->name,
                             why,
                             repair,
                             attribute->mark};
    return zv_builder_add_remark(m->builder, &remark, m->error);
}

/* Attributes with a prefix belong to other tools. */
static zvStatus check_words(ziMjcf *m, const ziXmlElement *element) {
    zvStatus status = ZV_OK;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (strcmp(known[k].element, element->name) != 0) continue;
        for (int i = 0; i < element->nattribute && status == ZV_OK; i++) {
            const ziXmlAttribute *attribute = &element->attributes[i];
            if (strchr(attribute->name, ':') || zi_has_word(known[k].attributes, attribute->name)) continue;
            status = tell_attribute(m, element, attribute, known[k].attributes);
        }
    }
    return status;
}

static bool is_one_of(const char *word, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i], word) == 0) return true;
    return false;
}

static bool is_known(const char *word) {
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(known[k].element, word) == 0) return true;
    return false;
}

/* An element within bodies that is not read. */
static zvStatus tell_element(ziMjcf *m, const ziXmlElement *element) {
    static const char *const soft[] = {"composite", "flexcomp"};
    if (strcmp(element->name, "plugin") == 0)
        return zi_mjcf_tell(m, ZV_SEVERITY_WARNING, element, "plugin", "not-modelled", "plugins are left out",
                            "nothing to do if what they do does not matter");
    if (strcmp(element->name, "attach") == 0)
        return zi_mjcf_tell(m, ZV_SEVERITY_WARNING, element, NULL, "not-modelled",
                            "the attached model is left out: its bodies are no part of the robot",
                            "save the whole as one file with the program that attaches it, and read that");
    if (is_one_of(element->name, soft, 2))
        return zi_mjcf_tell(m, ZV_SEVERITY_WARNING, element, NULL, "not-modelled",
                            "the bodies that this element stands for are left out",
                            "nothing to do if they do not matter");
    const char *near = NULL;
    const char *const names[] = {"body", "joint", "freejoint", "geom", "site", "inertial", "frame", "replicate"};
    char why[160], repair[96], quote[ZI_QUOTE_SIZE];
    near = zv_nearest_name(element->name, names, sizeof names / sizeof *names);
    snprintf(why, sizeof why, "<%s> is not an element of a body and is left out",
             zi_text_quote(quote, element->name, strlen(element->name)));
    snprintf(repair, sizeof repair, near ? "did you mean <%s>?" : "remove it%s", near ? near : "");
    return zi_mjcf_tell(m, ZV_SEVERITY_WARNING, element, NULL, "unknown-element", why, repair);
}

/* Bodies and what is in them. */
static zvStatus check_tree(ziMjcf *m, const ziXmlElement *element) {
    zvStatus status = check_words(m, element);
    const bool geom = strcmp(element->name, "geom") == 0;
    for (const ziXmlElement *e = element->first; e && status == ZV_OK; e = e->next) {
        if (is_known(e->name) && !geom)
            status = check_tree(m, e);
        else if (!is_one_of(e->name, silent, sizeof silent / sizeof *silent))
            status = tell_element(m, e);
    }
    return status;
}

/* Elements of a section, one level deep or with their terms. */
static zvStatus check_section(ziMjcf *m, const ziXmlElement *section) {
    zvStatus status = ZV_OK;
    for (const ziXmlElement *e = section->first; e && status == ZV_OK; e = e->next) {
        status = check_words(m, e);
        for (const ziXmlElement *t = e->first; t && status == ZV_OK; t = t->next) status = check_words(m, t);
    }
    return status;
}

static zvStatus tell_later(ziMjcf *m, const ziXmlElement *element, const char *why) {
    return zi_mjcf_tell(m, ZV_SEVERITY_NOTE, element, element->name, "of-scenario", why,
                        "zveno convert --format scenario writes them into one");
}

/* A section of the file: looked through, told of, or passed over. */
static zvStatus check_top(ziMjcf *m, const ziXmlElement *e) {
    static const char *const sections[] = {"compiler", "option",     "size",    "statistic", "visual",   "default",
                                           "asset",    "worldbody",  "contact", "tendon",    "equality", "actuator",
                                           "sensor",   "deformable", "custom",  "keyframe",  "extension"};
    if (strcmp(e->name, "worldbody") == 0) return check_tree(m, e);
    if (strcmp(e->name, "compiler") == 0) return check_words(m, e);
    if (strcmp(e->name, "equality") == 0 || strcmp(e->name, "tendon") == 0) return check_section(m, e);
    if (strcmp(e->name, "actuator") == 0 && e->first)
        return tell_later(m, e, "actuators are no part of a robot but drives of a scenario");
    if (strcmp(e->name, "keyframe") == 0 && e->first)
        return tell_later(m, e, "keyframes are no part of a robot but initial states of a scenario");
    if (strcmp(e->name, "deformable") == 0 && e->first)
        return zi_mjcf_tell(m, ZV_SEVERITY_WARNING, e, "deformable", "not-modelled", "deformable bodies are left out",
                            "nothing to do if they do not matter");
    if (strcmp(e->name, "extension") == 0 && e->first)
        return zi_mjcf_tell(m, ZV_SEVERITY_WARNING, e, "plugin", "not-modelled", "plugins are left out",
                            "nothing to do if what they do does not matter");
    if (is_one_of(e->name, sections, sizeof sections / sizeof *sections)) return ZV_OK;
    const char *near = zv_nearest_name(e->name, sections, sizeof sections / sizeof *sections);
    char why[160], repair[96], quote[ZI_QUOTE_SIZE];
    snprintf(why, sizeof why, "<%s> is not an element of <mujoco> and is left out",
             zi_text_quote(quote, e->name, strlen(e->name)));
    snprintf(repair, sizeof repair, near ? "did you mean <%s>?" : "remove it%s", near ? near : "");
    return zi_mjcf_tell(m, ZV_SEVERITY_WARNING, e, NULL, "unknown-element", why, repair);
}

/* Contacts of geoms, and weight that is held. */
static zvStatus check_forces(ziMjcf *m) {
    zvStatus status = ZV_OK;
    for (size_t i = 0; i < m->ngeom && status == ZV_OK; i++)
        if (m->geoms[i].collides)
            status = zi_mjcf_tell(m, ZV_SEVERITY_NOTE, m->geoms[i].element, "contact", "no-contacts",
                                  "contacts are not modelled: geoms pass through each other",
                                  "events of a scenario stop a robot at a plane");
    for (size_t i = 1; i < m->nbody && status == ZV_OK; i++)
        if (m->bodies[i].gravcomp != 0)
            status = zi_mjcf_tell(m, ZV_SEVERITY_NOTE, m->bodies[i].element, "gravcomp", "of-scenario",
                                  "gravcomp is no part of a robot but loads of a scenario: here its bodies weigh what "
                                  "they weigh",
                                  "zveno convert --format scenario writes them into one");
    for (size_t i = 0; i < m->njoint && status == ZV_OK; i++)
        if (m->joints[i].type == ZI_MJCF_FREE && m->joints[i].dof.armature != 0)
            status = zi_mjcf_tell(m, ZV_SEVERITY_NOTE, m->joints[i].element, "free armature", "free-armature",
                                  "the armature of the free joint resists acceleration along the axes of the link, as "
                                  "written along those of the world",
                                  "use <freejoint>, which no default reaches, if none is meant");
    return status;
}

zvStatus zi_mjcf_remarks(ziMjcf *m) {
    zvStatus status = ZV_OK;
    for (const ziXmlElement *e = m->root->first; e && status == ZV_OK; e = e->next) status = check_top(m, e);
    return status == ZV_OK ? check_forces(m) : status;
}
