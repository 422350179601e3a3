/* Choice among the compiled tables of lanes, and the size of their scratch memory. */
#include "batch/lanes.h"

#include "real/isa.h"

extern const ziLanes zi_lanes_baseline, zi_lanes_single_baseline;
#if ZI_X86_LEVEL >= 4
extern const ziLanes zi_lanes_v3, zi_lanes_single_v3, zi_lanes_v4, zi_lanes_single_v4;
#endif

const ziLanes *zi_lanes(const zvModel *model, bool single) {
#if ZI_X86_LEVEL >= 4
    if (model->isa == ZI_ISA_V4) return single ? &zi_lanes_single_v4 : &zi_lanes_v4;
    if (model->isa == ZI_ISA_V3) return single ? &zi_lanes_single_v3 : &zi_lanes_v3;
#endif
    (void)model;
    return single ? &zi_lanes_single_baseline : &zi_lanes_baseline;
}

size_t zi_lanes_scratch(const zvModel *m, const ziLanes *lanes) {
    const size_t nb = (size_t)m->tree.nb, nc = (size_t)(m->tree.nq + m->tree.nv), nv = (size_t)m->tree.nv;
    const size_t most = lanes->group * sizeof(double); /* bytes of a number of all states of a group */
    /* recursions, and inputs and results of a group */
    const size_t bytes =
        most / sizeof(double) * (ZI_SCRATCH_FIXED + nb * ZI_SCRATCH_PER_BODY + nc * ZI_SCRATCH_PER_COORDINATE) +
        6 * (size_t)m->nlink * most;
    /* matrices: the result, the tree's, and rows of one that is factored; or derivatives, a slot at a time */
    return nv > ZI_BATCH_MATRIX_MAX ? bytes : bytes + (m->coupling.count ? 6 : 4) * nv * nv * most;
}
