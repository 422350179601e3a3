/* Polynomials of vectors: rows of coefficients, one row of `width` numbers per power. */
#ifndef ZI_MOTION_HORNER_H
#define ZI_MOTION_HORNER_H

#include <math.h>
#include <stddef.h>

/* Adds p(u) and its first two derivatives by t, where du/dt = rate. dx and ddx may be NULL. */
static inline void zi_horner_add(int width, int order, const double *rows, double u, double rate, double *x, double *dx,
                                 double *ddx) {
    for (int i = 0; i < width; i++) {
        double p = 0, d = 0, half = 0; /* half of the second derivative */
        for (int k = order - 1; k >= 0; k--) {
            half = half * u + d;
            d = d * u + p;
            p = p * u + rows[(size_t)k * (size_t)width + (size_t)i];
        }
        x[i] += p;
        if (dx) dx[i] += d * rate;
        if (ddx) ddx[i] += 2 * half * rate * rate;
    }
}

/* A bound of |p| and its first two derivatives by t for |u| <= 1; not finite when one of them may overflow. */
static inline double zi_horner_bound(int width, int order, const double *rows, double rate) {
    double sum = 0;
    for (int k = 0; k < order; k++) {
        const double weight = 1 + k * rate + k * rate * (k - 1) * rate;
        for (int i = 0; i < width; i++) sum += fabs(rows[(size_t)k * (size_t)width + (size_t)i]) * weight;
    }
    return sum;
}

#endif
