/* Choice among the compiled kernel tables. */
#include "dynamics/kernels.h"

#include "real/isa.h"

#ifdef ZV_X86_LEVELS
extern const zvKernels zv_kernels_v3, zv_kernels_v4;
#endif

const zvKernels *zv_kernels(const zvModel *model) {
#ifdef ZV_X86_LEVELS
    if (model->isa == ZV_ISA_V4) return &zv_kernels_v4;
    if (model->isa == ZV_ISA_V3) return &zv_kernels_v3;
#endif
    (void)model;
    return &zv_kernels_baseline;
}
