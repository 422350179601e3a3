/* zveno_scaling: time and memory per body of chains of 10 to 100000 bodies, built through the API. A slope of 1 is a
 * method of order n. Memory: of the frozen model and of one workspace, as the allocator counts it. */
#define _GNU_SOURCE
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "chain.h"
#include "own.h"
#include "study.h"
#include "timer.h"
#include "zveno/work.h"

static const int lengths[] = {10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000};
enum { LENGTHS = sizeof lengths / sizeof *lengths, ROUNDS = 25 };
static const double batch = 2e-3; /* s */

typedef struct Cost {
    double inverse, forward; /* s per call */
    double model, work;      /* bytes */
} Cost;

static double allocated(void) {
    const struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
}

/* Bytes of model and workspace by what the allocator gave. */
static void measure_memory(int length, Cost *cost) {
    zvError error = {0};
    zvModel *model = NULL;
    const double before = allocated();
    study_demand(chain_create(length, &model, &error) >= 0, &error);
    const double frozen = allocated();
    zvWork *work = zv_work_create(model, &error);
    study_demand(work != NULL, &error);
    cost->model = frozen - before;
    cost->work = allocated() - frozen;
    zv_work_destroy(work);
    zv_model_destroy(model);
}

static double fastest(const Engine *engine, Task task, int ring) {
    const long calls = timer_calibrate(engine, task, ring, batch);
    double best = HUGE_VAL;
    for (int round = 0; round < ROUNDS; ++round) best = fmin(best, timer_batch(engine, task, ring, calls));
    return best / (double)calls;
}

/* Time per body of the two O(n) questions. */
static void measure_time(int length, Cost *cost) {
    zvModel *model = NULL;
    zvError error = {0};
    study_demand(chain_create(length, &model, &error) >= 0, &error);
    Tree *tree = tree_create(model);
    Ring *ring = ring_create(model, ring_size(length), 7);
    Engine engine = {0};
    study_demand(tree && ring && zveno_open(model, NULL, tree, ring, &engine), &error);
    cost->inverse = fastest(&engine, TASK_INVERSE, ring->count);
    cost->forward = fastest(&engine, TASK_FORWARD, ring->count);
    engine.destroy(engine.self);
    ring_destroy(ring);
    tree_destroy(tree);
    zv_model_destroy(model);
}

/* Lengths over several decades, then the slopes of time. */
int main(void) {
    double n[LENGTHS], inverse[LENGTHS], forward[LENGTHS];
    timer_pin(-1);
    printf("%10s %14s %14s %14s %14s\n%10s %14s %14s %14s %14s\n", "bodies", "inverse", "forward", "model", "workspace",
           "", "ns per body", "ns per body", "B per body", "B per body");
    for (int i = 0; i < LENGTHS; ++i) {
        Cost cost;
        measure_memory(lengths[i], &cost);
        measure_time(lengths[i], &cost);
        n[i] = lengths[i];
        inverse[i] = cost.inverse;
        forward[i] = cost.forward;
        printf("%10d %14.1f %14.1f %14.0f %14.0f\n", lengths[i], 1e9 * cost.inverse / n[i], 1e9 * cost.forward / n[i],
               cost.model / n[i], cost.work / n[i]);
        fflush(stdout);
    }
    printf("%10s %14.3f %14.3f\n", "slope", study_slope(LENGTHS, n, inverse), study_slope(LENGTHS, n, forward));
    return EXIT_SUCCESS;
}
