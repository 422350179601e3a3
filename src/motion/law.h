/* Laws as the files of this folder see them. Every kind is a row of one table (law.c) with two functions: add the value
 * and its derivatives to the caller's arrays, and find the next break. Adding, not setting, is what lets sums,
 * sequences and joined laws do without scratch. */
#ifndef ZI_MOTION_LAW_H
#define ZI_MOTION_LAW_H

#include "zveno/motion.h"
#include "zveno/status.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(NAME, name): kinds of laws; zi_NAME_add and zi_NAME_next_break are their functions. Constants are polynomials;
 * splines, Hermite pieces and tables are chains of polynomials between knots. */
#define ZI_LAW_LIST(X)          \
    X(POLYNOMIAL, polynomial)   \
    X(BOUNDARY, boundary)       \
    X(CYCLOIDAL, cycloidal)     \
    X(TRAPEZOIDAL, trapezoidal) \
    X(HARMONIC, harmonic)       \
    X(EXPONENTIAL, exponential) \
    X(CHAIN, chain)             \
    X(HERMITE, hermite)         \
    X(PERIODIC, periodic)       \
    X(PARTS, parts)

typedef enum ziLawType {
#define ZV_X(NAME, name) ZI_LAW_##NAME,
    ZI_LAW_LIST(ZV_X)
#undef ZV_X
} ziLawType;

/* A law within a compound one: entries offset ... of the whole, at begin <= t < end, with its own time t - shift. */
typedef struct ziLawPart {
    zvLaw *law; /* owned; never compound itself */
    int offset;
    double begin, end, shift;
} ziLawPart;

struct zvLaw {
    ziLawType type;
    int width;
    int count;         /* knots, coefficients or parts */
    int order;         /* coefficients of a polynomial piece, degree + 1 */
    double begin, end; /* a finite law rests outside of them; for others begin is the origin of time */
    ziLawPart *parts;  /* of a compound law, else NULL */
    double numbers[];
};

#define ZV_X(NAME, name)                                                                  \
    void zi_##name##_add(const zvLaw *law, double t, double *x, double *dx, double *ddx); \
    double zi_##name##_next_break(const zvLaw *law, double t);
ZI_LAW_LIST(ZV_X)
#undef ZV_X

/* By kind, for compound laws. */
void zi_law_add(const zvLaw *law, double t, double *x, double *dx, double *ddx);

/* A zeroed law with room for rows x width + extra numbers; NULL with the reason in error. */
zvLaw *zi_law_new(ziLawType type, int width, uint64_t rows, uint64_t extra, zvError *error);
/* Destroys the law and returns NULL when one of its greatest derivatives would overflow; else returns the law. */
zvLaw *zi_law_refuse_overflow(zvLaw *law, double greatest, zvError *error);

/* Checks of what constructors are given. Each returns whether all is well and fills error when not. */

bool zi_argument_width(int width, zvError *error);
bool zi_argument_finite(const char *what, double value, zvError *error);
/* rows x width finite numbers; what names them in the error, e.g. "points". */
bool zi_argument_array(const char *what, int rows, int width, const double *values, zvError *error);
bool zi_argument_positive(const char *what, int width, const double *values, zvError *error);
/* At least `least` and at most `most` of something. */
bool zi_argument_count(const char *what, int count, int least, int most, zvError *error);
/* Finite, positive, and long enough for start + duration to differ from start. */
bool zi_argument_span(double start, double duration, zvError *error);
/* Finite and ascending. */
bool zi_argument_times(int count, const double *times, zvError *error);

/* Polynomials of vectors: rows of coefficients, one row of `width` numbers per power. */

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

/* Polynomials from derivatives at both ends of 0 <= s <= 1. */

enum { ZI_MOST_CONDITIONS = 8 };

/* p(s) of degree m + n - 1. On entry a[0 ... m-1] are its Taylor coefficients at s = 0, that is the derivatives divided
 * by k!; b[0 ... n-1] those at s = 1. On return a[m ... m+n-1] are filled: p = sum a[k] s^k. 1 <= m, n <= 8. */
void zi_two_point(int m, double *a, int n, const double *b);

#endif
