/* In place of tangents.cpp, in a build without C++. */
#include "derive/tangents.h"

bool zi_tangents_there(void) { return false; }

size_t zi_tangents_bytes(const ziTree *t) {
    (void)t;
    return 0;
}

void zi_tangents_inverse(const ziTree *t, void *memory, const double *q, const double *v, const double *a,
                         const double *fext, const double *dfext, const ziDirections *directions, double *slopes) {
    (void)t, (void)memory, (void)q, (void)v, (void)a, (void)fext, (void)dfext, (void)directions;
    (void)slopes;
}

void zi_tangents_loops(const ziTree *t, void *memory, const double *q, const double *v, const double *rate_q,
                       const double *mixed, const double *a, const ziDirections *directions, double *rates,
                       double *second) {
    (void)t, (void)memory, (void)q, (void)v, (void)rate_q, (void)mixed, (void)a, (void)directions, (void)rates;
    (void)second;
}
