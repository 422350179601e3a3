/* Good MJCF: mass matrix and bias of the models in tests/mjcf against those that MuJoCo finds (tests/mjcf/golden.py),
 * and what becomes of every kind of element. */
#include <stdio.h>
#include <stdlib.h>

#include "read/read_text.h"
#include "support/near.h"
#include "support/run_tests.h"
#include "zveno/check.h"
#include "zveno/dynamics.h"
#include "zveno/kinematics.h"
#include "zveno/work.h"

enum { MOST = 32 };

static void read_numbers(FILE *file, double *x, int count) {
    for (int i = 0; i < count; i++) assert_int_equal(fscanf(file, "%lf", &x[i]), 1);
}

static zvModel *model_of(const char *name) {
    char path[512], line[900];
    zvError error = {0};
    zvModel *model = NULL;
    zvBuilder *builder = zv_builder_create(&error);
    snprintf(path, sizeof path, "%s/tests/mjcf/%s.xml", ZV_SOURCE_DIR, name);
    zvStatus status = zv_read_file(builder, path, ZV_FORMAT_AUTO, &error);
    zv_builder_set_mimic_coupled(builder, false); /* all joints are coordinates there */
    if (status == ZV_OK) status = zv_builder_freeze(builder, &model, &error);
    if (status < 0) fail_msg("%s", zv_error_line(&error, line, sizeof line));
    zv_builder_destroy(builder);
    return model;
}

/* Vertices that stand in the file are single precision there, so masses of meshes agree to 1e-7 of the greatest. */
static void numbers_of_another_program(void **state) {
    (void)state;
    FILE *file = fopen(ZV_SOURCE_DIR "/tests/mjcf/golden.txt", "r");
    assert_non_null(file);
    char name[32];
    int nq, nv, states = 0;
    while (fscanf(file, "%31s %d %d", name, &nq, &nv) == 3) {
        double q[MOST], v[MOST], M[MOST * MOST], bias[MOST], M_there[MOST * MOST], bias_there[MOST];
        assert_true(nq <= MOST && nv <= MOST);
        read_numbers(file, q, nq);
        read_numbers(file, v, nv);
        read_numbers(file, M_there, nv * nv);
        read_numbers(file, bias_there, nv);
        zvModel *model = model_of(name);
        assert_int_equal(zv_model_nq(model), nq);
        assert_int_equal(zv_model_nv(model), nv);
        zvWork *work = zv_work_create(model, NULL);
        zv_mass_matrix(model, work, q, M);
        zv_bias(model, work, q, v, bias);
        near_about("%s, state %d", name, states);
        const double tolerance = strcmp(name, "meshes") == 0 ? 1e-7 : 1e-12;
        assert_all_near_scaled("M", nv * nv, M, M_there, tolerance);
        assert_all_near_scaled("bias", nv, bias, bias_there, tolerance);
        zv_work_destroy(work);
        zv_model_destroy(model);
        states++;
    }
    fclose(file);
    assert_int_equal(states, 10);
}

#define WORLD(inside) "<mujoco model=\"m\"><compiler angle=\"radian\"/><worldbody>" inside "</worldbody></mujoco>"
#define MASS "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>"

/* A link of its name for each body, links without mass between joints, a note of what is no contact. */
static void links_and_joints(void **state) {
    (void)state;
    zvBuilder *b = read_named("m.xml", WORLD("<body name=\"a\">" MASS
                                             "<joint name=\"x\" type=\"slide\" range=\"-1 2\" damping=\"3\"/>"
                                             "<joint name=\"y\" axis=\"0 2 0\" pos=\"0 0 1\" stiffness=\"5\" "
                                             "springref=\"0.5\" frictionloss=\"0.1\" armature=\"0.2\" "
                                             "actuatorfrcrange=\"-7 6\"/>"
                                             "<body pos=\"1 0 0\"><joint type=\"ball\"/>" MASS "</body></body>"));
    static const char *const links[] = {"world", "a_x", "a_y", "a", "body2"};
    assert_int_equal(zv_builder_nlink(b), 5);
    for (int i = 0; i < 5; i++) assert_string_equal(zv_builder_link(b, i)->name, links[i]);
    assert_int_equal(zv_builder_njoint(b), 4);
    const zvJoint *x = zv_builder_joint(b, 0), *y = zv_builder_joint(b, 1), *ball = zv_builder_joint(b, 3);
    assert_int_equal(x->type, ZV_JOINT_PRISMATIC);
    assert_true(x->dof[0].has_limits && x->dof[0].lower == -1 && x->dof[0].upper == 2 && x->dof[0].damping == 3);
    assert_int_equal(y->type, ZV_JOINT_CONTINUOUS);
    assert_true(y->axis[1] == 1 && y->dof[0].stiffness == 5 && y->dof[0].rest == 0.5 && y->dof[0].friction == 0.1);
    assert_true(y->dof[0].armature == 0.2 && y->dof[0].effort == 7 && y->origin.p[2] == 1);
    assert_int_equal(zv_builder_joint(b, 2)->type, ZV_JOINT_FIXED);
    assert_int_equal(ball->type, ZV_JOINT_SPHERICAL);
    assert_string_equal(ball->name, "body2_joint");
    zv_builder_destroy(b);
}

/* A joint that follows; a second relation of it, a constant and a relation of tendons are couplings. */
static void equalities(void **state) {
    (void)state;
    static const char text[] =
        "<mujoco><worldbody>"
        "<body name=\"a\"><joint name=\"a\" ref=\"90\"/>" MASS "</body><body name=\"b\"><joint name=\"b\"/>" MASS
        "</body>"
        "<body name=\"c\"><joint name=\"c\"/>" MASS "<site name=\"s\" pos=\"0 0 1\"/></body></worldbody>"
        "<tendon><fixed name=\"t\"><joint joint=\"a\" coef=\"2\"/><joint joint=\"b\" coef=\"3\"/></fixed></tendon>"
        "<equality><joint joint1=\"b\" joint2=\"a\" polycoef=\"0.1 2 0 0 0\"/>"
        "<joint name=\"again\" joint1=\"b\" joint2=\"c\"/><joint name=\"still\" joint1=\"c\" polycoef=\"0.3\"/>"
        "<joint joint1=\"a\" joint2=\"c\" polycoef=\"0 1 1\"/><tendon name=\"sum\" tendon1=\"t\"/>"
        "<connect name=\"off\" active=\"false\" body1=\"a\" body2=\"b\" anchor=\"1 2 3\"/>"
        "<weld site1=\"s\" site2=\"s\"/></equality></mujoco>";
    const double half = 1.5707963267948966;
    zvBuilder *b = read_named("m.xml", text);
    const zvJoint *follower = zv_builder_joint(b, 1);
    assert_string_equal(follower->mimic, "a");
    assert_true(follower->ratio == 2);
    assert_near(follower->offset, 0.1 - 2 * half, 1e-15);
    assert_int_equal(zv_builder_nloop(b), 4);
    const zvLoop *again = zv_builder_loop(b, 0), *still = zv_builder_loop(b, 1), *sum = zv_builder_loop(b, 2);
    assert_string_equal(again->name, "again");
    assert_true(again->kind == ZV_LOOP_COUPLING && again->term_count == 2 && again->terms[1].ratio == -1);
    assert_true(still->term_count == 1 && still->offset == 0.3);
    assert_true(sum->term_count == 2 && sum->terms[0].ratio == 2 && sum->terms[1].ratio == 3);
    assert_near(sum->offset, 2 * half, 1e-15);
    const zvLoop *off = zv_builder_loop(b, 3);
    assert_true(off->open && off->type == ZV_JOINT_SPHERICAL && off->child_origin.p[2] == 3);
    bool polynomial = false, idle = false;
    for (int i = 0; i < zv_builder_nremark(b); i++) {
        polynomial = polynomial || strstr(zv_builder_remark(b, i)->why, "terms of higher order");
        idle = idle || strcmp(zv_builder_remark(b, i)->rule, "idle-equality") == 0;
    }
    assert_true(polynomial && idle);
    zv_builder_destroy(b);
}

/* Shapes of all kinds; half lengths there, lengths here. */
static void shapes(void **state) {
    (void)state;
    static const char text[] =
        "<mujoco><compiler meshdir=\"m\"/><asset><mesh name=\"f\" file=\"d/f.stl\" scale=\"2 2 2\" refpos=\"1 0 0\"/>"
        "<mesh file=\"g.obj\"/><material name=\"red\" rgba=\"1 0 0 1\"/></asset>"
        "<worldbody><geom type=\"plane\" size=\"1 1 1\"/><geom type=\"box\" size=\"1 2 3\" material=\"red\"/>"
        "<geom type=\"capsule\" size=\"1 2\" group=\"3\"/><geom type=\"cylinder\" size=\"1 2\" rgba=\"0 1 0 1\"/>"
        "<geom type=\"ellipsoid\" size=\"1 2 4\"/><geom type=\"mesh\" mesh=\"f\"/><geom type=\"mesh\" mesh=\"g\"/>"
        "</worldbody></mujoco>";
    zvBuilder *b = read_named("m.xml", text);
    assert_int_equal(zv_builder_nshape(b), 8);
    const zvShape *box = zv_builder_shape(b, 0), *ball = zv_builder_shape(b, 2), *mesh = zv_builder_shape(b, 6);
    assert_true(box->kind == ZV_SHAPE_BOX && box->size[2] == 6 && box->color[0] == 1 && !box->collision);
    assert_true(zv_builder_shape(b, 1)->size[1] == 4 && zv_builder_shape(b, 1)->collision);
    assert_true(ball->kind == ZV_SHAPE_SPHERE && ball->pose.p[2] == -2);
    assert_near(zv_builder_shape(b, 5)->size[0], 2, 1e-15);
    assert_string_equal(mesh->mesh, "m/d/f.stl");
    assert_true(mesh->size[0] == 2 && mesh->pose.p[0] == -2);
    assert_string_equal(zv_builder_shape(b, 7)->mesh, "m/g.obj");
    zv_builder_destroy(b);
}

typedef struct RemarkCase {
    const char *text, *rule, *words;
    int column;
    zvSeverity severity;
} RemarkCase;

#define TELL(rule, words, column, text) \
    { text, rule, words, column, ZV_SEVERITY_WARNING }
#define BODY(inside) "<mujoco><worldbody><body>" MASS "<joint name=\"j\"/>" inside "</body></worldbody></mujoco>"

/* What is left out is told with its place. */
static void remarks(void **state) {
    (void)state;
    static const RemarkCase cases[] = {
        TELL("not-modelled", "spatial tendon", 62,
             "<mujoco><worldbody><body/></worldbody><tendon><spatial name=\"t\"/></tendon></mujoco>"),
        TELL("not-modelled", "density and viscosity", 9,
             "<mujoco><option density=\"1.2\"/><worldbody><body/></worldbody></mujoco>"),
        TELL("not-modelled", "plugins", 9,
             "<mujoco><extension><plugin plugin=\"x\"/></extension><worldbody><body/></worldbody></mujoco>"),
        TELL("not-modelled", "deformable", 9,
             "<mujoco><deformable><flex name=\"x\"/></deformable><worldbody><body/></worldbody></mujoco>"),
        TELL("not-modelled", "attached model", 20, "<mujoco><worldbody><attach model=\"x\"/></worldbody></mujoco>"),
        TELL("not-modelled", "this element stands for", 20, "<mujoco><worldbody><composite/></worldbody></mujoco>"),
        TELL("not-modelled", "alignfree", 9,
             "<mujoco><compiler alignfree=\"true\"/><worldbody><body/></worldbody></mujoco>"),
        TELL("unknown-element", "<joints> is not an element", 20, "<mujoco><worldbody><joints/></worldbody></mujoco>"),
        TELL("unknown-element", "<world> is not an element", 9, "<mujoco><world/><worldbody/></mujoco>"),
        TELL("unknown-attribute", "poss=\"...\" is not an attribute of <body>", 26,
             "<mujoco><worldbody><body poss=\"1 2 3\"/></worldbody></mujoco>"),
        {"<mujoco><worldbody/><actuator><motor/></actuator></mujoco>", "of-scenario", "actuators", 21,
         ZV_SEVERITY_NOTE},
        {"<mujoco><worldbody/><keyframe><key/></keyframe></mujoco>", "of-scenario", "keyframes", 21, ZV_SEVERITY_NOTE},
        {"<mujoco><worldbody><body gravcomp=\"1\"/></worldbody></mujoco>", "of-scenario", "gravcomp", 20,
         ZV_SEVERITY_NOTE},
        {"<mujoco><worldbody><geom size=\"1\"/></worldbody></mujoco>", "no-contacts", "contacts", 20, ZV_SEVERITY_NOTE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        zvBuilder *b = read_named("m.xml", cases[i].text);
        bool found = false;
        for (int k = 0; k < zv_builder_nremark(b); k++) {
            const zvRemark *r = zv_builder_remark(b, k);
            found =
                found || (strcmp(r->rule, cases[i].rule) == 0 && strstr(r->why, cases[i].words) &&
                          r->severity == cases[i].severity && r->mark.line == 1 && r->mark.column == cases[i].column);
        }
        if (!found) fail_msg("%s: no remark %s: %s", cases[i].text, cases[i].rule, cases[i].words);
        zv_builder_destroy(b);
    }
}

/* Numbers of joints that have no place here. */
static void remarks_of_joints(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"<body pos=\"1 0 0\">" MASS "<joint type=\"ball\" range=\"0 1\"/></body>", "the range of the ball joint"},
        {"<body>" MASS "<joint springdamper=\"1 1\"/></body>", "springdamper"},
        {"<body>" MASS "<joint stiffness=\"1 2 3\"/></body>", "terms of higher order"},
        {"<body>" MASS "<joint springyield=\"1\"/></body>", "springyield"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600];
        snprintf(text, sizeof text, "<mujoco><worldbody><body>%s<joint name=\"j\"/>%s</body></worldbody></mujoco>",
                 MASS, cases[i][0]);
        zvBuilder *b = read_named("m.xml", text);
        bool found = false;
        for (int k = 0; k < zv_builder_nremark(b); k++)
            found = found || strstr(zv_builder_remark(b, k)->why, cases[i][1]);
        if (!found) fail_msg("%s is not told", cases[i][1]);
        zv_builder_destroy(b);
    }
}

/* A tendon of one joint gives it its spring, one of two joints is told; so is the mass of a mesh that is missing. */
static void tendons_and_missing_meshes(void **state) {
    (void)state;
    zvBuilder *b = read_named(
        "nowhere/m.xml",
        "<mujoco><asset><mesh file=\"a.stl\"/></asset><worldbody><geom type=\"mesh\" mesh=\"a\"/>"
        "<body name=\"p\"><joint name=\"j\" stiffness=\"1\" springref=\"0\"/>" MASS "</body>"
        "<body name=\"s\"><geom type=\"mesh\" mesh=\"a\"/></body>"
        "<body name=\"q\"><joint name=\"k\"/><geom type=\"mesh\" mesh=\"a\"/><geom size=\"1\"/></body></worldbody>"
        "<tendon><fixed stiffness=\"2\" springlength=\"0.5\" damping=\"3\"><joint joint=\"j\" coef=\"2\"/></fixed>"
        "<fixed damping=\"3\"><joint joint=\"j\" coef=\"2\"/><joint joint=\"k\" "
        "coef=\"2\"/></fixed></tendon></mujoco>");
    const zvDof *dof = &zv_builder_joint(b, 0)->dof[0];
    assert_true(dof->stiffness == 9 && dof->damping == 12);
    assert_near(dof->rest, 8 * 0.25 / 9, 1e-15);
    int warnings = 0, notes = 0;
    for (int k = 0; k < zv_builder_nremark(b); k++) {
        const zvRemark *r = zv_builder_remark(b, k);
        if (strcmp(r->rule, "missing-mesh") == 0) *(r->severity == ZV_SEVERITY_NOTE ? &notes : &warnings) += 1;
        if (strcmp(r->rule, "not-modelled") == 0) assert_non_null(strstr(r->why, "of several joints"));
    }
    assert_int_equal(warnings, 1);
    assert_int_equal(notes, 1);
    zv_builder_destroy(b);
}

TESTS(numbers_of_another_program, links_and_joints, equalities, shapes, remarks, remarks_of_joints,
      tendons_and_missing_meshes)
