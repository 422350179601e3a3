/* Choice among the compiled tables of derivatives. */
#include "derive/kernels.h"

#include "real/isa.h"

#if ZV_X86_LEVEL >= 3
extern const zvDeriveKernels zv_derive_kernels_v3;
#endif
#if ZV_X86_LEVEL >= 4
extern const zvDeriveKernels zv_derive_kernels_v4;
#endif

const zvDeriveKernels *zv_derive_kernels(const zvModel *model) {
#if ZV_X86_LEVEL >= 4
    if (model->isa == ZV_ISA_V4) return &zv_derive_kernels_v4;
#endif
#if ZV_X86_LEVEL >= 3
    if (model->isa == ZV_ISA_V3) return &zv_derive_kernels_v3;
#endif
    (void)model;
    return &zv_derive_kernels_baseline;
}
