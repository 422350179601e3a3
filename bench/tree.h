/* The robot as every engine of the bench gets it: one body per moving joint, links joined rigidly lumped into one.
 * Made of a frozen model through the public API, so that peers receive exactly the robot that Zveno computes. */
#ifndef BENCH_TREE_H
#define BENCH_TREE_H

#include "zveno/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Body {
    int parent; /* body index; 0 = ground */
    zvJointType type;
    int q_index, v_index;
    zvPose origin;     /* joint frame in the parent body; the body frame coincides with it at q = 0 */
    double axis[3];    /* unit, in the joint frame */
    zvInertia inertia; /* of all links lumped into the body, body axes */
} Body;

/* A link of the description: the body that carries it, and where. */
typedef struct TreeLink {
    int body;
    zvPose pose;
} TreeLink;

/* A loop that a ball closes, or a hinge of a planar mechanism: two points, body axes, stay together. */
typedef struct TreeLoop {
    int body[2];
    double point[2][3];
} TreeLoop;

typedef struct Tree {
    int nbody; /* with the ground, body 0 */
    int nlink;
    int nq, nv;
    double gravity[3];
    Body *body;
    TreeLink *link; /* (nlink), in the order of the model */
    int nloop;      /* -1: some loop is of another kind */
    TreeLoop *loop;
    bool free_base; /* body 1 hangs on a free joint */
    bool serial;    /* fixed base, one-freedom joints, no branches, rigid */
    bool simple;    /* rigid, only joints that MuJoCo has: hinge, slide, ball, free */
    int tip;        /* body at the end of the longest path */
    int tip_frame;  /* Zveno's frame with the same origin and axes */
} Tree;

/* NULL when out of memory, or when a mimic joint is coupled. */
Tree *tree_create(const zvModel *model);
void tree_destroy(Tree *tree);

#ifdef __cplusplus
}
#endif
#endif
