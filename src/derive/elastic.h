/* Derivatives of trees with elastic links, in model coordinates. ZV_NOT_SUPPORTED in a build without C++. */
#ifndef ZI_DERIVE_ELASTIC_H
#define ZI_DERIVE_ELASTIC_H

#include "work/scratch.h"

/* X: d tau/d q, d tau/d v, M; NULL where not wanted. */
zvStatus zi_derive_elastic(const zvModel *model, const zvWork *work, ziScratch scratch, const double *q,
                           const double *v, const double *a, const double *fext, double *const X[3]);
/* a is not NULL. ZV_SINGULAR: M is. */
zvStatus zi_derive_forward_elastic(const zvModel *model, const zvWork *work, ziScratch scratch, const double *q,
                                   const double *v, const double *tau, const double *fext, double *a, double *dq,
                                   double *dv, double *dtau);

#endif
