/* The method auto: which of its members runs when, what it costs beside them, and that a run in pieces is one run. */
#include "problem.h"

/* y = cos t attracts at a rate that is 1e5 between t = 1 and 2, and 1 else, with smooth flanks. */
typedef struct Coming {
    long calls;
} Coming;

static int coming_rate(void *context, double t, const double *y, double *dy) {
    const double up = 1 / (1 + exp(-200 * (t - 1))), down = 1 / (1 + exp(200 * (t - 2)));
    ((Coming *)context)->calls++;
    dy[0] = y[1] - (1 + 1e5 * up * down) * (y[0] - cos(t)) - sin(t) - y[1];
    dy[1] = -sin(3 * t) * y[1];
    return 0;
}

static zvIntegrator *run(const zvOde *ode, const char *method, double tolerance, const double *y, double end) {
    zvIntegrationOptions o = {.method = method, .rtol = tolerance, .atol = tolerance};
    zvIntegrator *in = make(ode, &o);
    begin(in, 0, y);
    run_to(in, end);
    return in;
}

static long rates_of(const zvOde *ode, const char *method, double tolerance, const double *y, double end) {
    zvIntegrator *in = run(ode, method, tolerance, y, end);
    const long rates = zv_integrator_statistics(in).rates;
    zv_integrator_destroy(in);
    return rates;
}

static void expect_methods(const zvIntegrator *in, int count, const char *const *wanted) {
    zvMethodChange changes[ZV_CHANGES_KEPT];
    long total;
    const int found = zv_integrator_changes(in, changes, &total);
    for (int i = 0; i < found; i++) print_message("    %s from %g\n", changes[i].method, changes[i].t);
    assert_int_equal(found, count);
    assert_int_equal(total, count);
    for (int i = 0; i < count; i++) assert_string_equal(changes[i].method, wanted[i]);
    for (int i = 1; i < count; i++) assert_true(changes[i].t > changes[i - 1].t);
}

/* Stiffness that comes and goes is met by bdf while it is there, and every call of f is counted. */
static void changes_over_and_back(void **state) {
    (void)state;
    if (!have("auto")) skip();
    Coming coming = {0};
    const zvOde ode = {.size = 2, .context = &coming, .rate = coming_rate};
    const double y[2] = {1, 0.5};
    zvIntegrator *in = run(&ode, "auto", 1e-8, y, 3);
    zvMethodChange changes[ZV_CHANGES_KEPT];
    expect_methods(in, 3, (const char *const[]){"adams", "bdf", "adams"});
    zv_integrator_changes(in, changes, NULL);
    assert_true(changes[0].t == 0 && changes[1].t > 0.9 && changes[1].t < 1.1 && changes[2].t > 1.9);
    assert_true(fabs(zv_integrator_state(in)[0] - cos(3.0)) < 1e-7);
    assert_int_equal(zv_integrator_statistics(in).rates, coming.calls);
    assert_true(coming.calls < 3 * rates_of(&ode, "bdf", 1e-8, y, 3));
    assert_true(20 * zv_integrator_statistics(in).rates < rates_of(&ode, "adams", 1e-8, y, 3));
    zv_integrator_destroy(in);
}

/* A spring of 3000 rad/s, damped to a hundredth, that is led slowly: bdf beyond order 2 is not stable there. */
static int led_rate(void *context, double t, const double *y, double *dy) {
    (void)context;
    dy[0] = y[1];
    dy[1] = -9e6 * (y[0] - sin(0.1 * t)) - 60 * (y[1] - 0.1 * cos(0.1 * t)) - 0.01 * sin(0.1 * t);
    return 0;
}

static void vibrations(void **state) {
    (void)state;
    if (!have("auto")) skip();
    const zvOde ode = {.size = 2, .rate = led_rate};
    const double y[2] = {0, 0.1};
    zvIntegrator *in = run(&ode, "auto", 1e-8, y, 10);
    expect_methods(in, 2, (const char *const[]){"adams", "dirk"});
    assert_true(fabs(zv_integrator_state(in)[0] - sin(1.0)) < 1e-7);
    assert_false(zv_integrator_interpolates(in)); /* as of dirk, which runs */
    assert_true(2 * zv_integrator_statistics(in).rates < rates_of(&ode, "bdf", 1e-8, y, 10));
    assert_true(4 * zv_integrator_statistics(in).rates < rates_of(&ode, "adams", 1e-8, y, 10));
    zv_integrator_destroy(in);
}

/* Where nothing is stiff adams runs alone, to a hundredth of the tolerance: errors are at most a tenth of those that it
 * has by itself, for less than twice the calls. */
static void smooth_motion(void **state) {
    (void)state;
    if (!have("auto")) skip();
    const zvOde ode = kepler();
    double y[4], end[4];
    kepler_exact(0, y);
    kepler_exact(20, end);
    for (double tolerance = 1e-4; tolerance > 1e-10; tolerance /= 100) {
        zvIntegrator *in = run(&ode, "auto", tolerance, y, 20), *alone = run(&ode, "adams", tolerance, y, 20);
        const double error = greatest_gap(zv_integrator_state(in), end, 4);
        const double error_alone = greatest_gap(zv_integrator_state(alone), end, 4);
        expect_methods(in, 1, (const char *const[]){"adams"});
        if (!(error < 0.1 * error_alone)) fail_msg("%g: error %g and %g", tolerance, error, error_alone);
        assert_true(zv_integrator_statistics(in).rates < 2 * zv_integrator_statistics(alone).rates);
        zv_integrator_destroy(in);
        zv_integrator_destroy(alone);
    }
}

/* Given back, the memory makes another integrator go on with the same method, in the same bits. */
static void resumed(void **state) {
    (void)state;
    if (!have("auto")) skip();
    Coming coming = {0};
    const zvOde ode = {.size = 2, .context = &coming, .rate = coming_rate};
    const zvIntegrationOptions o = {.method = "auto", .rtol = 1e-8, .atol = 1e-8};
    zvIntegrator *one = run(&ode, "auto", 1e-8, (double[]){1, 0.5}, 1.5), *two = make(&ode, &o);
    double y[2], memory[1024];
    size_t count;
    zvError error;
    const double *kept = zv_integrator_memory(one, &count);
    assert_true(count > 0 && count <= 1024);
    memcpy(memory, kept, count * sizeof *memory);
    memcpy(y, zv_integrator_state(one), sizeof y);
    assert_true(zv_integrator_resume(one, 1.5, y, memory, &error) >= 0);
    assert_true(zv_integrator_resume(two, 1.5, y, memory, &error) >= 0);
    run_to(one, 3);
    run_to(two, 3);
    expect_methods(one, 3, (const char *const[]){"adams", "bdf", "adams"});
    expect_methods(two, 3, (const char *const[]){"adams", "bdf", "adams"});
    assert_memory_equal(zv_integrator_state(one), zv_integrator_state(two), sizeof y);
    zv_integrator_destroy(one);
    zv_integrator_destroy(two);
}

/* f is not defined beyond t = 1: no member gets past it, and the failure has its time. */
static int ending_rate(void *context, double t, const double *y, double *dy) {
    (void)context;
    dy[0] = -y[0];
    return t > 1;
}

static void failures_are_told(void **state) {
    (void)state;
    if (!have("auto")) skip();
    const zvOde ode = {.size = 1, .rate = ending_rate};
    const zvIntegrationOptions o = {.method = "auto", .rtol = 1e-8, .atol = 1e-8};
    zvIntegrator *in = make(&ode, &o);
    zvStepEnd end;
    zvError error = {0};
    zvStatus status = ZV_OK;
    begin(in, 0, (double[]){1});
    while (status >= 0 && zv_integrator_time(in) < 2) status = zv_integrator_step(in, 2, &end, &error);
    assert_int_equal(status, ZV_NO_CONVERGENCE);
    assert_non_null(strstr(error.text, "the right-hand side cannot be computed at t = 1"));
    assert_true(zv_integrator_time(in) > 0.99 && zv_integrator_time(in) <= 1);
    assert_true(fabs(zv_integrator_state(in)[0] - exp(-zv_integrator_time(in))) < 1e-7);
    zv_integrator_destroy(in);
}

/* Other methods have no changes to tell. */
static void others(void **state) {
    (void)state;
    const zvOde ode = kepler();
    double y[4];
    kepler_exact(0, y);
    zvIntegrator *in = run(&ode, "rk4", 1e-8, y, 1);
    long total = 7;
    assert_int_equal(zv_integrator_changes(in, NULL, &total), 0);
    assert_int_equal(total, 0);
    zv_integrator_destroy(in);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_over_and_back), cmocka_unit_test(vibrations),
        cmocka_unit_test(smooth_motion),         cmocka_unit_test(resumed),
        cmocka_unit_test(failures_are_told),     cmocka_unit_test(others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
