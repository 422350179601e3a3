/* Straight-line programs of this robot as further methods: recorded once, run number by number. */
#ifndef ZV_AGREE_GENERATED_H
#define ZV_AGREE_GENERATED_H

#include <stdbool.h>

#include "zveno/status.h"
#include "zveno/work.h"

/* Programs that are compared, in the order of the arrays below. */
typedef enum zvRecordedKind {
    ZV_RECORDED_MASS,
    ZV_RECORDED_BIAS,
    ZV_RECORDED_INVERSE,
    ZV_RECORDED_FORWARD,
    ZV_RECORDED_MINV,
    ZV_RECORDED_INVERSE_DERIVATIVES,
    ZV_RECORDED_FORWARD_DERIVATIVES, /* of the answer the derivatives only */
    ZV_RECORDINGS
} zvRecordedKind;

typedef struct zvRecorded zvRecorded;

typedef struct zvRecordedSet {
    zvRecorded *program[ZV_RECORDINGS]; /* NULL: none */
    const char *why[ZV_RECORDINGS];     /* why not; static text */
} zvRecordedSet;

/* Records all programs; what a robot or a build cannot have is told in why. False: out of memory.
 * zv_recorded_free in either case. */
bool zv_recorded_make(const zvModel *model, zvRecordedSet *set);
void zv_recorded_free(zvRecordedSet *set);

/* x is a (nv) of inverse, tau of forward and of their derivatives, else NULL; v NULL: zero. ZV_SINGULAR as generated
 * code returns -1. */
zvStatus zv_recorded_run(const zvRecorded *program, const double *q, const double *v, const double *x, double *answer);

#endif
