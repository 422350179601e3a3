/* Inverse dynamics and loops as C++ on numbers with slopes. */
#define ZI_ISA _tangent

#include "derive/tangents.h"

#include <string.h>

#include "dynamics/elastic.h"
#include "dynamics/kernels.h"
#include "kinematics/constraint_rows.h"
#include "kinematics/outward.h"
#include "real/sincos.h"
#include "work/scratch_size.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
namespace {
namespace in_newton_euler {
#include "dynamics/kernel_newton_euler.c"
}
} // namespace
#pragma GCC diagnostic pop

namespace {

static_assert(sizeof(real) <= ZI_SLOPES_DOUBLES * sizeof(double), "scratch too small");

/* Numbers with the slopes of up to four directions (stride numbers apart), a rate, and its own slopes. */
real *carry(ziScratch *scratch, int n, const double *x, const double *rate, const ziDirections *directions,
            const double *slopes, const double *mixed) {
    real *z = zi_scratch_array(scratch, real, n);
    for (int i = 0; i < n; i++) {
        z[i] = real(x ? x[i] : 0.0);
        if (rate) z[i].t = rate[i];
        for (int k = 0; k < directions->count; k++) {
            if (slopes) z[i].d[k] = slopes[k * n + i];
            if (mixed) z[i].e[k] = mixed[k * n + i];
        }
    }
    return z;
}

ziScratch scratch_of(const ziTree *t, void *memory) {
    ziScratch scratch;
    scratch.next = (unsigned char *)memory;
    scratch.end = scratch.next + zi_tangents_bytes(t);
    return scratch;
}

} // namespace

extern "C" bool zi_tangents_there(void) { return true; }

extern "C" size_t zi_tangents_bytes(const ziTree *t) { return zi_slopes_bytes(t); }

extern "C" void zi_tangents_inverse(const ziTree *t, void *memory, const double *q, const double *v, const double *a,
                                    const double *fext, const double *dfext, const ziDirections *directions,
                                    double *slopes) {
    ziScratch scratch = scratch_of(t, memory);
    const int external = 6 * t->nb + t->ne;
    const real *zq = carry(&scratch, t->nq, q, NULL, directions, directions->dq, NULL);
    const real *zv = carry(&scratch, t->nv, v, NULL, directions, directions->dv, NULL);
    const real *za = carry(&scratch, t->nv, a, NULL, directions, NULL, NULL);
    const real *zf = fext ? carry(&scratch, external, fext, NULL, directions, dfext, NULL) : NULL;
    real *tau = zi_scratch_array(&scratch, real, t->nv);
    in_newton_euler::zi_newton_euler_tangent(t, scratch, zq, zv, za, t->gravity, zf, tau, NULL);
    for (int k = 0; k < directions->count; k++)
        for (int i = 0; i < t->nv; i++) slopes[k * t->nv + i] = tau[i].d[k];
}

extern "C" void zi_tangents_loops(const ziTree *t, void *memory, const double *q, const double *v, const double *rate_q,
                                  const double *mixed, const double *a, const ziDirections *directions, double *rates,
                                  double *second) {
    ziScratch scratch = scratch_of(t, memory);
    const real *zq = carry(&scratch, t->nq, q, rate_q, directions, directions->dq, mixed);
    const real *zv = carry(&scratch, t->nv, v, a, directions, directions->dv, NULL);
    constraint_row *row = zi_scratch_array(&scratch, constraint_row, t->nb + t->ns);
    int all = 0;
    for (int i = 0; i < t->closed->constraints; i++) all += t->closed->constraint[i].rows;
    place_rows(t, scratch, zq, zv, row);
    for (int i = 0; i < t->closed->constraints; i++) {
        const ziConstraint *constraint = &t->closed->constraint[i];
        const constraint_row *from = &row[constraint->a.row], *to = &row[constraint->b.row];
        const constraint_target still = {0.0, 0.0, 0.0};
        constraint_now now;
        real rate[ZV_MAX_DOF + 1];
        constraint_place(constraint, from, to, &now);
        if (constraint->kind == ZV_LOOP_COUPLING)
            rate[0] = constraint_sum_v(constraint, zv);
        else
            constraint_rate(constraint, from, to, &now, still, rate);
        for (int k = 0; k < directions->count; k++) {
            for (int r = 0; r < constraint->rows; r++) {
                rates[k * all + constraint->row + r] = rate[r].d[k];
                if (second) second[k * all + constraint->row + r] = rate[r].e[k];
            }
        }
    }
}
