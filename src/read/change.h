/* Changes of files from outside: "path=value". */
#ifndef ZI_READ_CHANGE_H
#define ZI_READ_CHANGE_H

#include "zveno/read.h"

/* Whether the path of a change begins with a part and a dot. */
bool zi_change_is_of(const char *change, const char *part);

/* zv_read_memory with changes of parameters, which only native files have; others are let pass. */
zvStatus zi_read_memory_changed(zvBuilder *builder, const char *name, const char *bytes, size_t size, zvFormat format,
                                int change_count, const char *const *changes, zvError *error);

/* A robot as a native text, to be freed. */
zvStatus zi_native_text(const zvBuilder *builder, char **text, size_t *size, zvError *error);

#endif
