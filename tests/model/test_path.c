/* Paths of curve joints: lines, circles and splines, as laid out by the model and evaluated by the joints; splines by
 * arc length, against the reference's quadrature in long double. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kinematics/nearest.h"
#include "model/tree.h"
#include "support/near.h"
#include "support/random_tree_numbers.h"
#include "support/reference_curve.h"
#include "support/run_tests.h"

enum { POINTS = 9 };

typedef struct Laid {
    ziArena arena;
    ziPath path;
} Laid;

static Laid lay(const zvCurve *curve) {
    Laid laid = {0};
    assert_true(zi_arena_reserve(&laid.arena, zi_path_bytes(curve) + 64));
    assert_true(zi_path_make(&laid.arena, curve, &laid.path));
    return laid;
}

static void clear(Laid *laid) { zi_arena_free(&laid->arena); }

/* Position, first and second derivative. */
typedef struct Jet {
    double p[3], d[3], dd[3];
} Jet;

static Jet at(const Laid *laid, double q) {
    vec3 p, d, dd;
    Jet jet;
    path_at(&laid->path, q, &p, &d, &dd);
    v3_to(jet.p, p);
    v3_to(jet.d, d);
    v3_to(jet.dd, dd);
    return jet;
}

static double distance(const double *a, const double *b) { return hypot(hypot(b[0] - a[0], b[1] - a[1]), b[2] - a[2]); }

/* Derivatives are those of the position, by central differences. */
static void expect_derivatives(const Laid *laid, double q) {
    const double h = 1e-4;
    const Jet low = at(laid, q - h), here = at(laid, q), high = at(laid, q + h);
    double d[3], dd[3];
    for (int i = 0; i < 3; i++) {
        d[i] = (high.p[i] - low.p[i]) / (2 * h);
        dd[i] = (high.d[i] - low.d[i]) / (2 * h);
    }
    assert_all_near("first derivative", 3, here.d, d, 1e-6);
    assert_all_near("second derivative", 3, here.dd, dd, 1e-5);
}

static void line(void **state) {
    (void)state;
    const zvCurve curve = {.kind = ZV_CURVE_LINE, .direction = {0, 3, 4}};
    Laid laid = lay(&curve);
    const Jet jet = at(&laid, 5);
    assert_all_near("place", 3, jet.p, ((double[]){0, 3, 4}), 1e-15);
    assert_all_near("direction", 3, jet.d, ((double[]){0, 0.6, 0.8}), 1e-15);
    assert_all_near("curvature", 3, jet.dd, ((double[]){0, 0, 0}), 0);
    clear(&laid);
}

/* Arc length anticlockwise about the normal; a start that leans out of the plane is laid into it. */
static void circle(void **state) {
    (void)state;
    const zvCurve curve = {
        .kind = ZV_CURVE_CIRCLE, .center = {1, 2, 3}, .normal = {0, 0, 2}, .start = {5, 0, 7}, .radius = 0.5};
    Laid laid = lay(&curve);
    const double quarter = 0.5 * 1.57079632679489661923;
    assert_all_near("start", 3, at(&laid, 0).p, ((double[]){1.5, 2, 3}), 1e-15);
    assert_all_near("a quarter on", 3, at(&laid, quarter).p, ((double[]){1, 2.5, 3}), 1e-15);
    assert_all_near("once round", 3, at(&laid, 4 * quarter).p, at(&laid, 0).p, 1e-15);
    for (int i = 0; i < 20; i++) {
        const Jet jet = at(&laid, 0.3 * i);
        const double center[3] = {1, 2, 3}, zero[3] = {0};
        assert_true(fabs(distance(jet.p, center) - 0.5) < 1e-15);
        assert_true(fabs(distance(jet.d, zero) - 1) < 1e-15);
        assert_true(fabs(distance(jet.dd, zero) - 2) < 1e-14);
        expect_derivatives(&laid, 0.3 * i);
    }
    clear(&laid);
}

static zvCurve random_spline(rtRandom *random, int count, bool closed, double *points) {
    for (int i = 0; i < 3 * count; i++) points[i] = rt_uniform(random, -1, 1) + 0.7 * (i / 3);
    return (zvCurve){.kind = ZV_CURVE_SPLINE, .closed = closed, .count = count, .points = points};
}

/* The curve goes through its points at their arc lengths, with two continuous derivatives. */
static void expect_spline(const zvCurve *curve) {
    Laid laid = lay(curve);
    const int pieces = curve->closed ? curve->count : curve->count - 1;
    const double tiny = 1e-9;
    for (int i = 0; i <= pieces; i++) {
        const double q = zv_spline_length(curve, i);
        const double *point = curve->points + 3 * (i % curve->count);
        assert_all_near("point", 3, at(&laid, q).p, point, 1e-13);
        const bool inner = curve->closed || (i > 0 && i < pieces);
        const Jet before = at(&laid, q - tiny), after = at(&laid, q + tiny);
        assert_all_near("tangent on both sides", 3, before.d, after.d, 1e-6);
        if (inner) assert_all_near("curvature on both sides", 3, before.dd, after.dd, 1e-6);
        if (i < pieces) expect_derivatives(&laid, (2 * q + zv_spline_length(curve, i + 1)) / 3);
    }
    clear(&laid);
}

static void splines(void **state) {
    (void)state;
    rtRandom random = {5};
    double points[3 * POINTS];
    for (int closed = 0; closed < 2; closed++) {
        for (int count = closed ? 3 : 2; count <= POINTS; count++) {
            const zvCurve curve = random_spline(&random, count, closed, points);
            expect_spline(&curve);
        }
    }
}

/* Natural ends have no curvature, and beyond them the curve goes on straight. */
static void open_ends(void **state) {
    (void)state;
    rtRandom random = {6};
    double points[3 * POINTS], zero[3] = {0};
    const zvCurve curve = random_spline(&random, POINTS, false, points);
    const double length = zv_spline_length(&curve, POINTS - 1);
    Laid laid = lay(&curve);
    for (int end = 0; end < 2; end++) {
        const double q = end ? length : 0, far = end ? 2.5 : -2.5;
        const Jet here = at(&laid, q), beyond = at(&laid, q + far);
        double straight[3];
        for (int i = 0; i < 3; i++) straight[i] = here.p[i] + far * here.d[i];
        assert_all_near("curvature at the end", 3, here.dd, zero, 1e-12);
        assert_all_near("place beyond the end", 3, beyond.p, straight, 1e-13);
        assert_all_near("direction beyond the end", 3, beyond.d, here.d, 1e-13);
        assert_all_near("curvature beyond the end", 3, beyond.dd, zero, 0);
    }
    clear(&laid);
}

/* Round and round: one length on is the same place, also far away and backwards. */
static void closed_ring(void **state) {
    (void)state;
    rtRandom random = {7};
    double points[3 * POINTS];
    const zvCurve curve = random_spline(&random, POINTS, true, points);
    const double length = zv_spline_length(&curve, POINTS);
    Laid laid = lay(&curve);
    for (int i = 0; i < 50; i++) {
        const double q = length * i / 50;
        const Jet once = at(&laid, q);
        for (int turns = -3; turns <= 3; turns++) {
            const Jet again = at(&laid, q + turns * length);
            assert_all_near("place after turns", 3, again.p, once.p, 1e-13);
            assert_all_near("direction after turns", 3, again.d, once.d, 1e-12);
            assert_all_near("curvature after turns", 3, again.dd, once.dd, 1e-11);
        }
    }
    clear(&laid);
}

/* Points on a straight line at any distances: the cubic is the line, and q is the distance along it. */
static void straight_points(void **state) {
    (void)state;
    static const double points[] = {0, 0, 0, 0.3, 0.4, 0, 0.36, 0.48, 0, 3, 4, 0};
    const zvCurve curve = {.kind = ZV_CURVE_SPLINE, .count = 4, .points = points};
    Laid laid = lay(&curve);
    for (int i = -5; i < 80; i++) {
        const double q = 0.1 * i;
        assert_all_near("place", 3, at(&laid, q).p, ((double[]){0.6 * q, 0.8 * q, 0}), 1e-14);
        assert_all_near("curvature", 3, at(&laid, q).dd, ((double[]){0, 0, 0}), 1e-13);
    }
    clear(&laid);
}

/* Thirty-six points of a circle: the periodic cubic stays within the fourth power of their distance. */
static void round_points(void **state) {
    (void)state;
    double points[3 * 36], zero[3] = {0};
    for (int i = 0; i < 36; i++) {
        points[3 * i] = cos(i * 0.17453292519943295);
        points[3 * i + 1] = sin(i * 0.17453292519943295);
        points[3 * i + 2] = 0;
    }
    const zvCurve curve = {.kind = ZV_CURVE_SPLINE, .closed = true, .count = 36, .points = points};
    Laid laid = lay(&curve);
    for (int i = 0; i < 500; i++) assert_true(fabs(distance(at(&laid, 0.0125 * i).p, zero) - 1) < 1e-5);
    clear(&laid);
}

/* How far d p(u(s))/ds is from a unit vector at the most: |dp/du| du/ds of the polynomials on samples of every part. */
static double worst_pace(const ziPath *path) {
    double worst = 0;
    for (int i = 0; i < path->parts; i++) {
        const ziPathPart *part = &path->part[i];
        const double *c = path->coeffs + 12 * part->piece;
        for (double x = -1; x <= 1; x += 1.0 / 16) {
            double u = 0, slope = 0, square = 0;
            for (int k = ZI_PATH_TERMS - 1; k >= 0; k--) {
                slope = slope * x + u;
                u = u * x + part->u[k];
            }
            u += part->from;
            for (int k = 0; k < 3; k++) square += pow(c[3 + k] + u * (2 * c[6 + k] + 3 * u * c[9 + k]), 2);
            worst = fmax(worst, fabs(slope * part->scale * sqrt(square) - 1));
        }
    }
    return worst;
}

/* Place, direction and curvature are those of the reference at the same arc length, and so is the length. The curvature
 * is the quotient of second derivatives by the square of the pace: its rounding grows with the sharpest bend. */
static void expect_reference(const zvCurve *curve, rtRandom *random) {
    Laid laid = lay(curve);
    refCurve exactly;
    ref_curve_open(&exactly, curve);
    const double length = laid.path.knots[laid.path.parts], sharpest = (double)exactly.sharpest;
    assert_true(fabs(length - (double)exactly.lengths[exactly.panels]) < 2e-15 * length);
    assert_true(worst_pace(&laid.path) < 1e-12);
    for (int i = 0; i < 40; i++) {
        const double q = rt_uniform(random, -0.1 * length, 1.1 * length), zero[3] = {0};
        const Jet jet = at(&laid, q);
        exact c[3], dc[3], ddc[3];
        ref_curve_at(&exactly, q, c, dc, ddc);
        assert_true(fabs(distance(jet.d, zero) - 1) < 4e-16);
        assert_true(fabs(jet.d[0] * jet.dd[0] + jet.d[1] * jet.dd[1] + jet.d[2] * jet.dd[2]) < 1e-14 * sharpest);
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(jet.p[k] - (double)c[k]) < 1e-14 * length);
            assert_true(fabs(jet.d[k] - (double)dc[k]) < 1e-14 * length * sharpest);
            assert_true(fabs(jet.dd[k] - (double)ddc[k]) < 1e-14 * length * sharpest * sharpest);
        }
    }
    ref_curve_close(&exactly);
    clear(&laid);
}

static void arc_length(void **state) {
    (void)state;
    const uint64_t seed = 8;
    rtRandom random = {seed};
    double points[3 * POINTS];
    print_message("seed %llu\n", (unsigned long long)seed);
    for (int i = 0; i < 60; i++) {
        const bool closed = rt_chance(&random, 0.5);
        const zvCurve curve = random_spline(&random, 3 + rt_below(&random, POINTS - 2), closed, points);
        expect_reference(&curve, &random);
    }
}

/* A point of the curve is nearest to itself: the way from the place to its arc length and back. */
static void nearest_is_itself(void **state) {
    (void)state;
    rtRandom random = {9};
    double points[3 * POINTS];
    for (int closed = 0; closed < 2; closed++) {
        const zvCurve curve = random_spline(&random, POINTS, closed, points);
        Laid laid = lay(&curve);
        const double length = laid.path.knots[laid.path.parts];
        for (int i = 0; i < 60; i++) {
            const double q = closed ? rt_uniform(&random, 0, length) : rt_uniform(&random, -1, length + 1);
            const double found = path_nearest(&laid.path, v3_of(at(&laid, q).p));
            assert_true(fabs(found - q) < 1e-12 * length);
        }
        clear(&laid);
    }
}

/* There and back beside itself: the nearer, the sharper the turn, and the parts are cut as short as it needs; on the
 * same line the curve stops. */
static void sharp_turns(void **state) {
    (void)state;
    double points[] = {0, 0, 0, 1, 0, 0, 0, 0, 0};
    const zvCurve curve = {.kind = ZV_CURVE_SPLINE, .count = 3, .points = points};
    int parts = 0;
    for (int i = 0; i < 4; i++) {
        points[7] = pow(10, -i);
        assert_int_equal(zi_path_cusp(&curve), -1);
        Laid laid = lay(&curve);
        assert_true(worst_pace(&laid.path) < 1e-12);
        assert_true(laid.path.parts > parts);
        parts = laid.path.parts;
        clear(&laid);
    }
    points[7] = 0;
    assert_true(zi_path_cusp(&curve) >= 0);
    assert_true(isnan(zv_spline_length(&curve, 2)));
}

TESTS(line, circle, splines, open_ends, closed_ring, straight_points, round_points, arc_length, nearest_is_itself,
      sharp_turns)
