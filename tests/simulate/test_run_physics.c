/* Invariants of runs: momentum of a free-floating arm, quaternions, channels against the functions they stand for. */
#include "simulate/runs.h"
#include "simulate/scenario.h"
#include "support/run_tests.h"

#define FLOATING                                                                                                       \
    "{zveno_scenario: 1, model: " ZV_SOURCE_DIR "/models/ssrms_free.yaml, duration: %s, initial: {v: {root_joint: "    \
    "[0.02, -0.01, 0.03, 0.05, -0.02, 0.04], shoulder_yaw_joint: 0.1, elbow_pitch_joint: -0.2, wrist_yaw_joint: "      \
    "0.3}}, drives: [{type: torque, "                                                                                  \
    "joints: "                                                                                                         \
    "[shoulder_pitch_joint, wrist_pitch_joint], law: {type: harmonic, amplitude: [40, 25], frequency: [1.5, 2.3]}}], " \
    "integrator: {%s}, "                                                                                               \
    "output: "                                                                                                         \
    "{interval: 0.1, channels: [momentum, q, v, pose tip_effector, velocity tip_effector, acceleration tip_effector, " \
    "a, com, energy, tau, terms, reactions]}}"

/* Nothing acts from outside: linear momentum and angular momentum about the origin stay. */
static void momentum_stays(void **state) {
    (void)state;
    static const char *const methods[] = {"method: adams, rtol: 1e-14, atol: 1e-15",
                                          "method: erk, rtol: 1e-13, atol: 1e-14", "method: rk4, step: 0.001"};
    char name[512];
    const char *path = file_of("momentum" ZV_RECORDING, name);
    for (int m = 0; m < 3; m++) {
        zvScenario *scenario = scenario_of(FLOATING, "10", methods[m]);
        zvRunSummary *summary = run_of(scenario, path);
        uint64_t rows;
        double *h = rows_of(path, "momentum", &rows, NULL), *q = rows_of(path, "q", &rows, NULL);
        const double linear = hypot(hypot(h[0], h[1]), h[2]), angular = hypot(hypot(h[3], h[4]), h[5]);
        const int nq = zv_model_nq(scenario->model);
        assert_int_equal(rows, 101);
        for (uint64_t i = 0; i < rows; i++) {
            for (int k = 0; k < 6; k++)
                assert_named_near(methods[m], h[6 * i + (uint64_t)k], h[k], 1e-11 * (k < 3 ? linear : angular));
            const double *e = q + i * (uint64_t)nq + 3;
            assert_named_near("length of the quaternion", sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]),
                              1, 4e-16);
        }
        assert_named_near("gap", zv_run_ledger_gap(summary) / zv_run_energy_exchanged(summary), 0, 1e-9);
        free(h);
        free(q);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
    remove(path);
}

/* The greatest change of a component of momentum in 10 s, over the momentum. */
static double drift_of(const char *integrator) {
    char name[512];
    const char *path = file_of("drift" ZV_RECORDING, name);
    zvScenario *scenario = scenario_of(FLOATING, "10", integrator);
    zvRunSummary *summary = run_of(scenario, path);
    uint64_t rows;
    double *h = rows_of(path, "momentum", &rows, NULL), worst = 0;
    const double linear = hypot(hypot(h[0], h[1]), h[2]), angular = hypot(hypot(h[3], h[4]), h[5]);
    for (uint64_t i = 0; i < 6 * rows; i++) worst = fmax(worst, fabs(h[i] - h[i % 6]) / (i % 6 < 3 ? linear : angular));
    free(h);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
    remove(path);
    return worst;
}

/* The default keeps the momentum of a floating arm to two tolerances, fifty times better than adams at the same. */
static void auto_keeps_momentum(void **state) {
    (void)state;
    if (!zv_integration_method_find("auto")) skip();
    const double drift = drift_of("method: auto, rtol: 1e-8, atol: 1e-8");
    const double of_adams = drift_of("method: adams, rtol: 1e-8, atol: 1e-8");
    print_message("    auto %g, adams %g of the momentum\n", drift, of_adams);
    assert_true(drift < 2e-8 && 50 * drift < of_adams);
}

typedef struct Read {
    double *x;
    int width;
} Read;

static Read read_channel(const char *path, const char *channel, uint64_t *rows) {
    Read r;
    r.x = rows_of(path, channel, rows, &r.width);
    return r;
}

static const double *at(const Read *r, uint64_t row) { return r->x + row * (uint64_t)r->width; }

/* Channels of motion against differences of other channels; those of force against each other. */
static void channels_agree(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("channels" ZV_RECORDING, name);
    zvScenario *scenario = scenario_of(FLOATING, "1", "rtol: 1e-12, atol: 1e-13");
    const zvModel *model = scenario->model;
    zvWork *work = zv_work_create(model, NULL);
    const int nv = zv_model_nv(model);
    uint64_t rows;
    zv_run_summary_destroy(run_of(scenario, path));
    Read q = read_channel(path, "q", &rows), v = read_channel(path, "v", &rows), a = read_channel(path, "a", &rows);
    Read pose = read_channel(path, "pose tip_effector", &rows), tau = read_channel(path, "tau", &rows);
    Read velocity = read_channel(path, "velocity tip_effector", &rows), terms = read_channel(path, "terms", &rows);
    Read acceleration = read_channel(path, "acceleration tip_effector", &rows), com = read_channel(path, "com", &rows);
    Read reactions = read_channel(path, "reactions", &rows);
    const int frame = zv_model_find_frame(model, "tip_effector");
    assert_int_equal(rows, 11);
    for (uint64_t i = 0; i < rows; i++) {
        double expected[64], c[3];
        zvPose p;
        zv_frame_pose(model, work, at(&q, i), frame, &p);
        for (int k = 0; k < 3; k++) assert_named_near("place", at(&pose, i)[k], p.p[k], 0);
        const double *e = at(&pose, i) + 3;
        assert_named_near("orientation", 2 * (e[0] * e[1] - e[2] * e[3]), p.R[1], 1e-15);
        assert_named_near("orientation", 2 * (e[0] * e[2] - e[1] * e[3]), p.R[6], 1e-15);
        assert_named_near("orientation", 2 * (e[0] * e[3] + e[1] * e[2]), p.R[7], 1e-15);
        double dot = 0;
        for (int k = 0; i > 0 && k < 4; k++) dot += at(&pose, i - 1)[3 + k] * e[k];
        assert_true(i == 0 || dot > 0.9);
        zv_frame_velocity(model, work, at(&q, i), at(&v, i), frame, ZV_AXES_WORLD, expected);
        for (int k = 0; k < 6; k++) assert_named_near("velocity", at(&velocity, i)[k], expected[k], 0);
        zv_frame_acceleration(model, work, at(&q, i), at(&v, i), at(&a, i), frame, ZV_AXES_WORLD, expected);
        for (int k = 0; k < 6; k++) assert_named_near("acceleration", at(&acceleration, i)[k], expected[k], 0);
        zv_center_of_mass(model, work, at(&q, i), c);
        for (int k = 0; k < 3; k++) assert_named_near("centre of mass", at(&com, i)[k], c[k], 0);
        for (int k = 0; k < nv; k++) {
            const double *t = at(&terms, i) + 3 * k;
            assert_named_near("M a + C v + g = tau", t[0] + t[1] + t[2], at(&tau, i)[k], 1e-9);
        }
        zv_joint_reactions(model, work, at(&q, i), at(&v, i), at(&a, i), NULL, expected);
        for (int k = 0; k < 6; k++) assert_named_near("reactions", at(&reactions, i)[k], expected[k], 0);
    }
    const Read all[] = {q, v, a, pose, tau, velocity, terms, acceleration, com, reactions};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i].x);
    zv_work_destroy(work);
    zv_scenario_destroy(scenario);
    remove(path);
}

/* A prescribed motion is where its law is, to the last digit, and so is its acceleration. */
static void prescribed_motion(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("prescribed.csv", name);
    zvScenario *scenario =
        scenario_of("{zveno_scenario: 1, model: " TWO_RODS
                    ", duration: 1, drives: [{type: motion, joint: shoulder, law: {type: harmonic, "
                    "amplitude: 0.5, frequency: 3}}], output: {interval: 0.1, channels: [q, v, a]}}");
    zv_run_summary_destroy(run_of(scenario, path));
    uint64_t rows;
    double *t = rows_of(path, "time", &rows, NULL), *q = rows_of(path, "q", &rows, NULL);
    double *v = rows_of(path, "v", &rows, NULL), *a = rows_of(path, "a", &rows, NULL);
    for (uint64_t i = 0; i < rows; i++) {
        assert_named_near("position", q[2 * i], 0.5 * sin(3 * t[i]), 1e-15);
        assert_named_near("velocity", v[2 * i], 1.5 * cos(3 * t[i]), 1e-15);
        assert_named_near("acceleration", a[2 * i], -4.5 * sin(3 * t[i]), 4e-15);
    }
    free(t);
    free(q);
    free(v);
    free(a);
    zv_scenario_destroy(scenario);
    remove(path);
}

/* A torque that jumps between steps of a fixed grid costs no order: steps end at the break and see one side of it. */
static void breaks_keep_the_order(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        zvScenario *scenario =
            scenario_of("{zveno_scenario: 1, model: " FALLING
                        ", gravity: [0, 0, 0], duration: 1, drives: [{type: torque, joint: slide, law: {type: "
                        "table, mode: hold, times: [0, 0.333, 5], points: [2, -6, 0]}}], integrator: {method: "
                        "rk4, step: %s}}",
                        k ? "0.1" : "0.05");
        zvRunSummary *summary = run_of(scenario, NULL);
        /* a = 1 up to 0.333, then -3: exact for a method of order 4 */
        const double s = 0.333, r = 1 - s, x = 0.5 * s * s + s * r - 1.5 * r * r;
        assert_named_near("place", zv_run_position(summary)[0], x, 1e-15);
        assert_named_near("velocity", zv_run_velocity(summary)[0], s - 3 * r, 1e-15);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

TESTS(momentum_stays, auto_keeps_momentum, channels_agree, prescribed_motion, breaks_keep_the_order)
