/* Differences between the engines' answers, relative to the size of the terms that were added up.
 *
 * tau, M, J: largest difference over largest entry.
 * a, M^-1: differences are compared where they act, as forces: M (x - y) relative to |M| |y|. A long chain amplifies
 * rounding of the forces by the condition of M, as much as 1e12 for a thousand links, in every engine alike. */
#include "agree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double tolerance = 1e-9;
enum { STATES = 4, COLUMNS = 8 };

static double relative(const double *x, const double *y, size_t count) {
    double difference = 0, size = 1e-300;
    for (size_t i = 0; i < count; ++i) {
        difference = fmax(difference, fabs(x[i] - y[i]));
        size = fmax(size, fabs(y[i]));
        if (!isfinite(x[i])) return INFINITY;
    }
    return difference / size;
}

/* The same for vectors that M turns into forces. */
static double relative_as_force(const double *M, int n, const double *x, const double *y) {
    double difference = 0, size = 1e-300;
    for (int i = 0; i < n; ++i) {
        double d = 0, s = 0;
        for (int j = 0; j < n; ++j) {
            d += M[(size_t)i * n + j] * (x[j] - y[j]);
            s += fabs(M[(size_t)i * n + j] * y[j]);
        }
        if (!isfinite(d)) return INFINITY;
        difference = fmax(difference, fabs(d));
        size = fmax(size, s);
    }
    return difference / size;
}

static double compare(Task task, int n, const double *M, const double *x, const double *y) {
    if (task == TASK_FORWARD) return relative_as_force(M, n, x, y);
    if (task != TASK_MASS_INVERSE) return relative(x, y, task_size(task, n));
    double worst = 0;
    const int stride = n > COLUMNS ? n / COLUMNS : 1;
    for (int row = 0; row < n; row += stride)
        worst = fmax(worst, relative_as_force(M, n, x + (size_t)row * n, y + (size_t)row * n));
    return worst;
}

/* Largest disagreement of one engine with Zveno in one task; negative when it has no such function. */
static double disagreement(const Robot *robot, int engine, Task task, double *scratch) {
    const Engine *peer = &robot->engine[engine], *zveno = &robot->engine[ZVENO];
    if (!peer->run[task] || !zveno->run[task]) return -1;
    const int n = robot->tree->nv;
    const size_t room = (size_t)n * (size_t)(n > 6 ? n : 6);
    double *M = scratch, *x = M + room, *y = x + room, worst = 0;
    const int states = n > 500 ? 1 : STATES;
    for (int s = 0; s < states; ++s) {
        zveno->answer(zveno->self, TASK_MASS, s, M);
        zveno->answer(zveno->self, task, s, y);
        peer->answer(peer->self, task, s, x);
        worst = fmax(worst, compare(task, n, M, x, y));
    }
    return worst;
}

static double agree_robot(const Robot *robot) {
    const size_t n = (size_t)robot->tree->nv, room = n * (n > 6 ? n : 6);
    double *scratch = malloc(3 * room * sizeof *scratch), worst = 0;
    if (!scratch) return INFINITY;
    for (int e = 1; e < ENGINES; ++e) {
        if (!robot->engine[e].self) continue;
        printf("agree  %-12s %-7s", robot->name, robot->engine[e].name);
        for (int t = 0; t < TASKS; ++t) {
            const double d = disagreement(robot, e, (Task)t, scratch);
            worst = fmax(worst, d);
            if (d >= 0) printf("  %s %.1e", task_name((Task)t), d);
        }
        putchar('\n');
    }
    free(scratch);
    return worst;
}

bool agree_check(const Roster *roster) {
    double worst = 0;
    for (int r = 0; r < roster->count; ++r) worst = fmax(worst, agree_robot(&roster->robot[r]));
    printf("largest disagreement %.1e (tolerance %.0e)\n\n", worst, tolerance);
    return worst <= tolerance;
}
