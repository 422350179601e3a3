/* The eigenvalue problem M x'' + C x' + K x = 0 of dense matrices (n x n, row-major). */
#ifndef ZI_MODES_VIBRATION_H
#define ZI_MODES_VIBRATION_H

#include "base/arena.h"
#include "zveno/modes.h"

typedef struct ziVibration {
    int n;
    double *M, *C, *K; /* M and K are destroyed */
    ziArena *arena;    /* of what the solution needs */
    zvMode *modes;     /* n: the answer, in any order */
    double *shapes;    /* n x n: row k is the shape of mode k */
} ziVibration;

/* Undamped where C is zero and K symmetric; else rigid motions first, then eigenvalues of twice the size. */
zvStatus zi_vibration_solve(const ziVibration *vibration);

#endif
