/* The interleaved run: every robot, function and engine in every round. */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

#include "roster.h"

typedef struct Cell {
    long calls; /* per batch; 0: the engine has no such function */
    int samples;
    double *ns; /* (samples) per call, sorted when the run is over */
} Cell;

typedef struct Rows {
    const Roster *roster;
    Cell (*cell)[TASKS][ENGINES]; /* one per robot */
} Rows;

bool rows_measure(Rows *rows, const Roster *roster, const Options *options);
void rows_destroy(Rows *rows);

/* Fastest batch, ns per call; 0 where there is none. */
double cell_best(const Cell *cell);
/* How far the median batch lies above the fastest, as a fraction. */
double cell_spread(const Cell *cell);

#endif
