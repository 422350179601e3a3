/* Files that cannot be read, each with its reason. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "read/text.h"
#include "support/run_tests.h"
#include "zveno/read.h"

static char folder[] = "zveno-source-XXXXXX";

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder);
}

static const char *path_of(char buffer[256], const char *name) {
    snprintf(buffer, 256, "%s/%s", folder, name);
    return buffer;
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void expect(const char *path, zvStatus wanted, const char *phrase) {
    zvError error = {0};
    ziSource source;
    const zvStatus status = zi_source_load(path, &source, &error);
    if (status != wanted || !strstr(error.text, phrase) || strcmp(error.file, path) != 0 || error.line != 0)
        fail_msg("%s gave %s in \"%s\": %s", path, zv_status_name(status), error.file, error.text);
    assert_null(source.bytes);
    assert_int_equal(source.size, 0);
    assert_int_equal(zi_source_load(path, &source, NULL), wanted);
}

static void unreadable(void **state) {
    (void)state;
    char path[256];
    expect(path_of(path, "nobody.urdf"), ZV_IO, "no such file");
    expect(folder, ZV_IO, "directory");
    write_file(path_of(path, "empty"), "");
    expect(path, ZV_SYNTAX, "empty");
    write_file(path, "x");
    assert_int_equal(truncate(path, (off_t)256 * 1024 * 1024 + 1), 0);
    expect(path, ZV_SIZE, "larger than 256 MiB");
    assert_int_equal(unlink(path), 0);
    if (geteuid() == 0) return; /* the superuser may read everything */
    write_file(path_of(path, "secret"), "x");
    assert_int_equal(chmod(path, 0), 0);
    expect(path, ZV_IO, "no permission");
    assert_int_equal(unlink(path), 0);
}

static void whole(void **state) {
    (void)state;
    char path[256];
    const size_t size = 300 * 1000 + 7; /* several chunks */
    char *text = malloc(size + 1);
    assert_non_null(text);
    for (size_t i = 0; i < size; i++) text[i] = (char)('a' + i % 23);
    text[size] = '\0';
    write_file(path_of(path, "whole"), text);
    ziSource source;
    assert_int_equal(zi_source_load(path, &source, NULL), ZV_OK);
    assert_int_equal(source.size, size);
    assert_memory_equal(source.bytes, text, size + 1);
    zi_source_free(&source);
    assert_null(source.bytes);
    free(text);
    assert_int_equal(unlink(path), 0);
}

static void standard_input(void **state) {
    (void)state;
    char path[256];
    zvError error = {0};
    write_file(path_of(path, "piped"), "<robot name='piped'><link name=''/></robot>");
    assert_non_null(freopen(path, "rb", stdin));
    zvBuilder *builder = zv_builder_create(&error);
    assert_int_equal(zv_read_file(builder, "-", ZV_FORMAT_AUTO, &error), ZV_SCHEMA);
    assert_string_equal(error.file, "<stdin>");
    assert_int_equal(error.column, 33);
    zv_builder_destroy(builder);
    assert_int_equal(unlink(path), 0);
}

/* Reading and freezing in one call; the format is seen from the first character. */
static void model(void **state) {
    (void)state;
    char path[256];
    zvError error = {0};
    zvModel *made;
    write_file(path_of(path, "robot"), "\n\n  <robot name='r'><link name='a'/></robot>");
    if (zv_model_read(path, &made, &error) != ZV_OK) fail_msg("%d:%d %s", error.line, error.column, error.text);
    assert_string_equal(zv_model_name(made), "r");
    assert_int_equal(zv_model_nlink(made), 1);
    zv_model_destroy(made);
    write_file(path, "zveno: 1\nname: n\nlinks: [{name: a}]\n");
    if (zv_model_read(path, &made, &error) != ZV_OK) fail_msg("%d:%d %s", error.line, error.column, error.text);
    assert_string_equal(zv_model_name(made), "n");
    zv_model_destroy(made);
    write_file(path, "<robot name='r'><link name='a'/><link name='a'/></robot>");
    assert_true(zv_model_read(path, &made, &error) < 0);
    assert_null(made);
    assert_string_equal(error.file, path);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(zv_model_read(path, &made, &error), ZV_IO);
    assert_null(made);
}

TESTS_BETWEEN(make_folder, remove_folder, unreadable, whole, standard_input, model)
