/* Before anything is timed: do the engines compute the same thing? */
#ifndef BENCH_AGREE_H
#define BENCH_AGREE_H

#include "roster.h"

/* Prints the largest disagreement of each peer with Zveno, per robot; false when one exceeds what rounding explains. */
bool agree_check(const Roster *roster);

#endif
