/* A mesh while it is read. */
#ifndef ZI_MESH_BUILD_H
#define ZI_MESH_BUILD_H

#include <stdbool.h>

#include "zveno/mesh.h"

typedef struct ziMeshBuild {
    zvMesh mesh;
    size_t capacity; /* triangles */
    const char *file;
    zvError *error;
} ziMeshBuild;

/* Makes room for one more triangle; fails beyond the limit too. */
zvStatus zi_mesh_room(ziMeshBuild *build);

zvStatus zi_mesh_read_stl(ziMeshBuild *build, const char *bytes, size_t size);
zvStatus zi_mesh_read_obj(ziMeshBuild *build, const char *bytes, size_t size);

#endif
