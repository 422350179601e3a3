/* A random state of a robot, what is known of the size of its terms, and memory for what questions compute from it.
 */
#ifndef ZI_AGREE_TRIAL_H
#define ZI_AGREE_TRIAL_H

#include <stdbool.h>

#include "agree/error_scale.h"
#include "base/arena.h"
#include "loops/closed.h"
#include "zveno/batch.h"
#include "zveno/loops.h"

/* States side by side for lanes (zveno/batch.h). A state that is drawn takes the place of one of those drawn before it
 * and is asked about in their company, each time in another lane; what the others are must not matter.
 *
 * In single precision the state is what is left of it in float, and so is that of the answer it is compared with: the
 * rounding of what is given is no error of the method. */

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

typedef struct ziTrial {
    const zvModel *model;
    zvWork *work;
    size_t nv, rows; /* rows: conditions of loops */
    ziGuess random;
    double *q, *v, *a, *tau;
    const double *load;   /* fext, or NULL: none in this state */
    unsigned char *given; /* nv: a random mask of the mixed problem */
    unsigned char *mask;  /* nv: scratch */
    double *fext;
    ziRing ring; /* this state and others in lanes */
    bool mild;   /* single precision has digits for what is solved for */
    ziErrorScale error_scale;
    double *S;           /* nv x nv: sizes of the entries of M */
    double *M, *X;       /* nv x nv: mass matrix and its inverse */
    bool regular;        /* M has an inverse with digits */
    double *square;      /* nv x nv: scratch */
    double *second;      /* nv x nv: scratch of zi_sizes_minv */
    double *forces;      /* nv: sizes of forces, for the scale that is being found */
    double *x, *y;       /* nv: scratch */
    double *near;        /* nq: a position beside q */
    double *differences; /* 3 nv: scratch of derivatives */
    double *blur;        /* nv x nv: by how much the last step of extrapolation moved a difference by q */
    /* with loops: */
    double *lambda, *G, *bias; /* rows, rows x nv, rows */
    double *GX, *Y, *A;        /* rows x nv, rows x nv, rows x rows: scratch */
    double *row, *unit;        /* rows: scratch */
    int *order;                /* rows: scratch */
    ziArena arena;
} ziTrial;

/* False when out of memory; zi_trial_destroy in either case. */
bool zi_trial_create(const zvModel *model, ziTrial *trial);
void zi_trial_destroy(ziTrial *trial);

/* Bodies on the longest path: roundings add up along it. */
static inline double zi_trial_depth(const ziTrial *trial) {
    return trial->model->tree.max_depth > 0 ? trial->model->tree.max_depth : 1;
}

/* State number `index` of those that belong to a seed: every second one with external forces, all of them closed.
 * ZV_CLOSURE when no position closes the loops; error says which loop. */
zvStatus zi_trial_draw(ziTrial *trial, uint64_t seed, int index, zvError *error);
/* The same trial with the state that single precision has. */
ziTrial zi_trial_rounded(const ziTrial *trial);
/* 1-norm of M times that of its inverse; 0: singular. */
double zi_trial_condition(const ziTrial *trial);

#endif
