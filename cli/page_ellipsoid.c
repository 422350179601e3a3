/* Inertia ellipsoids. The principal moments of a uniform solid ellipsoid are m (b^2 + c^2) / 5 and so on round, so that
 * a_i^2 = 5 (J_j + J_k - J_i) / 2m; its axes are the eigenvectors of the moments, by Jacobi's rotations. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "page_parts.h"

enum { SWEEPS = 20 }; /* quadratic convergence: a few are enough */

/* Turns rows and columns p, q of A so that A[p][q] vanishes; the columns of V turn with them. */
static void rotate(double A[3][3], double V[3][3], int p, int q) {
    if (A[p][q] == 0) return;
    const double slope = (A[q][q] - A[p][p]) / (2 * A[p][q]);
    const double t = (slope < 0 ? -1 : 1) / (fabs(slope) + hypot(slope, 1)), c = 1 / hypot(t, 1), s = t * c;
    const int r = 3 - p - q;
    const double rp = A[r][p], rq = A[r][q];
    A[p][p] -= t * A[p][q];
    A[q][q] += t * A[p][q];
    A[p][q] = A[q][p] = 0;
    A[r][p] = A[p][r] = c * rp - s * rq;
    A[r][q] = A[q][r] = s * rp + c * rq;
    for (int i = 0; i < 3; i++) {
        const double vp = V[i][p], vq = V[i][q];
        V[i][p] = c * vp - s * vq;
        V[i][q] = s * vp + c * vq;
    }
}

bool page_ellipsoid(const zvInertia *inertia, zvPose *pose, double axes[3]) {
    const double *m = inertia->moment;
    double A[3][3] = {{m[0], m[1], m[2]}, {m[1], m[3], m[4]}, {m[2], m[4], m[5]}},
           V[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (!(inertia->mass > 0)) return false;
    for (int sweep = 0; sweep < SWEEPS && (A[0][1] != 0 || A[0][2] != 0 || A[1][2] != 0); sweep++) {
        rotate(A, V, 0, 1);
        rotate(A, V, 0, 2);
        rotate(A, V, 1, 2);
    }
    const double sum = A[0][0] + A[1][1] + A[2][2];
    for (int i = 0; i < 3; i++) axes[i] = sqrt(fmax(0, 5 * (sum - 2 * A[i][i]) / (2 * inertia->mass)));
    memcpy(pose->R, V, sizeof pose->R);
    memcpy(pose->p, inertia->com, sizeof pose->p);
    return true;
}
