/* Routes: ends, velocities and accelerations against differences of the places, the choice of the axis. */
#include "check_law.h"
#include "support/run_tests.h"

#include "support/random_tree_numbers.h"

static const double pi = 3.14159265358979323846;
static zvError error;

/* A polynomial of the seventh degree and no rest: nothing vanishes by accident. */
static zvLaw *progress(void) {
    const double from[4] = {0, 0.5, -0.4, 1}, to[4] = {1, 0.7, 0.3, -2};
    return MADE(zv_law_boundary(1, 0, 2, 4, from, 4, to, &error));
}

static zvRoute *route_made(zvRoute *route) {
    if (!route) fail_msg("not made: %s", error.text);
    return route;
}

static zvPose random_place(rtRandom *random) {
    zvPose place;
    rt_rotation(random, place.R);
    rt_vector(random, 1, 3, place.p);
    return place;
}

static void expect_place(const zvPose *got, const zvPose *expected, double allowed, const char *what) {
    for (int i = 0; i < 9; i++) close_to(got->R[i], expected->R[i], allowed, what, i);
    for (int i = 0; i < 3; i++) close_to(got->p[i], expected->p[i], allowed, what, 9 + i);
}

static void expect_rotation(const double R[9]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            close_to(R[3 * i] * R[3 * j] + R[3 * i + 1] * R[3 * j + 1] + R[3 * i + 2] * R[3 * j + 2], i == j, 4e-15,
                     "orthonormal", i);
}

/* d/dt by sixth-order differences of 12 numbers. */
static void difference(double values[7][12], double h, double result[12]) {
    for (int i = 0; i < 12; i++)
        result[i] =
            (45 * (values[4][i] - values[2][i]) - 9 * (values[5][i] - values[1][i]) + values[6][i] - values[0][i]) /
            (60 * h);
}

/* Velocity from places: dp/dt, and the angular velocity of dR/dt R^T = omega~. Acceleration from velocities. */
static void expect_rates(const zvRoute *route, double t) {
    const double h = 0.004, allowed = 5e-10; /* h^6 / 140 times seventh derivatives: 2 m (7 rad/s)^7 and more */
    double places[7][12], velocities[7][12] = {{0}}, rate[12], v[6], a[6];
    zvPose place, alone;
    for (int k = 0; k < 7; k++) {
        zv_route_at(route, t + (k - 3) * h, &place, velocities[k], NULL);
        memcpy(places[k], place.p, sizeof place.p);
        memcpy(places[k] + 3, place.R, sizeof place.R);
    }
    zv_route_at(route, t, &place, v, a);
    zv_route_at(route, t, &alone, NULL, NULL);
    assert_memory_equal(&place, &alone, sizeof place);
    expect_rotation(place.R);
    difference(places, h, rate);
    double S[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            S[3 * i + j] = 0;
            for (int k = 0; k < 3; k++) S[3 * i + j] += rate[3 + 3 * i + k] * place.R[3 * j + k];
        }
    const double expected[6] = {rate[0], rate[1], rate[2], S[7], S[2], S[3]};
    for (int i = 0; i < 6; i++) close_to(v[i], expected[i], allowed, "velocity", t);
    difference(velocities, h, rate);
    for (int i = 0; i < 6; i++) close_to(a[i], rate[i], 10 * allowed, "acceleration", t);
}

static void lines(void **state) {
    (void)state;
    rtRandom random = {123};
    for (int n = 0; n < 200; n++) {
        const zvPose from = random_place(&random), to = random_place(&random);
        zvRoute *route = route_made(zv_route_line(&from, &to, progress(), &error));
        zvPose place;
        double v[6], w = 0;
        zv_route_at(route, 0, &place, v, NULL);
        expect_place(&place, &from, 2e-15, "start");
        zv_route_at(route, 5, &place, NULL, NULL);
        expect_place(&place, &to, 4e-15, "end");
        /* angle of the whole turn: omega = angle * 0.5 at the start; its cosine by the trace of R1 R0^T */
        double trace = 0;
        for (int i = 0; i < 9; i++) trace += from.R[i] * to.R[i];
        for (int i = 3; i < 6; i++) w += v[i] * v[i];
        assert_true(sqrt(w) / 0.5 <= pi + 1e-12);
        close_to(cos(sqrt(w) / 0.5), (trace - 1) / 2, 1e-14, "angle", n);
        for (double t = 0.1; t < 1.95; t += 0.25) expect_rates(route, t);
        assert_true(zv_route_next_break(route, -1) == 0 && zv_route_next_break(route, 0) == 2);
        zv_route_destroy(route);
    }
}

/* Rot(axis, angle) by the exponential series of the cross-product matrix, in long double. */
static void turned(const double axis[3], double angle, double R[9]) {
    const long double a = angle, x = axis[0], y = axis[1], z = axis[2];
    const long double K[9] = {0, -z * a, y * a, z * a, 0, -x * a, -y * a, x * a, 0};
    long double term[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, sum[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int n = 1; n < 60; n++) {
        long double next[9] = {0};
        for (int i = 0; i < 9; i++)
            for (int k = 0; k < 3; k++) next[i] += term[i / 3 * 3 + k] * K[3 * k + i % 3] / n;
        for (int i = 0; i < 9; i++) sum[i] += term[i] = next[i];
    }
    for (int i = 0; i < 9; i++) R[i] = (double)sum[i];
}

/* Turns by every size, from none through the tiniest to half a turn: the axis and angle that were put in come out. */
static void axis_and_angle(void **state) {
    (void)state;
    static const double angles[] = {1e-12, 1e-8, 1e-4, 0.1, 1, 2, 3, 3.14, 3.1415, 3.14159265};
    rtRandom random = {9};
    const zvPose from = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
    for (size_t n = 0; n < sizeof angles / sizeof *angles; n++) {
        for (int k = 0; k < 50; k++) {
            double axis[3], v[6];
            zvPose to = from, place;
            rt_direction(&random, axis);
            turned(axis, angles[n], to.R);
            const double rate = 1, zero = 0;
            zvLaw *law = MADE(zv_law_polynomial(1, 0, 2, (double[]){zero, rate}, &error));
            zvRoute *route = route_made(zv_route_line(&from, &to, law, &error));
            zv_route_at(route, 1, &place, v, NULL);
            for (int i = 0; i < 3; i++) close_to(v[3 + i], axis[i] * angles[n], 2e-15, "axis * angle", angles[n]);
            expect_place(&place, &to, 2e-15, "end");
            zv_route_destroy(route);
        }
    }
}

/* Half a turn: the axis is the one whose first component that is not zero is positive; no turn at all: no velocity. */
static void half_turns(void **state) {
    (void)state;
    static const double axes[][3] = {{1, 0, 0},      {0, 1, 0},      {0, 0, 1},
                                     {0.6, -0.8, 0}, {0, 0.6, -0.8}, {0.48, -0.6, -0.64}};
    rtRandom random = {10};
    for (size_t n = 0; n < sizeof axes / sizeof *axes; n++) {
        for (int k = 0; k < 20; k++) {
            const double *u = axes[n];
            zvPose from = random_place(&random), to = from, place;
            double half[9], v[6];
            if (k == 0) memcpy(from.R, (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, sizeof from.R);
            for (int i = 0; i < 9; i++) half[i] = 2 * u[i / 3] * u[i % 3] - (i / 3 == i % 3);
            for (int i = 0; i < 9; i++) {
                to.R[i] = 0;
                for (int j = 0; j < 3; j++) to.R[i] += half[i / 3 * 3 + j] * from.R[3 * j + i % 3];
            }
            zvLaw *law = MADE(zv_law_polynomial(1, 0, 2, (double[]){0, 1}, &error));
            zvRoute *route = route_made(zv_route_line(&from, &to, law, &error));
            zv_route_at(route, 1, &place, v, NULL);
            for (int i = 0; i < 3; i++) close_to(v[3 + i], u[i] * pi, 1e-14, "axis of a half turn", (double)n);
            expect_place(&place, &to, 2e-15, "end");
            zv_route_destroy(route);
        }
    }
    const zvPose here = random_place(&random);
    zvRoute *route = route_made(zv_route_line(&here, &here, progress(), &error));
    zvPose place;
    double v[6];
    zv_route_at(route, 1, &place, v, NULL);
    for (int i = 0; i < 6; i++) close_to(v[i], 0, 1e-15, "no route", i);
    expect_place(&place, &here, 1e-15, "no route");
    zv_route_destroy(route);
}

static void arcs(void **state) {
    (void)state;
    rtRandom random = {456};
    for (int n = 0; n < 200; n++) {
        const zvPose from = random_place(&random);
        const int turn = n % 2;
        double center[3], axis[3], unit[3], R[9];
        const double angle = rt_uniform(&random, -7, 7);
        rt_vector(&random, 1, 3, center);
        rt_direction(&random, unit);
        const double length = rt_decades(&random, -3, 3);
        for (int i = 0; i < 3; i++) axis[i] = unit[i] * length;
        zvRoute *route = route_made(zv_route_arc(&from, center, axis, angle, turn, progress(), &error));
        zvPose place, end = from;
        zv_route_at(route, 0, &place, NULL, NULL);
        expect_place(&place, &from, 2e-15, "start");
        turned(unit, angle, R);
        for (int i = 0; i < 3; i++) {
            end.p[i] = center[i];
            for (int k = 0; k < 3; k++) end.p[i] += R[3 * i + k] * (from.p[k] - center[k]);
        }
        for (int i = 0; i < 9 && turn; i++) {
            end.R[i] = 0;
            for (int k = 0; k < 3; k++) end.R[i] += R[i / 3 * 3 + k] * from.R[3 * k + i % 3];
        }
        zv_route_at(route, 2, &place, NULL, NULL);
        expect_place(&place, &end, 1e-14, "end");
        for (double t = 0.1; t < 1.95; t += 0.25) expect_rates(route, t);
        zv_route_destroy(route);
    }
}

/* A coarse matrix is made orthonormal, not passed on. */
static void cleaned(void **state) {
    (void)state;
    zvPose from = {{0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1}, {0, 0, 0}}, place;
    for (int i = 0; i < 9; i++) from.R[i] += (i % 2 ? 1 : -1) * 2e-7;
    zvRoute *route = route_made(zv_route_arc(&from, from.p, (double[]){0, 0, 1}, 1, 1, progress(), &error));
    zv_route_at(route, 0, &place, NULL, NULL);
    expect_rotation(place.R);
    expect_place(&place, &from, 4e-7, "near what was given");
    zv_route_destroy(route);
}

/* Three entries of the seventh degree, up to `far` from zero: differences of what moves fast would be too coarse. */
static zvLaw *three(rtRandom *random, double far) {
    double from[12], to[12];
    for (int i = 0; i < 12; i++) {
        const double base = i < 3 ? rt_uniform(random, -far, far) : 0, size = i < 6 ? 0.7 : 0.3;
        from[i] = base + size * rt_uniform(random, -1, 1);
        to[i] = base + size * rt_uniform(random, -1, 1);
    }
    return MADE(zv_law_boundary(3, 0, 2, 4, from, 4, to, &error));
}

static void unit_quaternion(rtRandom *random, double e[4]) {
    double square = 0;
    for (int i = 0; i < 4; i++) {
        e[i] = rt_uniform(random, -1, 1);
        square += e[i] * e[i];
    }
    for (int i = 0; i < 4; i++) e[i] /= sqrt(square);
}

/* Rates of routes of laws against differences of their places, vectors beyond a whole turn among them. */
static void laws(void **state) {
    (void)state;
    rtRandom random = {321};
    static const char *const axes[] = {"zyx", "zxz", "x", "yz", "xyz"};
    for (int n = 0; n < 100; n++) {
        double e[12];
        for (int k = 0; k < 3; k++) unit_quaternion(&random, e + 4 * k);
        const int width = (int)strlen(axes[n % 5]);
        zvLaw *angles = three(&random, 2);
        if (width < 3) {
            zv_law_destroy(angles);
            zvLaw *const parts[2] = {progress(), progress()};
            angles = width == 2 ? MADE(zv_law_join(2, parts, &error)) : parts[0];
            if (width == 1) zv_law_destroy(parts[1]);
        }
        zvRoute *const routes[] = {
            route_made(zv_route_vector(three(&random, 1), three(&random, n % 2 ? 0.5 : 5), &error)),
            route_made(zv_route_angles(three(&random, 1), axes[n % 5], angles, &error)),
            route_made(zv_route_slerp(n % 3 ? three(&random, 1) : NULL, 2, e, progress(), &error))};
        for (int k = 0; k < 3; k++) {
            for (double t = 0.2; t < 1.9; t += 0.37) expect_rates(routes[k], t);
            zv_route_destroy(routes[k]);
        }
    }
}

/* The same turn about z by each. */
static void laws_agree(void **state) {
    (void)state;
    const double zero[3] = {0}, whole[8] = {0, 0, 0, 1, 0, 0, sin(1), cos(1)};
    const double from[4] = {0, 0.5, -0.4, 1}, to[4] = {1, 0.7, 0.3, -2};
    double last[12] = {0}, begin[12] = {0};
    for (int i = 0; i < 4; i++) {
        begin[3 * i + 2] = 2 * from[i];
        last[3 * i + 2] = 2 * to[i];
    }
    zvLaw *const turns[2] = {progress(), progress()};
    zvRoute *const routes[] = {
        route_made(zv_route_vector(NULL, MADE(zv_law_boundary(3, 0, 2, 4, begin, 4, last, &error)), &error)),
        route_made(
            zv_route_angles(MADE(zv_law_constant(3, zero, &error)), "zz", MADE(zv_law_join(2, turns, &error)), &error)),
        route_made(zv_route_slerp(NULL, 2, whole, progress(), &error))};
    for (double t = 0; t <= 2; t += 0.1) {
        zvPose place, other;
        double v[6], a[6], w[6], b[6];
        zv_route_at(routes[0], t, &place, v, a);
        for (int k = 1; k < 3; k++) {
            zv_route_at(routes[k], t, &other, w, b);
            expect_place(&other, &place, 1e-14, "turn about z");
            for (int i = 0; i < 6; i++) close_to(w[i], v[i], 1e-13, "velocity", t);
            for (int i = 0; i < 6; i++) close_to(b[i], a[i], 1e-12, "acceleration", t);
        }
    }
    assert_true(!zv_route_places(routes[0]) && zv_route_turns(routes[0]) && zv_route_places(routes[1]));
    assert_true(zv_route_next_break(routes[1], 0.5) == 2 && zv_route_next_break(routes[2], 2.5) == INFINITY);
    for (int k = 0; k < 3; k++) zv_route_destroy(routes[k]);
}

static void refused_laws(void **state) {
    (void)state;
    const double zero[3] = {0}, bad[4] = {0, 0, 0.8, 0.7};
    assert_null(zv_route_vector(MADE(zv_law_constant(2, zero, &error)), NULL, &error));
    assert_non_null(strstr(error.text, "position of a route: expected a law of 3 entries, found one of 2"));
    assert_null(zv_route_vector(NULL, MADE(zv_law_constant(1, zero, &error)), &error));
    assert_non_null(strstr(error.text, "rotation vector of a route"));
    assert_null(zv_route_vector(NULL, NULL, &error));
    assert_non_null(strstr(error.text, "found neither"));
    assert_null(zv_route_angles(NULL, "zyw", MADE(zv_law_constant(3, zero, &error)), &error));
    assert_non_null(strstr(error.text, "letters x, y, z, found \"zyw\""));
    assert_null(zv_route_angles(NULL, "zy", MADE(zv_law_constant(3, zero, &error)), &error));
    assert_non_null(strstr(error.text, "expected a law of 2 entries, found one of 3"));
    assert_null(zv_route_slerp(NULL, 1, bad, progress(), &error));
    assert_non_null(strstr(error.text, "quaternion 1: expected unit length to 1e-06, found 1.063"));
}

TESTS(laws, laws_agree, refused_laws, lines, axis_and_angle, half_turns, arcs, cleaned)
