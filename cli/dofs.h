/* Names and units of the coordinates and degrees of freedom of a model, for tables and error texts. */
#ifndef ZVENO_CLI_DOFS_H
#define ZVENO_CLI_DOFS_H

#include "complain.h"
#include "table.h"
#include "text.h"
#include "zveno/model.h"

typedef enum Quantity {
    QUANTITY_POSITION = ZV_QUANTITY_POSITION,
    QUANTITY_VELOCITY = ZV_QUANTITY_VELOCITY,
    QUANTITY_ACCELERATION = ZV_QUANTITY_ACCELERATION,
    QUANTITY_FORCE = ZV_QUANTITY_FORCE,
    QUANTITY_MOMENTUM = ZV_QUANTITY_MOMENTUM,
    QUANTITY_INERTIA = ZV_QUANTITY_INERTIA
} Quantity;

/* Goes through the entries of q, or of v (and a, tau), in their order. */
typedef struct EntryCursor {
    const zvModel *model;
    bool of_q;
    int joint; /* njoint: past the last entry */
    int part;  /* which of the joint's entries, or behind them of its link's elastic ones */
} EntryCursor;

EntryCursor entry_first(const zvModel *model, bool of_q);
EntryCursor entry_at(const zvModel *model, bool of_q, int index);
void entry_next(EntryCursor *entry);

/* "elbow", "root_joint.wx" and "root_joint.qw" for a joint with several entries, "boom.y1" for an elastic link. */
void entry_label(const EntryCursor *entry, Text *out);
/* Of an entry of v: "N m" or "N" for the force in it, and so on. */
const char *entry_unit(const EntryCursor *entry, Quantity quantity);
/* Of an entry of q: "rad", "m", or "1" in a quaternion. */
const char *entry_position_unit(const EntryCursor *entry);

/* Degrees of freedom by name, as --hold, --independent and --actuated list them. */

/* Sets chosen (nv) to 1 where list names a joint, which means all its degrees of freedom, or a single one ("root.wx",
 * "boom.y1"); complains about others. */
Code named_dofs(const zvModel *model, const char *list, unsigned char *chosen);

/* Tables whose rows or columns are degrees of freedom, and tables of 6-vectors. */

typedef struct DofColumn {
    const char *name;
    Quantity quantity;
    const double *values; /* nv */
} DofColumn;

/* A row per degree of freedom. A column's unit stands in its heading or, when rows differ, beside each number. */
void table_of_dofs(const zvModel *model, const DofColumn *columns, size_t count, Text *out);

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
