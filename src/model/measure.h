/* Measures of a link for plausibility checks: how large it is, judged by what the description shows of it, and its
 * principal moments of inertia. */
#ifndef ZI_MODEL_MEASURE_H
#define ZI_MODEL_MEASURE_H

#include "model/order.h"

/* Distances from the origin of the link frame, m; 0 = nothing is known. */
typedef struct ziExtent {
    double body;      /* reach of its beam, of boxes, cylinders and spheres, and of the joints below */
    double above;     /* length of the joint offset above: of the size of a neighbour */
    double volume[2]; /* of the primitives, m^3: visual, collision */
    bool mesh;        /* has a shape of unknown size */
} ziExtent;

/* One extent per link, in file order; the caller frees it. NULL when out of memory. */
ziExtent *zi_extents_make(const zvBuilder *builder, const ziOrder *order);

double zi_pose_offset(const zvPose *pose);

/* The median length of the joint offsets that are not zero, and how many there are. False when out of memory. */
bool zi_median_offset(const zvBuilder *builder, double *median, size_t *count);

/* Eigenvalues of the symmetric matrix xx xy xz yy yz zz, least first. */
void zi_principal_moments(const double moment[6], double principal[3]);

#endif
