/* --passive: springs, viscous and dry friction of the model beside the forces of a state, their shares apart. */
#ifndef ZVENO_CLI_PASSIVE_H
#define ZVENO_CLI_PASSIVE_H

#include "dofs.h"
#include "question.h"

enum { PASSIVE_SHARES = 3 };

/* Room for the shares and their sum when --passive was given; complains when it cannot be. */
Code passive_prepare(Case *at);
/* The shares at the state. */
void passive_find(Case *at);
/* Their sum (nv), NULL without --passive. */
const double *passive_sum(const Case *at);
/* to (nv) += scale times their sum, if any. */
void passive_add(const Case *at, double scale, double *to);

/* "passive": {spring, viscous, dry} */
void passive_json(const Case *at, Json *json);
/* Appends a column for each share; returns how many columns there are then. */
size_t passive_columns(const Case *at, DofColumn *columns, size_t count);

#endif
