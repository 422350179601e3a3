/* Rows where laws break: one row, of the state before the break, whatever the method; advice while a run goes on. */
#include "simulate/runs.h"
#include "support/run_tests.h"

static const char *const methods[] = {"auto", "adams", "bdf", "erk", "dirk", "rk4", "euler"};
enum { METHODS = 7 };

#define BLOCK                                                                                                     \
    "{inline: {links: [{name: ground}, {name: block, mass: 1}], joints: [{name: slide, type: prismatic, parent: " \
    "ground, child: block, axis: [1, 0, 0]}]}}"

/* The force steps at 0.3, 0.7 and the end. Rows are due at k 0.1: 3 0.1 > 0.3, 7 0.1 > 0.7 by rounding, and with
 * k 0.05 some lie a little before. */
static void rows_at_breaks(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("breaks.csv", name);
    static const char *const intervals[] = {"0.1", "0.05", "0.3"};
    for (int i = 0; i < 3 * METHODS; i++) {
        const double interval = atof(intervals[i % 3]);
        zvScenario *scenario = scenario_of(
            "{zveno_scenario: 1, model: " BLOCK
            ", duration: 1, drives: [{type: torque, joint: slide, law: {type: table, "
            "mode: hold, times: [0, 0.3, 0.7, 1], points: [1, 2, 3, 4]}}], integrator: {method: %s}, output: "
            "{interval: %s, channels: [tau]}}",
            methods[i / 3], intervals[i % 3]);
        zv_run_summary_destroy(run_of(scenario, path));
        uint64_t rows;
        double *t = rows_of(path, "time", &rows, NULL), *tau = rows_of(path, "tau", &rows, NULL);
        assert_int_equal(rows, i % 3 == 0 ? 11 : i % 3 == 1 ? 21 : 5);
        for (uint64_t k = 0; k < rows; k++) {
            const double at = k + 1 < rows ? (double)k * interval : 1;
            assert_named_near("time", t[k], at, 1e-15);
            const double want = at < 0.3 + 1e-9 ? 1 : at < 0.7 + 1e-9 ? 2 : 3;
            if (tau[k] != want) fail_msg("%s at %.17g: %g, not %g", methods[i / 3], t[k], tau[k], want);
        }
        free(t);
        free(tau);
        zv_scenario_destroy(scenario);
    }
    remove(path);
}

/* A prescribed velocity that jumps at the end of the run has not jumped there. */
static void break_at_the_end(void **state) {
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        zvScenario *scenario =
            scenario_of("{zveno_scenario: 1, model: " BLOCK
                        ", start: 0.1, duration: 0.2, drives: [{type: motion, joint: slide, law: "
                        "{type: table, times: [0, 0.3, 1], points: [0, 0.6, 0]}}], integrator: {method: %s}}",
                        methods[i]);
        zvRunSummary *summary = run_of(scenario, NULL);
        assert_named_near(methods[i], zv_run_velocity(summary)[0], 2, 1e-12);
        assert_named_near(methods[i], zv_run_position(summary)[0], 0.6, 1e-12);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

static bool listen(void *context, const zvProgress *now) {
    const char **heard = context;
    if (now->advice) {
        assert_true(now->steps > 20000);
        *heard = now->advice;
    }
    return now->t < now->end;
}

/* A heavily damped block, explicitly: the step is held back by stability. */
static void advice_during_the_run(void **state) {
    (void)state;
    for (int stiff = 0; stiff < 2; stiff++) {
        const char *heard = NULL;
        zvScenario *scenario =
            scenario_of("{zveno_scenario: 1, model: " BLOCK ", duration: %g, joints: {slide: {damping: %g}}, drives: "
                        "[{type: torque, joint: slide, law: 1}], integrator: {method: erk}, output: {ledger: false}}",
                        stiff ? 0.2 : 2.0, stiff ? 1e6 : 1.0);
        zvError error = {0};
        const zvRunOptions options = {.progress = listen, .context = &heard, .progress_interval = 1e-6};
        const zvStatus status = zv_simulate(scenario, &options, NULL, &error);
        if (status < 0) fail_msg("%s", error.text);
        assert_true(stiff ? heard != NULL : heard == NULL);
        zv_scenario_destroy(scenario);
    }
}

TESTS(rows_at_breaks, break_at_the_end, advice_during_the_run)
