/* Meshes of any format by the end of a file's name. Collada is XML, so its reader stands here. */
#include <string.h>
#include <strings.h>

#include "base/require.h"
#include "mesh/file.h"
#include "read/collada.h"

static bool is_collada(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && strcasecmp(dot, ".dae") == 0;
}

zvStatus zv_mesh_read_memory(const char *name, const void *bytes, size_t size, zvMesh *mesh, zvError *error) {
    ZI_REQUIRE(name && (bytes || !size) && mesh);
    *mesh = (zvMesh){0};
    if (is_collada(name)) return zi_collada_read(name, bytes, size, mesh, error);
    return zi_mesh_read_plain(name, bytes, size, mesh, error);
}

/* The ending is checked before the file is opened: what cannot be read is not loaded. */
zvStatus zv_mesh_read_file(const char *path, zvMesh *mesh, zvError *error) {
    ZI_REQUIRE(path && mesh);
    *mesh = (zvMesh){0};
    const zvStatus known = is_collada(path) ? ZV_OK : zi_mesh_check_name(path, error);
    return known < 0 ? known : zi_mesh_load_file(path, zv_mesh_read_memory, mesh, error);
}
