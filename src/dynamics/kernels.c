/* Choice among the compiled kernel tables. */
#include "dynamics/kernels.h"

#include "real/isa.h"

ZI_CHOOSE_KERNELS(ziKernels, zi_kernels)
