/* Runs against closed forms: a pendulum in elliptic functions, a falling ball, times of rows. */
#include "simulate/runs.h"
#include "support/run_tests.h"

/* Angle and rate of a pendulum let go at angle a: sin(x/2) = k cd(w t), by Gauss' descending transformation of Jacobi's
 * functions. */
static void pendulum(double a, double w, double t, double *angle, double *rate) {
    double m[16], c[16], k = sin(a / 2), phi;
    int n = 0;
    m[0] = 1;
    c[0] = k;
    double b = cos(a / 2);
    while (fabs(c[n]) > 1e-17 && n < 14) {
        m[n + 1] = (m[n] + b) / 2;
        c[n + 1] = (m[n] - b) / 2;
        b = sqrt(m[n] * b);
        n++;
    }
    const double quarter = acos(-1.0) / (2 * m[n]), u = w * t + quarter; /* cd(x) = sn(x + K) */
    phi = ldexp(m[n] * u, n);
    for (int i = n; i > 0; i--) phi = (phi + asin(c[i] / m[i] * sin(phi))) / 2;
    const double sn = sin(phi), dn = sqrt(1 - k * k * sn * sn);
    *angle = 2 * asin(k * sn);
    *rate = 2 * w * k * cos(phi) * dn / sqrt(1 - k * k * sn * sn);
}

static void closed_form(void **state) {
    (void)state;
    static const char *const methods[] = {
        "method: adams, rtol: 1e-11, atol: 1e-12", "method: bdf, rtol: 1e-9, atol: 1e-10",
        "method: erk, rtol: 1e-11, atol: 1e-12", "method: dirk, rtol: 1e-9, atol: 1e-10", "method: rk4, step: 0.001"};
    const double bounds[] = {2e-9, 1e-6, 2e-9, 1e-6, 1e-10};
    double angle, rate;
    pendulum(2, sqrt(9.81), 7.3, &angle, &rate);
    for (int i = 0; i < 5; i++) {
        zvScenario *scenario = scenario_of("{zveno_scenario: 1, model: " PENDULUM
                                           ", duration: 7.3, initial: {q: {pivot: 2}}, integrator: {%s}}",
                                           methods[i]);
        zvRunSummary *summary = run_of(scenario, NULL);
        assert_named_near("time", zv_run_time(summary), 7.3, 0);
        assert_named_near(methods[i], zv_run_position(summary)[0], angle, bounds[i]);
        assert_named_near(methods[i], zv_run_velocity(summary)[0], rate, 4 * bounds[i]);
        assert_string_equal(zv_run_ending(summary), "end of duration");
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* Rows stand at start + k interval exactly, and at the end; none twice. */
static void times_of_rows(void **state) {
    (void)state;
    static const char *const methods[] = {"adams", "erk", "dirk", "rk4", "euler"};
    char name[512];
    const char *path = file_of("times.csv", name);
    for (int i = 0; i < 5; i++) {
        zvScenario *scenario = scenario_of("{zveno_scenario: 1, model: " FALLING
                                           ", start: 0.25, duration: 1.05, initial: {q: {slide: 3}, v: {slide: 2}}, "
                                           "integrator: {method: %s}, output: {interval: 0.1, channels: [q, v, a]}}",
                                           methods[i]);
        zvRunSummary *summary = run_of(scenario, path);
        uint64_t rows;
        double *t = rows_of(path, "time", &rows, NULL), *q = rows_of(path, "q", &rows, NULL);
        double *a = rows_of(path, "a", &rows, NULL);
        assert_int_equal(rows, 12);
        assert_int_equal(zv_run_rows(summary), 12);
        for (int k = 0; k < 12; k++) {
            const double expected = k < 11 ? 0.25 + k * 0.1 : 0.25 + 1.05, s = expected - 0.25;
            assert_named_near("time of a row", t[k], expected, 0);
            assert_named_near(methods[i], q[k], 3 + 2 * s - 4.905 * s * s, i == 4 ? 6e-3 : 1e-7);
            assert_named_near("acceleration", a[k], -9.81, 1e-12);
        }
        free(t);
        free(q);
        free(a);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
    remove(path);
}

/* A duration that is a multiple of the interval in decimals but not in binary: one row at the end. */
static void no_row_just_before_the_end(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("end.csv", name);
    zvScenario *scenario =
        scenario_of("{zveno_scenario: 1, model: " FALLING ", duration: 0.7, output: {interval: 0.1, channels: [q]}}");
    zv_run_summary_destroy(run_of(scenario, path));
    uint64_t rows;
    double *t = rows_of(path, "time", &rows, NULL);
    assert_int_equal(rows, 8);
    assert_named_near("last row", t[7], 0.7, 0);
    free(t);
    zv_scenario_destroy(scenario);
    remove(path);
}

static void a_row_per_step(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("steps.csv", name);
    zvScenario *scenario =
        scenario_of("{zveno_scenario: 1, model: " PENDULUM
                    ", duration: 2, initial: {q: {pivot: 1}}, output: {every_step: true, channels: [q]}}");
    zvRunSummary *summary = run_of(scenario, path);
    uint64_t rows;
    double *t = rows_of(path, "time", &rows, NULL);
    assert_int_equal(rows, zv_run_statistics(summary).steps + 1);
    for (uint64_t i = 1; i < rows; i++) assert_true(t[i] > t[i - 1]);
    assert_named_near("last row", t[rows - 1], 2, 0);
    free(t);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
    remove(path);
}

TESTS(closed_form, times_of_rows, no_row_just_before_the_end, a_row_per_step)
