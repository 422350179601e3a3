/* Runs of structural methods in tests: where they end, that they have the second order, and that they go on after an
 * interruption as if there had been none. */
#ifndef ZV_TESTS_SIMULATE_STRUCTURAL_RUNS_H
#define ZV_TESTS_SIMULATE_STRUCTURAL_RUNS_H

#include "simulate/runs.h"

enum { STRUCTURAL_MOST = 64 }; /* coordinates */

static inline void end_of(const char *text, const char *integrator, double *end, zvIntegrationStatistics *statistics) {
    zvScenario *scenario = scenario_of("{zveno_scenario: 1, integrator: {%s}, %s}", integrator, text);
    zvRunSummary *summary = run_of(scenario, NULL);
    const zvModel *model = zv_scenario_model(scenario);
    memcpy(end, zv_run_position(summary), (size_t)zv_model_nq(model) * sizeof *end);
    if (statistics) *statistics = zv_run_statistics(summary);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

/* Errors at two steps of a scenario; the finer one must be four times better. */
static inline void expect_second_order(const char *text, int nq, const char *method, double step, double bound,
                                       const double *wanted) {
    double gap[2] = {0};
    for (int k = 0; k < 2; k++) {
        char integrator[200];
        double end[STRUCTURAL_MOST];
        snprintf(integrator, sizeof integrator, "method: %s, step: %g, corrector_tolerance: 1e-12", method,
                 k ? step / 2 : step);
        end_of(text, integrator, end, NULL);
        for (int i = 0; i < nq; i++) gap[k] = fmax(gap[k], fabs(end[i] - wanted[i]));
    }
    if (!(gap[0] < bound && fabs(log2(gap[0] / gap[1]) - 2) < 0.25)) fail_msg("%s: %g, %g", method, gap[0], gap[1]);
}

static const char *const methods[] = {"newmark",           "'newmark', iteration: full",
                                      "newmark, beta: 0",  "newmark, predictor: zero",
                                      "generalized-alpha", "generalized-alpha, rho: 0.3, iteration: full",
                                      "energy-momentum",   "energy-momentum, iteration: full"};
enum { METHODS = sizeof methods / sizeof *methods };

static inline bool count_down(void *context, const zvProgress *progress) {
    (void)progress;
    return --*(long *)context > 0;
}

/* Broken off every `often` steps and resumed: the same bits in the first n coordinates, whatever is remembered. */
static inline void expect_same_in_pieces(const char *file, const char *integrator, const char *text, long often,
                                         int n) {
    char name[512];
    const char *path = file_of(file, name);
    zvScenario *scenario = scenario_of("{zveno_scenario: 1, integrator: {%s}, %s}", integrator, text);
    zvRunSummary *whole = run_of(scenario, NULL), *piece = NULL;
    zvStatus status = ZV_INTERRUPTED;
    int pieces = 0;
    remove(path);
    for (; status == ZV_INTERRUPTED && pieces < 100; pieces++) {
        long left = often;
        zvError error = {0};
        const zvRunOptions options = {
            .output = path, .resume = pieces > 0, .progress = count_down, .context = &left, .progress_interval = 1e-9};
        zv_run_summary_destroy(piece);
        piece = NULL;
        status = zv_simulate(scenario, &options, &piece, &error);
        if (status < 0) fail_msg("%s: %s", integrator, error.text);
    }
    assert_int_equal(status, ZV_OK);
    assert_true(pieces > 2);
    for (int k = 0; k < n; k++) {
        assert_named_near(integrator, zv_run_position(piece)[k], zv_run_position(whole)[k], 0);
        assert_named_near(integrator, zv_run_velocity(piece)[k], zv_run_velocity(whole)[k], 0);
    }
    assert_int_equal(zv_run_statistics(piece).steps, zv_run_statistics(whole).steps);
    zv_run_summary_destroy(whole);
    zv_run_summary_destroy(piece);
    zv_scenario_destroy(scenario);
    remove(path);
}

#endif
