/* Masses that a joint does not feel, moved to its parent. */
#include <float.h>
#include <math.h>

#include "model/lean.h"
#include "spatial/components.h"

static void put(zvLeanBody *b, moments a) {
    b->m = a.m;
    b->h[0] = a.h.x, b->h[1] = a.h.y, b->h[2] = a.h.z;
    b->K[0] = a.xx, b->K[1] = a.xy, b->K[2] = a.xz, b->K[3] = a.yy, b->K[4] = a.yz, b->K[5] = a.zz;
}

/* What moves with the parent as well, in the body's axes at rest. A revolute joint: the part on its axis, (m, h_z,
 * K_zz). A prismatic one: the parent sees K + q (z h^T + h z^T) + q^2 m z z^T, whose constant part K is felt by no
 * force along z. */
static moments take_unfelt(zvLeanBody *b) {
    moments part = moments_zero();
    if (b->type == ZV_REVOLUTE) {
        part.m = b->m, part.h.z = b->h[2], part.zz = b->K[5];
        b->m = b->h[2] = b->K[5] = 0;
    } else if (b->type == ZV_PRISMATIC) {
        const double none[3] = {0, 0, 0};
        part = moments_of(0, none, b->K);
        for (int k = 0; k < 6; k++) b->K[k] = 0;
    }
    return part;
}

static double length(const double *a) { return hypot(hypot(a[0], a[1]), a[2]); }
static double length_of(real3 a) { return hypot(hypot(a.x, a.y), a.z); }

static void hand_over(const zvLeanBody *b, moments part, zvLeanBody *up) {
    const double r = length(b->r), h = length_of(part.h);
    up->gross[0] += h + part.m * r;
    up->gross[1] += fabs(part.xx) + fabs(part.yy) + fabs(part.zz) + (2 * h + part.m * r) * r;
    part = moments_shift(r3_of(b->r), moments_place(b->E, part));
    put(up, moments_add(moments_of(up->m, up->h, up->K), part));
}

/* What cancelled leaves rounding behind; it was meant to be zero. */
static void clean(int count, double *x, double gross) {
    for (int k = 0; k < count; k++)
        if (fabs(x[k]) <= 4 * DBL_EPSILON * gross) x[k] = 0;
}

void zv_lean_regroup(zvLean *lean) {
    for (int i = 0; i < lean->nb; i++) {
        zvLeanBody *b = &lean->body[i];
        b->gross[0] = length(b->h);
        b->gross[1] = fabs(b->K[0]) + fabs(b->K[3]) + fabs(b->K[5]);
    }
    for (int i = lean->nb - 1; i > 0; i--) {
        zvLeanBody *b = &lean->body[i];
        clean(3, b->h, b->gross[0]);
        clean(6, b->K, b->gross[1]);
        hand_over(b, take_unfelt(b), &lean->body[b->parent]);
    }
}
