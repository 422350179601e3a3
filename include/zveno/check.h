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
    int count;          /* places where it was found: 1, or more of zv_check_grouped */
    const char *others; /* the elements of the other places, with commas between; empty where there are none */
} zvFinding;

/* Called once per finding; the texts live only during the call. Return false to stop. */
typedef bool (*zvFindingSink)(void *context, const zvFinding *finding);

/* Runs every rule, then passes on the remarks of the readers. Fails only when memory runs out. */
zvStatus zv_check(const zvBuilder *builder, zvFindingSink sink, void *context, zvError *error);

/* The same for people: what one rule finds with one severity (and, where it names words of the file, with one word) in
 * more than three places is one finding, the first of them, with `count` and `others`; of placeholder, sentinel-limit
 * and shape-size two are enough. Fatal findings stay apart. */
zvStatus zv_check_grouped(const zvBuilder *builder, zvFindingSink sink, void *context, zvError *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
