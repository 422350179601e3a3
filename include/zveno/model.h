/* Core. The description of a robot and the frozen model made of it.
 *
 * Conventions: SI units, radians, Z up; 6-vectors linear part first; quaternions x, y, z, w;
 * rotations row-major; a pose takes child components to parent components.
 *
 * A description is a set of links, joints, frames and shapes that refer to each other by name (builder.h).
 * Freezing checks and orders it; the model is constant ever after and may be shared by threads. */
#ifndef ZVENO_MODEL_H
#define ZVENO_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "zveno/beam.h"
#include "zveno/pose.h"
#include "zveno/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* X(NAME, word in files, entries in q, entries in v) */
#define ZV_JOINT_LIST(X)                \
    X(FIXED, "fixed", 0, 0)             \
    X(REVOLUTE, "revolute", 1, 1)       \
    X(CONTINUOUS, "continuous", 1, 1)   \
    X(PRISMATIC, "prismatic", 1, 1)     \
    X(HELICAL, "helical", 1, 1)         \
    X(CURVE, "curve", 1, 1)             \
    X(CYLINDRICAL, "cylindrical", 2, 2) \
    X(UNIVERSAL, "universal", 2, 2)     \
    X(PLANAR, "planar", 3, 3)           \
    X(SPHERICAL, "spherical", 4, 3)     \
    X(FREE, "free", 7, 6)

typedef enum zvJointType {
#define ZV_X(name, word, nq, nv) ZV_JOINT_##name,
    ZV_JOINT_LIST(ZV_X)
#undef ZV_X
        ZV_JOINT_TYPES
} zvJointType;

enum { ZV_MAX_DOF = 6 }; /* of one joint */

const char *zv_joint_type_word(zvJointType type); /* in files */
int zv_joint_type_nq(zvJointType type);           /* entries of q */
int zv_joint_type_nv(zvJointType type);           /* entries of v */
/* What q of such a joint is: "x, y [m], angle [rad]". */
const char *zv_joint_type_coordinates(zvJointType type);
/* Where the quaternion (x, y, z, w) of such a joint lies in its entries of q; -1: it has none. */
int zv_joint_type_quaternion(zvJointType type);

/* Names and units of a joint's single coordinates and degrees of freedom, k counted from 0. Parts: "angle2", "wx",
 * "qw"; NULL where a joint has but one, called by the joint's name. Units: "rad", "m/s", "1" in a quaternion. */
typedef enum zvQuantity {
    ZV_QUANTITY_POSITION,
    ZV_QUANTITY_VELOCITY,
    ZV_QUANTITY_ACCELERATION,
    ZV_QUANTITY_FORCE,
    ZV_QUANTITY_MOMENTUM,
    ZV_QUANTITY_INTEGRAL, /* of the position over time */
    ZV_QUANTITY_INERTIA,
    ZV_QUANTITIES
} zvQuantity;

const char *zv_joint_type_q_part(zvJointType type, int k);                      /* of entry k of q */
const char *zv_joint_type_v_part(zvJointType type, int k);                      /* of entry k of v */
const char *zv_joint_type_q_unit(zvJointType type, int k);                      /* likewise */
const char *zv_joint_type_v_unit(zvJointType type, int k, zvQuantity quantity); /* of v, a, tau, ... */

typedef struct zvInertia {
    double mass;      /* kg */
    double com[3];    /* centre of mass in the link frame, m */
    double moment[6]; /* xx xy xz yy yz zz about the centre of mass, link axes, kg m^2 */
} zvInertia;

/* Where a part of an element stands in the file of the element's mark; line 0: unknown. */
typedef struct zvSpot {
    int line;
    int column;
} zvSpot;

typedef struct zvLink {
    const char *name;
    zvInertia inertia;
    bool has_inertia; /* false: none given, all zero; zv_builder_add_link sets it when any number is not zero */
    /* An elastic link has one of these (beam.h), a rigid one none. The inertia above is then that of a rigid part that
     * sits on the link frame, besides the beam's own or that of modal nodes; without nodes it is the whole. */
    const zvBeam *beam;
    const zvModal *modal;
    zvMark mark;
    zvSpot mass_spot, inertia_spot, elastic_spot;
} zvLink;

/* One degree of freedom of a joint. Limits count only where has_limits is set. */
typedef struct zvDof {
    bool has_limits;
    double lower, upper; /* rad or m */
    double effort;       /* N m or N; 0 = not given */
    double velocity;     /* rad/s or m/s; 0 = not given */
    double armature;     /* rotor inertia x ratio^2, kg m^2 or kg; adds to the diagonal of the mass matrix */
    double damping;      /* viscous friction, N m s/rad or N s/m */
    double friction;     /* Coulomb friction, N m or N */
    double stiffness;    /* joint spring, N m/rad or N/m; of a spherical or free joint along x (zvJoint) */
    double rest;         /* position where the spring is at rest, rad or m; of such a joint entry k of its x */
} zvDof;

typedef enum zvCurveKind { ZV_CURVE_LINE, ZV_CURVE_CIRCLE, ZV_CURVE_SPLINE } zvCurveKind;

/* The path of a curve joint, in the joint frame. The child frame slides along it and keeps its orientation.
 * line: q (m) along `direction` from the origin.
 * circle: q (m) is arc length from centre + radius u, in the plane of u and n x u (n = normal, u = start).
 * spline: natural (or closed: periodic) cubic through `points` over the accumulated chord length; q (m) is arc length
 *         along it from the first point; beyond its ends an open spline goes on straight.
 * So |dp/dq| = 1 for all of them: of a spline p(q) keeps it within 1e-12, its direction and curvature to rounding. */
typedef struct zvCurve {
    zvCurveKind kind;
    double direction[3];  /* line */
    double center[3];     /* circle, m */
    double normal[3];     /* circle */
    double start[3];      /* circle: direction from the centre to q = 0 */
    double radius;        /* circle, m */
    bool closed;          /* spline */
    int count;            /* spline: number of points */
    const double *points; /* spline: count x 3, m */
} zvCurve;

/* Arc length (m) from a spline's first point to number `to`, which counts from 0; of a closed one `count` is once
 * round. It is the coordinate of the joint at that point. The curve is one that zv_check has nothing against; NaN
 * without memory, or when it has a cusp. */
double zv_spline_length(const zvCurve *spline, int to);

/* Points of a gear's law: the torque at a deflection, link side, rad and N m, or m and N. */
enum { ZV_GEAR_POINTS = 8 };
typedef struct zvGearPoint {
    double deflection, torque;
} zvGearPoint;

/* A flexible joint [Kolyubin] 3.4, with the rotor of a motor behind a gear that gives way: theta = motor angle / ratio,
 * d = theta - q the deflection, F(d) = stiffness d + cubic d^3 or a law through points,
 *   tau = F(d) + damping d' on the link,
 *   inertia ratio^2 theta'' = ratio * (motor torque) - tau - motor_damping ratio^2 theta'.
 * The rotor turns about its own axis alone (the reduced model); its mass is part of the link that carries it, the
 * parent. With a rotor_axis it takes part in all motions of that link (the full model, flexible.h): its spin is ratio
 * theta' + axis . omega, and functions of dynamics.h answer for links about which the rotor turns freely. */
typedef struct zvFlexibleJoint {
    double stiffness;     /* link side, N m/rad or N/m */
    double damping;       /* link side */
    double inertia;       /* of the rotor, motor side, kg m^2 */
    double ratio;         /* gear ratio, motor turns per link turn; 1 for a direct drive, not 0 */
    double motor_damping; /* motor side */
    double cubic;         /* how the gear stiffens, link side, N m/rad^3 or N/m^3, not below zero; 0: not */
    /* A law in place of cubic: F through the first `points` of law, rising from (0, 0) in both numbers, with the slope
     * `stiffness` at 0, a smooth slope between (monotone cubics) and the last one beyond; F(-d) = -F(d). 0: none */
    zvGearPoint law[ZV_GEAR_POINTS];
    int points;
    double rotor_axis[3]; /* in the joint frame as it sits in the parent; need not be of unit length. 0, 0, 0: the
                             reduced model */
} zvFlexibleJoint;

typedef struct zvJoint {
    const char *name;
    zvJointType type;
    const char *parent; /* link names */
    const char *child;
    zvPose origin;   /* joint frame in the parent link; at q = 0 the child link frame coincides with it */
    double axis[3];  /* in the joint frame; need not be of unit length; normal of a planar joint; first axis of a
                        universal one */
    double axis2[3]; /* universal: second axis, in the joint frame at q = 0 */
    double pitch;    /* helical: advance, m/rad */
    zvCurve curve;   /* curve joint */
    zvDof dof[ZV_MAX_DOF];
    /* [Liu] K_j and D_j: (nv x nv), row-major, symmetric and not negative, or NULL; besides stiffness and damping of
     * the single freedoms. The force is -K (q - rest) - D v. Spherical and free joints measure from the pose `rest`
     * (p_0 and R_0 = exp phi_0 from the dofs' rest) with the rotation vector phi, |phi| <= pi: x = phi, or (R_0^T (p -
     * p_0), phi),  exp phi = R_0^T R,  force -J^T K x - D v,  J = dx/dt by v,  store x.K x/2 phi is the shorter way:
     * where half a turn is passed it becomes -phi, the store goes on (with linear departures coupled to phi it does
     * not), the force jumps. */
    const double *stiffness_matrix, *damping_matrix;
    /* Of a joint with one freedom that follows none, or NULL: rigid. Simulations have its motor (actuate.h), inverse
     * dynamics by flexible.h; functions of dynamics.h move the link, and their tau is the force on it. */
    const zvFlexibleJoint *flexible;
    const char *mimic; /* name of the joint that this one follows, or NULL: q = ratio q_mimic + offset */
    double ratio;
    double offset;
    bool cut;            /* closes a loop instead of carrying its child, which needs another joint above it */
    zvPose child_origin; /* where the joint sits in the child; only of joints that are cut, and any but identity cuts
                            it; identity otherwise; an all-zero R means identity */
    zvMark mark;
    zvSpot parent_spot, child_spot, axis_spot, limits_spot, mimic_spot;
} zvJoint;

/* What closes a loop: a joint, a rod with ball ends, or a relation between coordinates. A free joint asks for nothing
 * and has to have springs or dampers: a bushing between two frames. */
typedef enum zvLoopKind { ZV_LOOP_JOINT, ZV_LOOP_ROD, ZV_LOOP_COUPLING } zvLoopKind;

/* ratio times the only coordinate of a joint. */
typedef struct zvLoopTerm {
    const char *joint;
    double ratio;
} zvLoopTerm;

/* Two places of the tree that must fit together.
 * joint:    the frame child_origin of the child moves against the frame origin of the parent as the joint's type
 * allows; at its q = 0 both coincide. rod:      the origins of the two frames keep the distance `length`. coupling: sum
 * of ratio q over its terms = offset: gears, belts, differentials. driven:   what is left free of a joint with one
 * freedom (revolute, continuous, prismatic, helical, curve) follows `value`, and like the length of a rod and the
 * offset of a coupling a law of time may move it (loops.h). */
typedef struct zvLoop {
    const char *name;
    zvLoopKind kind;
    zvJointType type;
    const char *parent, *child; /* links, or frames on links; "world": the ground under a free base */
    zvPose origin;              /* in the parent */
    zvPose child_origin;        /* in the child */
    double axis[3], axis2[3], pitch;
    zvCurve curve;
    bool ball;             /* curve: the child may turn about its point in any way */
    zvDof dof[ZV_MAX_DOF]; /* damping, stiffness and rest of what the joint leaves free; ball turning has none */
    const double *stiffness_matrix, *damping_matrix; /* likewise, as of zvJoint */
    bool driven;
    double value;  /* driven joint: rad or m */
    double length; /* rod, m */
    double offset; /* coupling */
    int term_count;
    const zvLoopTerm *terms;
    bool open;      /* it asks for nothing until something closes it (zvClosing.open in loops.h, events of scenarios) */
    bool was_joint; /* a joint of the description that was cut (zvJoint.cut, or by freezing) */
    zvMark mark;
    zvSpot parent_spot, child_spot, axis_spot;
} zvLoop;

typedef struct zvFrame {
    const char *name;
    const char *link;
    zvPose pose; /* of the frame in the link */
    zvMark mark;
} zvFrame;

typedef enum zvShapeKind { ZV_SHAPE_BOX, ZV_SHAPE_CYLINDER, ZV_SHAPE_SPHERE, ZV_SHAPE_MESH } zvShapeKind;

/* Geometry for pictures and collision checks; it does not touch the dynamics. */
typedef struct zvShape {
    const char *name; /* may be NULL */
    const char *link;
    bool collision; /* false: visual */
    zvShapeKind kind;
    zvPose pose;      /* in the link */
    double size[3];   /* box: edges; cylinder: radius, length; sphere: radius; mesh: scale */
    const char *mesh; /* file name as written, or NULL */
    bool has_color;
    double color[4]; /* red green blue alpha, 0..1 */
    zvMark mark;
} zvShape;

/* How a joint or link sits in the frozen model. */
typedef struct zvJointPlace {
    int parent, child; /* link indices */
    int q_index,
        nq; /* where its coordinates lie in q; a coupled mimic joint has nq = nv = 0 and points at its master */
    int v_index, nv;
    int mimic; /* joint index of the master when coupled, else -1 */
} zvJointPlace;

/* How a loop sits in the frozen model. Its two frames are named after it, "NAME.parent" and "NAME.child"; -1 for a
 * coupling, as are the links. */
typedef struct zvLoopPlace {
    int parent, child;             /* link indices */
    int parent_frame, child_frame; /* frame indices: its joint's frames as described */
    int row, rows;                 /* its conditions among those of all loops */
    int ancestor;                  /* link at which its two branches meet: their last common ancestor */
} zvLoopPlace;

/* The elastic coordinates of a link: count entries from q_index in q and from v_index in v. */
typedef struct zvElasticPlace {
    int count; /* 0: rigid */
    int q_index, v_index;
} zvElasticPlace;

typedef struct zvModel zvModel;

/* Ends a model that was frozen, or a copy; NULL is let pass. A copy in the caller's memory needs no ending. */
void zv_model_destroy(zvModel *model);

/* Private copies: a frozen model is constant and may be shared; in a copy of one's own the inertia of a link can be
 * changed while a controller runs, when a gripper takes a load up or puts it down. A copy answers every question as a
 * model does and wants workspaces (work.h) of its own. It shares all that does not change with the model it was made
 * of, which must live longer. While a copy is changed, nobody may be using it. */

enum { ZV_ALIGNMENT = 64 }; /* of the memory that callers bring, bytes */

/* A copy on the heap; NULL and error when out of memory. */
zvModel *zv_model_copy(const zvModel *model, zvError *error);
/* The bytes that a copy takes, and a copy in memory that the caller brings, aligned to ZV_ALIGNMENT; it holds as long
 * as the memory does. Batches and workspaces made for a copy are of no use for another one made later in the same
 * memory. ZV_SIZE: size is less than zv_model_copy_size, or the memory is not aligned. */
size_t zv_model_copy_size(const zvModel *model);
zvStatus zv_model_copy_init(void *memory, size_t size, const zvModel *model, zvModel **copy, zvError *error);
/* Gives a link of a copy another inertia, the whole of it: what the link weighs by itself and what it carries. No
 * memory is allocated, and the time grows with the number of bodies between the link and the ground at most. Every
 * function called with the copy sees it, batches made before too. Given back its inertia, answers are the former ones
 * to rounding. ZV_NUMBER: a number is not finite. ZV_PHYSICS: no body has it: negative mass or moments, moments without
 * mass, a principal moment above the sum of the other two. ZV_NOT_SUPPORTED: the model is no copy but was frozen, or
 * the link is elastic (what elastic links carry may be changed). Then nothing has changed. */
zvStatus zv_model_set_link_inertia(zvModel *copy, int link, const zvInertia *inertia);

const char *zv_model_name(const zvModel *model); /* of the robot */
int zv_model_nq(const zvModel *model);           /* length of q */
int zv_model_nv(const zvModel *model);           /* length of v, a, tau */
int zv_model_nbody(
    const zvModel *model); /* bodies the dynamics sees: links joined rigidly are one; body 0 is the ground */
int zv_model_nlink(const zvModel *model);  /* with the ground link of a free base */
int zv_model_njoint(const zvModel *model); /* with fixed ones, in the order of the coordinates */
int zv_model_nframe(
    const zvModel *model); /* every link is a frame: frames 0..nlink-1 are the links, named ones follow */
int zv_model_nshape(const zvModel *model);                /* for pictures */
double zv_model_mass(const zvModel *model);               /* of all moving bodies, kg */
void zv_model_gravity(const zvModel *model, double g[3]); /* m/s^2, world axes */

/* Links in model order: depth-first from the root, children in file order. Joint i moves the link
 * zv_model_joint_place(model, i).child. */
const zvLink *zv_model_link(const zvModel *model, int link);
const zvJoint *zv_model_joint(const zvModel *model, int joint);
zvJointPlace zv_model_joint_place(const zvModel *model, int joint);
const zvShape *zv_model_shape(const zvModel *model, int shape);
/* The frame's name, its link and its pose in that link (identity for the links themselves). */
zvFrame zv_model_frame(const zvModel *model, int frame);
int zv_model_frame_body(const zvModel *model, int frame); /* 0 = ground */
int zv_model_link_joint(const zvModel *model, int link);  /* joint above the link; -1 for the root */

/* Elastic links. */
int zv_model_nelastic(const zvModel *model); /* elastic coordinates of all links */
zvElasticPlace zv_model_elastic_place(const zvModel *model, int link);
/* Name ("y1", "z2", "twist1", "axial1", "mode3") and unit ("m", "rad", "1") of a link's k-th elastic coordinate. */
const char *zv_model_elastic_part(const zvModel *model, int link, int k);
const char *zv_model_elastic_unit(const zvModel *model, int link, int k, zvQuantity quantity);
/* Generalised mass, stiffness and damping of a link alone, clamped; (count x count) each, NULL where not wanted. */
void zv_model_elastic_matrices(const zvModel *model, int link, double *M, double *K, double *D);
/* The section that carries a point of an elastic link: how it moves with the link's elastic coordinates e, in the
 * axes of the link. It stands at  pose.p + d_i e_i - x (e^T G e) / 2  with x the first of its axes, turned by the
 * rotation vector  theta = r_i e_i,  and what sits at p, R of the undeformed link stands at
 * position + rotation (p - pose.p), turned by  rotation R. */
typedef struct zvElasticSection {
    zvPose pose;   /* in the undeformed link; its axes are those of the beam, of the link for modal data */
    bool turns;    /* false: r is zero */
    bool shortens; /* false: G is zero */
} zvElasticSection;

/* d and r are (count x 3), G (count x count); each NULL where not wanted. Joints and frames of a model sit on sections;
 * any other point (of a picture) takes the nearest: the end of a beam, of modal data the nearest interface or node.
 * False for a rigid link. */
bool zv_model_elastic_section(const zvModel *model, int link, const double p[3], zvElasticSection *section, double *d,
                              double *r, double *G);
/* The whole inertia of the undeformed link: with its beam or its modal nodes. */
zvInertia zv_model_link_inertia(const zvModel *model, int link);
/* Length of the arrays of external forces (dynamics.h): 6 nlink + nelastic. */
int zv_model_nexternal(const zvModel *model);

/* Closed loops (loops.h); the links and joints above are those of the spanning tree. */
int zv_model_nloop(const zvModel *model);
int zv_model_nloop_rows(const zvModel *model); /* conditions of all loops, redundant ones included */
const zvLoop *zv_model_loop(const zvModel *model, int loop);
zvLoopPlace zv_model_loop_place(const zvModel *model, int loop);

/* Index by name, or -1. */
int zv_model_find_loop(const zvModel *model, const char *name);
int zv_model_find_frame(const zvModel *model, const char *name);
int zv_model_find_joint(const zvModel *model, const char *name);

/* Coordinates ------------------------------------------------------------------------------------ */

/* Neutral position: zeros, unit quaternions. q is (nq). */
void zv_neutral(const zvModel *model, double *q);
/* q_out = q moved with constant v for unit time: exact rotations for quaternions (body-frame angular velocity).
 * For a step of time pass v times its length. q_out may be q. */
void zv_position_add(const zvModel *model, const double *q, const double *v, double *q_out);
/* dq/dt (nq) of a position that moves with v: half the product of quaternion and angular velocity, whatever the
 * quaternion's length, which it keeps; the velocity of a free joint turned into the parent. */
void zv_position_rate(const zvModel *model, const double *q, const double *v, double *dq);
/* Scales quaternions to unit length in place and returns the largest | |quaternion| - 1 | found (NaN for a NaN).
 * A zero quaternion stays zero. */
double zv_position_normalize(const zvModel *model, double *q);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
