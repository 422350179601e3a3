/* Joints that follow a fixed joint, directly or through others: what they follow has the value 0 for ever, so they
 * stand at a constant value of their own. Freezing makes fixed joints of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/joint_type.h"
#include "model/order.h"

/* Walks from a joint up to one whose value is known, and back: *chain has room for all joints. A ring ends the walk
 * where it meets itself: its joints are taken for moving. */
static void find_held(const zvBuilder *b, size_t start, double *value, unsigned char *known, int *chain) {
    int length = 0, joint = (int)start;
    while (!known[joint]) {
        known[joint] = 1;
        value[joint] = NAN;
        const int master = zi_names_find(&b->joint_names, b->joints[joint].mimic);
        if (!b->joints[joint].mimic || master < 0 || zv_joint_type_nv(b->joints[joint].type) != 1) break;
        chain[length++] = joint;
        if (zi_joint_fixed(b->joints[master].type)) break;
        joint = master;
    }
    while (length > 0) {
        const zvJoint *follower = &b->joints[chain[--length]];
        const int master = zi_names_find(&b->joint_names, follower->mimic);
        const double above = zi_joint_fixed(b->joints[master].type) ? 0 : value[master];
        value[chain[length]] = follower->ratio * above + follower->offset;
    }
}

/* One array for all joints: NaN stands for a joint that is not held. */
double *zi_held_values(const zvBuilder *b) {
    double *value = malloc((b->njoint + 1) * sizeof *value);
    unsigned char *known = calloc(b->njoint + 1, sizeof *known);
    int *chain = malloc((b->njoint + 1) * sizeof *chain);
    for (size_t j = 0; value && known && chain && j < b->njoint; j++) {
        if (b->mimic_coupled)
            find_held(b, j, value, known, chain);
        else
            value[j] = NAN;
    }
    if (!known || !chain) {
        free(value);
        value = NULL;
    }
    free(known);
    free(chain);
    return value;
}

/* The pose of a joint with one axis at a value: R = 1 + sin(q) [u] + (1 - cos(q)) [u]^2, p along u. */
static zvPose place_at(const zvJoint *joint, double value) {
    zvPose pose = zv_pose_identity();
    const double length =
        sqrt(joint->axis[0] * joint->axis[0] + joint->axis[1] * joint->axis[1] + joint->axis[2] * joint->axis[2]);
    const double u[3] = {joint->axis[0] / length, joint->axis[1] / length, joint->axis[2] / length};
    const double slide = joint->type == ZV_JOINT_PRISMATIC ? value
                         : joint->type == ZV_JOINT_HELICAL ? joint->pitch * value
                                                           : 0;
    for (int i = 0; i < 3; i++) pose.p[i] = slide * u[i];
    if (joint->type == ZV_JOINT_PRISMATIC) return pose;
    const double s = sin(value), c = 1 - cos(value);
    const double cross[9] = {0, -u[2], u[1], u[2], 0, -u[0], -u[1], u[0], 0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) pose.R[3 * i + k] += s * cross[3 * i + k] + c * (u[i] * u[k] - (i == k ? 1 : 0));
    return pose;
}

void zi_hold_joint(zvJoint *joint, double value) {
    const zvPose place = place_at(joint, value);
    joint->origin = zv_pose_compose(&joint->origin, &place);
    joint->type = ZV_JOINT_FIXED;
    joint->stiffness_matrix = joint->damping_matrix = NULL;
    joint->flexible = NULL;
    joint->mimic = NULL;
    memset(joint->dof, 0, sizeof joint->dof);
}
