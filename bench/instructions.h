/* Instructions per call: by the processor's counter where the system permits it, by callgrind where it does not. */
#ifndef BENCH_INSTRUCTIONS_H
#define BENCH_INSTRUCTIONS_H

#include "roster.h"

typedef struct Counter {
    int file; /* of the system's counter; -1: none */
} Counter;

Counter counter_open(void);
bool counter_works(const Counter *counter);
/* Instructions of this thread outside of the system's kernel; 0 when they are not counted. */
double counter_per_call(Counter *counter, const Engine *engine, Task task, int ring);
void counter_close(Counter *counter);

/* Whether this program runs under callgrind. */
bool callgrind_runs(void);
/* Calls everything a few times between dumps of callgrind's counters; each dump is labelled
 * "robot/function/engine/states". */
void callgrind_count(const Roster *roster, unsigned tasks);

#endif
