/* The lists of questions and methods, the clock of a run, and how far answers are apart. */
#define _POSIX_C_SOURCE 200809L
#include "agree/roster.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <time.h>

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

void zi_answers_median(size_t count, const double *const *answers, size_t width, double *median) {
    double sorted[ZI_MOST_ANSWERS];
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

ziDifference zi_answers_spread(size_t count, const double *const *answers, size_t width, const double *rounding) {
    ziDifference d = {0, 0};
    double sorted[ZI_MOST_ANSWERS], most = 0;
    for (size_t k = 0; k < count; k++)
        if (answers[k]) most = fmax(most, largest(answers[k], width));
    for (size_t i = 0; i < width; i++) {
        const int n = sorted_entry(count, answers, i, sorted);
        add_entry(&d, n < 0 ? (double)INFINITY : n ? sorted[n - 1] - sorted[0] : 0, spacing(most), rounding, i);
    }
    return d;
}

/* Where the median is no number only the answer that is none either is to blame. */
ziDifference zi_answers_distance(const double *answer, const double *median, size_t width, const double *rounding) {
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

double zi_watch_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

ziWatch zi_watch_start(const zvAgreeOptions *options) {
    return (ziWatch){.options = *options, .began = zi_watch_now()};
}

bool zi_watch_goes_on(ziWatch *w, int done) {
    const zvAgreeProgress now = {w->options.samples, done, zi_watch_now() - w->began};
    if (!w->stopped && w->options.tell) w->stopped = !w->options.tell(w->options.context, &now);
    w->late = w->late || zi_watch_ends_within(w, 0);
    return !w->stopped && !w->late;
}

bool zi_watch_ends_within(const ziWatch *w, double seconds) {
    return w->options.seconds > 0 && zi_watch_now() - w->began + seconds > w->options.seconds;
}

void zi_roster_ask(ziRoster *r, const char *name, const char *meaning, size_t width, ziSizes sizes) {
    assert(r->questions < ZI_ROSTER_QUESTIONS);
    r->question[r->questions] = (zvAgreeQuestion){.name = name, .meaning = meaning, .method = (int)r->methods};
    r->contest[r->questions++] = (ziContest){width, sizes, DBL_EPSILON};
}

ziContender *zi_roster_add(ziRoster *r, const char *name, ziAnswer answer, const void *row) {
    zvAgreeQuestion *question = &r->question[r->questions - 1];
    assert(r->methods < ZI_ROSTER_METHODS && question->methods < ZI_MOST_ANSWERS);
    question->methods++;
    r->method[r->methods] = (zvAgreeMethod){.name = name};
    r->contender[r->methods] = (ziContender){.answer = answer, .row = row};
    return &r->contender[r->methods++];
}

void zi_roster_excuse(ziRoster *r, const char *name, const char *why) {
    zi_roster_add(r, name, NULL, NULL);
    r->method[r->methods - 1].why = why;
}

void zi_roster_add_recorded(ziRoster *r, const ziRecordedSet *set, ziRecordedKind kind, ziAnswer answer) {
    if (!set) return;
    if (set->program[kind])
        zi_roster_add(r, "generated", answer, set->program[kind])->untimed = true; /* compiled it is another matter */
    else
        zi_roster_excuse(r, "generated", set->why[kind]);
}
