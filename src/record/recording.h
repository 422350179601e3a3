/* An open recording, whatever its form. */
#ifndef ZI_RECORD_RECORDING_H
#define ZI_RECORD_RECORDING_H

#include "record/channels.h"
#include "zveno/record.h"

/* What differs between the forms; context is theirs. */
typedef struct ziRecordingForm {
    zvStatus (*read)(zvRecording *recording, int channel, uint64_t first, uint64_t count, double *values,
                     zvError *error);
    void (*close)(zvRecording *recording);
} ziRecordingForm;

struct zvRecording {
    char *path;
    ziChannels channels;
    uint64_t rows;
    bool is_hdf5, checked; /* numbers and texts are verified against checksums */
    size_t note_count, note_capacity;
    zvNote *notes;
    size_t event_count, event_capacity;
    zvEvent *events;
    ziArena texts;
    const ziRecordingForm *form;
    void *context;
};

/* Both fill an empty recording; when they fail the front closes it. */
zvStatus zi_csv_open(zvRecording *recording, zvError *error);
zvStatus zi_hdf5_open(zvRecording *recording, zvError *error);

/* These copy; false when out of memory. */
bool zi_recording_add_note(zvRecording *recording, const char *name, const char *text);
bool zi_recording_add_event(zvRecording *recording, double t, const char *name, const char *text);
zvStatus zi_recording_fail_memory(const zvRecording *recording, zvError *error);

/* The forms of a recording, told by the suffix of its path. */

typedef enum ziForm { ZI_FORM_HDF5, ZI_FORM_CSV } ziForm;

/* Refuses a path that cannot be replaced, or not in this form. Told before a long run. */
zvStatus zi_form_check(const char *path, zvError *error);
/* Writes a recording in the form of the suffix; replaces path only when complete. */
zvStatus zi_form_write(const ziFeed *feed, const char *path, zvError *error);

#endif
