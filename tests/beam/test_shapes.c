/* Shape functions: roots against published ones and against the characteristic equation in long double; derivatives
 * against differences; what holds at the clamp and at the tip. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "beam/modes.h"
#include "beam/shapes.h"
#include "support/near.h"
#include "support/run_tests.h"

static const long double pi = 3.14159265358979323846264338327950288L;

static zvBeam beam_of(zvShapes shapes, int modes, double tip) {
    zvBeam beam = zv_beam_default();
    beam.length = 1.7;
    beam.EIy = beam.EIz = beam.GJ = beam.EA = 3;
    beam.rhoA = 2;
    beam.rhoIy = beam.rhoIz = 0.25;
    beam.shapes = shapes;
    beam.tip_mass = tip * beam.rhoA * beam.length;
    beam.tip_inertia = tip * 0.5 * beam.length;
    for (int k = 0; k < ZV_BEAM_MOTIONS; k++) {
        const int most = zi_shape_most(shapes, (zvBeamMotion)k);
        beam.modes[k] = modes < most ? modes : most;
    }
    return beam;
}

static void published_roots(void **state) {
    (void)state;
    const double clamped[] = {1.87510406871196117, 4.69409113297417458, 7.85475743823761256, 10.995540734875467};
    for (int k = 0; k < 4; k++) assert_near(zi_root_clamped(k, 0), clamped[k], 4e-15 * clamped[k]);
    assert_near(zi_root_clamped(0, 0.1), 1.72274152059325912, 1e-14);
    assert_near(zi_root_clamped(1, 0.1), 4.39952281615601231, 1e-14);
    assert_near(zi_root_clamped(0, 1), 1.24791740960646946, 1e-14);
    assert_near(zi_root_clamped(1, 1), 4.03113943671495955, 1e-14);
    assert_near(zi_root_clamped(0, 5), 0.870021458889933888, 1e-14);
}

/* 1 + cos cosh + mu beta (cos sinh - sin cosh), over cosh */
static long double bending_equation(long double beta, long double mu) {
    const long double c = cosl(beta), s = sinl(beta), C = coshl(beta), S = sinhl(beta);
    return (1 + c * C + mu * beta * (c * S - s * C)) / C;
}

static long double rod_equation(long double beta, long double mu) { return cosl(beta) - mu * beta * sinl(beta); }

static long double bisect(long double (*f)(long double, long double), long double mu, int k) {
    long double low = k * pi, high = (k + 1) * pi;
    const long double sign = f(low, mu);
    for (int step = 0; step < 90; step++) {
        const long double middle = (low + high) / 2;
        if (f(middle, mu) * sign > 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void roots_of_all_modes(void **state) {
    (void)state;
    const double tips[] = {0, 1e-6, 0.3, 1, 40, 1e4};
    for (int t = 0; t < 6; t++) {
        for (int k = 0; k < ZV_MAX_MODES; k++) {
            /* heavy tips: the residue near the first root is a difference of terms sqrt(3 mu) times its slope */
            const double rounding = 1e-15 * (4 + (k == 0 ? sqrt(3 * tips[t]) : 0));
            const double bending = (double)bisect(bending_equation, tips[t], k);
            const double rod = (double)bisect(rod_equation, tips[t], k);
            assert_near(zi_root_clamped(k, tips[t]), bending, rounding * bending);
            assert_near(zi_root_rod(k, tips[t]), rod, rounding * rod);
        }
    }
}

/* Value, slope, turn and bend of function k of a motion at s, with derivatives by x from differences of fourth order.
 */
static void check_derivatives(const ziShapeSet *set, double s, double h) {
    ziModeShape at[5][ZV_MAX_MODES];
    for (int i = 0; i < 5; i++) zi_shape_at(set, s + (i - 2) * h, at[i]);
    for (int k = 0; k < set->count; k++) {
        double size = 1e-300;
        for (int i = 0; i < 5; i++) size = fmax(size, fabs(at[i][k].value));
        const double wave = fmax(set->root[k], 10), step = wave * h; /* of powers: up to the ninth */
        const double error = 20 * pow(step, 4) + 4e-15 * wave / step;
        const double slope = (at[0][k].value - 8 * at[1][k].value + 8 * at[3][k].value - at[4][k].value) / (12 * h);
        const double bend = (at[0][k].turn - 8 * at[1][k].turn + 8 * at[3][k].turn - at[4][k].turn) / (12 * h);
        size = fmax(size, fabs(set->scale[k]));
        assert_near(at[2][k].slope * set->length, slope, error * wave * size);
        if (set->motion == ZV_BEAM_TWIST || set->motion == ZV_BEAM_EXTEND) continue;
        assert_near(at[2][k].bend * set->length, bend, error * wave * wave * size / set->length);
        if (set->shear == 0) assert_true(at[2][k].turn == at[2][k].slope);
    }
}

static void derivatives_are_those_of_the_values(void **state) {
    (void)state;
    const int counts[] = {1, 3, 9, 40, 64};
    for (int shapes = 0; shapes < ZV_SHAPES_COUNT; shapes++) {
        for (int c = 0; c < 5; c++) {
            zvBeam beam = beam_of((zvShapes)shapes, counts[c], shapes == ZV_SHAPES_CLAMPED_TIP_MASS ? 0.8 : 0);
            if (shapes == ZV_SHAPES_CUBIC) beam.kGAy = 11; /* and none along z */
            for (int motion = 0; motion < ZV_BEAM_MOTIONS; motion++) {
                ziShapeSet set;
                zi_shape_set(&beam, (zvBeamMotion)motion, &set);
                for (int i = 1; i < 20; i++) check_derivatives(&set, i / 20.0, 1e-3 / counts[c]);
            }
        }
    }
}

static void ends_are_held_and_scaled(void **state) {
    (void)state;
    for (int shapes = 0; shapes < ZV_SHAPES_COUNT; shapes++) {
        const zvBeam beam = beam_of((zvShapes)shapes, 30, shapes == ZV_SHAPES_CLAMPED_TIP_MASS ? 2 : 0);
        for (int motion = 0; motion < ZV_BEAM_MOTIONS; motion++) {
            ziModeShape root[ZV_MAX_MODES], tip[ZV_MAX_MODES];
            ziShapeSet set;
            zi_shape_set(&beam, (zvBeamMotion)motion, &set);
            zi_shape_at(&set, 0, root);
            zi_shape_at(&set, 1, tip);
            for (int k = 0; k < set.count; k++) {
                const double size = fabs(set.scale[k]), wave = 1 + set.root[k];
                const bool pinned = shapes == ZV_SHAPES_PINNED_PINNED, bends = motion <= ZV_BEAM_BEND_Z;
                const bool turns = shapes == ZV_SHAPES_CUBIC && k == 1;
                assert_near(root[k].value, 0, 1e-15 * size);
                if (bends && !pinned) assert_near(root[k].turn, 0, 1e-15 * size * wave);
                if (pinned || turns)
                    assert_near(tip[k].value, 0, 1e-15 * wave);
                else
                    assert_near(tip[k].value, 1, 1e-15);
                if (turns) assert_near(tip[k].turn, 1, 1e-15);
                if (bends && set.root[k] > 0 && !pinned) assert_near(tip[k].bend, 0, 1e-14 * size * wave * wave);
            }
        }
    }
}

/* The mass at the tip needs the shear force EI phi''' = -omega^2 m phi there; phi''' by differences of the curvature.
 */
static void tip_mass_hangs_on_the_shear_force(void **state) {
    (void)state;
    const double tips[] = {0.1, 1, 5, 1e4, 1e8};
    for (int t = 0; t < 5; t++) {
        const zvBeam beam = beam_of(ZV_SHAPES_CLAMPED_TIP_MASS, 6, tips[t]);
        const double h = 1e-3;
        ziModeShape f[5][ZV_MAX_MODES];
        ziShapeSet set;
        zi_shape_set(&beam, ZV_BEAM_BEND_Y, &set);
        for (int i = 0; i < 5; i++) zi_shape_at(&set, 1 + (i - 2) * h, f[i]);
        for (int k = 0; k < set.count; k++) {
            const double beta = set.root[k] / beam.length, square = pow(beta, 4) * beam.EIz / beam.rhoA;
            const double third =
                (f[0][k].bend - 8 * f[1][k].bend + 8 * f[3][k].bend - f[4][k].bend) / 12 / h / beam.length;
            const double size = fabs(set.scale[k]) * pow(beta, 3) * fmax(1, 1 / set.root[k]);
            /* a value at the tip that nearly vanishes is a difference of numbers of the size of the scale; root to 4
             * ulps */
            const double tip_error = square * beam.tip_mass * fabs(set.scale[k]) * 8e-16 * (1 + set.root[k]);
            const double error = 3 * size * (pow(set.root[k] * h, 4) + 1e-11) + tip_error;
            assert_near(beam.EIz * third, -square * beam.tip_mass * f[2][k].value, error);
        }
    }
}

/* Under a huge mass the first function is the cantilever's under a force at its tip, (3 s^2 - s^3)/2, but for terms of
 * the order beta^4 = 3 / tip, and the rod's is s. */
static void heavy_tips_pull_as_forces(void **state) {
    (void)state;
    for (double tip = 1e4; tip < 1e17; tip *= 100) {
        const zvBeam beam = beam_of(ZV_SHAPES_CLAMPED_TIP_MASS, 1, tip);
        ziShapeSet bending, rod;
        ziModeShape f, g;
        zi_shape_set(&beam, ZV_BEAM_BEND_Y, &bending);
        zi_shape_set(&beam, ZV_BEAM_EXTEND, &rod);
        for (double s = 0; s <= 1; s += 0.125) {
            zi_shape_at(&bending, s, &f);
            zi_shape_at(&rod, s, &g);
            assert_near(f.value, s * s * (3 - s) / 2, 1 / tip + 1e-15);
            assert_near(f.bend * beam.length * beam.length, 3 * (1 - s), 1 / tip + 1e-14);
            assert_near(g.value, s, 1 / tip + 1e-15);
        }
    }
}

/* Sections turn with the axis: rotation x e_x is the derivative of the displacement, for each coordinate. */
static void sections_turn_with_the_axis(void **state) {
    (void)state;
    for (int shapes = 0; shapes < ZV_SHAPES_COUNT; shapes++) {
        const zvBeam beam = beam_of((zvShapes)shapes, 3, 0);
        const double x = 0.6, h = 1e-4;
        double before[36], after[36], d[36], r[36];
        zi_beam_shape(&beam, x - h, before, r);
        zi_beam_shape(&beam, x + h, after, r);
        zi_beam_shape(&beam, x, d, r);
        for (int k = 0; k < zi_beam_count(&beam); k++) {
            const double *turn = r + 3 * k;
            const bool twist = zi_beam_motion(&beam, k) == ZV_BEAM_TWIST;
            assert_near(turn[2], (after[3 * k + 1] - before[3 * k + 1]) / (2 * h), 1e-5);
            assert_near(-turn[1], (after[3 * k + 2] - before[3 * k + 2]) / (2 * h), 1e-5);
            assert_true(twist ? turn[0] != 0 && d[3 * k] == 0 : turn[0] == 0);
        }
    }
}

/* At high modes the function is a sine between two ends: at s = 1/2 the exponentials are gone. */
static void high_modes_do_not_overflow(void **state) {
    (void)state;
    const zvBeam beam = beam_of(ZV_SHAPES_CLAMPED_FREE, ZV_MAX_MODES, 0);
    ziShapeSet set;
    ziModeShape f[ZV_MAX_MODES];
    zi_shape_set(&beam, ZV_BEAM_BEND_Z, &set);
    zi_shape_at(&set, 0.5, f);
    for (int k = 40; k < ZV_MAX_MODES; k++) {
        const long double x = set.root[k] / 2.0L;
        assert_near(f[k].value * (k % 2 ? -1 : 1), (double)((sinl(x) - cosl(x)) / 2), 1e-12);
    }
}

static void coordinates_have_names(void **state) {
    (void)state;
    zvBeam beam = beam_of(ZV_SHAPES_CUBIC, 2, 0);
    const char *want[] = {"y1", "y2", "z1", "z2", "twist1", "axial1"};
    const bool angle[] = {false, true, false, true, true, false};
    char arrays[16];
    assert_int_equal(zi_beam_count(&beam), 6);
    for (int k = 0; k < 6; k++) {
        assert_string_equal(zi_beam_part(&beam, k, arrays), want[k]);
        assert_int_equal(zi_beam_angular(&beam, k), angle[k]);
    }
    beam.modes[ZV_BEAM_BEND_Y] = -3;
    assert_int_equal(zi_beam_count(&beam), 4);
    assert_int_equal(zi_beam_motion(&beam, 0), ZV_BEAM_BEND_Z);
    assert_string_equal(zv_shapes_word(ZV_SHAPES_CLAMPED_TIP_MASS), "clamped-tip-mass");
    assert_string_equal(zv_shapes_word(ZV_SHAPES_COUNT), "?");
    assert_true(zi_beam_shortens(&beam));
    beam.stiffening = ZV_STIFFENING_OFF;
    assert_false(zi_beam_shortens(&beam));
}

TESTS(published_roots, roots_of_all_modes, derivatives_are_those_of_the_values, ends_are_held_and_scaled,
      tip_mass_hangs_on_the_shear_force, heavy_tips_pull_as_forces, sections_turn_with_the_axis,
      high_modes_do_not_overflow, coordinates_have_names)
