/* URDF into a builder. */
#ifndef ZI_READ_URDF_H
#define ZI_READ_URDF_H

#include "zveno/builder.h"

/* Adds the robot in size bytes of URDF; name stands in marks and error texts. What is wrong in the text itself is
 * refused here; what is wrong in the robot (unknown links, loops, masses) is left to zv_check and freeze. */
zvStatus zi_urdf_read(zvBuilder *builder, const char *name, const char *bytes, size_t size, zvError *error);

#endif
