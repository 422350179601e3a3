/* Laws of gears: the cubic and those through points. Energy, force, tangent and second derivative against each other by
 * differences and quadrature, the points themselves, deflections of forces, and what models refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "model/gear.h"
#include "support/geared_tree.h"
#include "support/near.h"
#include "support/run_tests.h"

static zvFlexibleJoint random_gear(rtRandom *random, int n) {
    zvFlexibleJoint gear = {.stiffness = rt_uniform(random, 50, 900), .inertia = 1e-3, .ratio = 50};
    if (n % 4 == 0) gear.cubic = rt_uniform(random, 0, 3000);
    if (n % 4) geared_law(random, &gear);
    return gear;
}

/* Of both signs, in all pieces and beyond the last point. */
static void laws_hang_together(void **state) {
    (void)state;
    rtRandom random = {20};
    for (int n = 0; n < 400; n++) {
        const zvFlexibleJoint gear = random_gear(&random, n);
        const double d = rt_uniform(&random, -0.9, 0.9), h = 1e-5, force = zi_gear_force(&gear, d);
        const double size = fabs(force) + gear.stiffness;
        const double slope = (zi_gear_force(&gear, d + h) - zi_gear_force(&gear, d - h)) / (2 * h);
        near_about("gear %d", n);
        assert_near((zi_gear_energy(&gear, d + h) - zi_gear_energy(&gear, d - h)) / (2 * h), force, 1e-6 * size);
        assert_near(slope, zi_gear_tangent(&gear, d), 1e-2 * zi_gear_tangent(&gear, d));
        assert_near(zi_gear_force(&gear, -d), -force, 0);
        assert_near(zi_gear_energy(&gear, -d), zi_gear_energy(&gear, d), 0);
        assert_near(zi_gear_deflection(&gear, force), d, 1e-13);
        assert_true(zi_gear_tangent(&gear, d) > 0);
        double sum = 0; /* Gauss's rule of two points, exact for cubics, in 1000 pieces */
        for (int i = 0; i < 1000; i++)
            for (int k = -1; k <= 1; k += 2)
                sum += 0.5 * d / 1000 * zi_gear_force(&gear, d / 1000 * (i + 0.5 + k * 0.5 / sqrt(3)));
        assert_near(sum, zi_gear_energy(&gear, d), 1e-7 * size);
    }
}

/* Through the points, with one slope on both sides, the given one at zero and that of the last piece beyond. */
static void points_are_met(void **state) {
    (void)state;
    rtRandom random = {21};
    for (int n = 0; n < 200; n++) {
        zvFlexibleJoint gear = {.stiffness = rt_uniform(&random, 50, 900)};
        geared_law(&random, &gear);
        near_about("law %d", n);
        assert_true(zi_gear_law_fault(&gear) == -1);
        assert_near_relative(zi_gear_tangent(&gear, 0), gear.stiffness, 1e-14);
        for (int i = 0; i < gear.points; i++) {
            const double d = gear.law[i].deflection, e = 1e-9 * d;
            assert_near_relative(zi_gear_force(&gear, d), gear.law[i].torque, 1e-13);
            assert_near_relative(zi_gear_tangent(&gear, d + e), zi_gear_tangent(&gear, d - e), 1e-6);
        }
        const zvGearPoint last = gear.law[gear.points - 1],
                          before = gear.points > 1 ? gear.law[gear.points - 2] : (zvGearPoint){0, 0};
        assert_near_relative(zi_gear_force(&gear, last.deflection + 1),
                             last.torque + (last.torque - before.torque) / (last.deflection - before.deflection),
                             1e-13);
        assert_near(zi_gear_second(&gear, last.deflection + 1), 0, 0);
    }
}

/* d2F/dd2 inside pieces by differences of the tangent. */
static void second_derivatives(void **state) {
    (void)state;
    const zvFlexibleJoint gear = {.stiffness = 100, .points = 2, .law = {{0.1, 20}, {0.2, 60}}};
    for (double d = -0.25; d < 0.26; d += 0.02) {
        const double h = 1e-6, slope = (zi_gear_tangent(&gear, d + h) - zi_gear_tangent(&gear, d - h)) / (2 * h);
        assert_near(zi_gear_second(&gear, d), slope, 1e-4 * (1 + fabs(slope)));
    }
    /* the middle of a Hermite cubic, (F0 + F1)/2 + h/8 (m0 - m1), m1 the harmonic mean of secants 200 and 400 */
    assert_near(zi_gear_force(&gear, 0.05), 10 + 0.1 / 8 * (100 - 800.0 / 3), 1e-12);
}

static void refused(zvFlexibleJoint gear, const char *expected) {
    zvBuilder *b = zv_builder_create(NULL);
    const zvLink ground = zv_link_default("ground");
    zvLink arm = zv_link_default("arm");
    arm.inertia = (zvInertia){1, {0, 0, 0}, {1, 0, 0, 1, 0, 1}};
    zvJoint joint = zv_joint_default("turn", ZV_JOINT_REVOLUTE, "ground", "arm");
    zvError error = {0};
    zvModel *model = NULL;
    joint.flexible = &gear;
    assert_int_equal(zv_builder_add_link(b, &ground, &error), ZV_OK);
    assert_int_equal(zv_builder_add_link(b, &arm, &error), ZV_OK);
    assert_int_equal(zv_builder_add_joint(b, &joint, &error), ZV_OK);
    assert_int_equal(zv_builder_freeze(b, &model, &error), ZV_PHYSICS);
    if (!strstr(error.text, expected)) fail_msg("%s", error.text);
    zv_builder_destroy(b);
}

static void bad_laws(void **state) {
    (void)state;
    const zvFlexibleJoint gear = {.stiffness = 100, .inertia = 1e-3, .ratio = 10, .points = 2};
    zvFlexibleJoint falls = gear, back = gear, steep = gear;
    falls.law[0] = (zvGearPoint){0.1, 20}, falls.law[1] = (zvGearPoint){0.2, 15};
    back.law[0] = (zvGearPoint){0.1, 20}, back.law[1] = (zvGearPoint){0.1, 25};
    steep.law[0] = (zvGearPoint){0.1, 3}, steep.law[1] = (zvGearPoint){0.2, 25};
    zvFlexibleJoint many = gear, none = gear;
    many.points = ZV_GEAR_POINTS + 1, none.points = -1;
    refused(many, "expected 0 to 8 for the number of points of the law of its flexible joint, found 9");
    refused(none, "found -1");
    refused(falls, "found [0.2, 15] as point 2");
    refused(back, "found [0.1, 25] as point 2");
    refused(steep, "expected a stiffness of at most 90 for a law through [0.1, 3]");
}

TESTS(laws_hang_together, points_are_met, second_derivatives, bad_laws)
