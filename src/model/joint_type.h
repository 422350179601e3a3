/* Properties of the types of joints, one row of a table each. Code outside the kernels asks properties, not types; the
 * motion itself is in kinematics/joint.h.
 *
 * Most joints slide along axes of the joint frame and turn about its z; what `moves` and `along` say is then all there
 * is to know. Others (a second axis, a path, quaternions) have code of their own where properties do not tell enough.
 */
#ifndef ZI_MODEL_JOINT_TYPE_H
#define ZI_MODEL_JOINT_TYPE_H

#include "zveno/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is needed of the description. */
enum {
    ZI_JOINT_AXIS = 1,  /* axis: turned to z at freezing */
    ZI_JOINT_AXIS2 = 2, /* second axis */
    ZI_JOINT_PITCH = 4,
    ZI_JOINT_PATH = 8 /* curve */
};

typedef struct ziJointType {
    /* Per degree of freedom, how it moves: 'l' slides; 'a' turns, as a rule less than a few times; 'w' turns any number
     * of times; 's' turns any number of times and slides with it (screw). */
    const char *moves;
    const char *along;               /* the same: axis 'x', 'y', 'z', second axis 'e', path 'c' */
    int needs;                       /* ZI_JOINT_AXIS ... */
    zvJointType kernel;              /* type that kernels see: a continuous joint is a revolute one */
    signed char quaternion;          /* where its quaternion lies in its q, -1: coordinates are the integrals of v */
    bool constant_in_parent;         /* columns S in axes of the joint frame */
    bool constant_in_body;           /* columns S in axes of the body it moves */
    const char *coordinates;         /* what q is, in words: "x, y [m], angle [rad]" */
    const char *v_parts[ZV_MAX_DOF]; /* names of the degrees of freedom, where there are several */
    const char *q_parts[ZV_MAX_DOF + 1]; /* of the coordinates, where they differ from these */
} ziJointType;

extern const ziJointType zi_joint_types[ZV_JOINT_TYPES];

static inline bool zi_joint_needs(int type, int what) { return (zi_joint_types[type].needs & what) != 0; }
/* It joins rigidly, or not at all. */
static inline bool zi_joint_fixed(int type) { return zi_joint_types[type].moves[0] == 0; }
static inline bool zi_joint_free(int type) { return zi_joint_types[type].kernel == ZV_JOINT_FREE; }
/* Degree of freedom k changes a direction, or a place. */
static inline bool zi_joint_turns(int type, int k) { return zi_joint_types[type].moves[k] != 'l'; }
static inline bool zi_joint_slides(int type, int k) {
    return zi_joint_types[type].moves[k] == 'l' || zi_joint_types[type].moves[k] == 's';
}
static inline bool zi_joint_has_quaternion(int type) { return zi_joint_types[type].quaternion >= 0; }
/* Columns are fixed in the body and turn with it (quaternions). */
static inline bool zi_joint_columns_ride(int type) {
    return zi_joint_types[type].constant_in_body && !zi_joint_types[type].constant_in_parent;
}
/* Axes of the joint frame along which it slides, or about which it turns: bits x 1, y 2, z 4. Second axes and paths are
 * not among them. */
int zi_joint_free_axes(zvJointType type, bool turning);

#ifdef __cplusplus
}
#endif
#endif
