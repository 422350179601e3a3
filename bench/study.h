/* What the studies of cost share: the clock, errors, and how cost grows. */
#ifndef BENCH_STUDY_H
#define BENCH_STUDY_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "zveno/status.h"

/* CPU time of this thread, s. */
static inline double study_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Ends the program with the error's text unless good. */
static inline void study_demand(int good, const zvError *error) {
    char line[1024];
    if (good) return;
    fprintf(stderr, "bench: %s\n", zv_error_line(error, line, sizeof line));
    exit(EXIT_FAILURE);
}

/* Slope of the least-squares line through the logarithms. */
static inline double study_slope(int count, const double *x, const double *y) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < count; i++) {
        const double a = log(x[i]), b = log(y[i]);
        sx += a;
        sy += b;
        sxx += a * a;
        sxy += a * b;
    }
    return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

#endif
