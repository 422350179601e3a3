/* Runs the built zveno through the shell and keeps what it printed. Files of a test lie in a folder of their own. */
#ifndef ZV_TESTS_CLI_TRANSCRIPT_H
#define ZV_TESTS_CLI_TRANSCRIPT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "zveno/document.h"

enum { TRANSCRIPT_CAPACITY = 1 << 22 };

typedef struct Transcript {
    int code;
    char *out;
    char *err;
} Transcript;

static char folder[] = "/tmp/zveno-cli-XXXXXX";
static char printed[TRANSCRIPT_CAPACITY], complained[TRANSCRIPT_CAPACITY];

/* An arm that swings about y, carries a slide along x one metre out, and a tool fixed 0.1 m above the slide:
 * arm 2 kg at 0.5 m with 0.1 kg m^2, tip 1 kg with 0.01 kg m^2. */
static const char arm_urdf[] =
    "<robot name=\"arm\">\n"
    "  <link name=\"base\"/>\n"
    "  <link name=\"beam\"><inertial><origin xyz=\"0.5 0 0\"/><mass value=\"2\"/>\n"
    "    <inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\n"
    "  <link name=\"tip\"><inertial><mass value=\"1\"/>\n"
    "    <inertia ixx=\"0.01\" iyy=\"0.01\" izz=\"0.01\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\n"
    "  <link name=\"tool\"/>\n"
    "  <joint name=\"swing\" type=\"continuous\"><parent link=\"base\"/><child link=\"beam\"/><axis xyz=\"0 1 "
    "0\"/></joint>\n"
    "  <joint name=\"slide\" type=\"prismatic\"><parent link=\"beam\"/><child link=\"tip\"/><origin xyz=\"1 0 0\"/>\n"
    "    <axis xyz=\"1 0 0\"/><limit lower=\"-0.5\" upper=\"0.5\" effort=\"10\" velocity=\"1\"/></joint>\n"
    "  <joint name=\"mount\" type=\"fixed\"><parent link=\"tip\"/><child link=\"tool\"/><origin xyz=\"0 0 "
    "0.1\"/></joint>\n"
    "</robot>\n";

/* Writes a file into the folder of the test. */
static inline void put_file(const char *name, const char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static inline void get_file(const char *name, char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(text, 1, TRANSCRIPT_CAPACITY - 1, file);
    text[size] = '\0';
    fclose(file);
}

/* Processor time of all programs that have ended, s. */
static inline double spent_by_children(void) {
    struct rusage use;
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &use), 0);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

/* Runs a shell line in the folder of the test; $Z is the program. What the font library keeps is no leak of ours. */
static inline Transcript shell(const char *line) {
    static char command[8192];
    snprintf(
        command, sizeof command,
        "cd %s && Z='%s/zveno' && export LSAN_OPTIONS='suppressions=\"%s/tests/cli/leaks.txt\":print_suppressions=0' "
        "&& { %s\n} >out.txt 2>err.txt </dev/null",
        folder, ZV_BINARY_DIR, ZV_SOURCE_DIR, line);
    const int status = system(command);
    assert_true(WIFEXITED(status));
    get_file("out.txt", printed);
    get_file("err.txt", complained);
    return (Transcript){.code = WEXITSTATUS(status), .out = printed, .err = complained};
}

/* zveno ARGUMENTS, with text on its standard input. */
static inline Transcript zveno_with(const char *input, const char *arguments) {
    char line[4096];
    put_file("in.txt", input);
    snprintf(line, sizeof line, "\"$Z\" %s <in.txt", arguments);
    return shell(line);
}

static inline Transcript zveno(const char *arguments) { return zveno_with("", arguments); }

static inline void expect_part(const char *text, const char *part) {
    if (!strstr(text, part)) fail_msg("\"%s\" is not in:\n%s", part, text);
}

static inline void expect_code(Transcript t, int code) {
    if (t.code != code) fail_msg("exit code %d, expected %d\n%s%s", t.code, code, t.out, t.err);
}

/* The run failed with this code, printed nothing, and complained with these words. */
static inline void expect_failure(Transcript t, int code, const char *part) {
    expect_code(t, code);
    assert_string_equal(t.out, "");
    expect_part(t.err, "zveno: error: ");
    expect_part(t.err, part);
}

static inline void expect_silence(Transcript t) {
    expect_code(t, 0);
    assert_string_equal(t.err, "");
}

/* Follows a path such as "energy.kinetic" or "1.tau" through a document; numbers are places in lists. */
static inline const zvNode *node_at(const zvNode *node, const char *path) {
    while (*path) {
        char step[64];
        const size_t length = strcspn(path, ".");
        snprintf(step, sizeof step, "%.*s", (int)length, path);
        assert_non_null(node);
        if (node->kind == ZV_NODE_LIST) {
            const int index = atoi(step);
            assert_true(index < node->count);
            node = node->items[index];
        } else {
            node = zv_node_get(node, step);
        }
        if (!node) fail_msg("there is no \"%s\" in the answer", step);
        path += length + (path[length] == '.');
    }
    return node;
}

static inline zvDocument *parse(const char *json) {
    zvDocument *document = NULL;
    zvError error = {0};
    if (zv_document_read_memory("answer", json, strlen(json), &document, &error) < 0)
        fail_msg("%s\n%s", error.text, json);
    return document;
}

/* The numbers at path are these, within 1e-12. */
static inline void expect_numbers(const char *json, const char *path, int count, const double *expected) {
    zvDocument *document = parse(json);
    const zvNode *node = node_at(zv_document_root(document), path);
    for (int i = 0; i < count; i++) {
        double value = 0;
        zvError error = {0};
        if (node->kind == ZV_NODE_LIST) assert_int_equal(node->count, count);
        assert_int_equal(zv_node_number(node->kind == ZV_NODE_LIST ? node->items[i] : node, path, &value, &error),
                         ZV_OK);
        if (!(value - expected[i] < 1e-12 && expected[i] - value < 1e-12))
            fail_msg("%s[%d] is %.17g, expected %.17g", path, i, value, expected[i]);
    }
    zv_document_destroy(document);
}

static inline void expect_text(const char *json, const char *path, const char *expected) {
    zvDocument *document = parse(json);
    assert_string_equal(node_at(zv_document_root(document), path)->text, expected);
    zv_document_destroy(document);
}

static inline int make_folder(void **state) {
    (void)state;
    if (!mkdtemp(folder)) return -1;
    put_file("arm.urdf", arm_urdf);
    return 0;
}

static inline int remove_folder(void **state) {
    char command[300];
    (void)state;
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

#endif
