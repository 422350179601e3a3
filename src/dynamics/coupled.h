/* Forward and mixed dynamics of models with coupled mimic joints. */
#ifndef ZI_DYNAMICS_COUPLED_H
#define ZI_DYNAMICS_COUPLED_H

#include "dynamics/kernels.h"

/* A coupled problem. Model coordinates: q, v, fext, given. */
typedef struct ziCoupled {
    const double *q, *v, *fext; /* v NULL: at rest, fext NULL: none */
    const unsigned char *given; /* NULL: all forces given */
    const double *gravity;
    const ziAugment *structure;       /* added to M; NULL: nothing */
    const double *tq, *tv, *wrenches; /* filled in: tree coordinates, forces on bodies */
    unsigned char *tree_given;
} ziCoupled;

/* What is not free is locked; in scratch memory, NULL for NULL. */
const unsigned char *zi_free_or_locked(const zvModel *model, ziScratch *scratch, const unsigned char *given);
/* Armature of the tree with extra (model nv) added; in scratch memory, the tree's own for NULL. */
const double *zi_more_armature(const zvModel *model, ziScratch *scratch, const double *extra);

static inline bool zi_force_given(const unsigned char *given, int i) { return !given || given[i] == ZV_GIVEN_FORCE; }

/* tau is only read; tau_out, NULL in forward dynamics, receives the forces that are not given. Inputs may be the same
 * arrays as outputs: answers are written last. */
zvStatus zi_mixed_coupled(const zvModel *model, ziScratch scratch, ziCoupled problem, const double *tau,
                          double *tau_out, double *a);

#endif
