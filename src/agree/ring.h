/* States side by side for lanes (zveno/batch.h). A state that is drawn takes the place of one of those drawn before it
 * and is asked about in their company, each time in another lane; what the others are must not matter.
 *
 * In single precision the state is what is left of it in float, and so is that of the answer it is compared with: the
 * rounding of what is given is no error of the method. */
#ifndef ZI_AGREE_RING_H
#define ZI_AGREE_RING_H

#include <stdbool.h>

#include "base/arena.h"
#include "zveno/batch.h"

typedef struct ziRing {
    zvBatch *batch;       /* NULL: the model has what lanes do not serve, or the build has none */
    char why[128];        /* then */
    size_t count, place;  /* states, and where the one that is asked about lies */
    bool full;            /* all places are taken */
    int frame;            /* of pose and Jacobian: a link with the longest way to the ground */
    size_t nq, nv, nload; /* numbers of a state */
    /* entry i of state s at [i * count + s]; the second of each pair in single precision */
    double *q, *v, *a, *tau, *load, *out, *more;
    float *q1, *v1, *a1, *tau1, *load1, *out1, *more1;
    double *rounded[5]; /* q, v, a, tau, load as single precision has them */
    zvStatus *status;   /* count */
} ziRing;

/* Matrices of larger robots are not asked for in lanes. */
enum { ZI_RING_MATRIX_MAX = 512 };

/* False when out of memory; zi_ring_destroy in either case. */
bool zi_ring_create(const zvModel *model, ziArena *arena, ziRing *ring);
void zi_ring_destroy(ziRing *ring);
/* A state, number `index` of those drawn, takes its place; load NULL: none. */
void zi_ring_put(ziRing *ring, int index, const double *q, const double *v, const double *a, const double *tau,
                 const double *load);
/* What was answered to the state at its place: `width` numbers of out or out1. */
void zi_ring_get(const ziRing *ring, bool single, size_t width, double *answer);

#endif
