/* Both batches take turns at a few calls each, so that what else the machine does hits both. */
#define _POSIX_C_SOURCE 200809L
#include "threads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "zveno/batch.h"

enum { STATES = 4096, STRIDE = STATES + 8, LARGEST = 100, CALLS = 4 /* one after the other */, TURNS = 3 };

typedef struct ThreadPair {
    zvBatch *batch[2];              /* on one thread, on many */
    double *q, *v, *given, *out[2]; /* entry i of state s at [i * STRIDE + s] */
} ThreadPair;

static double wall(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double *spread(const double *ring, int count, int width) {
    double *x = aligned_alloc(64, (size_t)width * STRIDE * sizeof *x);
    for (size_t i = 0; x && i < (size_t)width; ++i)
        for (size_t s = 0; s < STRIDE; ++s) x[i * STRIDE + s] = ring[s % (size_t)count * (size_t)width + i];
    return x;
}

/* The same states and batch twice: on one thread and on all. */
static bool pair_open(ThreadPair *c, const zvModel *model, const Ring *ring, Task task) {
    *c = (ThreadPair){0};
    for (int k = 0; k < 2; ++k) {
        c->batch[k] = zv_batch_create(model, &(zvBatchOptions){.threads = k ? 0 : 1, .stride = STRIDE}, NULL);
        c->out[k] = aligned_alloc(64, (size_t)ring->nv * STRIDE * sizeof *c->out[k]);
        if (!c->batch[k] || !c->out[k]) return false;
    }
    c->q = spread(ring->q, ring->count, ring->nq);
    c->v = spread(ring->v, ring->count, ring->nv);
    c->given = spread(task == TASK_FORWARD ? ring->tau : ring->a, ring->count, ring->nv);
    return c->q && c->v && c->given && zv_batch_threads(c->batch[1]) > 1;
}

static void pair_close(ThreadPair *c) {
    for (int k = 0; k < 2; ++k) {
        zv_batch_destroy(c->batch[k]);
        free(c->out[k]);
    }
    free(c->q);
    free(c->v);
    free(c->given);
}

static double call(ThreadPair *c, int k, Task task) {
    const double start = wall();
    if (task == TASK_FORWARD)
        zv_batch_forward(c->batch[k], STATES, c->q, c->v, c->given, NULL, c->out[k], NULL);
    else
        zv_batch_inverse(c->batch[k], STATES, c->q, c->v, c->given, NULL, c->out[k]);
    return 1e9 * (wall() - start) / STATES;
}

static bool same(const ThreadPair *c, int nv) {
    for (int i = 0; i < nv; ++i)
        if (memcmp(c->out[0] + (size_t)i * STRIDE, c->out[1] + (size_t)i * STRIDE, STATES * sizeof(double)))
            return false;
    return true;
}

/* In turn, by the clock on the wall; the answers must be bit-identical. */
void threads_measure(const zvModel *model, const Ring *ring, Task task, ThreadTimes *times) {
    const bool first = times->threads == 0;
    double best[2] = {first ? HUGE_VAL : times->one, first ? HUGE_VAL : times->many};
    ThreadPair c;
    if (ring->nv > LARGEST || (task != TASK_INVERSE && task != TASK_FORWARD)) return;
    if (pair_open(&c, model, ring, task)) {
        for (int turn = 0; turn < TURNS; ++turn)
            for (int k = 0; k < 2; ++k)
                for (int i = 0; i < CALLS; ++i) best[k] = fmin(best[k], call(&c, k, task));
        *times = (ThreadTimes){.one = best[0],
                               .many = best[1],
                               .threads = zv_batch_threads(c.batch[1]),
                               .the_same = (first || times->the_same) && same(&c, ring->nv)};
    }
    pair_close(&c);
}
