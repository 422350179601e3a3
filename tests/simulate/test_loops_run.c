/* Runs of a four-bar linkage: its loop stays closed, its motion is that of the closed form, whatever the method. */
#include "simulate/four_bar.h"
#include "support/run_tests.h"
#include "support/sanitized.h"

enum { LONG = SANITIZED ? 10 : 100 }; /* s, a thousand steps each */

#define START "zveno_scenario: 1\nmodel: " FOUR_BAR "\ninitial: {q: {crank: 1}, v: {crank: 6}}\n"

static double largest(const char *path, const char *channel, int entry) {
    uint64_t rows;
    int width;
    double worst = 0, *x = rows_of(path, channel, &rows, &width);
    for (uint64_t i = 0; i < rows; i++) worst = fmax(worst, fabs(x[i * (uint64_t)width + (uint64_t)entry]));
    free(x);
    return worst;
}

/* A hundred thousand steps; rows between steps and at their ends. */
static void long_run(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("four_bar" ZV_RECORDING, name);
    zvScenario *scenario = scenario_of(START "duration: %d\nintegrator: {method: rk4, step: 1e-3}\n"
                                             "output: {interval: 0.0123, channels: [q, v, residual, energy]}\n",
                                       LONG);
    zvRunSummary *summary = run_of(scenario, path);
    assert_int_equal(zv_run_statistics(summary).steps, 1000 * LONG);
    const double gap = largest(path, "residual", 0), rate = largest(path, "residual", 1);
    if (!(gap <= 1e-12 && rate <= 1e-11)) fail_msg("gap %.3g, rate %.3g", gap, rate);
    if (!(zv_run_loop_gap(summary) <= 1e-12 && zv_run_loop_rate(summary) <= 1e-11))
        fail_msg("gap %.3g, rate %.3g", zv_run_loop_gap(summary), zv_run_loop_rate(summary));
    assert_int_equal(zv_run_mobility(summary).freedoms, 1);
    assert_int_equal(zv_run_mobility(summary).redundant, 3);
    assert_non_null(strstr(zv_run_text(summary), "5 conditions, 3 of them redundant"));
    /* energy in closed form; steps_have_order_four tells what is to be expected of it */
    uint64_t rows;
    double *q = rows_of(path, "q", &rows, NULL), *v = rows_of(path, "v", &rows, NULL), worst = 0;
    const double first = bars_energy(q[CRANK], v[CRANK]);
    for (uint64_t i = 0; i < rows; i++) {
        const Bars b = bars_at(q[3 * i]);
        worst = fmax(worst, fabs(bars_energy(q[3 * i], v[3 * i]) - first));
        assert_named_near("rocker", cos(q[3 * i + ROCKER] - b.angle[2]), 1, 1e-12);
        assert_named_near("coupler", sin(q[3 * i + KNEE] + q[3 * i] - b.angle[1]), 0, 1e-11);
        assert_named_near("rate of the rocker", v[3 * i + ROCKER], b.ratio[2] * v[3 * i], 1e-10);
    }
    print_message("gap %.2g, rate %.2g, energy drift %.2g of %.2g J\n", gap, rate, worst, first);
    assert_named_near("energy in closed form", worst, 0, 1e-6);
    assert_named_near("ledger", zv_run_ledger_gap(summary), 0, 1e-6);
    free(q);
    free(v);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

/* Projection keeps the order: what is lost of the energy falls with the fourth power of the step at least. */
static void steps_have_order_four(void **state) {
    (void)state;
    static const double steps[2] = {1e-3, 5e-4};
    char name[512];
    const char *path = file_of("order" ZV_RECORDING, name);
    double lost[2];
    for (int i = 0; i < 2; i++) {
        zvScenario *scenario = scenario_of(START "duration: 4\nintegrator: {method: rk4, step: %g}\n"
                                                 "output: {interval: 0.01, channels: [energy]}\n",
                                           steps[i]);
        zv_run_summary_destroy(run_of(scenario, path));
        lost[i] = largest(path, "energy", 4);
        zv_scenario_destroy(scenario);
    }
    print_message("energy lost: %.2g J and %.2g J\n", lost[0], lost[1]);
    assert_true(lost[1] < lost[0] / 11);
}

static void methods_agree(void **state) {
    (void)state;
    static const struct {
        const char *name, *options;
        double bound;
    } methods[] = {{"rk4", "step: 1e-4", 0},
                   {"adams", "rtol: 1e-10, atol: 1e-10", 1e-6},
                   {"bdf", "rtol: 1e-9, atol: 1e-9", 1e-4},
                   {"erk", "rtol: 1e-10, atol: 1e-10", 1e-6},
                   {"dirk", "rtol: 1e-9, atol: 1e-9", 1e-5},
                   {"rk4", "step: 2e-4", 1e-8},
                   {"euler", "step: 1e-4", 2e-2}};
    char name[512];
    double expected[2] = {0};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const char *method = methods[i].name, *path = file_of("methods" ZV_RECORDING, name);
        if (!zv_integration_method_find(method)) continue;
        zvScenario *scenario = scenario_of(START "duration: 1\nintegrator: {method: %s, %s}\n"
                                                 "output: {interval: 0.013, channels: [q, v, residual]}\n",
                                           method, methods[i].options);
        zvRunSummary *summary = run_of(scenario, path);
        const double x = zv_run_position(summary)[CRANK], v = zv_run_velocity(summary)[CRANK];
        if (i == 0) expected[0] = x, expected[1] = v;
        assert_named_near(method, x, expected[0], methods[i].bound);
        assert_named_near(method, v, expected[1], 10 * methods[i].bound);
        assert_named_near(method, largest(path, "residual", 0), 0, 1e-12);
        assert_named_near(method, largest(path, "residual", 1), 0, 1e-11);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* What draws multistep methods to closed states keeps pace with a machine that turns a thousand times faster; a rate
 * that is given stays. */
static void swift_machine(void **state) {
    (void)state;
    static const char *const loops[] = {"", "loops: {feedback: 10}\n"};
    double gap[2];
    long steps[2];
    if (!zv_integration_method_find("adams")) return;
    for (int i = 0; i < 2; i++) {
        zvScenario *scenario = scenario_of("zveno_scenario: 1\nmodel: " FOUR_BAR
                                           "\ninitial: {q: {crank: 1}, v: {crank: 6000}}\nduration: 0.05\n"
                                           "integrator: {method: adams, rtol: 1e-8, atol: 1e-8}\n%s",
                                           loops[i]);
        const zvRunOptions options = {.accept_energy_error = true};
        zvRunSummary *summary = NULL;
        assert_int_equal(zv_simulate(scenario, &options, &summary, NULL), ZV_OK);
        assert_int_equal(zv_run_energy_judgement(summary), i ? ZV_ENERGY_WRONG : ZV_ENERGY_BALANCED);
        steps[i] = zv_run_statistics(summary).steps;
        gap[i] = fabs(zv_run_ledger_gap(summary)) / bars_energy(1, 6000);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
    print_message("ledger: gap %.2g of the energy in %ld steps, with a slow feedback %.2g\n", gap[0], steps[0], gap[1]);
    assert_true(gap[0] < 1e-8 * (double)steps[0]); /* each with an error of the tolerance at most */
    assert_true(gap[1] > 100 * gap[0]);
}

/* Feedback keeps the drift in bounds, nothing lets it grow. */
static void stabilisation(void **state) {
    (void)state;
    static const char *const stabilizations[] = {"baumgarte, feedback: 20", "none"};
    char name[512];
    double gap[2];
    for (int i = 0; i < 2; i++) {
        const char *path = file_of("stabilized" ZV_RECORDING, name);
        zvScenario *scenario = scenario_of(START "duration: 20\nintegrator: {method: rk4, step: 4e-3}\n"
                                                 "loops: {stabilisation: %s}\noutput: {channels: [residual, energy]}\n",
                                           stabilizations[i]);
        zvRunSummary *summary = run_of(scenario, path);
        gap[i] = largest(path, "residual", 0);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
    print_message("gap with baumgarte %.2g, without %.2g\n", gap[0], gap[1]);
    assert_true(gap[0] > 1e-11 && gap[0] < 1e-5);
    assert_true(gap[1] > 20 * gap[0]);
}

/* Two parallelograms in a row lie on one line at every half turn, where the loops lose rank. The cranks turn as one
 * pendulum: I = 3 (1/12 + 1/4) + 2, I x'' = -3.5 g cos x. */
#define BAR(name) \
    "{name: " name ", mass: 1, com: [0.5, 0, 0], inertia: [1e-6, 0.08333333333333333, 0.08333333333333333]}"
#define PARALLEL                                                                                                      \
    "{inline: {gravity: [0, -9.81, 0], links: [{name: ground}, " BAR("a") ", " BAR("b") ", " BAR("c") ", " BAR(       \
        "d") ", " BAR("e") "], joints: [{name: a, type: continuous, parent: ground, child: a}, {name: b, type: "      \
                           "continuous, parent: ground, child: b, origin: {xyz: [1, 0, 0]}}, {name: c, type: "        \
                           "continuous, parent: ground, child: c, origin: {xyz: [2, 0, 0]}}, {name: d, type: "        \
                           "continuous, parent: a, child: d, origin: {xyz: [1, 0, 0]}}, {name: e, type: continuous, " \
                           "parent: b, child: e, origin: {xyz: [1, 0, 0]}}], loops: [{name: one, type: revolute, "    \
                           "parent: d, child: b, origin: {xyz: [1, 0, 0]}, child_origin: {xyz: [1, 0, 0]}}, {name: "  \
                           "two, type: revolute, parent: e, child: c, origin: {xyz: [1, 0, 0]}, child_origin: {xyz: " \
                           "[1, 0, 0]}}]}}"

static double pendulum_fall(double x) { return -3.5 * 9.81 / 3 * cos(x); }

static void singular_positions(void **state) {
    (void)state;
    static const struct {
        const char *name, *options;
        double bound; /* some thousand times the tolerance: at the top the pendulum is slow, and errors grow */
    } methods[] = {{"rk4", "step: 1e-3", 1e-8},
                   {"adams", "rtol: 1e-9, atol: 1e-9", 1e-5},
                   {"bdf", "rtol: 1e-9, atol: 1e-9", 1e-4},
                   {"erk", "rtol: 1e-9, atol: 1e-9", 1e-5}};
    double x = asin(1), v = -1;
    const double h = 1e-4;
    for (int i = 0; i < 50000; i++) { /* Runge, Kutta and Nystroem */
        const double k1 = pendulum_fall(x), k2 = pendulum_fall(x + h / 2 * v + h * h / 8 * k1),
                     k4 = pendulum_fall(x + h * v + h * h / 2 * k2);
        x += h * v + h * h / 6 * (k1 + 2 * k2);
        v += h / 6 * (k1 + 4 * k2 + k4);
    }
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (!zv_integration_method_find(methods[i].name)) continue;
        zvScenario *scenario = scenario_of(
            "{zveno_scenario: 1, model: " PARALLEL ", duration: 5, initial: {q: {a: 90 deg, b: 90 deg, c: 90 "
            "deg}, guess: {d: -90 deg, e: -90 deg}, v: {a: -1}}, integrator: {method: %s, %s}}",
            methods[i].name, methods[i].options);
        zvRunSummary *summary = run_of(scenario, NULL);
        for (int k = 0; k < 3; k++) {
            assert_named_near(methods[i].name,
                              zv_run_position(summary)[k == 0   ? 0
                                                       : k == 1 ? 2
                                                                : 4],
                              x, methods[i].bound);
        }
        /* where the loops hardly hold a direction its velocity is left as the steps give it */
        assert_true(zv_run_loop_gap(summary) <= 1e-12 && zv_run_loop_rate(summary) <= 1e-7);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* The crank turns as a law wants; the others follow it in closed form, and its torque is that of the reduced inertia.
 */
static void prescribed_crank(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("crank" ZV_RECORDING, name);
    zvScenario *scenario =
        scenario_of("{zveno_scenario: 1, duration: 3, model: " FOUR_BAR
                    ", initial: {q: [0.2, 0.5, 2]}, drives: [{name: motor, type: motion, joint: crank, "
                    "law: {type: polynomial, coefficients: [0.2, 3]}}], integrator: {method: rk4, step: 1e-3}, "
                    "output: {interval: 0.01, channels: [q, v, tau, residual]}}");
    zvRunSummary *summary = run_of(scenario, path);
    uint64_t rows;
    double *q = rows_of(path, "q", &rows, NULL), *v = rows_of(path, "v", &rows, NULL),
           *f = rows_of(path, "tau", &rows, NULL);
    for (uint64_t i = 0; i < rows; i++) {
        const double x = 0.2 + 0.01 * 3 * (double)i, h = 1e-3;
        const Bars b = bars_at(x), up = bars_at(x + h), down = bars_at(x - h);
        assert_named_near("crank", q[3 * i], x, 1e-12);
        assert_named_near("rocker", sin(q[3 * i + ROCKER] - b.angle[2]), 0, 1e-11);
        assert_named_near("rocker's rate", v[3 * i + ROCKER], 3 * b.ratio[2], 1e-10);
        /* tau = I' v^2 / 2 + V' at constant speed; I' by differences */
        const double torque = 0.5 * 9 * (bars_inertia(&up) - bars_inertia(&down)) / (2 * h) + bars_pull(x);
        assert_named_near("torque of the motor", f[3 * i], torque, 1e-4 * (10 + fabs(torque)));
        assert_named_near("rocker's own force", f[3 * i + ROCKER], 0, 1e-12);
    }
    assert_named_near("ledger", zv_run_ledger_gap(summary), 0, 1e-8);
    assert_true(zv_run_energy_exchanged(summary) > 1);
    free(q);
    free(v);
    free(f);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

/* A run in pieces has the same bits. */
static bool stop_soon(void *context, const zvProgress *progress) {
    long *left = context;
    (void)progress;
    return (*left)-- > 0;
}

static void resumed(void **state) {
    (void)state;
    char name[512], like_name[512];
    const char *path = file_of("loop_pieces" ZV_RECORDING, name), *like = file_of("loop_whole" ZV_RECORDING, like_name);
    zvScenario *scenario =
        scenario_of(START "duration: 1\nintegrator: {method: rk4, step: 2e-3}\n"
                          "output: {interval: 0.0071, channels: [q, v, a, loop_reactions, energy]}\n");
    static const char *const channels[] = {"q", "v", "a", "loop_reactions", "energy"};
    remove(path);
    zv_run_summary_destroy(run_of(scenario, like));
    zvStatus status = ZV_INTERRUPTED;
    int pieces = 0;
    for (; status == ZV_INTERRUPTED && pieces < 50; pieces++) {
        long left = 67;
        zvError error = {0};
        zvRunSummary *summary = NULL;
        const zvRunOptions options = {
            .output = path, .resume = pieces > 0, .progress = stop_soon, .context = &left, .progress_interval = 1e-9};
        status = zv_simulate(scenario, &options, &summary, &error);
        if (status < 0) fail_msg("%s", error.text);
        zv_run_summary_destroy(summary);
    }
    assert_true(status == ZV_OK && pieces > 3);
    for (int i = 0; i < 5; i++) {
        uint64_t rows, same;
        int width;
        double *x = rows_of(path, channels[i], &rows, &width), *y = rows_of(like, channels[i], &same, NULL);
        assert_int_equal(rows, same);
        assert_memory_equal(x, y, rows * (uint64_t)width * sizeof *x);
        free(x);
        free(y);
    }
    zv_scenario_destroy(scenario);
}

/* Newton and Euler for the coupler: the reactions of knee and loop make it move. */
static void reactions(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("reactions" ZV_RECORDING, name);
    zvScenario *scenario = scenario_of(START "duration: 0.5\nintegrator: {method: rk4, step: 1e-3}\n"
                                             "output: {interval: 0.01, channels: [q, v, a, reactions, loop_reactions "
                                             "close, loop_coordinates, pose coupler, acceleration coupler]}\n");
    zv_run_summary_destroy(run_of(scenario, path));
    uint64_t rows;
    double *of_joints = rows_of(path, "reactions", &rows, NULL),
           *of_loop = rows_of(path, "loop_reactions close", &rows, NULL), *q = rows_of(path, "q", &rows, NULL),
           *a = rows_of(path, "acceleration coupler", &rows, NULL), *v = rows_of(path, "v", &rows, NULL),
           *qc = rows_of(path, "loop_coordinates", &rows, NULL);
    for (uint64_t i = 0; i < rows; i++) {
        /* Newton for the coupler: knee's reaction, in its axes, and the loop's make its mass move */
        const double angle = q[3 * i] + q[3 * i + KNEE], w = v[3 * i] + v[3 * i + KNEE], c = cos(angle), s = sin(angle);
        const double *f = of_joints + 18 * i + 6, *l = of_loop + 6 * i, *x = a + 6 * i;
        const double turn = -x[4]; /* about -y */
        const double ax = x[0] - centre[1] * (s * turn + c * w * w), az = x[2] + centre[1] * (c * turn - s * w * w);
        assert_named_near("force along x", c * (f[0] + l[0]) - s * (f[2] + l[2]), mass[1] * ax, 1e-9);
        assert_named_near("force along z", s * (f[0] + l[0]) + c * (f[2] + l[2]), mass[1] * (az + 9.81), 1e-9);
        /* about the knee: only the loop's force has an arm beside the weight */
        assert_named_near("moment", B * l[2],
                          (turning[1] + mass[1] * centre[1] * centre[1]) * turn +
                              mass[1] * centre[1] * (c * (x[2] + 9.81) - s * x[0]),
                          1e-9);
        /* the loop's coordinate: the coupler against the rocker */
        assert_named_near("angle of the loop's joint", sin(qc[i] - (angle - q[3 * i + ROCKER])), 0, 1e-12);
    }
    free(of_joints);
    free(of_loop);
    free(q);
    free(a);
    free(v);
    free(qc);
    zv_scenario_destroy(scenario);
}

TESTS(long_run, steps_have_order_four, methods_agree, swift_machine, stabilisation, singular_positions,
      prescribed_crank, resumed, reactions)
