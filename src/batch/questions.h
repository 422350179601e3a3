/* Questions on one group of states, in model coordinates: arrays are nq or nv x REAL_SIDES. What the recursions are is
 * known here and nowhere above. */
#ifndef ZV_BATCH_QUESTIONS_H
#define ZV_BATCH_QUESTIONS_H

#include "batch/coupling.h"
#include "batch/rows.h"

static inline bool force_given(const unsigned char *given, int i) { return !given || given[i] == ZV_GIVEN_FORCE; }

static inline Placed place(const zvPlan *plan, zvDesk *desk, const real *q) {
    const zvModel *m = plan->model;
#ifdef ZV_SINGLE
    const LeanNumbers *numbers = plan->singles;
#else
    const LeanNumbers *numbers = m->tree.lean->numbers;
#endif
    return lean_place(&m->tree, numbers, desk, tree_q(m, desk, q));
}

/* Forces that accelerations a need; NULL: zero. */
static inline void forces_at(const zvModel *m, const Placed *x, zvDesk desk, const real *v, const real *a, real *tau) {
    const real *tv = tree_v(m, &desk, v), *ta = tree_v(m, &desk, a);
    real *tree_tau = tree_room(m, &desk, tau);
    lean_newton_euler(x, desk, tv, ta, m->tree.gravity, tree_tau);
    contract(m, 1, tree_tau, tau);
}

static inline void inverse(const zvPlan *plan, zvDesk desk, const real *q, const real *v, const real *a, real *tau) {
    const Placed x = place(plan, &desk, q);
    forces_at(plan->model, &x, desk, v, a, tau);
}

/* The rows of M, on the desk. */
static inline Rows mass_rows(const zvPlan *plan, zvDesk *desk, const Placed *x) {
    const zvModel *m = plan->model;
    const Rows M = {&plan->rows, zv_desk_array(desk, sided, plan->rows.start[m->nv])};
    if (!m->coupling.count) {
        mass_columns(x, *desk, M);
        return M;
    }
    zvDesk rest = *desk;
    const size_t n = (size_t)m->tree.nv;
    sided *T = zv_desk_array(&rest, sided, n * n);
    mass_columns(x, rest, on_desk((real *)T, n));
    contract_rows(m, T, M);
    return M;
}

/* All of it, wherever it is wanted. */
static inline void mass_to(const zvPlan *plan, zvDesk desk, const Placed *x, const Matrix &to) {
    if (!plan->model->coupling.count) return mass_columns(x, desk, to);
    const Rows M = mass_rows(plan, &desk, x);
    for (int i = 0; i < M.of->n; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k < REAL_SIDES; k++) put(to, cursor_at(to, i, j, k), row_of(M, i)[j].x[k]);
}

static inline void mass(const zvPlan *plan, zvDesk desk, const real *q, const Matrix &M) {
    const Placed x = place(plan, &desk, q);
    mass_to(plan, desk, &x, M);
}

static inline void minv(const zvPlan *plan, zvDesk desk, const real *q, const Matrix &to, verdict *sound) {
    const Placed x = place(plan, &desk, q);
    const Rows M = mass_rows(plan, &desk, &x);
    factor(M, desk, sound);
    invert(M, desk, to);
}

/* M a = tau - bias. */
static inline void forward_by_mass(const zvPlan *plan, zvDesk desk, const real *q, const real *v, const real *tau,
                                   real *a, verdict *sound) {
    const zvModel *m = plan->model;
    const Placed x = place(plan, &desk, q);
    forces_at(m, &x, desk, v, NULL, a);
    for (int i = 0; i < REAL_SIDES * m->nv; i++) a[i] = (tau ? tau[i] : 0) - a[i];
    const Rows M = mass_rows(plan, &desk, &x);
    factor(M, desk, sound);
    solve(M, desk, (sided *)a);
}

/* M_ff a_f = tau_f - forces that the given accelerations need; rows of those are made trivial. */
static inline void mixed_by_mass(const zvPlan *plan, zvDesk desk, const unsigned char *given, const real *q,
                                 const real *v, real *tau, real *a, verdict *sound) {
    const zvModel *m = plan->model;
    const size_t nv = (size_t)m->nv;
    real *x = zv_desk_array(&desk, real, REAL_SIDES * nv);
    const Placed at = place(plan, &desk, q);
    for (size_t i = 0; i < REAL_SIDES * nv; i++)
        if (!given || given[i / REAL_SIDES] != ZV_GIVEN_ACCELERATION) a[i] = 0;
    forces_at(m, &at, desk, v, a, x);
    for (size_t i = 0; i < REAL_SIDES * nv; i++) x[i] = force_given(given, (int)(i / REAL_SIDES)) ? tau[i] - x[i] : 0;
    const Rows M = mass_rows(plan, &desk, &at); /* of coupled coordinates: without zeros */
    for (size_t i = 0; i < nv; i++)
        for (size_t j = 0; j <= i; j++)
            for (size_t k = 0; k < REAL_SIDES && !(force_given(given, (int)i) && force_given(given, (int)j)); k++)
                row_of(M, (int)i)[j].x[k] = i == j;
    factor(M, desk, sound);
    solve(M, desk, (sided *)x);
    for (size_t i = 0; i < REAL_SIDES * nv; i++) a[i] += x[i];
    forces_at(m, &at, desk, v, a, x);
    for (size_t i = 0; i < REAL_SIDES * nv; i++)
        if (!force_given(given, (int)(i / REAL_SIDES))) tau[i] = x[i];
}

/* Vereshchagin's separate bodies, side by side; the tree has no coupled joints. given NULL: tau, which may be NULL
 * then, is only read. */
static inline void by_bodies(const zvTree *t, zvDesk desk, const unsigned char *given, const real *q, const real *v,
                             real *tau, real *a, verdict *sound) {
    real *own_q = zv_desk_array(&desk, real, t->nq), *own_v = zv_desk_array(&desk, real, t->nv),
         *own_tau = zv_desk_array(&desk, real, t->nv), *own_a = zv_desk_array(&desk, real, t->nv);
    for (int k = 0; k < REAL_SIDES; k++) {
        in_articulated::Problem p = {};
        p.q = own_q;
        p.v = v ? own_v : NULL;
        p.tau = tau ? own_tau : NULL;
        p.a = own_a;
        p.given = given;
        take_side(t->nq, q, k, own_q);
        if (v) take_side(t->nv, v, k, own_v);
        if (tau) take_side(t->nv, tau, k, own_tau);
        if (given) take_side(t->nv, a, k, own_a);
        sound[k] = in_articulated::sweep(t, desk, p, t->gravity, own_tau, own_a, false);
        for (int i = 0; i < t->nv; i++) a[i * REAL_SIDES + k] = own_a[i];
        for (int i = 0; i < t->nv && given; i++) tau[i * REAL_SIDES + k] = own_tau[i];
    }
}

static inline void forward(const zvPlan *plan, zvDesk desk, const real *q, const real *v, real *tau, real *a,
                           verdict *sound) {
    const zvModel *m = plan->model;
    if (plan->deep && !m->coupling.count)
        by_bodies(&m->tree, desk, NULL, q, v, tau, a, sound);
    else
        forward_by_mass(plan, desk, q, v, tau, a, sound);
}

static inline void mixed(const zvPlan *plan, zvDesk desk, const unsigned char *given, const real *q, const real *v,
                         real *tau, real *a, verdict *sound) {
    const zvModel *m = plan->model;
    if (m->coupling.count)
        mixed_by_mass(plan, desk, given, q, v, tau, a, sound);
    else
        by_bodies(&m->tree, desk, given, q, v, tau, a, sound);
}

#endif
