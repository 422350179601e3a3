/* A mesh while it is read. */
#ifndef ZV_MESH_BUILD_H
#define ZV_MESH_BUILD_H

#include <stdbool.h>

#include "zveno/mesh.h"

typedef struct zvMeshBuild {
    zvMesh mesh;
    size_t capacity; /* triangles */
    const char *file;
    zvError *error;
} zvMeshBuild;

/* Makes room for one more triangle; fails beyond the limit too. */
zvStatus zv_mesh_room(zvMeshBuild *build);

zvStatus zv_mesh_read_stl(zvMeshBuild *build, const char *bytes, size_t size);
zvStatus zv_mesh_read_obj(zvMeshBuild *build, const char *bytes, size_t size);

#endif
