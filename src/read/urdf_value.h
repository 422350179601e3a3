/* What URDF elements are made of: named attributes, numbers, origins; with errors that point at them. */
#ifndef ZV_READ_URDF_VALUE_H
#define ZV_READ_URDF_VALUE_H

#include <stdbool.h>

#include "base/names.h"
#include "read/xml.h"
#include "zveno/builder.h"

/* One reading of one file. */
typedef struct zvUrdf {
    zvBuilder *builder;
    zvNames materials;   /* name -> index in colors */
    double (*colors)[4]; /* one per defined material */
    size_t ncolor, color_capacity;
    zvError *error;
} zvUrdf;

/* The only child of that name, or NULL in *child; a second one is refused. */
zvStatus zv_urdf_child(const zvUrdf *urdf, const zvXmlElement *element, const char *name, const zvXmlElement **child);
/* The same, and a missing one is refused. */
zvStatus zv_urdf_need_child(const zvUrdf *urdf, const zvXmlElement *element, const char *name,
                            const zvXmlElement **child);

/* A name: a text that must be there and must not be empty. */
zvStatus zv_urdf_name(const zvUrdf *urdf, const zvXmlElement *element, const char *attribute, const char **value);
/* Exactly count numbers; a missing attribute leaves values as they are, unless needed. */
zvStatus zv_urdf_numbers(const zvUrdf *urdf, const zvXmlElement *element, const char *attribute, bool needed, int count,
                         double *values);
/* <origin xyz rpy> of an element; *pose stays as it is where there is none. */
zvStatus zv_urdf_origin(const zvUrdf *urdf, const zvXmlElement *element, zvPose *pose);

/* Where the name of an element stands, or the element itself. */
zvMark zv_urdf_mark(const zvXmlElement *element);

/* Where the value of an attribute stands; line 0 when there is none. */
zvSpot zv_urdf_spot(const zvXmlElement *element, const char *attribute);

#endif
