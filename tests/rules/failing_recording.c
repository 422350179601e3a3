/* Recordings in CSV while memory runs out (failing.h): written, written again over the first, opened, read and copied.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "failing.h"
#include "zveno/record.h"

enum { ROWS = 5 };

static char folder[] = "/tmp/zveno-failing-XXXXXX", output[64], copy[64];

static zvStatus record(zvRecorder *recorder, zvError *error) {
    const zvEvent event = {0.5, "limit", "elbow at its upper limit"};
    const zvNote note = {"scenario", "two\nlines"};
    zvStatus status = ZV_OK;
    zvSpoolMark mark;
    for (int i = 0; i < ROWS && status >= 0; i++)
        status = zv_recorder_row(recorder, (double[]){i, 0.1 * i, -0.2 * i}, error);
    if (status >= 0) status = zv_recorder_event(recorder, &event, error);
    if (status >= 0) status = zv_recorder_sync(recorder, false, &mark, error);
    if (status >= 0) status = zv_checkpoint_write(output, "0123456789abcdef", mark, 1, (double[]){1}, error);
    if (status >= 0) status = zv_recorder_finish(recorder, NULL, 1, &note, error);
    if (status >= 0) zv_recorder_discard_spool(recorder);
    return status;
}

static zvStatus write_output(zvError *error) {
    static const char *const labels[] = {"shoulder", "elbow"}, *const units[] = {"rad", "m"};
    const zvChannel channels[] = {{"time", "s", "simulated time", 1, NULL, NULL},
                                  {"q", "rad", "positions", 2, labels, units}};
    zvRecorder *recorder = zv_recorder_create(output, 2, channels, error);
    const zvStatus status = recorder ? record(recorder, error) : error->status;
    zv_recorder_destroy(recorder);
    return status;
}

static zvStatus read_back(zvRecording *recording, zvError *error) {
    double q[2 * ROWS];
    zvStatus status = zv_recording_read(recording, 1, 0, ROWS, q, error);
    if (status < 0) return status;
    if (q[2 * ROWS - 1] != -0.2 * (ROWS - 1) || zv_recording_notes(recording) != 1 ||
        zv_recording_events(recording) != 1)
        return zv_fail(error, ZV_NUMBER, (zvMark){0}, "", "the recording lacks something");
    return zv_recording_write(recording, copy, error);
}

static zvStatus run(void *context) {
    (void)context;
    zvError error = {0};
    zvRecording *recording = NULL;
    zvStatus status = write_output(&error);
    if (status >= 0) status = write_output(&error);
    if (status >= 0) status = zv_recording_open(output, &recording, &error);
    if (status >= 0) status = read_back(recording, &error);
    zv_recording_destroy(recording);
    if (status < 0 && (status != ZV_MEMORY || error.status != ZV_MEMORY || !error.text[0]))
        fprintf(stderr, "%s: \"%s\"\n", zv_status_name(status), error.text);
    unlink(output);
    unlink(copy);
    return status < 0 && !error.text[0] ? ZV_SYNTAX : status;
}

int main(void) {
    if (!mkdtemp(folder)) return 1;
    snprintf(output, sizeof output, "%s/out.csv", folder);
    snprintf(copy, sizeof copy, "%s/copy.csv", folder);
    int failures = fail_every_request("recording", run, NULL, ANYBODY);
    failures += run(NULL) != ZV_OK; /* takes the spool that a failure left */
    if (rmdir(folder) != 0) {
        fprintf(stderr, "something is left in %s\n", folder);
        failures++;
    }
    return failures != 0;
}
