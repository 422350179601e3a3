/* Core. Dynamics of trees of rigid and elastic links: inverse, forward, mixed, mass matrix and all terms.
 *
 *   M(q) a + C(q, v) v + g(q) + k(q, v) = tau + sum J^T fext
 *
 * q, v, a, tau hold the joint coordinates of each link, followed by its elastic ones if it has any. tau is the whole
 * generalised force in the joints; joint springs, dampers and friction are not added by these functions (passive.h has
 * them). The elastic forces k = K e + D de/dt of the links are: tau of an elastic coordinate is what acts besides them,
 * usually zero. Armature is part of M. fext is NULL or (zv_model_nexternal): force and moment about each link's origin,
 * world axes, N and N m, (nlink x 6), then a generalised force for each elastic coordinate, in order; zv_add_wrench
 * fills it. q is (nq); v, a, tau are (nv) and, as inputs, may be NULL: zero. So may an array of no numbers; all else
 * has to be given. Matrices are row-major. A vector output may be the same array as v, a, tau or x, not as q. After
 * ZV_SINGULAR outputs are undefined. With f coupled mimic joints O(n) of forward and mixed dynamics and of M^-1 x
 * becomes O(n f + f^3). */
#ifndef ZVENO_DYNAMICS_H
#define ZVENO_DYNAMICS_H

#include <stdbool.h>

#include "zveno/work.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* tau that gives the acceleration a: recursive Newton-Euler, O(n). Which kernel answers this question and four more:
 * zv_method_chosen. */
void zv_inverse_dynamics(const zvModel *model, zvWork *work, const double *q, const double *v, const double *a,
                         const double *fext, double *tau);

/* Drive forces of a motion of the joints when links are elastic: a (nv) holds the accelerations of the joints and
 * receives those of the elastic coordinates; tau receives the forces of the joints, elastic entries zero. */
zvStatus zv_flexible_inverse_dynamics(const zvModel *model, zvWork *work, const double *q, const double *v,
                                      const double *fext, double *a, double *tau);

/* Joint reactions for a motion: reactions is (njoint x 6), force and moment of parent on child at the child link's
 * origin in the child link's axes, drive included; fixed joints too. Along a free direction of the joint it is tau -
 * armature a: the rotor takes its share. */
void zv_joint_reactions(const zvModel *model, zvWork *work, const double *q, const double *v, const double *a,
                        const double *fext, double *reactions);

/* a caused by tau: Vereshchagin's separate bodies (articulated body), O(n), or factors of M where these take less.
 * ZV_SINGULAR: a massless part can move freely, or beyond 2048 dofs could if mimic joints were not coupled. */
zvStatus zv_forward_dynamics(const zvModel *model, zvWork *work, const double *q, const double *v, const double *tau,
                             const double *fext, double *a);

/* What is known of a degree of freedom in mixed dynamics; passed as unsigned char. */
typedef enum zvGiven {
    ZV_GIVEN_FORCE,        /* tau given, a computed */
    ZV_GIVEN_ACCELERATION, /* a given, tau computed */
    ZV_GIVEN_LOCKED        /* a = 0, tau computed */
} zvGiven;

/* Mixed problem in O(n) without a global matrix: fills in what is not given. given is (nv) values of zvGiven. A locked
 * degree of freedom keeps its velocity v: pass 0 for one that stands still. */
zvStatus zv_mixed_dynamics(const zvModel *model, zvWork *work, const double *q, const double *v,
                           const unsigned char *given, const double *fext, double *tau, double *a);

/* M, full and symmetric (nv x nv): composite bodies, O(n depth). */
void zv_mass_matrix(const zvModel *model, zvWork *work, const double *q, double *M);
/* C with C v the Coriolis and centrifugal forces and dM/dt - 2C skew; (nv x nv). */
void zv_coriolis_matrix(const zvModel *model, zvWork *work, const double *q, const double *v, double *C);
/* C v + g + k; (nv). */
void zv_bias(const zvModel *model, zvWork *work, const double *q, const double *v, double *bias);
/* g(q); (nv). */
void zv_gravity_force(const zvModel *model, zvWork *work, const double *q, double *g);
/* k(q, v) = K e + D de/dt in the entries of elastic coordinates, 0 elsewhere; v NULL: zero; k is (nv). */
void zv_elastic_force(const zvModel *model, const double *q, const double *v, double *k);
/* M x in O(n), x and y (nv); with x = v the generalised momentum. */
void zv_mass_times(const zvModel *model, zvWork *work, const double *q, const double *x, double *y);
/* M^-1 x in O(n), x and y (nv). */
zvStatus zv_mass_inverse_times(const zvModel *model, zvWork *work, const double *q, const double *x, double *y);
/* (M + diag(extra))^-1 x in O(n), extra (nv) not negative: what stiff springs and dampers in the joints make of M in an
 * implicit step. */
zvStatus zv_augmented_inverse_times(const zvModel *model, zvWork *work, const double *q, const double *extra,
                                    const double *x, double *y);
/* What an implicit step of a structure has to invert, in O(n):
 *   y = (M + diag(extra) + damping D + stiffness K)^-1 x
 * with D and K of the elastic links, extra (nv) or NULL, and only the degrees of freedom whose given is ZV_GIVEN_FORCE;
 * y of the others is zero. given NULL: all. [Gevorkian] reduced iteration matrix: damping = gamma dt, stiffness =
 * beta dt^2. */
zvStatus zv_structural_inverse_times(const zvModel *model, zvWork *work, const double *q, const unsigned char *given,
                                     const double *extra, double damping, double stiffness, const double *x, double *y);
/* M^-1, full and symmetric (nv x nv). */
zvStatus zv_mass_inverse(const zvModel *model, zvWork *work, const double *q, double *Minv);

/* Adds to fext (zv_model_nexternal) the wrench (force, moment about the frame's origin; world axes) acting on a frame.
 */
void zv_add_wrench(const zvModel *model, zvWork *work, const double *q, int frame, const double *wrench, double *fext);
/* The same of a wrench in the frame's own axes, as a sensor or a gripper there has it. */
void zv_add_local_wrench(const zvModel *model, zvWork *work, const double *q, int frame, const double *wrench,
                         double *fext);

/* One question, several methods ------------------------------------------------------------------------- */

typedef enum zvQuestion {
    ZV_QUESTION_MASS,         /* M(q) */
    ZV_QUESTION_BIAS,         /* C v + g + k, the forces at a = 0; published vectors b with the sign of that */
    ZV_QUESTION_INVERSE,      /* tau of q, v, a, fext */
    ZV_QUESTION_FORWARD,      /* a of q, v, tau, fext */
    ZV_QUESTION_INVERSE_MASS, /* M^-1(q) */
    ZV_QUESTIONS
} zvQuestion;

/* "mass", "bias", "inverse", "forward", "inverse-mass". */
const char *zv_question_name(zvQuestion question);
/* Numbers in an answer: nv, or nv x nv of M and M^-1. */
size_t zv_answer_size(zvQuestion question, const zvModel *model);

/* What a method is defined for: every model of this library, loops not looked at, or what the bits say. */
typedef enum zvDomain {
    ZV_DOMAIN_TREES = 0,
    ZV_DOMAIN_RIGID = 1,    /* rigid links */
    ZV_DOMAIN_UNLOADED = 2, /* no external forces: fext NULL */
    ZV_DOMAIN_UNCOUPLED = 4 /* no coupled mimic joints */
} zvDomain;

/* x is a of inverse and tau of forward dynamics. What a question has no use for is not read. ZV_NOT_SUPPORTED outside
 * of the domain, for robots too large for the square matrices of a method (2048 degrees of freedom), and of articulated
 * where coupled mimic joints alone keep a massless part from moving freely; of larger robots, where they alone might.
 */
typedef zvStatus (*zvMethodFunction)(const zvModel *model, zvWork *work, const double *q, const double *v,
                                     const double *x, const double *fext, double *answer);

/* A row of a table: it runs the kernel it names, always, or refuses. */
typedef struct zvMethod {
    const char *name;
    zvMethodFunction run;
    const char *cost;   /* "O(n)" */
    const char *source; /* what it is, and whose */
    unsigned domain;    /* bits of zvDomain */
} zvMethod;

/* The table of a question; *count receives the number of rows. The first is "auto": what the functions above do. */
const zvMethod *zv_methods(zvQuestion question, size_t *count);
/* The row of that name, NULL when there is none. */
const zvMethod *zv_method_named(zvQuestion question, const char *name);
/* The row that auto runs for the model, with external forces when loaded; why (size, may be 0) receives the reason. */
const zvMethod *zv_method_chosen(zvQuestion question, const zvModel *model, bool loaded, char *why, size_t size);

/* Whether a method of this domain is defined for the model, external forces apart. */
bool zv_domain_holds(unsigned domain, const zvModel *model);
/* Mixed dynamics, and the inverse of an implicit step, with the mass matrix of a row of ZV_QUESTION_FORWARD assembled,
 * factored as that row does and solved for what is free; auto and articulated take the sweeps that the functions above
 * take. ZV_NOT_SUPPORTED as the row's own. */
zvStatus zv_mixed_dynamics_by(const zvMethod *forward, const zvModel *model, zvWork *work, const double *q,
                              const double *v, const unsigned char *given, const double *fext, double *tau, double *a);
zvStatus zv_structural_inverse_times_by(const zvMethod *forward, const zvModel *model, zvWork *work, const double *q,
                                        const unsigned char *given, const double *extra, double damping,
                                        double stiffness, const double *x, double *y);

/* Why it is not, loaded: with external forces; NULL when it is. */
const char *zv_domain_obstacle(unsigned domain, const zvModel *model, bool loaded);
/* "rigid links, no external forces", for instance; "" when there are no limits. */
const char *zv_domain_words(unsigned domain);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
