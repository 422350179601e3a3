/* Forward and mixed dynamics in model coordinates; coupled mimic joints by a few multipliers.
 *
 * With coupling, tree accelerations obey G a_t = 0, one row per follower f of a coordinate whose force is given:
 * a_t[f] - ratio a_t[master] = 0. The coupling forces are -G^T lambda; lambda solves (G Y) lambda = G a_free with
 * Y the accelerations that unit coupling forces cause. Each column of Y is one O(n) sweep; the system is as small as
 * the number of followers. */
#include <string.h>

#include "dynamics/external.h"
#include "dynamics/kernels.h"
#include "linalg/ltl.h"
#include "work/coupling.h"

static const double weightless[3] = {0, 0, 0};

/* A mixed problem in tree coordinates. */
typedef struct Tree {
    const double *q, *v, *wrenches, *gravity;
    unsigned char *given;
    double *tau, *a;
} Tree;

static zvStatus solve_tree(const zvModel *m, zvDesk desk, const Tree *t) {
    return zv_kernels(m)->articulated_mixed(&m->tree, desk, t->q, t->v, t->given, t->gravity, t->wrenches, t->tau,
                                            t->a);
}

/* G a for follower f */
static double gap(const zvModel *m, const double *a, int f) {
    const zvCoupling *c = &m->coupling;
    return a[f] - c->v_ratio[f] * a[c->own_v[c->v_master[f]]];
}

/* The rows of G: followers whose master's force is given. */
static int list_followers(const zvModel *m, const unsigned char *given, int *followers) {
    int count = 0;
    for (int f = 0; f < m->tree.nv; f++) {
        if (m->coupling.follows[f] && given[f] == ZV_GIVEN_FORCE) followers[count++] = f;
    }
    return count;
}

/* tau -= G^T lambda for one row */
static void push(const zvModel *m, double *tau, int f, double lambda) {
    const zvCoupling *c = &m->coupling;
    tau[f] -= lambda;
    tau[c->own_v[c->v_master[f]]] += c->v_ratio[f] * lambda;
}

/* A := G Y, row by row: the response of every gap to a unit coupling force. */
static zvStatus gap_matrix(const zvModel *m, zvDesk desk, const Tree *t, const int *followers, int count, double *A) {
    size_t nv = (size_t)m->tree.nv;
    double *tau = zv_desk_doubles(&desk, m->tree.nv), *a = zv_desk_doubles(&desk, m->tree.nv);
    unsigned char *given = zv_desk_take(&desk, nv);
    for (size_t i = 0; i < nv; i++) given[i] = t->given[i] == ZV_GIVEN_FORCE ? ZV_GIVEN_FORCE : ZV_LOCKED;
    Tree unit = {.q = t->q, .gravity = weightless, .given = given, .tau = tau, .a = a};
    for (int i = 0; i < count; i++) {
        memset(tau, 0, nv * sizeof *tau);
        push(m, tau, followers[i], -1);
        zvStatus status = solve_tree(m, desk, &unit);
        if (status != ZV_OK) return status;
        for (int j = 0; j < count; j++) A[i * count + j] = gap(m, a, followers[j]);
    }
    return ZV_OK;
}

/* Finds the coupling forces and solves again with them. t->tau holds the given forces on entry. */
static zvStatus solve_coupled(const zvModel *m, zvDesk desk, const Tree *t) {
    int *followers = zv_desk_take(&desk, (size_t)m->tree.nv * sizeof *followers);
    int *parent = zv_desk_take(&desk, (size_t)m->tree.nv * sizeof *parent);
    double *tau = zv_desk_doubles(&desk, m->tree.nv);
    int count = list_followers(m, t->given, followers);
    double *A = zv_desk_doubles(&desk, count * count), *lambda = zv_desk_doubles(&desk, count);
    double *scratch = zv_desk_doubles(&desk, count);
    memcpy(tau, t->tau, (size_t)m->tree.nv * sizeof *tau);
    zvStatus status = solve_tree(m, desk, t);
    if (count == 0 || status != ZV_OK) return status;
    for (int i = 0; i < count; i++) {
        lambda[i] = gap(m, t->a, followers[i]);
        parent[i] = i - 1;
    }
    status = gap_matrix(m, desk, t, followers, count, A);
    if (status != ZV_OK) return status;
    if (!ltl_factor(count, parent, A, scratch)) return ZV_SINGULAR;
    ltl_solve(count, parent, A, lambda);
    for (int i = 0; i < count; i++) push(m, tau, followers[i], lambda[i]);
    memcpy(t->tau, tau, (size_t)m->tree.nv * sizeof *tau);
    return solve_tree(m, desk, t);
}

/* Tree form of a mixed problem: masters carry the forces, followers of given accelerations have theirs given too. */
static Tree spread(const zvModel *m, zvDesk *desk, const unsigned char *given, const double *tau, const double *a) {
    const zvCoupling *c = &m->coupling;
    Tree t = {.gravity = m->tree.gravity};
    t.given = zv_desk_take(desk, (size_t)m->tree.nv);
    t.tau = zv_desk_doubles(desk, m->tree.nv);
    t.a = zv_desk_doubles(desk, m->tree.nv);
    for (int i = 0; i < m->tree.nv; i++) {
        int master = c->v_master[i];
        t.given[i] = given ? given[master] : ZV_GIVEN_FORCE;
        t.tau[i] = c->follows[i] || !tau ? 0 : tau[master];
        t.a[i] = a && t.given[i] == ZV_GIVEN_ACCELERATION ? c->v_ratio[i] * a[master] : 0;
    }
    return t;
}

/* A coupled problem in model coordinates; given NULL: forward, v NULL: at rest, fext NULL: none. */
typedef struct Coupled {
    const double *q, *v, *gravity, *fext;
    const unsigned char *given;
} Coupled;

/* One solution; tau of given accelerations is filled in. */
static zvStatus solve_once(const zvModel *m, zvDesk desk, const Coupled *p, double *tau, double *a) {
    Tree t = spread(m, &desk, p->given, tau, a);
    t.q = zv_tree_q(m, &desk, p->q);
    t.v = zv_tree_v(m, &desk, p->v);
    t.gravity = p->gravity;
    t.wrenches = zv_body_wrenches(m, &desk, t.q, p->fext);
    zvStatus status = solve_coupled(m, desk, &t);
    double *sum = zv_desk_doubles(&desk, m->nv);
    zv_contract(m, t.tau, sum);
    for (int i = 0; i < m->nv; i++) {
        a[i] = t.a[m->coupling.own_v[i]];
        if (p->given && p->given[i] != ZV_GIVEN_FORCE) tau[i] = sum[i];
    }
    return status;
}

/* Forces that the accelerations found really need, by Newton-Euler. */
static void needed_force(const zvModel *m, zvDesk desk, const Coupled *p, const double *a, double *needed) {
    const double *tq = zv_tree_q(m, &desk, p->q), *tv = zv_tree_v(m, &desk, p->v), *ta = zv_tree_v(m, &desk, a);
    const double *wrenches = zv_body_wrenches(m, &desk, tq, p->fext);
    double *tree_tau = zv_tree_room(m, &desk, needed);
    zv_kernels(m)->newton_euler(&m->tree, desk, tq, tv, ta, p->gravity, wrenches, tree_tau, NULL);
    zv_contract(m, tree_tau, needed);
}

/* The first solution passes through the motion without coupling, which may be violent (a heavy follower of a light
 * master) and costs digits; one step of iterative refinement gives them back. */
static zvStatus mixed_coupled(const zvModel *m, zvDesk desk, const Coupled *p, double *tau, double *a) {
    size_t nv = (size_t)m->nv;
    double *error = zv_desk_doubles(&desk, m->nv), *da = zv_desk_doubles(&desk, m->nv);
    unsigned char *given = zv_desk_take(&desk, nv);
    zvStatus status = solve_once(m, desk, p, tau, a);
    if (status != ZV_OK) return status;
    needed_force(m, desk, p, a, error);
    for (size_t i = 0; i < nv; i++) {
        bool force_given = !p->given || p->given[i] == ZV_GIVEN_FORCE;
        given[i] = force_given ? ZV_GIVEN_FORCE : ZV_LOCKED;
        if (!force_given) tau[i] = error[i];
        error[i] = force_given ? tau[i] - error[i] : 0;
    }
    Coupled rest = {.q = p->q, .gravity = weightless, .given = given};
    status = solve_once(m, desk, &rest, error, da);
    for (size_t i = 0; i < nv; i++) {
        a[i] += da[i];
        if (given[i] == ZV_LOCKED) tau[i] += error[i];
    }
    return status;
}

zvStatus zv_forward_dynamics(const zvModel *m, zvWork *work, const double *q, const double *v, const double *tau,
                             const double *fext, double *a) {
    zvDesk desk = zv_desk_of(m, work);
    if (m->coupling.count) {
        Coupled p = {.q = q, .v = v, .gravity = m->tree.gravity, .fext = fext};
        return mixed_coupled(m, desk, &p, (double *)tau, a); /* forward: tau is only read */
    }
    const double *wrenches = zv_body_wrenches(m, &desk, q, fext);
    return zv_kernels(m)->articulated_forward(&m->tree, desk, q, v, tau, m->tree.gravity, wrenches, a);
}

zvStatus zv_mixed_dynamics(const zvModel *m, zvWork *work, const double *q, const double *v, const unsigned char *given,
                           const double *fext, double *tau, double *a) {
    zvDesk desk = zv_desk_of(m, work);
    if (m->coupling.count) {
        Coupled p = {.q = q, .v = v, .gravity = m->tree.gravity, .fext = fext, .given = given};
        return mixed_coupled(m, desk, &p, tau, a);
    }
    const double *wrenches = zv_body_wrenches(m, &desk, q, fext);
    return zv_kernels(m)->articulated_mixed(&m->tree, desk, q, v, given, m->tree.gravity, wrenches, tau, a);
}

zvStatus zv_mass_inverse_times(const zvModel *m, zvWork *work, const double *q, const double *x, double *y) {
    if (m->coupling.count) {
        Coupled p = {.q = q, .gravity = weightless};
        return mixed_coupled(m, zv_desk_of(m, work), &p, (double *)x, y); /* forward: x is only read */
    }
    return zv_kernels(m)->articulated_forward(&m->tree, zv_desk_of(m, work), q, NULL, x, weightless, NULL, y);
}
