/* How far two recordings are apart, column by column, in the document of a page (viewer/README.md, "comparison"). */
#ifndef ZVENO_CLI_PAGE_REPORT_H
#define ZVENO_CLI_PAGE_REPORT_H

#include "args.h"
#include "json.h"
#include "page/modes.h"
#include "page/page.h"
#include "page/recording.h"

/* All rows of both files in double precision, whatever the page keeps of them; two blocks in memory at a time. B is
 * taken at the times of A within its span, straight between its rows; of rows that share a time (an impact) the n-th of
 * A goes with the n-th of B, or with B's last. */
zvStatus page_comparison_json(const PageRecording *a, const PageRecording *b, Json *json, zvError *error);

/* A report: one recording or two to compare, their models, and modes, as the document of a page. */

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
