/* A scenario after reading: everything resolved to indices and objects. */
#ifndef ZV_SIMULATE_SCENARIO_H
#define ZV_SIMULATE_SCENARIO_H

#include "base/arena.h"
#include "zveno/document.h"
#include "zveno/simulate.h"

typedef enum zvEventKind {
    ZV_EVENT_LIMIT,    /* ratio q[q_index] + offset reaches value; side +1: from below, -1: from above */
    ZV_EVENT_PLANE,    /* normal . origin of the frame - value falls to zero */
    ZV_EVENT_THRESHOLD /* an entry of a channel crosses value */
} zvEventKind;

typedef enum zvEventAction { ZV_EVENT_RECORD, ZV_EVENT_STOP, ZV_EVENT_BOUNCE } zvEventAction;

typedef enum zvChannelKind {
    ZV_CHANNEL_Q,                /* nq */
    ZV_CHANNEL_V,                /* nv */
    ZV_CHANNEL_A,                /* nv */
    ZV_CHANNEL_TAU,              /* nv: the whole force in each joint */
    ZV_CHANNEL_STATES,           /* z: motors, integrals */
    ZV_CHANNEL_REFERENCE,        /* nv */
    ZV_CHANNEL_FORCES,           /* force of each account */
    ZV_CHANNEL_POWER,            /* power of each account, W */
    ZV_CHANNEL_WORK,             /* work of each account since the start, J */
    ZV_CHANNEL_ENERGY,           /* kinetic, potential, stored, work, gap: E(t) - E(0) - work; J */
    ZV_CHANNEL_MOMENTUM,         /* linear 3, angular about the world's origin 3 */
    ZV_CHANNEL_COM,              /* centre of mass 3 */
    ZV_CHANNEL_TERMS,            /* nv x 3: M a, C v, g */
    ZV_CHANNEL_REACTIONS,        /* 6 per joint; index: one joint, or -1 for all */
    ZV_CHANNEL_RESIDUAL,         /* gap and rate of each loop, lengths over the size of the robot */
    ZV_CHANNEL_LOOP_REACTIONS,   /* 6 per loop; index: one loop, or -1 for all */
    ZV_CHANNEL_LOOP_COORDINATES, /* of all loops, nq of their joints' types; 1 of a rod or coupling */
    ZV_CHANNEL_ELASTIC,          /* elastic coordinates of all links */
    ZV_CHANNEL_DEVIATION,        /* frame: where it is less where it would be with rigid links, world axes, 3 */
    ZV_CHANNEL_POSE,             /* frame: position 3, quaternion 4 (x y z w, continuous in sign) */
    ZV_CHANNEL_VELOCITY,         /* frame, world axes, 6 */
    ZV_CHANNEL_ACCELERATION,     /* frame, world axes, 6 */
    ZV_CHANNEL_KINDS
} zvChannelKind;

typedef struct zvChannelSpec {
    zvChannelKind kind;
    int index; /* frame, joint or loop, else -1 */
} zvChannelSpec;

/* How closed loops are kept closed beyond the accelerations. */
typedef enum zvStabilisation {
    ZV_STABILISE_PROJECTION, /* positions and velocities are closed after steps, for multistep methods in the rates */
    ZV_STABILISE_BAUMGARTE,  /* accelerations answer gaps and rates */
    ZV_STABILISE_NONE
} zvStabilisation;

/* Of a limit or plane, times 1 + |value|: how far from it rounding may have brought what touches it, rad or m. */
#define ZV_EVENT_TOUCH 1e-13

typedef struct zvEventSpec {
    const char *name;
    zvEventKind kind;
    zvEventAction action;
    double restitution; /* bounce: 0 ... 1 */
    int q_index, v_index, side;
    double ratio, offset; /* of a coupled follower; else 1 and 0 */
    int frame;
    double normal[3]; /* unit */
    zvChannelSpec channel;
    int entry;     /* of the channel */
    int direction; /* +1 rising, -1 falling, 0 both */
    double value;
} zvEventSpec;

/* A file that the scenario took something from: the model, a state, a table. */
typedef struct zvInput {
    const char *path;
    const struct zvInput *next;
} zvInput;

struct zvScenario {
    zvArena arena; /* texts and small arrays */
    char fingerprint[17];
    const char *title;
    const char *file;       /* as given */
    const zvInput *inputs;  /* files besides it */
    const char *text;       /* the scenario as read, for the recording */
    const char *changes;    /* "key=value" lines, may be empty */
    const char *model_text; /* the model in native form, for the recording */
    const char *model_file; /* absolute path of its file; NULL: written in place */
    zvModel *model;
    zvDrives *drives;
    double start, duration;
    double *q, *v, *z; /* initial state; motors_at_equilibrium: z is filled by the run */
    bool motors_at_equilibrium;
    zvStabilisation stabilisation;
    double feedback;     /* 1/s */
    bool feedback_given; /* else multistep methods find theirs in the motion */
    zvIntegrationOptions integration;
    int event_count;
    zvEventSpec *events;
    int channel_count; /* without time, which always comes first */
    zvChannelSpec *channels;
    double interval;   /* between rows, s; 0: a row per step */
    bool ledger;       /* integrate the work of each account */
    double checkpoint; /* wall-clock s */
    const char *output;
};

#endif
