/* Locking: a joint becomes a fixed one where it stands at zero. */
#include "base/require.h"
#include "model/path.h"
#include "zveno/builder.h"

void zv_builder_lock_joint(zvBuilder *builder, int index) {
    ZI_REQUIRE(builder);
    zvJoint *joint = zv_builder_joint(builder, index);
    if (joint->type == ZV_JOINT_CURVE) { /* at zero the others stand in their joint frame */
        zvPose start = zv_pose_identity();
        zi_path_start(&joint->curve, start.p);
        joint->origin = zv_pose_compose(&joint->origin, &start);
    }
    joint->type = ZV_JOINT_FIXED;
    joint->mimic = NULL;
}
