/* Words and numbers of a text file of a mesh. */
#include "mesh/scan.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DIGITS = 18, MOST_EXPONENT = 1000 }; /* what an unsigned 64-bit number holds; beyond any float */

ziMeshScan zi_mesh_scan(const char *file, const char *bytes, size_t size, zvError *error) {
    return (ziMeshScan){file, bytes, bytes + size, 1, bytes, error};
}

static bool is_end(char c) { return c == '\n' || c == '\r'; }
static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

/* Steps over one end of a line: LF, CR LF or CR. */
static void next_line(ziMeshScan *s) {
    if (*s->at == '\r' && s->stop - s->at > 1 && s->at[1] == '\n') s->at++;
    s->at++;
    if (s->line < INT_MAX) s->line++;
    s->line_start = s->at;
}

static bool joins(const ziMeshScan *s) { return *s->at == '\\' && s->stop - s->at > 1 && is_end(s->at[1]); }

static void skip_blanks(ziMeshScan *s) {
    while (s->at < s->stop && (is_blank(*s->at) || joins(s))) {
        if (*s->at++ == '\\') next_line(s);
    }
}

ziMeshWord zi_mesh_word_in_line(ziMeshScan *s) {
    skip_blanks(s);
    const ptrdiff_t before = s->at - s->line_start;
    ziMeshWord word = {s->at, 0, before < INT_MAX ? (int)before + 1 : 0};
    while (s->at < s->stop && !is_blank(*s->at) && !is_end(*s->at) && !joins(s)) s->at++;
    word.size = (size_t)(s->at - word.text);
    return word;
}

ziMeshWord zi_mesh_word(ziMeshScan *s) {
    for (;;) {
        const ziMeshWord word = zi_mesh_word_in_line(s);
        if (word.size || s->at == s->stop) return word;
        next_line(s);
    }
}

void zi_mesh_skip_line(ziMeshScan *s) {
    while (s->at < s->stop && !is_end(*s->at)) s->at++;
}

bool zi_mesh_is(ziMeshWord word, const char *text) {
    if (word.size != strlen(text)) return false;
    for (size_t i = 0; i < word.size; i++) {
        const char c = word.text[i];
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != text[i]) return false;
    }
    return true;
}

/* A word that is missing is the end of the line or of the file. */
zvStatus zi_mesh_expected(const ziMeshScan *s, ziMeshWord word, zvStatus status, const char *expected) {
    char text[256];
    if (word.size)
        snprintf(text, sizeof text, "expected %s, found \"%.*s\"; write the file again", expected,
                 word.size < 40 ? (int)word.size : 40, word.text);
    else
        snprintf(text, sizeof text, "expected %s, found the end of the %s; write the file again", expected,
                 s->at == s->stop ? "file" : "line");
    return zi_mesh_fail(s, word, status, text);
}

zvStatus zi_mesh_fail(const ziMeshScan *s, ziMeshWord word, zvStatus status, const char *text) {
    char token[64];
    snprintf(token, sizeof token, "%.*s", word.size < 60 ? (int)word.size : 60, word.text);
    return zv_fail(s->error, status, (zvMark){s->file, s->line, word.column}, token, "%s", text);
}

/* A decimal number taken apart: digits x 10^power. */
typedef struct Decimal {
    unsigned long long digits;
    int count, power;
    bool any;
} Decimal;

/* Digits before or behind the point; those that no float shows only move the power. */
static const char *take_digits(const char *p, const char *stop, bool fraction, Decimal *d) {
    for (; p < stop && *p >= '0' && *p <= '9'; p++) {
        d->any = true;
        if (d->count == MOST_DIGITS) { /* further ones do not reach a float */
            if (!fraction && d->power < MOST_EXPONENT) d->power++;
            continue;
        }
        d->digits = 10 * d->digits + (unsigned)(*p - '0');
        if (d->digits) d->count++;
        if (fraction && d->power > -MOST_EXPONENT) d->power--;
    }
    return p;
}

/* Behind the letter e; NULL when nothing follows. */
static const char *take_exponent(const char *p, const char *stop, Decimal *d) {
    const bool minus = p < stop && *p == '-';
    int power = 0;
    if (p < stop && (*p == '-' || *p == '+')) p++;
    if (p == stop) return NULL;
    for (; p < stop && *p >= '0' && *p <= '9'; p++) {
        if (power < MOST_EXPONENT) power = 10 * power + (*p - '0');
    }
    d->power += minus ? -power : power;
    return p;
}

/* Right to some of the last digits of a double, of which a float shows none. */
static double scaled(const Decimal *d) {
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    enum { TENS = sizeof tens / sizeof tens[0] };
    const double digits = (double)d->digits;
    if (d->power >= 0 && d->power < TENS) return digits * tens[d->power];
    if (d->power < 0 && d->power > -TENS) return digits / tens[-d->power];
    const int half = d->power / 2; /* in two steps, lest a number in range pass through zero or infinity */
    return d->digits ? digits * pow(10, half) * pow(10, d->power - half) : 0;
}

/* Sign, digits, point, digits, exponent, and nothing behind: strtof would go by the locale. */
zvStatus zi_mesh_number(const ziMeshScan *s, ziMeshWord word, float *value) {
    const char *p = word.text, *stop = p + word.size;
    const bool minus = p < stop && *p == '-';
    Decimal d = {0};
    if (p < stop && (*p == '-' || *p == '+')) p++;
    p = take_digits(p, stop, false, &d);
    if (p < stop && *p == '.') p = take_digits(p + 1, stop, true, &d);
    if (d.any && p < stop && (*p == 'e' || *p == 'E')) p = take_exponent(p + 1, stop, &d);
    if (!d.any || p != stop) return zi_mesh_expected(s, word, ZV_NUMBER, "a finite number");
    const double size = scaled(&d);
    *value = (float)(minus ? -size : size);
    if (isfinite(*value)) return ZV_OK;
    return zi_mesh_fail(s, word, ZV_NUMBER, "the number is beyond the range of single precision; change the unit");
}
