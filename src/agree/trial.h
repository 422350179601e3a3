/* A random state of a robot, what is known of the size of its terms, and room for what questions compute from it. */
#ifndef ZV_AGREE_TRIAL_H
#define ZV_AGREE_TRIAL_H

#include "agree/gross.h"
#include "agree/ring.h"
#include "base/arena.h"
#include "loops/guess.h"
#include "zveno/loops.h"

typedef struct zvTrial {
    const zvModel *model;
    zvWork *work;
    size_t nv, rows; /* rows: conditions of loops */
    zvGuess random;
    double *q, *v, *a, *tau;
    const double *load;     /* fext, or NULL: none in this state */
    unsigned char *given;   /* nv: a random mask of the mixed problem */
    unsigned char *mask;    /* nv: scratch */
    double *fext, *no_load; /* no_load: zeros */
    zvRing ring;            /* this state and others in lanes */
    bool mild;              /* single precision has digits for what is solved for */
    zvGross gross;
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
    zvArena arena;
} zvTrial;

/* False when out of memory; zv_trial_destroy in either case. */
bool zv_trial_create(const zvModel *model, zvTrial *trial);
void zv_trial_destroy(zvTrial *trial);

/* State number `index` of those that belong to a seed: every second one with external forces, all of them closed.
 * ZV_CLOSURE when no position closes the loops; error says which loop. */
zvStatus zv_trial_draw(zvTrial *trial, uint64_t seed, int index, zvError *error);
/* The same trial with the state that single precision has. */
zvTrial zv_trial_rounded(const zvTrial *trial);
/* 1-norm of M times that of its inverse; 0: singular. */
double zv_trial_condition(const zvTrial *trial);

#endif
