/* Lanes: one function for a range of states, several states at a time. Compiled for each instruction set and for
 * double and single precision; one table each. */
#ifndef ZI_BATCH_LANES_H
#define ZI_BATCH_LANES_H

#include "batch/plan.h"
#include "work/scratch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a batch is asked. */
typedef enum ziAsked {
    ZI_ASKED_INVERSE,
    ZI_ASKED_BIAS,
    ZI_ASKED_FORWARD,
    ZI_ASKED_MIXED,
    ZI_ASKED_MASS,
    ZI_ASKED_MINV,
    ZI_ASKED_POSE,
    ZI_ASKED_JACOBIAN,
    ZI_ASKED_INVERSE_DERIVATIVES,
    ZI_ASKED_FORWARD_DERIVATIVES,
    ZI_QUESTIONS
} ziAsked;

/* A task. Entry i of state s is at [i * stride + s] in each array, or of n entries at [s * n + i]; numbers are double
 * or float. */
typedef struct ziLaneTask {
    const ziPlan *plan;
    size_t count, stride;
    bool by_state;                /* states one after the other */
    bool stream;                  /* results are more than caches hold: past them */
    const void *q, *v, *x, *fext; /* x: accelerations or forces; v, x and fext may be NULL: zero */
    void *out;
    zvStatus *status;           /* count, or NULL */
    const unsigned char *given; /* mixed: nv, of all states; */
    void *tau, *a;              /* both are read and written, in place of x and out */
    int frame, body;            /* pose and Jacobian: which, the body of it, */
    zvPose in_body;             /* where it is there, */
    bool local;                 /* and in whose axes */
    void *by[3];                /* derivatives by q, by v, by a or tau; NULL: not wanted, as may be out: a */
} ziLaneTask;

/* Results of the states first ... end - 1, first a multiple of the states of a group; the worst status of them. */
typedef zvStatus (*ziLaneRun)(const ziLaneTask *task, ziScratch scratch, size_t first, size_t end);

typedef struct ziLanes {
    size_t bytes; /* of a register */
    size_t group; /* states that are worked on together */
    ziLaneRun run[ZI_QUESTIONS];
} ziLanes;

/* The table of the instruction set that the model was frozen for. */
const ziLanes *zi_lanes(const zvModel *model, bool single);
/* Bytes of scratch memory that its functions need. */
size_t zi_lanes_scratch(const zvModel *model, const ziLanes *lanes);

#ifdef __cplusplus
}
#endif
#endif
