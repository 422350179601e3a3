/* Forward and mixed dynamics with coupled mimic joints, by a few multipliers.
 *
 * With coupling, tree accelerations obey G a_t = 0, one row per follower f of a coordinate whose force is given:
 * a_t[f] - ratio a_t[master] = 0. The coupling forces are -G^T lambda; lambda solves (G Y) lambda = G a_free with
 * Y the accelerations that unit coupling forces cause. Each column of Y is one O(n) sweep; the system is as small as
 * the number f of followers: O(n f + f^3). Where the tree without its couplings is singular although the robot is not
 * (a massless follower), the dense matrix of the coupled robot answers. */
#include "dynamics/coupled.h"

#include <string.h>

#include "dynamics/external.h"
#include "linalg/ltl.h"
#include "work/coupling.h"

static const double weightless[3] = {0, 0, 0};

/* The followers whose master's force is given, and the factored response of their gaps to unit coupling forces. */
typedef struct Gaps {
    int count;
    int *followers, *parent;
    double *A;
} Gaps;

/* G a for follower f */
static double gap(const zvModel *m, const double *a, int f) {
    const zvCoupling *c = &m->coupling;
    return a[f] - c->v_ratio[f] * a[c->own_v[c->v_master[f]]];
}

/* tau -= G^T lambda for one row */
static void push(const zvModel *m, double *tau, int f, double lambda) {
    const zvCoupling *c = &m->coupling;
    tau[f] -= lambda;
    tau[c->own_v[c->v_master[f]]] += c->v_ratio[f] * lambda;
}

/* Row i of A: all gaps when a unit force opens gap i, everything else at rest. */
static zvStatus respond(const zvModel *m, zvDesk desk, const zvCoupled *p, const Gaps *g, int i) {
    size_t nv = (size_t)m->tree.nv;
    double *tau = zv_desk_doubles(&desk, nv), *a = zv_desk_doubles(&desk, nv);
    unsigned char *given = zv_desk_take(&desk, nv);
    for (size_t k = 0; k < nv; k++) {
        given[k] = p->tree_given[k] == ZV_GIVEN_FORCE ? ZV_GIVEN_FORCE : ZV_LOCKED;
        tau[k] = 0;
    }
    push(m, tau, g->followers[i], -1);
    zvStatus status =
        zv_kernels(m)->articulated_mixed(&m->tree, desk, p->tq, NULL, given, weightless, NULL, p->structure, tau, a);
    double *row = g->A + (size_t)i * (size_t)g->count;
    for (int j = 0; j < g->count; j++) row[j] = gap(m, a, g->followers[j]);
    return status;
}

static zvStatus find_gaps(const zvModel *m, zvDesk *desk, const zvCoupled *p, Gaps *g) {
    size_t room = (size_t)m->coupling.count;
    *g = (Gaps){.followers = zv_desk_take(desk, room * sizeof(int)), .parent = zv_desk_take(desk, room * sizeof(int))};
    for (int f = 0; f < m->tree.nv; f++) {
        if (!m->coupling.follows[f] || p->tree_given[f] != ZV_GIVEN_FORCE) continue;
        g->parent[g->count] = g->count - 1;
        g->followers[g->count++] = f;
    }
    g->A = zv_desk_doubles(desk, (size_t)g->count * (size_t)g->count);
    double *scratch = zv_desk_doubles(desk, (size_t)g->count);
    for (int i = 0; i < g->count; i++) {
        zvStatus status = respond(m, *desk, p, g, i);
        if (status != ZV_OK) return status;
    }
    return ltl_factor(g->count, g->parent, g->A, scratch) ? ZV_OK : ZV_SINGULAR;
}

/* The tree without its couplings: t_tau or t_a, whichever is not given. */
static zvStatus solve_free(const zvModel *m, zvDesk desk, const zvCoupled *p, double *t_tau, double *t_a) {
    return zv_kernels(m)->articulated_mixed(&m->tree, desk, p->tq, p->tv, p->tree_given, p->gravity, p->wrenches,
                                            p->structure, t_tau, t_a);
}

/* Finds the coupling forces and solves again with them: t_tau holds the given forces on entry. */
static zvStatus solve_tree(const zvModel *m, zvDesk desk, const zvCoupled *p, const Gaps *g, double *t_tau,
                           double *t_a) {
    size_t nv = (size_t)m->tree.nv;
    double *tau = zv_desk_doubles(&desk, nv), *lambda = zv_desk_doubles(&desk, (size_t)g->count);
    memcpy(tau, t_tau, nv * sizeof *tau);
    zvStatus status = solve_free(m, desk, p, t_tau, t_a);
    if (g->count == 0 || status != ZV_OK) return status;
    for (int i = 0; i < g->count; i++) lambda[i] = gap(m, t_a, g->followers[i]);
    ltl_solve(g->count, g->parent, g->A, lambda);
    for (int i = 0; i < g->count; i++) push(m, tau, g->followers[i], lambda[i]);
    memcpy(t_tau, tau, nv * sizeof *tau);
    return solve_free(m, desk, p, t_tau, t_a);
}

/* One solution in model coordinates: masters carry the forces, followers of given accelerations have theirs given too.
 */
static zvStatus solve_once(const zvModel *m, zvDesk desk, const zvCoupled *p, const Gaps *g, const double *tau,
                           const double *given_a, double *a, double *found_tau) {
    const zvCoupling *c = &m->coupling;
    double *t_tau = zv_desk_doubles(&desk, (size_t)m->tree.nv), *t_a = zv_desk_doubles(&desk, (size_t)m->tree.nv);
    for (int i = 0; i < m->tree.nv; i++) {
        int master = c->v_master[i];
        t_tau[i] = c->follows[i] || !tau || !zv_force_given(p->given, master) ? 0 : tau[master];
        t_a[i] = p->tree_given[i] == ZV_GIVEN_ACCELERATION && given_a ? c->v_ratio[i] * given_a[master] : 0;
    }
    zvStatus status = solve_tree(m, desk, p, g, t_tau, t_a);
    zv_contract(m, t_tau, found_tau);
    for (int i = 0; i < m->nv; i++) a[i] = t_a[c->own_v[i]];
    return status;
}

/* Forces that accelerations need, by Newton-Euler. */
static void needed_force(const zvModel *m, zvDesk desk, const zvCoupled *p, const double *a, double *needed) {
    const double *ta = zv_tree_v(m, &desk, a);
    double *tree_tau = zv_tree_room(m, &desk, needed);
    zv_kernels(m)->newton_euler(&m->tree, desk, p->tq, p->tv, ta, p->gravity, p->wrenches, tree_tau, NULL);
    if (p->structure) zv_structure_times(&m->tree, *p->structure, ta, tree_tau);
    zv_contract(m, tree_tau, needed);
}

/* The first solution passes through the motion without coupling, which may be violent (a heavy follower of a light
 * master) and costs digits; one step of iterative refinement gives them back. x and found are (nv). */
static zvStatus by_multipliers(const zvModel *m, zvDesk desk, const zvCoupled *p, const double *tau, const double *a,
                               double *x, double *found) {
    size_t nv = (size_t)m->nv;
    double *error = zv_desk_doubles(&desk, nv), *dx = zv_desk_doubles(&desk, nv), *dfound = zv_desk_doubles(&desk, nv);
    Gaps gaps;
    zvStatus status = find_gaps(m, &desk, p, &gaps);
    if (status == ZV_OK) status = solve_once(m, desk, p, &gaps, tau, a, x, found);
    if (status != ZV_OK) return status;
    needed_force(m, desk, p, x, found);
    for (size_t i = 0; i < nv; i++) error[i] = zv_force_given(p->given, (int)i) ? (tau ? tau[i] : 0) - found[i] : 0;
    zvCoupled rest = *p;
    rest.tv = rest.wrenches = NULL;
    rest.gravity = weightless;
    status = solve_once(m, desk, &rest, &gaps, error, NULL, dx, dfound);
    for (size_t i = 0; i < nv; i++) {
        x[i] += dx[i];
        found[i] += dfound[i];
    }
    return status;
}

/* The dense way: M_ff x_f = tau_f - (force that the given accelerations need), rows of given ones made trivial. */
static zvStatus by_matrix(const zvModel *m, zvDesk desk, const zvCoupled *p, const double *tau, const double *a,
                          double *x, double *found) {
    size_t nv = (size_t)m->nv, nt = (size_t)m->tree.nv;
    if (m->tree.nv > ZV_DESK_MATRIX_MAX) return ZV_SINGULAR;
    double *M = zv_desk_doubles(&desk, nv * nv), *scratch = zv_desk_doubles(&desk, nv);
    int *parent = zv_desk_take(&desk, nv * sizeof *parent);
    for (size_t i = 0; i < nv; i++) {
        parent[i] = (int)i - 1;
        x[i] = a && p->given && p->given[i] == ZV_GIVEN_ACCELERATION ? a[i] : 0;
    }
    needed_force(m, desk, p, x, found);
    zvDesk rest = desk;
    double *T = zv_desk_doubles(&rest, nt * nt);
    zv_kernels(m)->composite(&m->tree, rest, p->tq, T);
    if (p->structure) zv_structure_add(&m->tree, *p->structure, T);
    zv_contract_matrix(m, T, M);
    for (size_t i = 0; i < nv; i++) {
        found[i] = zv_force_given(p->given, (int)i) ? (tau ? tau[i] : 0) - found[i] : 0;
        for (size_t j = 0; j < nv; j++) {
            if (!zv_force_given(p->given, (int)i) || !zv_force_given(p->given, (int)j)) M[i * nv + j] = i == j;
        }
    }
    if (!ltl_factor(m->nv, parent, M, scratch)) return ZV_SINGULAR;
    ltl_solve(m->nv, parent, M, found);
    for (size_t i = 0; i < nv; i++) x[i] += found[i];
    needed_force(m, desk, p, x, found);
    return ZV_OK;
}

zvStatus zv_mixed_coupled(const zvModel *m, zvDesk desk, zvCoupled p, const double *tau, double *tau_out, double *a) {
    size_t nv = (size_t)m->nv;
    double *x = zv_desk_doubles(&desk, nv), *found = zv_desk_doubles(&desk, nv);
    p.tree_given = zv_desk_take(&desk, (size_t)m->tree.nv);
    p.tq = zv_tree_q(m, &desk, p.q);
    p.tv = zv_tree_v(m, &desk, p.v);
    p.wrenches = zv_body_wrenches(m, &desk, p.tq, p.fext);
    for (int i = 0; i < m->tree.nv; i++) p.tree_given[i] = p.given ? p.given[m->coupling.v_master[i]] : ZV_GIVEN_FORCE;
    const double *given_a = p.given ? a : NULL;
    zvStatus status = by_multipliers(m, desk, &p, tau, given_a, x, found);
    if (status == ZV_SINGULAR) status = by_matrix(m, desk, &p, tau, given_a, x, found);
    for (int i = 0; i < m->nv; i++) {
        if (!p.given || p.given[i] != ZV_GIVEN_ACCELERATION) a[i] = x[i];
        if (tau_out && !zv_force_given(p.given, i)) tau_out[i] = found[i];
    }
    return status;
}
