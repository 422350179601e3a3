/* Which row of a table the library runs by itself: the thresholds between rows, each with the measurement behind it.
 * Layouts inside of one kernel (kernel_composite.c, kernel_reduced.c, kernel_articulated_elastic.h, derive/) and lanes
 * (batch/plan.c) have limits of their own there. Where forward dynamics of coupled mimic joints is singular by sweeps,
 * auto goes on with the dense matrix, where row `articulated` refuses. auto.c says the same in words. Functions return
 * the number of a row (methods.h); they are inline, so that the choice costs the branch or two that it consists of. */
#ifndef ZI_DYNAMICS_AUTO_H
#define ZI_DYNAMICS_AUTO_H

#include "dynamics/methods.h"
#include "model/reduced.h"
#include "work/scratch.h"

/* Measured: microseconds of one call on arms of n revolute joints, x86-64-v3 kernels, processor time, fastest batch;
 * M^-1 by `mass` and `mass-reduced` when their factors still had square roots.
 *
 *   n                         4     7     8    10    16    24    32    64    96   160
 *   inverse  reduced       0.11  0.16  0.17  0.21  0.30  0.44  0.60  1.16  1.72  2.86
 *            newton-euler  0.10  0.17  0.19  0.24  0.38  0.58  0.80  1.48  2.24  3.80
 *   mass     reduced       0.08  0.14  0.16  0.21  0.41  0.82  1.36  5.21  11.2  31.3
 *            composite     0.10  0.20  0.22  0.31  0.73  1.20  1.82  5.39  10.8  27.3
 *   forward  reduced-ldl   0.21  0.35  0.42  0.57  1.24  2.85  5.69  33.5   101   440
 *            articulated   0.23  0.41  0.47  0.59  0.96  1.44  1.93  3.92  5.87  9.81
 *   M^-1     reduced-ldl   0.15  0.31  0.40  0.61  1.84  4.93  10.7  75.2   253  1047
 *            mass-reduced  0.27  0.57  0.66  0.97  2.23  4.72  8.52  37.7   102   419
 *            mass          0.27  0.63  0.73  1.07  2.57  5.09  8.99  37.8   101   414
 *            articulated   0.41  1.59  1.96  3.22  7.71  18.0  28.3  97.8   208   590
 *
 * Most limits lie below the n at which the rows meet; answers of robots between keep their bits. */
enum {
    /* bodies on the longest path, of composite-reduced: 0.82 and 1.20 us at 24; the rows meet near 64 */
    ZI_AUTO_REDUCED_MASS_DEPTH = 24,
    /* bodies of an arm, of forward dynamics by mass-reduced-ldl: 0.42 and 0.47 us at 8; the rows meet at 11 */
    ZI_AUTO_ARM_BODIES = 8,
    /* coordinates of a robot with coupled mimic joints, of forward dynamics by dense factors: by the rows above, at 16
     * and with one follower five sweeps and a Newton-Euler take 5.2 us, M with its factors and the bias below 2.6 us */
    ZI_AUTO_COUPLED_DOFS = 16,
    /* bodies on the longest path and coordinates, of M^-1 by mass-reduced-ldl: 1.84 and 2.23 us at 16; the rows meet at
     * 22. The limit of coordinates, of robots with many branches, is older than this table */
    ZI_AUTO_LDL_DEPTH = 16,
    ZI_AUTO_LDL_DOFS = 48,
    /* bodies on the longest path, beyond which M^-1 comes by sweeps, O(n^2), not factors, O(n^2 depth). On a plain
     * chain factors are still ahead at 160, 414 and 590 us: the limit is older than this table, and low */
    ZI_AUTO_SWEEPS_DEPTH = 64,
};

static inline bool zi_auto_reduced_to(const zvModel *m, int depth) {
    return m->tree.reduced && m->tree.max_depth <= depth;
}

/* Square matrices of the tree, which coupled mimic joints need besides the answer, have space in scratch memory. */
static inline bool zi_auto_has_matrix(const zvModel *m) { return m->tree.nv <= ZI_SCRATCH_MATRIX_MAX; }

static inline int zi_auto_mass(const zvModel *m) {
    if (m->coupling.count && !zi_auto_has_matrix(m)) return ZI_ROW_mass_columns;
    return zi_auto_reduced_to(m, ZI_AUTO_REDUCED_MASS_DEPTH) ? ZI_ROW_mass_composite_reduced : ZI_ROW_mass_composite;
}

/* loaded: there are external forces. */
static inline int zi_auto_inverse(const zvModel *m, bool loaded) {
    return m->tree.reduced && !loaded ? ZI_ROW_inverse_newton_euler_reduced : ZI_ROW_inverse_newton_euler;
}

static inline int zi_auto_bias(const zvModel *m) {
    return m->tree.reduced ? ZI_ROW_bias_newton_euler_reduced : ZI_ROW_bias_newton_euler;
}

static inline int zi_auto_forward(const zvModel *m, bool loaded) {
    const bool reduced = m->tree.reduced && !loaded;
    if (m->coupling.count)
        return reduced && m->nv <= ZI_AUTO_COUPLED_DOFS && zi_auto_has_matrix(m) ? ZI_ROW_forward_mass_reduced
                                                                                 : ZI_ROW_forward_articulated;
    if (reduced && m->tree.reduced->arm && m->tree.nb - 1 <= ZI_AUTO_ARM_BODIES) return ZI_ROW_forward_mass_reduced_ldl;
    return ZI_ROW_forward_articulated;
}

static inline int zi_auto_inverse_mass(const zvModel *m) {
    if (m->coupling.count) {
        if (!zi_auto_has_matrix(m)) return ZI_ROW_minv_columns;
        return zi_auto_reduced_to(m, ZI_AUTO_REDUCED_MASS_DEPTH) ? ZI_ROW_minv_mass_reduced : ZI_ROW_minv_mass;
    }
    if (m->tree.max_depth > ZI_AUTO_SWEEPS_DEPTH) return ZI_ROW_minv_articulated;
    if (zi_auto_reduced_to(m, ZI_AUTO_LDL_DEPTH) && m->nv <= ZI_AUTO_LDL_DOFS) return ZI_ROW_minv_mass_reduced_ldl;
    return zi_auto_reduced_to(m, ZI_AUTO_REDUCED_MASS_DEPTH) ? ZI_ROW_minv_mass_reduced : ZI_ROW_minv_mass;
}

/* The row auto runs for a question, and in why (size) the reason in words. */
int zi_auto_row(zvQuestion question, const zvModel *model, bool loaded, char *why, size_t size);

#endif
