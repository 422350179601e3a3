/* What a run leaves on the disk: complete recordings, early ends beside good files, notes. */
#define _POSIX_C_SOURCE 200809L
#include "simulate/runs.h"
#include "support/run_tests.h"

#define SWING                                                                                                      \
    "{zveno_scenario: 1, title: a swing, model: " PENDULUM ", duration: 2, initial: {q: {pivot: 1}}, integrator: " \
    "{method: rk4}, output: {interval: 0.1, channels: [q, v]}}"

static bool stop_late(void *context, const zvProgress *progress) {
    (void)context;
    return progress->t < 1;
}

static const char *note_of(zvRecording *recording, const char *name) {
    for (int i = 0; i < zv_recording_notes(recording); i++) {
        if (strcmp(zv_recording_note(recording, i).name, name) == 0) return zv_recording_note(recording, i).text;
    }
    fail_msg("no note %s", name);
    return "";
}

static void notes(void **state) {
    (void)state;
    char name[512];
    static const char *const files[] = {"notes" ZV_RECORDING, "notes.csv"};
    for (int i = 0; i < 2; i++) {
        const char *path = file_of(files[i], name);
        zvScenario *scenario = scenario_of(SWING);
        zvRunSummary *summary = NULL;
        zvRecording *recording = NULL;
        zvError error = {0};
        const zvRunOptions options = {.output = path, .command = "zveno simulate swing.yaml"};
        assert_int_equal(zv_simulate(scenario, &options, &summary, &error), ZV_OK);
        assert_string_equal(zv_run_output(summary), path);
        assert_int_equal(zv_recording_open(path, &recording, &error), ZV_OK);
        assert_string_equal(note_of(recording, "title"), "a swing");
        assert_string_equal(note_of(recording, "command"), "zveno simulate swing.yaml");
        assert_string_equal(note_of(recording, "fingerprint"), zv_scenario_fingerprint(scenario));
        assert_string_equal(note_of(recording, "complete"), "yes");
        assert_string_equal(note_of(recording, "ending"), "end of duration");
        assert_string_equal(note_of(recording, "statistics"), zv_run_text(summary));
        assert_non_null(strstr(note_of(recording, "scenario"), "zveno_scenario: 1"));
        assert_non_null(strstr(note_of(recording, "model"), "pivot"));
        assert_non_null(strstr(note_of(recording, "ledger"), "store,kinetic,"));
        assert_non_null(strstr(note_of(recording, "integrator"), "rk4"));
        const int q = zv_recording_find(recording, "q");
        assert_string_equal(zv_recording_channel(recording, q)->labels[0], "pivot");
        assert_string_equal(zv_recording_channel(recording, q)->unit, "rad");
        zv_recording_destroy(recording);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
        remove(path);
    }
}

static zvRunSummary *broken_off(const zvScenario *scenario, const char *path) {
    zvRunSummary *summary = NULL;
    zvError error = {0};
    const zvRunOptions options = {.output = path, .progress = stop_late, .progress_interval = 1e-9};
    assert_int_equal(zv_simulate(scenario, &options, &summary, &error), ZV_INTERRUPTED);
    assert_string_equal(zv_run_ending(summary), "interrupted");
    return summary;
}

static void expect_early_end(const char *path, uint64_t expected) {
    zvRecording *recording = NULL;
    zvError error = {0};
    if (zv_recording_open(path, &recording, &error) < 0) fail_msg("%s", error.text);
    assert_int_equal(zv_recording_rows(recording), expected);
    assert_string_equal(note_of(recording, "complete"), "no");
    zv_recording_destroy(recording);
}

/* Nothing there before: the early end takes the name. A good file before: it stays, the early end goes beside it, and
 * is cleared away when the run is completed. */
static void early_end_spares_good_files(void **state) {
    (void)state;
    char name[512], beside_name[512];
    const char *path = file_of("early.csv", name), *beside = file_of("early.partial.csv", beside_name);
    zvScenario *scenario = scenario_of(SWING);
    remove(path);
    remove(beside);
    zvRunSummary *summary = broken_off(scenario, path);
    assert_string_equal(zv_run_output(summary), path);
    zv_run_summary_destroy(summary);
    expect_early_end(path, 11);
    const zvRunOptions resume = {.output = path, .resume = true};
    assert_int_equal(zv_simulate(scenario, &resume, NULL, NULL), ZV_OK);

    summary = broken_off(scenario, path);
    assert_string_equal(zv_run_output(summary), beside);
    zv_run_summary_destroy(summary);
    expect_early_end(beside, 11);
    uint64_t rows;
    free(rows_of(path, "q", &rows, NULL));
    assert_int_equal(rows, 21);
    assert_int_equal(zv_simulate(scenario, &resume, NULL, NULL), ZV_OK);
    assert_false(file_exists(beside));
    zv_scenario_destroy(scenario);
    remove(path);
}

/* A force that flings the body beyond the speed of light ends the run; the rows before that are kept. */
static void failure_keeps_rows(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("failure.csv", name);
    zvError error = {0};
    zvRunSummary *summary = NULL;
    zvScenario *scenario = scenario_of(
        "{zveno_scenario: 1, model: " FALLING
        ", duration: 9, drives: [{type: torque, joint: slide, law: {type: polynomial, coefficients: [0, 0, 0, 0, 0, "
        "0, 0, 0, 0, 1e10]}}], integrator: {method: rk4, step: 0.01}, output: {interval: 0.1, channels: [q]}}");
    remove(path);
    const zvRunOptions options = {.output = path};
    assert_int_equal(zv_simulate(scenario, &options, &summary, &error), ZV_NO_CONVERGENCE);
    assert_non_null(summary);
    assert_string_equal(zv_run_output(summary), path);
    assert_non_null(strstr(error.text, "t = "));
    uint64_t rows;
    free(rows_of(path, "q", &rows, NULL));
    assert_int_equal(rows, zv_run_rows(summary));
    assert_true(rows > 5);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
    char spool[600];
    snprintf(spool, sizeof spool, "%s.rows", path);
    remove(spool);
    snprintf(spool, sizeof spool, "%s.checkpoint", path);
    remove(spool);
    remove(path);
}

static void unwritable(void **state) {
    (void)state;
    zvError error = {0};
    zvRunSummary *summary = NULL;
    zvScenario *scenario = scenario_of(SWING);
    const zvRunOptions options = {.output = ZV_BINARY_DIR "/no/such/folder/x" ZV_RECORDING};
    assert_int_equal(zv_simulate(scenario, &options, &summary, &error), ZV_IO);
    assert_null(summary);
    assert_true(error.text[0] != '\0');
    zv_scenario_destroy(scenario);
}

TESTS(notes, early_end_spares_good_files, failure_keeps_rows, unwritable)
