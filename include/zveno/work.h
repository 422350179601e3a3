/* Core. Workspace: scratch memory on which algorithms lay their intermediate results. One per thread; nothing on it is
 * an answer.
 */
#ifndef ZVENO_WORK_H
#define ZVENO_WORK_H

#include "zveno/model.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct zvWork zvWork;

/* Room for every algorithm on this model, which must live longer; after this call nobody allocates.
 * NULL and error when out of memory. */
zvWork *zv_work_create(const zvModel *model, zvError *error);
void zv_work_destroy(zvWork *work);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
