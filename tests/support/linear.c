/* Textbook factorisations: clarity before speed, since matrices here have at most a few hundred rows. */
#include "support/linear.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

exact *lin_numbers(int count) {
    exact *buffer = calloc((size_t)(count > 0 ? count : 1), sizeof *buffer);
    if (!buffer) {
        fprintf(stderr, "out of memory in a test\n");
        abort();
    }
    return buffer;
}

bool lin_cholesky(int n, const exact *A, exact *L) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            exact sum = A[i * n + j];
            for (int k = 0; k < j; k++) sum -= L[i * n + k] * L[j * n + k];
            if (i == j && !(sum > 0)) return false;
            L[i * n + j] = i == j ? sqrtl(sum) : sum / L[j * n + j];
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) L[i * n + j] = 0;
    return true;
}

void lin_cholesky_solve(int n, const exact *L, const exact *b, exact *x) {
    for (int i = 0; i < n; i++) {
        exact sum = b[i];
        for (int k = 0; k < i; k++) sum -= L[i * n + k] * x[k];
        x[i] = sum / L[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        exact sum = x[i];
        for (int k = i + 1; k < n; k++) sum -= L[k * n + i] * x[k];
        x[i] = sum / L[i * n + i];
    }
}

static int pivot_row(int n, const exact *A, int column) {
    int best = column;
    for (int i = column + 1; i < n; i++)
        if (fabsl(A[i * n + column]) > fabsl(A[best * n + column])) best = i;
    return best;
}

static void swap_rows(int n, exact *A, int i, int j) {
    for (int k = 0; k < n; k++) {
        exact kept = A[i * n + k];
        A[i * n + k] = A[j * n + k];
        A[j * n + k] = kept;
    }
}

bool lin_lu(int n, exact *A, int *rows) {
    for (int i = 0; i < n; i++) rows[i] = i;
    for (int j = 0; j < n; j++) {
        int best = pivot_row(n, A, j);
        if (A[best * n + j] == 0) return false;
        if (best != j) {
            swap_rows(n, A, best, j);
            int kept = rows[j];
            rows[j] = rows[best];
            rows[best] = kept;
        }
        for (int i = j + 1; i < n; i++) {
            exact factor = A[i * n + j] /= A[j * n + j];
            if (factor == 0) continue;
            for (int k = j + 1; k < n; k++) A[i * n + k] -= factor * A[j * n + k];
        }
    }
    return true;
}

void lin_lu_solve(int n, const exact *LU, const int *rows, const exact *b, exact *x) {
    for (int i = 0; i < n; i++) {
        exact sum = b[rows[i]];
        for (int k = 0; k < i; k++) sum -= LU[i * n + k] * x[k];
        x[i] = sum;
    }
    for (int i = n - 1; i >= 0; i--) {
        exact sum = x[i];
        for (int k = i + 1; k < n; k++) sum -= LU[i * n + k] * x[k];
        x[i] = sum / LU[i * n + i];
    }
}

bool lin_inverse(int n, const exact *A, exact *inverse) {
    exact *LU = lin_numbers(n * n), *unit = lin_numbers(n), *column = lin_numbers(n);
    int *rows = calloc((size_t)n + 1, sizeof *rows);
    if (!rows) abort();
    memcpy(LU, A, sizeof *LU * (size_t)n * (size_t)n);
    bool regular = lin_lu(n, LU, rows);
    for (int j = 0; regular && j < n; j++) {
        unit[j] = 1;
        lin_lu_solve(n, LU, rows, unit, column);
        unit[j] = 0;
        for (int i = 0; i < n; i++) inverse[i * n + j] = column[i];
    }
    free(LU);
    free(unit);
    free(column);
    free(rows);
    return regular;
}

void lin_times(int n, const exact *A, const exact *x, exact *y) {
    for (int i = 0; i < n; i++) {
        exact sum = 0;
        for (int k = 0; k < n; k++) sum += A[i * n + k] * x[k];
        y[i] = sum;
    }
}

exact lin_norm(int n, const exact *A) {
    exact norm = 0;
    for (int i = 0; i < n; i++) {
        exact sum = 0;
        for (int k = 0; k < n; k++) sum += fabsl(A[i * n + k]);
        norm = fmaxl(norm, sum);
    }
    return norm;
}

exact lin_condition(int n, const exact *A) {
    exact *inverse = lin_numbers(n * n);
    exact condition = (exact)INFINITY;
    if (lin_inverse(n, A, inverse)) condition = lin_norm(n, A) * lin_norm(n, inverse);
    free(inverse);
    return condition;
}

bool lin_near(uint64_t seed, const char *what, int count, const double *got, const exact *want, const exact *scale,
              double tolerance) {
    int at = -1;
    exact worst = 0;
    for (int i = 0; i < count; i++) {
        exact error = fabsl(got[i] - want[i]);
        if (error <= tolerance * scale[i]) continue;
        exact ratio = scale[i] > 0 ? error / scale[i] : (exact)INFINITY;
        if (at >= 0 && !(ratio > worst)) continue;
        at = i;
        worst = ratio;
    }
    if (at < 0) return true;
    fprintf(stderr, "seed %llu: %s %d of %d is %.17g, not %.17Lg: %.3Lg of its scale\n", (unsigned long long)seed, what,
            at, count, got[at], want[at], worst);
    return false;
}
