/* Scenarios of models with closed loops: initial states that are assembled, controllers, channels, and what is
 * refused. */
#include "simulate/four_bar.h"
#include "simulate/refused_after.h"
#include "support/run_tests.h"

#include "simulate/scenario.h"

/* One line, then what a case adds from line 2 on. */
#define HEAD "zveno_scenario: 1\nmodel: " FOUR_BAR "\n"

static const RefusedText refused[] = {
    {"duration: 1\nintegrator: {method: newmark, iteration: mass}\n", ZV_SCHEMA, 4,
     "expected reduced or full of a model with closed loops"},
    {"duration: 1\ninitial: {q: {crank: 1, rocker: 3}}\n", ZV_CLOSURE, 4, "loop \"close\" cannot close: nearest gap"},
    {"duration: 1\ninitial: {q: {crank: 1, rocker: 3}}\n", ZV_CLOSURE, 4, "(held: crank, rocker)"},
    {"duration: 1\ninitial: {q: [1, 0, 0], assemble: false}\n", ZV_CLOSURE, 4, "write assemble: true"},
    {"duration: 1\ninitial: {q: {crank: 1}, v: {crank: 1, rocker: 1}}\n", ZV_CLOSURE, 4,
     "expected initial velocities that agree with the closed loops"},
    {"duration: 1\ndrives: [{type: operational_space, frame: coupler, kp: 1, route: {type: line, to: {xyz: [1, 0, 0]}, "
     "duration: 1}}]\n",
     ZV_NOT_SUPPORTED, 4, "expected a model without closed loops, found 1"},
    {"duration: 1\ndrives: [{type: motion, joints: all, law: {type: line, frame: coupler, to: {xyz: [1, 0, 0]}, "
     "duration: "
     "1}}]\n",
     ZV_NOT_SUPPORTED, 4, "expected a model without closed loops, which inverse kinematics does not know, found some"},
    {"duration: 1\ndrives: [{type: computed_torque, kp: 9}]\n", ZV_CLOSURE, 4,
     "expected at most 1 driven freedoms, as many as the closed loops leave, found 3"},
    {"duration: 1\ndrives: [{name: g, type: gravity_compensation}, {name: h, type: pd, joint: crank, kp: 1, gravity: "
     "true}]\n",
     ZV_SCHEMA, 4, "\"h\": expected joints whose gravity no other drive compensates, found \"crank\""},
    {"duration: 1\ninitial: {q: {knee: 0}, guess: {crank: 0.62, rocker: 1.6}}\ndrives: [{type: gravity_compensation, "
     "joint: rocker}]\n",
     ZV_CLOSURE, 5, "cannot hold their closed loops at rest"},
    {"duration: 1\ndrives: [{type: motion, loop: close, law: 0}]\n", ZV_SCHEMA, 4, "write driven: true in the model"},
    {"duration: 1\ndrives: [{type: motion, loop: closed, law: 0}]\n", ZV_NAME, 4, "did you mean \"close\"?"},
    {"duration: 1\ndrives: [{type: motion, loop: close, joint: crank, law: 0}]\n", ZV_SCHEMA, 4,
     "expected a loop or joints, found both"},
    {"duration: 1\ninitial: {q: {crank: 1}, v: {crank: 2}}\ndrives: [{type: motion, joint: crank, law: {type: "
     "polynomial, coefficients: [1, 3]}}]\n",
     ZV_NUMBER, 5, "to begin with its initial velocity 2, found it with 3"},
    {"duration: 1\nloops: {stabilisation: magic}\n", ZV_SCHEMA, 4, "baumgarte"},
    {"duration: 1\nloops: {feedback: -1}\n", ZV_NUMBER, 4,
     "feedback of loops: expected a number of at least 0, found -1"},
    {"duration: 1\noutput: {channels: [loop_reactions clos]}\n", ZV_NAME, 4, "did you mean \"close\"?"},
};

static void refusals(void **state) {
    (void)state;
    expect_refused_after(HEAD, refused, sizeof refused / sizeof *refused);
}

/* Of a robot without loops. */
static void strangers(void **state) {
    (void)state;
    static const RefusedText cases[] = {
        {"loops: {stabilisation: none}}", ZV_SCHEMA, 1, "expected a model with closed loops, found one without"},
        {"initial: {assemble: true}}", ZV_SCHEMA, 1, "expected a model with closed loops, found one without"},
        {"initial: {guess: {pivot: 1}}}", ZV_SCHEMA, 1, "expected a model with closed loops, found one without"},
        {"drives: [{type: motion, loop: x, law: 0}]}", ZV_NAME, 1, "the model has no closed loops"},
        {"output: {channels: [residual]}}", ZV_SCHEMA, 1, "the robot has no closed loops"},
        {"output: {channels: [loop_reactions]}}", ZV_SCHEMA, 1, "the robot has no closed loops"},
    };
    expect_refused_after("{zveno_scenario: 1, duration: 1, model: " PENDULUM ", ", cases, sizeof cases / sizeof *cases);
}

/* A list of all velocities is a guess: the motion and the loop decide. */
static void guessed_velocities(void **state) {
    (void)state;
    zvScenario *scenario = scenario_of(HEAD "duration: 0.01\ninitial: {q: {crank: 1}, v: [2, 7, 7]}\ndrives: [{type: "
                                            "motion, joint: crank, law: {type: polynomial, coefficients: [1, 3]}}]\n"
                                            "integrator: {method: rk4, step: 0.001}\n");
    const Bars b = bars_at(1);
    assert_near(scenario->v[CRANK], 3, 0);
    assert_near(scenario->v[ROCKER], 3 * b.ratio[ROCKER], 1e-9);
    zv_scenario_destroy(scenario);
}

/* Two motions of a machine with one freedom: contradictory where they begin, or later. */
static void over_prescribed(void **state) {
    (void)state;
    const Bars b = bars_at(1);
    char text[4096];
    int size = snprintf(text, sizeof text,
                        HEAD "duration: 1\ndrives: [{name: one, type: motion, joint: crank, law: {type: polynomial, "
                             "coefficients: [1, 1]}}, {name: two, type: motion, joint: rocker, law: 3}]\n");
    zvScenario *scenario = NULL;
    zvError error = {0};
    assert_int_equal(zv_scenario_read_memory("test", text, (size_t)size, 0, NULL, &scenario, &error), ZV_CLOSURE);
    assert_non_null(strstr(error.text, "cannot close"));
    assert_non_null(strstr(error.text, "held: crank, rocker"));
    static const char *const methods[] = {"rk4", "auto", "adams", "erk", "bdf"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (!zv_integration_method_find(methods[i])) continue;
        /* closed and at rest at the start */
        scenario =
            scenario_of(HEAD "duration: 1\nintegrator: {method: %s}\ninitial: {q: [1, %.17g, %.17g]}\n"
                             "drives: [{type: motion, joint: crank, law: {type: polynomial, coefficients: [1, 0, 0, "
                             "0.5]}}, {name: two, type: motion, joint: rocker, law: %.17g}]\n",
                        methods[i], b.angle[1] - 1, b.angle[2], b.angle[2]);
        zvRunSummary *summary = NULL;
        const zvStatus status = zv_simulate(scenario, NULL, &summary, &error);
        if (status != ZV_CLOSURE) fail_msg("%s: %d, %s", methods[i], status, error.text);
        assert_non_null(strstr(error.text, "loops cannot"));
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* A link without mass at the end of a branch, held by a loop alone. */
static void massless_end(void **state) {
    (void)state;
    static const char text[] =
        "{zveno_scenario: 1, duration: 1, model: {inline: {" FOUR_BAR_LINKS KNEE_JOINT("") ROCKER_JOINT(
            "lower: -9, upper: 9") ", {name: pin, type: continuous, parent: rocker, child: feather, origin: {xyz: "
                                   "[0.2, 0, 0]}, axis: [0, -1, 0]}" CLOSE_LOOP(
                                       "}, {name: hook, type: spherical, parent: ground, child: feather, origin: "
                                       "{xyz: [1, 0, 0]}, child_origin: {xyz: [0.2, 0, 0]}") "}}, initial: {q: "
                                                                                             "{crank: 1}, v: {crank: "
                                                                                             "3}}}";
    char whole[4096];
    const char *cut = strstr(text, "links: [") + strlen("links: [");
    const int size = snprintf(whole, sizeof whole, "%.*s{name: feather}, %s", (int)(cut - text), text, cut);
    zvScenario *scenario = NULL;
    zvError error = {0};
    const zvStatus status = zv_scenario_read_memory("test", whole, (size_t)size, 0, NULL, &scenario, &error);
    if (status != ZV_SINGULAR) fail_msg("%d: %s", status, error.text);
    assert_non_null(strstr(error.text, "a massless part that moves freely (links without mass: feather)"));
    assert_non_null(strstr(error.text, "cut the loop at another joint, or give that part mass"));
    assert_null(scenario);
}

/* The angle between coupler and rocker is driven past what the bars allow, A + D = 1.3 between their far ends: steps
 * that choose their length creep up to it. */
static void out_of_reach(void **state) {
    (void)state;
    static const char *const methods[] = {"rk4", "adams", "bdf", "erk", "auto"};
    /* 1.69 = B^2 + C^2 - 2 B C cos(x), law 1.2 + t or its mirror image */
    const double last = acos((B * B + C * C - 1.69) / (2 * B * C)) - 1.2;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (!zv_integration_method_find(methods[i])) continue;
        zvScenario *scenario =
            scenario_of("{zveno_scenario: 1, duration: 2, model: " FOUR_BAR_OF(
                            "lower: -9, upper: 9", ", driven: true") ", initial: {guess: {crank: 1, rocker: 2}}, "
                                                                     "drives: [{type: motion, loop: close, law: {type: "
                                                                     "polynomial, coefficients: [-1.2, -1]}}], "
                                                                     "integrator: {method: %s}}",
                        methods[i]);
        zvRunSummary *summary = NULL;
        zvError error = {0};
        const zvStatus status = zv_simulate(scenario, NULL, &summary, &error);
        if (status != ZV_CLOSURE) fail_msg("%s: %d, %s", methods[i], status, error.text);
        const char *at = strstr(error.text, "the loops cannot stay closed at t = ");
        assert_non_null(at);
        assert_named_near(error.text, strtod(at + strlen("the loops cannot stay closed at t = "), NULL), last, 0.02);
        assert_non_null(strstr(error.text, "loop \"close\" cannot close: nearest gap"));
        /* stretched: crank and ground in line, the crank's end on the far side */
        const char *crank = strstr(error.text, ", crank = ");
        assert_non_null(crank);
        assert_named_near(error.text, fabs(cos(strtod(crank + strlen(", crank = "), NULL))), 1, 0.02);
        assert_true(zv_run_statistics(summary).steps < 20000); /* it does not grind */
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* Names hold, lists are guesses; velocities follow. */
static void assembled(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("assembled" ZV_RECORDING, name);
    uint64_t rows;
    zvScenario *scenario = scenario_of(
        HEAD "duration: 0.01\ninitial: {q: {crank: 1}, v: {rocker: 1}}\nintegrator: {method: rk4}\n"
             "drives: [{type: pd, joint: rocker, kp: 1}]\noutput: {channels: [q, v, reference, residual]}\n");
    zv_run_summary_destroy(run_of(scenario, path));
    double *q = rows_of(path, "q", &rows, NULL), *v = rows_of(path, "v", &rows, NULL),
           *r = rows_of(path, "reference", &rows, NULL);
    const Bars b = bars_at(1);
    assert_named_near("crank", q[CRANK], 1, 0);
    assert_named_near("rocker", q[ROCKER], b.angle[2], 1e-12);
    assert_named_near("rocker's rate", v[ROCKER], 1, 0);
    assert_named_near("crank's rate", v[CRANK], 1 / b.ratio[2], 1e-10);
    assert_named_near("where the drive holds it", r[ROCKER], q[ROCKER], 0);
    free(q);
    free(v);
    free(r);
    zv_scenario_destroy(scenario);
}

/* The guess decides which assembly it is. */
static void guesses(void **state) {
    (void)state;
    const Bars up = bars_at(1), mirrored = bars_at(-1); /* knee down at 1 is knee up at -1, mirrored */
    const double rockers[2] = {up.angle[2], -mirrored.angle[2]};
    for (int i = 0; i < 2; i++) {
        zvScenario *scenario = scenario_of(HEAD "duration: 1e-9\ninitial: {q: {crank: 1}, guess: {rocker: %g}}\n"
                                                "integrator: {method: rk4, step: 1e-9}\n",
                                           i == 0 ? 1.5 : -2.);
        zvRunSummary *summary = run_of(scenario, NULL);
        assert_named_near("rocker", zv_run_position(summary)[ROCKER], rockers[i], 1e-12);
        assert_named_near("crank", zv_run_position(summary)[CRANK], 1, 1e-12);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* Computed torque on the crank: its error decays as the gains say, e'' + 4 e' + 4 e = 0. */
static void computed_torque(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("control" ZV_RECORDING, name);
    zvScenario *scenario =
        scenario_of(HEAD "duration: 2\ninitial: {q: {crank: 1}}\nintegrator: {method: rk4, step: 2e-3}\n"
                         "drives: [{type: computed_torque, joint: crank, kp: 4, kd: 4, reference: {type: "
                         "polynomial, coefficients: [1.2, 2]}}]\noutput: {channels: [q, tau]}\n");
    zvRunSummary *summary = run_of(scenario, path);
    uint64_t rows;
    double *q = rows_of(path, "q", &rows, NULL), *f = rows_of(path, "tau", &rows, NULL);
    for (uint64_t i = 0; i < rows; i++) {
        const double t = 0.01 * (double)i, e = exp(-2 * t) * (0.2 + (2 + 2 * 0.2) * t);
        assert_named_near("crank", q[3 * i], 1.2 + 2 * t - e, 1e-9);
        assert_named_near("others are not driven", fabs(f[3 * i + KNEE]) + fabs(f[3 * i + ROCKER]), 0, 0);
    }
    assert_named_near("ledger", zv_run_ledger_gap(summary), 0, 1e-8);
    free(q);
    free(f);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

/* The crank alone carries the weight of all: by dV/dx in closed form; also as a term of a pd drive, and in all joints.
 */
static void gravity_compensation(void **state) {
    (void)state;
    static const char *const drives[] = {"{type: gravity_compensation, joint: crank}", "{type: gravity_compensation}",
                                         "{type: pd, joint: crank, kp: 0.1, gravity: true}"};
    char name[512];
    for (int i = 0; i < 3; i++) {
        const char *path = file_of("weight" ZV_RECORDING, name);
        zvScenario *scenario =
            scenario_of(HEAD "duration: 1\ninitial: {q: {crank: 1}}\nintegrator: {method: rk4, step: "
                             "0.01}\ndrives: [%s]\noutput: {channels: [q, v, tau]}\n",
                        drives[i]);
        zvRunSummary *summary = run_of(scenario, path);
        uint64_t rows;
        double *f = rows_of(path, "tau", &rows, NULL);
        if (i != 1) assert_named_near("torque", f[CRANK], bars_pull(1), 1e-7);
        assert_named_near("stays", zv_run_position(summary)[CRANK], 1, 1e-11);
        for (int k = 0; k < 3; k++) assert_named_near("at rest", zv_run_velocity(summary)[k], 0, 1e-11);
        free(f);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* A motor with a gear behind the crank begins with its spring stretched by the weight of the whole machine. */
static void motor_equilibrium(void **state) {
    (void)state;
    zvScenario *scenario = scenario_of(
        HEAD
        "duration: 0.2\ninitial: {q: {crank: 1}, motors: equilibrium}\nintegrator: {method: rk4, step: 1e-3}\njoints: "
        "{crank: {flexible: {stiffness: 500, inertia: 1e3}}}\ndrives: [{type: gravity_compensation, joint: crank}]\n");
    zvRunSummary *summary = run_of(scenario, NULL);
    assert_named_near("stays", zv_run_position(summary)[CRANK], 1, 1e-10);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

static void channels(void **state) {
    (void)state;
    ziArena arena = {0};
    zvError error = {0};
    zvChannel c;
    zvScenario *scenario = scenario_of(HEAD "duration: 1\n");
    assert_int_equal(zi_channel_describe(scenario, (ziChannelSpec){ZI_CHANNEL_RESIDUAL, -1}, &arena, &c, &error),
                     ZV_OK);
    assert_int_equal(c.width, 2);
    assert_string_equal(c.labels[0], "close.gap");
    assert_string_equal(c.units[1], "1/s");
    assert_int_equal(zi_channel_describe(scenario, (ziChannelSpec){ZI_CHANNEL_LOOP_REACTIONS, 0}, &arena, &c, &error),
                     ZV_OK);
    assert_string_equal(c.name, "loop_reactions close");
    assert_string_equal(c.labels[5], "mz");
    assert_string_equal(c.units[5], "N m");
    assert_int_equal(
        zi_channel_describe(scenario, (ziChannelSpec){ZI_CHANNEL_LOOP_COORDINATES, -1}, &arena, &c, &error), ZV_OK);
    assert_string_equal(c.labels[0], "close");
    assert_string_equal(c.unit, "rad");
    zi_arena_free(&arena);
    zv_scenario_destroy(scenario);
}

TESTS(refusals, strangers, guessed_velocities, over_prescribed, massless_end, out_of_reach, assembled, guesses,
      computed_torque, gravity_compensation, motor_equilibrium, channels)
