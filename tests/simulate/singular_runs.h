/* Runs of the mechanisms with singular positions, with both sides of their loops as the parent. */
#ifndef ZV_TESTS_SIMULATE_SINGULAR_RUNS_H
#define ZV_TESTS_SIMULATE_SINGULAR_RUNS_H

#include "simulate/runs.h"
#include "support/singular_mechanisms.h"

typedef struct Run {
    const char *integrator;
    double bound; /* of the error of angles */
    long steps;   /* at most */
} Run;

/* Runs a mechanism with either parent, against its reduced equation; nothing is to be warned of. */
static inline void expect_passage(const Mechanism *m, const Run *run, double duration) {
    const long double angle = mechanism_angle(m, duration, 15000);
    for (int swapped = 0; swapped < 2; swapped++) {
        char keys[256];
        zvError error = {0};
        snprintf(keys, sizeof keys, "duration: %g, integrator: {%s}", duration, run->integrator);
        zvScenario *scenario = mechanism_scenario(m, swapped, keys, &error);
        if (!scenario) fail_msg("%s", error.text);
        zvRunSummary *summary = run_of(scenario, NULL);
        const double worst = mechanism_error(m, zv_scenario_model(scenario), zv_run_position(summary), angle);
        const long steps = zv_run_statistics(summary).steps;
        if (!(worst <= run->bound && steps <= run->steps))
            fail_msg("%s, %s, parent %d: error %.2g, %ld steps", m->label, run->integrator, swapped, worst, steps);
        assert_int_equal(zv_run_warnings(summary), 0);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

#endif
