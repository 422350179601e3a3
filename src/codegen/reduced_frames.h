/* Pose and Jacobian of the reduced robot's frame, world axes: lengths are gathered from the frame inward, rotations
 * from the ground outward. Axes are shared as in reduced_mass.h. */
#ifndef ZI_CODEGEN_REDUCED_FRAMES_H
#define ZI_CODEGEN_REDUCED_FRAMES_H

#include "codegen/reduced_mass.h"

/* Of a vector in the axes shared by body i: to the body axes of its parent, without the offset. */
static inline real3 reduced_to_parent(const ziReduced *reduced, const reducedComposite *row, int i, real3 a) {
    return r33_mul(r33_of(reduced->body[i].E), row[i].joint.whole ? r33_mul(row[i].joint.R, a) : a);
}

/* A point of body i's parent, given from body i's origin in its axes. */
static inline real3 reduced_point_inward(const ziReduced *reduced, const unsigned char *joined,
                                         const reducedComposite *row, int i, real3 d) {
    const ziReducedBody *b = &reduced->body[i];
    if (joined[i]) return r3_add(d, row[i].offset);
    return r3_turn(row[b->parent].angle, r3_add(reduced_to_parent(reduced, row, i, d), row[i].offset));
}

/* R (9, row-major), p (3). */
static inline void reduced_pose(const ziReduced *reduced, const unsigned char *joined, reducedComposite *row,
                                const real *q, real *pose) {
    reduced_composite_place(reduced, joined, row, q);
    const int body = reduced->frame_body;
    const real33 ground = r33_of(reduced->ground_R);
    real3 p = r3_turn(row[body].angle, r3_of(reduced->frame_p)), column[3];
    for (int k = 0; k < 3; k++) column[k] = r3_turn(row[body].angle, r3_of(reduced->frame_R + 3 * k));
    for (int i = body; i > 0; i = reduced->body[i].parent) {
        const turn next = row[reduced->body[i].parent].angle;
        p = reduced_point_inward(reduced, joined, row, i, p);
        for (int k = 0; k < 3 && !joined[i]; k++)
            column[k] = r3_turn(next, reduced_to_parent(reduced, row, i, column[k]));
    }
    p = r3_add(r33_mul(ground, p), r3_of(reduced->ground_p));
    for (int k = 0; k < 3; k++) {
        const real3 c = r33_mul(ground, column[k]);
        pose[k] = c.x, pose[3 + k] = c.y, pose[6 + k] = c.z;
    }
    pose[9] = p.x, pose[10] = p.y, pose[11] = p.z;
}

/* World rotations of the axes of all bodies up to `last`. */
static inline void reduced_world_axes(const ziReduced *reduced, const unsigned char *joined,
                                      const reducedComposite *row, int last, real33 *G) {
    G[0] = r33_of(reduced->ground_R);
    for (int i = 1; i <= last; i++) {
        const ziReducedBody *b = &reduced->body[i];
        G[i] = G[b->parent];
        if (joined[i]) continue;
        G[i] = r33_mulr(r33_turned(G[i], row[b->parent].angle), r33_of(b->E));
        if (row[i].joint.whole) G[i] = r33_mulr(G[i], row[i].joint.R);
    }
}

/* J (6 x nv). G: nb. */
static inline void reduced_jacobian(const ziReduced *reduced, const unsigned char *joined, reducedComposite *row,
                                    real33 *G, const real *q, real *J) {
    const int nv = reduced->model->nv, body = reduced->frame_body;
    for (int i = 0; i < 6 * nv; i++) J[i] = 0;
    reduced_composite_place(reduced, joined, row, q);
    reduced_world_axes(reduced, joined, row, body, G);
    real3 d = r3_turn(row[body].angle, r3_of(reduced->frame_p));
    for (int i = body; i > 0; i = reduced->body[i].parent) {
        const ziReducedBody *b = &reduced->body[i];
        for (int k = 0; k < b->nv; k++) {
            const real3 ang = row[i].joint.ang[k], lin = r3_add(row[i].joint.lin[k], r3_cross(ang, d));
            const real3 columns[2] = {r33_mul(G[i], lin), r33_mul(G[i], ang)};
            for (int half = 0; half < 2; half++) {
                real *at = J + 3 * half * nv;
                reduced_give(reduced, b, k, columns[half].x, at);
                reduced_give(reduced, b, k, columns[half].y, at + nv);
                reduced_give(reduced, b, k, columns[half].z, at + 2 * nv);
            }
        }
        d = reduced_point_inward(reduced, joined, row, i, d);
    }
}

#endif
