/* Written files: replaced whole or not at all, links and devices left what they are, failures told. */
#define _XOPEN_SOURCE 700
#include <math.h>
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

#include "support/own_folder.h"
#include "support/random_description.h"
#include "support/run_tests.h"
#include "support/same_description.h"
#include "zveno/read.h"

static void check_file(const char *path, zvBuilder *expected) {
    zvBuilder *copy = zv_builder_create(NULL);
    zvError error = {0};
    if (zv_read_file(copy, path, ZV_FORMAT_NATIVE, &error) != ZV_OK) fail_msg("%s", error.text);
    char difference[200];
    if (!same_description(expected, copy, difference, sizeof difference)) fail_msg("%s: %s", path, difference);
    zv_builder_destroy(copy);
}

static void file_is_replaced_whole_or_not_at_all(void **state) {
    (void)state;
    zvError error = {0};
    const char *path = in_folder("robot.yaml");
    zvBuilder *good = random_description(11), *other = random_description(12), *bad = random_description(13);
    assert_int_equal(zv_write_native_file(good, path, &error), ZV_OK);
    check_file(path, good);
    assert_int_equal(chmod(path, 0640), 0);
    double nowhere[3] = {0, 0, INFINITY};
    zv_builder_set_gravity(bad, nowhere);
    assert_int_equal(zv_write_native_file(bad, path, &error), ZV_NUMBER);
    check_file(path, good);
    assert_int_equal(zv_write_native_file(other, path, &error), ZV_OK);
    check_file(path, other);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_int_equal(entries(), 1); /* nothing temporary is left */
    zv_builder_destroy(good);
    zv_builder_destroy(other);
    zv_builder_destroy(bad);
}

static void link_to_a_file_stays_a_link(void **state) {
    (void)state;
    zvError error = {0};
    struct stat info;
    zvBuilder *builder = random_description(14);
    assert_int_equal(symlink("robot.yaml", in_folder("link.yaml")), 0);
    assert_int_equal(zv_write_native_file(builder, in_folder("link.yaml"), &error), ZV_OK);
    assert_int_equal(lstat(in_folder("link.yaml"), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    check_file(in_folder("robot.yaml"), builder);
    zv_builder_destroy(builder);
}

static void devices_are_not_replaced(void **state) {
    (void)state;
    zvError error = {0};
    struct stat info;
    zvBuilder *builder = random_description(15);
    assert_int_equal(zv_write_native_file(builder, "/dev/null", &error), ZV_OK);
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
    zv_builder_destroy(builder);
}

static void full_disk_is_told(void **state) {
    (void)state;
    if (access("/dev/full", W_OK) != 0) skip();
    zvError error = {0};
    zvBuilder *builder = random_description(16);
    assert_int_equal(zv_write_native_file(builder, "/dev/full", &error), ZV_IO);
    assert_non_null(strstr(error.text, "could not be written"));
    assert_string_equal(error.file, "/dev/full");
    zv_builder_destroy(builder);
}

static void impossible_paths_are_told(void **state) {
    (void)state;
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    assert_int_equal(zv_write_native_file(builder, folder, &error), ZV_IO);
    assert_string_equal(error.token[0] ? error.file : "", folder);
    assert_int_equal(zv_write_native_file(builder, in_folder("no/robot.yaml"), &error), ZV_IO);
    assert_non_null(strstr(error.text, "no, found that it does not exist"));
    assert_int_equal(zv_write_native_file(builder, "", &error), ZV_IO);
    zv_builder_destroy(builder);
}

TESTS_BETWEEN(make_folder, remove_folder, file_is_replaced_whole_or_not_at_all, link_to_a_file_stays_a_link,
              devices_are_not_replaced, full_disk_is_told, impossible_paths_are_told)
