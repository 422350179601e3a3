/* Turning joint axes to z, keeping rotations orthonormal. */
#include "model/axis.h"

#include <math.h>
#include <string.h>

/* Columns are signed unit vectors: axis k positive or negative becomes z. */
static void coordinate_frame(int k, double sign, double Q[9]) {
    memset(Q, 0, 9 * sizeof *Q);
    Q[3 * ((k + 1) % 3) + 0] = 1;
    Q[3 * ((k + 2) % 3) + 1] = sign;
    Q[3 * k + 2] = sign;
}

/* Coordinate axes are turned by permutations, exactly; others by the least rotation. */
void zi_axis_frame(const double axis[3], double Q[9]) {
    for (int k = 0; k < 3; k++) {
        if (axis[(k + 1) % 3] == 0 && axis[(k + 2) % 3] == 0) {
            coordinate_frame(k, axis[k] < 0 ? -1 : 1, Q);
            return;
        }
    }
    double length = hypot(hypot(axis[0], axis[1]), axis[2]);
    double x = axis[0] / length, y = axis[1] / length, z = axis[2] / length;
    /* least rotation from z to (x, y, z); from -z when z < 0, after turning by pi about x, to stay away from z = -1 */
    double s = z < 0 ? -1 : 1, k = 1 / (1 + s * z);
    double R[9] = {1 - x * x * k, -x * y * k, s * x, -x * y * k, 1 - y * y * k, s * y, -s * x, -s * y, s * z};
    for (int row = 0; row < 3; row++) {
        Q[3 * row + 0] = R[3 * row + 0];
        Q[3 * row + 1] = s * R[3 * row + 1];
        Q[3 * row + 2] = s * R[3 * row + 2];
    }
}

/* R (3 - R^T R) / 2: the error is squared (Newton's step for the polar decomposition). */
static void clean_once(double R[9]) {
    double S[9], old[9];
    memcpy(old, R, sizeof old);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double dot = R[i] * R[j] + R[3 + i] * R[3 + j] + R[6 + i] * R[6 + j];
            S[3 * i + j] = 0.5 * ((i == j ? 3 : 0) - dot);
        }
    }
    for (int i = 0; i < 3; i++) {
        const double *row = old + 3 * i;
        for (int j = 0; j < 3; j++) R[3 * i + j] = row[0] * S[j] + row[1] * S[3 + j] + row[2] * S[6 + j];
    }
}

void zi_rotation_clean(double R[9]) {
    clean_once(R);
    clean_once(R);
}
