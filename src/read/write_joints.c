/* Writer of joints (write_joints.h). */
#include "read/write_joints.h"

#include <string.h>

#include "model/loop.h"

void zi_put_curve(ziEmitter *emitter, const zvCurve *curve) {
    static const char *const kinds[] = {"line", "circle", "spline"};
    zi_emit_key(emitter, "curve");
    zi_emit_open(emitter);
    zi_emit_key(emitter, kinds[curve->kind]);
    zi_emit_open(emitter);
    switch (curve->kind) {
    case ZV_CURVE_LINE: zi_put_numbers(emitter, "direction", curve->direction, 3); break;
    case ZV_CURVE_CIRCLE:
        zi_put_numbers(emitter, "center", curve->center, 3);
        zi_put_numbers(emitter, "normal", curve->normal, 3);
        zi_put_numbers(emitter, "start", curve->start, 3);
        zi_put_number(emitter, "radius", curve->radius);
        break;
    case ZV_CURVE_SPLINE:
        zi_put_rows(emitter, "points", curve->points, curve->count, 3, 3);
        zi_put_word(emitter, "closed", curve->closed ? "true" : "false");
        break;
    }
    zi_emit_close(emitter);
    zi_emit_close(emitter);
}

static void put_limits(ziEmitter *emitter, const zvDof *dof) {
    const double others[2] = {dof->effort, dof->velocity};
    if (!dof->has_limits && zi_is_zero(others, 2)) return;
    zi_emit_key(emitter, "limits");
    zi_emit_open(emitter);
    if (dof->has_limits) {
        zi_put_number(emitter, "lower", dof->lower);
        zi_put_number(emitter, "upper", dof->upper);
    }
    zi_put_nonzero(emitter, "effort", dof->effort);
    zi_put_nonzero(emitter, "velocity", dof->velocity);
    zi_emit_close(emitter);
}

static void put_dof(ziEmitter *emitter, const zvDof *dof) {
    const double spring[2] = {dof->stiffness, dof->rest};
    put_limits(emitter, dof);
    zi_put_nonzero(emitter, "armature", dof->armature);
    zi_put_nonzero(emitter, "damping", dof->damping);
    zi_put_nonzero(emitter, "friction", dof->friction);
    if (zi_is_zero(spring, 2)) return;
    zi_emit_key(emitter, "spring");
    zi_emit_open(emitter);
    zi_put_nonzero(emitter, "stiffness", dof->stiffness);
    zi_put_nonzero(emitter, "rest", dof->rest);
    zi_emit_close(emitter);
}

static bool is_plain_dof(const zvDof *dof) {
    const double values[] = {dof->effort,   dof->velocity,  dof->armature, dof->damping,
                             dof->friction, dof->stiffness, dof->rest};
    return !dof->has_limits && zi_is_zero(values, 7);
}

void zi_put_dofs(ziEmitter *emitter, zvJointType type, const zvDof *dofs) {
    int nv = zv_joint_type_nv(type);
    bool plain = true;
    for (int i = 0; i < nv; i++) plain = plain && is_plain_dof(&dofs[i]);
    if (plain) return;
    if (nv == 1) {
        put_dof(emitter, &dofs[0]);
        return;
    }
    zi_emit_list_begin(emitter, "dofs");
    for (int i = 0; i < nv; i++) {
        zi_emit_item(emitter);
        zi_emit_open(emitter);
        put_dof(emitter, &dofs[i]);
        zi_emit_close(emitter);
    }
    zi_emit_list_end(emitter);
}

static void put_mimic(ziEmitter *emitter, const zvJoint *joint) {
    zi_emit_key(emitter, "mimic");
    zi_emit_open(emitter);
    zi_put_text(emitter, "joint", joint->mimic);
    zi_put_number(emitter, "ratio", joint->ratio);
    zi_put_nonzero(emitter, "offset", joint->offset);
    zi_emit_close(emitter);
}

static void put_joint(ziEmitter *emitter, const zvJoint *joint) {
    zvJoint plain = zv_joint_default(NULL, joint->type, NULL, NULL);
    const zvPose child_origin = zi_joint_child_origin(joint);
    zi_emit_about(emitter, "joint", joint->name, joint->mark);
    zi_emit_item(emitter);
    zi_put_text(emitter, "name", joint->name);
    zi_put_word(emitter, "type", zv_joint_type_word(joint->type));
    zi_put_text(emitter, "parent", joint->parent);
    zi_put_text(emitter, "child", joint->child);
    zi_put_pose(emitter, "origin", &joint->origin);
    zi_put_pose(emitter, "child_origin", &child_origin);
    if (memcmp(joint->axis, plain.axis, sizeof plain.axis) != 0) zi_put_numbers(emitter, "axis", joint->axis, 3);
    if (joint->type == ZV_JOINT_UNIVERSAL) zi_put_numbers(emitter, "axis2", joint->axis2, 3);
    if (joint->type == ZV_JOINT_CURVE) zi_put_curve(emitter, &joint->curve);
    if (joint->type == ZV_JOINT_HELICAL) zi_put_number(emitter, "pitch", joint->pitch);
    zi_put_dofs(emitter, joint->type, joint->dof);
    if (joint->mimic) put_mimic(emitter, joint);
    if (zi_joint_is_cut(joint)) zi_put_word(emitter, "cut", "true");
}

void zi_write_joints(ziEmitter *emitter, zvBuilder *builder) {
    if (zv_builder_njoint(builder) == 0) return;
    zi_emit_list_begin(emitter, "joints");
    for (int i = 0; i < zv_builder_njoint(builder); i++) put_joint(emitter, zv_builder_joint(builder, i));
    zi_emit_list_end(emitter);
}
