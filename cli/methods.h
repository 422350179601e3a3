/* Choosing a row of one of the library's tables of methods by --method. */
#ifndef ZVENO_CLI_METHODS_H
#define ZVENO_CLI_METHODS_H

#include "args.h"
#include "zveno/dynamics.h"
#include "zveno/loops.h"

/* The tables; rows of METHODS_MASS are zvMassMethod, and so on. */
typedef enum Methods {
    METHODS_MASS,
    METHODS_BIAS,
    METHODS_INVERSE,
    METHODS_FORWARD,
    METHODS_CLOSED /* forward dynamics of robots with loops */
} Methods;

/* The row that --method names, the first without it; NULL after a complaint when there is no such method. */
const void *method_choose(Methods table, const Args *args);
/* Complains when a row of the table is not defined for the model, and tells which are. */
Code method_check(Methods table, const void *row, const zvModel *model);
/* What a method answered; when it refuses, the robot is too large for it, and error tells so. */
zvStatus method_outcome(Methods table, const void *row, zvStatus status, zvError *error);
/* A heading, then name, cost and source of each method, for help texts. */
void methods_describe(Methods table, const char *heading, Text *out);

#endif
