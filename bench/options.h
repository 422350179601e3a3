/* The command line of the bench. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>

typedef enum Mode { MODE_TABLE, MODE_SCALING, MODE_COUNT } Mode;

typedef struct Options {
    Mode mode;
    int rounds;
    double batch; /* shortest batch, s */
    int longest;  /* longest chain in the table */
    bool no_chains;
    int cpu;            /* -1: the last one allowed */
    const char *json;   /* file to write, or NULL */
    const char *golden; /* directory of third-party robots, or NULL */
    const char *lock;   /* joints of named files whose names begin so do not move */
    int files;
    char **file; /* "free:" in front of a file gives it a free base */
} Options;

/* Returns -1 to go on, else the exit code of a program that has nothing more to do. */
int options_read(int argc, char **argv, Options *options);

#endif
