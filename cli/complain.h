/* What goes to standard error, and the exit codes. */
#ifndef ZVENO_CLI_COMPLAIN_H
#define ZVENO_CLI_COMPLAIN_H

#include "zveno/status.h"

typedef enum Code {
    CODE_ELSEWHERE = -1, /* no exit code: this program does not have the answer (verb_elsewhere) */
    CODE_DONE = 0,
    CODE_INPUT = 1,        /* the input is wrong, or the result cannot be written */
    CODE_USAGE = 2,        /* wrong words on the command line */
    CODE_NUMERICAL = 3,    /* the equations cannot be solved */
    CODE_INTERRUPTED = 130 /* stopped by Ctrl-C or a request to end; 128 + SIGINT, as shells count */
} Code;

/* Prints "zveno: error: ..." and returns code. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
Code complain(Code code, const char *format, ...);
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void warn(const char *format, ...);
/* What is worth knowing of an answer and no reason for doubt. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void remark(const char *format, ...);

/* Prints a failure of the library with its place; singular equations, lost convergence and loops that cannot
 * close are numerical, everything else is input. */
Code complain_error(const zvError *error);
Code complain_memory(void);

/* An unknown word, with a suggestion unless near is NULL. */
Code complain_near(Code code, const char *what, const char *word, const char *near);
/* Lists names after a complaint; returns code. */
Code list_known(Code code, const char *const *names, size_t count);
/* An unknown word: suggests the nearest name and lists all. what: "verb", "method". */
Code complain_unknown(Code code, const char *what, const char *word, const char *const *names, size_t count);

#endif
