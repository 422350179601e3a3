/* The options of the command line, one table for all verbs. */
#ifndef ZVENO_CLI_OPTIONS_H
#define ZVENO_CLI_OPTIONS_H

#include "args.h"

typedef struct Option {
    OptionSet bit;
    const char *name;
    const char *letter;                          /* short form or NULL */
    const char *value;                           /* how the value is called; NULL: takes none */
    bool (*take)(Args *args, const char *value); /* false: the value is not understood; NULL: nothing to keep */
    const char *meaning;
} Option;

enum { OPTIONS_MOST = 128 }; /* as many bits as a set has */

extern const Option options[];
extern const int option_count;

#endif
