/* Principal axes of a symmetric 3 x 3 matrix, which MuJoCo wants for every body. */
#ifndef BENCH_PRINCIPAL_H
#define BENCH_PRINCIPAL_H

/* moment is xx xy xz yy yz zz; the columns of R (row-major, a proper rotation) are the axes: moment = R diag(value)
 * R^T. */
void principal_axes(const double moment[6], double value[3], double R[9]);
/* Unit quaternion w, x, y, z of a rotation (row-major). */
void quaternion_wxyz(const double R[9], double quaternion[4]);

#endif
