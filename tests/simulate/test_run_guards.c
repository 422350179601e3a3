/* Events that must not be missed: friction loaded to its limit, a limit passed for part of a step; limits of followers;
 * rest on a stop until a force pulls away. All against closed forms. */
#include "simulate/runs.h"
#include "simulate/scenario.h"
#include "support/run_tests.h"

static const char *const methods[] = {"auto", "adams", "bdf", "erk", "dirk", "rk4", "euler"};
enum { METHODS = 7 };

#define SLIDER(limits)                                                                                            \
    "{inline: {links: [{name: ground}, {name: block, mass: 1}], joints: [{name: slide, type: prismatic, parent: " \
    "ground, child: block, axis: [1, 0, 0]" limits "}]}}"
#define BETWEEN(lower, upper) ", limits: {lower: " #lower ", upper: " #upper "}"

/* Of order 1 is Euler's method alone. */
static double bound_of(int method) { return method == METHODS - 1 ? 5e-3 : 1e-6; }

static zvRunSummary *finish(zvScenario *scenario) {
    zvRunSummary *summary = run_of(scenario, NULL);
    zv_scenario_destroy(scenario);
    return summary;
}

/* 1 kg held by 1 N: pushed by 1 + t it moves at once, x = t^3 / 6; pushed by a line that bends at 1 N and t = 1 from
 * slope 1 to 1.5 it moves from there, x = 1.5 (t - 1)^3 / 6. */
static void breaks_away_at_the_limit(void **state) {
    (void)state;
    static const char *const laws[] = {"{type: polynomial, coefficients: [1, 1]}",
                                       "{type: table, times: [0, 1, 2], points: [0, 1, 2.5]}"};
    static const double places[] = {8 / 6.0, 0.25};
    for (int i = 0; i < 2 * METHODS; i++) {
        const char *method = methods[i / 2];
        zvRunSummary *summary =
            finish(scenario_of("{zveno_scenario: 1, model: " SLIDER("") ", duration: 2, joints: {slide: {friction: "
                                                                        "{coulomb: 1, stick_slip: true}}}, drives: "
                                                                        "[{type: torque, joint: slide, law: %s}], "
                                                                        "integrator: {method: %s}}",
                               laws[i % 2], method));
        assert_named_near(method, zv_run_position(summary)[0], places[i % 2], bound_of(i / 2));
        zv_run_summary_destroy(summary);
    }
}

/* x = t - t^2/2 rises to 0.5 and stands above 0.49 for 0.28 s only: less than a step of most methods. It bounces at
 * t = 1 - sqrt(0.02) with velocity sqrt(0.02). */
static void dips_within_a_step(void **state) {
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        zvRunSummary *summary = finish(scenario_of(
            "{zveno_scenario: 1, model: " SLIDER(BETWEEN(-9, 0.49)) ", duration: 2, initial: {v: {slide: 1}}, drives: "
                                                                    "[{type: torque, joint: slide, law: -1}], events: "
                                                                    "[{type: limit, joint: slide, action: bounce}], "
                                                                    "integrator: {method: %s}}",
            methods[i]));
        assert_int_equal(zv_run_events(summary), 1);
        const double hit = 1 - sqrt(0.02), left = 2 - hit;
        assert_named_near(methods[i], zv_run_event(summary, 0).t, hit, bound_of(i));
        assert_named_near("place", zv_run_position(summary)[0], 0.49 - sqrt(0.02) * left - left * left / 2,
                          2 * bound_of(i));
        zv_run_summary_destroy(summary);
    }
}

/* A finger that follows with x2 = -2 x1 + 0.1 has its stop at -0.9, so the master turns round at 0.5; named, in a list,
 * and among all. */
static void follower_bounces(void **state) {
    (void)state;
    static const char *const names[] = {"joint: finger", "joints: [finger]", "joints: [slide, finger]", "joints: all"};
    for (int i = 0; i < 4; i++) {
        zvRunSummary *summary = finish(scenario_of(
            "{zveno_scenario: 1, gravity: [0, 0, 0], duration: 1, model: {inline: {links: [{name: ground}, {name: "
            "block, "
            "mass: 1}, {name: tip, mass: 3}], joints: [{name: slide, type: prismatic, parent: ground, child: block, "
            "axis: [1, 0, 0], limits: {lower: -5, upper: 5}}, {name: finger, type: prismatic, parent: block, child: "
            "tip, axis: [0, 1, 0], limits: {lower: -0.9, upper: 7}, mimic: {joint: slide, ratio: -2, offset: 0.1}}]}}, "
            "initial: {v: {slide: 1}}, events: [{name: stop, type: limit, %s, action: bounce, restitution: 0.5}]}",
            names[i]));
        assert_int_equal(zv_run_events(summary), 1);
        const zvEvent hit = zv_run_event(summary, 0);
        assert_named_near("time", hit.t, 0.5, 1e-7);
        assert_string_equal(hit.name, i < 2 ? "stop lower" : "stop finger lower");
        if (!strstr(hit.text, "reaches -0.9 with velocity -2")) fail_msg("%s", hit.text);
        assert_named_near("place", zv_run_position(summary)[0], 0.25, 1e-7);
        assert_named_near("velocity", zv_run_velocity(summary)[0], -0.5, 1e-9);
        zv_run_summary_destroy(summary);
    }
}

/* A ball of 1 kg in a well of 10 m/s^2: dropped from 0.2 m above its stop it bounces with e, comes to rest after
 * (1 + e) / (1 - e) times the first fall, and leaves when the push 5 t exceeds 10 N, t = 2: x = 5 (t - 2)^3 / 6. */
static void rests_on_a_stop(void **state) {
    (void)state;
    static const double restitutions[] = {0, 0.5};
    for (int i = 0; i < 2 * METHODS; i++) {
        const double e = restitutions[i % 2];
        const char *method = methods[i / 2];
        zvRunSummary *summary = finish(scenario_of(
            "{zveno_scenario: 1, model: " SLIDER(BETWEEN(0, 9)) ", duration: 3, gravity: [-10, 0, 0], initial: {q: "
                                                                "{slide: 0.2}}, drives: [{type: torque, joint: slide, "
                                                                "law: {type: polynomial, coefficients: [0, 5]}}], "
                                                                "events: [{type: limit, joint: slide, action: bounce, "
                                                                "restitution: %g}], integrator: {method: %s}}",
            e, method));
        const int count = zv_run_events(summary);
        assert_true(count >= 2);
        const zvEvent rest = zv_run_event(summary, count - 2), leave = zv_run_event(summary, count - 1);
        if (!strstr(rest.text, ", rests") || strcmp(leave.text, "leaves 0") != 0)
            fail_msg("%s, then %s, %s", rest.text, leave.text, method);
        assert_named_near(method, leave.t, 2, bound_of(i / 2));
        assert_named_near(method, zv_run_position(summary)[0], 5 / 6.0, 2 * bound_of(i / 2));
        const double gap = zv_run_ledger_gap(summary) / zv_run_energy_exchanged(summary);
        assert_named_near("ledger", gap, 0, i / 2 == METHODS - 1 ? 5e-3 : 1e-7);
        zv_run_summary_destroy(summary);
    }
}

/* Begun at rest on a stop: pressed against it the block stays until t = 1; pulled away it leaves at once. Without a
 * bounce the first is refused by the run, not by the reader. */
static void begins_on_a_stop(void **state) {
    (void)state;
    static const double pushes[] = {1, -1};
    for (int i = 0; i < 2; i++) {
        zvRunSummary *summary = finish(scenario_of("{zveno_scenario: 1, model: " SLIDER(BETWEEN(
                                                       -9, 0)) ", duration: 2, drives: [{type: torque, joint: slide, "
                                                               "law: {type: table, mode: hold, times: [0, 1], points: "
                                                               "[%g, -2]}}], events: [{type: limit, joint: slide, "
                                                               "action: bounce, restitution: 0.3}]}",
                                                   pushes[i]));
        assert_named_near("place", zv_run_position(summary)[0], i == 0 ? -1 : -0.5 - 1 - 1, 1e-7);
        assert_int_equal(zv_run_events(summary), 0);
        zv_run_summary_destroy(summary);
    }
    zvScenario *scenario = scenario_of(
        "{zveno_scenario: 1, model: " SLIDER(BETWEEN(-9, 0)) ", duration: 2, drives: [{type: torque, joint: "
                                                             "slide, law: 1}], events: [{type: limit, "
                                                             "joint: slide}]}");
    zvError error = {0};
    assert_int_equal(zv_simulate(scenario, NULL, NULL, &error), ZV_SCHEMA);
    if (!strstr(error.text, "is at 0 and does not leave")) fail_msg("%s", error.text);
    zv_scenario_destroy(scenario);
}

/* Two rods hang against a stop of the elbow; a blow on the shoulder's stop passes through: the elbow takes an impulse
 * or leaves, never goes beyond, and the energy is accounted for. */
static void impulse_through_a_stop(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("stops.csv", name);
    for (int side = -1; side <= 1; side += 2) {
        zvScenario *scenario = scenario_of(
            "{zveno_scenario: 1, model: " TWO_RODS ", gravity: [0, 0, 0], duration: 3, initial: {q: {shoulder: 1.2, "
            "elbow: %g}, v: {shoulder: 1.5}}, joints: {elbow: {spring: {stiffness: 3, rest: %g}}}, events: [{type: "
            "limit, joints: all, action: bounce, restitution: 0.4}], integrator: {rtol: 1e-12, atol: 1e-12}, output: "
            "{every_step: true, channels: [q]}}",
            2.0 * side, 3.0 * side);
        zvRunSummary *summary = run_of(scenario, path);
        uint64_t rows;
        double *q = rows_of(path, "q", &rows, NULL);
        for (uint64_t i = 0; i < 2 * rows; i++) assert_true(fabs(q[i]) <= 2 + 1e-8);
        assert_true(zv_run_events(summary) >= 1);
        assert_named_near("gap", zv_run_ledger_gap(summary) / zv_run_energy_exchanged(summary), 0, 1e-9);
        free(q);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
    remove(path);
}

static bool until(void *context, const zvProgress *now) { return now->t < *(const double *)context; }

/* Broken off while the ball rests, and taken up again: the same to the last bit. */
static void resumes_on_a_stop(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("rest.csv", name);
    zvScenario *scenario = scenario_of("{zveno_scenario: 1, model: " SLIDER(
        BETWEEN(0, 9)) ", duration: 3, gravity: [-10, 0, 0], initial: {q: {slide: 0.2}}, drives: [{type: torque, "
                       "joint: slide, law: {type: polynomial, coefficients: [0, 5]}}], events: [{type: limit, "
                       "joint: slide, action: bounce, restitution: 0.3}], integrator: {method: rk4, step: 0.01}}");
    zvRunSummary *whole = run_of(scenario, NULL), *part = NULL;
    zvError error = {0};
    double stop = 1.5;
    zvRunOptions options = {.output = path, .progress = until, .context = &stop, .progress_interval = 1e-9};
    remove(path);
    assert_int_equal(zv_simulate(scenario, &options, &part, &error), ZV_INTERRUPTED);
    assert_true(zv_run_position(part)[0] == 0 && zv_run_velocity(part)[0] == 0);
    zv_run_summary_destroy(part);
    stop = 9;
    options.resume = true;
    if (zv_simulate(scenario, &options, &part, &error) != ZV_OK) fail_msg("%s", error.text);
    assert_true(zv_run_position(part)[0] == zv_run_position(whole)[0]);
    assert_true(zv_run_velocity(part)[0] == zv_run_velocity(whole)[0]);
    assert_int_equal(zv_run_events(part), zv_run_events(whole));
    zv_run_summary_destroy(part);
    zv_run_summary_destroy(whole);
    zv_scenario_destroy(scenario);
    remove(path);
}

/* A ball falls past a plane and a limit that are only recorded, while a load breaks thrice: each is told once. */
static void passed_is_told_once(void **state) {
    (void)state;
    static const char *const names[] = {"adams", "erk", "rk4"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[2048];
        if (!zv_integration_method_find(names[i])) continue;
        snprintf(text, sizeof text,
                 "{zveno_scenario: 1, model: " SLIDER(
                     BETWEEN(-0.5, 5)) ", duration: 1, gravity: [-10, 0, 0], "
                                       "initial: {q: {slide: 1}}, drives: [{type: torque, joint: slide, law: {type: "
                                       "table, times: [0, 0.6, "
                                       "0.7, 0.8], points: [0, 1, 0, 1]}}], events: [{type: limit, joint: slide}], "
                                       "integrator: {method: %s}}",
                 names[i]);
        zvScenario *scenario = scenario_of(text);
        zvRunSummary *summary = run_of(scenario, NULL);
        assert_true(zv_run_position(summary)[0] < -1);
        assert_int_equal(zv_run_events(summary), 1);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

TESTS(breaks_away_at_the_limit, dips_within_a_step, follower_bounces, rests_on_a_stop, begins_on_a_stop,
      impulse_through_a_stop, resumes_on_a_stop, passed_is_told_once)
