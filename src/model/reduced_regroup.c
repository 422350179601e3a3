/* Masses that a joint does not feel, moved to its parent. */
#include <float.h>
#include <math.h>

#include "model/reduced.h"
#include "spatial/components.h"

/* (19.7): what moves with the parent as well, in the body's axes at rest. A revolute joint: the part on its axis, (m,
 * h_z, K_zz). A prismatic one: the parent sees K + q (z h^T + h z^T) + q^2 m z z^T, whose constant part K is felt by no
 * force along z. */
static moments take_unfelt(ziReducedBody *b) {
    moments part = moments_zero();
    if (b->type == ZV_JOINT_REVOLUTE) {
        part.m = b->m, part.h.z = b->h[2], part.zz = b->K[5];
        b->m = b->h[2] = b->K[5] = 0;
    } else if (b->type == ZV_JOINT_PRISMATIC) {
        const double none[3] = {0, 0, 0};
        part = moments_of(0, none, b->K);
        for (int k = 0; k < 6; k++) b->K[k] = 0;
    }
    return part;
}

/* What cancelled leaves rounding behind; it was meant to be zero. size: the most that x can be. */
static void clean(double *x, double size) {
    if (fabs(*x) <= 4 * DBL_EPSILON * size) *x = 0;
}

/* By Cauchy and Schwarz h_i^2 <= m K_ii and K_ij^2 <= K_ii K_jj; the diagonal is a sum of squares, nothing cancels. */
static void clean_moments(ziReducedBody *b) {
    double *K = b->K;
    const double m = sqrt(b->m), x = sqrt(fabs(K[0])), y = sqrt(fabs(K[3])), z = sqrt(fabs(K[5]));
    clean(&b->h[0], m * x), clean(&b->h[1], m * y), clean(&b->h[2], m * z);
    clean(&K[1], x * y), clean(&K[2], x * z), clean(&K[4], y * z);
}

ziMoments zi_reduced_unfelt(ziReducedBody *b) {
    clean_moments(b);
    const moments a = moments_shift(r3_of(b->r), moments_place(b->E, take_unfelt(b)));
    return (ziMoments){a.m, {a.h.x, a.h.y, a.h.z}, {a.xx, a.xy, a.xz, a.yy, a.yz, a.zz}};
}

void zi_reduced_regroup(ziReduced *reduced) {
    for (int i = reduced->nb - 1; i > 0; i--) {
        const ziMoments part = zi_reduced_unfelt(&reduced->body[i]);
        ziReducedBody *up = &reduced->body[reduced->body[i].parent];
        up->m += part.m;
        for (int k = 0; k < 3; k++) up->h[k] += part.h[k];
        for (int k = 0; k < 6; k++) up->K[k] += part.K[k];
    }
}
