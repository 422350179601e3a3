/* Actuators of an MJCF file: elements and default classes to gains, biases and ranges. */
#include "read/mjcf_actuator.h"

#include <math.h>
#include <string.h>

/* An attribute of the element or its classes; classes have it under the word of the element or under "general", which
 * is the same actuator. */
static ziMjcfItem item_with(const ziMjcf *m, const ziXmlElement *e, int class, const char *attribute) {
    const ziMjcfItem own = {e, e->name, class}, general = {e, "general", class};
    return zi_mjcf_find(m, own, attribute) ? own : general;
}

static zvStatus numbers(const ziMjcf *m, const ziXmlElement *e, int class, const char *attribute, int least, int most,
                        double *values, int *count) {
    return zi_mjcf_numbers(m, item_with(m, e, class, attribute), attribute, least, most, values, count);
}

/* "limited" and "range" as everywhere in the format. */
static zvStatus range_of(const ziMjcf *m, const ziXmlElement *e, int class, const char *limited, const char *range,
                         double values[2]) {
    static const char *const words[] = {"false", "true", "auto"};
    double written[2] = {0, 0};
    int index = 2;
    zvStatus status = numbers(m, e, class, range, 2, 2, written, NULL);
    if (status == ZV_OK) status = zi_mjcf_word(m, item_with(m, e, class, limited), limited, words, 3, &index);
    const bool counts = index == 1 || (index == 2 && m->autolimits && (written[0] != 0 || written[1] != 0));
    values[0] = counts ? written[0] : 1, values[1] = counts ? written[1] : -1;
    return status;
}

/* Adds ratio (q of a joint), led back to the joint that it follows. */
static bool lead_back(const ziMjcf *m, ziMjcfActuator *a, int joint, double ratio) {
    while (m->joints[joint].follows >= 0) {
        a->offset += ratio * m->joints[joint].offset;
        ratio *= m->joints[joint].ratio;
        joint = m->joints[joint].follows;
    }
    for (int i = 0; i < a->nterm; i++) {
        if (a->terms[i].joint != joint) continue;
        a->terms[i].ratio += ratio;
        return true;
    }
    if (a->nterm == ZI_MJCF_ACTUATOR_TERMS) return false;
    a->terms[a->nterm++] = (ziMjcfTerm){joint, ratio};
    return true;
}

static zvStatus on_joint(ziMjcf *m, ziMjcfActuator *a, const char *attribute) {
    int joint = 0;
    const zvStatus status = zi_mjcf_lookup(m, a->element, attribute, &m->joint_names, "joint", &joint);
    if (status != ZV_OK) return status;
    a->on = ZI_MJCF_ON_JOINTS;
    if (m->joints[joint].type <= ZI_MJCF_BALL)
        a->why_not = "it acts on a joint with several freedoms";
    else
        lead_back(m, a, joint, 1);
    return ZV_OK;
}

/* The sum of coordinates that a fixed tendon is. */
static zvStatus on_tendon(ziMjcf *m, ziMjcfActuator *a) {
    const ziXmlAttribute *name = zi_xml_attribute(a->element, "tendon");
    const int tendon = zi_names_find(&m->tendon_names, name->value);
    a->on = ZI_MJCF_ON_JOINTS;
    if (tendon < 0) {
        a->why_not = "its tendon is none of <fixed>";
        return ZV_OK;
    }
    const ziMjcfTendon *t = &m->tendons[tendon];
    for (int i = 0; i < t->nterm; i++)
        if (!lead_back(m, a, m->terms[t->first_term + i].joint, m->terms[t->first_term + i].ratio))
            a->why_not = "its tendon has too many joints";
    return ZV_OK;
}

/* What it acts on. */
static zvStatus read_transmission(ziMjcf *m, ziMjcfActuator *a) {
    const ziXmlElement *e = a->element;
    if (zi_xml_attribute(e, "joint")) return on_joint(m, a, "joint");
    if (zi_xml_attribute(e, "jointinparent")) return on_joint(m, a, "jointinparent");
    if (zi_xml_attribute(e, "tendon")) return on_tendon(m, a);
    a->on = ZI_MJCF_ON_NOTHING;
    if (!zi_xml_attribute(e, "site") || zi_xml_attribute(e, "refsite")) {
        a->why_not = "it acts neither on a joint, a fixed tendon nor a site alone";
        return ZV_OK;
    }
    a->on = ZI_MJCF_ON_SITE;
    return zi_mjcf_lookup(m, e, "site", &m->site_names, "site", &a->site);
}

/* gainprm and biasprm by their types. */
static zvStatus read_general(ziMjcf *m, int class, ziMjcfActuator *a) {
    static const char *const gains[] = {"fixed", "affine"}, *const biases[] = {"none", "affine"};
    const ziXmlElement *e = a->element;
    double gain[10] = {1}, bias[10] = {0};
    const char *gaintype = zi_mjcf_text(m, item_with(m, e, class, "gaintype"), "gaintype");
    const char *biastype = zi_mjcf_text(m, item_with(m, e, class, "biastype"), "biastype");
    const char *dyntype = zi_mjcf_text(m, item_with(m, e, class, "dyntype"), "dyntype");
    zvStatus status = numbers(m, e, class, "gainprm", 1, 10, gain, NULL);
    if (status == ZV_OK) status = numbers(m, e, class, "biasprm", 1, 10, bias, NULL);
    if ((gaintype && strcmp(gaintype, gains[0]) != 0 && strcmp(gaintype, gains[1]) != 0) ||
        (biastype && strcmp(biastype, biases[0]) != 0 && strcmp(biastype, biases[1]) != 0))
        a->why_not = "its gain or bias is neither constant nor affine";
    a->dynamic = dyntype && strcmp(dyntype, "none") != 0;
    const bool affine = gaintype && strcmp(gaintype, "affine") == 0,
               biased = biastype && strcmp(biastype, "affine") == 0;
    for (int i = 0; i < 3; i++) {
        a->gain[i] = i == 0 || affine ? gain[i] : 0;
        a->bias[i] = biased ? bias[i] : 0;
    }
    if (biased && bias[2] > 0) a->damping_ratio = bias[2], a->bias[2] = 0;
    return status;
}

/* The elements that stand for certain gains and biases. */
static zvStatus read_kind(ziMjcf *m, int class, ziMjcfActuator *a) {
    const char *kind = a->element->name;
    const bool position = strcmp(kind, "position") == 0, velocity = strcmp(kind, "velocity") == 0;
    double kp = 1, kv = position ? 0 : 1, time = 0;
    if (strcmp(kind, "general") == 0) return read_general(m, class, a);
    zvStatus status = numbers(m, a->element, class, "kp", 1, 1, &kp, NULL);
    if (status == ZV_OK) status = numbers(m, a->element, class, "kv", 1, 1, &kv, NULL);
    if (status == ZV_OK) status = numbers(m, a->element, class, "timeconst", 1, 1, &time, NULL);
    if (status == ZV_OK && position) status = numbers(m, a->element, class, "dampratio", 1, 1, &a->damping_ratio, NULL);
    a->gain[0] = position ? kp : velocity ? kv : 1;
    if (position) a->bias[1] = -kp;
    if (position || velocity) a->bias[2] = -kv;
    a->dynamic = time > 0;
    if (strcmp(kind, "damper") == 0)
        a->gain[0] = 0, a->gain[2] = -kv;
    else if (!position && !velocity && strcmp(kind, "motor") != 0)
        a->why_not = "it is of a kind that is not modelled";
    return status;
}

/* inheritrange: the middle of the joint's range and so much of its half to either side. */
static zvStatus inherit_range(ziMjcf *m, int class, ziMjcfActuator *a) {
    double share = 0;
    const zvStatus status = numbers(m, a->element, class, "inheritrange", 1, 1, &share, NULL);
    const ziXmlAttribute *joint = zi_xml_attribute(a->element, "joint");
    const int index = joint ? zi_names_find(&m->joint_names, joint->value) : -1;
    if (status != ZV_OK || !(share > 0) || index < 0 || !m->joints[index].dof.has_limits) return status;
    const zvDof *dof = &m->joints[index].dof;
    const double middle = (dof->lower + dof->upper) / 2, half = share * (dof->upper - dof->lower) / 2;
    a->control[0] = middle - half, a->control[1] = middle + half;
    return ZV_OK;
}

/* What it does, its ranges, then what it acts on. */
zvStatus zi_mjcf_actuator(ziMjcf *m, const ziXmlElement *element, ziMjcfActuator *a) {
    *a = (ziMjcfActuator){.element = element, .gear = {1}};
    int class = 0;
    const ziXmlAttribute *name = zi_xml_attribute(element, "name");
    a->name = name && name->value[0] ? name->value : element->name;
    zvStatus status = zi_mjcf_class(m, element, "class", 0, &class);
    if (status == ZV_OK) status = read_kind(m, class, a);
    if (status == ZV_OK) status = numbers(m, element, class, "gear", 1, 6, a->gear, NULL);
    if (status == ZV_OK) status = range_of(m, element, class, "ctrllimited", "ctrlrange", a->control);
    if (status == ZV_OK) status = range_of(m, element, class, "forcelimited", "forcerange", a->force);
    if (status == ZV_OK) status = inherit_range(m, class, a);
    return status == ZV_OK ? read_transmission(m, a) : status;
}
