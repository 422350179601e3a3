/* zveno_integrators [FOLDER]: what the method auto costs beside those that one may name.
 *
 * Every scenario of scenarios/, and with a folder every robot of it, released from rest for two seconds, is run by each
 * method with rtol = atol = 1e-8. Printed are processor time of the run, the least of several, and evaluations of the
 * right-hand side; then how many times those of the best method auto needs, and how far its positions are off at the
 * end, over rtol (1 + |q|), beside erk of order 8 at 1e-12. Methods that take more than a limit are broken off. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "zveno/simulate.h"

enum { METHODS = 6, MOST_FILES = 512, MOST_COORDINATES = 4096 };
static const double limit = 10, enough = 0.2; /* s of processor time: of a run; of repetitions */
static const char tolerances[] = "rtol: 1e-8, atol: 1e-8";

static const char *const methods[METHODS] = {"auto",          "adams",         "bdf",
                                             "erk, order: 5", "erk, order: 8", "dirk, order: 5"};

typedef struct Cost {
    double seconds, rates; /* INFINITY: failed, or broken off */
} Cost;

static double clock_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool go_on(void *context, const zvProgress *now) {
    (void)now;
    return clock_now() < *(const double *)context;
}

/* Rows are wanted, as of a run that is recorded. */
static bool take_row(void *context, const double *row) {
    (void)context, (void)row;
    return true;
}

/* A file of scenarios/, or a robot released from rest; NULL when it cannot be read. */
static zvScenario *open_scenario(const char *path, bool robot, const char *integrator) {
    zvScenario *scenario = NULL;
    zvError error;
    if (robot) {
        char text[2048];
        const int size = snprintf(text, sizeof text,
                                  "zveno_scenario: 1\nmodel: %s\nduration: 2\n"
                                  "output: {rate: 50, channels: [q, v]}\nintegrator: {%s}\n",
                                  path, integrator);
        zv_scenario_read_memory("robot", text, (size_t)size, 0, NULL, &scenario, &error);
    } else {
        char change[256];
        const char *const changes[] = {change};
        snprintf(change, sizeof change, "integrator={%s}", integrator);
        zv_scenario_read_file(path, 1, changes, &scenario, &error);
    }
    return scenario;
}

/* One run; q of its end is copied, their number returned, -1: none. */
static int run_once(const zvScenario *scenario, double most, Cost *cost, double *q) {
    double until = clock_now() + most;
    const zvRunOptions options = {.context = &until, .progress = go_on, .progress_interval = 0.01, .row = take_row};
    zvRunSummary *summary = NULL;
    const double begin = clock_now();
    const zvStatus status = zv_simulate(scenario, &options, &summary, NULL);
    const double seconds = clock_now() - begin;
    const bool done = status >= 0 && status != ZV_INTERRUPTED && summary;
    const int count = done ? zv_model_nq(zv_scenario_model(scenario)) : -1;
    if (done) {
        cost->seconds = fmin(cost->seconds, seconds);
        cost->rates = (double)zv_run_statistics(summary).rates;
        if (q && count <= MOST_COORDINATES) memcpy(q, zv_run_position(summary), (size_t)count * sizeof *q);
    }
    zv_run_summary_destroy(summary);
    return count;
}

/* The least time of several runs. */
static int measure(const char *path, bool robot, const char *method, Cost *cost, double *q) {
    char integrator[128];
    snprintf(integrator, sizeof integrator, "method: %s, %s", method, tolerances);
    zvScenario *scenario = open_scenario(path, robot, integrator);
    *cost = (Cost){INFINITY, INFINITY};
    if (!scenario) return -1;
    const double begin = clock_now();
    int count = run_once(scenario, limit, cost, q);
    while (count >= 0 && clock_now() - begin < enough) count = run_once(scenario, limit, cost, q);
    zv_scenario_destroy(scenario);
    return count;
}

/* In tolerances; NAN when there is no reference. */
static double error_of(const char *path, bool robot, const double *q, int count) {
    static double reference[MOST_COORDINATES];
    zvScenario *scenario = open_scenario(path, robot, "method: erk, order: 8, rtol: 1e-12, atol: 1e-12");
    Cost cost = {INFINITY, INFINITY};
    double worst = scenario && run_once(scenario, 3 * limit, &cost, reference) == count ? 0 : NAN;
    for (int i = 0; i < count && count <= MOST_COORDINATES; i++)
        worst = fmax(worst, fabs(q[i] - reference[i]) / (1e-8 * (1 + fabs(reference[i]))));
    zv_scenario_destroy(scenario);
    return isfinite(cost.rates) ? worst : NAN;
}

static void print_cost(Cost cost) {
    if (isfinite(cost.rates))
        printf(" | %.3g / %.0f", 1e3 * cost.seconds, cost.rates);
    else
        printf(" | -");
}

/* One line of the table. Whether auto needs no more than three times the best in time. */
static bool print_row(const char *name, const char *path, bool robot) {
    static double q[MOST_COORDINATES];
    Cost costs[METHODS], best = {INFINITY, INFINITY};
    const int count = measure(path, robot, methods[0], &costs[0], q);
    for (int m = 1; m < METHODS; m++) {
        measure(path, robot, methods[m], &costs[m], NULL);
        best.seconds = fmin(best.seconds, costs[m].seconds);
        best.rates = fmin(best.rates, costs[m].rates);
    }
    if (!isfinite(best.rates) && !isfinite(costs[0].rates)) return true; /* no robot, or none that moves */
    printf("| %s", name);
    for (int m = 0; m < METHODS; m++) print_cost(costs[m]);
    const double ratio = costs[0].seconds / best.seconds;
    const double error = count >= 0 ? error_of(path, robot, q, count) : NAN;
    printf(" | %.2f / %.2f | ", ratio, costs[0].rates / best.rates);
    if (isfinite(error))
        printf("%.2g |\n", error);
    else
        printf("- |\n");
    fflush(stdout);
    return ratio <= 3;
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
        beyond += !print_row(names[i], path, robots);
        free(names[i]);
    }
    return beyond;
}

int main(int count, char **arguments) {
    printf("ms of processor time / evaluations, rtol = atol = 1e-8; -: failed, or more than %g s\n\n", limit);
    printf("| problem");
    for (int m = 0; m < METHODS; m++) printf(" | %s", methods[m]);
    printf(" | auto over the best, time / evaluations | error of auto, tolerances |\n|---");
    for (int m = 0; m < METHODS + 2; m++) printf("|---");
    printf("|\n");
    int beyond = print_folder(BENCH_SOURCE "/scenarios", false);
    if (count > 1) beyond += print_folder(arguments[1], true);
    printf("\n%d of the problems beyond three times the time of the best method\n", beyond);
    return beyond ? EXIT_FAILURE : EXIT_SUCCESS;
}
