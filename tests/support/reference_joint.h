/* Motion of one joint: the pose of the child link in the joint frame with its time derivatives; part of the reference.
 */
#ifndef ZV_TEST_REFERENCE_JOINT_H
#define ZV_TEST_REFERENCE_JOINT_H

#include "support/reference_curve.h"
#include "support/reference_jet.h"

typedef struct refJoint {
    const zvJoint *joint;
    exact axis[3], axis2[3]; /* unit */
    exact plane[9];          /* planar: columns are the x axis, the y axis and the normal */
    refCurve path;
} refJoint;

void ref_joint_open(refJoint *joint, const zvJoint *description);
void ref_joint_close(refJoint *joint);

/* q, v, a of this joint alone; quaternions need not be of unit length. */
void ref_joint_pose(const refJoint *joint, const exact *q, const exact *v, const exact *a, refPose *pose);

/* q moved with constant v for time t: the group exponential for quaternions and free joints. */
void ref_joint_add(const refJoint *joint, const exact *q, const exact *v, exact t, exact *moved);

refPose ref_pose_identity(void);
refPose ref_pose_constant(const zvPose *pose);
void ref_pose_compose(const refPose *outer, const refPose *inner, refPose *out);

#endif
