/* Maps against closed forms of a planar arm, and against modes pose by pose. */
#include "support/near.h"
#include "support/run_tests.h"
#include "zveno/map.h"
#include "zveno/read.h"

#include <stdlib.h>
#include <string.h>

/* Links of 0.8 and 0.5 m with point masses of 3 and 2 kg at their ends, in a vertical plane. */
static const char arm[] =
    "{zveno: 1, name: arm, links: [{name: base}, {name: upper, mass: 3, com: [0.8, 0, 0], inertia: [0, 0, 0]}, {name: "
    "lower, mass: 2, com: [0.5, 0, 0], inertia: [0, 0, 0]}], joints: [{name: shoulder, type: continuous, parent: base, "
    "child: upper, axis: [0, -1, 0]}, {name: elbow, type: continuous, parent: upper, child: lower, axis: [0, -1, 0], "
    "origin: {xyz: [0.8, 0, 0]}}], frames: [{name: tip, link: lower, pose: {xyz: [0.5, 0, 0]}}]}";

static zvModel *model_of(const char *text) {
    zvError error = {0};
    zvModel *model = NULL;
    zvBuilder *b = zv_builder_create(&error);
    if (zv_read_memory(b, "arm", text, strlen(text), ZV_FORMAT_AUTO, &error) < 0 ||
        zv_builder_freeze(b, &model, &error) < 0)
        fail_msg("%s", error.text);
    zv_builder_destroy(b);
    return model;
}

enum { POSES = 60 };

static void poses_of_arm(double *q) {
    for (int k = 0; k < POSES; k++) {
        q[2 * k] = -3 + 0.1 * k;
        q[2 * k + 1] = 3.1 - 0.11 * k;
    }
}

/* Manipulability l1 l2 |sin q2|, place, weight, and the compliance of springs k1, k2: J diag(1/k) J^T. */
static void planar_arm_in_closed_form(void **state) {
    (void)state;
    zvModel *model = model_of(arm);
    const double l = 0.8, m = 0.5, k1 = 900, k2 = 400, g = 9.81, stiffness[2] = {k1, k2}, relaxed[2] = {0};
    const zvMapValue values[] = {{ZV_MAP_MANIPULABILITY_XYZ, 0},
                                 {ZV_MAP_PLACE, 2},
                                 {ZV_MAP_GRAVITY, 1},
                                 {ZV_MAP_GRAVITY, -1},
                                 {ZV_MAP_STIFFNESS, 0}};
    double q[2 * POSES], answer[5 * POSES];
    const zvRest rest = {.stiffness = stiffness, .relaxed = relaxed};
    zvMapOptions options = {.rest = &rest, .frame = zv_model_find_frame(model, "tip"), .threads = 2};
    zvError error = {0};
    poses_of_arm(q);
    assert_int_equal(zv_map(model, &options, POSES, q, NULL, 5, values, answer, NULL, &error), ZV_OK);
    for (int k = 0; k < POSES; k++) {
        const double a = q[2 * k], b = a + q[2 * k + 1], *got = answer + 5 * k;
        const double jx[2] = {-l * sin(a) - m * sin(b), -m * sin(b)}, jz[2] = {l * cos(a) + m * cos(b), m * cos(b)};
        const double second = 2 * g * m * cos(b), first = second + 5 * g * l * cos(a);
        near_about("pose %d", k);
        assert_near(got[0], l * m * fabs(sin(q[2 * k + 1])), 1e-12);
        assert_near(got[1], l * sin(a) + m * sin(b), 1e-14);
        assert_near(got[2], second, 1e-12);
        assert_near(got[3], fmax(fabs(first), fabs(second)), 1e-12);
        /* the tangent of the weight is part of K: -d/dq of the forces above, by hand */
        const double w2 = -2 * g * m * sin(b), w1 = w2 - 5 * g * l * sin(a);
        const double K[3] = {k1 + w1, w2, k2 + w2}, det = K[0] * K[2] - K[1] * K[1];
        const double I[3] = {K[2] / det, -K[1] / det, K[0] / det};
        const double xx = I[0] * jx[0] * jx[0] + 2 * I[1] * jx[0] * jx[1] + I[2] * jx[1] * jx[1];
        const double zz = I[0] * jz[0] * jz[0] + 2 * I[1] * jz[0] * jz[1] + I[2] * jz[1] * jz[1];
        const double xz = I[0] * jx[0] * jz[0] + I[1] * (jx[0] * jz[1] + jx[1] * jz[0]) + I[2] * jx[1] * jz[1];
        const double most = 0.5 * (xx + zz) + sqrt(0.25 * (xx - zz) * (xx - zz) + xz * xz);
        assert_near_relative(got[4], 1 / most, 1e-9);
    }
    zv_model_destroy(model);
}

/* An elastic seven-joint arm: frequencies and damping are those of zv_modes at the pose, to the last bit, for any
 * number of threads. */
static void frequencies_are_those_of_modes(void **state) {
    (void)state;
    zvModel *model = NULL;
    zvError error = {0};
    if (zv_model_read(ZV_SOURCE_DIR "/models/ssrms_flexible.yaml", &model, &error) < 0) fail_msg("%s", error.text);
    const size_t nq = (size_t)zv_model_nq(model), nv = (size_t)zv_model_nv(model);
    unsigned char *held = calloc(nv + 1, 1);
    double *q = calloc(POSES * nq, sizeof *q), answer[3 * POSES], again[3 * POSES];
    zvMode *modes = calloc(nv + 1, sizeof *modes);
    zvWork *work = zv_work_create(model, &error);
    const zvMapValue values[] = {{ZV_MAP_FREQUENCY, 0}, {ZV_MAP_FREQUENCY, 2}, {ZV_MAP_DAMPING, 1}};
    zv_joints_held(model, held);
    zvRest rest = {.held = held};
    zvMapOptions options = {.rest = &rest, .frame = -1, .threads = 1};
    for (int k = 0; k < POSES; k++) {
        zv_neutral(model, q + (size_t)k * nq);
        for (size_t i = 7; i < nq; i++) q[(size_t)k * nq + i] = i < 10 ? sin(0.7 * k + (double)i) : 0;
    }
    assert_int_equal(zv_map(model, &options, POSES, q, NULL, 3, values, answer, NULL, &error), ZV_OK);
    options.threads = 3;
    assert_int_equal(zv_map(model, &options, POSES, q, NULL, 3, values, again, NULL, &error), ZV_OK);
    assert_memory_equal(answer, again, sizeof answer);
    for (int k = 0; k < POSES; k++) {
        int count, first = 0;
        rest.q = q + (size_t)k * nq;
        assert_int_equal(zv_modes(model, work, &rest, modes, NULL, &count, &error), ZV_OK);
        while (modes[first].frequency == 0) first++;
        assert_near(answer[3 * k], modes[first].frequency / 6.283185307179586, 0);
        assert_near(answer[3 * k + 1], modes[first + 2].frequency / 6.283185307179586, 0);
        assert_near(answer[3 * k + 2], modes[first + 1].damping, 0);
    }
    free(held), free(q), free(modes);
    zv_work_destroy(work);
    zv_model_destroy(model);
}

static bool stop(void *context, size_t done, size_t count) {
    (void)context, (void)done, (void)count;
    return false;
}

/* Poses without an answer are NAN and told; a progress that says stop ends it. */
static void failures_are_told(void **state) {
    (void)state;
    zvModel *model = model_of(arm);
    const zvMapValue values[] = {{ZV_MAP_FREQUENCY, 0}, {ZV_MAP_FREQUENCY, 5}};
    double q[2 * POSES], answer[2 * POSES];
    zvStatus status[POSES];
    zvMapOptions options = {.frame = -1, .threads = 2};
    zvError error = {0};
    poses_of_arm(q);
    q[0] = NAN;
    assert_int_equal(zv_map(model, &options, POSES, q, NULL, 2, values, answer, status, &error), ZV_DEGRADED);
    assert_true(status[0] < 0 && isnan(answer[0]) && error.text[0]);
    assert_true(status[1] == ZV_OK && answer[2] > 0 && isnan(answer[3])); /* there is no sixth mode */
    options.progress = stop;
    options.threads = 1;
    assert_int_equal(zv_map(model, &options, POSES, q, NULL, 2, values, answer, status, &error), ZV_INTERRUPTED);
    zv_model_destroy(model);
}

TESTS(planar_arm_in_closed_form, frequencies_are_those_of_modes, failures_are_told)
