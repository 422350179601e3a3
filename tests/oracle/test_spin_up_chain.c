/* The spin-up manoeuvre by chains of finite-element links: shear, rotary inertia and extension included, large
 * rotations by the chain. Converges to a geometrically exact beam (independent computation with spectral elements). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/run_tests.h"
#include "zveno/kinematics.h"
#include "zveno/simulate.h"

enum { CAPACITY = 1 << 16 };

/* The blade cut into count links, at the end of the manoeuvre's first seconds. */
static void write_scenario(char *text, int count, double duration, double step) {
    size_t used = 0;
    const double length = 10.0 / count;
#define ADD(...) used += (size_t)snprintf(text + used, CAPACITY - used, __VA_ARGS__)
    ADD("zveno_scenario: 1\nmodel:\n  inline:\n    zveno: 1\n    gravity: [0, 0, 0]\n    links:\n      - {name: l0}\n");
    for (int i = 1; i <= count; i++) {
        ADD("      - {name: l%d, beam: {length: %.17g, EIz: 1.4e4, EA: 2.8e7, kGAy: 1e7, rhoA: 1.2, rhoIz: 6e-4, "
            "rhoIy: "
            "6e-4, rotary: true, shapes: cubic, modes: {y: 2, axial: 1}}}\n",
            i, length);
    }
    ADD("    joints:\n      - {name: hub, type: continuous, parent: l0, child: l1}\n");
    for (int i = 2; i <= count; i++)
        ADD("      - {name: j%d, type: fixed, parent: l%d, child: l%d, origin: {xyz: [%.17g, 0, 0]}}\n", i, i - 1, i,
            length);
    ADD("    frames:\n      - {name: tip, link: l%d, pose: {xyz: [%.17g, 0, 0]}}\n", count, length);
    ADD("duration: %.17g\ndrives:\n  - name: spin\n    type: motion\n    joint: hub\n    law: {type: sum, parts: "
        "[{type: polynomial, coefficients: [-2.2797266319526, 0, 0.2]}, {type: harmonic, amplitude: 2.2797266319526, "
        "frequency: 0.41887902047863906, phase: 90 deg}]}\n",
        duration);
    ADD("integrator: {method: generalized-alpha, step: %.17g}\noutput: {rate: 1, channels: [q], ledger: false}\n",
        step);
#undef ADD
    assert_true(used < CAPACITY);
}

/* Tip displacement along and across the undeformed beam at the end. */
static void tip(int count, double duration, double step, double u[2]) {
    char *text = malloc(CAPACITY);
    zvScenario *scenario;
    zvRunSummary *summary;
    zvError error;
    zvPose pose;
    write_scenario(text, count, duration, step);
    if (zv_scenario_read_memory("chain", text, strlen(text), 0, NULL, &scenario, &error) < 0)
        fail_msg("%s", error.text);
    if (zv_simulate(scenario, NULL, &summary, &error) < 0) fail_msg("%s", error.text);
    const zvModel *model = zv_scenario_model(scenario);
    zvWork *work = zv_work_create(model, &error);
    const double *q = zv_run_position(summary), c = cos(q[0]), s = sin(q[0]);
    zv_frame_pose(model, work, q, zv_model_find_frame(model, "tip"), &pose);
    u[0] = c * pose.p[0] + s * pose.p[1] - 10;
    u[1] = c * pose.p[1] - s * pose.p[0];
    zv_work_destroy(work);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
    free(text);
}

static const double at_five[2] = {-0.01265463624450856, -0.46847618326787754};
static const double at_seven[2] = {-0.01861825544875162, -0.5713118065076692};

static void converges(void **state) {
    (void)state;
    double previous = INFINITY;
    for (int count = 2; count <= 16; count *= 2) {
        double u[2];
        tip(count, 5, 0.005, u);
        const double error = hypot(u[0] - at_five[0], u[1] - at_five[1]);
        print_message("%2d links: tip %.8f, %.8f m at t = 5 s, error %.2e m, order %.2f\n", count, u[0], u[1], error,
                      log2(previous / error));
        if (!(error < previous / 2)) fail_msg("%d links: error %.3e m after %.3e m", count, error, previous);
        previous = error;
    }
    assert_true(previous < 1e-5);
}

static void at_the_peak(void **state) {
    (void)state;
    double u[2];
    tip(16, 7, 0.005, u);
    print_message("16 links: tip %.8f, %.8f m at t = 7 s\n", u[0], u[1]);
    assert_true(fabs(u[0] - at_seven[0]) < 2e-5 && fabs(u[1] - at_seven[1]) < 2e-5);
}

TESTS(converges, at_the_peak)
