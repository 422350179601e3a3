/* Conditions of loops from their definitions. */
#include "support/loop_conditions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/reference_curve.h"

/* The child's frame seen from the parent's. */
typedef struct Relative {
    exact R[9], p[3];
} Relative;

static void frames_at(const rcCase *c, int i, const double *q, zvPose *a, zvPose *b) {
    const zvLoopPlace place = zv_model_loop_place(c->model, i);
    zv_frame_pose(c->model, c->work, q, place.parent_frame, a);
    zv_frame_pose(c->model, c->work, q, place.child_frame, b);
}

static Relative relative(const zvPose *a, const zvPose *b) {
    Relative r = {{0}, {0}};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            r.p[i] += (exact)a->R[3 * k + i] * ((exact)b->p[k] - a->p[k]);
            for (int j = 0; j < 3; j++) r.R[3 * i + j] += (exact)a->R[3 * k + i] * b->R[3 * k + j];
        }
    }
    return r;
}

static exact dot(const exact a[3], const exact b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void unit(const double a[3], exact n[3]) {
    const exact length = sqrtl((exact)a[0] * a[0] + (exact)a[1] * a[1] + (exact)a[2] * a[2]);
    for (int k = 0; k < 3; k++) n[k] = a[k] / length;
}

static void turned(const exact R[9], const exact x[3], exact y[3]) {
    for (int i = 0; i < 3; i++) y[i] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2];
}

/* sin of the angle times the axis of a rotation */
static void axial(const exact R[9], exact s[3]) {
    s[0] = (R[7] - R[5]) / 2;
    s[1] = (R[2] - R[6]) / 2;
    s[2] = (R[3] - R[1]) / 2;
}

/* Angle about n, within half a turn of `near`. */
static exact angle(const Relative *r, const exact n[3], exact near) {
    exact s[3];
    axial(r->R, s);
    const exact x = atan2l(dot(s, n), (r->R[0] + r->R[4] + r->R[8] - 1) / 2);
    return near + remainderl(x - near, 2 * 3.14159265358979323846264338327950288L);
}

static int no_turn(const Relative *r, exact *F) {
    axial(r->R, F);
    return 3;
}

static int keeps(const Relative *r, const exact n[3], exact *F) {
    turned(r->R, n, F);
    for (int k = 0; k < 3; k++) F[k] -= n[k];
    return 3;
}

static int no_offset(const Relative *r, exact *F) {
    for (int k = 0; k < 3; k++) F[k] = r->p[k];
    return 3;
}

static int on_line(const Relative *r, const exact n[3], exact *F) {
    for (int k = 0; k < 3; k++) F[k] = r->p[k] - dot(r->p, n) * n[k];
    return 3;
}

/* The foot on the curve by Newton, starting where the loop was closed. */
static int on_curve(const rcLoop *l, const Relative *r, exact *s, exact *F) {
    refCurve path;
    exact c[3], dc[3], ddc[3];
    ref_curve_open(&path, &l->loop.curve);
    *s = l->qc[0];
    for (int round = 0; round < 30; round++) {
        ref_curve_at(&path, *s, c, dc, ddc);
        for (int k = 0; k < 3; k++) F[k] = r->p[k] - c[k];
        *s += dot(F, dc) / (dot(dc, dc) - dot(F, ddc));
    }
    ref_curve_close(&path);
    return 3;
}

static int joint_conditions(const rcLoop *l, const Relative *r, exact *F) {
    const zvLoop *loop = &l->loop;
    exact n[3], n2[3], x[3], coordinate = 0;
    int m = 0;
    unit(loop->axis, n);
    unit(loop->axis2, n2);
    switch (loop->type) {
    case ZV_JOINT_FIXED: m = no_offset(r, F), m += no_turn(r, F + m); break;
    case ZV_JOINT_REVOLUTE:
    case ZV_JOINT_CONTINUOUS:
        m = no_offset(r, F), m += keeps(r, n, F + m);
        coordinate = angle(r, n, l->qc[0]);
        break;
    case ZV_JOINT_PRISMATIC:
        m = on_line(r, n, F), m += no_turn(r, F + m);
        coordinate = dot(r->p, n);
        break;
    case ZV_JOINT_HELICAL:
        m = on_line(r, n, F), m += keeps(r, n, F + m);
        coordinate = angle(r, n, l->qc[0]);
        F[m++] = dot(r->p, n) - loop->pitch * coordinate;
        break;
    case ZV_JOINT_CYLINDRICAL: m = on_line(r, n, F), m += keeps(r, n, F + m); break;
    case ZV_JOINT_PLANAR: F[m++] = dot(r->p, n), m += keeps(r, n, F + m); break;
    case ZV_JOINT_UNIVERSAL:
        m = no_offset(r, F);
        turned(r->R, n2, x);
        F[m++] = dot(n, x) - dot(n, n2);
        break;
    case ZV_JOINT_SPHERICAL: m = no_offset(r, F); break;
    case ZV_JOINT_CURVE:
        m = on_curve(l, r, &coordinate, F);
        if (!loop->ball) m += no_turn(r, F + m);
        break;
    case ZV_JOINT_FREE:
    case ZV_JOINT_TYPES: abort();
    }
    if (loop->driven) F[m++] = coordinate - loop->value;
    return m;
}

static exact coupling_condition(const rcCase *c, const zvLoop *loop, const double *q) {
    exact sum = -loop->offset;
    for (int k = 0; k < loop->term_count; k++) {
        const int joint = zv_model_find_joint(c->model, loop->terms[k].joint);
        sum += (exact)loop->terms[k].ratio * q[zv_model_joint_place(c->model, joint).q_index];
    }
    return sum;
}

int lc_conditions(const rcCase *c, int i, const double *q, exact F[LC_MOST]) {
    const rcLoop *l = &c->loop[i];
    zvPose a, b;
    if (l->loop.kind == ZV_LOOP_COUPLING) {
        F[0] = coupling_condition(c, &l->loop, q);
        return 1;
    }
    frames_at(c, i, q, &a, &b);
    const Relative r = relative(&a, &b);
    if (l->loop.kind == ZV_LOOP_JOINT) return joint_conditions(l, &r, F);
    F[0] = sqrtl(dot(r.p, r.p)) - l->loop.length;
    return 1;
}
