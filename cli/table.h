/* Tables for people: cells are added row by row, the first row is the heading; widths are found when it is printed. */
#ifndef ZVENO_CLI_TABLE_H
#define ZVENO_CLI_TABLE_H

#include "text.h"

typedef struct Cell {
    size_t offset; /* of its text */
    bool number;   /* set flush right */
    double value;  /* of a measured number, else 0 */
} Cell;

typedef struct Table {
    size_t columns;
    size_t count; /* cells */
    size_t capacity;
    Cell *cells;
    Text text; /* of all cells, each closed by NUL */
    size_t
        alike;  /* to be set when so many columns behind the first share a unit, and so on: 3 of wrenches; 0: none do */
    bool exact; /* to be set for numbers that are data: the smallest is printed too */
} Table;

Table table_start(size_t columns);
void table_text(Table *table, const char *text);
/* Six significant digits; what is rounding noise beside the largest number of its column is printed as 0. */
void table_number(Table *table, double value);
void table_integer(Table *table, int value);
/* Prints and frees the table. Columns of numbers are flush right, the others flush left. */
void table_finish(Table *table, Text *out);

#endif
