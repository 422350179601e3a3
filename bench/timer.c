/* Batches of calls timed by the thread's CPU clock, which does not count what other processes take. */
#define _GNU_SOURCE
#include "timer.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#ifdef __linux__

/* On one processor, so that caches stay warm; remembers what was allowed before. */
Pin timer_pin(int cpu) {
    Pin pin = {.cpu = -1};
    cpu_set_t set;
    _Static_assert(sizeof set <= sizeof pin.before, "all processors have a bit");
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) return pin;
    memcpy(pin.before, &set, sizeof set);
    if (cpu >= CPU_SETSIZE) return pin;
    for (int i = 0; i < CPU_SETSIZE && cpu < 0; ++i)
        if (CPU_ISSET(CPU_SETSIZE - 1 - i, &set)) cpu = CPU_SETSIZE - 1 - i;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set) == 0) pin.cpu = cpu;
    return pin;
}

void timer_unpin(const Pin *pin) {
    cpu_set_t set;
    memcpy(&set, pin->before, sizeof set);
    if (pin->cpu >= 0) sched_setaffinity(0, sizeof set, &set);
}

#else

Pin timer_pin(int cpu) {
    (void)cpu;
    return (Pin){.cpu = -1};
}

void timer_unpin(const Pin *pin) { (void)pin; }

#endif

double timer_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void repeat(const Engine *engine, Task task, int ring, long calls) {
    void (*const run)(void *, int) = engine->run[task];
    void *const self = engine->self;
    for (long i = 0; i < calls; ++i) run(self, (int)(i & (ring - 1)));
}

double timer_batch(const Engine *engine, Task task, int ring, long calls) {
    repeat(engine, task, ring, calls / 8);
    const double start = timer_now();
    repeat(engine, task, ring, calls);
    return timer_now() - start;
}

long timer_calibrate(const Engine *engine, Task task, int ring, double length) {
    long calls = 1;
    double taken = timer_batch(engine, task, ring, calls);
    while (taken < length) {
        calls = taken > 0.1 * length ? (long)((double)calls * 1.2 * length / taken) + 1 : 4 * calls;
        taken = timer_batch(engine, task, ring, calls);
    }
    return calls;
}

/* As the system calls it; results are filed under it. */
const char *timer_cpu_name(char *buffer, size_t size) {
    snprintf(buffer, size, "unknown processor");
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) continue;
        snprintf(buffer, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        break;
    }
    if (file) fclose(file);
    return buffer;
}
