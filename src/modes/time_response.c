/* Responses over time by the matrix exponential. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/require.h"
#include "modes/dense.h"
#include "modes/pencil.h"

/* Z := X Y, n x n. */
static void multiply(size_t n, const double *X, const double *Y, double *Z) {
    memset(Z, 0, n * n * sizeof *Z);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            const double x = X[i * n + k];
            for (size_t j = 0; x != 0 && j < n; j++) Z[i * n + j] += x * Y[k * n + j];
        }
    }
}

/* E := exp(E) by Pade's approximation of degree 13 with scaling and squaring: N. J. Higham, SIAM J. Matrix Anal. Appl.
 * 26 (2005) 1179-1193, (3.5) and algorithm 2.3; the norm that needs no scaling is that of his table 2.3. */
static zvStatus exponential(size_t n, double *E, ziArena *arena) {
    static const double b[14] = {64764752532480000,
                                 32382376266240000,
                                 7771770303897600,
                                 1187353796428800,
                                 129060195264000,
                                 10559470521600,
                                 670442572800,
                                 33522128640,
                                 1323241920,
                                 40840800,
                                 960960,
                                 16380,
                                 182,
                                 1};
    static const double enough = 5.371920351148152;
    double *part[6], norm = 0;
    int *pivots = zi_arena_alloc(arena, (n + 1) * sizeof *pivots), halved = 0;
    for (int i = 0; i < 6; i++)
        if (!(part[i] = zi_arena_alloc(arena, (n * n + 1) * sizeof(double)))) return ZV_MEMORY;
    if (!pivots) return ZV_MEMORY;
    for (size_t k = 0; k < n; k++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++) sum += fabs(E[i * n + k]);
        norm = fmax(norm, sum);
    }
    if (!isfinite(norm)) return ZV_NUMBER;
    if (norm > enough) halved = (int)ceil(log2(norm / enough));
    for (size_t i = 0; i < n * n; i++) E[i] = ldexp(E[i], -halved);
    double *E2 = part[0], *E4 = part[1], *E6 = part[2], *odd = part[3], *even = part[4], *x = part[5];
    multiply(n, E, E, E2);
    multiply(n, E2, E2, E4);
    multiply(n, E4, E2, E6);
    for (size_t i = 0; i < n * n; i++) x[i] = b[13] * E6[i] + b[11] * E4[i] + b[9] * E2[i];
    multiply(n, E6, x, even);
    for (size_t i = 0; i < n * n; i++)
        even[i] += b[7] * E6[i] + b[5] * E4[i] + b[3] * E2[i] + (i % (n + 1) == 0 ? b[1] : 0);
    multiply(n, E, even, odd);
    for (size_t i = 0; i < n * n; i++) x[i] = b[12] * E6[i] + b[10] * E4[i] + b[8] * E2[i];
    multiply(n, E6, x, even);
    for (size_t i = 0; i < n * n; i++)
        even[i] += b[6] * E6[i] + b[4] * E4[i] + b[2] * E2[i] + (i % (n + 1) == 0 ? b[0] : 0);
    for (size_t i = 0; i < n * n; i++) x[i] = even[i] - odd[i];
    const zvStatus status = n ? zi_dense_factor((int)n, x, pivots) : ZV_OK;
    if (status < 0) return status;
    for (size_t k = 0; k < n; k++) { /* column by column of 2 odd: F = E - 1 */
        double *column = E2;
        for (size_t i = 0; i < n; i++) column[i] = 2 * odd[i * n + k];
        zi_dense_solve((int)n, x, pivots, column);
        for (size_t i = 0; i < n; i++) E[i * n + k] = column[i];
    }
    for (; halved > 0; halved--) { /* E^2 - 1 = 2 F + F^2: what is slow beside the fastest keeps its digits */
        multiply(n, E, E, E2);
        for (size_t i = 0; i < n * n; i++) E[i] = 2 * E[i] + E2[i];
    }
    for (size_t i = 0; i < n; i++) E[i * n + i] += 1;
    return ZV_OK;
}

/* y of all inputs at one time, of states X (nx x nu). */
static void show(const zvStateSpace *s, const double *X, bool direct, double *y) {
    for (int i = 0; i < s->ny; i++) {
        for (int k = 0; k < s->nu; k++) {
            double sum = direct && s->D ? s->D[i * s->nu + k] : 0;
            for (int j = 0; j < s->nx; j++) sum += s->C[i * s->nx + j] * X[j * s->nu + k];
            y[i * s->nu + k] = sum;
        }
    }
}

/* With the inputs as states that stay: [x; u](t + h) = exp([A B; 0 0] h) [x; u](t). */
static zvStatus step_on(const zvStateSpace *s, bool step, double h, int count, double *y, ziArena *arena) {
    const size_t n = (size_t)s->nx, m = (size_t)s->nu, all = n + (step ? m : 0);
    double *E = zi_arena_alloc(arena, (all * all + 1) * sizeof *E);
    double *X = zi_arena_alloc(arena, (n * m + 1) * sizeof *X), *next = zi_arena_alloc(arena, (n * m + 1) * sizeof *X);
    if (!E || !X || !next) return ZV_MEMORY;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) E[i * all + k] = h * s->A[i * n + k];
        for (size_t k = 0; step && k < m; k++) E[i * all + n + k] = h * s->B[i * m + k];
        for (size_t k = 0; !step && k < m; k++) X[i * m + k] = s->B[i * m + k];
    }
    const zvStatus status = exponential(all, E, arena);
    for (int at = 0; status == ZV_OK && at < count; at++) {
        show(s, X, step, y + (size_t)at * (size_t)s->ny * m);
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < m; k++) {
                double sum = step ? E[i * all + n + k] : 0;
                for (size_t j = 0; j < n; j++) sum += E[i * all + j] * X[j * m + k];
                next[i * m + k] = sum;
            }
        }
        memcpy(X, next, n * m * sizeof *X);
    }
    return status;
}

/* In scaled states: squares of frequencies beside ones would cost the exponential its digits. */
static zvStatus step_scaled(const zvStateSpace *s, bool step, double h, int count, double *y, ziArena *arena) {
    const size_t n = (size_t)s->nx;
    ziPencil scaled;
    zvStateSpace x = *s;
    double *A = zi_arena_alloc(arena, (n * n + 1) * sizeof *A);
    double *B = zi_arena_alloc(arena, (n * (size_t)s->nu + 1) * sizeof *B);
    double *C = zi_arena_alloc(arena, (n * (size_t)s->ny + 1) * sizeof *C);
    if (!A || !B || !C) return ZV_MEMORY;
    zvStatus status = zi_pencil_create(s, &scaled);
    if (status == ZV_OK) {
        zi_pencil_give(&scaled, A, B, C);
        x.A = A;
        x.B = B;
        x.C = C;
        status = step_on(&x, step, h, count, y, arena);
    }
    zi_pencil_free(&scaled);
    return status;
}

zvStatus zv_time_response(const zvStateSpace *s, zvStimulus stimulus, double step, int count, double *y,
                          zvError *error) {
    ZI_REQUIRE(s && (count <= 0 || y));
    ziArena arena = {0};
    const zvStatus status = step_scaled(s, stimulus == ZV_STIMULUS_STEP, step, count, y, &arena);
    zi_arena_free(&arena);
    return status < 0 ? zi_response_fail(status, error) : ZV_OK;
}
