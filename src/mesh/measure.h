/* Mass properties of surfaces of triangles, and convex hulls of points. */
#ifndef ZI_MESH_MEASURE_H
#define ZI_MESH_MEASURE_H

#include <stddef.h>

#include "zveno/status.h"

/* What a surface of triangles means. */
typedef enum ziMeshMethod {
    ZI_MESH_SOLID,    /* the inside of a closed surface, normals outwards */
    ZI_MESH_PYRAMIDS, /* the sum of pyramids on all triangles about one point, whichever way they look: what overlaps
                         counts twice */
    ZI_MESH_SHELL     /* the surface itself */
} ziMeshMethod;

/* Of unit density, or unit mass per area. */
typedef struct ziMeshMeasure {
    double size;      /* volume m^3, or area m^2 */
    double com[3];    /* m */
    double moment[6]; /* xx xy xz yy yz zz about the centre of mass */
} ziMeshMeasure;

/* corners: count x 9. False: no size, or a negative one (then size tells). */
int zi_mesh_measure(const double *corners, size_t count, ziMeshMethod method, ziMeshMeasure *measure);

/* Triangles of the convex hull of points (count x 3), normals outwards, to be freed by free(). ZV_PHYSICS: they lie in
 * one plane; ZV_MEMORY. Points nearer than 1e-10 of the extent count as on the hull. */
zvStatus zi_mesh_hull(const double *points, size_t count, double **corners, size_t *triangles);

#endif
