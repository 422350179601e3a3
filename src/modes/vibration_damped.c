/* With damping or gyroscopic forces: eigenvalues of a matrix of twice the size, in the coordinates y of the undamped
 * modes, where M is 1. With a symmetric K the state is (w y, y'), w the undamped frequencies: numbers of one size, and
 * rigid motions stay exact. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "modes/dense.h"
#include "modes/vibration.h"

typedef struct Problem {
    size_t n;
    bool symmetric;
    double *squares, *shapes; /* of the undamped modes; row k of shapes is mode k */
    double *A;                /* 2n x 2n by columns */
    double *real, *imag;      /* 2n */
    double *vectors;          /* 2n x 2n by columns */
    double *room;             /* n x n */
    int *alone;               /* 2n: real eigenvalues without a partner */
} Problem;

static bool create(const zvVibration *v, Problem *p) {
    const size_t n = (size_t)v->n, one = sizeof(double);
    *p = (Problem){.n = n, .symmetric = true};
    p->squares = zv_arena_alloc(v->arena, n * one);
    p->shapes = zv_arena_alloc(v->arena, n * n * one);
    p->A = zv_arena_alloc(v->arena, 4 * n * n * one);
    p->real = zv_arena_alloc(v->arena, 2 * n * one);
    p->imag = zv_arena_alloc(v->arena, 2 * n * one);
    p->vectors = zv_arena_alloc(v->arena, 4 * n * n * one);
    p->room = zv_arena_alloc(v->arena, n * n * one);
    p->alone = zv_arena_alloc(v->arena, 2 * n * sizeof(int));
    return p->squares && p->shapes && p->A && p->real && p->imag && p->vectors && p->room && p->alone;
}

/* Block (row, column) of A -= shapes X shapes^T */
static void subtract_block(Problem *p, const double *X, size_t row, size_t column) {
    const size_t n = p->n;
    for (size_t a = 0; a < n; a++) {
        for (size_t i = 0; i < n; i++) {
            double sum = 0;
            for (size_t j = 0; j < n; j++) sum += X[i * n + j] * p->shapes[a * n + j];
            p->room[a * n + i] = sum;
        }
    }
    for (size_t a = 0; a < n; a++) {
        for (size_t b = 0; b < n; b++) {
            double sum = 0;
            for (size_t i = 0; i < n; i++) sum += p->shapes[b * n + i] * p->room[a * n + i];
            p->A[(column * n + a) * 2 * n + row * n + b] -= sum;
        }
    }
}

/* The undamped modes of the even part of K, and A. */
static zvStatus prepare(const zvVibration *v, Problem *p) {
    const size_t n = p->n;
    double *even = zv_arena_alloc(v->arena, n * n * sizeof *even);
    if (!even) return ZV_MEMORY;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            even[i * n + j] = 0.5 * (v->K[i * n + j] + v->K[j * n + i]);
            if (v->K[i * n + j] != v->K[j * n + i]) p->symmetric = false;
        }
    }
    const zvStatus status = zv_dense_symmetric(v->n, v->M, even, p->squares, p->shapes);
    if (status < 0) return status;
    subtract_block(p, v->C, 1, 1);
    if (!p->symmetric) subtract_block(p, v->K, 1, 0);
    for (size_t k = 0; k < n; k++) {
        double w = p->symmetric ? sqrt(fabs(p->squares[k])) : 1;
        p->A[(n + k) * 2 * n + k] = w;
        if (p->symmetric) p->A[k * 2 * n + n + k] = p->squares[k] < 0 ? w : -w;
    }
    return ZV_OK;
}

/* The displacements of eigenvector e in undamped modes: those of a motion are as its velocities. */
static const double *motion_of(const Problem *p, size_t e) {
    const bool still = p->real[e] == 0 && p->imag[e] == 0;
    return p->vectors + e * 2 * p->n + (still ? 0 : p->n);
}

/* Real part of x + i y, turned in phase so that it is as large as can be and scaled to unit length of the whole, as a
 * shape of v. */
static void put_shape(const zvVibration *v, const Problem *p, size_t mode, const double *x, const double *y) {
    double xx = 0, xy = 0, yy = 0;
    for (size_t k = 0; k < p->n; k++) {
        xx += x[k] * x[k];
        xy += y ? x[k] * y[k] : 0;
        yy += y ? y[k] * y[k] : 0;
    }
    const double phase = 0.5 * atan2(2 * xy, xx - yy), size = sqrt(xx + yy);
    double *shape = v->shapes + mode * p->n;
    memset(shape, 0, p->n * sizeof *shape);
    for (size_t k = 0; size > 0 && k < p->n; k++) {
        double share = (x[k] * cos(phase) + (y ? y[k] * sin(phase) : 0)) / size;
        for (size_t i = 0; i < p->n; i++) shape[i] += share * p->shapes[k * p->n + i];
    }
}

static double likeness(const Problem *p, size_t a, size_t b) {
    const double *x = motion_of(p, a), *y = motion_of(p, b);
    double xx = 0, xy = 0, yy = 0;
    for (size_t k = 0; k < p->n; k++) {
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
static size_t pair_reals(const zvVibration *v, Problem *p, size_t count, size_t mode) {
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
        put_shape(v, p, mode++, motion_of(p, (size_t)first), NULL);
        p->alone[partner] = p->alone[--count];
    }
    return mode;
}

static void collect(const zvVibration *v, Problem *p) {
    size_t mode = 0, alone = 0;
    for (size_t e = 0; e < 2 * p->n; e++) {
        const double re = p->real[e], im = p->imag[e], rate = hypot(re, im);
        if (im == 0) p->alone[alone++] = (int)e;
        if (im <= 0) continue;
        v->modes[mode] = (zvMode){.frequency = rate, .damping = -re / rate, .real = re, .imag = im};
        put_shape(v, p, mode++, motion_of(p, e), motion_of(p, e) + 2 * p->n);
    }
    pair_reals(v, p, alone, mode);
}

zvStatus zv_vibration_damped(const zvVibration *v) {
    Problem p;
    if (!create(v, &p)) return ZV_MEMORY;
    zvStatus status = prepare(v, &p);
    if (status == ZV_OK) status = zv_dense_general(2 * v->n, p.A, p.real, p.imag, p.vectors);
    if (status == ZV_OK) collect(v, &p);
    return status;
}
