/* Builder: what is added, what freeze refuses, and what the frozen model looks like. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "support/run_tests.h"
#include "zveno/builder.h"

static void link(zvBuilder *b, const char *name, double mass) {
    zvLink l = zv_link_default(name);
    l.has_inertia = mass > 0;
    l.inertia.mass = mass;
    if (mass > 0) l.inertia.moment[0] = l.inertia.moment[3] = l.inertia.moment[5] = 0.01 * mass;
    assert_int_equal(zv_builder_add_link(b, &l, NULL), ZV_OK);
}

static zvJoint *joint(zvBuilder *b, const char *name, zvJointType type, const char *parent, const char *child) {
    zvJoint j = zv_joint_default(name, type, parent, child);
    assert_int_equal(zv_builder_add_joint(b, &j, NULL), ZV_OK);
    return zv_builder_joint(b, zv_builder_njoint(b) - 1);
}

static zvModel *freeze(const zvBuilder *b) {
    zvError error = {0};
    zvModel *model = NULL;
    if (zv_builder_freeze(b, &model, &error) != ZV_OK) fail_msg("freeze refuses: %s", error.text);
    return model;
}

static void defaults(void **state) {
    (void)state;
    zvLink l = zv_link_default("a");
    assert_string_equal(l.name, "a");
    assert_true(l.inertia.mass == 0 && !l.has_inertia);
    zvJoint j = zv_joint_default("j", ZV_JOINT_HELICAL, "a", "b");
    assert_string_equal(j.name, "j");
    assert_string_equal(j.parent, "a");
    assert_string_equal(j.child, "b");
    assert_true(j.type == ZV_JOINT_HELICAL && j.axis[0] == 0 && j.axis[1] == 0 && j.axis[2] == 1);
    assert_true(j.origin.R[0] == 1 && j.origin.R[4] == 1 && j.origin.R[8] == 1 && j.origin.R[1] == 0);
    assert_true(j.mimic == NULL && j.ratio == 1 && j.offset == 0 && !j.dof[0].has_limits && j.dof[0].armature == 0);
    zvFrame f = zv_frame_default("tool", "b");
    assert_string_equal(f.link, "b");
    assert_true(f.pose.R[8] == 1);
    zvShape s = zv_shape_default("b", ZV_SHAPE_SPHERE);
    assert_string_equal(s.link, "b");
    assert_true(s.kind == ZV_SHAPE_SPHERE && !s.collision && s.pose.R[0] == 1 && !s.has_color);
    zvBuilder *b = zv_builder_create(NULL);
    double g[3];
    zv_builder_gravity(b, g);
    assert_true(g[0] == 0 && g[1] == 0 && g[2] == -9.81);
    assert_false(zv_builder_free_base(b));
    assert_true(zv_builder_mimic_coupled(b));
    zv_builder_destroy(b);
    zv_builder_destroy(NULL);
}

/* Adding copies: what the caller does with his texts and arrays afterwards does not matter. */
static void adding_copies(void **state) {
    (void)state;
    zvBuilder *b = zv_builder_create(NULL);
    char name[] = "first", file[] = "robot.urdf", mesh[] = "a.stl";
    double points[] = {0, 0, 0, 1, 0, 0};
    zvLink l = zv_link_default(name);
    l.mark = (zvMark){file, 3, 4};
    assert_int_equal(zv_builder_add_link(b, &l, NULL), ZV_OK);
    zvShape s = zv_shape_default(name, ZV_SHAPE_MESH);
    s.mesh = mesh;
    assert_int_equal(zv_builder_add_shape(b, &s, NULL), ZV_OK);
    zvJoint j = zv_joint_default(name, ZV_JOINT_CURVE, name, name);
    j.curve = (zvCurve){.kind = ZV_CURVE_SPLINE, .count = 2, .points = points};
    assert_int_equal(zv_builder_add_joint(b, &j, NULL), ZV_OK);
    zvFrame f = zv_frame_default(name, name);
    assert_int_equal(zv_builder_add_frame(b, &f, NULL), ZV_OK);
    assert_int_equal(zv_builder_set_name(b, name, NULL), ZV_OK);
    memset(name, 'x', sizeof name - 1);
    memset(file, 'x', sizeof file - 1);
    memset(mesh, 'x', sizeof mesh - 1);
    points[3] = 7;
    assert_string_equal(zv_builder_name(b), "first");
    assert_string_equal(zv_builder_link(b, 0)->name, "first");
    assert_string_equal(zv_builder_link(b, 0)->mark.file, "robot.urdf");
    assert_string_equal(zv_builder_shape(b, 0)->mesh, "a.stl");
    assert_string_equal(zv_builder_frame(b, 0)->link, "first");
    assert_string_equal(zv_builder_joint(b, 0)->child, "first");
    assert_true(zv_builder_joint(b, 0)->curve.points[3] == 1);
    zv_builder_destroy(b);
}

static void finding_by_name(void **state) {
    (void)state;
    zvBuilder *b = zv_builder_create(NULL);
    char name[16];
    for (int i = 0; i < 500; i++) {
        snprintf(name, sizeof name, "link%d", i);
        link(b, name, 1);
    }
    joint(b, "j", ZV_JOINT_REVOLUTE, "link0", "link1");
    assert_int_equal(zv_builder_nlink(b), 500);
    assert_int_equal(zv_builder_njoint(b), 1);
    assert_int_equal(zv_builder_nframe(b), 0);
    assert_int_equal(zv_builder_nshape(b), 0);
    assert_int_equal(zv_builder_find_link(b, "link0"), 0);
    assert_int_equal(zv_builder_find_link(b, "link499"), 499);
    assert_int_equal(zv_builder_find_link(b, "link500"), -1);
    assert_int_equal(zv_builder_find_joint(b, "j"), 0);
    assert_int_equal(zv_builder_find_joint(b, "link0"), -1);
    assert_string_equal(zv_builder_keep(b, "text"), "text");
    zv_builder_destroy(b);
}

/* base - a - b with revolute joints "ja" and "jb" */
static zvBuilder *arm(void) {
    zvBuilder *b = zv_builder_create(NULL);
    link(b, "base", 0);
    link(b, "a", 1);
    link(b, "b", 2);
    joint(b, "ja", ZV_JOINT_REVOLUTE, "base", "a");
    joint(b, "jb", ZV_JOINT_REVOLUTE, "a", "b");
    return b;
}

static void no_links(zvBuilder *b) { (void)b; }
static void link_twice(zvBuilder *b) { link(b, "a", 1); }
static void joint_twice(zvBuilder *b) {
    link(b, "c", 1);
    joint(b, "ja", ZV_JOINT_REVOLUTE, "a", "c");
}
static void frame_like_link(zvBuilder *b) {
    zvFrame f = zv_frame_default("a", "b");
    assert_int_equal(zv_builder_add_frame(b, &f, NULL), ZV_OK);
}
static void frame_on_nothing(zvBuilder *b) {
    zvFrame f = zv_frame_default("tool", "bb");
    assert_int_equal(zv_builder_add_frame(b, &f, NULL), ZV_OK);
}
static void nameless(zvBuilder *b) { link(b, "", 1); }
static void unknown_parent(zvBuilder *b) {
    link(b, "c", 1);
    joint(b, "jc", ZV_JOINT_REVOLUTE, "bace", "c");
}
static void unknown_child(zvBuilder *b) { joint(b, "jc", ZV_JOINT_REVOLUTE, "b", "gripper"); }
static void two_parents(zvBuilder *b) { joint(b, "jc", ZV_JOINT_REVOLUTE, "base", "b"); }
static void joined_to_itself(zvBuilder *b) { joint(b, "jc", ZV_JOINT_REVOLUTE, "b", "b"); }
static void two_roots(zvBuilder *b) { link(b, "island", 1); }
static void cycle_aside(zvBuilder *b) {
    link(b, "c", 1);
    link(b, "d", 1);
    joint(b, "jc", ZV_JOINT_REVOLUTE, "c", "d");
    joint(b, "jd", ZV_JOINT_REVOLUTE, "d", "c");
}

typedef struct Refusal {
    void (*spoil)(zvBuilder *b);
    zvStatus status;
    const char *token, *phrase;
} Refusal;

static void freeze_refuses(void **state) {
    (void)state;
    static const Refusal cases[] = {
        {no_links, ZV_TOPOLOGY, "", "expected links in the robot, found none"},
        {link_twice, ZV_NAME, "a", "link \"a\": expected a name that is used once, found it twice"},
        {joint_twice, ZV_NAME, "ja", "joint \"ja\": expected a name that is used once, found it twice"},
        {frame_like_link, ZV_NAME, "a", "frame \"a\": expected a name that is used once, found it twice"},
        {frame_on_nothing, ZV_NAME, "bb", "frame \"tool\""},
        {nameless, ZV_NAME, "", "expected a name of the link, found none"},
        {unknown_parent, ZV_NAME, "bace",
         "expected a parent link, found \"bace\", which does not exist; did you mean \"base\"?"},
        {unknown_child, ZV_NAME, "gripper",
         "joint \"jc\": expected a child link, found \"gripper\", which does not exist"},
        {two_parents, ZV_TOPOLOGY, "b", "found two: it is also the child of joint \"jb\""},
        {joined_to_itself, ZV_TOPOLOGY, "b", "joint \"jc\": expected two links to join, found \"b\" joined to itself"},
        {two_roots, ZV_TOPOLOGY, "island", "\"base\", \"island\""},
        {cycle_aside, ZV_TOPOLOGY, "", "expected a tree of joints, found a cycle through link"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Refusal *r = &cases[i];
        zvBuilder *b = r->spoil == no_links ? zv_builder_create(NULL) : arm();
        r->spoil(b);
        zvModel *model = (zvModel *)b; /* must become NULL */
        zvError error = {0};
        zvStatus status = zv_builder_freeze(b, &model, &error);
        if (status != r->status || error.status != status || model || !strstr(error.text, r->phrase) ||
            (r->token[0] && strcmp(error.token, r->token) != 0)) {
            fail_msg("case %zu gives %s, token \"%s\": %s", i, zv_status_name(status), error.token, error.text);
        }
        assert_int_equal(zv_builder_freeze(b, &model, NULL), r->status);
        zv_builder_destroy(b);
    }
}

static void all_in_one_cycle(void **state) {
    (void)state;
    zvBuilder *b = zv_builder_create(NULL);
    link(b, "a", 1);
    link(b, "b", 1);
    joint(b, "ab", ZV_JOINT_REVOLUTE, "a", "b");
    joint(b, "ba", ZV_JOINT_REVOLUTE, "b", "a");
    zvModel *model = NULL;
    zvError error = {0};
    assert_int_equal(zv_builder_freeze(b, &model, &error), ZV_TOPOLOGY);
    assert_non_null(strstr(error.text, "cycle"));
    zv_builder_destroy(b);
}

static void error_has_the_place(void **state) {
    (void)state;
    zvBuilder *b = arm();
    zv_builder_joint(b, 1)->mark = (zvMark){zv_builder_keep(b, "arm.urdf"), 12, 5};
    memset(zv_builder_joint(b, 1)->axis, 0, 3 * sizeof(double));
    zvModel *model = NULL;
    zvError error = {0};
    char line[1024];
    assert_int_equal(zv_builder_freeze(b, &model, &error), ZV_PHYSICS);
    assert_non_null(strstr(zv_error_line(&error, line, sizeof line),
                           "arm.urdf:12:5: joint \"jb\": expected a direction for its axis, found the zero"));
    zv_builder_joint(b, 1)->axis[0] = 1; /* mended and tried again */
    zv_model_destroy(freeze(b));
    zv_builder_destroy(b);
}

/* Added out of order and before their parents; the model is depth-first, children in file order of their joints. */
static zvBuilder *tree(void) {
    zvBuilder *b = zv_builder_create(NULL);
    static const char *const names[] = {"e", "c", "root", "b", "d", "a"};
    for (int i = 0; i < 6; i++) link(b, names[i], 1 << i);
    joint(b, "re", ZV_JOINT_SPHERICAL, "root", "e");
    joint(b, "ab", ZV_JOINT_REVOLUTE, "a", "b");
    joint(b, "ra", ZV_JOINT_PRISMATIC, "root", "a");
    joint(b, "bc", ZV_JOINT_FIXED, "b", "c");
    joint(b, "ad", ZV_JOINT_CYLINDRICAL, "a", "d");
    zvFrame f = zv_frame_default("tool", "c");
    f.pose.p[0] = 0.25;
    assert_int_equal(zv_builder_add_frame(b, &f, NULL), ZV_OK);
    zvShape s = zv_shape_default("d", ZV_SHAPE_SPHERE);
    s.size[0] = 0.1;
    assert_int_equal(zv_builder_add_shape(b, &s, NULL), ZV_OK);
    assert_int_equal(zv_builder_set_name(b, "tree", NULL), ZV_OK);
    return b;
}

static void order_of_a_tree(void **state) {
    (void)state;
    zvBuilder *b = tree();
    zvModel *m = freeze(b);
    zv_builder_destroy(b); /* the model keeps nothing of it */
    static const char *const links[] = {"root", "e", "a", "b", "c", "d"};
    static const char *const joints[] = {"re", "ra", "ab", "bc", "ad"};
    static const zvJointPlace places[] = {
        {0, 1, 0, 4, 0, 3, -1}, {0, 2, 4, 1, 3, 1, -1}, {2, 3, 5, 1, 4, 1, -1},
        {3, 4, 6, 0, 5, 0, -1}, {2, 5, 6, 2, 5, 2, -1},
    };
    assert_string_equal(zv_model_name(m), "tree");
    assert_int_equal(zv_model_nlink(m), 6);
    assert_int_equal(zv_model_njoint(m), 5);
    assert_int_equal(zv_model_nq(m), 8);
    assert_int_equal(zv_model_nv(m), 7);
    assert_int_equal(zv_model_nbody(m), 5); /* ground, e, a, b with c, d */
    for (int i = 0; i < 6; i++) {
        assert_string_equal(zv_model_link(m, i)->name, links[i]);
        assert_int_equal(zv_model_find_frame(m, links[i]), i);
        assert_int_equal(zv_model_link_joint(m, i), i - 1);
    }
    for (int i = 0; i < 5; i++) {
        zvJointPlace p = zv_model_joint_place(m, i), e = places[i];
        assert_string_equal(zv_model_joint(m, i)->name, joints[i]);
        assert_int_equal(zv_model_find_joint(m, joints[i]), i);
        if (p.parent != e.parent || p.child != e.child || p.q_index != e.q_index || p.nq != e.nq ||
            p.v_index != e.v_index || p.nv != e.nv || p.mimic != e.mimic) {
            fail_msg("joint %s: links %d %d, q %d+%d, v %d+%d, mimic %d", joints[i], p.parent, p.child, p.q_index, p.nq,
                     p.v_index, p.nv, p.mimic);
        }
    }
    assert_true(zv_model_mass(m) == 1 + 2 + 8 + 16 + 32); /* without the root, which is the ground */
    assert_int_equal(zv_model_nframe(m), 7);
    zvFrame tool = zv_model_frame(m, 6);
    assert_string_equal(tool.name, "tool");
    assert_string_equal(tool.link, "c");
    assert_true(tool.pose.p[0] == 0.25);
    assert_int_equal(zv_model_find_frame(m, "tool"), 6);
    assert_int_equal(zv_model_find_frame(m, "nobody"), -1);
    assert_int_equal(zv_model_find_joint(m, "nobody"), -1);
    assert_int_equal(zv_model_frame_body(m, 0), 0);
    assert_int_equal(zv_model_frame_body(m, 6), zv_model_frame_body(m, 3)); /* c is fixed to b */
    assert_int_equal(zv_model_nshape(m), 1);
    assert_string_equal(zv_model_shape(m, 0)->link, "d");
    zv_model_destroy(m);
    zv_model_destroy(NULL);
}

static void free_base(void **state) {
    (void)state;
    zvBuilder *b = arm();
    zv_builder_set_free_base(b, true);
    zv_builder_set_gravity(b, (double[3]){1, 2, 3});
    zvModel *m = freeze(b);
    zv_builder_destroy(b);
    assert_int_equal(zv_model_nlink(m), 4);
    assert_string_equal(zv_model_link(m, 0)->name, "world");
    assert_string_equal(zv_model_link(m, 1)->name, "base");
    assert_string_equal(zv_model_joint(m, 0)->name, "root_joint");
    assert_int_equal(zv_model_joint(m, 0)->type, ZV_JOINT_FREE);
    assert_int_equal(zv_model_nq(m), 9);
    assert_int_equal(zv_model_nv(m), 8);
    zvJointPlace p = zv_model_joint_place(m, 1);
    assert_true(p.q_index == 7 && p.v_index == 6 && p.nq == 1);
    double g[3], q[9];
    zv_model_gravity(m, g);
    assert_true(g[0] == 1 && g[1] == 2 && g[2] == 3);
    zv_neutral(m, q);
    for (int i = 0; i < 9; i++) assert_true(q[i] == (i == 6));
    zv_model_destroy(m);
}

static void mimics(void **state) {
    (void)state;
    zvBuilder *b = arm();
    link(b, "c", 1);
    zvJoint *jc = joint(b, "jc", ZV_JOINT_PRISMATIC, "b", "c");
    jc->mimic = zv_builder_keep(b, "ja");
    jc->ratio = -0.5;
    zvModel *m = freeze(b);
    zvJointPlace p = zv_model_joint_place(m, 2);
    assert_int_equal(zv_model_nq(m), 2);
    assert_int_equal(zv_model_nv(m), 2);
    assert_true(p.mimic == 0 && p.nq == 0 && p.nv == 0 && p.q_index == 0 && p.v_index == 0);
    assert_int_equal(zv_model_joint_place(m, 1).mimic, -1);
    zv_model_destroy(m);
    zv_builder_set_mimic_coupled(b, false);
    m = freeze(b);
    p = zv_model_joint_place(m, 2);
    assert_int_equal(zv_model_nv(m), 3);
    assert_true(p.mimic == -1 && p.nq == 1 && p.nv == 1 && p.q_index == 2 && p.v_index == 2);
    zv_model_destroy(m);
    zv_builder_destroy(b);
}

static void hundred_thousand_links(void **state) {
    (void)state;
    enum { COUNT = 100000 };
    zvBuilder *b = zv_builder_create(NULL);
    char name[2][16], joint_name[16];
    clock_t start = clock();
    for (int i = 0; i <= COUNT; i++) {
        snprintf(name[i % 2], sizeof name[0], "l%d", i);
        link(b, name[i % 2], 1);
        snprintf(joint_name, sizeof joint_name, "j%d", i);
        if (i > 0) joint(b, joint_name, ZV_JOINT_REVOLUTE, name[(i + 1) % 2], name[i % 2]);
    }
    zvModel *m = freeze(b);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    assert_int_equal(zv_model_nv(m), COUNT);
    assert_int_equal(zv_model_find_joint(m, "j100000"), COUNT - 1);
    zv_model_destroy(m);
    zv_builder_destroy(b);
    if (seconds > 60) fail_msg("building and freezing %d links took %g s", COUNT, seconds); /* far from quadratic */
}

/* Programs give types as numbers: what is no row of the table is refused at once. */
static void unknown_types_are_refused(void **state) {
    (void)state;
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    zvJoint joint = zv_joint_default("j", ZV_JOINT_REVOLUTE, "a", "b");
    joint.type = (zvJointType)99;
    assert_int_equal(zv_builder_add_joint(builder, &joint, &error), ZV_SCHEMA);
    assert_non_null(strstr(error.text, "found 99"));
    joint.type = (zvJointType)-1;
    assert_int_equal(zv_builder_add_joint(builder, &joint, &error), ZV_SCHEMA);
    zvLoop loop = zv_loop_default("l", ZV_LOOP_JOINT, ZV_JOINT_REVOLUTE, "a", "b");
    loop.type = (zvJointType)99;
    assert_int_equal(zv_builder_add_loop(builder, &loop, &error), ZV_SCHEMA);
    zv_builder_destroy(builder);
}

TESTS(defaults, unknown_types_are_refused, adding_copies, finding_by_name, freeze_refuses, all_in_one_cycle,
      error_has_the_place, order_of_a_tree, free_base, mimics, hundred_thousand_links)
