/* Application. Actuation: what pushes the joints. Springs, dampers, friction, time laws, prescribed motions, flexible
 * joints with motors, controllers, loads on frames and couplers between them make one set, zvDrives, which turns (t, q,
 * v, z) into joint forces and, for prescribed motions and stuck joints, into the mixed problem. Closed loops of the
 * model hold: wherever the motion of the machine is meant, it is that of the tree with its loops (loops.h).
 *
 * z are states beyond q and v: motor angles and rates of flexible joints, integrals of controllers. modes are the
 * discrete states of stick-slip friction. A set is built once, then constant and shared by threads; zvEfforts is the
 * scratch memory of one thread. Every exchange of energy has an account: dE/dt = sum of the powers, with E = kinetic +
 * potential
 * + stored energies. libc and libm only; nothing is allocated after zv_efforts_create. */
#ifndef ZVENO_ACTUATE_H
#define ZVENO_ACTUATE_H

#include "zveno/loops.h"
#include "zveno/motion.h"
#include "zveno/opspace.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct zvDrives zvDrives;

/* An empty set for a model, which must live longer; NULL and error when out of memory. */
zvDrives *zv_drives_create(const zvModel *model, zvError *error);
void zv_drives_destroy(zvDrives *drives); /* NULL is let pass */

/* Additions. name stands in accounts and errors; NULL: the word of the kind. dof is an index into v; those of spherical
 * and free joints have no coordinate and take what needs no position: dampers, friction, torques, gravity compensation,
 * computed torques with kp = 0 there, task control. Laws and routes are taken over, also on failure. gains are (count)
 * each and may be NULL: zero; limits are the greatest forces, more than zero, INFINITY where there is none, and NULL:
 * none at all. On failure the set is as before. docs/actuation.md has the formulas. ---------- */

/* -stiffness (q - rest). Its energy is a store, so it has no account. */
zvStatus zv_drives_add_spring(zvDrives *drives, const char *name, int dof, double stiffness, double rest,
                              zvError *error);
/* -damping v */
zvStatus zv_drives_add_damper(zvDrives *drives, const char *name, int dof, double damping, zvError *error);

/* A spring-damper between the origins of two frames, d apart: -stiffness (d - length) - damping d' along the line from
 * one to the other, on both, so that they attract each other where d > length. length 0: vectors, -stiffness r -
 * damping r'. Its energy is a store, the damper's loss an account. The frames must be of different bodies, of which one
 * may be the ground. */
zvStatus zv_drives_add_coupler(zvDrives *drives, const char *name, int from, int to, double stiffness, double damping,
                               double length, zvError *error);

/* Friction against motion in the positive [0] and negative [1] direction:
 *   F(v) = coulomb + (breakaway - coulomb) exp(-(v/stribeck)^2) against v, and -viscous v.
 * smoothing > 0: the sign of v in the former is tanh(v/smoothing), no sticking. smoothing = 0: the joint sticks,
 * locked, until the force needed to hold it exceeds breakaway; both changes are events. Several such elements on one
 * degree of freedom stick and slip together. Where the motion is prescribed the law decides: there friction is a force
 * by the sign of v and never sticks. */
typedef struct zvFriction {
    double coulomb[2];
    double breakaway[2]; /* >= coulomb; 0: the same */
    double stribeck;     /* rad/s or m/s; 0: no excess while sliding */
    double viscous;
    double smoothing; /* rad/s or m/s */
} zvFriction;

/* Friction of one degree of freedom. */
zvStatus zv_drives_add_friction(zvDrives *drives, const char *name, int dof, const zvFriction *friction,
                                zvError *error);
/* Damping of the modes that all elastic links have together, with the joints locked at q (nq): ratio of critical
 * damping of all of them, or of the first ones in ratios; the Rayleigh factors of damping count as well. A damping
 * ratio of a single link (zvBeam) is one of its own modes, which a beam cut into many links hardly feels. It acts on
 * rates of deformation only. ZV_SCHEMA without elastic links. */
zvStatus zv_drives_add_modal_damping(zvDrives *drives, const char *name, const zvElasticDamping *damping,
                                     const double *q, zvError *error);
/* The springs, dampers and Coulomb friction that the model's joints carry (zvDof), those of coupled mimic joints
 * included, reckoned on the coordinate they follow; friction with the given smoothing (of the joint's own velocity).
 * Accounts are named "damper elbow" after the joint. skip is (nv) or NULL: degrees of freedom whose own joint to leave
 * out; elements of joints that follow it stay. Springs and dampers of joints that close loops are among them: forces
 * -damping vc - stiffness (qc - rest) along what the joint leaves free (zv_loop_coordinates), on both sides. */
zvStatus zv_drives_add_passive(zvDrives *drives, double smoothing, const unsigned char *skip, zvError *error);

/* A flexible joint (model.h) in place of a rigid drive. Torques and controllers on this dof, added before or after,
 * then act on the rotor, reckoned on the link side (ratio * motor torque), and their power is force times theta';
 * springs, dampers and friction act on the link. Its account has the force tau and, as power, the losses of both
 * dampers; its stores are the spring and the rotor. One per degree of freedom, and none where the motion is prescribed.
 */
zvStatus zv_drives_add_flexible(zvDrives *drives, const char *name, int dof, const zvFlexibleJoint *joint,
                                zvError *error);

/* Those of the model's joints (zvJoint.flexible), named "motor NAME"; skip is (nv) or NULL: degrees of freedom to leave
 * rigid. */
zvStatus zv_drives_add_flexible_joints(zvDrives *drives, const unsigned char *skip, zvError *error);

/* Forces as laws of time, of width count. */
zvStatus zv_drives_add_torque(zvDrives *drives, const char *name, int count, const int *dofs, zvLaw *law,
                              zvError *error);
/* Motion as a law of time: q, v and a of these degrees of freedom are the law's, the force is computed: it is what the
 * other elements there leave to be done. */
zvStatus zv_drives_add_motion(zvDrives *drives, const char *name, int count, const int *dofs, zvLaw *law,
                              zvError *error);
/* Motion of a free or a ball joint along a route that tells the pose of the child's frame in the joint's frame of the
 * parent: position, orientation or both, as the route leads them; of a ball joint the orientation. What is not led is
 * free. Forces and powers are those of the degrees of freedom, in the axes of the child. Takes the route over. */
zvStatus zv_drives_add_pose_motion(zvDrives *drives, const char *name, int joint, zvRoute *route, zvError *error);
/* The same between two places: the length of a rod, the offset of a coupling or the coordinate of a driven joint
 * (zvLoop) follows a law of width 1. Its force is the multiplier of that condition, its power that times the law's
 * rate. */
zvStatus zv_drives_add_loop_motion(zvDrives *drives, const char *name, int loop, zvLaw *law, zvError *error);

typedef struct zvPid {
    const double *kp, *ki, *kd; /* on position error, its integral, velocity error */
    const double *limit;
    /* Time in which the integral yields to what the limit cuts off, s: its rate is error + (cut force) / (ki tracking).
     * NULL or 0: the longer of kp/ki and sqrt(kd/ki), 1 s when both are zero. */
    const double *tracking;
    bool motor_side; /* of flexible joints: feed back theta instead of q */
    bool gravity;    /* add the gravity force g(q) */
} zvPid;

/* kp (r - q) + ki integral + kd (r' - v) + feedforward; reference and feedforward (may be NULL) of width count. There
 * is a state for each ki that is not zero. */
zvStatus zv_drives_add_pid(zvDrives *drives, const char *name, int count, const int *dofs, const zvPid *pid,
                           zvLaw *reference, zvLaw *feedforward, zvError *error);
/* What pulls at the length s = sum of ratio q over some degrees of freedom. */
typedef struct zvTendon {
    const double *ratios; /* (count) */
    double kp, kd;        /* not negative */
    double lower, upper;  /* bounds of its force, lower below upper; both 0: none */
    bool passive; /* acts on the links as springs and dampers do, not by motors: limits of drives do not bound it */
} zvTendon;

/* The force f = kp (r - s) + kd (r' - s') + feedforward, as far as its bounds go, on s: each degree of freedom gets
 * ratio f. reference and feedforward (may be NULL) of width 1. */
zvStatus zv_drives_add_tendon(zvDrives *drives, const char *name, int count, const int *dofs, const zvTendon *tendon,
                              zvLaw *reference, zvLaw *feedforward, zvError *error);
/* g(q). Where loops are closed: the forces under which the loops of the listed degrees of freedom stay at rest, by
 * these, those of other elements and those of pid with gravity together, least in norm where there are more of them
 * than is needed. What is on none of their loops, and elastic links, count as held by something else. ZV_SINGULAR when
 * evaluated where they cannot hold the loops. */
zvStatus zv_drives_add_gravity_compensation(zvDrives *drives, const char *name, int count, const int *dofs,
                                            zvError *error);
/* Whether compensation of gravity can hold at q what it is to hold, and no degree of freedom is compensated twice;
 * ZV_CLOSURE, ZV_SCHEMA with the reason when not. Allocates. */
zvStatus zv_drives_check_gravity(const zvDrives *drives, zvWork *work, const double *q, zvError *error);
/* M (r'' + kd (r' - v) + kp (r - q)) + C v + g, cut at the limits (count); degrees of freedom that are not listed count
 * as not accelerated, prescribed ones as accelerated by their law. Where loops are closed those that are not listed
 * follow the loops and get no force; more of them than are free contradict each other: ZV_CLOSURE when evaluated. */
zvStatus zv_drives_add_computed_torque(zvDrives *drives, const char *name, int count, const int *dofs, const double *kp,
                                       const double *kd, const double *limit, zvLaw *reference, zvError *error);

typedef struct zvTaskControl {
    const double *kp, *kd; /* (6), along the task's axes, of which its rows count; NULL: zero */
    double null_damping;   /* of the motion that leaves the task alone, 1/s: -null_damping M v, projected; it takes
                              energy whatever the task does */
    /* Degrees of freedom it may push, (count); NULL: all but those of free joints. The others count as driven by
     * nobody, and the forces are those of the dynamics reduced by them: a floating base keeps its momentum. */
    const int *dofs;
    int count;
    const double *limit; /* (count), or (nv) when dofs is NULL */
} zvTaskControl;

/* J^T (Lambda (xdd + kd (xd - x') + kp e) + mu + rho), cut at the limits. Not for models with loops. */
zvStatus zv_drives_add_task_control(zvDrives *drives, const char *name, const zvTask *task, zvRoute *route,
                                    const zvTaskControl *control, zvError *error);
/* A bushing: stiffness and damping between two frames as matrices (6 x 6, or NULL), symmetric and not negative. `to`
 * stands against `from` as a free joint's child against its parent and is pushed as by that joint's matrices (zvJoint):
 * force -J^T K x - D v in its own axes, the opposite on `from` at the same point. rest (6, or NULL: zero) is the pose
 * without force in `from`: displacement and rotation vector. Its store, where there is stiffness, and its account,
 * where there is damping, have its name. ZV_PHYSICS says which entry of a matrix is wrong. */
zvStatus zv_drives_add_bushing(zvDrives *drives, const char *name, int from, int to, const double *stiffness,
                               const double *damping, const double *rest, zvError *error);
/* A controller of the program's own: force (count) on the degrees of freedom of its drive at the state q (nq), v (nv);
 * it stands at zero. Any status but ZV_OK and ZV_DEGRADED stops the run; so does a force that is not finite
 * (ZV_NUMBER). */
typedef zvStatus (*zvDriveFunction)(void *context, double t, const double *q, const double *v, double *force);
/* A drive with such a force, as far as its limits (count; NULL: none) go. Which function it is stands with each thread
 * (zv_efforts_set_function, zvRunOptions.functions). interval 0: it is asked in every evaluation and should be smooth.
 * Else s: zv_drives_sample asks it at the start and at the multiples of the interval, which are breaks; in between its
 * force stays. */
zvStatus zv_drives_add_function(zvDrives *drives, const char *name, int count, const int *dofs, double interval,
                                const double *limit, zvError *error);
/* Force and moment about the frame's origin as a law of width 6, in world or local axes. */
zvStatus zv_drives_add_load(zvDrives *drives, const char *name, int frame, zvAxes axes, zvLaw *law, zvError *error);

/* What the set consists of. ------------------------------------------------------------------------------ */

int zv_drives_nstate(const zvDrives *drives); /* length of z */
/* Length of modes, also the number of events: one per degree of freedom that can stick. Modes are values of zvSlip. */
int zv_drives_nmode(const zvDrives *drives);
typedef enum zvSlip { ZV_SLIP_STICK, ZV_SLIP_FORWARD, ZV_SLIP_BACKWARD } zvSlip;
/* Name, unit and kind of entry i of z: is_position for motor angles and integrals. */
typedef struct zvDriveState {
    const char *name, *unit;
    bool is_position;
    int dof;
} zvDriveState;
/* Entry `state` of z. */
zvDriveState zv_drives_state(const zvDrives *drives, int state);

/* Accounts of work: one per element and degree of freedom it acts on, springs excepted; one per load, coupler, damped
 * loop, damping matrix and motion of a loop. */
typedef struct zvAccount {
    const char *name; /* "pd elbow", "friction elbow" */
    /* of its force; NULL for loads, couplers, matrices, elastic links and damped loops, whose force is no single number
     */
    const char *unit;
    int dof;         /* -1 for those, and for motions of loops */
    bool dissipates; /* dampers, friction, flexible joints, couplers: power is never positive */
} zvAccount;
/* A drive by a function of the program. */
typedef struct zvDriveOwn {
    const char *name;
    int count;
    const int *dofs; /* (count) */
    double interval; /* s; 0: asked in every evaluation */
} zvDriveOwn;
/* How many such drives there are, and one of them. */
int zv_drives_nfunction(const zvDrives *drives);
zvDriveOwn zv_drives_function(const zvDrives *drives, int function);
/* How many accounts there are, and one of them. */
int zv_drives_naccount(const zvDrives *drives);
zvAccount zv_drives_account(const zvDrives *drives, int account);
/* Stores of energy: springs, couplers, matrices, flexible joints, rotors, elastic links (strain). */
int zv_drives_nstore(const zvDrives *drives);
const char *zv_drives_store_name(const zvDrives *drives, int store);

/* The drives of a degree of freedom (given forces, controllers, gravity compensation) together give no more than this
 * force, N m or N, either way: what they ask for beyond it is cut off each in proportion. Prescribed motions know no
 * limit. An integral does not notice: controllers have limits of their own. */
zvStatus zv_drives_saturate(zvDrives *drives, int dof, double effort, zvError *error);
/* Whether the motion of a degree of freedom is a law's. */
bool zv_drives_prescribes(const zvDrives *drives, int dof);

/* The first time after t at which a law breaks; INFINITY when none does. */
double zv_drives_next_break(const zvDrives *drives, double t);

/* Evaluation. -------------------------------------------------------------------------------------------- */

/* The scratch memory and the answers of one evaluation. */
typedef struct zvEfforts {
    double *tau;               /* (nv) after accelerate: the whole force in each joint */
    double *a;                 /* (nv) accelerations */
    unsigned char *given;      /* (nv) zvGiven */
    bool mixed;                /* some acceleration was given */
    double *fext;              /* (zv_model_nexternal), or NULL when there are no loads and couplers */
    double *rate;              /* (nstate) dz/dt */
    double *force;             /* (naccount) force of each account on its degree of freedom, 0 where it has none */
    double *power;             /* (naccount) W */
    zvStatus status;           /* ZV_DEGRADED when a task controller was damped */
    double *lambda;            /* (zv_model_nloop_rows) multipliers of the loops */
    double *targets;           /* (nloop x 3) of zvClosing at the time of the last evaluation, or of zv_drives_aim */
    bool redundant;            /* conditions of loops repeat each other: the motion is certain, lambda is the least */
    double feedback;           /* the caller's: of zvClosing, 1/s; 0: none */
    int loops_redundant;       /* the caller's: zvClosing.redundant */
    int loops_redundant_led;   /* the caller's: likewise with zvClosing.redundant_given, where prescribed motions and
                                  nothing else are given; -1: not known, as it is at first */
    zvSingularity singularity; /* of the loops at the last evaluation */
    const unsigned char *open; /* the caller's: zvClosing.open; NULL: as the model says */
    const double *offsets;     /* the caller's: zvClosing.offsets; NULL: zero */
    /* The caller's: the row of forward dynamics by which accelerations are found, and what is mixed likewise; NULL:
     * auto. Not looked at where there are loops. */
    const zvMethod *forward;
    /* (nv) or NULL, the caller's: degrees of freedom at rest that something outside the set holds fast, as a stop does;
     * stick-slip friction has no part in them. */
    const unsigned char *held;
    /* The status of the function of the program that stopped an evaluation first, and its number; no function is asked
     * again until the caller sets it to ZV_OK. ZV_SCHEMA: it is not set, ZV_NUMBER: its force is not finite. */
    zvStatus stopped;
    int stopped_by;
    void *scratch;
} zvEfforts;

/* Room for evaluations of a set, which must live longer, made after the last addition; NULL and error when out of
 * memory. */
zvEfforts *zv_efforts_create(const zvDrives *drives, zvError *error);
void zv_efforts_destroy(zvEfforts *efforts); /* NULL is let pass */
/* At the last evaluation: the sum of what drives asked of a degree of freedom, before saturation. */
double zv_efforts_demand(const zvEfforts *efforts, int dof);

/* The function of a drive (zv_drives_function) in the evaluations with these efforts, and what it is called with. */
void zv_efforts_set_function(zvEfforts *efforts, int function, zvDriveFunction asked, void *context);
/* Asks the functions with an interval whose time is t, or all of them; their forces stay until the next time. */
zvStatus zv_drives_sample(const zvDrives *drives, zvEfforts *efforts, double t, bool all, const double *q,
                          const double *v);

/* z at rest with the robot at (q, v): motors unstretched, integrals zero; equilibrium: springs of flexible joints carry
 * the gravity force. */
void zv_drives_initial(const zvDrives *drives, zvEfforts *efforts, zvWork *work, const double *q, const double *v,
                       bool equilibrium, double *z);
/* Where the laws want the loops at t: fills efforts->targets. */
void zv_drives_aim(const zvDrives *drives, zvEfforts *efforts, double t);
/* targets and feedback as they stand. */
zvClosing zv_efforts_closing(const zvEfforts *efforts);
/* Overwrites the coordinates and velocities that follow a law, and zeroes the velocities of stuck joints. The answers
 * in efforts stay. */
void zv_drives_impose(const zvDrives *drives, zvEfforts *efforts, double t, const unsigned char *modes, double *q,
                      double *v);
/* Forces, accelerations, rates of z, powers: fills efforts and returns its status. (q, v) must be imposed. z and modes
 * may be NULL when they are empty. */
zvStatus zv_drives_accelerate(const zvDrives *drives, zvEfforts *efforts, zvWork *work, double t, const double *q,
                              const double *v, const double *z, const unsigned char *modes);
/* The same, of the spanning tree alone, for accelerations that are assumed and not solved for: residual (nv) = M a + C
 * v + g + k - forces where the force is given, 0 where the acceleration is; there a (nv) is not looked at. Fills
 * efforts as accelerate does, with the forces of given accelerations, rates and powers that go with a. */
zvStatus zv_drives_residual(const zvDrives *drives, zvEfforts *efforts, zvWork *work, double t, const double *q,
                            const double *v, const double *z, const unsigned char *modes, const double *a,
                            double *residual);
/* Stored energies, J: stored is (nstore). A spring in a loop counts whether the loop is open or not; what it holds
 * while the loop is open is zv_drives_forget_open's to leave out. */
void zv_drives_stored(const zvDrives *drives, zvWork *work, const double *q, const double *v, const double *z,
                      double *stored);
/* Sets the entries of springs in loops that are open (efforts->open, else as the model says) to zero. */
void zv_drives_forget_open(const zvDrives *drives, const zvEfforts *efforts, double *stored);
/* References of controllers and prescribed motions at t: r is (nv), NaN where there is none; of several the last. The
 * answers in efforts stay. */
void zv_drives_reference(const zvDrives *drives, zvEfforts *efforts, double t, double *r);

/* Stick-slip events: g is (nmode), positive inside a mode, smooth, and falls through zero where a joint stops or breaks
 * away. A stuck joint loaded to just its breakaway force begins with g = 0, and breaks away as soon as g is negative:
 * watch the functions as guards (zvOde.guards). Looks at efforts of the same state. */
void zv_drives_events(const zvDrives *drives, const zvEfforts *efforts, const double *v, const unsigned char *modes,
                      double *g);
/* Consistent modes at a state with v = 0 in some joints: those that friction can hold stick. To be called at the start
 * and after every jump of forces or velocities (a law's break, an impact): a stuck joint that is pushed beyond its
 * limit by a jump has no zero to be located. */
zvStatus zv_drives_settle(const zvDrives *drives, zvEfforts *efforts, zvWork *work, double t, double *q, double *v,
                          const double *z, unsigned char *modes);
/* What event i means now: changes modes (of other joints too, when they cannot hold any more) and v. *what is a
 * constant text: "sticks", "slips forward", "slips backward".
 */
zvStatus zv_drives_switch(const zvDrives *drives, zvEfforts *efforts, zvWork *work, int event, double t, double *q,
                          double *v, const double *z, unsigned char *modes, const char **what);
const char *zv_drives_event_name(const zvDrives *drives, int event); /* "friction elbow" */

/* -d tau/dq and -d tau/dv of the elements that act on single joints, not below zero: (nv) each. For preconditioners:
 * couplers add a matrix of rank one or three each, which a Krylov method finds in as many steps and of which the
 * diagonal alone would be a bad picture. */
void zv_drives_diagonal(const zvDrives *drives, double t, const double *q, const double *v, const double *z,
                        const unsigned char *modes, double *stiffness, double *damping);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
