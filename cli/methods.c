/* Choosing a row of one of the library's tables of methods by --method. */
#include "methods.h"

#include <string.h>

enum { MAX_METHODS = 32 };

/* What rows of all tables have. */
typedef struct MethodEntry {
    const void *row;
    const char *name, *cost, *source;
    unsigned domain;
} MethodEntry;

static size_t closed_entries(MethodEntry list[MAX_METHODS]) {
    size_t count;
    const zvClosedMethod *rows = zv_closed_methods(&count);
    for (size_t i = 0; i < count; i++)
        list[i] = (MethodEntry){&rows[i], rows[i].name, rows[i].cost, rows[i].source, ZV_DOMAIN_TREES};
    return count;
}

static size_t entries(int table, MethodEntry list[MAX_METHODS]) {
    size_t count;
    if (table == METHODS_CLOSED) return closed_entries(list);
    const zvMethod *rows = zv_methods((zvQuestion)table, &count);
    for (size_t i = 0; i < count; i++)
        list[i] = (MethodEntry){&rows[i], rows[i].name, rows[i].cost, rows[i].source, rows[i].domain};
    return count;
}

void methods_describe(int table, const char *heading, Text *out) {
    MethodEntry list[MAX_METHODS];
    const size_t count = entries(table, list);
    text_printf(out, "%s\n", heading);
    for (size_t i = 0; i < count; i++) {
        const char *limits = zv_domain_words(list[i].domain);
        text_printf(out, "  %-20s  %-12s  %s%s%s%s\n", list[i].name, list[i].cost, list[i].source,
                    limits[0] ? "; " : "", limits, i ? "" : " (default)");
    }
}

/* Forward dynamics has a table for robots with loops and one for those without; false: the other has no such row. */
static bool told_of_other_table(int table, const char *method, const char *const *names, size_t count) {
    const bool closed = table == METHODS_CLOSED;
    if (!closed && table != ZV_QUESTION_FORWARD) return false;
    MethodEntry others[MAX_METHODS];
    const size_t other_count = entries(closed ? ZV_QUESTION_FORWARD : METHODS_CLOSED, others);
    size_t i = 0;
    while (i < other_count && strcmp(others[i].name, method)) i++;
    if (i == other_count) return false;
    complain(CODE_USAGE, "expected a method for robots %s closed loops, found \"%s\", which is for robots %s",
             closed ? "with" : "without", method, closed ? "without" : "with closed loops");
    list_known(CODE_USAGE, names, count);
    return true;
}

/* The first row is the default; an unknown name lists all rows of the table. */
const void *method_choose(int table, const Args *args) {
    MethodEntry list[MAX_METHODS];
    const char *names[MAX_METHODS];
    const size_t count = entries(table, list);
    if (!args->method || !strcmp(args->method, "auto")) return list[0].row;
    for (size_t i = 0; i < count; i++) {
        names[i] = list[i].name;
        if (!strcmp(names[i], args->method)) return list[i].row;
    }
    if (!told_of_other_table(table, args->method, names, count))
        complain_unknown(CODE_USAGE, "method", args->method, names, count);
    return NULL;
}

static const char *first_elastic(const zvModel *model) {
    for (int link = 0; link < zv_model_nlink(model); link++)
        if (zv_model_elastic_place(model, link).count > 0) return zv_model_link(model, link)->name;
    return "";
}

/* "a, b or c": the methods of the table that are defined for the model. */
static void list_defined(const MethodEntry *list, size_t count, const zvModel *model, Text *out) {
    const MethodEntry *defined[MAX_METHODS];
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (zv_domain_holds(list[i].domain, model)) defined[n++] = &list[i];
    for (size_t i = 0; i < n; i++) text_printf(out, "%s%s", i == 0 ? "" : i + 1 == n ? " or " : ", ", defined[i]->name);
}

static const MethodEntry *find_row(const MethodEntry *list, size_t count, const void *row) {
    for (size_t i = 0; i < count; i++)
        if (list[i].row == row) return &list[i];
    return NULL;
}

/* Refuses before the first state what a method would refuse at each of them. */
Code method_check(int table, const void *row, const zvModel *model) {
    MethodEntry list[MAX_METHODS];
    const size_t count = entries(table, list);
    const MethodEntry *entry = find_row(list, count, row);
    if (!entry || zv_domain_holds(entry->domain, model)) return CODE_DONE;
    Text others = {0};
    Code code = CODE_INPUT;
    list_defined(list, count, model, &others);
    if (others.failed)
        code = complain_memory();
    else if (!zv_domain_holds(entry->domain & ZV_DOMAIN_RIGID, model))
        code = complain(code, "expected rigid links for method %s, found link \"%s\" elastic; use %s", entry->name,
                        first_elastic(model), others.bytes);
    else
        code = complain(code, "expected no coupled mimic joints for method %s, found some; use %s", entry->name,
                        others.bytes);
    text_free(&others);
    return code;
}

zvStatus method_outcome(int table, const Case *at, zvStatus status) {
    static const char too_large[] = "it needs a square matrix for which this robot has too many coordinates";
    static const char loose[] = "without its coupled mimic joints a massless part of this robot moves freely";
    MethodEntry list[MAX_METHODS];
    const MethodEntry *entry = find_row(list, entries(table, list), at->method);
    if (!entry || status != ZV_NOT_SUPPORTED) return status;
    const char *why = zv_domain_obstacle(entry->domain, at->model, at->state->fext != NULL);
    if (!why) why = strcmp(entry->name, "articulated") ? too_large : loose;
    return zv_fail(at->error, status, (zvMark){0}, "", "method %s: %s; use %s", entry->name, why, list[0].name);
}
