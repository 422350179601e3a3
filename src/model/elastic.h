/* Elastic links within a description: how many coordinates, where things may be attached, how heavy; and copies. */
#ifndef ZI_MODEL_ELASTIC_H
#define ZI_MODEL_ELASTIC_H

#include "base/arena.h"
#include "zveno/model.h"

/* Elastic coordinates of a link; 0: rigid. A beam or modal data without any is a rigid link that weighs as much. */
int zi_link_modes(const zvLink *link);

/* A section of a beam, or an interface of modal data, that carries a joint or a frame. */
typedef struct ziSection {
    double at[3];        /* undeformed, in the link frame; on the axis of a beam */
    double x;            /* along the beam */
    int interface;       /* of modal data; -1: a beam, or a node */
    const double *shape; /* of modal data: modes x 6 */
} ziSection;

/* The section that carries a point p of an elastic link; false when the link has none there. */
bool zi_link_section(const zvLink *link, const double p[3], ziSection *section);
bool zi_same_section(const zvLink *link, const ziSection *a, const ziSection *b);

/* The axes in which the shapes of an elastic link are told, those of its beam or its own, where the link stands at
 * place. */
zvPose zi_link_shape_axes(const zvLink *link, const zvPose *place);

/* How a section moves per unit of each elastic coordinate, d along and r about (modes x 3 each), in the axes of the
 * frame in which the link stands at place. False when it never turns: rounding alone keeps r from zero. */
bool zi_section_shape(const zvLink *link, const ziSection *section, const zvPose *place, double *d, double *r);

/* Mass with that of the beam or the nodes. */
double zi_link_mass(const zvLink *link);
/* Likewise the whole inertia of the undeformed link. */
zvInertia zi_link_inertia(const zvLink *link);

/* Replaces a link's beam and modal data by copies in the arena; false when out of memory. */
bool zi_elastic_copy(ziArena *arena, zvLink *link);
/* What such copies take at most. */
size_t zi_elastic_copy_bytes(const zvLink *link);

#endif
