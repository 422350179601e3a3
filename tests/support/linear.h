/* Dense linear algebra of the tests, in long double and independent of the library: it checks the engine, so it
 * shares nothing with it. Matrices are row-major (n x n). */
#ifndef ZV_TEST_LINEAR_H
#define ZV_TEST_LINEAR_H

#include <stdbool.h>
#include <stdint.h>

/* The scalar of everything the engine is compared with: eleven bits more than double where the machine has them. */
typedef long double exact;

/* Zeroed room for count numbers; ends the program when there is none, since a test cannot go on. */
exact *lin_numbers(int count);

/* A = L L^T; L is lower, zeros above. False when A is not positive definite. A and L may be the same array. */
bool lin_cholesky(int n, const exact *A, exact *L);
/* Solves L L^T x = b; b and x may be the same array. */
void lin_cholesky_solve(int n, const exact *L, const exact *b, exact *x);

/* Row-pivoted LU in place; rows is (n). False when singular. */
bool lin_lu(int n, exact *A, int *rows);
/* Solves with the factors; b and x must differ. */
void lin_lu_solve(int n, const exact *LU, const int *rows, const exact *b, exact *x);

/* A^-1 by LU; false when singular. */
bool lin_inverse(int n, const exact *A, exact *inverse);
/* y = A x */
void lin_times(int n, const exact *A, const exact *x, exact *y);
/* Largest sum of absolute values of a row. */
exact lin_norm(int n, const exact *A);
/* norm(A) norm(A^-1); infinite when singular. */
exact lin_condition(int n, const exact *A);

/* |got - want| <= tolerance x scale for all entries; tells the seed and the worst entry when not. NaN is far. */
bool lin_near(uint64_t seed, const char *what, int count, const double *got, const exact *want, const exact *scale,
              double tolerance);

#endif
