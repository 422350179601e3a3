/* The states of a ring for engines that take many at once: coordinate after coordinate. */
#ifndef BENCH_STATES_H
#define BENCH_STATES_H

#include "ring.h"

typedef struct States {
    size_t count, stride; /* entry i of state s at [i * stride + s] */
    double *q, *v, *a, *tau;
} States;

/* The ring over and over, as many states as suit matrices of its nv whose numbers have so many bytes; false when out of
 * memory. */
bool states_spread(const Ring *ring, size_t bytes, States *states);
void states_free(States *states);

#endif
