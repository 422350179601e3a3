/* What looks like a slip in a URDF that can be read. */
#ifndef ZI_READ_URDF_REMARK_H
#define ZI_READ_URDF_REMARK_H

#include "read/urdf_value.h"

/* Leaves remarks in the builder about a robot that was read: misspelt elements and attributes, angles in degrees,
 * joints that should have limits. Fails only when memory runs out. */
zvStatus zi_urdf_remarks(const ziUrdf *urdf, const ziXmlElement *robot);

#endif
