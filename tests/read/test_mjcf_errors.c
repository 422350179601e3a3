/* Every kind of bad MJCF: status, line, column, token and the key phrase of the message. */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "read/read_text.h"
#include "support/error_case.h"
#include "support/own_folder.h"
#include "support/run_tests.h"

static void check(const ErrorCase *c) {
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    assert_non_null(builder);
    const zvStatus status = zv_read_memory(builder, "nowhere/m.xml", c->text, strlen(c->text), ZV_FORMAT_AUTO, &error);
    zv_builder_destroy(builder);
    expect_error(c, "nowhere/m.xml", status, &error);
}

static void check_all(const ErrorCase *cases, size_t count) {
    for (size_t i = 0; i < count; i++) check(&cases[i]);
}
#define CHECK_ALL(cases) check_all(cases, sizeof(cases) / sizeof(cases)[0])

/* What is tested stands in a line of its own, the third or the second. */
#define TOP(text) "<mujoco>\n" text "\n<worldbody><body name=\"b\"/></worldbody></mujoco>"
#define BODY(text) "<mujoco><worldbody>\n<body name=\"b\">\n" text "\n</body></worldbody></mujoco>"
#define EQUAL(text)                                                                                                  \
    "<mujoco><worldbody><body name=\"arm\"><joint name=\"one\"/></body>"                                             \
    "<body name=\"leg\"><joint name=\"two\"/><body name=\"foot\"><joint name=\"ball\" type=\"ball\"/></body></body>" \
    "<site name=\"spot\"/></worldbody>\n" text "\n</mujoco>"

static void settings(void **state) {
    (void)state;
    static const ErrorCase cases[] = {
        {"<mujoco/>", ZV_SCHEMA, 1, 1, "mujoco", "expected a <worldbody> with bodies, found none"},
        {TOP("<compiler angle=\"grad\"/>"), ZV_SCHEMA, 2, 18, "grad", "expected radian or degree, found \"grad\""},
        {TOP("<compiler coordinate=\"global\"/>"), ZV_NOT_SUPPORTED, 2, 23, "global", "which the format has given up"},
        {TOP("<compiler eulerseq=\"xyw\"/>"), ZV_SCHEMA, 2, 21, "xyw", "expected three letters of xyzXYZ"},
        {TOP("<compiler autolimits=\"yes\"/>"), ZV_SCHEMA, 2, 23, "yes", "expected false or true, found \"yes\""},
        {TOP("<compiler boundmass=\"1 2\"/>"), ZV_SCHEMA, 2, 22, "1 2", "expected 1 number, found 2; write one number"},
        {TOP("<compiler boundinertia=\"x\"/>"), ZV_NUMBER, 2, 25, "x", "boundinertia of <compiler>: expected a"},
        {TOP("<option gravity=\"0 0 nan\"/>"), ZV_NUMBER, 2, 22, "nan", "gravity of <option>: expected"},
        {TOP("<default><default><geom/></default></default>"), ZV_SCHEMA, 2, 10, "default",
         "expected class=\"...\" of a class within another"},
        {TOP("<default><default class=\"a\"/><default class=\"a\"/></default>"), ZV_NAME, 2, 46, "a",
         "expected a new class, found \"a\" again"},
        {TOP("<asset><mesh file=\"a.stl\"/><mesh file=\"b/a.obj\"/></asset>"), ZV_NAME, 2, 28, "mesh",
         "expected a name of its own, found \"a\" again"},
        {TOP("<asset><mesh file=\"a.stl\" refquat=\"0 0 0 0\"/></asset>"), ZV_NUMBER, 2, 36, "0 0 0 0",
         "expected a quaternion, found zeros"},
        {TOP("<asset><mesh file=\"a.stl\" inertia=\"best\"/></asset>"), ZV_SCHEMA, 2, 36, "best",
         "expected convex, exact, legacy or shell"},
        {TOP("<include file=\"none.xml\"/>"), ZV_IO, 2, 16, "none.xml", "expected a file at \"nowhere/none.xml\""},
        {TOP("<include/>"), ZV_SCHEMA, 2, 1, "include", "expected file=\"...\", found none"},
    };
    CHECK_ALL(cases);
}

static void bodies(void **state) {
    (void)state;
    static const ErrorCase cases[] = {
        {BODY("<body name=\"b\"/>"), ZV_NAME, 3, 13, "b", "<body>: expected a name of its own, found \"b\" again"},
        {BODY("<body name=\"world\"/>"), ZV_NAME, 3, 13, "world", "which is that of <worldbody>"},
        {BODY("<body quat=\"1 2 3\"/>"), ZV_SCHEMA, 3, 13, "1 2 3", "expected 4 numbers, found 3"},
        {BODY("<body quat=\"0 0 0 0\"/>"), ZV_NUMBER, 3, 13, "0 0 0 0", "expected numbers that are an orientation"},
        {BODY("<body xyaxes=\"1 0 0 2 0 0\"/>"), ZV_NUMBER, 3, 15, "1 0 0 2 0 0", "found zero, parallel"},
        {BODY("<body euler=\"1 2 3\" zaxis=\"0 0 1\"/>"), ZV_SCHEMA, 3, 14, "1 2 3",
         "expected one orientation, found euler beside zaxis"},
        {BODY("<body pos=\"1,2,3\"/>"), ZV_NUMBER, 3, 12, "1,2,3", "separate numbers by blanks"},
        {BODY("<body pos=\"1 2 1e400\"/>"), ZV_NUMBER, 3, 16, "1e400", "pos of <body>: expected"},
        {BODY("<body childclass=\"none\"/>"), ZV_NAME, 3, 19, "none", "expected a default class, found \"none\""},
        {BODY("<replicate count=\"0\"/>"), ZV_NUMBER, 3, 19, "0", "expected a whole number from 1 to 200000"},
        {BODY("<replicate count=\"1e9\"/>"), ZV_NUMBER, 3, 19, "1e9", "expected a whole number from 1 to 200000"},
        {BODY("<replicate count=\"9999\"><replicate count=\"9999\"><geom size=\"1\"/></replicate></replicate>"),
         ZV_SIZE, 3, ANY_COLUMN, NULL, "expected at most 200000 elements of bodies"},
        {BODY("<inertial mass=\"1\"/><inertial mass=\"1\"/>"), ZV_SCHEMA, 3, 21, "inertial",
         "expected one <inertial>, found a second beside that of line 3"},
        {BODY("<inertial pos=\"0 0 0\"/>"), ZV_SCHEMA, 3, 1, "inertial", "expected mass=\"...\", found none"},
        {BODY("<inertial mass=\"1\" fullinertia=\"1 2 3\"/>"), ZV_SCHEMA, 3, 33, "1 2 3",
         "expected 6 numbers, found 3"},
        {BODY("<joint name=\"j\"/><joint name=\"j\"/>"), ZV_NAME, 3, 31, "j", "<joint>: expected a name of its own"},
        {BODY("<joint axis=\"0 0 0\"/>"), ZV_PHYSICS, 3, 14, "0 0 0", "expected a direction, found a zero vector"},
        {BODY("<joint type=\"revolute\"/>"), ZV_SCHEMA, 3, 14, "revolute", "expected free, ball, slide or hinge"},
        {BODY("<joint limited=\"maybe\"/>"), ZV_SCHEMA, 3, 17, "maybe", "expected false, true or auto"},
        {BODY("<joint range=\"1\"/>"), ZV_SCHEMA, 3, 15, "1", "expected 2 numbers, found 1"},
        {BODY("<joint/><freejoint/>"), ZV_TOPOLOGY, 3, 9, "freejoint", "expected a free joint alone in its body"},
        {BODY("<body><freejoint/></body>"), ZV_TOPOLOGY, 3, 7, "freejoint", "found one in a body within another"},
        {"<mujoco><worldbody>\n<joint/></worldbody></mujoco>", ZV_TOPOLOGY, 2, 1, "joint",
         "found one in <worldbody>, which does not move"},
    };
    CHECK_ALL(cases);
}

static void geoms(void **state) {
    (void)state;
    static const ErrorCase cases[] = {
        {BODY("<geom type=\"cube\"/>"), ZV_SCHEMA, 3, 13, "cube", "expected plane, hfield, sphere, capsule"},
        {BODY("<geom/>"), ZV_NUMBER, 3, 1, "geom", "expected 1 number above 0 for a sphere"},
        {BODY("<geom type=\"box\" size=\"1 2\"/>"), ZV_NUMBER, 3, 24, "1 2", "expected 3 numbers above 0 for a box"},
        {BODY("<geom type=\"capsule\" size=\"1 -2\"/>"), ZV_NUMBER, 3, 28, "1 -2", "a radius and half its length"},
        {BODY("<geom size=\"1\" fromto=\"0 0 0 1 1 1\"/>"), ZV_SCHEMA, 3, 24, "0 0 0 1 1 1", "found a sphere"},
        {BODY("<geom type=\"capsule\" size=\"1\" fromto=\"1 1 1 1 1 1\"/>"), ZV_NUMBER, 3, 39, "1 1 1 1 1 1",
         "expected two points apart"},
        {BODY("<geom type=\"mesh\"/>"), ZV_SCHEMA, 3, 1, "geom", "expected mesh=\"...\" of a geom of type mesh"},
        {BODY("<geom type=\"mesh\" mesh=\"m\"/>"), ZV_NAME, 3, 25, "m", "expected a mesh of <asset>, found \"m\""},
        {BODY("<geom size=\"1\" mass=\"-1\"/>"), ZV_PHYSICS, 3, 22, "-1",
         "expected a mass and a density of at least 0"},
        {BODY("<geom size=\"1\" density=\"-1\"/>"), ZV_PHYSICS, 3, 25, "-1", "expected a mass and a density"},
    };
    CHECK_ALL(cases);
}

#define MESH(text)                            \
    "<mujoco><asset>\n<mesh name=\"m\" " text \
    "/></asset><worldbody><body><geom type=\"mesh\" mesh=\"m\"/></body></worldbody></mujoco>"

static void meshes(void **state) {
    (void)state;
    static const ErrorCase cases[] = {
        {MESH(""), ZV_NOT_SUPPORTED, 2, 1, "mesh", "expected a file, or vertices in place"},
        {MESH("file=\"a.ply\""), ZV_NOT_SUPPORTED, 2, 22, "a.ply", "expected a mesh, since the mass of a body depends"},
        {MESH("vertex=\"1 2\""), ZV_SCHEMA, 2, 24, "1 2", "vertex of <mesh>: expected 3"},
        {MESH("vertex=\"0 0 0 1 0 0 0 1 0 0 0 1 1\""), ZV_SCHEMA, 2, 24, NULL, "expected triples of numbers, found 13"},
        {MESH("vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" face=\"0 1 4\""), ZV_NUMBER, 2, 55, "0 1 4",
         "expected numbers of vertices from 0 to 3, found 4"},
        {MESH("vertex=\"0 0 0 1 0 0 0 1 0 1 1 0\""), ZV_PHYSICS, 2, 1, "mesh", "found them all in a plane"},
        {MESH("inertia=\"exact\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" face=\"0 1 2 0 3 1 0 2 3 1 3 2\""), ZV_PHYSICS, 2,
         1, "mesh", "expected a closed surface with its normals outwards"},
    };
    CHECK_ALL(cases);
}

static void relations(void **state) {
    (void)state;
    static const ErrorCase cases[] = {
        {EQUAL("<equality><joint joint1=\"on\"/></equality>"), ZV_NAME, 2, 26, "on",
         "expected a joint, found \"on\"; did you mean \"one\"?"},
        {EQUAL("<equality><joint/></equality>"), ZV_SCHEMA, 2, 11, "joint", "expected joint1=\"...\", found none"},
        {EQUAL("<equality><joint joint1=\"one\" joint2=\"ball\"/></equality>"), ZV_SCHEMA, 2, 39, "ball",
         "expected a hinge or a slide, found \"ball\""},
        {EQUAL("<equality><joint joint1=\"one\" polycoef=\"1 2 3 4 5 6\"/></equality>"), ZV_SCHEMA, 2, 41, NULL,
         "expected 1 to 5 numbers, found 6"},
        {EQUAL("<equality><connect body1=\"arms\" anchor=\"0 0 0\"/></equality>"), ZV_NAME, 2, 27, "arms",
         "expected a body, found \"arms\"; did you mean \"arm\"?"},
        {EQUAL("<equality><weld site1=\"spot\" site2=\"sport\"/></equality>"), ZV_NAME, 2, 37, "sport",
         "expected a site, found \"sport\"; did you mean \"spot\"?"},
        {EQUAL("<equality><connect body1=\"arm\" active=\"no\" anchor=\"0 0 0\"/></equality>"), ZV_SCHEMA, 2, 40, "no",
         "expected false or true"},
        {EQUAL("<equality><weld class=\"soft\" body1=\"arm\"/></equality>"), ZV_NAME, 2, 24, "soft",
         "expected a default class"},
        {EQUAL("<tendon><fixed><joint joint=\"three\" coef=\"1\"/></fixed></tendon>"), ZV_NAME, 2, 30, "three",
         "expected a joint, found \"three\""},
        {EQUAL("<tendon><fixed><joint joint=\"ball\" coef=\"1\"/></fixed></tendon>"), ZV_SCHEMA, 2, 30, "ball",
         "expected hinges and slides"},
    };
    CHECK_ALL(cases);
}

/* A tendon of more joints than a relation may have. */
static void too_many_joints(void **state) {
    (void)state;
    enum { JOINTS = 300, SIZE = 64 * 1024 };
    char *text = malloc(SIZE);
    int used = snprintf(text, SIZE, "<mujoco><worldbody>");
    for (int i = 0; i < JOINTS; i++)
        used += snprintf(text + used, SIZE - (size_t)used, "<body><joint name=\"j%d\"/></body>", i);
    used += snprintf(text + used, SIZE - (size_t)used, "</worldbody><tendon><fixed name=\"t\">");
    for (int i = 0; i < JOINTS; i++)
        used += snprintf(text + used, SIZE - (size_t)used, "<joint joint=\"j%d\" coef=\"1\"/>", i);
    snprintf(text + used, SIZE - (size_t)used,
             "</fixed></tendon><equality>\n<tendon tendon1=\"t\"/></equality></mujoco>");
    const ErrorCase c = {text, ZV_SIZE, 2, 1, "tendon", "expected at most 256 joints in a relation"};
    check(&c);
    free(text);
}

static void read_and_expect(const char *file, zvStatus status, int line, const char *words) {
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    if (zv_read_file(builder, in_folder(file), ZV_FORMAT_AUTO, &error) != status || error.line != line ||
        !strstr(error.text, words))
        fail_msg("%s: %d %s", file, error.line, error.text);
    zv_builder_destroy(builder);
}

/* Files that include themselves, directly or not; that are something else; that are deep only together. */
static void includes(void **state) {
    (void)state;
    char deep[4096] = "", *p = deep;
    save("self.xml", "<mujoco>\n<include file=\"self.xml\"/></mujoco>");
    save("a.xml", "<mujoco>\n<include file=\"b.xml\"/></mujoco>");
    save("b.xml", "<mujocoinclude>\n\n<include file=\"a.xml\"/></mujocoinclude>");
    save("c.xml", "<mujoco><include file=\"d.xml\"/></mujoco>");
    save("d.xml", "\n<robot/>");
    save("e.xml", "<mujoco>\n<include file=\"d.xml\"/>");
    p += sprintf(p, "<mujoco><worldbody>");
    for (int i = 0; i < 300; i++) p += sprintf(p, "<body>");
    p += sprintf(p, "\n<include file=\"g.xml\"/>");
    for (int i = 0; i < 300; i++) p += sprintf(p, "</body>");
    sprintf(p, "</worldbody></mujoco>");
    save("f.xml", deep);
    p = strstr(deep, "<include");
    memcpy(p, "                       ", 23);
    memcpy(deep, "<mujoco>           ", 19);
    p = strstr(deep, "</worldbody>");
    memcpy(p, "            ", 12);
    save("g.xml", deep);
    read_and_expect("self.xml", ZV_TOPOLOGY, 2, "a second time");
    read_and_expect("a.xml", ZV_TOPOLOGY, 3, "a second time");
    read_and_expect("c.xml", ZV_SCHEMA, 2, "<mujoco> or <mujocoinclude> in an included file");
    read_and_expect("e.xml", ZV_SYNTAX, 2, "expected well-formed XML");
    read_and_expect("f.xml", ZV_SIZE, 1, "expected at most 512 levels of elements with all includes");
}

TESTS_BETWEEN(make_folder, remove_folder, settings, bodies, geoms, meshes, relations, too_many_joints, includes)
