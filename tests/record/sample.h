/* Recordings for tests: seeded random channels, rows, notes and events with awkward names and numbers, written
 * through a recorder and compared with what is read back. */
#ifndef ZV_TEST_RECORD_SAMPLE_H
#define ZV_TEST_RECORD_SAMPLE_H

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/own_folder.h"
#include "support/random_tree_numbers.h"
#include "zveno/record.h"

enum { MAX_CHANNELS = 12, MAX_WIDTH = 7, MAX_NOTES = 6, MAX_EVENTS = 600 };

typedef struct Sample {
    uint64_t seed, rows;
    int channel_count, width, note_count, event_count;
    zvChannel channels[MAX_CHANNELS];
    const char *labels[MAX_CHANNELS][MAX_WIDTH], *units[MAX_CHANNELS][MAX_WIDTH];
    zvNote notes[MAX_NOTES];
    zvEvent events[MAX_EVENTS];
    uint64_t event_row[MAX_EVENTS]; /* row */
    double *values;
} Sample;

static const char *const NAMES[MAX_CHANNELS] = {
    "time",   "q",     "frame tool pose", "a/b",        ".",     "x,y \"z\"",
    "имя 角", "#hash", "tab\tname",       "two\nlines", " lead", "a|b",
};
static const char *const TEXTS[] = {
    "",         "1",   "m/s",         "кг·м²",         "quoted \"text\", with commas; and \\ back\\slashes\\n",
    "\x01\x7f", "# x", "line\r\nend", "[a] [b] a [c]", "trailing newline\n",
    "\n\n",     " | ", "nan",         "a\tb",
};
enum { TEXT_COUNT = sizeof TEXTS / sizeof TEXTS[0] };

static inline const char *any_text(rtRandom *random) { return TEXTS[rt_below(random, TEXT_COUNT)]; }

static inline double any_number(rtRandom *random) {
    static const double odd[] = {0.0,     -0.0,    INFINITY, -INFINITY, NAN, DBL_MAX, -DBL_MIN, 4.9406564584124654e-324,
                                 DBL_MIN, 1.0 / 3, 0.1};
    if (rt_chance(random, 0.2)) return odd[rt_below(random, (int)(sizeof odd / sizeof odd[0]))];
    if (rt_chance(random, 0.3)) return rt_below(random, 1000) * 0.01;
    return rt_signed(random, 1, 10) * rt_decades(random, -300, 300);
}

static inline void sample_channels(Sample *sample, rtRandom *random) {
    sample->channel_count = 1 + rt_below(random, MAX_CHANNELS);
    for (int i = 0; i < sample->channel_count; i++) {
        int width = i == 0 ? 1 : rt_below(random, MAX_WIDTH + 1);
        zvChannel *channel = &sample->channels[i];
        *channel = (zvChannel){NAMES[i], any_text(random), any_text(random), width, NULL, NULL};
        for (int k = 0; k < width; k++) {
            sample->labels[i][k] = any_text(random);
            sample->units[i][k] = any_text(random);
        }
        if (width && rt_chance(random, 0.5)) channel->labels = sample->labels[i];
        if (width && rt_chance(random, 0.3)) channel->units = sample->units[i];
        sample->width += width;
    }
}

static inline Sample *sample_make(uint64_t seed, uint64_t rows) {
    Sample *sample = calloc(1, sizeof *sample);
    rtRandom random = {seed};
    assert_non_null(sample);
    sample->seed = seed;
    sample->rows = rows;
    sample_channels(sample, &random);
    size_t count = (size_t)rows * (size_t)sample->width;
    sample->values = malloc((count + 1) * sizeof *sample->values);
    assert_non_null(sample->values);
    for (size_t i = 0; i < count; i++) sample->values[i] = any_number(&random);
    sample->note_count = rt_below(&random, MAX_NOTES + 1);
    for (int i = 0; i < sample->note_count; i++) sample->notes[i] = (zvNote){any_text(&random), any_text(&random)};
    sample->event_count = rt_below(&random, rt_chance(&random, 0.2) ? MAX_EVENTS + 1 : 5);
    for (int i = 0; i < sample->event_count; i++) {
        sample->events[i] = (zvEvent){any_number(&random), any_text(&random), any_text(&random)};
        sample->event_row[i] = rows * (uint64_t)i / (uint64_t)sample->event_count;
    }
    return sample;
}

static inline void sample_free(Sample *sample) {
    free(sample->values);
    free(sample);
}

/* Writes rows first to last - 1 with the events among them. */
static inline zvStatus sample_record(const Sample *sample, zvRecorder *recorder, uint64_t first, uint64_t last,
                                     zvError *error) {
    int h = 0;
    while (h < sample->event_count && sample->event_row[h] < first) h++;
    for (uint64_t i = first; i < last; i++) {
        for (; h < sample->event_count && sample->event_row[h] <= i; h++) {
            zvStatus status = zv_recorder_event(recorder, &sample->events[h], error);
            if (status < 0) return status;
        }
        zvStatus status = zv_recorder_row(recorder, sample->values + i * (uint64_t)sample->width, error);
        if (status < 0) return status;
    }
    for (; last == sample->rows && h < sample->event_count; h++) {
        zvStatus status = zv_recorder_event(recorder, &sample->events[h], error);
        if (status < 0) return status;
    }
    return ZV_OK;
}

/* Comparison ----------------------------------------------------------------------------------------- */

/* Bit by bit, but one NaN is as good as another. */
static inline bool same_number(double a, double b) { return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0; }

static inline void check_labels(const Sample *sample, const char *what, const char *const *a, const char *const *b,
                                int count) {
    if (!a != !b) fail_msg("seed %llu: %s are there or not", (unsigned long long)sample->seed, what);
    for (int i = 0; a && i < count; i++) assert_string_equal(a[i], b[i]);
}

static inline void check_rows(const Sample *sample, zvRecording *recording) {
    size_t column = 0;
    double *values = malloc((size_t)(sample->rows + 1) * MAX_WIDTH * sizeof *values);
    assert_non_null(values);
    for (int c = 0; c < sample->channel_count; c++) {
        size_t width = (size_t)sample->channels[c].width;
        zvError error = {0};
        if (zv_recording_read(recording, c, 0, sample->rows, values, &error) < 0) fail_msg("%s", error.text);
        for (size_t i = 0; i < (size_t)sample->rows; i++)
            for (size_t k = 0; k < width; k++)
                if (!same_number(values[i * width + k], sample->values[i * (size_t)sample->width + column + k]))
                    fail_msg("seed %llu, channel %d, row %zu, number %zu: %.17g is not %.17g",
                             (unsigned long long)sample->seed, c, i, k, values[i * width + k],
                             sample->values[i * (size_t)sample->width + column + k]);
        column += width;
    }
    free(values);
}

static inline void sample_check(const Sample *sample, const char *path) {
    zvRecording *recording;
    zvError error = {0};
    char line[900];
    if (zv_recording_open(path, &recording, &error) < 0)
        fail_msg("seed %llu: %s", (unsigned long long)sample->seed, zv_error_line(&error, line, sizeof line));
    assert_int_equal(zv_recording_rows(recording), sample->rows);
    assert_int_equal(zv_recording_channels(recording), sample->channel_count);
    for (int i = 0; i < sample->channel_count; i++) {
        const zvChannel *wanted = &sample->channels[i], *found = zv_recording_channel(recording, i);
        assert_string_equal(found->name, wanted->name);
        assert_string_equal(found->unit, wanted->unit);
        assert_string_equal(found->about, wanted->about);
        assert_int_equal(found->width, wanted->width);
        assert_int_equal(zv_recording_find(recording, wanted->name), i);
        check_labels(sample, "labels", found->labels, wanted->labels, wanted->width);
        check_labels(sample, "units", found->units, wanted->units, wanted->width);
    }
    assert_int_equal(zv_recording_notes(recording), sample->note_count);
    for (int i = 0; i < sample->note_count; i++) {
        assert_string_equal(zv_recording_note(recording, i).name, sample->notes[i].name);
        assert_string_equal(zv_recording_note(recording, i).text, sample->notes[i].text);
    }
    assert_int_equal(zv_recording_events(recording), sample->event_count);
    for (int i = 0; i < sample->event_count; i++) {
        zvEvent found = zv_recording_event(recording, (uint64_t)i);
        assert_true(same_number(found.t, sample->events[i].t));
        assert_string_equal(found.name, sample->events[i].name);
        assert_string_equal(found.text, sample->events[i].text);
    }
    check_rows(sample, recording);
    zv_recording_destroy(recording);
}

/* Files ---------------------------------------------------------------------------------------------- */

typedef struct Bytes {
    unsigned char *data;
    size_t size;
} Bytes;

static inline Bytes load_bytes(const char *path) {
    Bytes bytes = {0};
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s cannot be read", path);
    fseek(file, 0, SEEK_END);
    bytes.size = (size_t)ftell(file);
    rewind(file);
    bytes.data = malloc(bytes.size + 1);
    assert_non_null(bytes.data);
    assert_int_equal(fread(bytes.data, 1, bytes.size, file), bytes.size);
    bytes.data[bytes.size] = '\0';
    fclose(file);
    return bytes;
}

static inline void save_bytes(const char *path, const void *data, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    fclose(file);
}

static inline void check_same_file(const char *a, const char *b) {
    Bytes first = load_bytes(a), second = load_bytes(b);
    if (first.size != second.size || memcmp(first.data, second.data, first.size) != 0)
        fail_msg("%s and %s differ", a, b);
    free(first.data);
    free(second.data);
}

/* Whether this build writes HDF5. */
static inline bool has_hdf5(void) {
    zvChannel time = {"time", "s", "", 1, NULL, NULL};
    zvError error = {0};
    zvRecorder *recorder = zv_recorder_create(in_folder("probe.h5"), 1, &time, &error);
    if (recorder)
        zv_recorder_discard_spool(recorder);
    else
        assert_int_equal(error.status, ZV_NOT_SUPPORTED);
    zv_recorder_destroy(recorder);
    return recorder != NULL;
}

static inline zvRecorder *sample_recorder(const Sample *sample, const char *path) {
    zvError error = {0};
    zvRecorder *recorder = zv_recorder_create(path, sample->channel_count, sample->channels, &error);
    if (!recorder) fail_msg("seed %llu: %s", (unsigned long long)sample->seed, error.text);
    return recorder;
}

static inline void sample_finish(const Sample *sample, zvRecorder *recorder, const char *path) {
    zvError error = {0};
    if (zv_recorder_finish(recorder, path, sample->note_count, sample->notes, &error) < 0)
        fail_msg("seed %llu: %s", (unsigned long long)sample->seed, error.text);
}

/* Records a sample whole. */
static inline void sample_write(const Sample *sample, const char *path) {
    zvError error = {0};
    zvRecorder *recorder = sample_recorder(sample, path);
    if (sample_record(sample, recorder, 0, sample->rows, &error) < 0) fail_msg("%s", error.text);
    sample_finish(sample, recorder, NULL);
    zv_recorder_discard_spool(recorder);
    zv_recorder_destroy(recorder);
}

#endif
