/* HDF5 files made by hand to lead a reader astray: data in other files, sizes that no file has, a child that fails. */
#define _XOPEN_SOURCE 700
#include "record/hdf5_calls.h"
#include "support/run_tests.h"

static Id fixed_text(size_t size) {
    Id type = call("H5Tcopy", constant("H5T_C_S1_g"), 0, 0, 0, 0, 0);
    assert_true(call_int("H5Tset_size", type, (int64_t)size, 0, 0, 0, 0) >= 0);
    return type;
}

static void set_attribute(Id object, const char *name, Id type, const void *value) {
    Id space = call("H5Screate", 0, 0, 0, 0, 0, 0);
    Id attribute = call("H5Acreate2", object, text_of(name), type, space, 0, 0);
    assert_true(attribute >= 0 && call_int("H5Awrite", attribute, type, text_of(value), 0, 0, 0) >= 0);
    call("H5Aclose", attribute, 0, 0, 0, 0, 0);
    call("H5Sclose", space, 0, 0, 0, 0, 0);
}

static Id make_group(Id file, const char *name) {
    Id group = call("H5Gcreate2", file, text_of(name), 0, 0, 0, 0);
    assert_true(group >= 0);
    return group;
}

/* A vector of doubles; creation is a list of HDF5 or 0. */
static void make_vector(Id group, const char *name, Id type, uint64_t rows, Id creation) {
    Id space = call("H5Screate_simple", 1, text_of(&rows), 0, 0, 0, 0);
    Id dataset = call7("H5Dcreate2", group, text_of(name), type, space, 0, creation, 0);
    if (dataset < 0) fail_msg("HDF5 does not make %s", name);
    call("H5Dclose", dataset, 0, 0, 0, 0, 0);
    call("H5Sclose", space, 0, 0, 0, 0, 0);
}

/* All of a recording of format 1 but its channels; *channels is their group. */
static Id begin_file(const char *path, Id *channels) {
    const int version = 1;
    Id file = call("H5Fcreate", text_of(path), 2, 0, 0, 0, 0), text = fixed_text(15);
    assert_true(file >= 0);
    set_attribute(file, "format", text, "zveno recording");
    set_attribute(file, "format_version", constant("H5T_NATIVE_INT_g"), &version);
    *channels = make_group(file, "channels");
    call("H5Gclose", make_group(file, "notes"), 0, 0, 0, 0, 0);
    Id events = make_group(file, "events");
    make_vector(events, "t", constant("H5T_NATIVE_DOUBLE_g"), 0, 0);
    make_vector(events, "name", text, 0, 0);
    make_vector(events, "text", text, 0, 0);
    call("H5Gclose", events, 0, 0, 0, 0, 0);
    return file;
}

static void end_file(Id file, Id channels) {
    call("H5Gclose", channels, 0, 0, 0, 0, 0);
    assert_true(call_int("H5Fclose", file, 0, 0, 0, 0, 0) >= 0);
}

static void expect_refusal(const char *path, const char *words) {
    zvRecording *recording = NULL;
    zvError error = {0};
    const zvStatus status = zv_recording_open(path, &recording, &error);
    if (status >= 0) fail_msg("the file is read");
    if (!strstr(error.text, words)) fail_msg("\"%s\" does not say \"%s\"", error.text, words);
    assert_null(recording);
}

static Id creation_list(void) { return call("H5Pcreate", constant("H5P_CLS_DATASET_CREATE_ID_g"), 0, 0, 0, 0, 0); }

/* The numbers of a channel would be the bytes of any file of the user's. */
static void external_storage_is_refused(void **state) {
    (void)state;
    if (!has_hdf5()) skip();
    Id channels, file = begin_file(in_folder("external.h5"), &channels), creation = creation_list();
    char secret[300];
    snprintf(secret, sizeof secret, "%s", in_folder("secret"));
    save_bytes(secret, "twenty-four secret bytes", 24);
    assert_true(call_int("H5Pset_external", creation, text_of(secret), 0, 24, 0, 0) >= 0);
    make_vector(channels, "time", constant("H5T_NATIVE_DOUBLE_g"), 3, creation);
    end_file(file, channels);
    expect_refusal(in_folder("external.h5"), "external storage");
    empty_folder();
}

static void virtual_data_sets_are_refused(void **state) {
    (void)state;
    if (!has_hdf5()) skip();
    uint64_t rows = 3;
    Id channels, file = begin_file(in_folder("virtual.h5"), &channels), creation = creation_list();
    Id space = call("H5Screate_simple", 1, text_of(&rows), 0, 0, 0, 0);
    assert_true(call_int("H5Pset_virtual", creation, space, text_of("other.h5"), text_of("/secret"), space, 0) >= 0);
    make_vector(channels, "time", constant("H5T_NATIVE_DOUBLE_g"), rows, creation);
    end_file(file, channels);
    expect_refusal(in_folder("virtual.h5"), "virtual");
    empty_folder();
}

static void links_to_other_files_are_refused(void **state) {
    (void)state;
    if (!has_hdf5()) skip();
    char other[300];
    Id channels, file;
    snprintf(other, sizeof other, "%s", in_folder("other.h5"));
    file = begin_file(other, &channels);
    make_vector(channels, "time", constant("H5T_NATIVE_DOUBLE_g"), 0, 0);
    end_file(file, channels);
    file = begin_file(in_folder("link.h5"), &channels);
    assert_true(call_int("H5Lcreate_external", text_of(other), text_of("/channels/time"), channels, text_of("time"), 0,
                         0) >= 0);
    end_file(file, channels);
    expect_refusal(in_folder("link.h5"), "another file");
    file = begin_file(in_folder("soft.h5"), &channels);
    assert_true(call_int("H5Lcreate_soft", text_of("/events/t"), channels, text_of("time"), 0, 0, 0) >= 0);
    end_file(file, channels);
    expect_refusal(in_folder("soft.h5"), "elsewhere");
    empty_folder();
}

/* A few kilobytes that ask for 1e11 rows, or for chunks of gigabytes. */
static void sizes_that_no_file_has_are_refused(void **state) {
    (void)state;
    if (!has_hdf5()) skip();
    uint64_t chunk = 1000, large = (uint64_t)1 << 28;
    Id channels, file = begin_file(in_folder("rows.h5"), &channels), creation = creation_list();
    assert_true(call_int("H5Pset_chunk", creation, 1, text_of(&chunk), 0, 0, 0) >= 0);
    make_vector(channels, "time", constant("H5T_NATIVE_DOUBLE_g"), 100000000000u, creation);
    end_file(file, channels);
    expect_refusal(in_folder("rows.h5"), "more than the file has bytes for");
    file = begin_file(in_folder("chunk.h5"), &channels);
    creation = creation_list();
    assert_true(call_int("H5Pset_chunk", creation, 1, text_of(&large), 0, 0, 0) >= 0);
    make_vector(channels, "time", constant("H5T_NATIVE_DOUBLE_g"), large, creation);
    end_file(file, channels);
    expect_refusal(in_folder("chunk.h5"), "chunks");
    empty_folder();
}

/* The same file without tricks is read, so that the refusals above are for what they say. */
static void a_file_made_by_hand_is_read(void **state) {
    (void)state;
    if (!has_hdf5()) skip();
    Id channels, file = begin_file(in_folder("plain.h5"), &channels);
    const double numbers[3] = {1, 2, 3};
    double found[3];
    make_vector(channels, "time", constant("H5T_NATIVE_DOUBLE_g"), 3, 0);
    Id dataset = open_dataset(file, "/channels/time");
    assert_true(call_int("H5Dwrite", dataset, constant("H5T_NATIVE_DOUBLE_g"), 0, 0, 0, text_of(numbers)) >= 0);
    call("H5Dclose", dataset, 0, 0, 0, 0, 0);
    end_file(file, channels);
    zvRecording *recording = NULL;
    zvError error = {0};
    if (zv_recording_open(in_folder("plain.h5"), &recording, &error) < 0) fail_msg("%s", error.text);
    assert_int_equal(zv_recording_read(recording, 0, 0, 3, found, &error), ZV_OK);
    assert_memory_equal(numbers, found, sizeof found);
    zv_recording_destroy(recording);
    empty_folder();
}

TESTS_BETWEEN(make_folder, remove_folder, external_storage_is_refused, virtual_data_sets_are_refused,
              links_to_other_files_are_refused, sizes_that_no_file_has_are_refused, a_file_made_by_hand_is_read)
