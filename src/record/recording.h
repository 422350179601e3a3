/* An open recording, whatever its form. */
#ifndef ZV_RECORD_RECORDING_H
#define ZV_RECORD_RECORDING_H

#include "record/channels.h"
#include "zveno/record.h"

/* What differs between the forms; context is theirs. */
typedef struct zvRecordingForm {
    zvStatus (*read)(zvRecording *recording, int channel, uint64_t first, uint64_t count, double *values,
                     zvError *error);
    void (*close)(zvRecording *recording);
} zvRecordingForm;

struct zvRecording {
    char *path;
    zvChannels channels;
    uint64_t rows;
    size_t note_count, note_capacity;
    zvNote *notes;
    size_t happening_count, happening_capacity;
    zvHappening *happenings;
    zvArena texts;
    const zvRecordingForm *form;
    void *context;
};

/* Both fill an empty recording; when they fail the front closes it. */
zvStatus zv_csv_open(zvRecording *recording, zvError *error);
zvStatus zv_hdf5_open(zvRecording *recording, zvError *error);

/* These copy; false when out of memory. */
bool zv_recording_add_note(zvRecording *recording, const char *name, const char *text);
bool zv_recording_add_happening(zvRecording *recording, double t, const char *name, const char *text);
zvStatus zv_recording_fail_memory(const zvRecording *recording, zvError *error);

#endif
