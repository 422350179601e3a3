/* Writer of elastic links. */
#ifndef ZI_READ_WRITE_ELASTIC_H
#define ZI_READ_WRITE_ELASTIC_H

#include "read/write_emit.h"

/* The keys beam or modal of a link; nothing for a rigid one. */
void zi_write_elastic(ziEmitter *emitter, const zvLink *link);

#endif
