/* Sums of coefficient x monomial x (1 | cosine | sine of whole multiples of angles): the normal form of expressions
 * made of coordinates, rates and accelerations. Products of sines and cosines become sums, like terms are one, and what
 * rounding leaves of terms that cancel is dropped; so two expressions are equal when their sums are.
 *
 * A term's key is a row of small numbers: 0 for a cosine or 1 for a sine, a multiple of each angle, the exponent of
 * each variable, zeros up to a width of whole words. The first multiple that is not zero is positive; the cosine of
 * no angle is 1. */
#ifndef ZV_CODEGEN_FOURIER_H
#define ZV_CODEGEN_FOURIER_H

#include <stddef.h>
#include <stdint.h>

#include "zveno/status.h"

/* What terms are made of, and room and limits for operations on sums. */
typedef struct zvFourierSpace {
    int angles, variables;
    size_t width;    /* of a key */
    size_t most;     /* terms of one sum: more is ZV_SIZE */
    long long work;  /* pairs of terms that may still be multiplied: ZV_SIZE when used up */
    uint32_t *table; /* hash of the terms of the sum that is being made, by index + 1 */
    size_t slots;
} zvFourierSpace;

typedef struct zvFourier {
    size_t count, room;
    double *value; /* coefficients */
    double *gross; /* sizes of what went into them: they are known to the rounding of these */
    int8_t *key;   /* count x width */
} zvFourier;

void zv_fourier_space_open(zvFourierSpace *space, int angles, int variables, size_t most, long long work);
void zv_fourier_space_close(zvFourierSpace *space);
void zv_fourier_free(zvFourier *x);

static inline const int8_t *zv_fourier_key(const zvFourierSpace *s, const zvFourier *x, size_t term) {
    return x->key + term * s->width;
}
static inline const int8_t *zv_key_angles(const int8_t *key) { return key + 1; }
static inline const int8_t *zv_key_exponents(const zvFourierSpace *s, const int8_t *key) { return key + 1 + s->angles; }

/* Answers are made anew: x is overwritten, and is to be freed in either case. ZV_MEMORY, ZV_SIZE, or ZV_NOT_SUPPORTED
 * for multiples and exponents too large for a key. */
zvStatus zv_fourier_constant(zvFourierSpace *space, double value, zvFourier *x);
zvStatus zv_fourier_variable(zvFourierSpace *space, int variable, zvFourier *x);
/* sine or cosine of phase + sum multiple angle */
zvStatus zv_fourier_turn(zvFourierSpace *space, int sine, double phase, const int *multiple, zvFourier *x);
/* fa a + fb b */
zvStatus zv_fourier_add(zvFourierSpace *space, double fa, const zvFourier *a, double fb, const zvFourier *b,
                        zvFourier *x);
/* factor a b */
zvStatus zv_fourier_mul(zvFourierSpace *space, double factor, const zvFourier *a, const zvFourier *b, zvFourier *x);
/* Adds one term to a sum that has none with that key. */
zvStatus zv_fourier_put(const zvFourierSpace *space, const int8_t *key, double value, double gross, zvFourier *x);

/* Terms in reading order: few angles before many, then low degrees before high ones. */
zvStatus zv_fourier_sort(const zvFourierSpace *space, zvFourier *x);

/* Whether two keys have the same sine or cosine. */
int zv_key_same_turn(const zvFourierSpace *space, const int8_t *a, const int8_t *b);

#endif
