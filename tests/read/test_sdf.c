/* SDF: random robots written with poses relative to anything, axes in any frame and rotations in every form, against
 * the same robots built in code by quaternions; the rest of the format, and error texts. */
#include <stdlib.h>
#include <string.h>

#include "support/near.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"
#include "zveno/dynamics.h"
#include "zveno/kinematics.h"
#include "zveno/read.h"
#include "zveno/work.h"

/* Position and quaternion x y z w. */
typedef struct Place {
    double p[3], e[4];
} Place;

static void turn(const double e[4], const double v[3], double out[3]) {
    const double x = e[0], y = e[1], z = e[2], w = e[3];
    const double t[3] = {2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])};
    out[0] = v[0] + w * t[0] + y * t[2] - z * t[1];
    out[1] = v[1] + w * t[1] + z * t[0] - x * t[2];
    out[2] = v[2] + w * t[2] + x * t[1] - y * t[0];
}

/* b seen from a. */
static Place relative(const Place *a, const Place *b) {
    Place r;
    const double c[4] = {-a->e[0], -a->e[1], -a->e[2], a->e[3]};
    const double d[3] = {b->p[0] - a->p[0], b->p[1] - a->p[1], b->p[2] - a->p[2]}, *e = b->e;
    turn(c, d, r.p);
    r.e[0] = c[3] * e[0] + c[0] * e[3] + c[1] * e[2] - c[2] * e[1];
    r.e[1] = c[3] * e[1] + c[1] * e[3] + c[2] * e[0] - c[0] * e[2];
    r.e[2] = c[3] * e[2] + c[2] * e[3] + c[0] * e[1] - c[1] * e[0];
    r.e[3] = c[3] * e[3] - c[0] * e[0] - c[1] * e[1] - c[2] * e[2];
    return r;
}

static zvPose pose_of(const Place *x) {
    zvPose pose = zv_pose_identity();
    memcpy(pose.p, x->p, sizeof pose.p);
    for (int j = 0; j < 3; j++) {
        double unit[3] = {j == 0, j == 1, j == 2}, column[3];
        turn(x->e, unit, column);
        for (int i = 0; i < 3; i++) pose.R[3 * i + j] = column[i];
    }
    return pose;
}

static double uniform(rtRandom *random) { return rt_uniform(random, -1, 1); }

static Place random_place(rtRandom *random) {
    Place x;
    double size = 0;
    for (int i = 0; i < 3; i++) x.p[i] = uniform(random);
    for (int i = 0; i < 4; i++) x.e[i] = uniform(random), size += x.e[i] * x.e[i];
    for (int i = 0; i < 4; i++) x.e[i] /= sqrt(size);
    return x;
}

enum { LINKS = 8 };

typedef struct Robot {
    Place link[LINKS], joint[LINKS], frame[LINKS], model;
    int parent[LINKS];
    int type[LINKS];
    bool at_child[LINKS];
    double axis[LINKS][2][3]; /* world axes */
    char text[32768];
    size_t used;
} Robot;

static const char *const words[] = {"fixed", "revolute", "prismatic", "universal", "ball", "screw", "continuous"};
static const zvJointType types[] = {ZV_JOINT_FIXED,     ZV_JOINT_CONTINUOUS, ZV_JOINT_PRISMATIC, ZV_JOINT_UNIVERSAL,
                                    ZV_JOINT_SPHERICAL, ZV_JOINT_HELICAL,    ZV_JOINT_CONTINUOUS};

__attribute__((format(printf, 2, 3))) static void put(Robot *r, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    r->used += (size_t)vsnprintf(r->text + r->used, sizeof r->text - r->used, format, arguments);
    va_end(arguments);
    assert_true(r->used < sizeof r->text);
}

/* Rotations as a quaternion, as angles, or as degrees. */
static void put_pose(Robot *r, int form, const char *to, const Place *x) {
    const double *e = x->e, pi = 3.14159265358979323846, unit = form == 2 ? 180 / pi : 1;
    put(r, "<pose");
    if (to) put(r, " relative_to='%s'", to);
    if (form == 0) put(r, " rotation_format='quat_xyzw'");
    if (form == 2) put(r, " degrees='true'");
    put(r, ">%.17g %.17g %.17g ", x->p[0], x->p[1], x->p[2]);
    if (form == 0) put(r, "%.17g %.17g %.17g %.17g", e[0], e[1], e[2], e[3]);
    if (form != 0)
        put(r, "%.17g %.17g %.17g", unit * atan2(2 * (e[3] * e[0] + e[1] * e[2]), 1 - 2 * (e[0] * e[0] + e[1] * e[1])),
            unit * asin(2 * (e[3] * e[1] - e[2] * e[0])),
            unit * atan2(2 * (e[3] * e[2] + e[0] * e[1]), 1 - 2 * (e[1] * e[1] + e[2] * e[2])));
    put(r, "</pose>");
}

/* Something that is there, for poses and axes to refer to. */
static const Place *any_base(Robot *r, rtRandom *random, char name[16]) {
    const int i = (int)(rt_uniform(random, 0, LINKS - 1e-9));
    const int kind = (int)rt_uniform(random, 0, 2.999);
    snprintf(name, 16, kind == 0 ? "l%d" : kind == 1 ? "f%d" : "__model__", i);
    return kind == 0 ? &r->link[i] : kind == 1 ? &r->frame[i] : &r->model;
}

static void put_axis(Robot *r, rtRandom *random, int i, int which) {
    char name[16];
    const Place *in = rt_uniform(random, 0, 1) < 0.5 ? &r->joint[i] : any_base(r, random, name);
    const double c[4] = {-in->e[0], -in->e[1], -in->e[2], in->e[3]};
    double a[3];
    turn(c, r->axis[i][which], a);
    put(r, "<axis%s><xyz", which ? "2" : "");
    if (in != &r->joint[i]) put(r, " expressed_in='%s'", name);
    put(r, ">%.17g %.17g %.17g</xyz><dynamics><damping>0.%d</damping></dynamics></axis%s>", a[0], a[1], a[2], i + 1,
        which ? "2" : "");
}

/* Frames in terms of links, links in terms of earlier links or the model: no ring. */
static void describe(Robot *r, rtRandom *random) {
    char name[16];
    *r = (Robot){.model = random_place(random)};
    for (int i = 0; i < LINKS; i++) {
        r->link[i] = random_place(random);
        r->frame[i] = random_place(random);
        r->parent[i] = i == 0 ? -1 : (int)rt_uniform(random, 0, i - 1e-9);
        r->type[i] = (int)rt_uniform(random, 0, 6.999);
        r->at_child[i] = rt_uniform(random, 0, 1) < 0.4;
        r->joint[i] = r->at_child[i] ? r->link[i] : random_place(random);
        for (int k = 0; k < 6; k++) r->axis[i][k / 3][k % 3] = uniform(random);
    }
    put(r, "<sdf version='1.9'><model name='m'>");
    put_pose(r, 0, NULL, &r->model);
    for (int i = 0; i < LINKS; i++) {
        const int to = i > 0 && rt_uniform(random, 0, 1) < 0.6 ? (int)rt_uniform(random, 0, i - 1e-9) : -1;
        snprintf(name, sizeof name, "l%d", to);
        const Place x = relative(to < 0 ? &r->model : &r->link[to], &r->link[i]);
        put(r, "<link name='l%d'>", i);
        put_pose(r, i % 3, to < 0 ? NULL : name, &x);
        put(r,
            "<inertial><pose>0.1 0.2 -0.1 0 0 0</pose><mass>%d</mass><inertia><ixx>0.4</ixx><ixy>0.01</ixy>"
            "<ixz>0.02</ixz><iyy>0.5</iyy><iyz>0.03</iyz><izz>0.6</izz></inertia></inertial></link>",
            i + 1);
        const Place f = relative(&r->link[i], &r->frame[i]);
        put(r, "<frame name='f%d' attached_to='l%d'>", i, i);
        put_pose(r, (i + 1) % 3, NULL, &f);
        put(r, "</frame>");
    }
    for (int i = 0; i < LINKS; i++) {
        put(r, "<joint name='j%d' type='%s'><parent>", i, i ? words[r->type[i]] : "fixed");
        put(r, i ? "l%d" : "world", r->parent[i]);
        put(r, "</parent><child>l%d</child>", i);
        if (!r->at_child[i]) {
            const Place *base = rt_uniform(random, 0, 1) < 0.5 ? &r->link[i] : any_base(r, random, name);
            const Place x = relative(base, &r->joint[i]);
            put_pose(r, i % 3, base == &r->link[i] ? NULL : name, &x);
        }
        put_axis(r, random, i, 0);
        put_axis(r, random, i, 1);
        put(r, "<screw_thread_pitch>0.2</screw_thread_pitch></joint>");
    }
    put(r, "</model></sdf>");
}

/* The same in code. */
static zvBuilder *built(const Robot *r) {
    zvBuilder *b = zv_builder_create(NULL);
    const Place origin = {.e = {0, 0, 0, 1}};
    zvLink world = zv_link_default("world");
    assert_int_equal(zv_builder_add_link(b, &world, NULL), ZV_OK);
    for (int i = 0; i < LINKS; i++) {
        char names[5][16];
        snprintf(names[0], 16, "l%d", i), snprintf(names[1], 16, "at%d", i), snprintf(names[2], 16, "j%d", i);
        snprintf(names[3], 16, "r%d", i), snprintf(names[4], 16, i ? "l%d" : "world", r->parent[i]);
        zvLink link = zv_link_default(names[0]), at = zv_link_default(names[1]);
        link.inertia = (zvInertia){i + 1, {0.1, 0.2, -0.1}, {0.4, 0.01, 0.02, 0.5, 0.03, 0.6}};
        zvJoint joint = zv_joint_default(names[2], i ? types[r->type[i]] : ZV_JOINT_FIXED, names[4], names[1]);
        zvJoint rigid = zv_joint_default(names[3], ZV_JOINT_FIXED, names[1], names[0]);
        const Place place = relative(i ? &r->link[r->parent[i]] : &origin, &r->joint[i]);
        const Place child = relative(&r->joint[i], &r->link[i]);
        const double c[4] = {-r->joint[i].e[0], -r->joint[i].e[1], -r->joint[i].e[2], r->joint[i].e[3]};
        joint.origin = pose_of(&place), rigid.origin = pose_of(&child);
        turn(c, r->axis[i][0], joint.axis), turn(c, r->axis[i][1], joint.axis2);
        joint.pitch = 0.2 / 6.283185307179586;
        assert_int_equal(zv_builder_add_link(b, &at, NULL) + zv_builder_add_link(b, &link, NULL), 0);
        assert_int_equal(zv_builder_add_joint(b, &joint, NULL) + zv_builder_add_joint(b, &rigid, NULL), 0);
    }
    return b;
}

static zvBuilder *read_text(const char *text) {
    zvError error = {0};
    zvBuilder *b = zv_builder_create(NULL);
    if (zv_read_memory(b, "text", text, strlen(text), ZV_FORMAT_AUTO, &error) < 0)
        fail_msg("%s: line %d: %s\n%s", near_case, error.line, error.text, text);
    return b;
}

static zvModel *frozen(zvBuilder *b) {
    zvError error = {0};
    zvModel *model;
    if (zv_builder_freeze(b, &model, &error) < 0) fail_msg("%s: %s", near_case, error.text);
    zv_builder_destroy(b);
    return model;
}

static void random_robots(void **state) {
    (void)state;
    static Robot robot;
    for (unsigned seed = 1; seed <= 60; seed++) {
        rtRandom random = {seed};
        near_about("seed %u", seed);
        describe(&robot, &random);
        zvModel *a = frozen(built(&robot)), *b = frozen(read_text(robot.text));
        const int nq = zv_model_nq(a), nv = zv_model_nv(a);
        assert_int_equal(zv_model_nq(b), nq);
        zvWork *wa = zv_work_create(a, NULL), *wb = zv_work_create(b, NULL);
        double q[4 * LINKS], v[3 * LINKS], bias[2][3 * LINKS], M[2][9 * LINKS * LINKS];
        zv_neutral(a, q);
        for (int i = 0; i < nv; i++) v[i] = uniform(&random);
        zv_position_add(a, q, v, q);
        zv_mass_matrix(a, wa, q, M[0]), zv_mass_matrix(b, wb, q, M[1]);
        zv_bias(a, wa, q, v, bias[0]), zv_bias(b, wb, q, v, bias[1]);
        assert_all_near_scaled("M", (size_t)(nv * nv), M[1], M[0], 1e-12);
        assert_all_near_scaled("bias", (size_t)nv, bias[1], bias[0], 1e-11);
        for (int i = 0; i < LINKS; i++) {
            char name[16];
            zvPose p, r;
            snprintf(name, sizeof name, "l%d", i);
            zv_frame_pose(a, wa, q, zv_model_find_frame(a, name), &p);
            zv_frame_pose(b, wb, q, zv_model_find_frame(b, name), &r);
            assert_all_near(name, 3, r.p, p.p, 1e-11);
            assert_all_near(name, 9, r.R, p.R, 1e-11);
            const Place f = relative(&robot.link[i], &robot.frame[i]);
            const zvPose in = pose_of(&f), there = zv_pose_compose(&p, &in);
            snprintf(name, sizeof name, "f%d", i);
            zv_frame_pose(b, wb, q, zv_model_find_frame(b, name), &r);
            assert_all_near(name, 3, r.p, there.p, 1e-11);
        }
        zv_work_destroy(wa), zv_work_destroy(wb);
        zv_model_destroy(a), zv_model_destroy(b);
    }
}

#define LINK(name, pose) "<link name='" name "'><pose>" pose "</pose><inertial><mass>2</mass></inertial></link>"

/* Limits, springs, mimic, older screws and axes, shapes. */
static void numbers(void **state) {
    (void)state;
    zvBuilder *b = read_text(
        "<sdf version='1.11'><world name='w'><gravity>0 0 -3.7</gravity><model name='arm'>"
        "<link name='arm'><inertial><pose>0 0 0 0 0 "
        "1.5707963267948966</pose><mass>2</mass><inertia><ixx>1</ixx><iyy>2</iyy>"
        "<izz>2.5</izz></inertia></inertial><visual "
        "name='v'><geometry><cylinder><radius>0.1</radius><length>0.4</length>"
        "</cylinder></geometry><material><diffuse>1 0 0</diffuse></material></visual><collision "
        "name='c'><geometry><mesh>"
        "<uri>model://arm/a.stl</uri><scale>2 2 2</scale></mesh></geometry></collision></link>" LINK("b", "1 0 0 0 0 0")
            LINK("c", "2 0 0 0 0 0") LINK(
                "d",
                "2 0 0 0 0 0") "<joint name='w' type='fixed'><parent>world</parent><child>arm</child></joint>"
                               "<joint name='j' type='revolute'><parent>arm</parent><child>b</child><axis><xyz>0 1 "
                               "0</xyz><limit><lower>-1</lower>"
                               "<upper>2</upper><effort>-1</effort><velocity>5</velocity></"
                               "limit><dynamics><friction>0.3</friction>"
                               "<spring_stiffness>7</spring_stiffness><spring_reference>0.2</spring_reference></"
                               "dynamics></axis></joint>"
                               "<joint name='k' type='prismatic'><parent>b</parent><child>c</child><axis><xyz>1 0 "
                               "0</xyz><mimic joint='j' axis='axis'>"
                               "<multiplier>2</multiplier><offset>1</offset><reference>0.25</reference></mimic></"
                               "axis></joint>"
                               "<joint name='s' "
                               "type='screw'><parent>b</parent><child>d</child><thread_pitch>-50</thread_pitch></joint>"
                               "</model></world></sdf>");
    double g[3];
    zv_builder_gravity(b, g);
    assert_near(g[2], -3.7, 0);
    const zvInertia *i = &zv_builder_link(b, zv_builder_find_link(b, "arm"))->inertia;
    const double moments[6] = {2, 0, 0, 1, 0, 2.5};
    assert_all_near("moments", 6, i->moment, moments, 1e-15);
    const zvJoint *j = zv_builder_joint(b, zv_builder_find_joint(b, "j"));
    assert_true(j->type == ZV_JOINT_REVOLUTE && j->dof[0].lower == -1 && j->dof[0].upper == 2 &&
                j->dof[0].effort == 0 && j->dof[0].velocity == 5 && j->dof[0].friction == 0.3 &&
                j->dof[0].stiffness == 7 && j->dof[0].rest == 0.2);
    const zvJoint *k = zv_builder_joint(b, zv_builder_find_joint(b, "k"));
    assert_string_equal(k->mimic, "j");
    assert_true(k->ratio == 2 && k->offset == 0.5);
    assert_near(zv_builder_joint(b, zv_builder_find_joint(b, "s"))->pitch, 0.02, 1e-15);
    assert_int_equal(zv_builder_nshape(b), 2);
    assert_true(zv_builder_shape(b, 0)->has_color && zv_builder_shape(b, 0)->size[1] == 0.4);
    assert_string_equal(zv_builder_shape(b, 1)->mesh, "model://arm/a.stl");
    assert_string_equal(zv_builder_name(b), "arm");
    zv_model_destroy(frozen(b));
}

/* What nothing holds floats; several roots hang on the world; nested models have names in names; a second joint of a
 * link closes a loop. */
static void structure(void **state) {
    (void)state;
    zvBuilder *b = read_text("<sdf version='1.8'><model name='r'>" LINK("a", "0 0 1 0 0 0") "</model></sdf>");
    assert_true(zv_builder_free_base(b));
    assert_int_equal(zv_builder_nlink(b), 1);
    zv_model_destroy(frozen(b));

    b = read_text("<sdf version='1.8'><model name='r'><static>true</static>" LINK("a", "0 0 1 0 0 0") "</model></sdf>");
    assert_false(zv_builder_free_base(b));
    assert_int_equal(zv_builder_joint(b, 0)->type, ZV_JOINT_FIXED);
    zv_model_destroy(frozen(b));

    b = read_text("<sdf version='1.8'><world name='w'><model name='p'>" LINK(
        "a", "0 0 1 0 0 0") "</model><model name='q'>" LINK("a", "0 0 2 0 0 0") "</model></world></sdf>");
    assert_true(zv_builder_find_link(b, "p::a") > 0 && zv_builder_find_joint(b, "q::a_free") >= 0);
    zvModel *model = frozen(b);
    assert_int_equal(zv_model_nv(model), 12);
    zv_model_destroy(model);

    b = read_text(
        "<sdf version='1.8'><model name='r'>" LINK("a", "0 0 0 0 0 0") "<model name='in'><pose>0 0 5 0 0 0</pose>" LINK(
            "h", "1 0 0 0 0 0") "<frame name='f'><pose relative_to='h'>0 1 0 0 0 0</pose></frame></model>"
                                "<joint name='j' type='revolute'><parent>a</parent><child>in::f</child><axis><xyz>0 0 "
                                "1</xyz></axis></joint>"
                                "</model></sdf>");
    const zvJoint *j = zv_builder_joint(b, zv_builder_find_joint(b, "j"));
    const double at[3] = {1, 1, 5};
    assert_all_near("joint", 3, j->origin.p, at, 1e-15);
    assert_true(zv_builder_find_link(b, "in::h") >= 0);
    zv_model_destroy(frozen(b));

    b = read_text("<sdf version='1.8'><model name='r'>" LINK("a", "0 0 0 0 0 0") LINK("b", "1 0 0 0 0 0") LINK(
        "c", "0 1 0 0 0 0") "<joint name='j' type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 0 "
                            "1</xyz></axis></joint>"
                            "<joint name='k' type='revolute'><parent>a</parent><child>c</child><axis><xyz>0 0 "
                            "1</xyz></axis></joint>"
                            "<joint name='l' type='revolute'><pose relative_to='c'>1 0 0 0 0 "
                            "0</pose><parent>b</parent><child>c</child>"
                            "<axis><xyz>0 0 1</xyz></axis></joint></model></sdf>");
    assert_int_equal(zv_builder_nloop(b), 1);
    const double parent[3] = {0, 1, 0}, child[3] = {1, 0, 0};
    assert_all_near("parent", 3, zv_builder_loop(b, 0)->origin.p, parent, 1e-15);
    assert_all_near("child", 3, zv_builder_loop(b, 0)->child_origin.p, child, 1e-15);
    zv_model_destroy(frozen(b));
}

/* A joint where its child's frame is carries the child itself, whatever says so; poses are those that are written. */
static void joints_at_children(void **state) {
    (void)state;
    static const struct {
        const char *joint, *child;
        int links;
    } cases[] = {{"<pose relative_to='a'>0.1 0.2 0.3 0 0 0</pose>", "<pose relative_to='j'/>", 3},
                 {"", "<pose relative_to='a'>0.1 0.2 0.3 0 0 0</pose>", 3},
                 {"<pose relative_to='f'>0.1 0 0 0 0 0</pose>", "<pose relative_to='a'>0.1 0.2 0.3 0.4 0 0</pose>", 3},
                 {"<pose relative_to='a'>0.1 0.2 0.3 0.4 0.5 0.6</pose>",
                  "<pose relative_to='g'>0.1 0.2 0.3 0.4 0.5 0.6</pose>", 3},
                 {"<pose relative_to='a'>0.1 0.2 0.3 0 0 0</pose>", "<pose relative_to='j'>1e-9 0 0 0 0 0</pose>", 4},
                 {"<pose>0 0 0 1e-9 0 0</pose>", "<pose relative_to='a'>0.1 0.2 0.3 0 0 0</pose>", 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048];
        snprintf(
            text, sizeof text,
            "<sdf version='1.9'><model name='m'><pose>3 1 2 0.7 0.8 0.9</pose>" LINK(
                "a", "0.3 0.1 0.7 1 2 3") "<frame name='f' attached_to='a'><pose>0 0.2 0.3 0.4 0 0</pose></frame>"
                                          "<frame name='g' attached_to='a'><pose relative_to='__model__'>0.3 0.1 0.7 1 "
                                          "2 3</pose></frame>"
                                          "<link name='b'>%s</link><joint name='w' "
                                          "type='fixed'><parent>world</parent><child>a</child></joint>"
                                          "<joint name='j' "
                                          "type='revolute'>%s<parent>a</parent><child>b</child></joint></model></sdf>",
            cases[i].child, cases[i].joint);
        near_about("case %zu", i);
        zvBuilder *b = read_text(text);
        if (zv_builder_nlink(b) != cases[i].links || zv_builder_njoint(b) != cases[i].links - 1)
            fail_msg("%s: %d links, %d joints", near_case, zv_builder_nlink(b), zv_builder_njoint(b));
        const double at[3] = {0.1, 0.2, 0.3};
        const zvJoint *j = zv_builder_joint(b, zv_builder_find_joint(b, "j"));
        assert_all_near("place", 3, j->origin.p, at, i < 2 ? 0 : 1e-15);
        zv_model_destroy(frozen(b));
    }
}

#define MODEL(inside) "<sdf version='1.8'><model name='r'>" inside "</model></sdf>"

static void errors(void **state) {
    (void)state;
    static const struct {
        const char *text, *part;
        zvStatus status;
    } cases[] = {
        {"<sdf version='1.8'/>", "expected a <model>, found none", ZV_SCHEMA},
        {MODEL("<link/>"), "expected name=", ZV_SCHEMA},
        {MODEL("<link name='a'><pose>1 2 3</pose></link>"), "expected", ZV_SCHEMA},
        {MODEL("<link name='a'><pose>1 2 3 x 0 0</pose></link>"), "found \"x\"", ZV_NUMBER},
        {MODEL("<link name='a'><pose rotation_format='quat_xyzw'>0 0 0 0 0 0 0</pose></link>"), "zeros", ZV_NUMBER},
        {MODEL("<link name='a'/><link name='a'/>"), "found \"a\" again", ZV_NAME},
        {MODEL("<link name='hand'/><link name='b'><pose relative_to='hnad'>0 0 0 0 0 0</pose></link>"),
         "did you mean \"hand\"", ZV_NAME},
        {MODEL("<link name='a'><pose relative_to='b'/></link><link name='b'><pose relative_to='a'/></link>"),
         "relative to itself through others", ZV_TOPOLOGY},
        {MODEL(
             "<link name='a'/><link name='b'/><joint name='j' type='hinge'><parent>a</parent><child>b</child></joint>"),
         "did you mean \"revolute\"", ZV_SCHEMA},
        {MODEL("<link name='a'/><joint name='j' type='fixed'><parent>a</parent></joint>"), "expected a <child>",
         ZV_SCHEMA},
        {MODEL("<link name='a'/><joint name='j' type='fixed'><parent>a</parent><child>world</child></joint>"),
         "exchange parent and child", ZV_NOT_SUPPORTED},
        {MODEL(
             "<link name='a'/><link name='b'/><joint name='j' type='revolute'><parent>a</parent><child>b</child><axis>"
             "<xyz>0 0 0</xyz></axis></joint>"),
         "zero vector", ZV_PHYSICS},
        {MODEL("<link name='a'/><link name='b'/><joint name='jaw' "
               "type='revolute'><parent>a</parent><child>b</child><axis>"
               "<mimic joint='jow'/></axis></joint>"),
         "did you mean \"jaw\"", ZV_NAME},
        {MODEL("<link name='world'/>"), "which the format keeps for the ground", ZV_NAME},
        {MODEL("<frame name='f' attached_to='g'/><frame name='g' attached_to='f'/><link name='a'/>"), "itself",
         ZV_TOPOLOGY},
        {MODEL("<link name='a'/><link name='b'/><joint name='j' type='screw'><parent>a</parent><child>b</child>"
               "<thread_pitch>0</thread_pitch></joint>"),
         "another number than 0", ZV_NUMBER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        zvError error = {0};
        zvBuilder *b = zv_builder_create(NULL);
        const zvStatus status = zv_read_memory(b, "text", cases[i].text, strlen(cases[i].text), ZV_FORMAT_AUTO, &error);
        if (status != cases[i].status || !strstr(error.text, cases[i].part) || error.line < 1)
            fail_msg("case %zu: %s, line %d: %s", i, zv_status_name(status), error.line, error.text);
        zv_builder_destroy(b);
    }
}

TESTS(random_robots, numbers, structure, joints_at_children, errors)
