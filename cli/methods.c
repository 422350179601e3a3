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

/* Index of --method among names, 0 without it, -1 after a complaint. */
static int choose(const Args *args, const char *const *names, size_t count) {
    if (!args->method) return 0;
    for (size_t i = 0; i < count; i++)
        if (!strcmp(names[i], args->method)) return (int)i;
    complain_unknown(CODE_USAGE, "method", args->method, names, count);
    return -1;
}

const zvForwardMethod *forward_method(const Args *args) {
    size_t count;
    const char *names[MAX_METHODS];
    const zvForwardMethod *rows = zv_forward_methods(&count);
    if (count > MAX_METHODS) count = MAX_METHODS;
    for (size_t i = 0; i < count; i++) names[i] = rows[i].name;
    const int at = choose(args, names, count);
    return at < 0 ? NULL : &rows[at];
}

const zvMassMethod *mass_method(const Args *args) {
    size_t count;
    const char *names[MAX_METHODS];
    const zvMassMethod *rows = zv_mass_methods(&count);
    if (count > MAX_METHODS) count = MAX_METHODS;
    for (size_t i = 0; i < count; i++) names[i] = rows[i].name;
    const int at = choose(args, names, count);
    return at < 0 ? NULL : &rows[at];
}

const zvClosedMethod *closed_method(const Args *args) {
    size_t count;
    const char *names[MAX_METHODS];
    const zvClosedMethod *rows = zv_closed_methods(&count);
    if (count > MAX_METHODS) count = MAX_METHODS;
    for (size_t i = 0; i < count; i++) names[i] = rows[i].name;
    const int at = choose(args, names, count);
    return at < 0 ? NULL : &rows[at];
}
