/* What zveno modes found at a state, and how it is told. */
#ifndef ZVENO_CLI_VERBS_MODES_H
#define ZVENO_CLI_VERBS_MODES_H

#include "question.h"

/* Where the parts of the answer lie. */
typedef struct ModesAnswer {
    double *count;          /* of modes; as many are listed below */
    double *modes;          /* n x 4: frequency, damping, real, imag */
    double *leader, *share; /* n: which degree of freedom moves most, and its share of the kinetic energy */
    double *shapes;         /* n x n; n is nv, with motors of flexible joints 2 nv: those of the links, then motors */
    double *q;              /* nq: the state or the equilibrium */
} ModesAnswer;

ModesAnswer modes_parts(const Case *at);
/* Entries of a shape. */
size_t modes_width(const Case *at);
/* What the joints and the motors of flexible ones do. */
Joints joints_of(const Args *args, const zvModel *model, bool motors);
Joints modes_joints(const Case *at);
Motors modes_motors(const Case *at);
/* The inertia of a joint's motor that is a freedom of its own, 0 of others. */
double modes_rotor_inertia(const Case *at, int joint);

/* Of a whole system. */
Code modes_of_scenario(const Args *args, Text *out);

void modes_json(const Case *at, Json *json);
void modes_table(const Case *at, Text *out);

#endif
