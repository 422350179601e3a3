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
 * Elastic bodies, theory (17.9), (17.14): their sections stand on paths as joints do, with columns k_s in the section's
 * axes that move there, one per elastic coordinate e; with the mode integrals N_e = (dS_e; L_e), M_ee of body i
 *
 *   M_de += P_d . N_e,  M_ee' += its own;    v~ Phi v, Phi dv/dt and Q_e are those of the bent body, (E.9)-(E.11)
 *
 * Corrected: T_ji = -1 where the text has +1 on the diagonal; with +1 weight would act upwards.
 * Differs: v_{i/j} in dP/dt is the sum over the joints between j and i instead of the difference v_i - A^^(ji)^T v_j;
 * k_j may move in the axes of its body (universal, planar, curve), which adds its own rate to d(kT)/dt. */
#include <assert.h>
#include <string.h>

#include "dynamics/elastic.h"
#include "dynamics/kernel_screw.h"
#include "dynamics/kernels.h"
#include "kinematics/joint.h"
#include "real/sincos.h"

/* A body, or a section, as what it sits on sees it. */
typedef struct PathBody {
    mat3 R;     /* to those axes: A^(ij) */
    vec3 r;     /* origin there */
    motion own; /* dk/dt dq/dt, its axes */
    screw step; /* A^^(ji): to the screws of what it sits on and back */
} PathBody;

typedef struct Paths {
    PathBody *seat;   /* nb + ns: bodies, then sections */
    motion *k;        /* nv: columns in body axes; left alone for revolute and prismatic joints */
    motion *P;        /* nv: blocks of P^T of the body being looked at, its axes */
    screw *X;         /* nb + ns: A^^(ij) of it for all j between it and the ground */
    const int *first; /* ns: columns of section s are k_s[first[s]] ..., in its axes */
    motion *k_s;
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

/* The sections of an elastic body: places, columns and, v not NULL, their rates in the sections' own axes. */
static ZI_COLD void seat_sections(const ziTree *t, const Paths *p, const ziElastic *el, const real *e, const real *v) {
    for (int s = el->attachment; s < el->attachment + el->attachments; s++) {
        const ziAttachment *st = &t->attachment[s];
        PathBody *seat = &p->seat[t->nb + s];
        motion *k = p->k_s + p->first[s], rel = motion_zero(), rate = motion_zero();
        placed in;
        attachment_in_body(st, el, e, &in, k);
        seat->R = in.R;
        seat->r = in.r;
        if (v) {
            rel = columns_mix(el->n, k, v);
            rate = attachment_bias_in_body(st, el, e, v);
        }
        seat->own = motion_of(m3_tmulv(in.R, v3_sub(rate.lin, v3_cross(rel.ang, rel.lin))), m3_tmulv(in.R, rate.ang));
        for (int i = 0; i < el->n; i++) k[i] = motion_of(m3_tmulv(in.R, k[i].lin), m3_tmulv(in.R, k[i].ang));
    }
}

/* Kinematics, and then the screw matrices of neighbours. */
static Paths paths_of(const ziTree *t, ziScratch *scratch, const real *q, const real *v) {
    const size_t rows = (size_t)t->nb + (size_t)t->ns;
    real *s = zi_scratch_array(scratch, real, t->nq), *c = zi_scratch_array(scratch, real, t->nq);
    Paths p;
    p.seat = zi_scratch_array(scratch, PathBody, rows);
    p.k = zi_scratch_array(scratch, motion, t->nv);
    p.P = zi_scratch_array(scratch, motion, t->nv);
    p.X = zi_scratch_array(scratch, screw, rows);
    p.first = t->ne ? attachment_offsets(t, scratch) : NULL;
    p.k_s = zi_scratch_array(scratch, motion, t->ne ? t->attachment_modes : 0);
    sincos_array(t->nq, q, s, c);
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        const ziElastic *el = b->elastic;
        seat_body(b, q + b->q, s + b->q, c + b->q, v ? v + b->v : NULL, &p.seat[i], p.k + b->v);
        if (el) seat_sections(t, &p, el, q + el->q, v ? v + el->v : NULL);
    }
    real_stage();
    for (size_t i = 1; i < rows; i++) p.seat[i].step = screw_inverse(screw_of(p.seat[i].R, p.seat[i].r));
    return p;
}

/* What a row sits on. */
static inline int path_base(const ziTree *t, int row) {
    return row < t->nb ? t->body[row].base : t->attachment[row - t->nb].body;
}

/* The dofs of a row: of the joint of a body, or the elastic ones whose columns a section has. */
static inline int path_dofs(const ziTree *t, int row, int *first) {
    if (row < t->nb) return *first = t->body[row].v, t->body[row].nv;
    const ziElastic *el = t->body[path_base(t, row)].elastic;
    return *first = el->v, el->n;
}

/* The last dof of the path that moves the frame of body i; -1: none. */
static inline int path_last(const ziTree *t, int i) {
    int first, count;
    for (int row = i; row; row = path_base(t, row))
        if ((count = path_dofs(t, row, &first)) > 0) return first + count - 1;
    return -1;
}

/* Block of P^T of a dof of body b; of a joint with one axis it is a row of A^^(ji), mu = 3(2 - nu) in (36). */
static inline motion path_block(const ziBody *b, const screw *X, const motion *k) {
    if (b->type == ZV_JOINT_REVOLUTE) return motion_of(X->B.z, X->A.z);
    if (b->type == ZV_JOINT_PRISMATIC) return motion_of(X->A.z, v3_zero());
    return screw_motion(X, *k);
}

/* A^^(ij) and blocks of P^T for all joints and sections j between body i and the ground. */
static inline void look_from(const ziTree *t, const Paths *p, int i) {
    screw *X = &p->X[i];
    X->A = m3_identity();
    X->B = m3(v3_zero(), v3_zero(), v3_zero());
    for (int j = i;;) {
        int first;
        const int count = path_dofs(t, j, &first), up = path_base(t, j);
        for (int d = 0; d < count; d++)
            p->P[first + d] = j < t->nb ? path_block(&t->body[j], &p->X[j], &p->k[first + d])
                                        : screw_motion(&p->X[j], p->k_s[p->first[j - t->nb] + d]);
        if (!up) break;
        p->X[up] = j == i ? p->seat[i].step : screw_mul(&p->X[j], &p->seat[j].step);
        j = up;
    }
}

/* Phi of (16); of an elastic body, whose terms x are there, as it is bent */
static inline rigid inertia_of(const ziBody *b, const elastic_terms *x) {
    rigid Phi;
    Phi.m = b->m;
    Phi.h = b->elastic ? x->S : v3_of4(b->h);
    Phi.J = b->elastic ? x->J : m3_of12(b->J);
    return Phi;
}

static inline void bend(ziScratch *scratch, const ziBody *b, const real *q, elastic_terms *x) {
    if (!b->elastic) return;
    take_elastic_terms(scratch, b->elastic, x);
    elastic_inertia(*scratch, b, q + b->elastic->q, x);
}

/* Rows of M of the body's own elastic coordinates: N_e against the columns on its path, and M_ee. */
static ZI_COLD void fill_modes(const ziTree *t, const Paths *p, int i, const elastic_terms *x, real *M) {
    const ziElastic *el = t->body[i].elastic;
    const size_t n = (size_t)el->n;
    for (size_t m = 0; m < n; m++) {
        real *row = M + ((size_t)el->v + m) * (size_t)t->nv;
        for (int e = path_last(t, i); e >= 0; e = t->dof_parent[e])
            row[e] += force_dot(force_of(x->dS[m], x->L[m]), p->P[e]);
        for (size_t e = 0; e <= m; e++) row[(size_t)el->v + e] += elastic_mass(el, x->s, n, m, e);
    }
}

/* M = P Phi P^T (32): body by body over the columns on its path; lower triangle, then mirrored. */
void ZI_KERNEL(zi_path)(const ziTree *t, ziScratch scratch, const real *q, real *M) {
    const size_t nv = (size_t)t->nv;
    const Paths p = paths_of(t, &scratch, q, NULL);
    if (nv > 0) memset((void *)M, 0, nv * nv * sizeof *M);
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        ziScratch passing = scratch;
        elastic_terms x;
        bend(&passing, b, q, &x);
        const rigid Phi = inertia_of(b, &x);
        look_from(t, &p, i);
        for (int d = path_last(t, i); d >= 0; d = t->dof_parent[d]) {
            const force Q = rigid_mul(&Phi, p.P[d]);
            real *row = M + (size_t)d * nv;
            for (int e = d; e >= 0; e = t->dof_parent[e]) row[e] += force_dot(Q, p.P[e]);
        }
        if (b->elastic) fill_modes(t, &p, i, &x, M);
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
    for (int j = i; j; j = path_base(t, j)) {
        int first;
        const int count = path_dofs(t, j, &first);
        motion u = motion_zero();
        for (int d = first; d < first + count; d++) {
            u = motion_axpy(v[d], p->P[d], u);
            if (a) *rate = motion_axpy(a[d], p->P[d], *rate);
        }
        if (j >= t->nb || axes_move(&t->body[j])) *rate = motion_add(*rate, screw_motion(&p->X[j], p->seat[j].own));
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

/* The same of an elastic body, whose Q is Phi v + N_e e': (17.14) of theory. rate + v~^T v is the true acceleration of
 * its origin. Forces of its coordinates go to push (n). */
static ZI_COLD force bent_rate(const ziTree *t, ziScratch scratch, const ziBody *b, motion vel, motion rate, vec3 g,
                               const real *v, const real *a, elastic_terms *x, real *push) {
    const ziElastic *el = b->elastic;
    const vec3 true_rate = v3_sub(v3_cross_add(vel.ang, vel.lin, rate.lin), g);
    elastic_bias(scratch, b, vel.ang, v + el->v, x);
    const force W = elastic_forces(t, b, true_rate, rate.ang, a ? a + el->v : NULL, x);
    for (int i = 0; i < el->n; i++) push[el->v + i] = x->C[i];
    return W;
}

/* The wrench that body i needs, its axes, after look_from and likewise. */
static inline force body_wrench(const ziTree *t, ziScratch scratch, const Paths *p, int i, const real *q, const real *v,
                                const real *a, vec3 g, real *push) {
    const ziBody *b = &t->body[i];
    elastic_terms x;
    motion vel, rate;
    bend(&scratch, b, q, &x);
    move_body(t, p, i, v, a, &vel, &rate);
    if (b->elastic) return bent_rate(t, scratch, b, vel, rate, g, v, a, &x, push);
    const rigid Phi = inertia_of(b, NULL);
    return momentum_rate(&Phi, vel, rate, g);
}

static real *zeros(ziScratch *scratch, int count) {
    real *x = zi_scratch_array(scratch, real, count);
    if (count > 0) memset((void *)x, 0, (size_t)count * sizeof *x);
    return x;
}

/* Gravity in the axes of every body and section. */
static vec3 *turn_gravity(const ziTree *t, ziScratch *scratch, const PathBody *seat, const double *gravity) {
    vec3 *g = zi_scratch_array(scratch, vec3, (size_t)t->nb + (size_t)t->ns);
    g[0] = v3_of(gravity);
    for (int i = 1; i < t->nb; i++) {
        const ziElastic *el = t->body[i].elastic;
        g[i] = m3_tmulv(seat[i].R, g[t->body[i].base]);
        for (int s = t->nb; el && s < t->nb + el->attachments; s++)
            g[s + el->attachment] = m3_tmulv(seat[s + el->attachment].R, g[i]);
    }
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
        look_from(t, &p, i);
        const force W = body_wrench(t, scratch, &p, i, q, v, NULL, g[i], sum);
        for (int d = path_last(t, i); d >= 0; d = t->dof_parent[d]) sum[d] += force_dot(W, p.P[d]);
    }
    for (int d = 0; d < t->nv; d++) bias[d] = sum[d];
}

/* k_j F_j and the rotors; of elastic coordinates push, and k_s F_s of the sections. */
static void drive(const ziTree *t, const Paths *p, const force *F, const real *a, const real *push, real *tau) {
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        const ziElastic *el = b->elastic;
        for (int d = b->v; d < b->v + b->nv; d++) {
            const real drives = b->type == ZV_JOINT_REVOLUTE    ? v3_z(F[i].ang)
                                : b->type == ZV_JOINT_PRISMATIC ? v3_z(F[i].lin)
                                                                : force_dot(F[i], p->k[d]);
            tau[d] = a ? drives + t->armature[d] * a[d] : drives;
        }
        for (int d = 0; el && d < el->n; d++) {
            real sum = push[el->v + d];
            for (int s = el->attachment; s < el->attachment + el->attachments; s++)
                sum += force_dot(F[t->nb + s], p->k_s[p->first[s] + d]);
            tau[el->v + d] = sum;
        }
    }
}

/* External forces, in world axes: turn takes those of a row there. */
typedef struct PathLoad {
    const real *fext, *elastic; /* NULL: none; behind those of bodies those of elastic coordinates */
    mat3 *turn;                 /* nb + ns */
} PathLoad;

/* What acts on body i from outside, turned into its own axes and taken from W; on its coordinates, taken from push. */
static inline force less_external(const ziTree *t, PathLoad *load, const PathBody *seat, int i, force W, real *push) {
    const ziBody *b = &t->body[i];
    const ziElastic *el = b->elastic;
    const real *f = load->fext + 6 * i;
    load->turn[i] = m3_mul(load->turn[b->base], seat[i].R);
    for (int s = t->nb; el && s < t->nb + el->attachments; s++)
        load->turn[s + el->attachment] = m3_mul(load->turn[i], seat[s + el->attachment].R);
    for (int d = 0; el && d < el->n; d++) push[el->v + d] -= *load->elastic++;
    const mat3 turn = load->turn[i];
    return force_sub(W, force_of(m3_tmulv(turn, v3(f[0], f[1], f[2])), m3_tmulv(turn, v3(f[3], f[4], f[5]))));
}

/* tau by (28): the wrench of every body, less external forces, carried to all joints and sections on its path and
 * projected on their columns. v and a NULL: zero. */
void ZI_KERNEL(zi_path_inverse)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const real *a,
                                const double *gravity, const real *fext, real *tau) {
    const size_t rows = (size_t)t->nb + (size_t)t->ns;
    if (!v) v = zeros(&scratch, t->nv);
    const Paths p = paths_of(t, &scratch, q, v);
    const vec3 *g = turn_gravity(t, &scratch, p.seat, gravity);
    force *F = zi_scratch_array(&scratch, force, rows);
    real *push = zi_scratch_array(&scratch, real, t->ne ? t->nv : 0);
    PathLoad load;
    load.fext = fext;
    load.elastic = fext ? fext + 6 * t->nb : NULL;
    load.turn = zi_scratch_array(&scratch, mat3, fext ? rows : 1);
    load.turn[0] = m3_identity();
    for (size_t s = (size_t)t->nb; s < rows; s++) F[s] = force_zero();
    for (int i = 1; i < t->nb; i++) {
        look_from(t, &p, i);
        force W = body_wrench(t, scratch, &p, i, q, v, a, g[i], push);
        if (fext) W = less_external(t, &load, p.seat, i, W, push);
        F[i] = W;
        for (int j = t->body[i].base; j; j = path_base(t, j)) F[j] = force_add(F[j], screw_force_back(&p.X[j], W));
    }
    drive(t, &p, F, a, push, tau);
}
