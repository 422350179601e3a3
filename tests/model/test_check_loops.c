/* The linter's rules about loops and about joints that are cut. */
#include <math.h>
#include <stdlib.h>

#include "findings.h"
#include "freeze.h"
#include "support/run_tests.h"

enum { BASE, UPPER, LOWER, HAND }; /* links */
enum { SHOULDER, ELBOW, SLIDE };   /* joints */

static zvLoop *loop(zvBuilder *b, const char *name, zvLoopKind kind, zvJointType type, const char *parent,
                    const char *child) {
    zvLoop l = zv_loop_default(name, kind, type, parent, child);
    l.length = 0.5;
    assert_int_equal(zv_builder_add_loop(b, &l, NULL), ZV_OK);
    return zv_builder_loop(b, zv_builder_nloop(b) - 1);
}

static zvLoop *pin(zvBuilder *b) { return loop(b, "pin", ZV_LOOP_JOINT, ZV_JOINT_REVOLUTE, "base", "hand"); }
static zvLoop *rod(zvBuilder *b) { return loop(b, "rod", ZV_LOOP_ROD, ZV_JOINT_FIXED, "base", "tool"); }

static void couple(zvBuilder *b, int count, const zvLoopTerm *terms) {
    zvLoop l = zv_loop_default("gear", ZV_LOOP_COUPLING, ZV_JOINT_FIXED, NULL, NULL);
    l.term_count = count;
    l.terms = terms;
    assert_int_equal(zv_builder_add_loop(b, &l, NULL), ZV_OK);
}

static zvJoint *cut(zvBuilder *b) {
    zvJoint joint = zv_joint_default("pin", ZV_JOINT_REVOLUTE, "base", "hand");
    joint.cut = true;
    assert_int_equal(zv_builder_add_joint(b, &joint, NULL), ZV_OK);
    return zv_builder_joint(b, zv_builder_njoint(b) - 1);
}

static void plain_loops(void **state) {
    (void)state;
    zvBuilder *b = fd_robot();
    pin(b);
    rod(b);
    couple(b, 2, (zvLoopTerm[]){{"elbow", 1}, {"slide", -2}});
    assert_int_equal(fd_count_from(b, ZV_SEVERITY_NOTE), 0);
    zv_builder_destroy(b);
    b = fd_robot();
    cut(b)->dof[0].damping = 1;
    assert_int_equal(fd_count_from(b, ZV_SEVERITY_NOTE), 0);
    zv_builder_destroy(b);
}

/* Names ----------------------------------------------------------------------------------------------- */

static void nameless(zvBuilder *b) { loop(b, "", ZV_LOOP_JOINT, ZV_JOINT_REVOLUTE, "base", "hand"); }
static void twice(zvBuilder *b) { pin(b), pin(b); }
static void like_a_joint(zvBuilder *b) { loop(b, "elbow", ZV_LOOP_JOINT, ZV_JOINT_REVOLUTE, "base", "hand"); }
static void no_parent(zvBuilder *b) { loop(b, "pin", ZV_LOOP_JOINT, ZV_JOINT_REVOLUTE, NULL, "hand"); }
static void parent_misspelt(zvBuilder *b) { loop(b, "pin", ZV_LOOP_JOINT, ZV_JOINT_REVOLUTE, "bases", "hand"); }
static void frame_misspelt(zvBuilder *b) { loop(b, "pin", ZV_LOOP_ROD, ZV_JOINT_FIXED, "base", "tol"); }
static void term_misspelt(zvBuilder *b) { couple(b, 1, (zvLoopTerm[]){{"elbo", 1}}); }
static void frame_taken(zvBuilder *b) {
    zvFrame frame = zv_frame_default("pin.child", "hand");
    assert_int_equal(zv_builder_add_frame(b, &frame, NULL), ZV_OK);
    pin(b);
}
static void link_taken(zvBuilder *b) {
    add_tube(b, "pin.parent");
    add_joint(b, "more", ZV_JOINT_REVOLUTE, "hand", "pin.parent");
    cut(b);
}

#define FATAL(spoil, rule, status, element, phrase) \
    { #spoil, spoil, rule, ZV_SEVERITY_ERROR, true, status, element, phrase }
#define AT_PIN(spoil, rule, status, phrase) FATAL(spoil, rule, status, "loop \"pin\"", phrase)
#define AT_GEAR(spoil, rule, status, phrase) FATAL(spoil, rule, status, "loop \"gear\"", phrase)

static void names(void **state) {
    (void)state;
    static const fdCase cases[] = {
        FATAL(nameless, "missing-name", ZV_NAME, "loop \"\"", "expected a name of the loop, found none"),
        AT_PIN(twice, "duplicate-name", ZV_NAME, "found it twice"),
        FATAL(like_a_joint, "duplicate-name", ZV_NAME, "loop \"elbow\"", "found it twice"),
        AT_PIN(no_parent, "unknown-link", ZV_NAME, "expected a parent"),
        AT_PIN(parent_misspelt, "unknown-link", ZV_NAME, "did you mean \"base\"?"),
        AT_PIN(frame_misspelt, "unknown-link", ZV_NAME, "did you mean \"tool\"?"),
        AT_GEAR(term_misspelt, "unknown-joint", ZV_NAME, "did you mean \"elbow\"?"),
        AT_PIN(frame_taken, "loop-frame", ZV_NAME, "found \"pin.child\", which a frame"),
        FATAL(link_taken, "loop-frame", ZV_NAME, "joint \"pin\"", "found \"pin.parent\", which a link"),
    };
    fd_check(cases, sizeof cases / sizeof *cases);
}

/* Numbers --------------------------------------------------------------------------------------------- */

static void origin_nan(zvBuilder *b) { pin(b)->origin.p[1] = NAN; }
static void child_nan(zvBuilder *b) { pin(b)->child_origin.R[0] = NAN; }
static void axis_inf(zvBuilder *b) { pin(b)->axis[0] = INFINITY; }
static void damping_nan(zvBuilder *b) { pin(b)->dof[0].damping = NAN; }
static void value_nan(zvBuilder *b) {
    zvLoop *l = pin(b);
    l->driven = true;
    l->value = NAN;
}
static void pitch_nan(zvBuilder *b) {
    zvLoop *l = pin(b);
    l->type = ZV_JOINT_HELICAL;
    l->pitch = NAN;
}
static void length_nan(zvBuilder *b) { loop(b, "pin", ZV_LOOP_ROD, ZV_JOINT_FIXED, "base", "hand")->length = NAN; }
static void ratio_nan(zvBuilder *b) { couple(b, 1, (zvLoopTerm[]){{"elbow", NAN}}); }
static void offset_inf(zvBuilder *b) {
    couple(b, 1, (zvLoopTerm[]){{"elbow", 1}});
    zv_builder_loop(b, 0)->offset = INFINITY;
}
static void skewed(zvBuilder *b) { pin(b)->child_origin.R[1] = 1e-3; }
static void no_axis(zvBuilder *b) { pin(b)->axis[2] = 0; }
static void parallel(zvBuilder *b) {
    zvLoop *l = pin(b);
    l->type = ZV_JOINT_UNIVERSAL;
    l->axis2[0] = 0;
    l->axis2[2] = 1;
}
static void no_curve(zvBuilder *b) {
    zvLoop *l = pin(b);
    l->type = ZV_JOINT_CURVE;
    l->curve.direction[0] = 0;
}
static void no_length(zvBuilder *b) { loop(b, "pin", ZV_LOOP_ROD, ZV_JOINT_FIXED, "base", "hand")->length = 0; }
static void far_rod(zvBuilder *b) { loop(b, "pin", ZV_LOOP_ROD, ZV_JOINT_FIXED, "base", "hand")->length = 2e9; }
static void pushes(zvBuilder *b) { pin(b)->dof[0].damping = -1; }

static void numbers(void **state) {
    (void)state;
    static const fdCase cases[] = {
        AT_PIN(origin_nan, "not-finite", ZV_NUMBER, "finite numbers in its origin, found nan"),
        AT_PIN(child_nan, "not-finite", ZV_NUMBER, "finite numbers in its child_origin, found nan"),
        AT_PIN(axis_inf, "not-finite", ZV_NUMBER, "finite numbers in its axis, found inf"),
        AT_PIN(damping_nan, "not-finite", ZV_NUMBER, "damping"),
        AT_PIN(value_nan, "not-finite", ZV_NUMBER, "finite numbers in its value, found nan"),
        AT_PIN(pitch_nan, "not-finite", ZV_NUMBER, "finite numbers in its pitch, found nan"),
        AT_PIN(length_nan, "not-finite", ZV_NUMBER, "finite numbers in its length, found nan"),
        AT_GEAR(ratio_nan, "not-finite", ZV_NUMBER, "finite numbers in its ratios, found nan"),
        AT_GEAR(offset_inf, "not-finite", ZV_NUMBER, "finite numbers in its offset, found inf"),
        AT_PIN(skewed, "not-a-rotation", ZV_NUMBER, "expected an orthonormal rotation of its child_origin"),
        AT_PIN(no_axis, "zero-axis", ZV_PHYSICS, "expected a direction for its axis, found the zero vector"),
        AT_PIN(parallel, "parallel-axes", ZV_PHYSICS, "parallel"),
        AT_PIN(no_curve, "bad-curve", ZV_PHYSICS, "direction of its line"),
        AT_PIN(no_length, "rod-length", ZV_NUMBER, "expected a positive length of the rod, found"),
        {"far", far_rod, "absurd-number", ZV_SEVERITY_ERROR, false, ZV_NUMBER, "loop \"pin\"", "2e+09 m"},
        {"pushes", pushes, "negative-coefficient", ZV_SEVERITY_ERROR, false, ZV_PHYSICS, "loop \"pin\"",
         "expected at least 0 for its damping"},
    };
    fd_check(cases, sizeof cases / sizeof *cases);
}

/* What closes nothing --------------------------------------------------------------------------------- */

static void to_itself(zvBuilder *b) { loop(b, "pin", ZV_LOOP_JOINT, ZV_JOINT_REVOLUTE, "tool", "hand"); }
static void on_the_ground(zvBuilder *b) {
    add_tube(b, "wall");
    add_joint(b, "wall_mount", ZV_JOINT_FIXED, "base", "wall");
    loop(b, "pin", ZV_LOOP_JOINT, ZV_JOINT_REVOLUTE, "base", "wall");
}
static void on_one_part(zvBuilder *b) {
    add_tube(b, "finger");
    add_joint(b, "grip", ZV_JOINT_FIXED, "hand", "finger");
    zvJoint joint = zv_joint_default("pin", ZV_JOINT_REVOLUTE, "hand", "finger");
    joint.cut = true;
    assert_int_equal(zv_builder_add_joint(b, &joint, NULL), ZV_OK);
}
static void free_loop(zvBuilder *b) { pin(b)->type = ZV_JOINT_FREE; }
static void cut_free(zvBuilder *b) { cut(b)->type = ZV_JOINT_FREE; }
static void drives_a_ball(zvBuilder *b) {
    zvLoop *l = pin(b);
    l->type = ZV_JOINT_SPHERICAL;
    l->driven = true;
}
static void drives_nothing(zvBuilder *b) {
    zvLoop *l = pin(b);
    l->type = ZV_JOINT_FIXED;
    l->driven = true;
}

static void what_closes_nothing(void **state) {
    (void)state;
    static const fdCase cases[] = {
        AT_PIN(to_itself, "self-loop", ZV_TOPOLOGY, "one rigid part"),
        AT_PIN(on_the_ground, "self-loop", ZV_TOPOLOGY, "the ground"),
        FATAL(on_one_part, "self-loop", ZV_TOPOLOGY, "joint \"pin\"", "one rigid part"),
        AT_PIN(free_loop, "free-loop", ZV_SCHEMA, "which allows every motion"),
        FATAL(cut_free, "free-loop", ZV_SCHEMA, "joint \"pin\"", "which allows every motion"),
        AT_PIN(drives_a_ball, "driven-type", ZV_SCHEMA, "found a spherical joint with 3"),
        AT_PIN(drives_nothing, "driven-type", ZV_SCHEMA, "found a fixed joint with 0"),
    };
    fd_check(cases, sizeof cases / sizeof *cases);
}

/* Couplings ------------------------------------------------------------------------------------------- */

static void empty(zvBuilder *b) { couple(b, 0, NULL); }
static void doubled(zvBuilder *b) { couple(b, 2, (zvLoopTerm[]){{"elbow", 1}, {"elbow", 2}}); }
static void idle(zvBuilder *b) { couple(b, 2, (zvLoopTerm[]){{"elbow", 1}, {"slide", 0}}); }
static void of_a_ball(zvBuilder *b) {
    zv_builder_joint(b, SLIDE)->type = ZV_JOINT_SPHERICAL;
    zv_builder_joint(b, SLIDE)->dof[0].has_limits = false;
    couple(b, 2, (zvLoopTerm[]){{"elbow", 1}, {"slide", 1}});
}
static void of_a_cut_joint(zvBuilder *b) {
    cut(b);
    couple(b, 2, (zvLoopTerm[]){{"elbow", 1}, {"pin", 1}});
}
static void pending(zvBuilder *b) {
    enum { COUNT = 10001 };
    zvLoopTerm *terms = calloc(COUNT, sizeof *terms);
    assert_non_null(terms);
    for (int i = 0; i < COUNT; i++) terms[i] = (zvLoopTerm){"elbow", 1};
    couple(b, COUNT, terms);
    free(terms);
}

static void couplings(void **state) {
    (void)state;
    static const fdCase cases[] = {
        AT_GEAR(empty, "coupling-empty", ZV_SCHEMA, "expected terms of the coupling, found none"),
        AT_GEAR(doubled, "coupling-twice", ZV_SCHEMA, "\"elbow\" twice"),
        AT_GEAR(idle, "coupling-ratio", ZV_NUMBER, "found 0 for the joint \"slide\""),
        AT_GEAR(of_a_ball, "coupling-type", ZV_SCHEMA, "with 3"),
        AT_GEAR(of_a_cut_joint, "cut-joint", ZV_TOPOLOGY, "has no coordinate"),
        AT_GEAR(pending, "coupling-size", ZV_SIZE, "found 10001"),
    };
    fd_check(cases, sizeof cases / sizeof *cases);
}

/* Cut joints ------------------------------------------------------------------------------------------ */

static void with_limits(zvBuilder *b) { cut(b)->dof[0].has_limits = true; }
static void with_friction(zvBuilder *b) { cut(b)->dof[0].friction = 1; }
static void with_rotor(zvBuilder *b) { cut(b)->dof[0].armature = 1; }
static void with_motor(zvBuilder *b) { cut(b)->dof[0].effort = 1; }
static void follower(zvBuilder *b, const char *name, const char *master, bool is_cut) {
    zvJoint joint = zv_joint_default(name, ZV_JOINT_REVOLUTE, "base", "hand");
    if (!is_cut) {
        add_tube(b, "more");
        joint.child = "more";
    }
    joint.cut = is_cut;
    joint.mimic = master;
    assert_int_equal(zv_builder_add_joint(b, &joint, NULL), ZV_OK);
}
static void cut_follows(zvBuilder *b) { follower(b, "pin", "elbow", true); }
static void cut_is_followed(zvBuilder *b) {
    cut(b);
    follower(b, "other", "pin", false);
}
static void only_joint(zvBuilder *b) { zv_builder_joint(b, SLIDE)->cut = true; }
static void with_gear(zvBuilder *b) {
    static const zvFlexibleJoint gear = {.stiffness = 10, .inertia = 1e-4, .ratio = 50};
    cut(b)->flexible = &gear;
}
static void two_parents(zvBuilder *b) { cut(b)->cut = false; }
static void light_hand(zvBuilder *b) {
    zv_builder_link(b, HAND)->inertia = (zvInertia){0};
    pin(b);
}
static void light_cut(zvBuilder *b) {
    zv_builder_link(b, HAND)->inertia = (zvInertia){0};
    cut(b);
}

static void cut_joints(void **state) {
    (void)state;
#define LOST(spoil, phrase) \
    { #spoil, spoil, "cut-joint-data", ZV_SEVERITY_WARNING, false, ZV_SCHEMA, "joint \"pin\"", phrase }
#define LIGHT(spoil) \
    { #spoil, spoil, "massless-leaf", ZV_SEVERITY_ERROR, false, ZV_SINGULAR, "joint \"slide\"", "cut another joint" }
    static const fdCase cases[] = {
        LOST(with_limits, "expected no limits of a joint that closes a loop"),
        LOST(with_friction, "expected no friction of a joint that closes a loop"),
        LOST(with_rotor, "expected no armature of a joint that closes a loop"),
        LOST(with_gear, "expected no flexible gear of a joint that closes a loop"),
        LOST(with_motor, "expected no effort limit of a joint that closes a loop"),
        FATAL(cut_follows, "cut-joint", ZV_TOPOLOGY, "joint \"pin\"", "\"pin\" follows \"elbow\""),
        FATAL(cut_is_followed, "cut-joint", ZV_TOPOLOGY, "joint \"pin\"", "\"other\" follows \"pin\""),
        FATAL(only_joint, "several-roots", ZV_TOPOLOGY, "link \"hand\"", "\"slide\" is cut, but no other"),
        FATAL(two_parents, "two-parents", ZV_TOPOLOGY, "joint \"pin\"", "cut: true"),
        LIGHT(light_hand),
        LIGHT(light_cut),
    };
    fd_check(cases, sizeof cases / sizeof *cases);
}

/* Elastic links --------------------------------------------------------------------------------------- */

static void bend_hand(zvBuilder *b, const char *name) {
    add_beam(b, name);
    add_joint(b, "bend", ZV_JOINT_REVOLUTE, "hand", name);
}
static void beyond_the_tip(zvBuilder *b) {
    bend_hand(b, "boom");
    loop(b, "pin", ZV_LOOP_ROD, ZV_JOINT_FIXED, "base", "boom")->child_origin.p[0] = 2.5;
}
static void one_section(zvBuilder *b) {
    bend_hand(b, "boom");
    zvLoop *l = loop(b, "pin", ZV_LOOP_ROD, ZV_JOINT_FIXED, "boom", "boom");
    l->origin.p[0] = l->child_origin.p[0] = 1.5;
    l->origin.p[1] = 0.1;
}

static void elastic_ends(void **state) {
    (void)state;
    static const fdCase cases[] = {
        AT_PIN(beyond_the_tip, "elastic-attachment", ZV_TOPOLOGY, "found x = 2.5 m"),
        AT_PIN(one_section, "self-loop", ZV_TOPOLOGY, "one rigid part"),
    };
    fd_check(cases, sizeof cases / sizeof *cases);
    zvBuilder *b = fd_robot();
    bend_hand(b, "boom");
    loop(b, "pin", ZV_LOOP_ROD, ZV_JOINT_FIXED, "boom", "boom")->origin.p[0] = 1.5;
    assert_int_equal(fd_count_rule(b, "self-loop"), 0);
    zv_builder_destroy(b);
}

TESTS(plain_loops, names, numbers, what_closes_nothing, couplings, cut_joints, elastic_ends)
