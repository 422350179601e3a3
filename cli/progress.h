/* How far a run has come, on standard error: a bar that is redrawn on a terminal, plain lines elsewhere. */
#ifndef ZVENO_CLI_PROGRESS_H
#define ZVENO_CLI_PROGRESS_H

#include <stdbool.h>

#include "text.h"
#include "zveno/simulate.h"

typedef enum ProgressForm { PROGRESS_NONE, PROGRESS_LINES, PROGRESS_BAR } ProgressForm;

/* How a bar is laid out: it only ever gets smaller, so that it does not quiver with the numbers after it. */
typedef struct BarLayout {
    int columns; /* of the terminal; a new width starts anew */
    int width;   /* of the bar */
    int dropped; /* facts for which there is no room */
} BarLayout;

typedef struct Progress {
    ProgressForm form;
    bool begun;
    bool advised;       /* advice is told once */
    const char *things; /* what t counts; NULL: simulated seconds */
    zvProgress last;    /* as told last; t = NaN before */
    double shown_at;    /* elapsed time of the last line or bar */
    double shown_share; /* of the whole, then */
    BarLayout layout;
    Text line;
} Progress;

/* Bar or lines by what standard error is; none when quiet. */
Progress progress_start(bool quiet);
/* Shows what is new, if it is time to. */
void progress_tell(Progress *progress, const zvProgress *now);
/* Shows the last state and ends the line of a bar. */
void progress_finish(Progress *progress);

/* Ctrl-C and requests to end: the first asks for an orderly stop, the second ends the program at once. */

/* Listens to SIGINT and SIGTERM, unless they were ignored already (nohup, jobs in the background). */
void interrupt_listen(void);
bool interrupt_wanted(void);
/* As it was before interrupt_listen. */
void interrupt_forget(void);

#endif
