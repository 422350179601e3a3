/* Derivatives in lanes: the texts of src/derive, which one state goes through too, on one side of a group at a time.
 * Matrices are those of one side, in model coordinates; NULL: not wanted. */
#ifndef ZV_BATCH_DERIVATIVES_H
#define ZV_BATCH_DERIVATIVES_H

#include "batch/questions.h"
#include "batch/world.h"

static_assert(REAL_SIDES > 1, "the desk has room for three matrices of a group: of a side, three and their tree's");

/* What is differentiated: arrays of a group on the desk. */
struct Motion {
    const real *q, *v;  /* of the tree */
    const real *a;      /* of the tree; or forces: forward dynamics without coupled joints */
    const real *fext;   /* NULL: none; */
    const World *world; /* then the bodies are here */
};

static inline const real *side_of(zvDesk *desk, int count, const real *x, int side) {
    if (!x) return NULL;
    real *own = zv_desk_array(desk, real, count);
    take_side(count, x, side, own);
    return own;
}

/* External forces at the origins of bodies, and K of eq. (14) of docs/derivatives.md: -n~ - d~ f~ of a force d away. */
static inline in_derive::zvLoads side_loads(const zvModel *m, zvDesk *desk, const Motion *x, int side) {
    if (!x->fext) return {NULL, NULL};
    force *P = zv_desk_array(desk, force, m->tree.nb);
    mat3 *K = zv_desk_array(desk, mat3, m->tree.nb);
    for (int i = 0; i < m->tree.nb; i++) {
        P[i] = force_zero();
        K[i] = m3_skew(v3_zero());
    }
    for (int l = 0; l < m->nlink; l++) {
        const zvLinkPlace *place = &m->link_places[l];
        if (!place->body) continue; /* the ground stays */
        real F[6];
        take_side(6, x->fext + 6 * l * REAL_SIDES, side, F);
        const force f = force_of(v3(F[0], F[1], F[2]), v3(F[3], F[4], F[5]));
        const vec3 d = m3_mulp(x->world->at[place->body * REAL_SIDES + side].R, place->pose.p);
        const mat3 turned = in_derive::subtract_cross_cross(m3_skew(v3_neg(f.ang)), d, f.lin);
        P[place->body] = force_add(P[place->body], force_shift(f, d));
        K[place->body] = m3_add(K[place->body], turned);
    }
    return {(const real *)P, (const real *)K};
}

/* X (nv x nv) := E^T T E, T (tree nv x tree nv), of one side. */
static inline void contract_square(const zvModel *m, const real *T, real *X) {
    if (T == X) return;
    const zvCoupling *c = &m->coupling;
    const size_t nt = (size_t)m->tree.nv, nv = (size_t)m->nv;
    for (size_t i = 0; i < nv * nv; i++) X[i] = 0;
    for (size_t i = 0; i < nt; i++)
        for (size_t j = 0; j < nt; j++)
            X[(size_t)c->v_master[i] * nv + (size_t)c->v_master[j]] += c->v_ratio[i] * c->v_ratio[j] * T[i * nt + j];
}

/* d tau/d (q, v, a) */
static inline void inverse_derivatives(const zvModel *m, zvDesk desk, const Motion *x, int side, real *const X[3]) {
    const zvTree *t = &m->tree;
    const in_derive::zvLoads loads = side_loads(m, &desk, x, side);
    const real *q = side_of(&desk, t->nq, x->q, side), *v = side_of(&desk, t->nv, x->v, side),
               *a = side_of(&desk, t->nv, x->a, side);
    real *T[3] = {X[0], X[1], X[2]};
    for (int i = 0; i < 3 && m->coupling.count; i++)
        if (X[i]) T[i] = zv_desk_array(&desk, real, (size_t)t->nv * (size_t)t->nv);
    in_derive::ZV_KERNEL(zv_derive_inverse)(t, desk, q, v, a, t->gravity, loads, T[0], T[1], T[2]);
    for (int i = 0; i < 3; i++)
        if (X[i]) contract_square(m, T[i], X[i]);
}

/* d a/d (q, v, tau), the last of which is always wanted, from accelerations that were solved for before. */
static inline verdict derivatives_apart(const zvPlan *plan, zvDesk desk, const Motion *x, int side, real *const X[3]) {
    const zvModel *m = plan->model;
    const int *parent = plan->rows.parent;
    inverse_derivatives(m, desk, x, side, X);
    const verdict sound = in_derive::ZV_KERNEL(zv_derive_factor)(m->nv, parent, desk, X[2]);
    in_derive::ZV_KERNEL(zv_derive_respond)(m->nv, parent, desk, X[2], X[0], X[1]);
    return sound;
}

/* The same from forces, along with the accelerations (nv x REAL_SIDES). */
static inline verdict derivatives_at_once(const zvModel *m, zvDesk desk, const Motion *x, int side, real *a,
                                          real *const X[3]) {
    const zvTree *t = &m->tree;
    const in_derive::zvLoads loads = side_loads(m, &desk, x, side);
    const real *q = side_of(&desk, t->nq, x->q, side), *v = side_of(&desk, t->nv, x->v, side),
               *tau = side_of(&desk, t->nv, x->a, side);
    real *own = zv_desk_array(&desk, real, t->nv);
    const verdict sound =
        in_derive::ZV_KERNEL(zv_derive_forward)(t, desk, q, v, tau, t->gravity, loads, own, X[0], X[1], X[2]);
    in_derive::ZV_KERNEL(zv_derive_respond)(t->nv, t->dof_parent, desk, X[2], X[0], X[1]);
    for (int i = 0; i < t->nv; i++) a[i * REAL_SIDES + side] = own[i];
    return sound;
}

#endif
