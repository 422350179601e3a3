/* Who answers what: the questions, and the methods that are asked. */
#ifndef ZV_AGREE_ROSTER_H
#define ZV_AGREE_ROSTER_H

#include "agree/generated.h"
#include "agree/judge.h"
#include "agree/trial.h"
#include "zveno/agree.h"

enum { ZV_ROSTER_QUESTIONS = 32, ZV_ROSTER_METHODS = 128 };

/* The answer of a method in the trial's state. Negative: it has none; ZV_NOT_SUPPORTED: it says nothing here. */
typedef zvStatus (*zvAnswer)(zvTrial *trial, const void *row, double *answer);
/* Sizes of what rounding may touch in each entry of the answer, which is near the median; false: not known. */
typedef bool (*zvSizes)(zvTrial *trial, const double *median, double *sizes);

typedef struct zvContest {
    size_t width; /* numbers of an answer */
    zvSizes sizes;
    double epsilon; /* of the precision: 2^-52 or 2^-24 */
} zvContest;

typedef struct zvContender {
    zvAnswer answer;
    const void *row; /* of its table */
    bool known; /* what is to come out, found without any method: it has no time and does not make a state regular */
    bool untimed;
    bool cubic;     /* grows with the cube of the robot's size, by itself or by what it is judged by */
    double fastest; /* call so far, s */
} zvContender;

typedef struct zvRoster {
    const zvModel *model;
    size_t questions, methods;
    zvAgreeQuestion question[ZV_ROSTER_QUESTIONS];
    zvContest contest[ZV_ROSTER_QUESTIONS];
    zvAgreeMethod method[ZV_ROSTER_METHODS];
    zvContender contender[ZV_ROSTER_METHODS];
} zvRoster;

/* A question; the methods that are added next belong to it. */
void zv_roster_ask(zvRoster *roster, const char *name, const char *meaning, size_t width, zvSizes sizes);
/* A method of the last question; returns its entry. */
zvContender *zv_roster_add(zvRoster *roster, const char *name, zvAnswer answer, const void *row);
/* One that is not asked here, and why. */
void zv_roster_excuse(zvRoster *roster, const char *name, const char *why);
/* The recorded program of the last question, or why there is none; set NULL: not asked for. */
void zv_roster_add_recorded(zvRoster *roster, const zvRecordedSet *set, zvRecordedKind kind, zvAnswer answer);

/* What lanes and the recursions behind dynamics.h answer. */
typedef enum zvLaned {
    ZV_LANED_MASS,
    ZV_LANED_BIAS,
    ZV_LANED_INVERSE,
    ZV_LANED_FORWARD,
    ZV_LANED_MINV,
    ZV_LANED_MIXED,
    ZV_LANED_FRAME,
    ZV_LANED
} zvLaned;

/* Methods of the last question: each recursion by itself (forced.c), and lanes or why there are none (lanes.c). */
void zv_roster_add_forced(zvRoster *roster, zvLaned what);
void zv_roster_add_lanes(zvRoster *roster, const zvRing *ring, zvLaned what);
/* A question of its own, where there are lanes: their single precision against the library. */
void zv_roster_ask_single(zvRoster *roster, const zvRing *ring, zvLaned what, const char *name, size_t width,
                          zvSizes sizes);

/* The tables of dynamics.h with what else answers their questions (tables.c); what two functions must give together
 * (crosses.c); frames in lanes (lanes.c); derivatives (slopes.c); closed loops (closed.c). generated NULL: not asked
 * for. */
void zv_roster_tables(zvRoster *roster, const zvRing *ring, const zvRecordedSet *generated);
void zv_roster_crosses(zvRoster *roster, const zvRing *ring, const zvRecordedSet *generated);
void zv_roster_frame(zvRoster *roster, const zvRing *ring);
void zv_roster_slopes(zvRoster *roster, const zvRecordedSet *generated);
void zv_roster_closed(zvRoster *roster);

/* Derivatives as methods of the last question: d tau/d a is M, d a/d tau its inverse (slopes.c). */
void zv_roster_add_derivative(zvRoster *roster, zvLaned what);

/* A motion that obeys the mask of the mixed problem, and its forces: a, then tau. */
void zv_mixed_motion(zvTrial *trial, double *answer);

/* sizes (nv) := |M^-1| forces; false when there is no inverse. */
bool zv_sizes_accelerated(const zvTrial *trial, const double *forces, double *sizes);
/* sizes (nv x nv) of M^-1: |M^-1| S |M^-1|; false when there is no inverse. */
bool zv_sizes_minv(zvTrial *trial, const double *median, double *sizes);
/* Sizes of derivatives of tau, (nv x nv) each, at the motion v, a (slope_sizes.c). */
/* How much a unit of coordinate k turns, and (*slide) how far it displaces. */
double zv_slope_turn(const zvTrial *trial, size_t k, double *slide);
void zv_sizes_by_q(zvTrial *trial, const double *a, double *by_q);
void zv_sizes_by_v(zvTrial *trial, double *by_v);

#endif
