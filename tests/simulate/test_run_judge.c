/* A run judges itself: what it says of its energy, and that wrong numbers never pass for an answer. */
#include "simulate/runs.h"
#include "support/run_tests.h"

#define SWING ", duration: %g, initial: {q: {pivot: 2}}, integrator: {%s}}"

static zvStatus judged(const zvScenario *scenario, bool accept, zvRunSummary **summary, zvError *error) {
    const zvRunOptions options = {.accept_energy_error = accept};
    *error = (zvError){0};
    return zv_simulate(scenario, &options, summary, error);
}

/* Of the pendulum of 1 kg and 1 m: from the state alone. */
static double pendulum_energy(double q, double v) { return 0.5 * v * v - 9.81 * cos(q); }

/* The same swing with ever longer steps: the largest gap grows with the step, the last one hardly shows it. */
static void steps_of_euler(void **state) {
    (void)state;
    static const struct {
        double step;
        zvEnergyJudgement judgement;
    } cases[] = {{1e-5, ZV_ENERGY_BALANCED}, {1e-3, ZV_ENERGY_DOUBTFUL}, {0.2, ZV_ENERGY_WRONG}};
    for (int i = 0; i < 3; i++) {
        char method[80];
        snprintf(method, sizeof method, "method: euler, step: %g", cases[i].step);
        zvScenario *scenario = scenario_of("{zveno_scenario: 1, model: " PENDULUM SWING, 2.0, method);
        zvRunSummary *summary = NULL;
        zvError error;
        const bool wrong = cases[i].judgement == ZV_ENERGY_WRONG;
        assert_int_equal(judged(scenario, false, &summary, &error), wrong ? ZV_NO_CONVERGENCE : ZV_OK);
        assert_int_equal(zv_run_energy_judgement(summary), cases[i].judgement);
        assert_true(zv_run_is_over(summary));
        const double *q = zv_run_position(summary), *v = zv_run_velocity(summary);
        const double gap = pendulum_energy(q[0], v[0]) - pendulum_energy(2, 0);
        assert_named_near("gap", zv_run_ledger_gap(summary), gap, 1e-10);
        assert_true(zv_run_largest_gap(summary) >= fabs(gap) * (1 - 1e-12));
        assert_int_equal(zv_run_warnings(summary), cases[i].judgement != ZV_ENERGY_BALANCED);
        if (zv_run_warnings(summary)) {
            const char *text = zv_run_warning(summary, 0);
            if (!strstr(text, "shorten the step") || !strstr(zv_run_text(summary), text)) fail_msg("%s", text);
        }
        if (wrong && !strstr(error.text, "--accept-energy-error")) fail_msg("%s", error.text);
        zv_run_summary_destroy(summary);
        assert_int_equal(judged(scenario, true, &summary, &error), ZV_OK);
        assert_int_equal(zv_run_energy_judgement(summary), cases[i].judgement);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* What is lost is measured by what is in the system, though nothing is exchanged: a spinning body loses half of its
 * energy to a step that is too long for its tumbling, and a gap of rounding is no gap. */
static void measured_by_what_is_there(void **state) {
    (void)state;
    static const char body[] =
        "{inline: {gravity: [0, 0, 0], links: [{name: ground}, {name: top, mass: 1, inertia: [1, 2, 3]}], joints: "
        "[{name: ball, type: spherical, parent: ground, child: top}]}}";
    static const struct {
        double speed;
        const char *integrator;
        zvEnergyJudgement judgement;
    } cases[] = {{1, "rtol: 1e-9, atol: 1e-9", ZV_ENERGY_BALANCED},
                 {1e-7, "rtol: 1e-9, atol: 1e-9", ZV_ENERGY_BALANCED},
                 {0, "rtol: 1e-9, atol: 1e-9", ZV_ENERGY_BALANCED},
                 {3, "method: euler, step: 0.05", ZV_ENERGY_WRONG}};
    for (int i = 0; i < 4; i++) {
        zvScenario *scenario =
            scenario_of("{zveno_scenario: 1, model: %s, duration: 10, initial: {v: {ball.wx: %g, ball.wy: %g, ball.wz: "
                        "%g}}, integrator: {%s}}",
                        body, cases[i].speed, cases[i].speed, 0.1 * cases[i].speed, cases[i].integrator);
        zvRunSummary *summary = NULL;
        zvError error;
        const bool wrong = cases[i].judgement == ZV_ENERGY_WRONG;
        assert_int_equal(judged(scenario, false, &summary, &error), wrong ? ZV_NO_CONVERGENCE : ZV_OK);
        assert_int_equal(zv_run_energy_judgement(summary), cases[i].judgement);
        const double there = 0.5 * (1 + 2 + 0.03) * cases[i].speed * cases[i].speed;
        assert_true(zv_run_energy_reference(summary) >= there * (1 - 1e-12));
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* A load that friction and a drive hold: nothing moves, and rounding is all there is of energy. */
static void rest_is_balanced(void **state) {
    (void)state;
    zvScenario *scenario = scenario_of("{zveno_scenario: 1, model: " TWO_RODS
                                       ", duration: 5, initial: {q: {shoulder: 0.6, elbow: -0.4}}, drives: [{type: pd, "
                                       "name: hold, joints: [shoulder, elbow], kp: 1e4, kd: 100, gravity: true, "
                                       "reference: [0.6, -0.4]}], integrator: {rtol: 1e-6, atol: 1e-6}}");
    zvRunSummary *summary = run_of(scenario, NULL);
    assert_int_equal(zv_run_energy_judgement(summary), ZV_ENERGY_BALANCED);
    assert_int_equal(zv_run_warnings(summary), 0);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

/* The published explicit scheme beta = gamma = 0 beyond its limit: with a ledger the run ends where the motion has run
 * away, and without one at its end, whatever is accepted. */
static void runs_away(void **state) {
    (void)state;
    for (int ledger = 0; ledger < 2; ledger++) {
        zvScenario *scenario = scenario_of(
            "{zveno_scenario: 1, model: " FALLING ", gravity: [0, 0, 0], duration: 3, initial: {q: {slide: 0.1}}, "
            "joints: {slide: {spring: {stiffness: 2e4}, damping: 1e-9}}, integrator: {method: newmark, "
            "beta: 0, gamma: 0, step: 0.03}, "
            "output: {ledger: %s, channels: [q]}}",
            ledger ? "true" : "false");
        zvRunSummary *summary = NULL;
        zvError error;
        assert_int_equal(judged(scenario, true, &summary, &error), ZV_NO_CONVERGENCE);
        if (!strstr(error.text, "the motion has run away")) fail_msg("%s", error.text);
        assert_int_equal(zv_run_energy_judgement(summary), ledger ? ZV_ENERGY_WRONG : ZV_ENERGY_NOT_JUDGED);
        if (ledger) assert_true(zv_run_time(summary) < 3);
        assert_false(zv_run_is_over(summary));
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* A slider of 1 kg on a spring of 100 N/m, or held by a controller that acts like one: 50 J that go to and fro for
 * ever. What is lost or gained is measured by them and not by all that went to and fro. Without a ledger the machine
 * with the spring is judged too. */
static void to_and_fro(void **state) {
    (void)state;
    static const char *const springs[] = {"joints: {slide: {spring: {stiffness: 100}}}",
                                          "drives: [{type: pd, name: servo, joint: slide, kp: 100, reference: 0}]"};
    static const struct {
        const char *integrator;
        zvEnergyJudgement judgement;
    } cases[] = {{"method: bdf, rtol: 1e-3, atol: 1e-3", ZV_ENERGY_WRONG},
                 {"method: rk4, step: 0.1", ZV_ENERGY_WRONG},
                 {"method: newmark, beta: 0.3025, gamma: 0.6, step: 0.05", ZV_ENERGY_WRONG},
                 {"method: newmark, beta: 0, gamma: 0.45, step: 0.01", ZV_ENERGY_WRONG},
                 {"rtol: 1e-9, atol: 1e-9", ZV_ENERGY_BALANCED}};
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 3; k++) { /* the third: a spring and no ledger */
            zvScenario *scenario = scenario_of("{zveno_scenario: 1, model: " FALLING
                                               ", gravity: [0, 0, 0], duration: 60, initial: {q: {slide: 1}}, "
                                               "%s, integrator: {%s}, output: {channels: [q], ledger: %s}}",
                                               springs[k % 2], cases[i].integrator, k == 2 ? "false" : "true");
            zvRunSummary *summary = NULL;
            zvError error;
            const bool wrong = cases[i].judgement == ZV_ENERGY_WRONG;
            const zvStatus status = judged(scenario, false, &summary, &error);
            if ((status < 0) != wrong || zv_run_energy_judgement(summary) != cases[i].judgement)
                fail_msg("%s, %s: status %d, judged %s, %g", springs[k % 2], cases[i].integrator, (int)status,
                         zv_energy_judgement_word(zv_run_energy_judgement(summary)), zv_run_energy_reference(summary));
            zv_run_summary_destroy(summary);
            zv_scenario_destroy(scenario);
        }
    }
}

/* What judges a run goes on over a checkpoint: the largest gap is not that of the second half. */
static bool stop_at_half(void *context, const double *row) {
    (void)context;
    return row[0] < 1;
}

static void judged_over_a_resumption(void **state) {
    (void)state;
    char name[512];
    double gaps[2];
    const char *path = file_of("judged.csv", name);
    zvScenario *scenario = scenario_of("{zveno_scenario: 1, model: " PENDULUM SWING, 2.0, "method: euler, step: 0.001");
    for (int i = 0; i < 2; i++) {
        zvRunSummary *summary = NULL;
        zvRunOptions options = {.output = path, .restart = true, .row = i ? stop_at_half : NULL};
        zvStatus status = zv_simulate(scenario, &options, &summary, NULL);
        if (i) {
            assert_int_equal(status, ZV_INTERRUPTED);
            zv_run_summary_destroy(summary);
            options = (zvRunOptions){.output = path, .resume = true};
            status = zv_simulate(scenario, &options, &summary, NULL);
        }
        assert_int_equal(status, ZV_OK);
        gaps[i] = zv_run_largest_gap(summary) / zv_run_energy_reference(summary);
        zv_run_summary_destroy(summary);
    }
    assert_named_near("judged anew", gaps[1], gaps[0], 1e-15);
    zv_scenario_destroy(scenario);
}

/* A problem that stability holds explicit methods down at, and accuracy implicit ones: neither sends to the other, both
 * to the method that measures. */
static void advice_in_circles(void **state) {
    (void)state;
    static const char *const methods[] = {"erk", "adams", "bdf", "dirk"};
    static const double dampers[] = {3, 100}, gains[] = {1e3, 1e4};
    int told = 0;
    for (int i = 0; i < 8; i++) {
        zvScenario *scenario = scenario_of(
            "{zveno_scenario: 1, duration: 20, initial: {q: {slide: 0.5}}, gravity: [0, 0, 0], model: " FALLING
            ", joints: {slide: {damping: %g}}, drives: [{name: t, type: pd, joint: slide, kp: %g, reference: {type: "
            "harmonic, amplitude: 1, frequency: 1}}], integrator: {method: %s}}",
            dampers[i / 4], gains[i / 4], methods[i % 4]);
        zvRunSummary *summary = run_of(scenario, NULL);
        const char *advice = zv_run_advice(summary) ? zv_run_advice(summary) : "try auto";
        told += zv_run_advice(summary) != NULL;
        if (!strstr(advice, "try auto") || strstr(advice, "bdf") || strstr(advice, "erk") || strstr(advice, "adams"))
            fail_msg("%s, damper %g: %s", methods[i % 4], dampers[i / 4], advice);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
    assert_true(told >= 2);
}

TESTS(steps_of_euler, measured_by_what_is_there, to_and_fro, rest_is_balanced, runs_away, judged_over_a_resumption,
      advice_in_circles)
