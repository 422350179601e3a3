/* Constants, polynomials, harmonic, exponential, cycloidal and trapezoidal laws against closed forms and differences.
 */
#include "check_law.h"
#include "support/run_tests.h"

#include "support/random_tree_numbers.h"

static const double pi = 3.14159265358979323846;
static zvError error;

static void constant(void **state) {
    (void)state;
    const double value[3] = {1.5, -2, 0};
    zvLaw *law = MADE(zv_law_constant(3, value, &error));
    assert_int_equal(zv_law_width(law), 3);
    expect_rest(law, -1e9, value);
    expect_rest(law, 3, value);
    expect_breaks(law, -INFINITY, 0, NULL);
    zv_law_destroy(law);
    zv_law_destroy(NULL);
}

/* What is given may change afterwards. */
static void copies(void **state) {
    (void)state;
    double value[2] = {1, 2};
    zvLaw *law = MADE(zv_law_constant(2, value, &error));
    value[0] = 7;
    expect_rest(law, 0, (double[]){1, 2});
    zv_law_destroy(law);
}

static void polynomial(void **state) {
    (void)state;
    const double c[4][2] = {{1, -1}, {2, 0.5}, {-0.25, 3}, {0.125, -2}};
    zvLaw *law = MADE(zv_law_polynomial(2, 0.5, 4, c[0], &error));
    for (double t = -3; t < 4; t += 0.25) { /* all of it exact in binary */
        const double u = t - 0.5;
        double x[2], dx[2], ddx[2];
        zv_law_at(law, t, x, dx, ddx);
        for (int i = 0; i < 2; i++) {
            assert_true(x[i] == c[0][i] + u * c[1][i] + u * u * c[2][i] + u * u * u * c[3][i]);
            assert_true(dx[i] == c[1][i] + 2 * u * c[2][i] + 3 * u * u * c[3][i]);
            assert_true(ddx[i] == 2 * c[2][i] + 6 * u * c[3][i]);
        }
    }
    expect_breaks(law, -1e300, 0, NULL);
    zv_law_destroy(law);
}

static void harmonic(void **state) {
    (void)state;
    const double offset[2] = {1, -2}, amplitude[2] = {0.5, 3}, frequency[2] = {2, 0.3}, phase[2] = {0.1, -1};
    zvLaw *law = MADE(zv_law_harmonic(2, 0.25, offset, amplitude, frequency, phase, &error));
    for (double t = -5; t < 5; t += 0.37) {
        double x[2], dx[2], ddx[2];
        zv_law_at(law, t, x, dx, ddx);
        for (int i = 0; i < 2; i++) {
            const long double w = (long double)frequency[i],
                              angle = w * ((long double)t - 0.25L) + (long double)phase[i];
            const double a = amplitude[i], eps = 2.3e-16 * a * (2 + fabs((double)angle));
            close_to(x[i], (double)(offset[i] + a * sinl(angle)), eps + 5e-16, "x", t);
            close_to(dx[i], (double)(a * w * cosl(angle)), 3 * eps * frequency[i], "dx", t);
            close_to(ddx[i], (double)(-a * w * w * sinl(angle)), 4 * eps * frequency[i] * frequency[i], "ddx", t);
        }
        expect_derivatives(law, t, 0.02, 5, 1e-11);
    }
    expect_breaks(law, -1e300, 0, NULL);
    zv_law_destroy(law);
}

static void exponential(void **state) {
    (void)state;
    const double from[2] = {1, -2}, to[2] = {3, 0.5}, time[2] = {0.25, 2};
    zvLaw *law = MADE(zv_law_exponential(2, 0.5, from, to, time, &error));
    for (double t = 0.55; t < 6; t += 0.17) {
        double x[2], dx[2], ddx[2];
        zv_law_at(law, t, x, dx, ddx);
        for (int i = 0; i < 2; i++) {
            const long double left =
                ((long double)from[i] - (long double)to[i]) * expl(-((long double)t - 0.5L) / (long double)time[i]);
            close_to(x[i], (double)((long double)to[i] + left), 2e-15, "x", t);
            close_to(dx[i] * time[i], (double)-left, 1e-14, "dx", t);
            close_to(ddx[i] * time[i] * time[i], (double)left, 1e-14, "ddx", t);
        }
        expect_derivatives(law, t, 0.01, 12, 1e-7);
    }
    expect_rest(law, 0.4, from);
    expect_breaks(law, 0, 1, (double[]){0.5});
    zv_law_destroy(law);
}

static void cycloidal(void **state) {
    (void)state;
    const double start = 0.5, duration = 1.75, from[2] = {1, -3}, to[2] = {2, 5}; /* end and spans exact */
    zvLaw *law = MADE(zv_law_cycloidal(2, start, duration, from, to, &error));
    for (int k = 0; k < 200; k++) {
        const double t = start + duration * k / 200;
        const long double s = ((long double)t - 0.5L) / 1.75L, w = 2 * 3.14159265358979323846264L;
        double x[2], dx[2], ddx[2];
        zv_law_at(law, t, x, dx, ddx);
        for (int i = 0; i < 2; i++) {
            const long double span = (long double)to[i] - (long double)from[i];
            close_to(x[i], (double)((long double)from[i] + span * (s - sinl(w * s) / w)), 2e-15, "x", t);
            close_to(dx[i], (double)(span * (1 - cosl(w * s)) / 1.75L), 1e-14, "dx", t);
            close_to(ddx[i], (double)(span * w * sinl(w * s) / 1.75L / 1.75L), 4e-14, "ddx", t);
        }
        if (k > 10 && k < 190) expect_derivatives(law, t, 0.02, 8, 1e-9);
    }
    expect_rest(law, 0, from);
    expect_rest(law, start + duration, to);
    expect_rest(law, 1e9, to);
    expect_breaks(law, -10, 2, (double[]){0.5, 2.25});
    zv_law_destroy(law);
}

/* Area under the trapezoid, piece by piece. */
static void trapezoidal(void **state) {
    (void)state;
    const double T = 2, share = 0.25, span = 3; /* cruise at span / (T (1 - share)) = 2 after 0.5 s */
    zvLaw *law = MADE(zv_law_trapezoidal(1, 1, T, share, (double[]){-1}, (double[]){-1 + span}, &error));
    for (double u = 0; u < T; u += 1 / 64.0) {
        double x, dx, ddx;
        zv_law_at(law, 1 + u, &x, &dx, &ddx);
        const double late = T - u;
        const double path = u < 0.5 ? 2 * u * u : u < 1.5 ? 0.5 + 2 * (u - 0.5) : span - 2 * late * late;
        close_to(x, -1 + path, 1e-15, "x", u);
        close_to(dx, u < 0.5 ? 4 * u : u < 1.5 ? 2 : 4 * late, 1e-15, "dx", u);
        close_to(ddx, u < 0.5 ? 4 : u < 1.5 ? 0 : -4, 2e-15, "ddx", u);
    }
    expect_breaks(law, 0, 4, (double[]){1, 1.5, 2.5, 3});
    expect_rest(law, 0.999, (double[]){-1});
    expect_rest(law, 3, (double[]){2});
    zv_law_destroy(law);
    law = MADE(zv_law_trapezoidal(1, 0.1, 0.7, 0.5, (double[]){0}, (double[]){1}, &error));
    double t = -1, ddx[3], x, dx;
    for (int i = 0; i < 3; i++) {
        t = zv_law_next_break(law, t);
        zv_law_at(law, t, &x, &dx, &ddx[i]);
    }
    close_to(ddx[0], 4 / 0.49, 1e-13, "rise", 0);
    close_to(ddx[1], -4 / 0.49, 1e-13, "fall", 0);
    assert_true(ddx[2] == 0 && x == 1 && zv_law_next_break(law, t) == INFINITY);
    zv_law_destroy(law);
}

/* The greatest |dx| / limit and |ddx| / limit over the motion. */
static void greatest(const zvLaw *law, int width, const double *velocity, const double *acceleration, double most[2]) {
    most[0] = most[1] = 0;
    const double begin = zv_law_next_break(law, -1e9);
    double end = begin;
    for (double t = begin; isfinite(t); t = zv_law_next_break(law, t)) end = t;
    for (int k = 0; k < 400; k++) {
        double x[8], dx[8], ddx[8];
        zv_law_at(law, begin + (end - begin) * k / 400, x, dx, ddx);
        for (int i = 0; i < width; i++) {
            most[0] = fmax(most[0], fabs(dx[i]) / velocity[i]);
            most[1] = fmax(most[1], fabs(ddx[i]) / acceleration[i]);
        }
    }
}

static void trapezoidal_limits(void **state) {
    (void)state;
    const uint64_t seed = 77;
    rtRandom random = {seed};
    int cruising = 0;
    for (int n = 0; n < 500; n++) {
        const int width = 1 + rt_below(&random, 8);
        double v[8], a[8], from[8], to[8], most[2];
        rt_vector(&random, 3, width, from);
        rt_vector(&random, 3, width, to);
        for (int i = 0; i < width; i++) {
            v[i] = rt_decades(&random, -1, 1);
            a[i] = rt_decades(&random, -1, 1);
        }
        zvLaw *law = MADE(zv_law_trapezoidal_limits(width, 0, v, a, from, to, &error));
        greatest(law, width, v, a, most);
        /* Neither is exceeded; acceleration is always used to the full, velocity unless the motion is a triangle, and
         * then the next faster cruise would break the acceleration limit: nothing shorter exists. */
        if (most[0] > 1 + 1e-14 || most[1] > 1 + 1e-14 || most[1] < 1 - 1e-14)
            fail_msg("seed %d, case %d: velocity %.17g, acceleration %.17g of the limits", (int)seed, n, most[0],
                     most[1]);
        const double rise = zv_law_next_break(law, 0), brake = zv_law_next_break(law, rise);
        const int cruises = isfinite(zv_law_next_break(law, brake));
        if (cruises) close_to(most[0], 1, 1e-14, "velocity", n);
        cruising += cruises;
        expect_rest(law, 1e6, to);
        zv_law_destroy(law);
    }
    assert_in_range(cruising, 50, 450); /* both kinds were met */
    zvLaw *law = MADE(zv_law_trapezoidal_limits(2, 0, (double[]){1, 1}, (double[]){1, 1}, (double[]){4, 5},
                                                (double[]){4, 5}, &error));
    expect_rest(law, 1, (double[]){4, 5});
    expect_breaks(law, -1, 0, NULL);
    zv_law_destroy(law);
}

/* Near the end the distance to go keeps its digits. */
static void digits_at_the_end(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        zvLaw *law = kind ? MADE(zv_law_trapezoidal(1, 0, 1, 0.5, (double[]){-1}, (double[]){0}, &error))
                          : MADE(zv_law_cycloidal(1, 0, 1, (double[]){-1}, (double[]){0}, &error));
        const double u = 0x1p-12;
        double x, dx;
        zv_law_at(law, 1 - u, &x, &dx, NULL);
        /* 2 u^2, or 4 pi^2 u^3 / 6 (1 - ...) where the sine still cancels against u */
        const double togo = kind ? 2 * u * u : 2 * pi * pi / 3 * u * u * u * (1 - pi * pi * u * u / 5);
        close_to(-x, togo, kind ? 1e-15 * togo : 1e-19, "distance to go", 1 - u);
        close_to(dx, kind ? 4 * u : 2 * pi * pi * u * u * (1 - pi * pi * u * u / 3), 1e-14 * u, "dx", 1 - u);
        zv_law_destroy(law);
    }
}

TESTS(constant, copies, polynomial, harmonic, exponential, cycloidal, trapezoidal, trapezoidal_limits,
      digits_at_the_end)
