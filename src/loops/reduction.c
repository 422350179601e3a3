/* Independent velocities: which, and how the others follow from them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/echelon.h"
#include "loops/reduction.h"
#include "model/tree.h"

/* Last choices stay while their least pivot is not so much smaller than that of the best. */
#define GOOD_ENOUGH 0.01

static double *take(double **next, size_t count) {
    double *taken = *next;
    *next += count;
    return taken;
}

zvReduction *zv_reduction_create(const zvModel *m, zvError *error) {
    const size_t nv = (size_t)m->nv, rows = (size_t)zv_model_nloop_rows(m);
    if (!zi_fits_dense(m)) {
        zv_fail(error, ZV_SIZE, (zvMark){0}, "", "%d degrees of freedom are too many for matrices (most %d)",
                m->tree.nv, ZI_SCRATCH_MATRIX_MAX);
        return NULL;
    }
    const size_t doubles = 7 * nv * nv + 9 * nv + rows * (nv + rows) + 3 * rows;
    const size_t bytes = doubles * sizeof(double) + nv * (2 * sizeof(int) + 2);
    zvReduction *r = calloc(1, sizeof *r);
    double *next = calloc(1, bytes);
    if (!r || !next) {
        free(r);
        free(next);
        zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory: a reduction of this model takes %zu bytes", bytes);
        return NULL;
    }
    *r = (zvReduction){.nv = m->nv, .rows = (int)rows, .block = next};
    r->P = take(&next, nv * nv);
    r->Pdot = take(&next, nv * nv);
    r->D = take(&next, nv * nv);
    r->C = take(&next, nv * nv);
    r->square = take(&next, nv * nv);
    r->thin = take(&next, 2 * nv * nv);
    r->gamma = take(&next, nv);
    r->along = take(&next, nv);
    r->G = take(&next, nv);
    r->E = take(&next, rows * (nv + rows));
    r->bias = take(&next, rows);
    r->spare = take(&next, 6 * nv + 2 * rows);
    r->independent = (int *)next;
    r->taken = r->independent + nv;
    r->kinds = (unsigned char *)(r->taken + nv);
    r->depended = r->kinds + nv;
    return r;
}

void zv_reduction_destroy(zvReduction *r) {
    if (!r) return;
    free(r->block);
    free(r);
}

int zv_reduction_freedoms(const zvReduction *r) { return r->n; }
const int *zv_reduction_independent(const zvReduction *r) { return r->independent; }
bool zv_reduction_switched(const zvReduction *r) { return r->switched; }
const double *zv_reduction_P(const zvReduction *r) { return r->P; }
const double *zv_reduction_gamma(const zvReduction *r) { return r->gamma; }
const double *zv_reduction_D(const zvReduction *r) { return r->D; }
const double *zv_reduction_C(const zvReduction *r) { return r->C; }
const double *zv_reduction_G(const zvReduction *r) { return r->G; }

/* [G | E] reduced with the kinds that are set, rows in their units; returns the least pivot. */
static double eliminate(const zvModel *m, zvWork *work, zvReduction *r, const double *q) {
    const size_t nv = (size_t)r->nv, rows = (size_t)r->rows, width = nv + rows;
    double *unit = r->bias, least;
    zi_dense_jacobian(m, work, q, r->E, unit);
    for (size_t i = rows; i-- > 0;) { /* from rows of nv to rows of nv + rows */
        memmove(r->E + i * width, r->E + i * nv, nv * sizeof *r->E);
        memset(r->E + i * width + nv, 0, rows * sizeof *r->E);
        r->E[i * width + nv + i] = unit[i];
    }
    r->rank = echelon_reduce(r->rows, r->nv, (int)width, r->E, r->kinds, ZI_REDUCTION_FLOOR, r->taken, &least);
    return least;
}

/* Whether all that are wanted, and can be, are independent in the last choice. */
static bool still_wanted(const zvReduction *r, const unsigned char *wanted) {
    for (int i = 0; i < r->nv && wanted; i++) {
        if (wanted[i] && r->depended[i] && r->taken[i] < 0) return false;
    }
    return true;
}

/* The best choice, then the last one again if it is good enough. */
static void choose(const zvModel *m, zvWork *work, zvReduction *r, const double *q, const unsigned char *wanted) {
    bool same = true;
    for (int i = 0; i < r->nv; i++) r->kinds[i] = wanted && wanted[i] ? ECHELON_LATER : ECHELON_FIRST;
    const double best = eliminate(m, work, r, q);
    for (int i = 0; i < r->nv; i++) same &= (r->taken[i] >= 0) == (r->depended[i] != 0);
    r->switched = r->chosen && !same;
    if (!r->switched || !still_wanted(r, wanted)) return;
    const int rank = r->rank;
    for (int i = 0; i < r->nv; i++) r->kinds[i] = r->depended[i] ? ECHELON_FIRST : ECHELON_NEVER;
    const double kept = eliminate(m, work, r, q);
    r->switched = r->rank != rank || kept < GOOD_ENOUGH * best;
    if (!r->switched) return;
    for (int i = 0; i < r->nv; i++) r->kinds[i] = wanted && wanted[i] ? ECHELON_LATER : ECHELON_FIRST;
    eliminate(m, work, r, q);
}

void zi_reduction_follow(const zvReduction *r, const double *b, double *x) {
    const size_t width = (size_t)r->nv + (size_t)r->rows;
    for (int i = 0; i < r->nv; i++) {
        x[i] = 0;
        if (r->taken[i] < 0) continue;
        const double *by = r->E + (size_t)r->taken[i] * width + (size_t)r->nv;
        for (int k = 0; k < r->rows; k++) x[i] -= by[k] * b[k];
    }
}

/* P = [E; -Gc^-1 Gr] in the order of v, [Kolyubin] 3.3. */
static void fill_P(zvReduction *r) {
    const size_t width = (size_t)r->nv + (size_t)r->rows, n = (size_t)r->n;
    memset(r->P, 0, (size_t)r->nv * n * sizeof *r->P);
    for (int i = 0, own = 0; i < r->nv; i++) {
        double *row = r->P + (size_t)i * n;
        if (r->taken[i] < 0) {
            row[own++] = 1;
            continue;
        }
        const double *e = r->E + (size_t)r->taken[i] * width;
        for (size_t c = 0; c < n; c++) row[c] = -e[r->independent[c]];
    }
}

zvStatus zv_reduce(const zvModel *m, zvWork *work, zvReduction *r, const double *q, const double *v,
                   const unsigned char *wanted) {
    bool refused = false;
    choose(m, work, r, q, wanted);
    r->n = 0;
    for (int i = 0; i < r->nv; i++) {
        r->depended[i] = r->taken[i] >= 0;
        if (r->taken[i] < 0) r->independent[r->n++] = i;
        refused |= wanted && wanted[i] && r->depended[i];
    }
    r->chosen = true;
    fill_P(r);
    if (r->rows > 0) zv_loop_bias(m, work, NULL, q, v, r->bias);
    zi_reduction_follow(r, r->bias, r->gamma);
    zi_reduction_terms(m, work, r, q, v);
    return refused || r->rank < r->rows ? ZV_DEGRADED : ZV_OK;
}
