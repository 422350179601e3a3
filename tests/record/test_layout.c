/* The layout that docs/recordings.md promises to users of h5py and MATLAB, seen through HDF5 itself and not through our
 * reader. */
#define _XOPEN_SOURCE 700
#include "record/hdf5_calls.h"
#include "support/run_tests.h"

static void check_extent(Id dataset, int rank, uint64_t rows, uint64_t columns) {
    uint64_t size[8] = {0};
    Id space = call("H5Dget_space", dataset, 0, 0, 0, 0, 0);
    assert_int_equal(call_int("H5Sget_simple_extent_dims", space, text_of(size), 0, 0, 0, 0), rank);
    assert_int_equal(size[0], rows);
    if (rank == 2) assert_int_equal(size[1], columns);
    call("H5Sclose", space, 0, 0, 0, 0, 0);
}

enum { PACKED = 4096 };

/* Texts are of fixed length, filled up with zeros. */
static size_t fixed_width(Id type, int count) {
    assert_int_equal(call_int("H5Tget_class", type, 0, 0, 0, 0, 0), 3);
    assert_int_equal(call_int("H5Tis_variable_str", type, 0, 0, 0, 0, 0), 0);
    const size_t width = (size_t)call("H5Tget_size", type, 0, 0, 0, 0, 0);
    assert_true(width > 0 && width * (size_t)count <= PACKED);
    return width;
}

static void compare_packed(const char *packed, size_t width, const char *const *wanted, int count) {
    for (int i = 0; i < count; i++) {
        char text[PACKED + 1] = "";
        memcpy(text, packed + (size_t)i * width, width);
        assert_string_equal(text, wanted[i]);
    }
}

static void check_attribute(Id object, const char *name, const char *const *wanted, int count) {
    char packed[PACKED] = "";
    Id attribute = call("H5Aopen", object, text_of(name), 0, 0, 0, 0);
    assert_true(attribute >= 0);
    Id type = call("H5Aget_type", attribute, 0, 0, 0, 0, 0);
    const size_t width = fixed_width(type, count);
    assert_true(call_int("H5Aread", attribute, type, text_of(packed), 0, 0, 0) >= 0);
    compare_packed(packed, width, wanted, count);
    call("H5Tclose", type, 0, 0, 0, 0, 0);
    call("H5Aclose", attribute, 0, 0, 0, 0, 0);
}

static void check_text(Id object, const char *name, const char *wanted) { check_attribute(object, name, &wanted, 1); }

static void check_texts(Id file, const char *path, const char *const *wanted, int count) {
    char packed[PACKED] = "";
    Id dataset = open_dataset(file, path), type = call("H5Dget_type", dataset, 0, 0, 0, 0, 0);
    const size_t width = fixed_width(type, count);
    assert_true(call_int("H5Dread", dataset, type, 0, 0, 0, text_of(packed)) >= 0);
    compare_packed(packed, width, wanted, count);
    call("H5Tclose", type, 0, 0, 0, 0, 0);
    call("H5Dclose", dataset, 0, 0, 0, 0, 0);
}

/* FNV-1a by the description of docs/recordings.md, apart from the library's own. */
static uint64_t fnv(uint64_t sum, const void *data, size_t size) {
    for (size_t i = 0; i < size; i++) {
        sum ^= ((const unsigned char *)data)[i];
        sum *= 0x100000001b3u;
    }
    return sum;
}

static uint64_t fnv_integer(uint64_t sum, uint64_t value, size_t size) { return fnv(sum, &value, size); }

static uint64_t fnv_text(uint64_t sum, const char *text) {
    return fnv(fnv_integer(sum, strlen(text), 8), text, strlen(text));
}

static void check_sum(Id file, const char *path, uint64_t wanted) {
    uint64_t found = 0;
    Id dataset = path ? open_dataset(file, path) : file;
    Id attribute = call("H5Aopen", dataset, text_of("checksum"), 0, 0, 0, 0);
    assert_true(attribute >= 0);
    assert_true(call_int("H5Aread", attribute, constant("H5T_NATIVE_UINT64_g"), text_of(&found), 0, 0, 0) >= 0);
    if (found != wanted) fail_msg("the checksum of %s is not that of its contents", path ? path : "the whole");
    call("H5Aclose", attribute, 0, 0, 0, 0, 0);
    if (path) call("H5Dclose", dataset, 0, 0, 0, 0, 0);
}

enum { ROWS = 5000 };
static const char *const LABELS[3] = {"shoulder", "elbow", "слайд"};
static const char *const UNITS[3] = {"rad", "rad", "m"};

static void write_sample(const char *path) {
    zvChannel channels[3] = {{"time", "s", "simulated time", 1, NULL, NULL},
                             {"q", "rad", "joint positions", 3, LABELS, UNITS},
                             {"frame a/b pose", "m", "", 2, NULL, NULL}};
    zvNote notes[2] = {{"scenario", "model: arm.yaml\nduration: 2\n"}, {"version", "0.1"}};
    zvEvent limit = {1.5, "limit", "elbow at its limit"};
    zvError error = {0};
    zvRecorder *recorder = zv_recorder_create(path, 3, channels, &error);
    assert_non_null(recorder);
    for (int i = 0; i < ROWS; i++) {
        double row[6] = {i * 0.01, i, i + 0.25, -i, i * 2.0, i * 3.0};
        assert_int_equal(zv_recorder_row(recorder, row, &error), ZV_OK);
    }
    assert_int_equal(zv_recorder_event(recorder, &limit, &error), ZV_OK);
    assert_int_equal(zv_recorder_finish(recorder, NULL, 2, notes, &error), ZV_OK);
    zv_recorder_discard_spool(recorder);
    zv_recorder_destroy(recorder);
}

static void check_numbers(Id file) {
    static double time[ROWS], q[ROWS][3], pose[ROWS][2], t;
    const struct {
        const char *path;
        int rank;
        uint64_t width;
        void *values;
    } parts[] = {{"/channels/time", 1, 1, time},
                 {"/channels/q", 2, 3, q},
                 {"/channels/frame a|b pose", 2, 2, pose},
                 {"/events/t", 1, 1, &t}};
    for (int i = 0; i < 4; i++) {
        Id dataset = open_dataset(file, parts[i].path);
        check_extent(dataset, parts[i].rank, i == 3 ? 1 : ROWS, parts[i].width);
        Id native = constant("H5T_NATIVE_DOUBLE_g");
        assert_true(call_int("H5Dread", dataset, native, 0, 0, 0, text_of(parts[i].values)) >= 0);
        call("H5Dclose", dataset, 0, 0, 0, 0, 0);
    }
    assert_true(t == 1.5);
    for (int i = 0; i < ROWS; i++) {
        assert_true(time[i] == i * 0.01 && q[i][0] == i && q[i][1] == i + 0.25 && q[i][2] == -i);
        assert_true(pose[i][0] == i * 2.0 && pose[i][1] == i * 3.0);
    }
}

static void hdf5_sees_what_is_promised(void **state) {
    (void)state;
    if (!has_hdf5()) skip();
    write_sample(in_folder("layout.h5"));
    Id file = call("H5Fopen", text_of(in_folder("layout.h5")), 0, 0, 0, 0, 0);
    assert_true(file >= 0);
    check_text(file, "format", "zveno recording");
    int version = 0;
    Id attribute = call("H5Aopen", file, text_of("format_version"), 0, 0, 0, 0);
    assert_true(call_int("H5Aread", attribute, constant("H5T_NATIVE_INT_g"), text_of(&version), 0, 0, 0) >= 0);
    assert_int_equal(version, 2);
    call("H5Aclose", attribute, 0, 0, 0, 0, 0);
    check_numbers(file);
    Id q = open_dataset(file, "/channels/q");
    check_text(q, "unit", "rad");
    check_text(q, "about", "joint positions");
    check_attribute(q, "labels", LABELS, 3);
    check_attribute(q, "units", UNITS, 3);
    call("H5Dclose", q, 0, 0, 0, 0, 0);
    Id pose = open_dataset(file, "/channels/frame a|b pose");
    check_text(pose, "name", "frame a/b pose");
    call("H5Dclose", pose, 0, 0, 0, 0, 0);
    check_texts(file, "/notes/scenario", (const char *const[]){"model: arm.yaml\nduration: 2\n"}, 1);
    check_texts(file, "/notes/version", (const char *const[]){"0.1"}, 1);
    check_texts(file, "/events/name", (const char *const[]){"limit"}, 1);
    check_texts(file, "/events/text", (const char *const[]){"elbow at its limit"}, 1);
    assert_true(call_int("H5Fclose", file, 0, 0, 0, 0, 0) >= 0);
    empty_folder();
}

/* Version 0.1 called the group of events "happenings"; a copy that is written of such a file has the name of today. */
static void events_of_version_0_1(void **state) {
    (void)state;
    if (!has_hdf5()) skip();
    zvRecording *recording;
    zvError error = {0};
    write_sample(in_folder("old.h5"));
    Id file = call("H5Fopen", text_of(in_folder("old.h5")), 1, 0, 0, 0, 0); /* for reading and writing */
    assert_true(file >= 0);
    assert_true(call_int("H5Lmove", file, text_of("events"), file, text_of("happenings"), 0, 0) >= 0);
    assert_true(call_int("H5Fclose", file, 0, 0, 0, 0, 0) >= 0);
    for (int copy = 0; copy < 2; copy++) {
        if (zv_recording_open(in_folder(copy ? "new.h5" : "old.h5"), &recording, &error) < 0)
            fail_msg("%s", error.text);
        assert_int_equal(zv_recording_rows(recording), ROWS);
        assert_int_equal(zv_recording_events(recording), 1);
        const zvEvent event = zv_recording_event(recording, 0);
        assert_true(event.t == 1.5);
        assert_string_equal(event.name, "limit");
        assert_string_equal(event.text, "elbow at its limit");
        if (!copy) assert_int_equal(zv_recording_write(recording, in_folder("new.h5"), &error), ZV_OK);
        zv_recording_destroy(recording);
    }
    file = call("H5Fopen", text_of(in_folder("new.h5")), 0, 0, 0, 0, 0);
    check_texts(file, "/events/name", (const char *const[]){"limit"}, 1);
    assert_true(call_int("H5Fclose", file, 0, 0, 0, 0, 0) >= 0);
    empty_folder();
}

static uint64_t sum_of_channel(const char *name, const char *unit, const char *about, uint64_t width,
                               const char *const *labels, const char *const *units) {
    uint64_t sum = fnv_integer(0xcbf29ce484222325u, width, 4);
    sum = fnv_text(fnv_text(fnv_text(sum, name), unit), about);
    const char *const *const lists[] = {labels, units};
    for (int i = 0; i < 2; i++) {
        sum = fnv_integer(sum, lists[i] != NULL, 4);
        for (uint64_t k = 0; lists[i] && k < width; k++) sum = fnv_text(sum, lists[i][k]);
    }
    return fnv_integer(sum, ROWS, 8);
}

/* Every dataset has the sum of its contents, the file the sum of the sums. */
static void sums_are_those_of_the_contents(void **state) {
    (void)state;
    if (!has_hdf5()) skip();
    write_sample(in_folder("sums.h5"));
    Id file = call("H5Fopen", text_of(in_folder("sums.h5")), 0, 0, 0, 0, 0);
    uint64_t sums[8] = {sum_of_channel("time", "s", "simulated time", 1, NULL, NULL),
                        sum_of_channel("q", "rad", "joint positions", 3, LABELS, UNITS),
                        sum_of_channel("frame a/b pose", "m", "", 2, NULL, NULL)};
    const uint64_t empty = 0xcbf29ce484222325u;
    for (int i = 0; i < ROWS; i++) {
        const double row[6] = {i * 0.01, i, i + 0.25, -i, i * 2.0, i * 3.0};
        sums[0] = fnv(sums[0], row, 8);
        sums[1] = fnv(sums[1], row + 1, 24);
        sums[2] = fnv(sums[2], row + 4, 16);
    }
    sums[3] = fnv_text(fnv_text(empty, "scenario"), "model: arm.yaml\nduration: 2\n");
    sums[4] = fnv_text(fnv_text(empty, "version"), "0.1");
    const double t = 1.5;
    sums[5] = fnv(fnv_integer(empty, 1, 8), &t, 8);
    sums[6] = fnv_text(fnv_integer(empty, 1, 8), "limit");
    sums[7] = fnv_text(fnv_integer(empty, 1, 8), "elbow at its limit");
    static const char *const paths[8] = {"/channels/time",  "/channels/q",    "/channels/frame a|b pose",
                                         "/notes/scenario", "/notes/version", "/events/t",
                                         "/events/name",    "/events/text"};
    uint64_t whole = empty;
    for (int i = 0; i < 8; i++) {
        check_sum(file, paths[i], sums[i]);
        whole = fnv_integer(whole, sums[i], 8);
    }
    const uint64_t counts[4] = {2, 3, 2, 1};
    check_sum(file, NULL, fnv(whole, counts, sizeof counts));
    assert_true(call_int("H5Fclose", file, 0, 0, 0, 0, 0) >= 0);
    empty_folder();
}

/* An HDF5 file of someone else. */
static void foreign_hdf5_is_refused(void **state) {
    (void)state;
    if (!has_hdf5()) skip();
    Id file = call("H5Fcreate", text_of(in_folder("foreign.h5")), 2, 0, 0, 0, 0);
    assert_true(file >= 0);
    assert_true(call_int("H5Fclose", file, 0, 0, 0, 0, 0) >= 0);
    zvRecording *recording;
    zvError error = {0};
    assert_int_equal(zv_recording_open(in_folder("foreign.h5"), &recording, &error), ZV_SCHEMA);
    assert_non_null(strstr(error.text, "expected a recording of zveno, found another HDF5 file"));
    empty_folder();
}

/* Failures of ours are told by us alone: HDF5 prints nothing, and its own switch is as the program left it. */
static void hdf5_is_quiet_and_left_as_it_was(void **state) {
    (void)state;
    if (!has_hdf5()) skip();
    void *before[2], *after[2];
    call("H5Eget_auto2", 0, text_of(&before[0]), text_of(&before[1]), 0, 0, 0);
    save_bytes(in_folder("bad.h5"), "\x89HDF\r\n\x1a\nrubbish that is no HDF5 file at all, but long enough", 60);
    char name[300];
    snprintf(name, sizeof name, "%s", in_folder("stderr"));
    fflush(stderr);
    int kept = dup(2);
    assert_non_null(freopen(name, "w", stderr));
    zvRecording *recording;
    zvStatus status = zv_recording_open(in_folder("bad.h5"), &recording, NULL);
    fflush(stderr);
    dup2(kept, 2);
    close(kept);
    assert_int_equal(status, ZV_SYNTAX);
    Bytes printed = load_bytes(name);
    assert_int_equal(printed.size, 0);
    free(printed.data);
    call("H5Eget_auto2", 0, text_of(&after[0]), text_of(&after[1]), 0, 0, 0);
    assert_memory_equal(before, after, sizeof before);
    empty_folder();
}

TESTS_BETWEEN(make_folder, remove_folder, hdf5_sees_what_is_promised, events_of_version_0_1,
              sums_are_those_of_the_contents, foreign_hdf5_is_refused, hdf5_is_quiet_and_left_as_it_was)
