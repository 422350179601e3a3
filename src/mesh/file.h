/* Files of meshes: the formats that need no library, and files as a whole. */
#ifndef ZI_MESH_FILE_H
#define ZI_MESH_FILE_H

#include "zveno/mesh.h"

/* STL, OBJ and MSH by the end of the name. */
zvStatus zi_mesh_read_plain(const char *name, const void *bytes, size_t size, zvMesh *mesh, zvError *error);
/* Whether that is one of theirs. */
zvStatus zi_mesh_check_name(const char *name, zvError *error);

/* Loads a regular file and hands it over. */
zvStatus zi_mesh_load_file(const char *path,
                           zvStatus (*reader)(const char *name, const void *bytes, size_t size, zvMesh *mesh,
                                              zvError *error),
                           zvMesh *mesh, zvError *error);

#endif
