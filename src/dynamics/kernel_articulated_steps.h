/* The steps of the articulated recursion (kernel_articulated.c) that every sweep of it takes, open or closed. */
#ifndef ZI_DYNAMICS_KERNEL_ARTICULATED_STEPS_H
#define ZI_DYNAMICS_KERNEL_ARTICULATED_STEPS_H

#include "dynamics/kernel_articulated_elastic.h"

/* Angular velocity and a' of one body. */
static inline void set_in_motion(const ziBody *b, const ArticulatedBody *up, ArticulatedBody *me, const Problem *p,
                                 const motion *S) {
    const real *v = p->v + b->v;
    motion rel;
    if (b->type == ZV_JOINT_REVOLUTE) {
        rel = motion_of(v3_zero(), v3_scale(v[0], S[0].ang));
    } else if (b->type == ZV_JOINT_PRISMATIC) {
        rel = motion_of(v3_scale(v[0], S[0].lin), v3_zero());
    } else {
        rel = relative_velocity(b, S, v);
    }
    me->w = v3_add(up->w, rel.ang);
    me->bias = carried_bias(up->w, me->at.r, rel);
    if (subspace_moves(b)) {
        me->bias = motion_add(me->bias, joint_bias_world(b, &up->at.R, p->q + b->q, p->s + b->q, p->c + b->q, v));
    }
}

/* First outward sweep: place, columns S, angular velocity and a' of every body; M* and P are those of the body alone, P
 * = w x (w x h), w x J w less external forces. Elastic bodies: bend(). */
static ZI_HOT void outward_bodies(const ziTree *t, ziScratch scratch, const Problem *p, ArticulatedBody *row,
                                  ArticulatedColumn *column, ElasticScratch memory, bool elastic) {
    row[0].at.R = m3_identity();
    row[0].w = v3_zero();
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        ArticulatedBody *me = &row[i];
        const ArticulatedBody *up = &row[b->base];
        motion S[ZV_MAX_DOF];
        place_body(b, &up->at.R, p->q + b->q, p->s + b->q, p->c + b->q, &me->at, S);
        for (int k = 0; k < b->nv; k++) {
            column[b->v + k].S = S[k];
            column[b->v + k].error_scale = 0;
        }
        if (elastic && b->elastic) {
            if (p->v) set_in_motion(b, up, me, p, S);
            bend(t, scratch, b, p, row, me, column, &memory);
        } else {
            const rigid own = world_inertia(b, me->at.R);
            set_inertia(b, &own, me);
            if (p->v) {
                set_in_motion(b, up, me, p, S);
                me->P = force_of(v3_cross(me->w, v3_cross(me->w, own.h)), v3_cross(me->w, m3_mulv(own.J, me->w)));
            } else {
                me->P = force_zero();
            }
        }
        if (p->fext) me->P = force_sub(me->P, force_of(v3_of(p->fext + 6 * i), v3_of(p->fext + 6 * i + 3)));
    }
}

static inline force column_force(const ziBody *b, const articulated *M, const motion *S) {
    if (b->type == ZV_JOINT_REVOLUTE) return articulated_mul_ang(M, S->ang);
    if (b->type == ZV_JOINT_PRISMATIC) return articulated_mul_lin(M, S->lin);
    return articulated_mul(M, *S);
}

static inline real column_dot(const ziBody *b, force F, const motion *S) {
    if (b->type == ZV_JOINT_REVOLUTE) return v3_dot(F.ang, S->ang);
    if (b->type == ZV_JOINT_PRISMATIC) return v3_dot(F.lin, S->lin);
    return force_dot(F, *S);
}

/* Notes in the first count columns of body b what the elimination of U took away in their directions. */
static inline void note_taken(const ziBody *b, int count, force U, real k, ArticulatedColumn *column) {
    for (int j = b->v; j < b->v + count; j++) {
        real x = column_dot(b, U, &column[j].S);
        column[j].error_scale += k * x * x;
    }
}

/* Notes the same in the columns of the parent; F is U seen from what b sits on, a section perhaps. */
static inline void note_taken_below(const ziTree *t, const ziBody *b, const ArticulatedBody *row, force F, real k,
                                    ArticulatedColumn *column, bool elastic) {
    const ziBody *parent = &t->body[b->parent];
    note_taken(parent, parent->nv, elastic && b->base >= t->nb ? force_shift(F, row[b->base].at.r) : F, k, column);
}

/* Whether column k of a joint turns: those that do are its last ones. */
static inline bool column_turns(const ziBody *b, int k) { return zi_joint_turns(b->type, k); }

/* What the parent inherits for judging its pivots: through a massless parent, or a joint that is not eliminated, what
 * lies beyond belongs to it as its own inertia does, together with what was taken away from the joint's directions. */
static inline void inherit_size(const ziBody *b, const ziBody *parent, const ArticulatedBody *me, ArticulatedBody *up,
                                const Problem *p, const ArticulatedColumn *column) {
    int inherits = parent->m == 0 || b->nv == 0;
    for (int d = b->v; p->given && d < b->v + b->nv; d++) {
        if (p->given[d] == ZV_GIVEN_FORCE) continue;
        inherits = 1;
        if (column_turns(b, d - b->v))
            up->size_ang += column[d].error_scale;
        else
            up->size_lin += column[d].error_scale;
    }
    if (!inherits) return;
    up->size_lin += me->size_lin;
    up->size_ang += me->size_ang;
}

/* Eliminates or carries the columns of one joint; returns whether all pivots are large enough. */
static inline real_ok eliminate(const ziTree *t, const ziBody *b, const ArticulatedBody *row, ArticulatedBody *me,
                                const Problem *p, ArticulatedColumn *column, bool elastic) {
    real_ok ok = 1;
    for (int k = b->nv - 1; k >= 0; k--) {
        ArticulatedColumn *col = &column[b->v + k];
        int d = b->v + k;
        force U = column_force(b, &me->M, &col->S);
        real D = column_dot(b, U, &col->S) + t->armature[d];
        col->U = U;
        if (p->given && p->given[d] != ZV_GIVEN_FORCE) {
            real a = p->given[d] == ZV_GIVEN_LOCKED ? 0 : p->a[d];
            col->u = column_dot(b, me->P, &col->S) + D * a;
            me->P = force_axpy(a, U, me->P);
            continue;
        }
        if (REAL_CHECKS_PIVOTS) {
            real size = v3_dot(col->S.lin, col->S.lin) * me->size_lin + v3_dot(col->S.ang, col->S.ang) * me->size_ang;
            ok &= real_exceeds(D, PIVOT_FLOOR * (size + col->error_scale)) && real_exceeds(D, 0);
        }
        col->k = 1 / D;
        col->u = (p->tau ? p->tau[d] : 0) - column_dot(b, me->P, &col->S);
        articulated_deflate(&me->M, col->k, U);
        if (REAL_CHECKS_PIVOTS) note_taken(b, k, U, col->k, column);
        if (REAL_CHECKS_PIVOTS && b->parent)
            note_taken_below(t, b, row, force_shift(U, me->at.r), col->k, column, elastic);
        me->P = force_axpy(col->k * col->u, U, me->P);
    }
    return ok;
}

/* What is left of a body after its joint becomes the parent's. */
static ZI_HOT void hand_on(const ziTree *t, const ziBody *b, const ArticulatedBody *me, ArticulatedBody *row,
                           const Problem *p, const ArticulatedColumn *column) {
    ArticulatedBody *up = &row[b->base];
    articulated_add_shifted(&up->M, &me->M, me->at.r);
    up->P = force_add(up->P, force_shift(me->P, me->at.r));
    if (REAL_CHECKS_PIVOTS) inherit_size(b, &t->body[b->parent], me, &row[b->parent], p, column);
}

/* Inward sweep: adds M* a' to P, eliminates the joint's columns and adds M*, P to the parent's. Returns whether all
 * pivots D are positive to rounding. */
static ZI_HOT real_ok inward(const ziTree *t, ziScratch scratch, const Problem *p, ArticulatedBody *row,
                             ArticulatedColumn *column, bool elastic) {
    real_ok ok = 1;
    for (int i = t->nb - 1; i > 0; i--) {
        const ziBody *b = &t->body[i];
        ArticulatedBody *me = &row[i];
        if (elastic && b->elastic) ok &= fold_elastic(t, scratch, b, p, row, me, column);
        if (p->v) me->P = force_add(me->P, articulated_mul(&me->M, me->bias));
        ok &= eliminate(t, b, row, me, p, column, elastic);
        if (b->parent) hand_on(t, b, me, row, p, column);
    }
    return ok;
}

/* Accelerations of body i and its joint, and of what is elastic in it, from that of what it sits on. */
static ZI_HOT void accelerate(const ziTree *t, int i, const Problem *p, const ArticulatedBody *row,
                              const ArticulatedColumn *column, motion *acc, real *tau, real *a, bool elastic) {
    const ziBody *b = &t->body[i];
    const ArticulatedBody *me = &row[i];
    motion x = motion_shift(acc[b->base], me->at.r);
    for (int d = b->v; d < b->v + b->nv; d++) {
        const ArticulatedColumn *col = &column[d];
        if (p->given && p->given[d] != ZV_GIVEN_FORCE) {
            if (p->given[d] == ZV_GIVEN_LOCKED) a[d] = 0;
            tau[d] = col->u + force_dot(col->U, x);
        } else {
            a[d] = (col->u - force_dot(col->U, x)) * col->k;
        }
        x = motion_axpy(a[d], col->S, x);
    }
    acc[i] = p->v ? motion_add(x, me->bias) : x;
    if (elastic && b->elastic) unbend(t, b, p, row, column, acc[i], acc, tau, a);
}

#endif
