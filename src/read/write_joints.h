/* Writer of joints and of loops, which have much of joints. */
#ifndef ZI_READ_WRITE_JOINTS_H
#define ZI_READ_WRITE_JOINTS_H

#include "read/write_emit.h"

/* The sections joints and loops; nothing when there are none. */
void zi_write_joints(ziEmitter *emitter, zvBuilder *builder);
void zi_write_loops(ziEmitter *emitter, zvBuilder *builder);

/* Parts of both. */
void zi_put_curve(ziEmitter *emitter, const zvCurve *curve);
/* Keys of the only freedom, or the list dofs; nothing when they are all plain. */
void zi_put_dofs(ziEmitter *emitter, zvJointType type, const zvDof *dofs);

#endif
