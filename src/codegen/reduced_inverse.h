/* Inverse dynamics by Newton-Euler in body axes, with second moments.
 *
 * U = alpha~ + w~ w~ once per body: a point at x is accelerated by a + U x. Then with first and second moments h, K
 *   F = m a + U h,   N = h x a + vee(U K),   vee(A) = (A_zy - A_yz, A_xz - A_zx, A_yx - A_xy),
 * which takes fewer products than J alpha + w x J w where K has zeros.
 *
 * Bodies whose joint axes are parallel may share axes, those of the last of them: angular velocities then differ in z
 * only, and nothing is turned between them. That is why generated code does not trace dynamics/reduced_inverse.h, whose
 * step per form of link transform the tape would not need either. Operations after the same algebra (simplify.h), this
 * kernel and the row newton-euler-reduced: industrial6 318 and 319, puma560 343 and 348, ssrms7 372 and 377, quadruped
 * 955 and 967, humanoid50 3169 and 3195. */
#ifndef ZI_CODEGEN_REDUCED_INVERSE_H
#define ZI_CODEGEN_REDUCED_INVERSE_H

#include "codegen/reduced_joint.h"

typedef struct tensor {
    real xx, yy, zz; /* squares of the angular velocity: U_xx = -(yy + zz), U_yy - U_xx = yy - xx, ... */
    real Uxy, Uyx, Uxz, Uzx, Uyz, Uzy;
} tensor;

typedef struct reducedMotion {
    reducedJoint joint;
    turn tail;    /* from the body's axes to those of the last one that shares axes with it */
    turn through; /* from the joint frame to them */
    real3 w, alpha, a;
    tensor U;
    real3 F, N;
} reducedMotion;

static inline tensor tensor_of(real3 w, real3 alpha) {
    tensor U;
    const real xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
    U.xx = w.x * w.x, U.yy = w.y * w.y, U.zz = w.z * w.z;
    U.Uxy = xy - alpha.z, U.Uyx = xy + alpha.z;
    U.Uxz = xz + alpha.y, U.Uzx = xz - alpha.y;
    U.Uyz = yz - alpha.x, U.Uzy = yz + alpha.x;
    return U;
}

static inline real3 tensor_mul(const tensor *U, real3 h) {
    return r3(U->Uxy * h.y + U->Uxz * h.z - (U->yy + U->zz) * h.x, U->Uyx * h.x + U->Uyz * h.z - (U->xx + U->zz) * h.y,
              U->Uzx * h.x + U->Uzy * h.y - (U->xx + U->yy) * h.z);
}

/* vee(U K) */
static inline real3 tensor_moment(const tensor *U, const moments *K) {
    return r3(U->Uzy * K->yy - U->Uyz * K->zz + (U->Uzx * K->xy - U->Uyx * K->xz) + (U->zz - U->yy) * K->yz,
              U->Uxz * K->zz - U->Uzx * K->xx + (U->Uxy * K->yz - U->Uzy * K->xy) + (U->xx - U->zz) * K->xz,
              U->Uyx * K->xx - U->Uxy * K->yy + (U->Uyz * K->xz - U->Uxz * K->yz) + (U->yy - U->xx) * K->xy);
}

/* Angles between axes, from the last body of those that share axes to the first. joined: see reducedTask. */
static inline void reduced_tails(const ziReduced *reduced, const unsigned char *joined, reducedMotion *row) {
    for (int i = 0; i < reduced->nb; i++) row[i].tail = turn_none();
    for (int i = reduced->nb - 1; i > 0; i--) {
        row[i].through = turn_add(row[i].joint.turn_z, row[i].tail);
        if (joined[i]) row[reduced->body[i].parent].tail = row[i].through;
    }
}

/* From the axes used for a joint's columns to those of the body's quantities. */
static inline real3 reduced_axes(const reducedMotion *r, real3 a) {
    return r->joint.whole ? a : r3_turn(turn_back(r->through), a);
}

/* From the parent's origin to the body's, in the axes of the parent's quantities. One vector: what the joint moved may
 * nearly make up for the constant part. */
static inline real3 reduced_transform(const ziReducedBody *b, int joined, const reducedMotion *up,
                                      const reducedMotion *r) {
    const turn back = turn_back(up->tail);
    if (joined) return r3_add(r3_turn(back, r3_of(b->r)), r->joint.p);
    return r3_turn(back, r3_add(r3_of(b->r), r33_mul(r33_of(b->E), r->joint.p)));
}

/* Motion of the parent where the body's origin is, in the axes of body i. */
static inline void reduced_carry_out(const ziReducedBody *b, int joined, const reducedMotion *up, reducedMotion *r) {
    r->w = up->w;
    r->alpha = up->alpha;
    r->a = r3_add(up->a, tensor_mul(&up->U, reduced_transform(b, joined, up, r)));
    if (joined) return;
    real3 *vectors[3] = {&r->w, &r->alpha, &r->a};
    for (int k = 0; k < 3; k++) {
        const real3 x = r33_tmul(r33_of(b->E), r3_turn(up->tail, *vectors[k]));
        *vectors[k] = r->joint.whole ? r33_tmul(r->joint.R, x) : r3_turn(turn_back(r->through), x);
    }
}

/* Adds what the joint does. [Vereshchagin] a = C a_parent + S qdd + a', origin by origin. */
static inline void reduced_move(const ziReduced *reduced, int i, const real *v, const real *a, reducedMotion *r) {
    const ziReducedBody *b = &reduced->body[i];
    const reducedJoint *j = &r->joint;
    real3 lin = r3_zero(), ang = r3_zero(), dlin, dang;
    reduced_joint_bias(reduced, i, j, v, &dlin, &dang);
    for (int k = 0; k < b->nv; k++) {
        const real rate = reduced_v(reduced, b, k, v), second = reduced_v(reduced, b, k, a);
        lin = r3_add(lin, r3_scale(rate, j->lin[k]));
        ang = r3_add(ang, r3_scale(rate, j->ang[k]));
        dlin = r3_add(dlin, r3_scale(second, j->lin[k]));
        dang = r3_add(dang, r3_scale(second, j->ang[k]));
    }
    lin = reduced_axes(r, lin);
    const real3 carried = r3_scale(2, r3_cross(r->w, lin));
    r->a = r3_add(r->a, r3_add(carried, reduced_axes(r, dlin)));
    r->alpha = r3_add(r->alpha, r3_add(r3_cross(r->w, ang), dang)); /* ang: along z, or in the body's axes */
    r->w = r3_add(r->w, ang);
    r->U = tensor_of(r->w, r->alpha);
}

/* Force and moment that the body's own motion needs, about its origin. */
static inline void reduced_weigh(const ziReducedBody *b, reducedMotion *r) {
    const moments own = moments_turn(turn_back(r->tail), moments_of(b->m, b->h, b->K));
    r->F = r3_add(r3_scale(own.m, r->a), tensor_mul(&r->U, own.h));
    r->N = r3_add(r3_cross(own.h, r->a), tensor_moment(&r->U, &own));
}

/* Force and moment through the joint, handed to the parent. */
static inline void reduced_carry_in(const ziReducedBody *b, int joined, const reducedMotion *r, reducedMotion *up) {
    const turn back = turn_back(up->tail);
    real3 F = r->F, N = r->N;
    if (!joined) {
        const real33 E = r33_of(b->E);
        F = r33_mul(E, r->joint.whole ? r33_mul(r->joint.R, F) : r3_turn(r->through, F));
        N = r33_mul(E, r->joint.whole ? r33_mul(r->joint.R, N) : r3_turn(r->through, N));
        const real3 offset = r3_add(r3_of(b->r), r33_mul(E, r->joint.p));
        N = r3_turn(back, r3_add(N, r3_cross(offset, F)));
        F = r3_turn(back, F);
    } else {
        N = r3_add(N, r3_cross(reduced_transform(b, joined, up, r), F));
    }
    up->F = r3_add(up->F, F);
    up->N = r3_add(up->N, N);
}

/* tau of the model (nv); v, a NULL: zero. row: nb. */
static inline void reduced_inverse(const ziReduced *reduced, const unsigned char *joined, reducedMotion *row,
                                   const real *q, const real *v, const real *a, real *tau) {
    const double *g = reduced->gravity;
    for (int i = 1; i < reduced->nb; i++) reduced_place(reduced, i, q, &row[i].joint);
    row[0].joint.turn_z = turn_none();
    reduced_tails(reduced, joined, row);
    row[0].w = row[0].alpha = row[0].F = row[0].N = r3_zero();
    row[0].a = r3(-g[0], -g[1], -g[2]);
    row[0].U = tensor_of(row[0].w, row[0].alpha);
    for (int i = 1; i < reduced->nb; i++) {
        const ziReducedBody *b = &reduced->body[i];
        reduced_carry_out(b, joined[i], &row[b->parent], &row[i]);
        reduced_move(reduced, i, v, a, &row[i]);
        reduced_weigh(b, &row[i]);
    }
    for (int i = 0; i < reduced->model->nv; i++) tau[i] = 0;
    for (int i = reduced->nb - 1; i > 0; i--) {
        const ziReducedBody *b = &reduced->body[i];
        const reducedMotion *r = &row[i];
        for (int k = 0; k < b->nv; k++) {
            const real force = r3_dot(reduced_axes(r, r->joint.lin[k]), r->F) + r3_dot(r->joint.ang[k], r->N);
            reduced_give(reduced, b, k, force + reduced->model->tree.armature[b->v + k] * reduced_v(reduced, b, k, a),
                         tau);
        }
        reduced_carry_in(b, joined[i], r, &row[b->parent]);
    }
}

#endif
