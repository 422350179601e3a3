/* A small pool of threads. Threads wait asleep; a short while after a job they look out for the next one first, since
 * questions tend to come one after the other and waking takes as long as some hundred states. */
#define _POSIX_C_SOURCE 200809L
#include "batch/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { LOOKS = 300 }; /* some 10 microseconds */

typedef struct Worker {
    zvPool *pool;
    int number;
    pthread_t thread;
} Worker;

struct zvPool {
    pthread_mutex_t lock;
    pthread_cond_t begin, done;
    atomic_uint round; /* counts jobs: a worker that sees it change may have work */
    atomic_int working;
    int wanted; /* workers that may still begin the present job */
    int asleep;
    bool over;
    zvPoolJob job;
    void *context;
    pid_t home; /* the process that has the threads */
    int workers;
    Worker worker[];
};

static void pause_briefly(void) {
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#else
    sched_yield();
#endif
}

/* Waits, with the lock held, for a job that is not the one seen last. */
static void await_job(zvPool *pool, unsigned seen) {
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < LOOKS && atomic_load_explicit(&pool->round, memory_order_relaxed) == seen; i++) pause_briefly();
    pthread_mutex_lock(&pool->lock);
    pool->asleep++;
    while (atomic_load(&pool->round) == seen && !pool->over) pthread_cond_wait(&pool->begin, &pool->lock);
    pool->asleep--;
}

static void *serve(void *argument) {
    Worker *me = argument;
    zvPool *pool = me->pool;
    unsigned seen = 0;
    pthread_mutex_lock(&pool->lock);
    while (!pool->over) {
        await_job(pool, seen);
        seen = atomic_load(&pool->round);
        if (pool->over || pool->wanted == 0) continue;
        pool->wanted--;
        atomic_fetch_add(&pool->working, 1);
        pthread_mutex_unlock(&pool->lock);
        pool->job(pool->context, me->number);
        pthread_mutex_lock(&pool->lock);
        if (atomic_fetch_sub(&pool->working, 1) == 1) pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

zvPool *zv_pool_create(int threads) {
    zvPool *pool = calloc(1, sizeof *pool + (size_t)(threads - 1) * sizeof(Worker));
    if (!pool) return NULL;
    pool->home = getpid();
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->begin, NULL);
    pthread_cond_init(&pool->done, NULL);
    for (int i = 0; i < threads - 1; i++) {
        Worker *w = &pool->worker[i];
        *w = (Worker){.pool = pool, .number = i + 1};
        if (pthread_create(&w->thread, NULL, serve, w) != 0) break;
        pool->workers++;
    }
    return pool;
}

void zv_pool_destroy(zvPool *pool) {
    if (!pool) return;
    if (getpid() == pool->home) { /* a child of fork() has neither threads nor a lock that it can trust */
        pthread_mutex_lock(&pool->lock);
        pool->over = true;
        pthread_cond_broadcast(&pool->begin);
        pthread_mutex_unlock(&pool->lock);
        for (int i = 0; i < pool->workers; i++) pthread_join(pool->worker[i].thread, NULL);
        pthread_cond_destroy(&pool->done);
        pthread_cond_destroy(&pool->begin);
        pthread_mutex_destroy(&pool->lock);
    }
    free(pool);
}

int zv_pool_threads(const zvPool *pool) { return pool->workers + 1; }

static void call(zvPool *pool, int helpers, zvPoolJob job, void *context) {
    pthread_mutex_lock(&pool->lock);
    pool->job = job;
    pool->context = context;
    pool->wanted = helpers;
    atomic_fetch_add(&pool->round, 1);
    const int asleep = pool->asleep;
    pthread_mutex_unlock(&pool->lock);
    if (helpers >= asleep && asleep > 1)
        pthread_cond_broadcast(&pool->begin);
    else
        for (int i = 0; i < helpers && i < asleep; i++) pthread_cond_signal(&pool->begin);
}

/* Nobody begins any more; those who have are waited for, at first awake: shares end at about the same time. */
static void dismiss(zvPool *pool) {
    pthread_mutex_lock(&pool->lock);
    pool->wanted = 0;
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < LOOKS && atomic_load(&pool->working) > 0; i++) pause_briefly();
    pthread_mutex_lock(&pool->lock);
    while (atomic_load(&pool->working) > 0) pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

void zv_pool_run(zvPool *pool, int helpers, zvPoolJob job, void *context) {
    if (helpers > pool->workers) helpers = pool->workers;
    const bool alone = helpers <= 0 || getpid() != pool->home;
    if (!alone) call(pool, helpers, job, context);
    job(context, 0);
    if (!alone) dismiss(pool);
}
