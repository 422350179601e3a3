/* What meshes enclose: by their surfaces, and by the convex hull. */
#include <math.h>
#include <stdlib.h>

#include "base/require.h"
#include "mesh/measure.h"
#include "zveno/mesh.h"

/* Surfaces with holes or with triangles that look inwards enclose something else than they show; a hull does not care.
 */
zvStatus zv_mesh_volume(const zvMesh *mesh, const double scale[3], double *inside, double *hull, zvError *error) {
    ZI_REQUIRE(mesh && scale && inside && hull);
    const size_t count = 9 * mesh->count;
    double *corners = malloc((count + 1) * sizeof *corners), *shell = NULL;
    size_t triangles = 0;
    ziMeshMeasure measure;
    *inside = *hull = 0;
    if (!corners) return zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while measuring a mesh");
    for (size_t i = 0; i < count; i++) corners[i] = scale[i % 3] * mesh->corners[i];
    zi_mesh_measure(corners, mesh->count, ZI_MESH_SOLID, &measure);
    *inside = fabs(measure.size);
    const zvStatus status = zi_mesh_hull(corners, 3 * mesh->count, &shell, &triangles);
    if (status == ZV_OK && zi_mesh_measure(shell, triangles, ZI_MESH_SOLID, &measure)) *hull = measure.size;
    free(shell);
    free(corners);
    if (status == ZV_MEMORY) return zv_fail(error, status, (zvMark){0}, "", "out of memory while measuring a mesh");
    return ZV_OK;
}
