/* Angles that were probably written in degrees. */
#ifndef ZI_READ_DEGREES_H
#define ZI_READ_DEGREES_H

#include "zveno/builder.h"

/* Leaves a remark when one of roll, pitch, yaw is more than a whole turn. kind and name say what they belong to; mark
 * is where they stand. */
zvStatus zi_degrees_remark(zvBuilder *builder, const char *kind, const char *name, zvMark mark, const double rpy[3],
                           zvError *error);

#endif
