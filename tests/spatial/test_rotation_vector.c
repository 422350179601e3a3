/* The power series of a rotation vector against the closed forms in a longer format, its matrix against the formula of
 * Rodrigues, its rates against differences. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "spatial/rotation_vector.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"

#define PI 3.14159265358979323846L

static rtRandom stream = {57};

/* a, b, c and the derivatives of b and c by t^2 */
static void closed_forms(long double t, long double want[5]) {
    const long double x = t * t, half = sinl(t / 2) / t;
    want[0] = sinl(t) / t;
    want[1] = 2 * half * half;
    want[2] = (1 - want[0]) / x;
    want[3] = (want[0] - 2 * want[1]) / (2 * x);
    want[4] = (want[1] - 3 * want[2]) / (2 * x);
}

/* A few ulps: of the value, and of a quarter of what it is at zero, since a half turn cancels most of that. The closed
 * forms lose themselves: differences of numbers about 1 are divided by t^2, twice for the last. */
static void expect_series(double t, const double direction[3]) {
    long double want[5];
    const rotation_vector r = rotation_of(v3(t * direction[0], t * direction[1], t * direction[2]));
    const long double length =
        sqrtl((long double)v3_x(r.theta) * v3_x(r.theta) + (long double)v3_y(r.theta) * v3_y(r.theta) +
              (long double)v3_z(r.theta) * v3_z(r.theta));
    const double got[5] = {r.a, r.b, r.c, r.db, r.dc}, scale[5] = {1, 0.5, 1.0 / 6, 1.0 / 24, 1.0 / 120};
    const long double x = length * length, lost[5] = {0, 0, LDBL_EPSILON / x, LDBL_EPSILON / x, LDBL_EPSILON / x / x};
    closed_forms(length, want);
    for (int i = 0; i < 5; i++) {
        const long double bound = 4 * DBL_EPSILON * (fabsl(want[i]) + (long double)scale[i] / 4) + 4 * lost[i];
        if (!(fabsl((long double)got[i] - want[i]) <= bound))
            fail_msg("coefficient %d at %.17g: %.17g, expected %.20Lg", i, t, got[i], want[i]);
    }
}

static void direction_of(double e[3]) {
    double length;
    do {
        rt_vector(&stream, 1, 3, e);
        length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    } while (length < 0.1);
    for (int i = 0; i < 3; i++) e[i] /= length;
}

static void series(void **state) {
    (void)state;
    for (int n = 1; n <= 2000; n++) {
        double e[3];
        direction_of(e);
        expect_series((double)(PI * n / 2000), e);
        expect_series(ldexp(1, -n % 12), e);
    }
}

static void at_zero(void **state) {
    (void)state;
    const rotation_vector r = rotation_of(v3_zero());
    assert_true(r.a == 1 && r.b == 0.5 && r.c == 1.0 / 6 && r.db == -1.0 / 24 && r.dc == -1.0 / 120);
    const mat3 R = rotation_matrix(&r);
    const vec3 x = v3(0.3, -2, 5), y = rotation_rate(&r, x);
    assert_true(v3_x(R.x) == 1 && v3_y(R.y) == 1 && v3_z(R.z) == 1 && v3_y(R.x) == 0 && v3_x(R.z) == 0);
    assert_true(v3_x(y) == 0.3 && v3_y(y) == -2 && v3_z(y) == 5);
}

/* cos t 1 + (1 - cos t) e e^T + sin t e~ by rows */
static void rodrigues(long double t, const long double e[3], long double R[3][3]) {
    const long double s = sinl(t), v = 2 * sinl(t / 2) * sinl(t / 2);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        R[i][i] = 1 - v + v * e[i] * e[i];
        R[i][j] = v * e[i] * e[j] - s * e[k];
        R[j][i] = v * e[i] * e[j] + s * e[k];
    }
}

static void matrix(void **state) {
    (void)state;
    for (int n = 0; n < 2000; n++) {
        double e[3], got[9];
        long double theta[3], t = 0, R[3][3];
        direction_of(e);
        const double angle = (double)PI * (n + 1) / 2000;
        const vec3 v = v3(angle * e[0], angle * e[1], angle * e[2]);
        const double parts[3] = {v3_x(v), v3_y(v), v3_z(v)};
        for (int i = 0; i < 3; i++) t += (long double)parts[i] * parts[i];
        t = sqrtl(t);
        for (int i = 0; i < 3; i++) theta[i] = parts[i] / t;
        rodrigues(t, theta, R);
        const rotation_vector r = rotation_of(v);
        m3_to(got, rotation_matrix(&r));
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) assert_true(fabsl(got[3 * j + i] - R[i][j]) <= 16 * DBL_EPSILON);
        }
    }
}

/* R(theta + h x) by rows, in the long format */
static void turned(const double theta[3], const double x[3], long double h, long double R[3][3]) {
    long double at[3], t = 0;
    for (int i = 0; i < 3; i++) {
        at[i] = theta[i] + h * x[i];
        t += at[i] * at[i];
    }
    t = sqrtl(t);
    for (int i = 0; i < 3; i++) at[i] /= t;
    rodrigues(t, at, R);
}

/* w of R' R^T at theta + s x, by a central difference of sixth order */
static void spin(const double theta[3], const double x[3], long double s, long double h, long double w[3]) {
    static const long double weight[3] = {45 / 60.0L, -9 / 60.0L, 1 / 60.0L};
    long double R[3][3], D[3][3] = {{0}};
    turned(theta, x, s, R);
    for (int n = 1; n <= 3; n++) {
        long double P[3][3], M[3][3];
        turned(theta, x, s + n * h, P);
        turned(theta, x, s - n * h, M);
        for (int i = 0; i < 9; i++) D[i / 3][i % 3] += weight[n - 1] * (P[i / 3][i % 3] - M[i / 3][i % 3]) / h;
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        w[i] = 0;
        for (int m = 0; m < 3; m++) w[i] += D[k][m] * R[j][m];
    }
}

/* h^6 of the differences and the long format's rounding over h leave 1e-13 and, of the second one, 1e-11. */
static void rates(void **state) {
    (void)state;
    const long double h = 4e-3L;
    for (int n = 0; n < 300; n++) {
        double e[3], x[3], theta[3], got[3], bias[3];
        long double w[3], up[3][3], down[3][3];
        direction_of(e);
        rt_vector(&stream, 1, 3, x);
        for (int i = 0; i < 3; i++) theta[i] = e[i] * (0.1 + 3 * n / 300.0);
        const rotation_vector r = rotation_of(v3_of(theta));
        v3_to(got, rotation_rate(&r, v3_of(x)));
        v3_to(bias, rotation_bias(&r, v3_of(x)));
        spin(theta, x, 0, h, w);
        for (int k = 0; k < 3; k++) {
            spin(theta, x, (k + 1) * h, h, up[k]);
            spin(theta, x, -(k + 1) * h, h, down[k]);
        }
        for (int i = 0; i < 3; i++) {
            const long double slope =
                (45 * (up[0][i] - down[0][i]) - 9 * (up[1][i] - down[1][i]) + (up[2][i] - down[2][i])) / (60 * h);
            if (!(fabsl(got[i] - w[i]) <= 1e-13L)) fail_msg("rate %d: %.17g, expected %.17Lg", i, got[i], w[i]);
            if (!(fabsl(bias[i] - slope) <= 1e-11L)) fail_msg("bias %d: %.17g, expected %.17Lg", i, bias[i], slope);
        }
    }
}

TESTS(series, at_zero, matrix, rates)
