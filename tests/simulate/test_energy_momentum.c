/* The energy-momentum method: invariants of a floating elastic arm by a second computation, ledgers of driven and
 * damped machines, motions through rest, and that what correctors leave does not add up as steps get shorter. */
#include "simulate/runs.h"
#include "simulate/scenario.h"
#include "support/run_tests.h"

enum { MOST = 32 };

/* v^T M v / 2 by the mass matrix and e^T K e / 2 by the matrices of the links; linear and angular momentum about the
 * origin of the world by differences of the links' own frames would need their inertia: of M's rows of the free base,
 * which are force and moment on it, turned into the world. */
typedef struct Invariants {
    double energy, p[6];
} Invariants;

static Invariants invariants_of(const zvModel *model, zvWork *work, const double *q, const double *v) {
    const int nv = zv_model_nv(model);
    double M[MOST * MOST], K[MOST * MOST], h[MOST] = {0};
    Invariants of = {0};
    zvPose base;
    assert_true(nv <= MOST);
    zv_mass_matrix(model, work, q, M);
    for (int i = 0; i < nv; i++)
        for (int j = 0; j < nv; j++) h[i] += M[i * nv + j] * v[j];
    for (int i = 0; i < nv; i++) of.energy += 0.5 * v[i] * h[i];
    for (int link = 0; link < zv_model_nlink(model); link++) {
        const zvElasticPlace place = zv_model_elastic_place(model, link);
        if (place.count == 0) continue;
        const double *e = q + place.q_index;
        zv_model_elastic_matrices(model, link, NULL, K, NULL);
        for (int i = 0; i < place.count; i++)
            for (int j = 0; j < place.count; j++) of.energy += 0.5 * e[i] * K[i * place.count + j] * e[j];
    }
    zv_frame_pose(model, work, q, zv_model_joint_place(model, 0).child, &base);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            of.p[i] += base.R[3 * i + k] * h[k];
            of.p[3 + i] += base.R[3 * i + k] * h[3 + k];
        }
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        of.p[3 + i] += base.p[j] * of.p[k] - base.p[k] * of.p[j];
    }
    return of;
}

/* How far energy and momenta have gone at the end, relative; and E and p differ from zero. */
static double strayed(const char *integrator, double duration) {
    char changes[2][120];
    const char *const list[2] = {changes[0], changes[1]};
    zvScenario *scenario = NULL;
    zvError error = {0};
    snprintf(changes[0], sizeof changes[0], "integrator=%s", integrator);
    snprintf(changes[1], sizeof changes[1], "duration=%g", duration);
    if (zv_scenario_read_file(ZV_SOURCE_DIR "/scenarios/ssrms_flexible.yaml", 2, list, &scenario, &error) < 0)
        fail_msg("%s", error.text);
    const zvModel *model = zv_scenario_model(scenario);
    zvWork *work = zv_work_create(model, &error);
    zvRunSummary *summary = run_of(scenario, NULL);
    const Invariants from = invariants_of(model, work, scenario->q, scenario->v);
    const Invariants to = invariants_of(model, work, zv_run_position(summary), zv_run_velocity(summary));
    double worst = fabs(to.energy / from.energy - 1);
    for (int half = 0; half < 6; half += 3) {
        const double *p = from.p + half, *p_to = to.p + half, size = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        assert_true(size > 1);
        for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(p_to[i] - p[i]) / size);
    }
    zv_run_summary_destroy(summary);
    zv_work_destroy(work);
    zv_scenario_destroy(scenario);
    return worst;
}

/* Modes of up to 1000 rad/s, steps from a hundredth of a second on: far beyond what newmark keeps. */
static void floating_arm(void **state) {
    (void)state;
    static const char *const kept[] = {"{method: energy-momentum, step: 0.02}", "{method: energy-momentum, step: 0.01}",
                                       "{method: energy-momentum, step: 0.01, iteration: full}",
                                       "{method: energy-momentum, adaptive: true, rtol: 1e-4, atol: 1e-4}"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        const double gone = strayed(kept[i], 2);
        if (!(gone < 1e-11)) fail_msg("%s: %g", kept[i], gone);
    }
    assert_true(strayed("{method: newmark, step: 0.01}", 2) > 1e-6);
}

/* Gravity, a motor behind a gear, a controller with an integral, dampers, friction, a load on an elastic link and an
 * elastic arm that swings fast: the ledger closes to rounding at any step. */
#define BUSY                                                                                                           \
    "model: {inline: {links: [{name: ground}, {name: upper, beam: {length: 1, material: {E: 7e10, poisson: 0.3, "      \
    "density: 2700}, section: {tube: [0.012, 0.011]}, modes: {y: 2, z: 1}, damping: {ratio: 0.01}}}, {name: lower, "   \
    "mass: 0.6, com: [0.3, 0, 0], inertia: [0.001, 0.02, 0.02]}, {name: hand, mass: 0.4, com: [0.05, 0, 0], inertia: " \
    "[0.001, 0.001, 0.002]}], frames: [{name: middle, link: upper, pose: {xyz: [0.5, 0, 0]}}], joints: [{name: "       \
    "shoulder, type: continuous, parent: ground, child: upper, axis: [0, -1, 0]}, {name: elbow, type: continuous, "    \
    "parent: upper, child: lower, axis: [0, -1, 0], origin: {xyz: [1, 0, 0]}, damping: 0.05}, {name: wrist, type: "    \
    "spherical, parent: lower, child: hand, origin: {xyz: [0.6, 0, 0]}}]}}, duration: 1, initial: {q: {shoulder: "     \
    "0.5, elbow: 1}, v: {elbow: 4, wrist: [1, 2, -1]}, motors: equilibrium}, joints: {shoulder: {flexible: "           \
    "{stiffness: 800, damping: 0.4, inertia: 1e-4, ratio: 30, motor_damping: 1e-5}}, elbow: {friction: {coulomb: "     \
    "0.05, smoothing: 0.05}}}, drives: [{type: pid, joint: shoulder, kp: 60, ki: 30, kd: 6, reference: {type: "        \
    "harmonic, amplitude: 0.5, hertz: 1}}], loads: [{frame: middle, force: {type: harmonic, amplitude: [1, 2, 3], "    \
    "hertz: 2}}]"

static double ledger_gap(const char *text, const char *integrator) {
    zvScenario *scenario = scenario_of("{zveno_scenario: 1, integrator: {%s}, %s}", integrator, text);
    zvRunSummary *summary = run_of(scenario, NULL);
    const double gap = fabs(zv_run_ledger_gap(summary)) / zv_run_energy_exchanged(summary);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
    return gap;
}

static void ledgers(void **state) {
    (void)state;
    static const char *const steps[] = {"5e-3", "2e-3", "1e-3"};
    for (int i = 0; i < 3; i++) {
        char integrator[80];
        snprintf(integrator, sizeof integrator, "method: energy-momentum, step: %s", steps[i]);
        const double gap = ledger_gap(BUSY, integrator);
        if (!(gap < 1e-12)) fail_msg("step %s: gap %g", steps[i], gap);
    }
    assert_true(ledger_gap(BUSY, "method: newmark, step: 5e-3") > 1e-6);
}

/* From rest, and through rest again and again: where nothing moves energy cannot be corrected, and is later. */
static void through_rest(void **state) {
    (void)state;
    const char *one = "model: " PENDULUM ", duration: 10, initial: {q: {pivot: 2}}";
    const char *two = "model: " TWO_RODS ", duration: 5, initial: {q: {shoulder: 1, elbow: 0.5}}";
    assert_true(ledger_gap(one, "method: energy-momentum, step: 0.05") < 1e-12);
    assert_true(ledger_gap(two, "method: energy-momentum, step: 0.02") < 1e-12);
    assert_true(ledger_gap(two, "method: newmark, step: 0.02") > 1e-6);
}

/* A linear oscillator, whose energy the trapezoidal rule keeps: what is left is the corrector's, whose reduced matrix
 * does not know the spring. The default tolerance follows the step, so that it does not add up with their number; with
 * a tolerance of 1e-9 the gap at 1 ms is five times that at 10 ms. */
static void shorter_steps(void **state) {
    (void)state;
    const char *text =
        "gravity: [0, 0, 0], duration: 2, model: {inline: {links: [{name: ground}, {name: load, mass: 1000, "
        "inertia: [1, 1, 1]}], joints: [{name: slide, type: prismatic, parent: ground, child: load, axis: "
        "[1, 0, 0]}]}}, initial: {q: {slide: 0.5}}, springs: [{from: ground, to: load, stiffness: 1e7, "
        "length: 0}]";
    const double coarse = ledger_gap(text, "method: newmark, step: 0.01");
    assert_true(ledger_gap(text, "method: newmark, step: 0.001") < coarse);
    assert_true(ledger_gap(text, "method: newmark, step: 1e-4") < coarse);
    assert_true(ledger_gap(text, "method: newmark, step: 0.001, corrector_tolerance: 1e-9") > 2 * coarse);
}

TESTS(floating_arm, ledgers, through_rest, shorter_steps)
