/* Xacro: values of expressions against Python's, macros against the same robot written out, and files that do not end.
 */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read/read_text.h"
#include "read/xacro.h"
#include "support/own_folder.h"
#include "support/run_tests.h"

static char kept[64][128];
static int keeps;

static const char *keep(void *context, const char *text, size_t length) {
    (void)context;
    assert_true(length < sizeof kept[0]);
    char *copy = kept[keeps++ % 64];
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

/* Names: n = 3, x = 0.5, side = "left", yes = True. */
static bool look_up(void *context, const char *name, size_t length, ziExpressionValue *value, char fault[ZI_EXPRESSION_FAULT]) {
    (void)context;
    static const char *const names[] = {"n", "x", "side", "yes"};
    static const char *const values[] = {"3", "0.5", "left", "true"};
    for (int i = 0; i < 4; i++) {
        if (strlen(names[i]) != length || memcmp(names[i], name, length) != 0) continue;
        *value = zi_expression_literal(values[i]);
        return true;
    }
    snprintf(fault, ZI_EXPRESSION_FAULT, "\"%.*s\" is not defined", (int)length, name);
    return false;
}

/* What Python prints of each. */
static const char *const good[][2] = {
    {"1 + 2 * 3", "7"},
    {"(1 + 2) * 3", "9"},
    {"7 / 2", "3.5"},
    {"7 // 2", "3"},
    {"-7 // 2", "-4"},
    {"-7 % 3", "2"},
    {"7.5 % 2", "1.5"},
    {"4 / 2", "2.0"},
    {"2 ** 3 ** 2", "512"},
    {"-2 ** 2", "-4"},
    {"2 ** -1", "0.5"},
    {"- -1", "1"},
    {"1e3", "1000.0"},
    {".5", "0.5"},
    {"0.1 + 0.2", "0.30000000000000004"},
    {"n + 1", "4"},
    {"n * x", "1.5"},
    {"pi", "3.141592653589793"},
    {"math.pi / 2", "1.5707963267948966"},
    {"radians(180)", "3.141592653589793"},
    {"degrees(pi)", "180.0"},
    {"cos(0)", "1.0"},
    {"atan2(1, 0) * 2", "3.141592653589793"},
    {"max(1, 2.5, 2)", "2.5"},
    {"min(n, 2)", "2"},
    {"abs(-2)", "2"},
    {"int(2.7)", "2"},
    {"int('12')", "12"},
    {"float(2)", "2.0"},
    {"str(2) + 'x'", "2x"},
    {"round(2.6)", "3"},
    {"sqrt(16)", "4.0"},
    {"pow(2, 3)", "8.0"},
    {"floor(-1.5)", "-2"},
    {"1 < 2", "True"},
    {"2 <= 1", "False"},
    {"side == 'left'", "True"},
    {"side != \"left\"", "False"},
    {"side + '_arm'", "left_arm"},
    {"not yes", "False"},
    {"yes and n", "3"},
    {"0 or side", "left"},
    {"1 if side == 'right' else -1", "-1"},
    {"nobody if not yes else n", "3"},
    {"n if yes else nobody", "3"},
    {"yes or nobody", "True"},
    {"1 / 0 if n == 0 else 2", "2"},
    {"True", "True"},
    {"'' == None", "True"},
    {"1 if n > 2 else 2 if n > 1 else 3", "1"},
};

static const char *const bad[][2] = {
    {"nobody", "\"nobody\" is not defined"},
    {"1 +", "is beyond"},
    {"", "is beyond"},
    {"(1", "is beyond"},
    {"a.b", "is beyond"},
    {"n[0]", "is beyond"},
    {"[1, 2]", "is beyond"},
    {"1 2", "is beyond"},
    {"side * 2", "is no number"},
    {"1 / 0", "a division by zero"},
    {"sqrt(-1)", "has no value there"},
    {"frobnicate(1)", "is not known here"},
    {"sin('x')", "expected a number"},
    {"sin(1, 2)", "with 2 arguments"},
    {"-side", "no sign"},
    {"'open", "is beyond"},
    {"n if nobody else x", "\"nobody\" is not defined"},
    {"yes and nobody", "\"nobody\" is not defined"},
    {"xacro.load_yaml('f')", "is beyond"},
    {"10 ** 400", "too large"},
    {"float('x')", "is no number"},
};

static void expressions(void **state) {
    (void)state;
    const ziExpressionNames names = {look_up, keep, NULL, false};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        char fault[ZI_EXPRESSION_FAULT], buffer[40];
        ziExpressionValue value;
        if (!zi_expression_evaluate(good[i][0], strlen(good[i][0]), &names, &value, fault))
            fail_msg("%s: %s", good[i][0], fault);
        const char *text = zi_expression_text(&value, buffer);
        if (strcmp(text, good[i][1]) != 0) fail_msg("%s is %s, not %s", good[i][0], text, good[i][1]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char fault[ZI_EXPRESSION_FAULT];
        ziExpressionValue value;
        if (zi_expression_evaluate(bad[i][0], strlen(bad[i][0]), &names, &value, fault))
            fail_msg("%s has a value", bad[i][0]);
        if (!strstr(fault, bad[i][1])) fail_msg("%s: \"%s\" does not say \"%s\"", bad[i][0], fault, bad[i][1]);
    }
}

/* Nested without end; the stack stays small. */
static void deep_expressions(void **state) {
    (void)state;
    enum { DEEP = 100000 };
    static const char openings[] = "(-+";
    const ziExpressionNames names = {look_up, keep, NULL, false};
    char *text = malloc(DEEP), fault[ZI_EXPRESSION_FAULT];
    assert_non_null(text);
    for (size_t i = 0; i < sizeof openings - 1; i++) {
        ziExpressionValue value;
        memset(text, openings[i], DEEP);
        assert_false(zi_expression_evaluate(text, DEEP, &names, &value, fault));
    }
    free(text);
}

/* Texts of two descriptions in the native format. */
typedef struct Written {
    char bytes[8000];
    size_t size;
} Written;

static bool take(void *context, const char *text, size_t size) {
    Written *w = context;
    assert_true(w->size + size < sizeof w->bytes);
    memcpy(w->bytes + w->size, text, size);
    w->size += size;
    return true;
}

static void assert_same_robot(const char *name, const char *xacro, const char *plain) {
    static Written written[2];
    const char *texts[2] = {xacro, plain};
    for (int i = 0; i < 2; i++) {
        zvError error = {0};
        written[i].size = 0;
        zvBuilder *b = read_named(i == 0 ? name : "plain.urdf", texts[i]);
        assert_int_equal(zv_write_native(b, take, &written[i], &error), ZV_OK);
        written[i].bytes[written[i].size] = '\0';
        zv_builder_destroy(b);
    }
    assert_string_equal(written[0].bytes, written[1].bytes);
}

static const char plain_arm[] =
    "<robot name='arm'><link name='base'/>"
    "<link name='l1'><inertial><mass value='2.5'/><inertia ixx='0.1' iyy='0.2' izz='0.3'/></inertial></link>"
    "<joint name='j1' type='revolute'><parent link='base'/><child link='l1'/><origin xyz='0 0 0.5' rpy='0 0 "
    "1.5707963267948966'/><axis xyz='0 0 1'/><limit lower='-3.141592653589793' upper='3.141592653589793' effort='10' "
    "velocity='2'/></joint>"
    "<link name='l2'><inertial><mass value='5.0'/><inertia ixx='0.1' iyy='0.2' izz='0.3'/></inertial></link>"
    "<joint name='j2' type='revolute'><parent link='l1'/><child link='l2'/><origin xyz='0 0 1.0' rpy='0 0 0'/><axis "
    "xyz='0 1 0'/><limit lower='-3.141592653589793' upper='3.141592653589793' effort='20' "
    "velocity='2'/></joint></robot>";

#define MACRO                                                                                                 \
    "<xacro:macro name='segment' params='n parent mass:=${m0} effort=10 turn:=0 *axis **more'>"               \
    "<link name='l${n}'><inertial><mass value='${mass}'/><xacro:insert_block name='more'/></inertial></link>" \
    "<joint name='j${n}' type='revolute'><parent link='${parent}'/><child link='l${n}'/>"                     \
    "<origin xyz='0 0 ${length * n}' rpy='0 0 ${turn}'/><xacro:insert_block name='axis'/>"                    \
    "<limit lower='${-pi}' upper='${radians(180)}' effort='${effort}' velocity='$(arg speed)'/></joint></xacro:macro>"

#define BLOCKS(axis) "<axis xyz='" axis "'/><moments><inertia ixx='${0.1}' iyy='0.2' izz='0.3'/></moments>"

static void macros(void **state) {
    (void)state;
    static const char xacro[] =
        "<robot name='arm' xmlns:xacro='x'><xacro:arg name='speed' default='2'/><xacro:arg name='speed' default='9'/>"
        "<xacro:property name='length' value='${half}'/><xacro:property name='half' value='0.5'/>"
        "<xacro:property name='m0' value='2.5'/>" MACRO "<link name='base'/>"
        "<xacro:if value='${length > 0 and not False}'><xacro:segment n='1' parent='base' turn='${pi/2}'>" BLOCKS(
            "0 0 1") "</xacro:segment></xacro:if>"
                     "<xacro:unless value='1'><link name='never'/></xacro:unless>"
                     "<xacro:call macro='segment' n='${1 + 1}' parent='l1' mass='${m0 * 2}' effort='${10 * 2}'>" BLOCKS(
                         "0 1 0") "</xacro:call></robot>";
    assert_same_robot("arm.xacro", xacro, plain_arm);
}

/* A package "demo_description" with two files, and robots beside it. */
static int make_folders(void **state) {
    if (make_folder(state)) return 1;
    return mkdir(in_folder("demo_description"), 0700) || mkdir(in_folder("robots"), 0700);
}

static void packages_and_includes(void **state) {
    (void)state;
    save("demo_description/numbers.xacro", "<robot><xacro:property name='length' value='0.5'/></robot>");
    save("demo_description/macro.xacro",
         "<robot xmlns:xacro='x'><xacro:include filename='numbers.xacro'/><xacro:property name='m0' value='2.5'/>" MACRO
         "</robot>");
    static const char body[] =
        "<xacro:arg name='speed' default='$(optenv ZVENO_NO_SUCH_VARIABLE 2)'/><link name='base'/>"
        "<xacro:segment n='1' parent='base' turn='${pi/2}'>" BLOCKS(
            "0 0 1") "</xacro:segment>"
                     "<xacro:segment n='2' parent='l1' mass='5.0' effort='20'>" BLOCKS(
                         "0 1 0") "</xacro:segment></robot>";
    char text[3000];
    /* the package is a folder around the file's own */
    snprintf(text, sizeof text, "<robot name='arm'><xacro:include filename='$(find demo_description)/macro.xacro'/>%s",
             body);
    save("robots/arm.urdf.xacro", text);
    assert_same_robot(in_folder("robots/arm.urdf.xacro"), text, plain_arm);
    /* or one that is told */
    snprintf(text, sizeof text, "<robot name='arm'><xacro:include filename='$(find told)/macro.xacro'/>%s", body);
    zvError error = {0};
    zvBuilder *b = zv_builder_create(&error);
    assert_int_equal(zv_builder_set_package(b, "told", in_folder("demo_description"), &error), ZV_OK);
    assert_int_equal(zv_read_memory(b, "elsewhere.xacro", text, strlen(text), ZV_FORMAT_AUTO, &error), ZV_OK);
    assert_int_equal(zv_builder_njoint(b), 2);
    assert_string_equal(zv_builder_link(b, 1)->mark.file, in_folder("demo_description/macro.xacro"));
    zv_builder_destroy(b);
}

static void files_that_include_themselves(void **state) {
    (void)state;
    static const char ring[] = "<robot><xacro:include filename='ring.xacro'/></robot>";
    save("robots/ring.xacro", ring);
    zvError error = {0};
    zvBuilder *b = zv_builder_create(&error);
    assert_int_equal(zv_read_memory(b, in_folder("robots/ring.xacro"), ring, strlen(ring), ZV_FORMAT_AUTO, &error),
                     ZV_NOT_SUPPORTED);
    assert_non_null(strstr(error.text, "include each other"));
    zv_builder_destroy(b);
}

/* What expanded files still hold is left out and told once; dynamics does not need it. */
static void leftovers(void **state) {
    (void)state;
    zvBuilder *b =
        read_named("left.urdf",
                   "<robot><link name='a'><visual><geometry><box size='${0.5/2} 1 1'/></geometry><xacro:grey/></visual>"
                   "<visual><geometry><box size='${width} 1 1'/></geometry></visual></link><xacro:sensors prefix='x'/>"
                   "<gazebo><xacro:plugin/></gazebo><link name='b' x:note='$${x}'/></robot>");
    assert_int_equal(zv_builder_nshape(b), 1);
    assert_true(zv_builder_shape(b, 0)->size[0] == 0.25);
    assert_int_equal(zv_builder_nremark(b), 2);
    assert_string_equal(zv_builder_remark(b, 0)->rule, "xacro-left-out");
    assert_string_equal(zv_builder_remark(b, 0)->token, "xacro:grey");
    assert_string_equal(zv_builder_remark(b, 1)->rule, "shape-left-out");
    zv_builder_destroy(b);
}

/* Ten lines that would double a text, or call a macro, a billion times. */
static void expansion_without_end(void **state) {
    (void)state;
    static const char *const forms[] = {"<xacro:property name='p%d' value='${p%d}${p%d}'/>",
                                        "<xacro:macro name='p%d'><xacro:p%d/><xacro:p%d/></xacro:macro>"};
    for (int form = 0; form < 2; form++) {
        char text[6000] = "<robot>";
        zvError error = {0};
        for (int i = 40; i > 0; i--) snprintf(text + strlen(text), 200, forms[form], i, i - 1, i - 1);
        strcat(text, form == 0 ? "<xacro:property name='p0' value='xxxxxxxx'/><link name='${p40}'/></robot>"
                               : "<xacro:macro name='p0'><link name='a'/></xacro:macro><xacro:p40/></robot>");
        zvBuilder *b = zv_builder_create(&error);
        assert_true(zv_read_memory(b, "endless.xacro", text, strlen(text), ZV_FORMAT_AUTO, &error) < 0);
        zv_builder_destroy(b);
    }
}

TESTS_BETWEEN(make_folders, remove_folder, expressions, deep_expressions, macros, packages_and_includes,
              files_that_include_themselves, leftovers, expansion_without_end)
