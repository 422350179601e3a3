/* Natural modes: the linearised system, without what is held and on what loops allow. */
#include "zveno/modes.h"
#include "base/arena.h"
#include "base/require.h"
#include "modes/dense.h"
#include "modes/loops.h"
#include "modes/vibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One text per status, the same for modes and equilibria. */
zvStatus zi_dense_fail(zvStatus status, zvError *error) {
    const zvMark none = {0};
    switch (status) {
    case ZV_OK: return ZV_OK;
    case ZV_MEMORY: return zv_fail(error, status, none, "", "out of memory");
    case ZV_NOT_SUPPORTED:
        return zv_fail(error, status, none, "",
                       "this build has no LAPACK, which modes and equilibria need; build with -DZVENO_LAPACK=ON");
    case ZV_NUMBER:
        return zv_fail(error, status, none, "",
                       "mass or stiffness is not finite; are the numbers of the state sensible?");
    case ZV_SINGULAR:
        return zv_fail(error, status, none, "",
                       "the mass matrix is singular: a part without inertia can move freely; give its link mass and "
                       "inertia, or its joint an armature, or hold it");
    default:
        return zv_fail(error, status, none, "",
                       "LAPACK did not find the eigenvalues; the numbers of the model may be too far apart");
    }
}

/* Natural frequencies: the linearised system, without what is held, handed to the eigenvalue solvers. */

static bool is_held(const zvRest *rest, size_t i) { return rest->held && rest->held[i]; }

/* Drops rows and columns of what is held, in place; returns how many remain. */
static size_t drop_held(const zvRest *rest, size_t nv, double *X) {
    size_t n = 0, at = 0;
    for (size_t i = 0; i < nv; i++) n += !is_held(rest, i);
    for (size_t i = 0; i < nv; i++) {
        for (size_t j = 0; j < nv; j++) {
            if (!is_held(rest, i) && !is_held(rest, j)) X[at++] = X[i * nv + j];
        }
    }
    return n;
}

/* A mode and where its shape lies. */
typedef struct SortedMode {
    zvMode mode;
    size_t at;
} SortedMode;

static int compare_frequencies(const void *a, const void *b) {
    const SortedMode *x = a, *y = b;
    if (x->mode.frequency != y->mode.frequency) return x->mode.frequency < y->mode.frequency ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* Shape over all degrees of freedom, its largest entry positive. P (nv x n) of closed loops, or NULL. */
static void spread_shape(const zvRest *rest, size_t nv, size_t n, const double *P, const double *shape, double *out) {
    double largest = 0;
    for (size_t i = 0, k = 0; i < nv; i++) {
        out[i] = P || is_held(rest, i) ? 0 : shape[k++];
        for (size_t c = 0; P && c < n; c++) out[i] += P[i * n + c] * shape[c];
        if (fabs(out[i]) > (1 + 1e-9) * fabs(largest)) largest = out[i];
    }
    for (size_t i = 0; largest < 0 && i < nv; i++) out[i] = 0 - out[i]; /* no -0 */
}

/* Sorted by frequency, shapes spread over all degrees of freedom. */
static zvStatus sort_modes(const ziVibration *v, const zvRest *rest, size_t nv, const double *P, zvMode *modes,
                           double *shapes) {
    const size_t n = (size_t)v->n;
    SortedMode *rows = zi_arena_alloc(v->arena, n * sizeof *rows);
    if (!rows) return ZV_MEMORY;
    for (size_t k = 0; k < n; k++) rows[k] = (SortedMode){v->modes[k], k};
    qsort(rows, n, sizeof *rows, compare_frequencies);
    for (size_t k = 0; k < n; k++) {
        modes[k] = rows[k].mode;
        if (shapes) spread_shape(rest, nv, n, P, v->shapes + rows[k].at * n, shapes + k * nv);
    }
    return ZV_OK;
}

static bool take_mode_arrays(ziVibration *v, size_t nv) {
    const size_t bytes = nv * nv * sizeof(double);
    v->M = zi_arena_alloc(v->arena, bytes);
    v->C = zi_arena_alloc(v->arena, bytes);
    v->K = zi_arena_alloc(v->arena, bytes);
    v->shapes = zi_arena_alloc(v->arena, bytes);
    v->modes = zi_arena_alloc(v->arena, nv * sizeof *v->modes);
    return v->M && v->C && v->K && v->shapes && v->modes;
}

/* Without what is held. */
static void leave_held(const zvRest *rest, size_t nv, ziVibration *v) {
    drop_held(rest, nv, v->M);
    drop_held(rest, nv, v->C);
    v->n = (int)drop_held(rest, nv, v->K);
}

/* Without what is held, on what loops allow; damped only where there is damping. */
zvStatus zv_modes(const zvModel *model, zvWork *work, const zvRest *rest, zvMode *modes, double *shapes, int *count,
                  zvError *error) {
    ZI_REQUIRE(model && work && rest && modes && count);
    const size_t nv = (size_t)zv_model_nv(model);
    const bool closed = zv_model_nloop(model) > 0;
    ziArena arena = {0};
    ziStatics s = {0};
    ziLoopStatics l = {0};
    ziVibration v = {.arena = &arena};
    *count = 0;
    zvStatus status = take_mode_arrays(&v, nv) ? ZV_OK : zi_dense_fail(ZV_MEMORY, error);
    if (status == ZV_OK) status = zv_linearize(model, work, rest, v.M, v.C, v.K, error);
    if (status == ZV_OK && closed) {
        status = zi_statics_create(model, work, rest, &s, error);
        if (status == ZV_OK) status = zi_loop_statics_matrices(&s, &l, v.M, v.C, v.K, error);
        v.n = l.n;
    } else if (status == ZV_OK) {
        leave_held(rest, nv, &v);
    }
    if (status == ZV_OK) {
        status = zi_vibration_solve(&v);
        if (status == ZV_OK) status = sort_modes(&v, rest, nv, l.P, modes, shapes);
        zi_dense_fail(status, error);
    }
    if (status == ZV_OK) *count = v.n;
    zi_statics_free(&s);
    zi_arena_free(&arena);
    return status;
}
