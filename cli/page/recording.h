/* What a page says of a recording besides numbers (viewer/README.md, "recording"). */
#ifndef ZVENO_CLI_PAGE_RECORDING_H
#define ZVENO_CLI_PAGE_RECORDING_H

#include "json.h"
#include "page/model.h"
#include "page/rows.h"
#include "zveno/model.h"
#include "zveno/record.h"
#include "zveno/simulate.h"

/* The keys of a channel but data: name, unit, about, width, labels, units. */
void page_channel_json(const zvChannel *channel, Json *json);
/* {name, text} */
void page_note_json(zvNote note, Json *json);
/* {t, name, text} */
void page_event_json(zvEvent event, Json *json);
/* [{kind, name, J}, ...] of the note "ledger"; null for NULL. */
void page_ledger_json(const char *note, Json *json);

/* Recordings in the document of a page (viewer/README.md, "recording"). */

typedef struct PageRecording {
    const char *path;
    const char *title; /* instead of the recording's own; NULL: that */
    zvRecording *recording;
    zvModel *model; /* NULL: none */
    PageRows rows;
} PageRecording;

/* Opens a recording and reads its rows, `most` at most, and its model; to be freed in any case. What is missing is told
 * in problems. */
zvStatus page_recording_read(const char *path, uint64_t most, PageRecording *r, PageProblems *problems, zvError *error);
zvStatus page_recording_json(const PageRecording *r, const PageMeshes *meshes, Json *json, PageProblems *problems,
                             zvError *error);
void page_recording_free(PageRecording *r);

/* A run that has only begun: channels (0 is time) and what is known of it, no rows. */
typedef struct PageBegun {
    const char *file, *title; /* NULL: none */
    int channel_count, note_count;
    const zvChannel *channels;
    const zvNote *notes;
    const zvModel *model;    /* NULL: none */
    const zvRunSummary *run; /* NULL while it goes on */
    const char *left_out;    /* which rows pages are not sent; NULL: all are */
} PageBegun;
zvStatus page_begun_json(const PageBegun *begun, const PageMeshes *meshes, Json *json, PageProblems *problems,
                         zvError *error);

#endif
