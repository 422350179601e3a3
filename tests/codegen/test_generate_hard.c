/* Robots at the edge of what numbers hold: singular and indefinite mass matrices, thin links, long rails. */
#define _XOPEN_SOURCE 700
#include "generated.h"
#include "support/run_tests.h"

#include <math.h>
#include <time.h>

#include "codegen/emit.h"
#include "support/random_tree.h"
#include "support/read_model.h"
#include "zveno/builder.h"
#include "zveno/dynamics.h"
#include "zveno/read.h"

/* -- singular ---------------------------------------------------------------------------------------------------- */

/* Two hinges about one axis with nothing between them: singular everywhere, and rounding decides the sign of a pivot.
 */
static const char coaxial[] =
    "zveno: 1\nlinks:\n  - {name: base}\n  - {name: l0}\n"
    "  - {name: l1, mass: 0.9315, com: [0.20846, 0.15826, -0.14696],"
    " inertia: [0.3135081, 0.0064398, -0.0090587, 0.3216396, -0.0105199, 0.2858701]}\n"
    "  - {name: l2, mass: 4.7933, com: [0.2687, -0.26607, -0.24908],"
    " inertia: [1.4760928, -0.0316826, 0.0174946, 1.5667376, 0.0176362, 1.6270646]}\n"
    "  - {name: l3, mass: 1.4184, com: [0.026538, -0.078027, 0.062352], inertia: [0.149577, 0.30055, 0.314661]}\n"
    "joints:\n  - {name: j0, type: continuous, parent: base, child: l0, axis: [0, 0, 1]}\n"
    "  - {name: j1, type: continuous, parent: l0, child: l1, axis: [0, 0, 1]}\n"
    "  - {name: j2, type: continuous, parent: l1, child: l2, axis: [0, 1, 0],"
    " origin: {xyz: [0.2, 0.3, 0], rpy: [1.1, 0.2, 0]}}\n"
    "  - {name: j3, type: continuous, parent: l2, child: l3, axis: [0.1, 0.7, 0.7],"
    " origin: {xyz: [0.17, -0.29, -0.02], rpy: [-1.28, -1.45, -1.79]}}\n";

/* Singular where the first axis meets the third. */
static const char gimbal[] = "zveno: 1\nlinks:\n  - {name: base}\n  - {name: l0}\n  - {name: l1}\n"
                             "  - {name: l2, mass: 1.4184, com: [0.026538, -0.078027, 0.062352],"
                             " inertia: [0.149577, 0.0020077, -0.0014316, 0.30055, -0.0015805, 0.314661]}\n"
                             "joints:\n  - {name: j0, type: continuous, parent: base, child: l0, axis: [0, 0, 1]}\n"
                             "  - {name: j1, type: continuous, parent: l0, child: l1, axis: [0, 1, 0]}\n"
                             "  - {name: j2, type: continuous, parent: l1, child: l2, axis: [0, 0, 1]}\n";

static void rounding_is_no_pivot(void **state) {
    (void)state;
    zvModel *model = read_model(coaxial);
    Code code = generate(model, "coaxial", NULL);
    rtRandom random = {31};
    print_message("coaxial: seed 31\n");
    for (int i = 0; i < 500; i++) {
        double q[4], x[16];
        rt_vector(&random, 3, 4, q);
        assert_int_equal(code.forward(q, q, q, x), -1);
        assert_int_equal(code.minv(q, x), -1);
    }
    dlclose(code.handle);
    zv_model_destroy(model);
}

static void near_a_gimbal_lock(void **state) {
    (void)state;
    static const double angles[] = {0, 1e-9, -1e-9, 1e-4, 0.5, 2, -2};
    zvModel *model = read_model(gimbal);
    zvWork *work = zv_work_create(model, NULL);
    Code code = generate(model, "gimbal", NULL);
    rtRandom random = {32};
    print_message("gimbal: seed 32\n");
    for (int i = 0; i < 7 * 50; i++) {
        double q[3], x[9], y[9];
        rt_vector(&random, 3, 3, q);
        q[1] = angles[i % 7];
        const int result = zv_mass_inverse(model, work, q, y) == ZV_OK ? 0 : -1;
        assert_int_equal(code.minv(q, x), result);
        assert_int_equal(code.forward(q, q, q, x), result);
        assert_int_equal(result, fabs(q[1]) < 1e-8 ? -1 : 0);
    }
    dlclose(code.handle);
    zv_work_destroy(work);
    zv_model_destroy(model);
}

static void in_single_precision(void **state) {
    (void)state;
    typedef int (*Single)(const float *, const float *, const float *, float *);
    zvModel *model = read_model(gimbal);
    const zvCodegenOptions options = {.name = "gimbalf", .functions = UNDERIVED, .single = true};
    zvCodegenSummary summary;
    assert_int_equal(zv_codegen(model, &options, folder, &summary, NULL), ZV_OK);
    Code code = load("gimbalf", 3);
    Single forward;
    find(&code, "gimbalf", ZV_GENERATED_FORWARD, &forward);
    for (int i = 0; i < 100; i++) {
        float locked[3] = {0.1F * (float)i, 1e-5F, 0.3F * (float)i}, free[3] = {locked[0], 0.1F, locked[2]}, x[3];
        assert_int_equal(forward(locked, free, free, x), -1);
        assert_int_equal(forward(free, free, free, x), 0);
    }
    dlclose(code.handle);
    zv_model_destroy(model);
}

/* The length of a quaternion is looked at, whatever it is but zero. */
static void lengths_of_quaternions(void **state) {
    (void)state;
    zvModel *model = read_model("zveno: 1\nlinks:\n  - {name: base}\n"
                                "  - {name: ball, mass: 2, com: [0.1, 0.2, 0.3], inertia: [0.5, 0.6, 0.7]}\n"
                                "joints:\n  - {name: b, type: spherical, parent: base, child: ball}\n");
    Code code = generate(model, "ball", NULL);
    const double good[4] = {1, 2, -3, 4}, none[4] = {0}, v[3] = {1, 2, 3};
    double x[3];
    assert_int_equal(code.forward(good, v, v, x), 0);
    assert_int_equal(code.forward(none, v, v, x), -1);
    dlclose(code.handle);
    zv_model_destroy(model);
}

static void expect_singular(const char *robot, const char *joint) {
    zvModel *model = read_model(robot);
    for (int f = 0; f < ZV_GENERATED_FUNCTIONS; f++) {
        if (f != ZV_GENERATED_FORWARD && f != ZV_GENERATED_MINV) continue;
        const zvCodegenOptions options = {.name = "none", .functions = 1u << f};
        zvCodegenSummary summary;
        zvError error = {0};
        assert_int_equal(zv_codegen(model, &options, folder, &summary, &error), ZV_SINGULAR);
        if (!strstr(error.text, joint)) fail_msg("%s is not named: %s", joint, error.text);
        assert_int_equal(summary.file_count, 0);
    }
    const zvCodegenOptions options = {.name = "mass", .functions = 1u << ZV_GENERATED_MASS};
    zvCodegenSummary summary;
    assert_int_equal(zv_codegen(model, &options, folder, &summary, NULL), ZV_OK);
    zv_model_destroy(model);
}

/* What fails in every position is told when code is generated. */
static void singular_robots(void **state) {
    (void)state;
    expect_singular("zveno: 1\nlinks:\n  - {name: base}\n"
                    "  - {name: l0, mass: 1, com: [0.1, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"
                    "  - {name: l1, mass: 0.001, inertia: [0.1, 0.1, -0.5]}\n"
                    "joints:\n  - {name: j0, type: continuous, parent: base, child: l0, axis: [0, 0, 1]}\n"
                    "  - {name: j1, type: continuous, parent: l0, child: l1, axis: [0, 0, 1],"
                    " origin: {xyz: [0.3, 0, 0], rpy: [0.5, 0, 0]}}\n",
                    "\"j1\"");
    expect_singular("zveno: 1\nlinks:\n  - {name: base}\n"
                    "  - {name: l0, mass: 3, com: [-0.2, -0.19, 0.16], inertia: [0.3, 0.6, 0.7]}\n  - {name: l1}\n"
                    "joints:\n  - {name: j0, type: continuous, parent: base, child: l0, axis: [0, 0, 1]}\n"
                    "  - {name: tip, type: continuous, parent: l0, child: l1, axis: [0.6, 0, 0.8],"
                    " origin: {xyz: [0.3, 0.1, 0]}}\n",
                    "\"tip\"");
}

/* -- cancellation ------------------------------------------------------------------------------------------------ */

/* A needle about its own axis. */
static void thin_links(void **state) {
    (void)state;
    zvModel *model = read_model("zveno: 1\nlinks:\n  - {name: base}\n"
                                "  - {name: needle, mass: 1, inertia: [10, 10, 1e-6]}\n"
                                "  - {name: arm, mass: 1, com: [0.3, 0, 0], inertia: [1, 1, 1]}\n"
                                "joints:\n  - {name: a, type: continuous, parent: base, child: arm, axis: [0, 1, 0]}\n"
                                "  - {name: b, type: continuous, parent: arm, child: needle, axis: [0, 0, 1],"
                                " origin: {xyz: [0.2, 0, 0]}}\n");
    Code code = generate(model, "needle", NULL);
    const double q[2] = {0.3, 0.4}, a[2] = {0, 1};
    double M[4], tau[2];
    code.mass(q, M);
    assert_true(fabs(M[3] - 1e-6) <= 1e-6 * 4e-16);
    code.inverse(q, (const double[2]){0}, a, tau);
    assert_true(fabs(tau[1] - 1e-6) <= 1e-6 * 1e-9); /* beside the moments of gravity */
    dlclose(code.handle);
    zv_model_destroy(model);
}

/* A carriage a kilometre along its rail, with what it carries a kilometre back: both together are short. */
static void long_rails(void **state) {
    (void)state;
    zvModel *model =
        read_model("zveno: 1\nlinks:\n  - {name: base}\n"
                   "  - {name: l0, mass: 1, com: [0.1, 0.2, 0.3], inertia: [0.1, 0.1, 0.1]}\n"
                   "  - {name: l1}\n"
                   "  - {name: l2, mass: 1, com: [0.3, 0.1, 0.2], inertia: [0.01, 0.01, 0.01]}\n"
                   "joints:\n  - {name: j0, type: continuous, parent: base, child: l0, axis: [0, 1, 0]}\n"
                   "  - {name: j1, type: prismatic, parent: l0, child: l1, axis: [0, 0, 1], origin: {xyz: [0.2, 0, 0]},"
                   " limits: {lower: 900, upper: 1100}}\n"
                   "  - {name: j2, type: continuous, parent: l1, child: l2, axis: [0, 1, 0],"
                   " origin: {xyz: [0.2, 0, -1000]}}\n");
    zvModel *near = read_model(
        "zveno: 1\nlinks:\n  - {name: base}\n"
        "  - {name: l0, mass: 1, com: [0.1, 0.2, 0.3], inertia: [0.1, 0.1, 0.1]}\n"
        "  - {name: l1}\n"
        "  - {name: l2, mass: 1, com: [0.3, 0.1, 0.2], inertia: [0.01, 0.01, 0.01]}\n"
        "joints:\n  - {name: j0, type: continuous, parent: base, child: l0, axis: [0, 1, 0]}\n"
        "  - {name: j1, type: prismatic, parent: l0, child: l1, axis: [0, 0, 1], origin: {xyz: [0.2, 0, 0]}}\n"
        "  - {name: j2, type: continuous, parent: l1, child: l2, axis: [0, 1, 0], origin: {xyz: [0.2, 0, 0]}}\n");
    zvWork *work = zv_work_create(near, NULL);
    Code code = generate(model, "rail", NULL);
    const double q[3] = {0.4, 1000.1234567, 0.7}, same[3] = {0.4, q[1] - 1000, 0.7}, v[3] = {1, 2, -1},
                 a[3] = {-1, 3, 2};
    double M[9], N[9], x[3], y[3];
    code.mass(q, M);
    zv_mass_matrix(near, work, same, N);
    /* one sum is rounded at the size of a kilometre: 1000 eps of the way, a few times in a moment */
    for (int i = 0; i < 9; i++) assert_true(fabs(M[i] - N[i]) <= 4e-12 * sqrt(N[i / 3 * 4] * N[i % 3 * 4]));
    code.inverse(q, v, a, x);
    zv_inverse_dynamics(near, work, same, v, a, NULL, y);
    for (int i = 0; i < 3; i++) assert_true(fabs(x[i] - y[i]) <= 4e-12 * (10 + fabs(y[i])));
    dlclose(code.handle);
    zv_work_destroy(work);
    zv_model_destroy(near);
    zv_model_destroy(model);
}

/* -- text -------------------------------------------------------------------------------------------------------- */

/* No function has a root of a negated number today; a tape may. */
static void roots_keep_their_sign(void **state) {
    (void)state;
    zvModel *model = read_model("zveno: 1\nlinks:\n  - {name: base}\n  - {name: l0, mass: 1}\n"
                                "joints:\n  - {name: j0, type: prismatic, parent: base, child: l0, axis: [0, 0, 1],"
                                " limits: {lower: -1, upper: 1}}\n");
    ziTape tape;
    ziProgram program = {0};
    ziCode text = {0};
    assert_true(zi_tape_open(&tape, ZI_TAPE_RECORD));
    const ziEdge output = zi_tape_sqrt(&tape, zi_edge_negate(zi_tape_input(&tape, 0)));
    assert_int_equal(zi_program_make(&program, &tape, 1, 0, &output), ZV_OK);
    assert_true(zi_code_function(&text, "root", ZV_GENERATED_GRAVITY, model, &program) > 0);
    zi_code(&text, "%c", 0);
    if (!strstr(text.bytes, "sqrt(-q0)")) fail_msg("%s", text.bytes);
    zi_code_free(&text);
    zi_program_free(&program);
    zi_tape_close(&tape);
    zv_model_destroy(model);
}

/* -- sizes ------------------------------------------------------------------------------------------------------- */

/* Hinges with parallel axes can share axes in very many ways; what is too long is refused without trying them. */
static void many_parallel_axes(void **state) {
    (void)state;
    enum { JOINTS = 400 };
    zvError error = {0};
    zvModel *model = NULL;
    zvBuilder *builder = zv_builder_create(&error);
    for (int i = 0; i <= JOINTS; i++) {
        char name[16], before[16], joint[16];
        snprintf(name, sizeof name, "l%d", i);
        snprintf(before, sizeof before, "l%d", i - 1);
        snprintf(joint, sizeof joint, "j%d", i);
        zvLink link = zv_link_default(name);
        link.inertia = (zvInertia){1 + 0.01 * i, {0.1, 0.2, 0.3}, {0.2, 0.01, 0.02, 0.3, 0.03, 0.4}};
        assert_int_equal(zv_builder_add_link(builder, &link, &error), ZV_OK);
        if (!i) continue;
        zvJoint hinge = zv_joint_default(joint, ZV_JOINT_REVOLUTE, before, name);
        hinge.axis[0] = hinge.axis[1] = 0, hinge.axis[2] = 1;
        hinge.origin.p[0] = 0.3, hinge.origin.p[1] = 0.01 * i;
        assert_int_equal(zv_builder_add_joint(builder, &hinge, &error), ZV_OK);
    }
    if (zv_builder_freeze(builder, &model, &error) < 0) fail_msg("%s", error.text);
    zv_builder_destroy(builder);
    const zvCodegenOptions options = {.functions = 1u << ZV_GENERATED_MASS};
    zvCodegenSummary summary;
    const clock_t start = clock();
    assert_int_equal(zv_codegen(model, &options, folder, &summary, &error), ZV_SIZE);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    print_message("refused in %.2f s\n", seconds);
    assert_true(seconds < 90); /* trying them took minutes; instrumented builds are slow */
    zv_model_destroy(model);
}

TESTS_BETWEEN(make_folder, remove_folder, rounding_is_no_pivot, near_a_gimbal_lock, in_single_precision,
              lengths_of_quaternions, singular_robots, thin_links, long_rails, roots_keep_their_sign,
              many_parallel_axes)
