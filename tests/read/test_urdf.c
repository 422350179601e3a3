/* Good URDF: every element into the builder, with the variants found in files of many tools. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/run_tests.h"
#include "zveno/check.h"
#include "zveno/read.h"

static zvBuilder *read_text(const char *text) {
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    assert_non_null(builder);
    if (zv_read_memory(builder, "good.urdf", text, strlen(text), ZV_FORMAT_AUTO, &error) != ZV_OK)
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    return builder;
}

static void assert_all(const double *found, const double *wanted, int count) {
    for (int i = 0; i < count; i++) assert_close(found[i], wanted[i], 1e-15);
}

static const char arm[] =
    "<?xml version=\"1.0\"?>\n"
    "<robot name=\"arm\">\n"
    "  <material name=\"red\"><color rgba=\"1 0 0 0.5\"/></material>\n"
    "  <link name=\"base\"/>\n"
    "  <link name=\"upper\">\n"
    "    <inertial><origin xyz=\" 0.1 0\t0.2 \" rpy=\"0 0 1.5707963267948966\"/>\n"
    "      <mass value=\"2\"/>\n"
    "      <inertia ixx=\"1\" ixy=\"0.1\" ixz=\"0.2\" iyy=\"2\" iyz=\"0.3\" izz=\"2.5\"/></inertial>\n"
    "    <visual name=\"shell\"><origin xyz=\"0 0 1\"/><geometry><box size=\"1 2 3\"/></geometry>\n"
    "      <material name=\"red\"/></visual>\n"
    "    <collision><geometry><cylinder radius=\"0.5\" length=\"4\"/></geometry></collision>\n"
    "  </link>\n"
    "  <joint name=\"shoulder\" type=\"revolute\">\n"
    "    <origin xyz=\"1 2 3\"/><parent link=\"base\"/><child link=\"upper\"/><axis xyz=\"0 0 2\"/>\n"
    "    <limit lower=\"-1\" upper=\"1.5\" effort=\"80\" velocity=\"3\"/>\n"
    "    <dynamics damping=\"0.1\" friction=\"0.2\"/>\n"
    "  </joint>\n"
    "</robot>\n";

static void links(void **state) {
    (void)state;
    zvBuilder *b = read_text(arm);
    assert_string_equal(zv_builder_name(b), "arm");
    assert_int_equal(zv_builder_nlink(b), 2);
    const zvLink *base = zv_builder_link(b, 0), *upper = zv_builder_link(b, 1);
    assert_string_equal(base->name, "base");
    assert_false(base->has_inertia);
    assert_true(base->inertia.mass == 0);
    assert_true(upper->has_inertia);
    assert_true(upper->inertia.mass == 2);
    assert_all(upper->inertia.com, (double[]){0.1, 0, 0.2}, 3);
    /* a quarter turn about z takes x to y and y to -x: xx <-> yy, xy changes sign, xz' = -yz, yz' = xz */
    assert_all(upper->inertia.moment, (double[]){2, -0.1, -0.3, 1, 0.2, 2.5}, 6);
    assert_string_equal(upper->mark.file, "good.urdf");
    assert_int_equal(upper->mark.line, 5);
    assert_int_equal(upper->mark.column, 15);
    zv_builder_destroy(b);
}

static void joints(void **state) {
    (void)state;
    zvBuilder *b = read_text(arm);
    assert_int_equal(zv_builder_njoint(b), 1);
    const zvJoint *joint = zv_builder_joint(b, 0);
    assert_string_equal(joint->name, "shoulder");
    assert_int_equal(joint->type, ZV_JOINT_REVOLUTE);
    assert_string_equal(joint->parent, "base");
    assert_string_equal(joint->child, "upper");
    assert_all(joint->origin.p, (double[]){1, 2, 3}, 3);
    assert_all(joint->origin.R, (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 9);
    assert_all(joint->axis, (double[]){0, 0, 2}, 3);
    const zvDof *dof = &joint->dof[0];
    assert_true(dof->has_limits && dof->lower == -1 && dof->upper == 1.5 && dof->effort == 80 && dof->velocity == 3);
    assert_true(dof->damping == 0.1 && dof->friction == 0.2 && dof->armature == 0);
    assert_null(joint->mimic);
    assert_int_equal(joint->mark.line, 13);
    assert_int_equal(joint->mark.column, 16);
    zv_builder_destroy(b);
}

static void shapes(void **state) {
    (void)state;
    zvBuilder *b = read_text(arm);
    assert_int_equal(zv_builder_nshape(b), 2);
    const zvShape *box = zv_builder_shape(b, 0), *cylinder = zv_builder_shape(b, 1);
    assert_string_equal(box->name, "shell");
    assert_string_equal(box->link, "upper");
    assert_int_equal(box->kind, ZV_SHAPE_BOX);
    assert_false(box->collision);
    assert_all(box->size, (double[]){1, 2, 3}, 3);
    assert_all(box->pose.p, (double[]){0, 0, 1}, 3);
    assert_true(box->has_color);
    assert_all(box->color, (double[]){1, 0, 0, 0.5}, 4);
    assert_int_equal(box->mark.line, 9);
    assert_int_equal(box->mark.column, 19);
    assert_null(cylinder->name);
    assert_int_equal(cylinder->kind, ZV_SHAPE_CYLINDER);
    assert_true(cylinder->collision);
    assert_false(cylinder->has_color);
    assert_all(cylinder->size, (double[]){0.5, 4}, 2);
    assert_int_equal(cylinder->mark.line, 11);
    assert_int_equal(cylinder->mark.column, 5);
    zv_builder_destroy(b);
}

static void meshes_and_materials(void **state) {
    (void)state;
    zvBuilder *b = read_text(
        "<robot><link name='a'>"
        "<visual><geometry><mesh filename='package://p/a.dae'/></geometry><material name='late'/></visual>"
        "<visual><geometry><mesh filename='a.stl' scale='1e-3 1e-3 1e-3'/></geometry><material name='nobody'/></visual>"
        "<visual><geometry><sphere radius='2'/></geometry><material name='late'><color rgba='0 1 0 "
        "1'/></material></visual>"
        "<visual><geometry><capsule radius='1' length='1'/></geometry></visual>"
        "</link><material name='late'><texture filename='x.png'/></material></robot>");
    assert_string_equal(zv_builder_name(b), "robot");
    assert_int_equal(zv_builder_nshape(b), 3); /* a capsule is not URDF */
    const zvShape *first = zv_builder_shape(b, 0), *second = zv_builder_shape(b, 1), *third = zv_builder_shape(b, 2);
    assert_string_equal(first->mesh, "package://p/a.dae");
    assert_all(first->size, (double[]){1, 1, 1}, 3);
    assert_true(first->has_color);
    assert_all(first->color, (double[]){0, 1, 0, 1}, 4);
    assert_all(second->size, (double[]){1e-3, 1e-3, 1e-3}, 3);
    assert_false(second->has_color);
    assert_int_equal(third->kind, ZV_SHAPE_SPHERE);
    assert_true(third->size[0] == 2);
    zv_builder_destroy(b);
}

#define ENDS "<parent link='a'/><child link='b'/>"

static void joint_types(void **state) {
    (void)state;
    static const char *const words[] = {"revolute", "continuous", "prismatic", "fixed", "floating", "planar"};
    static const zvJointType types[] = {ZV_JOINT_REVOLUTE, ZV_JOINT_CONTINUOUS, ZV_JOINT_PRISMATIC,
                                        ZV_JOINT_FIXED,    ZV_JOINT_FREE,       ZV_JOINT_PLANAR};
    for (int i = 0; i < 6; i++) {
        char text[400] = "<robot><joint name='j' type='";
        strcat(strcat(text, words[i]), "'>" ENDS "<limit lower='-1' upper='1' effort='5'/></joint></robot>");
        zvBuilder *b = read_text(text);
        const zvJoint *joint = zv_builder_joint(b, 0);
        assert_int_equal(joint->type, types[i]);
        const bool bounded = types[i] == ZV_JOINT_REVOLUTE || types[i] == ZV_JOINT_PRISMATIC;
        assert_int_equal(joint->dof[0].has_limits, bounded);
        if (types[i] == ZV_JOINT_REVOLUTE || types[i] == ZV_JOINT_PLANAR)
            assert_all(joint->axis, (double[]){1, 0, 0}, 3);
        if (types[i] != ZV_JOINT_FIXED) assert_true(joint->dof[0].effort == 5);
        zv_builder_destroy(b);
    }
}

static void mimic_and_missing_limits(void **state) {
    (void)state;
    zvBuilder *b = read_text("<robot>"
                             "<joint name='i' type='revolute'>" ENDS "<mimic joint='j'/><limit effort='1'/></joint>"
                             "<joint name='k' type='prismatic'>" ENDS
                             "<limit upper='2'/><mimic joint='j' multiplier='-2.5' offset='.5'/></joint></robot>");
    const zvJoint *plain = zv_builder_joint(b, 0), *full = zv_builder_joint(b, 1);
    assert_string_equal(plain->mimic, "j");
    assert_true(plain->ratio == 1 && plain->offset == 0);
    assert_false(plain->dof[0].has_limits);
    assert_true(full->ratio == -2.5 && full->offset == 0.5);
    assert_true(full->dof[0].has_limits && full->dof[0].lower == 0 && full->dof[0].upper == 2);
    zv_builder_destroy(b);
}

/* What tools leave in files and other readers pass over. */
static void strange_but_good(void **state) {
    (void)state;
    zvBuilder *b = read_text(
        "\xEF\xBB\xBF\n <?xml-stylesheet href='<robot>'?><!-- <link name='no'/> --><!DOCTYPE robot SYSTEM "
        "'nowhere.dtd'>\r\n"
        "<robot xmlns='http://ros.org' xmlns:xacro='x' name='r' version='1.0'>"
        "<xacro:property name='p' value='${1}'/><drake:thing undeclared='yes'/><![CDATA[<link name='no'/>]]>"
        "<link name='a' type='odd' drake:x='1'><inertial><origin xyz='0 0  1\n'/><mass value=' 1. ' unit='kg'/>"
        "<inertia ixx='1e-3' iyy='+1E-3' izz='.001'/></inertial><contact/><gravity>true</gravity></link>"
        "<link name='&lt;b&#45;\xd0\xb1'/>"
        "<joint name='j' type='fixed'>" ENDS "<axis xyz='0 0 0'/><safety_controller k_velocity='10'/>"
        "<calibration rising='0'/></joint>"
        "<transmission name='t'><joint name='j'/></transmission><gazebo reference='a'><link name='no'/></gazebo>"
        "text</robot>\n<!-- end -->");
    assert_int_equal(zv_builder_nlink(b), 2);
    assert_int_equal(zv_builder_njoint(b), 1);
    assert_all(zv_builder_link(b, 0)->inertia.com, (double[]){0, 0, 1}, 3);
    assert_all(zv_builder_link(b, 0)->inertia.moment, (double[]){1e-3, 0, 0, 1e-3, 0, 1e-3}, 6);
    assert_string_equal(zv_builder_link(b, 1)->name, "<b-\xd0\xb1");
    assert_int_equal(zv_builder_link(b, 0)->mark.line, 3);
    zv_builder_destroy(b);
}

static void latin_1(void **state) {
    (void)state;
    zvBuilder *b = read_text("<?xml version='1.0' encoding='ISO-8859-1'?><robot name='\xe9'><link name='a'/></robot>");
    assert_string_equal(zv_builder_name(b), "\xc3\xa9");
    zv_builder_destroy(b);
}

static bool first_error(void *context, const zvFinding *finding) {
    zvMark *mark = context;
    if (mark->line == 0 && finding->severity == ZV_SEVERITY_ERROR)
        *mark = (zvMark){NULL, finding->mark.line, finding->mark.column};
    return true;
}

/* The robot itself is judged by the linter, which points into the file by our marks. */
static void marks_reach_the_linter(void **state) {
    (void)state;
    zvError error;
    zvMark mark = {0};
    zvBuilder *b = read_text("<robot name='r'>\n <link name='a'/>\n  <joint name='j' type='fixed'>"
                             "<parent link='a'/><child link='nobody'/></joint>\n</robot>");
    assert_int_equal(zv_check(b, first_error, &mark, &error), ZV_OK);
    assert_int_equal(mark.line, 3);
    assert_int_equal(mark.column, 63); /* at the name that is wrong */
    zvModel *model;
    assert_true(zv_builder_freeze(b, &model, &error) < 0);
    assert_null(model);
    assert_int_equal(error.line, 3);
    assert_string_equal(error.file, "good.urdf");
    zv_builder_destroy(b);
}

TESTS(links, joints, shapes, meshes_and_materials, joint_types, mimic_and_missing_limits, strange_but_good, latin_1,
      marks_reach_the_linter)
