/* Natural frequencies: the linearised system, without what is held, handed to the eigenvalue solvers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "modes/dense.h"
#include "modes/vibration.h"

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

static bool is_zero(size_t n, const double *X) {
    for (size_t i = 0; i < n * n; i++) {
        if (X[i] != 0) return false;
    }
    return true;
}

static bool is_symmetric(size_t n, const double *X) {
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            if (X[i * n + j] != X[j * n + i]) return false;
        }
    }
    return true;
}

static zvStatus solve(const ziVibration *v) {
    const size_t n = (size_t)v->n;
    if (n == 0) return ZV_OK;
    return is_zero(n, v->C) && is_symmetric(n, v->K) ? zi_vibration_undamped(v) : zi_vibration_damped(v);
}

/* A mode and where its shape lies. */
typedef struct Row {
    zvMode mode;
    size_t at;
} Row;

static int compare(const void *a, const void *b) {
    const Row *x = a, *y = b;
    if (x->mode.frequency != y->mode.frequency) return x->mode.frequency < y->mode.frequency ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* Shape over all degrees of freedom, its largest entry positive. */
static void spread_shape(const zvRest *rest, size_t nv, const double *shape, double *out) {
    double largest = 0;
    for (size_t i = 0, k = 0; i < nv; i++) {
        out[i] = is_held(rest, i) ? 0 : shape[k++];
        if (fabs(out[i]) > (1 + 1e-9) * fabs(largest)) largest = out[i];
    }
    for (size_t i = 0; largest < 0 && i < nv; i++) out[i] = 0 - out[i]; /* no -0 */
}

static zvStatus answer(const ziVibration *v, const zvRest *rest, size_t nv, zvMode *modes, double *shapes) {
    const size_t n = (size_t)v->n;
    Row *rows = zi_arena_alloc(v->arena, n * sizeof *rows);
    if (!rows) return ZV_MEMORY;
    for (size_t k = 0; k < n; k++) rows[k] = (Row){v->modes[k], k};
    qsort(rows, n, sizeof *rows, compare);
    for (size_t k = 0; k < n; k++) {
        modes[k] = rows[k].mode;
        if (shapes) spread_shape(rest, nv, v->shapes + rows[k].at * n, shapes + k * nv);
    }
    return ZV_OK;
}

static bool take_room(ziVibration *v, size_t nv) {
    const size_t bytes = nv * nv * sizeof(double);
    v->M = zi_arena_alloc(v->arena, bytes);
    v->C = zi_arena_alloc(v->arena, bytes);
    v->K = zi_arena_alloc(v->arena, bytes);
    v->shapes = zi_arena_alloc(v->arena, bytes);
    v->modes = zi_arena_alloc(v->arena, nv * sizeof *v->modes);
    return v->M && v->C && v->K && v->shapes && v->modes;
}

zvStatus zv_modes(const zvModel *model, zvWork *work, const zvRest *rest, zvMode *modes, double *shapes, int *count,
                  zvError *error) {
    const size_t nv = (size_t)zv_model_nv(model);
    ziArena arena = {0};
    ziVibration v = {.arena = &arena};
    *count = 0;
    zvStatus status = take_room(&v, nv) ? ZV_OK : zi_dense_fail(ZV_MEMORY, error);
    if (status == ZV_OK) status = zv_linearize(model, work, rest, v.M, v.C, v.K, error);
    if (status == ZV_OK) {
        drop_held(rest, nv, v.M);
        drop_held(rest, nv, v.C);
        v.n = (int)drop_held(rest, nv, v.K);
        status = solve(&v);
        if (status == ZV_OK) status = answer(&v, rest, nv, modes, shapes);
        zi_dense_fail(status, error);
    }
    if (status == ZV_OK) *count = v.n;
    zi_arena_free(&arena);
    return status;
}
