/* Memory: evaluating allocates nothing; when any request fails, constructors say so and nothing leaks. */
#include "check_law.h"
#include "rules/allocator.h"
#include "support/run_tests.h"

static const double times[3] = {0, 1, 2}, points[6] = {1, 2, 3, 4, 1, 2}, zeros[6] = {0}, ones[6] = {1, 1, 1, 1, 1, 1};

static zvLaw *make_polynomial(zvError *e) { return zv_law_polynomial(2, 0, 2, points, e); }
static zvLaw *make_boundary(zvError *e) { return zv_law_boundary(2, 0, 1, 3, points, 3, points, e); }
static zvLaw *make_cycloidal(zvError *e) { return zv_law_cycloidal(2, 0, 1, zeros, ones, e); }
static zvLaw *make_trapezoidal(zvError *e) { return zv_law_trapezoidal(2, 0, 1, 0.3, zeros, ones, e); }
static zvLaw *make_limits(zvError *e) { return zv_law_trapezoidal_limits(2, 0, ones, ones, zeros, ones, e); }
static zvLaw *make_harmonic(zvError *e) { return zv_law_harmonic(2, 0, ones, ones, ones, ones, e); }
static zvLaw *make_exponential(zvError *e) { return zv_law_exponential(2, 0, zeros, ones, ones, e); }
static zvLaw *make_spline(zvError *e) { return zv_law_spline(2, 3, times, points, ZV_SPLINE_NATURAL, e); }
static zvLaw *make_periodic(zvError *e) { return zv_law_spline(2, 3, times, points, ZV_SPLINE_PERIODIC, e); }
static zvLaw *make_hermite(zvError *e) { return zv_law_hermite(2, 3, times, points, zeros, zeros, e); }
static zvLaw *make_table(zvError *e) { return zv_law_table(2, 3, times, points, ZV_TABLE_LINEAR, e); }

/* Makes two laws, or none and NULL. */
static zvLaw *pair(zvLaw *(*make)(int, zvLaw *const *, zvError *), zvError *e) {
    zvLaw *parts[2] = {make_spline(e), NULL};
    if (!parts[0]) return NULL;
    parts[1] = make_harmonic(e);
    if (parts[1]) return make(2, parts, e);
    zv_law_destroy(parts[0]);
    return NULL;
}
static zvLaw *in_turn(int count, zvLaw *const *parts, zvError *e) {
    return zv_law_sequence(0.5, count, parts, ones, e);
}
static zvLaw *make_sum(zvError *e) { return pair(zv_law_sum, e); }
static zvLaw *make_join(zvError *e) { return pair(zv_law_join, e); }
static zvLaw *make_sequence(zvError *e) { return pair(in_turn, e); }

static zvLaw *(*const makers[])(zvError *) = {
    make_polynomial, make_boundary, make_cycloidal, make_trapezoidal, make_limits, make_harmonic, make_exponential,
    make_spline,     make_periodic, make_hermite,   make_table,       make_sum,    make_join,     make_sequence};
enum { MAKERS = sizeof makers / sizeof *makers };

static void nobody_allocates(void **state) {
    (void)state;
    for (int n = 0; n < MAKERS; n++) {
        zvError error;
        zvLaw *law = MADE(makers[n](&error));
        double x[4], dx[4], ddx[4], sum = 0;
        allocator_forbid("evaluation");
        for (double t = -1; t < 4; t += 0.1) {
            zv_law_at(law, t, x, dx, ddx);
            sum += x[0] + dx[0] + ddx[0] + fmin(zv_law_next_break(law, t), 10);
        }
        allocator_forbid(NULL);
        assert_true(isfinite(sum));
        zv_law_destroy(law);
    }
}

static void routes_allocate_nothing(void **state) {
    (void)state;
    const zvPose from = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 2, 3}}, to = {{0, -1, 0, 1, 0, 0, 0, 0, 1}, {3, 1, 2}};
    const double zero = 0, one = 1, center[3] = {0, 0, 3}, axis[3] = {0, 0, 2};
    zvError error;
    zvRoute *routes[] = {
        zv_route_line(&from, &to, zv_law_cycloidal(1, 0, 1, &zero, &one, &error), &error),
        zv_route_arc(&from, center, axis, 7, 1, zv_law_trapezoidal(1, 0, 1, 0.3, &zero, &one, &error), &error),
    };
    double sum = 0;
    assert_true(routes[0] && routes[1]);
    allocator_forbid("evaluation of a route");
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
        for (double t = -1; t < 2; t += 0.1) {
            zvPose place;
            double velocity[6], acceleration[6];
            zv_route_at(routes[i], t, &place, velocity, acceleration);
            sum += place.p[0] + place.R[4] + velocity[5] + acceleration[0];
            sum += fmin(zv_route_next_break(routes[i], t), 10);
        }
    }
    allocator_forbid(NULL);
    assert_true(isfinite(sum));
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) zv_route_destroy(routes[i]);
}

static void laws_fail_cleanly(void **state) {
    (void)state;
    for (int n = 0; n < MAKERS; n++) {
        for (long request = 1;; request++) {
            zvError error = {0};
            const long before = allocator_outstanding();
            allocator_fail(request, ANYBODY, false);
            zvLaw *law = makers[n](&error);
            const bool was_refused = allocator_refused();
            allocator_fail(0, ANYBODY, false);
            zv_law_destroy(law);
            assert_int_equal(allocator_outstanding(), before);
            if (!was_refused) break;
            assert_null(law);
            assert_int_equal(error.status, ZV_MEMORY);
        }
    }
}

static void tables_and_routes_fail_cleanly(void **state) {
    (void)state;
    static const char text[] = "t,x\n0,1\n1,2\n";
    const zvPose place = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 2, 3}};
    for (long request = 1;; request++) {
        zvError error = {0};
        zvTable table;
        const long before = allocator_outstanding();
        allocator_fail(request, ANYBODY, false);
        const zvStatus status = zv_table_read_memory("t", text, sizeof text - 1, &table, &error);
        const bool was_refused = allocator_refused();
        allocator_fail(0, ANYBODY, false);
        assert_true(status == (was_refused ? ZV_MEMORY : ZV_OK));
        zv_table_free(&table);
        assert_int_equal(allocator_outstanding(), before);
        if (!was_refused) break;
        assert_true(request < 100);
    }
    zvError error = {0};
    zvLaw *law = MADE(make_polynomial(&error));
    zv_law_destroy(law);
    const long before = allocator_outstanding();
    law = MADE(zv_law_constant(1, ones, &error));
    allocator_fail(1, ANYBODY, false);
    zvRoute *route = zv_route_line(&place, &place, law, &error);
    allocator_fail(0, ANYBODY, false);
    assert_null(route);
    assert_int_equal(error.status, ZV_MEMORY);
    assert_int_equal(allocator_outstanding(), before); /* the law was taken over */
}

TESTS(nobody_allocates, routes_allocate_nothing, laws_fail_cleanly, tables_and_routes_fail_cleanly)
