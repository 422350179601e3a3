/* Differences between the engines' answers, relative to the size of the terms that were added up.
 *
 * tau, M, J, poses and the like: largest difference over largest entry.
 * a, M^-1: differences are compared where they act, as forces: M (x - y) relative to |M| |y|. A long chain amplifies
 * rounding of the forces by the condition of M, as much as 1e12 for a thousand links, in every engine alike. With the
 * tip welded the forces are those of the joints, tau: a may be zero. */
#include "agree.h"

#include <math.h>
#include <stdlib.h>

/* Of doubles, and of single precision, where rounding of q alone costs three digits of long arms. */
static const double tolerance = 1e-9, tolerance_single = 1e-2;
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
static double relative_as_force(const double *M, int n, const double *x, const double *y, double least) {
    double difference = 0, size = least;
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

static double compare(Task task, const Ring *ring, const double *M, const double *x, const double *y) {
    const int n = ring->nv;
    double worst = 1e-300;
    if (task == TASK_FORWARD) return relative_as_force(M, n, x, y, worst);
    for (int i = 0; task == TASK_WELD && i < n; ++i) worst = fmax(worst, fabs(ring->tau[i]));
    if (task == TASK_WELD) return relative_as_force(M, n, x, y, worst);
    if (task != TASK_MASS_INVERSE) return relative(x, y, task_size(task, ring));
    worst = 0;
    const int stride = n > COLUMNS ? n / COLUMNS : 1;
    for (int row = 0; row < n; row += stride)
        worst = fmax(worst, relative_as_force(M, n, x + (size_t)row * n, y + (size_t)row * n, 1e-300));
    return worst;
}

/* Largest difference of one engine from Zveno in one task; negative when one has no such function. */
static double difference(const Runner *runner, int engine, Task task, double *scratch) {
    const Engine *peer = &runner->engine[engine], *zveno = &runner->engine[ZVENO];
    if (!peer->run[task] || !zveno->run[task]) return -1;
    const int n = runner->tree->nv, states = n > 500 ? 1 : STATES;
    const size_t numbers = task_most(runner->ring, (Task)(TASKS - 1));
    double *M = scratch, *x = M + numbers, *y = x + numbers, worst = 0;
    for (int s = 0; s < states; ++s) {
        zveno->answer(zveno->self, TASK_MASS, s, M);
        zveno->answer(zveno->self, task, s, y);
        peer->answer(peer->self, task, s, x);
        worst = fmax(worst, compare(task, runner->ring, M, x, y));
    }
    return worst;
}

zvStatus agree_measure(Runner *runner, unsigned tasks) {
    double *scratch = malloc(3 * task_most(runner->ring, (Task)(TASKS - 1)) * sizeof *scratch);
    if (!scratch) return ZV_MEMORY;
    for (int t = 0; t < TASKS; ++t)
        for (int e = 0; e < ENGINES; ++e) {
            const bool wanted = e != ZVENO && tasks & 1u << t;
            runner->difference[t][e] = wanted ? difference(runner, e, (Task)t, scratch) : -1;
        }
    free(scratch);
    return ZV_OK;
}

/* Every answer of every engine against Zveno's; keeps the one that uses most of what is allowed for it. */
bool agree_check(const Roster *roster, Disagreement *worst) {
    double share = -1;
    *worst = (Disagreement){0};
    for (int r = 0; r < roster->count; ++r)
        for (int t = 0; t < TASKS; ++t)
            for (int e = 0; e < ENGINES; ++e) {
                const Runner *runner = &roster->runner[r];
                const double allowed = runner->engine[e].single ? tolerance_single : tolerance;
                if (runner->difference[t][e] / allowed <= share) continue;
                share = runner->difference[t][e] / allowed;
                *worst = (Disagreement){r, e, (Task)t, runner->difference[t][e], allowed};
            }
    return share <= 1;
}
