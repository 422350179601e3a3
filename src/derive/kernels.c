/* Choice among the compiled tables of derivatives. */
#include "derive/kernels.h"

#include "real/isa.h"

#ifdef ZV_X86_LEVELS
extern const zvDeriveKernels zv_derive_kernels_v3, zv_derive_kernels_v4;
#endif

const zvDeriveKernels *zv_derive_kernels(const zvModel *model) {
#ifdef ZV_X86_LEVELS
    if (model->isa == ZV_ISA_V4) return &zv_derive_kernels_v4;
    if (model->isa == ZV_ISA_V3) return &zv_derive_kernels_v3;
#endif
    (void)model;
    return &zv_derive_kernels_baseline;
}
