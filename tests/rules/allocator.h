/* The C library's allocator behind switches: forbid it, fail a chosen request, count what is not given back.
 * Linking allocator.c replaces malloc and its kin in the whole program, shared libraries included. */
#ifndef RULES_ALLOCATOR_H
#define RULES_ALLOCATOR_H

#include <stdbool.h>

typedef enum Whose {
    ANYBODY, /* every request of the program, those of libxml2 and libyaml included */
    OURS     /* only requests made by code linked into the executable: libzveno and the test */
} Whose;

/* From now on any request or release ends the program with the text "what allocates"; NULL: all is allowed again. */
void allocator_forbid(const char *what);

/* The n-th request from now (from 1) fails, and with forever all later ones too. n = 0: none fails. */
void allocator_fail(long n, Whose whose, bool forever);

/* Whether a request has been refused since allocator_fail. */
bool allocator_refused(void);

/* Blocks handed out and not yet given back. */
long allocator_outstanding(void);

#endif
