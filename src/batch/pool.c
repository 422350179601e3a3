/* A small pool of threads. Threads sleep between jobs, but poll for the next one for a short while first, since calls
 * tend to follow each other and waking takes as long as a thousand states. Threads that are awake begin and end a job
 * without a lock. */
#define _POSIX_C_SOURCE 200809L
#include "batch/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 50000, LOOKS = 16 }; /* ns before falling asleep; looks between two at the clock */

typedef struct Worker {
    ziPool *pool;
    int number;
    pthread_t thread;
} Worker;

struct ziPool {
    /* The number of the job, and how many workers may still begin it in the last 16 bits: one word, so that nobody
     * begins a job twice, or one that is over. */
    _Atomic uint64_t offer;
    char apart[64];   /* padding: many threads poll the word above while those below change */
    atomic_int ended; /* workers that have done their part of the present job */
    atomic_int asleep;
    atomic_bool waiting; /* the caller sleeps until the others end */
    atomic_bool over;
    ziPoolJob job;
    void *context;
    pthread_mutex_t lock;
    pthread_cond_t begin, done;
    pid_t owner;      /* the process that has the threads */
    int64_t patience; /* ns; none when there are more threads than processors */
    int workers;
    Worker worker[];
};

enum { SEATS = 0xffff };

static void pause_briefly(void) {
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#else
    sched_yield();
#endif
}

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* A worker -------------------------------------------------------------------------------------------- */

/* Whether a worker whose last job was `seen` has a new job, or is to end. */
static bool called(ziPool *pool, uint64_t seen) {
    const uint64_t offer = atomic_load(&pool->offer);
    return (offer >> 16 != seen && (offer & SEATS)) || atomic_load(&pool->over);
}

static bool look_out(ziPool *pool, uint64_t seen) {
    const int64_t start = now();
    do {
        for (int i = 0; i < LOOKS; i++) {
            if (called(pool, seen)) return true;
            pause_briefly();
        }
    } while (now() - start < pool->patience);
    return false;
}

/* Returns when there is a job; after each waking it polls again, since jobs follow each other. */
static void await(ziPool *pool, uint64_t seen) {
    while (!look_out(pool, seen)) {
        pthread_mutex_lock(&pool->lock);
        atomic_fetch_add(&pool->asleep, 1); /* before the last look: zi_pool_run offers before it counts */
        if (!called(pool, seen)) pthread_cond_wait(&pool->begin, &pool->lock);
        atomic_fetch_sub(&pool->asleep, 1);
        pthread_mutex_unlock(&pool->lock);
    }
}

/* Takes part in the job on offer, unless it is *seen. */
static bool take_seat(ziPool *pool, uint64_t *seen) {
    uint64_t offer = atomic_load(&pool->offer);
    while (offer >> 16 != *seen && (offer & SEATS)) {
        if (!atomic_compare_exchange_weak(&pool->offer, &offer, offer - 1)) continue;
        *seen = offer >> 16;
        return true;
    }
    return false;
}

static void leave(ziPool *pool) {
    atomic_fetch_add(&pool->ended, 1);
    if (!atomic_load(&pool->waiting)) return;
    pthread_mutex_lock(&pool->lock);
    pthread_cond_signal(&pool->done);
    pthread_mutex_unlock(&pool->lock);
}

static void *serve(void *argument) {
    Worker *me = argument;
    ziPool *pool = me->pool;
    for (uint64_t seen = 0; !atomic_load(&pool->over); await(pool, seen)) {
        if (!take_seat(pool, &seen)) continue;
        pool->job(pool->context, me->number);
        leave(pool);
    }
    return NULL;
}

/* The caller ------------------------------------------------------------------------------------------ */

/* threads - 1 workers besides the caller, or as many of them as the system starts; they spin before sleeping only when
 * every thread can have a processor. */
ziPool *zi_pool_create(int threads) {
    ziPool *pool = calloc(1, sizeof *pool + (size_t)(threads - 1) * sizeof(Worker));
    if (!pool) return NULL;
    pool->owner = getpid();
    pool->patience = threads <= sysconf(_SC_NPROCESSORS_ONLN) ? PATIENCE : 0;
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

/* Wakes and joins all workers. In a child of fork() only the memory is freed. */
void zi_pool_destroy(ziPool *pool) {
    if (!pool) return;
    if (getpid() == pool->owner) { /* a child of fork() has neither threads nor a lock that it can trust */
        pthread_mutex_lock(&pool->lock);
        atomic_store(&pool->over, true);
        pthread_cond_broadcast(&pool->begin);
        pthread_mutex_unlock(&pool->lock);
        for (int i = 0; i < pool->workers; i++) pthread_join(pool->worker[i].thread, NULL);
        pthread_cond_destroy(&pool->done);
        pthread_cond_destroy(&pool->begin);
        pthread_mutex_destroy(&pool->lock);
    }
    free(pool);
}

int zi_pool_threads(const ziPool *pool) { return pool->workers + 1; }

int zi_pool_awake(ziPool *pool) { return pool->workers - atomic_load(&pool->asleep); }

/* Publishes a job for up to `helpers` workers and wakes sleeping ones only when fewer are awake than wanted. */
static void call(ziPool *pool, int helpers, ziPoolJob job, void *context) {
    pool->job = job;
    pool->context = context;
    atomic_store(&pool->ended, 0);
    atomic_store(&pool->offer, ((atomic_load(&pool->offer) >> 16) + 1) << 16 | (uint64_t)helpers);
    const int asleep = atomic_load(&pool->asleep), wanted = helpers - (pool->workers - asleep);
    if (wanted <= 0) return;
    pthread_mutex_lock(&pool->lock); /* workers that have counted themselves asleep are waiting now */
    pthread_mutex_unlock(&pool->lock);
    if (wanted >= asleep && asleep > 1)
        pthread_cond_broadcast(&pool->begin);
    else
        for (int i = 0; i < wanted; i++) pthread_cond_signal(&pool->begin);
}

/* Withdraws the job and waits for the workers that have begun it, at first by polling: they end at about the same time.
 */
static void dismiss(ziPool *pool, int helpers) {
    const int begun = helpers - (int)(atomic_fetch_and(&pool->offer, ~(uint64_t)SEATS) & SEATS);
    if (atomic_load(&pool->ended) == begun) return;
    const int64_t start = now();
    do {
        for (int i = 0; i < LOOKS; i++) {
            if (atomic_load(&pool->ended) == begun) return;
            pause_briefly();
        }
    } while (now() - start < pool->patience);
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->waiting, true);
    while (atomic_load(&pool->ended) != begun) pthread_cond_wait(&pool->done, &pool->lock);
    atomic_store(&pool->waiting, false);
    pthread_mutex_unlock(&pool->lock);
}

void zi_pool_run(ziPool *pool, int helpers, ziPoolJob job, void *context) {
    if (helpers > pool->workers) helpers = pool->workers;
    const bool alone = helpers <= 0 || getpid() != pool->owner;
    if (!alone) call(pool, helpers, job, context);
    job(context, 0);
    if (!alone) dismiss(pool, helpers);
}
