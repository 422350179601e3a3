/* Inertia of the meshes of an MJCF file: opened when the mass of a body depends on them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/measure.h"
#include "read/mjcf.h"
#include "spatial/quaternion.h"
#include "zveno/mesh.h"

/* Corners of triangles, or points alone where faces is false; of the frame of the geom. */
typedef struct Surface {
    double *corners;
    size_t count; /* triangles, or points */
    bool faces;
} Surface;

/* x = S R^T (x - refpos) */
static void transform(const ziMjcfMesh *mesh, double *x, size_t points) {
    double R[9];
    zi_rotation_of(mesh->refquat, R);
    for (size_t i = 0; i < points; i++, x += 3) {
        const double d[3] = {x[0] - mesh->refpos[0], x[1] - mesh->refpos[1], x[2] - mesh->refpos[2]};
        for (int k = 0; k < 3; k++) x[k] = mesh->scale[k] * (R[k] * d[0] + R[3 + k] * d[1] + R[6 + k] * d[2]);
    }
}

/* A file that cannot be opened is told by the caller, who knows whether it matters. */
static zvStatus load_file(ziMjcf *m, const ziMjcfMesh *mesh, Surface *surface) {
    const ziXmlElement *element = mesh->item.element;
    zvError reason = {0};
    zvMesh file;
    const char *path = zi_mjcf_beside(m, NULL, mesh->file);
    if (!path) return zi_mjcf_memory(m, element);
    const zvStatus status = zv_mesh_read_file(path, &file, &reason);
    if (status == ZV_MEMORY) return zi_mjcf_memory(m, element);
    if (status == ZV_IO) return ZV_IO;
    if (status != ZV_OK)
        return zi_mjcf_fail(m, status, element, "file",
                            "file of <mesh>: expected a mesh, since the mass of a body depends on it, found none in "
                            "\"%.100s\": %.150s",
                            path, reason.text);
    *surface = (Surface){malloc(file.count * 9 * sizeof(double)), file.count, true};
    for (size_t i = 0; surface->corners && i < file.count * 9; i++) surface->corners[i] = file.corners[i];
    zv_mesh_free(&file);
    return surface->corners ? ZV_OK : zi_mjcf_memory(m, element);
}

/* The numbers of an attribute; their count must be a multiple of three. */
static zvStatus read_triples(ziMjcf *m, const ziXmlElement *element, const char *name, double **values, size_t *count) {
    const ziXmlAttribute *found = zi_xml_attribute(element, name);
    int n = 0;
    *values = NULL;
    *count = 0;
    if (!found) return ZV_OK;
    const int most = (int)fmin(3e6, (double)strlen(found->value));
    *values = zi_arena_alloc(&m->arena, ((size_t)most + 1) * sizeof **values);
    if (!*values) return zi_mjcf_memory(m, element);
    const zvStatus status = zi_mjcf_own_numbers(m, element, found, 3, most < 3 ? 3 : most, *values, &n);
    *count = (size_t)n / 3;
    if (status != ZV_OK || n % 3 == 0) return status;
    return zi_mjcf_fail(m, ZV_SCHEMA, element, name, "%s of <mesh>: expected triples of numbers, found %d numbers",
                        name, n);
}

/* Vertices in place, with faces or without. */
static zvStatus take_vertices(ziMjcf *m, const ziMjcfMesh *mesh, Surface *surface) {
    const ziXmlElement *element = mesh->item.element;
    double *vertices, *faces;
    size_t nvertex, nface;
    zvStatus status = read_triples(m, element, "vertex", &vertices, &nvertex);
    if (status == ZV_OK) status = read_triples(m, element, "face", &faces, &nface);
    if (status != ZV_OK) return status;
    if (nvertex == 0 && zi_xml_attribute(element, "builtin")) return ZV_IO;
    if (nvertex < 4)
        return zi_mjcf_fail(m, ZV_NOT_SUPPORTED, element, NULL,
                            "<mesh>: expected a file, or vertices in place, since the mass of a body depends on it, "
                            "found neither; give the body an <inertial>");
    const size_t points = nface > 0 ? 3 * nface : nvertex;
    *surface = (Surface){malloc(points * 3 * sizeof(double)), nface > 0 ? nface : nvertex, nface > 0};
    if (!surface->corners) return zi_mjcf_memory(m, element);
    for (size_t i = 0; i < points; i++) {
        const double vertex = nface > 0 ? faces[i] : (double)i;
        if (!(vertex >= 0 && vertex < (double)nvertex) || vertex != floor(vertex))
            return zi_mjcf_fail(m, ZV_NUMBER, element, "face",
                                "face of <mesh>: expected numbers of vertices from 0 to %zu, found %g", nvertex - 1,
                                vertex);
        memcpy(surface->corners + 3 * i, vertices + 3 * (size_t)vertex, 3 * sizeof *vertices);
    }
    return ZV_OK;
}

/* Replaces the surface by its convex hull. */
static zvStatus take_hull(ziMjcf *m, const ziMjcfMesh *mesh, Surface *surface) {
    double *corners;
    size_t count;
    const zvStatus status =
        zi_mesh_hull(surface->corners, surface->faces ? 3 * surface->count : surface->count, &corners, &count);
    if (status == ZV_MEMORY) return zi_mjcf_memory(m, mesh->item.element);
    if (status != ZV_OK)
        return zi_mjcf_fail(m, status, mesh->item.element, "file",
                            "<mesh>: expected points in space, found them all in a plane; inertia=\"shell\" makes a "
                            "thin plate of it");
    free(surface->corners);
    *surface = (Surface){corners, count, true};
    return ZV_OK;
}

/* By the method of the mesh; a mirror image looks inwards. */
static zvStatus measure(ziMjcf *m, ziMjcfMesh *mesh, Surface *surface) {
    static const ziMeshMethod methods[] = {ZI_MESH_SOLID, ZI_MESH_SOLID, ZI_MESH_PYRAMIDS, ZI_MESH_SHELL};
    const bool mirrored = mesh->scale[0] * mesh->scale[1] * mesh->scale[2] < 0;
    transform(mesh, surface->corners, surface->faces ? 3 * surface->count : surface->count);
    zvStatus status = ZV_OK;
    if (!surface->faces || mesh->method == ZI_MJCF_CONVEX)
        status = take_hull(m, mesh, surface);
    else if (mirrored)
        for (size_t i = 0; i < surface->count; i++)
            for (int k = 0; k < 3; k++) {
                double *a = surface->corners + 9 * i + k, kept = a[3];
                a[3] = a[6];
                a[6] = kept;
            }
    if (status != ZV_OK) return status;
    ziMeshMeasure unit;
    if (!zi_mesh_measure(surface->corners, surface->count, methods[mesh->method], &unit))
        return zi_mjcf_fail(m, ZV_PHYSICS, mesh->item.element, "file",
                            "<mesh>: expected a closed surface with its normals outwards, found a volume of %g m^3; "
                            "inertia=\"convex\" or \"shell\" may do",
                            unit.size);
    mesh->unit.mass = unit.size;
    memcpy(mesh->unit.com, unit.com, sizeof unit.com);
    memcpy(mesh->unit.moment, unit.moment, sizeof unit.moment);
    mesh->measured = true;
    return ZV_OK;
}

/* Once, however many geoms use the mesh. */
zvStatus zi_mjcf_measure(ziMjcf *m, int index) {
    ziMjcfMesh *mesh = &m->meshes[index];
    Surface surface = {0};
    if (mesh->measured) return ZV_OK;
    zvStatus status = mesh->file ? load_file(m, mesh, &surface) : take_vertices(m, mesh, &surface);
    if (status == ZV_OK) status = measure(m, mesh, &surface);
    free(surface.corners);
    return status;
}
