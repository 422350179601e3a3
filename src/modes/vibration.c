/* Modes of M x'' + C x' + K x = 0, with and without damping. */
#include "modes/vibration.h"

#include "modes/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

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
 * Rigid motions e, which neither K nor C feels, are taken out before: rounding would mix them with each other. With a K
 * that is not symmetric, as of a base whose weight is borne along its own axes, e may be driven by others though it
 * drives none (K e = C e = 0 but not e^T K = 0): these others are a system of their own, which may have rigid motions
 * again. Rounding would make eigenvalues of the fourth root of its size of such chains. */

static const double differences = 1e-11; /* what they leave in K of zeros, of its largest */

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
    double *parts;            /* 2n: real and imaginary part of a motion in modes, rigid ones behind the others */
    double *whole;            /* 2n: the same over the degrees of freedom */
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
    p->parts = zi_arena_alloc(v->arena, 2 * n * one);
    p->whole = zi_arena_alloc(v->arena, 2 * n * one);
    return p->squares && p->shapes && p->A && p->real && p->imag && p->vectors && p->buffer && p->alone && p->parts &&
           p->whole;
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

/* The columns of Y, and behind them those of its transpose, for modes first, first + 1 ... as rows of B, beside the
 * largest of Y. */
static void stack(size_t n, const double *Y, size_t first, size_t count, bool transpose, double *B, size_t rows) {
    double largest = 0;
    for (size_t i = 0; i < n * n; i++) largest = fmax(largest, fabs(Y[i]));
    for (size_t k = 0; largest > 0 && k < count; k++) {
        for (size_t i = 0; i < n; i++) {
            B[k * rows + i] = Y[i * n + first + k] / largest;
            if (transpose) B[k * rows + n + i] = Y[(first + k) * n + i] / largest;
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
    memcpy(v->shapes + p->rigid * n, p->shapes + first * n, rigid * n * sizeof *v->shapes);
    memmove(p->shapes + first * n, p->shapes + end * n, (p->m - end) * n * sizeof *p->shapes);
    memmove(p->squares + first, p->squares + end, (p->m - end) * sizeof *p->squares);
    for (size_t k = 0; k < rigid; k++) v->modes[p->rigid + k] = (zvMode){0};
    p->rigid += rigid;
    p->m -= rigid;
}

/* Arrays of the search for rigid motions. */
typedef struct RigidSearch {
    double *Y; /* n x n: a matrix in coordinates of the modes */
    double *B; /* 2n x n by columns: what is zero for rigid motions */
    double *turn, *values;
} RigidSearch;

/* Of modes first ... those that B has for rounding, the part `rounding` of its largest, are set apart. */
static zvStatus take_rigid(const ziVibration *v, DampedProblem *p, RigidSearch *r, size_t first, size_t count,
                           double rounding, size_t *rigid) {
    const zvStatus status = zi_dense_singular(2 * (int)p->n, (int)count, r->B, r->values, r->turn);
    *rigid = 0;
    if (status < 0) return status;
    while (*rigid < count && r->values[count - 1 - *rigid] <= rounding) ++*rigid;
    if (*rigid) turn_shapes(p, first, count, r->turn);
    set_apart(v, p, first + count, *rigid);
    return ZV_OK;
}

/* Of the motions without stiffness those without C, from neither side. */
static zvStatus find_even_rigid(const ziVibration *v, DampedProblem *p, RigidSearch *r) {
    size_t first = 0, count = 0, rigid;
    while (first < p->n && p->squares[first] < 0) first++;
    while (first + count < p->n && p->squares[first + count] == 0) count++;
    if (!count) return ZV_OK;
    to_modes(p, v->C, r->Y);
    stack(p->n, r->Y, first, count, true, r->B, 2 * p->n);
    return take_rigid(v, p, r, first, count, 64 * (double)p->n * DBL_EPSILON, &rigid);
}

/* Chain after chain: what K and C do not feel, then what they do not feel without that. */
static zvStatus find_rigid_chains(const ziVibration *v, DampedProblem *p, RigidSearch *r) {
    for (size_t rigid = 1; rigid > 0 && p->m > 0;) {
        memset(r->B, 0, 2 * p->n * p->n * sizeof *r->B);
        to_modes(p, v->K, r->Y);
        stack(p->m, r->Y, 0, p->m, false, r->B, 2 * p->n);
        to_modes(p, v->C, r->Y);
        stack(p->m, r->Y, 0, p->m, false, r->B + p->n, 2 * p->n);
        const zvStatus status = take_rigid(v, p, r, 0, p->m, differences, &rigid);
        if (status < 0) return status;
    }
    return ZV_OK;
}

static zvStatus find_rigid(const ziVibration *v, DampedProblem *p) {
    const size_t n = p->n;
    RigidSearch r = {.Y = zi_arena_alloc(v->arena, n * n * sizeof(double))};
    r.B = zi_arena_alloc(v->arena, 2 * n * n * sizeof(double));
    r.turn = zi_arena_alloc(v->arena, n * n * sizeof(double));
    r.values = zi_arena_alloc(v->arena, n * sizeof(double));
    if (!r.Y || !r.B || !r.turn || !r.values) return ZV_MEMORY;
    return p->symmetric ? find_even_rigid(v, p, &r) : find_rigid_chains(v, p, &r);
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

/* whole += part k of a motion. */
static void add_part(const DampedProblem *p, const double *shape, size_t k) {
    for (size_t i = 0; i < p->n; i++) {
        p->whole[i] += p->parts[k] * shape[i];
        p->whole[p->n + i] += p->parts[p->n + k] * shape[i];
    }
}

/* The parts of rigid motions that others drive: -e^T (lambda C + K) x / lambda^2, those found last first. */
static void follow_rigid(const ziVibration *v, DampedProblem *p, double re, double im) {
    const size_t n = p->n;
    const double *x = p->whole, *y = x + n;
    const double square = re * re - im * im, twice = 2 * re * im, size = square * square + twice * twice;
    for (size_t k = p->rigid; k-- > 0;) {
        const double *shape = v->shapes + k * n;
        double real = 0, imag = 0;
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++) {
                const double c = shape[i] * v->C[i * n + j], s = shape[i] * v->K[i * n + j];
                real += (re * c + s) * x[j] - im * c * y[j];
                imag += (re * c + s) * y[j] + im * c * x[j];
            }
        }
        p->parts[p->m + k] = -(real * square + imag * twice) / size;
        p->parts[n + p->m + k] = -(imag * square - real * twice) / size;
        add_part(p, shape, p->m + k);
    }
}

/* The motion of eigenvector e in modes and as a whole. */
static void find_motion(const ziVibration *v, DampedProblem *p, size_t e) {
    const size_t n = p->n;
    const double *x = eigen_motion(p, e), *y = p->imag[e] != 0 ? x + 2 * p->m : NULL;
    memset(p->parts, 0, 2 * n * sizeof *p->parts);
    memset(p->whole, 0, 2 * n * sizeof *p->whole);
    memcpy(p->parts, x, p->m * sizeof *x);
    if (y) memcpy(p->parts + n, y, p->m * sizeof *y);
    for (size_t k = 0; k < p->m; k++) add_part(p, p->shapes + k * n, k);
    if (!p->symmetric && hypot(p->real[e], p->imag[e]) > p->still) follow_rigid(v, p, p->real[e], p->imag[e]);
}

/* Real part of the motion of eigenvector e, turned in phase so that it is as large as can be and scaled to unit length
 * of the whole, as a shape of v. */
static void put_shape(const ziVibration *v, DampedProblem *p, size_t mode, size_t e) {
    double xx = 0, xy = 0, yy = 0;
    const double *x = p->parts, *y = x + p->n;
    find_motion(v, p, e);
    for (size_t k = 0; k < p->n; k++) {
        xx += x[k] * x[k];
        xy += x[k] * y[k];
        yy += y[k] * y[k];
    }
    const double phase = 0.5 * atan2(2 * xy, xx - yy), size = sqrt(xx + yy);
    double *shape = v->shapes + mode * p->n;
    memset(shape, 0, p->n * sizeof *shape);
    for (size_t i = 0; size > 0 && i < p->n; i++)
        shape[i] = (p->whole[i] * cos(phase) + p->whole[p->n + i] * sin(phase)) / size;
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
        put_shape(v, p, mode++, (size_t)first);
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
        put_shape(v, p, mode++, e);
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

zvStatus zi_vibration_solve(const ziVibration *v) {
    const size_t n = (size_t)v->n;
    if (n == 0) return ZV_OK;
    return is_zero(n, v->C) && is_symmetric(n, v->K) ? vibration_undamped(v) : vibration_damped(v);
}
