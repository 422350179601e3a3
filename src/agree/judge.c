/* Median and spread of answers. */
#include "agree/judge.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Values of entry i in rising order; how many, or -1 when one is not finite. */
static int sorted_entry(size_t count, const double *const *answers, size_t i, double *sorted) {
    int found = 0;
    for (size_t k = 0; k < count; k++) {
        if (!answers[k]) continue;
        const double x = answers[k][i];
        if (!isfinite(x)) return -1;
        int at = found++;
        for (; at > 0 && sorted[at - 1] > x; at--) sorted[at] = sorted[at - 1];
        sorted[at] = x;
    }
    return found;
}

void zi_judge_median(size_t count, const double *const *answers, size_t width, double *median) {
    double sorted[ZI_JUDGE_MOST];
    for (size_t i = 0; i < width; i++) {
        const int n = sorted_entry(count, answers, i, sorted);
        median[i] = n <= 0 ? (double)NAN : n % 2 ? sorted[n / 2] : 0.5 * sorted[n / 2 - 1] + 0.5 * sorted[n / 2];
    }
}

static double largest(const double *x, size_t width) {
    double most = 0;
    for (size_t i = 0; i < width; i++) most = isfinite(x[i]) ? fmax(most, fabs(x[i])) : most;
    return most;
}

/* The spacing of doubles at x > 0. */
static double spacing(double x) { return x >= DBL_MIN ? ldexp(DBL_EPSILON, ilogb(x)) : DBL_TRUE_MIN; }

static void add_entry(ziDifference *d, double by, double ulp, const double *rounding, size_t i) {
    if (by == 0) return;
    if (!isfinite(by)) {
        *d = (ziDifference){INFINITY, INFINITY};
        return;
    }
    d->ulps = fmax(d->ulps, by / ulp);
    if (rounding) d->ratio = fmax(d->ratio, rounding[i] > 0 ? by / rounding[i] : (double)INFINITY);
}

ziDifference zi_judge_spread(size_t count, const double *const *answers, size_t width, const double *rounding) {
    ziDifference d = {0, 0};
    double sorted[ZI_JUDGE_MOST], most = 0;
    for (size_t k = 0; k < count; k++)
        if (answers[k]) most = fmax(most, largest(answers[k], width));
    for (size_t i = 0; i < width; i++) {
        const int n = sorted_entry(count, answers, i, sorted);
        add_entry(&d, n < 0 ? (double)INFINITY : n ? sorted[n - 1] - sorted[0] : 0, spacing(most), rounding, i);
    }
    return d;
}

ziDifference zi_judge_distance(const double *answer, const double *median, size_t width, const double *rounding) {
    ziDifference d = {0, 0};
    const double ulp = spacing(fmax(largest(answer, width), largest(median, width)));
    for (size_t i = 0; i < width; i++) {
        const bool other = isnan(median[i]) && isfinite(answer[i]); /* not this one's fault */
        add_entry(&d,
                  other                 ? 0
                  : isfinite(answer[i]) ? fabs(answer[i] - median[i])
                                        : (double)INFINITY,
                  ulp, rounding, i);
    }
    return d;
}
