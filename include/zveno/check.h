/* Core. The physics linter: everything that is wrong or doubtful in a description, not only the first thing. */
#ifndef ZVENO_CHECK_H
#define ZVENO_CHECK_H

#include "zveno/builder.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

const char *zv_severity_word(zvSeverity severity); /* "note", "warning", "error" */

typedef struct zvFinding {
    zvSeverity severity;
    bool fatal; /* freeze refuses the description because of it */
    zvStatus status;
    const char *rule;    /* a short stable word, e.g. "triangle-inequality" */
    const char *element; /* e.g. `link "arm"` */
    const char *token;   /* the offending word or number */
    const char *why;     /* a sentence with the numbers */
    const char *repair;  /* what to do; may be empty */
    zvMark mark;
} zvFinding;

/* Called once per finding; the texts live only during the call. Return false to stop. */
typedef bool (*zvFindingSink)(void *context, const zvFinding *finding);

/* Runs every rule, then passes on the remarks of the readers. Fails only when memory runs out. */
zvStatus zv_check(const zvBuilder *builder, zvFindingSink sink, void *context, zvError *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
