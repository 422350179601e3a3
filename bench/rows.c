/* Rounds outermost: a disturbance of the machine that lasts a second spoils one round of everything, not one row. */
#include "rows.h"

#include <stdlib.h>

#include "instructions.h"
#include "timer.h"

/* A call that takes longer than this is measured in a few rounds only. */
static const double slow_call = 0.02;
enum { SLOW_ROUNDS = 3 };

typedef struct Place {
    Timing *timing;
    const Engine *engine;
    Task task;
    int ring;
} Place;

static bool prepare(const Place *at, const Plan *plan) {
    if (!at->engine->run[at->task] || !(plan->tasks & 1u << at->task)) return true;
    at->timing->calls = timer_calibrate(at->engine, at->task, at->ring, plan->batch);
    at->timing->ns = malloc((size_t)plan->rounds * sizeof *at->timing->ns);
    return at->timing->ns != NULL;
}

static void measure(const Place *at) {
    Timing *timing = at->timing;
    if (!timing->calls) return;
    if (timing->samples >= SLOW_ROUNDS && timing->ns[0] > 1e9 * slow_call) return;
    const double states = (double)timing->calls * engine_states(at->engine, at->task);
    timing->ns[timing->samples++] = 1e9 * timer_batch(at->engine, at->task, at->ring, timing->calls) / states;
}

/* One pass over all functions and engines of a robot; round -1 prepares. */
static zvStatus pass(Rows *rows, int r, int round, const Plan *plan) {
    const Runner *runner = &rows->roster->runner[r];
    for (int t = 0; t < TASKS; ++t)
        for (int e = 0; e < ENGINES; ++e) {
            const Place at = {&rows->timing[r][t][e], &runner->engine[e], (Task)t, runner->ring->count};
            if (round >= 0)
                measure(&at);
            else if (!prepare(&at, plan))
                return ZV_MEMORY;
        }
    const double done = round + (r + 1.0) / rows->roster->count;
    return plan->tell(plan->context, done > 0 ? done : 0) ? ZV_OK : ZV_INTERRUPTED;
}

static int ascending(const void *x, const void *y) {
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* Instructions, which do not depend on what else the machine does, are counted once, over a batch. */
static void finish(Rows *rows, Counter *counter) {
    for (int r = 0; r < rows->roster->count; ++r)
        for (int t = 0; t < TASKS; ++t)
            for (int e = 0; e < ENGINES; ++e) {
                const Runner *runner = &rows->roster->runner[r];
                Timing *timing = &rows->timing[r][t][e];
                if (!timing->samples) continue;
                qsort(timing->ns, (size_t)timing->samples, sizeof *timing->ns, ascending);
                const double states = engine_states(&runner->engine[e], (Task)t);
                timing->instructions =
                    counter_per_call(counter, &runner->engine[e], (Task)t, runner->ring->count) / states;
            }
}

/* All engines in turn in each round: what disturbs the machine disturbs all. Round -1 does not count. */
zvStatus rows_measure(Rows *rows, const Roster *roster, const Plan *plan) {
    *rows = (Rows){roster, calloc((size_t)roster->count, sizeof *rows->timing), false};
    zvStatus status = rows->timing ? ZV_OK : ZV_MEMORY;
    for (int round = -1; round < plan->rounds && status == ZV_OK; ++round)
        for (int r = 0; r < roster->count && status == ZV_OK; ++r) status = pass(rows, r, round, plan);
    if (status != ZV_OK) return status;
    Counter counter = counter_open();
    rows->counted = counter_works(&counter);
    finish(rows, &counter);
    counter_close(&counter);
    return ZV_OK;
}

void rows_destroy(Rows *rows) {
    for (int r = 0; rows->timing && r < rows->roster->count; ++r)
        for (int t = 0; t < TASKS; ++t)
            for (int e = 0; e < ENGINES; ++e) free(rows->timing[r][t][e].ns);
    free(rows->timing);
    *rows = (Rows){0};
}

double timing_best(const Timing *timing) { return timing->samples ? timing->ns[0] : 0; }

double timing_spread(const Timing *timing) {
    return timing->samples ? timing->ns[timing->samples / 2] / timing->ns[0] - 1 : 0;
}
