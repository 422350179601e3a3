/* Smaller linear systems: minimal ones, and balanced truncation by square roots of Gramians (M. S. Tombs and
 * I. Postlethwaite, Int. J. Control 46 (1987) 1319-1330) of the part that is stable. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/require.h"
#include "modes/dense.h"
#include "modes/pencil.h"

/* First what inputs do not move, then, inputs and outputs exchanged, what outputs do not show. */
zvStatus zv_minimal(const zvStateSpace *s, double tolerance, int *order, double *A, double *B, double *C,
                    zvError *error) {
    ZI_REQUIRE(s && order && A && B && C);
    ziPencil z;
    const double least = tolerance > 0 ? tolerance : 1e-10;
    zvStatus status = zi_pencil_create(s, &z);
    if (status == ZV_OK) status = zi_pencil_controllable(&z, least);
    if (status == ZV_OK) zi_pencil_transpose(&z);
    if (status == ZV_OK) status = zi_pencil_controllable(&z, least);
    if (status == ZV_OK) zi_pencil_transpose(&z);
    if (status == ZV_OK) zi_pencil_give(&z, A, B, C);
    *order = status == ZV_OK ? z.n : 0;
    zi_pencil_free(&z);
    return status < 0 ? zi_response_fail(status, error) : ZV_OK;
}

/* A = Q [T1 R; 0 T2] Q^T with the stable part first; states x = Q [1 Y; 0 1] (x1, x2) come apart, T1 Y - Y T2 = -R. */
typedef struct Split {
    ziArena arena;
    int n, m, p, stable;
    double *T, *Q, *Y;
    double *B, *C;   /* (n x m), (p x n) of the parts */
    double *Wc, *Wo; /* (stable x stable): roots of the Gramians, W = root root^T */
    double *U, *V, *X, *values;
} Split;

static double *split_doubles(Split *t, size_t count) { return zi_arena_alloc(&t->arena, (count + 1) * sizeof(double)); }

static bool split_memory(Split *t, const zvStateSpace *s) {
    const size_t n = (size_t)s->nx;
    *t = (Split){.n = s->nx, .m = s->nu, .p = s->ny};
    double **const squares[] = {&t->T, &t->Q, &t->Y, &t->Wc, &t->Wo, &t->U, &t->V, &t->X};
    for (size_t i = 0; i < sizeof squares / sizeof *squares; i++)
        if (!(*squares[i] = split_doubles(t, n * n))) return false;
    t->B = split_doubles(t, n * (size_t)s->nu);
    t->C = split_doubles(t, n * (size_t)s->ny);
    t->values = split_doubles(t, n);
    return t->B && t->C && t->values;
}

static double largest_of(size_t count, const double *x) {
    double most = 0;
    for (size_t i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* B and C in the states of the parts. */
static void split_matrices(Split *t, const zvStateSpace *s) {
    const int n = t->n, first = t->stable, rest = n - first;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < t->m; k++)
            for (int j = 0; j < n; j++) t->B[i * t->m + k] += t->Q[j * n + i] * s->B[j * t->m + k];
        for (int k = 0; k < t->p; k++)
            for (int j = 0; j < n; j++) t->C[k * n + i] += s->C[k * n + j] * t->Q[j * n + i];
    }
    for (int i = 0; i < first; i++)
        for (int k = 0; k < t->m; k++)
            for (int j = 0; j < rest; j++) t->B[i * t->m + k] -= t->Y[i * rest + j] * t->B[(first + j) * t->m + k];
    for (int k = 0; k < t->p; k++)
        for (int j = 0; j < rest; j++)
            for (int i = 0; i < first; i++) t->C[k * n + first + j] += t->C[k * n + i] * t->Y[i * rest + j];
}

/* What is stable by more than rounding comes first. */
static zvStatus split(Split *t, const zvStateSpace *s) {
    const size_t n = (size_t)t->n;
    if (n) memcpy(t->T, s->A, n * n * sizeof *t->T);
    for (size_t i = 0; i < n * n; i++)
        if (!isfinite(t->T[i])) return ZV_NUMBER;
    zvStatus status = zi_dense_schur(t->n, t->T, t->Q, -1e-11 * largest_of(n * n, s->A), &t->stable);
    if (status < 0) return status;
    const int first = t->stable, rest = t->n - first;
    for (int i = 0; i < first; i++)
        for (int k = 0; k < rest; k++) t->Y[i * rest + k] = -t->T[i * t->n + first + k];
    status =
        zi_dense_sylvester(first, rest, t->T, t->n, t->T + (size_t)first * n + (size_t)first, t->n, false, -1, t->Y);
    if (status == ZV_OK) split_matrices(t, s);
    return status;
}

/* root (n x n) with W = root root^T, of a W that is not negative but for rounding. */
static zvStatus root_of(Split *t, const double *W, double *root) {
    const size_t n = (size_t)t->stable;
    memcpy(t->X, W, n * n * sizeof *t->X);
    const zvStatus status = zi_dense_decompose(t->stable, t->stable, t->X, t->U, t->values, t->V);
    for (size_t i = 0; i < n && status == ZV_OK; i++)
        for (size_t k = 0; k < n; k++) root[i * n + k] = t->U[i * n + k] * sqrt(t->values[k]);
    return status;
}

/* Gramians: T W + W T^T = -B B^T, and T^T W + W T = -C^T C, which is the same of the transpose in reverse order. */
static zvStatus gramians(Split *t) {
    const int n = t->stable;
    double *W = t->Y, *R = t->Wo;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            double sum = 0;
            for (int j = 0; j < t->m; j++) sum -= t->B[i * t->m + j] * t->B[k * t->m + j];
            W[i * n + k] = sum;
        }
    }
    zvStatus status = zi_dense_sylvester(n, n, t->T, t->n, t->T, t->n, true, 1, W);
    if (status == ZV_OK) status = root_of(t, W, t->Wc);
    if (status < 0) return status;
    for (int i = 0; i < n; i++) { /* R = (J T J)^T is triangular again */
        for (int k = 0; k < n; k++) {
            double sum = 0;
            for (int j = 0; j < t->p; j++) sum -= t->C[j * t->n + n - 1 - i] * t->C[j * t->n + n - 1 - k];
            W[i * n + k] = sum;
            R[i * n + k] = t->T[(n - 1 - k) * t->n + n - 1 - i];
        }
    }
    status = zi_dense_sylvester(n, n, R, n, R, n, true, 1, W);
    for (int i = 0; i < n && status == ZV_OK; i++)
        for (int k = 0; k < n; k++) t->X[i * n + k] = W[(n - 1 - i) * n + n - 1 - k];
    memcpy(W, t->X, (size_t)n * (size_t)n * sizeof *W);
    return status == ZV_OK ? root_of(t, W, t->Wo) : status;
}

/* Wo^T Wc = U diag(hankel) V^T. */
static zvStatus hankel_of(Split *t) {
    const int n = t->stable;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            double sum = 0;
            for (int j = 0; j < n; j++) sum += t->Wo[j * n + i] * t->Wc[j * n + k];
            t->X[i * n + k] = sum;
        }
    }
    return zi_dense_decompose(n, n, t->X, t->U, t->values, t->V);
}

/* Projections L^T and R of the stable states onto the first `kept` balanced ones: L^T R = 1. */
static void project(Split *t, int kept) {
    const int n = t->stable;
    double *L = t->Y, *R = t->X; /* (kept x n), (n x kept) */
    for (int k = 0; k < kept; k++) {
        const double root = sqrt(t->values[k]);
        for (int i = 0; i < n; i++) {
            double left = 0, right = 0;
            for (int j = 0; j < n; j++) {
                left += t->Wo[i * n + j] * t->U[j * n + k];
                right += t->Wc[i * n + j] * t->V[k * n + j];
            }
            L[k * n + i] = left / root;
            R[i * kept + k] = right / root;
        }
    }
}

/* The stable part projected, the rest behind it as it is. */
static void put_smaller(const Split *t, int kept, double *A, double *B, double *C) {
    const int n = t->stable, rest = t->n - n, size = kept + rest;
    const double *L = t->Y, *R = t->X;
    memset(A, 0, (size_t)size * (size_t)size * sizeof *A);
    for (int i = 0; i < kept; i++) {
        for (int k = 0; k < kept; k++) {
            for (int j = 0; j < n; j++) {
                double sum = 0;
                for (int l = 0; l < n; l++) sum += t->T[j * t->n + l] * R[l * kept + k];
                A[i * size + k] += L[i * n + j] * sum;
            }
        }
        for (int k = 0; k < t->m; k++) {
            double sum = 0;
            for (int j = 0; j < n; j++) sum += L[i * n + j] * t->B[j * t->m + k];
            B[i * t->m + k] = sum;
        }
        for (int k = 0; k < t->p; k++) {
            double sum = 0;
            for (int j = 0; j < n; j++) sum += t->C[k * t->n + j] * R[j * kept + i];
            C[k * size + i] = sum;
        }
    }
    for (int i = 0; i < rest; i++) {
        for (int k = 0; k < rest; k++) A[(kept + i) * size + kept + k] = t->T[(n + i) * t->n + n + k];
        for (int k = 0; k < t->m; k++) B[(kept + i) * t->m + k] = t->B[(n + i) * t->m + k];
        for (int k = 0; k < t->p; k++) C[k * size + kept + i] = t->C[k * t->n + n + i];
    }
}

static zvStatus too_much(int order, int unstable, zvError *error) {
    char found[16];
    (void)snprintf(found, sizeof found, "%d", order);
    return zv_fail(error, ZV_SIZE, (zvMark){0}, found,
                   "expected at least the %d states that are not stable, found %d; keep more, or close the loops first",
                   unstable, order);
}

/* States whose Hankel singular values are rounding cannot be kept. */
zvStatus zv_balanced(const zvStateSpace *s, int *order, double *A, double *B, double *C, double *hankel,
                     zvError *error) {
    ZI_REQUIRE(s && order && A && B && C);
    Split t;
    zvStatus status = split_memory(&t, s) ? split(&t, s) : ZV_MEMORY;
    const int rest = t.n - t.stable, wanted = *order - rest;
    if (status == ZV_OK && wanted < 0) {
        zi_arena_free(&t.arena);
        return too_much(*order, rest, error);
    }
    if (status == ZV_OK) status = gramians(&t);
    if (status == ZV_OK) status = hankel_of(&t);
    if (status == ZV_OK) {
        int kept = 0;
        while (kept < t.stable && kept < wanted && t.values[kept] > 1e-13 * t.values[0]) kept++;
        for (int i = 0; hankel && i < t.n; i++) hankel[i] = i < rest ? INFINITY : t.values[i - rest];
        project(&t, kept);
        put_smaller(&t, kept, A, B, C);
        *order = kept + rest;
    }
    zi_arena_free(&t.arena);
    return status < 0 ? zi_response_fail(status, error) : ZV_OK;
}
