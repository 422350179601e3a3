/* Laws as the room sees them. Every kind is a row of one table (law.c) with two functions: add the value and its
 * derivatives to the caller's arrays, and find the next break. Adding, not setting, is what lets sums, sequences and
 * joined laws do without scratch. */
#ifndef ZI_MOTION_LAW_H
#define ZI_MOTION_LAW_H

#include <stdint.h>

#include "zveno/motion.h"

/* X(NAME, name): kinds of laws; zi_NAME_add and zi_NAME_next_break are their functions. Constants are polynomials;
 * splines, Hermite pieces and tables are chains of polynomials between knots. */
#define ZI_LAW_LIST(X)          \
    X(POLYNOMIAL, polynomial)   \
    X(BOUNDARY, boundary)       \
    X(CYCLOIDAL, cycloidal)     \
    X(TRAPEZOIDAL, trapezoidal) \
    X(HARMONIC, harmonic)       \
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
typedef struct ziPart {
    zvLaw *law; /* owned; never compound itself */
    int offset;
    double begin, end, shift;
} ziPart;

struct zvLaw {
    ziLawType type;
    int width;
    int count;         /* knots, coefficients or parts */
    int order;         /* coefficients of a polynomial piece, degree + 1 */
    double begin, end; /* a finite law rests outside of them; for others begin is the origin of time */
    ziPart *parts;     /* of a compound law, else NULL */
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

#endif
