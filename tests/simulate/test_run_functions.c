/* Drives whose force is a function of the program, asked in every evaluation or at samples; what stops a run; and
 * recordings that a run keeps in memory. */
#include "simulate/runs.h"
#include "support/run_tests.h"

typedef struct Own {
    double kp, kd, reference;
    long calls, stop_at; /* 0: never */
    zvStatus stop;
} Own;

/* kp (r - q) - kd v of one degree of freedom with a coordinate. */
static zvStatus pd(void *context, double t, const double *q, const double *v, double *force) {
    Own *own = context;
    (void)t;
    assert_true(force[0] == 0);
    force[0] = own->kp * (own->reference - q[0]) + own->kd * (0 - v[0]);
    return ++own->calls == own->stop_at ? own->stop : ZV_OK;
}

static zvStatus run_with(const zvScenario *scenario, zvRunOptions options, Own *own, zvRunSummary **summary,
                         zvError *error) {
    const zvRunFunction function = {"mine", pd, own};
    options.functions = &function;
    options.function_count = 1;
    *error = (zvError){0};
    return zv_simulate(scenario, &options, summary, error);
}

#define PD_RUN                                                                                                        \
    "{zveno_scenario: 1, model: " PENDULUM ", duration: 1, initial: {q: {pivot: 0.4}}, drives: [{name: mine, joint: " \
    "pivot, limit: 6, %s}], integrator: {method: %s}, output: {channels: [q, v, forces, energy, work]}}"

/* The drive of the library with the same law, by methods of every family. */
static void as_the_drive_of_the_library(void **state) {
    (void)state;
    static const char *const methods[] = {"rk4", "euler", "erk", "adams", "bdf", "dirk", "newmark, step: 1e-3"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        zvScenario *theirs = scenario_of(PD_RUN, "type: pd, kp: 9, kd: 0.5, reference: 1.5", methods[i]);
        zvScenario *ours = scenario_of(PD_RUN, "type: function", methods[i]);
        Own own = {.kp = 9, .kd = 0.5, .reference = 1.5};
        zvRunSummary *expected = run_of(theirs, NULL), *summary = NULL;
        zvError error;
        if (run_with(ours, (zvRunOptions){0}, &own, &summary, &error) != ZV_OK) fail_msg("%s", error.text);
        assert_true(own.calls > 100);
        /* implicit methods know the derivatives of pd */
        const bool implicit = i > 3;
        assert_near(zv_run_position(summary)[0], zv_run_position(expected)[0], implicit ? 1e-5 : 0);
        assert_near(zv_run_velocity(summary)[0], zv_run_velocity(expected)[0], implicit ? 1e-5 : 0);
        assert_int_equal(zv_run_energy_judgement(summary), zv_run_energy_judgement(expected));
        zv_run_summary_destroy(expected);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(theirs);
        zv_scenario_destroy(ours);
    }
}

#define SAMPLED                                                                                                       \
    "{zveno_scenario: 1, model: " FALLING ", start: %g, duration: 1, initial: {q: {slide: 0.5}, v: {slide: 0.1}}, "   \
    "drives: [{type: function, name: mine, interval: 0.05}], integrator: {%s}, output: {interval: 0.013, channels: [" \
    "q, v, tau]}}"

/* Between samples the mass of 2 kg falls with a constant force: x += v T + u T^2/2, v += u T, u = F/m - g. */
static void samples(void **state) {
    (void)state;
    static const char *const methods[] = {"method: adams, rtol: 1e-12, atol: 1e-12", "method: rk4, step: 0.05",
                                          "method: erk"};
    static const double starts[] = {0, 0.02, -0.5};
    for (int i = 0; i < 3; i++) {
        zvScenario *scenario = scenario_of(SAMPLED, starts[i], methods[i]);
        Own own = {.kp = 30, .kd = 8, .reference = 1};
        zvRunSummary *summary = NULL;
        zvError error;
        if (run_with(scenario, (zvRunOptions){0}, &own, &summary, &error) != ZV_OK) fail_msg("%s", error.text);
        double x = 0.5, v = 0.1, t = starts[i];
        long count = 0;
        for (const double end = t + 1; t < end - 1e-9; count++) {
            double next = (floor(t / 0.05 + 1e-9) + 1) * 0.05;
            if (next > end) next = end;
            const double T = next - t, u = (30 * (1 - x) - 8 * v) / 2 - 9.81;
            x += v * T + u * T * T / 2;
            v += u * T;
            t = next;
        }
        assert_int_equal(own.calls, count);
        assert_near(zv_run_position(summary)[0], x, 1e-9);
        assert_near(zv_run_velocity(summary)[0], v, 1e-9);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* A run that was broken off and goes on has the same bits; the force between two samples is among what it keeps. */
static void goes_on(void **state) {
    (void)state;
    char path[512], whole[512];
    zvScenario *scenario = scenario_of(SAMPLED, 0.0, "method: rk4, step: 1e-2");
    Own own = {.kp = 30, .kd = 8, .reference = 1};
    zvRunSummary *summary = NULL;
    zvError error;
    assert_int_equal(
        run_with(scenario, (zvRunOptions){.output = file_of("function_whole.csv", whole)}, &own, &summary, &error),
        ZV_OK);
    zv_run_summary_destroy(summary);
    own.calls = 0;
    own.stop_at = 7;
    own.stop = ZV_INTERRUPTED;
    const zvRunOptions pieces = {.output = file_of("function_pieces.csv", path), .restart = true};
    assert_int_equal(run_with(scenario, pieces, &own, &summary, &error), ZV_INTERRUPTED);
    assert_non_null(strstr(zv_run_ending(summary), "interrupted"));
    assert_near(zv_run_time(summary), 0.3, 1e-12);
    zv_run_summary_destroy(summary);
    zvRunOptions rest = {.output = path, .resume = true};
    own.stop_at = 0;
    if (run_with(scenario, rest, &own, &summary, &error) != ZV_OK) fail_msg("%s", error.text);
    zv_run_summary_destroy(summary);
    uint64_t rows, expected;
    double *x = rows_of(path, "v", &rows, NULL), *y = rows_of(whole, "v", &expected, NULL);
    assert_int_equal(rows, expected);
    for (uint64_t i = 0; i < rows; i++) assert_near(x[i], y[i], 1e-12);
    free(x);
    free(y);
    zv_scenario_destroy(scenario);
}

static zvStatus not_finite(void *context, double t, const double *q, const double *v, double *force) {
    (void)context, (void)q, (void)v;
    force[0] = t > 0.5 ? NAN : 0;
    return ZV_OK;
}

/* At once, and with a text that names drive and time: an integrator does not try shorter steps. */
static void stops(void **state) {
    (void)state;
    static const char *const methods[] = {"rk4", "adams", "bdf", "erk", "dirk", "newmark, step: 1e-3"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        zvScenario *scenario = scenario_of(PD_RUN, "type: function", methods[i]);
        for (int kind = 0; kind < 3; kind++) {
            Own own = {.stop_at = kind == 2 ? 1 : 60, .stop = kind ? ZV_SINGULAR : ZV_INTERRUPTED};
            zvRunSummary *summary = NULL;
            zvError error;
            assert_int_equal(run_with(scenario, (zvRunOptions){0}, &own, &summary, &error), own.stop);
            assert_int_equal(own.calls, own.stop_at);
            if (kind) assert_non_null(strstr(error.text, "drive \"mine\" stopped the run at t = "));
            if (kind == 2) assert_null(summary);
            zv_run_summary_destroy(summary);
        }
        zv_scenario_destroy(scenario);
    }
    zvScenario *scenario = scenario_of(PD_RUN, "type: function", "rk4");
    const zvRunFunction function = {"mine", not_finite, NULL};
    zvError error = {0};
    assert_int_equal(zv_simulate(scenario, &(zvRunOptions){.functions = &function, .function_count = 1}, NULL, &error),
                     ZV_NUMBER);
    assert_non_null(strstr(error.text, "its force is not finite"));
    zv_scenario_destroy(scenario);
}

/* Functions without a drive and drives without a function. */
static void refusals(void **state) {
    (void)state;
    zvScenario *scenario = scenario_of(PD_RUN, "type: function", "rk4");
    zvError error = {0};
    assert_int_equal(zv_simulate(scenario, NULL, NULL, &error), ZV_SCHEMA);
    assert_non_null(strstr(error.text, "drive \"mine\": expected a function of the program"));
    const zvRunFunction two[] = {{"mine", pd, NULL}, {"his", pd, NULL}};
    assert_int_equal(zv_simulate(scenario, &(zvRunOptions){.functions = two, .function_count = 2}, NULL, &error),
                     ZV_NAME);
    assert_non_null(strstr(error.text, "expected one of the drives of type function: mine, found \"his\""));
    zv_scenario_destroy(scenario);
}

/* Rows, events and notes kept in memory, and written later: the file that the run itself writes. */
static void kept(void **state) {
    (void)state;
    char direct[512], later[512];
    zvScenario *scenario = scenario_of(
        "{zveno_scenario: 1, model: " FALLING ", duration: 1, initial: {q: {slide: 1}}, events: [{name: floor, type: "
        "plane, frame: ball, normal: [0, 0, 1], offset: 0, action: bounce, restitution: 0.7}], output: {channels: [q, "
        "energy]}}");
    zv_run_summary_destroy(run_of(scenario, file_of("kept_direct.csv", direct)));
    zvRunSummary *summary = NULL;
    zvError error = {0};
    if (zv_simulate(scenario, &(zvRunOptions){.keep = true}, &summary, &error) != ZV_OK) fail_msg("%s", error.text);
    if (zv_run_write(summary, file_of("kept_later.csv", later), &error) < 0) fail_msg("%s", error.text);
    assert_null(zv_run_output(summary));
    uint64_t rows, kept_rows, expected;
    double *x = rows_of(later, "energy", &rows, NULL), *y = rows_of(direct, "energy", &expected, NULL);
    const double *z = zv_recorder_rows(zv_run_kept(summary), &kept_rows);
    const int width = zv_recorder_width(zv_run_kept(summary));
    assert_true(rows == expected && rows == kept_rows && rows == zv_run_rows(summary) && rows > 100);
    for (uint64_t i = 0; i < rows; i++) {
        assert_memory_equal(x + 5 * i, y + 5 * i, 5 * sizeof *x);
        assert_memory_equal(x + 5 * i, z + (i + 1) * (uint64_t)width - 5, 5 * sizeof *x);
    }
    free(x);
    free(y);
    zvRecording *a = NULL, *b = NULL;
    assert_int_equal(zv_recording_open(direct, &a, &error), ZV_OK);
    assert_int_equal(zv_recording_open(later, &b, &error), ZV_OK);
    assert_true(zv_recording_events(a) > 0 && zv_recording_events(a) == zv_recording_events(b));
    assert_int_equal(zv_recording_notes(a), zv_recording_notes(b));
    for (int i = 0; i < zv_recording_notes(a); i++) {
        assert_string_equal(zv_recording_note(a, i).name, zv_recording_note(b, i).name);
        if (strcmp(zv_recording_note(a, i).name, "statistics") == 0) continue; /* has times of the clock */
        assert_string_equal(zv_recording_note(a, i).text, zv_recording_note(b, i).text);
    }
    zv_recording_destroy(a);
    zv_recording_destroy(b);
    zv_run_summary_destroy(summary);
    summary = run_of(scenario, NULL);
    assert_null(zv_run_kept(summary));
    assert_int_equal(zv_run_write(summary, later, &error), ZV_SCHEMA);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

TESTS(as_the_drive_of_the_library, samples, goes_on, stops, refusals, kept)
