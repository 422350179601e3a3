/* Choice among the compiled kernel tables. */
#include "dynamics/kernels.h"

#include "real/isa.h"

#if ZI_X86_LEVEL >= 3
extern const ziKernels zi_kernels_v3;
#endif
#if ZI_X86_LEVEL >= 4
extern const ziKernels zi_kernels_v4;
#endif

const ziKernels *zi_kernels(const zvModel *model) {
#if ZI_X86_LEVEL >= 4
    if (model->isa == ZI_ISA_V4) return &zi_kernels_v4;
#endif
#if ZI_X86_LEVEL >= 3
    if (model->isa == ZI_ISA_V3) return &zi_kernels_v3;
#endif
    (void)model;
    return &zi_kernels_baseline;
}
