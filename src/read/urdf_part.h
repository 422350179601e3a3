/* The parts of a URDF robot: materials, links with their shapes, joints. */
#ifndef ZV_READ_URDF_PART_H
#define ZV_READ_URDF_PART_H

#include "read/urdf_value.h"

/* Notes the colours of all <material> definitions of a robot, in <robot> itself and in its visuals. */
zvStatus zv_urdf_collect_materials(zvUrdf *urdf, const zvXmlElement *robot);
/* The colour a <visual> asks for, by its own <color> or by the name of its material; shape->link is told about. */
zvStatus zv_urdf_visual_color(zvUrdf *urdf, const zvXmlElement *visual, zvShape *shape);

zvStatus zv_urdf_add_link(zvUrdf *urdf, const zvXmlElement *link);
/* One <visual> or <collision> of a link. */
zvStatus zv_urdf_add_shape(zvUrdf *urdf, const zvXmlElement *element, const char *link);
/* What an error in a shape or a colour means: a warning that it is left out where only the picture suffers, else the
 * error itself. kind and name are what the warning is about. */
zvStatus zv_urdf_leave_out(const zvUrdf *urdf, const zvXmlElement *element, const zvError *reason, const char *kind,
                           const char *name);
zvStatus zv_urdf_add_joint(zvUrdf *urdf, const zvXmlElement *joint);

#endif
