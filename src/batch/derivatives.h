/* Derivatives in lanes: the kernels of src/derive, which are those of single states too, on one slot of a group at a
 * time. Matrices are those of one slot, in model coordinates; NULL: not wanted. */
#ifndef ZI_BATCH_DERIVATIVES_H
#define ZI_BATCH_DERIVATIVES_H

#include "batch/questions.h"
#include "batch/world.h"

static_assert(REAL_UNROLL > 1,
              "the scratch has capacity for three matrices of a group: of a slot, three and their tree's");

/* What is differentiated: arrays of a group in scratch memory. */
struct Motion {
    const real *q, *v;  /* of the tree */
    const real *a;      /* of the tree; or forces: forward dynamics without coupled joints */
    const real *fext;   /* NULL: none; */
    const World *world; /* then the bodies are here */
};

static inline const real *side_of(ziScratch *scratch, int count, const real *x, int slot) {
    if (!x) return NULL;
    real *own = zi_scratch_array(scratch, real, count);
    take_slot(count, x, slot, own);
    return own;
}

/* External forces at the origins of bodies, and K of eq. (14) of docs/derivatives.md: -n~ - d~ f~ of a force d away. */
static inline in_derive::ziLoads side_loads(const zvModel *m, ziScratch *scratch, const Motion *x, int slot) {
    if (!x->fext) return {NULL, NULL};
    force *P = zi_scratch_array(scratch, force, m->tree.nb);
    mat3 *K = zi_scratch_array(scratch, mat3, m->tree.nb);
    for (int i = 0; i < m->tree.nb; i++) {
        P[i] = force_zero();
        K[i] = m3_skew(v3_zero());
    }
    for (int l = 0; l < m->nlink; l++) {
        const ziLinkPlace *place = &m->link_places[l];
        if (!place->body) continue; /* the ground stays */
        real F[6];
        take_slot(6, x->fext + 6 * l * REAL_UNROLL, slot, F);
        const force f = force_of(v3(F[0], F[1], F[2]), v3(F[3], F[4], F[5]));
        const vec3 d = m3_mulp(x->world->at[place->body * REAL_UNROLL + slot].R, place->pose.p);
        const mat3 turned = in_derive::subtract_cross_cross(m3_skew(v3_neg(f.ang)), d, f.lin);
        P[place->body] = force_add(P[place->body], force_shift(f, d));
        K[place->body] = m3_add(K[place->body], turned);
    }
    return {(const real *)P, (const real *)K};
}

/* d tau/d (q, v, a) */
static inline void inverse_derivatives(const zvModel *m, ziScratch scratch, const Motion *x, int slot,
                                       real *const X[3]) {
    const ziTree *t = &m->tree;
    const in_derive::ziLoads loads = side_loads(m, &scratch, x, slot);
    const real *q = side_of(&scratch, t->nq, x->q, slot), *v = side_of(&scratch, t->nv, x->v, slot),
               *a = side_of(&scratch, t->nv, x->a, slot);
    real *T[3] = {X[0], X[1], X[2]};
    for (int i = 0; i < 3 && m->coupling.count; i++)
        if (X[i]) T[i] = zi_scratch_array(&scratch, real, (size_t)t->nv * (size_t)t->nv);
    in_derive::ZI_KERNEL(zi_derive_inverse)(t, scratch, q, v, a, t->gravity, loads, T[0], T[1], T[2]);
    for (int i = 0; i < 3; i++)
        if (X[i]) zi_contract_matrix(m, T[i], X[i]);
}

/* d a/d (q, v, tau), the last of which is always wanted, from accelerations that were solved for before. */
static inline real_ok derivatives_apart(const ziPlan *plan, ziScratch scratch, const Motion *x, int slot,
                                        real *const X[3]) {
    const zvModel *m = plan->model;
    const int *parent = plan->rows.parent;
    inverse_derivatives(m, scratch, x, slot, X);
    const real_ok ok = in_derive::ZI_KERNEL(zi_tree_factor)(m->nv, parent, scratch, X[2]);
    in_derive::ZI_KERNEL(zi_tree_respond)(m->nv, parent, scratch, X[2], X[0], X[1]);
    return ok;
}

/* M^-1, and -M^-1 X for both X (or NULL), by sweeps: long paths. */
static inline real_ok by_sweeps(const zvModel *m, ziScratch scratch, const real *tree_q, int slot, real *X0, real *X1,
                                real *Minv) {
    const real *q = side_of(&scratch, m->tree.nq, tree_q, slot);
    in_articulated::Subtrees s;
    const real_ok ok = in_articulated::prepare_subtrees(&m->tree, &scratch, q, &s);
    in_articulated::answer_subtrees(&s, X0, X1, Minv);
    return ok;
}

/* d a/d (q, v, tau) with it, from accelerations that were solved for before. */
static inline real_ok derivatives_by_sweeps(const zvModel *m, ziScratch scratch, const Motion *x, int slot,
                                            real *const X[3]) {
    real *const both[3] = {X[0], X[1], NULL};
    inverse_derivatives(m, scratch, x, slot, both);
    return by_sweeps(m, scratch, x->q, slot, X[0], X[1], X[2]);
}

/* The same from forces, along with the accelerations (nv x REAL_UNROLL). */
static inline real_ok derivatives_at_once(const zvModel *m, ziScratch scratch, const Motion *x, int slot, real *a,
                                          real *const X[3]) {
    const ziTree *t = &m->tree;
    const in_derive::ziLoads loads = side_loads(m, &scratch, x, slot);
    const real *q = side_of(&scratch, t->nq, x->q, slot), *v = side_of(&scratch, t->nv, x->v, slot),
               *tau = side_of(&scratch, t->nv, x->a, slot);
    real *own = zi_scratch_array(&scratch, real, t->nv);
    const real_ok ok =
        in_derive::ZI_KERNEL(zi_derive_forward)(t, scratch, q, v, tau, t->gravity, loads, own, X[0], X[1], X[2]);
    in_derive::ZI_KERNEL(zi_tree_respond)(t->nv, t->dof_parent, scratch, X[2], X[0], X[1]);
    for (int i = 0; i < t->nv; i++) a[i * REAL_UNROLL + slot] = own[i];
    return ok;
}

#endif
