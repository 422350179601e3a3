/* Inside a set of drives: elements, each with a row of functions for its kind, and what they claim of the set.
 *
 * One evaluation is three passes over the elements (accelerate.c): `give` tells accelerations that are
 * known, `push` adds forces that are known, and, once the dynamics is solved, `conclude` tells what follows from the
 * motion: forces of prescribed motions and stuck joints, rates of rotors. A new kind of element is one row with
 * its functions, in the file of its family (joint_elements.c, motor_elements.c, frame_elements.c, loop_elements.c,
 * controllers.c, gravity.c). */
#ifndef ZI_ACTUATE_ELEMENT_H
#define ZI_ACTUATE_ELEMENT_H

#include "base/arena.h"
#include "loops/passive.h"
#include "model/joint_spring.h"
#include "zveno/actuate.h"
#include "zveno/model.h"

typedef struct ziElement ziElement;
typedef struct ziEffortsScratch ziEffortsScratch;

/* Degrees of freedom as elements see them: name, units, and the coordinate whose rate they are. */
typedef struct ziFreedom {
    const char *label; /* "elbow", "wrist.angle2" */
    int coordinate;    /* entry of q with q' = v; -1 for spherical and free joints */
    bool elastic;      /* of a link, not of a joint */
    const char *position_unit, *rate_unit, *force_unit, *integral_unit;
} ziFreedom;

/* The state an evaluation looks at, and where its answers go. */
typedef struct ziInstant {
    const zvDrives *drives;
    zvEfforts *out;
    zvWork *work;
    double t;
    const double *q, *v, *z;
    const unsigned char *modes;
} ziInstant;

/* All functions but claim may be NULL. */
typedef struct ziElementKind {
    const char *word;
    bool dissipates;
    bool actuates; /* a drive, whose force effort limits bound */
    bool refers;   /* its law tells where its degrees of freedom should be */
    /* Takes accounts, stores and states from the set; false when out of memory. */
    bool (*claim)(zvDrives *drives, ziElement *element);
    void (*impose)(const zvDrives *drives, const ziElement *element, ziEffortsScratch *scratch, double t, double *q,
                   double *v);
    void (*aim)(const ziElement *element, zvEfforts *out, double t); /* targets of loops */
    void (*give)(const ziElement *element, const ziInstant *now);
    zvStatus (*push)(const ziElement *element, const ziInstant *now);
    void (*react)(const ziElement *element, const ziInstant *now); /* pushes by what all drives have given */
    void (*conclude)(const ziElement *element, const ziInstant *now);
    void (*stored)(const zvDrives *drives, const ziElement *element, zvWork *work, const double *q, const double *v,
                   const double *z, double *stored);
    /* z at rest; g is the gravity force, or NULL: do not carry it. */
    void (*initial)(const zvDrives *drives, const ziElement *element, const double *q, const double *v, const double *g,
                    double *z);
    void (*diagonal)(const zvDrives *drives, const ziElement *element, const double *q, const double *v,
                     const double *z, double *stiffness, double *damping);
} ziElementKind;

typedef struct ziSpringData {
    double stiffness, rest;
} ziSpringData;

typedef struct ziMotorData {
    zvFlexibleJoint gear;
    int joint; /* of the model, when the rotor has an axis of its own; -1: it has none */
} ziMotorData;

typedef struct ziControlData {
    const double *kp, *ki, *kd; /* count each */
    const double *yield;        /* count: 1/(ki T), rate of the integral per unit of force cut off */
    const int *integral;        /* count: entry of z, or -1 */
    bool motor_side, gravity;
} ziControlData;

typedef struct ziTendonData {
    const double *ratios;        /* count */
    double kp, kd, lower, upper; /* infinite where there is no limit */
} ziTendonData;

typedef struct ziTaskData {
    zvTask task;
    double kp[6], kd[6], null_damping;
} ziTaskData;

typedef struct ziLoadData {
    int frame;
    zvAxes axes;
} ziLoadData;

typedef struct ziCouplerData {
    int from, to; /* frames */
    double stiffness, damping, length;
} ziCouplerData;

typedef struct ziElasticData {
    zvElasticPlace place;
    const double *K, *D; /* count x count; D NULL: undamped */
} ziElasticData;

typedef struct ziModalData {
    const double *D; /* count x count */
} ziModalData;

typedef struct ziLoopData {
    int loop, row;                /* row: of its target, where it has one */
    const ziLoopPassive *passive; /* NULL: a motion */
} ziLoopData;

typedef struct ziMatrixData {
    const ziJointSpring *spring;
    int q, v;     /* of a joint: where its coordinates begin */
    int from, to; /* of a bushing: frames */
} ziMatrixData;

typedef struct ziPoseData {
    bool places, turns; /* what the route leads */
    int at_p, at_turn;  /* position and quaternion in q */
    int at_v, at_w;     /* their velocities */
} ziPoseData;

typedef struct ziFunctionData {
    int number;      /* among the functions of the set */
    int held;        /* where its forces stand among those held */
    double interval; /* s; 0: asked in every evaluation */
} ziFunctionData;

struct ziElement {
    const ziElementKind *kind;
    const char *name;
    const char *label; /* of the only degree of freedom, or of the joint that follows it; NULL: there are several */
    int count;
    const int *dofs;
    const double *limit;       /* count, of controllers: greatest forces, INFINITY where there is none; NULL: no such */
    int account, store, state; /* the first of each; -1: none */
    zvLaw *law, *feedforward;  /* owned */
    zvRoute *route;            /* owned */
    union {
        ziSpringData spring;
        double damping;
        zvFriction friction;
        ziMotorData motor;
        ziControlData control;
        ziTendonData tendon;
        ziTaskData task;
        ziLoadData load;
        ziCouplerData coupler;
        ziElasticData elastic;
        ziLoopData loop;
        ziModalData modal;
        ziPoseData pose;
        ziMatrixData matrix;
        ziFunctionData function;
    } of;
};

/* A degree of freedom that can stick: all its stick-slip friction shares one mode. */
typedef struct ziStick {
    int dof;
    const char *name;
    double hold[2]; /* greatest friction against forward and backward motion from rest */
} ziStick;

typedef struct ziStore {
    const char *name;
} ziStore;

struct zvDrives {
    const zvModel *model;
    ziArena arena; /* names, lists, gains */
    int nv;
    ziFreedom *freedoms; /* nv */
    int *rotor;          /* nv: entry of z of the motor's angle, or -1 */
    int *stick;          /* nv: index into sticks, or -1 */
    bool *prescribed;    /* nv */
    bool *driven;        /* nv: drives act on it */
    double *saturation;  /* nv: greatest force of its drives together; INFINITY: none */
    bool *named;         /* nv, scratch of additions: all false */
    bool *aimed;         /* nloop: a law moves its target */
    int *group;          /* nv: the same number for those whose loops hang together, -1: on no loop */
    ziElement *elements;
    zvAccount *accounts;
    ziStore *stores;
    zvDriveState *states;
    ziStick *sticks;
    size_t nelement, naccount, nstore, nstate, nstick;
    size_t element_capacity, account_capacity, store_capacity, state_capacity, stick_capacity;
    /* something pushes on frames; some task is controlled; some of them not with all degrees of freedom */
    bool has_loads, has_tasks, has_reduced;
    int nfunction, nheld; /* functions of the program, and all their forces */
    size_t nspot;         /* frames that loads and couplers ask about */
};

typedef struct ziBoundFunction {
    zvDriveFunction function; /* NULL: not set */
    void *context;
} ziBoundFunction;

/* A change of one input of an evaluation, by which linear models find what inputs do (perturbation.c). */
typedef enum ziPerturbed {
    ZI_PERTURB_LAW,   /* entry `index` of the element's law, or of one of its derivatives */
    ZI_PERTURB_DRIVE, /* a force beside the drives of the degree of freedom `index`: on its rotor where it has one */
    ZI_PERTURB_JOINT, /* a force on the link that the degree of freedom `index` moves */
    ZI_PERTURB_FRAME  /* component `order` of a force and moment at the frame `index`, world axes */
} ziPerturbed;

typedef struct ziPerturbation {
    ziPerturbed what;
    const ziElement *element;
    int index, order; /* order of a law: 0 its value, 1 and 2 the derivatives */
    double size;
} ziPerturbation;

/* The private part of zvEfforts. */
struct ziEffortsScratch {
    ziArena arena;
    const ziPerturbation *perturbation; /* NULL: none */
    double *fext;                       /* external forces of a set that has none of its own; NULL until wanted */
    double *known;                      /* nv: force that does not follow from the motion */
    double *rotor;                      /* nv: drive forces on rotors of flexible joints, link side */
    double *demand;                     /* nv: what drives ask for, before saturation */
    double *cut;                        /* nv: what their own limits cut off before */
    double *gravity;                    /* nv, when gravity_known */
    bool gravity_known;                 /* in this evaluation */
    double *x, *y;                      /* nv, scratch of one element */
    double *law[3];                     /* nv each, a law and its derivatives at one time */
    unsigned char *resets;              /* nmode, scratch of settling */
    unsigned char *touched;             /* nloop, scratch of gravity compensation */
    unsigned char *locked;              /* nv, scratch: what is given to dynamics besides the evaluation itself */
    bool loose;                         /* in this evaluation what sticks is let go, without friction */
    zvTaskWork *tasks;                  /* NULL without task controllers */
    zvPose *poses;              /* nlink: of all links in this evaluation; NULL when few frames are asked about */
    double *velocities;         /* nlink x 6, likewise */
    ziBoundFunction *functions; /* nfunction */
    double *held;               /* nheld: forces that functions gave last */
    double *J, *Y;              /* 6 x nv, scratch of reduced tasks, else NULL */
    double *hold;               /* nv, likewise */
};

static inline ziEffortsScratch *zi_efforts_scratch(const zvEfforts *efforts) { return efforts->scratch; }

/* Adding: fill kind, law, feedforward and route of an empty element; open checks name and degrees of freedom and lays
 * them into the set; close adds it, or, when status tells of a failure, gives back what it owns. */
zvStatus zi_drives_open(zvDrives *drives, ziElement *element, const char *name, int count, const int *dofs,
                        zvError *error);
zvStatus zi_drives_close(zvDrives *drives, ziElement *element, zvStatus status, zvError *error);

/* Checks of what an element is given; what names it: "stiffness". */
zvStatus zi_check_finite(const ziElement *element, const char *what, double value, zvError *error);
zvStatus zi_check_not_negative(const ziElement *element, const char *what, double value, zvError *error);
zvStatus zi_check_positive(const ziElement *element, const char *what, double value, zvError *error);
zvStatus zi_check_law(const ziElement *element, const char *what, const zvLaw *law, int width, zvError *error);
zvStatus zi_check_coordinate(const zvDrives *drives, const ziElement *element, int dof, zvError *error);
/* A copy of (count) gains, zeros for NULL. */
zvStatus zi_keep_gains(zvDrives *drives, const ziElement *element, const char *what, const double *gains, int count,
                       const double **kept, zvError *error);
/* The same of greatest forces, INFINITY for NULL. */
zvStatus zi_keep_limits(zvDrives *drives, const ziElement *element, const double *limit, const double **kept,
                        zvError *error);
static inline double zi_limited(double force, double limit) {
    return force > limit ? limit : force < -limit ? -limit : force;
}

/* Claims; NULL or false when out of memory. */
const char *zi_claim_name(zvDrives *drives, const ziElement *element, int k, const char *suffix);
bool zi_claim_accounts(zvDrives *drives, ziElement *element); /* one per degree of freedom */
bool zi_claim_account(zvDrives *drives, zvAccount account);
bool zi_claim_store(zvDrives *drives, const char *name);
bool zi_claim_state(zvDrives *drives, zvDriveState state);
bool zi_claim_stick(zvDrives *drives, int dof, const char *name, const double hold[2]);

/* Entry k of an element exerts a force: on the link, */
void zi_push_link(const ziElement *element, const ziInstant *now, int k, double force);
/* or, where the joint is flexible, on the rotor. */
void zi_push_drive(const ziElement *element, const ziInstant *now, int k, double force);
/* The same as far as the limit of the element goes. */
void zi_push_limited(const ziElement *element, const ziInstant *now, int k, double force);
/* Where a frame is and how it moves, world axes. With many loads and couplers one sweep tells it of all links. */
void zi_frame_now(const ziInstant *now, int frame, zvPose *pose, double velocity[6]);
/* zv_add_wrench to the external forces. */
void zi_push_frame(const ziInstant *now, int frame, const double wrench[6]);
/* Forces g (nv) that hold the machine at rest by the degrees of freedom with 1 in scratch->locked, which is spent;
 * entries of others mean nothing. ZV_SINGULAR: those do not hold it. */
zvStatus zi_rest_force(const zvDrives *drives, zvEfforts *efforts, zvWork *work, const double *q, double *g);
/* The forces (nv) of gravity compensation, of all elements together. NULL: there are none, and *status says why. */
const double *zi_gravity_now(const ziInstant *now, zvStatus *status);
/* The groups of a new set; false when out of memory. */
bool zi_drives_group(zvDrives *drives);
/* The first half of an evaluation: forces that are known without the dynamics, and what drives ask for. */
zvStatus zi_drives_push(const zvDrives *drives, zvEfforts *efforts, zvWork *work, double t, const double *q,
                        const double *v, const double *z, const unsigned char *modes);
/* zv_drives_residual; a NULL: nothing accelerates, what follows a law neither. */
zvStatus zi_drives_balance(const zvDrives *drives, zvEfforts *efforts, zvWork *work, double t, const double *q,
                           const double *v, const double *z, const unsigned char *modes, const double *a,
                           double *residual);
/* What sticks is let go, without friction, in the evaluations to come; or no more. */
static inline void zi_efforts_loosen(zvEfforts *efforts, bool loose) { zi_efforts_scratch(efforts)->loose = loose; }
/* The forces at the last evaluation that did not follow from the motion (nv). */
static inline const double *zi_efforts_known(const zvEfforts *efforts) { return zi_efforts_scratch(efforts)->known; }
bool zi_drives_act_on(const zvDrives *drives, int dof);
bool zi_drives_saturate_at(const zvDrives *drives, int dof);
/* The sum of the limits that the drives of a degree of freedom have themselves; INFINITY when one has none. */
double zi_drives_own_limit(const zvDrives *drives, int dof);
/* At the last evaluation: what these limits cut off. */
double zi_efforts_cut(const zvEfforts *efforts, int dof);
/* given (nv): which degrees of freedom follow a law, stick, or are held by something outside the set. Whether any. */
bool zi_drives_lock(const zvDrives *drives, const zvEfforts *efforts, const unsigned char *modes, unsigned char *given);

/* An evaluation without the dynamics: forces, and rates of z for accelerations a (nv) that are assumed. */
zvStatus zi_drives_act(const zvDrives *drives, zvEfforts *efforts, zvWork *work, double t, const double *q,
                       const double *v, const double *z, const unsigned char *modes, const double *a);
/* The law of an element at t with its derivatives, which may be NULL, as perturbed. */
void zi_element_law(const ziElement *element, const ziEffortsScratch *scratch, double t, double *x, double *dx,
                    double *ddx);
/* Forces of the perturbation, if there is one, into those of the evaluation. */
void zi_push_perturbation(const ziInstant *now);
/* Sets (or, NULL, ends) the perturbation of the evaluations that follow; false when out of memory. */
bool zi_efforts_perturb(const zvDrives *drives, zvEfforts *efforts, const ziPerturbation *perturbation);

/* Of all prescribed motions: accounts, and that nothing else leads the same; the forces that they needed; one law per
 * degree of freedom and none that a rotor drives. */
bool zi_prescribed_claim(zvDrives *drives, ziElement *element);
void zi_prescribed_conclude(const ziElement *element, const ziInstant *now);
zvStatus zi_prescribed_check_place(const zvDrives *drives, const ziElement *element, int dof, zvError *error);

extern const ziElementKind zi_spring_kind, zi_damper_kind, zi_friction_kind, zi_flexible_kind, zi_torque_kind,
    zi_prescribed_kind, zi_pose_kind, zi_pid_kind, zi_gravity_kind, zi_computed_torque_kind, zi_task_control_kind,
    zi_load_kind, zi_coupler_kind, zi_elastic_kind, zi_loop_kind, zi_loop_motion_kind, zi_modal_damping_kind,
    zi_matrix_kind, zi_bushing_kind, zi_function_kind, zi_tendon_kind, zi_tendon_passive_kind;

/* The first sample of an element after t; INFINITY where it has none. */
double zi_function_next_sample(const ziElement *element, double t);
/* (nheld) forces that functions gave last. */
double *zi_efforts_held(zvEfforts *efforts);
static inline int zi_drives_nheld(const zvDrives *drives) { return drives->nheld; }

/* After a jump of velocities at q: rates of rotors with an axis, so that their spins stay. */
void zi_drives_keep_spins(const zvDrives *drives, zvWork *work, const double *q, const double *before,
                          const double *after, double *z);
/* momentum (3) += their spins, which zv_momentum does not have. */
void zi_drives_add_spins(const zvDrives *drives, zvWork *work, const double *q, const double *v, const double *z,
                         double momentum[3]);
/* One element for each elastic link of the model. */
zvStatus zi_add_elastic_links(zvDrives *drives, zvError *error);
/* One for the stiffness and damping matrix of a joint, as far as it has them and they are wanted. */
zvStatus zi_add_joint_matrices(zvDrives *drives, int joint, bool spring, bool damper, zvError *error);
/* W on the frame `to` at its origin, in axes of the frame `from`, and the opposite on that frame at the same point. */
void zi_push_between(const ziInstant *now, int from, int to, const double W[6]);
/* A store where there is a spring, an account where there is a damper, both named after the element's label. */
bool zi_claim_passive(zvDrives *drives, ziElement *element, bool sprung, bool damped);
/* One for each loop whose joint has springs or dampers. */
zvStatus zi_add_passive_loops(zvDrives *drives, zvError *error);

/* Elements with a name for their joint, for those that come from followers of a degree of freedom. label NULL: that
 * of the degree of freedom; else it must stay valid as long as the set. */
zvStatus zi_add_friction(zvDrives *drives, const char *name, const char *label, int dof, const zvFriction *friction,
                         zvError *error);

#endif
