/* The linter's rules about inertia, proportions and massless parts. */
#include <math.h>
#include <time.h>

#include "findings.h"
#include "support/run_tests.h"

enum { BASE, UPPER, LOWER, HAND };
enum { SHOULDER, ELBOW, SLIDE };

static zvInertia *inertia(zvBuilder *b, int link) { return &zv_builder_link(b, link)->inertia; }
static zvInertia *lower(zvBuilder *b) { return inertia(b, LOWER); }

static void moments(zvInertia *i, double xx, double yy, double zz) {
    memset(i->moment, 0, sizeof i->moment);
    i->moment[0] = xx;
    i->moment[3] = yy;
    i->moment[5] = zz;
}

#define AT_LOWER(spoil, rule, severity, fatal, phrase) \
    { #spoil, spoil, rule, severity, fatal, ZV_PHYSICS, "link \"lower\"", phrase }

static void mass_negative(zvBuilder *b) { lower(b)->mass = -2; }
static void moment_negative(zvBuilder *b) { moments(lower(b), 0.04, -0.04, 0.04); }
/* eigenvalues 0.043 -+ 0.05 and 0.002 */
static void product_too_large(zvBuilder *b) { lower(b)->moment[1] = 0.05; }
static void triangle_error_scale(zvBuilder *b) { moments(lower(b), 0.02, 0.02, 0.05); }
static void triangle_slight(zvBuilder *b) { moments(lower(b), 0.02, 0.02, 0.0401); }
static void no_moments(zvBuilder *b) { moments(lower(b), 0, 0, 0); }
static void thin_rod(zvBuilder *b) { moments(lower(b), 0.04, 0.04, 0); }
static void no_mass(zvBuilder *b) { lower(b)->mass = 0; }

static void inertias(void **state) {
    (void)state;
    static const fdCase cases[] = {
        AT_LOWER(mass_negative, "negative-mass", ZV_SEVERITY_ERROR, true, "-2 kg"),
        AT_LOWER(moment_negative, "negative-inertia", ZV_SEVERITY_ERROR, false, "found -0.04"),
        AT_LOWER(product_too_large, "negative-inertia", ZV_SEVERITY_ERROR, false, "found -0.007, 0.002, 0.093"),
        AT_LOWER(triangle_error_scale, "triangle-inequality", ZV_SEVERITY_ERROR, false,
                 "largest is 0.01 above that sum"),
        AT_LOWER(triangle_slight, "triangle-inequality", ZV_SEVERITY_WARNING, false,
                 "largest is 0.0001 above that sum"),
        AT_LOWER(no_moments, "point-mass", ZV_SEVERITY_NOTE, false, "2 kg"),
        AT_LOWER(thin_rod, "thin-body", ZV_SEVERITY_NOTE, false, "thin rod"),
        AT_LOWER(no_mass, "inertia-without-mass", ZV_SEVERITY_ERROR, false,
                 "expected a mass beside its moments of inertia, found none"),
    };
    fd_check(cases, sizeof cases / sizeof *cases);
}

/* What is fixed to the ground never moves, so its numbers cannot spoil an answer, unless the base is free. */
static void ground_feels_nothing(void **state) {
    (void)state;
    static const double wrong[][3] = {{0.04, -0.04, 0.04}, {0.02, 0.02, 0.05}};
    static const char *const rules[] = {"negative-inertia", "triangle-inequality"};
    for (size_t i = 0; i < 2; i++) {
        zvBuilder *b = fd_robot();
        zv_builder_joint(b, SHOULDER)->type = ZV_JOINT_FIXED;
        for (int link = BASE; link <= UPPER; link++) {
            moments(inertia(b, link), wrong[i][0], wrong[i][1], wrong[i][2]);
            inertia(b, link)->mass = 0;
        }
        assert_int_equal(fd_count_from(b, ZV_SEVERITY_WARNING), 0);
        assert_int_equal(fd_count_rule(b, rules[i]), 2);
        assert_int_equal(fd_count_rule(b, "inertia-without-mass"), 2);
        zv_builder_set_free_base(b, true);
        assert_int_equal(fd_count_from(b, ZV_SEVERITY_ERROR), 4);
        zv_builder_set_free_base(b, false);
        zv_builder_joint(b, SHOULDER)->type = ZV_JOINT_PRISMATIC;
        assert_int_equal(fd_count_from(b, ZV_SEVERITY_ERROR), 2);
        zv_builder_destroy(b);
    }
}

/* Of the first link only the moment about its axis is felt: published data that give no more are no error. */
static void first_link_only_turns(void **state) {
    (void)state;
    zvBuilder *b = fd_robot();
    inertia(b, UPPER)->mass = 0;
    moments(inertia(b, UPPER), 0, 0, 0.35);
    assert_int_equal(fd_count_from(b, ZV_SEVERITY_WARNING), 0);
    assert_int_equal(fd_count_rule(b, "triangle-inequality"), 1);
    assert_int_equal(fd_count_rule(b, "inertia-without-mass"), 1);
    zv_builder_set_free_base(b, true);
    assert_int_equal(fd_count_from(b, ZV_SEVERITY_ERROR), 2);
    zv_builder_destroy(b);
}

/* Rounded thin plates and rods, turned, are real bodies. */
static void turned_bodies_are_accepted(void **state) {
    (void)state;
    for (int k = 0; k < 20; k++) {
        zvBuilder *b = fd_robot();
        double s = sin(0.3 * k), c = cos(0.3 * k), xx = 0.05, yy = 0.03;
        double *m = lower(b)->moment;
        moments(lower(b), c * c * xx + s * s * yy, s * s * xx + c * c * yy, xx + yy);
        m[1] = s * c * (xx - yy);
        if (fd_count_from(b, ZV_SEVERITY_NOTE) != 0) fail_msg("a plate turned by %g is blamed", 0.3 * k);
        zv_builder_destroy(b);
    }
}

static void scale_moments(zvInertia *i, double factor) {
    for (int k = 0; k < 6; k++) i->moment[k] *= factor;
}
static void kg_mm2(zvBuilder *b) { scale_moments(lower(b), 1e6); }
static void kg_cm2(zvBuilder *b) { scale_moments(lower(b), 1e4); }
static void g_mm2(zvBuilder *b) { scale_moments(lower(b), 1e9); }
static void tonnes(zvBuilder *b) { scale_moments(lower(b), 1e3); }
static void odd_factor(zvBuilder *b) { scale_moments(lower(b), 150); }
static void twice_converted(zvBuilder *b) { scale_moments(lower(b), 1e-6); }
static void com_in_mm(zvBuilder *b) { lower(b)->com[2] = 250; }
static void com_away(zvBuilder *b) { lower(b)->com[2] = 5; }
static void mass_in_grams(zvBuilder *b) {
    lower(b)->mass *= 1000;
    scale_moments(lower(b), 1000);
}
static void mass_in_tonnes(zvBuilder *b) {
    for (int i = 0; i < zv_builder_nlink(b); i++) {
        const double factor = i == LOWER ? 1e-3 : 0.15; /* too much of the robot to be a placeholder */
        inertia(b, i)->mass *= factor;
        scale_moments(inertia(b, i), factor);
    }
}

/* A link of 5 kg in grams; of its size only the joints tell. */
static void heavier_than_metal(zvBuilder *b) {
    for (int i = 0; i < zv_builder_nshape(b); i++) zv_builder_shape(b, i)->kind = ZV_SHAPE_MESH;
    lower(b)->mass = 5000;
    scale_moments(lower(b), 2500);
}
static void heavy_as_steel(zvBuilder *b) {
    heavier_than_metal(b);
    lower(b)->mass = 1000;
    scale_moments(lower(b), 0.2);
}

static void bulk_of_metal_is_lawful(void **state) {
    (void)state;
    zvBuilder *b = fd_robot();
    heavy_as_steel(b);
    assert_int_equal(fd_count_from(b, ZV_SEVERITY_NOTE), 0);
    zv_builder_destroy(b);
}

static void slips_of_units(void **state) {
    (void)state;
    static const fdCase cases[] = {
        AT_LOWER(kg_mm2, "inertia-too-large", ZV_SEVERITY_WARNING, false, "kg mm^2, multiply them by 1e-6"),
        AT_LOWER(kg_cm2, "inertia-too-large", ZV_SEVERITY_WARNING, false, "kg cm^2, multiply them by 1e-4"),
        AT_LOWER(g_mm2, "inertia-too-large", ZV_SEVERITY_WARNING, false, "g mm^2, multiply them by 1e-9"),
        AT_LOWER(tonnes, "inertia-too-large", ZV_SEVERITY_WARNING, false, "multiply them by 1e-3"),
        AT_LOWER(odd_factor, "inertia-too-large", ZV_SEVERITY_WARNING, false, "armature of the joint"),
        AT_LOWER(twice_converted, "inertia-too-small", ZV_SEVERITY_WARNING, false, "twice"),
        AT_LOWER(com_in_mm, "com-outside", ZV_SEVERITY_WARNING, false, "millimetres"),
        AT_LOWER(com_away, "com-outside", ZV_SEVERITY_WARNING, false, "its frame"),
        AT_LOWER(mass_in_grams, "density", ZV_SEVERITY_WARNING, false, "grams"),
        AT_LOWER(heavier_than_metal, "mass-too-large", ZV_SEVERITY_WARNING, false, "grams"),
        AT_LOWER(mass_in_tonnes, "density", ZV_SEVERITY_WARNING, false, "tonnes"),
    };
    fd_check(cases, sizeof cases / sizeof *cases);
}

static void long_offset(zvBuilder *b) { zv_builder_joint(b, ELBOW)->origin.p[2] = 500; }
static void unlike_offset(zvBuilder *b) {
    for (int j = 0; j < 3; j++) zv_builder_joint(b, j)->origin.p[2] = 0.03;
    zv_builder_joint(b, ELBOW)->origin.p[2] = 30;
}
static void gravity_in_mm(zvBuilder *b) { zv_builder_set_gravity(b, (double[3]){0, 0, -9810}); }

static void slips_of_lengths(void **state) {
    (void)state;
    static const fdCase cases[] = {
        {"long", long_offset, "offset-unit", ZV_SEVERITY_WARNING, false, ZV_NUMBER, "joint \"elbow\"", "millimetres"},
        {"unlike", unlike_offset, "offset-unit", ZV_SEVERITY_WARNING, false, ZV_NUMBER, "joint \"elbow\"",
         "usual 0.03 m"},
        {"gravity", gravity_in_mm, "gravity-unit", ZV_SEVERITY_WARNING, false, ZV_NUMBER, "robot \"robot\"", "9.81"},
    };
    fd_check(cases, sizeof cases / sizeof *cases);
}

/* A robot may stand far from the origin of its world, and a link of which nothing is shown may be of any size. */
static void nothing_to_compare_with(void **state) {
    (void)state;
    zvBuilder *b = fd_robot();
    zv_builder_joint(b, SHOULDER)->type = ZV_JOINT_FIXED;
    zv_builder_joint(b, SHOULDER)->origin.p[0] = 40;
    assert_int_equal(fd_count_rule(b, "offset-unit"), 0);
    zv_builder_destroy(b);

    b = zv_builder_create(NULL);
    zvLink ground = zv_link_default("ground"), wheel = zv_link_default("wheel");
    wheel.has_inertia = true;
    wheel.inertia.mass = 1;
    moments(&wheel.inertia, 60, 60, 100);
    zvJoint axle = zv_joint_default("axle", ZV_JOINT_CONTINUOUS, "ground", "wheel");
    assert_int_equal(zv_builder_add_link(b, &ground, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_link(b, &wheel, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_joint(b, &axle, NULL), ZV_OK);
    assert_int_equal(fd_count_from(b, ZV_SEVERITY_NOTE), 0);
    zv_builder_destroy(b);
}

static void strip(zvBuilder *b, int link) {
    memset(inertia(b, link), 0, sizeof(zvInertia));
    zv_builder_link(b, link)->has_inertia = false;
}
static void hand_massless(zvBuilder *b) { strip(b, HAND); }
static void forearm_massless(zvBuilder *b) {
    strip(b, HAND);
    strip(b, LOWER);
}
static void floating_nothing(zvBuilder *b) {
    for (int i = 0; i < 4; i++) strip(b, i);
    for (int j = 0; j < 3; j++) zv_builder_joint(b, j)->dof[0].armature = 1;
    zv_builder_set_free_base(b, true);
}
static void between_joints(zvBuilder *b) { strip(b, LOWER); }

static void massless_parts(void **state) {
    (void)state;
    static const fdCase cases[] = {
        {"hand", hand_massless, "massless-leaf", ZV_SEVERITY_ERROR, false, ZV_SINGULAR, "joint \"slide\"", "armature"},
        {"forearm", forearm_massless, "massless-leaf", ZV_SEVERITY_ERROR, false, ZV_SINGULAR, "joint \"elbow\"",
         "\"lower\""},
        {"floating", floating_nothing, "massless-leaf", ZV_SEVERITY_ERROR, false, ZV_SINGULAR, "link \"base\"",
         "expected mass on a free base, found none"},
        AT_LOWER(between_joints, "no-inertial", ZV_SEVERITY_NOTE, false, "connects two joints"),
    };
    fd_check(cases, sizeof cases / sizeof *cases);
}

static void massless_but_lawful(void **state) {
    (void)state;
    zvBuilder *b = fd_robot();
    hand_massless(b);
    zv_builder_joint(b, SLIDE)->dof[0].armature = 0.1; /* the rotor resists */
    assert_int_equal(fd_count_from(b, ZV_SEVERITY_NOTE), 0);
    zv_builder_destroy(b);

    b = fd_robot();
    hand_massless(b);
    zv_builder_joint(b, SLIDE)->type = ZV_JOINT_FIXED; /* a tool frame as a link */
    assert_int_equal(fd_count_from(b, ZV_SEVERITY_NOTE), 0);
    zv_builder_destroy(b);

    b = fd_robot();
    strip(b, LOWER);
    zv_builder_joint(b, SLIDE)->type = ZV_JOINT_FIXED; /* the hand is its mass */
    assert_int_equal(fd_count_from(b, ZV_SEVERITY_NOTE), 0);
    zv_builder_destroy(b);

    b = fd_robot();
    strip(b, BASE);
    hand_massless(b);
    zv_builder_joint(b, SLIDE)->mimic = zv_builder_keep(b, "elbow"); /* moves with the elbow, not by itself */
    assert_int_equal(fd_count_from(b, ZV_SEVERITY_NOTE), 0);
    zv_builder_set_mimic_coupled(b, false);
    assert_int_equal(fd_count_rule(b, "massless-leaf"), 1);
    zv_builder_destroy(b);
}

static zvBuilder *long_chain(int count) {
    zvBuilder *b = zv_builder_create(NULL);
    char name[2][16], joint_name[16];
    for (int i = 0; i <= count; i++) {
        snprintf(name[i % 2], sizeof name[0], "l%d", i);
        zvLink link = zv_link_default(name[i % 2]);
        link.has_inertia = true;
        link.inertia = (zvInertia){2, {0, 0, 0.25}, {0.043, 0, 0, 0.043, 0, 0.002}};
        assert_int_equal(zv_builder_add_link(b, &link, NULL), ZV_OK);
        if (i == 0) continue;
        snprintf(joint_name, sizeof joint_name, "j%d", i);
        zvJoint joint = zv_joint_default(joint_name, ZV_JOINT_REVOLUTE, name[(i + 1) % 2], name[i % 2]);
        joint.origin.p[2] = 0.5;
        if (i > 1) joint.mimic = "j1";
        assert_int_equal(zv_builder_add_joint(b, &joint, NULL), ZV_OK);
    }
    return b;
}

static void hundred_thousand_links(void **state) {
    (void)state;
    zvBuilder *b = long_chain(100000);
    clock_t start = clock();
    assert_int_equal(fd_count_from(b, ZV_SEVERITY_NOTE), 0);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    zv_builder_destroy(b);
    if (seconds > 60) fail_msg("checking 100000 links took %g s", seconds); /* quadratic rules would take minutes */
}

TESTS(inertias, ground_feels_nothing, first_link_only_turns, turned_bodies_are_accepted, slips_of_units,
      bulk_of_metal_is_lawful, slips_of_lengths, nothing_to_compare_with, massless_parts, massless_but_lawful,
      hundred_thousand_links)
