/* Checks of what constructors are given. Each returns whether all is well and fills error when not. */
#ifndef ZI_MOTION_ARGUMENTS_H
#define ZI_MOTION_ARGUMENTS_H

#include <stdbool.h>

#include "zveno/status.h"

bool zi_argument_width(int width, zvError *error);
bool zi_argument_finite(const char *what, double value, zvError *error);
/* rows x width finite numbers; what names them in the error, e.g. "points". */
bool zi_argument_array(const char *what, int rows, int width, const double *values, zvError *error);
bool zi_argument_positive(const char *what, int width, const double *values, zvError *error);
/* At least `least` and at most `most` of something. */
bool zi_argument_count(const char *what, int count, int least, int most, zvError *error);
/* Finite, positive, and long enough for start + duration to differ from start. */
bool zi_argument_span(double start, double duration, zvError *error);
/* Finite and ascending. */
bool zi_argument_times(int count, const double *times, zvError *error);

#endif
