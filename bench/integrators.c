/* zveno_integrators [FOLDER...]: what the method auto costs beside those that one may name, and how far it is off.
 *
 * Every scenario of scenarios/, every case of tests/oracle/scenarios, and every robot (URDF) of the folders, released
 * from rest for two seconds, is run by each method with rtol = atol = 1e-8, with rows as the scenario says and without.
 * Methods take turns; printed are the least processor time of a run and its evaluations of the right-hand side; how
 * many times those of the best method auto needs; and how far its positions are off, at the end and at the worst row,
 * over rtol (1 + |q|), beside erk of order 8 at 1e-12. A run that takes twenty times as long as the best so far is
 * broken off. The last line counts the problems beyond three times the time of the best. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "zveno/simulate.h"

enum { METHODS = 6, MOST_FILES = 512, LEAST_TURNS = 3, MOST_TURNS = 25 };
/* s of processor time: of a run; of all turns; below which no run is broken off */
static const double longest = 20, enough = 0.4, short_run = 1;

static const char *const methods[METHODS] = {"auto",          "adams",         "bdf",
                                             "erk, order: 5", "erk, order: 8", "dirk, order: 5"};

typedef struct Cost {
    double seconds, rates; /* INFINITY: failed, or broken off */
} Cost;

/* Numbers of all rows, one after the other. */
typedef struct Rows {
    double *numbers;
    size_t count, capacity, width;
} Rows;

/* One run: what it may take, and where its rows go. */
typedef struct Run {
    double until;
    Rows *rows; /* or NULL: not kept */
} Run;

static double clock_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool go_on(void *context, const zvProgress *now) {
    (void)now;
    return clock_now() < ((const Run *)context)->until;
}

static void take_channels(void *context, int count, const zvChannel *channels) {
    Rows *rows = ((Run *)context)->rows;
    if (!rows) return;
    for (int i = 0; i < count; i++) rows->width += (size_t)channels[i].width;
}

static bool take_row(void *context, const double *row) {
    Rows *rows = ((Run *)context)->rows;
    if (!rows) return true;
    if (rows->count + rows->width > rows->capacity) {
        rows->capacity = 2 * rows->capacity + 64 * rows->width;
        double *more = realloc(rows->numbers, rows->capacity * sizeof *more);
        if (!more) return false;
        rows->numbers = more;
    }
    memcpy(rows->numbers + rows->count, row, rows->width * sizeof *row);
    rows->count += rows->width;
    return true;
}

/* A scenario, or a robot released from rest; NULL when it cannot be read. */
static zvScenario *open_scenario(const char *path, bool robot, const char *method, double tolerance) {
    zvScenario *scenario = NULL;
    zvError error;
    char integrator[128], text[2048];
    snprintf(integrator, sizeof integrator, "integrator={method: %s, rtol: %g, atol: %g}", method, tolerance,
             tolerance);
    const char *const changes[] = {integrator, "output.channels=[q]"};
    if (robot) {
        const int size =
            snprintf(text, sizeof text, "zveno_scenario: 1\nmodel: %s\nduration: 2\noutput: {rate: 50}\n", path);
        zv_scenario_read_memory("robot", text, (size_t)size, 2, changes, &scenario, &error);
    } else {
        zv_scenario_read_file(path, 2, changes, &scenario, &error);
    }
    if (!scenario && method == methods[0]) fprintf(stderr, "%s: refused: %s\n", path, error.text);
    return scenario;
}

/* One run of at most so many seconds, with rows or without; false: failed, or broken off. */
static bool run_once(const zvScenario *scenario, double most, bool with_rows, Rows *rows, Cost *cost) {
    const double begin = clock_now();
    Run run = {begin + most, rows};
    const zvRunOptions options = {.context = &run,
                                  .progress = go_on,
                                  .progress_interval = 0.01,
                                  .begin = take_channels,
                                  .row = with_rows ? take_row : NULL};
    zvRunSummary *summary = NULL;
    const zvStatus status = zv_simulate(scenario, &options, &summary, NULL);
    const double seconds = clock_now() - begin;
    const bool done = status >= 0 && status != ZV_INTERRUPTED && summary;
    if (done) {
        cost->seconds = fmin(cost->seconds, seconds);
        cost->rates = (double)zv_run_statistics(summary).rates;
    }
    zv_run_summary_destroy(summary);
    return done;
}

/* The least time of several runs of each method, in turns. */
static void measure(zvScenario *const *scenarios, bool with_rows, Cost *costs) {
    double best = INFINITY, spent = 0;
    for (int m = 0; m < METHODS; m++) costs[m] = (Cost){INFINITY, INFINITY};
    for (int turn = 0; turn < MOST_TURNS && (turn < LEAST_TURNS || spent < enough); turn++) {
        const double begin = clock_now();
        for (int m = METHODS - 1; m >= 0; m--) {
            const double most = turn == 0 ? fmin(longest, fmax(short_run, 20 * best)) : longest;
            if (!scenarios[m] || (turn > 0 && !(costs[m].seconds < 5 * best || m == 0))) continue;
            run_once(scenarios[m], most, with_rows, NULL, &costs[m]);
            best = fmin(best, costs[m].seconds);
        }
        spent += clock_now() - begin;
    }
}

static double best_of(const Cost *costs, bool time) {
    double best = INFINITY;
    for (int m = 1; m < METHODS; m++) best = fmin(best, time ? costs[m].seconds : costs[m].rates);
    return best;
}

/* The worst position from row first on, in tolerances; NAN when there is nothing to compare. */
static double worst_row(const Rows *a, const Rows *b, size_t first) {
    double worst = a->width > 1 && a->count == b->count && a->count > 0 ? 0 : NAN;
    for (size_t i = first; isfinite(worst) && i < a->count; i++) {
        if (i % a->width == 0) continue; /* its time */
        worst = fmax(worst, fabs(a->numbers[i] - b->numbers[i]) / (1e-8 * (1 + fabs(b->numbers[i]))));
    }
    return worst;
}

/* Errors of auto at the end and at the worst row. */
static void errors_of(const char *path, bool robot, const zvScenario *scenario, double errors[2]) {
    Rows rows = {0}, reference = {0};
    Cost cost = {INFINITY, INFINITY};
    zvScenario *exact = open_scenario(path, robot, "erk, order: 8", 1e-12);
    errors[0] = errors[1] = NAN;
    if (exact && run_once(scenario, longest, true, &rows, &cost) &&
        run_once(exact, 3 * longest, true, &reference, &cost)) {
        errors[0] = worst_row(&rows, &reference, rows.count - rows.width);
        errors[1] = worst_row(&rows, &reference, 0);
    }
    zv_scenario_destroy(exact);
    free(rows.numbers);
    free(reference.numbers);
}

static void print_cost(Cost cost) {
    if (isfinite(cost.rates))
        printf(" | %.3g / %.0f", 1e3 * cost.seconds, cost.rates);
    else
        printf(" | -");
}

static void print_error(double error) {
    if (isfinite(error))
        printf(" | %.2g", error);
    else
        printf(" | -");
}

/* One line of the table. Whether auto needs more than three times the time of the best. */
static bool print_line(const char *name, const char *path, bool robot, zvScenario *const *scenarios) {
    Cost with[METHODS], without[METHODS];
    double errors[2];
    measure(scenarios, true, with);
    if (!isfinite(fmin(best_of(with, true), with[0].seconds))) return false; /* nothing that moves */
    measure(scenarios, false, without);
    const double ratio = with[0].seconds / best_of(with, true), bare = without[0].seconds / best_of(without, true);
    errors_of(path, robot, scenarios[0], errors);
    printf("| %s", name);
    for (int m = 0; m < METHODS; m++) print_cost(with[m]);
    printf(" | %.2f / %.2f | %.2f / %.2f", ratio, with[0].rates / best_of(with, false), bare,
           without[0].rates / best_of(without, false));
    print_error(errors[0]);
    print_error(errors[1]);
    printf(" |\n");
    fflush(stdout);
    return !(ratio <= 3 && bare <= 3);
}

static bool print_row(const char *name, const char *path, bool robot) {
    zvScenario *scenarios[METHODS];
    for (int m = 0; m < METHODS; m++) scenarios[m] = open_scenario(path, robot, methods[m], 1e-8);
    const bool beyond = scenarios[0] && print_line(name, path, robot, scenarios);
    for (int m = 0; m < METHODS; m++) zv_scenario_destroy(scenarios[m]);
    return beyond;
}

static int compare_names(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static bool ends_with(const char *name, const char *suffix) {
    const size_t n = strlen(name), m = strlen(suffix);
    return n > m && strcmp(name + n - m, suffix) == 0;
}

/* Rows of all files of a folder, by name; how many are beyond three times the best. */
static int print_folder(const char *folder, bool robots) {
    static char *names[MOST_FILES];
    int count = 0, beyond = 0;
    DIR *open = opendir(folder);
    if (!open) {
        fprintf(stderr, "zveno_integrators: cannot read the folder \"%s\"\n", folder);
        return 1;
    }
    for (struct dirent *entry = readdir(open); entry && count < MOST_FILES; entry = readdir(open)) {
        if (ends_with(entry->d_name, robots ? ".urdf" : ".yaml")) names[count++] = strdup(entry->d_name);
    }
    closedir(open);
    qsort(names, (size_t)count, sizeof *names, compare_names);
    for (int i = 0; i < count; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        names[i][strlen(names[i]) - 5] = '\0';
        beyond += print_row(names[i], path, robots);
        free(names[i]);
    }
    return beyond;
}

int main(int count, char **arguments) {
    int beyond = 0;
    printf("ms of processor time / evaluations, rtol = atol = 1e-8; -: failed, or twenty times the best\n\n| problem");
    for (int m = 0; m < METHODS; m++) printf(" | %s", methods[m]);
    printf(" | auto over the best | without rows | error at the end | at the worst row |\n|---");
    for (int m = 0; m < METHODS + 4; m++) printf("|---");
    printf("|\n");
    beyond += print_folder(BENCH_SOURCE "/scenarios", false);
    beyond += print_folder(BENCH_SOURCE "/tests/oracle/scenarios", false);
    for (int i = 1; i < count; i++) beyond += print_folder(arguments[i], true);
    printf("\n%d of the problems beyond three times the time of the best method\n", beyond);
    return beyond ? EXIT_FAILURE : EXIT_SUCCESS;
}
