/* The word a user probably meant. */
#ifndef ZI_READ_MEANT_H
#define ZI_READ_MEANT_H

#include <stddef.h>

/* The one of count names that word means in another format (hinge: revolute), else the nearest in spelling, else NULL.
 */
const char *zi_meant_name(const char *word, const char *const *names, size_t count);

#endif
