/* Linear systems against closed forms: poles, zeros, frequency and time responses, margins, smaller systems. */
#include <math.h>
#include <stdlib.h>

#include "support/near.h"
#include "support/run_tests.h"
#include "zveno/response.h"

/* x'' + 2 z w x' + w^2 x = w^2 u, outputs x and x'. */
static const double w0 = 7, z0 = 0.1;

static void one_mass(double A[4], double B[2], double C[4]) {
    memcpy(A, (double[]){0, 1, -w0 * w0, -2 * z0 * w0}, 4 * sizeof *A);
    memcpy(B, (double[]){0, w0 * w0}, 2 * sizeof *B);
    memcpy(C, (double[]){1, 0, 0, 1}, 4 * sizeof *C);
}

static void vibration(void **state) {
    (void)state;
    double A[4], B[2], C[4], real[2], imag[2], y[2 * 50];
    one_mass(A, B, C);
    const zvStateSpace s = {2, 1, 2, A, B, C, NULL};
    assert_int_equal(zv_poles(&s, real, imag, NULL), ZV_OK);
    assert_near(real[0], -z0 * w0, 1e-13);
    assert_near(fabs(imag[0]), w0 * sqrt(1 - z0 * z0), 1e-13);
    const double omega[3] = {0, 5, w0};
    double response[12], sigma[3];
    assert_int_equal(zv_frequency_response(&s, 3, omega, response, sigma, NULL), ZV_OK);
    for (int k = 0; k < 3; k++) {
        const double a = w0 * w0 - omega[k] * omega[k], b = 2 * z0 * w0 * omega[k], square = a * a + b * b,
                     re = w0 * w0 * a / square, im = -w0 * w0 * b / square;
        assert_near(response[4 * k], re, 1e-13);
        assert_near(response[4 * k + 1], im, 1e-13);
        assert_near(response[4 * k + 2], -omega[k] * im, 1e-12);
        assert_near(response[4 * k + 3], omega[k] * re, 1e-12);
        assert_near(sigma[k], hypot(re, im) * sqrt(1 + omega[k] * omega[k]), 1e-12);
    }
    const double wd = w0 * sqrt(1 - z0 * z0), h = 0.037;
    assert_int_equal(zv_time_response(&s, ZV_STIMULUS_STEP, h, 50, y, NULL), ZV_OK);
    for (int k = 0; k < 50; k++) {
        const double t = k * h, decay = exp(-z0 * w0 * t);
        assert_near(y[2 * k], 1 - decay * (cos(wd * t) + z0 * w0 / wd * sin(wd * t)), 1e-13);
        assert_near(y[2 * k + 1], w0 * w0 / wd * decay * sin(wd * t), 1e-12);
    }
    assert_int_equal(zv_time_response(&s, ZV_STIMULUS_IMPULSE, h, 50, y, NULL), ZV_OK);
    for (int k = 0; k < 50; k++) {
        const double t = k * h;
        assert_near(y[2 * k], w0 * w0 / wd * exp(-z0 * w0 * t) * sin(wd * t), 1e-12);
    }
}

static int by_real(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A system with given zeros: (s - a)(s - b) / (s + 1)(s + 2)(s + 3)(s + 4). */
static void zeros_of_one(void **state) {
    (void)state;
    const double a = 3.5, b = -20, p[4] = {1, 2, 3, 4};
    double A[16] = {0}, B[4], C[4], real[4], imag[4];
    for (int i = 0; i < 4; i++) { /* residues of partial fractions */
        double below = 1;
        for (int k = 0; k < 4; k++) below *= k == i ? 1 : p[k] - p[i];
        A[5 * i] = -p[i];
        B[i] = 1;
        C[i] = (-p[i] - a) * (-p[i] - b) / below;
    }
    const zvStateSpace s = {4, 1, 1, A, B, C, NULL};
    int count;
    assert_int_equal(zv_zeros(&s, &count, real, imag, NULL), ZV_OK);
    assert_int_equal(count, 2);
    qsort(real, 2, sizeof *real, by_real);
    assert_near(real[0], b, 1e-10);
    assert_near(real[1], a, 1e-10);
    const double D = 0.5; /* four zeros then: their polynomial at each */
    const zvStateSpace direct = {4, 1, 1, A, B, C, &D};
    assert_int_equal(zv_zeros(&direct, &count, real, imag, NULL), ZV_OK);
    assert_int_equal(count, 4);
    for (int k = 0; k < 4; k++) {
        if (imag[k] != 0) continue;
        double sum = D;
        for (int i = 0; i < 4; i++) sum += C[i] / (real[k] + p[i]);
        assert_near(sum, 0, 1e-10);
    }
}

/* Two inputs and outputs: [1/(s+1) 2/(s+3); 1/(s+1) 1/(s+1)] has its only zero at s = 1 (Skogestad and Postlethwaite,
 * Multivariable Feedback Control, example 4.11). */
static void zeros_of_two(void **state) {
    (void)state;
    const double A[16] = {-1, 0, 0, 0, 0, -3, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1}, B[8] = {1, 0, 0, 1, 1, 0, 0, 1},
                 C[8] = {1, 2, 0, 0, 0, 0, 1, 1};
    /* the states 1, 3 and 4 have one pole: one of them is too many, and a zero that hides it */
    const zvStateSpace s = {4, 2, 2, A, B, C, NULL};
    double real[4], imag[4], a[16], b[8], c[8];
    int count, order;
    assert_int_equal(zv_minimal(&s, 0, &order, a, b, c, NULL), ZV_OK);
    assert_int_equal(order, 3);
    const zvStateSpace small = {order, 2, 2, a, b, c, NULL};
    assert_int_equal(zv_zeros(&small, &count, real, imag, NULL), ZV_OK);
    assert_int_equal(count, 1);
    assert_near(real[0], 1, 1e-10);
    const double omega[2] = {0.3, 4};
    double whole[16], part[16];
    assert_int_equal(zv_frequency_response(&s, 2, omega, whole, NULL, NULL), ZV_OK);
    assert_int_equal(zv_frequency_response(&small, 2, omega, part, NULL, NULL), ZV_OK);
    for (int i = 0; i < 16; i++) assert_near(part[i], whole[i], 1e-12);
}

/* L = k / s (s + 1)(s + 2): gain margin 6 / k at sqrt 2; the phase at |L| = 1. */
static void margins_of_three_lags(void **state) {
    (void)state;
    const double k = 2, A[9] = {0, 1, 0, 0, 0, 1, -k, -2, -3}, B[3] = {0, 0, 1}, C[3] = {-k, 0, 0};
    zvMargins m;
    assert_int_equal(zv_margins(&(zvStateSpace){3, 1, 1, A, B, C, NULL}, &m, NULL), ZV_OK);
    assert_true(m.stable);
    assert_near(m.gain_up, 6 / k, 1e-9);
    assert_near(m.gain_up_at, sqrt(2), 1e-9);
    assert_true(m.gain_down == 0);
    const double w = m.phase_at;
    assert_near(w * sqrt(1 + w * w) * sqrt(4 + w * w), k, 1e-9);
    assert_near(m.phase, 3.14159265358979323846 - 1.57079632679489661923 - atan(w) - atan(w / 2), 1e-9);
    assert_near(m.delay, m.phase / w, 1e-12);
    assert_true(m.modulus > 0.1 && m.modulus < 1);
}

/* Balanced truncation keeps its promise: at every frequency the error is below twice the sum of what was left out; a
 * rigid motion stays. */
static void balanced_within_bound(void **state) {
    (void)state;
    enum { N = 6, NX = 2 * N + 2 };
    double A[NX * NX] = {0}, B[NX] = {0}, C[NX] = {0}, a[NX * NX], b[NX], c[NX], hankel[NX];
    for (int i = 0; i < N; i++) {
        const double w = 3 * (i + 1) * (i + 1);
        A[2 * i * NX + 2 * i + 1] = 1;
        A[(2 * i + 1) * NX + 2 * i] = -w * w;
        A[(2 * i + 1) * NX + 2 * i + 1] = -0.04 * w;
        B[2 * i + 1] = 1;
        C[2 * i] = i % 2 ? -1 : 1;
    }
    A[(NX - 2) * NX + NX - 1] = 1; /* a free mass */
    B[NX - 1] = 0.2;
    C[NX - 2] = 1;
    const zvStateSpace s = {NX, 1, 1, A, B, C, NULL};
    int order = 6;
    assert_int_equal(zv_balanced(&s, &order, a, b, c, hankel, NULL), ZV_OK);
    assert_int_equal(order, 6);
    assert_true(isinf(hankel[0]) && isinf(hankel[1]) && isfinite(hankel[2]));
    double bound = 0;
    for (int i = order; i < NX; i++) bound += 2 * hankel[i];
    const zvStateSpace small = {order, 1, 1, a, b, c, NULL};
    for (int k = 0; k < 400; k++) {
        const double w = 0.1 * pow(10, k / 100.0);
        double whole[2], part[2];
        assert_int_equal(zv_frequency_response(&s, 1, &w, whole, NULL, NULL), ZV_OK);
        assert_int_equal(zv_frequency_response(&small, 1, &w, part, NULL, NULL), ZV_OK);
        assert_true(hypot(whole[0] - part[0], whole[1] - part[1]) <= bound * (1 + 1e-9));
    }
    order = 1;
    zvError error = {0};
    assert_int_equal(zv_balanced(&s, &order, a, b, c, NULL, &error), ZV_SIZE);
    assert_string_equal(error.text,
                        "expected at least the 2 states that are not stable, found 1; keep more, or close the loops first");
    order = NX;
    assert_int_equal(zv_balanced(&s, &order, a, b, c, NULL, NULL), ZV_OK);
    assert_int_equal(order, NX);
}

static void not_finite(void **state) {
    (void)state;
    const double A = NAN, one = 1;
    double real, imag;
    int count;
    zvError error = {0};
    assert_int_equal(zv_poles(&(zvStateSpace){1, 1, 1, &A, &one, &one, NULL}, &real, &imag, &error), ZV_NUMBER);
    assert_string_equal(error.text, "expected a linear system of finite numbers, found one with others");
    assert_int_equal(zv_zeros(&(zvStateSpace){1, 1, 1, &A, &one, &one, NULL}, &count, &real, &imag, NULL), ZV_NUMBER);
}

TESTS(vibration, zeros_of_one, zeros_of_two, margins_of_three_lags, balanced_within_bound, not_finite)
