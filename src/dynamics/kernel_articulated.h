/* What the articulated recursion keeps of each body, section and degree of freedom. Rows 0 ... nb-1 are bodies, rows
 * nb ... nb+ns-1 the sections of elastic bodies that carry joints: massless bodies of their own. */
#ifndef ZI_DYNAMICS_KERNEL_ARTICULATED_H
#define ZI_DYNAMICS_KERNEL_ARTICULATED_H

#include "dynamics/kernels.h"
#include "kinematics/outward.h"

typedef struct ArticulatedBody {
    placed at;
    vec3 w;
    motion bias;
    articulated M;
    force P;
    real size_lin, size_ang; /* of the body's own inertia, to judge pivots by */
    motion *Psi;             /* sections: columns of motion per elastic coordinate of their body */
    int factored;            /* elastic bodies: their matrix is kept as factors, see elastic_factor.h */
} ArticulatedBody;

/* A column of a joint, or an elastic coordinate: then U is its column of J_re. */
typedef struct ArticulatedColumn {
    motion S;
    force U;
    real k; /* 1 / D */
    real u;
    real error_scale; /* inertia in this direction that eliminations beyond have taken away; elastic: its own */
    real *others;     /* elastic: row of J_ee, from the diagonal on */
} ArticulatedColumn;

_Static_assert(sizeof(ArticulatedBody) + sizeof(force) + sizeof(motion) <= ZI_SCRATCH_PER_BODY &&
                   sizeof(ArticulatedColumn) + 32 <= ZI_SCRATCH_PER_COORDINATE,
               "scratch too small");

/* A pivot so much smaller than the inertia it came from is rounding: the part is massless in that direction. It came
 * from the body's own inertia and from what lies beyond, of which neighbouring eliminations took their share. */
#define PIVOT_FLOOR 1e-14

/* The inputs; v and fext may be NULL, given is NULL in forward dynamics. */
typedef struct Problem {
    const real *q, *s, *c, *v, *tau, *a, *fext;
    const unsigned char *given;
    const ziAugment *structure; /* of elastic bodies, in their J_ee; NULL: none */
} Problem;

/* Inertia of a body by itself, world axes. */
static inline void set_inertia(const ziBody *b, const rigid *own, ArticulatedBody *me) {
    articulated_set(&me->M, own);
    me->size_lin = b->m;
    if (REAL_CHECKS_PIVOTS) me->size_ang = m3_trace(own->J);
}

static inline bool force_given(const Problem *p, int d) { return !p->given || p->given[d] == ZV_GIVEN_FORCE; }

#endif
