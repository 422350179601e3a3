/* Tables for people: aligned columns, two spaces between them. */
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Smaller than this beside the largest number of its column, a number is rounding noise: but never a number that is of
 * weight by itself, which beside 1e30 would be noise as well. */
#define NOISE 1e-14
#define GREATEST_NOISE 1e-9

Table table_start(size_t columns) { return (Table){.columns = columns}; }

/* Cells lie in one list of texts; a row is complete after `columns` of them. */
static void table_cell(Table *table, bool number, double value) {
    if (table->count == table->capacity) {
        const size_t capacity = table->capacity ? 2 * table->capacity : 64;
        Cell *cells = realloc(table->cells, capacity * sizeof *cells);
        if (!cells) {
            table->text.failed = true;
            return;
        }
        table->cells = cells;
        table->capacity = capacity;
    }
    table->cells[table->count++] = (Cell){.offset = table->text.size, .number = number, .value = value};
}

void table_text(Table *table, const char *text) {
    table_cell(table, false, 0);
    text_name(&table->text, text);
    text_put(&table->text, "", 1);
}

void table_number(Table *table, double value) {
    table_cell(table, true, value);
    text_number_short(&table->text, value);
    text_put(&table->text, "", 1);
}

void table_integer(Table *table, int value) {
    table_cell(table, true, 0);
    text_printf(&table->text, "%d", value);
    text_put(&table->text, "", 1);
}

/* Characters, not bytes: continuation bytes of UTF-8 take no place. */
static size_t width_of(const char *text) {
    size_t width = 0;
    for (; *text; text++) width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

/* Of a column and of those that share its unit. */
static double largest_of(const Table *table, size_t column) {
    size_t first = column, end = column + 1;
    if (table->alike && column > 0) {
        first = column - (column - 1) % table->alike;
        end = first + table->alike < table->columns ? first + table->alike : table->columns;
    }
    double largest = 0;
    for (size_t cell = 0; cell < table->count; cell++)
        if (cell % table->columns >= first && cell % table->columns < end)
            largest = fmax(largest, fabs(table->cells[cell].value));
    return largest;
}

/* Numbers of a column that are noise become 0. */
static void clean_column(Table *table, size_t column) {
    const double largest = largest_of(table, column);
    for (size_t cell = column; cell < table->count; cell += table->columns) {
        const double value = fabs(table->cells[cell].value);
        if (value > 0 && value < fmin(NOISE * largest, GREATEST_NOISE))
            strcpy(table->text.bytes + table->cells[cell].offset, "0");
    }
}

static const char *cell_text(const Table *table, size_t cell) { return table->text.bytes + table->cells[cell].offset; }

static size_t column_width(const Table *table, size_t column) {
    size_t width = 0;
    for (size_t cell = column; cell < table->count; cell += table->columns) {
        const size_t w = width_of(cell_text(table, cell));
        if (w > width) width = w;
    }
    return width;
}

static void print_cell(const Table *table, size_t cell, size_t width, bool right, bool last, Text *out) {
    const char *text = cell_text(table, cell);
    const size_t blank = width - width_of(text);
    if (right) text_repeat(out, " ", blank);
    text_puts(out, text);
    if (!right) text_repeat(out, " ", blank);
    if (!last)
        text_puts(out, "  ");
    else
        text_end_line(out);
}

static void print_rows(const Table *table, const size_t *widths, Text *out) {
    size_t column = 0;
    for (size_t cell = 0; cell < table->count; cell++) {
        /* the heading stands over its numbers: the first row of the body decides */
        const size_t first = table->columns + column;
        const bool right = first < table->count && table->cells[first].number;
        const bool last = column + 1 == table->columns;
        print_cell(table, cell, widths[column], right, last, out);
        column = last ? 0 : column + 1;
    }
}

/* Widths need all cells, so everything is printed at the end; rounding residues of a column are printed as 0. */
void table_finish(Table *table, Text *out) {
    size_t *widths = calloc(table->columns + 1, sizeof *widths);
    if (!widths || table->text.failed) {
        out->failed = true;
    } else {
        for (size_t column = 0; column < table->columns; column++) {
            if (!table->exact) clean_column(table, column);
            widths[column] = column_width(table, column);
        }
        print_rows(table, widths, out);
    }
    out->not_finite |= table->text.not_finite;
    free(widths);
    free(table->cells);
    text_free(&table->text);
    *table = (Table){0};
}
