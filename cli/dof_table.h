/* Tables whose rows or columns are degrees of freedom, and tables of 6-vectors. */
#ifndef ZVENO_CLI_DOF_TABLE_H
#define ZVENO_CLI_DOF_TABLE_H

#include "coordinates.h"
#include "table.h"

typedef struct Column {
    const char *name;
    Quantity quantity;
    const double *values; /* nv */
} Column;

/* A row per degree of freedom. A column's unit stands in its heading or, when rows differ, beside each number. */
void table_of_dofs(const zvModel *model, const Column *columns, size_t count, Text *out);

/* A matrix (rows x nv) under a title, a few columns at a time. The rows are called labels, or, when it is NULL (then
 * rows = nv), like the degrees of freedom. */
void table_of_matrix(const zvModel *model, const char *title, const char *const *labels, size_t rows,
                     const double *values, Text *out);

/* A matrix (rows x columns) under a title; both are lists of degrees of freedom, NULL: all. */
void table_of_part(const zvModel *model, const char *title, const int *rows, int row_count, const int *columns,
                   int column_count, const double *values, Text *out);

typedef struct Six {
    const char *name;
    const double *values; /* linear part, angular part */
} Six;

/* Rows of 6-vectors; the headings are letters with units, for instance "fx [N]" ... "mz [N m]". */
void table_of_sixes(const char *first, const char *const headings[6], const Six *rows, size_t count, Text *out);

#endif
