/* States of a robot from a JSON or YAML file: q v a tau fext given; residual, which zveno assemble tells with a state,
 * is passed over. */
#ifndef ZVENO_CLI_STATE_H
#define ZVENO_CLI_STATE_H

#include "zveno/document.h"
#include "zveno/dynamics.h"

/* One state, whole: what the file leaves out is neutral or zero. */
typedef struct State {
    double *q;            /* nq, quaternions of unit length */
    double *v, *a, *tau;  /* nv */
    double *wrenches;     /* zv_model_nexternal */
    const double *fext;   /* wrenches, or NULL when nothing acts */
    unsigned char *given; /* nv, zvGiven */
    zvMark mark;          /* where it stands in the file */
    double deviation;     /* largest | |quaternion| - 1 | before scaling */
} State;

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

#endif
