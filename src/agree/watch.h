/* The clock of a run, and whether it goes on. */
#ifndef ZV_AGREE_WATCH_H
#define ZV_AGREE_WATCH_H

#include "zveno/agree.h"

typedef struct zvWatch {
    zvAgreeOptions options;
    double began;
    bool stopped; /* tell said so */
    bool late;    /* the time is up */
} zvWatch;

/* Wall clock, s. */
double zv_watch_now(void);
zvWatch zv_watch_start(const zvAgreeOptions *options);
/* Asks tell, then the clock, with so many states compared. False once either said stop. */
bool zv_watch_goes_on(zvWatch *watch, int done);
/* Whether the time is up so many seconds from now. */
bool zv_watch_ends_within(const zvWatch *watch, double seconds);

#endif
