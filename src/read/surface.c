/* A mesh that grows while a scene is read (surface.h). */
#include "read/surface.h"

#include <math.h>

#include "base/arena.h"

enum { DEEPEST = 64, MOST_NODES = 100000, MOST_WORK = 500000000 };

ziAffinity zi_affinity_identity(void) { return (ziAffinity){{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}}; }

ziAffinity zi_affinity_product(const ziAffinity *a, const ziAffinity *b) {
    ziAffinity ab;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            ab.m[4 * i + j] = a->m[4 * i] * b->m[j] + a->m[4 * i + 1] * b->m[4 + j] + a->m[4 * i + 2] * b->m[8 + j] +
                              (j == 3 ? a->m[4 * i + 3] : 0);
    return ab;
}

/* Corners in single precision, as of other meshes. */
zvStatus zi_surface_triangle(ziSurface *s, zvMark mark, const ziAffinity *place, const float *const corner[3]) {
    if (s->mesh.count == ZV_MESH_MOST)
        return zv_fail(s->error, ZV_SIZE, mark, "", "there are more than %d triangles; simplify the mesh",
                       ZV_MESH_MOST);
    if (!zi_grow(&s->mesh.corners, s->mesh.count, &s->capacity, 9 * sizeof *s->mesh.corners))
        return zv_fail(s->error, ZV_MEMORY, mark, "", "out of memory after %zu triangles", s->mesh.count);
    float *out = s->mesh.corners + 9 * s->mesh.count;
    for (int k = 0; k < 3; k++) {
        const float *x = corner[k];
        for (int i = 0; i < 3; i++) {
            const double *row = place->m + 4 * i;
            const double y = row[0] * x[0] + row[1] * x[1] + row[2] * x[2] + row[3];
            if (!(fabs(y) < 1e30))
                return zv_fail(s->error, ZV_NUMBER, mark, "", "expected corners of finite size, found %g", y);
            out[3 * k + i] = (float)y;
        }
    }
    s->mesh.count++;
    return ZV_OK;
}

zvStatus zi_surface_work(ziSurface *s, zvMark mark, size_t count) {
    if (count <= MOST_WORK - s->work) return s->work += count, ZV_OK;
    return zv_fail(s->error, ZV_SIZE, mark, "", "the scene shows too much; simplify the mesh");
}

zvStatus zi_surface_node(ziSurface *s, zvMark mark, int depth) {
    if (depth < DEEPEST && s->nodes++ < MOST_NODES) return ZV_OK;
    return zv_fail(s->error, ZV_SIZE, mark, "", "expected nodes that end, found too many in each other");
}

zvStatus zi_surface_end(ziSurface *s, const char *name, zvStatus status, zvMesh *mesh) {
    if (status == ZV_OK && s->mesh.count == 0)
        status =
            zv_fail(s->error, ZV_SCHEMA, (zvMark){name, 0, 0}, "", "expected triangles, found none; is it a mesh?");
    if (status == ZV_OK)
        *mesh = s->mesh;
    else
        zv_mesh_free(&s->mesh);
    return status;
}
