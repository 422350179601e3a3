/* One dump per robot, function and engine; bench/instructions.sh turns the dumps into a table. */
#include <stdio.h>

#include "instructions.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>

enum { CALLS = 16, LARGEST = 100 };

bool callgrind_runs(void) { return RUNNING_ON_VALGRIND; }

static void count_one(const Roster *roster, const Runner *runner, int e, Task task) {
    const Engine *engine = &runner->engine[e];
    char label[128];
    if (!engine->run[task]) return;
    for (int i = 0; i < 2; ++i) engine->run[task](engine->self, i); /* resolves symbols, fills lazily made tables */
    CALLGRIND_ZERO_STATS;
    for (int i = 0; i < CALLS; ++i) engine->run[task](engine->self, i & (runner->ring->count - 1));
    snprintf(label, sizeof label, "%s/%s/%s/%d", runner->name, task_name(task), roster_engine_name(roster, e),
             CALLS * engine_states(engine, task));
    CALLGRIND_DUMP_STATS_AT(label);
}

void callgrind_count(const Roster *roster, unsigned tasks) {
    CALLGRIND_START_INSTRUMENTATION;
    for (int r = 0; r < roster->count; ++r) {
        if (roster->runner[r].tree->nv > LARGEST) continue;
        for (int t = 0; t < TASKS; ++t)
            for (int e = 0; e < roster_engines(roster) && tasks & 1u << t; ++e)
                count_one(roster, &roster->runner[r], e, (Task)t);
    }
    CALLGRIND_STOP_INSTRUMENTATION;
}

#else

bool callgrind_runs(void) { return false; }

void callgrind_count(const Roster *roster, unsigned tasks) {
    (void)roster;
    (void)tasks;
}

#endif
