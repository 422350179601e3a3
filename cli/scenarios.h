/* Scenarios of the command line: a file, or one made of a robot's file. */
#ifndef ZVENO_CLI_SCENARIOS_H
#define ZVENO_CLI_SCENARIOS_H

#include "args.h"
#include "zveno/simulate.h"

/* Reads the operand: a scenario, or a robot with the options --base, --mimic, --gravity and --load in one that has
 * nothing else. changes (count) follow those of --set. Complains. */
Code scenario_read(const Args *args, int count, const char *const *changes, zvScenario **scenario);

#endif
