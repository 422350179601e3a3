/* Reads what analytic_print.c writes: assignments NAME: matrix([...], ...); of sums, products and whole powers of
 * numbers, q1, v1, a1 and sines and cosines. A recursive descent with a limit on its depth; nothing is shared with the
 * writer. */
#ifndef ZV_TESTS_CODEGEN_ANALYTIC_READER_H
#define ZV_TESTS_CODEGEN_ANALYTIC_READER_H

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { READER_DEPTH = 20 };

/* Also adds up the sizes of all terms: the scale of rounding. */
typedef struct Reader {
    const char *at;
    const double *symbol[3]; /* q, v, a */
    int count;
    bool failed;
} Reader;

typedef struct Value {
    double value, error_scale;
} Value;

static void skip_space(Reader *r) {
    for (;;) {
        while (isspace((unsigned char)*r->at)) r->at++;
        if (strncmp(r->at, "/*", 2) != 0) return;
        const char *end = strstr(r->at, "*/");
        r->at = end ? end + 2 : r->at + strlen(r->at);
    }
}

static bool take(Reader *r, char c) {
    skip_space(r);
    if (*r->at != c) return false;
    r->at++;
    return true;
}

static void expect(Reader *r, char c) {
    if (!take(r, c)) r->failed = true;
}

static Value read_sum(Reader *r, int depth);

static Value read_name(Reader *r, int depth) {
    const bool sine = !strncmp(r->at, "sin(", 4), cosine = !strncmp(r->at, "cos(", 4);
    if (sine || cosine) {
        r->at += 4;
        const Value x = read_sum(r, depth + 1);
        expect(r, ')');
        return (Value){sine ? sin(x.value) : cos(x.value), 1 + fabs(x.error_scale)};
    }
    const char *kind = strchr("qva", *r->at);
    char *end = NULL;
    const long index = kind && *kind ? strtol(r->at + 1, &end, 10) : 0;
    r->failed |= index < 1 || index > r->count;
    if (r->failed) return (Value){NAN, NAN};
    r->at = end;
    const double x = r->symbol[strchr("qva", *kind) - strchr("qva", 'q')][index - 1];
    return (Value){x, fabs(x)};
}

static Value read_factor(Reader *r, int depth) {
    Value x;
    char *end;
    skip_space(r);
    if (depth > READER_DEPTH) r->failed = true;
    if (r->failed) return (Value){NAN, NAN};
    if (take(r, '(')) {
        x = read_sum(r, depth + 1);
        expect(r, ')');
    } else if (isalpha((unsigned char)*r->at)) {
        x = read_name(r, depth);
    } else {
        x.value = strtod(r->at, &end);
        x.error_scale = fabs(x.value);
        r->failed |= end == r->at || !isdigit((unsigned char)*r->at);
        r->at = end;
    }
    if (!take(r, '^')) return x;
    const double power = (double)strtol(r->at, &end, 10);
    r->failed |= end == r->at;
    r->at = end;
    return (Value){pow(x.value, power), pow(x.error_scale, power)};
}

static Value read_product(Reader *r, int depth) {
    Value x = read_factor(r, depth);
    while (!r->failed && take(r, '*')) {
        const Value y = read_factor(r, depth);
        x = (Value){x.value * y.value, x.error_scale * y.error_scale};
    }
    return x;
}

static Value read_sum(Reader *r, int depth) {
    const double first = take(r, '-') ? -1 : 1;
    Value x = read_product(r, depth);
    x.value *= first;
    while (!r->failed) {
        const bool minus = take(r, '-');
        if (!minus && !take(r, '+')) break;
        const Value y = read_product(r, depth);
        x = (Value){minus ? x.value - y.value : x.value + y.value, x.error_scale + y.error_scale};
    }
    return x;
}

/* Where "NAME: " begins a line. */
static inline const char *find_assignment(const char *text, const char *name) {
    const size_t length = strlen(name);
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (!strncmp(line, name, length) && line[length] == ':') return line + length + 1;
    return NULL;
}

/* Values of NAME: matrix(...) with that many rows and columns; error scale may be NULL. */
static inline bool read_matrix(const char *text, const char *name, const double *q, const double *v, const double *a,
                               int count, int rows, int columns, double *value, double *error_scale) {
    Reader r = {.at = find_assignment(text, name), .symbol = {q, v, a}, .count = count};
    if (!r.at) return false;
    skip_space(&r);
    if (strncmp(r.at, "matrix", 6) != 0) return false;
    r.at += 6;
    expect(&r, '(');
    for (int i = 0; i < rows && !r.failed; i++) {
        if (i) expect(&r, ',');
        expect(&r, '[');
        for (int j = 0; j < columns && !r.failed; j++) {
            if (j) expect(&r, ',');
            const Value x = read_sum(&r, 0);
            value[i * columns + j] = x.value;
            if (error_scale) error_scale[i * columns + j] = x.error_scale;
        }
        expect(&r, ']');
    }
    expect(&r, ')');
    expect(&r, ';');
    return !r.failed;
}

#endif
