/* External forces in lanes: the generalised forces Q = sum J^T fext that they amount to. Questions take Q along with
 * tau; their own recursions do not know of external forces. */
#ifndef ZV_BATCH_EXTERNAL_H
#define ZV_BATCH_EXTERNAL_H

#include "batch/coupling.h"
#include "batch/world.h"

/* Wrenches on links, about the origins of their bodies; P is nb x REAL_SIDES. */
static inline void load_bodies(const zvModel *m, const World *w, const real *fext, force *P) {
    for (int i = 0; i < m->tree.nb * REAL_SIDES; i++) P[i] = force_zero();
    for (int l = 0; l < m->nlink; l++) {
        const zvLinkPlace *place = &m->link_places[l];
        FOR_SIDES(k) {
            const int at = place->body * REAL_SIDES + k;
            real F[6];
            take_side(6, fext + 6 * l * REAL_SIDES, k, F);
            const force wrench = force_of(v3(F[0], F[1], F[2]), v3(F[3], F[4], F[5]));
            const vec3 d = place->body ? m3_mulp(w->at[at].R, place->pose.p) : v3_zero();
            P[at] = force_add(P[at], force_shift(wrench, d));
        }
    }
}

/* Q in tree coordinates. */
static inline void tree_external(const zvModel *m, zvDesk desk, const real *q, const real *fext, real *Q) {
    const zvTree *t = &m->tree;
    const World w = see(t, &desk, all_bodies(t, &desk), q);
    force *P = zv_desk_array(&desk, force, REAL_SIDES * t->nb);
    load_bodies(m, &w, fext, P);
    for (int i = t->nb - 1; i > 0; i--) {
        const zvBody *b = &t->body[i];
        FOR_SIDES(k) {
            const force F = P[i * REAL_SIDES + k];
            force *up = &P[b->parent * REAL_SIDES + k];
            for (int d = b->v; d < b->v + b->nv; d++) Q[d * REAL_SIDES + k] = force_dot(F, column_of(&w, b, i, d, k));
            *up = force_add(*up, force_shift(F, w.at[i * REAL_SIDES + k].r));
        }
    }
}

/* (nv x REAL_SIDES) on the desk, in model coordinates; NULL when there is no fext. */
static inline const real *external(const zvModel *m, zvDesk *desk, const real *q, const real *fext) {
    if (!fext) return NULL;
    real *Q = zv_desk_array(desk, real, REAL_SIDES * m->nv);
    zvDesk rest = *desk;
    const real *tq = tree_q(m, &rest, q);
    real *T = tree_room(m, &rest, Q);
    tree_external(m, rest, tq, fext, T);
    contract(m, 1, T, Q);
    return Q;
}

#endif
