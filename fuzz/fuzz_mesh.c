/* Meshes from memory, as STL, as OBJ, Collada and glTF. What was read has triangles with finite corners; a refusal has a
 * text. Then what MJCF asks of meshes: mass properties by all methods, and the convex hull of the corners, which
 * encloses a volume. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mesh/measure.h"
#include "target.h"
#include "zveno/mesh.h"

enum { MOST = 4096 }; /* triangles that are measured */

static void measure(const double *corners, size_t count) {
    static const ziMeshMethod methods[] = {ZI_MESH_SOLID, ZI_MESH_PYRAMIDS, ZI_MESH_SHELL};
    ziMeshMeasure measured;
    for (int i = 0; i < 3; i++) {
        if (zi_mesh_measure(corners, count, methods[i], &measured))
            demand(measured.size > 0, "what is measured has a size");
    }
}

static void enclose(const double *points, size_t count) {
    double *corners = NULL;
    size_t triangles = 0;
    const zvStatus status = zi_mesh_hull(points, count, &corners, &triangles);
    demand(status == ZV_OK || status == ZV_PHYSICS || status == ZV_MEMORY, "a hull is found or refused");
    demand(status != ZV_OK || (triangles >= 4 && corners), "a hull has four sides at least");
    if (status == ZV_OK) measure(corners, triangles);
    free(corners);
}

static void use(const zvMesh *mesh) {
    const size_t count = mesh->count < MOST ? mesh->count : MOST;
    double *corners = malloc(count * 9 * sizeof *corners);
    if (!corners) return;
    for (size_t i = 0; i < count * 9; i++) corners[i] = mesh->corners[i];
    measure(corners, count);
    enclose(corners, 3 * count);
    free(corners);
}

static void try_as(const char *name, const uint8_t *data, size_t size) {
    zvError error = {0};
    zvMesh mesh;
    const zvStatus status = zv_mesh_read_memory(name, data, size, &mesh, &error);
    if (status >= 0) {
        demand(mesh.count > 0, "a mesh has triangles");
        for (size_t i = 0; i < 9 * mesh.count; i++) demand(isfinite(mesh.corners[i]), "corners are finite");
        use(&mesh);
    } else {
        demand(mesh.count == 0 && !mesh.corners, "a refused mesh is empty");
        demand(error.text[0] && error.status == status, "a refusal has a text");
    }
    zv_mesh_free(&mesh);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    try_as("fuzz.stl", data, size);
    try_as("fuzz.obj", data, size);
    try_as("fuzz.dae", data, size);
    try_as("fuzz.glb", data, size);
    try_as("fuzz.msh", data, size);
    return 0;
}
