/* Principal moments of inertia: cyclic Jacobi rotations of a symmetric 3x3 matrix.
 *
 * A rotation by t = tan(angle) in the plane (p, q) makes a_pq vanish:
 *   theta = (a_qq - a_pp) / (2 a_pq),  t = sign(theta) / (|theta| + sqrt(theta^2 + 1)),
 *   a_pp -= t a_pq,  a_qq += t a_pq;  with r the third index: a_rp, a_rq turn by the angle.
 * Convergence is quadratic: a few sweeps reach rounding. */
#include "model/principal.h"

#include <math.h>

enum { SWEEPS = 12 };

static void rotate(double A[3][3], int p, int q) {
    if (A[p][q] == 0) return;
    int r = 3 - p - q;
    double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
    double t = (theta < 0 ? -1 : 1) / (fabs(theta) + hypot(theta, 1));
    double cosine = 1 / hypot(t, 1), sine = t * cosine;
    double rp = A[r][p], rq = A[r][q];
    A[p][p] -= t * A[p][q];
    A[q][q] += t * A[p][q];
    A[p][q] = A[q][p] = 0;
    A[r][p] = A[p][r] = cosine * rp - sine * rq;
    A[r][q] = A[q][r] = sine * rp + cosine * rq;
}

static void order(double *a, double *b) {
    if (*a <= *b) return;
    double swap = *a;
    *a = *b;
    *b = swap;
}

void zi_principal_moments(const double moment[6], double principal[3]) {
    double A[3][3] = {
        {moment[0], moment[1], moment[2]}, {moment[1], moment[3], moment[4]}, {moment[2], moment[4], moment[5]}};
    for (int sweep = 0; sweep < SWEEPS && (A[0][1] != 0 || A[0][2] != 0 || A[1][2] != 0); sweep++) {
        rotate(A, 0, 1);
        rotate(A, 0, 2);
        rotate(A, 1, 2);
    }
    for (int i = 0; i < 3; i++) principal[i] = A[i][i];
    order(&principal[0], &principal[1]);
    order(&principal[1], &principal[2]);
    order(&principal[0], &principal[1]);
}
