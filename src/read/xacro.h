/* Expansion of xacro, the macro language of ROS: the common subset. */
#ifndef ZI_READ_XACRO_H
#define ZI_READ_XACRO_H

#include "read/expression.h"
#include "read/xml.h"
#include "zveno/builder.h"

typedef struct ziXacro ziXacro; /* what an expanded tree lives in */

/* Whether a tree has anything to expand. */
bool zi_xacro_wanted(const ziXmlElement *root);
/* Expands a whole file into *expanded, which lives as long as *xacro. Calls of macros that are defined nowhere and
 * expressions without a value are left as they stand: *left is the reason of the first, or NULL. */
zvStatus zi_xacro_expand(zvBuilder *builder, const ziXmlElement *root, const ziXmlElement **expanded, const char **left,
                         ziXacro **xacro, zvError *error);
void zi_xacro_destroy(ziXacro *xacro);

#endif
