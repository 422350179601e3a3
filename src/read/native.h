/* Reader of native robot files (YAML or JSON, docs/formats.md). */
#ifndef ZI_READ_NATIVE_H
#define ZI_READ_NATIVE_H

#include <stddef.h>

#include "zveno/builder.h"
#include "zveno/document.h"

/* Adds the robot in bytes to the builder. name stands in error texts and in the marks of the elements; files named by
 * `include` are looked up beside it. On failure the builder is to be destroyed. */
zvStatus zi_native_read(zvBuilder *builder, const char *name, const char *bytes, size_t size, zvError *error);
/* The same from a map of a document; the version may be left out. */
zvStatus zi_native_read_node(zvBuilder *builder, const char *name, const zvNode *node, zvError *error);

#endif
