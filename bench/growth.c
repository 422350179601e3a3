/* zveno_growth [OUT.svg]: how the cost of every method grows with the number of joints.
 *
 * Chains of 8 to 500 revolute joints in general position. For each method of the tables: time of one call (methods in
 * turn, the fastest of several batches), operations (counted, as written), and the slopes of both over N in logarithms:
 * over all lengths, and over the last ones, where the leading power has won. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "chain.h"
#include "chart/chart.h"
#include "study.h"
#include "timer.h"
#include "zveno/codegen.h"
#include "zveno/dynamics.h"
#include "zveno/version.h"

enum { LENGTHS = 7, LAST = 3, MOST_METHODS = 64, ROUNDS = 15 };
static const int lengths[LENGTHS] = {8, 16, 32, 64, 125, 250, 500};
static const double least_batch = 1e-3; /* s */

typedef struct Line {
    const char *question;
    const zvMethod *what;
    double n[LENGTHS], seconds[LENGTHS], operations[LENGTHS];
} Line;

/* A chain with a state, and room for answers. */
typedef struct Chain {
    zvModel *model;
    zvWork *work;
    double *q, *v, *a, *out;
} Chain;

/* A chain with states and memory for the answers of every method. */
static Chain chain_open(int n) {
    Chain c = {0};
    zvError error = {0};
    study_demand(chain_create(n, &c.model, &error) >= 0, &error);
    c.work = zv_work_create(c.model, &error);
    const size_t size = (size_t)n;
    c.q = malloc(3 * size * sizeof *c.q);
    c.out = malloc(size * size * sizeof *c.out);
    study_demand(c.work && c.q && c.out, &error);
    c.v = c.q + size;
    c.a = c.v + size;
    for (size_t i = 0; i < 3 * size; i++) c.q[i] = sin(3.0 * (double)i + 1);
    return c;
}

static void chain_close(Chain *c) {
    zv_work_destroy(c->work);
    zv_model_destroy(c->model);
    free(c->q);
    free(c->out);
}

static zvStatus call(const zvMethod *what, const Chain *c) {
    return what->run(c->model, c->work, c->q, c->v, c->a, NULL, c->out);
}

static double batch(const zvMethod *what, const Chain *c, long calls) {
    const double start = study_now();
    for (long i = 0; i < calls; i++) {
        const zvStatus status = call(what, c);
        const zvError error = {.status = status, .text = "a method refuses the chain"};
        study_demand(status >= 0, &error);
    }
    return study_now() - start;
}

/* Calls that take long enough to be timed. */
static long calls_of(const zvMethod *what, const Chain *c) {
    long calls = 1;
    while (batch(what, c, calls) < least_batch) calls *= 2;
    return calls;
}

/* Seconds of all rows on the chain of length k: a batch of each in every round, so that whatever the machine does
 * meanwhile meets all alike. */
static void time_rows(const Chain *chain, int k, int lines, Line *line) {
    long calls[MOST_METHODS];
    for (int i = 0; i < lines; i++) {
        calls[i] = calls_of(line[i].what, chain);
        line[i].n[k] = lengths[k];
        line[i].seconds[k] = INFINITY;
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < lines; i++)
            line[i].seconds[k] = fmin(line[i].seconds[k], batch(line[i].what, chain, calls[i]) / (double)calls[i]);
}

static void count_row(const Chain *chain, zvQuestion question, int k, Line *line) {
    zvCount counted;
    zvError error = {0};
    study_demand(zv_count(chain->model, question, line->what, false, &counted, &error) >= 0, &error);
    line->operations[k] = (double)(counted.kinematics.mul + counted.kinematics.add + counted.method.mul +
                                   counted.method.add + counted.kinematics.div + counted.method.div);
}

/* All rows of all tables; returns their number. */
static int measure(Line *line) {
    int lines = 0;
    for (int k = 0; k < LENGTHS; k++) {
        Chain chain = chain_open(lengths[k]);
        lines = 0;
        for (int question = 0; question < ZV_QUESTIONS; question++) {
            size_t count;
            const zvMethod *rows = zv_methods((zvQuestion)question, &count);
            for (size_t i = 0; i < count && lines < MOST_METHODS; i++, lines++) {
                line[lines].question = zv_question_name((zvQuestion)question);
                line[lines].what = &rows[i];
                count_row(&chain, (zvQuestion)question, k, &line[lines]);
            }
        }
        time_rows(&chain, k, lines, line);
        chain_close(&chain);
    }
    return lines;
}

/* Times per length and the slopes of the last ones: of time and of operations. */
static void print(const Line *line, int lines) {
    printf("%-12s %-20s", "question", "method");
    for (int k = 0; k < LENGTHS; k++) printf(" %8d", lengths[k]);
    printf("  us per call | slope, last %d | of operations, last %d\n", LAST, LAST);
    for (int i = 0; i < lines; i++) {
        printf("%-12s %-20s", line[i].question, line[i].what->name);
        for (int k = 0; k < LENGTHS; k++) printf(" %8.3g", 1e6 * line[i].seconds[k]);
        const int from = LENGTHS - LAST;
        printf("  | %5.2f %5.2f | %5.2f %5.2f\n", study_slope(LENGTHS, line[i].n, line[i].seconds),
               study_slope(LAST, line[i].n + from, line[i].seconds + from),
               study_slope(LENGTHS, line[i].n, line[i].operations),
               study_slope(LAST, line[i].n + from, line[i].operations + from));
    }
}

/* One pane per question, time over N. */
static void draw(const Line *line, int lines, const char *path) {
    static const char *const questions[] = {"mass", "forward", "inverse", "bias", "inverse-mass"};
    enum { PANES = sizeof questions / sizeof *questions };
    ChartSeries series[PANES][MOST_METHODS];
    ChartPane panes[PANES];
    char cpu[128], machine[192];
    snprintf(machine, sizeof machine, "%s, one core, %s kernels", timer_cpu_name(cpu, sizeof cpu), zv_isa_name());
    for (int p = 0; p < PANES; p++) {
        panes[p] = (ChartPane){.title = questions[p], .y = {.label = "s per call", .log = true}, .series = series[p]};
        for (int i = 0; i < lines; i++)
            if (!strcmp(line[i].question, questions[p]))
                series[p][panes[p].count++] = (ChartSeries){.label = line[i].what->name,
                                                            .count = LENGTHS,
                                                            .x = line[i].n,
                                                            .y = line[i].seconds,
                                                            .mark = CHART_CIRCLE};
    }
    const Chart chart = {.title = "Cost of every method over the length of a chain",
                         .subtitle = machine,
                         .x = {.label = "revolute joints N", .log = true, .lower = 6, .upper = 700},
                         .pane_count = PANES,
                         .panes = panes,
                         .width = 900,
                         .height = 1700};
    zvError error = {0};
    study_demand(chart_write(&chart, path, &error) >= 0, &error);
    printf("drawn: %s\n", path);
}

int main(int argc, char **argv) {
    static Line line[MOST_METHODS];
    const int lines = measure(line);
    print(line, lines);
    if (argc > 1) draw(line, lines, argv[1]);
    return 0;
}
