/* External wrenches: from links, as users give them, to bodies, as kernels take them. */
#ifndef ZV_DYNAMICS_EXTERNAL_H
#define ZV_DYNAMICS_EXTERNAL_H

#include "model/tree.h"
#include "work/desk.h"

/* (nb x 6) on the desk from fext (nlink x 6), both about their own origins in world axes; NULL for NULL. tq: tree q. */
const double *zv_body_wrenches(const zvModel *model, zvDesk *desk, const double *tq, const double *fext);

#endif
