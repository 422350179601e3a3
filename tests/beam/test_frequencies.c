/* Stiffness and mass of beams against frequencies and matrices that are known. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "beam/shapes.h"
#include "integral_arrays.h"
#include "linalg/cholesky.h"
#include "support/near.h"
#include "support/run_tests.h"

static const double pi = 3.14159265358979323846;

/* EIy and EIz differ, so mixing them up shows. */
static zvBeam beam_of(zvShapes shapes) {
    zvBeam beam = zv_beam_default();
    beam.length = 2.5;
    beam.EIy = 7;
    beam.EIz = 5;
    beam.GJ = 3;
    beam.EA = 400;
    beam.rhoA = 1.3;
    beam.rhoIy = 0.02;
    beam.rhoIz = 0.03;
    beam.shapes = shapes;
    return beam;
}

static void compute(const zvBeam *beam, ziModeIntegrals *out) {
    assert_null(zi_beam_fault(beam).key);
    assert_true(zi_beam_integrals(beam, ir_one, ir_zero, out));
}

/* omega^2 of bending with the root betaL */
static double bending_square(const zvBeam *beam, double EI, double root) {
    return pow(root / beam->length, 4) * EI / beam->rhoA;
}

static void clamped_free_is_diagonal_and_exact(void **state) {
    (void)state;
    static irArrays arrays;
    ziModeIntegrals out = ir_integrals(&arrays);
    zvBeam beam = beam_of(ZV_SHAPES_CLAMPED_FREE);
    for (int modes = 1; modes <= 16; modes *= 2) {
        for (int k = 0; k < ZV_BEAM_MOTIONS; k++) beam.modes[k] = modes;
        compute(&beam, &out);
        const int n = out.n;
        for (int i = 0; i < n; i++) {
            const int k = i % modes;
            const double wave = (k + 0.5) * pi / beam.length;
            const double want[] = {bending_square(&beam, beam.EIz, zi_root_clamped(k, 0)),
                                   bending_square(&beam, beam.EIy, zi_root_clamped(k, 0)),
                                   wave * wave * beam.GJ / (beam.rhoIy + beam.rhoIz),
                                   wave * wave * beam.EA / beam.rhoA};
            assert_near_relative(out.K[i * n + i] / out.M[i * n + i], want[i / modes], 1e-12);
            for (int j = 0; j < i; j++) {
                assert_true(fabs(out.M[i * n + j]) <= 1e-13 * sqrt(out.M[i * n + i] * out.M[j * n + j]));
                assert_true(fabs(out.K[i * n + j]) <= 1e-13 * sqrt(out.K[i * n + i] * out.K[j * n + j]));
            }
        }
    }
    /* scaled to 1 at the tip a clamped-free function has the mean square 1/4 */
    assert_near_relative(out.M[0], beam.rhoA * beam.length / 4, 1e-13);
}

static void many_modes_stay_exact(void **state) {
    (void)state;
    static irArrays arrays;
    ziModeIntegrals out = ir_integrals(&arrays);
    zvBeam beam = beam_of(ZV_SHAPES_CLAMPED_FREE);
    beam.modes[ZV_BEAM_BEND_Y] = MOST_MODES;
    compute(&beam, &out);
    for (int i = 0; i < out.n; i++) {
        assert_near_relative(out.K[i * out.n + i] / out.M[i * out.n + i],
                             bending_square(&beam, beam.EIz, zi_root_clamped(i, 0)), 1e-12);
        assert_near_relative(out.M[i * out.n + i], beam.rhoA * beam.length / 4, 1e-12);
    }
}

static void a_tip_mass_in_M_makes_its_functions_orthogonal(void **state) {
    (void)state;
    static irArrays arrays;
    ziModeIntegrals out = ir_integrals(&arrays);
    const double tips[] = {0.1, 1, 5, 300};
    for (int t = 0; t < 4; t++) {
        zvBeam beam = beam_of(ZV_SHAPES_CLAMPED_TIP_MASS);
        beam.tip_mass = tips[t] * beam.rhoA * beam.length;
        beam.tip_inertia = tips[t] * (beam.rhoIy + beam.rhoIz) * beam.length;
        for (int k = 0; k < ZV_BEAM_MOTIONS; k++) beam.modes[k] = 5;
        compute(&beam, &out);
        for (int i = 0; i < 20; i++) {
            const int k = i % 5, motion = i / 5;
            const double own = motion == ZV_BEAM_TWIST ? beam.tip_inertia : beam.tip_mass,
                         rod = zi_root_rod(k, tips[t]);
            const double wave = rod / beam.length, root = zi_root_clamped(k, tips[t]);
            const double want[] = {bending_square(&beam, beam.EIz, root), bending_square(&beam, beam.EIy, root),
                                   wave * wave * beam.GJ / (beam.rhoIy + beam.rhoIz),
                                   wave * wave * beam.EA / beam.rhoA};
            assert_near_relative(out.K[i * 20 + i] / (out.M[i * 20 + i] + own), want[motion], 1e-11);
            for (int j = 5 * motion; j < i; j++) assert_near_relative(out.M[i * 20 + j], -own, 1e-9);
        }
    }
}

static void pinned_pinned_is_exact(void **state) {
    (void)state;
    static irArrays arrays;
    ziModeIntegrals out = ir_integrals(&arrays);
    zvBeam beam = beam_of(ZV_SHAPES_PINNED_PINNED);
    for (int k = 0; k < ZV_BEAM_MOTIONS; k++) beam.modes[k] = 12;
    compute(&beam, &out);
    for (int i = 0; i < out.n; i++) {
        const double wave = (i % 12 + 1) * pi / beam.length, EI = i < 12 ? beam.EIz : beam.EIy;
        const double want = i < 24   ? pow(wave, 4) * EI / beam.rhoA
                            : i < 36 ? wave * wave * beam.GJ / (beam.rhoIy + beam.rhoIz)
                                     : wave * wave * beam.EA / beam.rhoA;
        assert_near_relative(out.K[i * out.n + i] / out.M[i * out.n + i], want, 1e-13);
    }
}

/* Least root of det(K - x M) = 0 for two coordinates. */
static double least_square(const double K[4], const double M[4]) {
    const double a = M[0] * M[3] - M[1] * M[2], c = K[0] * K[3] - K[1] * K[2];
    const double b = 0.5 * (K[0] * M[3] + K[3] * M[0] - 2 * K[1] * M[1]);
    return c / (b + sqrt(b * b - a * c));
}

static void two_powers_give_the_first_frequency(void **state) {
    (void)state;
    static irArrays arrays;
    ziModeIntegrals out = ir_integrals(&arrays);
    zvBeam beam = beam_of(ZV_SHAPES_POWERS);
    beam.modes[ZV_BEAM_BEND_Z] = 2;
    compute(&beam, &out);
    const double want = sqrt(bending_square(&beam, beam.EIy, 1.87510406871196117));
    const double got = sqrt(least_square(out.K, out.M));
    assert_true(got > want);
    assert_near_relative(got, want, 0.005);
    /* integrals of s^(i+j): EI/L^3 [4 6; 6 12], rhoA L [1/5 1/6; 1/6 1/7] */
    const double K[] = {4, 6, 6, 12}, M[] = {1.0 / 5, 1.0 / 6, 1.0 / 6, 1.0 / 7};
    for (int i = 0; i < 4; i++) {
        assert_near_relative(out.K[i], beam.EIy / pow(beam.length, 3) * K[i], 1e-14);
        assert_near_relative(out.M[i], beam.rhoA * beam.length * M[i], 1e-14);
    }
}

/* Up to the most that is allowed, from the beta function; and that one more would not leave six digits of a pivot. */
static void powers_are_integrated_exactly(void **state) {
    (void)state;
    static irArrays arrays;
    ziModeIntegrals out = ir_integrals(&arrays);
    zvBeam beam = beam_of(ZV_SHAPES_POWERS);
    const int most = zi_shape_most(ZV_SHAPES_POWERS, ZV_BEAM_BEND_Y);
    beam.modes[ZV_BEAM_BEND_Y] = beam.modes[ZV_BEAM_TWIST] = most;
    compute(&beam, &out);
    const int n = out.n;
    const double L = beam.length;
    for (int i = 0; i < most; i++) {
        for (int j = 0; j < most; j++) {
            const double p = i + 2, q = j + 2;
            assert_near_relative(out.M[i * n + j], beam.rhoA * L / (p + q + 1), 1e-14);
            assert_near_relative(out.K[i * n + j], beam.EIz / (L * L * L) * p * (p - 1) * q * (q - 1) / (p + q - 3),
                                 2e-14);
            /* the first shape of shortening is constant: the integral of G over the mass */
            assert_near_relative(sqrt(beam.rhoA * L) * out.G[i * n + j], beam.rhoA * p * q / (p + q - 1) / (p + q),
                                 2e-14);
            assert_near_relative(out.K[(most + i) * n + most + j], beam.GJ / L * (i + 1) * (j + 1) / (i + j + 1),
                                 2e-14);
        }
    }
    for (int from = 1; from <= 2; from++) {
        for (int count = most; count <= most + 1; count++) {
            double A[100];
            int order[10];
            for (int i = 0; i < count * count; i++) {
                const int p = i / count + from, q = i % count + from;
                A[i] = sqrt((2 * p + 1) * (2 * q + 1)) / (p + q + 1);
            }
            if (count == most)
                assert_int_equal(cholesky_factor(count, A, order, 1e6 * DBL_EPSILON), count);
            else
                assert_in_range(cholesky_factor(count, A, order, 1e6 * DBL_EPSILON), 1, count - 1);
        }
    }
}

static void gevorkian_matrices(void **state) {
    (void)state;
    static irArrays arrays;
    ziModeIntegrals out = ir_integrals(&arrays);
    zvBeam beam = beam_of(ZV_SHAPES_GEVORKIAN);
    beam.modes[ZV_BEAM_BEND_Y] = 2;
    compute(&beam, &out);
    const double L = beam.length, K[] = {12, 12, 12, 316.0 / 5};
    const double M[] = {13.0 / 35, 5.0 / 21, 5.0 / 21, 13.0 / 63}, S[] = {0.5, 7.0 / 30}, X[] = {7.0 / 20, 13.0 / 60};
    for (int i = 0; i < 4; i++) {
        assert_near_relative(out.K[i], beam.EIz / (L * L * L) * K[i], 1e-14);
        assert_near_relative(out.M[i], beam.rhoA * L * M[i], 1e-14);
    }
    for (int i = 0; i < 2; i++) {
        assert_near_relative(out.S1[3 * i + 1], beam.rhoA * L * S[i], 1e-14);
        assert_near_relative(out.L0[3 * i + 2], beam.rhoA * L * L * X[i], 1e-14);
    }
}

/* The flexibility at the tip of Timoshenko's beam is known; K is its inverse. */
static void cubic_is_timoshenkos_beam(void **state) {
    (void)state;
    static irArrays arrays;
    ziModeIntegrals out = ir_integrals(&arrays);
    for (double shear = 0; shear < 100; shear = 4 * shear + 1) {
        zvBeam beam = beam_of(ZV_SHAPES_CUBIC);
        const double L = beam.length;
        beam.modes[ZV_BEAM_BEND_Y] = beam.modes[ZV_BEAM_BEND_Z] = 2;
        beam.modes[ZV_BEAM_TWIST] = beam.modes[ZV_BEAM_EXTEND] = 1;
        beam.kGAy = shear;
        beam.kGAz = 2 * shear;
        compute(&beam, &out);
        for (int plane = 0; plane < 2; plane++) {
            const double EI = plane ? beam.EIy : beam.EIz, kGA = plane ? beam.kGAz : beam.kGAy;
            const double F[] = {L * L * L / (3 * EI) + (shear > 0 ? L / kGA : 0), L * L / (2 * EI), L * L / (2 * EI),
                                L / EI};
            const double *K = out.K + 14 * plane; /* its block of the six rows */
            for (int i = 0; i < 4; i++) {
                const int r = i / 2, c = i % 2;
                const double product = K[6 * r] * F[c] + K[6 * r + 1] * F[2 + c];
                assert_true(fabs(product - (r == c)) < 2e-13);
            }
        }
        assert_near_relative(out.K[28], beam.GJ / L, 1e-14);
        assert_near_relative(out.K[35], beam.EA / L, 1e-14);
        assert_near_relative(out.M[35], beam.rhoA * L / 3, 1e-14);
    }
}

/* Rayleigh's beam, pinned at both ends: omega^2 falls by 1 + rhoI/rhoA (k pi / L)^2. */
static void rotary_inertia_is_rayleighs(void **state) {
    (void)state;
    static irArrays arrays;
    ziModeIntegrals out = ir_integrals(&arrays);
    zvBeam beam = beam_of(ZV_SHAPES_PINNED_PINNED);
    beam.modes[ZV_BEAM_BEND_Y] = beam.modes[ZV_BEAM_BEND_Z] = 4;
    beam.rotary = true;
    compute(&beam, &out);
    for (int i = 0; i < 8; i++) {
        const double wave = (i % 4 + 1) * pi / beam.length, EI = i < 4 ? beam.EIz : beam.EIy;
        const double rhoI = i < 4 ? beam.rhoIz : beam.rhoIy;
        assert_near_relative(out.K[i * 8 + i] / out.M[i * 8 + i], pow(wave, 4) * EI / (beam.rhoA + rhoI * wave * wave),
                             1e-13);
    }
}

TESTS(clamped_free_is_diagonal_and_exact, many_modes_stay_exact, a_tip_mass_in_M_makes_its_functions_orthogonal,
      pinned_pinned_is_exact, two_powers_give_the_first_frequency, powers_are_integrated_exactly, gevorkian_matrices,
      cubic_is_timoshenkos_beam, rotary_inertia_is_rayleighs)
