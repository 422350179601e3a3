/* Who answers what: the questions, the methods that answer them, and how their answers are compared. */
#ifndef ZI_AGREE_ROSTER_H
#define ZI_AGREE_ROSTER_H

#include <stdbool.h>
#include <stddef.h>

#include "agree/trial.h"
#include "zveno/agree.h"
#include "zveno/status.h"
#include "zveno/work.h"

/* How far answers are apart: numbers in, ulps and ratios out. */

enum { ZI_MOST_ANSWERS = 24 }; /* answers to one question */

typedef struct ziDifference {
    double ulps;  /* in spacings of doubles at the largest number of the answers */
    double ratio; /* to what rounding explains */
} ziDifference;

/* answers: count of them, `width` numbers each; those that are NULL do not count. */

/* Entry by entry the one in the middle, or half way between the two in the middle; NaN where some answer is no finite
 * number. */
void zi_answers_median(size_t count, const double *const *answers, size_t width, double *median);
/* Largest less smallest. rounding is (width): what is to be expected of each entry; NULL: anything. Infinite when an
 * answer is no finite number, or differs where no rounding can be. */
ziDifference zi_answers_spread(size_t count, const double *const *answers, size_t width, const double *rounding);
/* Of one answer from the median; where that is no number, infinite for the answer that is not. */
ziDifference zi_answers_distance(const double *answer, const double *median, size_t width, const double *rounding);

/* The clock of a run, and whether it goes on. */

typedef struct ziWatch {
    zvAgreeOptions options;
    double began;
    bool stopped; /* tell said so */
    bool late;    /* the time is up */
} ziWatch;

/* Wall clock, s. */
double zi_watch_now(void);
ziWatch zi_watch_start(const zvAgreeOptions *options);
/* Asks tell, then the clock, with so many states compared. False once either said stop. */
bool zi_watch_goes_on(ziWatch *watch, int done);
/* Whether the time is up so many seconds from now. */
bool zi_watch_ends_within(const ziWatch *watch, double seconds);

/* Straight-line programs of this robot as further methods: recorded once, run number by number. */

/* Programs that are compared, in the order of the arrays below. */
typedef enum ziRecordedKind {
    ZI_RECORDED_MASS,
    ZI_RECORDED_BIAS,
    ZI_RECORDED_INVERSE,
    ZI_RECORDED_FORWARD,
    ZI_RECORDED_MINV,
    ZI_RECORDED_INVERSE_DERIVATIVES,
    ZI_RECORDED_FORWARD_DERIVATIVES, /* of the answer the derivatives only */
    ZI_RECORDINGS
} ziRecordedKind;

typedef struct ziRecorded ziRecorded;

typedef struct ziRecordedSet {
    ziRecorded *program[ZI_RECORDINGS]; /* NULL: none */
    const char *why[ZI_RECORDINGS];     /* why not; static text */
} ziRecordedSet;

/* Records all programs; what a robot or a build cannot have is told in why. False: out of memory.
 * zi_recorded_free in either case. */
bool zi_recorded_make(const zvModel *model, ziRecordedSet *set);
void zi_recorded_free(ziRecordedSet *set);

/* x is a (nv) of inverse, tau of forward and of their derivatives, else NULL; v NULL: zero. ZV_SINGULAR as generated
 * code returns -1. */
zvStatus zi_recorded_run(const ziRecorded *program, const double *q, const double *v, const double *x, double *answer);

enum { ZI_ROSTER_QUESTIONS = 32, ZI_ROSTER_METHODS = 128 };

/* The answer of a method in the trial's state. Negative: it has none; ZV_NOT_SUPPORTED: it says nothing here. */
typedef zvStatus (*ziAnswer)(ziTrial *trial, const void *row, double *answer);
/* Sizes of what rounding may touch in each entry of the answer, which is near the median; false: not known. */
typedef bool (*ziSizes)(ziTrial *trial, const double *median, double *sizes);

typedef struct ziContest {
    size_t width; /* numbers of an answer */
    ziSizes sizes;
    double epsilon; /* of the precision: 2^-52 or 2^-24 */
} ziContest;

typedef struct ziContender {
    ziAnswer answer;
    const void *row; /* of its table */
    bool known; /* what is to come out, found without any method: it has no time and does not make a state regular */
    bool untimed;
    bool cubic;     /* grows with the cube of the robot's size, by itself or by what it is judged by */
    double fastest; /* call so far, s */
} ziContender;

typedef struct ziRoster {
    const zvModel *model;
    size_t questions, methods;
    zvAgreeQuestion question[ZI_ROSTER_QUESTIONS];
    ziContest contest[ZI_ROSTER_QUESTIONS];
    zvAgreeMethod method[ZI_ROSTER_METHODS];
    ziContender contender[ZI_ROSTER_METHODS];
} ziRoster;

/* A question; the methods that are added next belong to it. */
void zi_roster_ask(ziRoster *roster, const char *name, const char *meaning, size_t width, ziSizes sizes);
/* A method of the last question; returns its entry. */
ziContender *zi_roster_add(ziRoster *roster, const char *name, ziAnswer answer, const void *row);
/* One that is not asked here, and why. */
void zi_roster_excuse(ziRoster *roster, const char *name, const char *why);
/* The recorded program of the last question, or why there is none; set NULL: not asked for. */
void zi_roster_add_recorded(ziRoster *roster, const ziRecordedSet *set, ziRecordedKind kind, ziAnswer answer);

/* What lanes answer. */
typedef enum ziLaned {
    ZI_LANED_MASS,
    ZI_LANED_BIAS,
    ZI_LANED_INVERSE,
    ZI_LANED_FORWARD,
    ZI_LANED_MINV,
    ZI_LANED_MIXED,
    ZI_LANED_FRAME,
    ZI_LANED
} ziLaned;

/* Methods of the last question: the rows of its table, each with its own kernel (tables.c), and lanes or why there are
 * none (lanes.c). */
void zi_roster_add_table(ziRoster *roster, zvQuestion question);
void zi_roster_add_lanes(ziRoster *roster, const ziRing *ring, ziLaned what);
/* A question of its own, where there are lanes: their single precision against the library. */
void zi_roster_ask_single(ziRoster *roster, const ziRing *ring, ziLaned what, const char *name, size_t width,
                          ziSizes sizes);

/* The tables of dynamics.h with what else answers their questions (tables.c); what two functions must give together
 * (crosses.c); frames in lanes (lanes.c); derivatives (slopes.c); closed loops (closed.c). generated NULL: not asked
 * for. */
void zi_roster_tables(ziRoster *roster, const ziRing *ring, const ziRecordedSet *generated);
void zi_roster_crosses(ziRoster *roster, const ziRing *ring, const ziRecordedSet *generated);
void zi_roster_frame(ziRoster *roster, const ziRing *ring);
void zi_roster_slopes(ziRoster *roster, const ziRecordedSet *generated);
void zi_roster_closed(ziRoster *roster);

/* Derivatives as methods of the last question: d tau/d a is M, d a/d tau its inverse (slopes.c). */
void zi_roster_add_derivative(ziRoster *roster, ziLaned what);

/* A motion that obeys the mask of the mixed problem, and its forces: a, then tau. */
void zi_mixed_motion(ziTrial *trial, double *answer);

/* sizes (nv) := |M^-1| forces; false when there is no inverse. */
bool zi_sizes_accelerated(const ziTrial *trial, const double *forces, double *sizes);
/* sizes (nv x nv) of M^-1: |M^-1| S |M^-1|; false when there is no inverse. */
bool zi_sizes_minv(ziTrial *trial, const double *median, double *sizes);
/* Sizes of derivatives of tau, (nv x nv) each, at the motion v, a (slopes.c). */
/* How much a unit of coordinate k turns, and (*slide) how far it displaces. */
double zi_slope_turn(const ziTrial *trial, size_t k, double *slide);
void zi_sizes_by_q(ziTrial *trial, const double *a, double *by_q);
void zi_sizes_by_v(ziTrial *trial, double *by_v);

#endif
