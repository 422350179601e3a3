/* Splines, Hermite pieces and tables: the conditions that define them, all of them, on random data. */
#include "check_law.h"
#include "support/run_tests.h"

#include "support/random_tree_numbers.h"

static zvError error;
enum { KNOTS = 40, WIDTH = 3 };

typedef struct Data {
    int count;
    double times[KNOTS], points[KNOTS][WIDTH];
} Data;

static Data random_data(rtRandom *random, int count) {
    Data d = {.count = count};
    double t = rt_uniform(random, -2, 2);
    for (int k = 0; k < count; k++) {
        d.times[k] = t;
        t += rt_decades(random, -1, 0.3);
        rt_vector(random, 2, WIDTH, d.points[k]);
    }
    return d;
}

static void just_before(const zvLaw *law, double t, double x[3][WIDTH]) {
    zv_law_at(law, nextafter(t, -INFINITY), x[0], x[1], x[2]);
}

/* How far x, dx, ddx just before a knot may be from those at it: points within 4 of each other at least 0.1 apart have
 * slopes below 150, curvatures below 6e3, third derivatives below 4e5; each is met with the last digit of t, and its
 * own rounding is a hundred ulps. */
static double allowed(int derivative, double t) {
    static const double size[4] = {4, 150, 6e3, 4e5};
    return 2.3e-14 * size[derivative] + 2 * 2.3e-16 * fabs(t) * size[derivative + 1];
}

/* Interpolation, and x, dx, ddx continuous inside. With the two end conditions these define a spline. */
static void expect_spline(const zvLaw *law, const Data *d, int periodic) {
    for (int k = 0; k < d->count; k++) {
        const double t = d->times[k];
        double left[3][WIDTH], right[3][WIDTH];
        just_before(law, t, left);
        zv_law_at(law, t, right[0], right[1], right[2]);
        for (int i = 0; i < WIDTH; i++) {
            const int folded = periodic && k == d->count - 1; /* then t itself has been rounded */
            close_to(right[0][i], d->points[k][i], folded ? allowed(0, t) : 0, "point", t);
            close_to(left[0][i], d->points[k][i], allowed(0, t), "point from the left", t);
            if (k == 0 || k == d->count - 1) continue;
            close_to(left[1][i], right[1][i], allowed(1, t), "dx across a knot", t);
            close_to(left[2][i], right[2][i], allowed(2, t), "ddx across a knot", t);
        }
    }
}

static void natural_and_clamped(void **state) {
    (void)state;
    const uint64_t seed = 99;
    rtRandom random = {seed};
    for (int n = 0; n < 200; n++) {
        const Data d = random_data(&random, 2 + rt_below(&random, KNOTS - 2));
        for (int clamped = 0; clamped < 2; clamped++) {
            zvLaw *law = MADE(zv_law_spline(WIDTH, d.count, d.times, d.points[0],
                                            clamped ? ZV_SPLINE_CLAMPED : ZV_SPLINE_NATURAL, &error));
            double first[3][WIDTH], last[3][WIDTH];
            expect_spline(law, &d, 0);
            zv_law_at(law, d.times[0], first[0], first[1], first[2]);
            just_before(law, d.times[d.count - 1], last);
            const int which = clamped ? 1 : 2; /* no velocity, or no acceleration */
            for (int i = 0; i < WIDTH; i++) {
                close_to(first[which][i], 0, allowed(which, 0), "first end", n);
                close_to(last[which][i], 0, allowed(which, d.times[d.count - 1]), "last end", n);
            }
            expect_rest(law, d.times[0] - 1, d.points[0]);
            expect_rest(law, d.times[d.count - 1], d.points[d.count - 1]);
            expect_breaks(law, -100, d.count, d.times);
            zv_law_destroy(law);
        }
    }
}

/* A cubic that rests at both ends is its own clamped spline, whatever the knots; a straight line its own natural one.
 */
static void reproduces_cubics(void **state) {
    (void)state;
    rtRandom random = {5};
    for (int n = 0; n < 50; n++) {
        Data d = random_data(&random, 3 + rt_below(&random, 20));
        const double a = d.times[0], T = d.times[d.count - 1] - a;
        for (int k = 0; k < d.count; k++) {
            const double s = (d.times[k] - a) / T;
            d.points[k][0] = s * s * (3 - 2 * s);
            d.points[k][1] = 5 - 4 * s * s * (3 - 2 * s);
            d.points[k][2] = 1 + 2 * s;
        }
        zvLaw *clamped = MADE(zv_law_spline(WIDTH, d.count, d.times, d.points[0], ZV_SPLINE_CLAMPED, &error));
        zvLaw *natural = MADE(zv_law_spline(WIDTH, d.count, d.times, d.points[0], ZV_SPLINE_NATURAL, &error));
        for (int k = 0; k < 100; k++) {
            const double t = a + T * k / 100, s = (t - a) / T;
            double x[WIDTH], dx[WIDTH], ddx[WIDTH];
            zv_law_at(clamped, t, x, dx, ddx);
            close_to(x[0], s * s * (3 - 2 * s), 1e-14, "cubic", t);
            close_to(x[1], 5 - 4 * s * s * (3 - 2 * s), 1e-14, "cubic", t);
            close_to(dx[0], 6 * s * (1 - s) / T, 1e-13, "dx of a cubic", t);
            close_to(ddx[0], (6 - 12 * s) / T / T, 1e-11, "ddx of a cubic", t);
            zv_law_at(natural, t, x, dx, ddx);
            close_to(x[2], 1 + 2 * s, 1e-14, "line", t);
            close_to(dx[2], 2 / T, 1e-13, "dx of a line", t);
            close_to(ddx[2], 0, 1e-11, "ddx of a line", t);
        }
        zv_law_destroy(clamped);
        zv_law_destroy(natural);
    }
}

static void periodic(void **state) {
    (void)state;
    rtRandom random = {31};
    for (int n = 0; n < 200; n++) {
        Data d = random_data(&random, 2 + n % (KNOTS - 2));
        const double T = d.times[d.count - 1] - d.times[0];
        memcpy(d.points[d.count - 1], d.points[0], sizeof d.points[0]);
        zvLaw *law = MADE(zv_law_spline(WIDTH, d.count, d.times, d.points[0], ZV_SPLINE_PERIODIC, &error));
        expect_spline(law, &d, 1);
        double left[3][WIDTH], right[3][WIDTH], turn[3][WIDTH];
        just_before(law, d.times[d.count - 1], left);
        zv_law_at(law, d.times[0], right[0], right[1], right[2]);
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < WIDTH; i++)
                close_to(left[k][i], right[k][i], allowed(k, d.times[d.count - 1]), "closing", n);
        for (int j = -3; j <= 3; j++) { /* the same in every turn, up to the rounding of t */
            const double t = d.times[0] + T * 0.3;
            zv_law_at(law, t, right[0], right[1], right[2]);
            zv_law_at(law, t + j * T, turn[0], turn[1], turn[2]);
            for (int i = 0; i < WIDTH; i++) close_to(turn[0][i], right[0][i], allowed(0, fabs(t) + 3 * T), "turn", j);
        }
        /* breaks for ever, forwards and backwards */
        double t = d.times[0] - 2 * T - 1e-9 * T;
        for (int k = 0; k < 5 * (d.count - 1); k++) {
            const double next = zv_law_next_break(law, t);
            const double expected = d.times[k % (d.count - 1)] + (k / (d.count - 1) - 2) * T;
            close_to(next, expected, 1e-13, "break", t);
            assert_true(next > t);
            t = next;
        }
        zv_law_destroy(law);
    }
}

/* Fourth-order convergence to a sine; far away too. */
static void periodic_sine(void **state) {
    (void)state;
    const double w = 2 * 3.14159265358979323846;
    double worst[2] = {0};
    for (int n = 0; n < 2; n++) {
        const int count = n ? 33 : 17;
        double times[33], points[33];
        for (int k = 0; k < count; k++) {
            times[k] = k / (count - 1.0);
            points[k] = sin(w * times[k]); /* the last is -2.4e-16, not 0: allowed */
        }
        zvLaw *law = MADE(zv_law_spline(1, count, times, points, ZV_SPLINE_PERIODIC, &error));
        for (int k = 0; k < 1000; k++) {
            double x;
            zv_law_at(law, 1e3 + k / 1000.0, &x, NULL, NULL);
            worst[n] = fmax(worst[n], fabs(x - sin(w * (k / 1000.0))));
        }
        assert_true(zv_law_next_break(law, 1e18) > 1e18); /* knots closer than numbers: still forwards */
        zv_law_destroy(law);
    }
    assert_true(worst[0] / worst[1] > 14 && worst[0] / worst[1] < 18);
}

static void hermite(void **state) {
    (void)state;
    rtRandom random = {8};
    for (int n = 0; n < 100; n++) {
        const Data x = random_data(&random, 2 + rt_below(&random, 20));
        const Data dx = random_data(&random, x.count), ddx = random_data(&random, x.count);
        zvLaw *law = MADE(zv_law_hermite(WIDTH, x.count, x.times, x.points[0], dx.points[0], ddx.points[0], &error));
        for (int k = 0; k < x.count; k++) {
            double left[3][WIDTH], right[3][WIDTH];
            just_before(law, x.times[k], left);
            zv_law_at(law, x.times[k], right[0], right[1], right[2]);
            for (int i = 0; i < WIDTH; i++) {
                const double expected[3] = {x.points[k][i], dx.points[k][i], ddx.points[k][i]};
                for (int m = 0; m < 3; m++) {
                    if (k > 0) close_to(left[m][i], expected[m], allowed(m, x.times[k]), "left", x.times[k]);
                    if (k < x.count - 1) close_to(right[m][i], expected[m], 1e-15, "right", x.times[k]);
                }
            }
            if (k + 1 == x.count) continue;
            const double h = (x.times[k + 1] - x.times[k]) / 8, size = 400; /* fifth differences vanish */
            for (int j = 3; j <= 5; j++) expect_derivatives(law, x.times[k] + j * h, h, size, 0);
        }
        const double ends[2] = {x.times[0], x.times[x.count - 1]};
        expect_breaks(law, -100, 2, ends); /* inner knots are samples of something smooth */
        expect_rest(law, x.times[x.count - 1], x.points[x.count - 1]);
        zv_law_destroy(law);
    }
}

static void tables(void **state) {
    (void)state;
    const double times[4] = {0, 1, 3, 3.5}, points[4][2] = {{1, 0}, {2, -1}, {2, 3}, {0, 5}};
    zvLaw *line = MADE(zv_law_table(2, 4, times, points[0], ZV_TABLE_LINEAR, &error));
    zvLaw *hold = MADE(zv_law_table(2, 4, times, points[0], ZV_TABLE_HOLD, &error));
    for (double t = 0; t < 3.5; t += 1 / 16.0) {
        const int k = t < 1 ? 0 : t < 3 ? 1 : 2;
        double x[2], dx[2], ddx[2];
        zv_law_at(line, t, x, dx, ddx);
        for (int i = 0; i < 2; i++) {
            const double slope = (points[k + 1][i] - points[k][i]) / (times[k + 1] - times[k]);
            close_to(x[i], points[k][i] + slope * (t - times[k]), 0, "x", t);
            close_to(dx[i], slope, 0, "dx", t);
            assert_true(ddx[i] == 0);
        }
        expect_rest(hold, t, points[k]);
    }
    expect_rest(line, -1, points[0]);
    expect_rest(line, 3.5, points[3]);
    expect_rest(hold, 3.5, points[3]);
    expect_breaks(line, -1, 4, times);
    expect_breaks(hold, -1, 4, times);
    zv_law_destroy(line);
    zv_law_destroy(hold);
    zvLaw *one = MADE(zv_law_table(2, 1, times, points[1], ZV_TABLE_HOLD, &error));
    expect_rest(one, -1, points[1]);
    expect_rest(one, 1, points[1]);
    zv_law_destroy(one);
}

TESTS(natural_and_clamped, reproduces_cubics, periodic, periodic_sine, hermite, tables)
