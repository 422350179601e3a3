/* What a build lacks is refused by name, never replaced by something else; what needs no library runs in every build.
 */
#include "runs.h"
#include "support/run_tests.h"

#define FALL "{zveno_scenario: 1, model: " FALLING ", duration: 1, "

static void expect_refusal(const char *text, const char *word) {
    zvScenario *scenario = NULL;
    zvError error = {0};
    assert_int_equal(zv_scenario_read_memory("test", text, strlen(text), 0, NULL, &scenario, &error), ZV_NOT_SUPPORTED);
    assert_null(scenario);
    assert_string_equal(error.token, word);
    assert_true(error.line == 1 && error.column > 0);
    assert_non_null(strstr(error.text, "ZVENO_SUNDIALS=ON"));
    assert_non_null(strstr(error.text, "rk4"));
}

static void default_method(void **state) {
    (void)state;
    static const char *const words[] = {"auto", "adams", "bdf", "erk", "dirk"};
    if (zv_integration_method_find("adams")) {
        zvScenario *scenario = scenario_of(FALL "}");
        assert_string_equal(zv_scenario_method(scenario), "auto");
        zv_scenario_destroy(scenario);
        return;
    }
    expect_refusal(FALL "}", "auto");
    expect_refusal(FALL "integrator: {rtol: 1e-6}}", "auto");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char text[1024];
        snprintf(text, sizeof text, FALL "integrator: {method: %s}}", words[i]);
        expect_refusal(text, words[i]);
    }
}

/* rk4 is exact for a fall. */
static void fixed_steps(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("build.csv", name);
    zvScenario *scenario = scenario_of(FALL "integrator: {method: rk4}, output: {channels: [q]}}");
    zvRunSummary *summary = run_of(scenario, path);
    assert_named_near("fall", zv_run_position(summary)[0], -0.5 * 9.81, 1e-12);
    zvRecording *recording = NULL;
    zvError error = {0};
    assert_int_equal(zv_recording_open(path, &recording, &error), ZV_OK);
    assert_true(zv_recording_rows(recording) > 1);
    zv_recording_destroy(recording);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
    remove(path);
}

static void forms_of_recordings(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("build.h5", name);
    zvScenario *scenario = scenario_of(FALL "integrator: {method: rk4}, output: {channels: [q]}}");
    zvError error = {0};
    const zvRunOptions options = {.output = path};
    const zvStatus status = zv_simulate(scenario, &options, NULL, &error);
    if (strcmp(ZV_RECORDING, ".h5") == 0) {
        assert_int_equal(status, ZV_OK);
    } else {
        assert_int_equal(status, ZV_NOT_SUPPORTED);
        assert_non_null(strstr(error.text, "ZVENO_HDF5=ON"));
    }
    assert_true(file_exists(path) == (status == ZV_OK));
    zv_scenario_destroy(scenario);
    remove(path);
}

TESTS(default_method, fixed_steps, forms_of_recordings)
