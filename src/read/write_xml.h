/* What the writers of URDF and MJCF share: a stream of XML, names that are made up, joints taken apart, and what a
 * format cannot say. */
#ifndef ZI_READ_WRITE_XML_H
#define ZI_READ_WRITE_XML_H

#include "base/arena.h"
#include "base/names.h"
#include "model/order.h"
#include "read/write.h"

typedef struct ziXmlWriter {
    ziEmitter out;
    const zvBuilder *builder;
    ziOrder order;
    ziArena texts;
    ziNames links, joints;         /* names that are taken: of links and frames, of joints and loops */
    int *first_shape, *next_shape; /* of each link, of each shape; -1: none */
    zvLossSink lost;
    void *lost_context;
    const char *format; /* "URDF", "MJCF" */
    int depth;          /* of the open element */
    bool open;          /* its start still takes attributes */
} ziXmlWriter;

/* Orders the links and takes all names; fails where there is no tree that could be frozen. */
zvStatus zi_xml_writer_begin(ziXmlWriter *w, const char *format, const zvBuilder *builder, zvTextSink sink,
                             void *context, zvLossSink lost, void *lost_context, zvError *error);
/* Frees what was kept; the first failure, or ZV_OK. */
zvStatus zi_xml_writer_end(ziXmlWriter *w);

void zi_xml_start(ziXmlWriter *w, const char *element);
void zi_xml_text(ziXmlWriter *w, const char *attribute, const char *text);
void zi_xml_values(ziXmlWriter *w, const char *attribute, const double *values, int count);
void zi_xml_value(ziXmlWriter *w, const char *attribute, double value);
void zi_xml_nonzero(ziXmlWriter *w, const char *attribute, double value); /* nothing for 0 */
void zi_xml_content(ziXmlWriter *w, double value);                        /* a number between the tags */
void zi_xml_end(ziXmlWriter *w, const char *element);
/* An element with one attribute. */
void zi_xml_one(ziXmlWriter *w, const char *element, const char *attribute, const char *text);

/* A name made of two, "NAME_PART", that is not taken yet, and is from now on; never NULL. */
const char *zi_xml_name(ziXmlWriter *w, ziNames *taken, const char *name, const char *part);

/* Memory that lives as long as the writer; NULL fails. */
void *zi_xml_keep(ziXmlWriter *w, size_t size);

/* Tells of a loss; dynamics: the motion is another without it. */
void zi_xml_lost(ziXmlWriter *w, bool dynamics, const char *what, const char *why, const char *repair);
/* Ends with ZV_NOT_SUPPORTED. */
void zi_xml_refuse(ziXmlWriter *w, const char *token, const char *why);

/* A joint as joints of one freedom that follow each other. */
typedef struct ziJointPart {
    const char *name;
    bool slides;
    double axis[3];   /* in the joint frame at q = 0; turned by the parts before it */
    const zvDof *dof; /* NULL: it follows the part before it */
} ziJointPart;

/* Number of parts, 0 of joints that have none (fixed, spherical, free). Refuses joints that cannot be taken apart. */
int zi_joint_parts(ziXmlWriter *w, const zvJoint *joint, ziJointPart parts[3]);
/* The numbers that all `count` freedoms share; what differs or has no place is told, and springs of quaternions where
 * they do not rest at 0. */
zvDof zi_joint_common(ziXmlWriter *w, const zvJoint *joint, int count);
/* Tells of gears that give way, matrices and what else no joint of XML has. */
void zi_joint_losses(ziXmlWriter *w, const zvJoint *joint);
/* Tells of springs and dampers of a loop, which no XML has. */
void zi_loop_losses(ziXmlWriter *w, const zvLoop *loop);
/* Tells of the elastic part of a link; its inertia as a rigid one. */
zvInertia zi_link_rigid(ziXmlWriter *w, const zvLink *link);

zvStatus zi_write_urdf(const zvBuilder *builder, zvTextSink sink, void *context, zvLossSink lost, void *lost_context,
                       zvError *error);
zvStatus zi_write_mjcf(const zvBuilder *builder, zvTextSink sink, void *context, zvLossSink lost, void *lost_context,
                       zvError *error);

#endif
