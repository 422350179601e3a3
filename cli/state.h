/* States of a robot from a JSON or YAML file: q v a tau fext given, of motors theta theta_rate jerk snap; residual,
 * which zveno assemble tells with a state, is passed over. */
#ifndef ZVENO_CLI_STATE_H
#define ZVENO_CLI_STATE_H

#include "zveno/document.h"
#include "zveno/dynamics.h"

/* One state, whole: what the file leaves out is neutral or zero. */
typedef struct State {
    double *q;            /* nq, quaternions of unit length */
    double *v, *a, *tau;  /* nv */
    double *jerk, *snap;  /* nv: derivatives of a */
    double *theta;        /* nv: where motors of flexible joints stand; q where nothing is said */
    double *theta_rate;   /* nv; v where nothing is said */
    double *wrenches;     /* zv_model_nexternal */
    const double *fext;   /* wrenches, or NULL when nothing acts */
    unsigned char *given; /* nv, zvGiven */
    zvMark mark;          /* where it stands in the file */
    unsigned beside;      /* STATE_ bits of what the file gives beside q and v */
    double deviation;     /* largest | |quaternion| - 1 | before scaling */
} State;

/* What of a state not every question takes. */
enum {
    STATE_A = 1,
    STATE_TAU = 2,
    STATE_FEXT = 4,
    STATE_GIVEN = 8,
    STATE_JERK = 16,
    STATE_SNAP = 32,
    STATE_THETA = 64,
    STATE_RATE = 128
};

/* Room for one state; false when memory runs out. */
bool state_create(const zvModel *model, State *state);
void state_free(State *state);

/* Fills state from a map; node NULL is the neutral state. */
zvStatus state_read(const zvNode *node, const zvModel *model, zvWork *work, State *state, zvError *error);

/* A file with one state or a list of states. */
typedef struct StateFile {
    zvDocument *document;
    const zvNode *root; /* NULL: one neutral state */
    bool list;
    int count;
} StateFile;

/* path NULL: the neutral state. The file is to be closed in any case. */
zvStatus state_file_open(const char *path, StateFile *file, zvError *error);
const zvNode *state_file_node(const StateFile *file, int index);
void state_file_close(StateFile *file);

/* What is doubtful in the states of a run, told once for all of them. */

typedef struct StateWarnings {
    int scaled; /* states whose quaternions were scaled */
    zvMark first_scaled;
    double deviation;    /* largest, from unit length */
    int looked, outside; /* positions, and those of them beyond joint limits */
    int first_state;     /* the first of them, its entry of q and the joint */
    int first_entry;
    int first_joint;
    double value, lower, upper; /* there */
    int open;                   /* states that do not close the loops */
    int first_open;             /* the first of them, and its loop with the largest gap or rate */
    int first_loop;
    double gap, rate;     /* of that loop, lengths relative to the size of the robot */
    int redundant;        /* states at which conditions of loops repeat each other */
    int singular;         /* the first state at a singular position counts from 1; 0: there is none */
    int freedoms, nearby; /* there, and a step away */
    double spent;         /* operations on looking for it */
    unsigned ignored;     /* STATE_ bits of what was given and not taken */
    int unchosen;         /* states with a for a question that takes it only where given says so, which they do not */
} StateWarnings;

void state_warnings_note_scaling(StateWarnings *warnings, const State *state);
/* q: a position of a state, or one that answers it. */
void state_warnings_note_limits(StateWarnings *warnings, const zvModel *model, const double *q);
void state_warnings_note_loops(StateWarnings *warnings, const zvModel *model, zvWork *work, const State *state,
                               int index);
/* q closes the loops, and their conditions repeat each other. */
void state_warnings_note_redundant(StateWarnings *warnings, const zvModel *model, const double *q, int index);
/* verb: that took the states; what: the positions that were looked at, "state" or "answer" */
void state_warnings_warn(const StateWarnings *warnings, const zvModel *model, int states, const char *verb,
                         const char *what);

#endif
