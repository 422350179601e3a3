/* Actuators of an MJCF file. On its length L (a coordinate, or a sum of them) an actuator with input u acts with
 *   force = (g0 + g1 L + g2 L') u + b0 + b1 L + b2 L',
 * cut off at its force range; the joint gets gear times that. */
#ifndef ZI_READ_MJCF_ACTUATOR_H
#define ZI_READ_MJCF_ACTUATOR_H

#include "read/mjcf.h"

enum { ZI_MJCF_ACTUATOR_TERMS = 256 };

typedef enum ziMjcfTransmission { ZI_MJCF_ON_JOINTS, ZI_MJCF_ON_SITE, ZI_MJCF_ON_NOTHING } ziMjcfTransmission;

typedef struct ziMjcfActuator {
    const ziXmlElement *element;
    const char *name;
    ziMjcfTransmission on;
    int site;
    double gear[6];
    double gain[3], bias[3];
    double damping_ratio;        /* of position actuators: gives b2 where it is above 0 */
    double control[2], force[2]; /* ranges; lower above upper: none */
    bool dynamic;                /* its input goes through a filter or an integrator */
    /* length = gear[0] (sum of ratio q + offset) over independent joints */
    ziMjcfTerm terms[ZI_MJCF_ACTUATOR_TERMS];
    int nterm;
    double offset;
    const char *why_not; /* it has no counterpart; NULL: it has one */
} ziMjcfActuator;

/* Reads one element of <actuator>. */
zvStatus zi_mjcf_actuator(ziMjcf *m, const ziXmlElement *element, ziMjcfActuator *actuator);

#endif
