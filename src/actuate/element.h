/* Inside a set of drives: elements, each with a row of functions for its kind, and what they claim of the set.
 *
 * One evaluation is three passes over the elements (accelerate.c, residual.c): `give` tells accelerations that are
 * known, `push` adds forces that are known, and, once the dynamics is solved, `conclude` tells what follows from the
 * motion: forces of prescribed motions and stuck joints, rates of rotors. A new kind of element is one file with its
 * row. */
#ifndef ZV_ACTUATE_ELEMENT_H
#define ZV_ACTUATE_ELEMENT_H

#include "actuate/freedom.h"
#include "base/arena.h"
#include "zveno/actuate.h"

typedef struct zvElement zvElement;
typedef struct zvEffortsDesk zvEffortsDesk;

/* The state an evaluation looks at, and where its answers go. */
typedef struct zvInstant {
    const zvDrives *drives;
    zvEfforts *out;
    zvWork *work;
    double t;
    const double *q, *v, *z;
    const unsigned char *modes;
} zvInstant;

/* All functions but claim may be NULL. */
typedef struct zvElementKind {
    const char *word;
    bool dissipates;
    bool refers; /* its law tells where its degrees of freedom should be */
    /* Takes accounts, stores and states from the set; false when out of memory. */
    bool (*claim)(zvDrives *drives, zvElement *element);
    void (*impose)(const zvDrives *drives, const zvElement *element, zvEffortsDesk *desk, double t, double *q,
                   double *v);
    void (*aim)(const zvElement *element, zvEfforts *out, double t); /* targets of loops */
    void (*give)(const zvElement *element, const zvInstant *now);
    zvStatus (*push)(const zvElement *element, const zvInstant *now);
    void (*conclude)(const zvElement *element, const zvInstant *now);
    void (*stored)(const zvDrives *drives, const zvElement *element, zvWork *work, const double *q, const double *z,
                   double *stored);
    /* z at rest; g is the gravity force, or NULL: do not carry it. */
    void (*initial)(const zvDrives *drives, const zvElement *element, const double *q, const double *v, const double *g,
                    double *z);
    void (*diagonal)(const zvDrives *drives, const zvElement *element, const double *v, double *stiffness,
                     double *damping);
} zvElementKind;

typedef struct zvSpringData {
    double stiffness, rest;
} zvSpringData;

typedef struct zvControlData {
    const double *kp, *ki, *kd, *limit; /* count each; limit: INFINITY where there is none */
    const double *yield;                /* count: 1/(ki T), rate of the integral per unit of force cut off */
    const int *integral;                /* count: entry of z, or -1 */
    bool motor_side, gravity;
} zvControlData;

typedef struct zvTaskData {
    zvTask task;
    double kp[6], kd[6], null_damping;
    const double *limit; /* count */
} zvTaskData;

typedef struct zvLoadData {
    int frame;
    zvAxes axes;
} zvLoadData;

typedef struct zvCouplerData {
    int from, to; /* frames */
    double stiffness, damping, length;
} zvCouplerData;

typedef struct zvElasticData {
    zvElasticPlace place;
    const double *K, *D; /* count x count; D NULL: undamped */
} zvElasticData;

typedef struct zvLoopData {
    int loop, row; /* row: of its target, where it has one */
    int nv;
    double stiffness[ZV_MAX_DOF], damping[ZV_MAX_DOF], rest[ZV_MAX_DOF];
} zvLoopData;

struct zvElement {
    const zvElementKind *kind;
    const char *name;
    const char *label; /* of the only degree of freedom, or of the joint that follows it; NULL: there are several */
    int count;
    const int *dofs;
    int account, store, state; /* the first of each; -1: none */
    zvLaw *law, *feedforward;  /* owned */
    zvRoute *route;            /* owned */
    union {
        zvSpringData spring;
        double damping;
        zvFriction friction;
        zvFlexibleJoint flexible;
        zvControlData control;
        zvTaskData task;
        zvLoadData load;
        zvCouplerData coupler;
        zvElasticData elastic;
        zvLoopData loop;
    } of;
};

/* A degree of freedom that can stick: all its stick-slip friction shares one mode. */
typedef struct zvStick {
    int dof;
    const char *name;
    double hold[2]; /* greatest friction against forward and backward motion from rest */
} zvStick;

typedef struct zvStore {
    const char *name;
} zvStore;

struct zvDrives {
    const zvModel *model;
    zvArena arena; /* names, lists, gains */
    int nv;
    zvFreedom *freedoms; /* nv */
    int *rotor;          /* nv: entry of z of the motor's angle, or -1 */
    int *stick;          /* nv: index into sticks, or -1 */
    bool *prescribed;    /* nv */
    bool *named;         /* nv, scratch of additions: all false */
    bool *aimed;         /* nloop: a law moves its target */
    zvElement *elements;
    zvAccount *accounts;
    zvStore *stores;
    zvDriveState *states;
    zvStick *sticks;
    size_t nelement, naccount, nstore, nstate, nstick;
    size_t element_room, account_room, store_room, state_room, stick_room;
    /* something pushes on frames; some task is controlled; some of them not with all degrees of freedom */
    bool has_loads, has_tasks, has_reduced;
    size_t nspot; /* frames that loads and couplers ask about */
};

/* The private part of zvEfforts. */
struct zvEffortsDesk {
    zvArena arena;
    double *known;         /* nv: force that does not follow from the motion */
    double *rotor;         /* nv: drive forces on rotors of flexible joints, link side */
    double *gravity;       /* nv, when gravity_known */
    bool gravity_known;    /* in this evaluation */
    double *x, *y;         /* nv, scratch of one element */
    double *law[3];        /* nv each, a law and its derivatives at one time */
    unsigned char *resets; /* nmode, scratch of settling */
    unsigned char *locked; /* nv, scratch: what is given to dynamics besides the evaluation itself */
    bool loose;            /* in this evaluation what sticks is let go, without friction */
    zvTaskWork *tasks;     /* NULL without task controllers */
    zvPose *poses;         /* nlink: of all links in this evaluation; NULL when few frames are asked about */
    double *velocities;    /* nlink x 6, likewise */
    double *J, *Y;         /* 6 x nv, scratch of reduced tasks, else NULL */
    double *hold;          /* nv, likewise */
};

static inline zvEffortsDesk *zv_efforts_desk(const zvEfforts *efforts) { return efforts->desk; }

/* Adding: fill kind, law, feedforward and route of an empty element; open checks name and degrees of freedom and lays
 * them into the set; close adds it, or, when status tells of a failure, gives back what it owns. */
zvStatus zv_drives_open(zvDrives *drives, zvElement *element, const char *name, int count, const int *dofs,
                        zvError *error);
zvStatus zv_drives_close(zvDrives *drives, zvElement *element, zvStatus status, zvError *error);

/* Checks of what an element is given; what names it: "stiffness". */
zvStatus zv_check_finite(const zvElement *element, const char *what, double value, zvError *error);
zvStatus zv_check_not_negative(const zvElement *element, const char *what, double value, zvError *error);
zvStatus zv_check_positive(const zvElement *element, const char *what, double value, zvError *error);
zvStatus zv_check_law(const zvElement *element, const char *what, const zvLaw *law, int width, zvError *error);
zvStatus zv_check_coordinate(const zvDrives *drives, const zvElement *element, int dof, zvError *error);
/* A copy of (count) gains, zeros for NULL. */
zvStatus zv_keep_gains(zvDrives *drives, const zvElement *element, const char *what, const double *gains, int count,
                       const double **kept, zvError *error);
/* The same of greatest forces, INFINITY for NULL. */
zvStatus zv_keep_limits(zvDrives *drives, const zvElement *element, const double *limit, const double **kept,
                        zvError *error);
static inline double zv_limited(double force, double limit) {
    return force > limit ? limit : force < -limit ? -limit : force;
}

/* Claims; NULL or false when out of memory. */
const char *zv_claim_name(zvDrives *drives, const zvElement *element, int k, const char *suffix);
bool zv_claim_accounts(zvDrives *drives, zvElement *element); /* one per degree of freedom */
bool zv_claim_account(zvDrives *drives, zvAccount account);
bool zv_claim_store(zvDrives *drives, const char *name);
bool zv_claim_state(zvDrives *drives, zvDriveState state);
bool zv_claim_stick(zvDrives *drives, int dof, const char *name, const double hold[2]);

/* The passes of an evaluation before and after the dynamics: given accelerations and known forces; what follows from
 * the motion. */
zvStatus zv_efforts_open(const zvInstant *now);
void zv_efforts_conclude(const zvInstant *now);

/* Entry k of an element exerts a force: on the link, */
void zv_push_link(const zvElement *element, const zvInstant *now, int k, double force);
/* or, where the joint is flexible, on the rotor. */
void zv_push_drive(const zvElement *element, const zvInstant *now, int k, double force);
/* Where a frame is and how it moves, world axes. With many loads and couplers one sweep tells it of all links. */
void zv_frame_now(const zvInstant *now, int frame, zvPose *pose, double velocity[6]);
/* zv_add_wrench to the external forces. */
void zv_push_frame(const zvInstant *now, int frame, const double wrench[6]);
/* g(q) (nv), worked out once in an evaluation; where loops are closed that of the element's degrees of freedom. NULL:
 * it cannot be found, and *status says why. */
const double *zv_gravity_now(const zvElement *element, const zvInstant *now, zvStatus *status);
/* Forces g (nv) in the degrees of freedom with desk->locked, which hold the machine at rest; 0 elsewhere. */
zvStatus zv_rest_force(const zvDrives *drives, zvEfforts *efforts, zvWork *work, const double *q, double *g);
/* given (nv): which degrees of freedom follow a law, stick, or are held by something outside the set. Whether any. */
bool zv_drives_lock(const zvDrives *drives, const zvEfforts *efforts, const unsigned char *modes, unsigned char *given);
/* Of a task control that may not use all degrees of freedom: forces (nv, zero where it may not push) that give the
 * task's rows the acceleration xdd. */
zvStatus zv_reduced_task_force(const zvElement *element, const zvInstant *now, const double *xdd, double *tau);

extern const zvElementKind zv_spring_kind, zv_damper_kind, zv_friction_kind, zv_flexible_kind, zv_torque_kind,
    zv_prescribed_kind, zv_pid_kind, zv_gravity_kind, zv_computed_torque_kind, zv_task_control_kind, zv_load_kind,
    zv_coupler_kind, zv_elastic_kind, zv_loop_kind, zv_loop_motion_kind;

/* One element for each elastic link of the model. */
zvStatus zv_add_elastic_links(zvDrives *drives, zvError *error);
/* One for each loop whose joint has springs or dampers. */
zvStatus zv_add_passive_loops(zvDrives *drives, zvError *error);

#endif
