/* Rows that a caller sees while a run goes on: those of the recording, bit by bit, with an output or without one. */
#include "simulate/runs.h"
#include "support/run_tests.h"

/* A ball that bounces five times or so. */
#define BOUNCE                                                                                                        \
    "{zveno_scenario: 1, model: " FALLING ", duration: 1, initial: {q: {slide: 0.5}}, events: [{name: floor, type: "  \
    "plane, frame: ball, normal: [0, 0, 1], offset: 0, action: bounce, restitution: 0.7}], integrator: {method: %s, " \
    "step: 1e-3}, output: {%s, channels: [q, v, a, tau, energy]}}"

enum { MOST_ROWS = 20000 };

typedef struct Seen {
    int begun, channels, width;
    char names[8][32];
    uint64_t rows, stop_after;
    double *values;
} Seen;

static void begin(void *context, int channel_count, const zvChannel *channels) {
    Seen *seen = context;
    assert_int_equal(seen->begun++, 0);
    assert_int_equal(seen->rows, 0);
    assert_in_range(channel_count, 1, 8);
    seen->channels = channel_count;
    for (int i = 0; i < channel_count; i++) {
        snprintf(seen->names[i], sizeof seen->names[i], "%s", channels[i].name);
        seen->width += channels[i].width;
    }
    seen->values = calloc((size_t)MOST_ROWS * (size_t)seen->width, sizeof *seen->values);
    assert_non_null(seen->values);
}

static bool keep(void *context, const double *row) {
    Seen *seen = context;
    assert_int_equal(seen->begun, 1);
    assert_true(seen->rows < MOST_ROWS);
    memcpy(seen->values + seen->rows * (uint64_t)seen->width, row, (size_t)seen->width * sizeof *row);
    seen->rows++;
    return seen->rows != seen->stop_after;
}

/* Entry by entry: the channels of the file side by side are the rows that were seen, from row `from` of the file on. */
static void expect_recorded(const Seen *seen, const char *path, uint64_t from) {
    int at = 0;
    for (int i = 0; i < seen->channels; i++) {
        uint64_t rows;
        int width;
        double *values = rows_of(path, seen->names[i], &rows, &width);
        assert_int_equal(rows, from + seen->rows);
        for (uint64_t k = 0; k < seen->rows; k++) {
            const double *row = seen->values + k * (uint64_t)seen->width + at;
            assert_memory_equal(row, values + (from + k) * (uint64_t)width, (size_t)width * sizeof *row);
        }
        at += width;
        free(values);
    }
    assert_int_equal(at, seen->width);
}

static zvStatus watch(const zvScenario *scenario, const char *output, bool resume, Seen *seen) {
    zvError error = {0};
    zvRunSummary *summary = NULL;
    const zvRunOptions options = {.output = output, .resume = resume, .begin = begin, .row = keep, .context = seen};
    const zvStatus status = zv_simulate(scenario, &options, &summary, &error);
    if (status < 0) fail_msg("%s", error.text);
    assert_true(zv_run_rows(summary) >= seen->rows);
    zv_run_summary_destroy(summary);
    return status;
}

/* Rows at regular times and at impacts (both sides of each), and one per step. */
static void rows_are_those_recorded(void **state) {
    (void)state;
    static const char *const methods[] = {"adams", "erk", "rk4"}, *const rows[] = {"rate: 300", "every_step: true"};
    char name[512];
    const char *path = file_of("shown" ZV_RECORDING, name);
    for (int i = 0; i < 6; i++) {
        zvScenario *scenario = scenario_of(BOUNCE, methods[i / 2], rows[i % 2]);
        Seen with = {0}, without = {0};
        assert_int_equal(watch(scenario, path, false, &with), ZV_OK);
        assert_true(with.rows > 8);
        expect_recorded(&with, path, 0);
        assert_int_equal(watch(scenario, NULL, false, &without), ZV_OK);
        assert_int_equal(without.rows, with.rows);
        assert_memory_equal(without.values, with.values, with.rows * (uint64_t)with.width * sizeof(double));
        free(with.values);
        free(without.values);
        zv_scenario_destroy(scenario);
    }
    remove(path);
}

/* A row that says stop ends the run like progress: valid, to be resumed; the rest comes when it is. */
static void a_row_stops(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("shown_stop" ZV_RECORDING, name);
    zvScenario *scenario = scenario_of(BOUNCE, "rk4", "rate: 300");
    Seen first = {.stop_after = 40}, second = {0}, whole = {0};
    remove(path);
    assert_int_equal(watch(scenario, path, false, &first), ZV_INTERRUPTED);
    assert_in_range(first.rows, 40, 44);
    expect_recorded(&first, path, 0);
    assert_int_equal(watch(scenario, path, true, &second), ZV_OK);
    expect_recorded(&second, path, first.rows);
    assert_int_equal(watch(scenario, NULL, false, &whole), ZV_OK);
    assert_int_equal(whole.rows, first.rows + second.rows);
    free(first.values);
    free(second.values);
    free(whole.values);
    zv_scenario_destroy(scenario);
    remove(path);
}

/* Either callback may be missing. */
static void only_one_of_them(void **state) {
    (void)state;
    zvScenario *scenario = scenario_of(BOUNCE, "rk4", "rate: 300");
    Seen seen = {0};
    const zvRunOptions options = {.begin = begin, .context = &seen};
    zvRunSummary *summary = NULL;
    assert_int_equal(zv_simulate(scenario, &options, &summary, NULL), ZV_OK);
    assert_int_equal(seen.begun, 1);
    assert_string_equal(seen.names[0], "time");
    assert_int_equal(zv_run_rows(summary), 0);
    zv_run_summary_destroy(summary);
    free(seen.values);
    zv_scenario_destroy(scenario);
}

TESTS(rows_are_those_recorded, a_row_stops, only_one_of_them)
