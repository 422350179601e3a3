/* Closing positions that are nearly closed, for those who must stay in their assembly. */
#ifndef ZI_LOOPS_NEAR_H
#define ZI_LOOPS_NEAR_H

#include "zveno/loops.h"

/* zv_close_position by Newton's steps alone: of runs and of searches that close on the way. */
zvStatus zi_close_near(const zvModel *model, zvWork *work, const zvClosing *closing, const unsigned char *given,
                       double *q, double *gap);

#endif
