/* A ring of random states, so that no engine can profit from seeing the same numbers twice. Zveno's conventions. */
#ifndef BENCH_RING_H
#define BENCH_RING_H

#include "zveno/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Ring {
    int count; /* a power of two */
    int nq, nv;
    int nlink, nbody; /* links, and those that joints move */
    double *q;        /* (count x nq) */
    double *v, *a;    /* (count x nv) */
    double *tau;      /* (count x nv) */
} Ring;

/* NULL when out of memory. The same seed gives the same states. */
Ring *ring_create(const zvModel *model, int count, unsigned seed);
void ring_destroy(Ring *ring);
/* 64 states, or fewer when a state is so large that the ring would leave the cache. */
int ring_size(int nv);

#ifdef __cplusplus
}
#endif
#endif
