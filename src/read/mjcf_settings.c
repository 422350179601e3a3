/* <compiler>, <option> and default classes of an MJCF file. Sections may stand several times: later ones go on. */
#include <math.h>
#include <string.h>

#include "model/builder.h"
#include "read/mjcf.h"

/* Default classes ---------------------------------------------------------------------------------- */

/* element is NULL for the class of all. */
static zvStatus add_class(ziMjcf *m, const ziXmlElement *element, const char *name, int parent, int *class) {
    const int known = zi_names_find(&m->class_names, name);
    if (known >= 0 && element)
        return zi_mjcf_fail(m, ZV_NAME, element, "class", "<default>: expected a new class, found \"%.60s\" again",
                            name);
    if (!zi_grow(&m->classes, m->nclass, &m->class_room, sizeof *m->classes) ||
        zi_names_add(&m->class_names, name, (int)m->nclass) < 0)
        return zi_mjcf_memory(m, element);
    m->classes[m->nclass] = (ziMjcfClass){name, parent, -1};
    *class = (int)m->nclass++;
    return ZV_OK;
}

/* Elements of a class and classes within it. Nesting is bounded by that of XML. */
static zvStatus read_default(ziMjcf *m, const ziXmlElement *section, int class) {
    zvStatus status = ZV_OK;
    for (const ziXmlElement *e = section->first; e && status == ZV_OK; e = e->next) {
        if (strcmp(e->name, "default") != 0) {
            if (!zi_grow(&m->defaults, m->ndefault, &m->default_room, sizeof *m->defaults)) return zi_mjcf_memory(m, e);
            m->defaults[m->ndefault] = (ziMjcfDefault){e, m->classes[class].last};
            m->classes[class].last = (int)m->ndefault++;
            continue;
        }
        const ziXmlAttribute *name = zi_xml_attribute(e, "class");
        int inner = -1;
        if (!name || !name->value[0])
            return zi_mjcf_fail(m, ZV_SCHEMA, e, NULL,
                                "<default>: expected class=\"...\" of a class within another, found none; add it");
        status = add_class(m, e, name->value, class, &inner);
        if (status == ZV_OK) status = read_default(m, e, inner);
    }
    return status;
}

/* The outermost class counts everywhere, whatever it is called. */
static zvStatus read_defaults(ziMjcf *m) {
    int class = -1;
    zvStatus status = add_class(m, NULL, "main", -1, &class);
    for (const ziXmlElement *e = m->root->first; e && status == ZV_OK; e = e->next) {
        if (strcmp(e->name, "default") != 0) continue;
        const ziXmlAttribute *name = zi_xml_attribute(e, "class");
        if (name && name->value[0] && zi_names_find(&m->class_names, name->value) < 0 &&
            zi_names_add(&m->class_names, name->value, 0) < 0)
            return zi_mjcf_memory(m, e);
        status = read_default(m, e, 0);
    }
    return status;
}

static int class_list(const ziMjcf *m, const char **names, int most) {
    int count = 0;
    for (size_t i = 0; i < m->nclass && count < most; i++) names[count++] = m->classes[i].name;
    return count;
}

/* Without the attribute the class is that of what is around the element. */
zvStatus zi_mjcf_class(const ziMjcf *m, const ziXmlElement *element, const char *attribute, int outer, int *class) {
    const ziXmlAttribute *found = zi_xml_attribute(element, attribute);
    *class = outer;
    if (!found || !found->value[0]) return ZV_OK;
    const int known = zi_names_find(&m->class_names, found->value);
    if (known >= 0) {
        *class = known;
        return ZV_OK;
    }
    const char *names[64];
    const char *near = zv_nearest_name(found->value, names, (size_t)class_list(m, names, 64));
    return zi_mjcf_fail(m, ZV_NAME, element, attribute,
                        "%s of <%s>: expected a default class, found \"%.60s\"%s%.60s%s", attribute, element->name,
                        found->value, near ? "; did you mean \"" : "; define it in <default>", near ? near : "",
                        near ? "\"?" : "");
}

/* Compiler ----------------------------------------------------------------------------------------- */

static zvStatus read_eulerseq(ziMjcf *m, ziMjcfItem item) {
    const ziXmlAttribute *found = zi_xml_attribute(item.element, "eulerseq");
    if (!found) return ZV_OK;
    if (strlen(found->value) != 3 || strspn(found->value, "xyzXYZ") != 3)
        return zi_mjcf_fail(m, ZV_SCHEMA, item.element, "eulerseq",
                            "eulerseq of <compiler>: expected three letters of xyzXYZ, found \"%.20s\"", found->value);
    memcpy(m->eulerseq, found->value, 4);
    return ZV_OK;
}

/* Positions of all elements in world axes is an abandoned form of the format. */
static zvStatus read_angles(ziMjcf *m, ziMjcfItem item) {
    static const char *const angles[] = {"radian", "degree"}, *const axes[] = {"local", "global"};
    int degrees = m->degrees, global = 0;
    zvStatus status = zi_mjcf_word(m, item, "angle", angles, 2, &degrees);
    if (status == ZV_OK) status = zi_mjcf_word(m, item, "coordinate", axes, 2, &global);
    if (status != ZV_OK) return status;
    m->degrees = degrees == 1;
    if (global)
        return zi_mjcf_fail(m, ZV_NOT_SUPPORTED, item.element, "coordinate",
                            "coordinate of <compiler>: expected local, found global, which the format has given up; "
                            "save the model with a release that has it (2.3.3 or older), which writes local ones");
    return read_eulerseq(m, item);
}

/* What decides masses. */
static zvStatus read_masses(ziMjcf *m, ziMjcfItem item) {
    static const char *const words[] = {"false", "true", "auto"};
    double groups[2] = {m->groups[0], m->groups[1]};
    zvStatus status = zi_mjcf_word(m, item, "inertiafromgeom", words, 3, &m->infer);
    if (status == ZV_OK) status = zi_mjcf_numbers(m, item, "inertiagrouprange", 2, 2, groups, NULL);
    if (status == ZV_OK) status = zi_mjcf_flag(m, item, "balanceinertia", &m->balance);
    if (status == ZV_OK) status = zi_mjcf_number(m, item, "boundmass", &m->boundmass);
    if (status == ZV_OK) status = zi_mjcf_number(m, item, "boundinertia", &m->boundinertia);
    if (status == ZV_OK) status = zi_mjcf_number(m, item, "settotalmass", &m->totalmass);
    for (int i = 0; i < 2; i++) m->groups[i] = (int)fmax(-1e6, fmin(1e6, groups[i]));
    return status;
}

/* Later sections replace what earlier ones say, attribute by attribute. */
static zvStatus read_compiler(ziMjcf *m, ziMjcfItem item) {
    zvStatus status = read_angles(m, item);
    if (status == ZV_OK) status = zi_mjcf_flag(m, item, "autolimits", &m->autolimits);
    if (status == ZV_OK) status = zi_mjcf_flag(m, item, "strippath", &m->strippath);
    if (status == ZV_OK) status = read_masses(m, item);
    const char *assets = zi_mjcf_text(m, item, "assetdir"), *meshes = zi_mjcf_text(m, item, "meshdir");
    if (assets) m->meshdir = assets;
    if (meshes) m->meshdir = meshes;
    bool align = false;
    if (status == ZV_OK) status = zi_mjcf_flag(m, item, "alignfree", &align);
    if (status == ZV_OK && align)
        status = zi_mjcf_tell(m, ZV_SEVERITY_WARNING, item.element, "alignfree", "not-modelled",
                              "alignfree is left out: links of free bodies stay where the file has them, not in the "
                              "principal axes",
                              "nothing to do unless positions are exchanged with another program");
    return status;
}

/* Option ------------------------------------------------------------------------------------------- */

static bool is_disabled(const ziXmlElement *flags, const char *name) {
    const ziXmlAttribute *found = zi_xml_attribute(flags, name);
    return found && strcmp(found->value, "disable") == 0;
}

static void read_flags(ziMjcf *m, const ziXmlElement *flags) {
    const bool passive = is_disabled(flags, "passive"), none = is_disabled(flags, "constraint");
    if (passive || is_disabled(flags, "spring")) m->springs = false;
    if (passive || is_disabled(flags, "damper")) m->dampers = false;
    if (none || is_disabled(flags, "equality")) m->equalities = false;
    if (none || is_disabled(flags, "limit")) m->limits = false;
    if (none || is_disabled(flags, "frictionloss")) m->friction = false;
    if (is_disabled(flags, "actuation")) m->actuation = false;
    if (is_disabled(flags, "clampctrl")) m->clamps = false;
}

static zvStatus tell_fluid(ziMjcf *m, ziMjcfItem item) {
    double density = 0, viscosity = 0;
    zvStatus status = zi_mjcf_number(m, item, "density", &density);
    if (status == ZV_OK) status = zi_mjcf_number(m, item, "viscosity", &viscosity);
    if (status != ZV_OK || (density == 0 && viscosity == 0)) return status;
    return zi_mjcf_tell(m, ZV_SEVERITY_WARNING, item.element, "fluid", "not-modelled",
                        "density and viscosity of the medium are left out: no forces of a fluid act on the links",
                        "set them to zero, or add loads in a scenario");
}

/* Gravity, what is switched off, and the medium. */
static zvStatus read_option(ziMjcf *m, ziMjcfItem item, double gravity[3]) {
    zvStatus status = zi_mjcf_numbers(m, item, "gravity", 3, 3, gravity, NULL);
    if (status == ZV_OK) status = tell_fluid(m, item);
    double groups[31];
    int count = 0;
    if (status == ZV_OK) status = zi_mjcf_numbers(m, item, "actuatorgroupdisable", 1, 31, groups, &count);
    for (int i = 0; i < count && status == ZV_OK; i++)
        if (groups[i] >= 0 && groups[i] < 31) m->groups_off |= 1U << (int)groups[i];
    for (const ziXmlElement *e = item.element->first; e && status == ZV_OK; e = e->next)
        if (strcmp(e->name, "flag") == 0) read_flags(m, e);
    return status;
}

static bool gravity_is_off(const ziXmlElement *option) {
    for (const ziXmlElement *e = option->first; e; e = e->next)
        if (strcmp(e->name, "flag") == 0 && is_disabled(e, "gravity")) return true;
    return false;
}

/* What the format takes where nothing is written, then the sections. */
zvStatus zi_mjcf_settings(ziMjcf *m) {
    m->degrees = m->autolimits = m->springs = m->dampers = m->equalities = m->limits = m->friction = true;
    m->actuation = m->clamps = true;
    memcpy(m->eulerseq, "xyz", 4);
    m->infer = 2;
    m->groups[1] = 5;
    m->totalmass = -1;
    double gravity[3] = {0, 0, -9.81};
    bool off = false;
    zvStatus status = read_defaults(m);
    for (const ziXmlElement *e = m->root->first; e && status == ZV_OK; e = e->next) {
        const ziMjcfItem item = {e, e->name, -1};
        if (strcmp(e->name, "compiler") == 0) status = read_compiler(m, item);
        if (strcmp(e->name, "option") == 0) status = read_option(m, item, gravity);
        if (strcmp(e->name, "option") == 0) off = off || gravity_is_off(e);
    }
    if (off) memset(gravity, 0, sizeof gravity);
    zv_builder_set_gravity(m->builder, gravity);
    return status;
}
