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
    .coriolis = ZV_KERNEL(zv_coriolis),
};
