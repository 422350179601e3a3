/* The writer: read(write(x)) is x bit by bit for random descriptions with odd names and extreme numbers and for the
 * robots of models/; writing is idempotent. */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/random_description.h"
#include "support/run_tests.h"
#include "support/same_description.h"
#include "zveno/read.h"

static const char *context; /* what is being written, for messages */

typedef struct Text {
    char *bytes;
    size_t size;
} Text;

static bool append(void *to, const char *text, size_t size) {
    Text *out = to;
    out->bytes = realloc(out->bytes, out->size + size + 1);
    assert_non_null(out->bytes);
    memcpy(out->bytes + out->size, text, size);
    out->size += size;
    out->bytes[out->size] = '\0';
    return true;
}

static Text write_text(zvBuilder *builder) {
    Text text = {0};
    zvError error = {0};
    if (zv_write_native(builder, append, &text, &error) != ZV_OK) fail_msg("%s: %s", context, error.text);
    return text;
}

static void check_round_trip(zvBuilder *builder) {
    Text first = write_text(builder);
    zvBuilder *copy = zv_builder_create(NULL);
    zvError error = {0};
    char line[900];
    if (zv_read_memory(copy, "written.yaml", first.bytes, first.size, ZV_FORMAT_NATIVE, &error) != ZV_OK) {
        fail_msg("%s: %s\n%s", context, zv_error_line(&error, line, sizeof line), first.bytes);
    }
    char difference[200];
    if (!same_description(builder, copy, difference, sizeof difference)) fail_msg("%s: %s", context, difference);
    Text second = write_text(copy);
    assert_string_equal(first.bytes, second.bytes);
    free(first.bytes);
    free(second.bytes);
    zv_builder_destroy(copy);
}

static void random_descriptions_survive(void **state) {
    (void)state;
    static char label[40];
    context = label;
    for (uint64_t s = 1; s <= 600; s++) {
        snprintf(label, sizeof label, "seed %llu", (unsigned long long)s);
        zvBuilder *builder = random_description(s);
        check_round_trip(builder);
        zv_builder_destroy(builder);
    }
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static void robots_of_the_library_survive(void **state) {
    (void)state;
    char path[600];
    int count = 0;
    DIR *models = opendir(ZV_SOURCE_DIR "/models");
    assert_non_null(models);
    for (struct dirent *entry; (entry = readdir(models));) {
        if (!ends_with(entry->d_name, ".yaml") && !ends_with(entry->d_name, ".urdf")) continue;
        snprintf(path, sizeof path, "%s/models/%s", ZV_SOURCE_DIR, entry->d_name);
        context = entry->d_name;
        zvBuilder *builder = zv_builder_create(NULL);
        zvError error = {0};
        if (zv_read_file(builder, path, ZV_FORMAT_AUTO, &error) != ZV_OK) fail_msg("%s: %s", path, error.text);
        check_round_trip(builder);
        zv_builder_destroy(builder);
        count++;
    }
    closedir(models);
    assert_true(count > 0);
}

/* The text itself --------------------------------------------------------------------------------- */

static void written_text_reads_well(void **state) {
    (void)state;
    context = "arm";
    zvBuilder *builder = zv_builder_create(NULL);
    zvLink base = zv_link_default("base"), arm = zv_link_default("верх");
    arm.has_inertia = true;
    arm.inertia = (zvInertia){1.5, {0, 0, 0.1}, {0.2, 0, 0, 0.2, 0, 0.01}};
    zvJoint joint = zv_joint_default("on", ZV_JOINT_REVOLUTE, "base", "верх");
    joint.origin.p[2] = 1.0 / 3;
    joint.dof[0].damping = 0.1;
    zvShape shape = zv_shape_default("base", ZV_SHAPE_SPHERE);
    shape.size[0] = 0.05;
    assert_int_equal(zv_builder_set_name(builder, "two-link", NULL), ZV_OK);
    assert_int_equal(zv_builder_add_link(builder, &base, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_link(builder, &arm, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_joint(builder, &joint, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_shape(builder, &shape, NULL), ZV_OK);
    Text text = write_text(builder);
    assert_string_equal(text.bytes,
                        "# A robot in Zveno's native format: SI units, radians, Z up, quaternions x y z w.\n"
                        "zveno: 1\n"
                        "name: two-link\n"
                        "gravity: [0, 0, -9.81]\n"
                        "base: fixed\n"
                        "links:\n"
                        "  - name: base\n"
                        "    shapes:\n"
                        "      - {kind: sphere, radius: 0.05}\n"
                        "  - name: \"верх\"\n"
                        "    mass: 1.5\n"
                        "    com: [0, 0, 0.1]\n"
                        "    inertia: [0.2, 0.2, 0.01]\n"
                        "joints:\n"
                        "  - name: \"on\"\n"
                        "    type: revolute\n"
                        "    parent: base\n"
                        "    child: \"верх\"\n"
                        "    origin: {xyz: [0, 0, 0.3333333333333333]}\n"
                        "    damping: 0.1\n");
    free(text.bytes);
    zv_builder_destroy(builder);
}

/* Programs set numbers and forget the flag, or set them later in place. */
static void inertia_set_in_code_is_written(void **state) {
    (void)state;
    zvBuilder *builder = zv_builder_create(NULL);
    zvLink first = zv_link_default("first"), second = zv_link_default("second");
    first.inertia.mass = 2;
    assert_int_equal(zv_builder_add_link(builder, &first, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_link(builder, &second, NULL), ZV_OK);
    assert_true(zv_builder_link(builder, 0)->has_inertia);
    assert_false(zv_builder_link(builder, 1)->has_inertia);
    zv_builder_link(builder, 1)->inertia.moment[3] = 0.25;
    Text text = write_text(builder);
    assert_non_null(strstr(text.bytes, "name: first\n    mass: 2\n"));
    assert_non_null(strstr(text.bytes, "name: second\n    mass: 0\n    inertia: [0, 0.25, 0]\n"));
    free(text.bytes);
    zv_builder_destroy(builder);
}

static void decimal_comma_of_the_locale_does_not_matter(void **state) {
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "ru_RU.UTF-8"};
    bool found = false;
    for (int i = 0; i < 3 && !found; i++) found = setlocale(LC_NUMERIC, locales[i]) != NULL;
    if (!found) skip();
    context = "locale";
    zvBuilder *builder = random_description(7);
    check_round_trip(builder);
    zv_builder_destroy(builder);
    setlocale(LC_NUMERIC, "C");
}

static void refuses_what_cannot_be_read_again(void **state) {
    (void)state;
    zvError error = {0};
    Text text = {0};
    zvBuilder *builder = zv_builder_create(&error);
    zvLink link = zv_link_default("arm");
    link.has_inertia = true;
    link.inertia.mass = NAN;
    link.mark = (zvMark){"arm.urdf", 3, 4};
    assert_int_equal(zv_builder_add_link(builder, &link, NULL), ZV_OK);
    assert_int_equal(zv_write_native(builder, append, &text, &error), ZV_NUMBER);
    assert_non_null(strstr(error.text, "a number of link \"arm\" is nan and cannot be written"));
    assert_int_equal(error.line, 3);
    zv_builder_link(builder, 0)->inertia.mass = 1;
    zvFrame frame = zv_frame_default("\xFF\xFE", "arm");
    assert_int_equal(zv_builder_add_frame(builder, &frame, NULL), ZV_OK);
    assert_int_equal(zv_write_native(builder, append, &text, &error), ZV_NAME);
    assert_non_null(strstr(error.text, "not UTF-8"));
    free(text.bytes);
    zv_builder_destroy(builder);
}

static bool refuse(void *to, const char *text, size_t size) {
    (void)text, (void)size;
    ++*(int *)to;
    return false;
}

static void stops_when_the_receiver_stops(void **state) {
    (void)state;
    zvError error = {0};
    int calls = 0;
    zvBuilder *builder = zv_builder_create(&error);
    zvLink link = zv_link_default("link");
    for (int i = 0; i < 1000; i++) assert_int_equal(zv_builder_add_link(builder, &link, NULL), ZV_OK);
    assert_int_equal(zv_write_native(builder, refuse, &calls, &error), ZV_IO);
    assert_int_equal(calls, 1);
    zv_builder_destroy(builder);
}

TESTS(random_descriptions_survive, robots_of_the_library_survive, written_text_reads_well,
      inertia_set_in_code_is_written, decimal_comma_of_the_locale_does_not_matter, refuses_what_cannot_be_read_again,
      stops_when_the_receiver_stops)
