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
    placed at;
    rigid I_;
} Row;

_Static_assert(sizeof(Row) <= ZV_DESK_PER_BODY && sizeof(motion) + 16 <= ZV_DESK_PER_COORDINATE, "desk too small");

/* Inertia times a column, with its zeros. */
static inline force momentum_of(const zvBody *b, const rigid *I_, const motion *S) {
    if (b->type == ZV_REVOLUTE) return force_of(v3_cross(S->ang, I_->h), m3_mulv(I_->J, S->ang));
    if (b->type == ZV_PRISMATIC) return force_of(v3_scale(I_->m, S->lin), v3_cross(I_->h, S->lin));
    return rigid_mul(I_, *S);
}

/* F against the columns of body b: entries (d, b's dofs) and their mirror images. */
static inline void meet(const zvBody *b, force F, const motion *S, int nv, int d, double *restrict M) {
    double *row = M + (size_t)d * (size_t)nv + b->v, *mirror = M + (size_t)b->v * (size_t)nv + d;
    if (b->type == ZV_REVOLUTE) {
        *row = *mirror = v3_dot(F.ang, S[b->v].ang);
    } else if (b->type == ZV_PRISMATIC) {
        *row = *mirror = v3_dot(F.lin, S[b->v].lin);
    } else {
        for (int k = 0; k < b->nv; k++) row[k] = mirror[(size_t)k * (size_t)nv] = force_dot(F, S[b->v + k]);
    }
}

/* Column d of body i against the columns of i and of all its ancestors. */
static inline void fill_column(const zvTree *t, const Row *row, const motion *S, int i, int d, double *restrict M) {
    force F = momentum_of(&t->body[i], &row[i].I_, &S[d]);
    meet(&t->body[i], F, S, t->nv, d, M);
    M[(size_t)d * (size_t)t->nv + d] += t->armature[d];
    for (int at = i, up = t->body[i].parent; up; at = up, up = t->body[up].parent) {
        F = force_shift(F, row[at].at.r);
        meet(&t->body[up], F, S, t->nv, d, M);
    }
}

void ZV_KERNEL(zv_composite)(const zvTree *t, zvDesk desk, const double *q, double *M) {
    double *s = zv_desk_doubles(&desk, t->nq), *c = zv_desk_doubles(&desk, t->nq);
    Row *row = zv_desk_take(&desk, (size_t)t->nb * sizeof *row);
    motion *S = zv_desk_take(&desk, (size_t)t->nv * sizeof *S);
    sincos_array(t->nq, q, s, c);
    row[0].at.R = m3_identity();
    for (int i = 1; i < t->nb; i++) {
        const zvBody *b = &t->body[i];
        place_body(b, &row[b->parent].at.R, q + b->q, s + b->q, c + b->q, &row[i].at, S + b->v);
        row[i].I_ = world_inertia(b, row[i].at.R);
    }
    memset(M, 0, (size_t)t->nv * (size_t)t->nv * sizeof *M);
    for (int i = t->nb - 1; i > 0; i--) {
        const zvBody *b = &t->body[i];
        for (int d = b->v; d < b->v + b->nv; d++) fill_column(t, row, S, i, d, M);
        if (b->parent) rigid_add_shifted(&row[b->parent].I_, &row[i].I_, row[i].at.r);
    }
}
