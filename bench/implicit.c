/* zveno_implicit [METHOD]: what implicit methods cost over the number of links.
 *
 * Scenarios of tests/support/growing_scenarios.h, from a few links to many, by dirk, bdf and auto. Printed are
 * processor time of the run, the least of several, steps, and evaluations of the right-hand side per step; then the
 * slopes of the logarithm of time, of the whole run and of a step, over that of links (1: linear), and the greatest
 * ratio of times per step of neighbouring sizes, over that of the links: where it is above one there is a step in the
 * cost. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "study.h"
#include "support/growing_scenarios.h"
#include "zveno/simulate.h"

enum { SIZES = 8 };

typedef struct Problem {
    const char *what, *damping;
    void (*write)(char *text, int links, const char *damping, double duration, const char *integrator);
    double duration, atol;
    int links[SIZES];
} Problem;

static const Problem problems[] = {
    {"four-bar, elastic coupler in n links, damping ratio 0.01",
     "ratio: 0.01",
     gs_coupler,
     0.01,
     1e-9,
     {4, 5, 8, 10, 12, 16, 24, 32}},
    {"the same, damping of the material 1e-5 s",
     "rayleigh: {stiffness: 1e-5}",
     gs_coupler,
     0.2,
     1e-6,
     {4, 5, 8, 10, 12, 16, 24, 32}},
    {"elastic arm in n links, controllers",
     "rayleigh: {stiffness: 1e-4}",
     gs_arm,
     0.5,
     1e-6,
     {2, 3, 4, 8, 12, 16, 32, 64}},
    {"n joints with springs, controllers, two mimic joints",
     "20",
     gs_chain,
     0.5,
     1e-6,
     {8, 15, 17, 24, 31, 33, 48, 100}},
};

typedef struct Cost {
    double seconds, steps, rates;
} Cost;

static Cost measure(const Problem *p, int links, const char *method) {
    static char text[GS_TEXT];
    char integrator[128];
    zvScenario *scenario = NULL;
    zvError error = {0};
    Cost cost = {.seconds = INFINITY};
    snprintf(integrator, sizeof integrator, "method: %s, rtol: 1e-6, atol: %g", method, p->atol);
    p->write(text, links, p->damping, p->duration, integrator);
    study_demand(zv_scenario_read_memory(p->what, text, strlen(text), 0, NULL, &scenario, &error) >= 0, &error);
    for (double spent = 0; spent < 0.2;) {
        zvRunSummary *summary = NULL;
        const double begin = study_now();
        study_demand(zv_simulate(scenario, NULL, &summary, &error) >= 0, &error);
        const double seconds = study_now() - begin;
        const zvIntegrationStatistics s = zv_run_statistics(summary);
        cost = (Cost){fmin(cost.seconds, seconds), (double)s.steps, (double)s.rates};
        spent += seconds;
        zv_run_summary_destroy(summary);
    }
    zv_scenario_destroy(scenario);
    return cost;
}

static void print_problem(const Problem *p, const char *method) {
    double x[SIZES], run[SIZES], step[SIZES], jump = 0;
    printf("%s: %s, rtol 1e-6, atol %g\n%8s %10s %10s %12s\n", p->what, method, p->atol, "links", "ms", "steps",
           "calls / step");
    for (int i = 0; i < SIZES; i++) {
        const Cost cost = measure(p, p->links[i], method);
        x[i] = p->links[i];
        run[i] = cost.seconds;
        step[i] = cost.seconds / cost.steps;
        if (i > 0) jump = fmax(jump, step[i] / step[i - 1] * x[i - 1] / x[i]);
        printf("%8d %10.1f %10.0f %12.2f\n", p->links[i], 1e3 * cost.seconds, cost.steps, cost.rates / cost.steps);
        fflush(stdout);
    }
    printf("slope %.2f of the run, %.2f of a step; greatest step in the cost %.2f\n\n", study_slope(SIZES, x, run),
           study_slope(SIZES, x, step), jump);
}

int main(int count, char **arguments) {
    static const char *const methods[] = {"dirk", "bdf", "auto"};
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        for (int m = 0; m < 3; m++) {
            if (count < 2 || strcmp(arguments[1], methods[m]) == 0) print_problem(&problems[i], methods[m]);
        }
    }
    return EXIT_SUCCESS;
}
