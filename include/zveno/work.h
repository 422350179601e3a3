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

/* Memory for every algorithm on this model, which must live longer; after this call nobody allocates.
 * NULL and error when out of memory. */
zvWork *zv_work_create(const zvModel *model, zvError *error);
/* NULL is let pass. A workspace in the caller's memory needs no ending. */
void zv_work_destroy(zvWork *work);

/* The bytes that a workspace takes, and a workspace in memory that the caller brings, aligned to ZV_ALIGNMENT
 * (model.h); it holds as long as the memory does. ZV_SIZE: size is less than zv_work_size, or the memory is not
 * aligned. */
size_t zv_work_size(const zvModel *model);
zvStatus zv_work_init(void *memory, size_t size, const zvModel *model, zvWork **work, zvError *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
