/* What the kernels see of a model: moving bodies in an order where parents come first.
 *
 * Frames: body i has its frame at its joint, turned so that a one-axis joint moves about or along z. A link sits in
 * its body at a constant pose. Bodies hold the links joined to them rigidly; body 0 is the ground.
 *
 * Tree coordinates: every joint has its own entries. When mimic joints are coupled, model coordinates are fewer:
 * tree v[i] = ratio[i] * model v[v_master[i]] (see work/coupling.h). */
#ifndef ZV_MODEL_TREE_H
#define ZV_MODEL_TREE_H

#include "base/arena.h"
#include "zveno/model.h"

/* Cubic pieces of a spline curve: p = c0 + c1 u + c2 u^2 + c3 u^3 with u = q - knot. */
typedef struct zvPath {
    zvCurveKind kind;
    double a[3], b[3], c[3]; /* line: direction a; circle: centre a, axes b, c of length radius */
    double radius;
    bool closed;
    int pieces;
    const double *knots;  /* pieces + 1 */
    const double *coeffs; /* pieces x 4 x 3 */
} zvPath;

/* What joints other than revolute and prismatic need to know. */
typedef struct zvJointData {
    double axis2[3]; /* universal, body joint frame */
    double pitch;    /* helical */
    zvPath path;     /* curve */
} zvJointData;

typedef struct zvBody {
    int parent;
    int q, v;  /* first tree coordinate */
    int v_end; /* dofs of its subtree are v ... v_end - 1 */
    unsigned char type, nv, nq;
    double E[12];            /* joint frame in the parent body: columns of four numbers, the last zero */
    double Et[12];           /* its transpose, likewise */
    double r[4];             /* its origin there */
    double m;                /* mass */
    double h[4];             /* first moment, body frame */
    double J[12];            /* moments of inertia about the body's origin, body frame: columns of four */
    const zvJointData *data; /* NULL for revolute and prismatic */
} zvBody;

typedef struct zvTree {
    int nb;                 /* bodies with the ground */
    int nq, nv;             /* tree coordinates */
    int max_depth;          /* bodies on the longest path */
    const zvBody *body;     /* nb; body 0 is only the ground's inertia, unused */
    const double *armature; /* nv */
    const int *dof_body;    /* nv: body that a tree dof moves */
    const int *dof_parent;  /* nv: the dof before it on the path to the root, or -1 */
    double gravity[3];
} zvTree;

typedef struct zvCoupling {
    int count;                        /* coupled mimic joints; 0: tree and model coordinates are the same */
    const int *q_master;              /* tree nq: model coordinate each follows */
    const int *v_master;              /* tree nv */
    const double *q_ratio, *q_offset; /* tree nq */
    const double *v_ratio;            /* tree nv */
    const unsigned char *follows;     /* tree nv: 1 for a dof of a coupled mimic joint */
    const int *own_v;                 /* model nv: the tree dof that is the coordinate itself */
} zvCoupling;

/* A link in its body. */
typedef struct zvLinkPlace {
    int body;
    int joint;  /* joint above it, -1 for the root */
    int parent; /* link, -1 for the root */
    zvPose pose;
} zvLinkPlace;

struct zvModel {
    zvArena arena; /* one block; everything below lies in it */
    const char *name;
    int nq, nv, nlink, njoint, nframe, nshape; /* nframe: named ones only */
    double mass;
    int isa;
    zvTree tree;
    zvCoupling coupling;
    const zvLink *links;
    const zvJoint *joints;
    const zvFrame *frames;
    const zvShape *shapes;
    const zvLinkPlace *link_places;
    const zvJointPlace *joint_places;
    const int *frame_links;    /* nframe */
    const int *frames_by_name; /* nlink + nframe frame indices in order of their names */
    const int *joints_by_name; /* njoint */
};

/* Pose of a frame (links first) in its body. */
zvPose zv_frame_in_body(const zvModel *model, int frame);

#endif
