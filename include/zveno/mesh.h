/* Application. Surfaces of triangles from files: STL (binary and text), OBJ, Collada and glTF. For pictures;
 * robots have their inertia from them where an MJCF file says so. */
#ifndef ZVENO_MESH_H
#define ZVENO_MESH_H

#include <stddef.h>

#include "zveno/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { ZV_MESH_MOST = 50000000 }; /* triangles of one mesh */

typedef struct zvMesh {
    size_t count;   /* triangles, at least one */
    float *corners; /* count x 9: three corners each, finite, in the axes and units of the file */
} zvMesh;

/* The kind of the file is told by the end of its name: .stl, .obj, .dae, .glb, .gltf or .msh (MuJoCo's), in
 * letters of any case. Of an
 * OBJ file vertices and faces count; polygons are cut into the triangles of a fan. Of a Collada file (of 256 MiB at
 * most) all geometry of its scene counts, placed by its nodes, in metres by the file's unit and in its axes whichever
 * it calls up; of glTF likewise, in metres. Refuses files that are not regular, numbers that are not finite, and a
 * binary STL whose count of triangles does not fit its size. On failure the mesh is empty. */
zvStatus zv_mesh_read_file(const char *path, zvMesh *mesh, zvError *error);
zvStatus zv_mesh_read_memory(const char *name, const void *bytes, size_t size, zvMesh *mesh, zvError *error);
/* What a mesh encloses, its axes stretched by `scale` (3): `inside` its surface, m^3, whichever way it looks (of a
 * surface that is not closed a number without meaning), `hull` the convex hull of its corners, 0 when they lie in a
 * plane. Fails only when memory runs out. */
zvStatus zv_mesh_volume(const zvMesh *mesh, const double scale[3], double *inside, double *hull, zvError *error);
void zv_mesh_free(zvMesh *mesh); /* empties it; an empty one is let pass */

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
