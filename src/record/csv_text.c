/* Numbers and quoted texts of CSV recordings, the same in every locale. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/csv.h"

bool zi_plain_numbers_begin(ziPlainNumbers *scope) {
    scope->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (scope->plain == (locale_t)0) return false;
    scope->before = uselocale(scope->plain);
    return true;
}

void zi_plain_numbers_end(ziPlainNumbers *scope) {
    uselocale(scope->before);
    freelocale(scope->plain);
}

static const char *infinite_word(double value) { return isnan(value) ? "nan" : value > 0 ? "inf" : "-inf"; }

/* Whether 15 digits may do. A number of at most 15 digits lies within half a unit of the last binary place of its
 * double, which is 11 units of the 17th digit at most: digits 16 and 17 are then near 00 or near 100. */
static bool may_be_short(const char *text) {
    int digits = 0, tail = 0;
    while (*text == '-' || *text == '0' || *text == '.') text++;
    for (; *text && *text != 'e'; text++) {
        if (*text == '.') continue;
        digits++;
        if (digits > 15) tail = 10 * tail + (*text - '0');
    }
    if (digits == 16) tail *= 10;
    return digits > 15 && (tail <= 12 || tail >= 88);
}

size_t zi_csv_number(char text[ZI_CSV_NUMBER_SIZE], double value) {
    if (!isfinite(value)) return (size_t)snprintf(text, ZI_CSV_NUMBER_SIZE, "%s", infinite_word(value));
    int length = snprintf(text, ZI_CSV_NUMBER_SIZE, "%.17g", value);
    if (!may_be_short(text)) return (size_t)length;
    char brief[ZI_CSV_NUMBER_SIZE];
    int brief_length = snprintf(brief, sizeof brief, "%.15g", value);
    if (strtod(brief, NULL) != value) return (size_t)length;
    memcpy(text, brief, (size_t)brief_length + 1);
    return (size_t)brief_length;
}

static const char *skip_spaces(const char *p) {
    while (*p == ' ') p++;
    return p;
}

bool zi_csv_scan_number(const char *text, const char **end, double *value) {
    const char *start = skip_spaces(text);
    char *stop = NULL;
    /* strtod would pass over a tab, which may part two columns */
    bool empty = *start == '\0' || strchr("\t\r\n\v\f", *start);
    if (!empty) *value = strtod(start, &stop);
    bool found = !empty && stop > start;
    if (!found) *value = NAN;
    *end = skip_spaces(found ? stop : start);
    return found;
}

/* The character after a backslash; *p moves past it. */
static bool unescape(char **p, char *c) {
    switch (*(*p)++) {
    case '"': *c = '"'; return true;
    case '\\': *c = '\\'; return true;
    case 'n': *c = '\n'; return true;
    case 'r': *c = '\r'; return true;
    case 't': *c = '\t'; return true;
    case 'x': {
        char digits[3] = {(*p)[0], (*p)[0] ? (*p)[1] : '\0', '\0'}, *stop;
        *c = (char)strtoul(digits, &stop, 16);
        if (stop != digits + 2 || *c == '\0') return false;
        *p += 2;
        return true;
    }
    default: return false;
    }
}

char *zi_csv_unquote(char *text, char **value) {
    while (*text == ' ') text++;
    if (*text++ != '"') return NULL;
    char *to = *value = text;
    while (*text && *text != '"') {
        char c = *text++;
        if (c == '\\' && !unescape(&text, &c)) return NULL;
        *to++ = c;
    }
    if (*text != '"') return NULL;
    *to = '\0';
    return text + 1;
}
