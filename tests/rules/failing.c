#define _POSIX_C_SOURCE 200809L
#include "failing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FAILURES = 20 };

/* One run with the n-th request refused; false when something is wrong. Sets *over when no request was left to refuse.
 */
static bool try_failure(const char *name, Job job, void *context, long n, Whose whose, bool forever, bool *over) {
    const long before = allocator_outstanding();
    allocator_fail(n, whose, forever);
    const zvStatus status = job(context);
    *over = !allocator_refused();
    allocator_fail(0, whose, false);
    const long leaked = allocator_outstanding() - before;
    /* A refusal may be survived (a smaller buffer, a second try). */
    if ((status == ZV_OK || (status == ZV_MEMORY && !*over)) && leaked == 0) return true;
    fprintf(stderr, "%s: request %ld%s refused (%s): %s, %ld blocks leaked\n", name, n,
            forever ? " and all later ones" : "", whose == OURS ? "ours" : "anybody's", zv_status_name(status), leaked);
    return false;
}

/* Whether requests made within shared libraries are seen: here one of the C library. */
static bool sees_libraries(const char *text) {
    const long before = allocator_outstanding();
    char *volatile copy = strdup(text); /* volatile, or the compiler may save both calls */
    const bool seen = allocator_outstanding() == before + 1;
    free(copy);
    return seen;
}

int fail_every_request(const char *name, Job job, void *context, Whose whose) {
    int failures = 0;
    job(context); /* one-time allocations of libraries */
    const zvStatus good = job(context);
    if (good != ZV_OK) {
        fprintf(stderr, "%s: with enough memory it ends with %s\n", name, zv_status_name(good));
        return 1;
    }
    if (!sees_libraries(name)) {
        fprintf(stderr, "%s: the allocator is not replaced in shared libraries\n", name);
        return 1;
    }
    for (int forever = 0; forever < 2; forever++) {
        bool over = false;
        long n = 0;
        while (!over && failures < MOST_FAILURES)
            failures += !try_failure(name, job, context, ++n, whose, forever, &over);
        printf("%s: %ld requests%s, %d failures\n", name, n - 1, forever ? ", later ones refused too" : "", failures);
        failures += n == 1; /* nothing was refused */
    }
    return failures;
}
