/* Writer of joints (write_joints.h). */
#include "read/write_joints.h"

#include <string.h>

#include "model/loop.h"

void zv_put_curve(zvEmitter *emitter, const zvCurve *curve) {
    static const char *const kinds[] = {"line", "circle", "spline"};
    zv_emit_key(emitter, "curve");
    zv_emit_open(emitter);
    zv_emit_key(emitter, kinds[curve->kind]);
    zv_emit_open(emitter);
    switch (curve->kind) {
    case ZV_CURVE_LINE: zv_put_numbers(emitter, "direction", curve->direction, 3); break;
    case ZV_CURVE_CIRCLE:
        zv_put_numbers(emitter, "center", curve->center, 3);
        zv_put_numbers(emitter, "normal", curve->normal, 3);
        zv_put_numbers(emitter, "start", curve->start, 3);
        zv_put_number(emitter, "radius", curve->radius);
        break;
    case ZV_CURVE_SPLINE:
        zv_put_rows(emitter, "points", curve->points, curve->count, 3, 3);
        zv_put_word(emitter, "closed", curve->closed ? "true" : "false");
        break;
    }
    zv_emit_close(emitter);
    zv_emit_close(emitter);
}

static void put_limits(zvEmitter *emitter, const zvDof *dof) {
    const double others[2] = {dof->effort, dof->velocity};
    if (!dof->has_limits && zv_is_zero(others, 2)) return;
    zv_emit_key(emitter, "limits");
    zv_emit_open(emitter);
    if (dof->has_limits) {
        zv_put_number(emitter, "lower", dof->lower);
        zv_put_number(emitter, "upper", dof->upper);
    }
    zv_put_nonzero(emitter, "effort", dof->effort);
    zv_put_nonzero(emitter, "velocity", dof->velocity);
    zv_emit_close(emitter);
}

static void put_dof(zvEmitter *emitter, const zvDof *dof) {
    const double spring[2] = {dof->stiffness, dof->rest};
    put_limits(emitter, dof);
    zv_put_nonzero(emitter, "armature", dof->armature);
    zv_put_nonzero(emitter, "damping", dof->damping);
    zv_put_nonzero(emitter, "friction", dof->friction);
    if (zv_is_zero(spring, 2)) return;
    zv_emit_key(emitter, "spring");
    zv_emit_open(emitter);
    zv_put_nonzero(emitter, "stiffness", dof->stiffness);
    zv_put_nonzero(emitter, "rest", dof->rest);
    zv_emit_close(emitter);
}

static bool is_plain_dof(const zvDof *dof) {
    const double values[] = {dof->effort,   dof->velocity,  dof->armature, dof->damping,
                             dof->friction, dof->stiffness, dof->rest};
    return !dof->has_limits && zv_is_zero(values, 7);
}

void zv_put_dofs(zvEmitter *emitter, zvJointType type, const zvDof *dofs) {
    int nv = zv_joint_type_nv(type);
    bool plain = true;
    for (int i = 0; i < nv; i++) plain = plain && is_plain_dof(&dofs[i]);
    if (plain) return;
    if (nv == 1) {
        put_dof(emitter, &dofs[0]);
        return;
    }
    zv_emit_list_begin(emitter, "dofs");
    for (int i = 0; i < nv; i++) {
        zv_emit_item(emitter);
        zv_emit_open(emitter);
        put_dof(emitter, &dofs[i]);
        zv_emit_close(emitter);
    }
    zv_emit_list_end(emitter);
}

static void put_mimic(zvEmitter *emitter, const zvJoint *joint) {
    zv_emit_key(emitter, "mimic");
    zv_emit_open(emitter);
    zv_put_text(emitter, "joint", joint->mimic);
    zv_put_number(emitter, "ratio", joint->ratio);
    zv_put_nonzero(emitter, "offset", joint->offset);
    zv_emit_close(emitter);
}

static void put_joint(zvEmitter *emitter, const zvJoint *joint) {
    zvJoint plain = zv_joint_default(NULL, joint->type, NULL, NULL);
    const zvPose child_origin = zv_joint_child_origin(joint);
    zv_emit_about(emitter, "joint", joint->name, joint->mark);
    zv_emit_item(emitter);
    zv_put_text(emitter, "name", joint->name);
    zv_put_word(emitter, "type", zv_joint_type_word(joint->type));
    zv_put_text(emitter, "parent", joint->parent);
    zv_put_text(emitter, "child", joint->child);
    zv_put_pose(emitter, "origin", &joint->origin);
    zv_put_pose(emitter, "child_origin", &child_origin);
    if (memcmp(joint->axis, plain.axis, sizeof plain.axis) != 0) zv_put_numbers(emitter, "axis", joint->axis, 3);
    if (joint->type == ZV_UNIVERSAL) zv_put_numbers(emitter, "axis2", joint->axis2, 3);
    if (joint->type == ZV_CURVE) zv_put_curve(emitter, &joint->curve);
    if (joint->type == ZV_HELICAL) zv_put_number(emitter, "pitch", joint->pitch);
    zv_put_dofs(emitter, joint->type, joint->dof);
    if (joint->mimic) put_mimic(emitter, joint);
    if (zv_joint_is_cut(joint)) zv_put_word(emitter, "cut", "true");
}

void zv_write_joints(zvEmitter *emitter, zvBuilder *builder) {
    if (zv_builder_njoint(builder) == 0) return;
    zv_emit_list_begin(emitter, "joints");
    for (int i = 0; i < zv_builder_njoint(builder); i++) put_joint(emitter, zv_builder_joint(builder, i));
    zv_emit_list_end(emitter);
}
