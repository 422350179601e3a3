/* The robots of zveno bench. */
#ifndef ZVENO_CLI_BENCH_ROBOTS_H
#define ZVENO_CLI_BENCH_ROBOTS_H

#include "args.h"
#include "roster.h"

/* The models of the command line, or the built-in robots without any; complains. */
Code bench_robots(const Args *args, Roster *roster);

#endif
