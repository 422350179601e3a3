/* What a private copy of a model owns, so that the inertia of a link can be changed in it. */
#ifndef ZI_MODEL_PAYLOAD_H
#define ZI_MODEL_PAYLOAD_H

#include "model/reduced.h"
#include "model/tree.h"

enum { ZI_SUM_WIDTH = 10 };

/* A sum of terms that come and go: mass, first moment, six second moments or moments of inertia, each as the
 * unevaluated sum of two doubles. Taking out what was put in leaves what was there before to some thirty digits,
 * however often. */
typedef struct ziMomentSum {
    double high[ZI_SUM_WIDTH], low[ZI_SUM_WIDTH];
} ziMomentSum;

typedef struct ziPayload {
    unsigned revision; /* changes with every change: who keeps numbers made of the model's compares it */
    ziBody *body;      /* nb; the model's own arrays, writable */
    zvLink *link;      /* nlink */
    ziReducedStep *step;
    ziReducedNumbers *numbers; /* nb each; NULL in models with elastic links */
    ziMomentSum *links;        /* nb: of the links of a body, in its frame about its origin */
    ziMomentSum *moments;      /* nb: reduced body with what its children handed over, before it hands over itself */
    double (*mass)[2];         /* nb: mass of a reduced subtree */
    double *beyond;            /* nb: tree.beyond; NULL without loops */
    double *beyond_low;        /* nb: what beyond has lost by rounding */
    double whole[2];           /* mass of all bodies */
    int touched;               /* bodies that the last change went through */
} ziPayload;

/* 0 in a model that was frozen. */
static inline unsigned zi_model_revision(const zvModel *model) { return model->payload ? model->payload->revision : 0; }

#endif
