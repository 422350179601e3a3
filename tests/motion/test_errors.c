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
    const char *text = "width 0 has nothing to move";
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
    refused(zv_law_constant(-3, zeros, &error), ZV_SIZE, "width -3");
}

static void counts(void **state) {
    (void)state;
    const double times[2] = {0, 1};
    refused(zv_law_polynomial(1, 0, 0, zeros, &error), ZV_SIZE, "0 coefficients are too few; give at least 1");
    refused(zv_law_boundary(1, 0, 1, 0, zeros, 3, zeros, &error), ZV_SIZE, "0 conditions at the start; give 1 to 8");
    refused(zv_law_boundary(1, 0, 1, 2, zeros, 9, zeros, &error), ZV_SIZE, "9 conditions at the end; give 1 to 8");
    refused(zv_law_spline(1, 1, times, zeros, ZV_SPLINE_CLAMPED, &error), ZV_SIZE, "1 points of a spline are too few");
    refused(zv_law_hermite(1, 1, times, zeros, zeros, zeros, &error), ZV_SIZE, "1 knots are too few; give at least 2");
    refused(zv_law_table(1, 0, times, zeros, ZV_TABLE_LINEAR, &error), ZV_SIZE, "0 points of a table are too few");
    refused(zv_law_sum(0, NULL, &error), ZV_SIZE, "a sum has no parts");
    refused(zv_law_join(0, NULL, &error), ZV_SIZE, "a joined law has no parts");
    refused(zv_law_sequence(0, 0, NULL, NULL, &error), ZV_SIZE, "a sequence has no parts");
}

static void not_finite(void **state) {
    (void)state;
    const double times[2] = {0, 1};
    refused(zv_law_constant(2, bad, &error), ZV_NUMBER, "the value holds nan in row 1, entry 2");
    refused(zv_law_polynomial(1, NAN, 1, zeros, &error), ZV_NUMBER, "the start is nan");
    refused(zv_law_polynomial(1, 0, 2, bad, &error), ZV_NUMBER, "coefficients holds nan in row 2, entry 1");
    refused(zv_law_boundary(1, 0, 1, 2, bad, 1, zeros, &error), ZV_NUMBER, "start conditions holds nan");
    refused(zv_law_boundary(1, 0, 1, 1, zeros, 2, bad, &error), ZV_NUMBER, "end conditions holds nan");
    refused(zv_law_cycloidal(2, 0, 1, bad, zeros, &error), ZV_NUMBER, "the start point holds nan");
    refused(zv_law_cycloidal(2, 0, 1, zeros, bad, &error), ZV_NUMBER, "the end point holds nan");
    refused(zv_law_trapezoidal(2, 0, 1, 0.3, bad, zeros, &error), ZV_NUMBER, "the start point holds nan");
    refused(zv_law_trapezoidal(2, 0, 1, 0.3, zeros, bad, &error), ZV_NUMBER, "the end point holds nan");
    refused(zv_law_trapezoidal(1, 0, 1, NAN, zeros, ones, &error), ZV_NUMBER, "the share is nan");
    refused(zv_law_harmonic(2, 0, bad, ones, ones, ones, &error), ZV_NUMBER, "the offset holds nan");
    refused(zv_law_harmonic(2, 0, ones, bad, ones, ones, &error), ZV_NUMBER, "the amplitude holds nan");
    refused(zv_law_harmonic(2, 0, ones, ones, bad, ones, &error), ZV_NUMBER, "the frequency holds nan");
    refused(zv_law_harmonic(2, 0, ones, ones, ones, bad, &error), ZV_NUMBER, "the phase holds nan");
    refused(zv_law_harmonic(1, INFINITY, ones, ones, ones, ones, &error), ZV_NUMBER, "the start is inf");
    refused(zv_law_spline(1, 2, bad, zeros, ZV_SPLINE_NATURAL, &error), ZV_NUMBER, "list of times holds nan in row 2");
    refused(zv_law_spline(1, 2, times, bad, ZV_SPLINE_NATURAL, &error), ZV_NUMBER, "list of points holds nan");
    refused(zv_law_hermite(1, 2, times, bad, zeros, zeros, &error), ZV_NUMBER, "list of points holds nan");
    refused(zv_law_hermite(1, 2, times, zeros, bad, zeros, &error), ZV_NUMBER, "list of velocities holds nan");
    refused(zv_law_hermite(1, 2, times, zeros, zeros, bad, &error), ZV_NUMBER, "list of accelerations holds nan");
    refused(zv_law_table(1, 2, times, bad, ZV_TABLE_HOLD, &error), ZV_NUMBER, "list of points holds nan");
}

static void spans(void **state) {
    (void)state;
    refused(zv_law_boundary(1, 0, 0, 1, zeros, 1, ones, &error), ZV_NUMBER, "the duration is 0 s");
    refused(zv_law_cycloidal(1, 0, -2, zeros, ones, &error), ZV_NUMBER, "the duration is -2 s");
    assert_string_equal((zv_law_cycloidal(1, 0, -2, zeros, ones, &error), error.token), "-2");
    refused(zv_law_trapezoidal(1, 0, INFINITY, 0.3, zeros, ones, &error), ZV_NUMBER, "the duration is inf");
    refused(zv_law_cycloidal(1, NAN, 1, zeros, ones, &error), ZV_NUMBER, "the start is nan");
    refused(zv_law_cycloidal(1, 1e9, 1e-9, zeros, ones, &error), ZV_NUMBER, "cannot be told from nothing");
    refused(zv_law_trapezoidal(1, 0, 1, 0, zeros, ones, &error), ZV_NUMBER, "is 0; it must be above 0 and at most 0.5");
    refused(zv_law_trapezoidal(1, 0, 1, 0.6, zeros, ones, &error), ZV_NUMBER, "is 0.6; it must be");
    const double times[3] = {0, 1, 1}, back[2] = {1, 0}, wide[2] = {-1.5e308, 1.5e308};
    refused(zv_law_spline(1, 3, times, zeros, ZV_SPLINE_NATURAL, &error), ZV_NUMBER,
            "time 3 is 1 s, not after time 2, 1 s");
    refused(zv_law_hermite(1, 2, back, zeros, zeros, zeros, &error), ZV_NUMBER, "time 2 is 0 s, not after time 1, 1 s");
    refused(zv_law_table(1, 2, back, zeros, ZV_TABLE_LINEAR, &error), ZV_NUMBER, "times must ascend");
    refused(zv_law_table(1, 2, wide, zeros, ZV_TABLE_LINEAR, &error), ZV_NUMBER, "span more than the range");
}

static void limits(void **state) {
    (void)state;
    refused(zv_law_trapezoidal_limits(2, 0, zeros, ones, zeros, ones, &error), ZV_NUMBER,
            "entry 1 of the list of velocity limits is 0; a limit is a positive number");
    refused(zv_law_trapezoidal_limits(1, 0, ones, (double[]){-1}, zeros, ones, &error), ZV_NUMBER,
            "entry 1 of the list of acceleration limits is -1");
    refused(zv_law_trapezoidal_limits(2, 0, bad, ones, zeros, ones, &error), ZV_NUMBER,
            "the list of velocity limits holds nan in row 1, entry 2");
    refused(zv_law_trapezoidal_limits(2, 0, ones, ones, zeros, bad, &error), ZV_NUMBER, "the end point holds nan");
    refused(zv_law_trapezoidal_limits(1, 0, ones, ones, (double[]){-1.7e308}, (double[]){1.7e308}, &error), ZV_NUMBER,
            "the duration is inf");
}

/* Finite arguments whose velocities or accelerations are not. */
static void overflows(void **state) {
    (void)state;
    const char *text = "beyond the range of numbers";
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
            "entry 2 of the last point of a periodic spline is 2.001, that of the first is 2; repeat the first point");
}

/* Parts are taken over also on failure: the leak checker is the judge. */
static void parts(void **state) {
    (void)state;
    zvLaw *two = MADE(zv_law_constant(2, ones, &error));
    refused(zv_law_sum(2, (zvLaw *[]){one(), two}, &error), ZV_SIZE, "part 2 of a sum has 2 entries, part 1 has 1");
    refused(zv_law_sum(2, (zvLaw *[]){one(), NULL}, &error), ZV_SIZE, "part 2 of a sum is missing");
    refused(zv_law_join(2, (zvLaw *[]){NULL, one()}, &error), ZV_SIZE, "part 1 of a joined law is missing");
    two = MADE(zv_law_constant(2, ones, &error));
    refused(zv_law_sequence(0, 2, (zvLaw *[]){one(), two}, ones, &error), ZV_SIZE,
            "part 2 of a sequence has 2 entries");
    refused(zv_law_sequence(NAN, 1, (zvLaw *[]){one()}, ones, &error), ZV_NUMBER, "the start is nan");
    const char *text = "of a sequence lasts";
    refused(zv_law_sequence(0, 3, (zvLaw *[]){one(), one(), one()}, (double[]){1, 0}, &error), ZV_NUMBER, text);
    refused(zv_law_sequence(0, 2, (zvLaw *[]){one(), one()}, bad + 1, &error), ZV_NUMBER,
            "part 1 of a sequence lasts nan s");
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
    refused(zv_route_line(&good, &good, two, &error), ZV_SIZE, "the progress of a route has 2 entries");
    refused(zv_route_line(&good, &good, NULL, &error), ZV_SIZE, "a route has no progress");
    refused(zv_route_arc(&good, zeros, z, 1, 1, NULL, &error), ZV_SIZE, "a route has no progress");
    refused(zv_route_line(&skew, &good, one(), &error), ZV_NUMBER, "the rotation of the first pose is not orthonormal");
    refused(zv_route_line(&good, &skew, one(), &error), ZV_NUMBER, "the rotation of the last pose is not orthonormal");
    refused(zv_route_line(&good, &mirror, one(), &error), ZV_NUMBER, "last pose is a reflection");
    refused(zv_route_line(&far, &good, one(), &error), ZV_NUMBER, "the position of the first pose holds inf");
    refused(zv_route_arc(&lost, zeros, z, 1, 1, one(), &error), ZV_NUMBER, "the rotation of the first pose holds nan");
    refused(zv_route_arc(&good, far.p, z, 1, 1, one(), &error), ZV_NUMBER, "the centre of the arc holds inf");
    refused(zv_route_arc(&good, zeros, zeros, 1, 1, one(), &error), ZV_NUMBER, "the axis of the arc has the length 0");
    refused(zv_route_arc(&good, zeros, far.p, 1, 1, one(), &error), ZV_NUMBER, "the axis of the arc holds inf");
    refused(zv_route_arc(&good, zeros, z, NAN, 1, one(), &error), ZV_NUMBER, "the angle of the arc is nan");
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
