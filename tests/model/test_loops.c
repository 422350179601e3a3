/* Loops from the description to the frozen model: copies, frames, places and constraints. */
#include "closed_robot.h"
#include "support/run_tests.h"

#include <math.h>
#include <stdlib.h>

#include "model/order.h"
#include "model/tree.h"

static int blocks(const zvModel *m) {
    int count = 0;
    for (const void *block = m->arena.blocks; block; count++) memcpy(&block, block, sizeof block);
    return count;
}

/* The caller's texts and arrays are gone before the model is made, the builder before it is asked. */
static void everything_is_copied(void **state) {
    (void)state;
    zvBuilder *b = robot();
    char *text = malloc(64);
    zvLoopTerm *terms = malloc(2 * sizeof *terms);
    double *points = malloc(9 * sizeof *points);
    for (int i = 0; i < 9; i++) points[i] = i * i;
    memcpy(text, "rail\0two\0hole\0gear\0a\0c", 23);
    zvLoop rail = zv_loop_default(text, ZV_LOOP_JOINT, ZV_JOINT_CURVE, text + 5, text + 9);
    rail.curve = (zvCurve){.kind = ZV_CURVE_SPLINE, .count = 3, .points = points};
    terms[0] = (zvLoopTerm){text + 19, 2};
    terms[1] = (zvLoopTerm){text + 21, -3};
    assert_int_equal(zv_builder_add_loop(b, &rail, NULL), ZV_OK);
    add_coupling(b, text + 14, 2, terms);
    memset(text, 'x', 63);
    memset(terms, 0, 2 * sizeof *terms);
    memset(points, 0, 9 * sizeof *points);
    free(text);
    free(terms);
    free(points);
    assert_int_equal(zv_builder_nloop(b), 2);
    zvModel *m = freeze(b);
    assert_int_equal(zv_model_nloop(m), 2);
    assert_int_equal(zv_model_find_loop(m, "rail"), 0);
    assert_int_equal(zv_model_find_loop(m, "gear"), 1);
    assert_int_equal(zv_model_find_loop(m, "a"), -1);
    const zvLoop *loop = zv_model_loop(m, 0);
    assert_string_equal(loop->parent, "two");
    assert_string_equal(loop->child, "hole");
    assert_true(loop->curve.points[8] == 64 && !loop->was_joint);
    assert_string_equal(zv_model_loop(m, 1)->terms[1].joint, "c");
    assert_true(zv_model_loop(m, 1)->terms[1].ratio == -3 && zv_model_loop(m, 1)->offset == 0.25);
    zv_model_destroy(m);
}

static void no_loops_no_constraints(void **state) {
    (void)state;
    zvModel *m = freeze(robot());
    assert_true(!m->tree.closed && zv_model_nloop(m) == 0 && zv_model_nloop_rows(m) == 0);
    assert_int_equal(zv_model_find_loop(m, "a"), -1);
    assert_int_equal(zv_model_nframe(m), 5);
    assert_int_equal(blocks(m), 1);
    zv_model_destroy(m);
}

/* Frames and places ----------------------------------------------------------------------------------- */

static void loops_have_frames(void **state) {
    (void)state;
    for (int free_base = 0; free_base < 2; free_base++) {
        zvBuilder *b = robot();
        zv_builder_set_free_base(b, free_base);
        zvLoop pin = *add_loop(b, "pin", ZV_LOOP_JOINT, ZV_JOINT_REVOLUTE, "two", "hole");
        add_coupling(b, "gear", 2, (zvLoopTerm[]){{"b", 1}, {"c", -1}});
        zvPose hole = zv_builder_frame(b, 0)->pose, at_hole = zv_pose_compose(&hole, &pin.child_origin);
        zvModel *m = freeze(b);
        zvLoopPlace place = zv_model_loop_place(m, 0), gear = zv_model_loop_place(m, 1);
        int two = zv_model_find_frame(m, "two"), three = zv_model_find_frame(m, "three");
        assert_int_equal(zv_model_nframe(m), 4 + free_base + 3);
        assert_int_equal(place.parent, two);
        assert_int_equal(place.child, three);
        assert_int_equal(place.parent_frame, zv_model_find_frame(m, "pin.parent"));
        assert_int_equal(place.child_frame, zv_model_find_frame(m, "pin.child"));
        assert_string_equal(zv_model_frame(m, place.child_frame).link, "three");
        expect_pose(&(zvPose[]){zv_model_frame(m, place.parent_frame).pose}[0], &pin.origin);
        expect_pose(&(zvPose[]){zv_model_frame(m, place.child_frame).pose}[0], &at_hole);
        assert_true(place.row == 0 && place.rows == 5 && gear.row == 5 && gear.rows == 1);
        assert_int_equal(place.ancestor, zv_model_find_frame(m, "base"));
        assert_int_equal(gear.ancestor, zv_model_find_frame(m, "base"));
        assert_true(gear.parent == -1 && gear.child == -1 && gear.parent_frame == -1 && gear.child_frame == -1);
        zv_model_destroy(m);
    }
}

static void rows_by_type(void **state) {
    (void)state;
    static const struct {
        zvLoopKind kind;
        zvJointType type;
        bool ball, driven;
        int rows;
    } cases[] = {
        {ZV_LOOP_JOINT, ZV_JOINT_FIXED, 0, 0, 6},       {ZV_LOOP_JOINT, ZV_JOINT_REVOLUTE, 0, 0, 5},
        {ZV_LOOP_JOINT, ZV_JOINT_CONTINUOUS, 0, 1, 6},  {ZV_LOOP_JOINT, ZV_JOINT_PRISMATIC, 0, 1, 6},
        {ZV_LOOP_JOINT, ZV_JOINT_HELICAL, 0, 0, 5},     {ZV_LOOP_JOINT, ZV_JOINT_CURVE, 0, 0, 5},
        {ZV_LOOP_JOINT, ZV_JOINT_CURVE, 1, 0, 2},       {ZV_LOOP_JOINT, ZV_JOINT_CURVE, 1, 1, 3},
        {ZV_LOOP_JOINT, ZV_JOINT_CYLINDRICAL, 0, 0, 4}, {ZV_LOOP_JOINT, ZV_JOINT_UNIVERSAL, 0, 0, 4},
        {ZV_LOOP_JOINT, ZV_JOINT_PLANAR, 0, 0, 3},      {ZV_LOOP_JOINT, ZV_JOINT_SPHERICAL, 0, 0, 3},
        {ZV_LOOP_ROD, ZV_JOINT_FIXED, 0, 0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        zvBuilder *b = robot();
        zvLoop *loop = add_loop(b, "k", cases[i].kind, cases[i].type, "two", "three");
        loop->ball = cases[i].ball;
        loop->driven = cases[i].driven;
        zvModel *m = freeze(b);
        assert_int_equal(zv_model_nloop_rows(m), cases[i].rows);
        assert_int_equal(m->tree.closed->constraint[0].rows, cases[i].rows);
        zv_model_destroy(m);
    }
}

/* Constraints ----------------------------------------------------------------------------------------- */

/* The turned frame of an end against the named frame that says the same: same place, z along the axis, and one turn Q
 * for both ends. */
static void expect_ends(const zvModel *m, int loop, const double axis[3]) {
    const ziConstraint *constraint = &m->tree.closed->constraint[loop];
    zvLoopPlace place = zv_model_loop_place(m, loop);
    double length = hypot(hypot(axis[0], axis[1]), axis[2]), Q[2][9] = {{0}};
    for (int side = 0; side < 2; side++) {
        const ziConstraintEnd *end = side ? &constraint->b : &constraint->a;
        zvPose frame = zi_frame_in_body(m, side ? place.child_frame : place.parent_frame);
        for (int i = 0; i < 3; i++) {
            double along = 0;
            for (int j = 0; j < 3; j++) along += frame.R[3 * i + j] * axis[j] / length;
            assert_true(fabs(end->R[8 + i] - along) < tight && fabs(end->p[i] - frame.p[i]) < tight);
            for (int j = 0; j < 3; j++) {
                for (int k = 0; k < 3; k++) Q[side][3 * i + j] += frame.R[3 * k + i] * end->R[4 * j + k];
            }
        }
    }
    for (int i = 0; i < 9; i++) assert_true(fabs(Q[0][i] - Q[1][i]) < tight);
}

static void ends_are_turned(void **state) {
    (void)state;
    zvBuilder *b = robot();
    const double axis[3] = {1, -2, 0.5}, axis2[3] = {0.3, 1, 2};
    zvLoop *loop = add_loop(b, "u", ZV_LOOP_JOINT, ZV_JOINT_UNIVERSAL, "hole", "two");
    memcpy(loop->axis, axis, sizeof axis);
    memcpy(loop->axis2, axis2, sizeof axis2);
    loop = add_loop(b, "d", ZV_LOOP_JOINT, ZV_JOINT_CONTINUOUS, "base", "two");
    loop->driven = true;
    loop->value = 0.75;
    memcpy(loop->axis, axis, sizeof axis);
    add_loop(b, "r", ZV_LOOP_ROD, ZV_JOINT_FIXED, "one", "three");
    zvModel *m = freeze(b);
    const ziConstraint *constraint = m->tree.closed->constraint;
    expect_ends(m, 0, axis);
    expect_ends(m, 1, axis);
    expect_ends(m, 2, (double[]){0, 0, 1});
    assert_int_equal(constraint[0].a.body, 3);
    assert_true(constraint[0].b.body == 2 && constraint[0].b.row == 2 && constraint[1].a.row == 0);
    const double *a = constraint[0].joint.data->axis2; /* the angle between the axes is kept */
    double dot = (axis[0] * axis2[0] + axis[1] * axis2[1] + axis[2] * axis2[2]) / sqrt(5.25 * 5.09);
    assert_true(fabs(a[2] - dot) < tight && fabs(hypot(hypot(a[0], a[1]), a[2]) - 1) < tight);
    assert_true(constraint[1].driven && constraint[1].target == 0.75 && constraint[1].joint.type == ZV_JOINT_REVOLUTE &&
                constraint[1].joint.nv == 1);
    assert_true(constraint[2].target == 0.5 && !constraint[2].driven);
    assert_true(m->tree.closed->size >= 0.4);
    zv_model_destroy(m);
}

/* Rotations written with few digits are made rotations. */
static void ends_are_orthonormal(void **state) {
    (void)state;
    zvBuilder *b = robot();
    zvLoop *loop = add_loop(b, "k", ZV_LOOP_JOINT, ZV_JOINT_REVOLUTE, "two", "three");
    for (int i = 0; i < 9; i++) loop->origin.R[i] = round(loop->origin.R[i] * 2e6) / 2e6;
    zvModel *m = freeze(b);
    const double *R = m->tree.closed->constraint[0].a.R;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double dot = R[4 * i] * R[4 * j] + R[4 * i + 1] * R[4 * j + 1] + R[4 * i + 2] * R[4 * j + 2];
            assert_true(fabs(dot - (i == j)) < tight);
        }
    }
    zv_model_destroy(m);
}

/* A follower's own coordinate is coupled to the one that it follows in the end. */
static void followers_are_coupled(void **state) {
    (void)state;
    zvBuilder *b = robot();
    zv_builder_joint(b, 1)->ratio = 2;
    zv_builder_joint(b, 1)->offset = 0.1;
    zvJoint chained = zv_joint_default("d", ZV_JOINT_PRISMATIC, "two", "four");
    chained.mimic = "b2";
    chained.ratio = -3;
    chained.offset = 1;
    zvJoint follower = zv_joint_default("b2", ZV_JOINT_REVOLUTE, "three", "five");
    follower.mimic = "a";
    follower.ratio = 2;
    follower.offset = 0.5;
    add_link(b, "four");
    add_link(b, "five");
    assert_int_equal(zv_builder_add_joint(b, &chained, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_joint(b, &follower, NULL), ZV_OK);
    add_loop(b, "r", ZV_LOOP_ROD, ZV_JOINT_FIXED, "one", "three");
    add_coupling(b, "gear", 2, (zvLoopTerm[]){{"b2", 1}, {"c", 1}});
    zvModel *m = freeze(b);
    const ziClosedTree *c = m->tree.closed;
    assert_int_equal(c->constraints, 4);
    assert_true(c->loop_rows == 2 && c->rows == 4 && zv_model_nloop_rows(m) == 2);
    for (int i = 1; i < 4; i++) assert_int_equal(c->constraint[i].terms, 2);
    for (int i = 2; i < 4; i++) {
        const ziConstraint *constraint = &c->constraint[i];
        bool sliding = m->tree.body[m->tree.dof_body[constraint->term[0].v]].type == ZV_JOINT_PRISMATIC;
        assert_int_equal(constraint->term[1].v, 0);
        assert_true(constraint->term[0].ratio == 1 && constraint->term[1].ratio == (sliding ? 6 : -2));
        assert_true(fabs(constraint->target - (sliding ? -0.5 : 0.5)) < tight);
    }
    int b2 = zv_model_joint_place(m, zv_model_find_joint(m, "b2")).child;
    assert_int_equal(c->constraint[1].term[0].v, m->tree.body[m->link_places[b2].body].v);
    zv_model_destroy(m);
}

/* Elastic links --------------------------------------------------------------------------------------- */

static zvLoop *add_beam_loop(zvBuilder *b, const char *name, const char *parent, double x, const char *child,
                             double y) {
    zvLoop *loop = add_loop(b, name, ZV_LOOP_ROD, ZV_JOINT_FIXED, parent, child);
    loop->origin = zv_pose_from_rpy((double[]){x, 0.05, 0}, (double[]){0, 0, 1});
    loop->child_origin.p[0] = y;
    loop->child_origin.p[1] = 0;
    return loop;
}

/* Sections at which loops end have rows of their own, also where a frame was first. */
static void sections_carry_loops(void **state) {
    (void)state;
    zvBuilder *b = robot();
    add_beam(b, "beam");
    add_joint(b, "d", ZV_JOINT_REVOLUTE, "two", "beam");
    zvFrame middle = zv_frame_default("middle", "beam"), quarter = zv_frame_default("quarter", "beam");
    middle.pose.p[0] = 1;
    quarter.pose.p[0] = 0.5;
    assert_int_equal(zv_builder_add_frame(b, &quarter, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_frame(b, &middle, NULL), ZV_OK);
    add_beam_loop(b, "k1", "beam", 1, "three", 0);
    add_beam_loop(b, "k2", "middle", 1, "base", 0);  /* at the tip */
    add_beam_loop(b, "k3", "beam", 0.25, "beam", 2); /* within the beam */
    zvModel *m = freeze(b);
    const ziTree *t = &m->tree;
    const ziConstraint *constraint = t->closed->constraint;
    static const double at[] = {1, 2, 0.25};
    assert_int_equal(t->ns, 3);
    assert_int_equal(t->body[3].elastic->attachments, 3);
    for (int i = 0; i < 3; i++) {
        const ziAttachment *attachment = &t->attachment[constraint[i].a.row - t->nb];
        assert_true(constraint[i].a.row >= t->nb && constraint[i].a.row < t->nb + t->ns && constraint[i].a.body == 3);
        double along = hypot(hypot(attachment->at[0], attachment->at[1]), attachment->at[2]);
        assert_true(fabs(along - at[i]) < tight);
        assert_true(fabs(hypot(hypot(constraint[i].a.p[0], constraint[i].a.p[1]), constraint[i].a.p[2]) - 0.05) <
                    tight);
    }
    assert_int_equal(constraint[2].b.row, constraint[1].a.row); /* one tip */
    assert_true(constraint[2].ancestor == 3 && constraint[0].ancestor == 0 && constraint[1].ancestor == 0);
    assert_int_equal(m->frame_attachments[2], constraint[0].a.row - t->nb);
    assert_true(m->frame_attachments[1] >= t->ns);
    const ziPassage *p = &t->closed->passage[3];
    size_t width = (size_t)t->closed->front[p->carry].width, whole = (size_t)t->closed->front[p->whole].width;
    assert_true(t->closed->front[p->whole].done == 1 && t->closed->front[p->whole].constraint[0] == 2);
    assert_true(t->closed->e_at[4] - t->closed->e_at[3] == width + 2 * whole);
    zv_model_destroy(m);
}

/* The bound of the first block holds whatever loops there are; fronts are the second. */
static void at_most_two_blocks(void **state) {
    (void)state;
    zvBuilder *b = robot();
    char name[64];
    double points[30];
    for (int i = 0; i < 30; i++) points[i] = i * i;
    add_beam(b, "beam");
    add_joint(b, "d", ZV_JOINT_REVOLUTE, "two", "beam");
    zvLoopTerm terms[] = {{"a", 1}, {"b", 2}, {"c", 3}};
    for (int i = 0; i < 400; i++) {
        snprintf(name, sizeof name, "%0*d", i % 50 + 4, i);
        if (i % 4 == 0) add_beam_loop(b, name, "beam", i * 0.005, "three", 0);
        if (i % 4 == 1) add_coupling(b, name, 3, terms);
        if (i % 4 == 2) {
            zvLoop loop = zv_loop_default(name, ZV_LOOP_JOINT, ZV_JOINT_CURVE, "hole", "two");
            loop.curve = (zvCurve){.kind = ZV_CURVE_SPLINE, .count = 10, .points = points};
            assert_int_equal(zv_builder_add_loop(b, &loop, NULL), ZV_OK);
        }
        if (i % 4 == 3) add_joint(b, name, ZV_JOINT_UNIVERSAL, "two", "three")->cut = true;
    }
    zvModel *m = freeze(b);
    assert_int_equal(zv_model_nloop(m), 400);
    assert_int_equal(zv_model_njoint(m), 4);
    assert_true(blocks(m) <= 2);
    zv_model_destroy(m);
}

TESTS(everything_is_copied, no_loops_no_constraints, loops_have_frames, rows_by_type, ends_are_turned,
      ends_are_orthonormal, followers_are_coupled, sections_carry_loops, at_most_two_blocks)
