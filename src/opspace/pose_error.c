/* How far a pose is from another, and how that changes with the motion of the frame. */
#include <math.h>

#include "opspace/task.h"

static void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Quaternion of a rotation, by its largest component (Shepperd), with w >= 0; of any length. */
static void quaternion_of(const double R[9], double e[4]) {
    const double diagonal[4] = {R[0], R[4], R[8], R[0] + R[4] + R[8]};
    int big = 0;
    for (int i = 1; i < 4; i++) {
        if (diagonal[i] > diagonal[big]) big = i;
    }
    if (big == 3) {
        e[0] = R[7] - R[5];
        e[1] = R[2] - R[6];
        e[2] = R[3] - R[1];
        e[3] = 1 + diagonal[3];
    } else {
        int i = big, j = (i + 1) % 3, k = (i + 2) % 3;
        e[i] = 1 + R[4 * i] - R[4 * j] - R[4 * k];
        e[j] = R[3 * j + i] + R[3 * i + j];
        e[k] = R[3 * k + i] + R[3 * i + k];
        e[3] = R[3 * k + j] - R[3 * j + k];
    }
    for (int i = 0; i < 4 && e[3] < 0; i++) e[i] = i == 3 ? e[i] : -e[i];
    e[3] = fabs(e[3]);
}

void zv_pose_error(const zvPose *wanted, const zvPose *actual, double error[6]) {
    double E[9], e[4];
    for (int i = 0; i < 3; i++) {
        error[i] = wanted->p[i] - actual->p[i];
        for (int j = 0; j < 3; j++) { /* E = R_wanted R_actual^T */
            E[3 * i + j] = 0;
            for (int k = 0; k < 3; k++) E[3 * i + j] += wanted->R[3 * i + k] * actual->R[3 * j + k];
        }
    }
    quaternion_of(E, e);
    double s = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    double factor = s > 0 ? 2 * atan2(s, e[3]) / s : 0;
    for (int i = 0; i < 3; i++) error[3 + i] = factor * e[i];
}

/* (1 - (x/2) cot(x/2)) / x^2 */
static double log_term(double x) {
    double z = x * x;
    if (x < 0.1) return (1 + z / 60 * (1 + z / 42 * (1 + z / 40))) / 12;
    return (1 - 0.5 * x / tan(0.5 * x)) / z;
}

static void to_local(const zvPose *pose, double x[3]) {
    double y[3] = {x[0], x[1], x[2]};
    for (int i = 0; i < 3; i++) x[i] = pose->R[i] * y[0] + pose->R[3 + i] * y[1] + pose->R[6 + i] * y[2];
}

/* With exp(r~) R_actual = R_wanted the rotation vector changes by dr/dt = -(1 + r~/2 + c r~ r~) w, r and w in world
 * axes; in the frame's own axes the middle term changes its sign. There the displacement d turns, too:
 * dd/dt = -v + d x w. */
void zi_pose_error_rates(int nv, zvAxes axes, const zvPose *actual, double error[6], double *J) {
    double half = 0.5, turn = 0;
    double *d = error, *r = error + 3;
    if (axes == ZV_AXES_LOCAL) {
        to_local(actual, d);
        to_local(actual, r);
        half = -0.5;
        turn = 1;
    }
    double c = log_term(sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]));
    size_t n = (size_t)nv;
    for (size_t k = 0; J && k < n; k++) {
        double w[3] = {J[3 * n + k], J[4 * n + k], J[5 * n + k]}, dw[3], rw[3], rrw[3];
        cross(d, w, dw);
        cross(r, w, rw);
        cross(r, rw, rrw);
        for (size_t i = 0; i < 3; i++) {
            J[i * n + k] -= turn * dw[i];
            J[(3 + i) * n + k] = w[i] + half * rw[i] + c * rrw[i];
        }
    }
}
