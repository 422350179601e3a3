/* The derivative kernels of one instruction set. */
#include "derive/kernels.h"

const zvDeriveKernels ZV_KERNEL(zv_derive_kernels) = {
    .inverse = ZV_KERNEL(zv_derive_inverse),
    .forward = ZV_KERNEL(zv_derive_forward),
    .factor = ZV_KERNEL(zv_derive_factor),
    .respond = ZV_KERNEL(zv_derive_respond),
};
