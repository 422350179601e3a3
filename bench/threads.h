/* What threads gain on a large batch. */
#ifndef BENCH_THREADS_H
#define BENCH_THREADS_H

#include "own.h"

typedef struct ThreadTimes {
    int threads;   /* 0: not measured */
    double one;    /* ns per state by the clock on the wall, fastest call */
    double many;   /* the same on all threads */
    bool the_same; /* every bit of the answers */
} ThreadTimes;

/* Inverse or forward dynamics of 4096 states on one thread and on as many as there are processors, a few calls each
 * in turn; what was faster than in *times before is noted there (all zero: nothing was). Not measured where lanes do
 * not serve the model, it is large, or there is one processor. The calling thread must not be held on one processor. */
void threads_measure(const zvModel *model, const Ring *ring, Task task, ThreadTimes *times);

#endif
