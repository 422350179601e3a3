/* Questions of loops.h that know which loops are closed. */
#ifndef ZI_LOOPS_OPEN_H
#define ZI_LOOPS_OPEN_H

#include "zveno/loops.h"

/* zv_closed_structural_inverse_times with the loops that are closed. */
zvStatus zi_closed_inverse_times(const zvModel *model, zvWork *work, const zvClosing *closing, const double *q,
                                 const unsigned char *given, const double *extra, double damping, double stiffness,
                                 const double *x, double *y);
/* zv_loop_mobility likewise. */
zvStatus zi_loop_mobility(const zvModel *model, zvWork *work, const zvClosing *closing, const double *q,
                          zvLoopMobility *mobility);

#endif
