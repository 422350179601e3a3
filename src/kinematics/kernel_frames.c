/* Pose, velocity, acceleration and Jacobian of one frame, by the path from the root: O(depth). */
#include "kinematics/kernels.h"
#include "kinematics/outward.h"
#include "real/sincos.h"

/* The bodies from the root to one body, with their coordinates gathered so that one pass makes all sines. */
typedef struct Path {
    int length;
    int *body; /* root first */
    int *at;   /* where each one's coordinates lie in q, s, c below */
    double *q, *s, *c;
} Path;

static inline Path path_to(const zvTree *t, zvDesk *desk, int body, const double *q) {
    Path p = {0};
    int nq = 0;
    for (int i = body; i; i = t->body[i].parent) {
        p.length++;
        nq += t->body[i].nq;
    }
    p.body = zv_desk_take(desk, (size_t)p.length * sizeof *p.body);
    p.at = zv_desk_take(desk, (size_t)p.length * sizeof *p.at);
    p.q = zv_desk_doubles(desk, nq);
    p.s = zv_desk_doubles(desk, nq);
    p.c = zv_desk_doubles(desk, nq);
    int n = p.length, at = nq;
    for (int i = body; i; i = t->body[i].parent) {
        const zvBody *b = &t->body[i];
        at -= b->nq;
        p.body[--n] = i;
        p.at[n] = at;
        for (int k = 0; k < b->nq; k++) p.q[at + k] = q[b->q + k];
    }
    sincos_array(nq, p.q, p.s, p.c);
    return p;
}

static inline void note_pose(mat3 R, vec3 p, const zvPlacement *in_body, zvPlacement *pose) {
    mat3 F = m3_mul(R, m3_of(in_body->R));
    m3_to(pose->R, F);
    v3_to(pose->p, m3_mulv_add(R, v3_of(in_body->p), p));
}

void ZV_KERNEL(zv_frame_motion)(const zvTree *t, zvDesk desk, const zvFrameSpot *frame, const double *q,
                                const double *v, const double *a, zvPlacement *pose, double *velocity,
                                double *acceleration) {
    Path path = path_to(t, &desk, frame->body, q);
    mat3 R = m3_identity();
    vec3 p = v3_zero();
    motion vel = motion_zero(), acc = motion_zero();
    for (int n = 0; n < path.length; n++) {
        const zvBody *b = &t->body[path.body[n]];
        const double *qb = path.q + path.at[n], *sb = path.s + path.at[n], *cb = path.c + path.at[n];
        motion S[ZV_MAX_DOF];
        placed f;
        place_body(b, &R, qb, sb, cb, &f, S);
        if (v) {
            motion rel = relative_velocity(b, S, v + b->v);
            motion bias = carried_bias(vel.ang, f.r, rel);
            if (subspace_moves(b)) bias = motion_add(bias, joint_bias_world(b, &R, qb, sb, cb, v + b->v));
            acc = motion_add(motion_shift(acc, f.r), bias);
            vel = motion_add(motion_shift(vel, f.r), rel);
        } else {
            acc = motion_shift(acc, f.r);
        }
        if (a) acc = motion_add(acc, relative_velocity(b, S, a + b->v));
        R = f.R;
        p = v3_add(p, f.r);
    }
    note_pose(R, p, &frame->in_body, pose);
    vec3 d = m3_mulv(R, v3_of(frame->in_body.p));
    if (velocity) {
        motion x = motion_shift(vel, d);
        v3_to(velocity, x.lin);
        v3_to(velocity + 3, x.ang);
    }
    if (acceleration) {
        motion x = motion_shift(acc, d);
        v3_to(acceleration, v3_cross_add(vel.ang, v3_cross(vel.ang, d), x.lin));
        v3_to(acceleration + 3, x.ang);
    }
}

void ZV_KERNEL(zv_frame_jacobian_columns)(const zvTree *t, zvDesk desk, const zvFrameSpot *frame, const double *q,
                                          zvPlacement *pose, double *J) {
    Path path = path_to(t, &desk, frame->body, q);
    size_t nv = (size_t)t->nv;
    vec3 *r = zv_desk_take(&desk, (size_t)path.length * sizeof *r);
    motion *S = zv_desk_take(&desk, nv * sizeof *S);
    mat3 R = m3_identity();
    vec3 p = v3_zero();
    for (int n = 0; n < path.length; n++) {
        const zvBody *b = &t->body[path.body[n]];
        const double *qb = path.q + path.at[n], *sb = path.s + path.at[n], *cb = path.c + path.at[n];
        placed f;
        place_body(b, &R, qb, sb, cb, &f, S + b->v);
        R = f.R;
        p = v3_add(p, f.r);
        r[n] = f.r;
    }
    note_pose(R, p, &frame->in_body, pose);
    vec3 reach =
        m3_mulv(R, v3_of(frame->in_body.p)); /* from a body's origin to the frame's, tip inward: no large differences */
    for (size_t i = 0; i < 6 * nv; i++) J[i] = 0;
    for (int n = path.length - 1; n >= 0; n--) {
        const zvBody *b = &t->body[path.body[n]];
        for (size_t d = (size_t)b->v; d < (size_t)(b->v + b->nv); d++) {
            motion x = motion_shift(S[d], reach);
            J[d] = v3_x(x.lin);
            J[nv + d] = v3_y(x.lin);
            J[2 * nv + d] = v3_z(x.lin);
            J[3 * nv + d] = v3_x(x.ang);
            J[4 * nv + d] = v3_y(x.ang);
            J[5 * nv + d] = v3_z(x.ang);
        }
        reach = v3_add(reach, r[n]);
    }
}
