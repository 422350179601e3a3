/* The derivative kernels of one instruction set. */
#include "derive/kernels.h"

const ziDeriveKernels ZI_KERNEL(zi_derive_kernels) = {
    .inverse = ZI_KERNEL(zi_derive_inverse),
    .forward = ZI_KERNEL(zi_derive_forward),
};
