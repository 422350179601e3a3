/* Application. Recordings: channels of numbers over time, described well enough to be read years later. Knows nothing
 * of robots.
 *
 * Writing. Rows go to a spool file beside the output (OUT.rows) as they come. Synchronising makes them survive a crash;
 * a checkpoint (OUT.checkpoint) says how much of the spool counts. Finishing writes the recording proper, HDF5 or CSV
 * by the output's suffix, to a file of another name and moves it over the output in one step: a half-written output
 * never replaces a good one. */
#ifndef ZVENO_RECORD_H
#define ZVENO_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "zveno/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* One channel: width numbers per row. labels is (width) or NULL; units of single numbers stand in `units` (width) when
 * they differ, else NULL and `unit` holds for all. */
typedef struct zvChannel {
    const char *name; /* "q", "v", "frame tool pose"; unique */
    const char *unit; /* "rad", "m/s"; "1" for none */
    const char *about;
    int width;
    const char *const *labels;
    const char *const *units;
} zvChannel;

/* A named text of the recording: scenario, model, version, command, statistics. */
typedef struct zvNote {
    const char *name;
    const char *text;
} zvNote;

/* Something that happened at one time. */
typedef struct zvEvent {
    double t;
    const char *name;
    const char *text;
} zvEvent;

typedef struct zvRecorder zvRecorder;

/* How far a spool counts: kept in checkpoints. */
typedef struct zvSpoolMark {
    uint64_t bytes, rows, events;
} zvSpoolMark;

/* Begins a recording with channels in order; channel 0 should be time. The suffix of path chooses the form: .h5 or
 * .hdf5, .csv. A spool left by a run that was killed is replaced and its checkpoint removed. Refuses at once when the
 * directory cannot be written to, another run is writing this output or the form is not in this build. */
zvRecorder *zv_recorder_create(const char *path, int channel_count, const zvChannel *channels, zvError *error);
/* Goes on with the spool of a run that ended early: its channels must be the same; what lies beyond mark is cut off. */
zvRecorder *zv_recorder_resume(const char *path, int channel_count, const zvChannel *channels, zvSpoolMark mark,
                               zvError *error);
/* Keeps rows in memory only; zv_recorder_rows shows them. */
zvRecorder *zv_recorder_create_memory(int channel_count, const zvChannel *channels, zvError *error);

int zv_recorder_width(const zvRecorder *recorder); /* numbers of a row: all channels side by side */
/* A row or event that is refused (a full disk) is not in the recording and may be tried again. */
zvStatus zv_recorder_row(zvRecorder *recorder, const double *row, zvError *error);
zvStatus zv_recorder_event(zvRecorder *recorder, const zvEvent *event, zvError *error);
/* Makes all rows so far survive a crash of the process and, with `durable`, of the machine. */
zvStatus zv_recorder_sync(zvRecorder *recorder, bool durable, zvSpoolMark *mark, zvError *error);
/* Memory recorders: the rows so far. */
const double *zv_recorder_rows(const zvRecorder *recorder, uint64_t *rows);

/* Writes the recording to path (NULL: the one given at creation), replacing it only when complete. The spool stays
 * until zv_recorder_discard_spool. */
zvStatus zv_recorder_finish(zvRecorder *recorder, const char *path, int note_count, const zvNote *notes,
                            zvError *error);
/* Removes the spool and the checkpoint beside the output. */
void zv_recorder_discard_spool(zvRecorder *recorder);
void zv_recorder_destroy(zvRecorder *recorder); /* leaves files as they are; NULL is let pass */

/* Checkpoint of a run writing to output path (file OUT.checkpoint): replaced in one step, checked by a sum when read.
 * fingerprint tells what run it belongs to; NULL is as "". */
zvStatus zv_checkpoint_write(const char *path, const char *fingerprint, zvSpoolMark mark, size_t count,
                             const double *values, zvError *error);
/* *values is to be freed by the caller. ZV_IO with a clear text when there is none, ZV_SYNTAX when it is damaged,
 * ZV_SCHEMA when its fingerprint differs. */
zvStatus zv_checkpoint_read(const char *path, const char *fingerprint, zvSpoolMark *mark, size_t *count,
                            double **values, zvError *error);

/* Reading. ---------------------------------------------------------------------------------------------- */

typedef struct zvRecording zvRecording;

/* HDF5 or CSV, told apart by content. A truncated file and an HDF5 file of someone else get a clear error; any table of
 * numbers in CSV is read, each column a channel. HDF5 is read by a child process, so that a file on which its library
 * fails ends in an error; the child lives until zv_recording_destroy. A recording serves one thread at a time. */
zvStatus zv_recording_open(const char *path, zvRecording **recording, zvError *error);
void zv_recording_destroy(zvRecording *recording); /* closes the file; NULL is let pass */
/* Whether numbers and texts are verified against checksums before they are given out: HDF5 since version 0.2. */
bool zv_recording_checked(const zvRecording *recording);
/* Whether the file is HDF5; else it is CSV. */
bool zv_recording_is_hdf5(const zvRecording *recording);
/* What it holds. Pointers hold as long as the recording. */
uint64_t zv_recording_rows(const zvRecording *recording);
int zv_recording_channels(const zvRecording *recording);
const zvChannel *zv_recording_channel(const zvRecording *recording, int channel);
int zv_recording_find(const zvRecording *recording, const char *name); /* channel index or -1 */
/* count rows of one channel from row first on; values is (count x width). */
zvStatus zv_recording_read(zvRecording *recording, int channel, uint64_t first, uint64_t count, double *values,
                           zvError *error);
/* The same of several channels at once, values[i] for channels[i]; CSV is parsed once for all of them. */
zvStatus zv_recording_read_together(zvRecording *recording, int channel_count, const int *channels, uint64_t first,
                                    uint64_t count, double *const *values, zvError *error);
int zv_recording_notes(const zvRecording *recording);
zvNote zv_recording_note(const zvRecording *recording, int note);
uint64_t zv_recording_events(const zvRecording *recording);
zvEvent zv_recording_event(const zvRecording *recording, uint64_t event);
/* Writes a copy in the form of the suffix of path. */
zvStatus zv_recording_write(zvRecording *recording, const char *path, zvError *error);

/* Any output ------------------------------------------------------------------------------------------- */

/* Writes a whole file in one step, as recordings are: PATH.partial is made anew with the mode of the old file or by the
 * umask, and moved over path when it is complete and on the disk. A link at path is followed when it is the caller's or
 * of the owner of its directory. Anything that another user, or no run at all, has put under the name PATH.partial is
 * refused (ZV_IO). Pipes that are read and devices are written directly. Another process that is writing the same file
 * is waited for, two seconds at most. */
zvStatus zv_output_write(const char *path, const void *bytes, size_t size, zvError *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
