/* URDF as it is found: what other readers let pass, and what tools add that changes how a robot moves. The same robot
 * is written in the native format, or its numbers by hand, wherever something is converted. */
#include <math.h>
#include <string.h>

#include "read/read_text.h"
#include "support/near.h"
#include "support/run_tests.h"
#include "zveno/check.h"
#include "zveno/dynamics.h"
#include "zveno/kinematics.h"
#include "zveno/loops.h"

#define BODY(name, mass)                                                                   \
    "<link name='" name "'><inertial><origin xyz='0.1 0.02 0.2'/><mass value='" mass "'/>" \
    "<inertia ixx='0.1' iyy='0.2' izz='0.15' ixy='0.01'/></inertial></link>"
#define JOINT(name, type, parent, child, inside) \
    "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>" inside "</joint>"

static zvModel *freeze(zvBuilder *builder) {
    zvError error = {0};
    zvModel *model = NULL;
    if (zv_builder_freeze(builder, &model, &error) != ZV_OK) fail_msg("%s", error.text);
    zv_builder_destroy(builder);
    return model;
}

static zvModel *model_of(const char *name, const char *text) { return freeze(read_named(name, text)); }

enum { MOST = 6 };

/* Mass matrices, bias forces and poses of the last link agree at one position; b may have the same coordinates only. */
static void assert_same_motion(zvModel *a, zvModel *b, const char *tip) {
    const int nv = zv_model_nv(a);
    assert_int_equal(nv, zv_model_nv(b));
    assert_int_equal(zv_model_nq(a), zv_model_nq(b));
    assert_true(nv <= MOST && zv_model_nq(a) <= MOST + 1);
    double v[MOST], q[MOST + 1], M[2][MOST * MOST], h[2][MOST];
    zvPose pose[2];
    zvModel *models[2] = {a, b};
    for (int i = 0; i < nv; i++) v[i] = 0.3 + 0.2 * i;
    zv_neutral(a, q);
    zv_position_add(a, q, v, q);
    for (int k = 0; k < 2; k++) {
        zvWork *work = zv_work_create(models[k], NULL);
        assert_non_null(work);
        zv_mass_matrix(models[k], work, q, M[k]);
        zv_bias(models[k], work, q, v, h[k]);
        zv_frame_pose(models[k], work, q, zv_model_find_frame(models[k], tip), &pose[k]);
        zv_work_destroy(work);
        zv_model_destroy(models[k]);
    }
    for (int i = 0; i < nv * nv; i++) assert_close(M[0][i], M[1][i], 1e-13);
    for (int i = 0; i < nv; i++) assert_close(h[0][i], h[1][i], 1e-12);
    for (int i = 0; i < 3; i++) assert_close(pose[0].p[i], pose[1].p[i], 1e-14);
    for (int i = 0; i < 9; i++) assert_close(pose[0].R[i], pose[1].R[i], 1e-14);
}

static void declarations(void **state) {
    (void)state;
    static const char *const heads[] = {"<?xml version=\"0.0\" ?>\n",
                                        "<?xml version='0.00'?>\n",
                                        "<!-- made by hand -->\n<?xml version='1.0'?>\n",
                                        "\n\n<?xml version='1.0' encoding='UTF-8'?>\n",
                                        "<?xml version='0.0'?><!-- <?xml version='1.0'?> -->",
                                        "<!-- <?xml -->\n<?xml version='1.0'?>",
                                        "<!-- <?xml -->"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        char text[300];
        snprintf(text, sizeof text, "%s<robot name='r'><link name='a'/></robot>", heads[i]);
        zvBuilder *b = read_named("head.urdf", text);
        assert_int_equal(zv_builder_nlink(b), 1);
        int lines = 1;
        for (const char *c = heads[i]; *c; c++) lines += *c == '\n';
        assert_int_equal(zv_builder_link(b, 0)->mark.line, lines);
        zv_builder_destroy(b);
    }
}

static void zero_bytes_at_the_end(void **state) {
    (void)state;
    static const char text[] = "<robot><link name='a'/></robot>\r\n\0\0";
    zvError error = {0};
    zvBuilder *b = zv_builder_create(&error);
    assert_int_equal(zv_read_memory(b, "zero.urdf", text, sizeof text, ZV_FORMAT_AUTO, &error), ZV_OK);
    zv_builder_destroy(b);
}

/* The first of two elements holds. */
static void twice(void **state) {
    (void)state;
    zvBuilder *b =
        read_named("twice.urdf", "<robot><link name='a'/><link name='b'><inertial><mass value='2'/>"
                                 "<inertia ixx='1' iyy='1' izz='1'/></inertial><inertial/></link>" JOINT(
                                     "j", "continuous", "a", "b", "<axis xyz='0 1 0'/><axis xyz='0 0 1'/>") "</robot>");
    assert_int_equal(zv_builder_nremark(b), 2);
    assert_true(zv_builder_link(b, 1)->inertia.mass == 2);
    assert_true(zv_builder_joint(b, 0)->axis[1] == 1);
    zv_builder_destroy(b);
}

/* Fixed and floating joints have no axis, whatever stands there; an <inertial> without moments is a point mass. */
static void what_has_no_effect(void **state) {
    (void)state;
    zvBuilder *b =
        read_named("loose.urdf",
                   "<robot><link name='a'/><link name='b'><inertial><origin xyz='1 0 0'/><mass value='2'/></inertial>"
                   "</link><link name='c'><inertial><inertia ixx='1' iyy='1' izz='1'/></inertial></link>" JOINT(
                       "j", "fixed", "a", "b", "<axis xzy='0 0 1'/><mimic joint='nobody' multiplier='x'/>")
                       JOINT("k", "floating", "a", "c", "<axis xyz='none'/>") "</robot>");
    assert_true(zv_builder_link(b, 1)->inertia.mass == 2 && zv_builder_link(b, 1)->inertia.com[0] == 1);
    assert_false(zv_builder_link(b, 2)->has_inertia);
    assert_null(zv_builder_joint(b, 0)->mimic);
    zv_builder_destroy(b);
}

/* Rotor inertia x reduction^2, wherever the two stand; two motors of one joint add up. */
static void rotors(void **state) {
    (void)state;
    zvBuilder *b = read_named(
        "rotors.urdf",
        "<robot><link name='a'/>" BODY("b", "1") BODY("c", "1") BODY("d", "1") JOINT("j", "continuous", "a", "b", "")
            JOINT("k", "continuous", "b", "c", "") JOINT(
                "l", "continuous", "c", "d",
                "") "<transmission name='t'><type>transmission_interface/SimpleTransmission</type><joint name='j'/>"
                    "<actuator name='m'><mechanicalReduction>1</mechanicalReduction><drake:gear_ratio value='160.0'/>"
                    "<drake:rotor_inertia value='0.0001321'/></actuator></transmission>"
                    "<ros2_control><transmission><joint name='k'><mechanical_reduction> 50 "
                    "</mechanical_reduction></joint>"
                    "<actuator name='m'><rotorInertia>2e-4</rotorInertia></actuator></transmission>"
                    "<transmission><joint name='k'/><actuator name='n'><rotor_inertia>0.5</rotor_inertia></actuator>"
                    "</transmission></ros2_control>"
                    "<transmission name='u'><joint name='l'/><actuator "
                    "name='m'><mechanicalReduction>80</mechanicalReduction>"
                    "</actuator></transmission></robot>");
    assert_close(zv_builder_joint(b, 0)->dof[0].armature, 0.0001321 * 160 * 160, 1e-15);
    assert_close(zv_builder_joint(b, 1)->dof[0].armature, 2e-4 * 50 * 50 + 0.5, 1e-15);
    assert_true(zv_builder_joint(b, 2)->dof[0].armature == 0);
    assert_int_equal(zv_builder_nremark(b), 1); /* of the reduction without a rotor */
    zv_builder_destroy(b);
}

static void springs(void **state) {
    (void)state;
    zvBuilder *b = read_named(
        "spring.urdf",
        "<robot><link name='a'/>" BODY("b", "1")
            JOINT("j", "continuous", "a", "b",
                  "") "<gazebo reference='j'><springStiffness>30</springStiffness><springReference value='0.2'/>"
                      "</gazebo><gazebo reference='nobody'><turnGravityOff>1</turnGravityOff></gazebo></robot>");
    assert_true(zv_builder_joint(b, 0)->dof[0].stiffness == 30);
    assert_true(zv_builder_joint(b, 0)->dof[0].rest == 0.2);
    assert_int_equal(zv_builder_nremark(b), 0);
    zv_builder_destroy(b);
}

static void quaternions(void **state) {
    (void)state;
    zvBuilder *b = read_named(
        "quaternion.urdf", "<robot version='1.2'><link name='a'/><link name='b'/><link name='c'/>" JOINT(
                               "j", "fixed", "a", "b", "<origin xyz='1 2 3' quat_xyzw='0.5 -0.5 0.5 0.5'/>")
                               JOINT("k", "fixed", "b", "c", "<origin rpy='0 0 0' quat_xyzw='0 0 0 1'/>") "</robot>");
    /* a third of a turn about (1, -1, 1): x to z, y to -x, z to -y */
    static const double R[9] = {0, -1, 0, 0, 0, -1, 1, 0, 0};
    for (int i = 0; i < 9; i++) assert_close(zv_builder_joint(b, 0)->origin.R[i], R[i], 1e-15);
    zv_builder_destroy(b);
}

/* Joints of pybullet and Drake are those of the native format. */
static void more_types(void **state) {
    (void)state;
    static const char urdf[] = "<robot><link name='a'/>" BODY("b", "1") BODY("c", "2")
        BODY("d", "3") "<drake:joint name='s' type='screw'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/>"
                       "<drake:screw_thread_pitch value='0.05'/></drake:joint>"
                       "<drake:joint name='u' type='universal'><parent link='b'/><child link='c'/><origin xyz='0 0 "
                       "1'/></drake:joint>" JOINT(
                           "p", "spherical", "c", "d",
                           "<origin xyz='0 1 0'/><limit effort='1' velocity='1' twist='0.3'/>") "</robot>";
    static const char native[] =
        "zveno: 1\nlinks:\n- {name: a}\n"
        "- {name: b, mass: 1, com: [0.1, 0.02, 0.2], inertia: [0.1, 0.01, 0, 0.2, 0, 0.15]}\n"
        "- {name: c, mass: 2, com: [0.1, 0.02, 0.2], inertia: [0.1, 0.01, 0, 0.2, 0, 0.15]}\n"
        "- {name: d, mass: 3, com: [0.1, 0.02, 0.2], inertia: [0.1, 0.01, 0, 0.2, 0, 0.15]}\njoints:\n"
        "- {name: s, type: helical, parent: a, child: b, axis: z, pitch: 0.007957747154594767}\n"
        "- {name: u, type: universal, parent: b, child: c, axis: x, axis2: y, origin: {xyz: [0, 0, 1]}}\n"
        "- {name: p, type: spherical, parent: c, child: d, origin: {xyz: [0, 1, 0]}}\n";
    assert_same_motion(model_of("more.urdf", urdf), model_of("more.yaml", native), "d");
}

/* Who follows a fixed joint stands where its relation puts it; who follows that one, too. */
static void followers_of_fixed_joints(void **state) {
    (void)state;
    static const char urdf[] = "<robot><link name='a'/>" BODY("b", "1") BODY("c", "2") BODY("d", "3") BODY("e", "1.5")
        BODY("f", "1") JOINT("j", "continuous", "a", "b", "<axis xyz='0 0 1'/>") JOINT("x", "fixed", "b", "c",
                                                                                       "<origin xyz='0 1 0'/>")
            JOINT("k", "revolute", "c", "d",
                  "<origin xyz='0 0 1'/><axis xyz='0 2 0'/><limit lower='-1' upper='1'/>"
                  "<mimic joint='x' multiplier='3' offset='0.4'/>")
                JOINT("l", "prismatic", "d", "e", "<axis xyz='1 0 0'/><mimic joint='k' multiplier='-2' offset='1'/>")
                    JOINT("m", "continuous", "e", "f", "<axis xyz='1 0 0'/>") "</robot>";
    static const char held[] = "<robot><link name='a'/>" BODY("b", "1") BODY("c", "2") BODY("d", "3") BODY("e", "1.5")
        BODY("f", "1") JOINT("j", "continuous", "a", "b", "<axis xyz='0 0 1'/>")
            JOINT("x", "fixed", "b", "c", "<origin xyz='0 1 0'/>")
                JOINT("k", "fixed", "c", "d", "<origin xyz='0 0 1' rpy='0 0.4 0'/>")
                    JOINT("l", "fixed", "d", "e", "<origin xyz='0.2 0 0'/>")
                        JOINT("m", "continuous", "e", "f", "<axis xyz='1 0 0'/>") "</robot>";
    assert_same_motion(model_of("followers.urdf", urdf), model_of("held.urdf", held), "f");
    zvBuilder *b = read_named("free.urdf", urdf);
    zv_builder_set_mimic_coupled(b, false);
    zvModel *model = freeze(b);
    assert_int_equal(zv_model_nv(model), 4);
    zv_model_destroy(model);
}

typedef struct Count {
    const char *rule;
    int notes, warnings, fatal;
} Count;

static bool count(void *context, const zvFinding *f) {
    Count *c = context;
    if (strcmp(f->rule, c->rule) != 0) return true;
    c->notes += f->severity == ZV_SEVERITY_NOTE;
    c->warnings += f->severity == ZV_SEVERITY_WARNING;
    c->fatal += f->fatal;
    return true;
}

/* Refused while it counts, told when it does not. */
static void followers_of_nobody(void **state) {
    (void)state;
    zvBuilder *b = read_named("nobody.urdf", "<robot><link name='a'/>" BODY("b", "1") JOINT(
                                                 "j", "continuous", "a", "b", "<mimic joint='nobody'/>") "</robot>");
    Count coupled = {.rule = "unknown-mimic"}, loose = coupled;
    zvError error = {0};
    zvModel *model = NULL;
    assert_int_equal(zv_check(b, count, &coupled, &error), ZV_OK);
    assert_int_equal(coupled.fatal, 1);
    assert_int_equal(zv_builder_freeze(b, &model, &error), ZV_NAME);
    assert_non_null(strstr(error.text, "--mimic free"));
    zv_builder_set_mimic_coupled(b, false);
    assert_int_equal(zv_check(b, count, &loose, &error), ZV_OK);
    assert_int_equal(loose.fatal, 0);
    assert_int_equal(loose.warnings, 1);
    model = freeze(b);
    assert_int_equal(zv_model_nv(model), 1);
    zv_model_destroy(model);
}

/* A joint that is held has no coordinate to couple. */
static void held_joints_are_not_coupled(void **state) {
    (void)state;
    zvError error = {0};
    zvModel *model = NULL;
    zvBuilder *b = read_named(
        "coupled.urdf",
        "<robot><link name='a'/><link name='o'/>" BODY("b", "1") BODY("c", "1") JOINT("x", "fixed", "a", "o", "")
            JOINT("j", "continuous", "a", "b", "<mimic joint='x'/>")
                JOINT("k", "continuous", "a", "c", "") "<coupling name='g'><predecessor link='b'/><successor "
                                                       "link='c'/><ratio value='2'/></coupling></robot>");
    assert_int_equal(zv_builder_freeze(b, &model, &error), ZV_SCHEMA);
    assert_non_null(strstr(error.text, "follows a fixed one"));
    zv_builder_destroy(b);
}

static void world(void **state) {
    (void)state;
    zvBuilder *b = read_named("world.urdf", "<robot>" BODY("a", "1") JOINT("w", "fixed", "world", "a", "")
                                                BODY("b", "1") JOINT("j", "continuous", "a", "b", "") "</robot>");
    zvModel *model = freeze(b);
    assert_int_equal(zv_model_nv(model), 1);
    assert_string_equal(zv_model_link(model, 0)->name, "world");
    zv_model_destroy(model);
}

/* Four-bar linkage: crank 0.4 and rocker 0.6 stand 1 apart, coupler 0.9. */
#define BARS                                                                                           \
    "<robot><link name='g'/>" BODY("crank", "1") BODY("coupler", "2") BODY("rocker", "1.5")            \
        JOINT("j", "continuous", "g", "crank", "<axis xyz='0 0 1'/>")                                  \
            JOINT("k", "continuous", "crank", "coupler", "<origin xyz='0.4 0 0'/><axis xyz='0 0 1'/>") \
                JOINT("l", "continuous", "g", "rocker", "<origin xyz='1 0 0' rpy='0 0 1.5'/><axis xyz='0 0 1'/>")

static const char bars_native[] =
    "zveno: 1\nlinks:\n- {name: g}\n"
    "- {name: crank, mass: 1, com: [0.1, 0.02, 0.2], inertia: [0.1, 0.01, 0, 0.2, 0, 0.15]}\n"
    "- {name: coupler, mass: 2, com: [0.1, 0.02, 0.2], inertia: [0.1, 0.01, 0, 0.2, 0, 0.15]}\n"
    "- {name: rocker, mass: 1.5, com: [0.1, 0.02, 0.2], inertia: [0.1, 0.01, 0, 0.2, 0, 0.15]}\njoints:\n"
    "- {name: j, type: continuous, parent: g, child: crank}\n"
    "- {name: k, type: continuous, parent: crank, child: coupler, origin: {xyz: [0.4, 0, 0]}}\n"
    "- {name: l, type: continuous, parent: g, child: rocker, origin: {xyz: [1, 0, 0], rpy: [0, 0, 1.5]}}\n"
    "loops:\n- {name: m, type: TYPE, parent: coupler, child: rocker, origin: {xyz: [0.9, 0, 0], rpy: [0, 0, 0.3]}, "
    "child_origin: {xyz: [0.6, 0, 0]}}\n";

/* The conditions of all loops at one position: rows, and how far each is from holding. */
static int gaps_of(const char *name, const char *text, double *gap, int most) {
    zvModel *model = model_of(name, text);
    const int rows = zv_model_nloop_rows(model);
    assert_true(rows <= most);
    zvWork *work = zv_work_create(model, NULL);
    assert_non_null(work);
    static const double q[3] = {0.3, 0.5, -0.2};
    zv_loop_gaps(model, work, NULL, q, NULL, gap, NULL);
    zv_work_destroy(work);
    zv_model_destroy(model);
    return rows;
}

static void loops(void **state) {
    (void)state;
    static const struct {
        const char *urdf, *type;
    } same[] = {
        {BARS "<loop_joint name='m' type='continuous'><axis xyz='0 0 1'/><link1 link='coupler' xyz='0.9 0 0' rpy='0 0 "
              "0.3'/><link2 link='rocker' rpy='0 0 0' xyz='0.6 0 0'/></loop_joint></robot>",
         "continuous"},
        {BARS
         "<loop name='m' type='continuous'><axis xyz='0 0 1'/><predecessor link='coupler'><origin xyz='0.9 0 0' "
         "rpy='0 0 0.3'/></predecessor><successor link='rocker'><origin xyz='0.6 0 0'/></successor></loop></robot>",
         "continuous"},
        {BARS "<loop name='m' type='position'><predecessor link='coupler'/><predecessor_origin xyz='0.9 0 0' rpy='0 0 "
              "0.3'/><successor link='rocker'/><successor_origin xyz='0.6 0 0'/></loop></robot>",
         "spherical"},
        {BARS "<loop name='m'><predecessor name='coupler'><origin xyz='0.9 0 0' rpy='0 0 0.3'/></predecessor>"
              "<sucessor name='rocker'><origin xyz='0.6 0 0'/></sucessor></loop></robot>",
         "spherical"},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        char native[1600], *type;
        double gap[2][6];
        strcpy(native, bars_native);
        type = strstr(native, "TYPE");
        const size_t length = strlen(same[i].type);
        memmove(type + length, type + 4, strlen(type + 4) + 1);
        memcpy(type, same[i].type, length);
        const int rows = gaps_of("loop.urdf", same[i].urdf, gap[0], 6);
        assert_int_equal(rows, gaps_of("loop.yaml", native, gap[1], 6));
        assert_int_equal(rows, i < 2 ? 5 : 3);
        for (int k = 0; k < rows; k++) assert_close(gap[0][k], gap[1][k], 1e-15);
    }
}

/* 3 (q_k + ...) up to the predecessor is what turns up to the successor; shared joints do not count. */
static void couplings(void **state) {
    (void)state;
    static const char *const forms[] = {
        "<coupling name='m'><predecessor link='d'/><successor link='e'/><ratio value='3'/>"
        "</coupling></robot>",
        "<loop name='m' type='rolling'><predecessor link='d'/><successor link='e'/>"
        "<ratio>3</ratio></loop></robot>"};
    for (int i = 0; i < 2; i++) {
        char text[2400];
        snprintf(text, sizeof text, "%s%s",
                 "<robot><link name='a'/>" BODY("b", "1") BODY("c", "1") BODY("d", "1") BODY("e", "1")
                     JOINT("shared", "continuous", "a", "b", "") JOINT("k", "continuous", "b", "c", "")
                         JOINT("l", "continuous", "c", "d", "") JOINT("m2", "continuous", "b", "e", ""),
                 forms[i]);
        zvBuilder *b = read_named("coupling.urdf", text);
        assert_int_equal(zv_builder_nloop(b), 1);
        const zvLoop *loop = zv_builder_loop(b, 0);
        assert_int_equal(loop->kind, ZV_LOOP_COUPLING);
        assert_int_equal(loop->term_count, 3);
        static const char *const names[] = {"l", "k", "m2"};
        static const double ratios[] = {3, 3, -1};
        for (int t = 0; t < 3; t++) {
            assert_string_equal(loop->terms[t].joint, names[t]);
            assert_true(loop->terms[t].ratio == ratios[t]);
        }
        zv_model_destroy(freeze(b));
    }
}

TESTS(declarations, zero_bytes_at_the_end, twice, what_has_no_effect, rotors, springs, quaternions, more_types,
      followers_of_fixed_joints, followers_of_nobody, held_joints_are_not_coupled, world, loops, couplings)
