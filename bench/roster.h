/* The robots of a run, each with its states and the engines that can take it. */
#ifndef BENCH_ROSTER_H
#define BENCH_ROSTER_H

#include "own.h"
#include "peers.h"
#include "zveno/builder.h"

/* Places of engines; those of peers follow in the order of Peers. */
enum { ZVENO, GENERATED, LANES, LANES_SINGLE, GENERATED_LANES, OWN_ENGINES, ENGINES = OWN_ENGINES + MOST_PEERS };

/* What a robot has and is measured without. */
enum { LEFT_LOOPS = 1, LEFT_MIMIC = 2, LEFT_ROTORS = 4 };

typedef struct Runner {
    char name[48];
    unsigned left_out;       /* LEFT_... */
    zvModel *model, *welded; /* the other one with its tip welded to the ground; NULL: it cannot be */
    Tree *tree;
    Ring *ring;
    GeneratedCode code;
    Engine engine[ENGINES];            /* run[] all NULL where the engine cannot take the robot */
    zvError gap;                       /* what there is no generated code of, and why; text empty: nothing */
    double difference[TASKS][ENGINES]; /* from Zveno's answers, relative (agree.h); negative: not compared */
} Runner;

typedef struct Roster {
    int count, capacity;
    Runner *runner;
    Peers peers;
} Roster;

/* A robot as described. Rotor inertia goes, because the measured paths of peers do not carry it, mimic joints become
 * free and loops are open, because peers have none, and joints whose names begin with lock (or NULL) do not move. */
zvStatus roster_add(Roster *roster, const char *name, zvBuilder *builder, const char *lock, zvError *error);
/* A chain of revolute joints. */
zvStatus roster_add_chain(Roster *roster, int joints, zvError *error);
/* One of the built-in robots (builtin.h). */
zvStatus roster_add_builtin(Roster *roster, const char *name, zvError *error);
/* All of them, then ur5, panda, solo12, anymal_c and talos in a folder (or NULL) where they exist, as .urdf or .xml. */
zvStatus roster_add_usual(Roster *roster, const char *folder, zvError *error);
/* States and engines of one robot. Code is generated for the tasks (bits) told, which may take a minute. */
zvStatus roster_open(Roster *roster, int runner, unsigned generated, zvError *error);
void roster_empty(Roster *roster);

/* Engines there are: OWN_ENGINES and one for each peer. */
int roster_engines(const Roster *roster);
const char *roster_engine_name(const Roster *roster, int engine);

#endif
