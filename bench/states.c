#include "states.h"

#include <stdlib.h>

/* States of a call, fewer where matrices would leave the cache: odd multiples of 16, so that the rows of an array do
 * not fold onto the same lines of the cache. */
enum { STATES = 240, UNIT = 16, CACHED = 40 * 1024 };

static size_t states_of(int nv) {
    size_t states = STATES;
    while (states > UNIT && states * (size_t)nv * (size_t)nv > CACHED) states = states / (2 * UNIT) * UNIT;
    return states;
}

static double *spread(const Ring *ring, size_t states, const double *rows, int width) {
    double *x = aligned_alloc(64, (size_t)width * states * sizeof *x);
    for (size_t i = 0; x && i < (size_t)width; ++i)
        for (size_t s = 0; s < states; ++s) x[i * states + s] = rows[s % (size_t)ring->count * (size_t)width + i];
    return x;
}

bool states_spread(const Ring *ring, States *states) {
    const size_t count = states_of(ring->nv);
    *states = (States){.count = count,
                       .q = spread(ring, count, ring->q, ring->nq),
                       .v = spread(ring, count, ring->v, ring->nv),
                       .a = spread(ring, count, ring->a, ring->nv),
                       .tau = spread(ring, count, ring->tau, ring->nv)};
    return states->q && states->v && states->a && states->tau;
}

void states_free(States *states) {
    free(states->q);
    free(states->v);
    free(states->a);
    free(states->tau);
}
