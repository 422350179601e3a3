/* External forces in lanes: the generalised forces Q = sum J^T fext. Q is added to tau; the recursions themselves
 * have no external forces. */
#ifndef ZI_BATCH_EXTERNAL_H
#define ZI_BATCH_EXTERNAL_H

#include "batch/unroll.h"
#include "batch/world.h"

/* Wrenches on links, about the origins of their bodies; P is nb x REAL_UNROLL. */
static inline void load_bodies(const zvModel *m, const World *w, const real *fext, force *P) {
    for (int i = 0; i < m->tree.nb * REAL_UNROLL; i++) P[i] = force_zero();
    for (int l = 0; l < m->nlink; l++) {
        const ziLinkPlace *place = &m->link_places[l];
        FOR_UNROLL(k) {
            const int at = place->body * REAL_UNROLL + k;
            real F[6];
            take_slot(6, fext + 6 * l * REAL_UNROLL, k, F);
            const force wrench = force_of(v3(F[0], F[1], F[2]), v3(F[3], F[4], F[5]));
            const vec3 d = place->body ? m3_mulp(w->at[at].R, place->pose.p) : v3_zero();
            P[at] = force_add(P[at], force_shift(wrench, d));
        }
    }
}

/* Q in tree coordinates. */
static inline void tree_external(const zvModel *m, ziScratch scratch, const real *q, const real *fext, real *Q) {
    const ziTree *t = &m->tree;
    const World w = see(t, &scratch, all_bodies(t, &scratch), q);
    force *P = zi_scratch_array(&scratch, force, REAL_UNROLL * t->nb);
    load_bodies(m, &w, fext, P);
    for (int i = t->nb - 1; i > 0; i--) {
        const ziBody *b = &t->body[i];
        FOR_UNROLL(k) {
            const force F = P[i * REAL_UNROLL + k];
            force *up = &P[b->parent * REAL_UNROLL + k];
            for (int d = b->v; d < b->v + b->nv; d++) Q[d * REAL_UNROLL + k] = force_dot(F, column_of(&w, b, i, d, k));
            *up = force_add(*up, force_shift(F, w.at[i * REAL_UNROLL + k].r));
        }
    }
}

/* (nv x REAL_UNROLL) in scratch memory, in model coordinates; NULL when there is no fext. */
static inline const real *external(const zvModel *m, ziScratch *scratch, const real *q, const real *fext) {
    if (!fext) return NULL;
    real *Q = zi_scratch_array(scratch, real, REAL_UNROLL * m->nv);
    ziScratch rest = *scratch;
    const real *tq = zi_tree_q(m, &rest, q);
    real *T = zi_tree_vector(m, &rest, Q);
    tree_external(m, rest, tq, fext, T);
    zi_contract(m, T, Q);
    return Q;
}

#endif
