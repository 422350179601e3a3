/* Events: bounces against closed forms, stops, thresholds, sticking, and events that never end. */
#include "simulate/runs.h"
#include "simulate/scenario.h"
#include "support/run_tests.h"

static const double g = 9.81;

#define BALL(action, rest)                                                                                             \
    "{zveno_scenario: 1, model: " FALLING ", initial: {q: {slide: 1.25}}, events: [{type: plane, name: floor, frame: " \
    "ball, action: " action "}], " rest "}"

/* Dropped from h, the ball meets the floor at t1 = sqrt(2h/g), then after flights of 2 u e^k / g. */
static void bounces(void **state) {
    (void)state;
    static const char *const methods[] = {"auto", "adams", "bdf", "erk", "dirk", "rk4"};
    const double e = 0.8, u = sqrt(2 * g * 1.25);
    for (int m = 0; m < 6; m++) {
        zvScenario *scenario =
            scenario_of(BALL("bounce, restitution: 0.8", "duration: 3.4, integrator: {method: %s%s}"), methods[m],
                        m < 4 ? ", rtol: 1e-10, atol: 1e-11" : "");
        zvRunSummary *summary = run_of(scenario, NULL);
        double t = u / g, speed = u, lost = 0;
        int count = 0;
        for (; t < 3.4; count++) {
            assert_true(count < zv_run_events(summary));
            const zvEvent event = zv_run_event(summary, count);
            assert_named_near(methods[m], event.t, t, 1e-8);
            assert_string_equal(event.name, "floor");
            assert_non_null(strstr(event.text, "bounces"));
            lost += 0.5 * 2 * speed * speed * (1 - e * e);
            speed *= e;
            t += 2 * speed / g;
        }
        assert_int_equal(zv_run_events(summary), count);
        const double left = 3.4 - (t - 2 * speed / g);
        assert_named_near(methods[m], zv_run_position(summary)[0], speed * left - 0.5 * g * left * left, 1e-7);
        assert_named_near(methods[m], zv_run_velocity(summary)[0], speed - g * left, 1e-7);
        const zvLedgerRow row = zv_run_ledger_row(summary, zv_run_ledger_rows(summary) - 1);
        assert_string_equal(row.name, "impacts");
        assert_named_near("energy lost", row.amount, -lost, 1e-7);
        assert_named_near("gap", zv_run_ledger_gap(summary) / zv_run_energy_exchanged(summary), 0, 1e-9);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* Rows before and after each impact at the same time; time never falls. */
static void rows_at_impacts(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("impact.csv", name);
    zvScenario *scenario =
        scenario_of(BALL("bounce, restitution: 1", "duration: 1, output: {interval: 0.1, channels: [v]}"));
    zv_run_summary_destroy(run_of(scenario, path));
    uint64_t rows;
    double *t = rows_of(path, "time", &rows, NULL), *v = rows_of(path, "v", &rows, NULL);
    const double hit = sqrt(2 * 1.25 / g);
    int pairs = 0;
    assert_int_equal(rows, 13);
    for (uint64_t i = 1; i < rows; i++) {
        assert_true(t[i] >= t[i - 1]);
        if (t[i] > t[i - 1]) continue;
        pairs++;
        assert_named_near("time of the impact", t[i], hit, 1e-7);
        assert_named_near("before", v[i - 1], -g * hit, 1e-6);
        assert_named_near("after", v[i], g * hit, 1e-6);
    }
    assert_int_equal(pairs, 1);
    free(t);
    free(v);
    zv_scenario_destroy(scenario);
    remove(path);
}

static zvStatus failing(const zvScenario *scenario, zvError *error) {
    zvRunSummary *summary = NULL;
    zvStatus status = zv_simulate(scenario, NULL, &summary, error);
    zv_run_summary_destroy(summary);
    return status;
}

/* Bounces pile up at t1 (1 + e) / (1 - e). With a tolerance those below some 1e-8 m are not told apart: flights of
 * 1e-4 s, and the rest of the series is 1 / (1 - e) of them. */
static void comes_to_rest(void **state) {
    (void)state;
    static const char *const methods[] = {"adams", "erk", "rk4"};
    static const double restitutions[] = {0, 0.5, 0.9};
    for (int i = 0; i < 9; i++) {
        zvError error = {0};
        const double e = restitutions[i / 3], end = sqrt(2 * 1.25 / g) * (1 + e) / (1 - e);
        zvScenario *scenario = scenario_of(BALL("bounce, restitution: %g", "duration: 20, integrator: {method: %s%s}"),
                                           e, methods[i % 3], i % 3 < 2 ? ", rtol: 1e-9, atol: 1e-9" : "");
        assert_int_equal(failing(scenario, &error), ZV_NO_CONVERGENCE);
        double t = 0;
        const char *at = strstr(error.text, "comes to rest at t = ");
        if (!at) fail_msg("%s, %s, %g", error.text, methods[i % 3], e);
        assert_int_equal(sscanf(at, "comes to rest at t = %lf", &t), 1);
        assert_named_near(methods[i % 3], t, end, (i % 3 < 2 ? 2e-4 : 3e-8) / (1 - e));
        assert_string_equal(error.token, "floor");
        zv_scenario_destroy(scenario);
    }
}

static void fires_again_and_again(void **state) {
    (void)state;
    zvError error = {0};
    zvScenario *scenario = scenario_of(
        "{zveno_scenario: 1, model: " FALLING
        ", gravity: [0, 0, 0], duration: 1, initial: {v: {slide: 1}}, events: [{type: plane, name: floor, "
        "frame: ball, offset: -1e-12, action: bounce}, {type: plane, name: roof, frame: ball, normal: [0, 0, "
        "-1], offset: -1e-12, action: bounce}]}");
    assert_int_equal(failing(scenario, &error), ZV_NO_CONVERGENCE);
    if (!strstr(error.text, "fires again and again at t = ")) fail_msg("%s", error.text);
    zv_scenario_destroy(scenario);
}

/* What a run that failed at an event says, with a recording: all of its events have a text. */
static void fails_in_friction(const zvScenario *scenario, zvStatus expected, const char *says, const char *remedy) {
    char output[512];
    zvError error = {0};
    zvRunSummary *summary = NULL;
    const zvRunOptions options = {.output = file_of("friction_fails.csv", output), .restart = true};
    assert_int_equal(zv_simulate(scenario, &options, &summary, &error), expected);
    if (!strstr(error.text, says) || !strstr(error.text, remedy)) fail_msg("%s", error.text);
    assert_non_null(summary);
    for (int i = 0; i < zv_run_events(summary); i++) {
        const char *text = zv_run_event(summary, i).text;
        if (!strstr(text, "sticks") && !strstr(text, "slips")) fail_msg("%s", text);
    }
    assert_true(isfinite(zv_run_position(summary)[0]));
    zv_run_summary_destroy(summary);
}

/* A block that is shaken faster than the clock of a run of 1e7 s tells apart. */
static void friction_chatters(void **state) {
    (void)state;
    zvScenario *scenario = scenario_of(
        "{zveno_scenario: 1, model: " FALLING ", gravity: [0, 0, 0], duration: 1e7, joints: {slide: {friction: "
        "{coulomb: 1, stick_slip: true}}}, drives: [{name: shake, type: torque, joint: slide, law: {type: harmonic, "
        "amplitude: 5, frequency: 1e5}}]}");
    fails_in_friction(scenario, ZV_NO_CONVERGENCE, "event \"friction slide\" fires again and again at t = ",
                      "a smoothing velocity instead of stick-slip");
    zv_scenario_destroy(scenario);
}

/* Friction holds a link without mass until the force exceeds it: 10 N/m x 0.2 m/s x 2.5 s. */
static void friction_lets_go_of_nothing(void **state) {
    (void)state;
    zvScenario *scenario = scenario_of(
        "{zveno_scenario: 1, model: {inline: {links: [{name: ground}, {name: a, mass: 1, inertia: [0.01, 0.01, 0.01]}, "
        "{name: tip}], joints: [{name: slide, type: prismatic, parent: ground, child: a, axis: [1, 0, 0]}, {name: "
        "wrist, type: prismatic, parent: a, child: tip, axis: [1, 0, 0]}]}}, duration: 5, joints: {wrist: {friction: "
        "{coulomb: 3, breakaway: 5, stribeck: 0.1, stick_slip: true}}}, drives: [{name: pull, type: pd, joint: wrist, "
        "kp: 10, reference: {type: polynomial, coefficients: [0, 0.2]}}]}");
    fails_in_friction(scenario, ZV_SINGULAR, "friction wrist cannot go on at t = 2.5 s", "a mass, or the joint an");
    zv_scenario_destroy(scenario);
}

static void fires_at_once(void **state) {
    (void)state;
    zvError error = {0};
    zvScenario *scenario = scenario_of(BALL("stop", "duration: 1"));
    scenario->q[0] = -0.25;
    assert_int_equal(failing(scenario, &error), ZV_SCHEMA);
    assert_string_equal(error.token, "floor");
    assert_non_null(strstr(error.text, "event \"floor\" fires at once"));
    scenario->q[0] = 0; /* on the floor, at rest, and gravity pulls */
    assert_int_equal(failing(scenario, &error), ZV_SCHEMA);
    scenario->v[0] = 1; /* on the floor, but leaving it */
    zvRunSummary *summary = run_of(scenario, NULL);
    assert_named_near("time of the fall", zv_run_time(summary), 2 / g, 1e-7);
    assert_string_equal(zv_run_ending(summary), "event \"floor\"");
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

/* The impulse acts along the limit alone: M dv has one entry that is not zero, and the approach is turned round. */
static void limit_of_a_chain(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("limit.csv", name);
    zvScenario *scenario = scenario_of(
        "{zveno_scenario: 1, model: " TWO_RODS
        ", duration: 2, initial: {q: {shoulder: 0.5}, v: {elbow: 11}}, events: [{type: limit, name: stop, joint: "
        "elbow, action: bounce, restitution: 0.6}], integrator: {rtol: 1e-10, atol: 1e-11}, output: "
        "{interval: 0.5, channels: [q, v]}}");
    zvRunSummary *summary = run_of(scenario, path);
    uint64_t rows;
    double *t = rows_of(path, "time", &rows, NULL), *q = rows_of(path, "q", &rows, NULL),
           *v = rows_of(path, "v", &rows, NULL);
    zvWork *work = zv_work_create(scenario->model, NULL);
    int impacts = 0;
    for (uint64_t i = 1; i < rows; i++) {
        if (t[i] > t[i - 1]) continue;
        double dv[2] = {v[2 * i] - v[2 * i - 2], v[2 * i + 1] - v[2 * i - 1]}, impulse[2];
        zv_mass_times(scenario->model, work, q + 2 * i, dv, impulse);
        assert_named_near("elbow at its limit", fabs(q[2 * i + 1]), 2, 1e-9);
        assert_named_near("restitution", v[2 * i + 1], -0.6 * v[2 * i - 1], 1e-10);
        assert_named_near("impulse on the shoulder", impulse[0], 0, 1e-12 * fabs(impulse[1]));
        impacts++;
    }
    assert_true(impacts >= 1);
    assert_named_near("gap", zv_run_ledger_gap(summary) / zv_run_energy_exchanged(summary), 0, 1e-9);
    free(t);
    free(q);
    free(v);
    zv_work_destroy(work);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
    remove(path);
}

/* With the shoulder driven, only the elbow takes the impulse. */
static void limit_beside_a_prescribed_joint(void **state) {
    (void)state;
    zvScenario *scenario = scenario_of(
        "{zveno_scenario: 1, model: " TWO_RODS
        ", duration: 2, initial: {v: {elbow: 11}}, drives: [{type: motion, joint: shoulder, law: {type: harmonic, "
        "amplitude: 0.3, frequency: 2}}], events: [{type: limit, name: stop, joint: elbow, action: bounce, "
        "restitution: 1}], integrator: {rtol: 1e-12, atol: 1e-13}}");
    zvRunSummary *summary = run_of(scenario, NULL);
    assert_true(zv_run_events(summary) >= 1);
    assert_named_near("prescribed velocity", zv_run_velocity(summary)[0], 0.6 * cos(4.0), 1e-12);
    assert_named_near("gap", zv_run_ledger_gap(summary) / zv_run_energy_exchanged(summary), 0, 1e-9);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

/* A small swing passes its lowest point every half period, rising every full one. */
static void thresholds(void **state) {
    (void)state;
    static const char *const directions[] = {"both", "rising", "falling"};
    const int expected[] = {6, 3, 3};
    const double period = 2 * acos(-1.0) / sqrt(g) * (1 + 0.1 * 0.1 / 16 + 11 * pow(0.1, 4) / 3072);
    for (int i = 0; i < 3; i++) {
        zvScenario *scenario = scenario_of(
            "{zveno_scenario: 1, model: " PENDULUM
            ", duration: 6, initial: {q: {pivot: 0.1}}, events: [{type: threshold, name: low, channel: q.pivot, "
            "value: 0, direction: %s}, {type: threshold, channel: v.pivot, value: 0, direction: rising}], "
            "integrator: {rtol: 1e-11, atol: 1e-12}}",
            directions[i]);
        zvRunSummary *summary = run_of(scenario, NULL);
        int count = 0, turned = 0;
        for (int k = 0; k < zv_run_events(summary); k++) {
            const zvEvent h = zv_run_event(summary, k);
            if (strcmp(h.name, "low") != 0) {
                assert_named_near("turning point", h.t, period * (0.5 + turned++), 1e-7);
                continue;
            }
            const double phase = i == 0 ? 0.25 + 0.5 * count : i == 1 ? 0.75 + count : 0.25 + count;
            assert_named_near(directions[i], h.t, phase * period, 1e-7);
            assert_non_null(strstr(h.text, "q pivot"));
            count++;
        }
        assert_int_equal(count, expected[i]);
        assert_int_equal(turned, 2 + (2.5 * period < 6));
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* A mass on a spring with dry friction: half swings about +-F/k, each 2 F/k shorter; it stays where |x| < F/k. */
static void sticks(void **state) {
    (void)state;
    static const char *const methods[] = {"adams", "erk", "rk4"};
    const double k = 50, F = 3, x0 = 0.4, w = sqrt(k / 2), half = acos(-1.0) / w;
    for (int m = 0; m < 3; m++) {
        zvScenario *scenario = scenario_of(
            "{zveno_scenario: 1, model: {inline: {links: [{name: ground}, {name: block, mass: 2}], joints: [{name: "
            "slide, type: prismatic, parent: ground, child: block, axis: [1, 0, 0]}]}}, duration: 4, initial: {q: "
            "{slide: 0.4}}, joints: {slide: {spring: {stiffness: 50}, friction: {coulomb: 3, stick_slip: true}}}, "
            "integrator: {method: %s%s}}",
            methods[m], m < 2 ? ", rtol: 1e-11, atol: 1e-12" : "");
        zvRunSummary *summary = run_of(scenario, NULL);
        double x = x0;
        int turns = 0;
        while (fabs(x) > F / k) {
            x = -(fabs(x) - 2 * F / k) * (x > 0 ? 1 : -1);
            assert_true(turns < zv_run_events(summary));
            assert_named_near("turning point", zv_run_event(summary, turns).t, (turns + 1) * half, 1e-6);
            turns++;
        }
        assert_int_equal(zv_run_events(summary), turns);
        assert_string_equal(zv_run_event(summary, turns - 1).text, "sticks");
        assert_named_near(methods[m], zv_run_position(summary)[0], x, m == 2 ? 1e-7 : 1e-8);
        assert_named_near("at rest", zv_run_velocity(summary)[0], 0, 0);
        assert_named_near("gap", zv_run_ledger_gap(summary) / zv_run_energy_exchanged(summary), 0,
                          m == 2 ? 1e-8 : 1e-9);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* A force that jumps beyond what friction holds lets go a joint that stood still. */
static void let_go_at_a_break(void **state) {
    (void)state;
    zvScenario *scenario = scenario_of(
        "{zveno_scenario: 1, model: {inline: {links: [{name: ground}, {name: block, mass: 2}], joints: [{name: "
        "slide, type: prismatic, parent: ground, child: block, axis: [1, 0, 0]}]}}, duration: 2, joints: {slide: "
        "{friction: {coulomb: 3, stick_slip: true}}}, drives: [{type: torque, joint: slide, law: {type: table, "
        "mode: hold, times: [0, 0.7, 9], points: [2, 5, 5]}}], integrator: {rtol: 1e-10, atol: 1e-11}}");
    zvRunSummary *summary = run_of(scenario, NULL);
    assert_named_near("place", zv_run_position(summary)[0], 0.5 * 1 * 1.3 * 1.3, 1e-9);
    assert_named_near("velocity", zv_run_velocity(summary)[0], 1.3, 1e-9);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

TESTS(bounces, rows_at_impacts, comes_to_rest, fires_again_and_again, friction_chatters, friction_lets_go_of_nothing,
      fires_at_once, limit_of_a_chain, limit_beside_a_prescribed_joint, thresholds, sticks, let_go_at_a_break)
