/* zveno_elastic_rows [OUT.svg]: the recursions of [Gevorkian] beside a global mass matrix that is assembled and
 * factored.
 *
 *   1. the flexible spatial arm, 25 s: implicit and explicit runs by each, beside the times that the paper prints
 *   2. chains of 2 to 64 elastic links: one call of forward dynamics, and one implicit step, by each; from where on the
 *      recursion is the faster one */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <string.h>

#include "chart/chart.h"
#include "study.h"
#include "timer.h"
#include "zveno/dynamics.h"
#include "zveno/simulate.h"
#include "zveno/version.h"

enum { ROUNDS = 7, LENGTHS = 12, CALLS = 4, STEPS = 4, TEXT = 65536 };
static const int lengths[LENGTHS] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
static const double least_batch = 2e-3; /* s */

/* A scenario of a file or, path NULL, of a text, with changes of its integrator. */
static zvScenario *open_scenario(const char *path, const char *text, const char *integrator) {
    char change[160];
    const char *const changes[] = {change, "output.ledger=false"};
    zvScenario *scenario = NULL;
    zvError error = {0};
    snprintf(change, sizeof change, "integrator=%s", integrator);
    study_demand((path ? zv_scenario_read_file(path, 2, changes, &scenario, &error)
                       : zv_scenario_read_memory("chain", text, strlen(text), 2, changes, &scenario, &error)) >= 0,
                 &error);
    return scenario;
}

/* Seconds of a run; what it did in s, and its last position in q, may be NULL. */
static double run(const zvScenario *scenario, zvIntegrationStatistics *s, double *q) {
    zvRunSummary *summary = NULL;
    zvError error = {0};
    const double start = study_now();
    study_demand(zv_simulate(scenario, NULL, &summary, &error) >= 0, &error);
    const double took = study_now() - start;
    *s = zv_run_statistics(summary);
    if (q) memcpy(q, zv_run_position(summary), (size_t)zv_model_nq(zv_scenario_model(scenario)) * sizeof *q);
    zv_run_summary_destroy(summary);
    return took;
}

/* The published arm ----------------------------------------------------------------------------------- */

/* Runs by each, and how far the last positions are from those of the first of their kind. */
static void published_arm(void) {
    static const struct {
        const char *integrator, *what;
        bool first;
    } runs[] = {
        {"{method: newmark, step: 0.1, iteration: reduced}", "implicit: recursion", true},
        {"{method: newmark, step: 0.1, iteration: mass}", "implicit: matrix, zeros of the tree", false},
        {"{method: newmark, step: 0.1, iteration: mass, forward: mass-dense}", "implicit: matrix, dense", false},
        {"{method: newmark, step: 0.1, iteration: full}", "implicit: full derivatives", false},
        {"{method: newmark, beta: 0, step: 0.01, forward: articulated}", "explicit: recursion", true},
        {"{method: newmark, beta: 0, step: 0.01, forward: mass}", "explicit: matrix, zeros of the tree", false},
        {"{method: newmark, beta: 0, step: 0.01, forward: mass-dense}", "explicit: matrix, dense", false},
    };
    double first[16], last[16];
    printf("flexible spatial arm, 25 s (scenarios/flexible_arm.yaml), its joints led\n");
    printf("%-38s %8s %8s %8s %14s\n", "accelerations", "ms", "steps", "calls", "difference");
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        zvScenario *scenario = open_scenario(BENCH_SOURCE "/scenarios/flexible_arm.yaml", NULL, runs[i].integrator);
        zvIntegrationStatistics s;
        double worst = 0;
        double seconds = INFINITY;
        for (int round = 0; round < 3 * ROUNDS; round++) seconds = fmin(seconds, run(scenario, &s, last));
        if (runs[i].first) memcpy(first, last, sizeof first);
        for (int k = 0; k < zv_model_nq(zv_scenario_model(scenario)); k++)
            worst = fmax(worst, fabs(last[k] - first[k]));
        printf("%-38s %8.2f %8ld %8ld %14.1e\n", runs[i].what, 1e3 * seconds, s.steps, s.rates, worst);
        zv_scenario_destroy(scenario);
    }
    printf(
        "published: implicit 6 s, explicit 50 s, method of reference (Kim and Haug) 127 s, on a machine not named\n\n");
}

/* Chains ---------------------------------------------------------------------------------------------- */

static void append(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(char *text, const char *format, ...) {
    const size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, TEXT - used, format, args);
    va_end(args);
}

/* Elastic links in a row on hinges about y and z in turn, four modes each, falling for 0.2 s. */
static void write_chain(int links, char *text) {
    text[0] = '\0';
    append(text, "{zveno_scenario: 1, duration: 0.2, output: {rate: 5}, model: {inline: {links: [{name: l0}");
    for (int i = 1; i <= links; i++)
        append(text,
               ", {name: l%d, beam: {length: 0.5, material: {E: 7e10, poisson: 0.3, density: 2700}, section: {tube: "
               "[0.02, 0.018]}, modes: {y: 2, z: 2}}}",
               i);
    append(text, "], joints: [");
    for (int i = 1; i <= links; i++)
        append(text,
               "%s{name: j%d, type: continuous, parent: l%d, child: l%d, axis: [0, %d, %d], origin: {xyz: [%g, 0, 0]}}",
               i > 1 ? ", " : "", i, i - 1, i, i % 2, 1 - i % 2, i > 1 ? 0.5 : 0.0);
    append(text, "]}}}");
}

/* Seconds of one call of forward dynamics by a row at a moderate state, in one batch. */
static double time_call(const zvModel *model, const char *name) {
    const zvMethod *row = zv_method_named(ZV_QUESTION_FORWARD, name);
    zvError error = {0};
    const size_t nq = (size_t)zv_model_nq(model), nv = (size_t)zv_model_nv(model);
    zvWork *work = zv_work_create(model, &error);
    double *q = malloc((nq + 2 * nv) * sizeof *q), *v = q + nq, *a = v + nv, spent = 0;
    long calls = 0;
    study_demand(work && row && q, &error);
    for (size_t i = 0; i < nq; i++) q[i] = 1e-4 * sin(1.7 * (double)i);
    for (size_t i = 0; i < nv; i++) v[i] = 0.01 * cos(2.3 * (double)i);
    for (const double start = study_now(); spent < least_batch; spent = study_now() - start, calls++) {
        const zvStatus status = row->run(model, work, q, v, NULL, NULL, a);
        error = (zvError){.status = status, .text = "a row refuses the chain"};
        study_demand(status >= 0, &error);
    }
    free(q);
    zv_work_destroy(work);
    return spent / (double)calls;
}

/* Lines of the picture: seconds over links. */
typedef struct Line {
    const char *label, *of; /* a row of forward dynamics, or options of newmark */
    bool steps;
    double seconds[LENGTHS];
} Line;

/* One turn of one line on the chain of a text. */
static double time_once(const Line *line, const char *text) {
    char integrator[120];
    zvIntegrationStatistics s;
    snprintf(integrator, sizeof integrator, "{method: newmark, step: 0.01%s}", line->steps ? line->of : "");
    zvScenario *scenario = open_scenario(NULL, text, integrator);
    const double seconds =
        line->steps ? run(scenario, &s, NULL) / (double)s.steps : time_call(zv_scenario_model(scenario), line->of);
    zv_scenario_destroy(scenario);
    return seconds;
}

/* Lines in turn, the fastest of several rounds, so that whatever the machine does meanwhile meets all alike. */
static void measure(Line *line, int count, double *x) {
    char *text = malloc(TEXT);
    for (int k = 0; k < LENGTHS; k++) {
        x[k] = lengths[k];
        write_chain(lengths[k], text);
        for (int i = 0; i < count; i++) line[i].seconds[k] = INFINITY;
        for (int round = 0; round < (line->steps ? ROUNDS : 4 * ROUNDS); round++)
            for (int i = 0; i < count; i++) line[i].seconds[k] = fmin(line[i].seconds[k], time_once(&line[i], text));
    }
    free(text);
}

/* The least number of links from which on line `slow` takes longer than line `quick`; 0: never. */
static int crossing(const Line *quick, const Line *slow) {
    int from = 0;
    for (int k = LENGTHS; k-- > 0 && slow->seconds[k] > quick->seconds[k];) from = lengths[k];
    return from;
}

static void print(const Line *line, int count, const double *x, const char *title) {
    printf("%s\n%-34s", title, "us, of links:");
    for (int k = 0; k < LENGTHS; k++) printf(" %8d", lengths[k]);
    printf("   slope of the last 3, recursion is faster from\n");
    for (int i = 0; i < count; i++) {
        printf("%-34s", line[i].label);
        for (int k = 0; k < LENGTHS; k++) printf(" %8.3g", 1e6 * line[i].seconds[k]);
        printf("   %5.2f", study_slope(3, x + LENGTHS - 3, line[i].seconds + LENGTHS - 3));
        if (i > 0) printf("   %d", crossing(&line[0], &line[i]));
        printf("\n");
    }
    printf("\n");
}

/* Two panes over the number of links, both logarithmic. */
static void draw(const Line *calls, const Line *steps, const double *x, const char *path) {
    ChartSeries series[CALLS + STEPS];
    for (int i = 0; i < CALLS + STEPS; i++) {
        const Line *line = i < CALLS ? &calls[i] : &steps[i - CALLS];
        series[i] = (ChartSeries){.label = line->label,
                                  .count = LENGTHS,
                                  .x = x,
                                  .y = line->seconds,
                                  .mark = (ChartMark)(CHART_CIRCLE + (i < CALLS ? i : i - CALLS) % 4)};
    }
    const ChartPane panes[] = {
        {.title = "forward dynamics", .y = {.label = "s per call", .log = true}, .count = CALLS, .series = series},
        {.title = "implicit Newmark",
         .y = {.label = "s per step", .log = true},
         .count = STEPS,
         .series = series + CALLS},
    };
    char cpu[128], machine[192];
    snprintf(machine, sizeof machine, "%s, one core, %s kernels", timer_cpu_name(cpu, sizeof cpu), zv_isa_name());
    const Chart chart = {.title = "Chains of elastic links: recursion and global mass matrix",
                         .subtitle = machine,
                         .x = {.label = "elastic links, four modes each", .log = true, .lower = 1.8, .upper = 70},
                         .pane_count = 2,
                         .panes = panes,
                         .width = 900,
                         .height = 860};
    zvError error = {0};
    study_demand(chart_write(&chart, path, &error) >= 0, &error);
    printf("drawn: %s\n", path);
}

int main(int argc, char **argv) {
    static Line calls[CALLS] = {{.label = "articulated", .of = "articulated"},
                                {.label = "mass", .of = "mass"},
                                {.label = "mass-dense", .of = "mass-dense"},
                                {.label = "columns", .of = "columns"}};
    static Line steps[STEPS] = {
        {.label = "iteration: reduced", .of = ", iteration: reduced", .steps = true},
        {.label = "iteration: mass", .of = ", iteration: mass", .steps = true},
        {.label = "iteration: mass, mass-dense", .of = ", iteration: mass, forward: mass-dense", .steps = true},
        {.label = "iteration: full", .of = ", iteration: full", .steps = true}};
    double x[LENGTHS];
    published_arm();
    measure(calls, CALLS, x);
    print(calls, CALLS, x, "chains of elastic links, one call of forward dynamics");
    measure(steps, STEPS, x);
    print(steps, STEPS, x, "the same chains falling for 0.2 s by newmark at 0.01 s, per step");
    if (argc > 1) draw(calls, steps, x, argv[1]);
    return 0;
}
