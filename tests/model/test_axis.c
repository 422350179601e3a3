/* Frames turned so that z lies along a joint's axis. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/axis.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"

/* Columns are orthonormal, right-handed, and the third is the axis. */
static void expect_frame(const double axis[3], const double Q[9]) {
    const double size = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(Q[3 * i + 2] - axis[i] / size) < 4e-16);
        for (int j = 0; j < 3; j++) {
            double dot = 0;
            for (int k = 0; k < 3; k++) dot += Q[3 * k + i] * Q[3 * k + j];
            assert_true(fabs(dot - (i == j)) < 1e-15);
        }
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        assert_true(fabs(Q[3 * j] * Q[3 * k + 1] - Q[3 * k] * Q[3 * j + 1] - Q[3 * i + 2]) < 1e-15);
    }
}

static void random_axes(void **state) {
    (void)state;
    rtRandom random = {11};
    for (int n = 0; n < 10000; n++) {
        double axis[3], Q[9];
        rt_direction(&random, axis);
        const double size = rt_decades(&random, -6, 6);
        for (int i = 0; i < 3; i++) axis[i] *= size;
        zi_axis_frame(axis, Q);
        expect_frame(axis, Q);
    }
}

/* Near -z the least rotation from +z would lose all digits. */
static void almost_down(void **state) {
    (void)state;
    for (int n = 1; n < 300; n++) {
        const double axis[3] = {pow(10, -n), -pow(10, -n) / 3, -1};
        double Q[9];
        zi_axis_frame(axis, Q);
        expect_frame(axis, Q);
    }
}

/* Along coordinate axes the frame is exact, and is the one that the header and the formats promise. */
static void coordinate_axes(void **state) {
    (void)state;
    static const struct {
        double axis[3], Q[9]; /* Q by rows */
    } rows[] = {{{0, 0, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1}},    {{2, 0, 0}, {0, 0, 1, 1, 0, 0, 0, 1, 0}},
                {{0, 5, 0}, {0, 1, 0, 0, 0, 1, 1, 0, 0}},    {{0, 0, -1}, {1, 0, 0, 0, -1, 0, 0, 0, -1}},
                {{-1, 0, 0}, {0, 0, -1, 1, 0, 0, 0, -1, 0}}, {{0, -1, 0}, {0, -1, 0, 0, 0, -1, 1, 0, 0}}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        double Q[9];
        zi_axis_frame(rows[n].axis, Q);
        expect_frame(rows[n].axis, Q);
        for (int i = 0; i < 9; i++) assert_true(Q[i] == rows[n].Q[i]);
    }
}

/* The least rotation from z leaves the direction across both axes where it is. */
static void least_rotation(void **state) {
    (void)state;
    const double axis[3] = {0.6, 0, 0.8};
    double Q[9];
    zi_axis_frame(axis, Q);
    static const double expected[9] = {0.8, 0, 0.6, 0, 1, 0, -0.6, 0, 0.8};
    for (int i = 0; i < 9; i++) assert_true(fabs(Q[i] - expected[i]) < 2e-16);
}

/* Seven digits are off by 1e-7; one cleaning brings rounding, exact matrices stay. */
static void cleaned_rotations(void **state) {
    (void)state;
    double R[9] = {0.3535534, -0.6123724, 0.7071068, 0.9267767, 0.1268264, -0.3535534, 0.1268264, 0.7803301, 0.6123724};
    double exact[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, kept[9];
    memcpy(kept, exact, sizeof kept);
    zi_rotation_clean(R);
    zi_rotation_clean(exact);
    assert_memory_equal(exact, kept, sizeof kept);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double dot = R[i] * R[j] + R[3 + i] * R[3 + j] + R[6 + i] * R[6 + j];
            assert_true(fabs(dot - (i == j)) < 1e-15);
        }
    }
    assert_true(fabs(R[0] - 0.3535534) < 1e-6);
}

TESTS(cleaned_rotations, random_axes, almost_down, coordinate_axes, least_rotation)
