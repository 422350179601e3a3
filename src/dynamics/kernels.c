/* Choice among the compiled kernel tables. */
#include "dynamics/kernels.h"

#include "real/isa.h"

#if ZV_X86_LEVEL >= 3
extern const zvKernels zv_kernels_v3;
#endif
#if ZV_X86_LEVEL >= 4
extern const zvKernels zv_kernels_v4;
#endif

const zvKernels *zv_kernels(const zvModel *model) {
#if ZV_X86_LEVEL >= 4
    if (model->isa == ZV_ISA_V4) return &zv_kernels_v4;
#endif
#if ZV_X86_LEVEL >= 3
    if (model->isa == ZV_ISA_V3) return &zv_kernels_v3;
#endif
    (void)model;
    return &zv_kernels_baseline;
}
