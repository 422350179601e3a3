/* One dump per robot, function and engine; bench/instructions.sh turns the dumps into a table. */
#include "count.h"

#include <stdio.h>

#include "timer.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>

enum { CALLS = 16, LARGEST = 100 };

static void count_cell(const Robot *robot, int e, Task task) {
    const Engine *engine = &robot->engine[e];
    char label[128];
    if (!engine->run[task]) return;
    for (int i = 0; i < 2; ++i) engine->run[task](engine->self, i); /* resolves symbols, fills lazily made tables */
    CALLGRIND_ZERO_STATS;
    for (int i = 0; i < CALLS; ++i) engine->run[task](engine->self, i & (robot->ring->count - 1));
    snprintf(label, sizeof label, "%s/%s/%s/%d", robot->name, task_name(task), engine->name, CALLS);
    CALLGRIND_DUMP_STATS_AT(label);
}

bool count_run(const Roster *roster) {
    CALLGRIND_START_INSTRUMENTATION;
    for (int r = 0; r < roster->count; ++r) {
        if (roster->robot[r].tree->nv > LARGEST) continue;
        for (int t = 0; t < TASKS; ++t)
            for (int e = 0; e < ENGINES; ++e) count_cell(&roster->robot[r], e, (Task)t);
    }
    CALLGRIND_STOP_INSTRUMENTATION;
    return true;
}

#else

bool count_run(const Roster *roster) {
    (void)roster;
    return false;
}

#endif
