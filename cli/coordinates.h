/* Names and units of the coordinates and degrees of freedom of a model, for tables and error texts. */
#ifndef ZVENO_CLI_COORDINATES_H
#define ZVENO_CLI_COORDINATES_H

#include "text.h"
#include "zveno/model.h"

typedef enum Quantity {
    QUANTITY_POSITION = ZV_QUANTITY_POSITION,
    QUANTITY_VELOCITY = ZV_QUANTITY_VELOCITY,
    QUANTITY_ACCELERATION = ZV_QUANTITY_ACCELERATION,
    QUANTITY_FORCE = ZV_QUANTITY_FORCE,
    QUANTITY_MOMENTUM = ZV_QUANTITY_MOMENTUM
} Quantity;

/* Goes through the entries of q, or of v (and a, tau), in their order. */
typedef struct Entry {
    const zvModel *model;
    bool of_q;
    int joint; /* njoint: past the last entry */
    int part;  /* which of the joint's entries, or behind them of its link's elastic ones */
} Entry;

Entry entry_first(const zvModel *model, bool of_q);
Entry entry_at(const zvModel *model, bool of_q, int index);
void entry_next(Entry *entry);

/* "elbow", "root_joint.wx" and "root_joint.qw" for a joint with several entries, "boom.y1" for an elastic link. */
void entry_label(const Entry *entry, Text *out);
/* Of an entry of v: "N m" or "N" for the force in it, and so on. */
const char *entry_unit(const Entry *entry, Quantity quantity);
/* Of an entry of q: "rad", "m", or "1" in a quaternion. */
const char *entry_position_unit(const Entry *entry);
/* Names and units of the coordinates of a joint: "x, y [m], angle [rad]". */
const char *joint_coordinates(zvJointType type);

#endif
