/* The words after the verb. */
#ifndef ZVENO_CLI_ARGS_H
#define ZVENO_CLI_ARGS_H

#include <stdbool.h>

#include "complain.h"
#include "text.h"

enum { /* options a verb may allow */
       OPTION_JSON = 1u << 0,
       OPTION_STATE = 1u << 1,
       OPTION_BASE = 1u << 2,
       OPTION_MIMIC = 1u << 3,
       OPTION_GRAVITY = 1u << 4,
       OPTION_METHOD = 1u << 5,
       OPTION_FRAME = 1u << 6,
       OPTION_AXES = 1u << 7,
       OPTION_REACTIONS = 1u << 8,
       OPTION_OUTPUT = 1u << 9,
       OPTION_HELP = 1u << 10,
       OPTIONS_MODEL = OPTION_JSON | OPTION_BASE | OPTION_MIMIC | OPTION_GRAVITY | OPTION_HELP,
       OPTIONS_STATE = OPTIONS_MODEL | OPTION_STATE
};

typedef struct Args {
    unsigned given;      /* OPTION_ bits of what was on the command line */
    const char *operand; /* the model file, or the verb to help with; NULL when absent */
    const char *state;
    const char *method;
    const char *frame;
    const char *output;
    bool free_base;
    bool mimic_free;
    bool local_axes;
    double gravity[3];
} Args;

/* Reads the words after the verb; complains and returns CODE_USAGE when they are wrong. */
Code args_read(const char *verb, unsigned allowed, int count, char *const *words, Args *args);

/* The option lines of a help text. */
void args_describe(unsigned allowed, Text *out);

#endif
