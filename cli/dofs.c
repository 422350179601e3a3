/* Walks over the entries of q and v, and how they are called in tables. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "dofs.h"

static int joint_entries(const EntryCursor *entry) {
    const zvJointPlace place = zv_model_joint_place(entry->model, entry->joint);
    return entry->of_q ? place.nq : place.nv;
}

/* The link whose elastic coordinates follow those of the joint. */
static int moved_link(const EntryCursor *entry) { return zv_model_joint_place(entry->model, entry->joint).child; }

static int entries_of(const EntryCursor *entry) {
    return joint_entries(entry) + zv_model_elastic_place(entry->model, moved_link(entry)).count;
}

/* Which elastic coordinate of the link the entry is; below 0: it belongs to the joint. */
static int elastic_part(const EntryCursor *entry) { return entry->part - joint_entries(entry); }

/* On to a joint that has the entry. */
static void entry_settle(EntryCursor *entry) {
    while (entry->joint < zv_model_njoint(entry->model) && entry->part >= entries_of(entry)) {
        entry->joint++;
        entry->part = 0;
    }
}

EntryCursor entry_first(const zvModel *model, bool of_q) {
    EntryCursor entry = {.model = model, .of_q = of_q};
    entry_settle(&entry);
    return entry;
}

void entry_next(EntryCursor *entry) {
    entry->part++;
    entry_settle(entry);
}

EntryCursor entry_at(const zvModel *model, bool of_q, int index) {
    EntryCursor entry = entry_first(model, of_q);
    while (index--) entry_next(&entry);
    return entry;
}

static zvJointType type_of(const EntryCursor *entry) { return zv_model_joint(entry->model, entry->joint)->type; }

static void elastic_label(const EntryCursor *entry, Text *out) {
    text_name(out, zv_model_link(entry->model, moved_link(entry))->name);
    text_printf(out, ".%s", zv_model_elastic_part(entry->model, moved_link(entry), elastic_part(entry)));
}

void entry_label(const EntryCursor *entry, Text *out) {
    if (elastic_part(entry) >= 0) {
        elastic_label(entry, out);
        return;
    }
    const zvJointType type = type_of(entry);
    const char *part = entry->of_q ? zv_joint_type_q_part(type, entry->part) : zv_joint_type_v_part(type, entry->part);
    text_name(out, zv_model_joint(entry->model, entry->joint)->name);
    if (part) text_printf(out, ".%s", part);
}

const char *entry_unit(const EntryCursor *entry, Quantity quantity) {
    if (elastic_part(entry) >= 0)
        return zv_model_elastic_unit(entry->model, moved_link(entry), elastic_part(entry), (zvQuantity)quantity);
    return zv_joint_type_v_unit(type_of(entry), entry->part, (zvQuantity)quantity);
}

const char *entry_position_unit(const EntryCursor *entry) {
    if (elastic_part(entry) >= 0) return entry_unit(entry, QUANTITY_POSITION);
    return zv_joint_type_q_unit(type_of(entry), entry->part);
}

/* Degrees of freedom by name. */

static bool same_word(const char *name, const char *word, size_t length) {
    return strlen(name) == length && !strncmp(name, word, length);
}

/* A joint that moves on its own; -1: there is none of that name. */
static int joint_named(const zvModel *model, const char *word, size_t length) {
    for (int i = 0; i < zv_model_njoint(model); i++)
        if (zv_model_joint_place(model, i).nv && same_word(zv_model_joint(model, i)->name, word, length)) return i;
    return -1;
}

static int dof_named(const zvModel *model, const char *word, size_t length) {
    int found = -1;
    EntryCursor dof = entry_first(model, false);
    for (int i = 0; i < zv_model_nv(model) && found < 0; i++, entry_next(&dof)) {
        Text label = {0};
        entry_label(&dof, &label);
        if (label.bytes && same_word(label.bytes, word, length)) found = i;
        text_free(&label);
    }
    return found;
}

/* Degrees of freedom of the joint or link in front of the last dot of word, into names; the caller frees them. */
static size_t parts_near(const zvModel *model, const char *word, const char **names) {
    const char *const dot = strrchr(word, '.');
    size_t count = 0;
    EntryCursor dof = entry_first(model, false);
    for (int i = 0; dot && i < zv_model_nv(model); i++, entry_next(&dof)) {
        Text label = {0};
        entry_label(&dof, &label);
        const char *const end = label.bytes ? strrchr(label.bytes, '.') : NULL;
        if (end && end - label.bytes == dot - word && !strncmp(label.bytes, word, (size_t)(dot - word)))
            names[count++] = label.bytes;
        else
            text_free(&label);
    }
    return count;
}

static Code list_unknown(const zvModel *model, const char *word, const char **names) {
    const size_t parts = parts_near(model, word, names);
    size_t count = parts;
    for (int i = 0; !parts && i < zv_model_njoint(model); i++)
        if (zv_model_joint_place(model, i).nv) names[count++] = zv_model_joint(model, i)->name;
    complain_unknown(CODE_INPUT, "joint or degree of freedom", word, names, count);
    for (size_t i = 0; i < parts; i++) free((char *)names[i]);
    return CODE_INPUT;
}

/* What the word names if it is something else: a joint that does not move on its own, or a loop. */
static const char *what_else(const zvModel *model, const char *word) {
    for (int i = 0; i < zv_model_njoint(model); i++)
        if (!strcmp(zv_model_joint(model, i)->name, word))
            return zv_joint_type_nv(zv_model_joint(model, i)->type) == 0
                       ? "is a fixed joint: it has nothing to hold or to drive"
                       : "follows another joint: name that one";
    for (int i = 0; i < zv_model_nloop(model); i++)
        if (!strcmp(zv_model_loop(model, i)->name, word)) return "is a loop, not a joint of the tree";
    return NULL;
}

/* Says what the word is, when it names something else of the robot; else suggests the nearest joint or degree of
 * freedom. */
static Code unknown(const zvModel *model, const char *text, size_t length) {
    const size_t most = (size_t)zv_model_njoint(model) + (size_t)zv_model_nv(model) + 1;
    const char **names = malloc(most * sizeof *names);
    char *word = calloc(length + 1, 1);
    if (word) memcpy(word, text, length);
    const char *const other = word ? what_else(model, word) : NULL;
    if (!names || !word)
        complain_memory();
    else if (other)
        complain(CODE_INPUT, "\"%s\" %s", word, other);
    else
        list_unknown(model, word, names);
    free(names);
    free(word);
    return CODE_INPUT;
}

/* A joint stands for all its degrees of freedom; what is neither joint nor degree of freedom ends the reading. */
Code named_dofs(const zvModel *model, const char *list, unsigned char *chosen) {
    for (;; list++) {
        const size_t length = strcspn(list, ",");
        const int joint = joint_named(model, list, length), dof = joint < 0 ? dof_named(model, list, length) : -1;
        if (joint >= 0) {
            const zvJointPlace place = zv_model_joint_place(model, joint);
            memset(chosen + place.v_index, 1, (size_t)place.nv);
        } else if (dof >= 0) {
            chosen[dof] = 1;
        } else {
            return unknown(model, list, length);
        }
        list += length;
        if (!*list) return CODE_DONE;
    }
}

/* Tables whose rows or columns are degrees of freedom, and tables of 6-vectors. */

enum { MATRIX_WIDTH = 8 }; /* columns of a matrix that fit side by side */

enum { MAX_COLUMNS = 8 }; /* of a table of degrees of freedom */

static void cell_label(const EntryCursor *dof, Table *table) {
    Text label = {0};
    entry_label(dof, &label);
    table_text(table, label.size ? label.bytes : "");
    text_free(&label);
}

/* The unit all degrees of freedom share, or NULL. */
static const char *common_unit(const zvModel *model, Quantity quantity) {
    const int nv = zv_model_nv(model);
    EntryCursor dof = entry_first(model, false);
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

/* A row per degree of freedom. The unit of a column is in its heading where all rows share it, else in a column beside
 * it. */
void table_of_dofs(const zvModel *model, const DofColumn *columns, size_t count, Text *out) {
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
    EntryCursor dof = entry_first(model, false);
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

/* Columns first ... end - 1 of a matrix; its rows have the given labels, or those of the degrees of freedom. */
static void matrix_block(const zvModel *model, const char *const *labels, size_t rows, const double *values, int first,
                         int end, Text *out) {
    const size_t nv = (size_t)zv_model_nv(model);
    Table table = table_start((size_t)(end - first) + (labels ? 1 : 2));
    if (!labels) table_text(&table, "dof");
    table_text(&table, labels ? "" : "joint");
    for (int j = first; j < end; j++) table_integer(&table, j);
    EntryCursor dof = entry_first(model, false);
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

/* A few columns at a time, so that lines of wide matrices do not break in a terminal. */
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
            const EntryCursor dof = entry_at(model, false, columns ? columns[j] : j);
            cell_label(&dof, &table);
        }
        for (int i = 0; i < row_count; i++) {
            const EntryCursor dof = entry_at(model, false, rows ? rows[i] : i);
            table_integer(&table, rows ? rows[i] : i);
            cell_label(&dof, &table);
            for (int j = first; j < end; j++) table_number(&table, values[i * column_count + j]);
        }
        table_finish(&table, out);
    }
}

void table_of_sixes(const char *first, const char *const headings[6], const Six *rows, size_t count, Text *out) {
    Table table = table_start(7);
    table.alike = 3;
    table_text(&table, first);
    for (int i = 0; i < 6; i++) table_text(&table, headings[i]);
    for (size_t r = 0; r < count; r++) {
        table_text(&table, rows[r].name);
        for (int i = 0; i < 6; i++) table_number(&table, rows[r].values[i]);
    }
    table_finish(&table, out);
}
