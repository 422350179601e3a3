/* The clock of a run, and whether it goes on. */
#ifndef ZI_AGREE_WATCH_H
#define ZI_AGREE_WATCH_H

#include "zveno/agree.h"

typedef struct ziWatch {
    zvAgreeOptions options;
    double began;
    bool stopped; /* tell said so */
    bool late;    /* the time is up */
} ziWatch;

/* Wall clock, s. */
double zi_watch_now(void);
ziWatch zi_watch_start(const zvAgreeOptions *options);
/* Asks tell, then the clock, with so many states compared. False once either said stop. */
bool zi_watch_goes_on(ziWatch *watch, int done);
/* Whether the time is up so many seconds from now. */
bool zi_watch_ends_within(const ziWatch *watch, double seconds);

#endif
