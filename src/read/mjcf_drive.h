/* Inside the scenario of an MJCF file: what its parts share, and its drives. */
#ifndef ZI_READ_MJCF_DRIVE_H
#define ZI_READ_MJCF_DRIVE_H

#include "read/mjcf_actuator.h"
#include "read/write.h"

typedef struct ziMjcfScenario {
    ziMjcf m;
    ziEmitter out;
    zvLossSink lost;
    void *lost_context;
    const ziXmlElement *key; /* NULL: the file has none */
    double *qpos, *qvel, *ctrl, *act;
    double *inverse; /* of M where all joints are as written, by joint; NULL: no damping ratio and no time constant
                        needs it */
    bool has_ratios;
    int actuators, states; /* of ctrl and act; states -1: unknown, since some actuators are not modelled */
    bool saturates;
    bool begun; /* the list that is being written has an item */
    ziNames drives;
} ziMjcfScenario;

void zi_mjcf_lose(ziMjcfScenario *w, const ziXmlElement *e, const char *name, const char *why);
/* Begins an item of a list, and the list with its first one: an empty one is none. */
void zi_mjcf_put_item(ziMjcfScenario *w, const char *list);
/* Counts actuators and their states. */
zvStatus zi_mjcf_count_drives(ziMjcfScenario *w);
/* Actuators and tendons one after the other: thrusters, which are loads, or all others. */
zvStatus zi_mjcf_put_drives(ziMjcfScenario *w, bool thrusters);

#endif
