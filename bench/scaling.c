/* Chains of 10 to 100000 bodies, built through the API. A slope of 1 is a method of order n. */
#include "scaling.h"

#include <math.h>
#include <stdio.h>

#include "chain.h"
#include "engine.h"
#include "timer.h"

static const int lengths[] = {10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000};
enum { LENGTHS = sizeof lengths / sizeof *lengths, FUNCTIONS = 2 };

static double fastest(const Engine *engine, Task task, int ring, const Options *options) {
    const long calls = timer_calibrate(engine, task, ring, options->batch);
    double best = HUGE_VAL;
    for (int round = 0; round < options->rounds; ++round) best = fmin(best, timer_batch(engine, task, ring, calls));
    return best / (double)calls;
}

static bool measure_chain(int length, const Options *options, double seconds[FUNCTIONS]) {
    zvModel *model = NULL;
    zvError error = {0};
    char line[1024];
    if (chain_create(length, &model, &error) < 0) {
        fprintf(stderr, "%s\n", zv_error_line(&error, line, sizeof line));
        return false;
    }
    Tree *tree = tree_create(model);
    Ring *ring = ring_create(model, ring_size(length), 7);
    Engine engine = {0};
    const bool good = tree && ring && zveno_open(model, tree, ring, &engine);
    if (good) {
        seconds[0] = fastest(&engine, TASK_INVERSE, ring->count, options);
        seconds[1] = fastest(&engine, TASK_FORWARD, ring->count, options);
        engine.destroy(engine.self);
    }
    ring_destroy(ring);
    tree_destroy(tree);
    zv_model_destroy(model);
    return good;
}

/* Slope of the least-squares line through (log length, log time). */
static double slope(double seconds[LENGTHS][FUNCTIONS], int function) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < LENGTHS; ++i) {
        const double x = log(lengths[i]), y = log(seconds[i][function]);
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return (LENGTHS * sxy - sx * sy) / (LENGTHS * sxx - sx * sx);
}

bool scaling_run(const Options *options) {
    double seconds[LENGTHS][FUNCTIONS];
    printf("%10s %22s %22s\n", "bodies", "inverse ns per body", "forward ns per body");
    for (int i = 0; i < LENGTHS; ++i) {
        if (!measure_chain(lengths[i], options, seconds[i])) return false;
        printf("%10d %22.1f %22.1f\n", lengths[i], 1e9 * seconds[i][0] / lengths[i], 1e9 * seconds[i][1] / lengths[i]);
        fflush(stdout);
    }
    printf("%10s %22.3f %22.3f\n", "slope", slope(seconds, 0), slope(seconds, 1));
    return true;
}
