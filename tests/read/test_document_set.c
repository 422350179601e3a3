/* Changes of documents by path. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/run_tests.h"
#include "zveno/document.h"

static const char text[] = "a: {b: [1, 2, {c: 3}], x.y: 4, x: {y: 5}}\nshared: &s {k: 6}\nalso: *s\n";

static zvDocument *open_text(const char *bytes) {
    zvDocument *document = NULL;
    assert_int_equal(zv_document_read_memory("d.yaml", bytes, strlen(bytes), &document, NULL), ZV_OK);
    return document;
}

static const char *text_at(const zvNode *node, const char *key) {
    const zvNode *found = zv_node_get(node, key);
    return found && found->text ? found->text : "(none)";
}

static void changes(void **state) {
    (void)state;
    zvDocument *document = open_text(text);
    const zvNode *before = zv_document_root(document);
    assert_int_equal(zv_document_set(document, "a.b.2.c", "30", NULL), ZV_OK);
    assert_int_equal(zv_document_set(document, "a.b.0", "{p: [q]}", NULL), ZV_OK);
    assert_int_equal(zv_document_set(document, "a.x.y", "40", NULL), ZV_OK); /* the longest key */
    assert_int_equal(zv_document_set(document, "new.sub.key", "1", NULL), ZV_OK);
    const zvNode *root = zv_document_root(document), *a = zv_node_get(root, "a"), *b = zv_node_get(a, "b");
    assert_string_equal(text_at(b->items[2], "c"), "30");
    assert_int_equal(zv_node_get(b->items[0], "p")->count, 1);
    assert_string_equal(b->items[1]->text, "2");
    assert_string_equal(text_at(a, "x.y"), "40");
    assert_string_equal(text_at(zv_node_get(a, "x"), "y"), "5");
    assert_string_equal(text_at(zv_node_get(zv_node_get(root, "new"), "sub"), "key"), "1");
    assert_int_equal(root->count, 4);
    /* what was looked up before is as it was */
    assert_string_equal(text_at(zv_node_get(zv_node_get(before, "a"), "b")->items[2], "c"), "3");
    assert_int_equal(before->count, 3);
    zv_document_destroy(document);
}

static void aliases(void **state) {
    (void)state;
    zvDocument *document = open_text(text);
    assert_int_equal(zv_document_set(document, "also.k", "7", NULL), ZV_OK);
    const zvNode *root = zv_document_root(document);
    assert_string_equal(text_at(zv_node_get(root, "shared"), "k"), "6");
    assert_string_equal(text_at(zv_node_get(root, "also"), "k"), "7");
    zv_document_destroy(document);
}

/* An empty document becomes a map; values may span lines. */
static void from_nothing(void **state) {
    (void)state;
    zvDocument *document = open_text("# nothing\n");
    assert_int_equal(zv_document_set(document, "m", "a: 1\nb: 2\n", NULL), ZV_OK);
    assert_string_equal(text_at(zv_node_get(zv_document_root(document), "m"), "b"), "2");
    zv_document_destroy(document);
}

static void marks(void **state) {
    (void)state;
    zvDocument *document = open_text(text);
    double value;
    zvError error = {0};
    assert_int_equal(zv_document_set(document, "a.b.1", "[1, no]", NULL), ZV_OK);
    const zvNode *list = zv_node_get(zv_node_get(zv_document_root(document), "a"), "b")->items[1];
    assert_int_equal(zv_node_number(list->items[1], "it", &value, &error), ZV_NUMBER);
    assert_string_equal(error.file, "--set a.b.1=[1, no]");
    assert_int_equal(error.line, 1);
    assert_int_equal(error.column, (int)strlen("--set a.b.1=[1, ") + 1);
    zv_document_destroy(document);
}

static void refusals(void **state) {
    (void)state;
    static const struct {
        const char *path, *value;
        zvStatus status;
        int column;
    } cases[] = {{"", "1", ZV_SYNTAX, 7},      {"a.", "1", ZV_SYNTAX, 9},       {".a", "1", ZV_SYNTAX, 7},
                 {"a.b.3", "1", ZV_NAME, 11},  {"a.b.-1", "1", ZV_NAME, 11},    {"a.b.99999999999", "1", ZV_NAME, 11},
                 {"a.b.1x", "1", ZV_NAME, 11}, {"a.b.1.c", "1", ZV_SCHEMA, 13}, {"a", "[1", ZV_SYNTAX, 1},
                 {"a", "", ZV_SYNTAX, 0},      {"a", "1: 2: 3", ZV_SYNTAX, 13}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        zvDocument *document = open_text(text);
        const zvNode *before = zv_document_root(document);
        zvError error = {0};
        const zvStatus status = zv_document_set(document, cases[i].path, cases[i].value, &error);
        if (status != cases[i].status || error.column != cases[i].column || strncmp(error.file, "--set ", 6) != 0)
            fail_msg("%s=%s: %s, %s:%d: %s", cases[i].path, cases[i].value, zv_status_name(status), error.file,
                     error.column, error.text);
        assert_ptr_equal(zv_document_root(document), before);
        zv_document_destroy(document);
    }
}

/* A path of more parts than documents are deep. */
static void long_paths(void **state) {
    (void)state;
    char path[201];
    for (int i = 0; i < 200; i++) path[i] = i % 2 ? '.' : 'k';
    path[199] = '\0';
    zvDocument *document = open_text("a: 1\n");
    zvError error = {0};
    assert_int_equal(zv_document_set(document, path, "1", &error), ZV_SIZE);
    zv_document_destroy(document);
}

TESTS(changes, aliases, from_nothing, marks, refusals, long_paths)
