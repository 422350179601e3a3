/* All integrals of beams against sums over thousands of point masses that are displaced by finite e, differenced: S, J
 * and L are polynomials of at most the fourth degree in e, so that differences at two steps give their derivatives
 * without error of truncation. Sums by Simpson's rule in long double; tolerance: its error for the waves at hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "integral_arrays.h"
#include "support/linear.h"
#include "support/near.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"

enum { POINTS = 1001, MOST = 8 };

/* The beam as points: undeformed place, shapes and shortening in target axes. */
typedef struct Cloud {
    int n;
    exact m[POINTS], at[POINTS][3], d[POINTS][3 * MOST], r[POINTS][3 * MOST], G[POINTS][MOST * MOST];
    exact axis[3];
    exact piece[POINTS]; /* length that a point stands for */
} Cloud;

static void turn(const double R[9], const double *a, exact *out) {
    for (int i = 0; i < 3; i++)
        out[i] = (exact)R[3 * i] * a[0] + (exact)R[3 * i + 1] * a[1] + (exact)R[3 * i + 2] * a[2];
}

/* Cumulated products of slopes by Simpson's rule with values between the points; slopes are the rotations. */
static void shorten(const zvBeam *beam, Cloud *cloud) {
    const double h = beam->length / (POINTS - 1);
    const int n = cloud->n, bends = beam->modes[ZV_BEAM_BEND_Y] + beam->modes[ZV_BEAM_BEND_Z];
    double d[3 * MOST], r[3][3 * MOST];
    memset(cloud->G[0], 0, sizeof cloud->G[0]);
    for (int k = 1; k < POINTS; k++) {
        for (int part = 0; part < 3; part++) zi_beam_shape(beam, (k - 1 + 0.5 * part) * h, d, r[part]);
        memcpy(cloud->G[k], cloud->G[k - 1], sizeof cloud->G[k]);
        for (int i = 0; i < bends; i++) {
            for (int j = 0; j < bends; j++) {
                for (int axis = 1; axis < 3; axis++) {
                    const int a = 3 * i + axis, b = 3 * j + axis;
                    cloud->G[k][i * n + j] +=
                        ((exact)r[0][a] * r[0][b] + 4 * (exact)r[1][a] * r[1][b] + (exact)r[2][a] * r[2][b]) * h / 6;
                }
            }
        }
    }
}

static void scatter(const zvBeam *beam, const double R[9], const double p[3], Cloud *cloud) {
    const double along[3] = {1, 0, 0};
    const int n = cloud->n = zi_beam_count(beam);
    memset(cloud->G, 0, sizeof cloud->G);
    if (zi_beam_shortens(beam)) shorten(beam, cloud);
    turn(R, along, cloud->axis);
    for (int k = 0; k < POINTS; k++) {
        const double x = beam->length * k / (POINTS - 1), at[3] = {x, 0, 0};
        double d[3 * MOST], r[3 * MOST];
        const int simpson = k == 0 || k == POINTS - 1 ? 1 : k % 2 ? 4 : 2;
        cloud->piece[k] = (exact)beam->length * simpson / (3 * (POINTS - 1));
        cloud->m[k] = cloud->piece[k] * beam->rhoA;
        turn(R, at, cloud->at[k]);
        for (int i = 0; i < 3; i++) cloud->at[k][i] += p[i];
        zi_beam_shape(beam, x, d, r);
        for (int i = 0; i < n; i++) {
            const bool turns = zi_beam_motion(beam, i) == ZV_BEAM_TWIST || beam->rotary;
            turn(R, d + 3 * i, cloud->d[k] + 3 * i);
            turn(R, r + 3 * i, cloud->r[k] + 3 * i);
            for (int axis = 0; axis < 3 && !turns; axis++) cloud->r[k][3 * i + axis] = 0;
        }
    }
}

/* First moment, moments of inertia and spins at e. */
typedef struct Moments {
    exact S[3], J[6], L[3 * MOST];
} Moments;

static void add_inertia(exact m, const exact *r, exact *J) {
    J[0] += m * (r[1] * r[1] + r[2] * r[2]);
    J[1] -= m * r[0] * r[1];
    J[2] -= m * r[0] * r[2];
    J[3] += m * (r[0] * r[0] + r[2] * r[2]);
    J[4] -= m * r[1] * r[2];
    J[5] += m * (r[0] * r[0] + r[1] * r[1]);
}

static void add_cross(exact m, const exact *a, const exact *b, exact *out) {
    out[0] += m * (a[1] * b[2] - a[2] * b[1]);
    out[1] += m * (a[2] * b[0] - a[0] * b[2]);
    out[2] += m * (a[0] * b[1] - a[1] * b[0]);
}

static Moments moments_at(const Cloud *cloud, const exact *e) {
    const int n = cloud->n;
    Moments sum = {{0}, {0}, {0}};
    for (int k = 0; k < POINTS; k++) {
        exact r[3], Ge[MOST], squeeze = 0;
        for (int i = 0; i < n; i++) {
            Ge[i] = 0;
            for (int j = 0; j < n; j++) Ge[i] += cloud->G[k][i * n + j] * e[j];
            squeeze += e[i] * Ge[i] / 2;
        }
        for (int a = 0; a < 3; a++) {
            r[a] = cloud->at[k][a] - cloud->axis[a] * squeeze;
            for (int i = 0; i < n; i++) r[a] += cloud->d[k][3 * i + a] * e[i];
            sum.S[a] += cloud->m[k] * r[a];
        }
        add_inertia(cloud->m[k], r, sum.J);
        for (int i = 0; i < n; i++) {
            exact rate[3];
            for (int a = 0; a < 3; a++) rate[a] = cloud->d[k][3 * i + a] - cloud->axis[a] * Ge[i];
            add_cross(cloud->m[k], r, rate, sum.L + 3 * i);
        }
    }
    return sum;
}

static void combine(Moments *sum, exact factor, const Moments *other) {
    exact *to = (exact *)sum;
    const exact *from = (const exact *)other;
    for (size_t k = 0; k < sizeof *sum / sizeof *to; k++) to[k] += factor * from[k];
}

/* d/de_i at 0, or d2/de_i de_j with j >= 0; steps 1/8 and 1/4, extrapolated. */
static Moments derivative(const Cloud *cloud, int i, int j) {
    Moments result = {{0}, {0}, {0}};
    for (int step = 1; step <= 2; step++) {
        const exact h = step / 8.0L, weight = step == 1 ? 4 / 3.0L : -1 / 3.0L;
        for (int a = -1; a <= 1; a += 2) {
            for (int b = -1; b <= 1; b += 2) {
                exact e[MOST] = {0};
                e[i] += a * h;
                if (j >= 0) e[j] += b * h;
                const Moments at = moments_at(cloud, e);
                combine(&result, j >= 0 ? weight * a * b / (4 * h * h) : weight * a / (4 * h), &at);
            }
        }
    }
    return result;
}

/* Sections as four points each, on the axes of the section; their turning with the shapes is linear. */
static void add_sections(const zvBeam *beam, const double R[9], const Cloud *cloud, exact *J0, exact *L0, exact *M) {
    const int n = cloud->n;
    for (int k = 0; k < POINTS; k++) {
        for (int side = 0; side < 4; side++) {
            const double arm[3] = {0, side == 0 ? 1 : side == 1 ? -1 : 0, side == 2 ? 1 : side == 3 ? -1 : 0};
            const exact m = cloud->piece[k] * (side < 2 ? beam->rhoIz : beam->rhoIy) / 2;
            exact offset[3], rate[MOST][3];
            turn(R, arm, offset);
            add_inertia(m, offset, J0);
            for (int i = 0; i < n; i++) {
                memset(rate[i], 0, sizeof rate[i]);
                add_cross(1, cloud->r[k] + 3 * i, offset, rate[i]);
                add_cross(m, offset, rate[i], L0 + 3 * i);
                for (int j = 0; j <= i; j++)
                    M[i * n + j] += m * (rate[i][0] * rate[j][0] + rate[i][1] * rate[j][1] + rate[i][2] * rate[j][2]);
            }
        }
    }
}

static void check_masses(const zvBeam *beam, const double R[9], const Cloud *cloud, const ziModeIntegrals *out,
                         double tolerance) {
    const int n = cloud->n;
    const exact none[MOST] = {0};
    Moments rest = moments_at(cloud, none);
    exact M[MOST * MOST] = {0};
    for (int k = 0; k < POINTS; k++) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                for (int a = 0; a < 3; a++)
                    M[i * n + j] += cloud->m[k] * cloud->d[k][3 * i + a] * cloud->d[k][3 * j + a];
            }
        }
    }
    add_sections(beam, R, cloud, rest.J, rest.L, M);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) M[j * n + i] = M[i * n + j];
    }
    assert_all_near("S0", 3, out->S0, rest.S, tolerance);
    assert_all_near("J0", 6, out->J0, rest.J, tolerance);
    assert_all_near("L0", 3 * n, out->L0, rest.L, tolerance);
    assert_all_near("M", n * n, out->M, M, tolerance);
    if (!(fabs(out->mass - beam->rhoA * beam->length) <= 1e-15 * out->mass * 8)) fail_msg("mass %.17g", out->mass);
}

/* The derivative by e_i and e_j of something with the given own part and the first derivatives `slope` by all shapes:
 * those of shortening have G_ij as their second derivative. */
static void with_shortening(const ziModeIntegrals *x, int width, const double *own, const double *slope, int i, int j,
                            double *sum) {
    const int n = x->n;
    for (int k = 0; k < width; k++) {
        sum[k] = own[k];
        for (int a = 0; a < x->extra; a++) sum[k] += x->G[(a * n + i) * n + j] * slope[width * (n + a) + k];
    }
}

static void check_against_points(const zvBeam *beam, const double R[9], const double p[3], double tolerance) {
    static irArrays arrays;
    static Cloud cloud;
    ziModeIntegrals out = ir_integrals(&arrays);
    assert_null(zi_beam_fault(beam).key);
    scatter(beam, R, p, &cloud);
    assert_true(zi_beam_integrals(beam, R, p, &out));
    const int n = out.n, all = n + out.extra;
    assert_int_equal(n, cloud.n);
    assert_int_equal(out.extra, zi_beam_shortens(beam) ? ZI_SHORTENINGS : 0);
    check_masses(beam, R, &cloud, &out, tolerance);
    for (int i = 0; i < n; i++) {
        const Moments first = derivative(&cloud, i, -1);
        assert_all_near("S1", 3, out.S1 + 3 * i, first.S, tolerance);
        assert_all_near("J1", 6, out.J1 + 6 * i, first.J, tolerance);
        for (int j = 0; j < n; j++) {
            double spin[3];
            with_shortening(&out, 3, out.L1 + 3 * (i * all + j), out.L0, i, j, spin);
            assert_all_near("L1", 3, spin, first.L + 3 * j, tolerance);
        }
        for (int j = 0; j <= i; j++) {
            const Moments second = derivative(&cloud, i, j);
            const double none[3] = {0};
            double bow[3], bend[6];
            with_shortening(&out, 3, none, out.S1, i, j, bow);
            with_shortening(&out, 6, out.J2 + 6 * (i * all + j), out.J1, i, j, bend);
            assert_all_near("second derivative of S", 3, bow, second.S, tolerance);
            assert_all_near("second derivative of J", 6, bend, second.J, 2 * tolerance);
            assert_memory_equal(out.J2 + 6 * (i * all + j), out.J2 + 6 * (j * all + i), 6 * sizeof(double));
        }
    }
    double G[MOST * MOST];
    for (int k = 250; k < POINTS && out.extra; k += 250) {
        zi_beam_shortening(beam, beam->length * k / (POINTS - 1), G);
        assert_all_near("G", n * n, G, cloud.G[k], tolerance);
    }
}

static zvBeam draw(rtRandom *random, zvShapes shapes) {
    zvBeam beam = zv_beam_default();
    beam.shapes = shapes;
    beam.length = rt_uniform(random, 0.5, 1.5);
    beam.EIy = beam.EIz = beam.GJ = beam.EA = 1;
    beam.rhoA = rt_uniform(random, 0.2, 1);
    beam.rhoIy = rt_uniform(random, 0.05, 0.2);
    beam.rhoIz = rt_uniform(random, 0.05, 0.2);
    if (shapes == ZV_SHAPES_CLAMPED_TIP_MASS) beam.tip_mass = beam.tip_inertia = rt_uniform(random, 0, 2);
    return beam;
}

/* Simpson's error for a product of waves of the given number over the beam, of integrands of about that size squared.
 */
static void all_sets(void **state) {
    (void)state;
    const int modes[ZV_SHAPES_COUNT][ZV_BEAM_MOTIONS] = {
        [ZV_SHAPES_POWERS] = {3, 2, 1, 1},        [ZV_SHAPES_GEVORKIAN] = {2, 2, 1, 1},
        [ZV_SHAPES_CLAMPED_FREE] = {2, 2, 2, 1},  [ZV_SHAPES_CLAMPED_TIP_MASS] = {2, 2, 1, 2},
        [ZV_SHAPES_PINNED_PINNED] = {2, 1, 2, 1}, [ZV_SHAPES_CUBIC] = {2, 2, 1, 1}};
    for (uint64_t seed = 4100; seed < 4100 + 2 * ZV_SHAPES_COUNT; seed++) {
        rtRandom random = {seed};
        const zvShapes shapes = (zvShapes)(seed % ZV_SHAPES_COUNT);
        zvBeam beam = draw(&random, shapes);
        double R[9], p[3];
        memcpy(beam.modes, modes[shapes], sizeof beam.modes);
        beam.rotary = rt_chance(&random, 0.5);
        beam.stiffening = seed < 4100 + ZV_SHAPES_COUNT ? ZV_STIFFENING_AUTO : ZV_STIFFENING_OFF;
        rt_rotation(&random, R);
        rt_vector(&random, 1, 3, p);
        printf("seed %llu: %s\n", (unsigned long long)seed, zv_shapes_word(shapes));
        /* h^4/180 f'''' with h = length/1000, f a product of two functions of wave number up to 8 with shapes up to 5
         */
        check_against_points(&beam, R, p, pow(16.0 / (POINTS - 1), 4) / 180 * 4 + 1e-13);
    }
}

/* A section that turns by t and shears by g, slope t + g, carries the axis on by cos t - g sin t: shortening has the
 * square of the slope less that of the shear. Polynomials of known integrals. */
static void shear_goes_along_the_section(void **state) {
    (void)state;
    zvBeam beam = zv_beam_default();
    double G[4];
    beam.shapes = ZV_SHAPES_CUBIC;
    beam.length = 2;
    beam.EIz = 3;
    beam.kGAy = 1.5;
    beam.modes[ZV_BEAM_BEND_Y] = 2;
    const double P = 12 * 3 / (1.5 * 4), L = 2;
    for (int k = 1; k <= 4; k++) {
        const double s = 0.25 * k, x = s * L;
        exact want[4] = {0};
        for (int i = 0; i < 3000; i++) { /* Simpson over 1000 pieces */
            const exact t = (i / 3 + (i % 3) / 2.0L) * s / 1000, w = (i % 3 == 1 ? 4 : 1) * x / 6000;
            const exact f[2] = {(P + 6 * t * (1 - t)) / (L * (1 + P)), (3 * t * t - (2 - P) * t - P / 2) / (1 + P)};
            const exact g[2] = {P / (L * (1 + P)), -P / 2 / (1 + P)};
            for (int j = 0; j < 4; j++) want[j] += w * (f[j / 2] * f[j % 2] - g[j / 2] * g[j % 2]);
        }
        zi_beam_shortening(&beam, x, G);
        assert_all_near("G", 4, G, want, 1e-12);
    }
}

static void a_beam_without_modes_is_a_rod(void **state) {
    (void)state;
    zvBeam beam = zv_beam_default();
    ziModeIntegrals out = {0};
    const double R[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0}, p[3] = {1, 2, 3}; /* x to y, y to z */
    beam.length = 3;
    beam.rhoA = 2;
    beam.damping.ratio = 0.1;
    assert_null(zi_beam_fault(&beam).key);
    assert_true(zi_beam_integrals(&beam, R, p, &out));
    const double c[3] = {1, 3.5, 3};
    assert_int_equal(out.n, 0);
    assert_true(fabs(out.mass - 6) < 1e-14);
    for (int k = 0; k < 3; k++) assert_true(fabs(out.S0[k] - 6 * c[k]) < 1e-13);
    assert_true(fabs(out.J0[3] - 6 * (1 + 9)) < 1e-13); /* about its own axis: of the shift alone */
    assert_true(fabs(out.J0[5] - 6 * (9.0 / 12 + 1 + 3.5 * 3.5)) < 1e-12);
    assert_true(fabs(out.J0[1] + 6 * 3.5) < 1e-13);
}

TESTS(all_sets, shear_goes_along_the_section, a_beam_without_modes_is_a_rod)
