/* What a page tells in a banner: a mesh that is not found, a recording without a model. */
#ifndef ZVENO_CLI_PAGE_PAGE_H
#define ZVENO_CLI_PAGE_PAGE_H

#include "complain.h"
#include "json.h"

typedef struct PageProblems {
    int count;
    Text lines; /* each closed by NUL */
} PageProblems;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void page_problem(PageProblems *problems, const char *format, ...);

/* Line after line: NULL for the first, and NULL after the last. */
const char *page_problem_next(const PageProblems *problems, const char *line);
/* [text, ...] */
void page_problems_json(const PageProblems *problems, Json *json);
void page_problems_free(PageProblems *problems);

/* The page of zveno report and zveno view, and the document in it (viewer/README.md). */

/* Complains when this build carries no page. */
Code page_available(void);

/* Opens the document and writes what stands at its head; the caller adds the keys recordings, model and modes.
 * kind: "report", "model" or "live". */
void page_document_begin(Json *json, const char *kind, const char *command);
void page_document_end(Json *json, const PageProblems *problems);

/* The page with a document in it; NULL: the one whose document is served beside it. False: no memory. */
bool page_put(const Text *document, Text *page);

#endif
