/* The derivative kernels of one instruction set. */
#include "derive/kernels.h"

const zvDeriveKernels ZV_KERNEL(zv_derive_kernels) = {
    .inverse = ZV_KERNEL(zv_derive_inverse),
    .respond = ZV_KERNEL(zv_derive_respond),
};
