/* Structural methods on loops that close and open within a run: second order against a tight explicit run, energy
 * through the events, the same bits in pieces, and a drive that starts a slow motion at an event. */
#define _POSIX_C_SOURCE 200809L
#include "simulate/capture.h"
#include "simulate/structural_runs.h"
#include "support/run_tests.h"

enum { NQ = 16, NV = 14 }; /* of FLOATING */

/* What a run of the floating arm that catches a load ends with. */
typedef struct Catch {
    double q[NQ], v[NV], gap;
} Catch;

static Catch catch_by(const char *integrator) {
    zvScenario *scenario = scenario_of(FLOATING, integrator);
    zvRunSummary *summary = run_of(scenario, NULL);
    Catch end = {.gap = zv_run_ledger_gap(summary)};
    memcpy(end.q, zv_run_position(summary), sizeof end.q);
    memcpy(end.v, zv_run_velocity(summary), sizeof end.v);
    assert_int_equal(zv_run_events(summary), 2);
    assert_int_equal(zv_model_nq(zv_scenario_model(scenario)), NQ);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
    return end;
}

static double off(const Catch *a, const Catch *b) {
    double most = 0;
    for (int i = 0; i < NQ; i++) most = fmax(most, fabs(a->q[i] - b->q[i]));
    for (int i = 0; i < NV; i++) most = fmax(most, fabs(a->v[i] - b->v[i]));
    return most;
}

/* Errors at steps that meet the events and at steps that do not. */
static void second_order(void **state) {
    (void)state;
    static const double steps[] = {0.02, 0.023};
    const Catch wanted = catch_by("method: erk, order: 8, rtol: 1e-12, atol: 1e-13");
    for (int i = 0; i < METHODS; i++) {
        for (int k = 0; k < 2; k++) {
            char integrator[200];
            double error[2];
            for (int half = 0; half < 2; half++) {
                snprintf(integrator, sizeof integrator, "method: %s, step: %g", methods[i], steps[k] / (1 + half));
                const Catch end = catch_by(integrator);
                error[half] = off(&end, &wanted);
                if (strstr(methods[i], "energy-momentum")) /* inside a step the event's state is interpolated */
                    assert_named_near(integrator, end.gap, 0, k ? 1e-7 : 1e-11);
            }
            if (!(error[0] < 2e-3 && error[0] / error[1] > 3 && error[0] / error[1] < 5.5))
                fail_msg("%s, step %g: errors %g, %g", methods[i], steps[k], error[0], error[1]);
        }
    }
}

/* Where the event lies between two steps, and is interrupted before and behind it. */
static void in_pieces(void **state) {
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        char integrator[200];
        snprintf(integrator, sizeof integrator, "method: %s, step: 7e-3", methods[i]);
        expect_same_in_pieces("events.csv", integrator,
                              "model: " CARTS ", duration: 1, initial: {q: {a: 0, b: 1}, v: {a: 2, b: -1}}, joints: "
                              "{a: {spring: {stiffness: 5}}}, events: [{type: threshold, channel: "
                              "loop_coordinates.hook, value: 0, action: close, loop: hook}, {type: time, at: 0.8, "
                              "action: open, loop: hook}], output: {rate: 50}",
                              20, 2);
    }
}

/* The arm that leaves its rail: stiff drives that bear the weight begin to move it at the event, so slowly that its
 * kinetic energy hides behind their power. */
static void leaves_the_rail(void **state) {
    (void)state;
    static const char *const integrators[] = {
        "integrator={method: erk, order: 8, rtol: 1e-10, atol: 1e-11}",
        "integrator={method: energy-momentum, step: 0.005}", "integrator={method: energy-momentum, step: 0.01}",
        "integrator={method: newmark, step: 0.005}", "integrator={method: generalized-alpha, step: 0.005}"};
    double wanted[3];
    for (int i = 0; i < 5; i++) {
        zvScenario *scenario = NULL;
        zvError error = {0};
        const char *changes[] = {integrators[i], "output={rate: 1}"};
        if (zv_scenario_read_file(ZV_SOURCE_DIR "/scenarios/rrp_rail_return.yaml", 2, changes, &scenario, &error) < 0)
            fail_msg("%s", error.text);
        zvRunSummary *summary = run_of(scenario, NULL);
        const double *v = zv_run_velocity(summary);
        if (i == 0) memcpy(wanted, v, sizeof wanted);
        for (int k = 0; k < 3; k++) assert_named_near(integrators[i], v[k], wanted[k], 1e-6);
        assert_true(zv_run_loop_is_closed(summary, 0));
        if (strstr(integrators[i], "energy-momentum"))
            assert_named_near(integrators[i], zv_run_ledger_gap(summary), 0, 1e-9);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

TESTS(second_order, in_pieces, leaves_the_rail)
