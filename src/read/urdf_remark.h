/* What looks like a slip in a URDF that can be read. */
#ifndef ZV_READ_URDF_REMARK_H
#define ZV_READ_URDF_REMARK_H

#include "read/urdf_value.h"

/* Leaves remarks in the builder about a robot that was read: misspelt elements and attributes, angles in degrees,
 * joints that should have limits. Fails only when memory runs out. */
zvStatus zv_urdf_remarks(const zvUrdf *urdf, const zvXmlElement *robot);

#endif
