/* Every n-th request for memory fails, for n = 1, 2, ... until a whole run of a job succeeds: once alone, and once with
 * all later requests failing as well. Each failure must be reported (never a crash, never success with something
 * missing), and nothing may leak. */
#ifndef RULES_FAILING_H
#define RULES_FAILING_H

#include "allocator.h"
#include "zveno/status.h"

/* ZV_OK: done, and all is as it should be; ZV_MEMORY: reported as such, with a text. The job gives all memory back. */
typedef zvStatus (*Job)(void *context);

/* Returns the number of failures, which are printed. */
int fail_every_request(const char *name, Job job, void *context, Whose whose);

#endif
