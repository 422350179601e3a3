/* Elastic links within a description: how many coordinates, where things may be attached, how heavy; and copies. */
#ifndef ZV_MODEL_ELASTIC_H
#define ZV_MODEL_ELASTIC_H

#include "base/arena.h"
#include "zveno/model.h"

/* Elastic coordinates of a link; 0: rigid. A beam or modal data without any is a rigid link that weighs as much. */
int zv_link_modes(const zvLink *link);

/* A section of a beam, or an interface of modal data, that carries a joint or a frame. */
typedef struct zvSection {
    double at[3];        /* undeformed, in the link frame; on the axis of a beam */
    double x;            /* along the beam */
    int interface;       /* of modal data; -1: a beam, or a node */
    const double *shape; /* of modal data: modes x 6 */
} zvSection;

/* The section that carries a point p of an elastic link; false when the link has none there. */
bool zv_link_section(const zvLink *link, const double p[3], zvSection *section);
bool zv_same_section(const zvLink *link, const zvSection *a, const zvSection *b);

/* The axes in which the shapes of an elastic link are told, those of its beam or its own, where the link stands at
 * place. */
zvPose zv_link_shape_axes(const zvLink *link, const zvPose *place);

/* How a section moves per unit of each elastic coordinate, d along and r about (modes x 3 each), in the axes of the
 * frame in which the link stands at place. False when it never turns: rounding alone keeps r from zero. */
bool zv_section_shape(const zvLink *link, const zvSection *section, const zvPose *place, double *d, double *r);

/* Mass with that of the beam or the nodes. */
double zv_link_mass(const zvLink *link);
/* Likewise the whole inertia of the undeformed link. */
zvInertia zv_link_inertia(const zvLink *link);

/* Replaces a link's beam and modal data by copies in the arena; false when out of memory. */
bool zv_elastic_copy(zvArena *arena, zvLink *link);
/* What such copies take at most. */
size_t zv_elastic_copy_bytes(const zvLink *link);

#endif
