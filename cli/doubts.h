/* What is doubtful in the states of a run, told once for all of them. */
#ifndef ZVENO_CLI_DOUBTS_H
#define ZVENO_CLI_DOUBTS_H

#include "state.h"

typedef struct Doubts {
    int scaled; /* states whose quaternions were scaled */
    zvMark first_scaled;
    double deviation; /* largest, from unit length */
    int outside;      /* states beyond joint limits */
    int first_state;  /* the first of them, its entry of q and the joint */
    int first_entry;
    int first_joint;
    double value, lower, upper; /* there */
} Doubts;

void doubts_note(Doubts *doubts, const zvModel *model, const State *state, int index);
void doubts_warn(const Doubts *doubts, const zvModel *model, int states);

#endif
