/* Where a loop stands, in words. */
#ifndef ZI_LOOPS_TELL_H
#define ZI_LOOPS_TELL_H

#include "zveno/model.h"

/* Appends `, joint = value unit` at q for the joints of a loop, or of all (-1), that have one coordinate, a few at
 * most; signs is (njoint), scratch. */
void zi_tell_loop_joints(const zvModel *model, int loop, const double *q, int *signs, char *text, size_t size);

/* How far the joint of a loop that moved most stands from where it was [rad, or parts of the robot's size], of those
 * that are led (nv, 1: led) when there are some: what a loop held in a singular position leaves free may move. signs is
 * (njoint), scratch. */
double zi_loop_moved(const zvModel *model, int loop, const unsigned char *led, const double *q_from, const double *q,
                     int *signs);

#endif
