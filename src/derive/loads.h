/* External forces of links as the kernel of derivatives takes them. */
#ifndef ZV_DERIVE_LOADS_H
#define ZV_DERIVE_LOADS_H

#include "derive/kernels.h"

/* On the desk, from fext (6 nlink) or NULL; tq: tree q. */
zvLoads zv_derive_loads(const zvModel *model, zvDesk *desk, const double *tq, const double *fext);

#endif
