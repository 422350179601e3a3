/* Masses that a joint does not feel, moved to its parent. */
#include <float.h>
#include <math.h>

#include "model/reduced.h"
#include "spatial/components.h"

static void put(ziReducedBody *b, moments a) {
    b->m = a.m;
    b->h[0] = a.h.x, b->h[1] = a.h.y, b->h[2] = a.h.z;
    b->K[0] = a.xx, b->K[1] = a.xy, b->K[2] = a.xz, b->K[3] = a.yy, b->K[4] = a.yz, b->K[5] = a.zz;
}

/* What moves with the parent as well, in the body's axes at rest. A revolute joint: the part on its axis, (m, h_z,
 * K_zz). A prismatic one: the parent sees K + q (z h^T + h z^T) + q^2 m z z^T, whose constant part K is felt by no
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

static void hand_over(const ziReducedBody *b, moments part, ziReducedBody *up) {
    part = moments_shift(r3_of(b->r), moments_place(b->E, part));
    put(up, moments_add(moments_of(up->m, up->h, up->K), part));
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

void zi_reduced_regroup(ziReduced *reduced) {
    for (int i = reduced->nb - 1; i > 0; i--) {
        ziReducedBody *b = &reduced->body[i];
        clean_moments(b);
        hand_over(b, take_unfelt(b), &reduced->body[b->parent]);
    }
}
