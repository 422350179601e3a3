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
       OPTION_TASK = 1u << 11,
       OPTION_SET = 1u << 12,
       OPTION_RESUME = 1u << 13,
       OPTION_CHECKPOINT = 1u << 14,
       OPTION_QUIET = 1u << 15,
       OPTION_CHANNELS = 1u << 16,
       OPTION_FROM = 1u << 17,
       OPTION_TO = 1u << 18,
       OPTION_SIZE = 1u << 19,
       OPTION_RESTART = 1u << 20,
       OPTION_JOINTS = 1u << 21,
       OPTION_EQUILIBRIUM = 1u << 22,
       OPTION_LOAD = 1u << 23,
       OPTION_FIRST = 1u << 24,
       OPTION_SHAPES = 1u << 25,
       OPTION_EVERY = 1u << 26,
       OPTION_HOLD = 1u << 27,
       OPTION_INDEPENDENT = 1u << 28,
       OPTION_ACTUATED = 1u << 29,
       OPTION_GUESSES = 1u << 30,
       OPTIONS_REPEATED = OPTION_SET | OPTION_LOAD, /* may be given more than once */
       OPTIONS_MODEL = OPTION_JSON | OPTION_BASE | OPTION_MIMIC | OPTION_GRAVITY | OPTION_HELP,
       OPTIONS_STATE = OPTIONS_MODEL | OPTION_STATE
};

enum { MAX_CHANGES = 64, MAX_LOADS = 32 }; /* --set and --load on one command line */

typedef enum Joints { JOINTS_FREE, JOINTS_LOCKED, JOINTS_SPRUNG } Joints;

/* --load FRAME=fx,fy,fz or FRAME=fx,fy,fz,mx,my,mz */
typedef struct Load {
    const char *frame;
    int length; /* of its name */
    double wrench[6];
} Load;

typedef struct Args {
    unsigned given;      /* OPTION_ bits of what was on the command line */
    const char *operand; /* the file, or the verb to help with; NULL when absent */
    const char *state;
    const char *method;
    const char *frame;
    const char *output;
    bool free_base;
    bool mimic_free;
    bool local_axes;
    unsigned task; /* ZV_TASK_ bits of --task */
    double gravity[3];
    int change_count;
    const char *changes[MAX_CHANGES]; /* --set */
    double checkpoint;                /* s */
    const char *channels;
    double from, to;   /* s */
    double every;      /* s, above 0 */
    int width, height; /* pixels */
    Joints joints;
    int load_count;
    Load loads[MAX_LOADS];
    int count;         /* modes */
    const char *named; /* --hold, --independent or --actuated: joints or degrees of freedom, with commas between */
    int guesses;
} Args;

/* Reads the words after the verb; complains and returns CODE_USAGE when they are wrong. */
Code args_read(const char *verb, unsigned allowed, int count, char *const *words, Args *args);

/* The option lines of a help text. */
void args_describe(unsigned allowed, Text *out);

#endif
