/* Limits of joints: passing them is told with time, joint and amount; stops hold, saturation limits. */
#include "simulate/runs.h"
#include "support/run_tests.h"

#define SLIDE                                                                                                         \
    "{inline: {links: [{name: ground}, {name: a, mass: 1, inertia: [1, 1, 1]}], joints: [{name: slide, type: "        \
    "prismatic, parent: ground, child: a, axis: [0, 0, 1], limits: {lower: -0.1, upper: 0.1, effort: 5, velocity: 1}" \
    "}]}}"
#define G 9.81

static const zvLimitPass *pass_of(const zvRunSummary *summary, const char *joint, zvLimitKind kind) {
    static zvLimitPass found;
    for (int i = 0; i < zv_run_limits(summary); i++) {
        found = zv_run_limit(summary, i);
        if (strcmp(found.joint, joint) == 0 && found.kind == kind) return &found;
    }
    return NULL;
}

static bool is_warned(const zvRunSummary *summary, const char *text) {
    for (int i = 0; i < zv_run_warnings(summary); i++)
        if (strcmp(zv_run_warning(summary, i), text) == 0) return true;
    return false;
}

/* A mass pushed by 200 N: q = a t^2 / 2, v = a t with a = 200 - g. */
static void passed(void **state) {
    (void)state;
    static const char *const methods[] = {"rtol: 1e-10, atol: 1e-10", "method: rk4, step: 1e-3", "method: bdf"};
    const double a = 200 - G, end = 0.5 * a * 4;
    for (int i = 0; i < 3; i++) {
        zvScenario *scenario =
            scenario_of("{zveno_scenario: 1, model: " SLIDE ", duration: 2, drives: [{name: push, type: "
                        "torque, joint: slide, law: 200}], integrator: {%s}}",
                        methods[i]);
        zvRunSummary *summary = run_of(scenario, NULL);
        assert_int_equal(zv_run_limits(summary), 3);
        assert_int_equal(zv_run_warnings(summary), 3);
        const zvLimitPass *p = pass_of(summary, "slide", ZV_LIMIT_POSITION);
        assert_named_near("excess", p->excess, end - 0.1, 1e-4 * end);
        assert_named_near("value", p->value, end, 1e-4 * end);
        assert_named_near("first", p->first, sqrt(0.2 / a), 1e-6);
        assert_named_near("furthest", p->t, 2, 0);
        assert_true(is_warned(summary, p->text) && strstr(zv_run_text(summary), p->text) != NULL);
        p = pass_of(summary, "slide", ZV_LIMIT_VELOCITY);
        assert_named_near("first", p->first, 1 / a, 1e-6);
        assert_named_near("excess", p->excess, 2 * a - 1, 1e-4 * a);
        p = pass_of(summary, "slide", ZV_LIMIT_EFFORT);
        assert_true(p->first == 0 && p->value == 200 && p->excess == 195 && !p->saturated);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* Two drives that ask for 300 - 100 N give 5 N together, in proportion; the works add up. */
static void saturated(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("saturated.csv", name);
    zvScenario *scenario = scenario_of(
        "{zveno_scenario: 1, model: " SLIDE ", duration: 2, effort: saturate, drives: [{name: up, type: torque, joint: "
        "slide, law: 300}, {name: down, type: torque, joint: slide, law: -100}], output: "
        "{channels: [tau, forces]}}");
    zvRunSummary *summary = run_of(scenario, path);
    const zvLimitPass *p = pass_of(summary, "slide", ZV_LIMIT_EFFORT);
    assert_true(p && p->saturated && p->value == 200 && !is_warned(summary, p->text));
    assert_named_near("q", zv_run_position(summary)[0], 0.5 * (5 - G) * 4, 1e-7);
    assert_int_equal(zv_run_energy_judgement(summary), ZV_ENERGY_BALANCED);
    uint64_t rows;
    double *tau = rows_of(path, "tau", &rows, NULL), *forces = rows_of(path, "forces", &rows, NULL);
    assert_named_near("tau", tau[0], 5, 1e-14);
    assert_named_near("up", forces[0], 7.5, 1e-14);
    assert_named_near("down", forces[1], -2.5, 1e-14);
    free(tau);
    free(forces);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
    remove(path);
}

/* Behind a gear it is the motor that gives no more than the limit: the rotor alone is turned by it. */
static void saturated_motor(void **state) {
    (void)state;
    zvScenario *scenario =
        scenario_of("{zveno_scenario: 1, model: " SLIDE
                    ", gravity: [0, 0, 0], duration: 1, joints: {slide: {effort: saturate, flexible: "
                    "{stiffness: 1e4, inertia: 1, damping: 10}}}, drives: [{name: push, type: torque, "
                    "joint: slide, law: 80}]}");
    zvRunSummary *summary = run_of(scenario, NULL);
    /* both masses of 1 kg together: 5 N / 2 kg but for the vibration of the gear */
    assert_named_near("v", zv_run_velocity(summary)[0], 2.5, 0.03);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

/* The integral of a controller does not wind up behind the saturation: without it the force would leave the limit late.
 */
static void controllers_know(void **state) {
    (void)state;
    double q[2];
    for (int i = 0; i < 2; i++) {
        zvScenario *scenario = scenario_of("{zveno_scenario: 1, model: " SLIDE
                                           ", gravity: [0, 0, 0], duration: 3, %s drives: [{name: hold, type: pid, "
                                           "joint: slide, kp: 40, ki: 20, kd: 12, reference: 0.5%s}]}",
                                           i ? "" : "effort: saturate,", i ? ", limit: model" : "");
        zvRunSummary *summary = run_of(scenario, NULL);
        q[i] = zv_run_position(summary)[0];
        const zvLimitPass *p = pass_of(summary, "slide", ZV_LIMIT_EFFORT);
        assert_true(p && p->saturated && p->limit == 5 && !is_warned(summary, p->text));
        assert_named_near("what the controller asks for at first", p->value, 40 * 0.5, 1e-9);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
    assert_named_near("the same as limit: model", q[0], q[1], 1e-7);
}

/* A limit of the controller itself cuts off what nobody would see otherwise, also where the model has none. */
static void own_limits_are_told(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        zvScenario *scenario = scenario_of("{zveno_scenario: 1, model: %s, gravity: [0, 0, 0], duration: 1, drives: "
                                           "[{name: hold, type: pd, joint: slide, kp: 40, kd: 12, reference: 0.2, "
                                           "limit: 2}]}",
                                           i ? SLIDE
                                             : "{inline: {links: [{name: ground}, {name: a, mass: 1, inertia: [1, 1, "
                                               "1]}], joints: [{name: slide, type: prismatic, parent: ground, child: "
                                               "a, axis: [0, 0, 1]}]}}");
        zvRunSummary *summary = run_of(scenario, NULL);
        const zvLimitPass *p = pass_of(summary, "slide", ZV_LIMIT_EFFORT);
        assert_true(p && p->saturated && p->limit == 2 && p->first == 0 && !is_warned(summary, p->text));
        assert_named_near("asked for", p->value, 8, 1e-12);
        assert_non_null(strstr(p->text, "asked for 8 N, beyond their own limit of 2 N by 6 N"));
        assert_non_null(strstr(zv_run_text(summary), p->text));
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* limits: stop holds the joint at its limit; a joint may be left out, and one that follows a law is not stopped. */
static void stops(void **state) {
    (void)state;
    static const struct {
        const char *keys;
        double end;
    } cases[] = {{"limits: stop", 0.1},
                 {"limits: stop, joints: {slide: {limits: ignore}}", 0.5 * (20 - G) * 4},
                 {"joints: {slide: {limits: stop}}", 0.1}};
    for (int i = 0; i < 3; i++) {
        zvScenario *scenario =
            scenario_of("{zveno_scenario: 1, model: " SLIDE ", duration: 2, %s, drives: [{name: push, "
                        "type: torque, joint: slide, law: 20}]}",
                        cases[i].keys);
        zvRunSummary *summary = run_of(scenario, NULL);
        assert_named_near(cases[i].keys, zv_run_position(summary)[0], cases[i].end, 1e-7);
        assert_true((pass_of(summary, "slide", ZV_LIMIT_POSITION) != NULL) == (i == 1));
        assert_int_equal(zv_run_events(summary), i != 1);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
    zvScenario *scenario =
        scenario_of("{zveno_scenario: 1, model: " SLIDE
                    ", duration: 1, limits: stop, effort: saturate, drives: [{name: lead, type: motion, "
                    "joint: slide, law: {type: polynomial, coefficients: [0, 0, 0.2]}}]}");
    zvRunSummary *summary = run_of(scenario, NULL);
    const zvLimitPass *p = pass_of(summary, "slide", ZV_LIMIT_POSITION);
    assert_named_near("led beyond", p->excess, 0.1, 1e-12);
    p = pass_of(summary, "slide", ZV_LIMIT_EFFORT);
    assert_named_near("force of the motion", p->value, G + 0.4, 1e-10);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

/* A follower has limits of its own: it moves by -3 q + 0.05. */
static void followers(void **state) {
    (void)state;
    zvScenario *scenario = scenario_of(
        "{zveno_scenario: 1, model: {inline: {links: [{name: ground}, {name: a, mass: 1, inertia: [1, 1, 1]}, {name: "
        "b, "
        "mass: 1, inertia: [1, 1, 1]}], joints: [{name: lead, type: prismatic, parent: ground, child: a, axis: [1, 0, "
        "0]}, {name: led, type: prismatic, parent: ground, child: b, axis: [1, 0, 0], limits: {lower: -0.1, upper: 1, "
        "velocity: 0.5}, mimic: {joint: lead, ratio: -3, offset: 0.05}}]}}, duration: 1, drives: [{name: lead, type: "
        "motion, joint: lead, law: {type: polynomial, coefficients: [0, 0.1, 0.1]}}]}");
    zvRunSummary *summary = run_of(scenario, NULL);
    assert_int_equal(zv_run_limits(summary), 2);
    const zvLimitPass *p = pass_of(summary, "led", ZV_LIMIT_POSITION);
    assert_named_near("position", p->value, -3 * 0.2 + 0.05, 1e-12);
    assert_named_near("limit", p->limit, -0.1, 0);
    p = pass_of(summary, "led", ZV_LIMIT_VELOCITY);
    assert_named_near("velocity", p->value, -0.9, 1e-12);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

/* Recorded, resumed, and refused where there is nothing to act on. */
static bool stop_early(void *context, const double *row) {
    (void)context;
    return row[0] < 1;
}

static void kept(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("limits.csv", name);
    zvScenario *scenario =
        scenario_of("{zveno_scenario: 1, model: " SLIDE ", duration: 2, drives: [{name: push, type: torque, "
                    "joint: slide, law: {type: harmonic, amplitude: 20, offset: 9.81, frequency: 2}}]}");
    zvRunSummary *summary = NULL, *whole = run_of(scenario, NULL);
    zvRunOptions options = {.output = path, .restart = true, .row = stop_early};
    assert_int_equal(zv_simulate(scenario, &options, &summary, NULL), ZV_INTERRUPTED);
    zv_run_summary_destroy(summary);
    options = (zvRunOptions){.output = path, .resume = true};
    assert_int_equal(zv_simulate(scenario, &options, &summary, NULL), ZV_OK);
    for (int k = ZV_LIMIT_POSITION; k <= ZV_LIMIT_EFFORT; k++) {
        const zvLimitPass a = *pass_of(whole, "slide", (zvLimitKind)k), b = *pass_of(summary, "slide", (zvLimitKind)k);
        assert_named_near("first", b.first, a.first, 0.02); /* efforts are seen at the ends of steps */
        assert_named_near("excess", b.excess, a.excess, 0.02 * a.excess);
    }
    zvRecording *recording = NULL;
    assert_int_equal(zv_recording_open(path, &recording, NULL), ZV_OK);
    bool told = false;
    for (int i = 0; i < zv_recording_notes(recording); i++) {
        const zvNote note = zv_recording_note(recording, i);
        told |= strcmp(note.name, "warnings") == 0 && strstr(note.text, zv_run_warning(summary, 0));
    }
    assert_true(told);
    zv_recording_destroy(recording);
    zv_run_summary_destroy(summary);
    zv_run_summary_destroy(whole);
    zv_scenario_destroy(scenario);
    remove(path);
}

static void refused(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"effort: saturate",
         "effort of the scenario: expected an effort limit in the model, found none; add limits: {effort} there"},
        {"limits: stop",
         "limits of the scenario: expected limits in the model, found none; add limits: {lower, upper} there"},
        {"joints: {slide: {effort: cut}}", "ignore"}};
    for (int i = 0; i < 3; i++) {
        char text[1024];
        zvError error = {0};
        zvScenario *scenario = NULL;
        snprintf(text, sizeof text, "{zveno_scenario: 1, model: " FALLING ", duration: 1, %s}", cases[i][0]);
        assert_true(zv_scenario_read_memory("test", text, strlen(text), 0, NULL, &scenario, &error) < 0);
        if (!strstr(error.text, cases[i][1])) fail_msg("%s", error.text);
    }
}

TESTS(passed, saturated, saturated_motor, controllers_know, own_limits_are_told, stops, followers, kept, refused)
