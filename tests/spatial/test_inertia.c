/* Rigid and articulated inertias against clouds of points. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "spatial/inertia.h"
#include "support/near.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"

enum { CLOUD = 7 };

typedef struct Cloud {
    double mass[CLOUD];
    vec3 place[CLOUD];
} Cloud;

static vec3 draw_vector(rtRandom *random) {
    double a[3];
    rt_vector(random, 1, 3, a);
    return v3_of(a);
}

static motion draw_motion(rtRandom *random) {
    const vec3 lin = draw_vector(random), ang = draw_vector(random);
    return motion_of(lin, ang);
}

static Cloud draw_cloud(rtRandom *random) {
    Cloud cloud;
    for (int i = 0; i < CLOUD; i++) {
        cloud.mass[i] = rt_uniform(random, 0.1, 1);
        cloud.place[i] = draw_vector(random);
    }
    return cloud;
}

/* Mass, first moment and moments about the point from which the cloud is seen moved by r. */
static rigid weigh(const Cloud *cloud, vec3 r) {
    rigid b = {0, v3_zero(), m3(v3_zero(), v3_zero(), v3_zero())};
    for (int i = 0; i < CLOUD; i++) {
        const vec3 x = v3_add(cloud->place[i], r);
        const double m = cloud->mass[i];
        b.m += m;
        b.h = v3_axpy(m, x, b.h);
        b.J = m3_deflate(m3_add_diagonal(b.J, m * v3_dot(x, x)), v3_scale(m, x), x);
    }
    return b;
}

/* Force of the points for an acceleration from rest, reduced to the reference point. */
static force push(const Cloud *cloud, motion a) {
    force sum = force_zero();
    for (int i = 0; i < CLOUD; i++) {
        const vec3 x = cloud->place[i];
        const vec3 f = v3_scale(cloud->mass[i], v3_cross_add(a.ang, x, a.lin));
        sum = force_add(sum, force_of(f, v3_cross(x, f)));
    }
    return sum;
}

static void expect_vector(vec3 x, vec3 y) {
    double a[3], b[3];
    v3_to(a, x);
    v3_to(b, y);
    assert_all_near("vector", 3, a, b, 1e-13);
}

static void expect_force(force x, force y) {
    expect_vector(x.lin, y.lin);
    expect_vector(x.ang, y.ang);
}

static void rigid_bodies(void **state) {
    (void)state;
    rtRandom random = {41};
    for (int n = 0; n < 100; n++) {
        const Cloud cloud = draw_cloud(&random), other = draw_cloud(&random);
        const motion a = draw_motion(&random);
        const vec3 r = draw_vector(&random), here = v3_zero();
        const rigid b = weigh(&cloud, here);
        expect_force(rigid_mul(&b, a), push(&cloud, a));
        rigid up = weigh(&other, here);
        const rigid part = up, seen = weigh(&cloud, r);
        rigid_add_shifted(&up, &b, r);
        assert_true(fabs(up.m - part.m - seen.m) < 1e-14);
        expect_force(rigid_mul(&up, a), force_add(rigid_mul(&part, a), rigid_mul(&seen, a)));
    }
}

static void articulated_of_a_rigid_body(void **state) {
    (void)state;
    rtRandom random = {42};
    for (int n = 0; n < 100; n++) {
        const Cloud cloud = draw_cloud(&random);
        const motion a = draw_motion(&random);
        const rigid b = weigh(&cloud, v3_zero());
        articulated M;
        articulated_set(&M, &b);
        expect_force(articulated_mul(&M, a), rigid_mul(&b, a));
        expect_force(force_add(articulated_mul_lin(&M, a.lin), articulated_mul_ang(&M, a.ang)), rigid_mul(&b, a));
    }
}

/* Without the force along s the body gives way to it: M s = 0 afterwards, and motions it does not feel are as before.
 */
static void force_free_direction(void **state) {
    (void)state;
    rtRandom random = {43};
    for (int n = 0; n < 100; n++) {
        const Cloud cloud = draw_cloud(&random);
        const motion s = draw_motion(&random), a = draw_motion(&random);
        const rigid b = weigh(&cloud, v3_zero());
        articulated M;
        articulated_set(&M, &b);
        const force U = articulated_mul(&M, s), before = articulated_mul(&M, a);
        const double D = force_dot(U, s);
        assert_true(D > 0);
        articulated_deflate(&M, 1 / D, U);
        expect_force(articulated_mul(&M, s), force_zero());
        const double yielded = -force_dot(before, s) / D; /* acceleration along s that ends the force there */
        expect_force(articulated_mul(&M, a), force_axpy(yielded, U, before));
    }
}

/* Seen from another point: accelerations are carried there, forces reduced from there. */
static void carried(void **state) {
    (void)state;
    rtRandom random = {44};
    for (int n = 0; n < 100; n++) {
        const Cloud cloud = draw_cloud(&random), other = draw_cloud(&random);
        const motion s = draw_motion(&random), a = draw_motion(&random);
        const vec3 r = draw_vector(&random);
        const rigid b = weigh(&cloud, v3_zero()), o = weigh(&other, v3_zero());
        articulated M, up;
        articulated_set(&M, &b);
        const force U = articulated_mul(&M, s);
        articulated_deflate(&M, 1 / force_dot(U, s), U);
        articulated_set(&up, &o);
        const force alone = articulated_mul(&up, a), far = articulated_mul(&M, motion_shift(a, r));
        articulated_add_shifted(&up, &M, r);
        expect_force(articulated_mul(&up, a), force_add(alone, force_shift(far, r)));
        assert_true(fabs(force_dot(force_shift(far, r), a) - force_dot(far, motion_shift(a, r))) < 1e-13);
    }
}

TESTS(rigid_bodies, articulated_of_a_rigid_body, force_free_direction, carried)
