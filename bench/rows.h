/* The interleaved run: every robot, function and engine in every round. */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

#include "roster.h"

typedef struct Plan {
    int rounds;
    double batch;   /* shortest batch, s */
    unsigned tasks; /* bits 1 << Task */
    /* Told after every robot of every round how many rounds are done; false ends the run. */
    bool (*tell)(void *context, double done);
    void *context;
} Plan;

/* Of one engine, function and robot; times are per state. */
typedef struct Timing {
    long calls; /* per batch; 0: the engine has no such function */
    int samples;
    double *ns;          /* (samples), sorted when the run is over */
    double instructions; /* 0: not counted */
} Timing;

typedef struct Rows {
    const Roster *roster;
    Timing (*timing)[TASKS][ENGINES]; /* one per robot */
    bool counted;                     /* the system counts instructions */
} Rows;

/* ZV_OK, ZV_MEMORY, or ZV_INTERRUPTED; rows are to be destroyed in any case. */
zvStatus rows_measure(Rows *rows, const Roster *roster, const Plan *plan);
void rows_destroy(Rows *rows);

/* Fastest batch, ns per call; 0 where there is none. */
double timing_best(const Timing *timing);
/* How far the median batch lies above the fastest, as a fraction. */
double timing_spread(const Timing *timing);

#endif
