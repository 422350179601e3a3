/* Every joint type from its definition in model.h. Rotations by Rodrigues' formula on jets; quaternions by the Taylor
 * coefficients of their kinematic equation k' = k o (w, 0) / 2 with body angular velocity w. */
#include "support/reference_joint.h"

#include <string.h>

static void unit(const double a[3], exact out[3]) {
    exact length = sqrtl((exact)a[0] * a[0] + (exact)a[1] * a[1] + (exact)a[2] * a[2]);
    for (int k = 0; k < 3; k++) out[k] = length > 0 ? a[k] / length : 0;
}

/* The normal lies exactly along coordinate axis k: in-plane axes k+1 and k+2, the second turned over for -k. */
static void lay_coordinate_plane(const exact n[3], int k, exact Q[9]) {
    memset(Q, 0, 9 * sizeof *Q);
    Q[3 * ((k + 1) % 3)] = 1;
    Q[3 * ((k + 2) % 3) + 1] = n[k];
    Q[3 * k + 2] = n[k];
}

/* In-plane axes of a planar joint: for a normal n that is no coordinate axis those of the shortest rotation from z
 * to n, R = 1 + [w] + [w]^2 / (1 + n_z), w = z x n. A normal below the horizontal is reached from -n and half a turn
 * about the x axis so found. */
static void lay_plane(const exact n[3], exact Q[9]) {
    for (int k = 0; k < 3; k++)
        if (fabsl(n[k]) == 1) {
            lay_coordinate_plane(n, k, Q);
            return;
        }
    exact s = n[2] < 0 ? -1 : 1, x = -s * n[1], y = s * n[0], z = s * n[2], f = 1 / (1 + z);
    exact R[9] = {1 - y * y * f, s * x * y * f, s * y, x * y * f, s * (1 - x * x * f), -s * x, -y, s * x, s * z};
    memcpy(Q, R, sizeof R);
}

void ref_joint_open(refJoint *joint, const zvJoint *description) {
    memset(joint, 0, sizeof *joint);
    joint->joint = description;
    unit(description->axis, joint->axis);
    unit(description->axis2, joint->axis2);
    if (description->type == ZV_JOINT_PLANAR) lay_plane(joint->axis, joint->plane);
    if (description->type == ZV_JOINT_CURVE) ref_curve_open(&joint->path, &description->curve);
}

void ref_joint_close(refJoint *joint) { ref_curve_close(&joint->path); }

refPose ref_pose_identity(void) {
    refPose pose = {0};
    for (int k = 0; k < 3; k++) pose.R[4 * k] = jet_constant(1);
    return pose;
}

/* A rotation in double is orthogonal only to rounding; it stands for the nearest rotation, R (3 - R^T R) / 2. */
static void nearest_rotation(const double R[9], exact out[9]) {
    exact G[9] = {0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) G[3 * i + j] += (exact)R[3 * k + i] * R[3 * k + j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            exact sum = 3 * (exact)R[3 * i + j];
            for (int k = 0; k < 3; k++) sum -= R[3 * i + k] * G[3 * k + j];
            out[3 * i + j] = sum / 2;
        }
}

refPose ref_pose_constant(const zvPose *from) {
    refPose pose;
    exact R[9];
    nearest_rotation(from->R, R);
    for (int k = 0; k < 9; k++) pose.R[k] = jet_constant(R[k]);
    for (int k = 0; k < 3; k++) pose.p[k] = jet_constant(from->p[k]);
    return pose;
}

static void multiply(const refJet *A, const refJet *B, refJet *C) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            refJet sum = jet_times(A[3 * i], B[j]);
            sum = jet_plus(sum, jet_times(A[3 * i + 1], B[3 + j]));
            C[3 * i + j] = jet_plus(sum, jet_times(A[3 * i + 2], B[6 + j]));
        }
}

void ref_pose_compose(const refPose *outer, const refPose *inner, refPose *out) {
    multiply(outer->R, inner->R, out->R);
    for (int i = 0; i < 3; i++) {
        refJet sum = outer->p[i];
        for (int k = 0; k < 3; k++) sum = jet_plus(sum, jet_times(outer->R[3 * i + k], inner->p[k]));
        out->p[i] = sum;
    }
}

/* R = 1 + sin K + (1 - cos) K^2 with K the cross-product matrix of the unit axis. */
static void rotate(const exact n[3], refJet angle, refJet R[9]) {
    exact K[9] = {0, -n[2], n[1], n[2], 0, -n[0], -n[1], n[0], 0};
    refJet sine = jet_sin(angle), versine = jet_minus(jet_constant(1), jet_cos(angle));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            exact square = n[i] * n[j] - (i == j ? 1 : 0);
            refJet turned = jet_plus(jet_scale(K[3 * i + j], sine), jet_scale(square, versine));
            R[3 * i + j] = jet_plus(jet_constant(i == j ? 1 : 0), turned);
        }
}

static void slide(const exact n[3], refJet distance, refJet p[3]) {
    for (int k = 0; k < 3; k++) p[k] = jet_plus(p[k], jet_scale(n[k], distance));
}

/* k o (w, 0) / 2 */
static void quaternion_rate(const exact k[4], const exact w[3], exact rate[4]) {
    rate[0] = (k[3] * w[0] + k[1] * w[2] - k[2] * w[1]) / 2;
    rate[1] = (k[3] * w[1] + k[2] * w[0] - k[0] * w[2]) / 2;
    rate[2] = (k[3] * w[2] + k[0] * w[1] - k[1] * w[0]) / 2;
    rate[3] = -(k[0] * w[0] + k[1] * w[1] + k[2] * w[2]) / 2;
}

static void turn_ball(const exact *q, const exact *w, const exact *dw, refJet R[9]) {
    exact length = sqrtl(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    exact k[4], d[4], from_d[4], from_dw[4];
    for (int i = 0; i < 4; i++) k[i] = q[i] / length;
    quaternion_rate(k, w, d);
    quaternion_rate(d, w, from_d);
    quaternion_rate(k, dw, from_dw);
    refJet e[4];
    for (int i = 0; i < 4; i++) e[i] = jet(k[i], d[i], from_d[i] + from_dw[i]);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, l = (i + 2) % 3;
        refJet jj = jet_times(e[j], e[j]), ll = jet_times(e[l], e[l]);
        refJet ij = jet_times(e[i], e[j]), lw = jet_times(e[l], e[3]);
        R[4 * i] = jet_minus(jet_constant(1), jet_scale(2, jet_plus(jj, ll)));
        R[3 * i + j] = jet_scale(2, jet_minus(ij, lw));
        R[3 * j + i] = jet_scale(2, jet_plus(ij, lw));
    }
}

/* The origin moves with R u, u in the body: p' = R u, p'' = R' u + R u'. */
static void fly(const exact *q, const exact *u, const exact *du, const refJet R[9], refJet p[3]) {
    for (int i = 0; i < 3; i++) {
        p[i] = jet_constant(q[i]);
        for (int k = 0; k < 3; k++) {
            p[i].d += R[3 * i + k].x * u[k];
            p[i].dd += R[3 * i + k].d * u[k] + R[3 * i + k].x * du[k];
        }
    }
}

static void follow(const refCurve *path, refJet q, refJet p[3]) {
    exact c[3], dc[3], ddc[3];
    ref_curve_at(path, q.x, c, dc, ddc);
    for (int k = 0; k < 3; k++) p[k] = jet(c[k], dc[k] * q.d, ddc[k] * q.d * q.d + dc[k] * q.dd);
}

static void universal(const refJoint *joint, refJet first, refJet second, refJet R[9]) {
    refJet A[9], B[9];
    rotate(joint->axis, first, A);
    rotate(joint->axis2, second, B);
    multiply(A, B, R);
}

static void planar(const refJoint *joint, const refJet *s, refPose *pose) {
    for (int k = 0; k < 3; k++)
        pose->p[k] = jet_plus(jet_scale(joint->plane[3 * k], s[0]), jet_scale(joint->plane[3 * k + 1], s[1]));
    rotate(joint->axis, s[2], pose->R);
}

void ref_joint_pose(const refJoint *joint, const exact *q, const exact *v, const exact *a, refPose *pose) {
    refJet s[3]; /* coordinates whose rates are v itself */
    int plain = zv_joint_type_nv(joint->joint->type) > 3 ? 0 : zv_joint_type_nv(joint->joint->type);
    for (int k = 0; k < plain; k++) s[k] = jet(q[k], v[k], a[k]);
    *pose = ref_pose_identity();
    switch (joint->joint->type) {
    case ZV_JOINT_REVOLUTE:
    case ZV_JOINT_CONTINUOUS: rotate(joint->axis, s[0], pose->R); break;
    case ZV_JOINT_PRISMATIC: slide(joint->axis, s[0], pose->p); break;
    case ZV_JOINT_HELICAL:
        rotate(joint->axis, s[0], pose->R);
        slide(joint->axis, jet_scale(joint->joint->pitch, s[0]), pose->p);
        break;
    case ZV_JOINT_CURVE: follow(&joint->path, s[0], pose->p); break;
    case ZV_JOINT_CYLINDRICAL:
        slide(joint->axis, s[0], pose->p);
        rotate(joint->axis, s[1], pose->R);
        break;
    case ZV_JOINT_UNIVERSAL: universal(joint, s[0], s[1], pose->R); break;
    case ZV_JOINT_PLANAR: planar(joint, s, pose); break;
    case ZV_JOINT_SPHERICAL: turn_ball(q, v, a, pose->R); break;
    case ZV_JOINT_FREE:
        turn_ball(q + 3, v + 3, a + 3, pose->R);
        fly(q, v, a, pose->R, pose->p);
        break;
    case ZV_JOINT_FIXED:
    case ZV_JOINT_TYPES: break;
    }
}

/* k o exp(w t / 2) */
static void turn_quaternion(const exact k[4], const exact w[3], exact t, exact out[4]) {
    exact rate = sqrtl(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), half = rate * t / 2;
    exact change[4], scale = rate > 0 ? 2 * sinl(half) / rate : 0;
    quaternion_rate(k, w, change);
    for (int i = 0; i < 4; i++) out[i] = cosl(half) * k[i] + scale * change[i];
}

/* integral of R(s) u over 0..t in the starting body axes: u t + (1 - cos) / r^2 w x u + (t - sin / r) / r^2 w x (w x u)
 */
static void drift(const exact w[3], const exact u[3], exact t, exact out[3]) {
    exact rate = sqrtl(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), x = rate * t;
    exact once[3] = {w[1] * u[2] - w[2] * u[1], w[2] * u[0] - w[0] * u[2], w[0] * u[1] - w[1] * u[0]};
    exact twice[3] = {w[1] * once[2] - w[2] * once[1], w[2] * once[0] - w[0] * once[2],
                      w[0] * once[1] - w[1] * once[0]};
    bool small = fabsl(x) < 1e-3L;
    exact first = small ? t * t * (0.5L - x * x / 24 + x * x * x * x / 720) : (1 - cosl(x)) / (rate * rate);
    exact second =
        small ? t * t * t * (1 / 6.0L - x * x / 120 + x * x * x * x / 5040) : (t - sinl(x) / rate) / (rate * rate);
    for (int k = 0; k < 3; k++) out[k] = u[k] * t + first * once[k] + second * twice[k];
}

void ref_joint_add(const refJoint *joint, const exact *q, const exact *v, exact t, exact *moved) {
    zvJointType type = joint->joint->type;
    if (type == ZV_JOINT_SPHERICAL) {
        turn_quaternion(q, v, t, moved);
    } else if (type == ZV_JOINT_FREE) {
        static const exact zero[3] = {0};
        exact shift[3];
        refJet R[9];
        turn_ball(q + 3, zero, zero, R);
        drift(v + 3, v, t, shift);
        for (int i = 0; i < 3; i++)
            moved[i] = q[i] + R[3 * i].x * shift[0] + R[3 * i + 1].x * shift[1] + R[3 * i + 2].x * shift[2];
        turn_quaternion(q + 3, v + 3, t, moved + 3);
    } else {
        for (int k = 0; k < zv_joint_type_nv(type); k++) moved[k] = q[k] + t * v[k];
    }
}
