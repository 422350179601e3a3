/* Mass matrix by composite bodies with first and second moments, in body axes.
 *
 * Of a composite that turns about z the momentum per unit rate is f = (-h_y, h_x, 0), n = (-K_xz, -K_yz, K_xx + K_yy).
 * It is known in the joint frame and carried on from there: to the parent, turned with it, and so on; what the joints
 * on the way feel of it are the entries of the matrix.
 *
 * Bodies whose joint axes are parallel may share axes, those of the first joint frame: then momenta are not turned
 * between them, and shifted only where they leave. That is why generated code does not trace
 * dynamics/reduced_columns.h. Operations of M after the same algebra (simplify.h), this kernel and the row
 * composite-reduced: industrial6 119 and 127, ssrms7 191 and 232, chain10 300 and 342, quadruped 427 and 434,
 * humanoid50 4283 and 4515. */
#ifndef ZI_CODEGEN_REDUCED_MASS_H
#define ZI_CODEGEN_REDUCED_MASS_H

#include "codegen/reduced_joint.h"

typedef struct reducedComposite {
    reducedJoint joint;
    turn angle;     /* from the axes shared to the body's */
    real3 offset;   /* from the parent's origin: in the axes shared when it joins, else in the parent's */
    moments inside; /* of the body and what hangs on it, body axes */
    moments shared; /* of what shares axes with it, in these */
} reducedComposite;

/* Joints, angles and offsets of all bodies, in shared axes where they join, and their own moments as the beginning of
 * each composite. */
static inline void reduced_composite_place(const ziReduced *reduced, const unsigned char *joined, reducedComposite *row,
                                           const real *q) {
    row[0].angle = turn_none();
    row[0].inside = row[0].shared = moments_zero();
    for (int i = 1; i < reduced->nb; i++) {
        const ziReducedBody *b = &reduced->body[i];
        reducedComposite *r = &row[i], *up = &row[b->parent];
        reduced_place(reduced, i, q, &r->joint);
        r->angle = joined[i] ? turn_add(up->angle, r->joint.turn_z) : r->joint.turn_z;
        if (r->joint.whole) r->angle = turn_none();
        r->offset = joined[i] ? r3_add(r3_turn(up->angle, r3_of(b->r)), r->joint.p)
                              : r3_add(r3_of(b->r), r33_mul(r33_of(b->E), r->joint.p));
        r->inside = moments_of(b->m, b->h, b->K);
        r->shared = moments_zero();
    }
}

/* Momentum of a composite moving with one column: f = m lin + ang x h, n = h x lin + J ang with J = tr(K) 1 - K.
 * polar: K_xx + K_yy, which turning about z does not change. */
static inline void reduced_momentum(const moments *c, real polar, real3 lin, real3 ang, real3 *f, real3 *n) {
    const real3 J =
        r3((c->yy + c->zz) * ang.x - c->xy * ang.y - c->xz * ang.z,
           (c->xx + c->zz) * ang.y - c->xy * ang.x - c->yz * ang.z, polar * ang.z - c->xz * ang.x - c->yz * ang.y);
    *f = r3_add(r3_scale(c->m, lin), r3_cross(ang, c->h));
    *n = r3_add(r3_cross(c->h, lin), J);
}

/* M of the model += an entry of the reduced freedoms k of a and l of b. */
static inline void reduced_enter(const ziReduced *reduced, const ziReducedBody *a, int k, const ziReducedBody *b, int l,
                                 real x, real *M) {
    const int i = reduced_dof(reduced, a, k), j = reduced_dof(reduced, b, l), n = reduced->model->nv;
    x = reduced_rate(reduced, a, k) * reduced_rate(reduced, b, l) * x;
    M[i * n + j] = M[i * n + j] + x;
    if (a != b || k != l) M[j * n + i] = M[j * n + i] + x;
}

/* A composite handed to the parent. */
static inline void reduced_composite_in(const ziReducedBody *b, int joined, const reducedComposite *r, moments all,
                                        reducedComposite *up) {
    if (joined) {
        up->shared = moments_add(up->shared, moments_shift(r->offset, all));
        return;
    }
    if (r->joint.whole) all = moments_rotate(r->joint.R, all);
    up->inside = moments_add(up->inside, moments_shift(r->offset, moments_place(b->E, all)));
}

/* The column of freedom k of body i, on its way to the ground. */
static inline void reduced_column(const ziReduced *reduced, const unsigned char *joined, const reducedComposite *row,
                                  int i, int k, real3 f, real3 n, real *M) {
    const ziReducedBody *own = &reduced->body[i];
    real3 away = r3_zero(); /* from the origin reached to the one f, n refer to */
    for (int at = i; reduced->body[at].parent; at = reduced->body[at].parent) {
        const ziReducedBody *b = &reduced->body[at], *up = &reduced->body[b->parent];
        const reducedComposite *r = &row[at], *next = &row[b->parent];
        if (joined[at]) {
            away = r3_add(away, r->offset);
        } else {
            const real33 E = r33_of(b->E);
            n = r3_add(n, r3_cross(away, f));
            away = r3_zero();
            if (r->joint.whole) f = r33_mul(r->joint.R, f), n = r33_mul(r->joint.R, n);
            f = r33_mul(E, f);
            n = r3_turn(next->angle, r3_add(r33_mul(E, n), r3_cross(r->offset, f)));
            f = r3_turn(next->angle, f);
        }
        const real3 here = r3_add(n, r3_cross(away, f));
        for (int l = 0; l < up->nv; l++)
            reduced_enter(reduced, own, k, up, l, r3_dot(next->joint.lin[l], f) + r3_dot(next->joint.ang[l], here), M);
    }
}

/* M of the model, full (nv x nv). row: nb. */
static inline void reduced_mass(const ziReduced *reduced, const unsigned char *joined, reducedComposite *row,
                                const real *q, real *M) {
    const int n = reduced->model->nv;
    for (int i = 0; i < n * n; i++) M[i] = 0;
    reduced_composite_place(reduced, joined, row, q);
    for (int i = reduced->nb - 1; i > 0; i--) {
        const ziReducedBody *b = &reduced->body[i];
        const reducedJoint *j = &row[i].joint;
        const moments *inside = &row[i].inside, *shared = &row[i].shared;
        const moments all = moments_add(moments_turn(row[i].angle, *inside), *shared);
        const real polar = (inside->xx + inside->yy) + (shared->xx + shared->yy);
        for (int k = 0; k < b->nv; k++) {
            real3 f, moment;
            reduced_momentum(&all, polar, j->lin[k], j->ang[k], &f, &moment);
            for (int l = 0; l <= k; l++) {
                const real x = r3_dot(j->lin[l], f) + r3_dot(j->ang[l], moment);
                reduced_enter(reduced, b, k, b, l, l == k ? x + reduced->model->tree.armature[b->v + k] : x, M);
            }
            reduced_column(reduced, joined, row, i, k, f, moment, M);
        }
        reduced_composite_in(b, joined[i], &row[i], all, &row[b->parent]);
    }
}

#endif
