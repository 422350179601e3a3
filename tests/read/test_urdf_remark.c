/* Slips in URDF files that can be read: what the linter says of them, and that extensions of other tools are silent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/run_tests.h"
#include "zveno/check.h"
#include "zveno/read.h"

static zvBuilder *read_text(const char *text) {
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    assert_non_null(builder);
    if (zv_read_memory(builder, "slip.urdf", text, strlen(text), ZV_FORMAT_AUTO, &error) != ZV_OK)
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    return builder;
}

typedef struct Case {
    const char *text; /* between <robot> and </robot>, on line 2 */
    zvSeverity severity;
    const char *rule, *element, *token;
    int column;
    const char *repair;
} Case;

#define LINKS "<link name='a'/><link name='b'/>\n"
#define JOINT(type, inside) "<joint name='j' type='" type "'><parent link='a'/><child link='b'/>" inside "</joint>"
#define BOUND "<limit lower='-1' upper='1'/>"

static const Case cases[] = {
    {JOINT("revolute", BOUND "<axes xyz='0 0 1'/>"), ZV_SEVERITY_WARNING, "unknown-element", "joint \"j\"", "axes", 97,
     "did you mean <axis>?"},
    {JOINT("continuous", "<limits effort='1'/>"), ZV_SEVERITY_WARNING, "unknown-element", "joint \"j\"", "limits", 70,
     "did you mean <limit>?"},
    {JOINT("fixed", "<origin xzy='1 2 3'/>"), ZV_SEVERITY_WARNING, "unknown-attribute", "joint \"j\"", "xzy", 73,
     "did you mean xyz=\"...\"?"},
    {JOINT("planar", "<mimic joint='j' ratio='2'/>"), ZV_SEVERITY_WARNING, "unknown-attribute", "joint \"j\"", "ratio",
     83, "did you mean multiplier=\"...\"?"},
    {JOINT("continuous", "<dynamics dampng='2'/>"), ZV_SEVERITY_WARNING, "unknown-attribute", "joint \"j\"", "dampng",
     80, "did you mean damping=\"...\"?"},
    {"<link name='c'><inertal/></link>", ZV_SEVERITY_WARNING, "unknown-element", "link \"c\"", "inertal", 16,
     "did you mean <inertial>?"},
    {"<link name='c'><visual><geometry><Box size='1 1 1'/></geometry></visual></link>", ZV_SEVERITY_WARNING,
     "unknown-element", "link \"c\"", "Box", 34, "did you mean <box>?"},
    {"<Joint name='k'/>", ZV_SEVERITY_WARNING, "unknown-element", "robot \"robot\"", "Joint", 1,
     "did you mean <joint>?"},
    {JOINT("fixed", "<origin rpy='0 -90 0'/>"), ZV_SEVERITY_WARNING, "degrees", "joint \"j\"", "-90", 78,
     "-90 degrees are -1.5708 rad"},
    {JOINT("revolute", "<dynamics damping='1'/>"), ZV_SEVERITY_NOTE, "no-limit", "joint \"j\"", "revolute", 14,
     "add <limit"},
    {JOINT("continuous", "<dynamics K='2'/>"), ZV_SEVERITY_WARNING, "unknown-attribute", "joint \"j\"", "K", 80,
     "did you mean damping=\"...\"?"},
    {JOINT("continuous", "<joint_properties damping='2'/>"), ZV_SEVERITY_WARNING, "left-out", "joint \"j\"",
     "joint_properties", 70, "write <dynamics"},
    {"<link name='c'><gravity value='0'/></link>", ZV_SEVERITY_WARNING, "left-out", "link \"c\"", "gravity", 16,
     "--gravity 0,0,0"},
    {"<link name='c'><contact><inertia_scaling value='3'/></contact></link>", ZV_SEVERITY_WARNING, "left-out",
     "link \"c\"", "inertia_scaling", 25, "multiply the moments"},
    {JOINT("fixed", "<mimic joint='k'/>"), ZV_SEVERITY_NOTE, "mimic-left-out", "joint \"j\"", "mimic", 65,
     "nothing to do"},
    {JOINT("fixed", "<origin/><origin xyz='1 2 3'/>"), ZV_SEVERITY_WARNING, "duplicate-element", "joint \"j\"",
     "origin", 74, "remove the one that is not meant"},
    {"<link name='c'><inertial/></link>", ZV_SEVERITY_WARNING, "inertial-left-out", "link \"c\"", "inertial", 16,
     "give mass and moments"},
    {"<link name='c'><inertial><mass value='2'/></inertial></link>", ZV_SEVERITY_WARNING, "inertial-left-out",
     "link \"c\"", "inertial", 16, "give mass and moments"},
    {"<transmission name='t'><joint name='j'/><actuator name='m'><mechanicalReduction>50</mechanicalReduction>"
     "</actuator></transmission>" JOINT("continuous", ""),
     ZV_SEVERITY_NOTE, "reduction-without-rotor", "joint \"j\"", "mechanicalReduction", 60, "armature"},
    {"<transmission name='t'><joint name='j'/><joint name='k'/><actuator name='m'><rotorInertia>1</rotorInertia>"
     "</actuator></transmission>",
     ZV_SEVERITY_WARNING, "left-out", "joint \"j\"", "rotorInertia", 77, "modify"},
    {"<gazebo reference='a'><turnGravityOff>true</turnGravityOff></gazebo>", ZV_SEVERITY_WARNING, "left-out",
     "link \"a\"", "turnGravityOff", 23, "--gravity 0,0,0"},
    {"<gazebo><static value='1'/></gazebo>", ZV_SEVERITY_WARNING, "left-out", "robot \"robot\"", "static", 9, "--lock"},
    {"<gazebo><joint name='c'/></gazebo>", ZV_SEVERITY_WARNING, "left-out", "robot \"robot\"", "joint", 9,
     "write it as <loop_joint>"},
    {"<gazebo><plugin filename='lift.so'/></gazebo>", ZV_SEVERITY_NOTE, "plugin", "robot \"robot\"", "plugin", 9,
     "unless it moves the robot"},
    {"<drake:linear_spring_damper/>", ZV_SEVERITY_WARNING, "left-out", "robot \"robot\"", "drake:linear_spring_damper",
     1, "native file"},
    {"<joint name='w' type='fixed'><parent link='world'/><child link='a'/></joint>", ZV_SEVERITY_NOTE, "implicit-world",
     "robot \"robot\"", "world", 44, "only Drake reads"},
    {JOINT("prismatic", ""), ZV_SEVERITY_NOTE, "no-limit", "joint \"j\"", "prismatic", 14, "add <limit"},
};

typedef struct Search {
    const Case *expected;
    int found;
} Search;

static bool compare(void *context, const zvFinding *f) {
    Search *search = context;
    const Case *e = search->expected;
    if (strcmp(f->rule, e->rule) != 0) return true;
    search->found++;
    assert_int_equal(f->severity, e->severity);
    assert_false(f->fatal);
    assert_string_equal(f->element, e->element);
    assert_string_equal(f->token, e->token);
    assert_string_equal(f->mark.file, "slip.urdf");
    assert_int_equal(f->mark.line, 2);
    assert_int_equal(f->mark.column, e->column);
    if (!strstr(f->repair, e->repair)) fail_msg("\"%s\" does not say \"%s\"", f->repair, e->repair);
    return true;
}

static void slips_are_told(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600];
        snprintf(text, sizeof text, "<robot>" LINKS "%s</robot>", cases[i].text);
        zvBuilder *builder = read_text(text);
        Search search = {&cases[i], 0};
        zvError error = {0};
        assert_int_equal(zv_check(builder, compare, &search, &error), ZV_OK);
        if (search.found != 1) fail_msg("%d findings of %s in %s", search.found, cases[i].rule, cases[i].text);
        assert_int_equal(zv_builder_nremark(builder), 1);
        assert_string_equal(zv_builder_remark(builder, 0)->rule, cases[i].rule);
        zv_builder_destroy(builder);
    }
}

typedef struct Picture {
    const char *text; /* in the link, on line 2 */
    int shapes;       /* that are kept */
    int column;
    const char *token, *why, *repair;
} Picture;

#define GEOMETRY(inside) "<visual><geometry>" inside "</geometry></visual>"
#define COLORED(rgba) "<visual><geometry><sphere radius='1'/></geometry><material><color" rgba "/></material></visual>"

static const Picture pictures[] = {
    {"<visual name='v'/>", 0, 1, "visual",
     "the visual is left out: <visual name=\"v\">: expected a <geometry>, found none", "add it"},
    {"<collision><geometry/></collision>", 0, 12, "geometry", "the collision is left out: <geometry>: expected a <box>",
     "put one in it"},
    {GEOMETRY("<mesh/>"), 0, 19, "mesh", "<mesh>: expected filename=\"...\", found none", "add it"},
    {GEOMETRY("<mesh filename=' '/>"), 0, 35, "filename", "filename of <mesh>: expected a name, found nothing",
     "write one"},
    {GEOMETRY("<mesh filename='m' scale='2'/>"), 0, 45, "2", "expected 3 numbers, found 1", "write x y z"},
    {GEOMETRY("<sphere radius='1'/><box size='1 1 1'/>"), 0, 39, "box", "<box> besides <sphere> in line 2",
     "give each its own"},
    {COLORED(" rgba='1 0 0'"), 1, 73, "1 0 0", "the material is left out: rgba of <color>: expected 4 numbers",
     "write red green blue alpha"},
    {COLORED(""), 1, 60, "color", "<color>: expected rgba=\"...\", found none", "add it"},
    {GEOMETRY("<sphere radius='big'/>"), 0, 35, "big", "radius of <sphere>: expected a number, found \"big\"",
     "write a plain number"},
    {GEOMETRY("<mesh filename='${dir}/a.stl'/>"), 0, 35, "${dir}/a.stl", "expected a value, found the xacro expression",
     "run xacro first"},
    {COLORED(" rgba='1 0 red 1'"), 1, 77, "red", "rgba of <color>: expected a number, found \"red\"", "plain number"},
};

/* A picture that is not complete does not keep the robot from moving. */
static void bad_pictures_are_left_out(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        const Picture *p = &pictures[i];
        char text[600];
        snprintf(text, sizeof text,
                 "<robot><link name='a'>\n%s<visual><geometry><box size='1 1 1'/></geometry></visual>"
                 "</link></robot>",
                 p->text);
        zvBuilder *builder = read_text(text);
        assert_int_equal(zv_builder_nremark(builder), 1);
        const zvRemark *remark = zv_builder_remark(builder, 0);
        assert_string_equal(remark->rule, "shape-left-out");
        assert_int_equal(remark->severity, ZV_SEVERITY_WARNING);
        assert_string_equal(remark->kind, "link");
        assert_string_equal(remark->name, "a");
        assert_string_equal(remark->token, p->token);
        assert_int_equal(remark->mark.line, 2);
        assert_int_equal(remark->mark.column, p->column);
        if (!strstr(remark->why, p->why)) fail_msg("\"%s\" does not say \"%s\"", remark->why, p->why);
        if (!strstr(remark->repair, p->repair)) fail_msg("\"%s\" does not say \"%s\"", remark->repair, p->repair);
        assert_int_equal(zv_builder_nshape(builder), p->shapes + 1);
        assert_false(zv_builder_shape(builder, 0)->has_color);
        zv_builder_destroy(builder);
    }
}

/* One remark for a material of the robot, however many visuals use it. */
static void bad_colours_are_left_out(void **state) {
    (void)state;
    zvBuilder *builder = read_text("<robot><material name='m'><color rgba='1 0 0'/></material><link name='a'>"
                                   "<visual><geometry><sphere radius='1'/></geometry><material name='m'/></visual>"
                                   "<visual><geometry><sphere radius='2'/></geometry><material name='m'/></visual>"
                                   "</link></robot>");
    assert_int_equal(zv_builder_nremark(builder), 1);
    assert_string_equal(zv_builder_remark(builder, 0)->rule, "shape-left-out");
    assert_string_equal(zv_builder_remark(builder, 0)->kind, "material");
    assert_string_equal(zv_builder_remark(builder, 0)->name, "m");
    assert_int_equal(zv_builder_nshape(builder), 2);
    assert_false(zv_builder_shape(builder, 1)->has_color);
    zv_builder_destroy(builder);
}

static void extensions_are_silent(void **state) {
    (void)state;
    zvBuilder *builder =
        read_text("<robot name='r' version='1' xmlns:x='x'><x:joints/>"
                  "<xacro:property name='p' value='1'/><xacro:arg name='q' default='2'/><gazebo "
                  "reference='a'/><transmission name='t'/>"
                  "<ros2_control name='c'/><link name='a' x:nam='n'><contact/><self_collision_checking/>"
                  "<visual><geometry><capsule radius='1'/></geometry></visual><inertial><mass value='1' unit='kg'/>"
                  "<inertia ixx='1' iyy='1' izz='1'/></inertial></link><link name='b'/>"
                  "<joint name='j' type='revolute'><origin xyz='0 0 1' rpy='0 0 6.2832' quat_xyzw='0 0 0 1'/>"
                  "<parent link='a'/><child link='b'/>"
                  "<limit lower='-1' upper='1' effort='1' velocity='1' acceleration='2' jerk='3'/>"
                  "<dynamics damping='1' x:stiction='2'/>"
                  "<safety_controller k_velocity='1'/><hardwareInterface/></joint></robot>");
    for (int i = 0; i < zv_builder_nremark(builder); i++) fail_msg("remark: %s", zv_builder_remark(builder, i)->why);
    zv_builder_destroy(builder);
}

/* Remarks are no reason to refuse a robot. */
static void robots_with_slips_are_frozen(void **state) {
    (void)state;
    zvError error = {0};
    zvModel *model = NULL;
    zvBuilder *builder = read_text("<robot>" LINKS JOINT("revolute", "<axes xyz='0 0 1'/>") "</robot>");
    assert_int_equal(zv_builder_nremark(builder), 2);
    assert_int_equal(zv_builder_freeze(builder, &model, &error), ZV_OK);
    zv_model_destroy(model);
    zv_builder_destroy(builder);
}

static void native_angles_in_degrees(void **state) {
    (void)state;
    zvBuilder *builder = read_text("zveno: 1\nlinks: [{name: a}, {name: b}]\n"
                                   "joints: [{name: j, type: fixed, parent: a, child: b, origin: {rpy: [0, 0, 45]}}]\n"
                                   "frames: [{name: f, link: b, pose: {rpy: [0, 0, 45 deg]}}]\n");
    assert_int_equal(zv_builder_nremark(builder), 1);
    const zvRemark *remark = zv_builder_remark(builder, 0);
    assert_string_equal(remark->rule, "degrees");
    assert_string_equal(remark->kind, "joint");
    assert_string_equal(remark->name, "j");
    assert_string_equal(remark->token, "45");
    assert_int_equal(remark->mark.line, 3);
    assert_int_equal(remark->mark.column, 68);
    zv_builder_destroy(builder);
}

/* Near unit length a quaternion is scaled, which is told; rounding in the last digits is not. */
static void native_quaternions_off_unit_length(void **state) {
    (void)state;
    zvBuilder *builder = read_text("zveno: 1\nlinks: [{name: a}]\nframes:\n"
                                   "  - {name: f, link: a, pose: {quaternion: [0, 0, 0.707, 0.707]}}\n"
                                   "  - {name: g, link: a, pose: {quaternion: [0, 0, 0.7071067812, 0.7071067812]}}\n");
    assert_int_equal(zv_builder_nremark(builder), 1);
    const zvRemark *remark = zv_builder_remark(builder, 0);
    assert_string_equal(remark->rule, "quaternion-length");
    assert_int_equal(remark->severity, ZV_SEVERITY_WARNING);
    assert_string_equal(remark->kind, "frame");
    assert_string_equal(remark->name, "f");
    assert_non_null(strstr(remark->why, "length 0.999848988"));
    assert_int_equal(remark->mark.line, 4);
    assert_int_equal(remark->mark.column, 43);
    zv_builder_destroy(builder);
}

TESTS(slips_are_told, bad_pictures_are_left_out, bad_colours_are_left_out, extensions_are_silent,
      robots_with_slips_are_frozen, native_angles_in_degrees, native_quaternions_off_unit_length)
