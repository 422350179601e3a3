/* [A B; C D] turned and cut down: what inputs do not move, and the reduction to the zeros of a system after
 * A. Emami-Naeini and P. Van Dooren (Computation of zeros of linear multivariable systems, Automatica 18 (1982)
 * 415-430), ranks by singular values. */
#include "modes/pencil.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "modes/dense.h"

static double *row(const ziPencil *z, int i) { return z->S + (size_t)i * z->stride; }

static bool all_finite(const double *x, size_t count) {
    for (size_t i = 0; x && i < count; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/* S := [A B; C D] */
static void fill(ziPencil *z, const zvStateSpace *s) {
    const size_t n = (size_t)s->nx, m = (size_t)s->nu;
    for (int i = 0; i < s->nx; i++) {
        memcpy(row(z, i), s->A + (size_t)i * n, n * sizeof *z->S);
        if (m) memcpy(row(z, i) + n, s->B + (size_t)i * m, m * sizeof *z->S);
    }
    for (int i = 0; i < s->ny; i++) {
        double *to = row(z, s->nx + i);
        if (n) memcpy(to, s->C + (size_t)i * n, n * sizeof *to);
        for (size_t k = 0; k < m; k++) to[n + k] = s->D ? s->D[(size_t)i * m + k] : 0;
    }
}

/* Norms of row and column i but for the diagonal: of A, B and C. */
static void norms(const ziPencil *z, int i, double *across, double *down) {
    *across = *down = 0;
    for (int k = 0; k < z->n + z->m; k++) *across += k == i ? 0 : fabs(row(z, i)[k]);
    for (int k = 0; k < z->n + z->p; k++) *down += k == i ? 0 : fabs(row(z, k)[i]);
}

static void scale_row(ziPencil *z, int i, double by) {
    for (int k = 0; k < z->n + z->m; k++) row(z, i)[k] *= by;
}

static void scale_column(ziPencil *z, int k, double by) {
    for (int i = 0; i < z->n + z->p; i++) row(z, i)[k] *= by;
}

/* The scale that makes both norms of a state alike, as a power of two. */
static bool balance_state(ziPencil *z, int i) {
    double across, down;
    norms(z, i, &across, &down);
    if (!(across > 0 && down > 0)) return false;
    const double by = exp2(round(0.5 * log2(down / across)));
    if (by == 1) return false;
    scale_row(z, i, by);
    scale_column(z, i, 1 / by);
    z->state_scale[i] *= by;
    return true;
}

static double norm_of(const double *x, int count, size_t stride) {
    double sum = 0;
    for (int k = 0; k < count; k++) sum = hypot(sum, x[(size_t)k * stride]);
    return sum > 0 ? sum : 1;
}

/* Inputs, outputs and states in turn, until nothing changes. */
static void balance_all(ziPencil *z) {
    for (int sweep = 0, changed = 1; changed && sweep < 20; sweep++) {
        changed = 0;
        for (int k = 0; k < z->m; k++) {
            const double by = exp2(-round(log2(norm_of(z->S + z->n + k, z->n + z->p, z->stride))));
            scale_column(z, z->n + k, by);
            z->input_scale[k] /= by;
        }
        for (int k = 0; k < z->p; k++) {
            const double by = exp2(-round(log2(norm_of(row(z, z->n + k), z->n + z->m, 1))));
            scale_row(z, z->n + k, by);
            z->output_scale[k] *= by;
        }
        for (int i = 0; i < z->n; i++) changed |= balance_state(z, i);
    }
}

/* Time so that A is of size one. */
static void balance(ziPencil *z) {
    double size = 0;
    balance_all(z);
    for (int i = 0; i < z->n; i++) size = fmax(size, norm_of(row(z, i), z->n, 1));
    z->rate = size > 0 ? exp2(round(log2(size))) : 1;
    for (int i = 0; i < z->n; i++) scale_row(z, i, 1 / z->rate);
    balance_all(z);
}

static void ones(double *x, int count) {
    for (int i = 0; i < count; i++) x[i] = 1;
}

/* Memory for a square of the largest side. */
zvStatus zi_pencil_create(const zvStateSpace *s, ziPencil *z) {
    const size_t n = (size_t)s->nx, m = (size_t)s->nu, p = (size_t)s->ny, side = n + (m > p ? m : p) + 1;
    *z = (ziPencil){.n = s->nx, .m = s->nu, .p = s->ny, .stride = side};
    if (!all_finite(s->A, n * n) || !all_finite(s->B, n * m) || !all_finite(s->C, p * n) || !all_finite(s->D, p * m))
        return ZV_NUMBER;
    double **const squares[] = {&z->S, &z->U, &z->Vt, &z->X};
    for (size_t i = 0; i < sizeof squares / sizeof *squares; i++)
        if (!(*squares[i] = zi_arena_alloc(&z->arena, side * side * sizeof(double)))) return ZV_MEMORY;
    z->values = zi_arena_alloc(&z->arena, side * sizeof(double));
    z->state_scale = zi_arena_alloc(&z->arena, side * sizeof(double));
    z->input_scale = zi_arena_alloc(&z->arena, side * sizeof(double));
    z->output_scale = zi_arena_alloc(&z->arena, side * sizeof(double));
    if (!z->values || !z->state_scale || !z->input_scale || !z->output_scale) return ZV_MEMORY;
    ones(z->state_scale, s->nx);
    ones(z->input_scale, s->nu);
    ones(z->output_scale, s->ny);
    fill(z, s);
    balance(z);
    return ZV_OK;
}

void zi_pencil_free(ziPencil *z) { zi_arena_free(&z->arena); }

void zi_pencil_give(const ziPencil *z, double *A, double *B, double *C) {
    for (int i = 0; i < z->n; i++) {
        for (int k = 0; k < z->n; k++) A[i * z->n + k] = row(z, i)[k] * z->rate;
        for (int k = 0; k < z->m; k++) B[i * z->m + k] = row(z, i)[z->n + k] * z->rate * z->input_scale[k];
    }
    for (int i = 0; i < z->p; i++)
        for (int k = 0; k < z->n; k++) C[i * z->n + k] = row(z, z->n + i)[k] / z->output_scale[i];
}

/* The whole square, and the scales with it. */
void zi_pencil_transpose(ziPencil *z) {
    for (size_t i = 0; i < z->stride; i++) {
        for (size_t k = 0; k < i; k++) {
            const double t = z->S[i * z->stride + k];
            z->S[i * z->stride + k] = z->S[k * z->stride + i];
            z->S[k * z->stride + i] = t;
        }
    }
    const int m = z->m;
    z->m = z->p;
    z->p = m;
    double *t = z->input_scale;
    z->input_scale = z->output_scale; /* multiply there, divide here: both are turned about */
    z->output_scale = t;
    for (int k = 0; k < z->m; k++) z->input_scale[k] = 1 / z->input_scale[k];
    for (int k = 0; k < z->p; k++) z->output_scale[k] = 1 / z->output_scale[k];
}

/* Rows first, then columns. */
void zi_pencil_turn(ziPencil *z, int from, const double *U) {
    const int count = z->n - from;
    double *x = z->values;
    for (int k = 0; k < z->n + z->m; k++) { /* rows: U^T */
        for (int i = 0; i < count; i++) {
            x[i] = 0;
            for (int j = 0; j < count; j++) x[i] += U[j * count + i] * row(z, from + j)[k];
        }
        for (int i = 0; i < count; i++) row(z, from + i)[k] = x[i];
    }
    for (int i = 0; i < z->n + z->p; i++) { /* columns: U */
        double *own = row(z, i) + from;
        for (int k = 0; k < count; k++) {
            x[k] = 0;
            for (int j = 0; j < count; j++) x[k] += own[j] * U[j * count + k];
        }
        memcpy(own, x, (size_t)count * sizeof *own);
    }
}

/* Columns of inputs move up to those of the states that stay, and rows of outputs likewise. */
void zi_pencil_cut(ziPencil *z, int from, bool outputs) {
    const int gone = z->n - from;
    for (int i = 0; i < z->n + z->p; i++) memmove(row(z, i) + from, row(z, i) + z->n, (size_t)z->m * sizeof *z->S);
    if (outputs)
        z->p += gone;
    else
        memmove(row(z, from), row(z, z->n), (size_t)z->p * z->stride * sizeof *z->S);
    z->n = from;
}

/* X := the block of S. */
static void take(const ziPencil *z, int from, int rows, int at, int columns) {
    for (int i = 0; i < rows; i++)
        memcpy(z->X + (size_t)i * (size_t)columns, row(z, from + i) + at, (size_t)columns * sizeof *z->X);
}

/* Vectors and values of the block; *rank of them count. */
static zvStatus rank_of(ziPencil *z, int from, int rows, int at, int columns, double tolerance, int *rank) {
    const int most = rows < columns ? rows : columns;
    *rank = 0;
    if (most == 0) return ZV_OK;
    take(z, from, rows, at, columns);
    const zvStatus status = zi_dense_decompose(rows, columns, z->X, z->U, z->values, z->Vt);
    while (status == ZV_OK && *rank < most && z->values[*rank] > tolerance) ++*rank;
    return status;
}

/* Block after block: what inputs push, what that pushes ... */
zvStatus zi_pencil_controllable(ziPencil *z, double tolerance) {
    int from = 0, at = z->n, width = z->m;
    while (from < z->n) {
        int rank;
        const zvStatus status = rank_of(z, from, z->n - from, at, width, tolerance, &rank);
        if (status < 0) return status;
        if (rank == 0) {
            zi_pencil_cut(z, from, false);
            return ZV_OK;
        }
        memcpy(z->X, z->U, (size_t)(z->n - from) * (size_t)(z->n - from) * sizeof *z->X);
        zi_pencil_turn(z, from, z->X);
        at = from;
        width = rank;
        from += rank;
    }
    return ZV_OK;
}

/* Rows of outputs := U^T of them, those of no rank in D zero there. */
static void turn_outputs(ziPencil *z, int rank) {
    double *x = z->values;
    for (int k = 0; k < z->n + z->m; k++) {
        for (int i = 0; i < z->p; i++) {
            x[i] = 0;
            for (int j = 0; j < z->p; j++) x[i] += z->U[j * z->p + i] * row(z, z->n + j)[k];
            if (k >= z->n && i >= rank) x[i] = 0;
        }
        for (int i = 0; i < z->p; i++) row(z, z->n + i)[k] = x[i];
    }
}

/* States that the outputs without D show come last. */
static void show_last(ziPencil *z, int rank) {
    const int n = z->n;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) z->X[i * n + k] = z->Vt[(size_t)((k + rank) % n) * (size_t)n + (size_t)i];
    zi_pencil_turn(z, 0, z->X);
}

/* Outputs that D does not reach show some states at once: on a zero these do not move, and their rates become outputs.
 */
zvStatus zi_pencil_full_rows(ziPencil *z, double tolerance) {
    while (z->p > 0) {
        int direct, shown;
        zvStatus status = rank_of(z, z->n, z->p, z->n, z->m, tolerance, &direct);
        if (status < 0) return status;
        if (direct == z->p) return ZV_OK;
        if (direct > 0) turn_outputs(z, direct);
        status = rank_of(z, z->n + direct, z->p - direct, 0, z->n, tolerance, &shown);
        if (status < 0) return status;
        z->p = direct;
        if (shown == 0) return ZV_OK;
        show_last(z, shown);
        zi_pencil_cut(z, z->n - shown, true);
    }
    return ZV_OK;
}

zvStatus zi_response_fail(zvStatus status, zvError *error) {
    if (status == ZV_NUMBER)
        return zv_fail(error, status, (zvMark){0}, NULL,
                       "expected a linear system of finite numbers, found one with others");
    if (status == ZV_NO_CONVERGENCE)
        return zv_fail(error, status, (zvMark){0}, NULL, "the eigenvalues of a linear system were not found");
    return zi_dense_fail(status, error);
}
