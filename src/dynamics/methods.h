/* The rows of the tables of methods, question by question: function (rows.h), name, cost, source, domain. The tables
 * of zveno/dynamics.h, the tracer that counts operations and the test that executes every row on a counting scalar are
 * all made from these lists. A row runs the kernel it names and no other; `auto` runs the row that auto.h chooses. */
#ifndef ZI_DYNAMICS_METHODS_H
#define ZI_DYNAMICS_METHODS_H

#include "zveno/dynamics.h"

#define ZI_RIGID ZV_DOMAIN_RIGID
#define ZI_UNLOADED (ZV_DOMAIN_RIGID | ZV_DOMAIN_UNLOADED)
#define ZI_UNCOUPLED (ZV_DOMAIN_RIGID | ZV_DOMAIN_UNLOADED | ZV_DOMAIN_UNCOUPLED)

#define ZI_MASS_ROWS(ROW)                                                                                         \
    ROW(mass_auto, "auto", "O(n depth)", "the row that zv_mass_matrix chooses", ZV_DOMAIN_TREES)                  \
    ROW(mass_composite, "composite", "O(n depth)", "composite bodies (Stepanenko)", ZV_DOMAIN_TREES)              \
    ROW(mass_composite_reduced, "composite-reduced", "O(n depth)", "composite bodies, base parameters", ZI_RIGID) \
    ROW(mass_yaskevich, "yaskevich", "O(n depth)", "recursive sums over bodies (Yaskevich)", ZV_DOMAIN_TREES)     \
    ROW(mass_kosynka, "kosynka", "O(n depth^2)", "block-triangular matrices (Yaskevich)", ZV_DOMAIN_TREES)        \
    ROW(mass_kane, "kane", "O(n depth^2)", "direct sum of partial velocities (Kane)", ZV_DOMAIN_TREES)            \
    ROW(mass_columns, "columns", "O(n^2)", "unit accelerations in Newton-Euler (Kolyubin)", ZV_DOMAIN_TREES)      \
    ROW(mass_path, "path", "O(n depth^2)", "screw path matrix (Liu)", ZV_DOMAIN_TREES)

#define ZI_BIAS_ROWS(ROW)                                                                                              \
    ROW(bias_auto, "auto", "O(n)", "the row that zv_bias chooses", ZV_DOMAIN_TREES)                                    \
    ROW(bias_newton_euler, "newton-euler", "O(n)", "recursive Newton-Euler at a = 0 (Kolyubin)", ZV_DOMAIN_TREES)      \
    ROW(bias_newton_euler_reduced, "newton-euler-reduced", "O(n)", "Newton-Euler at a = 0, base parameters", ZI_RIGID) \
    ROW(bias_yaskevich, "yaskevich", "O(n)", "sums of forces and moments (Yaskevich)", ZV_DOMAIN_TREES)                \
    ROW(bias_kane, "kane", "O(n depth)", "direct sum of partial velocities (Kane)", ZV_DOMAIN_TREES)                   \
    ROW(bias_path, "path", "O(n depth)", "screw path matrix (Liu)", ZV_DOMAIN_TREES)

#define ZI_INVERSE_ROWS(ROW)                                                                                        \
    ROW(inverse_auto, "auto", "O(n)", "the row that zv_inverse_dynamics chooses", ZV_DOMAIN_TREES)                  \
    ROW(inverse_newton_euler, "newton-euler", "O(n)", "recursive Newton-Euler (Kolyubin)", ZV_DOMAIN_TREES)         \
    ROW(inverse_newton_euler_reduced, "newton-euler-reduced", "O(n)", "Newton-Euler, base parameters", ZI_UNLOADED) \
    ROW(inverse_path, "path", "O(n depth)", "joint wrenches by the screw path matrix (Liu)", ZV_DOMAIN_TREES)

/* Factors take whole rows of M: fast, and never more than those of a dense matrix. */
#define ZI_FACTORS "O(n^2 depth)"

#define ZI_FORWARD_ROWS(ROW)                                                                                           \
    ROW(forward_auto, "auto", "O(n)", "the row that zv_forward_dynamics chooses", ZV_DOMAIN_TREES)                     \
    ROW(forward_articulated, "articulated", "O(n)", "separate bodies (Vereshchagin)", ZV_DOMAIN_TREES)                 \
    ROW(forward_mass, "mass", ZI_FACTORS, "M by composite, factors L^T D L", ZV_DOMAIN_TREES)                          \
    ROW(forward_mass_dense, "mass-dense", "O(n^3)", "M by composite, factors L^T D L without a tree", ZV_DOMAIN_TREES) \
    ROW(forward_mass_reduced, "mass-reduced", ZI_FACTORS, "M by composite-reduced, factors L^T D L", ZI_UNLOADED)      \
    ROW(forward_mass_reduced_ldl, "mass-reduced-ldl", "O(n depth^2)",                                                  \
        "lower triangle of M and its factors in one kernel", ZI_UNCOUPLED)                                             \
    ROW(forward_columns, "columns", ZI_FACTORS, "forces and columns of M by Newton-Euler (Kolyubin)", ZV_DOMAIN_TREES) \
    ROW(forward_yaskevich, "mass-yaskevich", ZI_FACTORS, "M by yaskevich, factors L^T D L", ZV_DOMAIN_TREES)           \
    ROW(forward_kosynka, "mass-kosynka", ZI_FACTORS, "M by kosynka, factors L^T D L", ZV_DOMAIN_TREES)                 \
    ROW(forward_kane, "mass-kane", ZI_FACTORS, "M by kane, factors L^T D L", ZV_DOMAIN_TREES)                          \
    ROW(forward_path, "mass-path", ZI_FACTORS, "M by path, factors L^T D L", ZV_DOMAIN_TREES)

#define ZI_INVERSE_MASS_ROWS(ROW)                                                                             \
    ROW(minv_auto, "auto", "O(n^2)", "the row that zv_mass_inverse chooses", ZV_DOMAIN_TREES)                 \
    ROW(minv_articulated, "articulated", "O(n^2)", "separate bodies, a pair of sweeps per column",            \
        ZV_DOMAIN_UNCOUPLED)                                                                                  \
    ROW(minv_subtrees, "articulated-subtrees", "O(n^2)", "separate bodies, unit forces along their subtrees", \
        ZV_DOMAIN_RIGID | ZV_DOMAIN_UNCOUPLED)                                                                \
    ROW(minv_mass, "mass", ZI_FACTORS, "M by composite, factors L^T D L", ZV_DOMAIN_TREES)                    \
    ROW(minv_mass_reduced, "mass-reduced", ZI_FACTORS, "M by composite-reduced, factors L^T D L", ZI_RIGID)   \
    ROW(minv_mass_reduced_ldl, "mass-reduced-ldl", "O(n depth^2)",                                            \
        "lower triangle of M, its factors in register tiles", ZV_DOMAIN_RIGID | ZV_DOMAIN_UNCOUPLED)          \
    ROW(minv_columns, "columns", ZI_FACTORS, "M by columns, factors L^T D L", ZV_DOMAIN_TREES)                \
    ROW(minv_yaskevich, "mass-yaskevich", ZI_FACTORS, "M by yaskevich, factors L^T D L", ZV_DOMAIN_TREES)     \
    ROW(minv_kosynka, "mass-kosynka", ZI_FACTORS, "M by kosynka, factors L^T D L", ZV_DOMAIN_TREES)           \
    ROW(minv_kane, "mass-kane", ZI_FACTORS, "M by kane, factors L^T D L", ZV_DOMAIN_TREES)                    \
    ROW(minv_path, "mass-path", ZI_FACTORS, "M by path, factors L^T D L", ZV_DOMAIN_TREES)

#define ZI_ROW_NUMBER(function, ...) ZI_ROW_##function,
enum { ZI_MASS_ROWS(ZI_ROW_NUMBER) ZI_MASS_ROW_COUNT };
enum { ZI_BIAS_ROWS(ZI_ROW_NUMBER) ZI_BIAS_ROW_COUNT };
enum { ZI_INVERSE_ROWS(ZI_ROW_NUMBER) ZI_INVERSE_ROW_COUNT };
enum { ZI_FORWARD_ROWS(ZI_ROW_NUMBER) ZI_FORWARD_ROW_COUNT };
enum { ZI_INVERSE_MASS_ROWS(ZI_ROW_NUMBER) ZI_INVERSE_MASS_ROW_COUNT };

/* Whether a row of forward dynamics assembles a mass matrix; the others sweep over the bodies. */
bool zi_forward_assembles(const zvMethod *forward);

#endif
