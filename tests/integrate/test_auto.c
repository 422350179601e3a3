/* The method auto: which of its members runs when, what it costs beside them, and that a run in pieces is one run. */
#include "problem.h"

/* y = cos t attracts at a rate that is 1e5 between t = 1 and 2, and 1 else, with smooth flanks. */
typedef struct Coming {
    long calls;
    int told;                             /* how often a member was announced, */
    const char *members[ZV_CHANGES_KEPT]; /* and which */
} Coming;

static int coming_rate(void *context, double t, const double *y, double *dy) {
    const double up = 1 / (1 + exp(-200 * (t - 1))), down = 1 / (1 + exp(200 * (t - 2)));
    ((Coming *)context)->calls++;
    dy[0] = y[1] - (1 + 1e5 * up * down) * (y[0] - cos(t)) - sin(t) - y[1];
    dy[1] = -sin(3 * t) * y[1];
    return 0;
}

static void coming_adopt(void *context, const zvIntegrationMethod *method) {
    Coming *c = context;
    assert_true(c->told < ZV_CHANGES_KEPT);
    c->members[c->told++] = method->name;
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

/* Stiffness that comes and goes is met by bdf while it is there, with a second look at erk where it rises at the most,
 * and every call of f is counted. */
static void changes_over_and_back(void **state) {
    (void)state;
    if (!have("auto")) skip();
    Coming coming = {0};
    const zvOde ode = {.size = 2, .context = &coming, .rate = coming_rate};
    const double y[2] = {1, 0.5};
    zvIntegrator *in = run(&ode, "auto", 1e-8, y, 3);
    zvMethodChange changes[ZV_CHANGES_KEPT];
    const int count = zv_integrator_changes(in, changes, NULL);
    assert_true(count == 3 || count == 5);
    expect_methods(in, count, (const char *const[]){"erk", "bdf", "erk", "bdf", "erk"});
    assert_true(changes[0].t == 0 && changes[1].t > 0.9 && changes[count - 2].t < 1.1 && changes[count - 1].t > 1.9);
    assert_true(fabs(zv_integrator_state(in)[0] - cos(3.0)) < 1e-7);
    assert_int_equal(zv_integrator_statistics(in).rates, coming.calls);
    const long rates = coming.calls;
    assert_true(rates < 3 * rates_of(&ode, "bdf", 1e-10, y, 3)); /* which leaves an error of 5e-8 */
    assert_true(20 * rates < rates_of(&ode, "adams", 1e-8, y, 3));
    zv_integrator_destroy(in);
}

/* The caller is told each member before it calls. */
static void members_are_told(void **state) {
    (void)state;
    if (!have("auto")) skip();
    Coming coming = {0};
    const zvOde ode = {.size = 2, .context = &coming, .rate = coming_rate, .adopt = coming_adopt};
    zvIntegrator *in = run(&ode, "auto", 1e-8, (double[]){1, 0.5}, 3);
    assert_true(coming.told >= 3);
    expect_methods(in, coming.told, coming.members);
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
    expect_methods(in, 2, (const char *const[]){"erk", "dirk"});
    assert_true(fabs(zv_integrator_state(in)[0] - sin(1.0)) < 1e-7);
    assert_false(zv_integrator_interpolates(in)); /* as of dirk, which runs */
    const zvIntegrationOptions five = {.method = "dirk", .order = 5, .rtol = 1e-8, .atol = 1e-8};
    zvIntegrator *best = make(&ode, &five);
    begin(best, 0, y);
    run_to(best, 10);
    assert_true(zv_integrator_statistics(in).rates < 3 * zv_integrator_statistics(best).rates);
    zv_integrator_destroy(best);
    assert_true(2 * zv_integrator_statistics(in).rates < rates_of(&ode, "adams", 1e-8, y, 10));
    zv_integrator_destroy(in);
}

/* sin w t attracts at a rate of 100: accuracy holds erk down, well inside its stability region, and it needs twenty
 * times the calls of bdf. */
typedef struct Drawn {
    double w;
    long calls;
} Drawn;

static int drawn_rate(void *context, double t, const double *y, double *dy) {
    Drawn *d = context;
    d->calls++;
    dy[0] = -100 * (y[0] - sin(d->w * t)) + d->w * cos(d->w * t);
    dy[1] = -100 * (y[1] - y[0] * y[0]);
    return 0;
}

/* Only a trial that is long enough tells that bdf pays, and only what erk cost before tells that it would not pay now.
 */
static void drawn_motion(void **state) {
    (void)state;
    if (!have("auto")) skip();
    for (int w = 1; w <= 7; w++) {
        Drawn drawn = {.w = w};
        const zvOde ode = {.size = 2, .context = &drawn, .rate = drawn_rate};
        const double y[2] = {0, 0};
        zvIntegrator *in = run(&ode, "auto", 1e-8, y, 30);
        const long rates = drawn.calls, best = rates_of(&ode, "bdf", 1e-10, y, 30);
        print_message("    w = %d: %ld calls, bdf %ld\n", w, rates, best);
        assert_true(fabs(zv_integrator_state(in)[0] - sin(w * 30.0)) < 1e-7);
        if (!(rates < 3 * best)) fail_msg("w = %d: %ld calls, bdf alone %ld", w, rates, best);
        zv_integrator_destroy(in);
    }
}

/* Where nothing is stiff erk runs alone, for less than half as many calls again as by itself; errors stay within ten
 * tolerances at the end and at every row. */
static void smooth_motion(void **state) {
    (void)state;
    if (!have("auto")) skip();
    const zvOde ode = kepler();
    double y[4], exact[4];
    for (double tolerance = 1e-5; tolerance > 1e-10; tolerance /= 10) {
        const zvIntegrationOptions o = {.method = "auto", .rtol = tolerance, .atol = tolerance};
        const zvIntegrationOptions e = {.method = "erk", .order = 8, .rtol = tolerance, .atol = tolerance};
        zvIntegrator *in = make(&ode, &o), *alone = make(&ode, &e);
        double worst = 0;
        kepler_exact(0, y);
        begin(in, 0, y);
        begin(alone, 0, y);
        for (int k = 1; k <= 100; k++) {
            while (zv_integrator_time(in) < k * 0.2) step(in, 20);
            while (zv_integrator_time(alone) < k * 0.2) step(alone, 20);
            kepler_exact(k * 0.2, exact);
            zv_integrator_at(in, k * 0.2, y);
            worst = fmax(worst, greatest_gap(y, exact, 4));
            zv_integrator_at(alone, k * 0.2, y);
        }
        expect_methods(in, 1, (const char *const[]){"erk"});
        print_message("    %g: %g tolerances\n", tolerance, worst / tolerance);
        if (!(worst < 10 * tolerance)) fail_msg("%g: error %g", tolerance, worst);
        assert_true(2 * zv_integrator_statistics(in).rates < 3 * zv_integrator_statistics(alone).rates);
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
    zvMethodChange changes[ZV_CHANGES_KEPT];
    const int kept_changes = zv_integrator_changes(one, changes, NULL);
    assert_true(kept_changes >= 3);
    assert_string_equal(changes[kept_changes - 1].method, "erk");
    expect_methods(two, kept_changes, (const char *const[]){"erk", "bdf", "erk", "bdf", "erk"});
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
        cmocka_unit_test(changes_over_and_back), cmocka_unit_test(members_are_told), cmocka_unit_test(vibrations),
        cmocka_unit_test(drawn_motion),          cmocka_unit_test(smooth_motion),    cmocka_unit_test(resumed),
        cmocka_unit_test(failures_are_told),     cmocka_unit_test(others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
