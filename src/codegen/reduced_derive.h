/* Derivatives of inverse dynamics: the formulas of docs/derivatives.md, to whose equations the numbers refer, in the
 * axes of reduced_mass.h and with second moments.
 *
 * Beside K = int x x^T dm there is L = 2 int x' x^T dm, x' the velocity relative to the origin's: of one body 2 w~ K,
 * and B of (6) is (0, -p~; 0, tr(L) 1 - L) with p = 2 int x' dm. Seen from the parent's origin, which lies at -r and
 * moves at -r', it is L + p r^T + 2 r' h^T with the h seen from there: Differs from (7) in form only. The factors 2 of
 * (12) to (18) are all in p, L and twice the mean rate. */
#ifndef ZI_CODEGEN_REDUCED_DERIVE_H
#define ZI_CODEGEN_REDUCED_DERIVE_H

#include "codegen/reduced_inverse.h"
#include "codegen/reduced_mass.h"

/* Of a column: psi' (8), psi'' (9) without a x omega, and twice (11). */
typedef struct reducedRate {
    real3 first_lin, first_ang, second_lin, second_ang, mean_lin, mean_ang;
} reducedRate;

/* A body: what is said to be "up" is in the axes of its columns, the rest in its own, and from the inward sweep on of
 * all that hangs on it. */
typedef struct reducedChange {
    reducedJoint joint;
    turn angle;          /* from the axes of its columns to its own */
    real3 offset, drift; /* from the parent's origin, and twice its rate, in the parent's axes */
    real3 up_w, up_a;    /* angular velocity of the parent; acceleration of the origin */
    tensor up_U;         /* of the parent */
    reducedRate rate[ZV_MAX_DOF];
    real3 w, alpha, a;
    tensor U;
    moments inside;
    real3 p, F, N;
    real33 L;
    real polar, spin; /* K_xx + K_yy and L_xx + L_yy, which turning about z does not change */
} reducedChange;

/* Forces of a column on their way to the ground. */
typedef struct reducedForces {
    real3 P_f, P_n, U_f, U_n, W_f, W_n, z;
} reducedForces;

typedef struct reducedDerivatives {
    real *dq, *dv, *da; /* of the model (nv x nv) */
} reducedDerivatives;

/* -- outward ---------------------------------------------------------------------------------------------------- */

/* How the joint's own columns change: dS, g and g' of (8) to (11), as in derive/joint_change.h. */
typedef struct reducedOwn {
    real3 rate_lin, rate_ang, g_lin, g_ang, second_lin, second_ang;
} reducedOwn;

static inline reducedOwn reduced_own_none(void) {
    reducedOwn x;
    x.rate_lin = x.rate_ang = x.g_lin = x.g_ang = x.second_lin = x.second_ang = r3_zero();
    return x;
}

/* v, a: of the reduced joint. */
static inline reducedOwn reduced_own(const ziReducedBody *b, const reducedJoint *j, int k, const real *v,
                                     const real *a) {
    reducedOwn x = reduced_own_none();
    if (b->type == ZV_JOINT_UNIVERSAL && k == 1) {
        const real3 side = r3_cross(j->ang[0], j->ang[1]);
        x.rate_ang = x.g_ang = r3_scale(v[0], side);
        x.second_ang = r3_add(r3_scale(a[0], side), r3_scale(v[0] * v[0], r3_cross(j->ang[0], side)));
    }
    if (b->type == ZV_JOINT_CURVE) {
        x.rate_lin = x.g_lin = r3_scale(v[0], j->curved);
        x.second_lin = r3_scale(a[0], j->curved);
        if (b->data->path.kind == ZV_CURVE_CIRCLE) {
            const double bend = -1 / (b->data->path.radius * b->data->path.radius);
            x.second_lin = r3_add(x.second_lin, r3_scale(bend * (v[0] * v[0]), j->lin[0]));
        }
    }
    if (zi_joint_columns_ride(b->type)) {
        const real3 w = r3(v[b->nv - 3], v[b->nv - 2], v[b->nv - 1]);
        x.rate_lin = r3_cross(w, j->lin[k]);
        x.rate_ang = r3_cross(w, j->ang[k]);
        if (b->type == ZV_JOINT_FREE) {
            const real3 u = r3(v[0], v[1], v[2]);
            x.g_lin = r3_cross(j->ang[k], u);
            x.second_lin = r3_cross(j->ang[k], r3_add(r3_cross(w, u), r3(a[0], a[1], a[2])));
        }
    }
    return x;
}

/* (8), (9), (11) */
static inline reducedRate reduced_rates(const reducedChange *r, real3 lin, real3 ang, const reducedOwn *own) {
    reducedRate x;
    const real3 w = r->up_w, turned_lin = r3_cross(w, lin), turned_ang = r3_cross(w, ang);
    const real3 lin2 = r3_scale(2, own->g_lin), ang2 = r3_scale(2, own->g_ang);
    x.first_lin = r3_add(turned_lin, own->g_lin);
    x.first_ang = r3_add(turned_ang, own->g_ang);
    x.mean_lin = r3_add(r3_scale(2, turned_lin), r3_add(own->g_lin, own->rate_lin));
    x.mean_ang = r3_add(r3_scale(2, turned_ang), r3_add(own->g_ang, own->rate_ang));
    x.second_lin = r3_add(tensor_mul(&r->up_U, lin), r3_add(r3_cross(w, lin2), own->second_lin));
    x.second_ang = r3_add(tensor_mul(&r->up_U, ang), r3_add(r3_cross(w, ang2), own->second_ang));
    return x;
}

/* From the parent's axes to those of the columns. */
static inline real3 reduced_to_columns(const ziReducedBody *b, const reducedJoint *j, real3 x) {
    x = r33_tmul(r33_of(b->E), x);
    return j->whole ? r33_tmul(j->R, x) : x;
}
static inline real3 reduced_from_columns(const ziReducedBody *b, const reducedJoint *j, real3 x) {
    return r33_mul(r33_of(b->E), j->whole ? r33_mul(j->R, x) : x);
}

/* Outward step of body i: motion of the parent in the axes of the columns (up_*), its own w, alpha, a and U, twice the
 * rate of the offset, and the rates (8), (9), (11) of its columns. */
static inline void reduced_change_move(const ziReduced *reduced, int i, const reducedChange *up, const real *v,
                                       const real *a, reducedChange *r) {
    const ziReducedBody *b = &reduced->body[i];
    const reducedJoint *j = &r->joint;
    real rate[ZV_MAX_DOF], second[ZV_MAX_DOF];
    real3 lin = r3_zero(), ang = r3_zero(), dlin, dang;
    reduced_joint_bias(reduced, i, j, v, &dlin, &dang);
    for (int k = 0; k < b->nv; k++) {
        rate[k] = reduced_v(reduced, b, k, v), second[k] = reduced_v(reduced, b, k, a);
        lin = r3_add(lin, r3_scale(rate[k], j->lin[k]));
        ang = r3_add(ang, r3_scale(rate[k], j->ang[k]));
        dlin = r3_add(dlin, r3_scale(second[k], j->lin[k]));
        dang = r3_add(dang, r3_scale(second[k], j->ang[k]));
    }
    const real3 alpha = reduced_to_columns(b, j, up->alpha);
    r->up_w = reduced_to_columns(b, j, up->w);
    r->up_U = tensor_of(r->up_w, alpha);
    r->up_a = reduced_to_columns(b, j, r3_add(up->a, tensor_mul(&up->U, r->offset)));
    r->up_a = r3_add(r->up_a, r3_add(r3_scale(2, r3_cross(r->up_w, lin)), dlin));
    r->drift = r3_scale(2, r3_add(r3_cross(up->w, r->offset), reduced_from_columns(b, j, lin)));
    const turn back = turn_back(r->angle);
    r->w = r3_turn(back, r3_add(r->up_w, ang));
    r->alpha = r3_turn(back, r3_add(alpha, r3_add(r3_cross(r->up_w, ang), dang)));
    r->a = r3_turn(back, r->up_a);
    r->U = tensor_of(r->w, r->alpha);
    for (int k = 0; k < b->nv; k++) {
        const reducedOwn own = reduced_own(b, j, k, rate, second);
        r->rate[k] = reduced_rates(r, j->lin[k], j->ang[k], &own);
    }
}

/* A body alone: F, N as in reduced_inverse.h. */
static inline void reduced_change_weigh(const ziReducedBody *b, reducedChange *r) {
    const moments own = moments_of(b->m, b->h, b->K);
    const real3 w = r3_scale(2, r->w);
    r->inside = own;
    r->F = r3_add(r3_scale(own.m, r->a), tensor_mul(&r->U, own.h));
    r->N = r3_add(r3_cross(own.h, r->a), tensor_moment(&r->U, &own));
    r->p = r3_cross(w, own.h);
    r->L = r33(r3_cross(w, r3(own.xx, own.xy, own.xz)), r3_cross(w, r3(own.xy, own.yy, own.yz)),
               r3_cross(w, r3(own.xz, own.yz, own.zz)));
}

/* -- matrices that are not symmetric ------------------------------------------------------------------------------ */

/* R L R^T for a turn about z: as turn_plane of components.h, what is not symmetric stays. */
static inline real33 r33_turn_both(turn t, real33 L) {
    const real u = t.s * (L.x.x - L.y.y) + t.c * (L.y.x + L.x.y), su = t.s * u, cu = t.c * u;
    const real3 side = r3_turn(t, L.z);
    return r33(r3(L.x.x - su, cu - L.y.x, t.c * L.x.z - t.s * L.y.z),
               r3(cu - L.x.y, L.y.y + su, t.s * L.x.z + t.c * L.y.z), side);
}

static inline real33 r33_rotate_both(real33 R, real33 L) {
    const real33 A = r33_mulr(R, L);
    real3 column[3];
    const real3 x = r3(R.x.x, R.y.x, R.z.x), y = r3(R.x.y, R.y.y, R.z.y), z = r3(R.x.z, R.y.z, R.z.z); /* rows */
    column[0] = r33_mul(A, x), column[1] = r33_mul(A, y), column[2] = r33_mul(A, z);
    return r33(column[0], column[1], column[2]);
}

/* tr(L) a - L a, and with L^T; spin: L_xx + L_yy */
static inline real3 reduced_spread(real33 L, real spin, real3 a) {
    return r3((L.y.y + L.z.z) * a.x - L.y.x * a.y - L.z.x * a.z, (L.x.x + L.z.z) * a.y - L.x.y * a.x - L.z.y * a.z,
              spin * a.z - L.x.z * a.x - L.y.z * a.y);
}
static inline real3 reduced_spread_back(real33 L, real spin, real3 a) {
    return r3((L.y.y + L.z.z) * a.x - L.x.y * a.y - L.x.z * a.z, (L.x.x + L.z.z) * a.y - L.y.x * a.x - L.y.z * a.z,
              spin * a.z - L.z.x * a.x - L.z.y * a.y);
}

/* -- inward ----------------------------------------------------------------------------------------------------- */

/* Quantities of body i and what hangs on it in the axes of its columns. */
static inline void reduced_change_face(reducedChange *r) {
    r->polar = r->inside.xx + r->inside.yy;
    r->spin = r->L.x.x + r->L.y.y;
    r->inside = moments_turn(r->angle, r->inside);
    r->p = r3_turn(r->angle, r->p);
    r->F = r3_turn(r->angle, r->F);
    r->N = r3_turn(r->angle, r->N);
    r->L = r33_turn_both(r->angle, r->L);
}

/* Handed to the parent: (7). */
static inline void reduced_change_in(const ziReducedBody *b, const reducedChange *r, reducedChange *up) {
    const real33 E = r33_of(b->E);
    moments all = r->inside;
    real33 L = r->L;
    if (r->joint.whole) all = moments_rotate(r->joint.R, all), L = r33_rotate_both(r->joint.R, L);
    all = moments_shift(r->offset, moments_place(b->E, all));
    L = r33_rotate_both(E, L);
    const real3 p = reduced_from_columns(b, &r->joint, r->p), F = reduced_from_columns(b, &r->joint, r->F);
    L.x = r3_add(L.x, r3_add(r3_scale(r->offset.x, p), r3_scale(all.h.x, r->drift)));
    L.y = r3_add(L.y, r3_add(r3_scale(r->offset.y, p), r3_scale(all.h.y, r->drift)));
    L.z = r3_add(L.z, r3_add(r3_scale(r->offset.z, p), r3_scale(all.h.z, r->drift)));
    up->inside = moments_add(up->inside, all);
    up->p = r3_add(up->p, r3_add(p, r3_scale(all.m, r->drift)));
    up->F = r3_add(up->F, F);
    up->N = r3_add(up->N, r3_add(reduced_from_columns(b, &r->joint, r->N), r3_cross(r->offset, F)));
    up->L = r33(r3_add(up->L.x, L.x), r3_add(up->L.y, L.y), r3_add(up->L.z, L.z));
}

/* (12), (13) of freedom k; `displaced` of them is what a rigid displacement makes of F. */
static inline reducedForces reduced_forces(const reducedChange *r, int k) {
    const moments *I_ = &r->inside;
    const reducedRate *x = &r->rate[k];
    const real3 s = r->joint.lin[k], o = r->joint.ang[k], none = r3_zero();
    const real polar = r->polar;
    reducedForces f;
    real3 lin, ang;
    reduced_momentum(I_, polar, s, o, &f.P_f, &f.P_n);
    reduced_momentum(I_, polar, x->mean_lin, x->mean_ang, &lin, &ang);
    f.W_f = r3_add(lin, r3_cross(o, r->p));
    f.W_n = r3_add(ang, reduced_spread(r->L, r->spin, o));
    reduced_momentum(I_, polar, none, x->second_ang, &lin, &ang);
    const real3 still = r3_sub(r->F, r3_scale(I_->m, r->up_a)); /* o x F + m (a x o) = o x still */
    f.U_f =
        r3_add(r3_add(lin, r3_scale(I_->m, x->second_lin)), r3_add(r3_cross(x->first_ang, r->p), r3_cross(o, still)));
    f.U_n = r3_add(r3_add(ang, r3_cross(I_->h, r3_add(r3_cross(r->up_a, o), x->second_lin))),
                   r3_add(reduced_spread(r->L, r->spin, x->first_ang), r3_add(r3_cross(o, r->N), r3_cross(s, r->F))));
    f.z = r3_add(r3_cross(r->p, s), reduced_spread_back(r->L, r->spin, o));
    return f;
}

/* X of the model += an entry: force along freedom l of a, change along freedom k of b. */
static inline void reduced_put(const ziReduced *reduced, const ziReducedBody *a, int l, const ziReducedBody *b, int k,
                               real x, real *X) {
    real *at = X + reduced_dof(reduced, a, l) * reduced->model->nv + reduced_dof(reduced, b, k);
    *at = *at + reduced_rate(reduced, a, l) * reduced_rate(reduced, b, k) * x;
}

static inline real reduced_meet(real3 lin, real3 ang, real3 f, real3 n) { return r3_dot(lin, f) + r3_dot(ang, n); }

/* Entries among the freedoms of one joint: (15), (17). A column that the freedom k carries along is displaced with F.
 */
static inline void reduced_meet_own(const ziReduced *reduced, const ziReducedBody *b, const reducedChange *r, int k,
                                    const reducedForces *f, const reducedDerivatives *out) {
    const reducedJoint *j = &r->joint;
    const real3 o = j->ang[k];
    const real3 moved_f = r3_cross(o, r->F), moved_n = r3_add(r3_cross(o, r->N), r3_cross(j->lin[k], r->F));
    const int rides = zi_joint_columns_ride(b->type);
    for (int l = 0; l < b->nv; l++) {
        real q = reduced_meet(j->lin[l], j->ang[l], f->U_f, f->U_n);
        const real m = reduced_meet(j->lin[l], j->ang[l], f->P_f, f->P_n);
        if (b->nv > 1 && (rides || l > k)) q = q - reduced_meet(j->lin[l], j->ang[l], moved_f, moved_n);
        if (b->type == ZV_JOINT_CURVE) q = q + r3_dot(j->curved, r->F);
        reduced_put(reduced, b, l, b, k, q, out->dq);
        reduced_put(reduced, b, l, b, k, reduced_meet(j->lin[l], j->ang[l], f->W_f, f->W_n), out->dv);
        reduced_put(reduced, b, l, b, k, l == k ? m + reduced->model->tree.armature[b->v + k] : m, out->da);
    }
}

/* With the freedoms of an ancestor: (15) to (18). */
static inline void reduced_meet_above(const ziReduced *reduced, const ziReducedBody *b, int k,
                                      const ziReducedBody *above, const reducedChange *r, const reducedForces *f,
                                      const reducedDerivatives *out) {
    for (int l = 0; l < above->nv; l++) {
        const real3 s = r->joint.lin[l], o = r->joint.ang[l];
        const reducedRate *x = &r->rate[l];
        const real m = reduced_meet(s, o, f->P_f, f->P_n);
        const real3 second = r3_add(x->second_lin, r3_cross(r->up_a, o));
        reduced_put(reduced, above, l, b, k, reduced_meet(s, o, f->U_f, f->U_n), out->dq);
        reduced_put(reduced, above, l, b, k, reduced_meet(s, o, f->W_f, f->W_n), out->dv);
        reduced_put(reduced, above, l, b, k, m, out->da);
        reduced_put(reduced, b, k, above, l, m, out->da);
        reduced_put(reduced, b, k, above, l,
                    reduced_meet(second, x->second_ang, f->P_f, f->P_n) + r3_dot(x->first_ang, f->z), out->dq);
        reduced_put(reduced, b, k, above, l, reduced_meet(x->mean_lin, x->mean_ang, f->P_f, f->P_n) + r3_dot(o, f->z),
                    out->dv);
    }
}

/* A force from the columns' axes of a body to those of its parent. */
static inline void reduced_force_in(const ziReducedBody *b, const reducedChange *r, turn next, real3 *f, real3 *n) {
    const real3 there = reduced_from_columns(b, &r->joint, *f);
    *n = r3_turn(next, r3_add(reduced_from_columns(b, &r->joint, *n), r3_cross(r->offset, there)));
    *f = r3_turn(next, there);
}

static inline void reduced_forces_in(const ziReducedBody *b, const reducedChange *r, turn next, reducedForces *f) {
    const real3 P = reduced_from_columns(b, &r->joint, f->P_f);
    f->z = r3_turn(next, r3_add(reduced_from_columns(b, &r->joint, f->z), r3_cross(r->drift, P)));
    reduced_force_in(b, r, next, &f->P_f, &f->P_n);
    reduced_force_in(b, r, next, &f->U_f, &f->U_n);
    reduced_force_in(b, r, next, &f->W_f, &f->W_n);
}

/* Outward sweep: placement, motion and the body's own F, N, p, L; the ground accelerates at -gravity. */
static inline void reduced_change_outward(const ziReduced *reduced, reducedChange *row, const real *q, const real *v,
                                          const real *a) {
    const double *g = reduced->gravity;
    row[0].angle = turn_none();
    row[0].w = row[0].alpha = row[0].F = row[0].N = row[0].p = r3_zero();
    row[0].a = r3(-g[0], -g[1], -g[2]);
    row[0].U = tensor_of(row[0].w, row[0].alpha);
    row[0].inside = moments_zero();
    row[0].L = r33(r3_zero(), r3_zero(), r3_zero());
    for (int i = 1; i < reduced->nb; i++) {
        const ziReducedBody *b = &reduced->body[i];
        reducedChange *r = &row[i];
        reduced_place(reduced, i, q, &r->joint);
        r->angle = r->joint.whole ? turn_none() : r->joint.turn_z;
        r->offset = r3_add(r3_of(b->r), r33_mul(r33_of(b->E), r->joint.p));
        reduced_change_move(reduced, i, &row[b->parent], v, a, r);
        reduced_change_weigh(b, r);
    }
}

/* dq, dv, da of inverse dynamics. row: nb. */
static inline void reduced_derive(const ziReduced *reduced, reducedChange *row, const real *q, const real *v,
                                  const real *a, const reducedDerivatives *out) {
    const int n = reduced->model->nv;
    for (int i = 0; i < n * n; i++) out->dq[i] = out->dv[i] = out->da[i] = 0;
    reduced_change_outward(reduced, row, q, v, a);
    for (int i = reduced->nb - 1; i > 0; i--) {
        const ziReducedBody *b = &reduced->body[i];
        reduced_change_face(&row[i]);
        for (int k = 0; k < b->nv; k++) {
            reducedForces f = reduced_forces(&row[i], k);
            reduced_meet_own(reduced, b, &row[i], k, &f, out);
            for (int at = i, up; (up = reduced->body[at].parent) > 0; at = up) {
                reduced_forces_in(&reduced->body[at], &row[at], row[up].angle, &f);
                reduced_meet_above(reduced, b, k, &reduced->body[up], &row[up], &f, out);
            }
        }
        if (b->parent > 0) reduced_change_in(b, &row[i], &row[b->parent]);
    }
}

/* Forces of rest (nv) from what reduced_derive left in row: all that hangs on a body is weighed at once. */
static inline void reduced_weight(const ziReduced *reduced, reducedChange *row, real *tau) {
    for (int i = 0; i < reduced->model->nv; i++) tau[i] = 0;
    for (int i = 1; i < reduced->nb; i++) {
        const ziReducedBody *b = &reduced->body[i];
        reducedChange *r = &row[i];
        const real3 up = reduced_to_columns(b, &r->joint, row[b->parent].a);
        const real3 f = r3_scale(r->inside.m, up), n = r3_cross(r->inside.h, up);
        r->a = r3_turn(turn_back(r->angle), up);
        for (int k = 0; k < b->nv; k++)
            reduced_give(reduced, b, k, reduced_meet(r->joint.lin[k], r->joint.ang[k], f, n), tau);
    }
}

#endif
