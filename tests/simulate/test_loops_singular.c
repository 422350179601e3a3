/* Runs through singular positions of loops: errors near those of a pendulum without loops at the same tolerance, the
 * same for both choices of the parent, in as many steps as a smooth motion needs; and what is said where the branch is
 * open. */
#define _POSIX_C_SOURCE 200809L
#include "simulate/singular_runs.h"
#include "support/run_tests.h"
#include "support/sanitized.h"

static const double span = 3; /* s */

static void errors_follow_the_tolerance(void **state) {
    (void)state;
    static const Mechanism mechanisms[] = {{"four-bar", FOUR_BARS, 1, 0, 0, false},
                                           {"two four-bars", FOUR_BARS, 2, 0, 0, false},
                                           {"unequal cranks", UNEQUAL, 1, 0, 0, false}};
    static const Run runs[] = {{"method: adams, rtol: 1e-10, atol: 1e-10", 3e-8, 600},
                               {"method: adams, rtol: 1e-12, atol: 1e-12", 1e-9, 2000},
                               {"method: erk, order: 5, rtol: 1e-11, atol: 1e-11", 1e-9, 1000},
                               {"method: erk, order: 8, rtol: 1e-10, atol: 1e-10", 2e-10, 100},
                               {"method: erk, order: 8, rtol: 1e-12, atol: 1e-12", 5e-10, 400},
                               {"method: bdf, rtol: 1e-10, atol: 1e-10", 2e-7, 1500},
                               {"method: rk4, step: 2e-3", 1e-9, 1500}};
    for (size_t i = 0; i < sizeof mechanisms / sizeof *mechanisms; i++) {
        for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) expect_passage(&mechanisms[i], &runs[k], span);
    }
}

/* Its motion is swifter: at each end of the slider's way the inertia falls to a tenth. */
static void slider_crank(void **state) {
    (void)state;
    static const Mechanism slider = {"slider-crank", SLIDER_CRANK, 1, 0, 0, false};
    static const Run runs[] = {{"method: rk4, step: 1e-3", 2e-8, 3000},
                               {"method: erk, order: 8, rtol: 1e-10, atol: 1e-10", 2e-9, 400},
                               {"method: adams, rtol: 1e-10, atol: 1e-10", 3e-7, 4000}};
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) expect_passage(&slider, &runs[k], span);
}

/* Where links turn harder than bars, conditions are weak over a larger part of the motion; rounding, not the angle,
 * tells where they are too weak. Starts and speeds are those of the bars. */
static void heavy_at_the_ends(void **state) {
    (void)state;
    static const Mechanism mechanisms[] = {{"slider-crank, 3 times a bar", SLIDER_CRANK, 1, 2, 0, false},
                                           {"slider-crank, 12 times", SLIDER_CRANK, 1, 11, 0, false},
                                           {"slider-crank, 100 times", SLIDER_CRANK, 1, 99, 0, false},
                                           {"four-bar, 12 times", FOUR_BARS, 1, 11, 0, false},
                                           {"four-bar, 100 times", FOUR_BARS, 1, 99, 0, false},
                                           {"unequal cranks, 12 times", UNEQUAL, 1, 11, 0, false}};
    static const Run runs[] = {{"method: auto, rtol: 1e-8, atol: 1e-8", 1e-7, 400},
                               {"method: auto, rtol: 1e-10, atol: 1e-10", 1e-8, 600},
                               {"method: adams, rtol: 1e-10, atol: 1e-10", 3e-7, 4000},
                               {"method: erk, order: 5, rtol: 1e-10, atol: 1e-10", 1e-8, 2000}};
    for (size_t i = 0; i < sizeof mechanisms / sizeof *mechanisms; i++) {
        for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) expect_passage(&mechanisms[i], &runs[k], span);
    }
}

/* A four-bar whose coupler is longer than its other bars by `longer`. */
static zvScenario *beside(double longer, int swapped, const char *integrator) {
    char keys[1600];
    const char *bar = "mass: 1, com: [0.5, 0, 0], inertia: [1e-6, 0.083333333333333333, 0.083333333333333333]";
    const char *ends[2] = {
        "parent: coupler, child: rocker, origin: {xyz: [%.17g, 0, 0]}, child_origin: {xyz: [1, 0, 0]}",
        "parent: rocker, child: coupler, origin: {xyz: [1, 0, 0]}, child_origin: {xyz: [%.17g, 0, 0]}"};
    char loop[160];
    snprintf(loop, sizeof loop, ends[swapped], 1 + longer);
    snprintf(
        keys, sizeof keys,
        "{zveno_scenario: 1, duration: 1.5, integrator: {%s}, model: {inline: {zveno: 1, name: beside, "
        "gravity: [0, -9.81, 0], links: [{name: ground}, {name: crank, %s}, {name: rocker, %s}, {name: coupler, %s}], "
        "joints: [{name: pivot, type: continuous, parent: ground, child: crank}, "
        "{name: other, type: continuous, parent: ground, child: rocker, origin: {xyz: [1, 0, 0]}}, "
        "{name: pin, type: continuous, parent: crank, child: coupler, origin: {xyz: [1, 0, 0]}}], "
        "loops: [{name: close, type: revolute, %s}]}}, "
        "initial: {q: {pivot: pi/2}, v: {pivot: -1}, guess: {other: pi/2, pin: -pi/2}}}",
        integrator, bar, bar, bar, loop);
    zvScenario *scenario = NULL;
    zvError error = {0};
    if (zv_scenario_read_memory("beside", keys, strlen(keys), 0, NULL, &scenario, &error) != ZV_OK)
        fail_msg("%s", error.text);
    return scenario;
}

/* Lengths as drawings round them: the mechanism goes by beside the singular position and turns off sharply. References:
 * the three angles with multipliers in quadruple precision by Runge and Kutta's method, 60000, 240000 and 960000 steps.
 * What an error of the position does to the turn grows as one over the root of the excess. */
static void almost_singular(void **state) {
    (void)state;
    static const struct {
        double longer, angle;
    } cases[] = {{1e-3, 2.818350262335}, {1e-4, 2.781167794785}, {1e-5, 2.770408655604}, {1e-6, 2.767103453814}};
    static const Run runs[] = {{"method: auto, rtol: 1e-8, atol: 1e-8", 1e-8, 400},
                               {"method: auto, rtol: 1e-10, atol: 1e-10", 1e-10, 600},
                               {"method: erk, order: 5, rtol: 1e-10, atol: 1e-10", 1e-9, 2000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t k = 0; k < 2 * sizeof runs / sizeof *runs; k++) {
            zvScenario *scenario = beside(cases[i].longer, k % 2, runs[k / 2].integrator);
            zvRunSummary *summary = run_of(scenario, NULL);
            const double off = zv_run_position(summary)[0] - cases[i].angle;
            const double grown = runs[k / 2].bound / sqrt(cases[i].longer);
            const long steps = zv_run_statistics(summary).steps;
            if (!(fabs(off) <= grown && steps <= runs[k / 2].steps))
                fail_msg("%g longer, %s, parent %zu: error %.2g, %ld steps", cases[i].longer, runs[k / 2].integrator,
                         k % 2, off, steps);
            zv_run_summary_destroy(summary);
            zv_scenario_destroy(scenario);
        }
    }
}

static void forty_in_a_row(void **state) {
    (void)state;
    static const Mechanism row = {"forty four-bars", FOUR_BARS, SANITIZED ? 12 : 40, 0, 0, false};
    static const Run runs[] = {{"method: adams, rtol: 1e-9, atol: 1e-9", 1e-6, 1000},
                               {"method: erk, order: 8, rtol: 1e-9, atol: 1e-9", 2e-8, 150},
                               {"method: erk, order: 8, rtol: 1e-11, atol: 1e-11", 1e-10, 250},
                               {"method: auto, rtol: 1e-11, atol: 1e-11", 1e-10, 500}};
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) expect_passage(&row, &runs[k], span);
}

/* The run must end with one warning that has all parts in it. */
static void expect_warning(zvScenario *scenario, const char *const *parts) {
    zvRunSummary *summary = run_of(scenario, NULL);
    assert_int_equal(zv_run_warnings(summary), 1);
    const char *text = zv_run_warning(summary, 0);
    for (; *parts; parts++)
        if (!strstr(text, *parts)) fail_msg("\"%s\" is not in: %s", *parts, text);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

/* Without projection a singular position is passed with a warning that names loop, time and position. */
static void without_projection(void **state) {
    (void)state;
    static const char *const parts[] = {"singular position", "loop \"close0\"", "t = 0.3",
                                        "pivot1 = ",         "projection",      NULL};
    static const char *const stabilisations[] = {"none", "baumgarte"};
    static const Mechanism four_bar = {"unequal cranks", UNEQUAL, 1, 0, 0, false};
    for (int i = 0; i < 2; i++) {
        char keys[128];
        zvError error = {0};
        snprintf(keys, sizeof keys, "duration: 0.5, loops: {stabilisation: %s}, integrator: {method: rk4, step: 1e-3}",
                 stabilisations[i]);
        zvScenario *scenario = mechanism_scenario(&four_bar, false, keys, &error);
        if (!scenario) fail_msg("%s", error.text);
        expect_warning(scenario, parts);
    }
}

/* A parallelogram at rest whose crank is led. */
static zvScenario *led(const char *law, double crank, double duration, const char *integrator) {
    char text[1600];
    const char *bar = "mass: 1, com: [0.5, 0, 0], inertia: [1e-6, 0.1, 0.1]";
    snprintf(text, sizeof text,
             "{zveno_scenario: 1, duration: %g, integrator: {%s}, drives: [{type: motion, joint: a, law: %s}], model: "
             "{inline: {gravity: [0, -9.81, 0], links: [{name: ground}, {name: a, %s}, {name: b, %s}, {name: d, %s}], "
             "joints: [{name: a, type: continuous, parent: ground, child: a}, {name: b, type: continuous, parent: "
             "ground, child: b, origin: {xyz: [1, 0, 0]}}, {name: d, type: continuous, parent: a, child: d, origin: "
             "{xyz: [1, 0, 0]}}], loops: [{name: one, type: revolute, parent: d, child: b, origin: {xyz: [1, 0, 0]}, "
             "child_origin: {xyz: [1, 0, 0]}}]}}, initial: {guess: {b: %g, d: %g}}}",
             duration, integrator, law, bar, bar, bar, crank, -crank);
    return scenario_of(text);
}

static int place_of(const zvScenario *scenario, const char *joint) {
    const zvModel *model = zv_scenario_model(scenario);
    return zv_model_joint_place(model, zv_model_find_joint(model, joint)).q_index;
}

/* A crank that is led through one: steps of equal length end in it to the last bit, and so does the beginning of a run.
 * Where nothing but the crank is looked at, the other links could turn on the spot there. */
static void led_into_one(void **state) {
    (void)state;
    static const struct {
        const char *law, *integrator;
        double crank, bound; /* at the beginning; of the error of the other crank */
        long steps;
    } cases[] = {{"{type: polynomial, coefficients: [1, -2]}", "method: rk4, step: 1e-3", 1, 1e-10, 1001},
                 {"{type: polynomial, coefficients: [1, -2]}", "method: rk4, step: 0.05", 1, 1e-6, 21},
                 {"{type: polynomial, coefficients: [0, -1]}", "method: rk4, step: 1e-3", 0, 1e-10, 1001},
                 {"{type: polynomial, coefficients: [0, -1]}", "method: auto", 0, 1e-6, 12}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        zvScenario *scenario = led(cases[i].law, cases[i].crank, 1, cases[i].integrator);
        zvRunSummary *summary = run_of(scenario, NULL);
        const double off = zv_run_position(summary)[place_of(scenario, "b")] + 1;
        const long steps = zv_run_statistics(summary).steps;
        if (!(fabs(off) <= cases[i].bound && steps <= cases[i].steps))
            fail_msg("%s, %s: error %.2g, %ld steps", cases[i].law, cases[i].integrator, off, steps);
        assert_int_equal(zv_run_warnings(summary), 0);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* A crank that rests in one lets the others fall, and cannot be led on: the failure says where the machine was. */
static void led_out_of_it(void **state) {
    (void)state;
    zvScenario *scenario =
        led("{type: sequence, parts: [{duration: 0.5, law: 0}, {type: polynomial, coefficients: [0, 0, "
            "-1]}]}",
            0, 1, "method: rk4, step: 1e-3");
    zvRunSummary *summary = NULL;
    zvError error = {0};
    assert_int_equal(zv_simulate(scenario, NULL, &summary, &error), ZV_CLOSURE);
    static const char *const parts[] = {"t = 0.5 s", "the position before it: loop \"one\", a = 0 rad", "b = -"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(error.text, parts[i])) fail_msg("\"%s\" is not in: %s", parts[i], error.text);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

/* A crank that is held in one, or led out of it from rest: that is told, whatever the method, and a failure names it.
 */
static void led_from_rest(void **state) {
    (void)state;
    static const char *const parts[] = {
        "singular position", "several motions go on", "loop \"one\"", "t = 0 s", "a = 0 rad", NULL};
    static const char *const methods[] = {"method: auto", "method: rk4, step: 1e-3", "method: newmark, step: 1e-3"};
    for (int i = 0; i < 3; i++) {
        expect_warning(led("0", 0, 0.02, methods[i]), parts);
        zvScenario *scenario = led("{type: quintic, from: 0, to: 1, duration: 2}", 0, 2, methods[i]);
        zvRunSummary *summary = NULL;
        zvError error = {0};
        assert_int_equal(zv_simulate(scenario, NULL, &summary, &error), ZV_CLOSURE);
        for (const char *const *part = parts; *part; part++)
            if (!strstr(error.text, *part)) fail_msg("%s: \"%s\" is not in: %s", methods[i], *part, error.text);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* Two cranks and a rod in one line, at rest. */
static zvScenario *begun(const char *gravity, const char *loops, const char *integrator) {
    return scenario_of(
        "{zveno_scenario: 1, duration: 0.1, model: {inline: {gravity: %s, links: [{name: ground}, {name: a, mass: 1, "
        "com: [0.5, 0, 0], inertia: [1e-6, 0.1, 0.1]}, {name: b, mass: 1, com: [0.5, 0, 0], inertia: [1e-6, 0.1, "
        "0.1]}, {name: d, mass: 1, com: [0.5, 0, 0], inertia: [1e-6, 0.1, 0.1]}], joints: [{name: a, type: continuous, "
        "parent: ground, child: a}, {name: b, type: continuous, parent: ground, child: b, origin: {xyz: [1, 0, 0]}}, "
        "{name: d, type: continuous, parent: a, child: d, origin: {xyz: [1, 0, 0]}}], loops: [{name: one, type: "
        "revolute, parent: d, child: b, origin: {xyz: [1, 0, 0]}, child_origin: {xyz: [1, 0, 0]}}]}}, %s integrator: "
        "{%s}}",
        gravity, loops, integrator);
}

/* The run must come to its end and fail there with all parts in the error. */
static void expect_refusal(zvScenario *scenario, const char *what, double end, const char *const *parts) {
    zvRunSummary *summary = NULL;
    zvError error = {0};
    const zvStatus status = zv_simulate(scenario, NULL, &summary, &error);
    if (status != ZV_SINGULAR) fail_msg("%s: ended with %d", what, (int)status);
    for (; *parts; parts++)
        if (!strstr(error.text, *parts)) fail_msg("%s: \"%s\" is not in: %s", what, *parts, error.text);
    assert_true(zv_run_is_over(summary) && zv_run_time(summary) == end);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

/* A mechanism that begins in one at rest could go either way: where it stays nothing is lost, where it moves on the run
 * fails at its end, unless any way will do. */
static void begun_in_one(void **state) {
    (void)state;
    static const char *const parts[] = {"nothing tells which", "loop \"one\"", "t = 0 s", "a = 0 rad", NULL};
    static const char *const told[] = {"one of several", "loop \"one\"", "t = 0 s", "a = 0 rad", "branch: any", NULL};
    static const char *const methods[] = {"method: auto", "method: rk4, step: 1e-3", "method: newmark, step: 1e-3"};
    for (int i = 0; i < 3; i++) {
        expect_warning(begun("[0, 0, 0]", "", methods[i]), parts);
        expect_warning(begun("[0, -9.81, 0]", "loops: {branch: any},", methods[i]), parts);
        expect_refusal(begun("[0, -9.81, 0]", "", methods[i]), methods[i], 0.1, told);
    }
}

/* A linkage of models/ with the sides of its loop exchanged, or as it is. */
static zvScenario *linkage(const char *name, const char *hinge, const char *initial) {
    char path[1024], line[1024], other[512];
    snprintf(path, sizeof path, ZV_SOURCE_DIR "/models/%s.yaml", name);
    FILE *from = fopen(path, "r"), *to = fopen(file_of("linkage.yaml", other), "w");
    bool found = false;
    assert_true(from && to);
    while (fgets(line, sizeof line, from)) {
        const bool loop = hinge && strstr(line, "- {name: hinge,");
        fputs(loop ? hinge : line, to);
        found |= loop;
    }
    assert_true(fclose(from) == 0 && fclose(to) == 0 && found == (hinge != NULL));
    return scenario_of("{zveno_scenario: 1, model: \"%s\", duration: 0.5, %s}", other, initial);
}

/* Linkages of two freedoms that begin in one line: several motions go on from there, whichever side of the loop is the
 * parent. Begun a little beside it the parallelogram has one, the same for both. */
static void begun_in_line(void **state) {
    (void)state;
    static const char *const told[] = {"one of several", "loop \"hinge\"", "t = 0 s", "motor1 = 0 rad", NULL};
    static const char *const linkages[][2] = {
        {"parallelogram", "  - {name: hinge, type: revolute, parent: arm4, child: arm3, origin: {xyz: [0.25, 0, 0]}, "
                          "child_origin: {xyz: [0.3, 0, 0]}}\n"},
        {"five_bar", "  - {name: hinge, type: revolute, parent: arm4, child: arm3, origin: {xyz: [0.35, 0, 0]}, "
                     "child_origin: {xyz: [0.4, 0, 0]}}\n"}};
    for (int i = 0; i < 2; i++) {
        for (int swapped = 0; swapped < 2; swapped++) {
            const char *hinge = swapped ? linkages[i][1] : NULL;
            expect_refusal(linkage(linkages[i][0], hinge, "initial: {}"), linkages[i][0], 0.5, told);
        }
    }
    double ends[2];
    for (int swapped = 0; swapped < 2; swapped++) {
        zvScenario *scenario = linkage("parallelogram", swapped ? linkages[0][1] : NULL,
                                       "integrator: {rtol: 1e-10, atol: 1e-10}, initial: {q: {motor1: 0.1}, guess: "
                                       "{elbow3: 0.1, elbow4: -0.1}}");
        zvRunSummary *summary = run_of(scenario, NULL);
        assert_int_equal(zv_run_warnings(summary), 0);
        ends[swapped] = zv_run_position(summary)[0];
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
    assert_near(ends[0], ends[1], 1e-6);
}

/* Of two five-bars the one in line, begun at rest, is named, and not the one whose links are held less well. */
static void one_of_two_in_line(void **state) {
    (void)state;
    static const char *const ends[] = {
        "parent: far%d, child: near%d, origin: {xyz: [0.4, 0, 0]}, child_origin: {xyz: [0.35, 0, 0]}",
        "parent: near%d, child: far%d, origin: {xyz: [0.35, 0, 0]}, child_origin: {xyz: [0.4, 0, 0]}"};
    static const char *const initial[] = {"a1: 0.3, b1: 1.9, na1: 1.3331944848078541, fb1: -1.3723553439819326",
                                          "a0: 0.3, b0: 1.9, na0: 1.3331944848078541, fb0: -1.3723553439819326"};
    for (int k = 0; k < 4; k++) {
        const int in_line = k / 2;
        char links[2000] = "", joints[2000] = "", loops[800] = "", side[256], name[32], what[32];
        for (int i = 0; i < 2; i++) {
            snprintf(links + strlen(links), sizeof links - strlen(links),
                     ", {name: A%d, mass: 2, com: [0.15, 0, 0], inertia: [2e-4, 0.016, 0.016]}, {name: near%d, mass: "
                     "2.2, com: [0.16, 0, 0], inertia: [2e-4, 0.024, 0.024]}, {name: B%d, mass: 1.5, com: [0.12, 0, "
                     "0], inertia: [2e-4, 0.009, 0.009]}, {name: far%d, mass: 1.8, com: [0.2, 0, 0], inertia: [2e-4, "
                     "0.026, 0.026]}",
                     i, i, i, i);
            snprintf(joints + strlen(joints), sizeof joints - strlen(joints),
                     "%s{name: a%d, type: continuous, parent: ground, child: A%d}, {name: na%d, type: continuous, "
                     "parent: A%d, child: near%d, origin: {xyz: [0.3, 0, 0]}}, {name: b%d, type: continuous, parent: "
                     "ground, child: B%d}, {name: fb%d, type: continuous, parent: B%d, child: far%d, origin: {xyz: "
                     "[0.25, 0, 0]}}",
                     i ? ", " : "", i, i, i, i, i, i, i, i, i, i);
            snprintf(side, sizeof side, ends[k % 2], i, i);
            snprintf(loops + strlen(loops), sizeof loops - strlen(loops), "%s{name: hinge%d, type: revolute, %s}",
                     i ? ", " : "", i, side);
        }
        zvScenario *scenario = scenario_of(
            "{zveno_scenario: 1, duration: 0.1, model: {inline: {zveno: 1, gravity: [0, -9.81, 0], links: [{name: "
            "ground}%s], joints: [%s], loops: [%s]}}, initial: {q: {%s}}}",
            links, joints, loops, initial[in_line]);
        snprintf(name, sizeof name, "loop \"hinge%d\"", in_line);
        snprintf(what, sizeof what, "%d in line, parent %d", in_line, k % 2);
        expect_refusal(scenario, what, 0.1, (const char *const[]){"one of several", name, "t = 0 s", NULL});
    }
}

static bool stop_at_half(void *context, const double *row) {
    (void)context;
    return row[0] < 0.05;
}

/* What a run saw before it was interrupted counts when it goes on. */
static void begun_and_resumed(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("begun.csv", name);
    zvScenario *scenario = begun("[0, -9.81, 0]", "", "method: rk4, step: 1e-3");
    zvRunSummary *summary = NULL;
    zvRunOptions options = {.output = path, .restart = true, .row = stop_at_half};
    assert_int_equal(zv_simulate(scenario, &options, &summary, NULL), ZV_INTERRUPTED);
    zv_run_summary_destroy(summary);
    options = (zvRunOptions){.output = path, .resume = true};
    zvError error = {0};
    assert_int_equal(zv_simulate(scenario, &options, &summary, &error), ZV_SINGULAR);
    if (!strstr(error.text, "t = 0 s, a = 0 rad")) fail_msg("%s", error.text);
    assert_int_equal(zv_run_warnings(summary), 1);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

TESTS(errors_follow_the_tolerance, slider_crank, heavy_at_the_ends, almost_singular, forty_in_a_row, without_projection,
      led_into_one, led_out_of_it, led_from_rest, begun_in_one, begun_in_line, one_of_two_in_line, begun_and_resumed)
