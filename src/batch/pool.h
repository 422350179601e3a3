/* A small pool of threads that run one function at the same time, each with its own number. */
#ifndef ZV_BATCH_POOL_H
#define ZV_BATCH_POOL_H

#include <stdbool.h>

typedef struct zvPool zvPool;
typedef void (*zvPoolJob)(void *context, int thread);

/* threads counts the caller's: threads - 1 are started, or as many as the system gives. NULL when out of memory. */
zvPool *zv_pool_create(int threads);
void zv_pool_destroy(zvPool *pool);
/* Those there are, the caller's included. */
int zv_pool_threads(const zvPool *pool);
/* Others that would begin at once, because they are awake. */
int zv_pool_awake(zvPool *pool);
/* Runs job(context, 0) in the calling thread and job(context, 1 ...) in at most `helpers` others; returns when all that
 * have begun are done. Others may come too late to begin: the job must be done when those that came have returned. In a
 * child of fork() the caller is alone. */
void zv_pool_run(zvPool *pool, int helpers, zvPoolJob job, void *context);

#endif
