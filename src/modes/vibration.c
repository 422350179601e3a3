/* Without damping: K x = omega^2 M x. */
#include "modes/vibration.h"

#include <math.h>

#include "modes/dense.h"

static zvMode mode_of_square(double square) {
    const double rate = sqrt(fabs(square));
    if (square < 0) return (zvMode){.frequency = rate, .damping = -1, .real = rate};
    return (zvMode){.frequency = rate, .imag = rate};
}

zvStatus zi_vibration_undamped(const ziVibration *v) {
    double *squares = zi_arena_alloc(v->arena, (size_t)v->n * sizeof *squares);
    if (!squares) return ZV_MEMORY;
    const zvStatus status = zi_dense_symmetric(v->n, v->M, v->K, squares, v->shapes);
    for (int k = 0; status == ZV_OK && k < v->n; k++) v->modes[k] = mode_of_square(squares[k]);
    return status;
}
