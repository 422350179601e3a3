/* Runs that are broken off and go on: by progress, and by the sudden death of the process. */
#define _POSIX_C_SOURCE 200809L
#include "simulate/runs.h"
#include "support/run_tests.h"

#include <sys/wait.h>
#include <unistd.h>

#include "support/random_tree_numbers.h"

/* Breaks, bounces and sticking, all in one second. */
#define BUSY                                                                                                          \
    "{zveno_scenario: 1, model: " TWO_RODS ", start: 0.3, duration: 1, initial: {q: {shoulder: 0.8, elbow: 0.3}, v: " \
    "{elbow: 9}}, joints: {shoulder: {friction: {coulomb: 1.5, stick_slip: true}, damping: 0.1}}, drives: [{type: "   \
    "torque, name: push, joint: shoulder, law: {type: table, mode: hold, times: [0, 0.51, 0.93], points: [0, 6, "     \
    "-4]}}, {type: pid, name: hold, joint: elbow, kp: 3, ki: 1, kd: 0.1, reference: 1}], events: [{type: limit, "     \
    "joint: elbow, action: bounce, restitution: 0.7}, {type: threshold, name: slow, channel: v.elbow, value: 0}], "   \
    "integrator: {%s}, output: {interval: 0.0137, channels: [q, v, a, states, pose tip, energy, work]}}"

/* The same with a rod that a threshold closes where it stands, and times that open and close it. */
#define SWINGING                                                                                                       \
    "{zveno_scenario: 1, model: {inline: {links: [{name: ground}, {name: upper, mass: 1.5, com: [0, 0, -0.4], "        \
    "inertia: [0.1, 0.1, 0.01]}, {name: lower, mass: 1, com: [0.05, 0, -0.3], inertia: [0.05, 0.06, 0.02]}], joints: " \
    "[{name: shoulder, type: continuous, parent: ground, child: upper, axis: [0, 1, 0]}, {name: elbow, type: "         \
    "continuous, parent: upper, child: lower, origin: {xyz: [0, 0, -0.8]}, axis: [0, 1, 0]}], frames: [{name: tip, "   \
    "link: lower, pose: {xyz: [0, 0, -0.6]}}], loops: [{name: bar, type: rod, parent: ground, child: tip, origin: "    \
    "{xyz: [1.2, 0, 0]}, length: 1, open: true}]}}, start: 0.3, duration: 1, initial: {q: {shoulder: 0.4}, v: "        \
    "{elbow: 3}}, drives: [{type: pid, name: hold, joint: elbow, kp: 3, ki: 1, kd: 0.1, reference: 1}], events: "      \
    "[{type: threshold, channel: q.elbow, value: 0.2, action: close, loop: bar, place: here}, {name: o1, type: time, " \
    "at: 0.72, action: open, loop: bar}, {name: c2, type: time, at: 0.9, action: close, loop: bar, place: here}, "     \
    "{name: o2, type: time, at: 1.15, action: open, loop: bar}], integrator: {%s}, output: {interval: 0.0137, "        \
    "channels: [q, v, a, states, pose tip, energy, work]}}"

static const char *const channels[] = {"time", "q", "v", "a", "states", "pose tip", "energy", "work"};
enum { CHANNELS = sizeof channels / sizeof *channels };

typedef struct Count {
    long left; /* calls until it ends */
    bool dies; /* and the process with it */
} Count;

static bool count_down(void *context, const zvProgress *progress) {
    Count *count = context;
    if (!(progress->t >= progress->start && progress->t <= progress->end)) abort();
    if (count->left-- > 0) return true;
    if (count->dies) _exit(9);
    return false;
}

static zvStatus run_piece(const zvScenario *scenario, const char *path, bool resume, Count *count,
                          zvRunSummary **summary, zvError *error) {
    const zvRunOptions options = {.output = path,
                                  .resume = resume,
                                  .checkpoint = count->dies ? 1e-9 : 5, /* each waits for the disk */
                                  .progress = count_down,
                                  .context = count,
                                  .progress_interval = 1e-9};
    return zv_simulate(scenario, &options, summary, error);
}

static void expect_same_rows(const char *path, const char *like, double bound) {
    for (int i = 0; i < CHANNELS; i++) {
        uint64_t rows, expected_rows;
        int width;
        double *x = rows_of(path, channels[i], &rows, &width), *y = rows_of(like, channels[i], &expected_rows, NULL);
        assert_int_equal(rows, expected_rows);
        for (uint64_t k = 0; k < rows * (uint64_t)width; k++) {
            const bool same = bound == 0 ? memcmp(&x[k], &y[k], sizeof *x) == 0 : fabs(x[k] - y[k]) <= bound;
            if (!same)
                fail_msg("%s, row %d: %.17g, expected %.17g", channels[i], (int)(k / (uint64_t)width), x[k], y[k]);
        }
        free(x);
        free(y);
    }
}

static void expect_no_leftovers(const char *path) {
    char name[600];
    static const char *const endings[] = {".rows", ".checkpoint"};
    for (int i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "%s%s", path, endings[i]);
        assert_false(file_exists(name));
    }
}

/* Broken off every few steps until it is done; dies: the process ends without a word. */
static void in_pieces(const char *text, const char *method, int seed, bool dies, double bound) {
    char name[512], like_name[512];
    const char *like = file_of("whole" ZV_RECORDING, like_name), *path = file_of("pieces" ZV_RECORDING, name);
    rtRandom random = {(uint64_t)seed};
    zvScenario *scenario = scenario_of(text, method);
    remove(path);
    zvRunSummary *whole = run_of(scenario, like), *last = NULL;
    const long steps = zv_run_statistics(whole).steps;
    zvStatus status = ZV_INTERRUPTED;
    int pieces = 0;
    for (; status == ZV_INTERRUPTED && pieces < 400; pieces++) {
        zvError error = {0};
        Count count = {(long)(rt_uniform(&random, 0.5, 1) * (double)steps / 6), dies && pieces % 2 == 0 && pieces < 5};
        zv_run_summary_destroy(last);
        last = NULL;
        if (count.dies) {
            fflush(NULL);
            const pid_t child = fork();
            int end = 0;
            if (child == 0) {
                status = run_piece(scenario, path, pieces > 0, &count, &last, &error);
                _exit(status == ZV_OK ? 0 : 1);
            }
            assert_true(child > 0 && waitpid(child, &end, 0) == child);
            if (WIFEXITED(end) && WEXITSTATUS(end) == 9) continue;
            fail_msg("seed %d: the piece should have died, not ended with %d", seed, end);
        }
        status = run_piece(scenario, path, pieces > 0, &count, &last, &error);
        if (status < 0) fail_msg("seed %d: %s", seed, error.text);
    }
    assert_int_equal(status, ZV_OK);
    assert_true(pieces > 4);
    expect_same_rows(path, like, bound);
    for (int i = 0; i < 2; i++) {
        assert_named_near(method, zv_run_position(last)[i], zv_run_position(whole)[i], bound);
        assert_named_near(method, zv_run_velocity(last)[i], zv_run_velocity(whole)[i], bound);
    }
    assert_int_equal(zv_run_events(last), zv_run_events(whole));
    for (int i = 0; i < zv_run_events(whole); i++) {
        assert_named_near("time of an event", zv_run_event(last, i).t, zv_run_event(whole, i).t, bound);
        assert_string_equal(zv_run_event(last, i).name, zv_run_event(whole, i).name);
    }
    if (bound == 0) assert_int_equal(zv_run_statistics(last).steps, steps);
    assert_int_equal(zv_run_rows(last), zv_run_rows(whole));
    expect_no_leftovers(path);
    zv_run_summary_destroy(whole);
    zv_run_summary_destroy(last);
    zv_scenario_destroy(scenario);
    remove(path);
    remove(like);
}

static void fixed_steps_bit_for_bit(void **state) {
    (void)state;
    in_pieces(BUSY, "method: rk4, step: 0.004", 1, false, 0);
    in_pieces(BUSY, "method: euler, step: 0.002", 2, false, 0);
    in_pieces(SWINGING, "method: rk4, step: 0.004", 3, false, 0);
}

static void fixed_steps_after_sudden_death(void **state) {
    (void)state;
    in_pieces(BUSY, "method: rk4, step: 0.01", 21, true, 0);
    in_pieces(BUSY, "method: euler, step: 0.01", 22, true, 0);
    in_pieces(SWINGING, "method: rk4, step: 0.01", 23, true, 0);
}

static void variable_steps_within_tolerance(void **state) {
    (void)state;
    in_pieces(BUSY, "method: adams, rtol: 1e-10, atol: 1e-11", 31, false, 2e-6);
    in_pieces(BUSY, "method: auto, rtol: 1e-10, atol: 1e-11", 35, true, 2e-6);
    in_pieces(BUSY, "method: erk, rtol: 1e-10, atol: 1e-11", 33, true, 2e-6);
    in_pieces(SWINGING, "method: adams, rtol: 1e-10, atol: 1e-11", 37, true, 2e-6);
}

/* What is refused. */
static void refusals(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("refused.csv", name);
    zvError error = {0};
    zvRunSummary *summary = NULL;
    Count count = {3, false};
    zvScenario *scenario = scenario_of(BUSY, "method: rk4"), *other = scenario_of(BUSY, "method: euler");
    remove(path);
    assert_int_equal(run_piece(scenario, path, true, &count, &summary, &error), ZV_IO);
    assert_null(summary);
    assert_non_null(strstr(error.text, "expected a checkpoint of an earlier run, found none"));
    assert_int_equal(run_piece(scenario, NULL, true, &count, &summary, &error), ZV_SCHEMA);
    assert_int_equal(run_piece(scenario, path, false, &count, &summary, &error), ZV_INTERRUPTED);
    zv_run_summary_destroy(summary);
    assert_int_equal(run_piece(other, path, true, &count, &summary, &error), ZV_SCHEMA);
    assert_null(summary);
    count.left = 1000000;
    assert_int_equal(run_piece(scenario, path, true, &count, &summary, &error), ZV_OK);
    assert_non_null(strstr(zv_run_text(summary), "resumed at"));
    zv_run_summary_destroy(summary);
    expect_no_leftovers(path);
    zv_scenario_destroy(scenario);
    zv_scenario_destroy(other);
    remove(path);
}

TESTS(fixed_steps_bit_for_bit, fixed_steps_after_sudden_death, variable_steps_within_tolerance, refusals)
