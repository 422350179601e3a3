/* Pose, velocity, acceleration and Jacobian of one frame, by the path from the root: O(depth). */
#include "kinematics/attachment.h"
#include "kinematics/kernels.h"
#include "kinematics/turned.h"
#include "real/sincos.h"

/* The bodies from the root to one body, and sines and cosines of their coordinates. */
typedef struct Path {
    int length;
    int *body; /* root first */
    int *at;   /* where each one's coordinates lie in q, s, c below */
    const double *q;
    double *s, *c;
} Path;

/* Coordinates of the path side by side, where they are few among those between the first and the last. */
static ZI_COLD void gather(const ziTree *t, ziScratch *scratch, int nq, const double *q, Path *p) {
    double *own = zi_scratch_doubles(scratch, nq);
    for (int n = 0, at = 0; n < p->length; n++) {
        const ziBody *b = &t->body[p->body[n]];
        p->at[n] = at;
        for (int k = 0; k < b->nq; k++) own[at++] = q[b->q + k];
    }
    p->q = own;
}

/* Fewer sines are made one by one. */
enum { SINCOS_LEAST = 4 };

/* Bodies from the root to `body`; sines take one pass. As a rule it goes over all coordinates from the first to the
 * last of the path: numbers gathered one by one are not there yet when four of them are wanted at once. A floating base
 * has no angles. */
static inline Path path_to(const ziTree *t, ziScratch *scratch, int body, const double *q) {
    Path p = {0};
    int nq = 0, first = 0;
    for (int i = body; i; i = t->body[i].parent) {
        p.length++;
        nq += t->body[i].nq;
        first = t->body[i].q;
    }
    p.body = zi_scratch_take(scratch, (size_t)p.length * sizeof *p.body);
    p.at = zi_scratch_take(scratch, (size_t)p.length * sizeof *p.at);
    const int whole = body ? t->body[body].q + t->body[body].nq - first : 0;
    for (int i = body, n = p.length; i; i = t->body[i].parent) {
        p.body[--n] = i;
        p.at[n] = t->body[i].q - first;
    }
    p.q = q + first;
    if (whole > 2 * nq + 8)
        gather(t, scratch, nq, q, &p);
    else
        nq = whole;
    p.s = zi_scratch_doubles(scratch, nq);
    p.c = zi_scratch_doubles(scratch, nq);
    const int floats = p.length && t->body[p.body[0]].type == ZV_JOINT_FREE ? t->body[p.body[0]].nq : 0;
    const int none = floats < nq - SINCOS_LEAST ? floats : nq > SINCOS_LEAST ? nq - SINCOS_LEAST : 0;
    sincos_array(nq - none, p.q + none, p.s + none, p.c + none);
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

/* Any joint that is not revolute; f: its parent, R alone, then the body. */
static ZI_COLD void place_other(const ziBody *b, placed *f, const double *q, const double *s, const double *c,
                                motion *S) {
    const mat3 R = f->R;
    place_body(b, &R, q, s, c, f, S);
}

/* A floating base: its columns are its own axes, twice. R: of its parent, then its own; returns the way to it. */
static ZI_HOT vec3 place_floating(const ziBody *b, const double *q, mat3 *R, motion *S) {
    const mat3 P = *R, E = m3_mulp12(P, b->E), own = m3_mul(E, quaternion_matrix(q + 3));
    const vec3 none = v3_zero();
    S[0] = motion_of(own.x, none), S[1] = motion_of(own.y, none), S[2] = motion_of(own.z, none);
    S[3] = motion_of(none, own.x), S[4] = motion_of(none, own.y), S[5] = motion_of(none, own.z);
    *R = own;
    return v3_add(m3_mulp(P, b->r), m3_mulp(E, q));
}

/* A joint of the path: R of its parent becomes that of its body; columns to S; returns the way from the parent. */
static ZI_HOT vec3 walk_joint(const ziBody *b, const double *q, const double *s, const double *c, mat3 *R, motion *S) {
    if (b->type == ZV_JOINT_REVOLUTE) {
        const vec3 r = m3_mulp(*R, b->r);
        *R = turned_rotation(b, *R, *s, *c);
        S[0] = motion_of(v3_zero(), R->z);
        return r;
    }
    if (b->type == ZV_JOINT_FREE) return place_floating(b, q, R, S);
    placed shown; /* what a call is shown leaves its registers */
    shown.R = *R;
    place_other(b, &shown, q, s, c, S);
    *R = shown.R;
    return shown.r;
}

/* Of rigid trees: the path from the root once, and nothing but rotations and places. */
void ZI_KERNEL(zi_frame_pose)(const ziTree *t, ziScratch scratch, const ziFrameSpot *frame, const double *q,
                              zvPose *pose) {
    const Path path = path_to(t, &scratch, frame->body, q);
    mat3 R = m3_identity();
    vec3 p = v3_zero();
    for (int n = 0; n < path.length; n++) {
        motion S[ZV_MAX_DOF];
        const int at = path.at[n];
        p = v3_add(p, walk_joint(&t->body[path.body[n]], path.q + at, path.s + at, path.c + at, &R, S));
    }
    note_pose(R, p, &frame->in_body, pose);
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
    size_t nv = (size_t)t->nv, columns = 0;
    vec3 *r = zi_scratch_take(&scratch, (size_t)path.length * sizeof *r);
    vec3 *bent =
        zi_scratch_take(&scratch, (size_t)(path.length + 1) * sizeof *bent); /* to the section before each body */
    motion *S = zi_scratch_take(&scratch, nv * sizeof *S);
    placed shown;
    mat3 R = m3_identity(); /* what a call is shown leaves its registers */
    vec3 p = v3_zero();
    for (int n = 0; n < path.length; n++) {
        const ziBody *b = &t->body[path.body[n]];
        const double *qb = path.q + path.at[n], *sb = path.s + path.at[n], *cb = path.c + path.at[n];
        if (on_section(b)) {
            shown.R = R, shown.r = p;
            bent[n] = place_columns(t, b->base - t->nb, q, &shown.R, &shown.r, S);
            R = shown.R, p = shown.r;
        }
        r[n] = walk_joint(b, qb, sb, cb, &R, S + b->v);
        p = v3_add(p, r[n]);
        columns += (size_t)b->nv;
    }
    if (frame->attachment >= 0) {
        shown.R = R, shown.r = p;
        bent[path.length] = place_columns(t, frame->attachment, q, &shown.R, &shown.r, S);
        R = shown.R, p = shown.r;
    }
    note_pose(R, p, &frame->in_body, pose);
    vec3 reach =
        m3_mulv(R, v3_of(frame->in_body.p)); /* from a body's origin to the frame's, tip inward: no large differences */
    if (columns < nv) memset(J, 0, 6 * nv * sizeof *J);
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

/* Rates of a joint's columns: it is carried by a body that turns with w, and some move in their joint's frame. */
static inline void column_rates(const ziBody *b, mat3 R, vec3 w, const double *q, const double *s, const double *c,
                                const double *v, const motion *S, motion *dS) {
    for (int k = 0; k < b->nv; k++) dS[k] = motion_of(v3_cross(w, S[k].lin), v3_cross(w, S[k].ang));
    if (!subspace_moves(b)) return;
    motion own[ZV_MAX_DOF];
    joint j;
    joint_place(b, q, s, c, &j);
    joint_rate(b, q, v, &j, own);
    const mat3 E = m3_mulp12(R, b->E);
    for (int k = 0; k < b->nv; k++)
        dS[k] = motion_add(dS[k], motion_of(m3_mulv(E, own[k].lin), m3_mulv(E, own[k].ang)));
}

/* One joint of the path: how far and how fast its body's origin is from its parent's, columns and their rates. */
typedef struct PathRate {
    vec3 r, u;
} PathRate;

/* d/dt (S.lin + S.ang x reach) = dS.lin + dS.ang x reach + S.ang x d(reach)/dt, tip inward as for J. */
void ZI_KERNEL(zi_frame_jacobian_rate)(const ziTree *t, ziScratch scratch, const ziFrameSpot *frame, const double *q,
                                       const double *v, zvPose *pose, double *w, double *rate) {
    const Path path = path_to(t, &scratch, frame->body, q);
    const size_t nv = (size_t)t->nv;
    PathRate *step = zi_scratch_take(&scratch, (size_t)path.length * sizeof *step);
    motion *S = zi_scratch_take(&scratch, nv * sizeof *S), *dS = zi_scratch_take(&scratch, nv * sizeof *dS);
    mat3 R = m3_identity();
    vec3 p = v3_zero(), turn = v3_zero();
    for (int n = 0; n < path.length; n++) {
        const ziBody *b = &t->body[path.body[n]];
        const double *qb = path.q + path.at[n], *sb = path.s + path.at[n], *cb = path.c + path.at[n];
        placed f;
        place_body(b, &R, qb, sb, cb, &f, S + b->v);
        column_rates(b, R, turn, qb, sb, cb, v + b->v, S + b->v, dS + b->v);
        const motion rel = relative_velocity(b, S + b->v, v + b->v);
        step[n].r = f.r;
        step[n].u = v3_cross_add(turn, f.r, rel.lin);
        turn = v3_add(turn, rel.ang);
        R = f.R;
        p = v3_add(p, f.r);
    }
    note_pose(R, p, &frame->in_body, pose);
    v3_to(w, turn);
    memset(rate, 0, 6 * nv * sizeof *rate);
    vec3 reach = m3_mulp(R, frame->in_body.p), moving = v3_cross(turn, reach);
    for (int n = path.length - 1; n >= 0; n--) {
        const ziBody *b = &t->body[path.body[n]];
        for (int d = b->v; d < b->v + b->nv; d++) { dS[d].lin = v3_cross_add(S[d].ang, moving, dS[d].lin); }
        note_columns(rate, nv, b->v, b->nv, dS, reach);
        reach = v3_add(reach, step[n].r);
        moving = v3_add(moving, step[n].u);
    }
}
