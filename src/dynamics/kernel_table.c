/* The kernels of one instruction set. */
#include "dynamics/kernels.h"

const zvKernels ZV_KERNEL(zv_kernels) = {
    .newton_euler = ZV_KERNEL(zv_newton_euler),
    .articulated_forward = ZV_KERNEL(zv_articulated_forward),
    .articulated_mixed = ZV_KERNEL(zv_articulated_mixed),
    .articulated_closed = ZV_KERNEL(zv_articulated_closed),
    .articulated_inverse = ZV_KERNEL(zv_articulated_inverse),
    .composite = ZV_KERNEL(zv_composite),
    .invert = ZV_KERNEL(zv_invert),
    .lean_inverse = ZV_KERNEL(zv_lean_inverse),
    .lean_mass = ZV_KERNEL(zv_lean_mass),
    .lean_forward = ZV_KERNEL(zv_lean_forward),
    .lean_minv = ZV_KERNEL(zv_lean_minv),
    .yaskevich = ZV_KERNEL(zv_yaskevich),
    .kosynka = ZV_KERNEL(zv_kosynka),
    .kane = ZV_KERNEL(zv_kane),
    .path = ZV_KERNEL(zv_path),
    .yaskevich_bias = ZV_KERNEL(zv_yaskevich_bias),
    .kane_bias = ZV_KERNEL(zv_kane_bias),
    .path_bias = ZV_KERNEL(zv_path_bias),
    .path_inverse = ZV_KERNEL(zv_path_inverse),
    .coriolis = ZV_KERNEL(zv_coriolis),
};
