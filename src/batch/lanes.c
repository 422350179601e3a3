/* Choice among the compiled tables of lanes, and the size of their scratch memory. */
#include "batch/lanes.h"

#include "real/isa.h"

extern const ziLanes zi_lanes_baseline, zi_lanes_single_baseline;
#if ZI_X86_LEVEL >= 4
extern const ziLanes zi_lanes_v3, zi_lanes_single_v3, zi_lanes_v4, zi_lanes_single_v4;
#endif

#if ZI_X86_LEVEL >= 4
/* Of a register of states the three matrices of derivatives beyond which AVX-512 loses to AVX2, whose matrices are half
 * as large: caches of the second level have 1 or 2 MB. Chain of 100: d-inverse 0.87 times as fast, in single precision
 * 0.89, d-forward there 0.93 but 1.20 in double precision; robots of 50 coordinates 1.3 (EPYC, Zen 5). The bits are the
 * same. */
static const double large = 1e6;

static bool is_narrow_better(const zvModel *m, bool single, ziAsked asked) {
    const double square = (double)m->nv * m->nv * 64;
    return (asked == ZI_ASKED_INVERSE_DERIVATIVES || (asked == ZI_ASKED_FORWARD_DERIVATIVES && single)) &&
           3 * square > large;
}
#endif

const ziLanes *zi_lanes(const zvModel *model, bool single, ziAsked asked) {
#if ZI_X86_LEVEL >= 4
    if (model->isa == ZI_ISA_V4 && !is_narrow_better(model, single, asked))
        return single ? &zi_lanes_single_v4 : &zi_lanes_v4;
    if (model->isa >= ZI_ISA_V3) return single ? &zi_lanes_single_v3 : &zi_lanes_v3;
#endif
    (void)model, (void)asked;
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
