/* Choice among the compiled kinematics tables. */
#include "kinematics/kernels.h"

#include "real/isa.h"

#ifdef ZV_X86_LEVELS
extern const zvKinematicsKernels zv_kinematics_kernels_v3, zv_kinematics_kernels_v4;
#endif

const zvKinematicsKernels *zv_kinematics_kernels(const zvModel *model) {
#ifdef ZV_X86_LEVELS
    if (model->isa == ZV_ISA_V4) return &zv_kinematics_kernels_v4;
    if (model->isa == ZV_ISA_V3) return &zv_kinematics_kernels_v3;
#endif
    (void)model;
    return &zv_kinematics_kernels_baseline;
}
