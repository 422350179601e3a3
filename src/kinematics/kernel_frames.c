/* Pose, velocity, acceleration and Jacobian of one frame, by the path from the root: O(depth). */
#include "kinematics/attachment.h"
#include "kinematics/kernels.h"
#include "real/sincos.h"

/* The bodies from the root to one body, with their coordinates gathered so that one pass makes all sines. */
typedef struct Path {
    int length;
    int *body; /* root first */
    int *at;   /* where each one's coordinates lie in q, s, c below */
    double *q, *s, *c;
} Path;

/* Bodies from the root to `body` and their coordinates side by side, so that sines take one pass. */
static inline Path path_to(const ziTree *t, ziScratch *scratch, int body, const double *q) {
    Path p = {0};
    int nq = 0;
    for (int i = body; i; i = t->body[i].parent) {
        p.length++;
        nq += t->body[i].nq;
    }
    p.body = zi_scratch_take(scratch, (size_t)p.length * sizeof *p.body);
    p.at = zi_scratch_take(scratch, (size_t)p.length * sizeof *p.at);
    p.q = zi_scratch_doubles(scratch, nq);
    p.s = zi_scratch_doubles(scratch, nq);
    p.c = zi_scratch_doubles(scratch, nq);
    int n = p.length, at = nq;
    for (int i = body; i; i = t->body[i].parent) {
        const ziBody *b = &t->body[i];
        at -= b->nq;
        p.body[--n] = i;
        p.at[n] = at;
        for (int k = 0; k < b->nq; k++) p.q[at + k] = q[b->q + k];
    }
    sincos_array(nq, p.q, p.s, p.c);
    return p;
}

/* Whether a body's joint sits on a section of its parent. */
static inline bool on_section(const ziBody *b) { return b->base != b->parent; }

static inline void note_pose(mat3 R, vec3 p, const zvPose *in_body, zvPose *pose) {
    mat3 F = m3_mul(R, m3_of_rows(in_body->R));
    m3_to_rows(pose->R, F);
    v3_to(pose->p, m3_mulv_add(R, v3_of(in_body->p), p));
}

/* Where the path has got to. */
typedef struct Walker {
    mat3 R;
    vec3 p;
    motion vel, acc;
} Walker;

/* From a body's origin to one of its sections; v and a may be NULL. */
static ZI_COLD void walk_to_section(const ziTree *t, int attachment, const double *q, const double *v, const double *a,
                                    Walker *w) {
    const ziAttachment *st = &t->attachment[attachment];
    const ziElastic *el = t->body[st->body].elastic;
    const double *e = q + el->q;
    placed f;
    place_attachment(st, el, &w->R, e, &f, NULL);
    w->acc = motion_shift(w->acc, f.r);
    if (v) {
        const motion rel = attachment_rate_world(st, el, &w->R, e, v + el->v);
        w->acc = motion_add(w->acc, carried_bias(w->vel.ang, f.r, rel));
        w->acc = motion_add(w->acc, attachment_bias_world(st, el, &w->R, e, v + el->v));
        w->vel = motion_add(motion_shift(w->vel, f.r), rel);
    }
    if (a) w->acc = motion_add(w->acc, attachment_rate_world(st, el, &w->R, e, a + el->v));
    w->R = f.R;
    w->p = v3_add(w->p, f.r);
}

/* From the last row of the path to the frame that is fixed in it. */
static inline void walk_to_frame(const ziFrameSpot *frame, const Walker *w, zvPose *pose, double *velocity,
                                 double *acceleration) {
    note_pose(w->R, w->p, &frame->in_body, pose);
    vec3 d = m3_mulv(w->R, v3_of(frame->in_body.p));
    if (velocity) {
        motion x = motion_shift(w->vel, d);
        v3_to(velocity, x.lin);
        v3_to(velocity + 3, x.ang);
    }
    if (acceleration) {
        motion x = motion_shift(w->acc, d);
        v3_to(acceleration, v3_cross_add(w->vel.ang, v3_cross(w->vel.ang, d), x.lin));
        v3_to(acceleration + 3, x.ang);
    }
}

/* Walks the path from the root once; what is not wanted costs nothing. */
void ZI_KERNEL(zi_frame_motion)(const ziTree *t, ziScratch scratch, const ziFrameSpot *frame, const double *q,
                                const double *v, const double *a, zvPose *pose, double *velocity,
                                double *acceleration) {
    Path path = path_to(t, &scratch, frame->body, q);
    Walker w;
    mat3 R = m3_identity(); /* beside the walker, because what a call is shown leaves its registers */
    vec3 p = v3_zero();
    motion vel = motion_zero(), acc = motion_zero();
    for (int n = 0; n < path.length; n++) {
        const ziBody *b = &t->body[path.body[n]];
        const double *qb = path.q + path.at[n], *sb = path.s + path.at[n], *cb = path.c + path.at[n];
        motion S[ZV_MAX_DOF];
        placed f;
        if (on_section(b)) {
            w.R = R, w.p = p, w.vel = vel, w.acc = acc;
            walk_to_section(t, b->base - t->nb, q, v, a, &w);
            R = w.R, p = w.p, vel = w.vel, acc = w.acc;
        }
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
    w.R = R, w.p = p, w.vel = vel, w.acc = acc;
    if (frame->attachment >= 0) walk_to_section(t, frame->attachment, q, v, a, &w);
    walk_to_frame(frame, &w, pose, velocity, acceleration);
}

/* A section that the path goes over: its columns, put where they belong among those of all coordinates, and the way to
 * it. R, p: before, of the body; then of the section. */
static ZI_COLD vec3 place_columns(const ziTree *t, int attachment, const double *q, mat3 *R, vec3 *p, motion *S) {
    const ziAttachment *st = &t->attachment[attachment];
    const ziElastic *el = t->body[st->body].elastic;
    placed f;
    place_attachment(st, el, R, q + el->q, &f, S + el->v);
    *R = f.R;
    *p = v3_add(*p, f.r);
    return f.r;
}

/* Columns `first` ... `first` + count - 1 of J (6 x nv), seen from the point `reach` away from where they are S. */
static inline void note_columns(double *J, size_t nv, int first, int count, const motion *S, vec3 reach) {
    for (size_t d = (size_t)first; d < (size_t)(first + count); d++) {
        motion x = motion_shift(S[d], reach);
        J[d] = v3_x(x.lin);
        J[nv + d] = v3_y(x.lin);
        J[2 * nv + d] = v3_z(x.lin);
        J[3 * nv + d] = v3_x(x.ang);
        J[4 * nv + d] = v3_y(x.ang);
        J[5 * nv + d] = v3_z(x.ang);
    }
}

/* Columns of the path's joints shifted to the frame's origin; all others are zero. */
void ZI_KERNEL(zi_frame_jacobian_columns)(const ziTree *t, ziScratch scratch, const ziFrameSpot *frame, const double *q,
                                          zvPose *pose, double *J) {
    Path path = path_to(t, &scratch, frame->body, q);
    size_t nv = (size_t)t->nv;
    vec3 *r = zi_scratch_take(&scratch, (size_t)path.length * sizeof *r);
    vec3 *bent =
        zi_scratch_take(&scratch, (size_t)(path.length + 1) * sizeof *bent); /* to the section before each body */
    motion *S = zi_scratch_take(&scratch, nv * sizeof *S);
    mat3 R = m3_identity();
    vec3 p = v3_zero();
    for (int n = 0; n < path.length; n++) {
        const ziBody *b = &t->body[path.body[n]];
        const double *qb = path.q + path.at[n], *sb = path.s + path.at[n], *cb = path.c + path.at[n];
        placed f;
        if (on_section(b)) bent[n] = place_columns(t, b->base - t->nb, q, &R, &p, S);
        place_body(b, &R, qb, sb, cb, &f, S + b->v);
        R = f.R;
        p = v3_add(p, f.r);
        r[n] = f.r;
    }
    if (frame->attachment >= 0) bent[path.length] = place_columns(t, frame->attachment, q, &R, &p, S);
    note_pose(R, p, &frame->in_body, pose);
    vec3 reach =
        m3_mulv(R, v3_of(frame->in_body.p)); /* from a body's origin to the frame's, tip inward: no large differences */
    for (size_t i = 0; i < 6 * nv; i++) J[i] = 0;
    bool bends = frame->attachment >= 0;
    for (int n = path.length - 1; n >= 0; n--) {
        const ziBody *b = &t->body[path.body[n]];
        if (bends) {
            note_columns(J, nv, b->elastic->v, b->elastic->n, S, reach);
            reach = v3_add(reach, bent[n + 1]);
        }
        note_columns(J, nv, b->v, b->nv, S, reach);
        reach = v3_add(reach, r[n]);
        bends = on_section(b);
    }
}
