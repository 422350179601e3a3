/* A file read whole into memory. */
#ifndef ZV_READ_SOURCE_H
#define ZV_READ_SOURCE_H

#include "zveno/status.h"

typedef struct zvSource {
    char *bytes; /* size bytes and a NUL behind */
    size_t size;
} zvSource;

/* path "-" is standard input. Refuses directories, empty files and files of more than 256 MiB. */
zvStatus zv_source_load(const char *path, zvSource *out, zvError *error);
void zv_source_free(zvSource *source);
/* How error texts call a path: "<stdin>" for "-", else the path itself. */
const char *zv_source_name(const char *path);

#endif
