/* Core. Closed loops: the spanning tree of a model with the conditions of its loops.
 *
 *   M a + C v + g + k = tau + sum J^T fext + G^T lambda,     G a + bias = 0                            [Liu] 4.4
 *
 * A loop of 6 - n conditions asks that the child's side moves against the parent's only as its joint allows. g(q) are
 * its gaps (m, rad), G v + rate its rates, lambda its multipliers (N, N m): forces on the child's side along the
 * directions that the loop closes, taken from the parent's. Arrays of rows are (zv_model_nloop_rows), loop after loop
 * (zv_model_loop_place); inside a joint's loop the linear directions come before the angular ones, then a driven
 * coordinate.
 *
 * Every function here also serves models without loops, where it is the one of dynamics.h; those of dynamics.h look at
 * the spanning tree alone. q is (nq); v, a, tau (nv), NULL as inputs: zero. lambda may be NULL: not wanted.
 *
 * Redundant and singular: where conditions repeat each other (a planar mechanism of spatial joints, a dead centre) the
 * motion is that of the conditions that count, lambda is that of least norm (among the loops that meet at one body;
 * inner loops come first), and the status ZV_DEGRADED: usable.
 * ZV_CLOSURE when accelerations that are given contradict the loops. ZV_SINGULAR when the tree without its loops has a
 * massless part that moves freely: cut another joint. After zv_work_create nobody allocates. */
#ifndef ZVENO_LOOPS_H
#define ZVENO_LOOPS_H

#include "zveno/dynamics.h"
#include "zveno/kinematics.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* How near a singular position forward and mixed dynamics were. */
typedef struct zvSingularity {
    /* The smallest pivot of G M^-1 G^T that was not left out, over that of links which move freely with the mass of the
     * loop: the square of how well the weakest direction is held; 1 when all are held well. */
    double margin;
    int loop;      /* that has it; when not resolved, the one that is held least just beside the position; -1: none */
    int dropped;   /* conditions left out: redundant, or singular for the moment */
    bool resolved; /* false: so near a singular position that accelerations are not determined: the robot is at rest, or
                      no closed positions go on along its velocity */
} zvSingularity;

/* How loops are to be closed; NULL wherever it is asked for: as the model says, without feedback. */
typedef struct zvClosing {
    /* (nloop x 3): value, rate and second rate of the length of a rod, the offset of a coupling, the coordinate of a
     * driven joint; not looked at for others. NULL: constant, as in the model. */
    const double *targets;
    /* Baumgarte: accelerations answer gaps and rates, G a + bias = -2 feedback rate - feedback^2 gap, 1/s. */
    double feedback;
    /* NULL, or receives the answers of forward and mixed dynamics. Mixed dynamics looks for limits at singular
     * positions only where it is asked for, since given accelerations may leave conditions nothing to do for all the
     * time. */
    zvSingularity *singularity;
    /* Conditions that repeat others at every position, as zvSingularity.dropped tells at an ordinary one. When forward
     * dynamics leaves out more of them the position may be a singular one, which costs two sweeps to find out. Where it
     * would leave out fewer because loops are a little open, it leaves out the weakest as well. */
    int redundant;
    /* redundant counts what the given accelerations leave nothing to do as well: in mixed dynamics, too, more
     * conditions that are left out are a singular position then. */
    bool redundant_given;
    /* zv_close_position and zv_close_velocity: directions whose pivot, measured as zvSingularity.margin, is below this
     * are left alone as long as what is left open is small; 0: none. Near a singular position a state that is nearly
     * closed is better than one that rounding has moved along them: its error there grows as 1/distance, its
     * accelerations as 1/distance^3. */
    double floor;
    /* (nloop): 1 where a loop is open: it asks for nothing, its multipliers, gaps and rates are zero. NULL: as the
     * model says (zvLoop.open), and so it is in functions that know no zvClosing. */
    const unsigned char *open;
    /* (rows): gaps that count as closed, for loops that were closed as they stood (zv_loop_keeps_offset). NULL: zero.
     */
    const double *offsets;
} zvClosing;

/* Kinematics of loops -------------------------------------------------------------------------------------- */

/* Gaps (rows), zero when closed, and their rates; rates may be NULL. */
void zv_loop_gaps(const zvModel *model, zvWork *work, const zvClosing *closing, const double *q, const double *v,
                  double *gaps, double *rates);
/* The largest gap and rate of all loops (loop >= 0: of one), lengths divided by the size of the robot; NULL where not
 * wanted. */
void zv_loop_residual(const zvModel *model, zvWork *work, const zvClosing *closing, const double *q, const double *v,
                      int loop, double *gap, double *rate);
/* G (rows x nv), rates = G v - rates of targets. */
void zv_loop_jacobian(const zvModel *model, zvWork *work, const double *q, double *G);
/* bias (rows): G a + bias = 0 (feedback included). */
void zv_loop_bias(const zvModel *model, zvWork *work, const zvClosing *closing, const double *q, const double *v,
                  double *bias);
/* The loop's own coordinates, as those of a tree joint of its type: qc (nq of the type) and vc (nv of it), angles in
 * (-pi, pi]; the length of a rod, the sum of a coupling. vc may be NULL, v NULL: zero. */
void zv_loop_coordinates(const zvModel *model, zvWork *work, const double *q, const double *v, int loop, double *qc,
                         double *vc);
/* [Liu] U_jr of a loop: +1 for joints on the way to its child's side, -1 to its parent's, else 0; signs is (njoint).
 * Those of a coupling are the signs of its ratios. */
void zv_loop_signs(const zvModel *model, int loop, int *signs);
/* [Liu] (k U^)^T of a loop, (6 x nv): velocity of the child's frame against the parent's for each unit of v, axes of
 * the parent's frame; zero for a coupling. Its consistency condition is that this times v is a motion of the joint. */
void zv_loop_matrix(const zvModel *model, zvWork *work, const double *q, int loop, double *U);

typedef struct zvLoopMobility {
    int freedoms;  /* nv - rank */
    int rows;      /* conditions */
    int rank;      /* of G */
    int redundant; /* rows - rank */
} zvLoopMobility;

/* What the loops leave free at q. Dense, O(rows^2 nv): ZV_SIZE for models too large for matrices (nv > 2048). */
zvStatus zv_loop_mobility(const zvModel *model, zvWork *work, const double *q, zvLoopMobility *mobility);

/* Dynamics --------------------------------------------------------------------------------------------------- */

/* a (and lambda) caused by tau. O(n): [Popov-Vereshchagin], multipliers eliminated where branches meet. */
zvStatus zv_closed_forward_dynamics(const zvModel *model, zvWork *work, const zvClosing *closing, const double *q,
                                    const double *v, const double *tau, const double *fext, double *a, double *lambda);
/* The mixed problem (dynamics.h) with loops. */
zvStatus zv_closed_mixed_dynamics(const zvModel *model, zvWork *work, const zvClosing *closing, const double *q,
                                  const double *v, const unsigned char *given, const double *fext, double *tau,
                                  double *a, double *lambda);
/* What acts in a degree of freedom: nothing, tau = 0; a drive; something else that holds it, such as the stiffness of
 * an elastic link, whose force tau may be any and does not count. */
typedef enum zvActuation { ZV_ACTUATION_NONE, ZV_ACTUATION_DRIVE, ZV_ACTUATION_HELD } zvActuation;

/* tau (nv) that gives the acceleration a, which must obey the loops: of all that do the one whose drives have the least
 * norm. actuated is (nv) of zvActuation; NULL: drives everywhere. Drives that cannot give it: ZV_DEGRADED, what comes
 * nearest, and *left (may be NULL) is the norm of the force that is missing. Dense: ZV_SIZE when nv > 2048. */
zvStatus zv_closed_inverse_dynamics(const zvModel *model, zvWork *work, const double *q, const double *v,
                                    const double *a, const double *fext, const unsigned char *actuated, double *tau,
                                    double *lambda, double *left);
/* The same where generalised forces `beside` (nv, or NULL: none) act besides the drives, as those of springs and
 * friction do (passive.h): tau + beside takes the place of tau in the equations. tau must not be beside. */
zvStatus zv_closed_inverse_beside(const zvModel *model, zvWork *work, const double *q, const double *v, const double *a,
                                  const double *fext, const double *beside, const unsigned char *actuated, double *tau,
                                  double *lambda, double *left);
/* y = (M + diag(extra))^-1 (x + G^T mu) with G y = 0: what a generalised impulse x does to the velocities. given
 * (zvGiven) and extra are (nv) or NULL; y is zero where the acceleration is given. */
zvStatus zv_closed_inverse_times(const zvModel *model, zvWork *work, const double *q, const unsigned char *given,
                                 const double *extra, const double *x, double *y);
/* What happens when loops close at once: jump (nv) = M^-1 G^T impulse with G (v + jump) = 0, so that momentum is kept
 * but for what the ground and given degrees of freedom take, and the energy of the rates is lost. v is that before;
 * loops of `closing` that are closed already stay so. given as above: what is given keeps its velocity. impulse (rows)
 * may be NULL. (1 + e) jump is an impact of restitution e: rates are turned into -e times what they were. */
zvStatus zv_loop_impact(const zvModel *model, zvWork *work, const zvClosing *closing, const double *q, const double *v,
                        const unsigned char *given, double *jump, double *impulse);
/* Whether a loop may be closed as it stands (zvClosing.offsets): its gaps stay what they are when its rates are zero.
 * Fixed, prismatic and spherical joints, rods and couplings. */
bool zv_loop_keeps_offset(const zvModel *model, int loop);
/* zv_closed_inverse_times with damping D + stiffness K of the elastic links added to M, as zv_structural_inverse_times
 * has it: what an implicit step of a structure with closed loops has to invert. */
zvStatus zv_closed_structural_inverse_times(const zvModel *model, zvWork *work, const double *q,
                                            const unsigned char *given, const double *extra, double damping,
                                            double stiffness, const double *x, double *y);

/* Reactions: what the parent does to the child in each loop, (nloop x 6), force and moment about the origin of the
 * child's frame along its axes ("NAME.child"); a coupling has its multiplier in the first entry. */
void zv_loop_wrenches(const zvModel *model, zvWork *work, const double *q, const double *lambda, double *wrenches);
/* Adds the forces of loops to fext (zv_model_nexternal); those of couplings, which act in joints, are not among them.
 * zv_joint_reactions with it gives the reactions in the joints of the tree. */
void zv_add_loop_wrenches(const zvModel *model, zvWork *work, const double *q, const double *lambda, double *fext);
/* G^T lambda (nv). */
void zv_loop_forces(const zvModel *model, zvWork *work, const double *q, const double *lambda, double *forces);

/* One question, several methods; the first row is the default: multipliers, partition. ------------------------- */

typedef zvStatus (*zvClosedFunction)(const zvModel *model, zvWork *work, const zvClosing *closing, const double *q,
                                     const double *v, const double *tau, const double *fext, double *a, double *lambda);

typedef struct zvClosedMethod {
    const char *name;
    zvClosedFunction run;
    const char *cost;
    const char *source;
} zvClosedMethod;

/* The table of methods; *count receives the number of rows. */
const zvClosedMethod *zv_closed_methods(size_t *count);

/* Closing ------------------------------------------------------------------------------------------------------ */

/* Moves q, which nearly closes the loops, on to positions that do, by the least motion in the sense of the mass matrix,
 * to which elastic links add their stiffness, so that they are not bent where joints can close; v likewise. given is
 * (nv) or NULL: what is not ZV_GIVEN_FORCE is not moved. O(n) per step, two or three steps. From far (gaps beyond 1e-3
 * of the robot's size, or rad) where such steps fail, a damped descent of at most 200 steps first. *gap (may be NULL)
 * is the residual that is left where it is least. ZV_CLOSURE: no closed position is found; q is then as before, and
 * zv_assemble says which loop stays open and tries other guesses. */
zvStatus zv_close_position(const zvModel *model, zvWork *work, const zvClosing *closing, const unsigned char *given,
                           double *q, double *gap);
zvStatus zv_close_velocity(const zvModel *model, zvWork *work, const zvClosing *closing, const double *q,
                           const unsigned char *given, double *v, double *rate);

typedef struct zvAssembly {
    double tolerance;          /* of the residual; default 1e-12 */
    int iterations;            /* most steps from a guess; default 200 */
    int restarts;              /* fresh guesses within the limits when the given one fails; default 0 */
    unsigned seed;             /* of those guesses; default 1 */
    const unsigned char *held; /* (nv): 1 where the coordinate must not move, or NULL */
} zvAssembly;

zvAssembly zv_assembly_default(void); /* the numbers above, nothing held */

/* Moves q (in: guess, out: answer) from far until the loops are closed. ZV_CLOSURE: q is the nearest position found;
 * error says which loop keeps the largest gap, and how large: "loop \"rocker\" cannot close: nearest gap 12 mm". Free
 * joints that no loop goes through stay. With restarts a position within the limits of joints is preferred to one
 * beyond them. Far from the origin the tolerance is what rounding of positions allows. ZV_NUMBER: q is not finite.
 * options and error may be NULL. */
zvStatus zv_assemble(const zvModel *model, zvWork *work, const zvClosing *closing, const zvAssembly *options, double *q,
                     zvError *error);
/* Different assemblies with the held coordinates of q: tries `guesses` positions, q first, and writes at most
 * `capacity` answers (capacity x nq) that differ by more than 1e-6 somewhere; returns how many. */
int zv_assemblies(const zvModel *model, zvWork *work, const zvClosing *closing, const zvAssembly *options,
                  const double *q, int guesses, int capacity, double *answers);

/* Reduction [Kolyubin] 3.3 ------------------------------------------------------------------------------------- */

/* The equations in independent coordinates at one state: v = P v_r,  a = P a_r + gamma,
 *   D_r a_r + C_r v_r + G_r = tau_r,   tau_r = P^T tau
 * n is the number of freedoms; matrices row-major. */
typedef struct zvReduction zvReduction;

/* Room for the reduced equations of a model, which must live longer; NULL and error when out of memory, or nv > 2048.
 */
zvReduction *zv_reduction_create(const zvModel *model, zvError *error);
void zv_reduction_destroy(zvReduction *reduction); /* NULL is let pass */
/* wanted is (nv) or NULL: 1 for degrees of freedom to be independent if they can. Others are chosen by pivoting. Those
 * chosen at the last call stay as long as they are good (no pivot a hundred times smaller than the best choice's).
 * ZV_DEGRADED: redundant conditions, or wanted ones that cannot be independent. */
zvStatus zv_reduce(const zvModel *model, zvWork *work, zvReduction *reduction, const double *q, const double *v,
                   const unsigned char *wanted);
int zv_reduction_freedoms(const zvReduction *reduction);           /* n */
const int *zv_reduction_independent(const zvReduction *reduction); /* (n) indices into v, rising */
bool zv_reduction_switched(const zvReduction *reduction);          /* the last call chose others than the one before */
const double *zv_reduction_P(const zvReduction *reduction);        /* (nv x n) */
const double *zv_reduction_gamma(const zvReduction *reduction);    /* (nv) */
const double *zv_reduction_D(const zvReduction *reduction);        /* (n x n) */
const double *zv_reduction_C(const zvReduction *reduction);        /* (n x n): dD/dt - 2C is skew */
const double *zv_reduction_G(const zvReduction *reduction);        /* (n): gravity and elastic forces */
/* Loop forces (rows) for drive forces tau (nv): F_c, of least norm; a (nv) may be NULL. */
zvStatus zv_reduction_forces(const zvModel *model, zvWork *work, const zvReduction *reduction, const double *q,
                             const double *v, const double *tau, double *a, double *lambda);
/* q_c = f(q_r): moves the dependent coordinates of q until the loops are closed, the independent ones stay. */
zvStatus zv_reduction_position(const zvModel *model, zvWork *work, const zvReduction *reduction, double *q,
                               zvError *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
