/* Zveno's own engines. Each fills *engine and returns true, or returns false; tree, ring and model must outlive the
 * engine. */
#ifndef BENCH_OWN_H
#define BENCH_OWN_H

#include "engine.h"

const char *task_name(Task task);

/* One state at a time. False when out of memory. */
bool zveno_open(const zvModel *model, const Tree *tree, const Ring *ring, Engine *engine);

/* Lanes: many states in a call, on one thread. False, with the reason, where they do not serve the model. */
bool lanes_open(const zvModel *model, const Tree *tree, const Ring *ring, bool single, Engine *engine, zvError *why);

/* Straight-line code for the tasks (bits), written, compiled for this machine and loaded. The compiler is cc, or what
 * BENCH_CC names. Functions of too many operations are left out and named in *why, which is otherwise empty or says why
 * there is none at all. */
bool generated_open(const zvModel *model, const Tree *tree, const Ring *ring, unsigned tasks, Engine *engine,
                    zvError *why);

#endif
