/* Who answers what: the questions, and the methods that are asked. */
#ifndef ZV_AGREE_ROSTER_H
#define ZV_AGREE_ROSTER_H

#include "agree/generated.h"
#include "agree/judge.h"
#include "agree/trial.h"
#include "zveno/agree.h"

enum { ZV_ROSTER_QUESTIONS = 12, ZV_ROSTER_METHODS = 96 };

/* The answer of a method in the trial's state. Negative: it has none; ZV_NOT_SUPPORTED: it says nothing here. */
typedef zvStatus (*zvAnswer)(zvTrial *trial, const void *row, double *answer);
/* Sizes of what rounding may touch in each entry of the answer, which is near the median; false: not known. */
typedef bool (*zvSizes)(zvTrial *trial, const double *median, double *sizes);

typedef struct zvContest {
    size_t width; /* numbers of an answer */
    zvSizes sizes;
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

/* The tables of dynamics.h with what else answers their questions (tables.c); what two functions must give together
 * (crosses.c); closed loops (closed.c). */
void zv_roster_tables(zvRoster *roster, const zvRecordedSet *generated);
void zv_roster_crosses(zvRoster *roster, const zvRecordedSet *generated);
void zv_roster_closed(zvRoster *roster);

/* sizes (nv) := |M^-1| forces; false when there is no inverse. */
bool zv_sizes_accelerated(const zvTrial *trial, const double *forces, double *sizes);

#endif
