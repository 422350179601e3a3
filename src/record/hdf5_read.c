/* Reads HDF5 recordings. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/h5.h"
#include "record/output.h"
#include "record/recording.h"

enum { FORMAT_VERSION = 1, EVENTS_AT_ONCE = 256 };

typedef struct Hdf5Source {
    ziH5File file; /* its place must not change while HDF5 has it */
    bool open;
    hid_t *datasets;
    int *ranks;
} Hdf5Source;

static zvMark mark_of(const zvRecording *recording) { return (zvMark){recording->path, 0, 0}; }

static zvStatus fail_reading(const zvRecording *recording, const char *what, zvError *error) {
    const Hdf5Source *source = recording->context;
    if (source->file.reason) return zi_output_fail(error, recording->path, source->file.reason, "read");
    char complaint[128];
    return zv_fail(error, ZV_SYNTAX, mark_of(recording), "",
                   "the recording is damaged: %s cannot be read%s; record again or take a copy", what,
                   zi_h5_complaint(complaint, sizeof complaint));
}

/* Opening ----------------------------------------------------------------------------------------------- */

/* Why HDF5 refused the file: it ends early where its head says more bytes (28 to 35 in versions 2 and 3 of the head).
 */
static zvStatus fail_open(const zvRecording *recording, zvError *error) {
    const Hdf5Source *source = recording->context;
    unsigned char head[36];
    struct stat state;
    uint64_t wanted = 0;
    if (fstat(source->file.file, &state) != 0) return zi_output_fail(error, recording->path, errno, "read");
    ssize_t got = pread(source->file.file, head, sizeof head, 0);
    bool known = got == (ssize_t)sizeof head && (head[8] == 2 || head[8] == 3) && head[9] == 8;
    for (int i = 7; i >= 0 && known; i--) wanted = wanted << 8 | head[28 + i];
    if (known && wanted > (uint64_t)state.st_size)
        return zv_fail(error, ZV_SYNTAX, mark_of(recording), "",
                       "the file ends early: it has %llu bytes of %llu; record again or take a whole copy",
                       (unsigned long long)state.st_size, (unsigned long long)wanted);
    if (got < (ssize_t)sizeof head)
        return zv_fail(error, ZV_SYNTAX, mark_of(recording), "",
                       "the file ends early: it has %llu bytes; record again or take a whole copy",
                       (unsigned long long)state.st_size);
    return fail_reading(recording, "its head", error);
}

/* Format and version of the file: tells other HDF5 files apart from damaged recordings, and refuses other versions. */
static zvStatus check_format(zvRecording *recording, zvError *error) {
    Hdf5Source *source = recording->context;
    char *format = zi_h5_take_text(&source->file, source->file.id, "format");
    bool ours = format && strcmp(format, "zveno recording") == 0;
    free(format);
    if (source->file.reason) return fail_reading(recording, "its head", error);
    if (!ours)
        return zv_fail(error, ZV_SCHEMA, mark_of(recording), "",
                       "this is an HDF5 file but no recording of zveno (its attribute \"format\" is missing or other)");
    int version = 0;
    if (!zi_h5_take_integer(source->file.id, "format_version", &version))
        return fail_reading(recording, "its version", error);
    if (version == FORMAT_VERSION) return ZV_OK;
    return zv_fail(error, ZV_NOT_SUPPORTED, mark_of(recording), "",
                   "the recording is of format %d and this program reads format %d; use a newer version", version,
                   FORMAT_VERSION);
}

/* Channels ---------------------------------------------------------------------------------------------- */

/* Rank and size of a channel; anything but numbers of one or two dimensions is refused. */
static bool channel_size(Hdf5Source *source, int i, hsize_t size[2]) {
    hid_t dataset = source->datasets[i];
    hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : 0;
    size[1] = 1;
    bool ok = type >= 0 && H5Tget_class(type) == H5T_FLOAT && (rank == 1 || rank == 2) &&
              H5Sget_simple_extent_dims(space, size, NULL) == rank && size[1] <= INT_MAX;
    source->ranks[i] = rank;
    if (type >= 0) H5Tclose(type);
    if (space >= 0) H5Sclose(space);
    return ok;
}

/* Name, unit, description, labels and units of one channel. */
static bool describe(zvRecording *recording, hid_t group, int i, zvChannel *channel) {
    Hdf5Source *source = recording->context;
    hsize_t size[2];
    char *name = NULL;
    source->datasets[i] = zi_h5_take_nth(&source->file, group, i, &name);
    bool ok = source->datasets[i] >= 0 && channel_size(source, i, size);
    if (ok && i == 0) recording->rows = size[0];
    ok = ok && recording->rows == size[0];
    channel->name = name;
    if (!ok) return false;
    channel->width = (int)size[1];
    channel->unit = zi_h5_take_text(&source->file, source->datasets[i], "unit");
    channel->about = zi_h5_take_text(&source->file, source->datasets[i], "about");
    channel->labels =
        (const char *const *)zi_h5_take_texts(&source->file, source->datasets[i], "labels", channel->width);
    channel->units = (const char *const *)zi_h5_take_texts(&source->file, source->datasets[i], "units", channel->width);
    return !source->file.reason;
}

static void free_channel(zvChannel *channel) {
    zi_h5_free_texts((char **)channel->labels, channel->width);
    zi_h5_free_texts((char **)channel->units, channel->width);
    free((char *)channel->name);
    free((char *)channel->unit);
    free((char *)channel->about);
}

/* All must have as many rows as the first. */
static zvStatus read_channels(zvRecording *recording, hid_t group, int count, zvError *error) {
    Hdf5Source *source = recording->context;
    zvChannel *channels = calloc((size_t)count + 1, sizeof *channels);
    source->datasets = malloc(((size_t)count + 1) * sizeof *source->datasets);
    source->ranks = calloc((size_t)count + 1, sizeof *source->ranks);
    zvStatus status = ZV_OK;
    if (!channels || !source->datasets || !source->ranks) status = zi_recording_fail_memory(recording, error);
    for (int i = 0; i < count && status >= 0; i++)
        if (!describe(recording, group, i, &channels[i])) status = fail_reading(recording, "a channel", error);
    if (status >= 0) status = zi_channels_copy(&recording->channels, count, channels, recording->path, error);
    for (int i = 0; i < count && channels; i++) free_channel(&channels[i]);
    free(channels);
    return status;
}

static zvStatus open_channels(zvRecording *recording, zvError *error) {
    const Hdf5Source *source = recording->context;
    hid_t group = H5Gopen2(source->file.id, "channels", H5P_DEFAULT);
    H5G_info_t info;
    bool ok = group >= 0 && H5Gget_info(group, &info) >= 0 && info.nlinks <= INT_MAX / 2;
    zvStatus status = ok ? read_channels(recording, group, (int)info.nlinks, error)
                         : fail_reading(recording, "the group channels", error);
    if (group >= 0) H5Gclose(group);
    return status;
}

/* Notes and events ---------------------------------------------------------------------------------- */

static bool read_note(zvRecording *recording, hid_t group, int i) {
    Hdf5Source *source = recording->context;
    char *name = NULL, *text = NULL;
    hid_t dataset = zi_h5_take_nth(&source->file, group, i, &name);
    bool ok = dataset >= 0 && zi_h5_take_elements(&source->file, dataset, 0, 1, true, &text);
    if (ok && !zi_recording_add_note(recording, name, text)) source->file.reason = ENOMEM;
    free(text);
    free(name);
    if (dataset >= 0) H5Dclose(dataset);
    return ok && !source->file.reason;
}

static zvStatus read_notes(zvRecording *recording, zvError *error) {
    const Hdf5Source *source = recording->context;
    hid_t group = H5Gopen2(source->file.id, "notes", H5P_DEFAULT);
    H5G_info_t info;
    bool ok = group >= 0 && H5Gget_info(group, &info) >= 0 && info.nlinks <= INT_MAX / 2;
    for (int i = 0; ok && i < (int)info.nlinks; i++) ok = read_note(recording, group, i);
    if (group >= 0) H5Gclose(group);
    return ok ? ZV_OK : fail_reading(recording, "a note", error);
}

/* A block of events from the three columns. */
static bool read_events_from(zvRecording *recording, const hid_t columns[3], uint64_t first, uint64_t count) {
    Hdf5Source *source = recording->context;
    double times[EVENTS_AT_ONCE];
    char *names[EVENTS_AT_ONCE] = {0}, *texts[EVENTS_AT_ONCE] = {0};
    bool ok = zi_h5_take_elements(&source->file, columns[0], first, count, false, times) &&
              zi_h5_take_elements(&source->file, columns[1], first, count, true, names) &&
              zi_h5_take_elements(&source->file, columns[2], first, count, true, texts);
    for (uint64_t i = 0; i < count; i++) {
        if (ok && !zi_recording_add_event(recording, times[i], names[i], texts[i])) source->file.reason = ENOMEM;
        free(names[i]);
        free(texts[i]);
    }
    return ok && !source->file.reason;
}

/* Events, column by column; recordings of version 0.1 call their group "happenings". */
static zvStatus read_events(zvRecording *recording, zvError *error) {
    const Hdf5Source *source = recording->context;
    static const char *const paths[2][3] = {{"events/t", "events/name", "events/text"},
                                            {"happenings/t", "happenings/name", "happenings/text"}};
    const bool old = H5Lexists(source->file.id, "events", H5P_DEFAULT) <= 0;
    hid_t columns[3];
    uint64_t count = 0;
    bool ok = true;
    for (int i = 0; i < 3; i++) {
        hssize_t points = -1;
        columns[i] = H5Dopen2(source->file.id, paths[old][i], H5P_DEFAULT);
        if (columns[i] >= 0) points = zi_h5_length(columns[i]);
        ok = ok && points >= 0 && (i == 0 || count == (uint64_t)points);
        count = points >= 0 ? (uint64_t)points : 0;
    }
    for (uint64_t first = 0; first < count && ok; first += EVENTS_AT_ONCE)
        ok = read_events_from(recording, columns, first,
                              count - first < EVENTS_AT_ONCE ? count - first : EVENTS_AT_ONCE);
    for (int i = 0; i < 3; i++)
        if (columns[i] >= 0) H5Dclose(columns[i]);
    return ok ? ZV_OK : fail_reading(recording, "the list of events", error);
}

/* The form ---------------------------------------------------------------------------------------------- */

/* The hyperslab of the rows wanted. */
static zvStatus read_values(zvRecording *recording, int channel, uint64_t first, uint64_t count, double *values,
                            zvError *error) {
    Hdf5Source *source = recording->context;
    hsize_t start[2] = {first, 0}, size[2] = {count, (hsize_t)recording->channels.items[channel].width};
    ziH5Quiet quiet;
    zi_h5_begin(&quiet);
    hid_t there = H5Dget_space(source->datasets[channel]);
    hid_t here = H5Screate_simple(source->ranks[channel], size, NULL);
    bool ok = there >= 0 && here >= 0 && H5Sselect_hyperslab(there, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
              H5Dread(source->datasets[channel], H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, values) >= 0;
    zvStatus status = ok ? ZV_OK : fail_reading(recording, recording->channels.items[channel].name, error);
    if (there >= 0) H5Sclose(there);
    if (here >= 0) H5Sclose(here);
    zi_h5_end(&quiet);
    return status;
}

static void close_source(zvRecording *recording) {
    Hdf5Source *source = recording->context;
    ziH5Quiet quiet;
    zi_h5_begin(&quiet);
    if (source->open) zi_h5_close(&source->file);
    zi_h5_end(&quiet);
    if (source->file.file >= 0) close(source->file.file);
    free(source->datasets);
    free(source->ranks);
    free(source);
}

static const ziRecordingForm hdf5_form = {read_values, close_source};

static zvStatus open_source(zvRecording *recording, Hdf5Source *source, zvError *error) {
    source->open = zi_h5_open(&source->file);
    if (!source->open) return fail_open(recording, error);
    zvStatus status = check_format(recording, error);
    if (status >= 0) status = open_channels(recording, error);
    if (status >= 0) status = read_notes(recording, error);
    if (status >= 0) status = read_events(recording, error);
    return status;
}

/* HDF5 is silenced while it reads; the form closes what was opened. */
zvStatus zi_hdf5_open(zvRecording *recording, zvError *error) {
    Hdf5Source *source = calloc(1, sizeof *source);
    if (!source) return zi_recording_fail_memory(recording, error);
    recording->context = source;
    recording->form = &hdf5_form;
    source->file.file = open(recording->path, O_RDONLY | O_CLOEXEC);
    if (source->file.file < 0) return zi_output_fail(error, recording->path, errno, "read");
    ziH5Quiet quiet;
    zi_h5_begin(&quiet);
    zvStatus status = open_source(recording, source, error);
    zi_h5_end(&quiet);
    return status;
}
