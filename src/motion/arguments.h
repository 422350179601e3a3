/* Checks of what constructors are given. Each returns whether all is well and fills error when not. */
#ifndef ZV_MOTION_ARGUMENTS_H
#define ZV_MOTION_ARGUMENTS_H

#include <stdbool.h>

#include "zveno/status.h"

bool zv_argument_width(int width, zvError *error);
bool zv_argument_finite(const char *what, double value, zvError *error);
/* rows x width finite numbers; what names them in the error, e.g. "points". */
bool zv_argument_array(const char *what, int rows, int width, const double *values, zvError *error);
bool zv_argument_positive(const char *what, int width, const double *values, zvError *error);
/* At least `least` and at most `most` of something. */
bool zv_argument_count(const char *what, int count, int least, int most, zvError *error);
/* Finite, positive, and long enough for start + duration to differ from start. */
bool zv_argument_span(double start, double duration, zvError *error);
/* Finite and ascending. */
bool zv_argument_times(int count, const double *times, zvError *error);

#endif
