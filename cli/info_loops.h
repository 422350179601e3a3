/* What "zveno info" tells of loops. */
#ifndef ZVENO_CLI_INFO_LOOPS_H
#define ZVENO_CLI_INFO_LOOPS_H

#include "json.h"
#include "zveno/model.h"

/* Keys loops, loop_matrix, mobility; nothing when there are no loops. */
void info_loops_json(const zvModel *model, Json *json);
void info_loops_table(const zvModel *model, Text *out);

#endif
