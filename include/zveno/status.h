/* Core. Outcomes and error texts. One list expands to the codes, the names and the sentences. */
#ifndef ZVENO_STATUS_H
#define ZVENO_STATUS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* X(NAME, code, sentence). Negative: failure. Positive: usable but degraded. */
#define ZV_STATUS_LIST(X)                                                  \
    X(OK, 0, "done")                                                       \
    X(DEGRADED, 1, "usable, but degraded")                                 \
    X(INTERRUPTED, 2, "stopped on request; what is there is valid")        \
    X(MEMORY, -1, "out of memory")                                         \
    X(IO, -2, "a file could not be read or written")                       \
    X(SYNTAX, -3, "the file is not well formed")                           \
    X(SCHEMA, -4, "an element, key or value is not what belongs there")    \
    X(NUMBER, -5, "a number is not finite, out of range or not a number")  \
    X(NAME, -6, "a name is unknown or used twice")                         \
    X(TOPOLOGY, -7, "the links and joints do not form one tree")           \
    X(PHYSICS, -8, "a mass, inertia or axis is not physical")              \
    X(SIZE, -9, "an array or model has the wrong or an absurd size")       \
    X(SINGULAR, -10, "the equations of motion are singular")               \
    X(NOT_SUPPORTED, -11, "this method or build cannot do what was asked") \
    X(NO_CONVERGENCE, -12, "an iteration or integration did not converge") \
    X(CLOSURE, -13, "closed loops cannot be closed, or not with what was given")

typedef enum zvStatus {
#define ZV_X(name, code, sentence) ZV_##name = (code),
    ZV_STATUS_LIST(ZV_X)
#undef ZV_X
} zvStatus;

/* A place in a file. line and column count from 1; 0 means unknown. */
typedef struct zvMark {
    const char *file; /* as the user wrote it; NULL for a model built in memory */
    int line;
    int column;
} zvMark;

/* The text of one failure, owned by the caller; nothing in it needs freeing. */
typedef struct zvError {
    zvStatus status;
    int line;       /* from 1; 0 = unknown */
    int column;     /* from 1, in characters; 0 = unknown */
    char file[256]; /* empty for a model built in memory */
    char token[64]; /* the offending word, cut to fit; may be empty */
    char text[512]; /* what is wrong and what to do about it */
} zvError;

/* "ZV_SYNTAX" and its sentence; never NULL. */
const char *zv_status_name(zvStatus status);
const char *zv_status_sentence(zvStatus status);

/* Fills error (may be NULL) and returns status, so that callers write `return zv_fail(...)`. */
zvStatus zv_fail(zvError *error, zvStatus status, zvMark mark, const char *token, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 5, 6)))
#endif
    ;

/* Writes "file:line:column: text" (parts that are unknown are left out) into buffer; returns buffer. */
const char *zv_error_line(const zvError *error, char *buffer, size_t size);

/* The nearest of count names to word by edit distance, or NULL when none is near. */
const char *zv_nearest_name(const char *word, const char *const *names, size_t count);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
