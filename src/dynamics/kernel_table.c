/* The kernels of one instruction set. */
#include "dynamics/kernels.h"

const ziKernels ZI_KERNEL(zi_kernels) = {
    .newton_euler = ZI_KERNEL(zi_newton_euler),
    .articulated_forward = ZI_KERNEL(zi_articulated_forward),
    .articulated_mixed = ZI_KERNEL(zi_articulated_mixed),
    .articulated_closed = ZI_KERNEL(zi_articulated_closed),
    .articulated_inverse = ZI_KERNEL(zi_articulated_inverse),
    .subtrees = ZI_KERNEL(zi_subtrees),
    .composite = ZI_KERNEL(zi_composite),
    .invert = ZI_KERNEL(zi_invert),
    .reduced_inverse = ZI_KERNEL(zi_reduced_inverse),
    .reduced_mass = ZI_KERNEL(zi_reduced_mass),
    .reduced_forward = ZI_KERNEL(zi_reduced_forward),
    .reduced_paths = ZI_KERNEL(zi_reduced_paths),
    .tree_factor = ZI_KERNEL(zi_tree_factor),
    .tree_respond = ZI_KERNEL(zi_tree_respond),
    .tree_inverse = ZI_KERNEL(zi_tree_inverse),
    .yaskevich = ZI_KERNEL(zi_yaskevich),
    .kosynka = ZI_KERNEL(zi_kosynka),
    .kane = ZI_KERNEL(zi_kane),
    .path = ZI_KERNEL(zi_path),
    .yaskevich_bias = ZI_KERNEL(zi_yaskevich_bias),
    .kane_bias = ZI_KERNEL(zi_kane_bias),
    .path_bias = ZI_KERNEL(zi_path_bias),
    .path_inverse = ZI_KERNEL(zi_path_inverse),
    .coriolis = ZI_KERNEL(zi_coriolis),
};
