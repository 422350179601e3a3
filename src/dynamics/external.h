/* External forces: from links, as users give them, to bodies, as kernels take them. */
#ifndef ZI_DYNAMICS_EXTERNAL_H
#define ZI_DYNAMICS_EXTERNAL_H

#include "model/tree.h"
#include "work/scratch.h"

/* (6 nb + ne) in scratch memory from fext (6 nlink + ne): wrenches about their own origins in world axes, then forces
 * on elastic coordinates; NULL for NULL. tq: tree q. */
const double *zi_body_wrenches(const zvModel *model, ziScratch *scratch, const double *tq, const double *fext);

#endif
