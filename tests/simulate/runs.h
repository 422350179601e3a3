/* Running scenario texts in tests, and looking at what they recorded. */
#ifndef ZV_TESTS_SIMULATE_RUNS_H
#define ZV_TESTS_SIMULATE_RUNS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/near.h"
#include "zveno/simulate.h"

/* A point mass of 2 kg that falls along z, a pendulum of 1 kg and 1 m, and a chain of two. */
#define FALLING                                                                                                   \
    "{inline: {links: [{name: ground}, {name: ball, mass: 2, inertia: [0.1, 0.1, 0.1]}], joints: [{name: slide, " \
    "type: prismatic, parent: ground, child: ball, axis: [0, 0, 1]}]}}"
#define PENDULUM                                                                                                     \
    "{inline: {links: [{name: ground}, {name: rod, mass: 1, com: [0, 0, -1], inertia: [0, 0, 0]}], joints: [{name: " \
    "pivot, type: continuous, parent: ground, child: rod, axis: [0, -1, 0]}]}}"
#define TWO_RODS                                                                                                       \
    "{inline: {links: [{name: ground}, {name: upper, mass: 1.5, com: [0, 0, -0.4], inertia: [0.1, 0.1, 0.01]}, "       \
    "{name: "                                                                                                          \
    "lower, mass: 1, com: [0.05, 0, -0.3], inertia: [0.05, 0.06, 0.02]}], joints: [{name: shoulder, type: revolute, "  \
    "parent: ground, child: upper, axis: [0, 1, 0], limits: {lower: -2, upper: 2, effort: 99, velocity: 20}}, {name: " \
    "elbow, type: revolute, parent: upper, child: lower, origin: {xyz: [0, 0, -0.8]}, axis: [0, 1, 0], limits: "       \
    "{lower: "                                                                                                         \
    "-2, upper: 2, effort: 99, velocity: 20}}], frames: [{name: tip, link: lower, pose: {xyz: [0, 0, -0.6]}}]}}"

static inline zvScenario *scenario_of(const char *format, ...) {
    char text[8192];
    va_list args;
    va_start(args, format);
    const int size = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    assert_true(size > 0 && (size_t)size < sizeof text);
    zvScenario *scenario = NULL;
    zvError error = {0};
    char line[1024];
    if (zv_scenario_read_memory("test", text, (size_t)size, 0, NULL, &scenario, &error) < 0) {
        fail_msg("%s\n%s", zv_error_line(&error, line, sizeof line), text);
    }
    return scenario;
}

/* Runs to the end; output may be NULL. */
static inline zvRunSummary *run_of(const zvScenario *scenario, const char *output) {
    zvRunSummary *summary = NULL;
    zvError error = {0};
    const zvRunOptions options = {.output = output};
    if (zv_simulate(scenario, &options, &summary, &error) != ZV_OK) fail_msg("%s", error.text);
    assert_non_null(summary);
    return summary;
}

/* A file of this test's own in the build folder. */
static inline const char *file_of(const char *name, char buffer[512]) {
    snprintf(buffer, 512,
             ZV_BINARY_DIR "/simulate_"
                           "%s",
             name);
    return buffer;
}

static inline bool file_exists(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

/* All rows of one channel, to be freed. */
static inline double *rows_of(const char *path, const char *channel, uint64_t *rows, int *width) {
    zvRecording *recording = NULL;
    zvError error = {0};
    if (zv_recording_open(path, &recording, &error) < 0) fail_msg("%s", error.text);
    const int index = zv_recording_find(recording, channel);
    if (index < 0) fail_msg("no channel %s", channel);
    *rows = zv_recording_rows(recording);
    const int own = zv_recording_channel(recording, index)->width;
    if (width) *width = own;
    double *values = malloc((size_t)(*rows + 1) * (size_t)own * sizeof *values);
    assert_non_null(values);
    if (zv_recording_read(recording, index, 0, *rows, values, &error) < 0) fail_msg("%s", error.text);
    zv_recording_destroy(recording);
    return values;
}

#endif
