/* Cyclic Jacobi rotations: accurate to rounding, no pivot choice to go wrong. */
#include "principal.h"

#include <math.h>
#include <string.h>

/* Rotates the plane (i, j) so that A_ij vanishes. */
static void annihilate(double A[3][3], double V[3][3], int i, int j) {
    if (A[i][j] == 0) return;
    const double theta = (A[j][j] - A[i][i]) / (2 * A[i][j]);
    const double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; ++k) {
        const double x = A[k][i], y = A[k][j];
        A[k][i] = c * x - s * y;
        A[k][j] = s * x + c * y;
    }
    for (int k = 0; k < 3; ++k) {
        const double x = A[i][k], y = A[j][k];
        A[i][k] = c * x - s * y;
        A[j][k] = s * x + c * y;
    }
    for (int k = 0; k < 3; ++k) {
        const double x = V[k][i], y = V[k][j];
        V[k][i] = c * x - s * y;
        V[k][j] = s * x + c * y;
    }
}

/* By Jacobi rotations: 3 x 3, symmetric, no library needed. */
void principal_axes(const double m[6], double value[3], double R[9]) {
    double A[3][3] = {{m[0], m[1], m[2]}, {m[1], m[3], m[4]}, {m[2], m[4], m[5]}};
    double V[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    /* convergence is quadratic: a dozen sweeps are far more than needed */
    for (int sweep = 0; sweep < 12; ++sweep) {
        annihilate(A, V, 0, 1);
        annihilate(A, V, 0, 2);
        annihilate(A, V, 1, 2);
    }
    for (int i = 0; i < 3; ++i) value[i] = A[i][i];
    memcpy(R, V, sizeof V);
}

/* By the largest component, which is safe to divide by. */
void quaternion_wxyz(const double R[9], double q[4]) {
    /* squares of the four components times 4; the largest is safe to divide by */
    const double square[4] = {1 + R[0] + R[4] + R[8], 1 + R[0] - R[4] - R[8], 1 - R[0] + R[4] - R[8],
                              1 - R[0] - R[4] + R[8]};
    int k = 0;
    for (int i = 1; i < 4; ++i)
        if (square[i] > square[k]) k = i;
    const double product[4][4] = {{square[0], R[7] - R[5], R[2] - R[6], R[3] - R[1]},
                                  {R[7] - R[5], square[1], R[1] + R[3], R[2] + R[6]},
                                  {R[2] - R[6], R[1] + R[3], square[2], R[5] + R[7]},
                                  {R[3] - R[1], R[2] + R[6], R[5] + R[7], square[3]}};
    double length = 0;
    for (int i = 0; i < 4; ++i) length += product[k][i] * product[k][i];
    length = sqrt(length);
    for (int i = 0; i < 4; ++i) q[i] = product[k][i] / length;
}
