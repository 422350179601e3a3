/* Runs that the caller advances: in pieces as in whole, forces pushed and states put in between, rows, refusals. */
#include "simulate/runs.h"
#include "support/run_tests.h"

static zvSimulation *begin(const zvScenario *scenario, const zvRunOptions *options) {
    zvSimulation *simulation;
    zvError error;
    if (zv_simulation_create(scenario, options, &simulation, &error) < 0) fail_msg("%s", error.text);
    return simulation;
}

static void advance(zvSimulation *simulation, double t) {
    zvError error;
    if (zv_simulation_advance(simulation, t, &error) < 0) fail_msg("%s", error.text);
}

static zvRunSummary *finish(zvSimulation *simulation) {
    zvError error;
    zvRunSummary *summary;
    if (zv_simulation_finish(simulation, &summary, &error) < 0) fail_msg("%s", error.text);
    zv_simulation_destroy(simulation);
    return summary;
}

#define BOUNCING                                                                                                    \
    "{zveno_scenario: 1, model: " FALLING ", duration: 1, initial: {q: {slide: 1}}, events: [{name: floor, type: "  \
    "plane, frame: ball, normal: [0, 0, 1], offset: 0, action: bounce, restitution: 0.7}], integrator: {method: %s" \
    "}, output: {interval: 0.01, channels: [q, v, energy]}}"

static void compare_rows(const zvRunSummary *x, const zvRunSummary *y, double tolerance) {
    uint64_t rows, expected;
    const double *a = zv_recorder_rows(zv_run_kept(x), &rows), *b = zv_recorder_rows(zv_run_kept(y), &expected);
    const size_t count = (size_t)rows * (size_t)zv_recorder_width(zv_run_kept(x));
    assert_true(rows == expected && rows > 100);
    for (size_t i = 0; i < count; i++) assert_near(a[i], b[i], tolerance);
    assert_int_equal(zv_run_events(x), zv_run_events(y));
    for (int i = 0; i < zv_run_events(x); i++) assert_near(zv_run_event(x, i).t, zv_run_event(y, i).t, tolerance);
}

/* Pieces that end on the grid of a fixed step leave no trace; others as much as their methods allow. */
static void pieces_make_the_whole(void **state) {
    (void)state;
    static const struct {
        const char *method;
        double piece, tolerance;
    } runs[] = {{"rk4, step: 0.001", 0.02, 0},
                {"rk4, step: 0.001", 0.0137, 1e-9},
                {"euler, step: 0.001", 0.001, 0},
                {"adams", 0.013, 1e-6},
                {"erk", 0.3, 1e-6},
                {"bdf", 0.05, 1e-5},
                {"newmark, step: 0.001", 0.01, 1e-12}};
    const zvRunOptions options = {.keep = true};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        zvScenario *scenario = scenario_of(BOUNCING, runs[i].method);
        zvRunSummary *whole = NULL;
        zvError error;
        if (zv_simulate(scenario, &options, &whole, &error) < 0) fail_msg("%s", error.text);
        zvSimulation *simulation = begin(scenario, &options);
        for (int k = 1; !zv_simulation_is_over(simulation); k++) {
            advance(simulation, k * runs[i].piece);
            assert_near(zv_simulation_time(simulation), fmin(k * runs[i].piece, 1), 1e-14);
        }
        advance(simulation, 9);
        assert_true(zv_simulation_time(simulation) == 1);
        zvRunSummary *pieces = finish(simulation);
        assert_string_equal(zv_run_ending(pieces), zv_run_ending(whole));
        assert_int_equal(zv_run_energy_judgement(pieces), zv_run_energy_judgement(whole));
        compare_rows(pieces, whole, runs[i].tolerance);
        if (runs[i].tolerance == 0) assert_int_equal(zv_run_statistics(pieces).steps, zv_run_statistics(whole).steps);
        zv_run_summary_destroy(pieces);
        zv_run_summary_destroy(whole);
        zv_scenario_destroy(scenario);
    }
}

/* A mass of 2 kg with a force that is another in every piece: x += v T + u T^2/2, v += u T, u = F/m - g. */
static void forces_are_pushed(void **state) {
    (void)state;
    static const char *const methods[] = {"rk4, step: 0.01", "adams, rtol: 1e-12, atol: 1e-12", "erk", "auto"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        zvScenario *scenario = scenario_of("{zveno_scenario: 1, model: " FALLING
                                           ", duration: 2, drives: [{type: function, name: hand, limit: 30}], "
                                           "integrator: {method: %s}, output: {channels: [a, tau, work]}}",
                                           methods[i]);
        zvSimulation *simulation = begin(scenario, NULL);
        zvError error;
        double x = 0, v = 0, row[5], q, qd;
        const double T = 0.05;
        for (int k = 1; k <= 40; k++) {
            const double F = 19.62 + 30 * sin(0.7 * k), u = fmax(-30, fmin(30, F)) / 2 - 9.81;
            assert_int_equal(zv_simulation_push(simulation, k % 2 ? "hand" : NULL, &F, &error), ZV_OK);
            assert_int_equal(zv_simulation_row(simulation, row, &error), ZV_OK);
            assert_near(row[1], u, 1e-12); /* at once */
            assert_near(row[2], 2 * (u + 9.81), 1e-11);
            advance(simulation, k * T);
            x += v * T + u * T * T / 2;
            v += u * T;
            zv_simulation_state(simulation, &q, &qd, NULL);
            assert_near(q, x, 1e-8);
            assert_near(qd, v, 1e-8);
        }
        assert_int_equal(zv_simulation_channels(simulation), 4);
        assert_string_equal(zv_simulation_channel(simulation, 1)->name, "a");
        zvRunSummary *summary = finish(simulation);
        assert_int_equal(zv_run_energy_judgement(summary), ZV_ENERGY_BALANCED);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* A drive with an interval takes what was pushed at its next sample. */
static void pushed_between_samples(void **state) {
    (void)state;
    zvScenario *scenario = scenario_of("{zveno_scenario: 1, model: " FALLING
                                       ", gravity: [0, 0, 0], duration: 1, drives: [{type: function, name: hand, "
                                       "interval: 0.1}], integrator: {method: rk4}}");
    zvSimulation *simulation = begin(scenario, NULL);
    zvError error;
    double v;
    advance(simulation, 0.25);
    assert_int_equal(zv_simulation_push(simulation, "hand", (double[]){4}, &error), ZV_OK);
    advance(simulation, 0.3);
    zv_simulation_state(simulation, NULL, &v, NULL);
    assert_true(v == 0);
    advance(simulation, 0.5);
    zv_simulation_state(simulation, NULL, &v, NULL);
    assert_near(v, 0.4, 1e-12);
    zv_simulation_destroy(simulation);
    zv_scenario_destroy(scenario);
}

/* What does not depend on time comes again when it is put back, to the last bit on the grid of fixed steps; the energy
 * that the change brings is that of an impact. */
static void states_are_put(void **state) {
    (void)state;
    zvScenario *scenario =
        scenario_of("{zveno_scenario: 1, model: " TWO_RODS ", duration: 4, initial: {q: {shoulder: 1, elbow: -0.4}}, "
                    "integrator: {method: rk4, step: 0.0078125}, output: {channels: [energy]}}"); /* 1/128 */
    zvSimulation *simulation = begin(scenario, NULL);
    zvError error;
    double q[2], v[2], later[4], again[4], row[6];
    advance(simulation, 0.5);
    zv_simulation_state(simulation, q, v, NULL);
    advance(simulation, 1);
    zv_simulation_state(simulation, later, later + 2, NULL);
    assert_int_equal(zv_simulation_set_state(simulation, q, v, NULL, &error), ZV_OK);
    advance(simulation, 1.5);
    zv_simulation_state(simulation, again, again + 2, NULL);
    assert_memory_equal(again, later, sizeof later);
    const double v2[] = {3, -1};
    assert_int_equal(zv_simulation_set_state(simulation, NULL, v2, NULL, &error), ZV_OK);
    zv_simulation_state(simulation, q, v, NULL);
    assert_memory_equal(v, v2, sizeof v2);
    assert_memory_equal(q, again, sizeof q);
    assert_int_equal(zv_simulation_set_state(simulation, (double[]){NAN, 0}, NULL, NULL, &error), ZV_NUMBER);
    assert_int_equal(zv_simulation_set_state(simulation, NULL, (double[]){0, INFINITY}, NULL, &error), ZV_NUMBER);
    zv_simulation_state(simulation, q, v, NULL);
    assert_memory_equal(v, v2, sizeof v2);
    advance(simulation, 3);
    assert_int_equal(zv_simulation_row(simulation, row, &error), ZV_OK);
    assert_near(row[0], 3, 1e-14);
    zvRunSummary *summary = NULL;
    assert_int_equal(zv_simulation_summary(simulation, &summary, &error), ZV_OK);
    assert_near(zv_run_time(summary), 3, 1e-14);
    assert_false(zv_run_is_over(summary));
    assert_true(zv_run_largest_gap(summary) < 1e-5); /* of 11 J; what rk4 loses, not the change */
    zv_run_summary_destroy(summary);
    summary = finish(simulation);
    assert_string_equal(zv_run_ending(summary), "interrupted");
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

/* Stops hold, let go of what is put elsewhere, and refuse what is beyond them; the refused changes nothing. */
static void stops_and_states(void **state) {
    (void)state;
    zvScenario *scenario = scenario_of(
        "{zveno_scenario: 1, model: {inline: {links: [{name: ground}, {name: ball, mass: 2, inertia: [0.1, 0.1, "
        "0.1]}], "
        "joints: [{name: slide, type: prismatic, parent: ground, child: ball, axis: [0, 0, 1], limits: {lower: 0, "
        "upper: 5, effort: 1, velocity: 99}}]}}, duration: 9, initial: {q: {slide: 0.1}}, events: [{name: floor, type: "
        "limit, joint: slide, action: bounce, restitution: 0}], integrator: {method: erk}}");
    zvSimulation *simulation = begin(scenario, NULL);
    zvError error;
    double q, v;
    advance(simulation, 1);
    zv_simulation_state(simulation, &q, &v, NULL);
    assert_near(q, 0, 1e-9);
    assert_true(v == 0);
    assert_int_equal(zv_simulation_set_state(simulation, (double[]){-0.5}, NULL, NULL, &error), ZV_SCHEMA);
    assert_non_null(strstr(error.text, "event \"floor lower\" fires at once"));
    advance(simulation, 2);
    zv_simulation_state(simulation, &q, &v, NULL);
    assert_near(q, 0, 1e-9);
    assert_int_equal(zv_simulation_set_state(simulation, (double[]){1}, (double[]){0}, NULL, &error), ZV_OK);
    advance(simulation, 2.4);
    zv_simulation_state(simulation, &q, &v, NULL);
    assert_near(q, 1 - 0.5 * 9.81 * 0.4 * 0.4, 1e-7);
    zv_simulation_destroy(simulation);
    zv_scenario_destroy(scenario);
}

static bool stop_once(void *context, const zvProgress *progress) {
    int *calls = context;
    return progress->t < 0.2 || (*calls)++ > 0;
}

static zvStatus fails(void *context, double t, const double *q, const double *v, double *force) {
    (void)context, (void)q, (void)v, (void)force;
    return t > 0.4 ? ZV_SINGULAR : ZV_OK;
}

/* Who stopped it may go on; what failed says so for ever; what is finished is over. */
static void stopped_failed_finished(void **state) {
    (void)state;
    zvScenario *scenario = scenario_of(BOUNCING, "rk4");
    zvError error;
    int calls = 0;
    zvSimulation *simulation =
        begin(scenario, &(zvRunOptions){.progress = stop_once, .progress_interval = 1e-9, .context = &calls});
    assert_int_equal(zv_simulation_advance(simulation, 1, &error), ZV_INTERRUPTED);
    assert_true(zv_simulation_time(simulation) < 0.3 && !zv_simulation_is_over(simulation));
    assert_int_equal(zv_simulation_advance(simulation, NAN, &error), ZV_NUMBER);
    assert_int_equal(zv_simulation_push(simulation, "hand", (double[]){0}, &error), ZV_NAME);
    assert_non_null(strstr(error.text, "found \"hand\""));
    advance(simulation, INFINITY);
    assert_true(zv_simulation_time(simulation) == 1 && zv_simulation_is_over(simulation));
    assert_int_equal(zv_simulation_finish(simulation, NULL, &error), ZV_OK);
    assert_int_equal(zv_simulation_finish(simulation, NULL, &error), ZV_SCHEMA);
    assert_int_equal(zv_simulation_advance(simulation, 1, &error), ZV_SCHEMA);
    assert_non_null(strstr(error.text, "finished"));
    zv_simulation_destroy(simulation);
    zv_scenario_destroy(scenario);
    scenario = scenario_of("{zveno_scenario: 1, model: " FALLING
                           ", duration: 1, drives: [{type: function, name: hand}], integrator: {method: rk4}}");
    const zvRunFunction function = {"hand", fails, NULL};
    simulation = begin(scenario, &(zvRunOptions){.functions = &function, .function_count = 1});
    advance(simulation, 0.3);
    assert_int_equal(zv_simulation_push(simulation, "hand", (double[]){0}, &error), ZV_NAME);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(zv_simulation_advance(simulation, 1, &error), ZV_SINGULAR);
        assert_non_null(strstr(error.text, "drive \"hand\" stopped the run at t = 0.4"));
    }
    assert_true(zv_simulation_is_over(simulation));
    zvRunSummary *summary;
    assert_int_equal(zv_simulation_finish(simulation, &summary, &error), ZV_SINGULAR);
    assert_non_null(strstr(zv_run_ending(summary), "stopped the run"));
    zv_run_summary_destroy(summary);
    zv_simulation_destroy(simulation);
    zv_scenario_destroy(scenario);
}

TESTS(pieces_make_the_whole, forces_are_pushed, pushed_between_samples, states_are_put, stops_and_states,
      stopped_failed_finished)
