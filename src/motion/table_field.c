/* The spelling of numbers is checked here, so that strtod never sees hexadecimal, nan(...) or a decimal comma. It must
 * be called in the C locale (table.c sees to that). */
#define _POSIX_C_SOURCE 200809L
#include "motion/table_field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_blank(char c) { return c == ' ' || c == '\t'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_empty(ziStretch s) { return s.first == s.stop; }

static ziStretch trim(ziStretch s) {
    while (s.first < s.stop && is_blank(*s.first)) s.first++;
    while (s.first < s.stop && is_blank(s.stop[-1])) s.stop--;
    return s;
}

/* Newlines in quotes do not end a line; any of the three line ends does. */
ziStretch zi_line_cut(ziStretch *rest) {
    ziStretch line = {rest->first, NULL};
    bool quoted = false;
    const char *p = rest->first;
    for (; p < rest->stop && *p != '\n' && *p != '\r'; p++) {
        if (*p == '"') quoted = !quoted;
        if (*p == '#' && !quoted && !line.stop) line.stop = p;
    }
    if (!line.stop) line.stop = p;
    if (p < rest->stop && *p == '\r') p++;
    if (p < rest->stop && *p == '\n') p++; /* alone or behind CR */
    rest->first = p;
    return trim(line);
}

char zi_line_separator(ziStretch line) {
    char found = ' ';
    bool quoted = false;
    for (const char *p = line.first; p < line.stop; p++) {
        if (*p == '"') quoted = !quoted;
        if (quoted) continue;
        if (*p == ';') return ';';
        if (*p == ',') found = ',';
    }
    return found;
}

/* With blanks as separator any number of them counts as one. */
bool zi_field_cut(ziStretch *line, char separator, ziStretch *field) {
    if (!line->first) return false;
    const char *p = line->first;
    if (separator == ' ')
        while (p < line->stop && is_blank(*p)) p++;
    bool quoted = false;
    field->first = p;
    while (p < line->stop && (quoted || !(*p == separator || (separator == ' ' && *p == '\t')))) {
        if (*p == '"') quoted = !quoted;
        p++;
    }
    field->stop = p;
    *field = trim(*field);
    line->first = p < line->stop ? p + 1 : NULL;
    return true;
}

/* Length of [+-] digits [. digits] [e [+-] digits]; 0 when there are no digits. */
static size_t spelling(const char *text) {
    const char *p = text + (*text == '+' || *text == '-');
    bool digits = is_digit(*p);
    while (is_digit(*p)) p++;
    if (*p == '.') {
        p++;
        digits = digits || is_digit(*p);
        while (is_digit(*p)) p++;
    }
    if (!digits) return 0;
    if (*p == 'e' || *p == 'E') {
        const char *exponent = p + 1 + (p[1] == '+' || p[1] == '-');
        if (is_digit(*exponent)) {
            p = exponent;
            while (is_digit(*p)) p++;
        }
    }
    return (size_t)(p - text);
}

/* inf, nan and their kin, with or without sign and dot. */
static bool is_infinite_word(ziStretch field) {
    static const char *const words[] = {"inf", "infinity", "nan"};
    const char *p = field.first;
    if (p < field.stop && (*p == '+' || *p == '-')) p++;
    if (p < field.stop && *p == '.') p++;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t length = strlen(words[i]);
        if ((size_t)(field.stop - p) == length && strncasecmp(p, words[i], length) == 0) return true;
    }
    return false;
}

bool zi_field_is_name(ziStretch field) {
    if (is_empty(field) || is_infinite_word(field)) return false;
    const char c = *field.first;
    return !(is_digit(c) || c == '+' || c == '-' || c == '.');
}

ziStretch zi_field_name(ziStretch field) {
    if (field.stop - field.first < 2 || *field.first != '"' || field.stop[-1] != '"') return field;
    return trim((ziStretch){field.first + 1, field.stop - 1});
}

/* Returns what to do about it, or NULL. */
const char *zi_field_number(ziStretch field, double *value) {
    if (is_empty(field)) return "write a number between the separators, and none behind the last one";
    if (is_infinite_word(field)) return "write finite numbers or leave the row out";
    const size_t length = spelling(field.first);
    if (length == 0 || length != (size_t)(field.stop - field.first)) {
        if (memchr(field.first, ',', (size_t)(field.stop - field.first)))
            return "write a decimal point, not a comma, and one kind of separator throughout";
        return "write numbers such as -1.5e-3, without units, and separate all of them alike";
    }
    *value = strtod(field.first, NULL);
    return isfinite(*value) ? NULL : "write numbers up to about 1.8e308: check its exponent";
}
