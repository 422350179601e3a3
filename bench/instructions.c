/* The processor's own counter, by way of Linux. */
#define _GNU_SOURCE
#include "instructions.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__) && __has_include(<linux/perf_event.h>)
#include <linux/perf_event.h>
#include <sys/syscall.h>

Counter counter_open(void) {
    struct perf_event_attr what;
    memset(&what, 0, sizeof what);
    what.type = PERF_TYPE_HARDWARE;
    what.size = sizeof what;
    what.config = PERF_COUNT_HW_INSTRUCTIONS;
    what.exclude_kernel = 1;
    what.exclude_hv = 1;
    return (Counter){(int)syscall(SYS_perf_event_open, &what, 0, -1, -1, 0ul)};
}

#else

Counter counter_open(void) { return (Counter){-1}; }

#endif

bool counter_works(const Counter *counter) { return counter->file >= 0; }

static double count_now(const Counter *counter) {
    uint64_t count = 0;
    return read(counter->file, &count, sizeof count) == (ssize_t)sizeof count ? (double)count : 0;
}

double counter_per_call(Counter *counter, const Engine *engine, Task task, int ring) {
    enum { CALLS = 16 };
    if (counter->file < 0) return 0;
    const double start = count_now(counter);
    for (int i = 0; i < CALLS; ++i) engine->run[task](engine->self, i & (ring - 1));
    return (count_now(counter) - start) / CALLS;
}

void counter_close(Counter *counter) {
    if (counter->file >= 0) close(counter->file);
    counter->file = -1;
}
