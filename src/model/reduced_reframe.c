/* Frames of bodies chosen for sparse transforms to their children, from the leaves to the ground. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "model/reduced.h"
#include "spatial/components.h"

static const double ROUND = 4 * DBL_EPSILON;
static const double HALF_PI = 1.5707963267948966;

static int one_axis(const ziReducedBody *b) { return b->type == ZV_JOINT_REVOLUTE || b->type == ZV_JOINT_PRISMATIC; }

static void rotate(const double A[9], const double *B, int columns, int transposed, double *C) {
    const real33 R = r33_of(A);
    for (int k = 0; k < columns; k++) {
        const real3 a = transposed ? r33_tmul(R, r3_of(B + 3 * k)) : r33_mul(R, r3_of(B + 3 * k));
        C[3 * k] = a.x, C[3 * k + 1] = a.y, C[3 * k + 2] = a.z;
    }
}

/* Entries of a rotation that are 0 or +-1 but for rounding. */
static void snap_rotation(double R[9]) {
    for (int k = 0; k < 9; k++)
        if (fabs(R[k] - round(R[k])) <= ROUND) R[k] = round(R[k]);
}

static void snap_vector(double r[3], double size) {
    for (int k = 0; k < 3; k++)
        if (fabs(r[k]) <= ROUND * size) r[k] = 0;
}

/* Into (-pi, pi]; quarters of a circle exactly. */
static double snap_angle(double angle) {
    angle = remainder(angle, 4 * HALF_PI);
    const double quarter = round(angle / HALF_PI);
    return fabs(angle - quarter * HALF_PI) <= 1e-15 ? quarter * HALF_PI : angle;
}

/* A frame seen in another is seen from one that is turned by Q and stands at d there. */
static void see_from(const double Q[9], const double d[3], double *R, double *p) {
    double turned[9], moved[3] = {p[0] - d[0], p[1] - d[1], p[2] - d[2]};
    const double size = fabs(p[0]) + fabs(p[1]) + fabs(p[2]) + fabs(d[0]) + fabs(d[1]) + fabs(d[2]);
    rotate(Q, R, 3, 1, turned);
    snap_rotation(turned);
    memcpy(R, turned, sizeof turned);
    rotate(Q, moved, 1, 1, p);
    snap_vector(p, size);
}

/* The body's axes become Q, its origin goes to d, both seen in its frame; its joint is told by the caller. */
static void change_frame(ziReduced *reduced, int i, const double Q[9], const double d[3]) {
    ziReducedBody *b = &reduced->body[i];
    double back[9], axes[9], moved[3];
    rotate(b->own_R, Q, 3, 0, axes);
    rotate(b->own_R, d, 1, 0, moved);
    memcpy(b->own_R, axes, sizeof axes);
    for (int k = 0; k < 3; k++) b->own_p[k] += moved[k];
    for (int k = 0; k < 9; k++) back[k] = Q[3 * (k % 3) + k / 3];
    const real3 away = r3(-d[0], -d[1], -d[2]);
    const moments a = moments_rotate(r33_of(back), moments_shift(away, moments_of(b->m, b->h, b->K)));
    b->h[0] = a.h.x, b->h[1] = a.h.y, b->h[2] = a.h.z;
    b->K[0] = a.xx, b->K[1] = a.xy, b->K[2] = a.xz, b->K[3] = a.yy, b->K[4] = a.yz, b->K[5] = a.zz;
    for (int k = i + 1; k < b->end; k = reduced->body[k].end) see_from(Q, d, reduced->body[k].E, reduced->body[k].r);
    if (reduced->frame_body == i) see_from(Q, d, reduced->frame_R, reduced->frame_p);
}

/* The joint's origin goes to d, seen in its frame at rest. */
static void move_joint(ziReducedBody *b, const double d[3]) {
    double moved[3];
    rotate(b->E, d, 1, 0, moved);
    const double size = fabs(b->r[0]) + fabs(b->r[1]) + fabs(b->r[2]) + fabs(d[0]) + fabs(d[1]) + fabs(d[2]);
    for (int k = 0; k < 3; k++) b->r[k] += moved[k];
    snap_vector(b->r, size);
}

static void turn_joint(ziReducedBody *b, const double Q[9]) {
    double E[9];
    rotate(b->E, Q, 3, 0, E);
    snap_rotation(E);
    memcpy(b->E, E, sizeof E);
}

/* z the other way: R = J Rz(q) becomes (J X) Rz(-q) with X half a turn about x. */
static void turn_over(ziReduced *reduced, int i) {
    static const double over[9] = {1, 0, 0, 0, -1, 0, 0, 0, -1}, none[3] = {0, 0, 0};
    ziReducedBody *b = &reduced->body[i];
    turn_joint(b, over);
    change_frame(reduced, i, over, none);
    b->sign = -b->sign;
    b->offset = -b->offset;
}

/* (19.4): the frame of a body turned about z, x to the direction (c, s), and moved to d. */
static void reframe(ziReduced *reduced, int i, double s, double c, const double d[3]) {
    ziReducedBody *b = &reduced->body[i];
    const double l = hypot(s, c);
    double Q[9] = {c / l, s / l, 0, -s / l, c / l, 0, 0, 0, 1};
    snap_rotation(Q);
    move_joint(b, d); /* along z for a revolute joint: the same place before and after turning */
    change_frame(reduced, i, Q, d);
    if (b->type == ZV_JOINT_REVOLUTE)
        b->offset = snap_angle(b->offset + atan2(Q[1], Q[0]));
    else
        turn_joint(b, Q);
}

/* The only child of a body, when its axis is parallel; 0: no child; -1: neither. */
static int only_parallel_child(const ziReduced *reduced, int i) {
    int child = 0;
    for (int k = i + 1; k < reduced->body[i].end; k = reduced->body[k].end) {
        if (child || !one_axis(&reduced->body[k]) || reduced->body[k].E[6] != 0 || reduced->body[k].E[7] != 0)
            return -1;
        child = k;
    }
    return child;
}

/* (19.6), E = A Rz(psi) with A sparse: x perpendicular to the parent's z. The joint takes psi in its offset; a body
 * that slides is turned itself and hands psi on to its child, which is settled later, where that costs nothing. */
static void set_frame(ziReduced *reduced, int i) {
    static const double none[3] = {0, 0, 0};
    ziReducedBody *b = &reduced->body[i];
    if (!one_axis(b)) return;
    const double *u = b->E + 6, *x = b->E, l = hypot(u[0], u[1]);
    double A[9] = {1, 0, 0, 0, u[2] < 0 ? -1 : 1, 0, u[0], u[1], u[2]};
    if (l > 0) {
        A[0] = -u[1] / l, A[1] = u[0] / l;
        A[3] = -u[2] * A[1], A[4] = u[2] * A[0], A[5] = u[0] * A[1] - u[1] * A[0];
    }
    snap_rotation(A);
    const double c = A[0] * x[0] + A[1] * x[1] + A[2] * x[2], s = A[3] * x[0] + A[4] * x[1] + A[5] * x[2];
    if (b->type == ZV_JOINT_REVOLUTE) {
        b->offset = snap_angle(b->offset + atan2(s, c));
        memcpy(b->E, A, sizeof A);
    } else if (only_parallel_child(reduced, i) >= 0) {
        reframe(reduced, i, -s, c, none);
    }
}

/* The child with most bodies beyond it; 0: none. */
static int main_child(const ziReduced *reduced, int i) {
    int best = 0;
    for (int k = i + 1; k < reduced->body[i].end; k = reduced->body[k].end)
        if (!best || reduced->body[k].end - k > reduced->body[best].end - best) best = k;
    return best;
}

/* How far origins may be slid for the sake of the transform to a child: twice as far as it was. Beyond that small
 * moments would be differences of large ones. */
static double limit(const ziReduced *reduced, int child) {
    const double *r = reduced->model->tree.body[child].r;
    return 2 * hypot(hypot(r[0], r[1]), r[2]);
}

/* (19.5): where the common normal of the z axis and the line r + t u meets them: z on the former, t on the latter;
 * false when they are parallel. */
static int feet(const double r[3], const double u[3], double *z, double *t) {
    const double sine2 = u[0] * u[0] + u[1] * u[1];
    if (sine2 == 0) return 0;
    *t = -(r[0] * u[0] + r[1] * u[1]) / sine2;
    *z = r[2] + *t * u[2];
    return 1;
}

/* x along the common normal with the main child's axis, origin where it meets ours. */
static void face_child(ziReduced *reduced, int i, int child) {
    const ziReducedBody *b = &reduced->body[i], *c = &reduced->body[child];
    const double *r = c->r, *u = c->E + 6;
    const double most = limit(reduced, child);
    double x = 1, y = 0, z = 0, t, d[3] = {0, 0, fabs(r[2]) <= most ? r[2] : 0};
    if (one_axis(c) && feet(r, u, &z, &t)) {
        x = -u[1], y = u[0];
        if (fabs(z) <= most) d[2] = z;
    } else if (one_axis(c) && (r[0] != 0 || r[1] != 0)) {
        x = r[0], y = r[1];
    }
    if (b->type == ZV_JOINT_PRISMATIC && hypot(hypot(r[0], r[1]), r[2]) <= most) memcpy(d, r, sizeof d);
    reframe(reduced, i, y, x, d);
}

/* A last body: near the axis before it, x towards its centre of mass. */
static void face_mass(ziReduced *reduced, int i) {
    ziReducedBody *b = &reduced->body[i];
    const double *r = b->r, *u = b->E + 6;
    double z, t, d[3] = {0, 0, -(r[0] * u[0] + r[1] * u[1] + r[2] * u[2])};
    if (b->type == ZV_JOINT_PRISMATIC) {
        for (int k = 0; k < 3; k++) d[k] = b->m > 0 ? b->h[k] / b->m : 0;
        reframe(reduced, i, 0, 1, d);
        for (int k = 0; k < 3; k++) b->h[k] = b->m > 0 ? 0 : b->h[k];
        return;
    }
    if (one_axis(&reduced->body[b->parent]) && feet(r, u, &z, &t) && fabs(t) <= limit(reduced, i)) d[2] = t;
    const double least = ROUND * sqrt(b->m * (fabs(b->K[0]) + fabs(b->K[3]) + fabs(b->K[5])));
    const int aim = fabs(b->h[0]) > least && fabs(b->h[1]) > least;
    reframe(reduced, i, aim ? b->h[1] : 0, aim ? b->h[0] : 1, d);
    if (aim) b->h[1] = 0;
}

/* Axes that are parallel point the same way, those of hips along x of the body they hang on. */
static int points_back(const ziReduced *reduced, int i) {
    const ziReducedBody *b = &reduced->body[i];
    if (!one_axis(b) || !b->parent) return 0;
    return b->E[8] < -0.5 || (b->E[6] == -1 && !one_axis(&reduced->body[b->parent]));
}

/* Axes the same way round first; frames from the leaves inward; then what is left of rotations goes into offsets. */
void zi_reduced_reframe(ziReduced *reduced) {
    for (int i = 1; i < reduced->nb; i++) {
        snap_rotation(reduced->body[i].E);
        if (points_back(reduced, i)) turn_over(reduced, i);
    }
    for (int i = reduced->nb - 1; i >= 0; i--) {
        const int child = main_child(reduced, i);
        if (i && one_axis(&reduced->body[i])) {
            if (child)
                face_child(reduced, i, child);
            else
                face_mass(reduced, i);
        }
    }
    for (int i = 1; i < reduced->nb; i++) set_frame(reduced, i);
}
