/* Straight-line programs of this robot as further methods: recorded once, run number by number. */
#ifndef ZI_AGREE_GENERATED_H
#define ZI_AGREE_GENERATED_H

#include <stdbool.h>

#include "zveno/status.h"
#include "zveno/work.h"

/* Programs that are compared, in the order of the arrays below. */
typedef enum ziRecordedKind {
    ZI_RECORDED_MASS,
    ZI_RECORDED_BIAS,
    ZI_RECORDED_INVERSE,
    ZI_RECORDED_FORWARD,
    ZI_RECORDED_MINV,
    ZI_RECORDED_INVERSE_DERIVATIVES,
    ZI_RECORDED_FORWARD_DERIVATIVES, /* of the answer the derivatives only */
    ZI_RECORDINGS
} ziRecordedKind;

typedef struct ziRecorded ziRecorded;

typedef struct ziRecordedSet {
    ziRecorded *program[ZI_RECORDINGS]; /* NULL: none */
    const char *why[ZI_RECORDINGS];     /* why not; static text */
} ziRecordedSet;

/* Records all programs; what a robot or a build cannot have is told in why. False: out of memory.
 * zi_recorded_free in either case. */
bool zi_recorded_make(const zvModel *model, ziRecordedSet *set);
void zi_recorded_free(ziRecordedSet *set);

/* x is a (nv) of inverse, tau of forward and of their derivatives, else NULL; v NULL: zero. ZV_SINGULAR as generated
 * code returns -1. */
zvStatus zi_recorded_run(const ziRecorded *program, const double *q, const double *v, const double *x, double *answer);

#endif
