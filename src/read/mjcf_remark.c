/* What an MJCF file has and the robot has not, or not as meant: elements without a place here, and words that are none
 * of the format. Elements that are for pictures, contacts, sensors or the numerics of another program are passed over.
 */
#include <stdio.h>
#include <string.h>

#include "read/mjcf.h"
#include "read/mjcf_words.h"

static const ziMjcfWords *words_of(const char *in, const char *element) {
    for (size_t k = 0; k < sizeof zi_mjcf_words / sizeof *zi_mjcf_words; k++)
        if (strcmp(zi_mjcf_words[k].in, in) == 0 && strcmp(zi_mjcf_words[k].element, element) == 0)
            return &zi_mjcf_words[k];
    return NULL;
}

/* Under which name the elements within an element are known: frames hold what bodies do. */
static const char *inside_of(const char *element) {
    static const char *const bodies[] = {"worldbody", "frame", "replicate"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        if (strcmp(bodies[i], element) == 0) return "body";
    return element;
}

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
static zvStatus check_words(ziMjcf *m, const ziXmlElement *element, const char *words) {
    zvStatus status = ZV_OK;
    for (int i = 0; i < element->nattribute && status == ZV_OK; i++) {
        const ziXmlAttribute *attribute = &element->attributes[i];
        if (strchr(attribute->name, ':') || zi_has_word(words, attribute->name)) continue;
        status = tell_attribute(m, element, attribute, words);
    }
    return status;
}

/* An element that the format has and the robot has not; false where there is nothing to tell. */
static bool left_out(const ziXmlElement *element, const char *in, const char **once, const char **why,
                     const char **repair) {
    const char *const word = element->name;
    *once = NULL;
    *repair = "nothing to do if they do not matter";
    if (strcmp(word, "plugin") == 0 || strcmp(word, "extension") == 0)
        *once = "plugin", *why = "plugins are left out";
    else if (strcmp(word, "deformable") == 0)
        *once = "deformable", *why = "deformable bodies are left out";
    else if (strcmp(word, "attach") == 0)
        *why = "the attached model is left out: its bodies are no part of the robot",
        *repair = "save the whole as one file with the program that attaches it, and read that";
    else if (strcmp(in, "body") == 0 && (strcmp(word, "composite") == 0 || strcmp(word, "flexcomp") == 0))
        *why = "the bodies that this element stands for are left out";
    else
        return false;
    return true;
}

/* With the nearest element that stands there. */
static zvStatus tell_element(ziMjcf *m, const ziXmlElement *element, const char *in) {
    const char *names[64];
    char why[160], repair[96], quote[ZI_QUOTE_SIZE];
    size_t count = 0;
    for (size_t k = 0; k < sizeof zi_mjcf_words / sizeof *zi_mjcf_words && count < 64; k++)
        if (strcmp(zi_mjcf_words[k].in, in) == 0) names[count++] = zi_mjcf_words[k].element;
    const char *near = zv_nearest_name(element->name, names, count);
    snprintf(why, sizeof why, "<%s> is not an element of %s%s%s and is left out",
             zi_text_quote(quote, element->name, strlen(element->name)), strcmp(in, "body") == 0 ? "a " : "<", in,
             strcmp(in, "body") == 0 ? "" : ">");
    snprintf(repair, sizeof repair, near ? "did you mean <%s>?" : "remove it%s", near ? near : "");
    return zi_mjcf_tell(m, ZV_SEVERITY_WARNING, element, NULL, "unknown-element", why, repair);
}

/* An element and what is in it; nesting is bounded by that of XML. */
static zvStatus check_element(ziMjcf *m, const ziXmlElement *element, const char *in) {
    const ziMjcfWords *words = words_of(in, element->name);
    const char *once, *why, *repair;
    if (strchr(element->name, ':')) return ZV_OK;
    if (!words) return tell_element(m, element, in);
    if (left_out(element, in, &once, &why, &repair))
        return element->first || strcmp(in, "mujoco") != 0
                   ? zi_mjcf_tell(m, ZV_SEVERITY_WARNING, element, once, "not-modelled", why, repair)
                   : ZV_OK;
    if (!words->attributes) return ZV_OK;
    zvStatus status = check_words(m, element, words->attributes);
    for (const ziXmlElement *e = element->first; e && status == ZV_OK; e = e->next)
        status = check_element(m, e, inside_of(element->name));
    return status;
}

static zvStatus tell_later(ziMjcf *m, const ziXmlElement *element, const char *why) {
    return zi_mjcf_tell(m, ZV_SEVERITY_NOTE, element, element->name, "of-scenario", why,
                        "zveno convert --format scenario writes them into one");
}

/* A section of the file. */
static zvStatus check_top(ziMjcf *m, const ziXmlElement *e) {
    zvStatus status = ZV_OK;
    if (strcmp(e->name, "actuator") == 0 && e->first)
        status = tell_later(m, e, "actuators are no part of a robot but drives of a scenario");
    if (strcmp(e->name, "keyframe") == 0 && e->first)
        status = tell_later(m, e, "keyframes are no part of a robot but initial states of a scenario");
    return status == ZV_OK ? check_element(m, e, "mujoco") : status;
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
