/* Sizes of the terms that derivatives by q are sums of: what their rounding is measured by. */
#ifndef ZV_TEST_DERIVE_UNCANCELLED_H
#define ZV_TEST_DERIVE_UNCANCELLED_H

#include <math.h>
#include <stdlib.h>

#include "support/random_tree_case.h"

/* What one unit of a joint's freedom changes of a term, relative to it: 1 per radian; a displacement changes lengths
 * such as its own lever, and a spline its derivatives over a piece. */
static inline exact joint_rate_bound(const rtCase *c, int j, int k) {
    const zvJoint *joint = zv_model_joint(c->model, j);
    exact slide = 1 / c->error_scale->lever[zv_model_joint_place(c->model, j).child];
    switch (joint->type) {
    case ZV_JOINT_PRISMATIC: return slide;
    case ZV_JOINT_HELICAL: return 1 + fabsl((exact)joint->pitch) * slide;
    case ZV_JOINT_CYLINDRICAL: return k == 0 ? slide : 1;
    case ZV_JOINT_PLANAR: return k < 2 ? slide : 1;
    case ZV_JOINT_FREE: return k < 3 ? slide : 1;
    case ZV_JOINT_CURVE: {
        const refCurve *path = &c->ref->joints[j].path;
        exact shortest = 1 / (path->sharpest + 1e-6L);
        for (int i = 0; i < path->segments; i++) shortest = fminl(shortest, path->knots[i + 1] - path->knots[i]);
        return slide + path->sharpest + 2 / shortest;
    }
    default: return 1;
    }
}

/* Scales of d tau_i/d q_k: the terms of tau_i times what k changes of them. */
static inline void scale_by_q(rtCase *c, const double *a, const double *fext, exact *scale) {
    exact *rate = lin_numbers(c->nv);
    ref_place(c->ref, c->q);
    ref_move(c->ref, c->v, a);
    ref_error_scale(c->ref, c->v, a, fext, true, c->error_scale);
    for (int j = 0; j < c->ref->njoint; j++) {
        const exact *share = c->ref->rates + ref_freedom(c->ref, j) * c->nv;
        for (int k = 0; k < zv_joint_type_nv(zv_model_joint(c->model, j)->type); k++, share += c->nv)
            for (int i = 0; i < c->nv; i++) rate[i] += fabsl(share[i]) * joint_rate_bound(c, j, k);
    }
    for (int i = 0; i < c->nv; i++)
        for (int k = 0; k < c->nv; k++) scale[i * c->nv + k] = c->error_scale->tau[i] * rate[k];
    free(rate);
}

#endif
