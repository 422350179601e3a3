/* A scenario after reading: everything resolved to indices and objects. */
#ifndef ZI_SIMULATE_SCENARIO_H
#define ZI_SIMULATE_SCENARIO_H

#include "base/arena.h"
#include "zveno/document.h"
#include "zveno/simulate.h"

typedef enum ziEventKind {
    ZI_EVENT_LIMIT,     /* ratio q[q_index] + offset reaches value; side +1: from below, -1: from above */
    ZI_EVENT_PLANE,     /* normal . origin of the frame - value falls to zero */
    ZI_EVENT_THRESHOLD, /* an entry of a channel crosses value */
    ZI_EVENT_TIME       /* the time value comes */
} ziEventKind;

typedef enum ziEventAction {
    ZI_EVENT_RECORD,
    ZI_EVENT_STOP,
    ZI_EVENT_BOUNCE,
    ZI_EVENT_CLOSE, /* a loop */
    ZI_EVENT_OPEN
} ziEventAction;

typedef enum ziChannelKind {
    ZI_CHANNEL_Q,                /* nq */
    ZI_CHANNEL_V,                /* nv */
    ZI_CHANNEL_A,                /* nv */
    ZI_CHANNEL_TAU,              /* nv: the whole force in each joint */
    ZI_CHANNEL_STATES,           /* z: motors, integrals */
    ZI_CHANNEL_REFERENCE,        /* nv */
    ZI_CHANNEL_FORCES,           /* force of each account */
    ZI_CHANNEL_POWER,            /* power of each account, W */
    ZI_CHANNEL_WORK,             /* work of each account since the start, J */
    ZI_CHANNEL_ENERGY,           /* kinetic, potential, stored, work, gap: E(t) - E(0) - work; J */
    ZI_CHANNEL_MOMENTUM,         /* linear 3, angular about the world's origin 3 */
    ZI_CHANNEL_COM,              /* centre of mass 3 */
    ZI_CHANNEL_TERMS,            /* nv x 3: M a, C v, g */
    ZI_CHANNEL_REACTIONS,        /* 6 per joint; index: one joint, or -1 for all */
    ZI_CHANNEL_RESIDUAL,         /* gap and rate of each loop, lengths over the size of the robot */
    ZI_CHANNEL_LOOP_REACTIONS,   /* 6 per loop; index: one loop, or -1 for all */
    ZI_CHANNEL_CLOSED,           /* 1 for each loop that is closed, 0 where it is open */
    ZI_CHANNEL_LOOP_COORDINATES, /* of all loops, nq of their joints' types; 1 of a rod or coupling */
    ZI_CHANNEL_ELASTIC,          /* elastic coordinates of all links */
    ZI_CHANNEL_DEVIATION,        /* frame: where it is less where it would be with rigid links, world axes, 3 */
    ZI_CHANNEL_POSE,             /* frame: position 3, quaternion 4 (x y z w, continuous in sign) */
    ZI_CHANNEL_VELOCITY,         /* frame, world axes, 6 */
    ZI_CHANNEL_ACCELERATION,     /* frame, world axes, 6 */
    ZI_CHANNEL_KINDS
} ziChannelKind;

typedef struct ziChannelSpec {
    ziChannelKind kind;
    int index; /* frame, joint or loop, else -1 */
} ziChannelSpec;

/* How closed loops are kept closed beyond the accelerations. */
typedef enum ziStabilisation {
    ZI_STABILISE_PROJECTION, /* positions and velocities are closed after steps, for multistep methods in the rates */
    ZI_STABILISE_BAUMGARTE,  /* accelerations answer gaps and rates */
    ZI_STABILISE_NONE
} ziStabilisation;

/* Of a limit or plane, times 1 + |value|: how far from it rounding may have brought what touches it, rad or m. */
#define ZI_EVENT_TOUCH 1e-13

typedef struct ziEventSpec {
    const char *name;
    ziEventKind kind;
    ziEventAction action;
    double restitution; /* bounce, close: 0 ... 1 */
    int loop;           /* close, open; else -1 */
    double tolerance;   /* close: of its gap, as zv_loop_residual has it */
    double latch;       /* close with restitution: the rate at which it is caught, 1/s; above it is thrown back */
    bool here;          /* close: where it stands */
    int q_index, v_index, side;
    double ratio, offset; /* of a coupled follower; else 1 and 0 */
    int frame;
    double normal[3]; /* unit */
    ziChannelSpec channel;
    int entry;     /* of the channel */
    int direction; /* +1 rising, -1 falling, 0 both */
    double value;
} ziEventSpec;

/* A file that the scenario took something from: the model, a state, a table. */
typedef struct ziInput {
    const char *path;
    const struct ziInput *next;
} ziInput;

struct zvScenario {
    ziArena arena; /* texts and small arrays */
    char fingerprint[17];
    const char *title;
    const char *file;                 /* as given */
    const ziInput *inputs;            /* files besides it */
    const char *text;                 /* the scenario as read, for the recording */
    const char *changes;              /* "key=value" lines, may be empty */
    const char *model_text;           /* the model in native form, for the recording */
    const char *const *model_changes; /* of its file: "path=value" */
    int model_change_count;
    const char *model_file; /* absolute path of its file; NULL: written in place */
    zvModel *model;
    zvDrives *drives;
    double start, duration;
    double *q, *v, *z; /* initial state; motors_at_equilibrium: z is filled by the run */
    bool motors_at_equilibrium;
    bool at_rest;             /* the run begins at equilibrium, found from q and z as guesses */
    unsigned char *rest_held; /* (nv) what stays where it is meanwhile; NULL: nothing */
    int case_count;
    zvLoadCase *cases;
    ziStabilisation stabilisation;
    bool any_branch;     /* motions that nothing tells from others are taken */
    double feedback;     /* 1/s */
    bool feedback_given; /* else multistep methods find theirs in the motion */
    zvIntegrationOptions integration;
    const zvMethod *forward; /* how accelerations are found; NULL: as the library chooses */
    int event_count;
    ziEventSpec *events;
    int channel_count; /* without time, which always comes first */
    ziChannelSpec *channels;
    double interval;   /* between rows, s; 0: a row per step */
    bool ledger;       /* integrate the work of each account */
    double checkpoint; /* wall-clock s */
    const char *output;
};

/* Channels of a simulation: one table of kinds with their words, widths, labels and units. */

/* What the word of a channel in scenario files is followed by. */
typedef enum ziChannelOf { ZI_OF_NOTHING, ZI_OF_FRAME, ZI_OF_JOINT, ZI_OF_LOOP } ziChannelOf;

typedef struct ziChannelRow {
    const char *word;  /* "q", "tau", "pose" */
    const char *about; /* a sentence for the recording */
    ziChannelOf of;
} ziChannelRow;

extern const ziChannelRow zi_channel_rows[ZI_CHANNEL_KINDS];

/* Numbers per row; 0: nothing to show (no accounts, no states). */
int zi_channel_width(const zvScenario *scenario, ziChannelSpec spec);
/* Name ("q", "pose tool", "reactions elbow"), unit, width, labels and units, laid into the arena. Looks at model and
 * drives of the scenario only. Labels: joint names, with ".x" and so on for joints with several coordinates.
 * ZV_SCHEMA when there is nothing to show. */
zvStatus zi_channel_describe(const zvScenario *scenario, ziChannelSpec spec, ziArena *arena, zvChannel *channel,
                             zvError *error);

#endif
