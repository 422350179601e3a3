/* Memory for the mode integrals of a link with up to MOST_MODES coordinates. */
#ifndef ZV_TEST_INTEGRAL_ARRAYS_H
#define ZV_TEST_INTEGRAL_ARRAYS_H

#include "beam/modes.h"

enum { MOST_MODES = 64, MOST_COORDINATES = MOST_MODES + ZI_SHORTENINGS };

typedef struct irArrays {
    double S1[3 * MOST_COORDINATES], L0[3 * MOST_COORDINATES], J1[6 * MOST_COORDINATES];
    double M[MOST_MODES * MOST_MODES], K[MOST_MODES * MOST_MODES], D[MOST_MODES * MOST_MODES];
    double J2[6 * MOST_COORDINATES * MOST_COORDINATES], L1[3 * MOST_COORDINATES * MOST_COORDINATES];
    double G[ZI_SHORTENINGS * MOST_MODES * MOST_MODES], couple[ZI_SHORTENINGS * MOST_MODES];
} irArrays;

static inline ziModeIntegrals ir_integrals(irArrays *arrays) {
    return (ziModeIntegrals){.S1 = arrays->S1,
                             .G = arrays->G,
                             .couple = arrays->couple,
                             .J1 = arrays->J1,
                             .J2 = arrays->J2,
                             .L0 = arrays->L0,
                             .L1 = arrays->L1,
                             .M = arrays->M,
                             .K = arrays->K,
                             .D = arrays->D};
}

static const double ir_one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, ir_zero[3] = {0, 0, 0};

#endif
