/* Forward and mixed dynamics of models with coupled mimic joints. */
#ifndef ZV_DYNAMICS_COUPLED_H
#define ZV_DYNAMICS_COUPLED_H

#include "dynamics/kernels.h"

/* A coupled problem. Model coordinates: q, v, fext, given. */
typedef struct zvCoupled {
    const double *q, *v, *fext; /* v NULL: at rest, fext NULL: none */
    const unsigned char *given; /* NULL: all forces given */
    const double *gravity;
    const zvAugment *structure;       /* added to M; NULL: nothing */
    const double *tq, *tv, *wrenches; /* filled in: tree coordinates, forces on bodies */
    unsigned char *tree_given;
} zvCoupled;

/* What is not free is locked; on the desk, NULL for NULL. */
const unsigned char *zv_free_or_locked(const zvModel *model, zvDesk *desk, const unsigned char *given);
/* Armature of the tree with extra (model nv) added; on the desk, the tree's own for NULL. */
const double *zv_more_armature(const zvModel *model, zvDesk *desk, const double *extra);

static inline bool zv_force_given(const unsigned char *given, int i) { return !given || given[i] == ZV_GIVEN_FORCE; }

/* tau is only read; tau_out, NULL in forward dynamics, receives the forces that are not given. Inputs may be the same
 * arrays as outputs: answers are written last. */
zvStatus zv_mixed_coupled(const zvModel *model, zvDesk desk, zvCoupled problem, const double *tau, double *tau_out,
                          double *a);

#endif
