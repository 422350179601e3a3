/* zveno_coupler BEFORE AFTER [LINKS...]: two builds of the command on the four-bar with an elastic coupler.
 *
 * The earlier one, which has no structural methods for closed loops, runs it by every method it has and a range of
 * tolerances, the later one by generalised alpha, energy-momentum and dirk. The error is the greatest of an elastic
 * coordinate of the coupler in any row, against a tight explicit run of the later one. Time is that of the processor,
 * the least of a few turns in which all runs take part, less what a run of no length takes. Printed at the end: for
 * each structural run the fastest earlier run that is as exact, and the factor between the two. */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/growing_scenarios.h"

enum { BEFORE, AFTER, BUILDS };
enum { TURNS = 10, ROWS = 64, COLUMNS = 128, LINE = 1 << 14, MOST_SECONDS = 150 };
static const double duration = 0.25;       /* s, rows at 200 Hz */
static const double worth_repeating = 0.4; /* s: longer runs are measured once */

typedef struct Trial {
    int build;
    const char *integrator;
    double seconds, coupler, rocker; /* least time; errors, NAN: it failed */
} Trial;

static const Trial trials[] = {
    {.build = BEFORE, .integrator = "method: dirk, rtol: 1e-1, atol: 1e-2"},
    {.build = BEFORE, .integrator = "method: dirk, rtol: 1e-2, atol: 1e-3"},
    {.build = BEFORE, .integrator = "method: dirk, rtol: 1e-2, atol: 1e-4"},
    {.build = BEFORE, .integrator = "method: dirk, rtol: 1e-3, atol: 1e-5"},
    {.build = BEFORE, .integrator = "method: dirk, order: 5, rtol: 1e-2, atol: 1e-3"},
    {.build = BEFORE, .integrator = "method: dirk, order: 3, rtol: 1e-2, atol: 1e-3"},
    {.build = BEFORE, .integrator = "method: bdf, rtol: 1e-1, atol: 1e-2"},
    {.build = BEFORE, .integrator = "method: bdf, rtol: 1e-2, atol: 1e-3"},
    {.build = BEFORE, .integrator = "method: bdf, rtol: 1e-3, atol: 1e-5"},
    {.build = BEFORE, .integrator = "method: adams, rtol: 1e-2, atol: 1e-3"},
    {.build = BEFORE, .integrator = "method: erk, order: 3, rtol: 1e-2, atol: 1e-3"},
    {.build = BEFORE, .integrator = "method: erk, order: 8, rtol: 1e-2, atol: 1e-3"},
    {.build = AFTER, .integrator = "method: dirk, rtol: 1e-2, atol: 1e-3"},
    {.build = AFTER, .integrator = "method: dirk, rtol: 1e-3, atol: 1e-5"},
    {.build = AFTER, .integrator = "method: energy-momentum, step: 5e-4"},
    {.build = AFTER, .integrator = "method: generalized-alpha, step: 1e-3"},
    {.build = AFTER, .integrator = "method: generalized-alpha, step: 5e-4"},
    {.build = AFTER, .integrator = "method: generalized-alpha, step: 2.5e-4"},
    {.build = AFTER, .integrator = "method: generalized-alpha, step: 1e-4"},
};
enum { TRIALS = sizeof trials / sizeof *trials };

typedef struct Rows {
    int count, width;
    double value[ROWS][COLUMNS];
} Rows;

static const char *program[BUILDS];
static char folder[] = "/tmp/zveno_coupler_XXXXXX", scenario[64], output[64];

/* With what runs that were ended leave. */
static void clear_folder(void) {
    static const char *const left[] = {"coupler.yaml", "coupler.csv", "coupler.partial.csv", "coupler.csv.checkpoint",
                                       "coupler.csv.rows"};
    char path[64];
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, left[i]);
        remove(path);
    }
    rmdir(folder);
}

static void die(const char *what) {
    fprintf(stderr, "bench: %s\n", what);
    exit(EXIT_FAILURE);
}

static void write_scenario(int links, double seconds, const char *integrator) {
    static char text[GS_TEXT];
    FILE *file = fopen(scenario, "w");
    gs_coupler(text, links, "ratio: 0.01", seconds, integrator);
    if (!file || fputs(text, file) < 0 || fclose(file)) die("the scenario cannot be written");
}

/* What the child is: the command on the scenario, silent, ended after so much processor time. */
static void become_command(int build) {
    const struct rlimit limit = {MOST_SECONDS, MOST_SECONDS};
    setrlimit(RLIMIT_CPU, &limit);
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(127);
    execl(program[build], program[build], "simulate", scenario, "--quiet", "-o", output, "--set", "output.rate=200",
          "--set", "output.channels=[q]", (char *)NULL);
    _exit(127);
}

/* Processor time of a run of the command; NAN when it fails. */
static double run_command(int build) {
    struct rusage used;
    int status;
    remove(output);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) become_command(build);
    if (child < 0 || wait4(child, &status, 0, &used) < 0) die("a run cannot be started");
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return NAN;
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* The rows of numbers of the recording, time first. */
static void read_rows(Rows *rows) {
    static char line[LINE];
    FILE *file = fopen(output, "r");
    if (!file) die("a recording is missing");
    rows->count = 0;
    while (rows->count < ROWS && fgets(line, sizeof line, file)) {
        char *at = line, *end;
        int k = 0;
        for (double x = strtod(at, &end); k < COLUMNS && end != at; x = strtod(at, &end)) {
            rows->value[rows->count][k++] = x;
            at = *end == ',' ? end + 1 : end;
        }
        if (k == 0) continue;
        rows->width = k;
        rows->count++;
    }
    fclose(file);
}

/* Columns: time, shaft, pin, 3 links elastic coordinates, rocker. */
static void compare_rows(int links, const Rows *rows, const Rows *wanted, Trial *t) {
    const int rocker = 3 + 3 * links;
    if (rows->count != wanted->count || rows->width != rocker + 1) die("the recordings have different rows");
    t->coupler = t->rocker = 0;
    for (int i = 0; i < rows->count; i++) {
        const double *x = rows->value[i], *y = wanted->value[i];
        for (int k = 3; k < rocker; k++) t->coupler = fmax(t->coupler, fabs(x[k] - y[k]));
        t->rocker = fmax(t->rocker, fabs(x[rocker] - y[rocker]));
    }
}

/* All trials in turn, so that whatever the machine does meanwhile meets both builds. */
static void measure_all(int links, const Rows *wanted, Trial *trial) {
    static Rows rows;
    double idle[BUILDS] = {INFINITY, INFINITY};
    for (int turn = 0; turn < TURNS; turn++) {
        for (int build = 0; build < BUILDS; build++) {
            write_scenario(links, 1e-9, "method: dirk");
            idle[build] = fmin(idle[build], run_command(build));
        }
        for (int i = 0; i < TRIALS; i++) {
            Trial *t = &trial[i];
            if (turn > 0 && !(t->seconds < worth_repeating)) continue;
            write_scenario(links, duration, t->integrator);
            const double seconds = run_command(t->build);
            if (turn == 0) t->seconds = seconds;
            if (isnan(seconds)) t->coupler = NAN;
            t->seconds = fmin(t->seconds, seconds);
            if (turn > 0 || isnan(seconds)) continue;
            read_rows(&rows);
            compare_rows(links, &rows, wanted, t);
        }
    }
    for (int i = 0; i < TRIALS; i++) trial[i].seconds -= idle[trial[i].build];
}

/* The fastest earlier run that is as exact as the later one; steady: of all but dirk. */
static const Trial *rival(const Trial *trial, const Trial *later, bool steady) {
    const Trial *best = NULL;
    for (int k = 0; k < TRIALS; k++) {
        const Trial *t = &trial[k];
        if (t->build != BEFORE || !(t->coupler <= later->coupler)) continue;
        if (steady && strstr(t->integrator, "dirk")) continue;
        if (!best || t->seconds < best->seconds) best = t;
    }
    return best;
}

static void print_rival(const Trial *t, const Trial *best) {
    if (best)
        printf(" %7.1f by %-46s", best->seconds / t->seconds, best->integrator + strlen("method: "));
    else
        printf(" %7s    %-46s", "-", "none is as exact");
}

static void print_factors(const Trial *trial) {
    printf("%-40s %8s   %s\n", "later run", "ms", "factor to the fastest earlier run as exact; the same without dirk");
    for (int i = 0; i < TRIALS; i++) {
        const Trial *t = &trial[i];
        if (t->build == BEFORE || isnan(t->coupler)) continue;
        printf("%-40s %8.1f", t->integrator, 1e3 * t->seconds);
        print_rival(t, rival(trial, t, false));
        print_rival(t, rival(trial, t, true));
        printf("\n");
    }
    printf("\n");
}

static void study(int links) {
    static Rows wanted;
    Trial trial[TRIALS];
    memcpy(trial, trials, sizeof trial);
    write_scenario(links, duration, "method: erk, order: 8, rtol: 1e-8, atol: 1e-11");
    const double tight = run_command(AFTER);
    if (isnan(tight)) die("the tight run failed");
    read_rows(&wanted);
    measure_all(links, &wanted, trial);
    printf("coupler in %d links, %g s; the tight explicit run takes %.0f ms\n%-7s %-48s %10s %10s %10s\n", links,
           duration, 1e3 * tight, "build", "integrator", "ms", "coupler", "rocker");
    for (int i = 0; i < TRIALS; i++) {
        const Trial *t = &trial[i];
        printf("%-7s %-48s ", t->build == BEFORE ? "earlier" : "later", t->integrator);
        if (isnan(t->seconds))
            printf("%10s\n", "failed");
        else
            printf("%10.1f %10.1e %10.1e\n", 1e3 * t->seconds, t->coupler, t->rocker);
    }
    printf("\n");
    print_factors(trial);
    fflush(stdout);
}

int main(int count, char **arguments) {
    if (count < 3) die("usage: zveno_coupler BEFORE AFTER [LINKS...]     BEFORE, AFTER: paths of zveno");
    program[BEFORE] = arguments[1];
    program[AFTER] = arguments[2];
    if (!mkdtemp(folder)) die("no folder for the runs");
    snprintf(scenario, sizeof scenario, "%s/coupler.yaml", folder);
    snprintf(output, sizeof output, "%s/coupler.csv", folder);
    atexit(clear_folder);
    for (int i = 3; i < count; i++) study(atoi(arguments[i]));
    for (int links = 4; count == 3 && links <= 32; links *= 2) study(links);
    return EXIT_SUCCESS;
}
