/* Parameters and numbers that --set can change, by their paths. */
#include "parameters.h"

#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "kinds.h"
#include "table.h"
#include "zveno/read.h"

typedef struct Settable {
    char *path, *text, *unit, *file; /* unit and file: NULL for a number */
    double value;
    bool is_number;
    int line;
} Settable;

struct SettableList {
    Settable *rows;
    size_t count, capacity;
};

SettableList *settable_create(void) { return calloc(1, sizeof(SettableList)); }

void settable_destroy(SettableList *list) {
    if (!list) return;
    for (size_t i = 0; i < list->count; i++) {
        free(list->rows[i].path);
        free(list->rows[i].text);
        free(list->rows[i].unit);
        free(list->rows[i].file);
    }
    free(list->rows);
    free(list);
}

static char *copy_text(const char *text) {
    char *copy = text ? malloc(strlen(text) + 1) : NULL;
    return copy ? strcpy(copy, text) : NULL;
}

/* A row whose texts are copies; false when memory runs out. */
static bool add_row(SettableList *list, const char *path, const char *text, const char *unit, const char *file) {
    if (list->count == list->capacity) {
        const size_t wanted = 2 * list->capacity + 16;
        Settable *larger = realloc(list->rows, wanted * sizeof *larger);
        if (!larger) return false;
        list->rows = larger;
        list->capacity = wanted;
    }
    Settable *row = &list->rows[list->count++];
    *row =
        (Settable){.path = copy_text(path), .text = copy_text(text), .unit = copy_text(unit), .file = copy_text(file)};
    return row->path && row->text && !(unit && !row->unit) && !(file && !row->file);
}

/* Parameters --------------------------------------------------------------------------------------- */

static zvStatus lacks_memory(zvError *error) {
    return zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "%s", zv_status_sentence(ZV_MEMORY));
}

/* A row for each, in the order of the file. */
static zvStatus add_parameters(SettableList *list, const zvDocument *document, const char *prefix, zvError *error) {
    for (int i = 0; i < zv_document_nparameter(document); i++) {
        const zvParameter *parameter = zv_document_parameter(document, i);
        Text path = {0};
        text_printf(&path, "%sparameters.%s", prefix, parameter->name);
        const bool kept =
            path.bytes && add_row(list, path.bytes, parameter->text, parameter->unit, parameter->mark.file);
        text_free(&path);
        if (!kept) return lacks_memory(error);
        Settable *row = &list->rows[list->count - 1];
        row->is_number = parameter->is_number;
        row->value = parameter->value;
        row->line = parameter->mark.line;
    }
    return ZV_OK;
}

/* XML has none; what the reader of the file refused has been told before this is asked. */
zvStatus settable_add_parameters(SettableList *list, const char *path, const char *prefix, int change_count,
                                 const char *const *changes, zvError *error) {
    zvDocument *document = NULL;
    const FileKind kind = file_kind(path);
    if (kind != FILE_ROBOT && kind != FILE_SCENARIO) return ZV_OK;
    if (zv_document_read_file(path, &document, NULL) < 0) return ZV_OK;
    zvStatus status = ZV_OK;
    for (int i = 0; status >= 0 && i < change_count; i++) {
        if (strncmp(changes[i], "parameters.", strlen("parameters.")) == 0)
            status = zv_document_change(document, changes[i], error);
    }
    if (status >= 0) status = zv_document_expand(document, error);
    if (status >= 0) status = add_parameters(list, document, prefix, error);
    zv_document_destroy(document);
    return status;
}

/* Numbers ------------------------------------------------------------------------------------------ */

static bool add_number(SettableList *list, const zvNode *node, const char *path) {
    double value;
    if (node->quoted || !node->text[0] || zv_node_angle(node, "", &value, NULL) < 0) return true;
    if (!add_row(list, path, node->text, NULL, NULL)) return false;
    list->rows[list->count - 1].is_number = true;
    list->rows[list->count - 1].value = value;
    return true;
}

/* Items of lists by their names, where they have some. */
static bool add_below(SettableList *list, const zvNode *node, const char *path) {
    bool kept = true;
    if (strcmp(path, "zveno") == 0) return true; /* the version */
    if (node->kind == ZV_NODE_SCALAR) return add_number(list, node, path);
    for (int i = 0; kept && i < node->count; i++) {
        const zvNode *name = node->kind == ZV_NODE_LIST ? zv_node_get(node->items[i], "name") : NULL;
        Text inner = {0};
        text_puts(&inner, path);
        if (path[0] && path[strlen(path) - 1] != '.') text_puts(&inner, ".");
        if (node->kind == ZV_NODE_MAP)
            text_puts(&inner, node->keys[i]);
        else if (name && name->kind == ZV_NODE_SCALAR)
            text_puts(&inner, name->text);
        else
            text_printf(&inner, "%d", i);
        kept = inner.bytes && add_below(list, node->items[i], inner.bytes);
        text_free(&inner);
    }
    return kept;
}

bool settable_add_numbers(SettableList *list, const zvNode *root, const char *prefix) {
    return !root || add_below(list, root, prefix);
}

/* Printing ----------------------------------------------------------------------------------------- */

/* Two lists, of parameters and of numbers. */
static void print_json(const SettableList *list, Text *out) {
    Json json = json_start(out);
    json_map(&json, JSON_BLOCK);
    for (int numbers = 0; numbers < 2; numbers++) {
        json_key(&json, numbers ? "numbers" : "parameters"), json_list(&json, JSON_BLOCK);
        for (size_t i = 0; i < list->count; i++) {
            const Settable *row = &list->rows[i];
            if ((row->unit == NULL) != numbers) continue;
            json_map(&json, JSON_LINE);
            json_key(&json, "key"), json_text(&json, row->path);
            json_key(&json, "value");
            if (row->is_number)
                json_number(&json, row->value);
            else
                json_text(&json, row->text);
            if (row->unit) {
                json_key(&json, "unit"), json_text(&json, row->unit);
                json_key(&json, "text"), json_text(&json, row->text);
                json_key(&json, "file"), json_text(&json, row->file);
                json_key(&json, "line"), json_integer(&json, row->line);
            }
            json_end(&json);
        }
        json_end(&json);
    }
    json_end(&json);
}

/* Of as many columns as the rows have something to say in. */
static void print_rows(const SettableList *list, bool parameters, Text *out) {
    Table table = table_start(parameters ? 4 : 2);
    table.exact = true;
    table_text(&table, parameters ? "parameter" : "number");
    table_text(&table, "value");
    if (parameters) table_text(&table, "unit"), table_text(&table, "as written");
    for (size_t i = 0; i < list->count; i++) {
        const Settable *row = &list->rows[i];
        if ((row->unit != NULL) != parameters) continue;
        table_text(&table, row->path);
        if (row->is_number)
            table_number(&table, row->value);
        else
            table_text(&table, row->text);
        if (parameters) table_text(&table, row->unit), table_text(&table, row->text);
    }
    table_finish(&table, out);
}

/* Numbers always, parameters where there are some. */
void settable_print(const SettableList *list, bool as_json, Text *out) {
    size_t parameters = 0;
    for (size_t i = 0; i < list->count; i++) parameters += list->rows[i].unit != NULL;
    if (as_json) {
        print_json(list, out);
        return;
    }
    if (parameters) {
        print_rows(list, true, out);
        text_puts(out, "\n");
    }
    print_rows(list, false, out);
}

/* Robots ------------------------------------------------------------------------------------------- */

static bool put_piece(void *context, const char *text, size_t size) {
    text_put(context, text, size);
    return true;
}

/* The numbers are those of the robot written in the native format, which is where --set changes them. */
Code parameters_of_robot(const Args *args, const Robot *robot, Text *out) {
    SettableList *list = settable_create();
    zvDocument *document = NULL;
    zvError error = {0};
    Text text = {0};
    if (!list) return complain_memory();
    zvStatus status = settable_add_parameters(list, args->operand, "", args->change_count, args->changes, &error);
    if (status >= 0) status = zv_write_native(robot->builder, put_piece, &text, &error);
    if (status >= 0) status = zv_document_read_memory(args->operand, text.bytes, text.size, &document, &error);
    if (status >= 0 && !settable_add_numbers(list, zv_document_root(document), "")) status = lacks_memory(&error);
    if (status >= 0) settable_print(list, (args->given & OPTION_JSON) != 0, out);
    zv_document_destroy(document);
    text_free(&text);
    settable_destroy(list);
    return status < 0 ? complain_error(&error) : CODE_DONE;
}
