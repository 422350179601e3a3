/* The robots of a run, each with its states and the engines that can take it. */
#ifndef BENCH_ROSTER_H
#define BENCH_ROSTER_H

#include "engine.h"
#include "options.h"

enum { ENGINES = 4, ZVENO = 0, GENERATED = 1, MUJOCO = 2, KDL = 3 };

typedef struct Robot {
    char name[48];
    zvModel *model;
    Tree *tree;
    Ring *ring;
    Engine engine[ENGINES]; /* run[] all NULL where the engine cannot take the robot */
} Robot;

typedef struct Roster {
    int count;
    Robot *robot;
} Roster;

/* Reads the robots named in the options (or the default ones that exist), builds the chains, opens the engines.
 * False, with a line on stderr, when a named file is wrong. */
bool roster_fill(Roster *roster, const Options *options);
void roster_empty(Roster *roster);

#endif
