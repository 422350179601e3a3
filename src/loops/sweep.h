/* One closed sweep in model coordinates: what the dynamics, closing and assembling share. */
#ifndef ZI_LOOPS_SWEEP_H
#define ZI_LOOPS_SWEEP_H

#include "dynamics/coupled.h"
#include "kinematics/kernels.h"
#include "zveno/loops.h"

typedef struct ziSweep {
    ziConstraintLevel level;
    const zvClosing *closing;   /* NULL: as the model says */
    const double *q, *v, *fext; /* v NULL: at rest, fext NULL: none */
    const unsigned char *given; /* (nv); NULL: all forces given */
    const double *extra;        /* (nv): armature more; NULL: none */
    const ziAugment *structure; /* added to M; NULL: nothing */
    double floor;               /* as in ziConstraintTask; 0: the usual one */
    double *lambda;             /* (zv_model_nloop_rows); NULL: not wanted */
    int dropped; /* answers: as in ziConstraintTask, conditions of mimic joints that are given do not count */
} ziSweep;

/* tau is only read; found, which may be the same array, receives the forces that are not given (NULL in forward
 * problems). a holds given accelerations and receives the others. Gravity and elastic forces act at the level of
 * accelerations only. ZV_DEGRADED when conditions were dropped. */
zvStatus zi_sweep_closed(const zvModel *model, ziScratch scratch, ziSweep *sweep, const double *tau, double *found,
                         double *a);

/* Newton's steps at the level of positions from q, as far as they go; s.q is set. Takes from the work's scratch memory.
 * *gap is the residual that is left. ZV_CLOSURE: it is too large. */
zvStatus zi_newton_closed(const zvModel *model, zvWork *work, ziSweep *sweep, double *q, double *gap);

/* All constraints at q, at rest, with the model's own targets; in scratch memory. */
const ziConstraintState *zi_tie_states(const zvModel *model, ziScratch *scratch, const double *q);

#endif
