/* Paths of curve joints: lines, circles and splines, as laid out by the model and evaluated by the joints. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kinematics/joint.h"
#include "model/path.h"
#include "support/random_tree_numbers.h"

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

static void expect_close(const double *x, const double *y, double bound, const char *what) {
    for (int i = 0; i < 3; i++) {
        if (!(fabs(x[i] - y[i]) <= bound)) fail_msg("%s %d: %.17g, expected %.17g", what, i, x[i], y[i]);
    }
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
    expect_close(here.d, d, 1e-6, "first derivative");
    expect_close(here.dd, dd, 1e-5, "second derivative");
}

static void line(void **state) {
    (void)state;
    const zvCurve curve = {.kind = ZV_CURVE_LINE, .direction = {0, 3, 4}};
    Laid laid = lay(&curve);
    const Jet jet = at(&laid, 5);
    expect_close(jet.p, (double[]){0, 3, 4}, 1e-15, "place");
    expect_close(jet.d, (double[]){0, 0.6, 0.8}, 1e-15, "direction");
    expect_close(jet.dd, (double[]){0, 0, 0}, 0, "curvature");
    clear(&laid);
}

/* Arc length anticlockwise about the normal; a start that leans out of the plane is laid into it. */
static void circle(void **state) {
    (void)state;
    const zvCurve curve = {
        .kind = ZV_CURVE_CIRCLE, .center = {1, 2, 3}, .normal = {0, 0, 2}, .start = {5, 0, 7}, .radius = 0.5};
    Laid laid = lay(&curve);
    const double quarter = 0.5 * 1.57079632679489661923;
    expect_close(at(&laid, 0).p, (double[]){1.5, 2, 3}, 1e-15, "start");
    expect_close(at(&laid, quarter).p, (double[]){1, 2.5, 3}, 1e-15, "a quarter on");
    expect_close(at(&laid, 4 * quarter).p, at(&laid, 0).p, 1e-15, "once round");
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

/* The knots are the accumulated chords; the curve goes through the points there, with two continuous derivatives. */
static void expect_spline(const zvCurve *curve) {
    Laid laid = lay(curve);
    const int pieces = curve->closed ? curve->count : curve->count - 1;
    const double tiny = 1e-9;
    double q = 0;
    for (int i = 0; i <= pieces; i++) {
        const double *point = curve->points + 3 * (i % curve->count);
        expect_close(at(&laid, q).p, point, 1e-13, "point");
        const bool inner = curve->closed || (i > 0 && i < pieces);
        const Jet before = at(&laid, q - tiny), after = at(&laid, q + tiny);
        expect_close(before.d, after.d, 1e-6, "tangent on both sides");
        if (inner) expect_close(before.dd, after.dd, 1e-6, "curvature on both sides");
        if (i < pieces) {
            const double chord = distance(point, curve->points + 3 * ((i + 1) % curve->count));
            expect_derivatives(&laid, q + chord / 3);
            q += chord;
        }
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
    double points[3 * POINTS], length = 0, zero[3] = {0};
    const zvCurve curve = random_spline(&random, POINTS, false, points);
    Laid laid = lay(&curve);
    for (int i = 0; i + 1 < POINTS; i++) length += distance(points + 3 * i, points + 3 * (i + 1));
    for (int end = 0; end < 2; end++) {
        const double q = end ? length : 0, far = end ? 2.5 : -2.5;
        const Jet here = at(&laid, q), beyond = at(&laid, q + far);
        double straight[3];
        for (int i = 0; i < 3; i++) straight[i] = here.p[i] + far * here.d[i];
        expect_close(here.dd, zero, 1e-12, "curvature at the end");
        expect_close(beyond.p, straight, 1e-13, "place beyond the end");
        expect_close(beyond.d, here.d, 1e-13, "direction beyond the end");
        expect_close(beyond.dd, zero, 0, "curvature beyond the end");
    }
    clear(&laid);
}

/* Round and round: one length on is the same place, also far away and backwards. */
static void closed_ring(void **state) {
    (void)state;
    rtRandom random = {7};
    double points[3 * POINTS], length = 0;
    const zvCurve curve = random_spline(&random, POINTS, true, points);
    Laid laid = lay(&curve);
    for (int i = 0; i < POINTS; i++) length += distance(points + 3 * i, points + 3 * ((i + 1) % POINTS));
    for (int i = 0; i < 50; i++) {
        const double q = length * i / 50;
        const Jet once = at(&laid, q);
        for (int turns = -3; turns <= 3; turns++) {
            const Jet again = at(&laid, q + turns * length);
            expect_close(again.p, once.p, 1e-13, "place after turns");
            expect_close(again.d, once.d, 1e-12, "direction after turns");
            expect_close(again.dd, once.dd, 1e-11, "curvature after turns");
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
        expect_close(at(&laid, q).p, (double[]){0.6 * q, 0.8 * q, 0}, 1e-14, "place");
        expect_close(at(&laid, q).dd, (double[]){0, 0, 0}, 1e-13, "curvature");
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line),         cmocka_unit_test(circle),      cmocka_unit_test(splines),
        cmocka_unit_test(open_ends),    cmocka_unit_test(closed_ring), cmocka_unit_test(straight_points),
        cmocka_unit_test(round_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
