/* Loops within a description. */
#include "model/loop.h"

#include <string.h>

zvPose zi_joint_child_origin(const zvJoint *joint) {
    zvPose pose = joint->child_origin;
    const zvPose identity = zv_pose_identity();
    for (int i = 0; i < 9; i++) {
        if (pose.R[i] != 0) return pose;
    }
    memcpy(pose.R, identity.R, sizeof pose.R);
    return pose;
}

bool zi_joint_is_cut(const zvJoint *joint) {
    const zvPose pose = zi_joint_child_origin(joint), identity = zv_pose_identity();
    bool elsewhere = false;
    for (int i = 0; i < 9; i++) elsewhere = elsewhere || pose.R[i] != identity.R[i];
    for (int i = 0; i < 3; i++) elsewhere = elsewhere || pose.p[i] != 0;
    return joint->cut || elsewhere;
}

zvLoop zi_loop_of_joint(const zvJoint *joint) {
    zvLoop loop = zv_loop_default(joint->name, ZV_LOOP_JOINT, joint->type, joint->parent, joint->child);
    loop.origin = joint->origin;
    loop.child_origin = zi_joint_child_origin(joint);
    memcpy(loop.axis, joint->axis, sizeof loop.axis);
    memcpy(loop.axis2, joint->axis2, sizeof loop.axis2);
    loop.pitch = joint->pitch;
    loop.curve = joint->curve;
    for (int i = 0; i < ZV_MAX_DOF; i++) {
        const zvDof *dof = &joint->dof[i];
        loop.dof[i] = (zvDof){.damping = dof->damping, .stiffness = dof->stiffness, .rest = dof->rest};
    }
    loop.was_joint = true;
    loop.mark = joint->mark;
    loop.parent_spot = joint->parent_spot;
    loop.child_spot = joint->child_spot;
    loop.axis_spot = joint->axis_spot;
    return loop;
}

zvJoint zi_joint_of_loop(const zvLoop *loop) {
    zvJoint joint = zv_joint_default(loop->name, loop->type, loop->parent, loop->child);
    memcpy(joint.axis, loop->axis, sizeof joint.axis);
    memcpy(joint.axis2, loop->axis2, sizeof joint.axis2);
    memcpy(joint.dof, loop->dof, sizeof joint.dof);
    joint.origin = loop->origin;
    joint.pitch = loop->pitch;
    joint.curve = loop->curve;
    joint.mark = loop->mark;
    joint.axis_spot = loop->axis_spot;
    return joint;
}

int zi_loop_rows(const zvLoop *loop) {
    if (loop->kind != ZV_LOOP_JOINT) return 1;
    bool turns = loop->type == ZV_JOINT_CURVE && loop->ball;
    return 6 - zv_joint_type_nv(loop->type) - (turns ? 3 : 0) + (loop->driven ? 1 : 0);
}

int zi_loop_end(const zvBuilder *b, const char *name, const zvPose *origin, zvPose *pose) {
    *pose = *origin;
    if (!name) return -1;
    int link = zi_names_find(&b->link_names, name);
    if (link >= 0) return link;
    int frame = zi_names_find(&b->frame_names, name);
    if (frame < 0) return -1;
    *pose = zv_pose_compose(&b->frames[frame].pose, origin);
    return zi_names_find(&b->link_names, b->frames[frame].link);
}
