/* A random state of a robot, what is known of the size of its terms, and room for what questions compute from it. */
#ifndef ZI_AGREE_TRIAL_H
#define ZI_AGREE_TRIAL_H

#include "agree/error_scale.h"
#include "agree/ring.h"
#include "base/arena.h"
#include "loops/guess.h"
#include "zveno/loops.h"

typedef struct ziTrial {
    const zvModel *model;
    zvWork *work;
    size_t nv, rows; /* rows: conditions of loops */
    ziGuess random;
    double *q, *v, *a, *tau;
    const double *load;     /* fext, or NULL: none in this state */
    unsigned char *given;   /* nv: a random mask of the mixed problem */
    unsigned char *mask;    /* nv: scratch */
    double *fext, *no_load; /* no_load: zeros */
    ziRing ring;            /* this state and others in lanes */
    bool mild;              /* single precision has digits for what is solved for */
    ziErrorScale error_scale;
    double *S;      /* nv x nv: sizes of the entries of M */
    double *M, *X;  /* nv x nv: mass matrix and its inverse */
    bool regular;   /* there is an inverse */
    double *square; /* nv x nv: scratch */
    double *forces; /* nv: sizes of forces, for the scale that is being found */
    double *x, *y;  /* nv: scratch */
    double *near;   /* nq: a position beside q */
    double *sides;  /* 3 nv: scratch of derivatives */
    double *blur;   /* nv x nv: by how much the last step of extrapolation moved a difference by q */
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

/* State number `index` of those that belong to a seed: every second one with external forces, all of them closed.
 * ZV_CLOSURE when no position closes the loops; error says which loop. */
zvStatus zi_trial_draw(ziTrial *trial, uint64_t seed, int index, zvError *error);
/* The same trial with the state that single precision has. */
ziTrial zi_trial_rounded(const ziTrial *trial);
/* 1-norm of M times that of its inverse; 0: singular. */
double zi_trial_condition(const ziTrial *trial);

#endif
