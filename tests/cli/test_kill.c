/* A run that is killed again and again and resumed each time ends like one that was not: to the last bit with a fixed
 * step, within the tolerance with a variable one, with the same rows. */
#define _XOPEN_SOURCE 700
#include "process.h"
#include "support/run_tests.h"

#include <math.h>

enum { KILLS = SANITIZED ? 5 : 20 };

/* A torque keeps the arm moving, friction keeps it from chaos: what a restart changes dies away. */
static const char swing[] = "zveno_scenario: 1\n"
                            "title: A driven arm\n"
                            "model: " ZV_SOURCE_DIR "/models/two_link.yaml\n"
                            "duration: 1\n"
                            "initial: {q: {joint1: -0.5, joint2: 0.3}}\n"
                            "drives:\n"
                            "  - {name: push, type: torque, joints: all,\n"
                            "     law: {type: harmonic, amplitude: [9, 2], frequency: [3, 5]}}\n"
                            "integrator: {method: adams, rtol: 1e-9, atol: 1e-9, step: 5e-4}\n"
                            "output: {rate: 100, channels: [q, v, energy]}\n";

static uint64_t seed;

static double random_between(double low, double high) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

typedef struct Run {
    const char *method; /* "integrator.method=rk4" */
    char duration[40];
    double startup; /* processor time of a run that has nothing to do, s */
} Run;

/* Ended after so much processor time; 0: never. */
static pid_t start_run(const Run *run, const char *out, bool resume, double life) {
    const char *const words[] = {"simulate",
                                 "swing.yaml",
                                 "--quiet",
                                 "--json",
                                 "--checkpoint",
                                 "0.01",
                                 "--set",
                                 run->method,
                                 "--set",
                                 run->duration,
                                 "-o",
                                 out,
                                 resume ? "--resume" : NULL,
                                 NULL};
    return start_mortal_zveno(words, life);
}

/* Processor time of a run, s. */
static double cost_of(Run *run, double duration) {
    const double before = spent_by_children();
    snprintf(run->duration, sizeof run->duration, "duration=%g", duration);
    assert_int_equal(wait_for(start_run(run, "trial.csv", false, 0)), 0);
    return spent_by_children() - before;
}

/* A duration that takes most of a second of processor time on this machine in this build. */
static void calibrate(Run *run) {
    const double trial = 5, wanted = 0.8;
    run->startup = cost_of(run, 0.01);
    const double rate = fmax(cost_of(run, trial) - run->startup, 1e-3) / trial;
    snprintf(run->duration, sizeof run->duration, "duration=%.0f", fmin(4000, fmax(trial, ceil(wanted / rate))));
}

/* A killed run leaves the old file or the new one, never half of one. */
static void expect_whole_output(void) {
    size_t size;
    char *bytes = load_file("broken.csv", &size);
    if (strcmp(bytes, "old\n") != 0) {
        expect_part(bytes, "# zveno recording");
        expect_silence(zveno("info broken.csv --json"));
    }
    free(bytes);
}

/* Runs to the end through `*kills` more kills at most; counts down those that hit. */
static void run_broken(const Run *run, int *kills) {
    bool resume = false;
    put_file("broken.csv", "old\n");
    for (;;) {
        const double life = *kills ? run->startup + random_between(0, 0.12) : 0;
        const int code = wait_for(start_run(run, "broken.csv", resume, life));
        if (code == 0) return;
        if (code == -SIGPROF) {
            --*kills;
            expect_whole_output();
        } else { /* killed before its first checkpoint: nothing to go on with */
            get_file("err.txt", complained);
            if (code != 1 || !strstr(complained, "checkpoint")) fail_msg("exit code %d\n%s", code, complained);
        }
        resume = has_file("broken.csv.checkpoint");
    }
}

static void expect_same_bytes(const char *broken, const char *whole) {
    assert_string_equal(table_of_csv(broken), table_of_csv(whole));
}

enum { COLUMNS = 10 }; /* time, q, v, energies */

/* The numbers of one row; the text after it. */
static const char *read_row(const char *at, double row[COLUMNS]) {
    for (int i = 0; i < COLUMNS; i++) {
        char *end;
        row[i] = strtod(at, &end);
        assert_int_equal(*end, i + 1 < COLUMNS ? ',' : '\n');
        at = end + 1;
    }
    return at;
}

/* Row by row the same time, and the numbers within what the tolerance allows: 1000 times that of a step, of the
 * largest number of their kind. */
static void expect_same_numbers(const char *broken, const char *whole) {
    const char *a = strchr(table_of_csv(broken), '\n') + 1, *b = strchr(table_of_csv(whole), '\n') + 1;
    for (int row = 0; *a && *b; row++) {
        double x[COLUMNS], y[COLUMNS], energy = 1;
        a = read_row(a, x), b = read_row(b, y);
        for (int i = 5; i < COLUMNS; i++) energy = fmax(energy, fabs(y[i]));
        for (int i = 0; i < COLUMNS; i++) {
            const double allowed = i == 0 ? 0 : 1e-6 * (i < 5 ? 1 + fabs(y[i]) : energy);
            if (!(fabs(x[i] - y[i]) <= allowed)) fail_msg("row %d, column %d: %.17g is not %.17g", row, i, x[i], y[i]);
        }
    }
    assert_int_equal(*a, *b);
}

static void kill_and_resume(const char *method, void (*expect_same)(const char *broken, const char *whole)) {
    Run run = {.method = method};
    calibrate(&run);
    assert_int_equal(wait_for(start_run(&run, "whole.csv", false, 0)), 0);
    size_t size;
    char *whole = load_file("whole.csv", &size);
    int kills = KILLS, finished = 0;
    while (kills) {
        run_broken(&run, &kills);
        char *broken = load_file("broken.csv", &size);
        expect_same(broken, whole);
        free(broken);
        assert_false(has_file("broken.csv.rows"));
        assert_false(has_file("broken.csv.checkpoint"));
        finished++;
    }
    print_message("%s: %d kills, %d run(s) of %s s, startup %.3f s\n", method, KILLS, finished, run.duration,
                  run.startup);
    free(whole);
}

static void fixed_step(void **state) {
    (void)state;
    kill_and_resume("integrator.method=rk4", expect_same_bytes);
}

static void variable_step(void **state) {
    (void)state;
    kill_and_resume("integrator.method=adams", expect_same_numbers);
}

static void nothing_to_resume(void **state) {
    (void)state;
    const Run run = {.method = "integrator.method=rk4", .duration = "duration=1"};
    assert_int_equal(wait_for(start_run(&run, "never.csv", true, 0)), 1);
    get_file("err.txt", complained);
    expect_part(complained, "never.csv");
    expect_part(complained, "checkpoint");
}

/* A checkpoint of another scenario is refused and stays. */
static void another_scenario_is_not_resumed(void **state) {
    (void)state;
    Run run = {.method = "integrator.method=rk4", .duration = "duration=4000"};
    const pid_t child = start_run(&run, "other.csv", false, 0);
    int code = 0;
    assert_true(comes_anew(child, "other.csv.checkpoint", 1, &code));
    kill(child, SIGKILL);
    assert_int_equal(wait_for(child), -SIGKILL);
    run.method = "integrator.method=euler";
    assert_int_equal(wait_for(start_run(&run, "other.csv", true, 0)), 1);
    get_file("err.txt", complained);
    expect_part(complained, "zveno: error: ");
    assert_true(has_file("other.csv.checkpoint"));
    assert_true(has_file("other.csv.rows"));
}

static int prepare(void **state) {
    const char *given = getenv("ZVENO_TEST_SEED");
    seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL) * 1000003u + (uint64_t)getpid();
    print_message("ZVENO_TEST_SEED=%llu\n", (unsigned long long)seed);
    if (make_folder(state)) return -1;
    put_file("swing.yaml", swing);
    return 0;
}

TESTS_BETWEEN(prepare, remove_folder, fixed_step, variable_step, nothing_to_resume, another_scenario_is_not_resumed)
