/* Sums of coefficient x monomial x (1 | cosine | sine of whole multiples of angles): the normal form of expressions
 * made of coordinates, rates and accelerations. Products of sines and cosines become sums, like terms are one, and what
 * rounding leaves of terms that cancel is dropped; so two expressions are equal when their sums are.
 *
 * A term's key is a row of small numbers: 0 for a cosine or 1 for a sine, a multiple of each angle, the exponent of
 * each variable, zeros up to a width of whole words. The first multiple that is not zero is positive; the cosine of
 * no angle is 1. */
#ifndef ZI_CODEGEN_FOURIER_H
#define ZI_CODEGEN_FOURIER_H

#include <stddef.h>
#include <stdint.h>

#include "zveno/status.h"

/* What terms are made of, and scratch and limits for operations on sums. */
typedef struct ziFourierSpace {
    int angles, variables;
    size_t width;    /* of a key */
    size_t most;     /* terms of one sum: more is ZV_SIZE */
    long long work;  /* pairs of terms that may still be multiplied: ZV_SIZE when used up */
    uint32_t *table; /* hash of the terms of the sum that is being made, by index + 1 */
    size_t slots;
} ziFourierSpace;

typedef struct ziFourier {
    size_t count, capacity;
    double *value;       /* coefficients */
    double *error_scale; /* sizes of what went into them: they are known to the rounding of these */
    int8_t *key;         /* count x width */
} ziFourier;

void zi_fourier_space_open(ziFourierSpace *space, int angles, int variables, size_t most, long long work);
void zi_fourier_space_close(ziFourierSpace *space);
void zi_fourier_free(ziFourier *x);

static inline const int8_t *zi_fourier_key(const ziFourierSpace *s, const ziFourier *x, size_t term) {
    return x->key + term * s->width;
}
static inline const int8_t *zi_key_angles(const int8_t *key) { return key + 1; }
static inline const int8_t *zi_key_exponents(const ziFourierSpace *s, const int8_t *key) { return key + 1 + s->angles; }

/* Answers are made anew: x is overwritten, and is to be freed in either case. ZV_MEMORY, ZV_SIZE, or ZV_NOT_SUPPORTED
 * for multiples and exponents too large for a key. */
zvStatus zi_fourier_constant(ziFourierSpace *space, double value, ziFourier *x);
zvStatus zi_fourier_variable(ziFourierSpace *space, int variable, ziFourier *x);
/* sine or cosine of phase + sum multiple angle */
zvStatus zi_fourier_turn(ziFourierSpace *space, int sine, double phase, const int *multiple, ziFourier *x);
/* fa a + fb b */
zvStatus zi_fourier_add(ziFourierSpace *space, double fa, const ziFourier *a, double fb, const ziFourier *b,
                        ziFourier *x);
/* factor a b */
zvStatus zi_fourier_mul(ziFourierSpace *space, double factor, const ziFourier *a, const ziFourier *b, ziFourier *x);
/* Adds one term to a sum that has none with that key. */
zvStatus zi_fourier_put(const ziFourierSpace *space, const int8_t *key, double value, double error_scale, ziFourier *x);

/* fa a b added to x */
zvStatus zi_fourier_gather(ziFourierSpace *space, double factor, const ziFourier *a, const ziFourier *b, ziFourier *x);
/* The derivative by a variable; rate: that of each angle by it. */
zvStatus zi_fourier_derivative(ziFourierSpace *space, const ziFourier *a, int variable, const double *rate,
                               ziFourier *x);
/* The value at given angles and variables. */
double zi_fourier_value(const ziFourierSpace *space, const ziFourier *x, const double *angle, const double *variable);

/* The same as squares, for reading: a + a cos 2x = 2 a cos^2 x, a - a cos 2x = 2 a sin^2 x, sin 2x = 2 sin x cos x.
 * The keys of such terms begin with one of these, and have the multiples of 2 x; no operation but sorting takes them.
 */
enum { ZI_TURN_COS, ZI_TURN_SIN, ZI_TURN_COS_SQUARE, ZI_TURN_SIN_SQUARE, ZI_TURN_SIN_COS };
void zi_fourier_square(const ziFourierSpace *space, ziFourier *x);

/* Terms in reading order: few angles before many, then low degrees before high ones. */
zvStatus zi_fourier_sort(const ziFourierSpace *space, ziFourier *x);

/* Whether two keys have the same sine or cosine. */
int zi_key_same_turn(const ziFourierSpace *space, const int8_t *a, const int8_t *b);

#endif
