/* Actuators of an MJCF file. On its length L (a coordinate, or a sum of them) an actuator with input u acts with
 *   force = (g0 + g1 L + g2 L') u + b0 + b1 L + b2 L',
 * cut off at its force range; the joint gets gear times that. */
#ifndef ZI_READ_MJCF_ACTUATOR_H
#define ZI_READ_MJCF_ACTUATOR_H

#include "read/mjcf.h"

enum { ZI_MJCF_ACTUATOR_TERMS = 256 };

typedef enum ziMjcfTransmission {
    ZI_MJCF_ON_JOINTS,
    ZI_MJCF_ON_BALL,
    ZI_MJCF_ON_SITE,
    ZI_MJCF_ON_NOTHING
} ziMjcfTransmission;

/* What stands between the input and the force: nothing, a filter of the first order, an integrator. */
typedef enum ziMjcfDynamics { ZI_MJCF_DIRECT, ZI_MJCF_FILTER, ZI_MJCF_INTEGRATOR } ziMjcfDynamics;

/* "limited" (0 no, 1 yes, 2 where there is a range) and "range". */
typedef struct ziMjcfBounds {
    int limited;
    double range[2];
} ziMjcfBounds;

typedef struct ziMjcfActuator {
    const ziXmlElement *element;
    const char *name;
    /* as written, classes included */
    int gain_type, bias_type, dynamic_type;
    ziMjcfBounds controls, forces, acts;
    double inherits, group;
    bool unknown; /* of a kind that is not modelled */
    /* what it adds to its joint */
    double armature, damping[3];
    /* what it does */
    double gear[6], gain[3], bias[3];
    double damping_ratio;                  /* of position actuators: gives b2 where it is above 0 */
    double control[2], force[2], state[2]; /* ranges; lower above upper: none */
    ziMjcfDynamics dynamics;
    double time;           /* constant of the filter */
    int states;            /* how many numbers it has in act; -1: unknown */
    bool delayed, passive; /* passive: a spring of a tendon */
    ziMjcfTransmission on;
    int site, joint; /* joint: a ball */
    /* length = gear[0] (sum of ratio q + offset) over independent joints */
    ziMjcfTerm terms[ZI_MJCF_ACTUATOR_TERMS];
    int nterm;
    double offset;
    ziMjcfTerm own[ZI_MJCF_ACTUATOR_TERMS]; /* the same over the joints that it names */
    int nown;
    const char *why_not; /* it has no counterpart; NULL: it has one */
} ziMjcfActuator;

/* The spring and damper of a tendon with several joints as an actuator; false: it has none. */
bool zi_mjcf_tendon_pull(ziMjcf *m, int tendon, ziMjcfActuator *actuator);
/* The same of a joint whose spring and damper are told by a time constant; inertia: what it refers to. */
bool zi_mjcf_joint_pull(ziMjcf *m, int joint, double inertia, ziMjcfActuator *actuator);
/* Reads one element of <actuator>. */
zvStatus zi_mjcf_actuator(ziMjcf *m, const ziXmlElement *element, ziMjcfActuator *actuator);

#endif
