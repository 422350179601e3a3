/* The equations of a closed mechanism as one dense system, solved in long double by the tests' own LU:
 *   M a - G^T lambda - tau = -bias,      G a = -gamma
 * with a or tau unknown in each degree of freedom, as in mixed dynamics. M, bias, G, gamma are asked of the library
 * (composite bodies, Newton-Euler, loop Jacobian and bias); nothing of its elimination is.
 *
 * Scales are what rounding of the data moves the answers by, per unit of relative rounding: |K^-1| s with s the sizes
 * of the terms of each equation; entries of M count as sqrt(M_ii M_jj), those of a row of G as its largest. */
#ifndef ZV_TEST_CLOSED_DENSE_H
#define ZV_TEST_CLOSED_DENSE_H

#include "support/random_closed.h"

typedef struct cdSystem {
    int n, m; /* nv, rows */
    double *given_a, *given_tau;
    unsigned char *given; /* zvGiven */
    exact *M, *G, *bias, *error_scale, *gamma, *gamma_error_scale;
    exact *K, *inverse; /* (n + m)^2 */
    exact *a, *tau, *lambda, *a_scale, *tau_scale, *lambda_scale;
} cdSystem;

/* At the case's state; closing as in loops.h. All forces are given (c->tau). */
void cd_open(cdSystem *s, const rcCase *c, const zvClosing *closing);
void cd_close(cdSystem *s);
/* M += damping D + stiffness K of the elastic links. */
void cd_add_structure(cdSystem *s, const rcCase *c, double damping, double stiffness);
/* false: the conditions are not independent in what is free to move, or the system is singular. */
bool cd_solve(cdSystem *s);
/* |got - want| <= tolerance x scale for all entries; tells the seed and the worst when not. NaN is far. */
bool cd_near(const rcCase *c, const char *what, int count, const double *got, const exact *want, const exact *scale,
             double tolerance);

#endif
