/* The kernels of the dynamics and the rows of the tables of methods (dynamics/rows.h) on the scalar of the C++ file
 * that includes this one: the recording scalar of traced.cpp, the counting one of tests/codegen/counting.cpp. Kernels
 * share names, so each file of them has a namespace; headers they share are read before, outside of it.
 *
 * scalar_row finds the function of a row. No external forces, and no structure of implicit steps. */
#ifndef ZI_CODEGEN_SCALAR_ROWS_H
#define ZI_CODEGEN_SCALAR_ROWS_H

#include <math.h>
#include <string.h>

#include "dynamics/column_packs.h"
#include "dynamics/coupled.h"
#include "dynamics/elastic.h"
#include "dynamics/elastic_factor.h"
#include "dynamics/kernel_base_axes.h"
#include "dynamics/kernel_screw.h"
#include "dynamics/kernels.h"
#include "dynamics/panel.h"
#include "dynamics/structure_force.h"
#include "kinematics/joint.h"
#include "linalg/ltdl.h"
#include "linalg/mirror.h"
#include "model/reduced.h"
#include "real/sincos.h"
#include "spatial/components.h"
#include "work/coupling.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function" /* kernels that no row runs */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
namespace {
namespace in_newton_euler {
#include "dynamics/kernel_newton_euler.c"
}
namespace in_articulated {
#include "dynamics/kernel_articulated.c"
#include "dynamics/kernel_subtrees.c"
} // namespace in_articulated
namespace in_composite {
#include "dynamics/kernel_composite.c"
}
namespace in_reduced {
#include "dynamics/kernel_reduced.c"
}
namespace in_respond {
#include "dynamics/kernel_respond.c"
}
namespace in_yaskevich {
#include "dynamics/kernel_yaskevich.c"
}
namespace in_kosynka {
#include "dynamics/kernel_kosynka.c"
}
namespace in_kane {
#include "dynamics/kernel_kane.c"
}
namespace in_path {
#include "dynamics/kernel_path.c"
}

/* As dynamics/kernel_table.c lists the kernels of an instruction set; the compiler names one that is left out. */
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wmissing-field-initializers"
const ziKernels scalar_kernels = {
    .newton_euler = in_newton_euler::ZI_KERNEL(zi_newton_euler),
    .articulated_forward = in_articulated::ZI_KERNEL(zi_articulated_forward),
    .articulated_mixed = in_articulated::ZI_KERNEL(zi_articulated_mixed),
    .articulated_closed = nullptr, /* of no row */
    .articulated_inverse = in_articulated::ZI_KERNEL(zi_articulated_inverse),
    .subtrees = in_articulated::ZI_KERNEL(zi_subtrees),
    .composite = in_composite::ZI_KERNEL(zi_composite),
    .reduced_inverse = in_reduced::ZI_KERNEL(zi_reduced_inverse),
    .reduced_mass = in_reduced::ZI_KERNEL(zi_reduced_mass),
    .reduced_forward = in_reduced::ZI_KERNEL(zi_reduced_forward),
    .reduced_paths = in_reduced::ZI_KERNEL(zi_reduced_paths),
    .tree_factor = in_respond::ZI_KERNEL(zi_tree_factor),
    .tree_respond = in_respond::ZI_KERNEL(zi_tree_respond),
    .tree_inverse = in_respond::ZI_KERNEL(zi_tree_inverse),
    .invert = in_respond::ZI_KERNEL(zi_invert),
    .yaskevich = in_yaskevich::ZI_KERNEL(zi_yaskevich),
    .kosynka = in_kosynka::ZI_KERNEL(zi_kosynka),
    .kane = in_kane::ZI_KERNEL(zi_kane),
    .path = in_path::ZI_KERNEL(zi_path),
    .yaskevich_bias = in_yaskevich::ZI_KERNEL(zi_yaskevich_bias),
    .kane_bias = in_kane::ZI_KERNEL(zi_kane_bias),
    .path_bias = in_path::ZI_KERNEL(zi_path_bias),
    .path_inverse = in_path::ZI_KERNEL(zi_path_inverse),
    .coriolis = nullptr, /* of no row */
};
#pragma GCC diagnostic pop
#define zi_kernels(model) (&scalar_kernels)

void zv_elastic_force(const zvModel *m, const real *q, const real *v, real *k) { structure_force(m, q, v, k); }

/* -- what this scalar does not have ------------------------------------------------------------------------------ */

const real *zi_body_wrenches(const zvModel *, ziScratch *, const real *, const real *) { return NULL; }
void zi_structure_times(const ziTree *, ziAugment, const real *, real *) {}
void zi_structure_add(const zvModel *, ziAugment, real *) {}

#include "dynamics/coupled.c"
#include "dynamics/rows.h"

/* -- the tables -------------------------------------------------------------------------------------------------- */

struct ScalarMethod {
    const char *name;
    ziRow run;
};
#define SCALAR_METHOD(function, name, ...) {name, row_##function},
const ScalarMethod scalar_mass_methods[] = {ZI_MASS_ROWS(SCALAR_METHOD)};
const ScalarMethod scalar_bias_methods[] = {ZI_BIAS_ROWS(SCALAR_METHOD)};
const ScalarMethod scalar_inverse_methods[] = {ZI_INVERSE_ROWS(SCALAR_METHOD)};
const ScalarMethod scalar_forward_methods[] = {ZI_FORWARD_ROWS(SCALAR_METHOD)};
const ScalarMethod scalar_inverse_mass_methods[] = {ZI_INVERSE_MASS_ROWS(SCALAR_METHOD)};

/* The function of a row; NULL when there is none of that name. */
ziRow scalar_row(zvQuestion question, const char *name) {
    static const ScalarMethod *const tables[ZV_QUESTIONS] = {scalar_mass_methods, scalar_bias_methods,
                                                             scalar_inverse_methods, scalar_forward_methods,
                                                             scalar_inverse_mass_methods};
    static const int counts[ZV_QUESTIONS] = {ZI_MASS_ROW_COUNT, ZI_BIAS_ROW_COUNT, ZI_INVERSE_ROW_COUNT,
                                             ZI_FORWARD_ROW_COUNT, ZI_INVERSE_MASS_ROW_COUNT};
    for (int i = 0; i < counts[question]; i++)
        if (strcmp(tables[question][i].name, name) == 0) return tables[question][i].run;
    return NULL;
}
} // namespace
#pragma GCC diagnostic pop

#endif
