/* Recordings: the form by the suffix of a path, and reading, whatever the form. */
#define _POSIX_C_SOURCE 200809L

#include "record/recording.h"

#include "base/require.h"
#include "record/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* Chooses the form of a recording and writes it in one step. */

/* The form of a recording from the ending of its name; unknown ones and those that this build cannot write are refused.
 */
static zvStatus form_of(const char *path, ziForm *form, zvError *error) {
    const char *name = strrchr(path, '/');
    const char *dot = strrchr(name ? name : path, '.');
    zvMark mark = {path, 0, 0};
    *form = ZI_FORM_CSV;
    if (dot && strcasecmp(dot, ".csv") == 0) return ZV_OK;
    if (!dot || (strcasecmp(dot, ".h5") != 0 && strcasecmp(dot, ".hdf5") != 0))
        return zv_fail(error, ZV_NOT_SUPPORTED, mark, path,
                       "expected a name that ends with .h5, .hdf5 or .csv, found %s%.20s%s; the ending tells the form",
                       dot ? "\"" : "", dot ? dot : "no ending", dot ? "\"" : "");
    *form = ZI_FORM_HDF5;
#ifdef ZI_WITH_HDF5
    return ZV_OK;
#else
    return zv_fail(error, ZV_NOT_SUPPORTED, mark, path,
                   "this build cannot write HDF5; choose a name ending with .csv, or build with ZVENO_HDF5=ON");
#endif
}

static zvStatus fail_direct(const char *path, zvError *error) {
    return zv_fail(error, ZV_NOT_SUPPORTED, (zvMark){path, 0, 0}, path,
                   "expected a regular file for HDF5, found another; choose another path, or CSV");
}

zvStatus zi_form_check(const char *path, zvError *error) {
    ziForm form;
    zvStatus status = form_of(path, &form, error);
    if (status >= 0) status = zi_output_check(path, error);
    if (status < 0 || form == ZI_FORM_CSV) return status;
    struct stat old;
    return stat(path, &old) == 0 && !S_ISREG(old.st_mode) ? fail_direct(path, error) : ZV_OK;
}

static zvStatus write_form(const ziFeed *feed, ziForm form, const ziOutput *output, zvError *error) {
    if (form == ZI_FORM_CSV) return zi_csv_write(feed, output->file, output->path, error);
#ifdef ZI_WITH_HDF5
    if (!output->direct) return zi_hdf5_write(feed, output->file, output->path, error);
#endif
    return fail_direct(output->path, error);
}

zvStatus zi_form_write(const ziFeed *feed, const char *path, zvError *error) {
    ziForm form;
    zvStatus status = form_of(path, &form, error);
    if (status < 0) return status;
    ziOutput output;
    status = zi_output_open(&output, path, error);
    if (status < 0) return status;
    return zi_output_close(&output, write_form(feed, form, &output, error), error);
}

/* Opens recordings, told apart by their first bytes, and answers for them. */

/* Opening ----------------------------------------------------------------------------------------------- */

/* The first bytes of a regular file; others are refused without waiting for a pipe. */
static zvStatus read_first_bytes(const char *path, unsigned char first[8], size_t *size, zvError *error) {
    struct stat info;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return zi_output_fail(error, path, errno, "read");
    ssize_t got = -1;
    int reason = EISDIR;
    if (fstat(file, &info) == 0 && !S_ISDIR(info.st_mode)) {
        got = S_ISREG(info.st_mode) ? read(file, first, 8) : 0;
        reason = errno;
    }
    close(file);
    if (got < 0) return zi_output_fail(error, path, reason, "read");
    if (!S_ISREG(info.st_mode))
        return zv_fail(error, ZV_IO, (zvMark){path, 0, 0}, path,
                       "expected a regular file, found another; save the recording to one first");
    *size = (size_t)got;
    return ZV_OK;
}

/* HDF5 by its signature; everything else must be a table of text. */
static zvStatus open_form(zvRecording *recording, zvError *error) {
    static const unsigned char HDF5[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1A, '\n'};
    zvMark mark = {recording->path, 0, 0};
    unsigned char first[8];
    size_t size = 0;
    zvStatus status = read_first_bytes(recording->path, first, &size, error);
    if (status < 0) return status;
    if (size == 0)
        return zv_fail(error, ZV_SYNTAX, mark, recording->path,
                       "expected a recording, found an empty file; record again");
    if (size < 8 && memcmp(first, HDF5, size) == 0)
        return zv_fail(error, ZV_SYNTAX, mark, recording->path,
                       "expected a recording, found %zu bytes: the file ends early; record again", size);
    if (size < 8 || memcmp(first, HDF5, 8) != 0) return zi_csv_open(recording, error);
#ifdef ZI_WITH_HDF5
    return zi_hdf5_open(recording, error);
#else
    return zv_fail(error, ZV_NOT_SUPPORTED, mark, recording->path,
                   "this build cannot read HDF5; convert the recording to CSV, or build with ZVENO_HDF5=ON");
#endif
}

/* A recording is opened whole or not at all. */
zvStatus zv_recording_open(const char *path, zvRecording **recording, zvError *error) {
    ZI_REQUIRE(path && recording);
    *recording = NULL;
    zvRecording *opened = calloc(1, sizeof *opened);
    if (opened) opened->path = zi_path_with(path, "");
    zvStatus status = opened && opened->path ? open_form(opened, error) : zi_output_fail(error, path, ENOMEM, "read");
    if (status < 0) {
        zv_recording_destroy(opened);
        return status;
    }
    *recording = opened;
    return status;
}

void zv_recording_destroy(zvRecording *recording) {
    if (!recording) return;
    if (recording->form) recording->form->close(recording);
    zi_channels_free(&recording->channels);
    zi_arena_free(&recording->texts);
    free(recording->notes);
    free(recording->events);
    free(recording->path);
    free(recording);
}

/* Filling ----------------------------------------------------------------------------------------------- */

zvStatus zi_recording_fail_memory(const zvRecording *recording, zvError *error) {
    return zi_output_fail(error, recording->path, ENOMEM, "read");
}

bool zi_recording_add_note(zvRecording *recording, const char *name, const char *text) {
    if (!zi_grow(&recording->notes, recording->note_count, &recording->note_capacity, sizeof *recording->notes))
        return false;
    zvNote note = {zi_arena_text(&recording->texts, name), zi_arena_text(&recording->texts, text)};
    if (!note.name || !note.text) return false;
    recording->notes[recording->note_count++] = note;
    return true;
}

bool zi_recording_add_event(zvRecording *recording, double t, const char *name, const char *text) {
    if (!zi_grow(&recording->events, recording->event_count, &recording->event_capacity, sizeof *recording->events))
        return false;
    zvEvent event = {t, zi_arena_text(&recording->texts, name), zi_arena_text(&recording->texts, text)};
    if (!event.name || !event.text) return false;
    recording->events[recording->event_count++] = event;
    return true;
}

/* Answers ----------------------------------------------------------------------------------------------- */

bool zv_recording_is_hdf5(const zvRecording *recording) {
    ZI_REQUIRE(recording);
    return recording->is_hdf5;
}
bool zv_recording_checked(const zvRecording *recording) {
    ZI_REQUIRE(recording);
    return recording->checked;
}
uint64_t zv_recording_rows(const zvRecording *recording) {
    ZI_REQUIRE(recording);
    return recording->rows;
}
int zv_recording_channels(const zvRecording *recording) {
    ZI_REQUIRE(recording);
    return recording->channels.count;
}
const zvChannel *zv_recording_channel(const zvRecording *recording, int channel) {
    ZI_REQUIRE(recording);
    ZI_REQUIRE_INDEX(channel, recording->channels.count);
    return &recording->channels.items[channel];
}
int zv_recording_find(const zvRecording *recording, const char *name) {
    ZI_REQUIRE(recording && name);
    return zi_names_find(&recording->channels.names, name);
}
int zv_recording_notes(const zvRecording *recording) {
    ZI_REQUIRE(recording);
    return (int)recording->note_count;
}
zvNote zv_recording_note(const zvRecording *recording, int note) {
    ZI_REQUIRE(recording);
    ZI_REQUIRE_INDEX(note, zv_recording_notes(recording));
    return recording->notes[note];
}
uint64_t zv_recording_events(const zvRecording *recording) {
    ZI_REQUIRE(recording);
    return recording->event_count;
}
zvEvent zv_recording_event(const zvRecording *recording, uint64_t event) {
    ZI_REQUIRE(recording && event < recording->event_count);
    return recording->events[event];
}

/* What the file does not have is refused by its number; the rest is the form's. */
zvStatus zv_recording_read(zvRecording *recording, int channel, uint64_t first, uint64_t count, double *values,
                           zvError *error) {
    ZI_REQUIRE(recording && (values || !count));
    if (channel < 0 || channel >= recording->channels.count)
        return zv_fail(error, ZV_NAME, (zvMark){recording->path, 0, 0}, "",
                       "expected one of %d channels, counted from 0, found %d", recording->channels.count, channel);
    if (first > recording->rows || count > recording->rows - first)
        return zv_fail(error, ZV_SIZE, (zvMark){recording->path, 0, 0}, "",
                       "expected rows up to %llu, found %llu to %llu", (unsigned long long)recording->rows,
                       (unsigned long long)first, (unsigned long long)(first + count));
    if (count == 0 || recording->channels.items[channel].width == 0) return ZV_OK;
    return recording->form->read(recording, channel, first, count, values, error);
}

/* Block by block: the rows of one block are parsed once, and ends of reads are ends of blocks. */
zvStatus zv_recording_read_together(zvRecording *recording, int channel_count, const int *channels, uint64_t first,
                                    uint64_t count, double *const *values, zvError *error) {
    ZI_REQUIRE(recording && (channel_count <= 0 || (channels && values)));
    const uint64_t step = recording->channels.width > 0 ? zi_block_rows(recording->channels.width) : 1;
    for (uint64_t done = 0; done < count;) {
        uint64_t at = first + done, part = step - at % step;
        if (part > count - done) part = count - done;
        for (int i = 0; i < channel_count; i++) {
            const int c = channels[i];
            const size_t width =
                c >= 0 && c < recording->channels.count ? (size_t)recording->channels.items[c].width : 0;
            zvStatus status = zv_recording_read(recording, c, at, part, values[i] + (size_t)done * width, error);
            if (status < 0) return status;
        }
        done += part;
    }
    return ZV_OK;
}

/* Copying ----------------------------------------------------------------------------------------------- */

typedef struct Copy {
    zvRecording *recording;
    double *values; /* one channel of a block */
} Copy;

/* Channels side by side, as writers want them. */
static zvStatus read_rows(void *context, uint64_t first, uint64_t count, double *rows, zvError *error) {
    Copy *copy = context;
    const ziChannels *channels = &copy->recording->channels;
    for (int c = 0; c < channels->count; c++) {
        size_t width = (size_t)channels->items[c].width;
        zvStatus status = zv_recording_read(copy->recording, c, first, count, copy->values, error);
        if (status < 0) return status;
        for (size_t i = 0; width && i < count; i++)
            memcpy(rows + i * (size_t)channels->width + channels->columns[c], copy->values + i * width,
                   width * sizeof *rows);
    }
    return ZV_OK;
}

static zvStatus read_event(void *context, uint64_t index, zvEvent *event, zvError *error) {
    (void)error;
    *event = ((Copy *)context)->recording->events[index];
    return ZV_OK;
}

/* The recording is the feed of its own copy. */
zvStatus zv_recording_write(zvRecording *recording, const char *path, zvError *error) {
    ZI_REQUIRE(recording && path);
    size_t width = (size_t)recording->channels.width;
    Copy copy = {recording, malloc((size_t)zi_block_rows((int)width) * width * sizeof(double))};
    if (!copy.values) return zi_recording_fail_memory(recording, error);
    ziFeed feed = {&recording->channels,
                   (int)recording->note_count,
                   recording->notes,
                   recording->rows,
                   recording->event_count,
                   &copy,
                   read_rows,
                   read_event};
    zvStatus status = zi_form_write(&feed, path, error);
    free(copy.values);
    return status;
}
