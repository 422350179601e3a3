/* External forces: from links, as users give them, to bodies, as kernels take them. */
#ifndef ZV_DYNAMICS_EXTERNAL_H
#define ZV_DYNAMICS_EXTERNAL_H

#include "model/tree.h"
#include "work/desk.h"

/* (6 nb + ne) on the desk from fext (6 nlink + ne): wrenches about their own origins in world axes, then forces on
 * elastic coordinates; NULL for NULL. tq: tree q. */
const double *zv_body_wrenches(const zvModel *model, zvDesk *desk, const double *tq, const double *fext);

#endif
