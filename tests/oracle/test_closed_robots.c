/* Robots with closed loops against what is known of them otherwise: positions of a delta robot in closed form, the
 * balance of forces and moments on a Stewart platform, the symmetry of Bricard's linkage. */
#define _XOPEN_SOURCE 700
#include <math.h>

#include "cli/transcript.h"
#include "support/run_tests.h"
#include "zveno/record.h"

static const char root[] = ZV_SOURCE_DIR;

typedef struct Run {
    zvRecording *recording;
    uint64_t rows;
} Run;

static Run simulate(const char *scenario, const char *changes) {
    char line[1024], path[256];
    Run run;
    zvError error;
    snprintf(line, sizeof line, "simulate '%s/%s' --quiet -o run" ZV_RECORDING " %s", root, scenario, changes);
    expect_code(zveno(line), 0);
    snprintf(path, sizeof path, "%s/run" ZV_RECORDING, folder);
    if (zv_recording_open(path, &run.recording, &error) != ZV_OK) fail_msg("%s", error.text);
    run.rows = zv_recording_rows(run.recording);
    return run;
}

/* All rows of a channel of the given width. */
static double *channel(const Run *run, const char *name, int width) {
    const int index = zv_recording_find(run->recording, name);
    double *values = malloc((size_t)run->rows * (size_t)width * sizeof *values);
    zvError error;
    assert_non_null(values);
    if (index < 0) fail_msg("no channel \"%s\"", name);
    assert_int_equal(zv_recording_channel(run->recording, index)->width, width);
    if (zv_recording_read(run->recording, index, 0, run->rows, values, &error) != ZV_OK) fail_msg("%s", error.text);
    return values;
}

/* The lower of the two points 0.6 m from the ends of the arms, less the platform's radius: all circles about z. */
static void platform_of(const double motor[3], double p[3]) {
    double C[3][3], A[2][2], b[2], k[2];
    for (int i = 0; i < 3; i++) {
        const double turn = i * 2 * acos(-1.) / 3, reach = 0.15 + 0.25 * cos(motor[i]);
        C[i][0] = reach * cos(turn);
        C[i][1] = reach * sin(turn);
        C[i][2] = -0.25 * sin(motor[i]);
    }
    for (int i = 0; i < 2; i++) { /* differences of the spheres: A (x, y) = b + k z */
        b[i] = k[i] = 0;
        for (int j = 0; j < 3; j++) b[i] += (C[i + 1][j] * C[i + 1][j] - C[0][j] * C[0][j]) / 2;
        A[i][0] = C[i + 1][0] - C[0][0];
        A[i][1] = C[i + 1][1] - C[0][1];
        k[i] = -(C[i + 1][2] - C[0][2]);
    }
    const double det = A[0][0] * A[1][1] - A[0][1] * A[1][0];
    const double x0 = (b[0] * A[1][1] - b[1] * A[0][1]) / det, x1 = (k[0] * A[1][1] - k[1] * A[0][1]) / det;
    const double y0 = (A[0][0] * b[1] - A[1][0] * b[0]) / det, y1 = (A[0][0] * k[1] - A[1][0] * k[0]) / det;
    const double dx = x0 - C[0][0], dy = y0 - C[0][1], dz = -C[0][2];
    const double u = x1 * x1 + y1 * y1 + 1, v = dx * x1 + dy * y1 + dz, w = dx * dx + dy * dy + dz * dz - 0.36;
    p[2] = (-v - sqrt(v * v - u * w)) / u;
    p[0] = x0 + x1 * p[2];
    p[1] = y0 + y1 * p[2];
}

static void delta_meets_three_spheres(void **state) {
    (void)state;
    Run run = simulate("scenarios/delta.yaml", "");
    double *q = channel(&run, "q", 10), *pose = channel(&run, "pose platform", 7);
    assert_int_equal(run.rows, 201);
    for (uint64_t i = 0; i < run.rows; i++) {
        double p[3];
        platform_of(q + 10 * i, p);
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(pose[7 * i + (uint64_t)k] - p[k]) <= 1e-12);
            assert_true(fabs(pose[7 * i + 3 + (uint64_t)k]) <= 1e-13); /* level */
        }
    }
    free(q);
    free(pose);
    zv_recording_destroy(run.recording);
}

static void turn_by(const double e[4], const double x[3], double y[3]) {
    const double t[3] = {2 * (e[1] * x[2] - e[2] * x[1]), 2 * (e[2] * x[0] - e[0] * x[2]),
                         2 * (e[0] * x[1] - e[1] * x[0])};
    y[0] = x[0] + e[3] * t[0] + e[1] * t[2] - e[2] * t[1];
    y[1] = x[1] + e[3] * t[1] + e[2] * t[0] - e[0] * t[2];
    y[2] = x[2] + e[3] * t[2] + e[0] * t[1] - e[1] * t[0];
}

/* Sum of forces and moments about the platform's origin in its own axes: balls, weight, load, inertia. */
static void balance(const double *pose, const double *velocity, const double *acceleration, const double *forces,
                    double out[6]) {
    static const double J[3] = {0.14, 0.14, 0.27}, m = 6;
    static const double top[6] = {-50, 50, 70, 170, 190, 290}; /* degrees */
    const double back[4] = {-pose[3], -pose[4], -pose[5], pose[6]}, up[3] = {0, 0, -m * 9.81 - 80}, tilt[3] = {0, 8, 0};
    double a[3], alpha[3], w[3], weight[3], load[3];
    turn_by(back, acceleration, a);
    turn_by(back, acceleration + 3, alpha);
    turn_by(back, velocity + 3, w);
    turn_by(back, up, weight);
    turn_by(back, tilt, load);
    for (int k = 0; k < 3; k++) {
        const int x = (k + 1) % 3, y = (k + 2) % 3;
        out[k] = weight[k] - m * a[k];
        out[3 + k] = load[k] - J[k] * alpha[k] - w[x] * J[y] * w[y] + w[y] * J[x] * w[x];
    }
    for (int i = 0; i < 6; i++) {
        const double angle = top[i] * acos(-1.) / 180, *f = forces + 6 * i;
        const double r[3] = {0.3 * cos(angle), 0.3 * sin(angle), 0};
        for (int k = 0; k < 3; k++) {
            const int x = (k + 1) % 3, y = (k + 2) % 3;
            out[k] += f[k];
            out[3 + k] += r[x] * f[y] - r[y] * f[x];
        }
    }
}

static void stewart_balances(void **state) {
    (void)state;
    Run run = simulate("scenarios/stewart.yaml",
                       "--set 'output.channels=[pose platform, velocity platform, acceleration platform, "
                       "loop_reactions]'");
    double *pose = channel(&run, "pose platform", 7), *velocity = channel(&run, "velocity platform", 6);
    double *acceleration = channel(&run, "acceleration platform", 6), *forces = channel(&run, "loop_reactions", 36);
    for (uint64_t i = 0; i < run.rows; i++) {
        double rest[6];
        balance(pose + 7 * i, velocity + 6 * i, acceleration + 6 * i, forces + 36 * i, rest);
        for (int k = 0; k < 6; k++)
            if (!(fabs(rest[k]) <= 1e-9)) fail_msg("row %d: %.2e of entry %d is left", (int)i, rest[k], k);
    }
    free(pose);
    free(velocity);
    free(acceleration);
    free(forces);
    zv_recording_destroy(run.recording);
}

/* Threefold symmetry: hinges 1, 3, 5 turn alike, and so do 2, 4; it falls through several turns and keeps its energy.
 */
static void bricard_stays_symmetric(void **state) {
    (void)state;
    Run run = simulate("tests/oracle/scenarios/bricard.yaml", "");
    double *q = channel(&run, "q", 5), *energy = channel(&run, "energy", 5), *residual = channel(&run, "residual", 2);
    double swing = 0;
    for (uint64_t i = 0; i < run.rows; i++) {
        const double *x = q + 5 * i;
        assert_true(fabs(x[0] + x[2]) <= 1e-9 && fabs(x[0] + x[4]) <= 1e-9 && fabs(x[1] + x[3]) <= 1e-9);
        assert_true(residual[2 * i] <= 1e-12 && residual[2 * i + 1] <= 1e-11);
        assert_true(fabs(energy[5 * i] + energy[5 * i + 1] - energy[0] - energy[1]) <= 1e-8);
        swing = fmax(swing, fabs(x[0]));
    }
    assert_true(swing > 2);
    free(q);
    free(energy);
    free(residual);
    zv_recording_destroy(run.recording);
}

TESTS_BETWEEN(make_folder, remove_folder, delta_meets_three_spheres, stewart_balances, bricard_stays_symmetric)
