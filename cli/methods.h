/* Choosing a row of one of the library's tables of methods by --method. */
#ifndef ZVENO_CLI_METHODS_H
#define ZVENO_CLI_METHODS_H

#include "args.h"
#include "question.h"
#include "zveno/dynamics.h"
#include "zveno/loops.h"

/* A table is that of a zvQuestion, with rows zvMethod, or this one, with rows zvClosedMethod. */
enum { METHODS_CLOSED = ZV_QUESTIONS }; /* forward dynamics of robots with loops */

/* The row that --method names, the first without it; NULL after a complaint when there is no such method. */
const void *method_choose(int table, const Args *args);
/* Complains when a row of the table is not defined for the model, and tells which are. */
Code method_check(int table, const void *row, const zvModel *model);
/* What the method of a case answered; when it refuses, the case's error says why. */
zvStatus method_outcome(int table, const Case *at, zvStatus status);
/* A heading, then name, cost and source of each method, for help texts. */
void methods_describe(int table, const char *heading, Text *out);

#endif
