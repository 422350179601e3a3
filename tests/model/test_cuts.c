/* Joints that are cut into loops, as said or by the builder's choice. */
#include "closed_robot.h"
#include "support/run_tests.h"

#include "model/tree.h"
#include "zveno/check.h"

/* A joint that is cut is a loop with what a loop can keep of it. */
static void a_cut_joint_is_a_loop(void **state) {
    (void)state;
    zvBuilder *b = robot();
    zvJoint *joint = add_joint(b, "pin", ZV_JOINT_CYLINDRICAL, "two", "three");
    joint->cut = true;
    joint->dof[1].damping = 2;
    joint->dof[1].stiffness = 3;
    joint->dof[1].rest = 4;
    joint->dof[1].friction = 5;
    joint->dof[0].has_limits = true;
    joint->axis[0] = 1;
    zvPose origin = joint->origin;
    zvModel *m = freeze(b);
    assert_int_equal(zv_model_njoint(m), 3);
    assert_int_equal(zv_model_find_joint(m, "pin"), -1);
    const zvLoop *loop = zv_model_loop(m, zv_model_find_loop(m, "pin"));
    const zvPose identity = zv_pose_identity();
    assert_true(loop->was_joint && loop->kind == ZV_LOOP_JOINT && loop->type == ZV_JOINT_CYLINDRICAL);
    expect_pose(&loop->origin, &origin);
    expect_pose(&loop->child_origin, &identity);
    const zvDof *d = loop->dof;
    assert_true(d[1].damping == 2 && d[1].stiffness == 3 && d[1].rest == 4 && d[1].friction == 0);
    assert_true(!d[0].has_limits && loop->axis[0] == 1);
    assert_int_equal(zv_model_loop_place(m, 0).rows, 4);
    zv_model_destroy(m);
}

/* A joint that is not at its child's origin cannot carry it: it is cut without a word, asked for cutting or not. */
static void a_place_in_the_child_cuts(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        zvBuilder *b = robot();
        zvJoint *pin = add_joint(b, "pin", ZV_JOINT_REVOLUTE, "base", "three");
        const zvPose turned = zv_pose_from_rpy((double[3]){0}, (double[3]){0, 0, 1});
        zvPose wanted = zv_pose_identity();
        if (k < 3) wanted.p[1] = 0.25;
        if (k == 3) wanted = turned;
        pin->child_origin = wanted;
        if (k == 1) memset(pin->child_origin.R, 0, sizeof wanted.R);
        if (k == 2) pin->dof[0].armature = 1; /* equipped, nearer to the root and still not kept */
        assert_false(pin->cut);
        zv_builder_set_cutting(b, k != 0);
        zvModel *m = freeze(b);
        assert_int_equal(zv_model_nloop(m), 1);
        const zvLoop *loop = zv_model_loop(m, 0);
        assert_string_equal(loop->name, "pin");
        assert_true(loop->was_joint);
        expect_pose(&loop->child_origin, &wanted);
        zv_model_destroy(m);
    }
    zvBuilder *b = robot(); /* an all-zero R alone says nothing */
    memset(&zv_builder_joint(b, 0)->child_origin, 0, sizeof(zvPose));
    zvModel *m = freeze(b);
    assert_int_equal(zv_model_nloop(m), 0);
    zv_model_destroy(m);
}

static bool note_lost(void *context, const zvFinding *finding) {
    if (strcmp(finding->rule, "cut-joint-data") == 0) snprintf(context, 200, "%s", finding->why);
    return true;
}

static void all_that_is_left_out_is_named(void **state) {
    (void)state;
    char why[200] = "";
    zvBuilder *b = robot();
    zvJoint *joint = add_joint(b, "pin", ZV_JOINT_CYLINDRICAL, "two", "three");
    joint->cut = true;
    joint->dof[0].has_limits = true;
    joint->dof[0].upper = 1;
    joint->dof[1].friction = 2;
    assert_int_equal(zv_check(b, note_lost, why, NULL), ZV_OK);
    assert_non_null(strstr(why, "expected no limits and friction of a joint that closes a loop"));
    joint->dof[1].armature = joint->dof[0].effort = joint->dof[0].velocity = 1;
    assert_int_equal(zv_check(b, note_lost, why, NULL), ZV_OK);
    assert_non_null(strstr(why, "expected no limits, armature, friction, effort limit and velocity limit of a joint"));
    zv_builder_destroy(b);
}

/* Loops may lead back to the ground. */
static void a_ring_through_the_root(void **state) {
    (void)state;
    zvBuilder *b = robot();
    add_joint(b, "back", ZV_JOINT_REVOLUTE, "two", "base")->cut = true;
    zvModel *m = freeze(b);
    const ziConstraint *constraint = m->tree.closed->constraint;
    assert_true(constraint->a.body == 2 && constraint->b.body == 0 && constraint->ancestor == 0 && m->tree.nb == 4);
    zv_model_destroy(m);
}

/* Freezes the robot with cutting, after which the named joint alone must be the loop. */
static void expect_cut(zvBuilder *b, const char *name) {
    zv_builder_set_cutting(b, true);
    assert_true(zv_builder_cutting(b));
    zvModel *m = freeze(b);
    assert_int_equal(zv_model_nloop(m), 1);
    assert_string_equal(zv_model_loop(m, 0)->name, name);
    assert_int_equal(zv_model_find_joint(m, name), -1);
    zv_model_destroy(m);
}

static void the_best_joints_are_kept(void **state) {
    (void)state;
    zvBuilder *b = robot();
    add_joint(b, "pin", ZV_JOINT_REVOLUTE, "two", "three");
    expect_cut(b, "pin"); /* farther from the root */

    b = robot();
    add_link(b, "four");
    add_joint(b, "far", ZV_JOINT_REVOLUTE, "two", "four");
    add_joint(b, "near", ZV_JOINT_REVOLUTE, "one", "four");
    expect_cut(b, "far"); /* though it comes first in the file */

    b = robot();
    add_joint(b, "pin", ZV_JOINT_REVOLUTE, "two", "three")->dof[0].damping = 1;
    expect_cut(b, "c"); /* one has a damper */

    b = robot();
    add_joint(b, "pin", ZV_JOINT_REVOLUTE, "two", "three")->dof[0].armature = 1;
    zv_builder_joint(b, 2)->dof[0].has_limits = true;
    expect_cut(b, "pin"); /* both have something, then the nearer one stays */

    b = robot();
    add_joint(b, "pin", ZV_JOINT_FIXED, "two", "three");
    expect_cut(b, "c"); /* fewer freedoms */

    b = robot();
    add_joint(b, "pin", ZV_JOINT_SPHERICAL, "base", "one");
    expect_cut(b, "pin");

    b = robot();
    add_joint(b, "pin", ZV_JOINT_REVOLUTE, "base", "one");
    expect_cut(b, "pin"); /* first in the file */

    b = robot();
    add_joint(b, "pin", ZV_JOINT_REVOLUTE, "base", "one");
    zv_builder_joint(b, 0)->cut = true;
    expect_cut(b, "a"); /* as said */

    b = robot();
    zvJoint follower = zv_joint_default("f", ZV_JOINT_REVOLUTE, "base", "four");
    follower.mimic = "pin";
    add_link(b, "four");
    zv_builder_joint(b, 2)->dof[0].damping = 1;
    add_joint(b, "pin", ZV_JOINT_REVOLUTE, "two", "three");
    assert_int_equal(zv_builder_add_joint(b, &follower, NULL), ZV_OK);
    expect_cut(b, "c"); /* the other is followed */

    b = robot();
    add_joint(b, "down", ZV_JOINT_REVOLUTE, "two", "one");
    expect_cut(b, "down"); /* a ring below the root */

    b = robot();
    add_joint(b, "down", ZV_JOINT_REVOLUTE, "two", "one")->dof[0].damping = 1;
    expect_cut(b, "down"); /* whatever it has: the tree needs the others */
}

/* Without cutting it is an error, and without loops cutting changes nothing. */
static void cutting_is_asked_for(void **state) {
    (void)state;
    zvBuilder *b = robot();
    zvError error = {0};
    zvModel *m = NULL;
    add_joint(b, "pin", ZV_JOINT_REVOLUTE, "two", "three");
    assert_int_equal(zv_builder_freeze(b, &m, &error), ZV_TOPOLOGY);
    assert_non_null(strstr(error.text, "found two: it is also the child of joint"));
    assert_non_null(strstr(error.text, "cut: true"));
    zv_builder_destroy(b);
    b = robot();
    zv_builder_set_cutting(b, true);
    m = freeze(b);
    assert_true(!m->tree.closed && zv_model_njoint(m) == 3);
    zv_model_destroy(m);
}

TESTS(a_cut_joint_is_a_loop, a_place_in_the_child_cuts, all_that_is_left_out_is_named, a_ring_through_the_root,
      the_best_joints_are_kept, cutting_is_asked_for)
