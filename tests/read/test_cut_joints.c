/* A four-bar written with joints alone, one of them cut, against the same with a loop. */
#include <math.h>
#include <stdio.h>

#include "read/read_text.h"
#include "support/run_tests.h"
#include "zveno/loops.h"

static const char bars[] =
    "zveno: 1\n"
    "links:\n"
    "  - {name: frame}\n"
    "  - {name: crank, mass: 1, com: [0.1, 0, 0], inertia: [0.001, 0.004, 0.004]}\n"
    "  - {name: coupler, mass: 2, com: [0.25, 0, 0], inertia: [0.002, 0.05, 0.05]}\n"
    "  - {name: rocker, mass: 1.5, com: [0.2, 0, 0], inertia: [0.002, 0.02, 0.02]}\n"
    "joints:\n"
    "  - {name: motor, type: revolute, parent: frame, child: crank}\n"
    "  - {name: knee, type: revolute, parent: crank, child: coupler, origin: {xyz: [0.2, 0, 0]}}\n"
    "%s"
    "  - {name: pivot, type: revolute, parent: frame, child: rocker, origin: {xyz: [0.5, 0, 0]}}\n"
    "%s";
#define HINGE "  - {name: hinge, type: revolute, parent: coupler, child: rocker, origin: {xyz: [0.5, 0, 0]}"
#define IN_ROCKER ", child_origin: {xyz: [0.4, 0, 0], rpy: [0, 0, 30 deg]}"

static zvModel *frozen(zvBuilder *builder) {
    zvError error = {0};
    zvModel *model = NULL;
    if (zv_builder_freeze(builder, &model, &error) != ZV_OK) fail_msg("%s", error.text);
    zv_builder_destroy(builder);
    return model;
}

static void expect_assembled_alike(const zvModel *a, const zvModel *b) {
    double qa[3] = {1, -0.5, 1.5}, qb[3] = {1, -0.5, 1.5};
    zvWork *wa = zv_work_create(a, NULL), *wb = zv_work_create(b, NULL);
    assert_int_equal(zv_assemble(a, wa, NULL, NULL, qa, NULL), ZV_OK);
    assert_int_equal(zv_assemble(b, wb, NULL, NULL, qb, NULL), ZV_OK);
    expect_numbers(qa, qb, 3);
    /* the bars as drawn in the plane: crank 0.2, coupler 0.5, rocker 0.4 from (0.5, 0) */
    const double x = 0.2 * cos(qa[0]) + 0.5 * cos(qa[0] + qa[1]) - 0.5 - 0.4 * cos(qa[2]);
    const double y = 0.2 * sin(qa[0]) + 0.5 * sin(qa[0] + qa[1]) - 0.4 * sin(qa[2]);
    if (!(hypot(x, y) < 1e-11)) fail_msg("the pins are %g m apart", hypot(x, y));
    zv_work_destroy(wa);
    zv_work_destroy(wb);
}

/* Two joints above the rocker, one of them at its other end: the same robot as with a loop. */
static void a_four_bar_of_joints_alone(void **state) {
    (void)state;
    char text[2000];
    snprintf(text, sizeof text, bars, "", "loops:\n" HINGE IN_ROCKER "}\n");
    zvModel *by_loop = frozen(read_named("robot.yaml", text));
    const zvLoop *wanted = zv_model_loop(by_loop, 0);
    static const char *const words[] = {"", ", cut: true"};
    for (int i = 0; i < 2; i++) {
        char hinge[300];
        snprintf(hinge, sizeof hinge, "%s%s}\n", HINGE IN_ROCKER, words[i]);
        snprintf(text, sizeof text, bars, hinge, "");
        zvBuilder *builder = read_named("robot.yaml", text);
        assert_true(zv_builder_joint(builder, 2)->cut);
        zvModel *model = frozen(builder);
        assert_int_equal(zv_model_nloop(model), 1);
        const zvLoop *loop = zv_model_loop(model, 0);
        assert_true(loop->was_joint && loop->kind == wanted->kind && loop->type == wanted->type);
        assert_string_equal(loop->name, wanted->name);
        assert_string_equal(loop->parent, wanted->parent);
        assert_string_equal(loop->child, wanted->child);
        expect_numbers(loop->origin.p, wanted->origin.p, 3);
        expect_numbers(loop->origin.R, wanted->origin.R, 9);
        expect_numbers(loop->child_origin.p, wanted->child_origin.p, 3);
        expect_numbers(loop->child_origin.R, wanted->child_origin.R, 9);
        expect_numbers(loop->axis, wanted->axis, 3);
        expect_assembled_alike(model, by_loop);
        zv_model_destroy(model);
    }
    zv_model_destroy(by_loop);
}

TESTS(a_four_bar_of_joints_alone)
