/* Writer of elastic links. */
#ifndef ZV_READ_WRITE_ELASTIC_H
#define ZV_READ_WRITE_ELASTIC_H

#include "read/write_emit.h"

/* The keys beam or modal of a link; nothing for a rigid one. */
void zv_write_elastic(zvEmitter *emitter, const zvLink *link);

#endif
