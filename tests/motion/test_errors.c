/* What constructors refuse, and the texts with which they do. */
#include "check_law.h"
#include "support/run_tests.h"

static zvError error;
static const double zeros[8] = {0}, ones[8] = {1, 1, 1, 1, 1, 1, 1, 1}, bad[2] = {0, NAN};

static void refused(const void *what, zvStatus status, const char *phrase) {
    assert_null(what);
    if (error.status != status || !strstr(error.text, phrase))
        fail_msg("%s: \"%s\", expected %s with \"%s\"", zv_status_name(error.status), error.text,
                 zv_status_name(status), phrase);
    if (!strchr(error.text, ';')) fail_msg("no advice in \"%s\"", error.text);
    memset(&error, 0, sizeof error);
}

static zvLaw *one(void) { return MADE(zv_law_constant(1, zeros, &error)); }

static void widths(void **state) {
    (void)state;
    const char *text = "width of a law: expected one entry or more, found 0";
    refused(zv_law_constant(0, zeros, &error), ZV_SIZE, text);
    refused(zv_law_polynomial(0, 0, 1, zeros, &error), ZV_SIZE, text);
    refused(zv_law_boundary(0, 0, 1, 1, zeros, 1, zeros, &error), ZV_SIZE, text);
    refused(zv_law_cycloidal(0, 0, 1, zeros, ones, &error), ZV_SIZE, text);
    refused(zv_law_trapezoidal(0, 0, 1, 0.3, zeros, ones, &error), ZV_SIZE, text);
    refused(zv_law_trapezoidal_limits(0, 0, ones, ones, zeros, ones, &error), ZV_SIZE, text);
    refused(zv_law_harmonic(0, 0, ones, ones, ones, ones, &error), ZV_SIZE, text);
    refused(zv_law_spline(0, 2, ones, ones, ZV_SPLINE_NATURAL, &error), ZV_SIZE, text);
    refused(zv_law_hermite(0, 2, ones, ones, ones, ones, &error), ZV_SIZE, text);
    refused(zv_law_table(0, 2, ones, ones, ZV_TABLE_HOLD, &error), ZV_SIZE, text);
    refused(zv_law_constant(-3, zeros, &error), ZV_SIZE, "width of a law: expected one entry or more, found -3");
}

static void counts(void **state) {
    (void)state;
    const double times[2] = {0, 1};
    refused(zv_law_polynomial(1, 0, 0, zeros, &error), ZV_SIZE, "expected at least 1 coefficients, found 0");
    refused(zv_law_boundary(1, 0, 1, 0, zeros, 3, zeros, &error), ZV_SIZE,
            "expected 1 to 8 conditions at the start, found 0");
    refused(zv_law_boundary(1, 0, 1, 2, zeros, 9, zeros, &error), ZV_SIZE,
            "expected 1 to 8 conditions at the end, found 9");
    refused(zv_law_spline(1, 1, times, zeros, ZV_SPLINE_CLAMPED, &error), ZV_SIZE,
            "expected at least 2 points of a spline, found 1");
    refused(zv_law_hermite(1, 1, times, zeros, zeros, zeros, &error), ZV_SIZE, "expected at least 2 knots, found 1");
    refused(zv_law_table(1, 0, times, zeros, ZV_TABLE_LINEAR, &error), ZV_SIZE,
            "expected at least 1 points of a table, found 0");
    refused(zv_law_sum(0, NULL, &error), ZV_SIZE, "a sum: expected at least one law, found none");
    refused(zv_law_join(0, NULL, &error), ZV_SIZE, "a joined law: expected at least one law, found none");
    refused(zv_law_sequence(0, 0, NULL, NULL, &error), ZV_SIZE, "a sequence: expected at least one law, found none");
}

static void not_finite(void **state) {
    (void)state;
    const double times[2] = {0, 1};
    refused(zv_law_constant(2, bad, &error), ZV_NUMBER,
            "the value, row 1, entry 2: expected a finite number, found nan");
    refused(zv_law_polynomial(1, NAN, 1, zeros, &error), ZV_NUMBER, "the start: expected a finite number, found nan");
    refused(zv_law_polynomial(1, 0, 2, bad, &error), ZV_NUMBER,
            "coefficients, row 2, entry 1: expected a finite number, found nan");
    refused(zv_law_boundary(1, 0, 1, 2, bad, 1, zeros, &error), ZV_NUMBER, "start conditions, row ");
    refused(zv_law_boundary(1, 0, 1, 1, zeros, 2, bad, &error), ZV_NUMBER, "end conditions, row ");
    refused(zv_law_cycloidal(2, 0, 1, bad, zeros, &error), ZV_NUMBER, "the start point, row ");
    refused(zv_law_cycloidal(2, 0, 1, zeros, bad, &error), ZV_NUMBER, "the end point, row ");
    refused(zv_law_trapezoidal(2, 0, 1, 0.3, bad, zeros, &error), ZV_NUMBER, "the start point, row ");
    refused(zv_law_trapezoidal(2, 0, 1, 0.3, zeros, bad, &error), ZV_NUMBER, "the end point, row ");
    refused(zv_law_trapezoidal(1, 0, 1, NAN, zeros, ones, &error), ZV_NUMBER,
            "the share: expected a finite number, found nan");
    refused(zv_law_harmonic(2, 0, bad, ones, ones, ones, &error), ZV_NUMBER, "the offset, row ");
    refused(zv_law_harmonic(2, 0, ones, bad, ones, ones, &error), ZV_NUMBER, "the amplitude, row ");
    refused(zv_law_harmonic(2, 0, ones, ones, bad, ones, &error), ZV_NUMBER, "the frequency, row ");
    refused(zv_law_harmonic(2, 0, ones, ones, ones, bad, &error), ZV_NUMBER, "the phase, row ");
    refused(zv_law_harmonic(1, INFINITY, ones, ones, ones, ones, &error), ZV_NUMBER,
            "the start: expected a finite number, found inf");
    refused(zv_law_exponential(2, 0, ones, ones, zeros, &error), ZV_NUMBER, "the list of time constants");
    refused(zv_law_exponential(2, 0, ones, bad, ones, &error), ZV_NUMBER, "the end point, row ");
    refused(zv_law_spline(1, 2, bad, zeros, ZV_SPLINE_NATURAL, &error), ZV_NUMBER, "list of times, row 2");
    refused(zv_law_spline(1, 2, times, bad, ZV_SPLINE_NATURAL, &error), ZV_NUMBER, "list of points, row ");
    refused(zv_law_hermite(1, 2, times, bad, zeros, zeros, &error), ZV_NUMBER, "list of points, row ");
    refused(zv_law_hermite(1, 2, times, zeros, bad, zeros, &error), ZV_NUMBER, "list of velocities, row ");
    refused(zv_law_hermite(1, 2, times, zeros, zeros, bad, &error), ZV_NUMBER, "list of accelerations, row ");
    refused(zv_law_table(1, 2, times, bad, ZV_TABLE_HOLD, &error), ZV_NUMBER, "list of points, row ");
}

static void spans(void **state) {
    (void)state;
    refused(zv_law_boundary(1, 0, 0, 1, zeros, 1, ones, &error), ZV_NUMBER,
            "the duration: expected more than 0 s, found 0 s");
    refused(zv_law_cycloidal(1, 0, -2, zeros, ones, &error), ZV_NUMBER,
            "the duration: expected more than 0 s, found -2 s");
    assert_string_equal((zv_law_cycloidal(1, 0, -2, zeros, ones, &error), error.token), "-2");
    refused(zv_law_trapezoidal(1, 0, INFINITY, 0.3, zeros, ones, &error), ZV_NUMBER,
            "the duration: expected a finite number, found inf");
    refused(zv_law_cycloidal(1, NAN, 1, zeros, ones, &error), ZV_NUMBER,
            "the start: expected a finite number, found nan");
    refused(zv_law_cycloidal(1, 1e9, 1e-9, zeros, ones, &error), ZV_NUMBER,
            "the duration: expected one that rounding leaves at the time 1e+09 s, found 1e-09 s");
    refused(zv_law_trapezoidal(1, 0, 1, 0, zeros, ones, &error), ZV_NUMBER,
            "expected above 0 and at most 0.5, found 0");
    refused(zv_law_trapezoidal(1, 0, 1, 0.6, zeros, ones, &error), ZV_NUMBER,
            "expected above 0 and at most 0.5, found 0.6");
    const double times[3] = {0, 1, 1}, back[2] = {1, 0}, wide[2] = {-1.5e308, 1.5e308};
    refused(zv_law_spline(1, 3, times, zeros, ZV_SPLINE_NATURAL, &error), ZV_NUMBER,
            "time 3: expected one after 1 s, found 1 s");
    refused(zv_law_hermite(1, 2, back, zeros, zeros, zeros, &error), ZV_NUMBER,
            "time 2: expected one after 1 s, found 0 s");
    refused(zv_law_table(1, 2, back, zeros, ZV_TABLE_LINEAR, &error), ZV_NUMBER, "times must ascend");
    refused(zv_law_table(1, 2, wide, zeros, ZV_TABLE_LINEAR, &error), ZV_NUMBER,
            "expected a span within the range of numbers, found -1.5e+308 s");
}

static void limits(void **state) {
    (void)state;
    refused(zv_law_trapezoidal_limits(2, 0, zeros, ones, zeros, ones, &error), ZV_NUMBER,
            "the list of velocity limits, entry 1: expected a positive limit, found 0");
    refused(zv_law_trapezoidal_limits(1, 0, ones, (double[]){-1}, zeros, ones, &error), ZV_NUMBER,
            "the list of acceleration limits, entry 1: expected a positive limit, found -1");
    refused(zv_law_trapezoidal_limits(2, 0, bad, ones, zeros, ones, &error), ZV_NUMBER,
            "the list of velocity limits, row 1, entry 2: expected a finite number, found nan");
    refused(zv_law_trapezoidal_limits(2, 0, ones, ones, zeros, bad, &error), ZV_NUMBER, "the end point, row ");
    refused(zv_law_trapezoidal_limits(1, 0, ones, ones, (double[]){-1.7e308}, (double[]){1.7e308}, &error), ZV_NUMBER,
            "the duration: expected a finite number, found inf");
}

/* Finite arguments whose velocities or accelerations are not. */
static void overflows(void **state) {
    (void)state;
    const char *text = "velocities and accelerations of a law: expected less than 1.8e308, found more";
    const double far[8] = {1e300, -1e300, 1e300}, near[2] = {0, 1e-160};
    refused(zv_law_boundary(1, 0, 1e-100, 1, far, 3, zeros, &error), ZV_NUMBER, text);
    refused(zv_law_boundary(1, 0, 1e100, 1, zeros, 8, far, &error), ZV_NUMBER, text);
    refused(zv_law_cycloidal(1, 0, 1e-10, far, far + 1, &error), ZV_NUMBER, text);
    refused(zv_law_cycloidal(1, 0, 1, (double[]){1.7e308}, (double[]){-1.7e308}, &error), ZV_NUMBER, text);
    refused(zv_law_trapezoidal(1, 0, 1e-10, 0.3, far, far + 1, &error), ZV_NUMBER, text);
    refused(zv_law_harmonic(1, 0, ones, ones, far, ones, &error), ZV_NUMBER, text);
    refused(zv_law_spline(1, 2, near, ones, ZV_SPLINE_NATURAL, &error), ZV_NUMBER, text);
    refused(zv_law_hermite(1, 2, near, ones, zeros, zeros, &error), ZV_NUMBER, text);
    refused(zv_law_table(1, 2, (double[]){0, 1e-10}, far, ZV_TABLE_LINEAR, &error), ZV_NUMBER, text);
}

static void periodic_gap(void **state) {
    (void)state;
    const double times[3] = {0, 1, 2}, points[3][2] = {{1, 2}, {0, 0}, {1, 2.001}};
    refused(zv_law_spline(2, 3, times, points[0], ZV_SPLINE_PERIODIC, &error), ZV_NUMBER,
            "entry 2 of the last point of a periodic spline: expected 2 as in the first, found 2.001; repeat the first "
            "point");
}

/* Parts are taken over also on failure: the leak checker is the judge. */
static void parts(void **state) {
    (void)state;
    zvLaw *two = MADE(zv_law_constant(2, ones, &error));
    refused(zv_law_sum(2, (zvLaw *[]){one(), two}, &error), ZV_SIZE,
            "part 2 of a sum: expected 1 entries as in part 1, found 2");
    refused(zv_law_sum(2, (zvLaw *[]){one(), NULL}, &error), ZV_SIZE, "part 2 of a sum: expected a law, found none");
    refused(zv_law_join(2, (zvLaw *[]){NULL, one()}, &error), ZV_SIZE,
            "part 1 of a joined law: expected a law, found none");
    two = MADE(zv_law_constant(2, ones, &error));
    refused(zv_law_sequence(0, 2, (zvLaw *[]){one(), two}, ones, &error), ZV_SIZE,
            "part 2 of a sequence: expected 1 entries as in part 1, found 2");
    refused(zv_law_sequence(NAN, 1, (zvLaw *[]){one()}, ones, &error), ZV_NUMBER,
            "the start: expected a finite number, found nan");
    const char *text = "of a sequence: expected a positive duration, found";
    refused(zv_law_sequence(0, 3, (zvLaw *[]){one(), one(), one()}, (double[]){1, 0}, &error), ZV_NUMBER, text);
    refused(zv_law_sequence(0, 2, (zvLaw *[]){one(), one()}, bad + 1, &error), ZV_NUMBER,
            "part 1 of a sequence: expected a positive duration, found nan s");
    refused(zv_law_sequence(1e20, 2, (zvLaw *[]){one(), one()}, ones, &error), ZV_NUMBER, text);
}

static void routes(void **state) {
    (void)state;
    const zvPose good = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
    zvPose skew = good, mirror = good, far = good, lost = good;
    skew.R[1] = 2e-6;
    mirror.R[0] = -1;
    far.p[1] = INFINITY;
    lost.R[8] = NAN;
    const double z[3] = {0, 0, 1};
    zvLaw *two = MADE(zv_law_constant(2, ones, &error));
    refused(zv_route_line(&good, &good, two, &error), ZV_SIZE,
            "progress of a route: expected a law of one entry from 0 to 1, found 2 entries");
    refused(zv_route_line(&good, &good, NULL, &error), ZV_SIZE,
            "progress of a route: expected a law of one entry from 0 to 1, found none");
    refused(zv_route_arc(&good, zeros, z, 1, 1, NULL, &error), ZV_SIZE,
            "progress of a route: expected a law of one entry from 0 to 1, found none");
    refused(zv_route_line(&skew, &good, one(), &error), ZV_NUMBER,
            "the rotation of the first pose: expected orthonormal axes to 1e-06, found them off by 2e-06");
    refused(zv_route_line(&good, &skew, one(), &error), ZV_NUMBER,
            "the rotation of the last pose: expected orthonormal axes to 1e-06, found them off by 2e-06");
    refused(zv_route_line(&good, &mirror, one(), &error), ZV_NUMBER,
            "last pose: expected a rotation, found a reflection");
    refused(zv_route_line(&far, &good, one(), &error), ZV_NUMBER, "the position of the first pose, row ");
    refused(zv_route_arc(&lost, zeros, z, 1, 1, one(), &error), ZV_NUMBER, "the rotation of the first pose, row ");
    refused(zv_route_arc(&good, far.p, z, 1, 1, one(), &error), ZV_NUMBER, "the centre of the arc, row ");
    refused(zv_route_arc(&good, zeros, zeros, 1, 1, one(), &error), ZV_NUMBER,
            "the axis of the arc: expected a direction, found the length 0");
    refused(zv_route_arc(&good, zeros, far.p, 1, 1, one(), &error), ZV_NUMBER, "the axis of the arc, row ");
    refused(zv_route_arc(&good, zeros, z, NAN, 1, one(), &error), ZV_NUMBER,
            "the angle of the arc: expected a finite number, found nan");
    skew.R[1] = 2e-7; /* a matrix printed with seven digits is good enough */
    zvRoute *route = zv_route_line(&skew, &good, one(), &error);
    assert_non_null(route);
    zv_route_destroy(route);
    zv_route_destroy(NULL);
}

/* error may be NULL everywhere. */
static void nobody_asks(void **state) {
    (void)state;
    assert_null(zv_law_constant(1, bad + 1, NULL));
    assert_null(zv_law_sum(1, (zvLaw *[]){NULL}, NULL));
    assert_null(zv_route_line(NULL, NULL, NULL, NULL));
    zvTable table;
    assert_int_equal(zv_table_read_memory("x", "a", 1, &table, NULL), ZV_SYNTAX);
}

TESTS(widths, counts, not_finite, spans, limits, overflows, periodic_gap, parts, routes, nobody_asks)
