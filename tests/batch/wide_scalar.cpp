/* The scalar of lanes in each precision. */
#define ZI_WIDE
#include "batch/wide_scalar.h"

#include "real/real.h"

#ifdef ZI_SINGLE
#define WIDE_NAME(name) name##_single
#else
#define WIDE_NAME(name) name##_double
#endif

namespace {

real read(const lane *x) {
    real r;
    for (int i = 0; i < REAL_LANES; i++) r.v[i] = x[i];
    return r;
}

real truth(real_ok ok) {
    real r;
    for (int i = 0; i < REAL_LANES; i++) r.v[i] = ok.m[i] ? 1 : 0;
    return r;
}

real apply(wideOperation operation, real a, real b) {
    switch (operation) {
    case WIDE_FLOOR: return floor(a);
    case WIDE_MIN: return fmin(a, b);
    case WIDE_MAX: return fmax(a, b);
    case WIDE_LESS: return truth(a < b);
    case WIDE_GREATER: return truth(a > b);
    case WIDE_DIFFERENT: return truth(a != b);
    case WIDE_EXCEEDS: return truth(real_exceeds(a, b));
    default: return a;
    }
}

} // namespace

int WIDE_NAME(wide)(wideOperation operation, const lane *a, const lane *b, lane *out) {
    const real x = apply(operation, read(a), read(b));
    for (int i = 0; i < REAL_LANES; i++) out[i] = x.v[i];
    return REAL_LANES;
}

int WIDE_NAME(wide_branch)(const lane *a, const lane *b) { return read(a) < read(b) ? 1 : 0; }
