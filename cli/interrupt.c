/* The first signal sets a flag. One that comes half a second later or more kills, as it would without a handler; what
 * comes sooner belongs to the first: a terminal and a shell may both pass on one Ctrl-C.
 *
 * System calls are not restarted: a run that waits for a pipe to open can be interrupted. */
#define _POSIX_C_SOURCE 200809L
#include "interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

enum { SIGNALS = 3 };
static const int signals[SIGNALS] = {SIGINT, SIGTERM, SIGHUP};
static const double ONE_SIGNAL = 0.5; /* s */

static volatile sig_atomic_t wanted;
static struct timespec first; /* the handler's own: signals wait for one another in it */
static struct sigaction before[SIGNALS];

static void handle(int number) {
    const int reason = errno;
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!wanted) {
        wanted = 1;
        first = now;
    } else if ((double)(now.tv_sec - first.tv_sec) + 1e-9 * (double)(now.tv_nsec - first.tv_nsec) >= ONE_SIGNAL) {
        signal(number, SIG_DFL);
        raise(number); /* takes effect when the handler returns */
    }
    errno = reason;
}

void interrupt_listen(void) {
    struct sigaction action = {.sa_handler = handle};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNALS; i++) sigaddset(&action.sa_mask, signals[i]);
    wanted = 0;
    for (int i = 0; i < SIGNALS; i++) {
        sigaction(signals[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) sigaction(signals[i], &action, NULL);
    }
}

bool interrupt_wanted(void) { return wanted; }

void interrupt_forget(void) {
    for (int i = 0; i < SIGNALS; i++) sigaction(signals[i], &before[i], NULL);
}
