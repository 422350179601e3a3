/* Pose and Jacobian of a frame in lanes, by the path from the root: columns outward, then seen from the frame, tip
 * inward. */
#ifndef ZI_BATCH_FRAME_H
#define ZI_BATCH_FRAME_H

#include "batch/unroll.h"
#include "batch/world.h"

/* Where a result is stored: entry e of a slot at place + e * step + slot * REAL_LANES, in scratch memory or at the
 * caller's. */
struct Goal {
    lane *place;
    size_t step;
};

static ZI_HOT void store(Goal to, size_t entry, int slot, real x) {
    *(loose_lanes *)(to.place + entry * to.step + (size_t)slot * REAL_LANES) = x.v;
}

/* The bodies from the root to one of them. */
static inline BodyList path_to(const ziTree *t, ziScratch *scratch, int body) {
    int length = 0, *path = zi_scratch_array(scratch, int, t->nb);
    for (int i = body; i; i = t->body[i].parent) length++;
    for (int i = body, n = length; i; i = t->body[i].parent) path[--n] = i;
    return {length, path};
}

/* Axes of the frame in the world, by columns; in_body.R is row-major. */
static ZI_HOT mat3 frame_axes(const ziLaneTask *task, mat3 R) {
    return m3_mul(R, m3_transpose(m3_of(task->in_body.R)));
}

/* 12 entries: R row-major, p. */
static inline void pose(const ziLaneTask *task, ziScratch scratch, const real *q, Goal to) {
    const zvModel *m = task->plan->model;
    const real *tq = zi_tree_q(m, &scratch, q);
    const BodyList path = path_to(&m->tree, &scratch, task->body);
    const World w = see(&m->tree, &scratch, path, tq);
    FOR_UNROLL(k) {
        const mat3 R = w.at[task->body * REAL_UNROLL + k].R, F = frame_axes(task, R);
        vec3 at = m3_mulp(R, task->in_body.p);
        for (int n = path.count - 1; n >= 0; n--) at = v3_add(at, w.at[path.body[n] * REAL_UNROLL + k].r);
        const real entry[12] = {F.x.x, F.y.x, F.z.x, F.x.y, F.y.y, F.z.y, F.x.z, F.y.z, F.z.z, at.x, at.y, at.z};
        for (size_t e = 0; e < 12; e++) store(to, e, k, entry[e]);
    }
}

static ZI_HOT void store_column(Goal J, size_t nv, int d, int slot, motion x) {
    const real entry[6] = {x.lin.x, x.lin.y, x.lin.z, x.ang.x, x.ang.y, x.ang.z};
    for (size_t k = 0; k < 6; k++) store(J, k * nv + (size_t)d, slot, entry[k]);
}

/* Columns of the path's joints in one slot. */
static inline void path_columns(const ziLaneTask *task, const World *w, BodyList path, int slot, Goal J) {
    const ziTree *t = &task->plan->model->tree;
    const mat3 R = w->at[task->body * REAL_UNROLL + slot].R, axes = frame_axes(task, R);
    vec3 reach = m3_mulp(R, task->in_body.p);
    for (int n = path.count - 1; n >= 0; n--) {
        const ziBody *b = &t->body[path.body[n]];
        for (int d = b->v; d < b->v + b->nv; d++) {
            const motion S = column_of(w, b, path.body[n], d, slot);
            motion x = b->type == ZV_JOINT_REVOLUTE ? motion_of(v3_cross(S.ang, reach), S.ang) : motion_shift(S, reach);
            if (task->local) x = motion_of(m3_tmulv(axes, x.lin), m3_tmulv(axes, x.ang));
            store_column(J, (size_t)t->nv, d, slot, x);
        }
        reach = v3_add(reach, w->at[path.body[n] * REAL_UNROLL + slot].r);
    }
}

/* 6 x tree nv entries from tree coordinates. */
static inline void tree_jacobian(const ziLaneTask *task, ziScratch scratch, const real *tq, Goal J) {
    const ziTree *t = &task->plan->model->tree;
    const BodyList path = path_to(t, &scratch, task->body);
    const World w = see(t, &scratch, path, tq);
    for (int d = 0, next = 0; d < t->nv; d++) {
        while (next < path.count && t->body[path.body[next]].v + t->body[path.body[next]].nv <= d) next++;
        if (next < path.count && d >= t->body[path.body[next]].v) continue;
        for (int k = 0; k < REAL_UNROLL; k++) store_column(J, (size_t)t->nv, d, k, motion_zero());
    }
    FOR_UNROLL(k) path_columns(task, &w, path, k, J);
}

#endif
