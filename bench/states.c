#include "states.h"

#include <stdlib.h>

/* States of a call, fewer where matrices would leave the cache; multiples of what lanes take at once, two lines of the
 * cache. Where a row is longer there is one line more to the next: rows do not fold onto the same lines. */
enum { STATES = 224, LINE = 64, UNIT = 2 * LINE, CACHED = 320 * 1024 };

static size_t states_of(int nv, size_t bytes) {
    const size_t unit = UNIT / bytes, matrix = (size_t)nv * (size_t)nv * bytes;
    size_t states = STATES;
    while (states > unit && states * matrix > CACHED) states = states / (2 * unit) * unit;
    return states;
}

static double *spread(const Ring *ring, const States *states, const double *rows, int width) {
    double *x = aligned_alloc(64, (size_t)width * states->stride * sizeof *x);
    for (size_t i = 0; x && i < (size_t)width; ++i)
        for (size_t s = 0; s < states->stride; ++s)
            x[i * states->stride + s] = rows[s % (size_t)ring->count * (size_t)width + i];
    return x;
}

bool states_spread(const Ring *ring, size_t bytes, States *states) {
    *states = (States){.count = states_of(ring->nv, bytes)};
    states->stride = states->count > UNIT / bytes ? states->count + LINE / bytes : states->count;
    states->q = spread(ring, states, ring->q, ring->nq);
    states->v = spread(ring, states, ring->v, ring->nv);
    states->a = spread(ring, states, ring->a, ring->nv);
    states->tau = spread(ring, states, ring->tau, ring->nv);
    return states->q && states->v && states->a && states->tau;
}

void states_free(States *states) {
    free(states->q);
    free(states->v);
    free(states->a);
    free(states->tau);
}
