/* A file read whole into memory. */
#ifndef ZI_READ_SOURCE_H
#define ZI_READ_SOURCE_H

#include "zveno/status.h"

typedef struct ziSource {
    char *bytes; /* size bytes and a NUL behind */
    size_t size;
} ziSource;

/* path "-" is standard input. Refuses directories, empty files and files of more than 256 MiB. */
zvStatus zi_source_load(const char *path, ziSource *out, zvError *error);
void zi_source_free(ziSource *source);
/* How error texts call a path: "<stdin>" for "-", else the path itself. */
const char *zi_source_name(const char *path);

#endif
