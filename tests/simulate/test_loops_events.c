/* What acts on closed loops and what happens in them: moving rods, dampers and springs of what closes, friction that
 * sticks, limits that throw back, jumps of laws. */
#include "simulate/four_bar.h"
#include "support/run_tests.h"

#define LINKAGE(more) "{zveno_scenario: 1, model: " FOUR_BAR ", " more "}"

/* A weight of 2 kg on a vertical slide hangs on a rod whose length is a law. */
#define HOIST                                                                                                         \
    "{inline: {links: [{name: ground}, {name: load, mass: 2, inertia: [0.1, 0.1, 0.1]}], joints: [{name: slide, "     \
    "type: "                                                                                                          \
    "prismatic, parent: ground, child: load, axis: [0, 0, 1], limits: {lower: -9, upper: 9}}], loops: [{name: rope, " \
    "type: rod, parent: ground, child: load, length: 1}]}}"

static void expect_ledger(const zvRunSummary *summary, double bound) {
    const double exchanged = zv_run_energy_exchanged(summary);
    if (!(fabs(zv_run_ledger_gap(summary)) <= bound * exchanged) || !(exchanged > 0.1))
        fail_msg("ledger: gap %.3g of %.3g J", zv_run_ledger_gap(summary), exchanged);
}

/* Amount of a row, or what counts as such when there is none; NAN: there must be one. */
static double ledger_row_or(const zvRunSummary *summary, const char *name, double missing) {
    for (int i = 0; i < zv_run_ledger_rows(summary); i++) {
        if (strcmp(zv_run_ledger_row(summary, i).name, name) == 0) return zv_run_ledger_row(summary, i).amount;
    }
    if (isnan(missing)) fail_msg("no account %s", name);
    return missing;
}

static double ledger_row(const zvRunSummary *summary, const char *name) { return ledger_row_or(summary, name, NAN); }

/* Its force is m (L'' - g) along the rod, its work that against weight and inertia. */
static void hoist(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("hoist" ZV_RECORDING, name);
    zvScenario *scenario =
        scenario_of("{zveno_scenario: 1, duration: 2, model: " HOIST
                    ", initial: {q: [-0.8]}, drives: [{name: winch, type: motion, loop: rope, law: {type: harmonic, "
                    "amplitude: 0.3, frequency: 4, offset: 1}}], integrator: {method: rk4, step: 1e-3}, output: "
                    "{interval: 0.01, channels: [q, v, forces, power, loop_reactions, loop_coordinates, residual]}}");
    zvRunSummary *summary = run_of(scenario, path);
    uint64_t rows;
    double *q = rows_of(path, "q", &rows, NULL), *v = rows_of(path, "v", &rows, NULL),
           *f = rows_of(path, "forces", &rows, NULL), *p = rows_of(path, "power", &rows, NULL),
           *l = rows_of(path, "loop_coordinates", &rows, NULL);
    for (uint64_t i = 0; i < rows; i++) {
        const double w = 4, t = 0.01 * (double)i, s = 1 + 0.3 * sin(w * t), ds = 0.3 * w * cos(w * t);
        const double force = 2 * (-0.3 * w * w * sin(w * t) - 9.81);
        assert_named_near("height", q[i], -s, 1e-12);
        assert_named_near("length of the rod", l[i], s, 1e-12);
        assert_named_near("speed", v[i], -ds, 1e-11);
        assert_named_near("force of the rope", f[i], force, 1e-9);
        assert_named_near("power", p[i], force * ds, 1e-9);
    }
    expect_ledger(summary, 1e-9);
    free(q);
    free(v);
    free(f);
    free(p);
    free(l);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

/* The rope begins to move at once: an impulse, and the velocity jumps with it. */
static void jerk(void **state) {
    (void)state;
    zvScenario *scenario =
        scenario_of("{zveno_scenario: 1, duration: 1, model: " HOIST
                    ", initial: {q: [-1]}, drives: [{type: motion, loop: rope, law: {type: table, mode: "
                    "linear, times: [0, 0.5, 1.5], points: [1, 1, 0.4]}}], integrator: {method: rk4, "
                    "step: 1e-2}}");
    zvRunSummary *summary = run_of(scenario, NULL);
    assert_named_near("height", zv_run_position(summary)[0], -0.7, 1e-12);
    assert_named_near("speed", zv_run_velocity(summary)[0], 0.6, 1e-12);
    assert_named_near("energy of the jerk", ledger_row(summary, "impacts"), 0.5 * 2 * 0.36, 1e-12);
    expect_ledger(summary, 1e-9);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

/* A four-bar whose coupler grows and shrinks: a rod closes it. */
static void moving_rod(void **state) {
    (void)state;
    static const char *const methods[] = {"rk4, step: 5e-4", "adams, rtol: 1e-10, atol: 1e-10"};
    double end[2] = {0};
    for (int i = 0; i < 2; i++) {
        char method[40];
        snprintf(method, sizeof method, "%.*s", (int)strcspn(methods[i], ","), methods[i]);
        if (!zv_integration_method_find(method)) continue;
        zvScenario *scenario = scenario_of(
            "{zveno_scenario: 1, duration: 1.5, model: {inline: {links: [{name: ground}, {name: crank, mass: 1.2, com: "
            "[0.12, 0, 0], inertia: [0.01, 0.02, 0.02]}, {name: rocker, mass: 1.5, com: [0.3, 0, 0], inertia: [0.01, "
            "0.08, "
            "0.08]}], joints: [{name: crank, type: continuous, parent: ground, child: crank, axis: [0, -1, "
            "0]}, " ROCKER_JOINT(
                "lower: -9, upper: 9") "], loops: [{name: bar, type: rod, parent: crank, child: rocker, origin: "
                                       "{xyz: [0.3, 0, 0]}, child_origin: {xyz: [0.7, 0, 0]}, length: 0.9}]}}, "
                                       "initial: {q: {crank: 1}, v: {crank: "
                                       "2}}, drives: [{name: stretch, type: motion, loop: bar, law: {type: harmonic, "
                                       "amplitude: 0.05, frequency: 9, "
                                       "offset: 0.9}}], integrator: {method: %s}}",
            methods[i]);
        zvRunSummary *summary = run_of(scenario, NULL);
        expect_ledger(summary, i == 0 ? 1e-8 : 1e-6);
        assert_true(fabs(ledger_row(summary, "stretch bar")) > 1e-3);
        end[i] = zv_run_position(summary)[0];
        if (i > 0) assert_named_near("crank", end[i], end[0], 1e-6);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* The ring opened elsewhere: what closes it here with a damper and a spring is a joint of the tree there. */
#define DAMPED "damping: 0.4, spring: {stiffness: 3, rest: -1}"
#define CUT_KNEE \
    "{name: knee, type: revolute, parent: crank, child: tail, axis: [0, -1, 0], origin: {xyz: [0.3, 0, 0]}}"

static void passive_loop(void **state) {
    (void)state;
    static const char *const models[] = {
        "{inline: {" FOUR_BAR_LINKS KNEE_JOINT("") ROCKER_JOINT("lower: -9, upper: 9") CLOSE_LOOP(", " DAMPED) "}}",
        "{inline: {links: [{name: ground}, {name: crank, mass: 1.2, com: [0.12, 0, 0], inertia: [0.01, 0.02, 0.02]}, "
        "{name: "
        "coupler, mass: 2, com: [-0.4, 0, 0], inertia: [0.01, 0.15, 0.15]}, {name: rocker, mass: 1.5, com: [0.3, 0, "
        "0], "
        "inertia: [0.01, 0.08, 0.08]}], joints: [{name: crank, type: continuous, parent: ground, child: crank, axis: "
        "[0, "
        "-1, 0]}, " ROCKER_JOINT("lower: -9, upper: 9") ", {name: " CLOSE "limits: {lower: -9, upper: 9}, " DAMPED
                                                        "}], frames: [{name: tail, link: coupler, pose: {xyz: [-0.9, "
                                                        "0, 0]}}], loops: [" CUT_KNEE "]}}"};
    const Bars b = bars_at(1);
    double end[2][2], lost[2];
    for (int i = 0; i < 2; i++) {
        zvScenario *scenario =
            scenario_of("{zveno_scenario: 1, duration: 2, model: %s, initial: {q: [1, %.17g, %.17g], v: "
                        "{crank: 6}}, integrator: {method: rk4, step: 5e-4}}",
                        models[i], i == 0 ? b.angle[1] - 1 : b.angle[2], i == 0 ? b.angle[2] : b.angle[1] - b.angle[2]);
        zvRunSummary *summary = run_of(scenario, NULL);
        expect_ledger(summary, 1e-8);
        lost[i] = ledger_row(summary, "damper close");
        end[i][0] = zv_run_position(summary)[0];
        end[i][1] = zv_run_velocity(summary)[0];
        assert_true(lost[i] < -0.5 && fabs(ledger_row(summary, "spring close")) > 1e-3);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
    assert_named_near("crank", end[1][0], end[0][0], 1e-7);
    assert_named_near("its speed", end[1][1], end[0][1], 1e-6);
    assert_named_near("what the damper takes", lost[1], lost[0], 1e-7);
}

/* Friction in the rocker's joint brings the machine to rest; its work is its force times the travel. */
static void friction_sticks(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("friction" ZV_RECORDING, name);
    zvScenario *scenario = scenario_of(LINKAGE(
        "duration: 12, initial: {q: {crank: 1}, v: {crank: 4}}, joints: {rocker: {friction: {coulomb: 1.5, stick_slip: "
        "true}}, knee: {friction: {coulomb: 0.3, stick_slip: true}}}, integrator: {method: rk4, step: 1e-3}, output: "
        "{interval: 1e-3, channels: [q, v, residual, forces]}"));
    zvRunSummary *summary = run_of(scenario, path);
    expect_ledger(summary, 1e-7);
    for (int i = 0; i < 3; i++) assert_named_near("at rest", zv_run_velocity(summary)[i], 0, 1e-14);
    uint64_t rows;
    double *q = rows_of(path, "q", &rows, NULL), travel[3] = {0};
    for (uint64_t i = 1; i < rows; i++) {
        for (int k = 0; k < 3; k++) travel[k] += fabs(q[3 * i + (uint64_t)k] - q[3 * (i - 1) + (uint64_t)k]);
    }
    /* rows miss what lies beyond them at each turn: some 1e-6 of the travel */
    assert_named_near("work in the rocker", ledger_row(summary, "friction rocker"), -1.5 * travel[ROCKER],
                      1e-4 * travel[ROCKER]);
    assert_named_near("work in the knee", ledger_row(summary, "friction knee"), -0.3 * travel[KNEE],
                      1e-4 * travel[KNEE]);
    assert_true(zv_run_events(summary) > 2);
    assert_true(zv_run_loop_gap(summary) <= 1e-12 && zv_run_loop_rate(summary) <= 1e-11);
    free(q);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

/* A crank that is led turns the rocker to and fro: friction cannot hold it where it turns back, nor at the start. */
static void friction_is_led(void **state) {
    (void)state;
    static const char *const laws[] = {"{type: polynomial, coefficients: [1, 5]}",
                                       "{type: polynomial, coefficients: [1, 0, 1.5]}"};
    for (int i = 0; i < 2; i++) {
        zvScenario *scenario = scenario_of(
            LINKAGE("duration: 3, drives: [{type: motion, joint: crank, law: %s}], joints: {rocker: {friction: "
                    "{coulomb: 2, stick_slip: true}}}, integrator: {method: rk4, step: 1e-3}"),
            laws[i]);
        zvRunSummary *summary = run_of(scenario, NULL);
        const double turn = zv_run_position(summary)[CRANK] - 1;
        double travel = 0, last = bars_at(1).angle[2];
        for (int k = 1; k <= 100000; k++) {
            const double next = bars_at(1 + turn * k / 1e5).angle[2];
            travel += fabs(next - last);
            last = next;
        }
        assert_named_near("work of friction", ledger_row(summary, "friction rocker"), -2 * travel, 1e-6 * travel);
        expect_ledger(summary, 1e-7);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* One freedom: when the rocker is thrown back all velocities turn, by as much. */
static void limit_bounces(void **state) {
    (void)state;
    static const double restitution[] = {1, 0.5, 0};
    char name[512];
    for (int i = 0; i < 3; i++) {
        const char *path = file_of("bounce" ZV_RECORDING, name);
        zvScenario *scenario =
            scenario_of("{zveno_scenario: 1, duration: 1, model: " FOUR_BAR_OF(
                            "lower: 1.7, upper: 9", "") ", initial: {q: {crank: 1.8}, v: {crank: -3}}, events: [{type: "
                                                        "limit, joint: rocker, action: bounce, restitution: %g}], "
                                                        "integrator: {method: rk4, step: 1e-3}, output: {every_step: "
                                                        "true, channels: [v, residual, energy]}}",
                        restitution[i]);
        zvRunSummary *summary = run_of(scenario, path);
        expect_ledger(summary, 1e-7);
        uint64_t rows;
        double *t = rows_of(path, "time", &rows, NULL), *v = rows_of(path, "v", &rows, NULL);
        int bounces = 0;
        for (uint64_t k = 1; k < rows && bounces == 0; k++) {
            if (t[k] != t[k - 1]) continue;
            bounces++;
            for (uint64_t j = 0; j < 3; j++)
                assert_named_near("velocity after the bounce", v[3 * k + j], -restitution[i] * v[3 * (k - 1) + j],
                                  1e-9);
        }
        assert_int_equal(bounces, 1);
        if (i == 0) /* an impact that takes nothing may have no row */
            assert_named_near("elastic impact", ledger_row_or(summary, "impacts", 0), 0, 1e-9);
        if (i > 0) assert_true(ledger_row(summary, "impacts") < -1e-3);
        assert_true(zv_run_loop_gap(summary) <= 1e-12 && zv_run_loop_rate(summary) <= 1e-11);
        free(t);
        free(v);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* A motion that ends at once takes the others with it by an impulse, as one freedom demands. */
static void law_breaks(void **state) {
    (void)state;
    zvScenario *scenario = scenario_of(
        LINKAGE("duration: 1, drives: [{type: motion, joint: crank, law: {type: table, mode: linear, times: [0, "
                "0.4, 2], points: [1, 2, 1]}}], integrator: {method: rk4, step: 1e-3}"));
    zvRunSummary *summary = run_of(scenario, NULL);
    const double x = zv_run_position(summary)[CRANK];
    const Bars b = bars_at(x);
    assert_named_near("crank", x, 2 - 0.6 / 1.6, 1e-12);
    assert_named_near("rocker", zv_run_velocity(summary)[ROCKER], -b.ratio[2] / 1.6, 1e-11);
    const Bars then = bars_at(2);
    assert_named_near("impact", ledger_row(summary, "impacts"), 0.5 * bars_inertia(&then) * (1 / 1.6 / 1.6 - 2.5 * 2.5),
                      1e-9);
    expect_ledger(summary, 1e-8);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

TESTS(hoist, jerk, moving_rod, passive_loop, friction_sticks, friction_is_led, limit_bounces, law_breaks)
