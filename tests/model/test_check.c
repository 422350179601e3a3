/* The linter's rules about numbers, joints, mimics and curves. */
#include <math.h>

#include "findings.h"
#include "support/run_tests.h"

enum { BASE, UPPER, LOWER, HAND }; /* links */
enum { SHOULDER, ELBOW, SLIDE };   /* joints */

static zvJoint *joint(zvBuilder *b, int i) { return zv_builder_joint(b, i); }
static zvDof *dof(zvBuilder *b, int i) { return &zv_builder_joint(b, i)->dof[0]; }

static void plain_robot(void **state) {
    (void)state;
    zvBuilder *b = fd_robot();
    assert_int_equal(fd_count_from(b, ZV_SEVERITY_NOTE), 0);
    zv_builder_set_free_base(b, true);
    assert_int_equal(fd_count_from(b, ZV_SEVERITY_NOTE), 0);
    zv_builder_destroy(b);
}

static void mass_nan(zvBuilder *b) { zv_builder_link(b, UPPER)->inertia.mass = NAN; }
static void com_inf(zvBuilder *b) { zv_builder_link(b, UPPER)->inertia.com[1] = INFINITY; }
static void moment_nan(zvBuilder *b) { zv_builder_link(b, UPPER)->inertia.moment[4] = NAN; }
static void origin_nan(zvBuilder *b) { joint(b, ELBOW)->origin.p[0] = NAN; }
static void axis_inf(zvBuilder *b) { joint(b, ELBOW)->axis[0] = -INFINITY; }
static void limit_inf(zvBuilder *b) { dof(b, ELBOW)->upper = INFINITY; }
static void damping_nan(zvBuilder *b) { dof(b, ELBOW)->damping = NAN; }
static void gravity_nan(zvBuilder *b) { zv_builder_set_gravity(b, (double[3]){0, 0, NAN}); }
static void frame_nan(zvBuilder *b) { zv_builder_frame(b, 0)->pose.p[2] = NAN; }
static void shape_inf(zvBuilder *b) { zv_builder_shape(b, 2)->size[1] = INFINITY; }
static void scale_inf(zvBuilder *b) {
    shape_inf(b);
    zv_builder_shape(b, 2)->kind = ZV_SHAPE_MESH;
}
static void pitch_nan(zvBuilder *b) {
    joint(b, ELBOW)->type = ZV_JOINT_HELICAL;
    joint(b, ELBOW)->pitch = NAN;
}

static void numbers_not_finite(void **state) {
    (void)state;
#define NOT_FINITE(spoil, element, phrase) \
    { #spoil, spoil, "not-finite", ZV_SEVERITY_ERROR, true, ZV_NUMBER, element, phrase }
    static const fdCase cases[] = {
        NOT_FINITE(mass_nan, "link \"upper\"", "finite numbers in its mass, found nan"),
        NOT_FINITE(com_inf, "link \"upper\"", "finite numbers in its centre of mass, found inf"),
        NOT_FINITE(moment_nan, "link \"upper\"", "finite numbers in its inertia, found nan"),
        NOT_FINITE(origin_nan, "joint \"elbow\"", "finite numbers in its origin, found nan"),
        NOT_FINITE(axis_inf, "joint \"elbow\"", "finite numbers in its axis, found -inf"),
        NOT_FINITE(limit_inf, "joint \"elbow\"", "finite numbers in its limits, found inf"),
        NOT_FINITE(damping_nan, "joint \"elbow\"", "damping"),
        NOT_FINITE(pitch_nan, "joint \"elbow\"", "finite numbers in its pitch, found nan"),
        NOT_FINITE(gravity_nan, "robot \"robot\"", "finite numbers in its gravity, found nan"),
        NOT_FINITE(frame_nan, "frame \"tool\"", "finite numbers in its pose, found nan"),
        NOT_FINITE(shape_inf, "shape of link \"upper\"", "finite numbers in its size, found inf"),
        NOT_FINITE(scale_inf, "shape of link \"upper\"", "finite numbers in its scale, found inf"),
    };
    fd_check(cases, sizeof cases / sizeof *cases);
}

static void skewed(zvBuilder *b) { joint(b, ELBOW)->origin.R[1] = 1e-3; }
static void mirrored(zvBuilder *b) { zv_builder_frame(b, 0)->pose.R[0] = -1; }
static void far_away(zvBuilder *b) { joint(b, ELBOW)->origin.p[0] = 2e9; }
static void heavy(zvBuilder *b) { zv_builder_link(b, UPPER)->inertia.mass = 1e15; }
static void flat_shape(zvBuilder *b) { zv_builder_shape(b, 2)->size[0] = 0; }

static void numbers_that_cannot_be(void **state) {
    (void)state;
    static const fdCase cases[] = {
        {"skewed", skewed, "not-a-rotation", ZV_SEVERITY_ERROR, true, ZV_NUMBER, "joint \"elbow\"",
         "expected an orthonormal rotation of its"},
        {"mirrored", mirrored, "not-a-rotation", ZV_SEVERITY_ERROR, true, ZV_NUMBER, "frame \"tool\"", "reflection"},
        {"far", far_away, "absurd-number", ZV_SEVERITY_ERROR, false, ZV_NUMBER, "joint \"elbow\"", "2e+09 m"},
        {"heavy", heavy, "absurd-number", ZV_SEVERITY_ERROR, false, ZV_NUMBER, "link \"upper\"", "1e+15 kg"},
        {"flat", flat_shape, "shape-size", ZV_SEVERITY_WARNING, false, ZV_NUMBER, "shape of link \"upper\"",
         "positive sizes"},
    };
    fd_check(cases, sizeof cases / sizeof *cases);
}

static void no_axis(zvBuilder *b) { joint(b, ELBOW)->axis[2] = 0; }
static void long_axis(zvBuilder *b) { joint(b, ELBOW)->axis[2] = 2; }
static void universal(zvBuilder *b, double x, double z) {
    joint(b, ELBOW)->type = ZV_JOINT_UNIVERSAL;
    joint(b, ELBOW)->axis2[0] = x;
    joint(b, ELBOW)->axis2[1] = 0;
    joint(b, ELBOW)->axis2[2] = z;
}
static void no_second_axis(zvBuilder *b) { universal(b, 0, 0); }
static void same_axes(zvBuilder *b) { universal(b, 0, -3); }

static void axes(void **state) {
    (void)state;
    static const fdCase cases[] = {
        {"no axis", no_axis, "zero-axis", ZV_SEVERITY_ERROR, true, ZV_PHYSICS, "joint \"elbow\"",
         "expected a direction for its axis, found the zero vector"},
        {"no second", no_second_axis, "zero-axis", ZV_SEVERITY_ERROR, true, ZV_PHYSICS, "joint \"elbow\"",
         "second axis"},
        {"same", same_axes, "parallel-axes", ZV_SEVERITY_ERROR, true, ZV_PHYSICS, "joint \"elbow\"",
         "found parallel ones"},
        {"long", long_axis, "axis-length", ZV_SEVERITY_NOTE, false, ZV_PHYSICS, "joint \"elbow\"",
         "expected length 1 of its axis, found 2"},
    };
    fd_check(cases, sizeof cases / sizeof *cases);
    static const zvJointType with_axis[] = {ZV_JOINT_REVOLUTE, ZV_JOINT_CONTINUOUS, ZV_JOINT_PRISMATIC,
                                            ZV_JOINT_HELICAL,  ZV_JOINT_PLANAR,     ZV_JOINT_CYLINDRICAL,
                                            ZV_JOINT_UNIVERSAL};
    for (zvJointType type = 0; type < ZV_JOINT_TYPES; type++) {
        zvBuilder *b = fd_robot();
        int expected = 0;
        for (size_t i = 0; i < sizeof with_axis / sizeof *with_axis; i++) expected += with_axis[i] == type;
        universal(b, 1, 0);
        joint(b, ELBOW)->type = type;
        joint(b, ELBOW)->axis[2] = 0;
        if (fd_count_rule(b, "zero-axis") != expected) fail_msg("zero axis of a %s joint", zv_joint_type_word(type));
        zv_builder_destroy(b);
    }
}

static void limits(zvBuilder *b, double lower, double upper) {
    dof(b, ELBOW)->lower = lower;
    dof(b, ELBOW)->upper = upper;
}
static void reversed(zvBuilder *b) { limits(b, 1, -1); }
static void closed(zvBuilder *b) { limits(b, 0, 0); }
static void above_zero(zvBuilder *b) { limits(b, 0.5, 1); }
static void below_zero(zvBuilder *b) { limits(b, -3, -0.07); }
static void in_degrees(zvBuilder *b) { limits(b, -170, 170); }
static void in_odd_degrees(zvBuilder *b) { limits(b, -166.003, 97.5); }
static void speed_in_degrees(zvBuilder *b) { dof(b, ELBOW)->velocity = 180; }
static void second_reversed(zvBuilder *b) {
    joint(b, ELBOW)->type = ZV_JOINT_CYLINDRICAL;
    joint(b, ELBOW)->dof[1] = (zvDof){.has_limits = true, .lower = 2, .upper = -2};
}
static void on_ball(zvBuilder *b) { joint(b, ELBOW)->type = ZV_JOINT_SPHERICAL; }
static void on_free(zvBuilder *b) { joint(b, ELBOW)->type = ZV_JOINT_FREE; }

static void joint_limits(void **state) {
    (void)state;
#define AT_ELBOW(spoil, rule, severity, status, phrase) \
    { #spoil, spoil, rule, severity, false, status, "joint \"elbow\"", phrase }
    static const fdCase cases[] = {
        AT_ELBOW(reversed, "limits-reversed", ZV_SEVERITY_ERROR, ZV_NUMBER, "exchange"),
        AT_ELBOW(second_reversed, "limits-reversed", ZV_SEVERITY_ERROR, ZV_NUMBER,
                 "of freedom 2 below the upper one, found 2 above"),
        AT_ELBOW(closed, "limits-closed", ZV_SEVERITY_WARNING, ZV_NUMBER, "cannot move"),
        AT_ELBOW(above_zero, "limits-exclude-zero", ZV_SEVERITY_NOTE, ZV_NUMBER, "[0.5, 1]"),
        AT_ELBOW(below_zero, "limits-exclude-zero", ZV_SEVERITY_NOTE, ZV_NUMBER, "[-3, -0.07]"),
        AT_ELBOW(in_degrees, "degrees", ZV_SEVERITY_WARNING, ZV_NUMBER, "170 degrees are 2.96706 rad"),
        AT_ELBOW(in_odd_degrees, "degrees", ZV_SEVERITY_WARNING, ZV_NUMBER, "97.5 degrees are 1.7017 rad"),
        AT_ELBOW(speed_in_degrees, "degrees", ZV_SEVERITY_WARNING, ZV_NUMBER, "180 degrees are 3.14159 rad"),
        AT_ELBOW(on_ball, "limits-on-quaternion", ZV_SEVERITY_ERROR, ZV_SCHEMA,
                 "spherical joint, which moves by a quaternion"),
        AT_ELBOW(on_free, "limits-on-quaternion", ZV_SEVERITY_ERROR, ZV_SCHEMA,
                 "free joint, which moves by a quaternion"),
    };
    fd_check(cases, sizeof cases / sizeof *cases);
}

static void limits_in_order(void **state) {
    (void)state;
    static const double good[][2] = {{0, 2}, {-2, 0}, {-6.28, 6.28}, {-18, 18}, {-157.0796, 157.0796}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        zvBuilder *b = fd_robot();
        limits(b, good[i][0], good[i][1]);
        if (fd_count_from(b, ZV_SEVERITY_NOTE) != 0) fail_msg("limits [%g, %g] are blamed", good[i][0], good[i][1]);
        zv_builder_destroy(b);
    }
    static const double speeds[] = {6, 89, 100, 1000, 150.5};
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
        zvBuilder *b = fd_robot();
        dof(b, ELBOW)->velocity = speeds[i];
        dof(b, SLIDE)->velocity = 180; /* m/s */
        if (fd_count_rule(b, "degrees") != 0) fail_msg("a speed of %g is blamed", speeds[i]);
        zv_builder_destroy(b);
    }
    zvBuilder *b = fd_robot();
    dof(b, ELBOW)->has_limits = false;
    limits(b, 90, -90);
    assert_int_equal(fd_count_from(b, ZV_SEVERITY_NOTE), 0);
    dof(b, SLIDE)->upper = 20; /* metres */
    assert_int_equal(fd_count_rule(b, "degrees"), 0);
    zv_builder_destroy(b);
}

static void negative_rotor(zvBuilder *b) { dof(b, ELBOW)->armature = -0.1; }
static void negative_damping(zvBuilder *b) { dof(b, ELBOW)->damping = -2; }
static void negative_friction(zvBuilder *b) { dof(b, ELBOW)->friction = -2; }
static void negative_spring(zvBuilder *b) { dof(b, ELBOW)->stiffness = -2; }

static void coefficients(void **state) {
    (void)state;
    static const fdCase cases[] = {
        {"rotor", negative_rotor, "negative-armature", ZV_SEVERITY_ERROR, true, ZV_PHYSICS, "joint \"elbow\"", "-0.1"},
        AT_ELBOW(negative_damping, "negative-coefficient", ZV_SEVERITY_ERROR, ZV_PHYSICS,
                 "expected at least 0 for its damping, found -2"),
        AT_ELBOW(negative_friction, "negative-coefficient", ZV_SEVERITY_ERROR, ZV_PHYSICS,
                 "expected at least 0 for its friction, found -2"),
        AT_ELBOW(negative_spring, "negative-coefficient", ZV_SEVERITY_ERROR, ZV_PHYSICS,
                 "expected at least 0 for its spring stiffness, found -2"),
    };
    fd_check(cases, sizeof cases / sizeof *cases);
}

static void follow(zvBuilder *b, int follower, const char *master) {
    joint(b, follower)->mimic = zv_builder_keep(b, master);
    joint(b, follower)->ratio = 1;
}
static void unknown_master(zvBuilder *b) { follow(b, ELBOW, "shuolder"); }
static void almost_itself(zvBuilder *b) { follow(b, ELBOW, "elbo"); }
static void itself(zvBuilder *b) { follow(b, ELBOW, "elbow"); }
static void ring(zvBuilder *b) {
    follow(b, SHOULDER, "elbow");
    follow(b, ELBOW, "slide");
    follow(b, SLIDE, "elbow");
}
static void ball_follows(zvBuilder *b) {
    joint(b, ELBOW)->type = ZV_JOINT_SPHERICAL;
    follow(b, ELBOW, "shoulder");
}
static void fixed_leads(zvBuilder *b) {
    joint(b, SHOULDER)->type = ZV_JOINT_FIXED;
    follow(b, ELBOW, "shoulder");
}
static void ratio_zero(zvBuilder *b) {
    follow(b, ELBOW, "shoulder");
    joint(b, ELBOW)->ratio = 0;
}

static void mimics(void **state) {
    (void)state;
#define FATAL_AT_ELBOW(spoil, rule, status, phrase) \
    { #spoil, spoil, rule, ZV_SEVERITY_ERROR, true, status, "joint \"elbow\"", phrase }
    static const fdCase cases[] = {
        FATAL_AT_ELBOW(unknown_master, "unknown-mimic", ZV_NAME, "did you mean \"shoulder\"?"),
        FATAL_AT_ELBOW(itself, "mimic-cycle", ZV_TOPOLOGY, "found the joint itself"),
        FATAL_AT_ELBOW(ring, "mimic-cycle", ZV_TOPOLOGY, "ring of 2 joints"),
        FATAL_AT_ELBOW(ball_follows, "mimic-type", ZV_SCHEMA, "spherical joint \"elbow\" with 3"),
        {"fixed_leads", fixed_leads, "mimic-of-fixed", ZV_SEVERITY_WARNING, false, ZV_SCHEMA, "joint \"elbow\"",
         "it is held at"},
        AT_ELBOW(ratio_zero, "mimic-ratio", ZV_SEVERITY_WARNING, ZV_NUMBER, "never moves"),
    };
    fd_check(cases, sizeof cases / sizeof *cases);
    zvBuilder *b = fd_robot();
    almost_itself(b);
    zvError error = {0};
    zvModel *model = NULL;
    assert_int_equal(zv_builder_freeze(b, &model, &error), ZV_NAME);
    assert_non_null(strstr(error.text, "which does not exist; correct the name, remove the mimic, or"));
    zv_builder_destroy(b);
    b = fd_robot();
    follow(b, ELBOW, "shoulder");
    follow(b, SLIDE, "elbow");
    assert_int_equal(fd_count_from(b, ZV_SEVERITY_NOTE), 0);
    zv_builder_destroy(b);
}

static zvCurve *curve(zvBuilder *b, zvCurveKind kind) {
    joint(b, ELBOW)->type = ZV_JOINT_CURVE;
    zvCurve *c = &joint(b, ELBOW)->curve;
    *c = (zvCurve){.kind = kind, .normal = {0, 0, 1}, .start = {1, 0, 0}, .radius = 0.5};
    return c;
}
static zvCurve *spline(zvBuilder *b, int count, bool is_closed) {
    static const double points[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 0};
    zvCurve *c = curve(b, ZV_CURVE_SPLINE);
    c->points = points;
    c->count = count;
    c->closed = is_closed;
    return c;
}
static void line_nowhere(zvBuilder *b) { curve(b, ZV_CURVE_LINE); }
static void no_radius(zvBuilder *b) { curve(b, ZV_CURVE_CIRCLE)->radius = -1; }
static void no_normal(zvBuilder *b) { curve(b, ZV_CURVE_CIRCLE)->normal[2] = 0; }
static void start_upwards(zvBuilder *b) {
    zvCurve *c = curve(b, ZV_CURVE_CIRCLE);
    c->start[0] = 0;
    c->start[2] = 2;
}
static void one_point(zvBuilder *b) { spline(b, 1, false); }
static void two_closed(zvBuilder *b) { spline(b, 2, true); }
static void same_points(zvBuilder *b) { spline(b, 4, false); }
static void repeats_first(zvBuilder *b) {
    zvCurve *c = spline(b, 3, true);
    c->points += 6; /* (1,1,0), (1,1,0), (0,0,0) */
}
static void turns_back(zvBuilder *b) {
    static const double there_and_back[] = {0, 0, 0, 1, 0, 0, 0, 0, 0};
    spline(b, 3, false)->points = there_and_back;
}
static void curve_nan(zvBuilder *b) { curve(b, ZV_CURVE_CIRCLE)->radius = NAN; }

static void curves(void **state) {
    (void)state;
    static const fdCase cases[] = {
        FATAL_AT_ELBOW(line_nowhere, "bad-curve", ZV_PHYSICS, "direction of its line"),
        FATAL_AT_ELBOW(no_radius, "bad-curve", ZV_PHYSICS, "expected a positive radius of its circle, found"),
        FATAL_AT_ELBOW(no_normal, "bad-curve", ZV_PHYSICS, "zero vector"),
        FATAL_AT_ELBOW(start_upwards, "bad-curve", ZV_PHYSICS, "found one that is parallel to it"),
        FATAL_AT_ELBOW(one_point, "bad-curve", ZV_PHYSICS, "two or more points of its spline, found 1"),
        FATAL_AT_ELBOW(two_closed, "bad-curve", ZV_PHYSICS, "three or more points of its spline, found 2"),
        FATAL_AT_ELBOW(same_points, "bad-curve", ZV_PHYSICS, "coincide"),
        FATAL_AT_ELBOW(repeats_first, "bad-curve", ZV_PHYSICS, "coincide"),
        FATAL_AT_ELBOW(turns_back, "bad-curve", ZV_PHYSICS, "one that stops and turns back between points"),
        FATAL_AT_ELBOW(curve_nan, "not-finite", ZV_NUMBER, "finite numbers in its circle radius, found nan"),
    };
    fd_check(cases, sizeof cases / sizeof *cases);
    zvBuilder *b = fd_robot();
    spline(b, 3, true);
    assert_int_equal(fd_count_from(b, ZV_SEVERITY_NOTE), 0);
    spline(b, 2, false);
    assert_int_equal(fd_count_from(b, ZV_SEVERITY_NOTE), 0);
    curve(b, ZV_CURVE_CIRCLE);
    assert_int_equal(fd_count_from(b, ZV_SEVERITY_NOTE), 0);
    zv_builder_destroy(b);
}

static bool stop(void *context, const zvFinding *finding) {
    (void)finding;
    ++*(int *)context;
    return false;
}

static void sink_may_stop(void **state) {
    (void)state;
    zvBuilder *b = fd_robot();
    int calls = 0;
    reversed(b);
    negative_rotor(b);
    no_axis(b);
    assert_int_equal(zv_check(b, stop, &calls, NULL), ZV_OK);
    assert_int_equal(calls, 1);
    assert_string_equal(zv_severity_word(ZV_SEVERITY_NOTE), "note");
    assert_string_equal(zv_severity_word(ZV_SEVERITY_WARNING), "warning");
    assert_string_equal(zv_severity_word(ZV_SEVERITY_ERROR), "error");
    zv_builder_destroy(b);
}

/* A robot that has joints and nothing else is told, by rules that stop at it and by those that do not. */
static void joints_alone(void **state) {
    (void)state;
    zvBuilder *b = zv_builder_create(NULL);
    const zvJoint elbow = zv_joint_default("elbow", ZV_JOINT_REVOLUTE, "upper", "lower");
    assert_int_equal(zv_builder_add_joint(b, &elbow, NULL), ZV_OK);
    assert_int_equal(fd_count_from(b, ZV_SEVERITY_NOTE), 3);
    zv_builder_destroy(b);
}

TESTS(plain_robot, joints_alone, numbers_not_finite, numbers_that_cannot_be, axes, joint_limits, limits_in_order,
      coefficients, mimics, curves, sink_may_stop)
