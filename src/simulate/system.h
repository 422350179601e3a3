/* The scenario as f(t, y): the only bridge between robots and integrators.
 *
 *   y = (q, v, z, work of each account)
 *
 * work is there only when the scenario keeps a ledger. Elastic coordinates of links are among q and v. */
#ifndef ZI_SIMULATE_SYSTEM_H
#define ZI_SIMULATE_SYSTEM_H

#include "simulate/scenario.h"

typedef struct ziEventSet ziEventSet;

enum { ZI_LOOP_WARNING = 768 }; /* bytes of a text about loops */

typedef struct ziSystem {
    const zvScenario *scenario;
    const zvModel *model;
    const zvDrives *drives;
    int nq, nv, nz, nw;            /* lengths of the parts of y */
    int at_v, at_z, at_work, size; /* where they begin; length of y */
    zvWork *work;
    zvEfforts *efforts;
    unsigned char *modes; /* of stick-slip friction */
    double horizon;       /* the next break of a law: from it on laws are taken just before it */
    /* What zvOde.events calls, set by whoever has events; the system knows nothing else of them. */
    int (*events)(ziEventSet *event_set, double t, const double *y, double *g);
    ziEventSet *event_set;
    unsigned char *held; /* (nv) degrees of freedom that rest on a stop; the efforts look at it */

    /* The state last placed: q and v as imposed by laws, z and work of that y. */
    double t, *q, *v;
    const double *z, *done;

    /* Of all links at that state, when many frames are looked at; else NULL. */
    zvPose *poses;
    double *velocities; /* (nlink x 6) */
    bool links_known;

    zvStatus trouble; /* of the last evaluation that failed */
    double trouble_t;
    long damped; /* evaluations in which a task controller was damped */

    /* Closed loops. */
    bool loops, closes;           /* there are some; positions and velocities are projected onto them */
    bool careful;                 /* rates are those of the nearest closed state: methods that choose their steps */
    double pull;                  /* of multistep methods: y is drawn to it, 1/s; at rest */
    double *swiftness;            /* (nv) factors that make rates, 1/s, of velocities; zero: the pull stays */
    unsigned char *locked;        /* (nv) scratch of closing */
    unsigned char *open;          /* (nloop) 1: open now; the efforts look at it */
    double *offsets;              /* (rows) gaps that count as closed; likewise */
    double worst_gap, worst_rate; /* residuals of what was looked at after steps, the largest so far */
    zvSingularity singular;       /* the last evaluation near a singular position: how near, when and where */
    double singular_t, *singular_q;
    bool singular_fresh; /* seen since the last step that was taken */
    bool guessed;        /* the motion has left a position that several motions go on from, by one of them */
    int *signs;          /* (njoint) scratch: joints of a loop */
    char *loop_warning;  /* what the first of those that matter has to tell; empty: nothing */

    unsigned char *is_position;
    bool z_moves;    /* some entry of z is a position */
    double *scale;   /* factors of atol */
    double *tangent; /* (nv) of gears, where their motors stand */
    double *stiffness, *damping, *augment, *buffer, *apart,
        *q_near;               /* of the preconditioner and the iteration matrix */
    unsigned char *given;      /* (nv) likewise */
    double gamma;              /* of augment */
    double *mass, *factors;    /* (nv x nv) at q_near, and of mass + augment; NULL: sweeps do */
    bool factored;             /* factors are those of now */
    zvStructure structure;     /* of structural methods */
    const zvMethod *assembled; /* row of forward dynamics of its global matrix */
    int *coordinate;           /* (nv) index into q, or -1 */
    double *stored;            /* (stores) of energy */
    int floats; /* first degree of freedom of the base when nothing pushes the machine from outside, else -1 */
    int base_link,
        base_q; /* then: its link and first coordinate; what these move the centre of mass by, and the mass */
    double base_axes[3][3], total_mass;
    bool base_known; /* in this step: momenta of unit turns of the base, and its pose */
    double turns[3][6];
    zvPose base;
    ziArena arena;
} ziSystem;

ziSystem *zi_system_create(const zvScenario *scenario, zvError *error);
void zi_system_destroy(ziSystem *system);
/* Context is the system; event_count is filled in by whoever knows the events. */
zvOde zi_system_ode(ziSystem *system);

/* y as the scenario says, nothing settled; q (nq), unless NULL, instead of its position, motors with it. */
zvStatus zi_system_guess(ziSystem *system, const double *q, double *y);
/* y and modes at the start of the scenario. */
zvStatus zi_system_begin(ziSystem *system, double *y, zvError *error);
/* Modes that fit the velocities in y, after a jump. */
zvStatus zi_system_settle(ziSystem *system, double t, double *y, zvError *error);
/* The clock of laws: t, but before the horizon, so that a step up to a break does not see what comes after it. */
double zi_system_clock(const ziSystem *system, double t);
/* Puts laws, sticking and stops into q and v. */
void zi_system_impose(ziSystem *system, double t, double *q, double *v);
/* Places q, v, z and work of y in the system as they stand. */
void zi_system_copy(ziSystem *system, double t, const double *y);
/* The same with laws imposed; nothing is normalised. */
void zi_system_place(ziSystem *system, double t, const double *y);
/* The same as it is to be looked at: quaternions of unit length, laws imposed, loops closed. */
void zi_system_show(ziSystem *system, double t, const double *y);
/* Where a frame is and how it moves at the state placed, world axes; velocity (6) may be NULL. */
void zi_system_frame(ziSystem *system, int frame, zvPose *pose, double *velocity);
/* Forces and accelerations of the state placed, in system->efforts. */
zvStatus zi_system_accelerate(ziSystem *system);
/* What a callback answers when that fails: 1, or -1 when a function of the program has stopped the run. */
int zi_system_refusal(const ziSystem *system);
/* An energy that the machine can be expected to exchange, J: what it has at the state shown, and has when all
 * velocities are one. */
double zi_system_energy_scale(ziSystem *system);
/* Whether no position near y, or from fresh guesses, closes the loops at t; then why says which loop keeps a gap. */
bool zi_system_is_stuck(ziSystem *system, double t, const double *y, zvError *why);
/* Notes the residual of the state shown, and what there is to tell of a singular position that was passed. */
void zi_system_look_at_loops(ziSystem *system);

/* loop_warning.c: tells the efforts how many conditions of the loops that are closed now repeat others at any position
 * near q (nq), which may be the system's, with and without what motions lead. Spoils the state placed. */
void zi_system_count_redundant(ziSystem *system, const double *q);
/* Keeps the state last evaluated if its loops are near a singular position. */
void zi_system_note_singular(ziSystem *system);
/* The loop, the time and the position of the last one: `loop "close", t = 3.14 s, crank = 0 rad, ...`; false when it
 * was before `since`. */
bool zi_system_tell_singular(const ziSystem *system, double since, char *text, size_t size);
/* Forgets what was noted and looks at the state y of time t alone. */
void zi_system_look_singular(ziSystem *system, double t, const double *y);
/* Refuses velocities of y, at the start of a run in a singular position, that lie along no motion of the loops. */
zvStatus zi_system_check_branch(ziSystem *system, double t, const double *y, zvError *error);
/* After a step: whether it passed one that cannot be resolved, or without projection. */
void zi_system_judge_singular(ziSystem *system);

/* system_stiff.c: residual and reduced iteration matrix. */
zvStructure zi_system_structure(const ziSystem *system);

/* conserved.c. Finds floats and total_mass; what energy-momentum asks of the structure. */
void zi_system_find_floating(ziSystem *system);
void zi_system_conserved(zvStructure *structure);

/* The rotor of a flexible joint, on the link side: theta and its rate are the entries state and state + 1 of z. */
typedef struct ziRotor {
    int dof, state;
    double J, k, d, b; /* inertia; stiffness and damping of the joint; damping of the motor */
} ziRotor;

/* system_stiff.c: P near 1 - gamma df/dy; whether it keeps the factors of a matrix. */
bool zi_system_wants_matrix(const ziSystem *system);
int zi_system_prepare(void *context, double t, const double *y, double gamma);
int zi_system_precondition(void *context, double t, const double *y, double gamma, const double *r, double *x);

/* impact.c. Jumps of velocity: impacts, and prescribed motions whose velocity breaks. Forces of springs, friction and
 * gravity are finite and have no part in them; degrees of freedom that follow a law keep to it. */

typedef struct ziJump {
    ziSystem *system;
    unsigned char *given;             /* (nv) */
    double *tau, *with, *without, *v; /* (nv) each */
    double *aims;                     /* (nloop x 3) of zvClosing */
} ziJump;

bool zi_jump_create(ziJump *jump, ziSystem *system);

/* Passes the break of a law at t: moves the horizon to the next one. Where prescribed velocities jump, of joints or of
 * what loops keep, the others follow by the impulse there. y becomes the state after it. */
zvStatus zi_jump_pass(ziJump *jump, double t, double *y, zvError *error);

/* Where a prescribed position jumps, which no impulse can bring about. */
typedef struct ziPositionJump {
    int motion, dof;    /* the how-manieth motion of the set, from 0; degree of freedom, or -1 */
    int loop;           /* then the loop */
    bool places, turns; /* of a pose: its position, its orientation */
    double t, from, to;
} ziPositionJump;

/* Looks at the breaks within the run, at most ten thousand of each motion; buffer is (2 nv). */
bool zi_jump_of_motions(const zvScenario *scenario, double *buffer, ziPositionJump *jump);

#endif
