/* External forces of links as the kernel of derivatives takes them. */
#ifndef ZI_DERIVE_LOADS_H
#define ZI_DERIVE_LOADS_H

#include "derive/kernels.h"

/* On scratch memory, from fext (6 nlink) or NULL; tq: tree q. */
ziLoads zi_derive_loads(const zvModel *model, ziScratch *scratch, const double *tq, const double *fext);

#endif
