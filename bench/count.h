/* Instructions per call, with callgrind as the counter. */
#ifndef BENCH_COUNT_H
#define BENCH_COUNT_H

#include "roster.h"

/* Calls everything a few times between dumps of callgrind's counters; each dump is labelled
 * "robot/function/engine/calls". False when the program was built without callgrind's header. */
bool count_run(const Roster *roster);

#endif
