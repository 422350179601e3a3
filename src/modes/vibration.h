/* The eigenvalue problem M x'' + C x' + K x = 0 of dense matrices (n x n, row-major). */
#ifndef ZV_MODES_VIBRATION_H
#define ZV_MODES_VIBRATION_H

#include "base/arena.h"
#include "zveno/modes.h"

typedef struct zvVibration {
    int n;
    double *M, *C, *K; /* M and K are destroyed */
    zvArena *arena;    /* of what the solution needs */
    zvMode *modes;     /* n: the answer, in any order */
    double *shapes;    /* n x n: row k is the shape of mode k */
} zvVibration;

zvStatus zv_vibration_undamped(const zvVibration *v); /* C is not looked at; K is symmetric */
zvStatus zv_vibration_damped(const zvVibration *v);

#endif
