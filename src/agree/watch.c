/* Wall clock and tell. */
#define _POSIX_C_SOURCE 200809L
#include "agree/watch.h"

#include <time.h>

double zi_watch_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

ziWatch zi_watch_start(const zvAgreeOptions *options) {
    return (ziWatch){.options = *options, .began = zi_watch_now()};
}

bool zi_watch_goes_on(ziWatch *w, int done) {
    const zvAgreeProgress now = {w->options.samples, done, zi_watch_now() - w->began};
    if (!w->stopped && w->options.tell) w->stopped = !w->options.tell(w->options.context, &now);
    w->late = w->late || zi_watch_ends_within(w, 0);
    return !w->stopped && !w->late;
}

bool zi_watch_ends_within(const ziWatch *w, double seconds) {
    return w->options.seconds > 0 && zi_watch_now() - w->began + seconds > w->options.seconds;
}
