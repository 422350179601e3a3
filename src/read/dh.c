/* Geometry of Denavit-Hartenberg rows (dh.h). Sums end in "+ 0.0" to turn a negative zero into a positive one, so that
 * quarter turns give clean files. */
#include "read/dh.h"

#include <float.h>
#include <math.h>

static const double quarter = 1.57079632679489661923;

void zi_dh_sincos(double angle, double *sine, double *cosine) {
    static const double sines[4] = {0, 1, 0, -1};
    double turns = nearbyint(angle / quarter);
    if (fabs(turns) < 1e6 && fabs(angle - turns * quarter) <= 4 * DBL_EPSILON * fabs(angle)) {
        int k = (int)turns & 3;
        *sine = sines[k];
        *cosine = sines[(k + 1) & 3];
        return;
    }
    *sine = sin(angle);
    *cosine = cos(angle);
}

zvPose zi_dh_pose(double a, double alpha, double theta, double d) {
    double sa, ca, st, ct;
    zi_dh_sincos(alpha, &sa, &ca);
    zi_dh_sincos(theta, &st, &ct);
    zvPose pose = {
        .R = {ct, -st + 0.0, 0, /**/ ca * st + 0.0, ca * ct + 0.0, -sa + 0.0, /**/ sa * st + 0.0, sa * ct + 0.0, ca},
        .p = {a, -d * sa + 0.0, d * ca + 0.0},
    };
    return pose;
}

static double row_times(const double *row, const double *column, int stride) {
    return row[0] * column[0] + row[1] * column[stride] + row[2] * column[2 * stride] + 0.0;
}

zvPose zi_dh_compose(const zvPose *outer, const zvPose *inner) {
    zvPose pose;
    for (int i = 0; i < 3; i++) {
        const double *row = outer->R + 3 * i;
        for (int j = 0; j < 3; j++) pose.R[3 * i + j] = row_times(row, inner->R + j, 3);
        pose.p[i] = outer->p[i] + row_times(row, inner->p, 1);
    }
    return pose;
}

zvInertia zi_dh_move_inertia(const zvPose *place, const zvInertia *inertia) {
    static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    const double *m = inertia->moment, *R = place->R;
    const double J[9] = {m[0], m[1], m[2], m[1], m[3], m[4], m[2], m[4], m[5]};
    double JRt[9]; /* J R^T */
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) JRt[3 * i + j] = row_times(J + 3 * i, R + 3 * j, 1);
    }
    zvInertia moved = {.mass = inertia->mass};
    for (int k = 0; k < 6; k++) moved.moment[k] = row_times(R + 3 * row[k], JRt + column[k], 3);
    for (int i = 0; i < 3; i++) moved.com[i] = place->p[i] + row_times(R + 3 * i, inertia->com, 1);
    return moved;
}
