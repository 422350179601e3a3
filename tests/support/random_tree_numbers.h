/* Seeded random numbers for tests (splitmix64): the same on every machine, so a printed seed repeats a failure. */
#ifndef ZV_TEST_RANDOM_TREE_NUMBERS_H
#define ZV_TEST_RANDOM_TREE_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "zveno/model.h"

typedef struct rtRandom {
    uint64_t state;
} rtRandom;

uint64_t rt_next(rtRandom *random);
double rt_uniform(rtRandom *random, double lower, double upper);
int rt_below(rtRandom *random, int count); /* 0 .. count-1 */
bool rt_chance(rtRandom *random, double probability);
/* 10^x with x uniform between the decades. */
double rt_decades(rtRandom *random, double lower, double upper);
double rt_signed(rtRandom *random, double lower, double upper); /* magnitude between the bounds, either sign */
void rt_vector(rtRandom *random, double size, int count, double *x);
void rt_direction(rtRandom *random, double x[3]);  /* unit */
void rt_quaternion(rtRandom *random, double x[4]); /* unit, x y z w */
void rt_rotation(rtRandom *random, double R[9]);
void rt_positive_matrix(rtRandom *random, int n, double *A); /* B B^T + 1, n at most 6 */

#endif
