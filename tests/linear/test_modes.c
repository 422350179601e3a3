/* Modes of whole systems: a drive behind a gear in closed form, and a free-flying arm with gears, booms and controllers
 * against the vibration that a simulation shows when one mode alone is excited. */
#include <complex.h>

#include "simulate/runs.h"
#include "support/run_tests.h"
#include "zveno/linear.h"

enum { MOST = 80 };

typedef struct Found {
    zvScenario *scenario;
    zvLinear *linear;
    int nx, count;
    zvMode modes[MOST];
    double shapes[2 * MOST * MOST], shares[MOST * MOST];
} Found;

static void find(Found *f, zvScenario *scenario, const unsigned char *braked) {
    zvError error = {0};
    f->scenario = scenario;
    if (zv_linear_create(scenario, 0, NULL, 0, NULL, &f->linear, &error) < 0 ||
        zv_linear_at(f->linear, 0, NULL, NULL, NULL, &error) < 0)
        fail_msg("%s", error.text);
    f->nx = zv_linear_states(f->linear);
    assert_true(f->nx <= MOST);
    if (zv_linear_modes(f->linear, braked, f->modes, f->shapes, f->shares, &f->count, &error) < 0)
        fail_msg("%s", error.text);
}

static void forget(Found *f) {
    zv_linear_destroy(f->linear);
    zv_scenario_destroy(f->scenario);
}

#define GEARED                                                                                                    \
    "{zveno_scenario: 1, gravity: [0, 0, 0], duration: 1, model: {inline: {links: [{name: ground}, {name: load, " \
    "mass: "                                                                                                      \
    "1, inertia: [0.2, 0.2, 0.2]}], joints: [{name: pivot, type: continuous, parent: ground, child: load}]}}, "   \
    "joints: "                                                                                                    \
    "{pivot: {flexible: {stiffness: 90, damping: 0.3, inertia: 1e-4, ratio: 30}}}%s}"

/* J p'' = u - k (p - x), I x'' = k (p - x), u = -kp p - kd p': the characteristic polynomial, written out, is zero at
 * every eigenvalue; shapes obey the second equation, shares add up to one; with the brake closed x swings alone. */
static void drive_behind_a_gear(void **state) {
    (void)state;
    static Found f;
    const double J = 1e-4 * 900, load = 0.2, k = 90, d = 0.3, kp = 40, kd = 1.5;
    find(&f, scenario_of(GEARED, ", drives: [{type: pd, joint: pivot, kp: 40, kd: 1.5, feedback: motor}]"), NULL);
    assert_int_equal(f.nx, 4);
    for (int m = 0; m < f.count; m++) {
        const double complex s = f.modes[m].real + f.modes[m].imag * _Complex_I, gear = k + d * s;
        const double complex link = load * s * s + gear, motor = J * s * s + kd * s + kp + gear;
        const double *x = f.shapes + 2 * f.nx * m;
        const double complex q = x[0] + _Complex_I * x[1], theta = x[4] + _Complex_I * x[5];
        double sum = 0;
        assert_true(cabs(link * motor - gear * gear) < 1e-9 * cabs(gear * gear));
        assert_true(cabs(link * q - gear * theta) < 1e-9 * cabs(gear));
        assert_near(fmax(cabs(q), cabs(theta)), 1, 1e-12);
        for (int i = 0; i < f.nx; i++) sum += f.shares[m * f.nx + i];
        assert_near(sum, 1, 1e-12);
    }
    const unsigned char braked[] = {1};
    zvError error = {0};
    assert_int_equal(zv_linear_modes(f.linear, braked, f.modes, NULL, NULL, &f.count, &error), ZV_OK);
    assert_int_equal(f.count, 1);
    assert_near(f.modes[0].frequency, sqrt(k / load), 1e-9);
    assert_near(f.modes[0].damping, d / (2 * sqrt(k * load)), 1e-10);
    forget(&f);
    find(&f, scenario_of(GEARED, ", drives: [{type: pid, joint: pivot, kp: 40, ki: 5, kd: 1.5}]"), NULL);
    assert_int_equal(zv_linear_modes(f.linear, braked, f.modes, NULL, NULL, &f.count, &error), ZV_NOT_SUPPORTED);
    assert_non_null(strstr(error.text, "expected drives without integrals"));
    forget(&f);
}

/* A free base, two booms and a payload on three geared joints, held by PD controllers. */
#define FLYER                                                                                                          \
    "{zveno_scenario: 1, gravity: [0, 0, 0], duration: %.17g, model: {inline: {base: free, links: [{name: bus, mass: " \
    "60, inertia: [8, 9, 10]}, {name: first, beam: {length: 1.5, material: {E: 7e10, poisson: 0.3, density: 2700}, "   \
    "section: {tube: [0.03, 0.027]}, modes: {y: 1, z: 1}, damping: {ratio: 0.01}}}, {name: second, beam: {length: "    \
    "1.2, material: {E: 7e10, poisson: 0.3, density: 2700}, section: {tube: [0.025, 0.0225]}, modes: {y: 1, z: 1}, "   \
    "damping: {ratio: 0.01}}}, {name: load, mass: %g, com: [0.2, 0.05, 0], inertia: [0.3, 0.4, 0.5]}], joints: "       \
    "[{name: j1, type: continuous, parent: bus, child: first, axis: [0, 0, 1], origin: {xyz: [0.5, 0, 0.2]}}, {name: " \
    "j2, type: continuous, parent: first, child: second, axis: [0, 1, 0], origin: {xyz: [1.5, 0, 0]}}, {name: j3, "    \
    "type: continuous, parent: second, child: load, axis: [0, 0, 1], origin: {xyz: [1.2, 0, 0]}}]}}, joints: {j1: "    \
    "{flexible: {stiffness: 4e3, damping: 2, inertia: 2e-4, ratio: 80}}, j2: {flexible: {stiffness: 3e3, damping: 2, " \
    "inertia: 2e-4, ratio: 80}}, j3: {flexible: {stiffness: 1e3, damping: 1, inertia: 1e-4, ratio: 60}}}, drives: "    \
    "[{type: pd, joints: [j1, j2, j3], kp: [900, 800, 200], kd: [30, 30, 8], feedback: motor, reference: [%g, %g, "    \
    "%g]}], initial: {q: [%s], v: [%s], motors: {j1: {theta: %.17g, rate: %.17g}, j2: {theta: %.17g, rate: %.17g}, "   \
    "j3: {theta: %.17g, rate: %.17g}}}, integrator: {method: erk, rtol: 1e-11, atol: 1e-15}, output: {interval: "      \
    "%.17g, channels: "                                                                                                \
    "[q, states]}}"

enum { NQ = 14, NV = 13 };
static const int joints[3] = {6, 9, 12}; /* degrees of freedom; one less than their places in q */

static void put_list(const double *x, int count, char text[1024]) {
    size_t used = 0;
    for (int i = 0; i < count; i++) used += (size_t)snprintf(text + used, 1024 - used, i ? ", %.17g" : "%.17g", x[i]);
}

/* The flyer in a pose, in a departure from it. */
static zvScenario *flyer(double payload, const double pose[3], const double *q, const double *v, const double *z,
                         double duration, double interval) {
    char positions[1024], rates[1024];
    put_list(q, NQ, positions);
    put_list(v, NV, rates);
    return scenario_of(FLYER, duration, payload, pose[0], pose[1], pose[2], positions, rates, z[0], z[1], z[2], z[3],
                       z[4], z[5], interval);
}

/* lambda of y[k] = Re(c e^(lambda k step)) by least squares of y[k+1] = a y[k] - b y[k-1]. */
static double complex fitted(const double *y, size_t count, size_t stride, double rest, double step) {
    double s11 = 0, s12 = 0, s22 = 0, r1 = 0, r2 = 0;
    for (size_t k = 1; k + 1 < count; k++) {
        const double before = y[(k - 1) * stride] - rest, now = y[k * stride] - rest,
                     after = y[(k + 1) * stride] - rest;
        s11 += now * now, s12 -= now * before, s22 += before * before;
        r1 += now * after, r2 -= before * after;
    }
    const double det = s11 * s22 - s12 * s12, a = (r1 * s22 - r2 * s12) / det, b = (s11 * r2 - s12 * r1) / det;
    return clog(0.5 * (a + csqrt(a * a - 4 * b))) / step;
}

/* One mode alone, small: e^(lambda t) times its shape, of which the largest position is looked at. */
static void one_mode_vibrates(const Found *f, int mode, double payload, const double pose[3], const double *q0) {
    const double size = 1e-5, *x = f->shapes + (size_t)mode * 2 * (size_t)f->nx;
    const double step = 2 * acos(-1) / f->modes[mode].imag / 12;
    double step_q[NV], v[NV], q[NQ], z[6];
    int largest = 0;
    uint64_t rows;
    for (int i = 0; i < NV; i++) {
        step_q[i] = size * x[2 * i];
        v[i] = size * x[2 * (NV + i)];
        if (i >= 6 && hypot(x[2 * i], x[2 * i + 1]) > hypot(x[2 * largest], x[2 * largest + 1])) largest = i;
    }
    for (int i = 0; i < 6; i++) z[i] = (i % 2 ? 0 : pose[i / 2]) + size * x[2 * (2 * NV + i)];
    if (largest < 6) largest = 6;
    zv_position_add(zv_scenario_model(f->scenario), q0, step_q, q);
    zvScenario *scenario = flyer(payload, pose, q, v, z, 40 * step, step);
    const zvRunOptions options = {.keep = true};
    zvRunSummary *run = NULL;
    zvError error = {0};
    if (zv_simulate(scenario, &options, &run, &error) != ZV_OK) fail_msg("%s", error.text);
    const double *all = zv_recorder_rows(zv_run_kept(run), &rows);
    const size_t stride = 1 + NQ + 6, at = 1 + (size_t)largest + 1;
    const double complex lambda = fitted(all + at, (size_t)rows, stride, q0[largest + 1], step);
    print_message("  mode %d: %.8g rad/s, damping %.6g; seen %.8g, %.6g\n", mode + 1, f->modes[mode].frequency,
                  f->modes[mode].damping, cabs(lambda), -creal(lambda) / cabs(lambda));
    assert_near_relative(cabs(lambda), f->modes[mode].frequency, 1e-5);
    assert_near(-creal(lambda) / cabs(lambda), f->modes[mode].damping, 1e-5);
    zv_run_summary_destroy(run);
    zv_scenario_destroy(scenario);
}

/* Three poses, two payloads, three modes each. */
static void free_flyer_vibrates_as_told(void **state) {
    (void)state;
    static Found f;
    static const double poses[3][3] = {{0, 0.4, 0.2}, {0.7, 1.2, -0.5}, {-1.1, -0.8, 0.9}};
    for (int k = 0; k < 6; k++) {
        const double payload = k < 3 ? 5 : 25, *pose = poses[k % 3], v[NV] = {0};
        double q[NQ] = {[6] = 1}, z[6] = {pose[0], 0, pose[1], 0, pose[2], 0};
        for (int j = 0; j < 3; j++) q[joints[j] + 1] = pose[j];
        print_message("pose %d, payload %g kg\n", k % 3 + 1, payload);
        find(&f, flyer(payload, pose, q, v, z, 1, 0.1), NULL);
        assert_int_equal(zv_linear_freedoms(f.linear), NV);
        int seen = 0;
        for (int m = 0; m < f.count && seen < 3; m++) {
            if (f.modes[m].frequency < 0.5 || f.modes[m].imag <= 0 || f.modes[m].damping > 0.3) continue;
            one_mode_vibrates(&f, m, payload, pose, q);
            seen++;
        }
        assert_int_equal(seen, 3);
        forget(&f);
    }
}

TESTS(drive_behind_a_gear, free_flyer_vibrates_as_told)
