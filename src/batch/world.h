/* Bodies of a group of states in world axes, for what is asked in them: frames and external forces. */
#ifndef ZV_BATCH_WORLD_H
#define ZV_BATCH_WORLD_H

#include "batch/sides.h"
#include "kinematics/outward.h"

/* Some bodies of the tree, parents first. */
struct Some {
    int count;
    const int *body;
};

static inline Some all_bodies(const zvTree *t, zvDesk *desk) {
    int *all = zv_desk_array(desk, int, t->nb);
    for (int i = 0; i < t->nb; i++) all[i] = i;
    return {t->nb - 1, all + 1};
}

struct World {
    placed *at; /* nb x REAL_SIDES */
    motion *S;  /* nv x REAL_SIDES, columns; not of joints about or along z, which have the z of their bodies */
};

/* Column d of body i. */
static ZV_HOT motion column_of(const World *w, const zvBody *b, int i, int d, int side) {
    if (b->type == ZV_REVOLUTE) return motion_of(v3_zero(), w->at[i * REAL_SIDES + side].R.z);
    if (b->type == ZV_PRISMATIC) return motion_of(w->at[i * REAL_SIDES + side].R.z, v3_zero());
    return w->S[d * REAL_SIDES + side];
}

/* How many of a joint's coordinates, the last ones, are angles whose sines are asked for. */
static ZV_HOT int angles_of(const zvBody *b) {
    switch ((zvJointType)b->type) {
    case ZV_REVOLUTE:
    case ZV_HELICAL:
    case ZV_CYLINDRICAL:
    case ZV_PLANAR: return 1;
    case ZV_UNIVERSAL: return 2;
    default: return 0;
    }
}

/* Sines and cosines of all angles beforehand, those that lie side by side at once: they do not wait for each other, as
 * bodies do. s, c: nq x REAL_SIDES. */
static inline void sines(const zvTree *t, Some some, const real *q, real *s, real *c) {
    int from = 0, end = 0;
    for (int n = 0; n <= some.count; n++) {
        const zvBody *b = n < some.count ? &t->body[some.body[n]] : NULL;
        const int angles = b ? angles_of(b) : 0, next = b ? b->q + b->nq : 0;
        if (b && !angles) continue;
        if (!b || next - angles != end) {
            const size_t at = (size_t)from * REAL_SIDES;
            sincos_array((end - from) * REAL_SIDES, q + at, s + at, c + at);
            from = next - angles;
        }
        end = next;
    }
}

/* A body that turns; what the model says of it is made wide once for all sides. */
static ZV_HOT void see_turning(const zvBody *b, const placed *up, const real *s, const real *c, placed *at) {
    const double *e = b->E;
    const mat3 E = m3(v3(e[0], e[1], e[2]), v3(e[4], e[5], e[6]), v3(e[8], e[9], e[10]));
    const vec3 r = v3(b->r[0], b->r[1], b->r[2]);
    FOR_SIDES(k) {
        const mat3 P = up[k].R;
        at[k].r = m3_mulv(P, r);
        at[k].R = m3_turn_z(m3_mul(P, E), s[k], c[k]);
    }
}

/* Any other joint. */
static ZV_COLD void see_joint(const zvBody *b, const mat3 *up, const real *q, const real *s, const real *c, int side,
                              placed *at, motion *S) {
    real own[7], own_s[7], own_c[7]; /* a free joint has most coordinates */
    motion columns[ZV_MAX_DOF];
    const int angles = angles_of(b), rest = b->nq - angles;
    take_side(b->nq, q, side, own);
    take_side(angles, s + rest * REAL_SIDES, side, own_s + rest);
    take_side(angles, c + rest * REAL_SIDES, side, own_c + rest);
    place_body(b, up, own, own_s, own_c, at, columns);
    for (int k = 0; k < b->nv; k++) S[k * REAL_SIDES + side] = columns[k];
}

static inline World see(const zvTree *t, zvDesk *desk, Some some, const real *q) {
    const World w = {zv_desk_array(desk, placed, REAL_SIDES * t->nb), zv_desk_array(desk, motion, REAL_SIDES * t->nv)};
    real *s = zv_desk_array(desk, real, REAL_SIDES * t->nq), *c = zv_desk_array(desk, real, REAL_SIDES * t->nq);
    sines(t, some, q, s, c);
    for (int k = 0; k < REAL_SIDES; k++) w.at[k].R = m3_identity();
    for (int n = 0; n < some.count; n++) {
        const int i = some.body[n];
        const zvBody *b = &t->body[i];
        const int at = i * REAL_SIDES, up = b->parent * REAL_SIDES, from = b->q * REAL_SIDES, d = b->v * REAL_SIDES;
        if (b->type == ZV_REVOLUTE) {
            see_turning(b, &w.at[up], s + from, c + from, &w.at[at]);
        } else if (b->type == ZV_PRISMATIC) {
            FOR_SIDES(k) {
                motion known;
                place_body(b, &w.at[up + k].R, q + from + k, s + from + k, c + from + k, &w.at[at + k], &known);
            }
        } else {
            FOR_SIDES(k) { see_joint(b, &w.at[up + k].R, q + from, s + from, c + from, k, &w.at[at + k], &w.S[d]); }
        }
    }
    return w;
}

#endif
