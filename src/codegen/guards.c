#include "codegen/guards.h"

static bool holds(double p, double m) { return p > LTL_PIVOT_FLOOR * m; }

bool zi_guard_known(const ziTape *tape, const ziEdge *pair, bool *good) {
    double p, m;
    if (!zi_tape_known(tape, pair[0], &p) || !zi_tape_known(tape, pair[1], &m)) return false;
    *good = holds(p, m);
    return true;
}

static zvStatus name_freedom(const zvModel *model, zvGenerated function, int dof, zvError *error) {
    for (int j = 0; j < zv_model_njoint(model); j++) {
        const zvJoint *joint = zv_model_joint(model, j);
        const zvJointPlace at = zv_model_joint_place(model, j);
        if (dof < at.v_index || dof >= at.v_index + at.nv) continue;
        const char *part = zv_joint_type_v_part(joint->type, dof - at.v_index);
        return zv_fail(
            error, ZV_SINGULAR, joint->mark, joint->name,
            "the mass matrix is singular in every position: joint \"%s\"%s%s moves nothing that has mass, "
            "or its inertia is not positive, and \"%s\" divides by it; give what it moves a mass or inertia, "
            "or the joint an armature",
            joint->name, part ? ", " : "", part ? part : "", zv_generated_name(function));
    }
    return zv_fail(error, ZV_SINGULAR, (zvMark){0}, zv_generated_name(function),
                   "the mass matrix is singular in every position");
}

/* From the last freedom on, as they are eliminated: what comes after the first failure is no number. */
zvStatus zi_guards_refuse(const zvModel *model, zvGenerated function, const ziTape *tape, size_t pairs,
                          const ziEdge *guard, zvError *error) {
    for (size_t k = pairs; k-- > 0;) {
        bool good;
        if (zi_guard_known(tape, guard + 2 * k, &good) && !good) return name_freedom(model, function, (int)k, error);
    }
    return ZV_OK;
}

bool zi_guards_hold(size_t pairs, const ziEdge *guard, const double *value) {
    bool good = true;
    for (size_t k = 0; k < pairs; k++)
        good &= holds(zi_edge_value(value, guard[2 * k]), zi_edge_value(value, guard[2 * k + 1]));
    return good;
}
