/* A mesh that grows while a scene is read: triangles where nodes stand, and an end to what a hostile file can ask for.
 */
#ifndef ZI_READ_SURFACE_H
#define ZI_READ_SURFACE_H

#include "zveno/mesh.h"

/* x -> A x + b, row by row. */
typedef struct ziAffinity {
    double m[12];
} ziAffinity;

ziAffinity zi_affinity_identity(void);
ziAffinity zi_affinity_product(const ziAffinity *outer, const ziAffinity *inner);

typedef struct ziSurface {
    zvMesh mesh;
    size_t capacity;
    size_t work; /* numbers and corners looked at: geometry may stand in many places */
    int nodes;
    zvError *error;
} ziSurface;

/* Three corners where a node stands. */
zvStatus zi_surface_triangle(ziSurface *surface, zvMark mark, const ziAffinity *place, const float *const corner[3]);
/* ZV_SIZE beyond what a mesh of a robot can need. */
zvStatus zi_surface_work(ziSurface *surface, zvMark mark, size_t count);
/* The same of nodes, and of nodes in each other. */
zvStatus zi_surface_node(ziSurface *surface, zvMark mark, int depth);
/* Hands the mesh over when all of it was read and it has triangles; frees it otherwise. */
zvStatus zi_surface_end(ziSurface *surface, const char *name, zvStatus status, zvMesh *mesh);

#endif
