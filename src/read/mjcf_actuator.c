/* Actuators of an MJCF file: elements and default classes to gains, biases and ranges. */
#include "read/mjcf_actuator.h"

#include <math.h>
#include <string.h>

enum { GAINS = 3 };

/* Types of gains, biases and dynamics, as the format counts them; what has no word here is not modelled. */
static const char *const gain_words[] = {"fixed", "affine"}, *const bias_words[] = {"none", "affine"},
                         *const dynamic_words[] = {"none", "integrator", "filter", "filterexact", "muscle"};
enum { PLAIN, AFFINE };
enum { NONE, INTEGRATOR, FILTER, FILTEREXACT, MUSCLE, OTHER };

static int word_index(const char *word, const char *const *words, int count) {
    for (int i = 0; i < count; i++)
        if (strcmp(words[i], word) == 0) return i;
    return count;
}

/* What is written in an element of a default class or of <actuator> itself; what is not stays. */
static zvStatus numbers(const ziMjcf *m, const ziXmlElement *e, const char *attribute, int least, int most,
                        double *values, int *count) {
    return zi_mjcf_numbers(m, (ziMjcfItem){e, e->name, -1}, attribute, least, most, values, count);
}

static zvStatus number(const ziMjcf *m, const ziXmlElement *e, const char *attribute, double *value) {
    return numbers(m, e, attribute, 1, 1, value, NULL);
}

static void read_prm_type(const ziXmlElement *e, const char *attribute, const char *const *words, int count,
                          int *type) {
    const ziXmlAttribute *found = zi_xml_attribute(e, attribute);
    if (found) *type = word_index(found->value, words, count);
}

/* "limited" and "range" as everywhere in the format. */
static zvStatus read_range(const ziMjcf *m, const ziXmlElement *e, const char *limited, const char *range,
                           ziMjcfBounds *bounds) {
    static const char *const words[] = {"false", "true", "auto"};
    const zvStatus status = numbers(m, e, range, 2, 2, bounds->range, NULL);
    return status == ZV_OK ? zi_mjcf_word(m, (ziMjcfItem){e, e->name, -1}, limited, words, 3, &bounds->limited)
                           : status;
}

/* Lower above upper: none. */
static void close_range(const ziMjcf *m, const ziMjcfBounds *bounds, double range[2]) {
    const double *x = bounds->range;
    const bool counts = bounds->limited == 1 || (bounds->limited == 2 && m->autolimits && (x[0] != 0 || x[1] != 0));
    range[0] = counts ? x[0] : 1, range[1] = counts ? x[1] : -1;
}

/* Adds ratio (q of a joint), led back to the joint that it follows. */
static bool lead_back(const ziMjcf *m, ziMjcfActuator *a, int joint, double ratio) {
    if (a->nown == ZI_MJCF_ACTUATOR_TERMS) return false;
    a->own[a->nown++] = (ziMjcfTerm){joint, ratio};
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

/* A coordinate; on a ball joint a torque. */
static zvStatus on_joint(ziMjcf *m, ziMjcfActuator *a, const char *attribute) {
    int joint = 0;
    const zvStatus status = zi_mjcf_lookup(m, a->element, attribute, &m->joint_names, "joint", &joint);
    if (status != ZV_OK) return status;
    a->on = ZI_MJCF_ON_JOINTS;
    if (m->joints[joint].type > ZI_MJCF_BALL) {
        lead_back(m, a, joint, 1);
        return ZV_OK;
    }
    const bool force = a->gain[1] == 0 && a->gain[2] == 0 && a->bias[1] == 0 && a->bias[2] == 0;
    a->on = ZI_MJCF_ON_BALL;
    a->joint = joint;
    if (m->joints[joint].type == ZI_MJCF_FREE || strcmp(attribute, "joint") != 0 || !force ||
        a->dynamics != ZI_MJCF_DIRECT || a->damping_ratio > 0)
        a->why_not = "it acts on a joint with several freedoms, and not by a constant torque in the axes of the body";
    return ZV_OK;
}

/* Bounds of the force of all actuators on a tendon; with one actuator they are its own. */
static zvStatus bound_force(ziMjcf *m, const ziMjcfTendon *t, ziMjcfActuator *a) {
    static const char *const words[] = {"false", "true", "auto"};
    ziMjcfItem item = {t->element, "tendon", 0};
    double range[2] = {0, 0};
    int limited = 2;
    zvStatus status = zi_mjcf_class(m, t->element, "class", 0, &item.class);
    if (status == ZV_OK) status = zi_mjcf_numbers(m, item, "actuatorfrcrange", 2, 2, range, NULL);
    if (status == ZV_OK) status = zi_mjcf_word(m, item, "actuatorfrclimited", words, 3, &limited);
    if (status != ZV_OK || limited == 0 || (limited == 2 && (!m->autolimits || (range[0] == 0 && range[1] == 0))))
        return status;
    const double gear = a->gear[0], low = gear < 0 ? range[1] / gear : range[0] / gear,
                 high = gear < 0 ? range[0] / gear : range[1] / gear;
    if (gear == 0) return status;
    const bool bounded = a->force[0] <= a->force[1];
    a->force[0] = bounded ? fmax(a->force[0], low) : low;
    a->force[1] = bounded ? fmin(a->force[1], high) : high;
    return status;
}

static void add_terms(const ziMjcf *m, const ziMjcfTendon *t, ziMjcfActuator *a) {
    for (int i = 0; i < t->nterm; i++)
        if (!lead_back(m, a, m->terms[t->first_term + i].joint, m->terms[t->first_term + i].ratio))
            a->why_not = "its tendon has too many joints";
}

/* A spring at rest at a length, and a damper. */
static void set_spring(ziMjcfActuator *a, const ziXmlElement *element, const char *name, double stiffness,
                       double damping, double rest) {
    *a = (ziMjcfActuator){.element = element, .name = name, .gear = {1}, .passive = true};
    a->control[0] = a->force[0] = a->state[0] = 1;
    a->control[1] = a->force[1] = a->state[1] = -1;
    a->bias[0] = stiffness * rest;
    a->bias[1] = 0 - stiffness;
    a->bias[2] = 0 - damping;
}

bool zi_mjcf_tendon_pull(ziMjcf *m, int tendon, ziMjcfActuator *a) {
    const ziMjcfTendon *t = &m->tendons[tendon];
    set_spring(a, t->element, t->name ? t->name : "tendon", t->stiffness, t->damping, t->rest);
    add_terms(m, t, a);
    return t->stiffness != 0 || t->damping != 0;
}

bool zi_mjcf_joint_pull(ziMjcf *m, int joint, double inertia, ziMjcfActuator *a) {
    const ziMjcfJoint *j = &m->joints[joint];
    const double time = j->springdamper[0], ratio = j->springdamper[1];
    if (!(time > 0)) return false;
    const double stiffness = m->springs ? inertia / (time * time * ratio * ratio) : 0;
    const double damping = m->dampers ? 2 * inertia / time : 0;
    set_spring(a, j->element, j->joint, stiffness, damping, j->dof.rest);
    lead_back(m, a, joint, 1);
    return stiffness != 0 || damping != 0;
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
    add_terms(m, t, a);
    return bound_force(m, t, a);
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

/* gainprm, biasprm and dynprm with their types. */
static zvStatus read_general(const ziMjcf *m, const ziXmlElement *e, ziMjcfActuator *a) {
    double gain[10] = {0}, bias[10] = {0}, dynamics[10] = {0};
    memcpy(gain, a->gain, sizeof a->gain);
    memcpy(bias, a->bias, sizeof a->bias);
    dynamics[0] = a->time;
    read_prm_type(e, "gaintype", gain_words, 2, &a->gain_type);
    read_prm_type(e, "biastype", bias_words, 2, &a->bias_type);
    read_prm_type(e, "dyntype", dynamic_words, OTHER, &a->dynamic_type);
    zvStatus status = numbers(m, e, "gainprm", 1, 10, gain, NULL);
    if (status == ZV_OK) status = numbers(m, e, "biasprm", 1, 10, bias, NULL);
    if (status == ZV_OK) status = numbers(m, e, "dynprm", 1, 10, dynamics, NULL);
    memcpy(a->gain, gain, sizeof a->gain);
    memcpy(a->bias, bias, sizeof a->bias);
    a->time = dynamics[0];
    return status;
}

static void set(ziMjcfActuator *a, int gain, int bias, int dynamics, const double g[GAINS], const double b[GAINS]) {
    a->gain_type = gain, a->bias_type = bias, a->dynamic_type = dynamics;
    memcpy(a->gain, g, sizeof a->gain);
    memcpy(a->bias, b, sizeof a->bias);
}

/* position and intvelocity go on from what a class says of actuators of their form; a damping ratio is a b2 above 0. */
static zvStatus read_position(const ziMjcf *m, const ziXmlElement *e, ziMjcfActuator *a, bool integrates) {
    const int d = a->dynamic_type;
    const bool own = a->gain_type == PLAIN && a->bias_type == AFFINE &&
                     (integrates ? d == INTEGRATOR : d == NONE || d == FILTEREXACT);
    double kp = own ? a->gain[0] : 1, b2 = own ? a->bias[2] : 0, time = own && d == FILTEREXACT ? a->time : 0;
    double kv = -b2, ratio = b2;
    zvStatus status = number(m, e, "kp", &kp);
    if (status == ZV_OK) status = number(m, e, "kv", &kv);
    if (status == ZV_OK) status = number(m, e, "dampratio", &ratio);
    if (status == ZV_OK && !integrates) status = number(m, e, "timeconst", &time);
    if (zi_xml_attribute(e, "kv")) b2 = -kv;
    if (zi_xml_attribute(e, "dampratio")) b2 = ratio;
    set(a, PLAIN, AFFINE,
        integrates ? INTEGRATOR
        : time > 0 ? FILTEREXACT
                   : NONE,
        (double[]){kp, 0, 0}, (double[]){0, -kp, b2});
    a->time = time > 0 ? time : 1;
    if (integrates) a->acts.limited = 1;
    return status;
}

static zvStatus read_velocity(const ziMjcf *m, const ziXmlElement *e, ziMjcfActuator *a) {
    const bool own = a->gain_type == PLAIN && a->bias_type == AFFINE && a->dynamic_type == NONE && a->bias[1] == 0 &&
                     a->bias[2] != 0;
    double kv = own ? a->gain[0] : 1;
    const zvStatus status = number(m, e, "kv", &kv);
    set(a, PLAIN, AFFINE, NONE, (double[]){kv, 0, 0}, (double[]){0, 0, -kv});
    return status;
}

static zvStatus read_damper(const ziMjcf *m, const ziXmlElement *e, ziMjcfActuator *a) {
    const bool own = a->gain_type == AFFINE && a->bias_type == PLAIN && a->gain[0] == 0 && a->gain[1] == 0;
    double kv = own ? -a->gain[2] : 0;
    const zvStatus status = number(m, e, "kv", &kv);
    set(a, AFFINE, PLAIN, NONE, (double[]){0, 0, -kv}, (double[]){0, 0, 0});
    a->controls.limited = 1;
    return status;
}

/* The pressure is a filtered input. */
static zvStatus read_cylinder(const ziMjcf *m, const ziXmlElement *e, ziMjcfActuator *a) {
    double diameter = 0;
    zvStatus status = number(m, e, "timeconst", &a->time);
    if (status == ZV_OK) status = number(m, e, "area", &a->gain[0]);
    if (status == ZV_OK) status = number(m, e, "diameter", &diameter);
    if (status == ZV_OK) status = numbers(m, e, "bias", 1, GAINS, a->bias, NULL);
    if (diameter > 0) a->gain[0] = acos(-1) / 4 * diameter * diameter;
    a->gain_type = PLAIN, a->bias_type = AFFINE, a->dynamic_type = FILTER;
    return status;
}

/* The elements that stand for certain gains and biases. */
static zvStatus read_kind(const ziMjcf *m, const ziXmlElement *e, ziMjcfActuator *a) {
    static const char *const words[] = {"general", "motor",    "position", "intvelocity", "velocity",
                                        "damper",  "cylinder", "muscle",   "adhesion"};
    const int kind = word_index(e->name, words, 9);
    a->unknown = kind > 6;
    switch (kind) {
    case 0: return read_general(m, e, a);
    case 1: set(a, PLAIN, PLAIN, NONE, (double[]){1, 0, 0}, (double[]){0, 0, 0}); return ZV_OK;
    case 2: return read_position(m, e, a, false);
    case 3: return read_position(m, e, a, true);
    case 4: return read_velocity(m, e, a);
    case 5: return read_damper(m, e, a);
    case 6: return read_cylinder(m, e, a);
    default: a->dynamic_type = kind == 7 ? MUSCLE : kind == 8 ? NONE : OTHER; return ZV_OK;
    }
}

/* One element: what it does, its gear and ranges, and what it adds to the joint. */
static zvStatus read_element(const ziMjcf *m, const ziXmlElement *e, ziMjcfActuator *a) {
    const bool delay = zi_xml_attribute(e, "delay") != NULL;
    zvStatus status = read_range(m, e, "ctrllimited", "ctrlrange", &a->controls);
    if (status == ZV_OK) status = read_range(m, e, "forcelimited", "forcerange", &a->forces);
    if (status == ZV_OK) status = read_range(m, e, "actlimited", "actrange", &a->acts);
    if (status == ZV_OK) status = read_kind(m, e, a);
    if (status == ZV_OK) status = numbers(m, e, "gear", 1, 6, a->gear, NULL);
    if (status == ZV_OK) status = number(m, e, "inheritrange", &a->inherits);
    if (status == ZV_OK) status = number(m, e, "group", &a->group);
    if (status == ZV_OK) status = number(m, e, "armature", &a->armature);
    if (status == ZV_OK) status = numbers(m, e, "damping", 1, GAINS, a->damping, NULL);
    a->delayed = a->delayed || delay;
    return status;
}

static bool is_actuator(const char *word) {
    static const char *const words[] = {"general",  "motor",  "position", "intvelocity", "velocity",    "damper",
                                        "cylinder", "muscle", "dcmotor",  "adhesion",    "orientation", "pid"};
    return word_index(word, words, sizeof words / sizeof *words) < (int)(sizeof words / sizeof *words);
}

/* All elements of a class that are actuators write one default, one after the other, from the outermost class on. */
static zvStatus read_class(const ziMjcf *m, int class, ziMjcfActuator *a) {
    zvStatus status = m->classes[class].parent >= 0 ? read_class(m, m->classes[class].parent, a) : ZV_OK;
    int count = 0;
    for (int i = m->classes[class].last; i >= 0; i = m->defaults[i].next) count++;
    for (; count > 0 && status == ZV_OK; count--) { /* the list has the last one first */
        int i = m->classes[class].last;
        for (int k = 1; k < count; k++) i = m->defaults[i].next;
        if (is_actuator(m->defaults[i].element->name)) status = read_element(m, m->defaults[i].element, a);
    }
    return status;
}

/* What the types say of gains, biases and states. */
static void settle(ziMjcfActuator *a) {
    const int d = a->dynamic_type;
    for (int i = 0; i < GAINS; i++) {
        if (i > 0 && a->gain_type != AFFINE) a->gain[i] = 0;
        if (a->bias_type != AFFINE) a->bias[i] = 0;
    }
    if (a->bias[2] > 0 && a->gain_type == PLAIN && a->bias[1] == -a->gain[0])
        a->damping_ratio = a->bias[2], a->bias[2] = 0;
    a->states = d == NONE ? 0 : d == OTHER ? -1 : 1;
    a->dynamics = d == INTEGRATOR                                    ? ZI_MJCF_INTEGRATOR
                  : (d == FILTER || d == FILTEREXACT) && a->time > 0 ? ZI_MJCF_FILTER
                                                                     : ZI_MJCF_DIRECT;
    if (a->gain_type > AFFINE || a->bias_type > AFFINE) a->why_not = "its gain or bias is neither constant nor affine";
    if (d >= MUSCLE) a->why_not = "its dynamics are neither a filter nor an integrator";
    if (a->unknown) a->why_not = "it is of a kind that is not modelled";
}

/* The element and its classes. */
static zvStatus read_whole(const ziMjcf *m, const ziXmlElement *e, ziMjcfActuator *a) {
    int class = 0;
    const ziXmlAttribute *name = zi_xml_attribute(e, "name");
    *a = (ziMjcfActuator){.element = e, .gear = {1}, .gain = {1}, .time = 1};
    a->controls.limited = a->forces.limited = a->acts.limited = 2;
    a->name = name && name->value[0] ? name->value : e->name;
    zvStatus status = zi_mjcf_class(m, e, "class", 0, &class);
    if (status == ZV_OK) status = read_class(m, class, a);
    if (status == ZV_OK) status = read_element(m, e, a);
    settle(a);
    return status;
}

/* inheritrange: the middle of the joint's range and so much of its half to either side, for what stands for a position:
 * the input, or what it is integrated to. */
static void inherit_range(const ziMjcf *m, ziMjcfActuator *a) {
    const ziXmlAttribute *joint = zi_xml_attribute(a->element, "joint");
    const int index = joint ? zi_names_find(&m->joint_names, joint->value) : -1;
    if (!(a->inherits > 0) || index < 0 || !m->joints[index].dof.has_limits) return;
    const zvDof *dof = &m->joints[index].dof;
    const double middle = (dof->lower + dof->upper) / 2, half = a->inherits * (dof->upper - dof->lower) / 2;
    double *range = a->dynamics == ZI_MJCF_INTEGRATOR ? a->state : a->control;
    range[0] = middle - half, range[1] = middle + half;
}

/* What it does, its ranges, whether it is switched off by itself or with its group, then what it acts on. */
zvStatus zi_mjcf_actuator(ziMjcf *m, const ziXmlElement *element, ziMjcfActuator *a) {
    const zvStatus status = read_whole(m, element, a);
    if (status != ZV_OK) return status;
    close_range(m, &a->controls, a->control);
    close_range(m, &a->forces, a->force);
    close_range(m, &a->acts, a->state);
    inherit_range(m, a);
    if (!m->clamps) a->control[0] = 1, a->control[1] = -1;
    if (!m->actuation || (a->group >= 0 && a->group < 31 && (m->groups_off >> (int)a->group & 1)))
        a->why_not = "the file switches it off";
    return read_transmission(m, a);
}

/* What an actuator of gear g adds to its joint: armature and damping, each times g^2. */
static zvStatus add_rotor(ziMjcf *m, const ziXmlElement *e) {
    ziMjcfActuator a;
    const zvStatus status = read_whole(m, e, &a);
    const bool higher = a.damping[1] != 0 || a.damping[2] != 0;
    if (status != ZV_OK || (a.armature == 0 && a.damping[0] == 0 && !higher)) return status;
    const ziXmlAttribute *joint = zi_xml_attribute(e, "joint"), *tendon = zi_xml_attribute(e, "tendon");
    if (!joint) joint = zi_xml_attribute(e, "jointinparent");
    int on = joint ? zi_names_find(&m->joint_names, joint->value) : -1;
    const int along = tendon ? zi_names_find(&m->tendon_names, tendon->value) : -1;
    double ratio = a.gear[0];
    if (along >= 0 && m->tendons[along].nterm == 1) {
        on = m->terms[m->tendons[along].first_term].joint;
        ratio *= m->terms[m->tendons[along].first_term].ratio;
    }
    if (on < 0 || m->joints[on].type <= ZI_MJCF_BALL)
        return zi_mjcf_tell(m, ZV_SEVERITY_WARNING, e, NULL, "not-modelled",
                            "armature and damping of the actuator are left out: it acts on no single hinge or slide",
                            "give them to the joints");
    m->joints[on].dof.armature += ratio * ratio * a.armature;
    if (m->dampers) m->joints[on].dof.damping += ratio * ratio * a.damping[0];
    if (!higher) return ZV_OK;
    return zi_mjcf_tell(m, ZV_SEVERITY_WARNING, e, NULL, "not-modelled",
                        "the terms of higher order of the damping of the actuator are left out",
                        "add a force to a scenario if they matter");
}

zvStatus zi_mjcf_rotors(ziMjcf *m) {
    zvStatus status = ZV_OK;
    for (const ziXmlElement *s = m->root->first; s; s = s->next)
        for (const ziXmlElement *e = strcmp(s->name, "actuator") == 0 ? s->first : NULL; e && status == ZV_OK;
             e = e->next)
            status = add_rotor(m, e);
    return status;
}
