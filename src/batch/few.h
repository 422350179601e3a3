/* Batches of so few states that a group of lanes would take longer than they do one by one: a loop over the functions
 * of single states, in either arrangement and precision. */
#ifndef ZI_BATCH_FEW_H
#define ZI_BATCH_FEW_H

#include <stdint.h>

#include "batch/lanes.h"

/* Bit n: whether a loop over n states takes less than lanes do. */
uint64_t zi_few_counts(const zvModel *model, const ziLanes *lanes, bool single, ziAsked asked);
/* Numbers of memory that zi_few_run needs. */
size_t zi_few_room(const zvModel *model);
/* The answers of all states of a task, and the worst status of them. */
zvStatus zi_few_run(zvWork *work, double *room, ziAsked asked, bool single, const ziLaneTask *task);

#endif
