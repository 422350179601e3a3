/* A small pool of threads that run one function at the same time, each with its own number. */
#ifndef ZI_BATCH_POOL_H
#define ZI_BATCH_POOL_H

#include <stdbool.h>

typedef struct ziPool ziPool;
typedef void (*ziPoolJob)(void *context, int thread);

/* threads counts the caller's: threads - 1 are started, or as many as the system gives. NULL when out of memory. */
ziPool *zi_pool_create(int threads);
void zi_pool_destroy(ziPool *pool);
/* Those there are, the caller's included. */
int zi_pool_threads(const ziPool *pool);
/* Others that would begin at once, because they are awake. */
int zi_pool_awake(ziPool *pool);
/* Runs job(context, 0) in the calling thread and job(context, 1 ...) in at most `helpers` others; returns when all that
 * have begun are done. Others may come too late to begin: the job must be done when those that came have returned. In a
 * child of fork() the caller is alone. */
void zi_pool_run(ziPool *pool, int helpers, ziPoolJob job, void *context);

#endif
