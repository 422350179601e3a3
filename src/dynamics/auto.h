/* Which row of a table the library runs by itself: the thresholds between rows, each with the measurement behind it.
 * Layouts inside of one kernel (kernel_composite.c, kernel_reduced.c, kernel_articulated_elastic.h, derive/) and lanes
 * (batch/plan.c) have limits of their own there. auto.c says the same in words. Functions return the number of a row
 * (methods.h); they are inline, so that the choice costs the branch or two that it consists of.
 *
 * A second kernel answers where the first found a matrix singular, of robots with coupled mimic joints alone:
 *
 *   forward auto       mass-reduced (up to ZI_AUTO_COUPLED_DOFS) -> sweeps and multipliers -> dense matrix  (rows.h)
 *                      sweeps and multipliers (all others)       -> dense matrix                            (coupled.c)
 *   mixed, M^-1 x, (M + structure)^-1 x: one kernel, sweeps and multipliers -> dense matrix                 (coupled.c)
 *
 * The dense matrix is that of the coupled robot by composite bodies; a tree of more than ZI_SCRATCH_MATRIX_MAX
 * coordinates has no space for it and stays singular. Row `articulated` asks it too, for its status alone. */
#ifndef ZI_DYNAMICS_AUTO_H
#define ZI_DYNAMICS_AUTO_H

#include "dynamics/methods.h"
#include "model/reduced.h"
#include "work/scratch.h"

/* Measured by `./dev bench crossings` (bench/crossings.c; pinned: taskset -c 1 chrt -f 10 build-bench/zveno_crossings):
 * microseconds of one call, processor time, the rows in turn and the fastest of 200 batches each; AMD EPYC (Zen 4),
 * x86-64-v3 / v4 kernels. Arms have axes at right angles, chains lie in general position, legs have six joints on a
 * floating base; n counts degrees of freedom.
 *
 *   inverse  arms  n            4            6            8           32
 *            reduced    0.119/0.113  0.159/0.144  0.190/0.174  0.644/0.559     baseline, n = 4: 0.134, n = 8: 0.22
 *            newton-e.  0.105/0.107  0.150/0.153  0.192/0.194  0.760/0.748                  4: 0.159,     8: 0.31
 *            chains n            4            6            8           32
 *            reduced    0.132/0.126  0.172/0.167  0.218/0.208  0.791/0.739     baseline, n = 8: 0.27
 *            newton-e.  0.107/0.107  0.153/0.153  0.191/0.192  0.756/0.741                  8: 0.31
 *   mass     chains n           16           20           24           32
 *            reduced      0.44         0.65         0.91         1.53          arms, n = 32: 0.89, n = 48: 1.82
 *            composite    0.45         0.64         0.76         1.04              32: 1.06,     48: 1.68
 *   forward  arms  n            6            8           10           12
 *            reduced-ldl  0.33/0.30    0.48/0.42    0.66/0.56    0.83/0.73     chains, n = 8: 0.52/0.48
 *            articulated  0.35/0.35    0.47/0.47    0.60/0.60    0.74/0.72              8: 0.47/0.47
 *   forward, two followers  n   16           32           56           64
 *            reduced      1.72/1.67    5.63/5.48    17.9/17.2    23.8/23.1
 *            articulated  6.81/6.84    12.9/13.0    22.1/22.0    25.1/25.2
 *   M^-1 (Zen 5)  chains n      16           24           28           32
 *            reduced-ldl  0.99/0.99    1.88/2.04    2.61/2.71    3.34/3.55     arms, n = 28: 2.17/2.23  baseline: 5.0
 *            subtrees     1.22/1.15    1.93/1.93    2.38/2.34    2.73/2.70         28: 2.42/2.31            7.0
 *   M^-1 (Zen 5)  legs  n       18           30           54          102
 *            reduced-ldl  0.90/0.94    1.61/1.70    3.07/3.31    6.69/7.20
 *            subtrees     1.40/1.40    2.62/2.63    5.38/5.22    12.3/11.9
 *   M^-1     elastic, paths of more than 256 bodies: pairs of sweeps take less than factors, O(n^2 depth)
 *
 * Inverse dynamics has no threshold. On arms newton-euler is ahead below 8 joints with v3, below 5 with v4 and below 3
 * with baseline kernels, by 14, 10 and 5 ns at most; a limit that pays with one set costs with another (25 ns with
 * baseline kernels at 4), and one per set would make the row depend on the machine. Chains in general position, where
 * v3 and v4 are up to 25 ns behind, are no robots. */
enum {
    /* bodies on the longest path, of composite-reduced: chains meet at 20, arms at 42 */
    ZI_AUTO_REDUCED_MASS_DEPTH = 32,
    /* bodies of an arm, of forward dynamics by mass-reduced-ldl: between v3, whose rows meet at 7, and v4 with 11; with
     * baseline kernels they do beyond 16 */
    ZI_AUTO_ARM_BODIES = 8,
    /* coordinates of a robot with coupled mimic joints, of forward dynamics by dense factors: the rows meet at 66 with
     * two followers, at 58 with one, for which one sweep in six is saved */
    ZI_AUTO_COUPLED_DOFS = 56,
    /* coordinates on the longest path, of M^-1 by mass-reduced-ldl: chains meet at 23 with v4 kernels, 26 with v3, arms
     * at 30 and 32, both at 44 with baseline kernels; short legs do not meet, however many there are */
    ZI_AUTO_LDL_DOFS = 26,
    /* bodies on the longest path of elastic robots, beyond which M^-1 comes by pairs of sweeps */
    ZI_AUTO_SWEEPS_DEPTH = 256,
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
    if (!m->tree.reduced) return m->tree.max_depth > ZI_AUTO_SWEEPS_DEPTH ? ZI_ROW_minv_articulated : ZI_ROW_minv_mass;
    return m->tree.max_dofs <= ZI_AUTO_LDL_DOFS ? ZI_ROW_minv_mass_reduced_ldl : ZI_ROW_minv_subtrees;
}

/* The row auto runs for a question, and in why (size) the reason in words. */
int zi_auto_row(zvQuestion question, const zvModel *model, bool loaded, char *why, size_t size);

#endif
