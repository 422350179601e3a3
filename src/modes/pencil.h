/* Linear systems inside: [A B; C D] as one matrix that is turned and cut down. */
#ifndef ZI_MODES_PENCIL_H
#define ZI_MODES_PENCIL_H

#include <stddef.h>

#include "base/arena.h"
#include "zveno/response.h"

typedef struct ziPencil {
    ziArena arena;
    int n, m, p;   /* states, inputs, outputs now */
    size_t stride; /* of S */
    double *S;     /* (n + p) x (n + m) by rows; room for a square of the largest side */
    double *state_scale, *input_scale, *output_scale; /* what states, inputs and outputs were multiplied by */
    double rate;                                      /* the unit of time's inverse, rad/s */
    double *U, *Vt, *values, *X;                      /* squares of the largest side */
} ziPencil;

/* A copy of the system in scaled states, inputs, outputs and time, so that numbers are of one size; to be freed in any
 * case. ZV_NUMBER: an entry is not finite. */
zvStatus zi_pencil_create(const zvStateSpace *system, ziPencil *pencil);
void zi_pencil_free(ziPencil *pencil);
/* Back into unscaled numbers: A (n x n), B (n x m), C (p x n) of as many states as are left. */
void zi_pencil_give(const ziPencil *pencil, double *A, double *B, double *C);
/* The system with inputs and outputs exchanged. */
void zi_pencil_transpose(ziPencil *pencil);
/* The states become U^T x from state `from` on: U (count x count) with count = n - from. */
void zi_pencil_turn(ziPencil *pencil, int from, const double *U);
/* States `from` and later are left out; outputs: the rows of those become outputs. */
void zi_pencil_cut(ziPencil *pencil, int from, bool outputs);
/* Leaves what inputs move. */
zvStatus zi_pencil_controllable(ziPencil *pencil, double tolerance);
/* Leaves a system with the same zeros whose D has independent rows. */
zvStatus zi_pencil_full_rows(ziPencil *pencil, double tolerance);

/* Fills error with what the status means for linear systems; returns it. */
zvStatus zi_response_fail(zvStatus status, zvError *error);

#endif
