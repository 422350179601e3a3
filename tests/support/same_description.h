/* Whether two descriptions are the same, bit by bit in every number that has a meaning. */
#ifndef ZV_TESTS_SAME_DESCRIPTION_H
#define ZV_TESTS_SAME_DESCRIPTION_H

#include "zveno/builder.h"

/* When they are not, text tells the first difference. Marks are not compared. */
bool same_description(zvBuilder *a, zvBuilder *b, char *text, size_t size);

#endif
