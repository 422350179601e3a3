/* Choosing a row of one of the library's tables of methods by --method. */
#include "methods.h"

#include <string.h>

static void describe(Text *out, const char *name, const char *cost, const char *source, bool is_default) {
    text_printf(out, "  %-12s  %-12s  %s%s\n", name, cost, source, is_default ? " (default)" : "");
}

void forward_methods_describe(Text *out) {
    size_t count;
    const zvForwardMethod *rows = zv_forward_methods(&count);
    text_puts(out, "Methods\n");
    for (size_t i = 0; i < count; i++) describe(out, rows[i].name, rows[i].cost, rows[i].source, !i);
}

void mass_methods_describe(Text *out) {
    size_t count;
    const zvMassMethod *rows = zv_mass_methods(&count);
    text_puts(out, "Methods\n");
    for (size_t i = 0; i < count; i++) describe(out, rows[i].name, rows[i].cost, rows[i].source, !i);
}

void closed_methods_describe(Text *out) {
    size_t count;
    const zvClosedMethod *rows = zv_closed_methods(&count);
    text_puts(out, "Methods for robots with loops\n");
    for (size_t i = 0; i < count; i++) describe(out, rows[i].name, rows[i].cost, rows[i].source, !i);
}

enum { MAX_METHODS = 64 };

/* The row named by --method among `count` of `size` bytes, each of which begins with its name; the first without
 * --method, NULL after a complaint. */
static const void *choose(const Args *args, const void *rows, size_t size, size_t count) {
    const char *names[MAX_METHODS];
    if (count > MAX_METHODS) count = MAX_METHODS;
    if (!args->method) return rows;
    for (size_t i = 0; i < count; i++) {
        const void *row = (const char *)rows + i * size;
        memcpy(&names[i], row, sizeof names[i]);
        if (!strcmp(names[i], args->method)) return row;
    }
    complain_unknown(CODE_USAGE, "method", args->method, names, count);
    return NULL;
}

const zvForwardMethod *forward_method(const Args *args) {
    size_t count;
    const zvForwardMethod *rows = zv_forward_methods(&count);
    return choose(args, rows, sizeof *rows, count);
}

const zvMassMethod *mass_method(const Args *args) {
    size_t count;
    const zvMassMethod *rows = zv_mass_methods(&count);
    return choose(args, rows, sizeof *rows, count);
}

const zvClosedMethod *closed_method(const Args *args) {
    size_t count;
    const zvClosedMethod *rows = zv_closed_methods(&count);
    return choose(args, rows, sizeof *rows, count);
}
