/* zveno_singular [MECHANISM [METHOD]]: runs through singular positions of loops (tests/support/singular_mechanisms.h)
 * with every kind of integrator and both choices of the parent, from several starts. The error is the largest over the
 * angles of all cranks after 3 s and over the starts. Rows of the table whose names have MECHANISM and METHOD in them,
 * without them all. */
#include <string.h>
#include <time.h>

#include "support/singular_mechanisms.h"

static const double duration = 3, longest = 60; /* s: simulated, and of the processor for one run */

typedef struct Method {
    const char *label, *name;
    int order; /* 0: the method's own choice */
} Method;

static zvScenario *scenario_of(const Mechanism *m, bool swapped, const Method *method, double setting) {
    char keys[256], order[32] = "";
    zvError error = {0};
    if (method->order) snprintf(order, sizeof order, ", order: %d", method->order);
    if (zv_integration_method_find(method->name)->family == ZV_FAMILY_FIXED_STEP)
        snprintf(keys, sizeof keys, "duration: %g, integrator: {method: %s, step: %.17g}", duration, method->name,
                 setting);
    else
        snprintf(keys, sizeof keys, "duration: %g, integrator: {method: %s%s, rtol: %.17g, atol: %.17g}", duration,
                 method->name, order, setting, setting);
    zvScenario *scenario = mechanism_scenario(m, swapped, keys, &error);
    if (!scenario) fprintf(stderr, "zveno_singular: %s\n", error.text);
    return scenario;
}

static double processor_time(void) { return (double)clock() / CLOCKS_PER_SEC; }

static bool in_time(void *context, const zvProgress *progress) {
    (void)progress;
    return processor_time() - *(const double *)context < longest;
}

/* Mechanisms of many loops from one start only, by time. */
static const double starts[] = {0, -0.25, 0.2}; /* rad, beside mechanism_start */
enum { STARTS = sizeof starts / sizeof *starts, MANY = 20 };

/* The error of one run, infinite where it stopped, and the time of the processor. */
static double run(const Mechanism *m, bool swapped, const Method *method, double setting, long double reference,
                  double *seconds) {
    zvScenario *scenario = scenario_of(m, swapped, method, setting);
    double began = processor_time();
    const zvRunOptions options = {.progress = in_time, .context = &began};
    zvRunSummary *summary = NULL;
    zvError error = {0};
    double worst = INFINITY;
    if (!scenario) return worst;
    if (zv_simulate(scenario, &options, &summary, &error) == ZV_OK)
        worst = mechanism_error(m, zv_scenario_model(scenario), zv_run_position(summary), reference);
    else
        fprintf(stderr, "%s, %s, %g: %s\n", m->label, method->label, setting, error.text);
    *seconds = fmax(*seconds, processor_time() - began);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
    return worst;
}

/* A line: errors for both choices of the parent, and the longest time. */
static void measure(const Mechanism *m, const Method *method, const long double *references) {
    const bool fixed = zv_integration_method_find(method->name)->family == ZV_FAMILY_FIXED_STEP;
    printf("| %s | %s |", m->label, method->label);
    for (int i = 0; i < 4; i++) {
        const double setting = fixed ? 2e-3 / (1 << i) : pow(10, -9 - i);
        double seconds = 0;
        for (int swapped = 0; swapped < (m->bars > 0 ? 2 : 1); swapped++) {
            double error = 0;
            for (int k = 0; k < (m->bars < MANY ? STARTS : 1); k++) {
                Mechanism from = *m;
                from.start = starts[k];
                error = fmax(error, run(&from, swapped, method, setting, references[k], &seconds));
            }
            if (swapped) printf(" /");
            if (isinf(error))
                printf(" stopped");
            else
                printf(" %.1e", error);
        }
        printf(", %.2f s |", seconds);
        fflush(stdout);
    }
    printf("\n");
}

int main(int argc, char **argv) {
    static const Mechanism mechanisms[] = {
        {"pendulum", LONE_CRANK, 0, 0, 0, false},     {"slider-crank", SLIDER_CRANK, 1, 0, 0, false},
        {"unequal cranks", UNEQUAL, 1, 0, 0, false},  {"1 four-bar", FOUR_BARS, 1, 0, 0, false},
        {"2 four-bars", FOUR_BARS, 2, 0, 0, false},   {"5 four-bars", FOUR_BARS, 5, 0, 0, false},
        {"10 four-bars", FOUR_BARS, 10, 0, 0, false}, {"20 four-bars", FOUR_BARS, 20, 0, 0, false},
        {"40 four-bars", FOUR_BARS, 40, 0, 0, false}};
    static const Method methods[] = {{"auto", "auto", 0}, {"adams", "adams", 0}, {"erk 5", "erk", 5},
                                     {"erk 6", "erk", 6}, {"erk 8", "erk", 8},   {"bdf", "bdf", 0},
                                     {"dirk", "dirk", 0}, {"rk4", "rk4", 0}};
    printf("| mechanism | method | 1e-9, 2 ms | 1e-10, 1 ms | 1e-11, 0.5 ms | 1e-12, 0.25 ms |\n"
           "|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof mechanisms / sizeof *mechanisms; i++) {
        if (argc > 1 && !strstr(mechanisms[i].label, argv[1])) continue;
        long double references[STARTS];
        for (int k = 0; k < STARTS; k++) {
            Mechanism from = mechanisms[i];
            from.start = starts[k];
            references[k] = mechanism_angle(&from, duration, 30000);
        }
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
            if (argc > 2 && !strstr(methods[k].label, argv[2])) continue;
            if (zv_integration_method_find(methods[k].name)) measure(&mechanisms[i], &methods[k], references);
        }
    }
    return EXIT_SUCCESS;
}
