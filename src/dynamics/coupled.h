/* Forward and mixed dynamics of models with coupled mimic joints, by a few multipliers.
 *
 * With coupling, tree accelerations obey G a_t = 0, one row per follower f of a coordinate whose force is given:
 * a_t[f] - ratio a_t[master] = 0. The coupling forces are -G^T lambda; lambda solves (G Y) lambda = G a_free with
 * Y the accelerations that unit coupling forces cause. Each column of Y is one O(n) sweep; the system is as small as
 * the number f of followers: O(n f + f^3). The multipliers are written for every scalar (ziGaps). */
#ifndef ZI_DYNAMICS_COUPLED_H
#define ZI_DYNAMICS_COUPLED_H

#include "dynamics/kernels.h"
#include "linalg/ltdl.h"
#include "work/scratch.h"

/* A coupled problem. Model coordinates: q, v, fext, given. */
typedef struct ziCoupled {
    const real *q, *v, *fext;   /* v NULL: at rest, fext NULL: none */
    const unsigned char *given; /* NULL: all forces given */
    const double *gravity;
    const ziAugment *structure;     /* added to M; NULL: nothing */
    bool sweeps_only;               /* ZV_NOT_SUPPORTED where the tree is singular and the robot is not */
    const real *tq, *tv, *wrenches; /* filled in: tree coordinates, forces on bodies */
    unsigned char *tree_given;
} ziCoupled;

/* What is not free is locked; in scratch memory, NULL for NULL. */
const unsigned char *zi_free_or_locked(const zvModel *model, ziScratch *scratch, const unsigned char *given);
/* Armature of the tree with extra (model nv) added; in scratch memory, the tree's own for NULL. */
const double *zi_more_armature(const zvModel *model, ziScratch *scratch, const double *extra);

static inline bool zi_force_given(const unsigned char *given, int i) { return !given || given[i] == ZV_GIVEN_FORCE; }

#ifndef ZI_TRACE /* other scalars read coupled.c in a namespace of their own */
/* tau is only read; tau_out, NULL in forward dynamics, receives the forces that are not given. Inputs may be the same
 * arrays as outputs: answers are written last, what was given never. After a failure outputs are as they were. */
zvStatus zi_mixed_coupled(const zvModel *model, ziScratch scratch, ziCoupled problem, const double *tau,
                          double *tau_out, double *a);
#endif

/* -- multipliers -------------------------------------------------------------------------------------------------- */

/* The followers whose master's force is given, and the factored response G Y of their gaps to unit coupling forces. */
typedef struct ziGaps {
    int count;
    int *follower;
    real *A;
} ziGaps;

/* Accelerations a of the tree at rest and without weight by the forces tau, which need not stay. */
typedef zvStatus ziGapSweep(const void *context, ziScratch scratch, real *tau, real *a);

/* G a for follower f */
static inline real zi_gap(const zvModel *m, const real *a, int f) {
    const ziCoupling *c = &m->coupling;
    return a[f] - c->v_ratio[f] * a[c->own_v[c->v_master[f]]];
}

/* tau -= G^T lambda for follower f */
static inline void zi_gap_force(const zvModel *m, int f, real lambda, real *tau) {
    const ziCoupling *c = &m->coupling;
    tau[f] -= lambda;
    tau[c->own_v[c->v_master[f]]] += c->v_ratio[f] * lambda;
}

/* Row i of A: all gaps when a unit force opens gap i, everything else at rest. */
static inline zvStatus zi_gap_response(const zvModel *m, ziScratch scratch, ziGapSweep *sweep, const void *context,
                                       const ziGaps *g, int i) {
    real *tau = zi_scratch_array(&scratch, real, m->tree.nv), *a = zi_scratch_array(&scratch, real, m->tree.nv);
    for (int k = 0; k < m->tree.nv; k++) tau[k] = 0;
    zi_gap_force(m, g->follower[i], -1, tau);
    const zvStatus status = sweep(context, scratch, tau, a);
    for (int j = 0; j < g->count; j++) g->A[i * g->count + j] = zi_gap(m, a, g->follower[j]);
    return status;
}

/* Finds the gaps and factors their response; tree_given NULL: all forces are given. */
static inline zvStatus zi_gaps_find(const zvModel *m, ziScratch *scratch, const unsigned char *tree_given,
                                    ziGapSweep *sweep, const void *context, ziGaps *g) {
    g->count = 0;
    g->follower = zi_scratch_array(scratch, int, m->tree.nv);
    real_ok ok = 1;
    for (int f = 0; f < m->tree.nv; f++) {
        if (m->coupling.follows[f] && zi_force_given(tree_given, f)) g->follower[g->count++] = f;
    }
    g->A = zi_scratch_array(scratch, real, (size_t)g->count * (size_t)g->count);
    real *row = zi_scratch_array(scratch, real, g->count);
    for (int i = 0; i < g->count; i++) {
        const zvStatus status = zi_gap_response(m, *scratch, sweep, context, g, i);
        if (status != ZV_OK) return status;
    }
    ltdl_factor(ltdl_dense(g->count), g->A, row, &ok);
    return ok ? ZV_OK : ZV_SINGULAR;
}

/* The coupling forces that close the gaps of accelerations a of the loose tree, added to tau. */
static inline void zi_gaps_close(const zvModel *m, ziScratch scratch, const ziGaps *g, const real *a, real *tau) {
    real *lambda = zi_scratch_array(&scratch, real, g->count);
    for (int i = 0; i < g->count; i++) lambda[i] = zi_gap(m, a, g->follower[i]);
    ltdl_solve(ltdl_dense(g->count), g->A, lambda);
    for (int i = 0; i < g->count; i++) zi_gap_force(m, g->follower[i], lambda[i], tau);
}

#endif
