/* Packages of ROS: folders that files name by the name of a package. */
#ifndef ZI_READ_PACKAGE_H
#define ZI_READ_PACKAGE_H

#include "zveno/builder.h"

/* The folder of a package, to be freed, or NULL: what the builder was told (zv_builder_set_package), else the nearest
 * folder of that name around the file or in a folder around it. */
char *zi_package_find(const zvBuilder *builder, const char *file, const char *name, size_t length);

#endif
