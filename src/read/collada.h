/* Meshes of Collada files. */
#ifndef ZI_READ_COLLADA_H
#define ZI_READ_COLLADA_H

#include <stdbool.h>

#include "zveno/mesh.h"

/* All geometry that the scene of the file shows, with the transforms of its nodes, in metres (the unit of the file
 * counts); the axis that it calls up does not, as programs of robots have it. Files of at most 256 MiB; nothing that a
 * file refers to elsewhere is fetched. */
zvStatus zi_collada_read(const char *name, const void *bytes, size_t size, zvMesh *mesh, zvError *error);

#endif
