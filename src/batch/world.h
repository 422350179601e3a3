/* Bodies of a group of states in world axes, for frames and external forces. */
#ifndef ZI_BATCH_WORLD_H
#define ZI_BATCH_WORLD_H

#include "batch/unroll.h"
#include "kinematics/outward.h"

/* BodyList bodies of the tree, parents first. */
struct BodyList {
    int count;
    const int *body;
};

static inline BodyList all_bodies(const ziTree *t, ziScratch *scratch) {
    int *all = zi_scratch_array(scratch, int, t->nb);
    for (int i = 0; i < t->nb; i++) all[i] = i;
    return {t->nb - 1, all + 1};
}

struct World {
    placed *at; /* nb x REAL_UNROLL */
    motion *S;  /* nv x REAL_UNROLL, columns; not of joints about or along z, which have the z of their bodies */
};

/* Column d of body i. */
static ZI_HOT motion column_of(const World *w, const ziBody *b, int i, int d, int slot) {
    if (b->type == ZV_JOINT_REVOLUTE) return motion_of(v3_zero(), w->at[i * REAL_UNROLL + slot].R.z);
    if (b->type == ZV_JOINT_PRISMATIC) return motion_of(w->at[i * REAL_UNROLL + slot].R.z, v3_zero());
    return w->S[d * REAL_UNROLL + slot];
}

/* How many of a joint's coordinates, the last ones, are angles whose sines are needed. */
static ZI_HOT int angles_of(const ziBody *b) {
    int angles = 0;
    if (b->type == ZV_JOINT_REVOLUTE) return 1;
    if (zi_joint_has_quaternion(b->type)) return 0;
    while (angles < b->nv && zi_joint_turns(b->type, b->nv - 1 - angles)) angles++;
    return angles;
}

/* Sines and cosines of all angles beforehand, contiguous ones in one call: unlike bodies they do not depend on each
 * other. s, c: nq x REAL_UNROLL. */
static inline void sines(const ziTree *t, BodyList bodies, const real *q, real *s, real *c) {
    int from = 0, end = 0;
    for (int n = 0; n <= bodies.count; n++) {
        const ziBody *b = n < bodies.count ? &t->body[bodies.body[n]] : NULL;
        const int angles = b ? angles_of(b) : 0, next = b ? b->q + b->nq : 0;
        if (b && !angles) continue;
        if (!b || next - angles != end) {
            const size_t at = (size_t)from * REAL_UNROLL;
            sincos_array((end - from) * REAL_UNROLL, q + at, s + at, c + at);
            from = next - angles;
        }
        end = next;
    }
}

/* A body that turns; its constants are broadcast once for all slots. */
static ZI_HOT void see_turning(const ziBody *b, const placed *up, const real *s, const real *c, placed *at) {
    const double *e = b->E;
    const mat3 E = m3(v3(e[0], e[1], e[2]), v3(e[4], e[5], e[6]), v3(e[8], e[9], e[10]));
    const vec3 r = v3(b->r[0], b->r[1], b->r[2]);
    FOR_UNROLL(k) {
        const mat3 P = up[k].R;
        at[k].r = m3_mulv(P, r);
        at[k].R = m3_turn_z(m3_mul(P, E), s[k], c[k]);
    }
}

/* Any other joint. */
static ZI_COLD void see_joint(const ziBody *b, const mat3 *up, const real *q, const real *s, const real *c, int slot,
                              placed *at, motion *S) {
    real own[7], own_s[7], own_c[7]; /* a free joint has most coordinates */
    motion columns[ZV_MAX_DOF];
    const int angles = angles_of(b), rest = b->nq - angles;
    take_slot(b->nq, q, slot, own);
    take_slot(angles, s + rest * REAL_UNROLL, slot, own_s + rest);
    take_slot(angles, c + rest * REAL_UNROLL, slot, own_c + rest);
    place_body(b, up, own, own_s, own_c, at, columns);
    for (int k = 0; k < b->nv; k++) S[k * REAL_UNROLL + slot] = columns[k];
}

/* Rotations and offsets of the given bodies in world axes, in every slot, and the columns of joints that are neither
 * revolute nor prismatic. */
static inline World see(const ziTree *t, ziScratch *scratch, BodyList bodies, const real *q) {
    const World w = {zi_scratch_array(scratch, placed, REAL_UNROLL * t->nb),
                     zi_scratch_array(scratch, motion, REAL_UNROLL * t->nv)};
    real *s = zi_scratch_array(scratch, real, REAL_UNROLL * t->nq),
         *c = zi_scratch_array(scratch, real, REAL_UNROLL * t->nq);
    sines(t, bodies, q, s, c);
    for (int k = 0; k < REAL_UNROLL; k++) w.at[k].R = m3_identity();
    for (int n = 0; n < bodies.count; n++) {
        const int i = bodies.body[n];
        const ziBody *b = &t->body[i];
        const int at = i * REAL_UNROLL, up = b->parent * REAL_UNROLL, from = b->q * REAL_UNROLL, d = b->v * REAL_UNROLL;
        if (b->type == ZV_JOINT_REVOLUTE) {
            see_turning(b, &w.at[up], s + from, c + from, &w.at[at]);
        } else if (b->type == ZV_JOINT_PRISMATIC) {
            FOR_UNROLL(k) {
                motion known;
                place_body(b, &w.at[up + k].R, q + from + k, s + from + k, c + from + k, &w.at[at + k], &known);
            }
        } else {
            FOR_UNROLL(k) { see_joint(b, &w.at[up + k].R, q + from, s + from, c + from, k, &w.at[at + k], &w.S[d]); }
        }
    }
    return w;
}

#endif
