/* What is refused of loops that come and go: when the scenario is read, and when a loop closes where it cannot. */
#include "simulate/capture.h"
#include "simulate/refused_after.h"
#include "support/run_tests.h"

/* One line, then what a case adds from line 2 on. */
#define HEAD "zveno_scenario: 1\nmodel: " CARTS "\nduration: 1\n"

static const RefusedText refused[] = {
    {"events: [{type: time, action: close, loop: hook}]\n", ZV_SCHEMA, 4,
     "expected the key at, found none; add at, the time in s"},
    {"events: [{type: time, at: 2, action: close, loop: hook}]\n", ZV_NUMBER, 4,
     "expected a time between start and end of the run, 0 s and 1 s, found 2"},
    {"events: [{type: time, at: 0.5, action: bounce}]\n", ZV_SCHEMA, 4, "only limits and planes throw back"},
    {"events: [{type: time, at: 0.5, action: close}]\n", ZV_SCHEMA, 4,
     "add loop, the name of the loop that it is about"},
    {"events: [{type: time, at: 0.5, action: close, loop: hok}]\n", ZV_NAME, 4, "did you mean \"hook\"?"},
    {"events: [{type: time, at: 0.5, action: clos, loop: hook}]\n", ZV_SCHEMA, 4, "close"},
    {"events: [{type: time, at: 0.5, action: open, loop: hook}]\n", ZV_SCHEMA, 4,
     "which is open from the start and by no event closed; write initial: {loops: {hook: closed}}, or an event with "
     "action: close"},
    {"initial: {loops: {hook: closed}}\nevents: [{type: time, at: 0.5, action: close, loop: hook}]\n", ZV_SCHEMA, 5,
     "which is closed from the start and by no event opened"},
    {"events: [{type: time, at: 0.5, loop: hook}]\n", ZV_SCHEMA, 4, "expected action: close or open beside it"},
    {"events: [{type: time, at: 0.5, action: open, loop: hook, tolerance: 1}]\n", ZV_SCHEMA, 4,
     "expected action: close beside it"},
    {"events: [{type: time, at: 0.5, action: close, loop: hook, tolerance: 0}]\n", ZV_NUMBER, 4,
     "expected a number above 0, found 0"},
    {"events: [{type: time, at: 0.5, action: close, loop: hook, place: there}]\n", ZV_SCHEMA, 4, "here"},
    {"events: [{type: time, at: 0.5, action: close, loop: hook, restitution: 0.5}]\n", ZV_SCHEMA, 4,
     "expected latch beside it"},
    {"events: [{type: time, at: 0.5, action: close, loop: hook, latch: 0.5}]\n", ZV_SCHEMA, 4,
     "expected a restitution above 0 beside it"},
    {"events: [{type: time, at: 0.5, action: close, loop: hook, restitution: 2}]\n", ZV_NUMBER, 4,
     "expected at most 1, found 2"},
    {"events: [{type: time, at: 0.5, action: open, loop: hook, restitution: 0.5}]\n", ZV_SCHEMA, 4,
     "expected action: bounce beside it"},
    {"initial: {loops: {hok: open}}\n", ZV_NAME, 4, "did you mean \"hook\"?"},
    {"initial: {loops: {hook: ajar}}\n", ZV_SCHEMA, 4, "closed"},
    {"initial: {loops: [hook]}\n", ZV_SCHEMA, 4, "a map from loops to open or closed"},
};

static void refusals(void **state) {
    (void)state;
    expect_refused_after(HEAD, refused, sizeof refused / sizeof *refused);
}

/* A loop of one place only, and one without loops at all. */
static void refused_models(void **state) {
    (void)state;
    static const char *const texts[] = {
        "{zveno_scenario: 1, duration: 1, model: {inline: {links: [{name: g}, {name: a, mass: 1, inertia: [1, 1, 1]}], "
        "joints: [{name: f, type: free, parent: g, child: a}], loops: [{name: pin, type: revolute, parent: g, child: "
        "a, open: true}]}}, events: [{type: time, at: 0.5, action: close, loop: pin, place: here}]}",
        "{zveno_scenario: 1, duration: 1, model: " PENDULUM ", events: [{type: time, at: 0.5, action: close, loop: "
        "pin}]}",
        "{zveno_scenario: 1, duration: 1, model: " PENDULUM ", initial: {loops: {}}}"};
    static const char *const words[] = {"expected model, found here with a loop that has one place only",
                                        "the model has no closed loops", "expected a model with closed loops"};
    for (int i = 0; i < 3; i++) {
        zvScenario *scenario = NULL;
        zvError error = {0};
        assert_true(zv_scenario_read_memory("test", texts[i], strlen(texts[i]), 0, NULL, &scenario, &error) < 0);
        if (!strstr(error.text, words[i])) fail_msg("wanted %s, got %s", words[i], error.text);
    }
}

typedef struct Failure {
    const char *rest; /* of the scenario */
    const char *words[4];
} Failure;

/* The run ends at the event, whose loop is as it was, and says which loop, when, by how much, and what to do. */
static void closes_where_it_cannot(void **state) {
    (void)state;
    static const Failure failures[] = {
        {"initial: {q: {b: 1}, v: {a: 1}}, events: [{name: grab, type: time, at: 0.5, action: close, loop: hook}]",
         {"event \"grab\" cannot close loop \"hook\" at t = 0.5 s", "its gap is 0.5 of the robot's size",
          "its tolerance 0.001", "close the loop as it stands (place: here)"}},
        {"initial: {q: {b: 1}}, events: [{name: grab, type: time, at: 0.5, action: close, loop: hook, place: here}], "
         "drives: [{type: motion, joints: [a, b], law: {type: polynomial, coefficients: [[0, 1], [1, 2]]}}]",
         {"event \"grab\" cannot close loop \"hook\" at t = 0.5 s", "(gap 1.5 of the robot's size)",
          "leave it no motion", "prescribe fewer motions"}}};
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        zvScenario *scenario =
            scenario_of("{zveno_scenario: 1, model: " CARTS ", duration: 1, %s, integrator: {method: rk4, step: "
                        "1e-2}}",
                        failures[i].rest);
        zvRunSummary *summary = NULL;
        zvError error = {0};
        assert_int_equal(zv_simulate(scenario, NULL, &summary, &error), ZV_CLOSURE);
        for (int k = 0; k < 4; k++)
            if (!strstr(error.text, failures[i].words[k]))
                fail_msg("wanted %s, got %s", failures[i].words[k], error.text);
        assert_false(zv_run_loop_is_closed(summary, 0));
        assert_int_equal(zv_run_events(summary), 0);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* An event that finds its loop as it wants it says so. */
static void already(void **state) {
    (void)state;
    zvScenario *scenario = scenario_of(
        "{zveno_scenario: 1, model: " CARTS ", duration: 1, initial: {v: {a: 1, b: 1}, loops: {hook: closed}}, "
        "events: [{type: time, at: 0.2, action: close, loop: hook}, {type: time, at: 0.4, action: open, loop: hook}, "
        "{type: time, at: 0.6, action: open, loop: hook}]}");
    zvRunSummary *summary = run_of(scenario, NULL);
    static const char *const texts[] = {"loop \"hook\" is closed already", "loop \"hook\" opens",
                                        "loop \"hook\" is open already"};
    assert_int_equal(zv_run_events(summary), 3);
    for (int i = 0; i < 3; i++) assert_string_equal(zv_run_event(summary, i).text, texts[i]);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

TESTS(refusals, refused_models, closes_where_it_cannot, already)
