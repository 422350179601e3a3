/* Choice among the compiled tables of lanes, and the room they need. */
#include "batch/lanes.h"

#include "real/isa.h"

extern const zvLanes zv_lanes_baseline, zv_lanes_single_baseline;
#if ZV_X86_LEVEL >= 4
extern const zvLanes zv_lanes_v3, zv_lanes_single_v3, zv_lanes_v4, zv_lanes_single_v4;
#endif

const zvLanes *zv_lanes(const zvModel *model, bool single) {
#if ZV_X86_LEVEL >= 4
    if (model->isa == ZV_ISA_V4) return single ? &zv_lanes_single_v4 : &zv_lanes_v4;
    if (model->isa == ZV_ISA_V3) return single ? &zv_lanes_single_v3 : &zv_lanes_v3;
#endif
    (void)model;
    return single ? &zv_lanes_single_baseline : &zv_lanes_baseline;
}

size_t zv_lanes_desk(const zvModel *m, const zvLanes *lanes) {
    const size_t nb = (size_t)m->tree.nb, nc = (size_t)(m->tree.nq + m->tree.nv), nv = (size_t)m->tree.nv;
    const size_t most = lanes->group * sizeof(double); /* bytes of a number of all states of a group */
    /* recursions, and inputs and answers of a group */
    const size_t bytes = most / sizeof(double) * (ZV_DESK_FIXED + nb * ZV_DESK_PER_BODY + nc * ZV_DESK_PER_COORDINATE) +
                         6 * (size_t)m->nlink * most;
    /* matrices: the answer, the tree's, and rows of one that is factored; or derivatives, a side at a time */
    return nv > ZV_BATCH_MATRIX_MAX ? bytes : bytes + 3 * nv * nv * most;
}
