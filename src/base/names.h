/* Name table: text to index, open addressing. */
#ifndef ZI_BASE_NAMES_H
#define ZI_BASE_NAMES_H

#include <stddef.h>

typedef struct ziNames {
    const char **texts; /* not owned */
    int *values;
    size_t size, used; /* size is a power of two */
} ziNames;

/* Adds text -> value unless the text is there already. Returns the value now held, or -1 when out of memory. */
int zi_names_add(ziNames *names, const char *text, int value);
/* The value of text, or -1. */
int zi_names_find(const ziNames *names, const char *text);
void zi_names_free(ziNames *names);

#endif
