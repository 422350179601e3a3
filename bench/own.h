/* Zveno's own engines. Each fills *engine and returns true, or returns false; tree, ring and model must outlive the
 * engine. */
#ifndef BENCH_OWN_H
#define BENCH_OWN_H

#include "engine.h"
#include "generated_code.h"

const char *task_name(Task task);

/* One state at a time; welded: the model with its tip welded to the ground, or NULL. False when out of memory. */
bool zveno_open(const zvModel *model, const zvModel *welded, const Tree *tree, const Ring *ring, Engine *engine);

/* Lanes: many states in a call, on one thread. False, with the reason, where they do not serve the model. */
bool lanes_open(const zvModel *model, const Tree *tree, const Ring *ring, bool single, Engine *engine, zvError *why);

/* Generated code, which must outlive the engines: one state at a time, and lanes of four. False when out of memory. */
bool generated_open(const GeneratedCode *code, const Ring *ring, Engine *engine);
bool generated_lanes_open(const GeneratedCode *code, const Ring *ring, Engine *engine);

#endif
