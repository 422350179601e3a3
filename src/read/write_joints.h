/* Writer of joints and of loops, which have much of joints. */
#ifndef ZV_READ_WRITE_JOINTS_H
#define ZV_READ_WRITE_JOINTS_H

#include "read/write_emit.h"

/* The sections joints and loops; nothing when there are none. */
void zv_write_joints(zvEmitter *emitter, zvBuilder *builder);
void zv_write_loops(zvEmitter *emitter, zvBuilder *builder);

/* Parts of both. */
void zv_put_curve(zvEmitter *emitter, const zvCurve *curve);
/* Keys of the only freedom, or the list dofs; nothing when they are all plain. */
void zv_put_dofs(zvEmitter *emitter, zvJointType type, const zvDof *dofs);

#endif
