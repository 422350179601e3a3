/* The bytes of a table file. */
#ifndef ZI_MOTION_TABLE_SOURCE_H
#define ZI_MOTION_TABLE_SOURCE_H

#include "zveno/status.h"

/* Reads a file whole, with a NUL behind; *bytes is the caller's to free. At most 256 MiB. */
zvStatus zi_table_load(const char *path, char **bytes, size_t *size, zvError *error);
/* A copy with a NUL behind, for bytes that lie in memory already. */
zvStatus zi_table_copy(const char *name, const char *from, char **bytes, size_t size, zvError *error);

#endif
