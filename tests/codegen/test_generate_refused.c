/* What cannot be generated is refused with its name, and nothing is left half-written. */
#define _XOPEN_SOURCE 700
#include "generated.h"
#include "support/run_tests.h"

#include <sys/stat.h>
#include <unistd.h>

#include "zveno/builder.h"
#include "zveno/read.h"

static zvModel *read_robot(const char *name) {
    char path[512];
    zvModel *model = NULL;
    zvError error = {0};
    snprintf(path, sizeof path, ZV_SOURCE_DIR "/models/%s.yaml", name);
    if (zv_model_read(path, &model, &error) < 0) fail_msg("%s: %s", path, error.text);
    return model;
}

static zvModel *two_link, *model;

static void expect_refusal(const zvModel *robot, zvCodegenOptions options, const char *directory, zvStatus status,
                           const char *part) {
    zvCodegenSummary summary;
    zvError error = {0};
    if (!options.functions) options.functions = 1u << ZV_GENERATED_INVERSE;
    assert_int_equal(zv_codegen(robot, &options, directory, &summary, &error), status);
    if (!strstr(error.text, part)) fail_msg("\"%s\" is not in: %s", part, error.text);
    assert_int_equal(summary.file_count, 0);
}

static void robots(void **state) {
    (void)state;
    model = read_robot("flexible_arm");
    expect_refusal(model, (zvCodegenOptions){0}, folder, ZV_NOT_SUPPORTED, "is elastic");
    zv_model_destroy(model);
    model = read_robot("joints_zoo");
    expect_refusal(model, (zvCodegenOptions){0}, folder, ZV_NOT_SUPPORTED, "\"spline_joint\" runs along a spline");
    zv_model_destroy(model);
}

static zvModel *chain(int joints) {
    static const double axes[3][3] = {{0, 0, 1}, {0, 0.6, 0.8}, {1, 0, 0}};
    zvError error = {0};
    zvModel *made = NULL;
    zvBuilder *builder = zv_builder_create(&error);
    for (int i = 0; i <= joints; i++) {
        char name[16], before[16], joint[16];
        snprintf(name, sizeof name, "l%d", i);
        snprintf(before, sizeof before, "l%d", i - 1);
        snprintf(joint, sizeof joint, "j%d", i);
        zvLink link = zv_link_default(name);
        link.inertia = (zvInertia){1, {0.1, 0.2, 0.3}, {0.2, 0.01, 0.02, 0.3, 0.03, 0.4}};
        assert_int_equal(zv_builder_add_link(builder, &link, &error), ZV_OK);
        if (!i) continue;
        zvJoint hinge = zv_joint_default(joint, ZV_JOINT_REVOLUTE, before, name);
        memcpy(hinge.axis, axes[i % 3], sizeof hinge.axis);
        hinge.origin.p[0] = 0.3, hinge.origin.p[1] = 0.1;
        assert_int_equal(zv_builder_add_joint(builder, &hinge, &error), ZV_OK);
    }
    if (zv_builder_freeze(builder, &made, &error) < 0) fail_msg("%s", error.text);
    zv_builder_destroy(builder);
    return made;
}

/* The size is told; a chain far too long is not even recorded. */
static void sizes(void **state) {
    (void)state;
    zvCodegenSummary summary;
    zvError error = {0};
    model = chain(2000);
    const zvCodegenOptions options = {.functions = 1u << ZV_GENERATED_MASS};
    assert_int_equal(zv_codegen(model, &options, folder, &summary, &error), ZV_SIZE);
    const char *told = strstr(error.text, "would take ");
    assert_non_null(told);
    assert_true(strtoll(told + strlen("would take "), NULL, 10) > ZV_CODEGEN_MAX_OPERATIONS);
    assert_non_null(strstr(error.text, "stops at 60000"));
    zv_model_destroy(model);
}

static void names(void **state) {
    (void)state;
    static const char *const bad[] = {"",
                                      "2r",
                                      "_arm",
                                      "arm-1",
                                      "two words",
                                      "звено",
                                      "a123456789012345678901234567890123456789012345678901234567890123"};
    for (int i = 0; i < 7; i++)
        expect_refusal(two_link, (zvCodegenOptions){.name = bad[i]}, folder, ZV_NAME, "cannot begin the names");
    static const char *const taken[] = {"zv", "zv_frame", "int", "while", "math"};
    for (int i = 0; i < 5; i++)
        expect_refusal(two_link, (zvCodegenOptions){.name = taken[i]}, folder, ZV_NAME, "belong to the library");
    static const char *const python[] = {"lambda", "yield", "sympy", "numbers"};
    for (int i = 0; i < 4; i++) {
        const zvCodegenOptions options = {.name = python[i], .language = ZV_LANGUAGE_SYMPY};
        expect_refusal(two_link, options, folder, ZV_NAME, "that Python can import");
    }
    expect_refusal(two_link, (zvCodegenOptions){.functions = 1u << ZV_GENERATED_FUNCTIONS}, folder, ZV_NAME,
                   "no function");
    expect_refusal(two_link, (zvCodegenOptions){.functions = 1u << ZV_GENERATED_POSE, .frame = 99}, folder, ZV_NAME,
                   "those of a frame");
}

static void places(void **state) {
    (void)state;
    char path[256], file[300];
    snprintf(path, sizeof path, "%s/none/deeper", folder);
    expect_refusal(two_link, (zvCodegenOptions){0}, path, ZV_IO, "does not exist");
    snprintf(file, sizeof file, "%s/file", folder);
    FILE *stream = fopen(file, "w");
    assert_non_null(stream);
    fclose(stream);
    expect_refusal(two_link, (zvCodegenOptions){0}, file, ZV_IO, "a file, not a directory");
    /* what stands in the way of NAME.c */
    snprintf(path, sizeof path, "%s/blocked", folder);
    assert_int_equal(mkdir(path, 0777), 0);
    snprintf(file, sizeof file, "%s/two_link.c", path);
    assert_int_equal(mkdir(file, 0777), 0);
    expect_refusal(two_link, (zvCodegenOptions){0}, path, ZV_IO, "this is a directory");
}

/* Files are replaced, the directory is made, nothing else stays. */
static void replaced(void **state) {
    (void)state;
    char path[256];
    snprintf(path, sizeof path, "%s/new", folder);
    const zvCodegenOptions options = {.functions = 1u << ZV_GENERATED_MASS};
    zvCodegenSummary summary;
    zvError error = {0};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(zv_codegen(two_link, &options, path, &summary, &error), ZV_OK);
        expect_command("test $(ls %s | wc -l) = 2 && grep -q two_link_mass %s/two_link.h", path, path);
        expect_command("echo spoiled >%s/two_link.h", path);
    }
    assert_int_equal(summary.file_count, 2);
    assert_string_equal(summary.files[0], "two_link.h");
    assert_string_equal(summary.files[1], "two_link.c");
    assert_true(summary.function[ZV_GENERATED_MASS].statements > 0);
    assert_true(summary.function[ZV_GENERATED_INVERSE].statements == 0);
}

/* A robot may be called what its code may not. */
static void made_names(void **state) {
    (void)state;
    static const char *const made[][2] = {{"ZV mass", "rzv_mass.h"}, {"double", "rdouble.h"}, {"zveno", "zveno.h"}};
    for (int i = 0; i < 3; i++) {
        zvError error = {0};
        zvCodegenSummary summary;
        zvBuilder *builder = zv_builder_create(&error);
        assert_int_equal(zv_read_file(builder, ZV_SOURCE_DIR "/models/two_link.yaml", ZV_FORMAT_AUTO, &error), ZV_OK);
        assert_int_equal(zv_builder_set_name(builder, made[i][0], &error), ZV_OK);
        if (zv_builder_freeze(builder, &model, &error) < 0) fail_msg("%s", error.text);
        zv_builder_destroy(builder);
        const zvCodegenOptions options = {.functions = 1u << ZV_GENERATED_MASS};
        assert_int_equal(zv_codegen(model, &options, folder, &summary, &error), ZV_OK);
        assert_string_equal(summary.files[0], made[i][1]);
        zv_model_destroy(model);
    }
}

/* A name from a file must not get out of its comment. */
static void hostile_names(void **state) {
    (void)state;
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    zvLink base = zv_link_default("*/ int base; /*"), arm = zv_link_default("arm?\?/\nx\\");
    arm.inertia = (zvInertia){1, {0.5, 0, 0}, {0.1, 0, 0, 0.1, 0, 0.1}};
    zvJoint hinge = zv_joint_default("\xE2\x80\xAEhinge*/\"", ZV_JOINT_REVOLUTE, base.name, arm.name);
    assert_int_equal(zv_builder_add_link(builder, &base, &error), ZV_OK);
    assert_int_equal(zv_builder_add_link(builder, &arm, &error), ZV_OK);
    assert_int_equal(zv_builder_add_joint(builder, &hinge, &error), ZV_OK);
    if (zv_builder_freeze(builder, &model, &error) < 0) fail_msg("%s", error.text);
    zv_builder_destroy(builder);
    Code code = generate(model, "hostile", "x\".yaml\\\n*/");
    expect_command(ZV_CC " " WARNINGS " -fsyntax-only -I'" ZV_SOURCE_DIR "'/include %s/hostile_test.c", folder);
    dlclose(code.handle);
    zv_model_destroy(model);
}

static int setup(void **state) {
    two_link = read_robot("two_link");
    return make_folder(state);
}

static int teardown(void **state) {
    zv_model_destroy(two_link);
    return remove_folder(state);
}

TESTS_BETWEEN(setup, teardown, robots, sizes, names, places, replaced, hostile_names, made_names)
