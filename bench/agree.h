/* Before anything is timed: do the engines compute the same thing? */
#ifndef BENCH_AGREE_H
#define BENCH_AGREE_H

#include "roster.h"

/* Where an engine and Zveno differ most, by what they may. */
typedef struct Disagreement {
    int runner, engine;
    Task task;
    double difference, tolerance;
} Disagreement;

/* Fills the differences of one robot's engines from Zveno in the tasks (bits). ZV_MEMORY when memory runs out. */
zvStatus agree_measure(Runner *runner, unsigned tasks);
/* The worst of a roster; false when it exceeds what rounding explains. */
bool agree_check(const Roster *roster, Disagreement *worst);

#endif
