/* Forward and mixed dynamics with coupled mimic joints: multipliers (coupled.h), refined once. Where the tree without
 * its couplings is singular although the robot is not (a massless follower), the dense matrix of the coupled robot
 * answers. Read as C++ too, on other scalars (codegen/scalar_rows.h). */
#include "dynamics/coupled.h"

#include "dynamics/external.h"
#include "work/coupling.h"

static const double weightless[3] = {0, 0, 0};

/* A problem and its model, for sweeps by unit coupling forces; given: what has its acceleration given is locked. */
typedef struct CoupledRest {
    const zvModel *model;
    const ziCoupled *problem;
    const unsigned char *given;
} CoupledRest;

static zvStatus sweep_at_rest(const void *context, ziScratch scratch, real *tau, real *a) {
    const CoupledRest *r = (const CoupledRest *)context;
    return zi_kernels(r->model)->articulated_mixed(&r->model->tree, scratch, r->problem->tq, NULL, r->given, weightless,
                                                   NULL, r->problem->structure, tau, a);
}

static zvStatus find_gaps(const zvModel *m, ziScratch *scratch, const ziCoupled *p, ziGaps *g) {
    unsigned char *given = zi_scratch_array(scratch, unsigned char, m->tree.nv);
    for (int k = 0; k < m->tree.nv; k++)
        given[k] = p->tree_given[k] == ZV_GIVEN_FORCE ? ZV_GIVEN_FORCE : ZV_GIVEN_LOCKED;
    const CoupledRest rest = {m, p, given};
    return zi_gaps_find(m, scratch, p->tree_given, sweep_at_rest, &rest, g);
}

/* The tree without its couplings: t_tau or t_a, whichever is not given. */
static zvStatus solve_free(const zvModel *m, ziScratch scratch, const ziCoupled *p, real *t_tau, real *t_a) {
    return zi_kernels(m)->articulated_mixed(&m->tree, scratch, p->tq, p->tv, p->tree_given, p->gravity, p->wrenches,
                                            p->structure, t_tau, t_a);
}

/* Finds the coupling forces and solves again with them: t_tau holds the given forces on entry. */
static zvStatus solve_tree(const zvModel *m, ziScratch scratch, const ziCoupled *p, const ziGaps *g, real *t_tau,
                           real *t_a) {
    const int nv = m->tree.nv;
    real *tau = zi_scratch_array(&scratch, real, nv);
    for (int i = 0; i < nv; i++) tau[i] = t_tau[i];
    zvStatus status = solve_free(m, scratch, p, t_tau, t_a);
    if (g->count == 0 || status != ZV_OK) return status;
    zi_gaps_close(m, scratch, g, t_a, tau);
    for (int i = 0; i < nv; i++) t_tau[i] = tau[i];
    return solve_free(m, scratch, p, t_tau, t_a);
}

/* One solution in model coordinates: masters carry the forces, followers of given accelerations have theirs given too.
 */
static zvStatus solve_once(const zvModel *m, ziScratch scratch, const ziCoupled *p, const ziGaps *g, const real *tau,
                           const real *given_a, real *a, real *found_tau) {
    const ziCoupling *c = &m->coupling;
    real *t_tau = zi_scratch_array(&scratch, real, m->tree.nv), *t_a = zi_scratch_array(&scratch, real, m->tree.nv);
    for (int i = 0; i < m->tree.nv; i++) {
        int master = c->v_master[i];
        t_tau[i] = c->follows[i] || !tau || !zi_force_given(p->given, master) ? 0 : tau[master];
        t_a[i] = p->tree_given[i] == ZV_GIVEN_ACCELERATION && given_a ? c->v_ratio[i] * given_a[master] : 0;
    }
    zvStatus status = solve_tree(m, scratch, p, g, t_tau, t_a);
    zi_contract(m, t_tau, found_tau);
    for (int i = 0; i < m->nv; i++) a[i] = t_a[c->own_v[i]];
    return status;
}

/* Forces that accelerations need, by Newton-Euler. */
static void needed_force(const zvModel *m, ziScratch scratch, const ziCoupled *p, const real *a, real *needed) {
    const real *ta = zi_tree_v(m, &scratch, a);
    real *tree_tau = zi_tree_vector(m, &scratch, needed);
    zi_kernels(m)->newton_euler(&m->tree, scratch, p->tq, p->tv, ta, p->gravity, p->wrenches, tree_tau, NULL);
    if (p->structure) zi_structure_times(&m->tree, *p->structure, ta, tree_tau);
    zi_contract(m, tree_tau, needed);
}

/* The first solution passes through the motion without coupling, which may be violent (a heavy follower of a light
 * master) and costs digits; one step of iterative refinement gives them back. x and found are (nv). */
static zvStatus by_multipliers(const zvModel *m, ziScratch scratch, const ziCoupled *p, const real *tau, const real *a,
                               real *x, real *found) {
    size_t nv = (size_t)m->nv;
    real *error = zi_scratch_array(&scratch, real, nv), *dx = zi_scratch_array(&scratch, real, nv),
         *dfound = zi_scratch_array(&scratch, real, nv);
    ziGaps gaps;
    zvStatus status = find_gaps(m, &scratch, p, &gaps);
    if (status == ZV_OK) status = solve_once(m, scratch, p, &gaps, tau, a, x, found);
    if (status != ZV_OK) return status;
    needed_force(m, scratch, p, x, found);
    for (size_t i = 0; i < nv; i++) error[i] = zi_force_given(p->given, (int)i) ? (tau ? tau[i] : 0) - found[i] : 0;
    ziCoupled rest = *p;
    rest.tv = rest.wrenches = NULL;
    rest.gravity = weightless;
    status = solve_once(m, scratch, &rest, &gaps, error, NULL, dx, dfound);
    for (size_t i = 0; i < nv; i++) {
        x[i] += dx[i];
        found[i] += dfound[i];
    }
    return status;
}

/* By the dense matrix: M_ff x_f = tau_f - (force that the given accelerations need), rows of given ones made trivial.
 */
static zvStatus by_matrix(const zvModel *m, ziScratch scratch, const ziCoupled *p, const real *tau, const real *a,
                          real *x, real *found) {
    size_t nv = (size_t)m->nv, nt = (size_t)m->tree.nv;
    real *M = zi_scratch_array(&scratch, real, nv * nv), *row = zi_scratch_array(&scratch, real, nv);
    real_ok ok = 1;
    for (size_t i = 0; i < nv; i++) x[i] = a && p->given && p->given[i] == ZV_GIVEN_ACCELERATION ? a[i] : 0;
    needed_force(m, scratch, p, x, found);
    ziScratch rest = scratch;
    real *T = zi_scratch_array(&rest, real, nt * nt);
    zi_kernels(m)->composite(&m->tree, rest, p->tq, T);
    zi_contract_matrix(m, T, M);
    if (p->structure) zi_structure_add(m, *p->structure, M);
    for (size_t i = 0; i < nv; i++) {
        found[i] = zi_force_given(p->given, (int)i) ? (tau ? tau[i] : 0) - found[i] : 0;
        for (size_t j = 0; j < nv; j++) {
            if (!zi_force_given(p->given, (int)i) || !zi_force_given(p->given, (int)j)) M[i * nv + j] = i == j;
        }
    }
    ltdl_factor(ltdl_dense(m->nv), M, row, &ok);
    if (!ok) return ZV_SINGULAR;
    ltdl_solve(ltdl_dense(m->nv), M, found);
    for (size_t i = 0; i < nv; i++) x[i] += found[i];
    needed_force(m, scratch, p, x, found);
    return ZV_OK;
}

/* The dense matrix after sweeps that found the tree singular. With sweeps_only it is asked for its status: whether the
 * robot is singular, or the tree alone; nobody knows of a tree that has no space for it. */
static zvStatus after_sweeps(const zvModel *m, ziScratch scratch, const ziCoupled *p, const real *tau, const real *a,
                             real *x, real *found) {
    const bool dense = m->tree.nv <= ZI_SCRATCH_MATRIX_MAX;
    const zvStatus status = dense ? by_matrix(m, scratch, p, tau, a, x, found) : ZV_SINGULAR;
    return p->sweeps_only && (status == ZV_OK || !dense) ? ZV_NOT_SUPPORTED : status;
}

/* Mixed dynamics in model coordinates: by multipliers of the couplings; by the dense matrix where the uncoupled tree is
 * singular, unless only sweeps are allowed. */
zvStatus zi_mixed_coupled(const zvModel *m, ziScratch scratch, ziCoupled p, const real *tau, real *tau_out, real *a) {
    size_t nv = (size_t)m->nv;
    real *x = zi_scratch_array(&scratch, real, nv), *found = zi_scratch_array(&scratch, real, nv);
    p.tree_given = zi_scratch_array(&scratch, unsigned char, m->tree.nv);
    p.tq = zi_tree_q(m, &scratch, p.q);
    p.tv = zi_tree_v(m, &scratch, p.v);
    p.wrenches = zi_body_wrenches(m, &scratch, p.tq, p.fext);
    for (int i = 0; i < m->tree.nv; i++) {
        p.tree_given[i] = ZV_GIVEN_FORCE;
        if (p.given) p.tree_given[i] = p.given[m->coupling.v_master[i]];
    }
    const real *given_a = p.given ? a : NULL;
    zvStatus status = by_multipliers(m, scratch, &p, tau, given_a, x, found);
    if (status == ZV_SINGULAR) status = after_sweeps(m, scratch, &p, tau, given_a, x, found);
    if (status != ZV_OK) return status;
    for (int i = 0; i < m->nv; i++) {
        if (!p.given || p.given[i] != ZV_GIVEN_ACCELERATION) a[i] = x[i];
        if (tau_out && !zi_force_given(p.given, i)) tau_out[i] = found[i];
    }
    return ZV_OK;
}
