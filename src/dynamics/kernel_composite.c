/* Mass matrix by composite bodies (Stepanenko's idea), O(n depth). World axes, each body about its own origin, so that
 * carrying a composite body or a force to the parent is a shift and no rotation.
 *
 *   outward  rotations, offsets r, columns S, inertias turned into world axes
 *   inward   composite inertia of the subtree about the body's origin;  F_j = I S_j,  M_jj' = S_j'^T F_j,
 *            then F_j is shifted from ancestor to ancestor and met with each one's columns */
#include "dynamics/kernels.h"
#include "kinematics/outward.h"
#include "real/sincos.h"

typedef struct Row {
    mat3 R;
    vec3 r;
    rigid I_;
} Row;

_Static_assert(sizeof(Row) <= ZV_DESK_PER_BODY && sizeof(motion) + 16 <= ZV_DESK_PER_COORDINATE, "desk too small");

/* Inertia times a column, with its zeros. */
static inline force momentum_of(const zvBody *b, const rigid *I_, const motion *S) {
    if (b->type == ZV_REVOLUTE) return force_of(v3_cross(S->ang, I_->h), s3_mulv(I_->J, S->ang));
    if (b->type == ZV_PRISMATIC) return force_of(v3_scale(I_->m, S->lin), v3_cross(I_->h, S->lin));
    return rigid_mul(*I_, *S);
}

static inline real meet(const zvBody *b, force F, const motion *S) {
    if (b->type == ZV_REVOLUTE) return v3_dot(F.ang, S->ang);
    if (b->type == ZV_PRISMATIC) return v3_dot(F.lin, S->lin);
    return force_dot(F, *S);
}

static inline void put(double *M, int nv, int i, int j, real x) {
    M[(size_t)i * (size_t)nv + (size_t)j] = x;
    M[(size_t)j * (size_t)nv + (size_t)i] = x;
}

/* Column d of body i against the columns of i up to d and of all its ancestors. */
static inline void fill_column(const zvTree *t, const Row *row, const motion *S, int i, int d, double *M) {
    const zvBody *b = &t->body[i];
    force F = momentum_of(b, &row[i].I_, &S[d]);
    for (int k = b->v; k <= d; k++) put(M, t->nv, d, k, meet(b, F, &S[k]) + (k == d ? t->armature[d] : 0));
    for (int at = i; b->parent; at = t->body[at].parent, b = &t->body[at]) {
        F = force_shift(F, row[at].r);
        const zvBody *up = &t->body[b->parent];
        for (int k = up->v; k < up->v + up->nv; k++) put(M, t->nv, d, k, meet(up, F, &S[k]));
    }
}

void ZV_KERNEL(zv_composite)(const zvTree *t, zvDesk desk, const double *q, double *M) {
    double *s = zv_desk_doubles(&desk, t->nq), *c = zv_desk_doubles(&desk, t->nq);
    Row *row = zv_desk_take(&desk, (size_t)t->nb * sizeof *row);
    motion *S = zv_desk_take(&desk, (size_t)t->nv * sizeof *S);
    sincos_array(t->nq, q, s, c);
    row[0].R = m3_identity();
    for (int i = 1; i < t->nb; i++) {
        const zvBody *b = &t->body[i];
        placed f = place_body(b, row[b->parent].R, q + b->q, s + b->q, c + b->q, S + b->v);
        row[i].R = f.R;
        row[i].r = f.r;
        row[i].I_ = world_inertia(b, f.R);
    }
    memset(M, 0, (size_t)t->nv * (size_t)t->nv * sizeof *M);
    for (int i = t->nb - 1; i > 0; i--) {
        const zvBody *b = &t->body[i];
        for (int d = b->v; d < b->v + b->nv; d++) fill_column(t, row, S, i, d, M);
        if (b->parent) row[b->parent].I_ = rigid_add(row[b->parent].I_, rigid_shift(row[i].I_, row[i].r));
    }
}
