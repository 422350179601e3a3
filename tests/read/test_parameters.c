/* Parameters of documents: values and units of expressions, robots written out by hand, and what is refused. */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/read_text.h"
#include "support/error_case.h"
#include "support/own_folder.h"
#include "support/run_tests.h"
#include "support/same_description.h"

static zvDocument *expanded(const char *text, zvStatus *status, zvError *error) {
    zvDocument *document = NULL;
    assert_int_equal(zv_document_read_memory("p.yaml", text, strlen(text), &document, NULL), ZV_OK);
    *status = zv_document_expand(document, error);
    return document;
}

/* Each with its value in SI and its unit, by hand. */
static void values_and_units(void **state) {
    (void)state;
    static const struct {
        const char *text, *unit;
        double value;
    } cases[] = {{"120 kg", "kg", 120},
                 {"2.5", "1", 2.5},
                 {"1 t + 500 kg", "kg", 1500},
                 {"30 deg", "1", 0.52359877559829887},
                 {"60 rpm", "1/s", 6.2831853071795865},
                 {"9.81 m/s^2", "m/s^2", 9.81},
                 {"210 GPa", "kg/m/s^2", 210e9},
                 {"3 N m", "kg m^2/s^2", 3},
                 {"3 N m/rad", "kg m^2/s^2", 3},
                 {"10 N s/m", "kg/s", 10},
                 {"1 kg * 2 m ** 2", "kg m^2", 4},
                 {"(1 kg * (2 m) ** 2)", "kg m^2", 4},
                 {"6 m / 4", "m", 1.5},
                 {"6 m / 4 s", "m/s", 1.5},
                 {"6 m / 4 m", "1", 1.5},
                 {"sqrt(9 m^2)", "m", 3},
                 {"hypot(3 m, 400 cm)", "m", 5},
                 {"max(3 mm, 1 um)", "m", 3e-3},
                 {"abs(-2 s)", "s", 2},
                 {"atan2(1 m, 1 m)", "1", 0.78539816339744831},
                 {"sin(30 deg)", "1", 0.5},
                 {"2 m if 3 kg > 2 kg else 5 m", "m", 2},
                 {"7 // 2", "1", 3},
                 {"1 h - 1 min", "s", 3540}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        zvStatus status;
        zvError error = {0};
        snprintf(text, sizeof text, "parameters:\n  x: %s\nv: $(x)\n", cases[i].text);
        zvDocument *document = expanded(text, &status, &error);
        if (status < 0) fail_msg("%s: %s", cases[i].text, error.text);
        assert_int_equal(zv_document_nparameter(document), 1);
        const zvParameter *x = zv_document_parameter(document, 0);
        double value = 0;
        assert_int_equal(zv_node_number(zv_node_get(zv_document_root(document), "v"), "v", &value, NULL), ZV_OK);
        const double off = value - cases[i].value;
        if (strcmp(x->unit, cases[i].unit) != 0 || x->value != value || off * off > 1e-30 * value * value)
            fail_msg("%s is %.17g %s, not %.17g %s", cases[i].text, x->value, x->unit, cases[i].value, cases[i].unit);
        zv_document_destroy(document);
    }
}

/* What stands in the places, and that the map itself is gone. */
static void places(void **state) {
    (void)state;
    static const char text[] = "parameters: {n: 3, half: n / 2, whole: 2 * half, label: \"arm\", on: n > 2}\n"
                               "a: $(n)\nb: link$(n)_$(half)\nc: $(whole)\nd: '$(label)'\ne: $(on)\nf: $$(n)\n"
                               "g: [{for: i = 0..2, each: $(i*i)}, {if: on, each: [x, y]}, {if: not on, each: z}, "
                               "{for: i = 1..2, each: {for: j = i..2, each: $(i)$(j)}}, {for: k = 1..0, each: 0}]\n";
    static const char *const keys[] = {"a", "b", "c", "d", "e", "f"};
    static const char *const wanted[] = {"3", "link3_1.5", "3", "arm", "true", "$(n)"};
    static const char *const items[] = {"0", "1", "4", "x", "y", "11", "12", "22"};
    zvStatus status;
    zvError error = {0};
    zvDocument *document = expanded(text, &status, &error);
    if (status < 0) fail_msg("%s", error.text);
    const zvNode *root = zv_document_root(document), *list = zv_node_get(root, "g");
    assert_null(zv_node_get(root, "parameters"));
    for (int i = 0; i < 6; i++) assert_string_equal(zv_node_get(root, keys[i])->text, wanted[i]);
    assert_true(zv_node_get(root, "d")->quoted && !zv_node_get(root, "a")->quoted);
    assert_int_equal(list->count, 8);
    for (int i = 0; i < 8; i++) assert_string_equal(list->items[i]->text, items[i]);
    zv_document_destroy(document);
}

/* Documents without parameters are not touched. */
static void without_any(void **state) {
    (void)state;
    zvStatus status;
    zvError error = {0};
    zvDocument *document = expanded("a: $(n)\nb: [{for: i = 1..2, each: x}]\n", &status, &error);
    assert_int_equal(status, ZV_OK);
    assert_string_equal(zv_node_get(zv_document_root(document), "a")->text, "$(n)");
    assert_int_equal(zv_node_get(zv_document_root(document), "b")->count, 1);
    zv_document_destroy(document);
}

#define CHAIN                                                                                                          \
    "zveno: 1\nname: rods\nparameters: {n: 5, total: 6 kg, length: 3 m, l: length / n, m: total / n}\nlinks:\n"        \
    "  - {name: ground}\n  - for: i = 1..n\n    each: {name: rod$(i), mass: $(m), com: [$(l/2), 0, 0], inertia: [0, "  \
    "$(m*l**2/12), $(m*l**2/12)]}\njoints:\n  - for: i = 1..n\n    each: {name: joint$(i), type: continuous, parent: " \
    "$('rod' + str(i-1) if i > 1 else 'ground'), child: rod$(i), axis: [0, -1, 0], origin: {xyz: [$(l if i > 1 else "  \
    "0 m), 0, 0]}}\n"

/* The same chain written out here. */
static zvBuilder *chain_by_hand(int n, double total, double length) {
    char text[4000] = "zveno: 1\nname: rods\nlinks: [{name: ground}", part[400];
    const double l = length / n, m = total / n, J = m * (l * l) / 12;
    for (int i = 1; i <= n; i++) {
        snprintf(part, sizeof part, ", {name: rod%d, mass: %.17g, com: [%.17g, 0, 0], inertia: [0, %.17g, %.17g]}", i,
                 m, l / 2, J, J);
        strcat(text, part);
    }
    strcat(text, "]\njoints: [");
    for (int i = 1; i <= n; i++) {
        char parent[16] = "ground";
        if (i > 1) snprintf(parent, sizeof parent, "rod%d", i - 1);
        snprintf(
            part, sizeof part,
            "%s{name: joint%d, type: continuous, parent: %s, child: rod%d, axis: [0, -1, 0], origin: {xyz: [%.17g, "
            "0, 0]}}",
            i > 1 ? ", " : "", i, parent, i, i > 1 ? l : 0);
        strcat(text, part);
    }
    strcat(text, "]\n");
    return read_named("chain.yaml", text);
}

static void expect_same(zvBuilder *got, zvBuilder *wanted) {
    char difference[256];
    if (!same_description(got, wanted, difference, sizeof difference)) fail_msg("%s", difference);
    zv_builder_destroy(got);
    zv_builder_destroy(wanted);
}

static zvBuilder *read_changed(const char *path, int count, const char *const *changes) {
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    if (!builder || zv_read_file_changed(builder, path, ZV_FORMAT_AUTO, count, changes, &error) < 0)
        fail_msg("%s", error.text);
    return builder;
}

/* As the file says, with parameters from outside, and with values of the robot changed. */
static void chains(void **state) {
    (void)state;
    const char *path = in_folder("robot");
    expect_same(read_named("chain.yaml", CHAIN), chain_by_hand(5, 6, 3));
    save("robot", CHAIN);
    expect_same(read_changed(path, 2, (const char *const[]){"parameters.n=7", "parameters.total=2 t"}),
                chain_by_hand(7, 2000, 3));
    zvBuilder *robot = read_changed(
        path, 3, (const char *const[]){"links.rod2.mass=17", "parameters.n=2", "joints.joint2.origin.xyz.0=0.25"});
    assert_int_equal(zv_builder_nlink(robot), 3);
    assert_true(zv_builder_link(robot, 2)->inertia.mass == 17 && zv_builder_link(robot, 1)->inertia.mass == 3);
    assert_true(zv_builder_joint(robot, 1)->origin.p[0] == 0.25);
    zv_builder_destroy(robot);
}

/* Other formats have numbers too. */
static void other_formats(void **state) {
    (void)state;
    const char *path = in_folder("robot");
    save("robot",
         "<robot name=\"r\"><link name=\"base\"/><link name=\"a.b\"><inertial><mass value=\"2\"/><inertia ixx=\"1\" "
         "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link><joint name=\"j\" "
         "type=\"continuous\"><parent link=\"base\"/><child link=\"a.b\"/></joint></robot>");
    zvBuilder *robot = read_changed(path, 1, (const char *const[]){"links.a.b.mass=5"});
    assert_true(zv_builder_link(robot, 1)->inertia.mass == 5);
    zv_builder_destroy(robot);
    zvError error = {0};
    static const char *const wrong[][2] = {{"parameters.n=1", "expected a native robot file"},
                                           {"links.bas.mass=1", "did you mean \"base\"?"},
                                           {"links.a.b.mas=1", "did you mean \"mass\"?"},
                                           {"links.a.b.mass", "expected --set key=value"}};
    for (int i = 0; i < 4; i++) {
        robot = zv_builder_create(&error);
        assert_true(zv_read_file_changed(robot, path, ZV_FORMAT_AUTO, 1, wrong[i], &error) < 0);
        if (!strstr(error.text, wrong[i][1])) fail_msg("%s: %s", wrong[i][0], error.text);
        zv_builder_destroy(robot);
    }
}

static void refused(void **state) {
    (void)state;
    static const ErrorCase cases[] = {
        {"parameters: {mass: 1}\na: $(mas)\n", ZV_NUMBER, 2, 6, "mas", "did you mean \"mass\"?"},
        {"parameters: 5\n", ZV_SCHEMA, 1, 13, "parameters", "expected a map from names"},
        {"parameters: {a: b, b: a}\n", ZV_NUMBER, 1, 23, "a", "the parameter \"a\" needs itself"},
        {"parameters: {a: 1 kg + 2 m}\n", ZV_NUMBER, 1, 17, NULL, "a number in kg does not go with one in m"},
        {"parameters: {a: 1 kg}\nb: {length: $(a)}\n", ZV_NUMBER, 2, 13, "$(a)",
         "expected a number in m, found one in kg"},
        {"parameters: {a: 1 kg}\nb: $(sin(a))\n", ZV_NUMBER, 2, 6, NULL, "expected one without a unit"},
        {"parameters: {a: 1 / 0}\n", ZV_NUMBER, 1, 17, NULL, "a division by zero"},
        {"parameters: {a: [1, 2]}\n", ZV_SCHEMA, 1, 17, "a", "found a list of 2"},
        {"parameters: {a: }\n", ZV_SCHEMA, 1, ANY_COLUMN, "a", "found nothing"},
        {"parameters: {pi: 3}\n", ZV_NAME, 1, 14, "pi", "found \"pi\""},
        {"parameters: {a-b: 3}\n", ZV_NAME, 1, 14, "a-b", "found \"a-b\""},
        {"parameters: {n: 2}\na: x$(n\n", ZV_SYNTAX, 2, 5, NULL, "expected a \")\""},
        {"parameters: {n: 2}\na: [{for: i in 1..n, each: 1}]\n", ZV_SYNTAX, 2, 11, NULL, "such as i = 1..n"},
        {"parameters: {n: 2.5}\na: [{for: i = 1..n, each: 1}]\n", ZV_NUMBER, 2, 18, NULL, "whole numbers"},
        {"parameters: {n: 2000000}\na: [{for: i = 1..n, each: 1}]\n", ZV_SIZE, 2, 11, NULL, "at most 1000000"},
        {"parameters: {n: 1}\na: [{for: i = 1..n}]\n", ZV_SCHEMA, 2, 5, "for", "found no each"},
        {"parameters: {n: 1}\na: [{if: n, for: i = 1..n, each: 1}]\n", ZV_SCHEMA, 2, 5, "for", "both for and if"},
        {"parameters: {n: 1}\na: [{for: i = 1..n, each: 1, ech: 2}]\n", ZV_SCHEMA, 2, 30, "ech",
         "did you mean \"each\"?"},
        {"parameters: {n: 1000}\na: [{for: i = 1..n, each: {for: j = 1..n, each: {for: k = 1..n, each: 1}}}]\n",
         ZV_SIZE, 2, ANY_COLUMN, NULL, "more than 4000000 values"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        zvStatus status;
        zvError error = {0};
        zvDocument *document = expanded(cases[i].text, &status, &error);
        expect_error(&cases[i], "p.yaml", status, &error);
        zv_document_destroy(document);
    }
}

TESTS_BETWEEN(make_folder, remove_folder, values_and_units, places, without_any, chains, other_formats, refused)
