/* Files that are cut, damaged or something else: always a clear refusal, never a wrong number or a crash. */
#define _XOPEN_SOURCE 700
#include "record/sample.h"
#include "support/run_tests.h"
#include "support/sanitized.h"

#include <fcntl.h>
#include <sys/stat.h>

static zvStatus try_open(const char *path, zvError *error) {
    zvRecording *recording;
    *error = (zvError){0};
    zvStatus status = zv_recording_open(path, &recording, error);
    if (status < 0) assert_null(recording);
    if (status < 0) assert_string_equal(error->file, path);
    zv_recording_destroy(recording);
    return status;
}

/* Every HDF5 file is opened by a process of its own, which takes 50 ms to come up with sanitizers. */
enum { SPARING = SANITIZED ? 6 : 1 };

static void refuse(const char *path, zvStatus status, const char *words) {
    zvError error;
    assert_int_equal(try_open(path, &error), status);
    if (!strstr(error.text, words)) fail_msg("\"%s\" does not say \"%s\"", error.text, words);
}

static void check_cuts(const char *name, size_t step) {
    Sample *sample = sample_make(701, 300);
    char path[300], cut[300];
    snprintf(path, sizeof path, "%s", in_folder(name));
    snprintf(cut, sizeof cut, "%s", in_folder("cut"));
    sample_write(sample, path);
    Bytes whole = load_bytes(path);
    assert_true(whole.size > 60 * step);
    for (size_t size = 1; size < whole.size; size += (size < 2000 ? 7 : step) * SPARING) {
        save_bytes(cut, whole.data, size);
        zvError error;
        zvStatus status = try_open(cut, &error);
        if (status != ZV_SYNTAX) fail_msg("%zu of %zu bytes: %d %s", size, whole.size, (int)status, error.text);
    }
    save_bytes(cut, whole.data, whole.size - 1);
    refuse(cut, ZV_SYNTAX, "ends early");
    save_bytes(cut, whole.data, 0);
    refuse(cut, ZV_SYNTAX, "empty");
    free(whole.data);
    sample_free(sample);
    empty_folder();
}

static void cut_csv_is_refused(void **state) {
    (void)state;
    check_cuts("whole.csv", 211);
}

static void cut_hdf5_is_refused(void **state) {
    (void)state;
    if (has_hdf5()) check_cuts("whole.h5", 101);
}

/* Reads every number of every channel; whether all could be read. */
static bool readable(const char *path, zvError *error) {
    zvRecording *recording;
    if (zv_recording_open(path, &recording, error) < 0) return false;
    zvStatus status = ZV_OK;
    for (int c = 0; c < zv_recording_channels(recording) && status >= 0; c++) {
        int width = zv_recording_channel(recording, c)->width;
        double *values = malloc(((size_t)width + 1) * sizeof *values);
        for (uint64_t i = 0; i < zv_recording_rows(recording) && status >= 0; i++)
            status = zv_recording_read(recording, c, i, 1, values, error);
        free(values);
    }
    zv_recording_destroy(recording);
    return status >= 0;
}

/* Numbers are kept with sums: a changed byte in them is noticed when they are read. */
static void damaged_numbers_are_noticed(void **state) {
    (void)state;
    if (!has_hdf5()) return;
    zvChannel channel = {"time", "s", "", 1, NULL, NULL};
    zvRecorder *recorder = zv_recorder_create_memory(1, &channel, NULL);
    rtRandom random = {31};
    for (int i = 0; i < 2000; i++) {
        double value = rt_uniform(&random, 0, 1);
        assert_int_equal(zv_recorder_row(recorder, &value, NULL), ZV_OK);
    }
    zvError error = {0};
    assert_int_equal(zv_recorder_finish(recorder, in_folder("n.h5"), 0, NULL, &error), ZV_OK);
    zv_recorder_destroy(recorder);
    Bytes whole = load_bytes(in_folder("n.h5"));
    assert_true(readable(in_folder("n.h5"), &error));
    /* the numbers take most of the file: all but a few kilobytes at its two ends */
    assert_true(whole.size > 12000);
    size_t noticed = 0, tried = 0;
    for (size_t i = whole.size / 2 - 2000; i < whole.size / 2 + 2000; i += 131, tried++) {
        whole.data[i] ^= 0x10;
        save_bytes(in_folder("d.h5"), whole.data, whole.size);
        if (!readable(in_folder("d.h5"), &error)) noticed++;
        whole.data[i] ^= 0x10;
    }
    assert_int_equal(noticed, tried);
    assert_non_null(strstr(error.text, "damaged"));
    free(whole.data);
    empty_folder();
}

/* All that a recording holds, as one run of bytes; NULL when something of it cannot be read. */
static Bytes contents_of(const char *path, zvError *error) {
    zvRecording *recording;
    Bytes all = {0};
    if (zv_recording_open(path, &recording, error) < 0) return all;
    FILE *stream = open_memstream((char **)&all.data, &all.size);
    zvStatus status = ZV_OK;
    const uint64_t rows = zv_recording_rows(recording);
    for (int c = 0; c < zv_recording_channels(recording) && status >= 0; c++) {
        const zvChannel *channel = zv_recording_channel(recording, c);
        const size_t count = (size_t)rows * (size_t)channel->width;
        double *values = calloc(count + 1, sizeof *values);
        status = zv_recording_read(recording, c, 0, rows, values, error);
        fprintf(stream, "%s|%s|%s|%d|", channel->name, channel->unit, channel->about, channel->width);
        for (int i = 0; i < channel->width; i++)
            fprintf(stream, "%s|%s|", channel->labels ? channel->labels[i] : "",
                    channel->units ? channel->units[i] : "");
        fwrite(values, sizeof *values, count, stream);
        free(values);
    }
    for (int i = 0; i < zv_recording_notes(recording); i++)
        fprintf(stream, "%s|%s|", zv_recording_note(recording, i).name, zv_recording_note(recording, i).text);
    for (uint64_t i = 0; i < zv_recording_events(recording); i++) {
        const zvEvent event = zv_recording_event(recording, i);
        fprintf(stream, "%a|%s|%s|", event.t, event.name, event.text);
    }
    fclose(stream);
    zv_recording_destroy(recording);
    if (status >= 0) return all;
    free(all.data);
    return (Bytes){0};
}

/* A small recording with several chunks, labels, notes and events. */
static void write_small(const char *path) {
    static const char *const labels[2] = {"shoulder", "elbow"};
    zvChannel channels[2] = {{"time", "s", "simulated time", 1, NULL, NULL},
                             {"q", "rad", "positions", 2, labels, NULL}};
    zvNote notes[2] = {{"scenario", "model: arm.yaml"}, {"version", "0.2"}};
    zvEvent event = {0.5, "limit", "elbow at its limit"};
    zvError error = {0};
    zvRecorder *recorder = zv_recorder_create_memory(2, channels, NULL);
    for (int i = 0; i < 40; i++) {
        double row[3] = {i * 0.1, 1.0 / (i + 1), i % 7};
        assert_int_equal(zv_recorder_row(recorder, row, NULL), ZV_OK);
    }
    assert_int_equal(zv_recorder_event(recorder, &event, NULL), ZV_OK);
    assert_int_equal(zv_recorder_finish(recorder, path, 2, notes, &error), ZV_OK);
    zv_recorder_destroy(recorder);
}

/* One bit after another, each k-th: what is read is what was written, or an error with a text. ZVENO_FLIP_EVERY=1 in
 * the environment tries them all. */
static void a_flipped_bit_changes_nothing_silently(void **state) {
    (void)state;
    if (!has_hdf5()) return;
    const char *every = getenv("ZVENO_FLIP_EVERY");
    const size_t step = every && atoi(every) > 0 ? (size_t)atoi(every) : 331 * SPARING;
    char whole_path[300], path[300];
    snprintf(whole_path, sizeof whole_path, "%s", in_folder("whole.h5"));
    snprintf(path, sizeof path, "%s", in_folder("flipped.h5"));
    write_small(whole_path);
    zvError error = {0};
    Bytes whole = load_bytes(whole_path), wanted = contents_of(whole_path, &error);
    assert_non_null(wanted.data);
    size_t tried = 0, same = 0;
    for (size_t bit = 0; bit < 8 * whole.size; bit += step, tried++) {
        whole.data[bit / 8] ^= (unsigned char)(1u << bit % 8);
        save_bytes(path, whole.data, whole.size);
        error = (zvError){0};
        Bytes found = contents_of(path, &error);
        if (!found.data && !error.text[0]) fail_msg("bit %zu is refused without a text", bit);
        if (found.data && (found.size != wanted.size || memcmp(found.data, wanted.data, found.size) != 0))
            fail_msg("bit %zu of %zu gives other contents without an error", bit, 8 * whole.size);
        same += found.data != NULL;
        free(found.data);
        whole.data[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    printf("%zu bits flipped of %zu: %zu harmless, %zu refused\n", tried, 8 * whole.size, same, tried - same);
    free(wanted.data);
    free(whole.data);
    empty_folder();
}

/* Recordings of version 0.1 have no sums and texts of variable length; they are read, and told apart. */
static void old_recordings_are_read(void **state) {
    (void)state;
    if (!has_hdf5()) return;
    zvRecording *recording;
    zvError error = {0};
    double q[8];
    assert_int_equal(zv_recording_open(ZV_SOURCE_DIR "/tests/record/format1.h5", &recording, &error), ZV_OK);
    assert_false(zv_recording_checked(recording));
    assert_int_equal(zv_recording_rows(recording), 8);
    assert_string_equal(zv_recording_channel(recording, 1)->labels[0], "slide");
    assert_string_equal(zv_recording_note(recording, 0).text, "A ball falls");
    assert_int_equal(zv_recording_events(recording), 1);
    assert_string_equal(zv_recording_event(recording, 0).name, "floor");
    assert_int_equal(zv_recording_read(recording, 1, 0, 8, q, &error), ZV_OK);
    assert_true(fabs(q[1] - (0.5 - 9.81 * 0.01 / 2)) < 1e-12); /* after 0.1 s of free fall from 0.5 m */
    assert_int_equal(zv_recording_write(recording, in_folder("new.h5"), &error), ZV_OK);
    zv_recording_destroy(recording);
    assert_int_equal(zv_recording_open(in_folder("new.h5"), &recording, &error), ZV_OK);
    assert_true(zv_recording_checked(recording));
    zv_recording_destroy(recording);
    empty_folder();
}

static void other_things_are_refused(void **state) {
    (void)state;
    const char *path = in_folder("other.csv");
    refuse(path, ZV_IO, "no such file");
    assert_int_equal(mkdir(path, 0777), 0);
    refuse(path, ZV_IO, "directory");
    rmdir(path);
    assert_int_equal(mkfifo(path, 0666), 0);
    refuse(path, ZV_IO, "regular file");
    unlink(path);
    save_bytes(path, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
    refuse(path, ZV_SYNTAX, "neither HDF5 nor text");
    save_bytes(path, "\x89HDF\r\n\x1a\nrubbish that is no HDF5 file at all, but long enough", 60);
    if (has_hdf5()) refuse(path, ZV_SYNTAX, "damaged");
    save_bytes(path, "just a word", 11);
    refuse(path, ZV_SYNTAX, "no row of numbers");
    save_bytes(path, "# only\n# comments\n", 18);
    refuse(path, ZV_SYNTAX, "no table of numbers");
    save_bytes(path, "# zveno recording, format 2\n", 28);
    refuse(path, ZV_NOT_SUPPORTED, "expected a recording of form 1, found form 2; use a newer version");
    empty_folder();
}

static void refuse_csv(const char *text, int line, const char *words) {
    save_bytes(in_folder("bad.csv"), text, strlen(text));
    zvError error;
    assert_int_equal(try_open(in_folder("bad.csv"), &error), ZV_SYNTAX);
    assert_int_equal(error.line, line);
    if (!strstr(error.text, words)) fail_msg("\"%s\" does not say \"%s\"", error.text, words);
}

static void damaged_tables_name_the_line(void **state) {
    (void)state;
#define HEAD "# zveno recording, format 1\n# rows 2\n# channel \"time\" width 1 unit \"s\" about \"\"\n"
    refuse_csv(HEAD "time [s]\n1\n", 5, "expected 2 rows, found 1: the file ends early");
    refuse_csv(HEAD "time [s]\n1\n2\n3\n", 7, "has been added to");
    refuse_csv(HEAD "time [s]\n1\n2", 6, "expected more lines, found the end: the file ends early");
    refuse_csv(HEAD "time [s]\n1\nx2\n", 6, "column 1: expected a number, found \"x2\"");
    refuse_csv(HEAD "time [s]\n1\n2,3\n", 6, "expected 1 numbers, found more");
    refuse_csv(HEAD "time [s],q\n1\n2\n", 4, "expected 1 columns as the comments describe, found 2");
    refuse_csv(HEAD "# labels \"a\n", 4, "comment line");
    refuse_csv(HEAD "# labels\n", 4, "comment line");
    refuse_csv(HEAD "# event x \"a\" \"b\"\n", 4, "comment line");
    refuse_csv(HEAD "# | text of no note\n", 4, "comment line");
    refuse_csv(HEAD "# note name\n", 4, "comment line");
    refuse_csv(HEAD "# channel \"q\" width -1 unit \"s\" about \"\"\n", 4, "comment line");
    refuse_csv(HEAD "# channel \"q\" width 99999999 unit \"s\" about \"\"\n# labels \"a\"\n", 5, "comment line");
    refuse_csv("a,b\n1,2\n3\n", 3, "expected 2 numbers, found fewer");
    refuse_csv("a,b\n1,2\n3,four\n", 3, "column 2: expected a number, found \"four\"");
    refuse_csv("a,b\n1,2\n3;4\n", 3, "column 1: expected a number, found \"3\"");
#undef HEAD
    empty_folder();
}

TESTS_BETWEEN(make_folder, remove_folder, cut_csv_is_refused, cut_hdf5_is_refused, damaged_numbers_are_noticed,
              other_things_are_refused, damaged_tables_name_the_line, a_flipped_bit_changes_nothing_silently,
              old_recordings_are_read)
