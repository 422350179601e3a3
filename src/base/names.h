/* Name table: text to index, open addressing. */
#ifndef ZV_BASE_NAMES_H
#define ZV_BASE_NAMES_H

#include <stddef.h>

typedef struct zvNames {
    const char **texts; /* not owned */
    int *values;
    size_t size, used; /* size is a power of two */
} zvNames;

/* Adds text -> value unless the text is there already. Returns the value now held, or -1 when out of memory. */
int zv_names_add(zvNames *names, const char *text, int value);
/* The value of text, or -1. */
int zv_names_find(const zvNames *names, const char *text);
void zv_names_free(zvNames *names);

#endif
