/* What a reduction says of the whole mechanism: accelerations and loop forces, and positions from independent
 * coordinates. */
#include <math.h>
#include <string.h>

#include "linalg/echelon.h"
#include "loops/reduction.h"
#include "model/tree.h"

enum { STEPS = 100, HALVINGS = 12 };
/* A residual below the first is closed; below the second it may be as far as rounding lets it go. */
#define CLOSED 1e-14
#define NEARLY 1e-10

zvStatus zv_reduction_forces(const zvModel *m, zvWork *work, const zvReduction *r, const double *q, const double *v,
                             const double *tau, double *a, double *lambda) {
    const int n = r->n, nv = r->nv;
    zvWork below = *work;
    double *full = zi_scratch_doubles(&below.scratch, (size_t)nv),
           *forces = zi_scratch_doubles(&below.scratch, (size_t)nv);
    double *a_r = zi_scratch_doubles(&below.scratch, (size_t)nv),
           *scratch = zi_scratch_doubles(&below.scratch, (size_t)nv);
    int *parent = zi_scratch_take(&below.scratch, (size_t)nv * sizeof *parent);
    zvWork inner = below;
    double *D = zi_scratch_doubles(&inner.scratch, (size_t)n * (size_t)n);
    memset(a_r, 0, (size_t)n * sizeof *a_r);
    if (tau) zi_project_columns(nv, n, r->P, 1, tau, a_r);
    for (int i = 0; i < n; i++) { /* D_r a_r = P^T tau - C_r v_r - G_r */
        a_r[i] -= r->G[i];
        for (int k = 0; k < n && v; k++) a_r[i] -= r->C[(size_t)i * (size_t)n + (size_t)k] * v[r->independent[k]];
    }
    memcpy(D, r->D, (size_t)n * (size_t)n * sizeof *D);
    if (zi_solve_reduced(n, D, parent, scratch, a_r) != ZV_OK) return ZV_SINGULAR;
    zi_multiply(nv, n, r->P, 1, a_r, full);
    for (int i = 0; i < nv; i++) full[i] += r->gamma[i];
    zv_inverse_dynamics(m, &below, q, v, full, NULL, forces);
    for (int i = 0; i < nv; i++) forces[i] -= tau ? tau[i] : 0;
    if (lambda) zi_least_multipliers(m, &below, q, forces, lambda);
    if (a) memcpy(a, full, (size_t)nv * sizeof *a);
    return r->rank < r->rows ? ZV_DEGRADED : ZV_OK;
}

/* x (nv): Newton's step of the dependent coordinates that closes the gaps at q. */
static void newton_step(const zvModel *m, zvWork below, const zvReduction *r, const double *q,
                        const unsigned char *kinds, double *x) {
    const size_t rows = (size_t)r->rows, nv = (size_t)r->nv, width = nv + 1;
    double *E = zi_scratch_doubles(&below.scratch, rows * width), *gaps = zi_scratch_doubles(&below.scratch, rows),
           least;
    double *unit = zi_scratch_doubles(&below.scratch, rows);
    int *taken = zi_scratch_take(&below.scratch, nv * sizeof *taken);
    zi_dense_jacobian(m, &below, q, E, unit);
    zv_loop_gaps(m, &below, NULL, q, NULL, gaps, NULL);
    for (size_t i = rows; i-- > 0;) {
        memmove(E + i * width, E + i * nv, nv * sizeof *E);
        E[i * width + nv] = unit[i] * gaps[i];
    }
    echelon_reduce(r->rows, r->nv, (int)width, E, kinds, ZI_REDUCTION_FLOOR, taken, &least);
    for (size_t i = 0; i < nv; i++) x[i] = taken[i] < 0 ? 0 : -E[(size_t)taken[i] * width + nv];
}

static double residual(const zvModel *m, zvWork *work, const double *q) {
    double gap;
    zv_loop_residual(m, work, NULL, q, NULL, -1, &gap, NULL);
    return gap;
}

/* moved := q with as much of the step x as makes the residual smaller; returns it, or `before` when nothing does. */
static double advance(const zvModel *m, zvWork *work, const double *q, double *x, double before, double *moved) {
    for (int k = 0; k < HALVINGS; k++) {
        zv_position_add(m, q, x, moved);
        const double after = residual(m, work, moved);
        if (after < before) return after;
        for (int i = 0; i < m->nv; i++) x[i] *= 0.5;
    }
    return before;
}

static zvStatus cannot_close(const zvModel *m, zvWork *work, const double *q, zvError *error) {
    double worst = -1, gap;
    int loop = 0;
    for (int i = 0; i < m->nloop; i++) {
        zv_loop_residual(m, work, NULL, q, NULL, i, &gap, NULL);
        if (gap > worst) worst = gap, loop = i;
    }
    return zv_fail(error, ZV_CLOSURE, m->loops[loop].mark, m->loops[loop].name,
                   "loop \"%s\" cannot close with these independent coordinates: nearest gap %.3g of the robot's size; "
                   "start nearer, or choose other independent coordinates",
                   m->loops[loop].name, worst);
}

zvStatus zv_reduction_position(const zvModel *m, zvWork *work, const zvReduction *r, double *q, zvError *error) {
    if (r->rows == 0) return ZV_OK;
    zvWork below = *work;
    double *x = zi_scratch_doubles(&below.scratch, (size_t)m->nv),
           *moved = zi_scratch_doubles(&below.scratch, (size_t)m->nq);
    unsigned char *kinds = zi_scratch_take(&below.scratch, (size_t)m->nv);
    for (int i = 0; i < m->nv; i++) kinds[i] = r->depended[i] ? ECHELON_FIRST : ECHELON_NEVER;
    double gap = residual(m, &below, q);
    for (int step = 0; step < STEPS && gap > CLOSED; step++) {
        newton_step(m, below, r, q, kinds, x);
        const double after = advance(m, &below, q, x, gap, moved);
        if (!(after < gap)) break;
        memcpy(q, moved, (size_t)m->nq * sizeof *q);
        gap = after;
    }
    return gap <= NEARLY ? ZV_OK : cannot_close(m, &below, q, error);
}
