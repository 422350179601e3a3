/* Tables of numbers (CSV) from memory. What was read holds finite numbers and distinct names, and makes a law. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target.h"
#include "zveno/motion.h"

static void look(const zvTable *table) {
    const size_t rows = (size_t)table->rows, columns = (size_t)table->columns;
    demand(rows > 0 && columns > 0, "a table has rows and columns");
    for (size_t i = 0; i < rows * columns; i++) demand(isfinite(table->values[i]), "numbers are finite");
    for (size_t i = 0; table->names && i < columns; i++) {
        demand(table->names[i] && table->names[i][0], "every column has a name");
        for (size_t k = 0; k < i; k++) demand(strcmp(table->names[i], table->names[k]) != 0, "names are distinct");
    }
}

/* The first column as times and points; most tables are refused, for their times do not ascend. */
static void move(const zvTable *table) {
    zvError error = {0};
    double *times = malloc((size_t)table->rows * sizeof *times), x;
    demand(times != NULL, "there is memory");
    for (int i = 0; i < table->rows; i++) times[i] = table->values[(size_t)i * (size_t)table->columns];
    zvLaw *law = zv_law_table(1, table->rows, times, times, ZV_TABLE_LINEAR, &error);
    demand(law != NULL || error.text[0], "a refusal of the law has a text");
    if (law) zv_law_at(law, 0.5, &x, NULL, NULL);
    zv_law_destroy(law);
    free(times);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    zvError error = {0};
    zvTable table;
    const zvStatus status = zv_table_read_memory("fuzz.csv", (const char *)data, size, &table, &error);
    demand(status >= 0 || (!table.block && error.text[0] && error.status == status), "a refusal has a text");
    if (status >= 0) {
        look(&table);
        move(&table);
    }
    zv_table_free(&table);
    return 0;
}
