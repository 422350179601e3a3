/* The functions of a batch on one group of states, in model coordinates: arrays are nq or nv x REAL_UNROLL. Which
 * recursions they use is decided here and nowhere above. */
#ifndef ZI_BATCH_QUESTIONS_H
#define ZI_BATCH_QUESTIONS_H

#include "batch/rows.h"
#include "batch/unroll.h"

static inline bool force_given(const unsigned char *given, int i) { return !given || given[i] == ZV_GIVEN_FORCE; }

static inline Placed place(const ziPlan *plan, ziScratch *scratch, const real *q) {
    const zvModel *m = plan->model;
#ifdef ZI_SINGLE
    const ReducedNumbers *numbers = plan->singles;
#else
    const ReducedNumbers *numbers = m->tree.reduced->numbers;
#endif
    return reduced_place(&m->tree, numbers, scratch, zi_tree_q(m, scratch, q));
}

/* Forces that accelerations a need; NULL: zero. */
static inline void forces_at(const zvModel *m, const Placed *x, ziScratch scratch, const real *v, const real *a,
                             real *tau) {
    const real *tv = zi_tree_v(m, &scratch, v), *ta = zi_tree_v(m, &scratch, a);
    real *tree_tau = zi_tree_vector(m, &scratch, tau);
    reduced_newton_euler(x, scratch, tv, ta, m->tree.gravity, tree_tau);
    zi_contract(m, tree_tau, tau);
}

static inline void inverse(const ziPlan *plan, ziScratch scratch, const real *q, const real *v, const real *a,
                           real *tau) {
    const Placed x = place(plan, &scratch, q);
    forces_at(plan->model, &x, scratch, v, a, tau);
}

/* The rows of M, in scratch memory. */
static inline Rows mass_rows(const ziPlan *plan, ziScratch *scratch, const Placed *x) {
    const zvModel *m = plan->model;
    const Rows M = {&plan->rows, zi_scratch_array(scratch, unrolled, plan->rows.start[m->nv])};
    if (!m->coupling.count) {
        mass_columns(x, *scratch, &M);
        return M;
    }
    ziScratch rest = *scratch;
    const size_t n = (size_t)m->tree.nv;
    unrolled *T = zi_scratch_array(&rest, unrolled, n * n);
    const Matrix tree = in_scratch((real *)T, n);
    mass_columns(x, rest, &tree);
    zi_contract_entries(m, REAL_UNROLL, M.of->start, (const real *)T, (real *)M.place);
    return M;
}

/* All of M, both triangles, into `to`. */
static inline void mass_to(const ziPlan *plan, ziScratch scratch, const Placed *x, const Matrix &to) {
    if (!plan->model->coupling.count) return mass_columns(x, scratch, &to);
    const Rows M = mass_rows(plan, &scratch, x);
    for (int i = 0; i < M.of->n; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k < REAL_UNROLL; k++) {
                const Cursor at = cursor_at(&to, i, j, k);
                put(&to, &at, row_of(M, i)[j].x[k]);
            }
}

static inline void mass(const ziPlan *plan, ziScratch scratch, const real *q, const Matrix &M) {
    const Placed x = place(plan, &scratch, q);
    mass_to(plan, scratch, &x, M);
}

static inline void minv(const ziPlan *plan, ziScratch scratch, const real *q, const Matrix &to, real_ok *ok) {
    const Placed x = place(plan, &scratch, q);
    const Rows M = mass_rows(plan, &scratch, &x);
    factor(M, scratch, ok);
    invert(M, scratch, to);
}

/* M a = tau - bias. */
static inline void forward_by_mass(const ziPlan *plan, ziScratch scratch, const real *q, const real *v, const real *tau,
                                   real *a, real_ok *ok) {
    const zvModel *m = plan->model;
    const Placed x = place(plan, &scratch, q);
    forces_at(m, &x, scratch, v, NULL, a);
    for (int i = 0; i < REAL_UNROLL * m->nv; i++) a[i] = (tau ? tau[i] : 0) - a[i];
    const Rows M = mass_rows(plan, &scratch, &x);
    factor(M, scratch, ok);
    solve(M, scratch, (unrolled *)a);
}

/* M_ff a_f = tau_f - forces that the given accelerations need; rows of those are made trivial. */
static inline void mixed_by_mass(const ziPlan *plan, ziScratch scratch, const unsigned char *given, const real *q,
                                 const real *v, real *tau, real *a, real_ok *ok) {
    const zvModel *m = plan->model;
    const size_t nv = (size_t)m->nv;
    real *x = zi_scratch_array(&scratch, real, REAL_UNROLL * nv);
    const Placed at = place(plan, &scratch, q);
    for (size_t i = 0; i < REAL_UNROLL * nv; i++)
        if (!given || given[i / REAL_UNROLL] != ZV_GIVEN_ACCELERATION) a[i] = 0;
    forces_at(m, &at, scratch, v, a, x);
    for (size_t i = 0; i < REAL_UNROLL * nv; i++) x[i] = force_given(given, (int)(i / REAL_UNROLL)) ? tau[i] - x[i] : 0;
    const Rows M = mass_rows(plan, &scratch, &at); /* of coupled coordinates: without zeros */
    for (size_t i = 0; i < nv; i++)
        for (size_t j = 0; j <= i; j++)
            for (size_t k = 0; k < REAL_UNROLL && !(force_given(given, (int)i) && force_given(given, (int)j)); k++)
                row_of(M, (int)i)[j].x[k] = i == j;
    factor(M, scratch, ok);
    solve(M, scratch, (unrolled *)x);
    for (size_t i = 0; i < REAL_UNROLL * nv; i++) a[i] += x[i];
    forces_at(m, &at, scratch, v, a, x);
    for (size_t i = 0; i < REAL_UNROLL * nv; i++)
        if (!force_given(given, (int)(i / REAL_UNROLL))) tau[i] = x[i];
}

/* Articulated bodies (Vereshchagin), slot by slot; the tree has no coupled joints. given NULL: tau, which may be NULL
 * then, is only read. */
static inline void by_bodies(const ziTree *t, ziScratch scratch, const unsigned char *given, const real *q,
                             const real *v, real *tau, real *a, real_ok *ok) {
    real *own_q = zi_scratch_array(&scratch, real, t->nq), *own_v = zi_scratch_array(&scratch, real, t->nv),
         *own_tau = zi_scratch_array(&scratch, real, t->nv), *own_a = zi_scratch_array(&scratch, real, t->nv);
    for (int k = 0; k < REAL_UNROLL; k++) {
        in_articulated::Problem p = {};
        p.q = own_q;
        p.v = v ? own_v : NULL;
        p.tau = tau ? own_tau : NULL;
        p.a = own_a;
        p.given = given;
        take_slot(t->nq, q, k, own_q);
        if (v) take_slot(t->nv, v, k, own_v);
        if (tau) take_slot(t->nv, tau, k, own_tau);
        if (given) take_slot(t->nv, a, k, own_a);
        ok[k] = in_articulated::sweep(t, scratch, p, t->gravity, own_tau, own_a, false);
        for (int i = 0; i < t->nv; i++) a[i * REAL_UNROLL + k] = own_a[i];
        for (int i = 0; i < t->nv && given; i++) tau[i * REAL_UNROLL + k] = own_tau[i];
    }
}

static inline void forward(const ziPlan *plan, ziScratch scratch, const real *q, const real *v, real *tau, real *a,
                           real_ok *ok) {
    const zvModel *m = plan->model;
    if (plan->deep && !m->coupling.count)
        by_bodies(&m->tree, scratch, NULL, q, v, tau, a, ok);
    else
        forward_by_mass(plan, scratch, q, v, tau, a, ok);
}

static inline void mixed(const ziPlan *plan, ziScratch scratch, const unsigned char *given, const real *q,
                         const real *v, real *tau, real *a, real_ok *ok) {
    const zvModel *m = plan->model;
    if (m->coupling.count)
        mixed_by_mass(plan, scratch, given, q, v, tau, a, ok);
    else
        by_bodies(&m->tree, scratch, given, q, v, tau, a, ok);
}

#endif
