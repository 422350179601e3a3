/* What is recorded is read back: bit by bit, in both forms, through the spool and through memory, and after conversion
 * from one form to the other and back. */
#define _XOPEN_SOURCE 700
#include "record/sample.h"
#include "support/run_tests.h"

static void convert(const char *from, const char *to) {
    zvRecording *recording;
    zvError error = {0};
    if (zv_recording_open(from, &recording, &error) < 0) fail_msg("%s: %s", from, error.text);
    if (zv_recording_write(recording, to, &error) < 0) fail_msg("%s: %s", to, error.text);
    zv_recording_destroy(recording);
}

static void check_csv(const Sample *sample) {
    sample_write(sample, in_folder("a.csv"));
    sample_check(sample, in_folder("a.csv"));
    convert(in_folder("a.csv"), in_folder("b.csv"));
    check_same_file(in_folder("a.csv"), in_folder("b.csv"));
}

static void check_hdf5(const Sample *sample) {
    sample_write(sample, in_folder("a.h5"));
    sample_check(sample, in_folder("a.h5"));
    sample_write(sample, in_folder("again.h5"));
    check_same_file(in_folder("a.h5"), in_folder("again.h5"));
    convert(in_folder("a.h5"), in_folder("c.csv"));
    check_same_file(in_folder("a.csv"), in_folder("c.csv"));
    convert(in_folder("c.csv"), in_folder("c.hdf5"));
    sample_check(sample, in_folder("c.hdf5"));
}

static void random_recordings_survive(void **state) {
    (void)state;
    bool hdf5 = has_hdf5();
    for (uint64_t seed = 1; seed <= 40; seed++) {
        rtRandom random = {seed};
        uint64_t rows = seed % 4 == 0 ? seed / 4 % 3 : (uint64_t)rt_below(&random, 400);
        Sample *sample = sample_make(seed, rows);
        check_csv(sample);
        if (hdf5) check_hdf5(sample);
        sample_free(sample);
    }
    empty_folder();
}

static void long_recordings_survive(void **state) {
    (void)state;
    Sample *sample = sample_make(1001, 100000);
    sample->channel_count = 3;
    sample->width = sample->channels[0].width + sample->channels[1].width + sample->channels[2].width;
    const char *const paths[] = {"long.csv", "long.h5"};
    for (int p = 0; p < (has_hdf5() ? 2 : 1); p++) {
        sample_write(sample, in_folder(paths[p]));
        sample_check(sample, in_folder(paths[p]));
    }
    sample_free(sample);
    empty_folder();
}

static void parts_are_read_alone(void **state) {
    (void)state;
    const char *const paths[] = {"parts.csv", "parts.h5"};
    zvChannel channels[2] = {{"time", "s", "", 1, NULL, NULL}, {"q", "rad", "", 3, NULL, NULL}};
    for (int p = 0; p < (has_hdf5() ? 2 : 1); p++) {
        zvRecorder *recorder = zv_recorder_create_memory(2, channels, NULL);
        assert_int_equal(zv_recorder_width(recorder), 4);
        for (int i = 0; i < 50000; i++) {
            double row[4] = {i, i + 0.25, i + 0.5, i + 0.75};
            assert_int_equal(zv_recorder_row(recorder, row, NULL), ZV_OK);
        }
        sample_finish(&(Sample){0}, recorder, in_folder(paths[p]));
        zv_recorder_destroy(recorder);
        zvRecording *recording;
        zvError error = {0};
        assert_int_equal(zv_recording_open(in_folder(paths[p]), &recording, &error), ZV_OK);
        rtRandom random = {5};
        for (int n = 0; n < 50; n++) {
            double part[3 * 100];
            uint64_t first = (uint64_t)rt_below(&random, 49900), count = (uint64_t)rt_below(&random, 101);
            assert_int_equal(zv_recording_read(recording, 1, first, count, part, &error), ZV_OK);
            for (uint64_t i = 0; i < count; i++)
                for (uint64_t k = 0; k < 3; k++)
                    assert_true(part[3 * i + k] == (double)(first + i) + 0.25 * (double)(k + 1));
        }
        double none[3];
        assert_int_equal(zv_recording_read(recording, 1, 50000, 0, none, &error), ZV_OK);
        assert_int_equal(zv_recording_read(recording, 1, 50000, 1, none, &error), ZV_SIZE);
        assert_int_equal(zv_recording_read(recording, 1, UINT64_MAX, 2, none, &error), ZV_SIZE);
        assert_int_equal(zv_recording_read(recording, 2, 0, 1, none, &error), ZV_NAME);
        zv_recording_destroy(recording);
    }
    empty_folder();
}

static void memory_shows_its_rows(void **state) {
    (void)state;
    Sample *sample = sample_make(77, 300);
    zvRecorder *recorder = zv_recorder_create_memory(sample->channel_count, sample->channels, NULL);
    assert_int_equal(sample_record(sample, recorder, 0, sample->rows, NULL), ZV_OK);
    uint64_t rows;
    const double *values = zv_recorder_rows(recorder, &rows);
    assert_int_equal(rows, sample->rows);
    assert_memory_equal(values, sample->values, rows * (uint64_t)sample->width * sizeof *values);
    zvError error = {0};
    assert_int_equal(zv_recorder_finish(recorder, NULL, 0, NULL, &error), ZV_IO);
    sample_finish(sample, recorder, in_folder("memory.csv"));
    sample_check(sample, in_folder("memory.csv"));
    zv_recorder_destroy(recorder);
    sample_free(sample);
    empty_folder();
}

/* 6000 labels do not fit the 64 KiB that HDF5 gives to plain attributes. */
static void wide_channels_survive(void **state) {
    (void)state;
    enum { WIDTH = 6000 };
    static char texts[WIDTH][24];
    static const char *labels[WIDTH];
    static double row[WIDTH + 1];
    for (int i = 0; i < WIDTH; i++) {
        snprintf(texts[i], sizeof texts[i], "joint%d.force", i);
        labels[i] = texts[i];
        row[i + 1] = i * 0.5;
    }
    zvChannel channels[2] = {{"time", "s", "", 1, NULL, NULL}, {"reactions", "N", "", WIDTH, labels, NULL}};
    const char *const paths[] = {"wide.csv", "wide.h5"};
    for (int p = 0; p < (has_hdf5() ? 2 : 1); p++) {
        zvError error = {0};
        zvRecorder *recorder = zv_recorder_create(in_folder(paths[p]), 2, channels, &error);
        for (int i = 0; i < 40; i++) assert_int_equal(zv_recorder_row(recorder, row, &error), ZV_OK);
        sample_finish(&(Sample){0}, recorder, NULL);
        zv_recorder_discard_spool(recorder);
        zv_recorder_destroy(recorder);
        zvRecording *recording;
        assert_int_equal(zv_recording_open(in_folder(paths[p]), &recording, &error), ZV_OK);
        static double back[WIDTH];
        assert_int_equal(zv_recording_read(recording, 1, 39, 1, back, &error), ZV_OK);
        assert_memory_equal(back, row + 1, sizeof back);
        for (int i = 0; i < WIDTH; i++) assert_string_equal(zv_recording_channel(recording, 1)->labels[i], texts[i]);
        zv_recording_destroy(recording);
    }
    empty_folder();
}

TESTS_BETWEEN(make_folder, remove_folder, random_recordings_survive, long_recordings_survive, parts_are_read_alone,
              memory_shows_its_rows, wide_channels_survive)
