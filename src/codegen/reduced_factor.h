/* M = L^T D L without fill on trees: row i has entries only at the freedoms on its path to the root (Featherstone's
 * branch-induced sparsity). One division per freedom, everything else products. */
#ifndef ZI_CODEGEN_REDUCED_FACTOR_H
#define ZI_CODEGEN_REDUCED_FACTOR_H

#include "codegen/reduced.h"
#include "real/real.h"

/* The freedom before i on the path to the root, -1: none. Coupled joints couple branches: dense. */
static inline int reduced_before(const zvModel *m, int i) { return m->coupling.count ? i - 1 : m->tree.dof_parent[i]; }

/* The lower triangle of M becomes L, its diagonal 1 / D. guard (2 n): each pivot and the entry of M it came from; what
 * is made of L is good when they pass as program.h has it. */
static inline void reduced_factor(const zvModel *m, real *M, real *guard) {
    const int n = m->nv;
    for (int k = 0; k < n; k++) guard[2 * k + 1] = M[k * n + k];
    for (int k = n - 1; k >= 0; k--) {
        const real inverse = 1 / M[k * n + k];
        guard[2 * k] = M[k * n + k];
        for (int i = reduced_before(m, k); i >= 0; i = reduced_before(m, i)) {
            const real l = M[k * n + i] * inverse;
            for (int j = i; j >= 0; j = reduced_before(m, j)) M[i * n + j] = M[i * n + j] - l * M[k * n + j];
            M[k * n + i] = l;
        }
        M[k * n + k] = inverse;
    }
}

/* x becomes M^-1 x up to freedom `last`, the last that x has entries for or results are wanted of. */
static inline void reduced_solve(const zvModel *m, const real *L, int last, real *x) {
    const int n = m->nv;
    for (int i = last; i >= 0; i--)
        for (int j = reduced_before(m, i); j >= 0; j = reduced_before(m, j)) x[j] = x[j] - L[i * n + j] * x[i];
    for (int i = 0; i <= last; i++) {
        x[i] = x[i] * L[i * n + i];
        for (int j = reduced_before(m, i); j >= 0; j = reduced_before(m, j)) x[i] = x[i] - L[i * n + j] * x[j];
    }
}

/* Full and symmetric. */
static inline void reduced_invert(const zvModel *m, const real *L, real *x, real *inverse) {
    const int n = m->nv;
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) x[i] = i == k;
        reduced_solve(m, L, k, x);
        for (int i = 0; i <= k; i++) inverse[i * n + k] = inverse[k * n + i] = x[i];
    }
}

#endif
