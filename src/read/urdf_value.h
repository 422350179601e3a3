/* What URDF elements are made of: named attributes, numbers, origins; with errors that point at them. */
#ifndef ZI_READ_URDF_VALUE_H
#define ZI_READ_URDF_VALUE_H

#include <stdbool.h>

#include "base/names.h"
#include "read/xml.h"
#include "zveno/builder.h"

/* One reading of one file. */
typedef struct ziUrdf {
    zvBuilder *builder;
    ziNames materials;   /* name -> index in colors */
    double (*colors)[4]; /* one per defined material */
    size_t ncolor, color_capacity;
    zvError *error;
} ziUrdf;

/* The only child of that name, or NULL in *child; a second one is refused. */
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

/* Where the name of an element stands, or the element itself. */
zvMark zi_urdf_mark(const ziXmlElement *element);

/* Where the value of an attribute stands; line 0 when there is none. */
zvSpot zi_urdf_spot(const ziXmlElement *element, const char *attribute);

#endif
