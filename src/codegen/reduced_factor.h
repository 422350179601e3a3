/* Factors M = L^T D L of the model's mass matrix on the tape (linalg/ltdl.h), with the guards of their pivots. */
#ifndef ZI_CODEGEN_REDUCED_FACTOR_H
#define ZI_CODEGEN_REDUCED_FACTOR_H

#include "codegen/reduced.h"
#include "work/coupling.h"

/* The lower triangle of M becomes L, its diagonal 1 / D. guard (2 n): each pivot and the entry of M it came from; what
 * is made of L is good when they pass as program.h has it. x is (n). */
static inline void reduced_factor(const zvModel *m, real *M, real *x, real *guard) {
    const int n = m->nv;
    real_ok ok = 1;
    for (int k = 0; k < n; k++) guard[2 * k + 1] = M[k * n + k];
    ltdl_factor(zi_dof_paths(m), M, x, &ok);
    for (int k = 0; k < n; k++) guard[2 * k] = x[k];
}

/* Full and symmetric: a column at a time, so that the zeros of unit forces are never multiplied. x is (n). */
static inline void reduced_invert(const zvModel *m, const real *L, real *x, real *inverse) {
    const int n = m->nv;
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) x[i] = i == k;
        ltdl_solve_to(zi_dof_paths(m), k, L, x);
        for (int i = 0; i <= k; i++) inverse[i * n + k] = inverse[k * n + i] = x[i];
    }
}

#endif
