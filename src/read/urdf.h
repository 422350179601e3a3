/* Reader of URDF: its values, elements and remarks. */
#ifndef ZI_READ_URDF_H
#define ZI_READ_URDF_H

#include <stdbool.h>

#include "base/names.h"
#include "read/xml.h"
#include "zveno/builder.h"

/* What URDF elements are made of: named attributes, numbers, origins; with errors that point at them. */

/* One reading of one file. */
typedef struct ziUrdf {
    zvBuilder *builder;
    ziNames materials;   /* name -> index in colors */
    double (*colors)[4]; /* one per defined material */
    size_t ncolor, color_capacity;
    const char *unexpanded;  /* why xacro has left an expression as it stands, or NULL */
    const char *kind, *name; /* what remarks are about: the link or joint that is being read */
    zvError *error;
} ziUrdf;

/* Leaves a remark on what is being read; why is a format. */
zvStatus zi_urdf_remark(const ziUrdf *urdf, zvSeverity severity, const char *rule, zvMark mark, const char *token,
                        const char *repair, const char *why, ...) __attribute__((format(printf, 7, 8)));

/* The first child of that name, or NULL. */
const ziXmlElement *zi_urdf_first(const ziXmlElement *element, const char *name);
/* The same in *child; a second one is remarked. */
zvStatus zi_urdf_child(const ziUrdf *urdf, const ziXmlElement *element, const char *name, const ziXmlElement **child);
/* The same, and a missing one is refused. */
zvStatus zi_urdf_need_child(const ziUrdf *urdf, const ziXmlElement *element, const char *name,
                            const ziXmlElement **child);

/* A name: a text that must be there and must not be empty. */
zvStatus zi_urdf_name(const ziUrdf *urdf, const ziXmlElement *element, const char *attribute, const char **value);
/* Exactly count numbers; a missing attribute leaves values as they are, unless needed. */
zvStatus zi_urdf_numbers(const ziUrdf *urdf, const ziXmlElement *element, const char *attribute, bool needed, int count,
                         double *values);
/* <origin xyz rpy> of an element; *pose stays as it is where there is none. */
zvStatus zi_urdf_origin(const ziUrdf *urdf, const ziXmlElement *element, zvPose *pose);
/* xyz with rpy or quat_xyzw of an element itself. */
zvStatus zi_urdf_pose(const ziUrdf *urdf, const ziXmlElement *origin, zvPose *pose);
/* One number: the text of an element, or its attribute "value". */
zvStatus zi_urdf_text_number(const ziUrdf *urdf, const ziXmlElement *element, double *value);
/* Whether an element says true or 1 (truth), or false or 0. */
bool zi_urdf_says(const ziXmlElement *element, bool truth);

/* Where the name of an element is, or the element itself. */
zvMark zi_urdf_mark(const ziXmlElement *element);

/* Where the value of an attribute is; line 0 when there is none. */
zvSpot zi_urdf_spot(const ziXmlElement *element, const char *attribute);

/* The parts of a URDF robot: materials, links with their shapes, joints. */

/* Notes the colours of all <material> definitions of a robot, in <robot> itself and in its visuals. */
zvStatus zi_urdf_collect_materials(ziUrdf *urdf, const ziXmlElement *robot);
/* The colour of a <visual>, by its own <color> or by the name of its material; remarks name shape->link. */
zvStatus zi_urdf_visual_color(ziUrdf *urdf, const ziXmlElement *visual, zvShape *shape);

zvStatus zi_urdf_add_link(ziUrdf *urdf, const ziXmlElement *link);
/* One <visual> or <collision> of a link. */
zvStatus zi_urdf_add_shape(ziUrdf *urdf, const ziXmlElement *element, const char *link);
/* What an error in a shape or a colour means: a warning that it is left out where only the picture suffers, else the
 * error itself. kind and name are what the warning is about. */
zvStatus zi_urdf_leave_out(const ziUrdf *urdf, const ziXmlElement *element, const zvError *reason, const char *kind,
                           const char *name);
/* <joint>, or Drake's <drake:joint>. */
zvStatus zi_urdf_add_joint(ziUrdf *urdf, const ziXmlElement *joint);
/* The type of a joint, or of one that closes a loop, in words of URDF. */
zvStatus zi_urdf_joint_type(const ziUrdf *urdf, const ziXmlElement *joint, zvJointType *type);
/* <axis xyz>, x unless given; a zero vector is refused, of what = "joint". */
zvStatus zi_urdf_axis(const ziUrdf *urdf, const ziXmlElement *element, const char *what, const char *name,
                      double xyz[3]);

/* What other tools add to URDF, after all links and joints: loops and couplings (URDF+, Drake's <loop_joint>), rotors
 * of transmissions as armatures, springs that Gazebo keeps for joints, the link "world" that Drake knows without its
 * being written. What changes the motion and has no place here is remarked. */
zvStatus zi_urdf_extensions(ziUrdf *urdf, const ziXmlElement *robot);
zvStatus zi_urdf_loops(ziUrdf *urdf, const ziXmlElement *robot);

/* What looks like a slip in a URDF that can be read. */

/* Leaves remarks in the builder about a robot that was read: misspelt elements and attributes, angles in degrees,
 * joints that should have limits. Fails only when memory runs out. */
zvStatus zi_urdf_remarks(const ziUrdf *urdf, const ziXmlElement *robot);

/* A word that does not belong in the element; near: what was probably meant, or NULL; place: the element that it
 * belongs in, or NULL; is_child: it is to be an element in that one. */
zvStatus zi_urdf_unknown_element(const ziUrdf *urdf, const ziXmlElement *element, const ziXmlElement *child,
                                 const char *near, const char *place);
zvStatus zi_urdf_unknown_attribute(const ziUrdf *urdf, const ziXmlElement *element, const ziXmlAttribute *attribute,
                                   const char *near, bool is_child);

/* The whole file. */

/* Adds the robot in size bytes of URDF; name is in marks and error texts. What is wrong in the text itself is
 * refused here; what is wrong in the robot (unknown links, loops, masses) is left to zv_check and freeze. */
zvStatus zi_urdf_read(zvBuilder *builder, const char *name, const char *bytes, size_t size, zvError *error);

#endif
