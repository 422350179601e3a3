/* Named arrays of numbers and lists of names as files of other programs: MATLAB (level 5), NumPy (.npz). */
#ifndef ZVENO_CLI_ARRAYS_H
#define ZVENO_CLI_ARRAYS_H

#include "text.h"
#include "zveno/status.h"

typedef struct Array {
    const char *name;
    size_t pages, rows, columns; /* pages 0: a matrix */
    const double *numbers;       /* (pages x rows x columns), row-major; NULL: a list of names */
    const char *const *names;    /* (rows) */
} Array;

/* The bytes of the file; false when it cannot hold them. */
bool arrays_mat(const Array *arrays, size_t count, Text *out);
bool arrays_npz(const Array *arrays, size_t count, Text *out);

#endif
