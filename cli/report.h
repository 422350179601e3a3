/* A report: one recording or two to compare, their models, and modes, as the document of a page. */
#ifndef ZVENO_CLI_REPORT_H
#define ZVENO_CLI_REPORT_H

#include "args.h"
#include "page.h"
#include "page_modes.h"
#include "page_recording.h"

typedef struct Report {
    const Args *args;
    int count;
    PageRecording recordings[2];
    PageModes modes;
    PageProblems problems;
} Report;

/* Reads the operands and --modes as --rows and --title say. Complains; to be freed in any case. */
Code report_read(const Args *args, Report *report);
/* The document; command is what the page tells to have written it. Complains. */
Code report_put(Report *report, const char *command, Text *document);
void report_free(Report *report);

#endif
