/* Jets: a quantity with its first and second time derivatives, so that derivatives along a motion are exact
 * (truncated Taylor arithmetic), not differences. */
#ifndef ZV_TEST_REFERENCE_JET_H
#define ZV_TEST_REFERENCE_JET_H

#include <math.h>

#include "support/linear.h"

typedef struct refJet {
    exact x, d, dd;
} refJet;

typedef struct refPose {
    refJet R[9], p[3];
} refPose;

static inline refJet jet(exact x, exact d, exact dd) { return (refJet){x, d, dd}; }
static inline refJet jet_constant(exact x) { return jet(x, 0, 0); }
static inline refJet jet_plus(refJet a, refJet b) { return jet(a.x + b.x, a.d + b.d, a.dd + b.dd); }
static inline refJet jet_minus(refJet a, refJet b) { return jet(a.x - b.x, a.d - b.d, a.dd - b.dd); }
static inline refJet jet_scale(exact s, refJet a) { return jet(s * a.x, s * a.d, s * a.dd); }
static inline refJet jet_times(refJet a, refJet b) {
    return jet(a.x * b.x, a.d * b.x + a.x * b.d, a.dd * b.x + 2 * a.d * b.d + a.x * b.dd);
}
static inline refJet jet_sin(refJet a) {
    exact s = sinl(a.x), c = cosl(a.x);
    return jet(s, c * a.d, c * a.dd - s * a.d * a.d);
}
static inline refJet jet_cos(refJet a) {
    exact s = sinl(a.x), c = cosl(a.x);
    return jet(c, -s * a.d, -s * a.dd - c * a.d * a.d);
}

#endif
