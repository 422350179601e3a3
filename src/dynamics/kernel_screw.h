/* Screw transformations of [Liu] as two 3x3 blocks: A^^ = [A 0; B A] with B = r~ A, (3)-(4).
 *
 * A^^(ij) takes force-like screws (force; moment) from the axes and origin of j to those of i; r goes from O_i to O_j.
 * Kept is that of an outer body seen from an inner one, A^^(ij) with j inward of i: then columns of joints, which are
 * reversed screws (velocity; angular velocity), meet the blocks themselves and forces meet their transposes. */
#ifndef ZI_DYNAMICS_KERNEL_SCREW_H
#define ZI_DYNAMICS_KERNEL_SCREW_H

#include "spatial/inertia.h"

typedef struct screw {
    mat3 A, B;
} screw;

/* A^^(ij) of a frame j that stands at r in the axes of i, turned by A = A^(ij): (3), (4) with its lost hat restored. */
static inline screw screw_of(mat3 A, vec3 r) {
    screw X;
    X.A = A;
    X.B = m3_skew_mul(r, A);
    return X;
}
/* A^^(ji): transposed blocks, (9) */
static inline screw screw_inverse(screw X) {
    screw Y;
    Y.A = m3_transpose(X.A);
    Y.B = m3_transpose(X.B);
    return Y;
}
/* A^^(ik) A^^(kj) = A^^(ij), (7) with its last index corrected */
static inline screw screw_mul(const screw *X, const screw *Y) {
    screw Z;
    Z.A = m3_mul(X->A, Y->A);
    Z.B = m3_add(m3_mul(X->B, Y->A), m3_mul(X->A, Y->B));
    return Z;
}
/* A reversed screw from j to i, (10): A^^(ji)^T with the blocks of A^^(ij). */
static inline motion screw_motion(const screw *X, motion s) {
    return motion_of(m3_mulv_add(X->B, s.ang, m3_mulv(X->A, s.lin)), m3_mulv(X->A, s.ang));
}
/* A force-like screw from i to j, (6): A^^(ji) with the blocks of A^^(ij). */
static inline force screw_force_back(const screw *X, force f) {
    return force_of(m3_tmulv(X->A, f.lin), v3_add(m3_tmulv(X->B, f.lin), m3_tmulv(X->A, f.ang)));
}
/* v~ Q with the square matrix of the velocity screw, v~ = [w~ 0; v~ w~], (12) */
static inline force screw_gyre(motion v, force Q) {
    return force_of(v3_cross(v.ang, Q.lin), v3_cross_add(v.lin, Q.lin, v3_cross(v.ang, Q.ang)));
}
/* s + v~^T u */
static inline motion screw_swing_add(motion v, motion u, motion s) {
    return motion_of(v3_cross_add(u.lin, v.ang, v3_cross_add(u.ang, v.lin, s.lin)), v3_cross_add(u.ang, v.ang, s.ang));
}

#endif
