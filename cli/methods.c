/* Choosing a row of one of the library's tables of methods by --method. */
#include "methods.h"

#include <string.h>

enum { MAX_METHODS = 32 };

/* What rows of all tables have. */
typedef struct Entry {
    const void *row;
    const char *name, *cost, *source;
    zvDomain domain;
} Entry;

/* Rows differ in the type of their function only. */
#define LIST(Method, methods, domain_of_row)                                                        \
    do {                                                                                            \
        const Method *rows = methods(&count);                                                       \
        if (count > MAX_METHODS) count = MAX_METHODS;                                               \
        for (size_t i = 0; i < count; i++)                                                          \
            list[i] = (Entry){&rows[i], rows[i].name, rows[i].cost, rows[i].source, domain_of_row}; \
    } while (0)

static size_t entries(Methods table, Entry list[MAX_METHODS]) {
    size_t count = 0;
    switch (table) {
    case METHODS_MASS: LIST(zvMassMethod, zv_mass_methods, rows[i].domain); break;
    case METHODS_BIAS: LIST(zvBiasMethod, zv_bias_methods, rows[i].domain); break;
    case METHODS_INVERSE: LIST(zvInverseMethod, zv_inverse_methods, rows[i].domain); break;
    case METHODS_FORWARD: LIST(zvForwardMethod, zv_forward_methods, rows[i].domain); break;
    case METHODS_CLOSED: LIST(zvClosedMethod, zv_closed_methods, ZV_DOMAIN_TREES); break;
    }
    return count;
}

void methods_describe(Methods table, const char *heading, Text *out) {
    Entry list[MAX_METHODS];
    const size_t count = entries(table, list);
    text_printf(out, "%s\n", heading);
    for (size_t i = 0; i < count; i++)
        text_printf(out, "  %-14s  %-12s  %s%s%s\n", list[i].name, list[i].cost, list[i].source,
                    list[i].domain == ZV_DOMAIN_RIGID ? "; rigid links" : "", i ? "" : " (default)");
}

/* The first row is the default; an unknown name lists all rows of the table. */
const void *method_choose(Methods table, const Args *args) {
    Entry list[MAX_METHODS];
    const char *names[MAX_METHODS];
    const size_t count = entries(table, list);
    if (!args->method) return list[0].row;
    for (size_t i = 0; i < count; i++) {
        names[i] = list[i].name;
        if (!strcmp(names[i], args->method)) return list[i].row;
    }
    complain_unknown(CODE_USAGE, "method", args->method, names, count);
    return NULL;
}

static const char *first_elastic(const zvModel *model) {
    for (int link = 0; link < zv_model_nlink(model); link++)
        if (zv_model_elastic_place(model, link).count > 0) return zv_model_link(model, link)->name;
    return "";
}

/* "a, b or c": the methods of the table that are defined for the model. */
static void list_defined(const Entry *list, size_t count, const zvModel *model, Text *out) {
    const Entry *defined[MAX_METHODS];
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (zv_domain_holds(list[i].domain, model)) defined[n++] = &list[i];
    for (size_t i = 0; i < n; i++) text_printf(out, "%s%s", i == 0 ? "" : i + 1 == n ? " or " : ", ", defined[i]->name);
}

static const Entry *find(const Entry *list, size_t count, const void *row) {
    for (size_t i = 0; i < count; i++)
        if (list[i].row == row) return &list[i];
    return NULL;
}

/* Refuses before the first state what a method would refuse at each of them. */
Code method_check(Methods table, const void *row, const zvModel *model) {
    Entry list[MAX_METHODS];
    const size_t count = entries(table, list);
    const Entry *entry = find(list, count, row);
    if (!entry || zv_domain_holds(entry->domain, model)) return CODE_DONE;
    Text others = {0};
    list_defined(list, count, model, &others);
    const Code code = others.failed
                          ? complain_memory()
                          : complain(CODE_INPUT, "method %s is defined for rigid links; link \"%s\" is elastic; use %s",
                                     entry->name, first_elastic(model), others.bytes);
    text_free(&others);
    return code;
}

zvStatus method_outcome(Methods table, const void *row, zvStatus status, zvError *error) {
    Entry list[MAX_METHODS];
    const Entry *entry = find(list, entries(table, list), row);
    if (!entry || status != ZV_NOT_SUPPORTED) return status;
    return zv_fail(error, status, (zvMark){0}, "",
                   "method %s needs a square matrix for which this robot has too many coordinates; use %s", entry->name,
                   list[0].name);
}
