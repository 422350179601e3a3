/* The parts of a URDF robot: materials, links with their shapes, joints. */
#ifndef ZI_READ_URDF_PART_H
#define ZI_READ_URDF_PART_H

#include "read/urdf_value.h"

/* Notes the colours of all <material> definitions of a robot, in <robot> itself and in its visuals. */
zvStatus zi_urdf_collect_materials(ziUrdf *urdf, const ziXmlElement *robot);
/* The colour a <visual> asks for, by its own <color> or by the name of its material; shape->link is told about. */
zvStatus zi_urdf_visual_color(ziUrdf *urdf, const ziXmlElement *visual, zvShape *shape);

zvStatus zi_urdf_add_link(ziUrdf *urdf, const ziXmlElement *link);
/* One <visual> or <collision> of a link. */
zvStatus zi_urdf_add_shape(ziUrdf *urdf, const ziXmlElement *element, const char *link);
/* What an error in a shape or a colour means: a warning that it is left out where only the picture suffers, else the
 * error itself. kind and name are what the warning is about. */
zvStatus zi_urdf_leave_out(const ziUrdf *urdf, const ziXmlElement *element, const zvError *reason, const char *kind,
                           const char *name);
zvStatus zi_urdf_add_joint(ziUrdf *urdf, const ziXmlElement *joint);

#endif
