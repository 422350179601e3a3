/* Lanes: one question for a range of states, several states at a time. Compiled for each instruction set and for
 * double and single precision; one table each. */
#ifndef ZV_BATCH_LANES_H
#define ZV_BATCH_LANES_H

#include "batch/plan.h"
#include "work/desk.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A question. Entry i of state s lies at [i * stride + s] in each array; numbers are double or float. */
typedef struct zvLaneTask {
    const zvPlan *plan;
    size_t count, stride;
    const void *q, *v, *x, *fext; /* x: accelerations or forces; v, x and fext may be NULL: zero */
    void *out;
    zvStatus *status;           /* count, or NULL */
    const unsigned char *given; /* mixed: nv, of all states; */
    void *tau, *a;              /* both are read and written, in place of x and out */
    int body;                   /* pose and Jacobian: that of the frame, */
    zvPose in_body;             /* where it is there, */
    bool local;                 /* and in whose axes */
    void *by[3];                /* derivatives by q, by v, by a or tau; NULL: not wanted, as may be out: a */
} zvLaneTask;

/* Answers for the states first ... end - 1, first a multiple of the states of a group; the worst status of them. */
typedef zvStatus (*zvLaneRun)(const zvLaneTask *task, zvDesk desk, size_t first, size_t end);

typedef struct zvLanes {
    size_t bytes;      /* of a register */
    size_t group;      /* states that are worked on together */
    zvLaneRun inverse; /* x NULL: bias */
    zvLaneRun forward, mixed, mass, minv, pose, jacobian;
    zvLaneRun inverse_derivatives, forward_derivatives;
} zvLanes;

/* The table of the instruction set that the model was frozen for. */
const zvLanes *zv_lanes(const zvModel *model, bool single);
/* Bytes of the desk that its functions need. */
size_t zv_lanes_desk(const zvModel *model, const zvLanes *lanes);

#ifdef __cplusplus
}
#endif
#endif
