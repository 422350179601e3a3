/* zveno count --table. Chains of revolute joints in general position: what is counted depends on their number alone.
 * As in the publication, counting begins with what is known in base axes: kinematics is left out. */
#include <stdlib.h>
#include <string.h>

#include "chart/chart.h"
#include "json.h"
#include "table.h"
#include "verbs/count_table.h"
#include "zveno/builder.h"

enum { MOST_METHODS = 16, MOST_LINKS = 500 };

/* What is known of one method over all lengths of chain. */
typedef struct MethodCounts {
    const zvMethod *what;
    bool has_formula;
    zvOperations *printed, *counted; /* one per length; printed NULL: the publication has no formula */
    double *printed_sum, *counted_sum;
} MethodCounts;

typedef struct CountTable {
    int first, rows;
    size_t columns;
    MethodCounts column[MOST_METHODS];
    double *n;
} CountTable;

static double sum_of(const zvOperations *x) { return (double)(x->mul + x->add); }

/* A chain of n links whose axes and centres of mass have no zeros. */
static zvModel *chain_of(int n, zvError *error) {
    zvBuilder *builder = zv_builder_create(error);
    zvModel *model = NULL;
    const zvLink ground = zv_link_default("link0");
    zvStatus status = builder ? zv_builder_add_link(builder, &ground, error) : ZV_MEMORY;
    for (int i = 1; i <= n && status >= 0; i++) {
        char link_name[24], parent[24], joint_name[24];
        snprintf(link_name, sizeof link_name, "link%d", i);
        snprintf(parent, sizeof parent, "link%d", i - 1);
        snprintf(joint_name, sizeof joint_name, "joint%d", i);
        zvLink link = zv_link_default(link_name);
        link.has_inertia = true;
        link.inertia = (zvInertia){.mass = 1, .com = {0.1, 0.2, 0.3}, .moment = {2, 0.1, 0.2, 3, 0.3, 4}};
        zvJoint joint = zv_joint_default(joint_name, ZV_JOINT_CONTINUOUS, parent, link_name);
        joint.axis[0] = joint.axis[1] = 0.6;
        joint.origin.p[0] = 0.4, joint.origin.p[1] = 0.5, joint.origin.p[2] = 0.6;
        status = zv_builder_add_link(builder, &link, error);
        if (status >= 0) status = zv_builder_add_joint(builder, &joint, error);
    }
    if (status >= 0) zv_builder_freeze(builder, &model, error);
    zv_builder_destroy(builder);
    return model;
}

/* Columns of all methods before the first chain is counted. */
static bool sheet_take(CountTable *sheet) {
    const size_t rows = (size_t)sheet->rows;
    bool enough = (sheet->n = calloc(rows, sizeof *sheet->n)) != NULL;
    for (size_t k = 0; k < sheet->columns; k++) {
        MethodCounts *column = &sheet->column[k];
        column->printed = calloc(rows, sizeof *column->printed);
        column->counted = calloc(rows, sizeof *column->counted);
        column->printed_sum = calloc(rows, sizeof *column->printed_sum);
        column->counted_sum = calloc(rows, sizeof *column->counted_sum);
        enough &= column->printed && column->counted && column->printed_sum && column->counted_sum;
    }
    return enough;
}

static void sheet_free(CountTable *sheet) {
    for (size_t k = 0; k < sheet->columns; k++) {
        MethodCounts *column = &sheet->column[k];
        free(column->printed);
        free(column->counted);
        free(column->printed_sum);
        free(column->counted_sum);
    }
    free(sheet->n);
}

/* All methods for the mass matrix: those with a printed formula first. auto is one of the others. */
static void choose_columns(CountTable *sheet) {
    size_t count;
    const zvMethod *rows = zv_methods(ZV_QUESTION_MASS, &count);
    for (int printed = 1; printed >= 0; printed--)
        for (size_t i = 1; i < count && sheet->columns < MOST_METHODS; i++) {
            zvOperations unused;
            const bool formula = zv_printed_operations(ZV_QUESTION_MASS, &rows[i], 1, &unused);
            if (formula == printed)
                sheet->column[sheet->columns++] = (MethodCounts){.what = &rows[i], .has_formula = formula};
        }
}

/* Counts every method on one chain; sums are kept for the picture. */
static Code fill_row(CountTable *sheet, int row) {
    zvError error = {0};
    zvModel *model = chain_of(sheet->first + row, &error);
    zvStatus status = model ? ZV_OK : error.status;
    sheet->n[row] = sheet->first + row;
    for (size_t k = 0; k < sheet->columns && status >= 0; k++) {
        MethodCounts *column = &sheet->column[k];
        zvCount count;
        status = zv_count(model, ZV_QUESTION_MASS, column->what, false, &count, &error);
        column->counted[row] = count.method;
        column->counted_sum[row] = sum_of(&count.method);
        zv_printed_operations(ZV_QUESTION_MASS, column->what, sheet->first + row, &column->printed[row]);
        column->printed_sum[row] = sum_of(&column->printed[row]);
    }
    zv_model_destroy(model);
    return status < 0 ? complain_error(&error) : CODE_DONE;
}

/* -- what is shown ----------------------------------------------------------------------------------------------- */

static void pair_json(Json *json, const char *key, const zvOperations *x) {
    json_key(json, key), json_map(json, JSON_LINE);
    json_key(json, "mul"), json_number(json, (double)x->mul);
    json_key(json, "add"), json_number(json, (double)x->add);
    json_end(json);
}

/* A map for each chain and method, printed formula beside counted operations. */
static void print_json(const CountTable *sheet, Text *out) {
    Json json = json_start(out);
    json_map(&json, JSON_BLOCK);
    json_key(&json, "table"), json_list(&json, JSON_BLOCK);
    for (int row = 0; row < sheet->rows; row++)
        for (size_t k = 0; k < sheet->columns; k++) {
            const MethodCounts *column = &sheet->column[k];
            json_map(&json, JSON_LINE);
            json_key(&json, "n"), json_integer(&json, sheet->first + row);
            json_key(&json, "method"), json_text(&json, column->what->name);
            if (column->has_formula) pair_json(&json, "printed", &column->printed[row]);
            pair_json(&json, "counted", &column->counted[row]);
            json_end(&json);
        }
    json_end(&json);
    json_end(&json);
}

static void pair_cell(Table *table, const zvOperations *x) {
    char text[48];
    snprintf(text, sizeof text, "%lld+%lld", x->mul, x->add);
    table_text(table, text);
}

/* Two columns for methods with a printed formula, one for others. */
static void print_table(const CountTable *sheet, Text *out) {
    size_t columns = 1;
    for (size_t k = 0; k < sheet->columns; k++) columns += sheet->column[k].has_formula ? 2 : 1;
    Table table = table_start(columns);
    table_text(&table, "N");
    for (size_t k = 0; k < sheet->columns; k++) {
        const char *name = sheet->column[k].what->name;
        char heading[64];
        if (sheet->column[k].has_formula) {
            snprintf(heading, sizeof heading, "%s, printed", name);
            table_text(&table, heading);
        }
        snprintf(heading, sizeof heading, sheet->column[k].has_formula ? "counted" : "%s", name);
        table_text(&table, heading);
    }
    for (int row = 0; row < sheet->rows; row++) {
        table_integer(&table, sheet->first + row);
        for (size_t k = 0; k < sheet->columns; k++) {
            if (sheet->column[k].has_formula) pair_cell(&table, &sheet->column[k].printed[row]);
            pair_cell(&table, &sheet->column[k].counted[row]);
        }
    }
    text_puts(out, "mass matrix of N revolute joints in a chain: multiplications+additions, from base axes on\n");
    table_finish(&table, out);
}

/* -- the rows of one method ---------------------------------------------------------------------------------------- */

static void sum_json(Json *json, int n, const zvSumCount *sum) {
    json_map(json, JSON_LINE);
    json_key(json, "n"), json_integer(json, n);
    json_key(json, "row"), json_text(json, sum->row);
    json_key(json, "sum"), json_text(json, sum->name);
    pair_json(json, "printed", &sum->printed);
    pair_json(json, "corrected", &sum->corrected);
    pair_json(json, "counted", &sum->counted);
    json_end(json);
}

static void sum_cells(Table *table, int n, const zvSumCount *sum) {
    table_integer(table, n);
    table_text(table, sum->row);
    table_text(table, sum->name);
    pair_cell(table, &sum->printed);
    pair_cell(table, &sum->corrected);
    pair_cell(table, &sum->counted);
}

static void add_to(zvOperations *total, const zvOperations *x) {
    total->mul += x->mul;
    total->add += x->add;
}

/* The sums of one chain and row 11, all together: of the printed rows what the publication prints there. */
static Code count_sums(int n, zvSumCount sums[ZV_SUMS + 1]) {
    zvError error = {0};
    zvModel *model = chain_of(n, &error);
    const zvStatus status = model ? zv_count_sums(model, sums, &error) : error.status;
    zv_model_destroy(model);
    if (status < 0) return complain_error(&error);
    zvSumCount *total = &sums[ZV_SUMS];
    *total = (zvSumCount){.name = "together", .row = "11"};
    zv_printed_operations(ZV_QUESTION_MASS, zv_method_named(ZV_QUESTION_MASS, "yaskevich"), n, &total->printed);
    for (int i = 0; i < ZV_SUMS; i++) {
        add_to(&total->corrected, &sums[i].corrected);
        add_to(&total->counted, &sums[i].counted);
    }
    return CODE_DONE;
}

/* Table 1 of the publication for chains of each length. */
static Code sums_table(const Args *args, Text *out) {
    Table table = table_start(6);
    Json json = json_start(out);
    const bool as_json = args->given & OPTION_JSON;
    static const char *const headings[] = {"N", "row", "sum", "printed", "corrected", "counted"};
    for (int i = 0; i < 6; i++) table_text(&table, headings[i]);
    if (as_json) json_map(&json, JSON_BLOCK), json_key(&json, "sums"), json_list(&json, JSON_BLOCK);
    Code code = CODE_DONE;
    for (int n = args->table_first; n <= args->table_last && code == CODE_DONE; n++) {
        zvSumCount sums[ZV_SUMS + 1];
        code = count_sums(n, sums);
        for (int i = 0; i <= ZV_SUMS && code == CODE_DONE; i++) {
            if (as_json)
                sum_json(&json, n, &sums[i]);
            else
                sum_cells(&table, n, &sums[i]);
        }
    }
    if (as_json) json_end(&json), json_end(&json);
    if (!as_json && code == CODE_DONE)
        text_puts(out,
                  "mass matrix by yaskevich, the rows of his table 1: multiplications+additions, from base axes on\n");
    Text unused = {0};
    table_finish(&table, as_json || code != CODE_DONE ? &unused : out);
    text_free(&unused);
    return code;
}

/* Printed formulas as circles on the lines of what was counted: they coincide where both are right. */
static Code draw(const CountTable *sheet, const char *path) {
    ChartSeries series[2 * MOST_METHODS];
    char label[2 * MOST_METHODS][48];
    int count = 0;
    for (size_t k = 0; k < sheet->columns; k++)
        for (int printed = sheet->column[k].has_formula ? 1 : 0; printed >= 0; printed--) {
            const MethodCounts *column = &sheet->column[k];
            snprintf(label[count], sizeof label[count], "%s%s", column->what->name, printed ? ", printed" : "");
            series[count] = (ChartSeries){.label = label[count],
                                          .count = (size_t)sheet->rows,
                                          .x = sheet->n,
                                          .y = printed ? column->printed_sum : column->counted_sum,
                                          .mark = printed ? CHART_CIRCLE : CHART_NO_MARK,
                                          .no_line = printed,
                                          .color = (int)k + 1};
            count++;
        }
    const ChartPane pane = {
        .y = {.label = "multiplications + additions", .log = true}, .count = count, .series = series};
    const Chart chart = {.title = "Operations for the mass matrix",
                         .subtitle = "printed formulas, and what the kernels do; from base axes on",
                         .x = {.label = "revolute joints N"},
                         .pane_count = 1,
                         .panes = &pane};
    zvError error = {0};
    return chart_write(&chart, path, &error) < 0 ? complain_error(&error) : CODE_DONE;
}

/* Counts all chains before anything is printed or drawn. */
Code count_table(const Args *args, Text *out) {
    if (args->table_first < 1 || args->table_last < args->table_first || args->table_last > MOST_LINKS)
        return complain(CODE_USAGE, "--table: expected N1:N2 with 1 <= N1 <= N2 <= %d, found %d:%d", MOST_LINKS,
                        args->table_first, args->table_last);
    if (args->given & OPTION_METHOD) return sums_table(args, out);
    CountTable sheet = {.first = args->table_first, .rows = args->table_last - args->table_first + 1};
    choose_columns(&sheet);
    Code code = sheet_take(&sheet) ? CODE_DONE : complain_memory();
    for (int row = 0; row < sheet.rows && code == CODE_DONE; row++) code = fill_row(&sheet, row);
    if (code == CODE_DONE && args->plot) code = draw(&sheet, args->plot);
    if (code == CODE_DONE) {
        if (args->given & OPTION_JSON)
            print_json(&sheet, out);
        else
            print_table(&sheet, out);
        if (args->plot && !(args->given & OPTION_JSON)) text_printf(out, "wrote %s\n", args->plot);
    }
    sheet_free(&sheet);
    return code;
}
