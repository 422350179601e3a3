/* Meshes of any format by the end of a file's name. Collada is XML and glTF is JSON, so their readers stand here. */
#include <string.h>
#include <strings.h>

#include "base/require.h"
#include "mesh/file.h"
#include "read/collada.h"
#include "read/gltf.h"

typedef zvStatus SceneReader(const char *name, const void *bytes, size_t size, zvMesh *mesh, zvError *error);

/* The reader of a scene, or NULL: of another ending. */
static SceneReader *scene_reader(const char *name) {
    const char *dot = strrchr(name, '.');
    if (dot && strcasecmp(dot, ".dae") == 0) return zi_collada_read;
    if (dot && (strcasecmp(dot, ".glb") == 0 || strcasecmp(dot, ".gltf") == 0)) return zi_gltf_read;
    return NULL;
}

zvStatus zv_mesh_read_memory(const char *name, const void *bytes, size_t size, zvMesh *mesh, zvError *error) {
    ZI_REQUIRE(name && (bytes || !size) && mesh);
    SceneReader *reader = scene_reader(name);
    *mesh = (zvMesh){0};
    return reader ? reader(name, bytes, size, mesh, error) : zi_mesh_read_plain(name, bytes, size, mesh, error);
}

/* The ending is checked before the file is opened: what cannot be read is not loaded. */
zvStatus zv_mesh_read_file(const char *path, zvMesh *mesh, zvError *error) {
    ZI_REQUIRE(path && mesh);
    *mesh = (zvMesh){0};
    const zvStatus known = scene_reader(path) ? ZV_OK : zi_mesh_check_name(path, error);
    return known < 0 ? known : zi_mesh_load_file(path, zv_mesh_read_memory, mesh, error);
}
