/* Reads HDF5 recordings, in a process of its own (hdf5_child.c). Texts are checked when a recording is opened, the
 * numbers of a channel before the first of them is used. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/h5.h"
#include "record/output.h"
#include "record/recording.h"

enum { OLDEST_FORMAT = 1, NEWEST_FORMAT = 2, EVENTS_AT_ONCE = 256 };

typedef struct Hdf5Source {
    ziH5File file; /* its place must not change while HDF5 has it */
    bool open;
    hid_t *datasets;
    int *ranks;
    int format;
    uint64_t sum;     /* of all that has been read */
    uint64_t *sums;   /* of each channel, as its dataset tells */
    uint64_t checked; /* rows of the channel that is being checked */
    uint64_t so_far;  /* their sum */
    bool *is_checked;
} Hdf5Source;

static zvMark mark_of(const zvRecording *recording) { return (zvMark){recording->path, 0, 0}; }

/* Why something cannot be read: the disk, what is refused, or what HDF5 complains of. */
static zvStatus fail_reading(const zvRecording *recording, const char *what, zvError *error) {
    const Hdf5Source *source = recording->context;
    if (source->file.reason) return zi_output_fail(error, recording->path, source->file.reason, "read");
    if (source->file.obstacle)
        return zv_fail(error, ZV_SCHEMA, mark_of(recording), "",
                       "%s is not read: %s; a recording is one whole file: record again or take a copy", what,
                       source->file.obstacle);
    char complaint[128];
    return zv_fail(error, ZV_SYNTAX, mark_of(recording), "",
                   "the recording is damaged: %s cannot be read%s; record again or take a copy", what,
                   zi_h5_complaint(complaint, sizeof complaint));
}

static zvStatus fail_checksum(const zvRecording *recording, const char *what, zvError *error) {
    return zv_fail(
        error, ZV_SYNTAX, mark_of(recording), "",
        "checksum of %s: expected that of what was written, found another: the recording is damaged; record again or "
        "take a copy",
        what);
}

/* Whether the sum of what was read is that of the dataset; it goes into that of the whole. Format 1 has none. */
static bool agrees(Hdf5Source *source, hid_t dataset, uint64_t sum) {
    uint64_t told = 0;
    if (source->format < 2) return true;
    source->sum = zi_h5_sum_integer(source->sum, sum);
    return zi_h5_take_checksum(dataset, &told) && told == sum;
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
                       "expected %llu bytes, found %llu: the file ends early; record again or take a whole copy",
                       (unsigned long long)wanted, (unsigned long long)state.st_size);
    if (got < (ssize_t)sizeof head)
        return zv_fail(
            error, ZV_SYNTAX, mark_of(recording), "",
            "expected a whole recording, found %llu bytes: the file ends early; record again or take a whole copy",
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
        return zv_fail(
            error, ZV_SCHEMA, mark_of(recording), "",
            "expected a recording of zveno, found another HDF5 file (its attribute \"format\" is missing or other)");
    if (!zi_h5_take_integer(source->file.id, "format_version", &source->format))
        return fail_reading(recording, "its version", error);
    recording->checked = source->format >= 2;
    if (source->format >= OLDEST_FORMAT && source->format <= NEWEST_FORMAT) return ZV_OK;
    return zv_fail(error, ZV_NOT_SUPPORTED, mark_of(recording), "",
                   "expected a recording of format %d to %d, found format %d; use a newer version", (int)OLDEST_FORMAT,
                   (int)NEWEST_FORMAT, source->format);
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
    if (source->format >= 2 && !zi_h5_take_checksum(source->datasets[i], &source->sums[i])) return false;
    source->sum = zi_h5_sum_integer(source->sum, source->sums[i]);
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
    source->sums = calloc((size_t)count + 1, sizeof *source->sums);
    source->is_checked = calloc((size_t)count + 1, sizeof *source->is_checked);
    zvStatus status = ZV_OK;
    if (!channels || !source->datasets || !source->ranks || !source->sums || !source->is_checked)
        status = zi_recording_fail_memory(recording, error);
    for (int i = 0; i < count && status >= 0; i++)
        if (!describe(recording, group, i, &channels[i])) status = fail_reading(recording, "a channel", error);
    if (status >= 0) status = zi_channels_copy(&recording->channels, count, channels, recording->path, error);
    for (int i = 0; i < count && channels; i++) free_channel(&channels[i]);
    free(channels);
    return status;
}

/* Opens a group that lies in the file itself and has no more links than a recording may have. */
static hid_t open_group(Hdf5Source *source, const char *name, hsize_t most, int *count) {
    H5G_info_t info;
    source->file.obstacle = zi_h5_link_obstacle(source->file.id, name);
    hid_t group = source->file.obstacle ? H5I_INVALID_HID : H5Gopen2(source->file.id, name, H5P_DEFAULT);
    if (group < 0) return group;
    if (H5Gget_info(group, &info) >= 0 && info.nlinks <= most) {
        *count = (int)info.nlinks;
        return group;
    }
    source->file.obstacle = "it has more entries than a recording may have";
    H5Gclose(group);
    return H5I_INVALID_HID;
}

static zvStatus open_channels(zvRecording *recording, zvError *error) {
    int count;
    hid_t group = open_group(recording->context, "channels", ZI_H5_MAX_CHANNELS, &count);
    if (group < 0) return fail_reading(recording, "the group channels", error);
    zvStatus status = read_channels(recording, group, count, error);
    H5Gclose(group);
    return status;
}

/* Notes and events ---------------------------------------------------------------------------------- */

/* Name and text of a note, checked. */
static zvStatus read_note(zvRecording *recording, hid_t group, int i, zvError *error) {
    Hdf5Source *source = recording->context;
    char *texts[2] = {NULL, NULL};
    hid_t dataset = zi_h5_take_nth(&source->file, group, i, &texts[0]);
    bool ok = dataset >= 0 && zi_h5_take_elements(&source->file, dataset, 0, 1, true, &texts[1]);
    if (ok && !zi_recording_add_note(recording, texts[0], texts[1])) source->file.reason = ENOMEM;
    zvStatus status = ok && !source->file.reason ? ZV_OK : fail_reading(recording, "a note", error);
    if (status >= 0 && !agrees(source, dataset, zi_h5_sum_texts(zi_checksum(NULL, 0), 2, texts)))
        status = fail_checksum(recording, "a note", error);
    free(texts[1]);
    free(texts[0]);
    if (dataset >= 0) H5Dclose(dataset);
    return status;
}

static zvStatus read_notes(zvRecording *recording, zvError *error) {
    int count;
    zvStatus status = ZV_OK;
    hid_t group = open_group(recording->context, "notes", ZI_H5_MAX_NOTES, &count);
    if (group < 0) return fail_reading(recording, "the group notes", error);
    for (int i = 0; i < count && status >= 0; i++) status = read_note(recording, group, i, error);
    H5Gclose(group);
    return status;
}

/* A block of events from the three columns. */
static bool read_events_from(zvRecording *recording, const hid_t columns[3], uint64_t first, uint64_t count,
                             uint64_t sums[3]) {
    Hdf5Source *source = recording->context;
    double times[EVENTS_AT_ONCE];
    char *names[EVENTS_AT_ONCE] = {0}, *texts[EVENTS_AT_ONCE] = {0};
    bool ok = zi_h5_take_elements(&source->file, columns[0], first, count, false, times) &&
              zi_h5_take_elements(&source->file, columns[1], first, count, true, names) &&
              zi_h5_take_elements(&source->file, columns[2], first, count, true, texts);
    if (ok) {
        sums[0] = zi_checksum_add(sums[0], times, (size_t)count * sizeof *times);
        sums[1] = zi_h5_sum_texts(sums[1], count, names);
        sums[2] = zi_h5_sum_texts(sums[2], count, texts);
    }
    for (uint64_t i = 0; i < count; i++) {
        if (ok && !zi_recording_add_event(recording, times[i], names[i], texts[i])) source->file.reason = ENOMEM;
        free(names[i]);
        free(texts[i]);
    }
    return ok && !source->file.reason;
}

/* Opens the three columns; *count is their common length. */
static bool open_columns(Hdf5Source *source, const char *group, hid_t columns[3], uint64_t *count) {
    static const char *const names[3] = {"t", "name", "text"};
    int links;
    bool ok = true;
    hid_t folder = open_group(source, group, 3, &links);
    for (int i = 0; i < 3; i++) {
        hssize_t points = -1;
        const char *obstacle = folder >= 0 ? zi_h5_link_obstacle(folder, names[i]) : NULL;
        columns[i] = folder >= 0 && !obstacle ? H5Dopen2(folder, names[i], H5P_DEFAULT) : H5I_INVALID_HID;
        if (columns[i] >= 0 && !obstacle) obstacle = zi_h5_storage_obstacle(columns[i]);
        if (columns[i] >= 0 && !obstacle) points = zi_h5_length(columns[i]);
        if (obstacle) source->file.obstacle = obstacle;
        ok = ok && points >= 0 && (i == 0 || *count == (uint64_t)points);
        if (i == 0) *count = points >= 0 ? (uint64_t)points : 0;
    }
    if (folder >= 0) H5Gclose(folder);
    return ok;
}

/* Events, column by column; recordings of version 0.1 call their group "happenings". */
static zvStatus read_events(zvRecording *recording, zvError *error) {
    Hdf5Source *source = recording->context;
    const bool old = H5Lexists(source->file.id, "events", H5P_DEFAULT) <= 0;
    hid_t columns[3];
    uint64_t count = 0, sums[3];
    bool ok = open_columns(source, old ? "happenings" : "events", columns, &count);
    for (int i = 0; i < 3; i++) sums[i] = zi_h5_sum_integer(zi_checksum(NULL, 0), count);
    for (uint64_t first = 0; first < count && ok; first += EVENTS_AT_ONCE)
        ok = read_events_from(recording, columns, first,
                              count - first < EVENTS_AT_ONCE ? count - first : EVENTS_AT_ONCE, sums);
    zvStatus status = ok ? ZV_OK : fail_reading(recording, "the list of events", error);
    for (int i = 0; i < 3; i++) {
        if (status >= 0 && !agrees(source, columns[i], sums[i]))
            status = fail_checksum(recording, "the list of events", error);
        if (columns[i] >= 0) H5Dclose(columns[i]);
    }
    return status;
}

/* The sum of the whole: nothing was left out or put elsewhere. */
static zvStatus check_whole(zvRecording *recording, zvError *error) {
    const Hdf5Source *source = recording->context;
    const uint64_t counts[] = {(uint64_t)source->format, (uint64_t)recording->channels.count, recording->note_count,
                               recording->event_count};
    uint64_t told = 0;
    if (source->format < 2) return ZV_OK;
    const uint64_t sum = zi_checksum_add(source->sum, counts, sizeof counts);
    return zi_h5_take_checksum(source->file.id, &told) && told == sum ? ZV_OK
                                                                      : fail_checksum(recording, "the whole", error);
}

/* Numbers ------------------------------------------------------------------------------------------------------- */

/* The hyperslab of the rows wanted. */
zvStatus zi_h5_source_read(zvRecording *recording, int channel, uint64_t first, uint64_t count, double *values,
                           zvError *error) {
    Hdf5Source *source = recording->context;
    hsize_t start[2] = {first, 0}, size[2] = {count, (hsize_t)recording->channels.items[channel].width};
    hid_t there = H5Dget_space(source->datasets[channel]);
    hid_t here = H5Screate_simple(source->ranks[channel], size, NULL);
    bool ok = there >= 0 && here >= 0 && H5Sselect_hyperslab(there, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
              H5Dread(source->datasets[channel], H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, values) >= 0;
    zvStatus status = ok ? ZV_OK : fail_reading(recording, recording->channels.items[channel].name, error);
    if (there >= 0) H5Sclose(there);
    if (here >= 0) H5Sclose(here);
    return status;
}

/* A block at a time: whoever waits hears from us. values has room for one. */
zvStatus zi_h5_source_check(zvRecording *recording, int channel, double *values, bool *done, zvError *error) {
    Hdf5Source *source = recording->context;
    const zvChannel *item = &recording->channels.items[channel];
    *done = source->format < 2 || source->is_checked[channel];
    if (*done) return ZV_OK;
    if (source->checked == 0 && !zi_h5_sum_channel(item, recording->rows, &source->so_far))
        return zi_recording_fail_memory(recording, error);
    const uint64_t left = recording->rows - source->checked, step = zi_block_rows(item->width ? item->width : 1);
    const uint64_t count = item->width == 0 ? left : left < step ? left : step;
    if (count > 0 && item->width > 0) {
        zvStatus status = zi_h5_source_read(recording, channel, source->checked, count, values, error);
        if (status < 0) return status;
        source->so_far = zi_checksum_add(source->so_far, values, (size_t)count * (size_t)item->width * sizeof *values);
    }
    source->checked += count;
    if (source->checked < recording->rows) return ZV_OK;
    source->checked = 0;
    *done = source->is_checked[channel] = true;
    return source->so_far == source->sums[channel] ? ZV_OK : fail_checksum(recording, item->name, error);
}

/* Everything but the numbers of channels. HDF5 loads no filters of its own choice: a file must not name code. */
zvStatus zi_h5_source_open(zvRecording *recording, int file, zvError *error) {
    ziH5Quiet quiet;
    Hdf5Source *source = calloc(1, sizeof *source);
    if (!source) return zi_recording_fail_memory(recording, error);
    recording->context = source;
    source->file.file = file;
    source->sum = zi_checksum(NULL, 0);
    zi_h5_begin(&quiet); /* for good: the process has no other use */
    H5PLset_loading_state(0);
    if (!zi_h5_open(&source->file)) return fail_open(recording, error);
    zvStatus status = check_format(recording, error);
    if (status >= 0) status = open_channels(recording, error);
    if (status >= 0) status = read_notes(recording, error);
    if (status >= 0) status = read_events(recording, error);
    if (status >= 0) status = check_whole(recording, error);
    return status;
}
