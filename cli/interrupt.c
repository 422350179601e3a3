/* The first signal sets a flag and gives both signals back to the system, so that the second one kills. */
#define _POSIX_C_SOURCE 200809L
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

enum { SIGNALS = 2 };
static const int signals[SIGNALS] = {SIGINT, SIGTERM};

static volatile sig_atomic_t wanted;
static struct sigaction before[SIGNALS];

static void handle(int number) {
    (void)number;
    wanted = 1;
    for (int i = 0; i < SIGNALS; i++) signal(signals[i], SIG_DFL);
}

void interrupt_listen(void) {
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
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
