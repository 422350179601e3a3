/* What a page tells in a banner: a mesh that is not found, a recording without a model. */
#ifndef ZVENO_CLI_PAGE_PROBLEMS_H
#define ZVENO_CLI_PAGE_PROBLEMS_H

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

#endif
