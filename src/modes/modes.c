/* Natural modes: the linearised system, without what is held, and its eigenvalue problem with and without damping. */
#include "zveno/modes.h"
#include "base/arena.h"
#include "base/require.h"
#include "modes/dense.h"
#include "modes/loops.h"

#include <float.h>
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

/* The eigenvalue problem M x'' + C x' + K x = 0 of dense matrices (n x n, row-major). */

typedef struct ziVibration {
    int n;
    double *M, *C, *K; /* M and K are destroyed */
    ziArena *arena;    /* of what the solution needs */
    zvMode *modes;     /* n: the answer, in any order */
    double *shapes;    /* n x n: row k is the shape of mode k */
} ziVibration;

/* Without damping: K x = omega^2 M x. */

static zvMode mode_of_square(double square) {
    const double rate = sqrt(fabs(square));
    if (square < 0) return (zvMode){.frequency = rate, .damping = -1, .real = rate};
    return (zvMode){.frequency = rate, .imag = rate};
}

/* C is not looked at; K is symmetric */
static zvStatus vibration_undamped(const ziVibration *v) {
    double *squares = zi_arena_alloc(v->arena, (size_t)v->n * sizeof *squares);
    if (!squares) return ZV_MEMORY;
    const zvStatus status = zi_dense_symmetric(v->n, v->M, v->K, squares, v->shapes);
    for (int k = 0; status == ZV_OK && k < v->n; k++) v->modes[k] = mode_of_square(squares[k]);
    return status;
}

/* With damping or gyroscopic forces: eigenvalues of a matrix of twice the size, in the coordinates y of the undamped
 * modes, where M is 1. With a symmetric K the state is (w y, y'), w the undamped frequencies: numbers of one size.
 * Rigid motions, which neither K nor C feels, are taken out before: rounding would mix them with each other. */

typedef struct DampedProblem {
    size_t n;     /* degrees of freedom */
    size_t m;     /* undamped modes that are not rigid motions */
    size_t rigid; /* the others: n - m */
    bool symmetric;
    double still;             /* eigenvalues up to this are zero but for rounding */
    double *squares, *shapes; /* of the undamped modes; row k of shapes (n numbers) is mode k */
    double *A;                /* 2m x 2m by columns */
    double *real, *imag;      /* 2m */
    double *vectors;          /* 2m x 2m by columns */
    double *buffer;           /* n x n */
    int *alone;               /* 2m: real eigenvalues without a partner */
} DampedProblem;

/* All arrays of the damped problem; false when out of memory. */
static bool create_damped(const ziVibration *v, DampedProblem *p) {
    const size_t n = (size_t)v->n, one = sizeof(double);
    *p = (DampedProblem){.n = n, .m = n, .symmetric = true};
    p->squares = zi_arena_alloc(v->arena, n * one);
    p->shapes = zi_arena_alloc(v->arena, n * n * one);
    p->A = zi_arena_alloc(v->arena, 4 * n * n * one);
    p->real = zi_arena_alloc(v->arena, 2 * n * one);
    p->imag = zi_arena_alloc(v->arena, 2 * n * one);
    p->vectors = zi_arena_alloc(v->arena, 4 * n * n * one);
    p->buffer = zi_arena_alloc(v->arena, n * n * one);
    p->alone = zi_arena_alloc(v->arena, 2 * n * sizeof(int));
    return p->squares && p->shapes && p->A && p->real && p->imag && p->vectors && p->buffer && p->alone;
}

/* Y (m x m, by rows) := shapes X shapes^T */
static void to_modes(DampedProblem *p, const double *X, double *Y) {
    const size_t n = p->n, m = p->m;
    for (size_t b = 0; b < m; b++) {
        for (size_t i = 0; i < n; i++) {
            double sum = 0;
            for (size_t j = 0; j < n; j++) sum += X[i * n + j] * p->shapes[b * n + j];
            p->buffer[i] = sum;
        }
        for (size_t a = 0; a < m; a++) {
            double sum = 0;
            for (size_t i = 0; i < n; i++) sum += p->shapes[a * n + i] * p->buffer[i];
            Y[a * m + b] = sum;
        }
    }
}

/* Block (row, column) of A := -Y */
static void put_block(DampedProblem *p, const double *Y, size_t row, size_t column) {
    const size_t m = p->m;
    for (size_t a = 0; a < m; a++) {
        for (size_t b = 0; b < m; b++) p->A[(column * m + b) * 2 * m + row * m + a] = -Y[a * m + b];
    }
}

/* The columns of Y and of its transpose for modes first, first + 1 ... as 2n rows of B, beside the largest of Y. */
static void stack(size_t n, const double *Y, size_t first, size_t count, double *B, size_t rows) {
    double largest = 0;
    for (size_t i = 0; i < n * n; i++) largest = fmax(largest, fabs(Y[i]));
    for (size_t k = 0; largest > 0 && k < count; k++) {
        for (size_t i = 0; i < n; i++) {
            B[k * rows + i] = Y[i * n + first + k] / largest;
            B[k * rows + n + i] = Y[(first + k) * n + i] / largest;
        }
    }
}

/* Rows first ... of shapes, turned by the rows of turn. */
static void turn_shapes(DampedProblem *p, size_t first, size_t count, const double *turn) {
    double *rows = p->shapes + first * p->n;
    memcpy(p->buffer, rows, count * p->n * sizeof *rows);
    memset(rows, 0, count * p->n * sizeof *rows);
    for (size_t a = 0; a < count; a++) {
        for (size_t b = 0; b < count; b++) {
            for (size_t i = 0; i < p->n; i++) rows[a * p->n + i] += turn[a * count + b] * p->buffer[b * p->n + i];
        }
    }
}

/* Rigid modes are answered at once, the others move together. */
static void set_apart(const ziVibration *v, DampedProblem *p, size_t end, size_t rigid) {
    const size_t n = p->n, first = end - rigid;
    memcpy(v->shapes, p->shapes + first * n, rigid * n * sizeof *v->shapes);
    memmove(p->shapes + first * n, p->shapes + end * n, (n - end) * n * sizeof *p->shapes);
    memmove(p->squares + first, p->squares + end, (n - end) * sizeof *p->squares);
    for (size_t k = 0; k < rigid; k++) v->modes[k] = (zvMode){0};
    p->rigid = rigid;
    p->m = n - rigid;
}

/* Of the motions without stiffness those without C (and odd part of K): null space of what these make of them. */
static zvStatus find_rigid(const ziVibration *v, DampedProblem *p) {
    const size_t n = p->n, rows = 4 * n;
    size_t first = 0, count = 0, rigid = 0;
    while (first < n && p->squares[first] < 0) first++;
    while (first + count < n && p->squares[first + count] == 0) count++;
    if (!count) return ZV_OK;
    double *Y = zi_arena_alloc(v->arena, n * n * sizeof *Y), *B = zi_arena_alloc(v->arena, rows * count * sizeof *B);
    double *turn = zi_arena_alloc(v->arena, count * count * sizeof *turn);
    double *values = zi_arena_alloc(v->arena, count * sizeof *values);
    if (!Y || !B || !turn || !values) return ZV_MEMORY;
    to_modes(p, v->C, Y);
    stack(n, Y, first, count, B, rows);
    if (!p->symmetric) {
        to_modes(p, v->K, Y);
        stack(n, Y, first, count, B + 2 * n, rows);
    }
    const zvStatus status = zi_dense_singular((int)rows, (int)count, B, values, turn);
    if (status < 0) return status;
    while (rigid < count && values[count - 1 - rigid] <= 64 * (double)n * DBL_EPSILON) rigid++;
    turn_shapes(p, first, count, turn);
    set_apart(v, p, first + count, rigid);
    return ZV_OK;
}

/* The undamped modes of the even part of K. */
static zvStatus find_undamped(const ziVibration *v, DampedProblem *p) {
    const size_t n = p->n;
    double *even = zi_arena_alloc(v->arena, n * n * sizeof *even);
    if (!even) return ZV_MEMORY;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            even[i * n + j] = 0.5 * (v->K[i * n + j] + v->K[j * n + i]);
            if (v->K[i * n + j] != v->K[j * n + i]) p->symmetric = false;
        }
    }
    return zi_dense_symmetric(v->n, v->M, even, p->squares, p->shapes);
}

/* The matrix of first order, blocks from C and K in coordinates of the undamped modes. */
static zvStatus fill_state_matrix(const ziVibration *v, DampedProblem *p) {
    const size_t m = p->m;
    double *Y = zi_arena_alloc(v->arena, (m * m + 1) * sizeof *Y);
    if (!Y) return ZV_MEMORY;
    to_modes(p, v->C, Y);
    put_block(p, Y, 1, 1);
    if (!p->symmetric) {
        to_modes(p, v->K, Y);
        put_block(p, Y, 1, 0);
    }
    for (size_t k = 0; k < m; k++) {
        const double w = p->symmetric ? sqrt(fabs(p->squares[k])) : 1;
        p->A[(m + k) * 2 * m + k] = w;
        if (p->symmetric) p->A[k * 2 * m + m + k] = p->squares[k] < 0 ? w : -w;
    }
    return ZV_OK;
}

/* Rounding of the largest eigenvalue; without a symmetric K a double zero may be defective, and then its root. */
static void find_still(DampedProblem *p) {
    const double rounding = 2 * (double)p->m * DBL_EPSILON;
    double largest = 0;
    for (size_t e = 0; e < 2 * p->m; e++) largest = fmax(largest, hypot(p->real[e], p->imag[e]));
    p->still = largest * (p->symmetric ? rounding : sqrt(rounding));
    for (size_t e = 0; e < 2 * p->m; e++) { /* of a vibration the damping, of a real eigenvalue the whole */
        if (fabs(p->real[e]) <= (p->imag[e] == 0 ? p->still : largest * rounding)) p->real[e] = 0;
    }
}

static double length(size_t n, const double *x) {
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += x[k] * x[k];
    return sqrt(sum);
}

/* The displacements of eigenvector e in undamped modes: those of a motion are as its velocities. A zero is rest
 * elsewhere, or (with a symmetric K, where stiffness alone makes displacements part of the state) a steady motion. */
static const double *eigen_motion(const DampedProblem *p, size_t e) {
    const double *at = p->vectors + e * 2 * p->m, *rate = at + p->m;
    if (hypot(p->real[e], p->imag[e]) > p->still) return rate;
    return p->symmetric && length(p->m, rate) > 1e-8 * length(p->m, at) ? rate : at;
}

/* Real part of x + i y, turned in phase so that it is as large as can be and scaled to unit length of the whole, as a
 * shape of v. */
static void put_shape(const ziVibration *v, const DampedProblem *p, size_t mode, const double *x, const double *y) {
    double xx = 0, xy = 0, yy = 0;
    for (size_t k = 0; k < p->m; k++) {
        xx += x[k] * x[k];
        xy += y ? x[k] * y[k] : 0;
        yy += y ? y[k] * y[k] : 0;
    }
    const double phase = 0.5 * atan2(2 * xy, xx - yy), size = sqrt(xx + yy);
    double *shape = v->shapes + mode * p->n;
    memset(shape, 0, p->n * sizeof *shape);
    for (size_t k = 0; size > 0 && k < p->m; k++) {
        double share = (x[k] * cos(phase) + (y ? y[k] * sin(phase) : 0)) / size;
        for (size_t i = 0; i < p->n; i++) shape[i] += share * p->shapes[k * p->n + i];
    }
}

static double likeness(const DampedProblem *p, size_t a, size_t b) {
    const double *x = eigen_motion(p, a), *y = eigen_motion(p, b);
    double xx = 0, xy = 0, yy = 0;
    for (size_t k = 0; k < p->m; k++) {
        xx += x[k] * x[k];
        xy += x[k] * y[k];
        yy += y[k] * y[k];
    }
    return xx > 0 && yy > 0 ? fabs(xy) / sqrt(xx * yy) : 0;
}

static zvMode mode_of_reals(double a, double b) {
    const double product = a * b, rate = sqrt(fabs(product)), larger = fmax(a, b);
    zvMode mode = {.frequency = rate, .real = larger, .damping = larger > 0 ? -1 : a < 0 || b < 0 ? 1 : 0};
    if (product > 0) mode.damping = -0.5 * (a + b) / rate;
    return mode;
}

/* Two real eigenvalues make one mode: each with the one whose motion is most like its own, the slowest first. */
static size_t pair_reals(const ziVibration *v, DampedProblem *p, size_t count, size_t mode) {
    while (count > 1) {
        size_t slow = 0, partner;
        for (size_t k = 1; k < count; k++) {
            if (p->real[p->alone[k]] > p->real[p->alone[slow]]) slow = k;
        }
        const int first = p->alone[slow];
        p->alone[slow] = p->alone[--count];
        partner = 0;
        for (size_t k = 1; k < count; k++) {
            if (likeness(p, (size_t)first, (size_t)p->alone[k]) > likeness(p, (size_t)first, (size_t)p->alone[partner]))
                partner = k;
        }
        v->modes[mode] = mode_of_reals(p->real[first], p->real[p->alone[partner]]);
        put_shape(v, p, mode++, eigen_motion(p, (size_t)first), NULL);
        p->alone[partner] = p->alone[--count];
    }
    return mode;
}

/* Pairs of conjugates become one mode; real eigenvalues are paired last. */
static void collect_modes(const ziVibration *v, DampedProblem *p) {
    size_t mode = p->rigid, alone = 0;
    for (size_t e = 0; e < 2 * p->m; e++) {
        const double re = p->real[e], im = p->imag[e], rate = hypot(re, im);
        if (im == 0) p->alone[alone++] = (int)e;
        if (im <= 0) continue;
        v->modes[mode] = (zvMode){.frequency = rate, .damping = re == 0 ? 0 : -re / rate, .real = re, .imag = im};
        if (rate <= p->still) v->modes[mode] = (zvMode){0};
        put_shape(v, p, mode++, eigen_motion(p, e), eigen_motion(p, e) + 2 * p->m);
    }
    pair_reals(v, p, alone, mode);
}

static zvStatus vibration_damped(const ziVibration *v) {
    DampedProblem p;
    if (!create_damped(v, &p)) return ZV_MEMORY;
    zvStatus status = find_undamped(v, &p);
    if (status == ZV_OK) status = find_rigid(v, &p);
    if (status == ZV_OK) status = fill_state_matrix(v, &p);
    if (status == ZV_OK) status = zi_dense_general(2 * (int)p.m, p.A, p.real, p.imag, p.vectors);
    if (status == ZV_OK) find_still(&p);
    if (status == ZV_OK) collect_modes(v, &p);
    return status;
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

static zvStatus solve_vibration(const ziVibration *v) {
    const size_t n = (size_t)v->n;
    if (n == 0) return ZV_OK;
    return is_zero(n, v->C) && is_symmetric(n, v->K) ? vibration_undamped(v) : vibration_damped(v);
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
        status = solve_vibration(&v);
        if (status == ZV_OK) status = sort_modes(&v, rest, nv, l.P, modes, shapes);
        zi_dense_fail(status, error);
    }
    if (status == ZV_OK) *count = v.n;
    zi_statics_free(&s);
    zi_arena_free(&arena);
    return status;
}
