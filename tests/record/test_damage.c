/* Files that are cut, damaged or something else: always a clear refusal, never a wrong number or a crash. */
#define _XOPEN_SOURCE 700
#include "record/sample.h"
#include "support/run_tests.h"

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
    for (size_t size = 1; size < whole.size; size += size < 2000 ? 7 : step) {
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
    refuse(path, ZV_NOT_SUPPORTED, "newer");
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
    refuse_csv(HEAD "time [s]\n1\n", 5, "ends early: it has 1 rows of 2");
    refuse_csv(HEAD "time [s]\n1\n2\n3\n", 7, "has been added to");
    refuse_csv(HEAD "time [s]\n1\n2", 6, "ends early");
    refuse_csv(HEAD "time [s]\n1\nx2\n", 6, "\"x2\" in column 1 is not a number");
    refuse_csv(HEAD "time [s]\n1\n2,3\n", 6, "more than 1 numbers");
    refuse_csv(HEAD "time [s],q\n1\n2\n", 4, "2 columns where the comments describe 1");
    refuse_csv(HEAD "# labels \"a\n", 4, "comment line");
    refuse_csv(HEAD "# labels\n", 4, "comment line");
    refuse_csv(HEAD "# event x \"a\" \"b\"\n", 4, "comment line");
    refuse_csv(HEAD "# | text of no note\n", 4, "comment line");
    refuse_csv(HEAD "# note name\n", 4, "comment line");
    refuse_csv(HEAD "# channel \"q\" width -1 unit \"s\" about \"\"\n", 4, "comment line");
    refuse_csv(HEAD "# channel \"q\" width 99999999 unit \"s\" about \"\"\n# labels \"a\"\n", 5, "comment line");
    refuse_csv("a,b\n1,2\n3\n", 3, "fewer than 2 numbers");
    refuse_csv("a,b\n1,2\n3,four\n", 3, "\"four\" in column 2");
    refuse_csv("a,b\n1,2\n3;4\n", 3, "\"3\" in column 1");
#undef HEAD
    empty_folder();
}

TESTS_BETWEEN(make_folder, remove_folder, cut_csv_is_refused, cut_hdf5_is_refused, damaged_numbers_are_noticed,
              other_things_are_refused, damaged_tables_name_the_line)
