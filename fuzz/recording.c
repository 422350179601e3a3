/* What opens can be read to the end, or says why not where it has checksums, and its copy opens again with the same
 * numbers and texts. Such files are read from disk, so the input goes to a folder of its own (TMPDIR=/dev/shm is the
 * fastest). */
#define _POSIX_C_SOURCE 200809L
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recording.h"
#include "target.h"
#include "zveno/record.h"

static char folder[PATH_MAX], input[PATH_MAX + 16], copy[PATH_MAX + 16];

static void remove_folder(void) {
    unlink(input);
    unlink(copy);
    rmdir(folder);
}

static void make_folder(void) {
    const char *where = getenv("TMPDIR");
    if (folder[0]) return;
    snprintf(folder, sizeof folder, "%s/zveno-fuzz-XXXXXX", where && where[0] ? where : "/tmp");
    demand(mkdtemp(folder) != NULL, "there is a folder for temporary files");
    snprintf(input, sizeof input, "%s/input.csv", folder);
    snprintf(copy, sizeof copy, "%s/copy.csv", folder);
    atexit(remove_folder);
}

static void write_input(const uint8_t *data, size_t size) {
    FILE *file = fopen(input, "wb");
    demand(file && fwrite(data, 1, size, file) == size, "the input can be written");
    demand(fclose(file) == 0, "the input can be written");
}

static double *read_channel(zvRecording *recording, int channel) {
    zvError error = {0};
    const uint64_t rows = zv_recording_rows(recording);
    const size_t width = (size_t)zv_recording_channel(recording, channel)->width;
    double *values = calloc((size_t)rows * width + 1, sizeof *values);
    demand(values != NULL, "there is memory");
    if (zv_recording_read(recording, channel, 0, rows, values, &error) >= 0) return values;
    demand(zv_recording_is_hdf5(recording) && error.text[0], "what opens can be read, or is damaged HDF5");
    free(values);
    return NULL;
}

static void compare_numbers(zvRecording *x, zvRecording *y, int channel) {
    const size_t count = (size_t)zv_recording_rows(x) * (size_t)zv_recording_channel(x, channel)->width;
    double *a = read_channel(x, channel), *b = read_channel(y, channel);
    demand(a && b, "what was copied can be read");
    for (size_t i = 0; i < count; i++) demand(a[i] == b[i] || (isnan(a[i]) && isnan(b[i])), "a copy has the numbers");
    free(a);
    free(b);
}

static void compare_texts(const zvRecording *x, const zvRecording *y) {
    demand(zv_recording_notes(x) == zv_recording_notes(y), "a copy has the notes");
    for (int i = 0; i < zv_recording_notes(x); i++)
        demand(strcmp(zv_recording_note(x, i).text, zv_recording_note(y, i).text) == 0, "a copy has the notes");
    demand(zv_recording_events(x) == zv_recording_events(y), "a copy has the events");
    for (uint64_t i = 0; i < zv_recording_events(x); i++)
        demand(strcmp(zv_recording_event(x, i).text, zv_recording_event(y, i).text) == 0, "a copy has the events");
}

static void compare(zvRecording *x, zvRecording *y) {
    demand(zv_recording_rows(x) == zv_recording_rows(y), "a copy has the rows");
    demand(zv_recording_channels(x) == zv_recording_channels(y), "a copy has the channels");
    for (int i = 0; i < zv_recording_channels(x); i++) {
        const zvChannel *one = zv_recording_channel(x, i), *other = zv_recording_channel(y, i);
        demand(zv_recording_find(x, one->name) == i, "a channel is found by its name");
        demand(strcmp(one->name, other->name) == 0 && one->width == other->width, "a copy has the channels");
        compare_numbers(x, y, i);
    }
    compare_texts(x, y);
}

static void copy_and_compare(zvRecording *recording) {
    zvError error = {0};
    zvRecording *again = NULL;
    zvStatus status = zv_recording_write(recording, copy, &error);
    if (status < 0 && zv_recording_is_hdf5(recording)) {
        demand(error.text[0], "a refusal to copy has a text");
        return;
    }
    if (status >= 0) status = zv_recording_open(copy, &again, &error);
    if (status < 0) fprintf(stderr, "%d:%d: %s\n", error.line, error.column, error.text);
    demand(status >= 0, "what opens can be copied and opened again");
    compare(recording, again);
    zv_recording_destroy(again);
}

void fuzz_recording(const uint8_t *data, size_t size) {
    zvError error = {0};
    zvRecording *recording = NULL;
    make_folder();
    write_input(data, size);
    const zvStatus status = zv_recording_open(input, &recording, &error);
    demand(status >= 0 || (!recording && error.text[0] && error.status == status), "a refusal has a text");
    if (recording) copy_and_compare(recording);
    zv_recording_destroy(recording);
}
