/* Where a loop stands, in words. */
#ifndef ZI_LOOPS_TELL_H
#define ZI_LOOPS_TELL_H

#include "zveno/model.h"

/* Appends `, joint = value unit` at q for the joints of a loop, or of all (-1), that have one coordinate, a few at
 * most; signs is (njoint), scratch. */
void zi_tell_loop_joints(const zvModel *model, int loop, const double *q, int *signs, char *text, size_t size);

#endif
