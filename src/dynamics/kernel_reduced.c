/* Dynamics of one state on the reduced robot (model/reduced.h): the recursions that lanes of states use too. */
#include "dynamics/kernels.h"
#include "dynamics/reduced_mass.h"
#include "linalg/ltdl.h"

/* -- the mass matrix ---------------------------------------------------------------------------------------------- */

/* M (n x n): entries (i, j), i >= j, and with `both` also (j, i), as they are found; with `place` rows are packed paths
 * (dynamics/factors.h), (i, j) at place[j] of row i. */
typedef struct MassStore {
    real *M;
    int n;
    bool both;
    const int *place;
} MassStore;
typedef struct MassCursor {
    real *here, *there; /* (i, j) and (j, i) */
} MassCursor;

static ZI_HOT MassCursor cursor_at(const MassStore *to, int i, int j, int slot) {
    MassCursor c;
    c.here = to->M + (size_t)i * (size_t)to->n + (size_t)((to->place ? to->place[j] : j) + slot);
    c.there = to->M + (size_t)j * (size_t)to->n + (size_t)(i + slot);
    return c;
}
static ZI_HOT void put(const MassStore *to, const MassCursor *c, real x) {
    *c->here = x;
    if (to->both) *c->there = x;
}
static ZI_HOT void put_along(const MassStore *to, MassCursor *c, real x) {
    put(to, c, x);
    c->here++, c->there += to->n;
}
static ZI_HOT void go_down(const MassStore *to, MassCursor *c) { c->here += to->n, c->there++; }
static ZI_HOT void clear_off_paths(const Placed *x, const MassStore *to) {
    (void)x;
    if (to->place) return;
    memset((void *)to->M, 0, (size_t)to->n * (size_t)to->n * sizeof *to->M);
}

#include "dynamics/reduced_columns.h"

/* Compiled apart: with `both` decided while they run, forward dynamics of 6 dofs takes a tenth longer. */
static ZI_COLD void mass_lower(const Placed *x, ziScratch scratch, real *M) {
    const MassStore to = {M, x->tree->nv, false, NULL};
    mass_columns(x, scratch, &to);
}
static ZI_COLD void mass_both(const Placed *x, ziScratch scratch, real *M) {
    const MassStore to = {M, x->tree->nv, true, NULL};
    mass_columns(x, scratch, &to);
}
static ZI_COLD void mass_paths(const Placed *x, ziScratch scratch, real *M) {
    const int n = x->tree->nv, *parent = x->tree->dof_parent;
    int *depth = zi_scratch_array(&scratch, int, n);
    for (int i = 0; i < n; i++) depth[i] = parent[i] < 0 ? 0 : depth[parent[i]] + 1;
    const MassStore to = {M, n, false, depth};
    mass_columns(x, scratch, &to);
}

/* -- kernels ------------------------------------------------------------------------------------------------------ */

void ZI_KERNEL(zi_reduced_inverse)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const real *a,
                                   const double *gravity, real *tau) {
    const Placed x = reduced_place(t, t->reduced->numbers, &scratch, q);
    real_stage();
    reduced_newton_euler(&x, scratch, v, a, gravity, tau);
}

void ZI_KERNEL(zi_reduced_mass)(const ziTree *t, ziScratch scratch, const real *q, real *M) {
    const Placed x = reduced_place(t, t->reduced->numbers, &scratch, q);
    real_stage();
    mass_both(&x, scratch, M);
}

static inline ltdlPaths paths_of(const ziTree *t) {
    const ltdlPaths w = {t->nv, t->dof_parent, t->dof_start};
    if (!w.parent || !w.start) __builtin_unreachable(); /* so that nobody looks again */
    return w;
}

/* M a = tau - bias */
zvStatus ZI_KERNEL(zi_reduced_forward)(const ziTree *t, ziScratch scratch, const real *q, const real *v,
                                       const real *tau, const double *gravity, real *a) {
    const size_t nv = (size_t)t->nv;
    const Placed x = reduced_place(t, t->reduced->numbers, &scratch, q);
    real_stage();
    real *M = zi_scratch_array(&scratch, real, nv * nv), *rest = zi_scratch_array(&scratch, real, nv);
    real_ok ok = 1;
    reduced_newton_euler(&x, scratch, v, NULL, gravity, rest);
    for (size_t i = 0; i < nv; i++) a[i] = (tau ? tau[i] : 0) - rest[i];
    mass_lower(&x, scratch, M);
    ltdl_factor(paths_of(t), M, rest, &ok);
    ltdl_solve(paths_of(t), M, a);
    return ok ? ZV_OK : ZV_SINGULAR;
}

void ZI_KERNEL(zi_reduced_paths)(const ziTree *t, ziScratch scratch, const real *q, real *M) {
    const Placed x = reduced_place(t, t->reduced->numbers, &scratch, q);
    real_stage();
    mass_paths(&x, scratch, M);
}
