/* Newmark, generalised alpha and energy-momentum on closed loops: order two on a rigid and an elastic four-bar, the
 * published slider-crank with an elastic rod, the iteration matrix against differences, balances, drift of long runs,
 * pieces of runs, loops that are open or led, and what is said where they cannot stay closed. */
#include "simulate/four_bar.h"
#include "simulate/structural_runs.h"
#include "simulate/system.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"
#include "support/sanitized.h"

enum { MOST = STRUCTURAL_MOST };

/* The four-bar with a coupler that bends in its plane, vibrations of 180 and 800 rad/s; damping: of the material. */
#define BEAM(damping)                                                                                              \
    "{name: coupler, beam: {length: 0.9, material: {E: 7e10, poisson: 0.3, density: 2700}, section: {box: [0.03, " \
    "0.012]}, shapes: cubic, modes: {z: 2}, " damping "}}"
#define ELASTIC_FOUR_BAR(base, damping)                                                                             \
    "{inline: {" base "links: [{name: ground, mass: 2, com: [0.4, 0, 0], inertia: [0.1, 0.3, 0.3]}, {name: crank, " \
    "mass: 1.2, com: [0.12, 0, 0], inertia: [0.01, 0.02, 0.02]}, " BEAM(                                            \
        damping) ", {name: rocker, mass: 1.5, com: [0.3, 0, 0], inertia: [0.01, 0.08, 0.08]}], joints: [{name: "    \
                 "crank, type: continuous, parent: ground, child: crank, axis: [0, -1, 0]}, " KNEE_JOINT("")        \
                     ROCKER_JOINT("lower: -9, upper: 9") CLOSE_LOOP("") "}}"
#define SWINGING "initial: {q: {crank: 1}, v: {crank: 3}, assemble: true}"

/* Iterations by both matrices, both damped and undamped formulas, the explicit one. */
static void rigid_order(void **state) {
    (void)state;
    const char *text = "model: " FOUR_BAR ", duration: 1.1, initial: {q: {crank: 1}, v: {crank: 6}}";
    double wanted[MOST];
    end_of(text, "method: rk4, step: 1e-4", wanted, NULL);
    for (int i = 0; i < METHODS; i++) expect_second_order(text, 3, methods[i], 5e-4, 2e-3, wanted);
}

static void elastic_order(void **state) {
    (void)state;
    const char *text = "model: " ELASTIC_FOUR_BAR("", "damping: {ratio: 0.02}") ", duration: 0.4, " SWINGING;
    double wanted[MOST];
    end_of(text, "method: rk4, step: 5e-5", wanted, NULL);
    for (int i = 0; i < METHODS; i++) expect_second_order(text, 5, methods[i], 2e-4, 1e-3, wanted);
}

/* A rod whose length follows a law, and a motor with a flexible gear in the crank: targets and states besides. */
static void led_order(void **state) {
    (void)state;
    const char *text = "model: {inline: {" FOUR_BAR_LINKS KNEE_JOINT("")
        ROCKER_JOINT("lower: -9, upper: 9") "], loops: [{name: "
                                            "close, type: rod, parent: rocker, child: coupler, origin: {xyz: [0.7, 0, "
                                            "0]}, child_origin: {xyz: [0.9, 0, "
                                            "0]}, length: 0.2}]}}, duration: 0.5, initial: {q: {crank: 1}, guess: "
                                            "{knee: -0.6, rocker: 1.7}, motors: "
                                            "equilibrium}, joints: {crank: {flexible: {stiffness: 5e3, damping: 2, "
                                            "inertia: 1e-3, ratio: 20}}}, drives: "
                                            "[{type: motion, loop: close, law: {type: harmonic, offset: 0.2, "
                                            "amplitude: 0.05, hertz: 1, phase: 0.25}}]";
    double wanted[MOST];
    end_of(text, "method: rk4, step: 5e-5", wanted, NULL);
    for (int i = 0; i < METHODS; i++) expect_second_order(text, 3, methods[i], 5e-4, 2e-3, wanted);
}

/* Simeon's slider-crank in the version of the Test Set for IVP Solvers, at t = 0.1 s: angle of the rod, slider, the two
 * lateral and two axial coordinates of the rod. The lateral ones are resolved by steps of 0.1 ms, the axial ones, of
 * 2e4 rad/s, by none of these: they follow the forces. */
static void published_crank(void **state) {
    (void)state;
    static const double rod = -0.331173498825626, slider = 0.169737332642,
                        elastic[4] = {1.893192899613509e-4, 2.375751249879174e-5, -5.323896770569702e-6,
                                      -8.363313279112129e-6};
    static const struct {
        const char *integrator;
        double angle, lateral, axial;
    } runs[] = {{"{method: generalized-alpha, step: 1e-4}", 1e-7, 2e-6, 1e-7},
                {"{method: generalized-alpha, step: 5e-5}", 5e-8, 5e-7, 5e-8},
                {"{method: newmark, step: 1e-5}", 2e-8, 2e-8, 3e-8},
                {"{method: energy-momentum, step: 1e-5}", 2e-8, 2e-8, 3e-8}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char change[100];
        const char *const changes[1] = {change};
        zvScenario *scenario = NULL;
        zvError error = {0};
        snprintf(change, sizeof change, "integrator=%s", runs[i].integrator);
        if (zv_scenario_read_file(ZV_SOURCE_DIR "/tests/oracle/scenarios/crank.yaml", 1, changes, &scenario, &error) <
            0)
            fail_msg("%s", error.text);
        zvRunSummary *summary = run_of(scenario, NULL);
        const double *q = zv_run_position(summary); /* shaft, pin, rod, slide */
        assert_named_near("angle", q[0] + q[1], rod, runs[i].angle);
        assert_named_near("slider", q[6], slider, runs[i].angle);
        for (int k = 0; k < 4; k++)
            assert_named_near("elastic", q[2 + k], elastic[k], k < 2 ? runs[i].lateral : runs[i].axial);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* S^-1 r against differences of what the corrector makes zero: at rest without weight S is exact. */
static void iteration_matrix(void **state) {
    (void)state;
    rtRandom random = {45};
    zvScenario *scenario = scenario_of("{zveno_scenario: 1, gravity: [0, 0, 0], duration: 1, model: " ELASTIC_FOUR_BAR(
        "", "damping: {ratio: 0.05}") ", initial: {q: {crank: 1}}, joints: {rocker: {damping: 20}}}");
    zvError error = {0};
    ziSystem *system = zi_system_create(scenario, &error);
    double y[MOST], moved[MOST], z[MOST], r[MOST], x[MOST], high[MOST], low[MOST], a[MOST] = {0};
    assert_non_null(system);
    if (zi_system_begin(system, y, &error) < 0) fail_msg("%s", error.text);
    const zvOde ode = zi_system_ode(system);
    const zvStructure *s = ode.structure;
    for (int n = 0; n < 20; n++) {
        const double h = rt_decades(&random, -4, -1), damping = 0.6 * h, stiffness = 0.3 * h * h;
        double most = 0;
        rt_vector(&random, 1, s->nv, r);
        assert_int_equal(s->residual(ode.context, 0, y, a, high, z), 0);
        assert_int_equal(s->reduced(ode.context, 0, y, damping, stiffness, 0, r, x), 0);
        for (int i = 0; i < s->nv; i++) most = fmax(most, fabs(x[i]));
        for (int side = 0; side < 2; side++) {
            const double e = (side ? -1e-6 : 1e-6) / (most * fmax(1e-3, damping));
            double now[MOST], there[MOST];
            for (int i = 0; i < s->nv; i++) {
                moved[i] = e * stiffness * x[i];
                there[i] = e * x[i];
            }
            memcpy(now, y, (size_t)ode.size * sizeof *now);
            s->move(ode.context, y, moved, now);
            for (int i = 0; i < s->nv; i++) now[s->nq + i] += e * damping * x[i];
            assert_int_equal(s->residual(ode.context, 0, now, there, side ? low : high, z), 0);
            for (int i = 0; i < s->nv; i++) (side ? low : high)[i] /= 2 * fabs(e);
        }
        for (int i = 0; i < s->nv; i++) {
            const double found = high[i] - low[i];
            if (!(fabs(found - r[i]) <= 1e-4)) fail_msg("seed 45, h %g, row %d: %.9g, not %.9g", h, i, found, r[i]);
        }
    }
    zi_system_destroy(system);
    zv_scenario_destroy(scenario);
}

static double gap_of(const char *text, const char *integrator) {
    zvScenario *scenario = scenario_of("{zveno_scenario: 1, integrator: {%s}, %s}", integrator, text);
    zvRunSummary *summary = run_of(scenario, NULL);
    const double gap = fabs(zv_run_ledger_gap(summary)) / zv_run_energy_exchanged(summary);
    assert_true(zv_run_loop_gap(summary) <= 1e-12 && zv_run_loop_rate(summary) <= 1e-11);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
    return gap;
}

/* Energy-momentum balances the ledger to rounding at any step, rigid and elastic; newmark by the square of the step. */
static void ledgers(void **state) {
    (void)state;
    static const char *const texts[] = {
        "model: " FOUR_BAR ", duration: 3, initial: {q: {crank: 1}, v: {crank: 6}}, joints: {rocker: {damping: 0.05}}",
        "model: " ELASTIC_FOUR_BAR("", "damping: {ratio: 0.01}") ", duration: 3, " SWINGING
                                                                 ", drives: [{type: torque, joint: crank, law: {type: "
                                                                 "harmonic, amplitude: 3, hertz: 1}}]"};
    for (int i = 0; i < 2; i++) {
        const double exact = gap_of(texts[i], "method: energy-momentum, step: 5e-3"),
                     fine = gap_of(texts[i], "method: energy-momentum, step: 1e-3"),
                     coarse = gap_of(texts[i], "method: newmark, step: 2e-3"),
                     half = gap_of(texts[i], "method: newmark, step: 1e-3");
        print_message("ledger: %.1e, %.1e; newmark %.1e, %.1e\n", exact, fine, coarse, half);
        assert_true(exact < 1e-11 && fine < 1e-11 && coarse > 1e-7 && half < coarse);
    }
}

/* A floating frame carries the four-bar: momenta and energy stay. */
static void floating(void **state) {
    (void)state;
    zvScenario *scenario = scenario_of("{zveno_scenario: 1, gravity: [0, 0, 0], duration: 2, model: " ELASTIC_FOUR_BAR(
        "base: free, ", "damping: {ratio: 0}") ", initial: {q: {crank: 1}, v: {root_joint: [0.1, 0.2, 0, 0.3, 1, "
                                               "-0.2], crank: 6}}, integrator: "
                                               "{method: energy-momentum, step: 5e-3}}");
    const zvModel *model = zv_scenario_model(scenario);
    zvError error = {0};
    zvWork *work = zv_work_create(model, &error);
    zvRunSummary *summary = run_of(scenario, NULL);
    double p[2][6], c[3], kinetic, potential;
    const double *q[2] = {scenario->q, zv_run_position(summary)}, *v[2] = {scenario->v, zv_run_velocity(summary)};
    double energy[2];
    for (int k = 0; k < 2; k++) {
        zv_energy(model, work, q[k], v[k], &kinetic, &potential);
        energy[k] = kinetic + zv_strain_energy(model, q[k]);
        zv_momentum(model, work, q[k], v[k], p[k], c);
    }
    assert_named_near("energy", energy[1], energy[0], 1e-10 * energy[0]);
    for (int i = 0; i < 6; i++) assert_named_near("momentum", p[1][i], p[0][i], 1e-10);
    assert_true(fabs(q[1][8] - q[0][8]) > 0.1);
    zv_run_summary_destroy(summary);
    zv_work_destroy(work);
    zv_scenario_destroy(scenario);
}

/* Twenty thousand steps: the loop stays closed, and the energy of a conservative linkage stays, in closed form. */
static void long_run(void **state) {
    (void)state;
    enum { STEPS = SANITIZED ? 2000 : 20000 };
    static const char *const words[] = {"newmark", "generalized-alpha, rho: 1", "energy-momentum"};
    for (int i = 0; i < 3; i++) {
        zvScenario *scenario = scenario_of("{zveno_scenario: 1, model: " FOUR_BAR
                                           ", duration: %g, initial: {q: {crank: 1}, v: {crank: 6}}, integrator: "
                                           "{method: %s, step: 2e-3}, output: {rate: 10}}",
                                           2e-3 * STEPS, words[i]);
        zvRunSummary *summary = run_of(scenario, NULL);
        const double *q = zv_run_position(summary), *v = zv_run_velocity(summary);
        const double first = bars_energy(1, 6), drift = fabs(bars_energy(q[CRANK], v[CRANK]) / first - 1);
        print_message("%s: gap %.1e, rate %.1e, energy %.1e\n", words[i], zv_run_loop_gap(summary),
                      zv_run_loop_rate(summary), drift);
        assert_true(zv_run_loop_gap(summary) <= 1e-12 && zv_run_loop_rate(summary) <= 1e-11);
        assert_true(drift < (i == 2 ? 1e-9 : 0.05));
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

static void in_pieces(void **state) {
    (void)state;
    static const char *const integrators[] = {
        "method: newmark, step: 0.002", "method: generalized-alpha, step: 0.002, rho: 0.7",
        "method: generalized-alpha, step: 0.002, iteration: full", "method: energy-momentum, step: 0.002",
        "method: newmark, adaptive: true, rtol: 1e-4, atol: 1e-4"};
    for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++)
        expect_same_in_pieces("structural_loops" ZV_RECORDING, integrators[i],
                              "model: " ELASTIC_FOUR_BAR("", "damping: {ratio: 0.02}") ", duration: 0.5, " SWINGING
                                                                                       ", output: {interval: 0.0037}",
                              40, 5);
}

/* Steps far beyond the vibrations: few iterations, the motion of the rigid mechanism to the bending. Error control
 * finds steps of its own. */
static void structural_steps(void **state) {
    (void)state;
    const char *text = "model: " ELASTIC_FOUR_BAR(
        "", "damping: {rayleigh: {stiffness: 1e-3}}") ", duration: 2, initial: {q: {crank: 1}}, drives: [{type: "
                                                      "motion, joint: crank, law: {type: cycloidal, from: 1, "
                                                      "to: 5, duration: 2}}]";
    double wanted[MOST], end[MOST];
    zvIntegrationStatistics counts;
    end_of(text, "method: rk4, step: 2e-4", wanted, NULL);
    end_of(text, "method: generalized-alpha, step: 0.02", end, &counts);
    for (int i = 0; i < 5; i++) assert_named_near("a step of 20 ms", end[i], wanted[i], 2e-3);
    assert_true(counts.steps == 100 && counts.newton_iterations <= 6 * counts.steps && counts.newton_failures == 0);
    end_of(text, "method: generalized-alpha, adaptive: true, rtol: 1e-6, atol: 1e-7", end, &counts);
    for (int i = 0; i < 5; i++) assert_named_near("with error control", end[i], wanted[i], 2e-5);
}

/* Out of reach: the loop, the time. With fixed and chosen steps. */
static void out_of_reach(void **state) {
    (void)state;
    static const char *const integrators[] = {"newmark, step: 1e-3", "generalized-alpha, adaptive: true, rtol: 1e-4",
                                              "energy-momentum, step: 1e-3"};
    for (int i = 0; i < 3; i++) {
        zvScenario *scenario = scenario_of(
            "{zveno_scenario: 1, model: " FOUR_BAR
            ", duration: 3, initial: {guess: {crank: 1}}, integrator: {method: %s}, "
            "drives: [{type: motion, joint: rocker, law: {type: cycloidal, from: 1.65, to: 0.4, duration: 3}}]}",
            integrators[i]);
        zvRunSummary *summary = NULL;
        zvError error = {0};
        assert_int_equal(zv_simulate(scenario, NULL, &summary, &error), ZV_CLOSURE);
        if (!strstr(error.text, "loop \"close\"") || !strstr(error.text, "t = "))
            fail_msg("%s: %s", integrators[i], error.text);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

TESTS(rigid_order, elastic_order, led_order, published_crank, iteration_matrix, ledgers, floating, long_run, in_pieces,
      structural_steps, out_of_reach)
