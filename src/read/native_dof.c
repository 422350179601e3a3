/* Freedoms of native joints and loops: limits, rotor, friction and spring. */
#include <stdio.h>

#include "read/native_parts.h"

/* Their orientation is a quaternion, so there is no coordinate to limit. */
static bool has_quaternion(zvJointType type) { return type == ZV_JOINT_SPHERICAL || type == ZV_JOINT_FREE; }

static zvStatus read_limits(const ziReading *reading, const ziElement *element, zvJointType type, zvDof *dof) {
    static const char *const keys[] = {"lower", "upper", "effort", "velocity"};
    char kind[ZI_WHAT];
    snprintf(kind, sizeof kind, "limits of %s", element->kind);
    ziElement limits;
    zvStatus status = zi_element_part(reading, element, "limits", kind, keys, sizeof keys / sizeof *keys, &limits);
    if (status < 0 || !limits.node) return status;
    bool lower = zi_element_has(&limits, "lower"), upper = zi_element_has(&limits, "upper");
    if ((lower || upper) && has_quaternion(type)) {
        return zi_element_refuse(reading, &limits, lower ? "lower" : "upper",
                                 "has no meaning: the position is a quaternion; remove lower and upper");
    }
    if (lower != upper && !dof->has_limits) {
        return zi_element_refuse(reading, &limits, lower ? "lower" : "upper",
                                 "stands alone; give both lower and upper");
    }
    if ((status = zi_element_number(reading, &limits, "lower", &dof->lower)) < 0) return status;
    if ((status = zi_element_number(reading, &limits, "upper", &dof->upper)) < 0) return status;
    if ((status = zi_element_number(reading, &limits, "effort", &dof->effort)) < 0) return status;
    if ((status = zi_element_number(reading, &limits, "velocity", &dof->velocity)) < 0) return status;
    if (lower || upper) dof->has_limits = true;
    return ZV_OK;
}

/* A rotor behind a gear is felt at the joint with the square of the ratio. */
static zvStatus read_rotor(const ziReading *reading, const ziElement *element, zvDof *dof) {
    static const char *const keys[] = {"inertia", "ratio"};
    char kind[ZI_WHAT];
    snprintf(kind, sizeof kind, "rotor of %s", element->kind);
    ziElement rotor;
    zvStatus status = zi_element_part(reading, element, "rotor", kind, keys, sizeof keys / sizeof *keys, &rotor);
    if (status < 0 || !rotor.node) return status;
    if (zi_element_has(element, "armature")) {
        return zi_element_refuse(reading, element, "rotor",
                                 "and armature are both given; armature = rotor inertia x ratio^2: keep one of them");
    }
    double inertia = 0, ratio = 1;
    if ((status = zi_element_need(reading, &rotor, "inertia", "inertia, in kg m^2")) < 0) return status;
    if ((status = zi_element_number(reading, &rotor, "inertia", &inertia)) < 0) return status;
    if ((status = zi_element_number(reading, &rotor, "ratio", &ratio)) < 0) return status;
    dof->armature = inertia * ratio * ratio;
    return ZV_OK;
}

static zvStatus read_spring(const ziReading *reading, const ziElement *element, zvDof *dof) {
    static const char *const keys[] = {"stiffness", "rest"};
    char kind[ZI_WHAT];
    snprintf(kind, sizeof kind, "spring of %s", element->kind);
    ziElement spring;
    zvStatus status = zi_element_part(reading, element, "spring", kind, keys, sizeof keys / sizeof *keys, &spring);
    if (status < 0 || !spring.node) return status;
    if ((status = zi_element_number(reading, &spring, "stiffness", &dof->stiffness)) < 0) return status;
    return zi_element_number(reading, &spring, "rest", &dof->rest);
}

zvStatus zi_native_dof(const ziReading *reading, const ziElement *element, zvJointType type, zvDof *dof) {
    zvStatus status = read_limits(reading, element, type, dof);
    if (status < 0) return status;
    if ((status = zi_element_number(reading, element, "armature", &dof->armature)) < 0) return status;
    if ((status = read_rotor(reading, element, dof)) < 0) return status;
    if ((status = zi_element_number(reading, element, "damping", &dof->damping)) < 0) return status;
    if ((status = zi_element_number(reading, element, "friction", &dof->friction)) < 0) return status;
    return read_spring(reading, element, dof);
}

/* A fixed joint has nothing to damp or to limit. */
static zvStatus refuse_dof_keys(const ziReading *reading, const ziElement *element) {
    static const char *const keys[] = {ZI_DOF_KEYS, "dofs"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (!zi_element_has(element, keys[i])) continue;
        return zi_element_refuse(reading, element, keys[i],
                                 "has no effect: a fixed joint does not move; remove it or change the type");
    }
    return ZV_OK;
}

static zvStatus read_list(const ziReading *reading, const ziElement *element, const zvNode *list, ziDofKeys keys,
                          zvJointType type, zvDof *dofs) {
    int nv = zv_joint_type_nv(type);
    if (list->count != nv) {
        char reason[160];
        snprintf(reason, sizeof reason, "has %d entries, but a %s joint has %d freedom%s; write one map for each",
                 list->count, zv_joint_type_word(type), nv, nv == 1 ? "" : "s");
        return zi_element_refuse(reading, element, "dofs", reason);
    }
    for (int i = 0; i < nv; i++) {
        char kind[ZI_WHAT];
        snprintf(kind, sizeof kind, "freedom %d of %s", i + 1, element->kind);
        ziElement dof;
        zvStatus status = zi_element_open(reading, list->items[i], kind, NULL, keys.names, keys.count, &dof);
        if (status < 0) return status;
        dof.name = element->name;
        if ((status = zi_native_dof(reading, &dof, type, &dofs[i])) < 0) return status;
    }
    return ZV_OK;
}

ziDofKeys zi_native_joint_dof_keys(void) {
    static const char *const names[] = {ZI_DOF_KEYS};
    return (ziDofKeys){names, sizeof names / sizeof *names};
}

zvStatus zi_native_dofs(const ziReading *reading, const ziElement *element, ziDofKeys keys, zvJointType type,
                        zvDof *dofs) {
    int nv = zv_joint_type_nv(type);
    if (nv == 0) return refuse_dof_keys(reading, element);
    for (int i = 0; i < nv; i++) {
        zvStatus status = zi_native_dof(reading, element, type, &dofs[i]);
        if (status < 0) return status;
    }
    const zvNode *list = NULL;
    zvStatus status = zi_element_list(reading, element, "dofs", &list);
    if (status < 0 || !list) return status;
    return read_list(reading, element, list, keys, type, dofs);
}
