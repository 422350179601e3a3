/* What the linter and freeze say about elastic links that cannot be, and what they do not complain about. */
#include <math.h>
#include <stdlib.h>

#include "findings.h"
#include "support/run_tests.h"

enum { BASE, UPPER, LOWER, HAND };
enum { SHOULDER, ELBOW, SLIDE };

/* What the spoiled robot points at; each case starts anew. */
static zvBeam kept;
static zvModal plate;
static double matrix[4];
static const double stiffness[4] = {10, 0, 0, 10};
static const double shape[12] = {0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0};
static const zvModalInterface places[] = {{"middle", {0.25, 0, 0}, shape}, {"tip", {0.5, 0, 0}, shape}};

static void along_x(zvBuilder *robot) {
    zvJoint *slide = zv_builder_joint(robot, SLIDE);
    memcpy(slide->origin.p, (double[]){0.5, 0, 0}, sizeof slide->origin.p);
}

/* The lower link becomes a beam of 0.5 m along x with the slide at its tip. */
static zvBeam *bend(zvBuilder *robot) {
    kept = zv_beam_default();
    kept.length = 0.5;
    kept.EIy = kept.EIz = 100;
    kept.GJ = 50;
    kept.EA = 1e6;
    kept.rhoA = 2;
    kept.rhoIy = kept.rhoIz = 1e-3;
    kept.modes[ZV_BEAM_BEND_Y] = kept.modes[ZV_BEAM_BEND_Z] = 2;
    zvLink *lower = zv_builder_link(robot, LOWER);
    lower->inertia = (zvInertia){0};
    lower->has_inertia = false;
    lower->beam = &kept;
    along_x(robot);
    return &kept;
}

/* The same by modal data. */
static zvModal *reduce(zvBuilder *robot) {
    memcpy(matrix, (double[]){1, 0, 0, 1}, sizeof matrix);
    plate = (zvModal){.count = 2, .mass = matrix, .stiffness = stiffness, .interface_count = 2, .interfaces = places};
    zv_builder_link(robot, LOWER)->modal = &plate;
    along_x(robot);
    return &plate;
}

static void negative_stiffness(zvBuilder *robot) { bend(robot)->EIz = -100; }
static void no_length(zvBuilder *robot) { bend(robot)->length = 0; }
static void not_finite(zvBuilder *robot) { bend(robot)->rhoA = NAN; }
static void too_many_modes(zvBuilder *robot) { bend(robot)->modes[ZV_BEAM_BEND_Y] = 100; }
static void beyond_the_tip(zvBuilder *robot) {
    bend(robot);
    zv_builder_joint(robot, SLIDE)->origin.p[0] = 0.5 + 1e-8;
}
static void before_the_root(zvBuilder *robot) {
    bend(robot);
    zv_builder_joint(robot, SLIDE)->origin.p[0] = -0.125;
}
static void no_direction(zvBuilder *robot) { memset(bend(robot)->axis, 0, sizeof kept.axis); }
static void direction_not_finite(zvBuilder *robot) { bend(robot)->axis[2] = NAN; }
static void start_not_finite(zvBuilder *robot) { bend(robot)->start[1] = -INFINITY; }
static void start_too_far(zvBuilder *robot) { bend(robot)->start[0] = 1e200; }
/* The beam goes down z from z = 1 and the slide sits where it pleases. */
static void downwards(zvBuilder *robot, double z) {
    memcpy(bend(robot)->axis, (double[]){0, 0, -3}, sizeof kept.axis);
    kept.start[2] = 1;
    memcpy(zv_builder_joint(robot, SLIDE)->origin.p, (double[]){9, 9, z}, 3 * sizeof(double));
}
static void beyond_a_lower_tip(zvBuilder *robot) { downwards(robot, 0.25); }
static void before_an_upper_root(zvBuilder *robot) { downwards(robot, 1.125); }
static void frame_off(zvBuilder *robot) {
    bend(robot);
    zvFrame frame = zv_frame_default("lost", "lower");
    frame.pose.p[0] = 0.75;
    assert_int_equal(zv_builder_add_frame(robot, &frame, NULL), ZV_OK);
}
static void both(zvBuilder *robot) {
    bend(robot);
    reduce(robot);
}
static void elastic_root(zvBuilder *robot) {
    bend(robot);
    zv_builder_link(robot, BASE)->beam = &kept;
    memcpy(zv_builder_joint(robot, SHOULDER)->origin.p, (double[]){0.5, 0, 0}, 3 * sizeof(double));
}
static void not_symmetric(zvBuilder *robot) {
    reduce(robot);
    matrix[1] = 0.5;
}
static void not_positive(zvBuilder *robot) {
    reduce(robot);
    matrix[0] = -1;
}
static void no_interface_there(zvBuilder *robot) {
    reduce(robot);
    zv_builder_joint(robot, SLIDE)->origin.p[1] = 0.125;
}
static void no_interfaces(zvBuilder *robot) { reduce(robot)->interface_count = 0; }
static void negative_rigid_part(zvBuilder *robot) {
    bend(robot);
    zv_builder_link(robot, LOWER)->inertia.mass = -1;
}
static void massless_on_a_beam(zvBuilder *robot) {
    bend(robot);
    zv_builder_link(robot, HAND)->inertia = (zvInertia){0};
}

static void too_many_powers(zvBuilder *robot) { bend(robot)->modes[ZV_BEAM_TWIST] = 8; }
static void negative_mass_factor(zvBuilder *robot) { bend(robot)->damping.mass_factor = -1; }
static void negative_stiffness_factor(zvBuilder *robot) { bend(robot)->damping.stiffness_factor = -1; }
static void negative_damping(zvBuilder *robot) {
    static const double lost[4] = {-1, 0, 0, 1};
    reduce(robot)->damping_matrix = lost;
}
static void modes_of_one_name(zvBuilder *robot) {
    static const char *const names[] = {"sway", "sway"};
    reduce(robot)->names = names;
}
static void two_at_one_place(zvBuilder *robot) {
    static const double other[12] = {0, 1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0};
    static const zvModalInterface doubled[] = {{"tip", {0.5, 0, 0}, shape}, {"end", {0.5, 1e-12, 0}, other}};
    reduce(robot)->interfaces = doubled;
}
/* One more link on a joint of this name. */
static void add_called(zvBuilder *robot, const char *name) {
    zvJoint joint = zv_joint_default(name, ZV_JOINT_REVOLUTE, "upper", "added");
    zvLink link = zv_link_default("added");
    link.inertia = (zvInertia){1, {0}, {0.01, 0, 0, 0.01, 0, 0.01}};
    link.has_inertia = true;
    assert_int_equal(zv_builder_add_link(robot, &link, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_joint(robot, &joint, NULL), ZV_OK);
}
static void joint_like_link(zvBuilder *robot) {
    bend(robot);
    add_called(robot, "lower");
}
static void joint_like_coordinate(zvBuilder *robot) {
    bend(robot);
    add_called(robot, "lower.z2");
}
static void joint_like_mode(zvBuilder *robot) {
    reduce(robot);
    add_called(robot, "lower.mode2");
}
static void joint_like_named_mode(zvBuilder *robot) {
    static const char *const names[] = {"sway", "nod"};
    reduce(robot)->names = names;
    add_called(robot, "lower.nod");
}
/* The slide is at 0.5 m along x, the beam goes along z. */
static void wrong_axis(zvBuilder *robot) { memcpy(bend(robot)->axis, (double[]){0, 0, 1}, sizeof kept.axis); }

static const fdCase cases[] = {
    {"too many powers", too_many_powers, "elastic", ZV_SEVERITY_ERROR, true, ZV_PHYSICS, "link \"lower\"",
     "modes: expected at most 7 modes of twist in shapes powers"},
    {"negative mass factor", negative_mass_factor, "elastic", ZV_SEVERITY_ERROR, true, ZV_PHYSICS, "link \"lower\"",
     "rayleigh: {mass: ...}: expected a finite number of at least 0"},
    {"negative stiffness factor", negative_stiffness_factor, "elastic", ZV_SEVERITY_ERROR, true, ZV_PHYSICS,
     "link \"lower\"", "rayleigh: {stiffness: ...}: expected a finite number of at least 0"},
    {"negative damping", negative_damping, "elastic", ZV_SEVERITY_ERROR, true, ZV_PHYSICS, "link \"lower\"",
     "damping: expected a positive semidefinite matrix"},
    {"modes of one name", modes_of_one_name, "elastic", ZV_SEVERITY_ERROR, true, ZV_PHYSICS, "link \"lower\"",
     "names: expected a name of its own for every mode, found one twice"},
    {"two interfaces at one place", two_at_one_place, "elastic", ZV_SEVERITY_ERROR, true, ZV_PHYSICS, "link \"lower\"",
     "interfaces: expected one shape at one place, found two, of \"tip\" and \"end\""},
    {"joint like link", joint_like_link, "elastic-name", ZV_SEVERITY_ERROR, false, ZV_NAME, "joint \"lower\"",
     "rename the joint or the link"},
    {"joint like coordinate", joint_like_coordinate, "elastic-name", ZV_SEVERITY_ERROR, false, ZV_NAME,
     "joint \"lower.z2\"", "expected a name that no coordinate has, found one of the elastic link \"lower\""},
    {"joint like mode", joint_like_mode, "elastic-name", ZV_SEVERITY_ERROR, false, ZV_NAME, "joint \"lower.mode2\"",
     "rename the joint"},
    {"joint like named mode", joint_like_named_mode, "elastic-name", ZV_SEVERITY_ERROR, false, ZV_NAME,
     "joint \"lower.nod\"", "rename the joint"},
    {"wrong axis", wrong_axis, "elastic-off-axis", ZV_SEVERITY_WARNING, false, ZV_TOPOLOGY, "joint \"slide\"",
     "expected its origin on the axis of the beam \"lower\" (length 0.5 m), found it 0.5 m off, on the section at x = "
     "0 m"},
    {"negative stiffness", negative_stiffness, "elastic", ZV_SEVERITY_ERROR, true, ZV_PHYSICS, "link \"lower\"", "EIz"},
    {"zero length", no_length, "elastic", ZV_SEVERITY_ERROR, true, ZV_PHYSICS, "link \"lower\"", "length"},
    {"not finite", not_finite, "elastic", ZV_SEVERITY_ERROR, true, ZV_PHYSICS, "link \"lower\"", "rhoA"},
    {"too many modes", too_many_modes, "elastic", ZV_SEVERITY_ERROR, true, ZV_PHYSICS, "link \"lower\"", "modes"},
    {"no direction", no_direction, "elastic", ZV_SEVERITY_ERROR, true, ZV_PHYSICS, "link \"lower\"",
     "axis: expected a direction of the beam, found the zero vector"},
    {"direction not finite", direction_not_finite, "elastic", ZV_SEVERITY_ERROR, true, ZV_PHYSICS, "link \"lower\"",
     "axis: expected a finite number, found "},
    {"start not finite", start_not_finite, "elastic", ZV_SEVERITY_ERROR, true, ZV_PHYSICS, "link \"lower\"",
     "start: expected a number that a place can have"},
    {"start too far", start_too_far, "elastic", ZV_SEVERITY_ERROR, true, ZV_PHYSICS, "link \"lower\"",
     "start: expected a number that a place can have"},
    {"beyond a lower tip", beyond_a_lower_tip, "elastic-attachment", ZV_SEVERITY_ERROR, true, ZV_TOPOLOGY,
     "joint \"slide\"", "expected its origin on the beam \"lower\", x = 0 to 0.5 m, found x = 0.75 m"},
    {"before an upper root", before_an_upper_root, "elastic-attachment", ZV_SEVERITY_ERROR, true, ZV_TOPOLOGY,
     "joint \"slide\"", "expected its origin on the beam \"lower\", x = 0 to 0.5 m, found x = -0.125 m"},
    {"beyond the tip", beyond_the_tip, "elastic-attachment", ZV_SEVERITY_ERROR, true, ZV_TOPOLOGY, "joint \"slide\"",
     "expected its origin on the beam \"lower\", x = 0 to 0.5 m, found x = 0.50000001 m"},
    {"before the root", before_the_root, "elastic-attachment", ZV_SEVERITY_ERROR, true, ZV_TOPOLOGY, "joint \"slide\"",
     "expected its origin on the beam \"lower\", x = 0 to 0.5 m, found x = -0.125 m"},
    {"frame off the beam", frame_off, "elastic-attachment", ZV_SEVERITY_ERROR, true, ZV_TOPOLOGY, "frame \"lost\"",
     "expected its place on the beam \"lower\", x = 0 to 0.5 m, found x = 0.75 m"},
    {"beam and modal data", both, "elastic", ZV_SEVERITY_ERROR, true, ZV_SCHEMA, "link \"lower\"", "keep one"},
    {"elastic ground", elastic_root, "elastic-root", ZV_SEVERITY_ERROR, true, ZV_TOPOLOGY, "link \"base\"",
     "fixed joint"},
    {"not symmetric", not_symmetric, "elastic", ZV_SEVERITY_ERROR, true, ZV_PHYSICS, "link \"lower\"",
     "expected a symmetric matrix"},
    {"positive definite", not_positive, "elastic", ZV_SEVERITY_ERROR, true, ZV_PHYSICS, "link \"lower\"",
     "positive definite"},
    {"no interface there", no_interface_there, "elastic-attachment", ZV_SEVERITY_ERROR, true, ZV_TOPOLOGY,
     "joint \"slide\"", "put it on an interface of the link: \"middle\" (0.25 0 0), \"tip\" (0.5 0 0)"},
    {"no interfaces", no_interfaces, "elastic-attachment", ZV_SEVERITY_ERROR, true, ZV_TOPOLOGY, "joint \"slide\"",
     "give the modal data an interface"},
    {"negative rigid part", negative_rigid_part, "negative-mass", ZV_SEVERITY_ERROR, true, ZV_PHYSICS, "link \"lower\"",
     "expected a mass of at least 0, found"},
    {"massless leaf on a beam", massless_on_a_beam, "massless-leaf", ZV_SEVERITY_ERROR, false, ZV_SINGULAR,
     "joint \"slide\"", "expected mass beyond it, found none"},
};

static void every_fault_is_told(void **state) {
    (void)state;
    fd_check(cases, sizeof cases / sizeof *cases);
}

/* Token and place: where the beam is described, the word that is wrong. */
static void place_and_token(void **state) {
    (void)state;
    zvBuilder *robot = fd_robot();
    zvError error = {0};
    zvModel *model = NULL;
    negative_stiffness(robot);
    zv_builder_link(robot, LOWER)->mark = (zvMark){"arm.yaml", 3, 1};
    zv_builder_link(robot, LOWER)->elastic_spot = (zvSpot){7, 5};
    assert_int_equal(zv_builder_freeze(robot, &model, &error), ZV_PHYSICS);
    assert_string_equal(error.token, "-100");
    assert_true(error.line == 7 && error.column == 5 && strcmp(error.file, "arm.yaml") == 0);
    kept.EIz = 100;
    zv_builder_joint(robot, SLIDE)->mark = (zvMark){"arm.yaml", 20, 2};
    zv_builder_joint(robot, SLIDE)->origin.p[0] = 0.7;
    assert_int_equal(zv_builder_freeze(robot, &model, &error), ZV_TOPOLOGY);
    assert_string_equal(error.token, "0.7");
    assert_int_equal(error.line, 20);
    no_direction(robot);
    assert_int_equal(zv_builder_freeze(robot, &model, &error), ZV_PHYSICS);
    assert_string_equal(error.token, "0 0 0");
    assert_int_equal(error.line, 7);
    direction_not_finite(robot);
    assert_int_equal(zv_builder_freeze(robot, &model, &error), ZV_PHYSICS);
    assert_string_equal(error.token, "nan");
    start_not_finite(robot);
    assert_int_equal(zv_builder_freeze(robot, &model, &error), ZV_PHYSICS);
    assert_string_equal(error.token, "-inf");
    beyond_a_lower_tip(robot);
    assert_int_equal(zv_builder_freeze(robot, &model, &error), ZV_TOPOLOGY);
    assert_string_equal(error.token, "0.75");
    zv_builder_destroy(robot);
}

/* A good elastic robot has nothing to be said about; its beam is its mass. */
static void plain_robots(void **state) {
    (void)state;
    zvBuilder *robot = fd_robot();
    zvModel *model = NULL;
    bend(robot);
    assert_int_equal(fd_count_from(robot, ZV_SEVERITY_NOTE), 0);
    assert_int_equal(zv_builder_freeze(robot, &model, NULL), ZV_OK);
    assert_true(fabs(zv_model_mass(model) - (2 + 1 + 2)) < 1e-14);
    zv_model_destroy(model);
    zv_builder_joint(robot, SLIDE)->origin.p[0] = -1e-10; /* rounding of a file */
    assert_int_equal(zv_builder_freeze(robot, &model, NULL), ZV_OK);
    zv_model_destroy(model);
    for (int k = 0; k < ZV_BEAM_MOTIONS; k++) kept.modes[k] = 0; /* rigid: attach where you like */
    zv_builder_joint(robot, SLIDE)->origin.p[0] = 3;
    assert_int_equal(zv_builder_freeze(robot, &model, NULL), ZV_OK);
    assert_int_equal(zv_model_nelastic(model), 0);
    zv_model_destroy(model);
    zv_builder_destroy(robot);
    robot = fd_robot();
    reduce(robot);
    assert_int_equal(fd_count_from(robot, ZV_SEVERITY_NOTE), 0);
    assert_int_equal(zv_builder_freeze(robot, &model, NULL), ZV_OK);
    assert_int_equal(zv_model_nelastic(model), 2);
    zv_model_destroy(model);
    zv_builder_destroy(robot);
}

/* Names and levers just short of a finding. */
static void nearly_wrong(void **state) {
    (void)state;
    static const char *const names[] = {"lower.z3", "lower.", ".y1", "upper", "upper.y1", "lower.y1.y1", "lower.y"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        zvBuilder *robot = fd_robot();
        bend(robot);
        add_called(robot, names[k]);
        if (fd_count_rule(robot, "elastic-name") != 0) fail_msg("a joint may be called %s", names[k]);
        zv_builder_destroy(robot);
    }
    zvBuilder *robot = fd_robot();
    bend(robot);
    double *p = zv_builder_joint(robot, SLIDE)->origin.p;
    p[1] = 0.125;
    assert_int_equal(fd_count_rule(robot, "elastic-off-axis"), 0);
    p[1] = 0.1251;
    assert_int_equal(fd_count_rule(robot, "elastic-off-axis"), 1);
    for (int k = 0; k < ZV_BEAM_MOTIONS; k++) kept.modes[k] = 0; /* rigid */
    assert_int_equal(fd_count_rule(robot, "elastic-off-axis"), 0);
    zv_builder_destroy(robot);
}

/* Plausibility counts the beam: a light rigid part in large shapes, a long beam on a link with small ones. */
static void proportions_of_the_whole(void **state) {
    (void)state;
    zvBuilder *robot = fd_robot();
    bend(robot);
    zv_builder_link(robot, LOWER)->inertia = (zvInertia){1e-3, {0}, {1e-6, 0, 0, 1e-6, 0, 1e-6}};
    assert_int_equal(fd_count_from(robot, ZV_SEVERITY_WARNING), 0);
    zv_builder_link(robot, LOWER)->beam = NULL;
    assert_int_equal(fd_count_rule(robot, "placeholder"), 1);
    for (int i = 0; i < zv_builder_nlink(robot); i++) /* of a lighter robot it is more than a thousandth */
        if (i != LOWER) {
            zvInertia *other = &zv_builder_link(robot, i)->inertia;
            other->mass *= 0.1;
            for (int k = 0; k < 6; k++) other->moment[k] *= 0.1;
        }
    assert_int_equal(fd_count_rule(robot, "density"), 1);
    zv_builder_destroy(robot);
    robot = fd_robot();
    bend(robot)->length = 10;
    zv_builder_link(robot, HAND)->beam = &kept;
    assert_int_equal(fd_count_from(robot, ZV_SEVERITY_WARNING), 0);
    zv_builder_destroy(robot);
}

/* Links that only an elastic one constraints to the ground move: what is wrong with their inertia is felt. */
static void ground_ends_at_elastic_links(void **state) {
    (void)state;
    zvBuilder *robot = fd_robot();
    bend(robot);
    for (int j = SHOULDER; j <= SLIDE; j++) zv_builder_joint(robot, j)->type = ZV_JOINT_FIXED;
    zv_builder_link(robot, HAND)->inertia.moment[0] = 5;
    assert_int_equal(fd_count_from(robot, ZV_SEVERITY_ERROR), 1);
    for (int k = 0; k < ZV_BEAM_MOTIONS; k++) kept.modes[k] = 0;
    assert_int_equal(fd_count_from(robot, ZV_SEVERITY_ERROR), 0);
    zv_builder_destroy(robot);
}

TESTS(every_fault_is_told, place_and_token, plain_robots, nearly_wrong, proportions_of_the_whole,
      ground_ends_at_elastic_links)
