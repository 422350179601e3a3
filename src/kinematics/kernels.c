/* Choice among the compiled kinematics tables. */
#include "kinematics/kernels.h"

#include "real/isa.h"

#if ZI_X86_LEVEL >= 3
extern const ziKinematicsKernels zi_kinematics_kernels_v3;
#endif
#if ZI_X86_LEVEL >= 4
extern const ziKinematicsKernels zi_kinematics_kernels_v4;
#endif

const ziKinematicsKernels *zi_kinematics_kernels(const zvModel *model) {
#if ZI_X86_LEVEL >= 4
    if (model->isa == ZI_ISA_V4) return &zi_kinematics_kernels_v4;
#endif
#if ZI_X86_LEVEL >= 3
    if (model->isa == ZI_ISA_V3) return &zi_kinematics_kernels_v3;
#endif
    (void)model;
    return &zi_kinematics_kernels_baseline;
}
