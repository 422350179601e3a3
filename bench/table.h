/* The results as a table and as JSON. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "rows.h"

void table_print(const Rows *rows);
/* False when the file cannot be written. */
bool table_write_json(const Rows *rows, const char *path);

#endif
