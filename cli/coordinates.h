/* Names and units of the coordinates and degrees of freedom of a model, for tables and error texts. */
#ifndef ZVENO_CLI_COORDINATES_H
#define ZVENO_CLI_COORDINATES_H

#include "text.h"
#include "zveno/model.h"

typedef enum Quantity {
    QUANTITY_POSITION,
    QUANTITY_ACCELERATION,
    QUANTITY_FORCE,
    QUANTITY_MOMENTUM,
    QUANTITIES
} Quantity;

/* Names an entry of v, a or tau: "elbow", or "root_joint.wx" for a joint with several freedoms. */
void label_v(const zvModel *model, int index, Text *out);
/* The same for an entry of q: "root_joint.qw". */
void label_q(const zvModel *model, int index, Text *out);

/* "N m" or "N" for the force in a degree of freedom, and so on. */
const char *unit_of(const zvModel *model, int index, Quantity quantity);
/* Unit of the coordinates of a joint, "rad, m" when they differ. */
const char *joint_unit(zvJointType type);

#endif
