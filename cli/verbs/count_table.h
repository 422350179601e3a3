/* zveno count --table: the table of the second publication, its printed formulas beside what is counted. */
#ifndef ZVENO_CLI_VERBS_COUNT_TABLE_H
#define ZVENO_CLI_VERBS_COUNT_TABLE_H

#include "args.h"
#include "zveno/codegen.h"

/* Chains of args->table_first ... args->table_last revolute joints; draws args->plot when it is given. */
Code count_table(const Args *args, Text *out);

#endif
