/* Six numbers side by side, one for each unit force on a frame: in one register where there are such long ones, else in
 * a few. Written out, because compilers split longer vectors than the machine has by way of memory. */
#ifndef ZI_OPSPACE_SIX_H
#define ZI_OPSPACE_SIX_H

#include <string.h>

#ifdef __AVX512F__
typedef double six_a __attribute__((vector_size(64)));
typedef struct six {
    six_a a; /* the last two are none */
} six;
#define SIX_EACH(step) step(a)
enum { SIX_ROOM = 8 };
#else
typedef double six_b __attribute__((vector_size(16)));
#ifdef __AVX__
typedef double six_a __attribute__((vector_size(32)));
typedef struct six {
    six_a a;
    six_b b;
} six;
#define SIX_EACH(step) step(a) step(b)
#else
typedef struct six {
    six_b a, b, c;
} six;
#define SIX_EACH(step) step(a) step(b) step(c)
#endif
enum { SIX_ROOM = 6 };
#endif

_Static_assert(sizeof(six) >= SIX_ROOM * sizeof(double), "no room for six numbers");

/* From six numbers; the parts of the register or registers in order. */
static inline six six_of(double x0, double x1, double x2, double x3, double x4, double x5) {
    const double x[8] = {x0, x1, x2, x3, x4, x5, 0, 0};
    six y;
    memcpy(&y.a, x, sizeof y.a);
#ifndef __AVX512F__
    memcpy(&y.b, x + sizeof y.a / sizeof *x, sizeof y.b);
#ifndef __AVX__
    memcpy(&y.c, x + 4, sizeof y.c);
#endif
#endif
    return y;
}

static inline void six_to(double to[6], six x) {
    memcpy(to, &x.a, sizeof x.a < 6 * sizeof *to ? sizeof x.a : 6 * sizeof *to);
#ifndef __AVX512F__
    memcpy(to + sizeof x.a / sizeof *to, &x.b, sizeof x.b);
#ifndef __AVX__
    memcpy(to + 4, &x.c, sizeof x.c);
#endif
#endif
}

/* x_i, for an i that the compiler knows. */
static inline double six_at(six x, int i) {
    enum { FIRST = sizeof x.a / sizeof(double) };
#ifdef __AVX512F__
    return x.a[i % FIRST];
#elif defined __AVX__
    return i < FIRST ? x.a[i % FIRST] : x.b[i % 2];
#else
    return i < FIRST ? x.a[i % FIRST] : i < 4 ? x.b[i % 2] : x.c[i % 2];
#endif
}

/* k x */
static inline six six_scale(double k, six x) {
#define SIX_STEP(part) x.part = k * x.part;
    SIX_EACH(SIX_STEP)
#undef SIX_STEP
    return x;
}

/* y + k x */
static inline six six_axpy(double k, six x, six y) {
#define SIX_STEP(part) y.part += k * x.part;
    SIX_EACH(SIX_STEP)
#undef SIX_STEP
    return y;
}

#endif
