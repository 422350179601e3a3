/* Choice among the compiled tables of derivatives. */
#include "derive/kernels.h"

#include "real/isa.h"

ZI_CHOOSE_KERNELS(ziDeriveKernels, zi_derive_kernels)
