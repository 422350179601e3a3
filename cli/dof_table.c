/* Tables whose rows or columns are degrees of freedom, and tables of 6-vectors. */
#include "dof_table.h"

#include <assert.h>
#include <string.h>

enum { MATRIX_WIDTH = 8 }; /* columns of a matrix that fit side by side */

enum { MAX_COLUMNS = 4 }; /* of a table of degrees of freedom */

static void cell_label(const Entry *dof, Table *table) {
    Text label = {0};
    entry_label(dof, &label);
    table_text(table, label.size ? label.bytes : "");
    text_free(&label);
}

/* The unit all degrees of freedom share, or NULL. */
static const char *common_unit(const zvModel *model, Quantity quantity) {
    const int nv = zv_model_nv(model);
    Entry dof = entry_first(model, false);
    const char *unit = nv ? entry_unit(&dof, quantity) : "";
    for (int i = 1; i < nv; i++) {
        entry_next(&dof);
        if (strcmp(unit, entry_unit(&dof, quantity))) return NULL;
    }
    return unit;
}

static void column_heading(const char *name, const char *unit, Table *table) {
    char heading[64];
    snprintf(heading, sizeof heading, "%s [%s]", name, unit ? unit : "unit");
    table_text(table, heading);
    if (!unit) table_text(table, "");
}

void table_of_dofs(const zvModel *model, const Column *columns, size_t count, Text *out) {
    const char *units[MAX_COLUMNS];
    size_t width = 2;
    assert(count <= MAX_COLUMNS);
    for (size_t c = 0; c < count; c++) {
        units[c] = common_unit(model, columns[c].quantity);
        width += units[c] ? 1 : 2;
    }
    Table table = table_start(width);
    table_text(&table, "dof");
    table_text(&table, "joint");
    for (size_t c = 0; c < count; c++) column_heading(columns[c].name, units[c], &table);
    Entry dof = entry_first(model, false);
    for (int i = 0; i < zv_model_nv(model); i++, entry_next(&dof)) {
        table_integer(&table, i);
        cell_label(&dof, &table);
        for (size_t c = 0; c < count; c++) {
            table_number(&table, columns[c].values[i]);
            if (!units[c]) table_text(&table, entry_unit(&dof, columns[c].quantity));
        }
    }
    table_finish(&table, out);
}

/* Columns first .. end - 1. */
static void matrix_block(const zvModel *model, const char *const *labels, size_t rows, const double *values, int first,
                         int end, Text *out) {
    const size_t nv = (size_t)zv_model_nv(model);
    Table table = table_start((size_t)(end - first) + (labels ? 1 : 2));
    if (!labels) table_text(&table, "dof");
    table_text(&table, labels ? "" : "joint");
    for (int j = first; j < end; j++) table_integer(&table, j);
    Entry dof = entry_first(model, false);
    for (size_t i = 0; i < rows; i++) {
        if (labels) {
            table_text(&table, labels[i]);
        } else {
            table_integer(&table, (int)i);
            cell_label(&dof, &table);
            entry_next(&dof);
        }
        for (int j = first; j < end; j++) table_number(&table, values[i * nv + (size_t)j]);
    }
    table_finish(&table, out);
}

void table_of_matrix(const zvModel *model, const char *title, const char *const *labels, size_t rows,
                     const double *values, Text *out) {
    const int nv = zv_model_nv(model);
    text_printf(out, "%s, columns by dof\n", title);
    for (int first = 0; first < nv; first += MATRIX_WIDTH) {
        const int end = first + MATRIX_WIDTH < nv ? first + MATRIX_WIDTH : nv;
        if (first) text_puts(out, "\n");
        matrix_block(model, labels, rows, values, first, end, out);
    }
}

void table_of_part(const zvModel *model, const char *title, const int *rows, int row_count, const int *columns,
                   int column_count, const double *values, Text *out) {
    text_printf(out, "%s\n", title);
    for (int first = 0; first < column_count; first += MATRIX_WIDTH) {
        const int end = first + MATRIX_WIDTH < column_count ? first + MATRIX_WIDTH : column_count;
        Table table = table_start((size_t)(end - first) + 2);
        if (first) text_puts(out, "\n");
        table_text(&table, "dof");
        table_text(&table, "joint");
        for (int j = first; j < end; j++) {
            const Entry dof = entry_at(model, false, columns ? columns[j] : j);
            cell_label(&dof, &table);
        }
        for (int i = 0; i < row_count; i++) {
            const Entry dof = entry_at(model, false, rows ? rows[i] : i);
            table_integer(&table, rows ? rows[i] : i);
            cell_label(&dof, &table);
            for (int j = first; j < end; j++) table_number(&table, values[i * column_count + j]);
        }
        table_finish(&table, out);
    }
}

void table_of_sixes(const char *first, const char *const headings[6], const Six *rows, size_t count, Text *out) {
    Table table = table_start(7);
    table_text(&table, first);
    for (int i = 0; i < 6; i++) table_text(&table, headings[i]);
    for (size_t r = 0; r < count; r++) {
        table_text(&table, rows[r].name);
        for (int i = 0; i < 6; i++) table_number(&table, rows[r].values[i]);
    }
    table_finish(&table, out);
}
