/* Defaults of the description structs, the table of joint types, poses. */
#include <math.h>
#include <string.h>

#include "base/require.h"
#include "zveno/builder.h"

static const struct {
    const char *word;
    int nq, nv;
} joint_types[ZV_JOINT_TYPES] = {
#define ZV_X(name, word, nq, nv) {word, nq, nv},
    ZV_JOINT_LIST(ZV_X)
#undef ZV_X
};

const char *zv_joint_type_word(zvJointType type) { return joint_types[type].word; }
int zv_joint_type_nq(zvJointType type) { return joint_types[type].nq; }
int zv_joint_type_nv(zvJointType type) { return joint_types[type].nv; }

zvPose zv_pose_identity(void) { return (zvPose){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}}; }

zvPose zv_pose_from_rpy(const double xyz[3], const double rpy[3]) {
    double sr = sin(rpy[0]), cr = cos(rpy[0]);
    double sp = sin(rpy[1]), cp = cos(rpy[1]);
    double sy = sin(rpy[2]), cy = cos(rpy[2]);
    return (zvPose){.R = {cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr, /* Rz Ry Rx */
                          sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr, /* */
                          0 - sp, cp * sr, cp * cr},
                    .p = {xyz[0], xyz[1], xyz[2]}};
}

zvPose zv_pose_compose(const zvPose *outer, const zvPose *inner) {
    ZI_REQUIRE(outer && inner);
    zvPose pose;
    for (int i = 0; i < 3; i++) {
        const double *row = outer->R + 3 * i;
        for (int j = 0; j < 3; j++) {
            pose.R[3 * i + j] = row[0] * inner->R[j] + row[1] * inner->R[3 + j] + row[2] * inner->R[6 + j];
        }
        pose.p[i] = outer->p[i] + row[0] * inner->p[0] + row[1] * inner->p[1] + row[2] * inner->p[2];
    }
    return pose;
}

zvLink zv_link_default(const char *name) { return (zvLink){.name = name}; }

zvJoint zv_joint_default(const char *name, zvJointType type, const char *parent, const char *child) {
    return (zvJoint){
        .name = name,
        .type = type,
        .parent = parent,
        .child = child,
        .origin = zv_pose_identity(),
        .axis = {0, 0, 1},
        .axis2 = {1, 0, 0},
        .curve = {.kind = ZV_CURVE_LINE, .direction = {1, 0, 0}, .normal = {0, 0, 1}, .start = {1, 0, 0}, .radius = 1},
        .ratio = 1,
        .child_origin = zv_pose_identity()};
}

zvFrame zv_frame_default(const char *name, const char *link) {
    return (zvFrame){.name = name, .link = link, .pose = zv_pose_identity()};
}

zvShape zv_shape_default(const char *link, zvShapeKind kind) {
    return (zvShape){
        .link = link, .kind = kind, .pose = zv_pose_identity(), .size = {1, 1, 1}, .color = {0.7, 0.7, 0.7, 1}};
}

zvLoop zv_loop_default(const char *name, zvLoopKind kind, zvJointType type, const char *parent, const char *child) {
    zvJoint joint = zv_joint_default(name, type, parent, child);
    return (zvLoop){.name = name,
                    .kind = kind,
                    .type = type,
                    .parent = parent,
                    .child = child,
                    .origin = zv_pose_identity(),
                    .child_origin = zv_pose_identity(),
                    .axis = {0, 0, 1},
                    .axis2 = {1, 0, 0},
                    .curve = joint.curve};
}
