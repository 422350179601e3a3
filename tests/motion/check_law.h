/* Second computations for laws: derivatives by differences of the values, and comparisons that say what differs. */
#ifndef TESTS_MOTION_CHECK_LAW_H
#define TESTS_MOTION_CHECK_LAW_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/near.h"
#include "zveno/motion.h"

enum { WIDEST = 64 };

static inline zvLaw *made(zvLaw *law, const zvError *error) {
    if (!law) fail_msg("not made: %s", error->text);
    return law;
}
#define MADE(call) made((call), &error) /* with a zvError `error` in scope */

static inline void close_to(double got, double expected, double allowed, const char *what, double t) {
    if (is_near(got, expected, allowed)) return;
    near_about("t = %.17g", t);
    assert_named_near(what, got, expected, allowed);
}

/* Central differences of the sixth order of accuracy from x at t - 3h ... t + 3h. With |x| <= size their rounding is
 * below 4 eps size / h and 12 eps size / h^2; `slack` bounds what truncation adds, relative to size / h. */
static inline void expect_derivatives(const zvLaw *law, double t, double h, double size, double slack) {
    static const double first[4] = {0, 45 / 60.0, -9 / 60.0, 1 / 60.0};
    static const double second[4] = {-490 / 180.0, 270 / 180.0, -27 / 180.0, 2 / 180.0};
    const int width = zv_law_width(law);
    double x[7][WIDEST], dx[WIDEST], ddx[WIDEST], again[WIDEST];
    for (int k = -3; k <= 3; k++) zv_law_at(law, t + k * h, x[k + 3], NULL, NULL);
    zv_law_at(law, t, again, dx, ddx);
    const double step = ((t + 3 * h) - (t - 3 * h)) / 6; /* the one taken, after rounding */
    /* times are rounded too: h is off by eps |t| / h of itself */
    const double rounding = (20 + 4 * fabs(t) / h) * 2.3e-16 + slack;
    for (int i = 0; i < width; i++) {
        double d = 0, dd = second[0] * x[3][i];
        for (int k = 1; k <= 3; k++) {
            d += first[k] * (x[3 + k][i] - x[3 - k][i]);
            dd += second[k] * (x[3 + k][i] + x[3 - k][i]);
        }
        assert_true(again[i] == x[3][i]);
        close_to(dx[i], d / step, rounding * size / h, "dx", t);
        close_to(ddx[i], dd / step / step, 3 * rounding * size / h / h, "ddx", t);
    }
}

/* x as given and no motion. */
static inline void expect_rest(const zvLaw *law, double t, const double *x) {
    double got[3][WIDEST];
    zv_law_at(law, t, got[0], got[1], got[2]);
    for (int i = 0; i < zv_law_width(law); i++) {
        assert_true(got[0][i] == x[i]);
        assert_true(got[1][i] == 0 && got[2][i] == 0);
    }
}

/* The breaks after `from` are exactly these, then none. */
static inline void expect_breaks(const zvLaw *law, double from, int count, const double *breaks) {
    double t = from;
    for (int i = 0; i < count; i++) {
        const double next = zv_law_next_break(law, t);
        if (next != breaks[i]) fail_msg("break %d after %g is %.17g, expected %.17g", i + 1, t, next, breaks[i]);
        /* the same from anywhere before it */
        assert_true(zv_law_next_break(law, nextafter(next, -INFINITY)) == next);
        t = next;
    }
    assert_true(zv_law_next_break(law, t) == INFINITY);
}

#endif
