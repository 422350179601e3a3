/* YAML and JSON documents: the tree, the values, and every refusal with its place, token and key phrase. */
#include <float.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/error_case.h"
#include "support/run_tests.h"
#include "zveno/document.h"

static const double PI = 3.14159265358979323846;

static zvDocument *read_text(const char *text) {
    zvDocument *document;
    zvError error = {0};
    if (zv_document_read_memory("t.yaml", text, strlen(text), &document, &error) != ZV_OK)
        fail_msg("%s\n%d:%d: %s", text, error.line, error.column, error.text);
    return document;
}

static void assert_mark(zvMark mark, int line, int column) {
    if (mark.line != line || mark.column != column || strcmp(mark.file, "t.yaml") != 0)
        fail_msg("%s:%d:%d instead of %d:%d", mark.file, mark.line, mark.column, line, column);
}

/* The tree ---------------------------------------------------------------------------------------- */

static void tree(void **state) {
    (void)state;
    zvDocument *document = read_text("# comment\nname: arm\nlist:\n  - 1\n  - \"2\"\n  - {a: b, c: []}\nlast:\n");
    const zvNode *root = zv_document_root(document), *list = zv_node_get(root, "list");
    assert_int_equal(root->kind, ZV_NODE_MAP);
    assert_int_equal(root->count, 3);
    assert_string_equal(root->keys[1], "list");
    assert_mark(root->key_marks[1], 3, 1);
    assert_mark(root->mark, 2, 1);
    assert_string_equal(zv_node_get(root, "name")->text, "arm");
    assert_mark(zv_node_get(root, "name")->mark, 2, 7);
    assert_int_equal(list->kind, ZV_NODE_LIST);
    assert_int_equal(list->count, 3);
    assert_false(list->items[0]->quoted);
    assert_true(list->items[1]->quoted);
    assert_mark(list->items[1]->mark, 5, 5);
    assert_string_equal(zv_node_get(list->items[2], "a")->text, "b");
    assert_int_equal(zv_node_get(list->items[2], "c")->count, 0);
    assert_string_equal(zv_node_get(root, "last")->text, "");
    assert_null(zv_node_get(root, "nobody"));
    assert_null(zv_node_get(list, "name"));
    assert_null(zv_node_get(NULL, "name"));
    zv_document_destroy(document);
}

static void json(void **state) {
    (void)state;
    zvDocument *document =
        read_text("{\"q\":[1,-2.5e-3],\n\t\"name\": \"a\\u00e9\\\"\",\"on\":true,\"deep\":{\"x\":{}}}");
    const zvNode *root = zv_document_root(document);
    double q[2];
    bool on = false;
    assert_int_equal(zv_node_numbers(zv_node_get(root, "q"), "q", 2, q, NULL), ZV_OK);
    assert_true(q[0] == 1 && q[1] == -2.5e-3);
    assert_string_equal(zv_node_get(root, "name")->text, "a\xc3\xa9\"");
    assert_int_equal(zv_node_bool(zv_node_get(root, "on"), "on", &on, NULL), ZV_OK);
    assert_true(on);
    assert_mark(root->key_marks[1], 2, 2);
    zv_document_destroy(document);
}

static void columns_count_characters(void **state) {
    (void)state;
    zvDocument *document = read_text("\xEF\xBB\xBF{\xd0\xb0\xd0\xb1: x}");
    assert_mark(zv_node_get(zv_document_root(document), "\xd0\xb0\xd0\xb1")->mark, 1, 6);
    zv_document_destroy(document);
}

static void empty(void **state) {
    (void)state;
    static const char *const texts[] = {"", "\n", "# nothing\n"};
    for (int i = 0; i < 3; i++) {
        zvDocument *document = read_text(texts[i]);
        assert_null(zv_document_root(document));
        zv_document_destroy(document);
    }
    zv_document_destroy(NULL);
}

static void aliases_share(void **state) {
    (void)state;
    zvDocument *document = read_text("a: &x {m: 1}\nb: *x\nc: [*x, &y 5, *y]\n");
    const zvNode *root = zv_document_root(document), *c = zv_node_get(root, "c");
    assert_ptr_equal(zv_node_get(root, "a"), zv_node_get(root, "b"));
    assert_ptr_equal(zv_node_get(root, "a"), c->items[0]);
    assert_ptr_equal(c->items[1], c->items[2]);
    zv_document_destroy(document);
}

static void large_map(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    char *text = malloc(32 * COUNT);
    assert_non_null(text);
    size_t used = 0;
    for (int i = 0; i < COUNT; i++) used += (size_t)sprintf(text + used, "key%d: %d\n", i, i);
    zvDocument *document = read_text(text);
    int value = 0;
    assert_int_equal(zv_node_integer(zv_node_get(zv_document_root(document), "key19999"), "k", &value, NULL), ZV_OK);
    assert_int_equal(value, 19999);
    zv_document_destroy(document);
    sprintf(text + used, "key777: 1\n");
    zvError error;
    assert_int_equal(zv_document_read_memory("t.yaml", text, strlen(text), &document, &error), ZV_NAME);
    assert_null(document);
    assert_string_equal(error.token, "key777");
    assert_int_equal(error.line, COUNT + 1);
    assert_non_null(strstr(error.text, "line 778"));
    free(text);
}

/* Refused documents ------------------------------------------------------------------------------- */

static void refuse(const ErrorCase *c, size_t size) {
    zvError error = {0};
    zvDocument *document = (zvDocument *)&error;
    const zvStatus status = zv_document_read_memory("t.yaml", c->text, size, &document, &error);
    assert_null(document);
    expect_error(c, "t.yaml", status, &error);
    assert_int_equal(zv_document_read_memory("t.yaml", c->text, size, &document, NULL), status);
}

static void refused_documents(void **state) {
    (void)state;
    static const ErrorCase cases[] = {
        {"a: 1\nb: 2\na: 3\n", ZV_NAME, 3, 1, "a", "the key \"a\" was already given in line 1"},
        {"x: [{a: 1, a: 2}]", ZV_NAME, 1, 12, "a", "already given"},
        {"a: 1\n---\nb: 2\n", ZV_SYNTAX, 2, 1, "---", "a second document begins here"},
        {"a: &x [1, *x]\n", ZV_SYNTAX, 1, 11, "x", "a value cannot contain itself"},
        {"a: *nobody\n", ZV_NAME, 1, 4, "nobody", "has no anchor before it"},
        {"a: &x 1\nb: &x 2\n", ZV_NAME, 2, 4, "x", "&x is defined twice"},
        {"a: &x {m: 1}\nb:\n  <<: *x\n", ZV_NOT_SUPPORTED, 3, 3, "<<", "merge key"},
        {"[a]: 1\n", ZV_SYNTAX, 1, 1, "", "expected a plain word as key"},
        {"a: &x b\n*x : 1\n", ZV_SYNTAX, 2, 1, "", "expected a plain word as key"},
        {"a: !robot 1\n", ZV_NOT_SUPPORTED, 1, 4, "!robot", "the tag !robot is not supported"},
        {"a:\n\tb: 1\n", ZV_SYNTAX, 2, 1, "tab", "expected spaces for indentation, found a tab"},
        {"a: [1, 2\nb: 3\n", ZV_SYNTAX, 2, 2, ":", "that began in line 1"},
        {"a: \"x\n", ZV_SYNTAX, 2, 1, "", "quoted scalar that began in line 1"},
        {"a: b: c\n", ZV_SYNTAX, 1, 5, ":", "mapping values are not allowed"},
        {"a: \"x\\0y\"\n", ZV_SYNTAX, 1, 4, "\\0", "zero character"},
        {"a: \xc3(\n", ZV_SYNTAX, 1, 4, "0xc3", "expected UTF-8, found the byte 0xc3"},
        {"\xd0\xb0: \xc0\x80\n", ZV_SYNTAX, 1, 4, "0xc0", "expected UTF-8, found"},
        {"a: \xed\xa0\x80\n", ZV_SYNTAX, 1, 4, "0xed", "expected UTF-8, found"},
        {"a: x\x01y\n", ZV_SYNTAX, 1, 5, "", "control characters are not allowed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) refuse(&cases[i], strlen(cases[i].text));
    static const char zero[] = "a: 1\nb\0: 2\n";
    const ErrorCase nul = {zero, ZV_SYNTAX, 2, 2, "\\0", "zero byte"};
    refuse(&nul, sizeof zero - 1);
}

static void depth(void **state) {
    (void)state;
    char text[256] = "";
    memset(text, '[', 64);
    memset(text + 64, ']', 64);
    zv_document_destroy(read_text(text));
    memset(text, '[', 65);
    memset(text + 65, ']', 65);
    const ErrorCase flow = {text, ZV_SYNTAX, 1, 65, "", "deeper than 64 levels"};
    refuse(&flow, 130);
    const size_t size = 10u * 1000 * 1000;
    char *huge = malloc(size);
    assert_non_null(huge);
    memset(huge, '[', size);
    const ErrorCase endless = {huge, ZV_SYNTAX, 1, 65, "", "deeper than 64 levels"};
    zvError error = {0};
    zvDocument *document;
    const zvStatus status = zv_document_read_memory("t.yaml", huge, size, &document, &error);
    huge[size - 1] = '\0';
    expect_error(&endless, "t.yaml", status, &error);
    free(huge);
    /* the same depth by way of an alias: 34 levels inside 34 */
    char deep[256] = "a: &x ";
    for (int i = 0; i < 33; i++) strcat(deep, "[");
    for (int i = 0; i < 33; i++) strcat(deep, "]");
    strcat(deep, "\nb: ");
    for (int i = 0; i < 33; i++) strcat(deep, "[");
    strcat(deep, "*x");
    for (int i = 0; i < 33; i++) strcat(deep, "]");
    const ErrorCase alias = {deep, ZV_SYNTAX, 2, 37, "x", "deeper than 64 levels"};
    refuse(&alias, strlen(deep));
}

/* Nine levels of nine aliases would be 9^9 values. */
static void alias_bomb(void **state) {
    (void)state;
    char text[1024] = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 9; i++) {
        char line[128];
        snprintf(line, sizeof line, "a%d: &a%d [*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d]\n", i, i, i - 1, i - 1,
                 i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
        strcat(text, line);
    }
    const ErrorCase bomb = {text, ZV_SIZE, 8, 5, "", "used; split the file"};
    refuse(&bomb, strlen(text));
}

static void every_prefix(void **state) {
    (void)state;
    static const char text[] = "a: &x {b: [1, \"two\", 'three'], c: |\n  text\n}\nd: *x\ne: !!str 5\n? f\n: - 1\n";
    for (size_t size = 0; size < sizeof text; size++) {
        char *exact = malloc(size + 1);
        assert_non_null(exact);
        memcpy(exact, text, size);
        zvDocument *document;
        const zvStatus status = zv_document_read_memory("t.yaml", exact, size, &document, NULL);
        assert_true((status == ZV_OK) == (document != NULL));
        zv_document_destroy(document);
        free(exact);
    }
}

/* Values ------------------------------------------------------------------------------------------ */

static void good_numbers(void **state) {
    (void)state;
    const struct {
        const char *text;
        double value;
    } cases[] = {
        {"0", 0},
        {"-1.5", -1.5},
        {"+2", 2},
        {".5", 0.5},
        {"5.", 5},
        {"1e-3", 1e-3},
        {"2E+3", 2e3},
        {"1.7976931348623157e308", DBL_MAX},
        {"1e-400", 0},
        {"pi", PI},
        {"-pi", -PI},
        {"pi/2", PI / 2},
        {"-3*pi/4", -3 * PI / 4},
        {"2 * pi / 3", 2 * PI / 3},
        {"30 deg", PI / 6},
        {"-90deg", -PI / 2},
        {"1.5*pi", 1.5 * PI},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[64];
        double value = -7;
        snprintf(text, sizeof text, "x: %s", cases[i].text);
        zvDocument *document = read_text(text);
        const zvNode *node = zv_node_get(zv_document_root(document), "x");
        const bool degrees = strstr(cases[i].text, "deg") != NULL; /* of angles only */
        assert_int_equal(zv_node_number(node, "x", &value, NULL), degrees ? ZV_NUMBER : ZV_OK);
        assert_true(!degrees || value == -7);
        assert_int_equal(zv_node_angle(node, "x", &value, NULL), ZV_OK);
        if (!(value >= cases[i].value - 1e-15 && value <= cases[i].value + 1e-15))
            fail_msg("%s: %.17g instead of %.17g", cases[i].text, value, cases[i].value);
        zv_document_destroy(document);
    }
}

/* The decimal point stays a point where the user's locale has a comma. */
static void comma_locale(void **state) {
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "ru_RU.UTF-8", "fr_FR.UTF-8", "de_DE", "ru_RU"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !found; i++) found = setlocale(LC_ALL, names[i]) != NULL;
    zvDocument *document = read_text("x: 1.5");
    double value = 0;
    const zvStatus status = zv_node_number(zv_node_get(zv_document_root(document), "x"), "x", &value, NULL);
    zv_document_destroy(document);
    const char *now = setlocale(LC_ALL, NULL);
    const bool unchanged = !found || strcmp(now, "C") != 0;
    setlocale(LC_ALL, "C");
    assert_int_equal(status, ZV_OK);
    assert_true(value == 1.5);
    assert_true(unchanged);
}

typedef zvStatus (*Reading)(const zvNode *node, zvError *error);

static zvStatus as_number(const zvNode *node, zvError *error) {
    double value;
    return zv_node_number(node, "mass of link \"arm\"", &value, error);
}
static zvStatus as_angle(const zvNode *node, zvError *error) {
    double value;
    return zv_node_angle(node, "rest", &value, error);
}
static zvStatus as_three(const zvNode *node, zvError *error) {
    double values[3];
    return zv_node_numbers(node, "axis", 3, values, error);
}
static zvStatus as_integer(const zvNode *node, zvError *error) {
    int value;
    return zv_node_integer(node, "count", &value, error);
}
static zvStatus as_bool(const zvNode *node, zvError *error) {
    bool value;
    return zv_node_bool(node, "closed", &value, error);
}
static zvStatus as_text(const zvNode *node, zvError *error) {
    const char *value;
    return zv_node_text(node, "name", &value, error);
}
static zvStatus as_joint(const zvNode *node, zvError *error) {
    static const char *const names[] = {"name", "type", "damping"};
    return zv_node_only(node, "a joint", names, 3, error);
}

static const struct {
    Reading read;
    ErrorCase expected;
} values[] = {
    {as_number, {"x: heavy", ZV_NUMBER, 1, 4, "heavy", "mass of link \"arm\": expected a number, found \"heavy\""}},
    {as_number, {"x: .nan", ZV_NUMBER, 1, 4, ".nan", "expected a finite number, found"}},
    {as_number, {"x: -inf", ZV_NUMBER, 1, 4, "-inf", "expected a finite number, found"}},
    {as_number, {"x: Infinity", ZV_NUMBER, 1, 4, "Infinity", "expected a finite number, found"}},
    {as_number, {"x: 1e400", ZV_NUMBER, 1, 4, "1e400", "expected a finite number (up to about 1.8e308)"}},
    {as_number, {"x: 1e308*pi", ZV_NUMBER, 1, 4, "1e308*pi", "up to about 1.8e308"}},
    {as_number, {"x: 0x10", ZV_NUMBER, 1, 4, "0x10", "expected a number, found"}},
    {as_number, {"x: 1,5", ZV_NUMBER, 1, 4, "1,5", "expected a number, found"}},
    {as_number, {"x: 1 2", ZV_NUMBER, 1, 4, "1 2", "expected a number, found"}},
    {as_number, {"x: pi/0", ZV_NUMBER, 1, 4, "pi/0", "expected a number, found"}},
    {as_number, {"x: 2*e", ZV_NUMBER, 1, 4, "2*e", "expected a number, found"}},
    {as_number, {"x: pie", ZV_NUMBER, 1, 4, "pie", "expected a number, found"}},
    {as_number, {"x: 3 degrees", ZV_NUMBER, 1, 4, "3 degrees", "found \"3 degrees\"; write a number such as 0.5"}},
    {as_number, {"x: 3 deg", ZV_NUMBER, 1, 4, "3 deg", "found \"3 deg\"; only angles are written in deg"}},
    {as_angle, {"x: 3 degrees", ZV_NUMBER, 1, 4, "3 degrees", "write a number such as 0.5, pi/2 or 30 deg"}},
    {as_three,
     {"x: [0, 1, 3 deg]", ZV_NUMBER, 1, 11, "3 deg", "number 3 of axis: expected a number, found \"3 deg\"; only"}},
    {as_number, {"x: \"5\"", ZV_NUMBER, 1, 4, "5", "write the number without quotes"}},
    {as_number, {"x: !!str 5", ZV_NUMBER, 1, 4, "5", "write the number without quotes"}},
    {as_number, {"x: [1, 2]", ZV_SCHEMA, 1, 4, "[", "expected a number, found a list of 2"}},
    {as_number, {"x: {a: 1}", ZV_SCHEMA, 1, 4, "{", "expected a number, found a map of 1 key"}},
    {as_number, {"x:", ZV_SCHEMA, 1, 3, "", "expected a number, found nothing"}},
    {as_three, {"x: [0, 1]", ZV_SCHEMA, 1, 4, "[", "axis: expected 3 numbers, found 2"}},
    {as_three, {"x: [1]", ZV_SCHEMA, 1, 4, "[", "axis: expected 3 numbers, found 1"}},
    {as_three, {"x: 5", ZV_SCHEMA, 1, 4, "5", "axis: expected a list of 3 numbers, found \"5\""}},
    {as_three, {"x: [0, 1, z]", ZV_NUMBER, 1, 11, "z", "number 3 of axis: expected a number, found \"z\""}},
    {as_three, {"x:\n- 0\n- [1]\n- 2", ZV_SCHEMA, 3, 3, "[", "number 2 of axis: expected a number"}},
    {as_integer, {"x: 1.5", ZV_NUMBER, 1, 4, "1.5", "count: expected a whole number"}},
    {as_integer, {"x: 3000000000", ZV_NUMBER, 1, 4, "3000000000", "at most nine digits"}},
    {as_integer, {"x: -99999999999999999999", ZV_NUMBER, 1, 4, "-99999999999999999999", "at most nine digits"}},
    {as_integer, {"x: '1'", ZV_NUMBER, 1, 4, "1", "whole number"}},
    {as_integer, {"x: []", ZV_SCHEMA, 1, 4, "[", "a list of 0"}},
    {as_bool, {"x: perhaps", ZV_SCHEMA, 1, 4, "perhaps", "closed: expected true or false, found \"perhaps\""}},
    {as_bool, {"x: 'true'", ZV_SCHEMA, 1, 4, "true", "expected true or false"}},
    {as_text, {"x: [a]", ZV_SCHEMA, 1, 4, "[", "name: expected a word, found a list of 1"}},
    {as_text, {"x:", ZV_SCHEMA, 1, 3, "", "found nothing"}},
    {as_joint, {"x:\n  name: j\n  dampng: 1", ZV_SCHEMA, 3, 3, "dampng", "did you mean \"damping\"?"}},
    {as_joint, {"x: {colour: red}", ZV_SCHEMA, 1, 5, "colour", "its keys are name, type, damping"}},
    {as_joint, {"x: [a]", ZV_SCHEMA, 1, 4, "[", "a joint: expected a map (key: value), found a list of 1"}},
};

static void bad_values(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        zvError error = {0};
        zvDocument *document = read_text(values[i].expected.text);
        const zvNode *node = zv_node_get(zv_document_root(document), "x");
        const zvStatus status = values[i].read(node, &error);
        expect_error(&values[i].expected, "t.yaml", status, &error);
        assert_int_equal(values[i].read(node, NULL), status);
        zv_document_destroy(document);
    }
}

static void good_values(void **state) {
    (void)state;
    zvDocument *document = read_text("i: -12\nj: +7\nb: True\nc: false\nt: 'a b'\nu: \"\"\n");
    const zvNode *root = zv_document_root(document);
    static const char *const names[] = {"i", "j", "b", "c", "t", "u", "v"};
    int i = 0, j = 0;
    bool b = false, c = true;
    const char *t = NULL, *u = NULL;
    assert_int_equal(zv_node_integer(zv_node_get(root, "i"), "i", &i, NULL), ZV_OK);
    assert_int_equal(zv_node_integer(zv_node_get(root, "j"), "j", &j, NULL), ZV_OK);
    assert_int_equal(zv_node_bool(zv_node_get(root, "b"), "b", &b, NULL), ZV_OK);
    assert_int_equal(zv_node_bool(zv_node_get(root, "c"), "c", &c, NULL), ZV_OK);
    assert_int_equal(zv_node_text(zv_node_get(root, "t"), "t", &t, NULL), ZV_OK);
    assert_int_equal(zv_node_text(zv_node_get(root, "u"), "u", &u, NULL), ZV_OK);
    assert_true(i == -12 && j == 7 && b && !c);
    assert_string_equal(t, "a b");
    assert_string_equal(u, "");
    assert_int_equal(zv_node_only(root, "it", names, 7, NULL), ZV_OK);
    zv_document_destroy(document);
}

TESTS(tree, json, empty, columns_count_characters, aliases_share, large_map, depth, refused_documents, alias_bomb,
      every_prefix, good_numbers, comma_locale, bad_values, good_values)
