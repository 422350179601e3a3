/* Elastic links through `zveno simulate`: the published arm by explicit and implicit steps, the spin-up of a beam, and
 * a floating arm that keeps its energy and momentum. */
#define _XOPEN_SOURCE 700
#include <math.h>

#include "cli/transcript.h"
#include "support/run_tests.h"
#include "zveno/motion.h"
#include "zveno/simulate.h"

static const char root[] = ZV_SOURCE_DIR;

static zvRecording *simulate(const char *scenario, const char *changes) {
    char line[1024], path[256];
    zvRecording *recording;
    zvError error;
    snprintf(line, sizeof line, "simulate '%s/%s' --quiet -o run" ZV_RECORDING " %s", root, scenario, changes);
    expect_code(zveno(line), 0);
    snprintf(path, sizeof path, "%s/run" ZV_RECORDING, folder);
    if (zv_recording_open(path, &recording, &error) != ZV_OK) fail_msg("%s", error.text);
    return recording;
}

/* All rows of a channel; to be freed. */
static double *channel(zvRecording *recording, const char *name, int *width) {
    const int index = zv_recording_find(recording, name);
    const uint64_t rows = zv_recording_rows(recording);
    zvError error;
    if (index < 0) fail_msg("no channel \"%s\"", name);
    *width = zv_recording_channel(recording, index)->width;
    double *values = malloc((size_t)rows * (size_t)*width * sizeof *values);
    assert_non_null(values);
    if (zv_recording_read(recording, index, 0, rows, values, &error) != ZV_OK) fail_msg("%s", error.text);
    return values;
}

/* The published arm ------------------------------------------------------------------------------------- */

/* Largest difference of the tip's deviation between two runs, m. */
static double deviation_error(const char *integrator, const double *exact, uint64_t rows) {
    char change[256];
    int width;
    double worst = 0;
    snprintf(change, sizeof change, "--set 'integrator=%s'", integrator);
    zvRecording *recording = simulate("scenarios/flexible_arm.yaml", change);
    assert_int_equal(zv_recording_rows(recording), rows);
    double *d = channel(recording, "deviation p", &width);
    for (uint64_t i = 0; i < 3 * rows; i++) worst = fmax(worst, fabs(d[i] - exact[i]));
    free(d);
    zv_recording_destroy(recording);
    return worst;
}

/* The errors that an independent prototype of the same schemes made on the same grid of 0.1 s: the phase error of the
 * vibration that is left after the motion. Corrector tolerances and sampling differ, hence five per cent. */
static void newmark_as_published(void **state) {
    (void)state;
    static const struct {
        const char *integrator;
        double error;
    } runs[] = {{"{method: newmark, step: 0.1}", 1.009331628981743e-3},
                {"{method: newmark, step: 0.05}", 9.233728527788438e-4},
                {"{method: newmark, step: 0.025}", 2.633606486340884e-4},
                {"{method: newmark, step: 0.1, iteration: full}", 1.009331628981743e-3},
                {"{method: newmark, step: 0.01, beta: 0}", 2.1495673854508526e-5}};
    int width;
    zvRecording *recording =
        simulate("scenarios/flexible_arm.yaml", "--set 'integrator={method: erk, order: 8, rtol: 1e-11, atol: 1e-13}'");
    const uint64_t rows = zv_recording_rows(recording);
    double *exact = channel(recording, "deviation p", &width);
    zv_recording_destroy(recording);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        const double error = deviation_error(runs[i].integrator, exact, rows);
        if (!(fabs(error - runs[i].error) <= 0.05 * runs[i].error))
            fail_msg("%s: error %.4e m, the prototype's was %.4e m", runs[i].integrator, error, runs[i].error);
    }
    free(exact);
}

/* beta = gamma = 0, the explicit scheme as printed, grows like exp(w^2 dt t / 4): it must be told, not recorded. */
static void printed_explicit_scheme_fails(void **state) {
    (void)state;
    char line[512];
    snprintf(line, sizeof line,
             "simulate '%s/scenarios/flexible_arm.yaml' --quiet -o bad" ZV_RECORDING
             " --set 'integrator={method: newmark, step: 0.1, beta: 0, gamma: 0}'",
             root);
    expect_code(zveno(line), 3);
}

/* Spin-up ------------------------------------------------------------------------------------------------ */

/* Tip displacement along and across the undeformed beam at time t. */
static void tip_at(zvRecording *recording, double t, double u[2]) {
    int nq, three, one;
    double *time = channel(recording, "time", &one), *q = channel(recording, "q", &nq);
    double *d = channel(recording, "deviation tip", &three);
    uint64_t row = 0;
    while (row < zv_recording_rows(recording) && fabs(time[row] - t) > 1e-9) row++;
    assert_true(row < zv_recording_rows(recording));
    const double angle = q[row * (uint64_t)nq], c = cos(angle), s = sin(angle), *x = d + 3 * row;
    u[0] = c * x[0] + s * x[1];
    u[1] = c * x[1] - s * x[0];
    free(time);
    free(q);
    free(d);
}

/* Geometrically exact beam with spectral elements, independent computation: t, u1, u2. */
static const double spun[3][3] = {{5, -0.01265463624450856, -0.46847618326787754},
                                  {7, -0.01861825544875162, -0.5713118065076692},
                                  {20, 0.0005145324044556991, 0.000726580807983424}};

/* One modal link: half a per cent of the peak. What is left is the strain energy of fourth order, w'^2 beside 1 in the
 * square of the curvature, with slopes of 0.077. */
static void spin_up(void **state) {
    (void)state;
    zvRecording *recording = simulate("scenarios/spin_up.yaml", "");
    for (int i = 0; i < 3; i++) {
        double u[2];
        tip_at(recording, spun[i][0], u);
        if (!(fabs(u[1] - spun[i][2]) <= 0.005 * 0.5713 && fabs(u[0] - spun[i][1]) <= 2e-4))
            fail_msg("t = %g: tip at %.6f, %.6f m, not %.6f, %.6f", spun[i][0], u[0], u[1], spun[i][1], spun[i][2]);
    }
    zv_recording_destroy(recording);
}

/* Without stiffening the same link softens as it spins and runs away: more than its own length at t = 9.5 s, when the
 * spin has passed its first frequency, and soon so far that no rotation of its sections means anything. */
static void spin_up_without_stiffening(void **state) {
    (void)state;
    char line[512];
    snprintf(line, sizeof line, "simulate '%s/tests/oracle/scenarios/spin_up_soft.yaml' --quiet", root);
    Transcript t = zveno(line);
    expect_code(t, 3);
    assert_non_null(strstr(t.err, "\"blade\""));
    snprintf(line, sizeof line,
             "simulate '%s/tests/oracle/scenarios/spin_up_soft.yaml' --quiet --set duration=9.5 -o run" ZV_RECORDING,
             root);
    t = zveno(line);
    expect_code(t, 0);
    assert_non_null(strstr(t.out, "stiffening: auto")); /* the run says what is wrong */
    char path[256];
    zvRecording *recording;
    zvError error;
    double u[2];
    snprintf(path, sizeof path, "%s/run" ZV_RECORDING, folder);
    assert_int_equal(zv_recording_open(path, &recording, &error), ZV_OK);
    tip_at(recording, 9.5, u);
    zv_recording_destroy(recording);
    assert_true(fabs(u[1]) > 10);
}

/* Floating arm ------------------------------------------------------------------------------------------- */

#if defined(__SANITIZE_ADDRESS__)
enum { SECONDS = 5 }; /* many times slower */
#else
enum { SECONDS = 100 };
#endif

static void floating_arm_keeps(void **state) {
    (void)state;
    int six, five;
    char option[32];
    snprintf(option, sizeof option, "--set duration=%d", SECONDS);
    zvRecording *recording = simulate("scenarios/flexible_free.yaml", option);
    const uint64_t rows = zv_recording_rows(recording);
    double *h = channel(recording, "momentum", &six), *e = channel(recording, "energy", &five);
    const double energy = e[0] + e[1] + e[2];
    assert_int_equal(rows, 10 * SECONDS + 1);
    assert_true(energy > 1);
    for (uint64_t i = 0; i < rows; i++) {
        const double *row = e + 5 * i, change = row[0] + row[1] + row[2] - energy;
        if (!(fabs(change) <= 1e-8 * energy))
            fail_msg("row %d: energy changed by %.2e of %.2e", (int)i, change, energy);
        for (int part = 0; part < 2; part++) {
            const double size = hypot(hypot(h[3 * part], h[3 * part + 1]), h[3 * part + 2]);
            for (int k = 3 * part; k < 3 * part + 3; k++)
                if (!(fabs(h[6 * i + (uint64_t)k] - h[k]) <= 1e-10 * size))
                    fail_msg("row %d: momentum %d changed by %.2e of %.2e", (int)i, k, h[6 * i + (uint64_t)k] - h[k],
                             size);
        }
    }
    free(h);
    free(e);
    zv_recording_destroy(recording);
}

TESTS_BETWEEN(make_folder, remove_folder, newmark_as_published, printed_explicit_scheme_fails, spin_up,
              spin_up_without_stiffening, floating_arm_keeps)
