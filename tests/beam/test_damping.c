/* Damping of elastic links: Rayleigh's by its formula, ratios by the identity D M^-1 D = 4 zeta^2 K and by known
 * frequencies. Tolerance: 64 n eps condition of M. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "integral_arrays.h"
#include "support/linear.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"

enum { MOST = 24 };

static zvBeam beam_of(zvShapes shapes, int modes) {
    zvBeam beam = zv_beam_default();
    beam.shapes = shapes;
    beam.length = 1.2;
    beam.EIy = 3;
    beam.EIz = 5;
    beam.GJ = 2;
    beam.EA = 70;
    beam.rhoA = 1.5;
    beam.rhoIy = beam.rhoIz = 0.01;
    for (int k = 0; k < ZV_BEAM_MOTIONS; k++) beam.modes[k] = modes;
    return beam;
}

/* out = A B^-1 A */
static void sandwich(int n, const double *A, const double *B, exact *out, exact *condition) {
    exact wide[MOST * MOST], inverse[MOST * MOST], half[MOST * MOST];
    for (int i = 0; i < n * n; i++) wide[i] = B[i];
    assert_true(lin_inverse(n, wide, inverse));
    *condition = lin_condition(n, wide);
    for (int i = 0; i < n * n; i++) {
        half[i] = 0;
        for (int k = 0; k < n; k++) half[i] += A[i / n * n + k] * inverse[k * n + i % n];
    }
    for (int i = 0; i < n * n; i++) {
        out[i] = 0;
        for (int k = 0; k < n; k++) out[i] += half[i / n * n + k] * A[k * n + i % n];
    }
}

static void rayleigh(void **state) {
    (void)state;
    static irArrays arrays;
    ziModeIntegrals out = ir_integrals(&arrays);
    zvBeam beam = beam_of(ZV_SHAPES_POWERS, 3);
    beam.damping.mass_factor = 0.7;
    beam.damping.stiffness_factor = 0.02;
    assert_true(zi_beam_integrals(&beam, ir_one, ir_zero, &out));
    for (int i = 0; i < out.n * out.n; i++) {
        const double want = 0.7 * out.M[i] + 0.02 * out.K[i];
        assert_true(fabs(out.D[i] - want) <= 4 * DBL_EPSILON * fabs(want));
    }
}

static void one_ratio_of_coupled_functions(void **state) {
    (void)state;
    static irArrays arrays;
    ziModeIntegrals out = ir_integrals(&arrays);
    for (int modes = 1; modes <= 5; modes++) {
        zvBeam beam = beam_of(ZV_SHAPES_POWERS, modes);
        beam.damping.ratio = 0.03;
        assert_true(zi_beam_integrals(&beam, ir_one, ir_zero, &out));
        exact square[MOST * MOST], condition;
        sandwich(out.n, out.D, out.M, square, &condition);
        for (int i = 0; i < out.n * out.n; i++) {
            const exact size = sqrtl(out.K[i / out.n * (out.n + 1)]) * sqrtl(out.K[i % out.n * (out.n + 1)]);
            const exact want = 4 * 0.03L * 0.03L * out.K[i], bound = 64 * out.n * DBL_EPSILON * condition;
            if (!(fabsl(square[i] - want) <= bound * 4 * 0.03L * 0.03L * size))
                fail_msg("%d modes, entry %d: %Lg, not %Lg", modes, i, square[i], want);
            assert_true(out.D[i] == out.D[i % out.n * out.n + i / out.n]);
        }
    }
}

/* Eigenfunctions of all motions: D / M = 2 zeta omega with the ratios in order of frequency through all motions. */
static void ratios_go_by_frequency(void **state) {
    (void)state;
    static irArrays arrays;
    const double ratios[] = {0.5, 0.4, 0.3, 0.2, 0.1};
    ziModeIntegrals out = ir_integrals(&arrays);
    zvBeam beam = beam_of(ZV_SHAPES_CLAMPED_FREE, 3);
    beam.damping.ratio = 0.01;
    beam.damping.ratios = ratios;
    beam.damping.count = 5;
    assert_true(zi_beam_integrals(&beam, ir_one, ir_zero, &out));
    const int n = out.n;
    for (int i = 0; i < n; i++) {
        const double omega = sqrt(out.K[i * n + i] / out.M[i * n + i]);
        int rank = 0;
        for (int j = 0; j < n; j++) rank += sqrt(out.K[j * n + j] / out.M[j * n + j]) < omega;
        const double want = 2 * (rank < 5 ? ratios[rank] : 0.01) * omega * out.M[i * n + i];
        if (!(fabs(out.D[i * n + i] - want) <= 1e-12 * want))
            fail_msg("mode %d: %.15g, not %.15g", i, out.D[i * n + i], want);
        for (int j = 0; j < i; j++)
            assert_true(fabs(out.D[i * n + j]) <= 1e-12 * sqrt(out.D[i * n + i] * out.D[j * n + j]));
    }
}

/* Two masses on springs: modes (1, 1) and (1, -1) known; modal data, ratio for the slow one, matrix and ratio add. */
static void two_masses(void **state) {
    (void)state;
    static irArrays arrays;
    ziModeIntegrals out = ir_integrals(&arrays);
    const double M[] = {2, 0, 0, 2}, K[] = {10, -4, -4, 10}, extra[] = {1, 0.5, 0.5, 3}, ratios[] = {0.25};
    const zvModal modal = {.count = 2,
                           .mass = M,
                           .stiffness = K,
                           .damping_matrix = extra,
                           .damping = {.ratio = 0, .count = 1, .ratios = ratios}};
    assert_true(zi_modal_integrals(&modal, ir_one, ir_zero, &out));
    const double slow = sqrt(3.0), part = 2 * 0.25 * slow; /* omega^2 = (10 - 4) / 2; 2 zeta omega m on (1, 1)/sqrt 2 */
    const double want[] = {1 + part, 0.5 + part, 0.5 + part, 3 + part};
    for (int i = 0; i < 4; i++) assert_true(fabs(out.D[i] - want[i]) <= 1e-15 * 8);
}

/* A free mode (no stiffness) has no critical damping and gets none; nothing becomes a number that is none. */
static void free_modes_are_not_damped(void **state) {
    (void)state;
    static irArrays arrays;
    ziModeIntegrals out = ir_integrals(&arrays);
    const double M[] = {1, 0, 0, 1}, K[] = {1, -1, -1, 1};
    const zvModal modal = {.count = 2, .mass = M, .stiffness = K, .damping = {.ratio = 0.1}};
    assert_true(zi_modal_integrals(&modal, ir_one, ir_zero, &out));
    for (int i = 0; i < 2; i++) assert_true(fabs(out.D[2 * i] + out.D[2 * i + 1]) < 1e-8);
    assert_true(fabs(out.D[0] - 0.1 * sqrt(2.0)) < 1e-8);
}

TESTS(rayleigh, one_ratio_of_coupled_functions, ratios_go_by_frequency, two_masses, free_modes_are_not_damped)
