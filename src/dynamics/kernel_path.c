/* Mass matrix, forces and inverse dynamics by the screw path matrix, [Liu] (17)-(33), for trees and joints of any type.
 *
 * Body axes. The path matrix T^ has the blocks T_ji A^^(ji), T_ji = -1 when joint j lies between ground and body i.
 * With P = -k T^, whose block of joint j and body i is k_j A^^(ji), and Phi_i the inertia of body i about O_i:
 *
 *   v = P^T dq/dt                                                    (25)
 *   M = P Phi P^T                                                    (32), A
 *   forces at a = 0:  P {Phi dP^T/dt dq/dt + v~ Phi v - F^g}         (33), -B without springs, dampers and drives
 *   joint wrenches:   F_j = sum over bodies i beyond joint j of A^^(ji) (dQ_i/dt + v~_i Q_i - F^g_i)     (28)
 *
 * A row of T^ lives as long as its body is looked at: it is built by the chain rule (7) on the way from the body to the
 * ground, so that memory is O(n). Rates of screws are those of their components, not true accelerations of origins.
 *
 * Corrected: T_ji = -1 where the text has +1 on the diagonal; with +1 weight would act upwards.
 * Differs: v_{i/j} in dP/dt is the sum over the joints between j and i instead of the difference v_i - A^^(ji)^T v_j;
 * k_j may move in the axes of its body (universal, planar, curve), which adds its own rate to d(kT)/dt. */
#include <assert.h>
#include <string.h>

#include "dynamics/kernel_screw.h"
#include "dynamics/kernels.h"
#include "kinematics/joint.h"
#include "real/sincos.h"

/* A body as its parent sees it. */
typedef struct PathBody {
    mat3 R;     /* to the parent's axes: A^(ij) */
    vec3 r;     /* origin there */
    motion own; /* dk/dt dq/dt, body axes */
    screw step; /* A^^(ji): to the parent's screws and back */
} PathBody;

typedef struct Paths {
    PathBody *seat; /* nb */
    motion *k;      /* nv: columns in body axes; left alone for revolute and prismatic joints */
    motion *P;      /* nv: blocks of P^T of the body being looked at, its axes */
    screw *X;       /* nb: A^^(ij) of it for all j between it and the ground */
} Paths;

static_assert(sizeof(PathBody) + sizeof(screw) + sizeof(force) + sizeof(vec3) + sizeof(mat3) <= ZI_SCRATCH_PER_BODY &&
                  2 * sizeof(motion) + 4 * sizeof(real) <= ZI_SCRATCH_PER_COORDINATE,
              "scratch too small");

/* Whether the columns of a joint move in the axes of its body. */
static inline bool axes_move(const ziBody *b) { return !zi_joint_types[b->type].constant_in_body; }

/* sum dk v: what the columns do besides turning with the body, R^T (dS v - w x S v). */
static inline motion rate_of_axes(const ziBody *b, const real *q, const real *v, const joint *j) {
    motion rel = motion_zero(), rate = joint_bias(b, q, v, j);
    for (int n = 0; n < b->nv; n++) rel = motion_axpy(v[n], j->S[n], rel);
    return motion_of(m3_tmulv(j->R, v3_sub(rate.lin, v3_cross(rel.ang, rel.lin))), m3_tmulv(j->R, rate.ang));
}

/* A joint other than revolute and prismatic; v NULL: its rates are not asked for. */
static ZI_COLD void seat_general(const ziBody *b, const real *q, const real *s, const real *c, const real *v,
                                 PathBody *seat, motion *k) {
    joint j;
    joint_place(b, q, s, c, &j);
    const mat3 E = m3_of12(b->E), one = m3_identity();
    const vec3 unit[3] = {one.x, one.y, one.z};
    seat->R = m3_mul(E, j.R);
    seat->r = m3_mulv_add(E, j.p, v3_of4(b->r));
    seat->own = v && axes_move(b) ? rate_of_axes(b, q, v, &j) : motion_zero();
    for (int n = 0; n < b->nv; n++) {
        if (zi_joint_columns_ride(b->type)) { /* velocities along the body's own axes */
            const bool slides = zi_joint_slides(b->type, n);
            k[n] = slides ? motion_of(unit[n], v3_zero()) : motion_of(v3_zero(), unit[n % 3]);
        } else {
            k[n] = motion_of(m3_tmulv(j.R, j.S[n].lin), m3_tmulv(j.R, j.S[n].ang));
        }
    }
}

/* Rotation and origin of a body in its parent. Revolute and prismatic joints, whose columns are the z axis, leave k
 * alone. */
static inline void seat_body(const ziBody *b, const real *q, const real *s, const real *c, const real *v,
                             PathBody *seat, motion *k) {
    const mat3 E = m3_of12(b->E);
    if (b->type == ZV_JOINT_REVOLUTE) {
        seat->R = m3_turn_z(E, s[0], c[0]);
        seat->r = v3_of4(b->r);
    } else if (b->type == ZV_JOINT_PRISMATIC) {
        seat->R = E;
        seat->r = v3_axpy(q[0], E.z, v3_of4(b->r));
    } else {
        seat_general(b, q, s, c, v, seat, k);
    }
}

/* Kinematics, and then the screw matrices of neighbours. */
static Paths paths_of(const ziTree *t, ziScratch *scratch, const real *q, const real *v) {
    real *s = zi_scratch_array(scratch, real, t->nq), *c = zi_scratch_array(scratch, real, t->nq);
    Paths p;
    p.seat = zi_scratch_array(scratch, PathBody, t->nb);
    p.k = zi_scratch_array(scratch, motion, t->nv);
    p.P = zi_scratch_array(scratch, motion, t->nv);
    p.X = zi_scratch_array(scratch, screw, t->nb);
    sincos_array(t->nq, q, s, c);
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        seat_body(b, q + b->q, s + b->q, c + b->q, v ? v + b->v : NULL, &p.seat[i], p.k + b->v);
    }
    real_stage();
    for (int i = 1; i < t->nb; i++) p.seat[i].step = screw_inverse(screw_of(p.seat[i].R, p.seat[i].r));
    return p;
}

/* Block of P^T of a dof of body b; of a joint with one axis it is a row of A^^(ji), mu = 3(2 - nu) in (36). */
static inline motion path_block(const ziBody *b, const screw *X, const motion *k) {
    if (b->type == ZV_JOINT_REVOLUTE) return motion_of(X->B.z, X->A.z);
    if (b->type == ZV_JOINT_PRISMATIC) return motion_of(X->A.z, v3_zero());
    return screw_motion(X, *k);
}

/* A^^(ij) and blocks of P^T for all joints j between body i and the ground. */
static inline void look_from(const ziTree *t, const Paths *p, int i) {
    screw *X = &p->X[i];
    X->A = m3_identity();
    X->B = m3(v3_zero(), v3_zero(), v3_zero());
    for (int j = i;;) {
        const ziBody *b = &t->body[j];
        for (int d = b->v; d < b->v + b->nv; d++) p->P[d] = path_block(b, &p->X[j], &p->k[d]);
        if (!b->parent) break;
        p->X[b->parent] = j == i ? p->seat[i].step : screw_mul(&p->X[j], &p->seat[j].step);
        j = b->parent;
    }
}

/* Phi of (16) */
static inline rigid inertia_of(const ziBody *b) {
    rigid Phi;
    Phi.m = b->m;
    Phi.h = v3_of4(b->h);
    Phi.J = m3_of12(b->J);
    return Phi;
}

/* M = P Phi P^T (32): body by body over the columns on its path; lower triangle, then mirrored. */
void ZI_KERNEL(zi_path)(const ziTree *t, ziScratch scratch, const real *q, real *M) {
    const size_t nv = (size_t)t->nv;
    const Paths p = paths_of(t, &scratch, q, NULL);
    if (nv > 0) memset((void *)M, 0, nv * nv * sizeof *M);
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        const rigid Phi = inertia_of(b);
        look_from(t, &p, i);
        for (int d = b->v + b->nv - 1; d >= 0; d = t->dof_parent[d]) {
            const force Q = rigid_mul(&Phi, p.P[d]);
            real *row = M + (size_t)d * nv;
            for (int e = d; e >= 0; e = t->dof_parent[e]) row[e] += force_dot(Q, p.P[e]);
        }
    }
    for (size_t d = 0; d < nv; d++) {
        M[d * nv + d] += t->armature[d];
        for (size_t e = 0; e < d; e++) M[e * nv + d] = M[d * nv + e];
    }
}

/* Velocity of body i and the rate of its components, after look_from; v as in (25), a NULL: zero.
 * d(P^T)/dt v = sum over joints of (k_j A^^(ji) v~_{i/j} + dk_j/dt A^^(ji))^T v_j. */
static inline void move_body(const ziTree *t, const Paths *p, int i, const real *v, const real *a, motion *vel,
                             motion *rate) {
    *vel = *rate = motion_zero(); /* of i relative to j, as j goes inward */
    for (int j = i; j; j = t->body[j].parent) {
        const ziBody *b = &t->body[j];
        motion u = motion_zero();
        for (int d = b->v; d < b->v + b->nv; d++) {
            u = motion_axpy(v[d], p->P[d], u);
            if (a) *rate = motion_axpy(a[d], p->P[d], *rate);
        }
        if (axes_move(b)) *rate = motion_add(*rate, screw_motion(&p->X[j], p->seat[j].own));
        if (j != i) *rate = screw_swing_add(*vel, u, *rate);
        *vel = motion_add(*vel, u);
    }
}

/* dQ/dt + v~ Q - F^g of (15); g is gravity in the body's axes. */
static inline force momentum_rate(const rigid *Phi, motion vel, motion rate, vec3 g) {
    const force weight = force_of(v3_scale(Phi->m, g), v3_cross(Phi->h, g));
    const force Q = rigid_mul(Phi, vel);
    return force_sub(force_add(rigid_mul(Phi, rate), screw_gyre(vel, Q)), weight);
}

static real *zeros(ziScratch *scratch, int count) {
    real *x = zi_scratch_array(scratch, real, count);
    if (count > 0) memset((void *)x, 0, (size_t)count * sizeof *x);
    return x;
}

/* Gravity in the axes of every body. */
static vec3 *turn_gravity(const ziTree *t, ziScratch *scratch, const PathBody *seat, const double *gravity) {
    vec3 *g = zi_scratch_array(scratch, vec3, t->nb);
    g[0] = v3_of(gravity);
    for (int i = 1; i < t->nb; i++) g[i] = m3_tmulv(seat[i].R, g[t->body[i].parent]);
    return g;
}

/* Forces at a = 0 by (33): the rate of momentum of every body, less its weight, along the columns on its path. */
void ZI_KERNEL(zi_path_bias)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const double *gravity,
                             real *bias) {
    if (!v) v = zeros(&scratch, t->nv);
    real *sum = zeros(&scratch, t->nv); /* bias may be v */
    const Paths p = paths_of(t, &scratch, q, v);
    const vec3 *g = turn_gravity(t, &scratch, p.seat, gravity);
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        const rigid Phi = inertia_of(b);
        motion vel, rate;
        look_from(t, &p, i);
        move_body(t, &p, i, v, NULL, &vel, &rate);
        const force W = momentum_rate(&Phi, vel, rate, g[i]);
        for (int d = b->v + b->nv - 1; d >= 0; d = t->dof_parent[d]) sum[d] += force_dot(W, p.P[d]);
    }
    for (int d = 0; d < t->nv; d++) bias[d] = sum[d];
}

/* k_j F_j and the rotors. */
static void drive(const ziTree *t, const Paths *p, const force *F, const real *a, real *tau) {
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        for (int d = b->v; d < b->v + b->nv; d++) {
            const real push = b->type == ZV_JOINT_REVOLUTE    ? v3_z(F[i].ang)
                              : b->type == ZV_JOINT_PRISMATIC ? v3_z(F[i].lin)
                                                              : force_dot(F[i], p->k[d]);
            tau[d] = a ? push + t->armature[d] * a[d] : push;
        }
    }
}

/* What acts on body i from outside, turned from world axes into its own. */
static inline force external(mat3 W, const real *f) {
    return force_of(m3_tmulv(W, v3(f[0], f[1], f[2])), m3_tmulv(W, v3(f[3], f[4], f[5])));
}

/* tau by (28): the wrench of every body, less external forces, carried to all joints on its path and projected on their
 * columns. v and a NULL: zero. */
void ZI_KERNEL(zi_path_inverse)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const real *a,
                                const double *gravity, const real *fext, real *tau) {
    if (!v) v = zeros(&scratch, t->nv);
    const Paths p = paths_of(t, &scratch, q, v);
    const vec3 *g = turn_gravity(t, &scratch, p.seat, gravity);
    force *F = zi_scratch_array(&scratch, force, t->nb);
    mat3 *turn = zi_scratch_array(&scratch, mat3, fext ? t->nb : 1);
    turn[0] = m3_identity();
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        const rigid Phi = inertia_of(b);
        motion vel, rate;
        look_from(t, &p, i);
        move_body(t, &p, i, v, a, &vel, &rate);
        force W = momentum_rate(&Phi, vel, rate, g[i]);
        if (fext) {
            turn[i] = m3_mul(turn[b->parent], p.seat[i].R);
            W = force_sub(W, external(turn[i], fext + 6 * i));
        }
        F[i] = W;
        for (int j = b->parent; j; j = t->body[j].parent) F[j] = force_add(F[j], screw_force_back(&p.X[j], W));
    }
    drive(t, &p, F, a, tau);
}
