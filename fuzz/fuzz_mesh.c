/* Meshes from memory, as STL and as OBJ. What was read has triangles with finite corners; a refusal has a text. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "target.h"
#include "zveno/mesh.h"

static void try_as(const char *name, const uint8_t *data, size_t size) {
    zvError error = {0};
    zvMesh mesh;
    const zvStatus status = zv_mesh_read_memory(name, data, size, &mesh, &error);
    if (status >= 0) {
        demand(mesh.count > 0 && mesh.count <= size, "a mesh has triangles, and each takes a byte at least");
        for (size_t i = 0; i < 9 * mesh.count; i++) demand(isfinite(mesh.corners[i]), "corners are finite");
    } else {
        demand(mesh.count == 0 && !mesh.corners, "a refused mesh is empty");
        demand(error.text[0] && error.status == status, "a refusal has a text");
    }
    zv_mesh_free(&mesh);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    try_as("fuzz.stl", data, size);
    try_as("fuzz.obj", data, size);
    return 0;
}
