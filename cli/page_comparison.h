/* How far two recordings are apart, column by column, in the document of a page (viewer/README.md, "comparison"). */
#ifndef ZVENO_CLI_PAGE_COMPARISON_H
#define ZVENO_CLI_PAGE_COMPARISON_H

#include "json.h"
#include "page_recording.h"

/* All rows of both files in double precision, whatever the page keeps of them; two blocks in memory at a time. B is
 * taken at the times of A within its span, straight between its rows; of rows that share a time (an impact) the n-th of
 * A goes with the n-th of B, or with B's last. */
zvStatus page_comparison_json(const PageRecording *a, const PageRecording *b, Json *json, zvError *error);

#endif
