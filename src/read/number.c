/* Checks the spelling itself, so that strtod never sees hexadecimal, nan(...) or a comma, and runs strtod in the
 * C locale of this thread only. */
#define _POSIX_C_SOURCE 200809L
#include "read/number.h"

#include <locale.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <strings.h>

static const char *skip_digits(const char *p) {
    while (*p >= '0' && *p <= '9') p++;
    return p;
}

/* End of [+-] digits [. digits] [e [+-] digits], or text itself when there are no digits. */
static const char *number_end(const char *text) {
    const char *p = text;
    if (*p == '+' || *p == '-') p++;
    const char *whole = p;
    p = skip_digits(p);
    ptrdiff_t digits = p - whole;
    if (*p == '.') {
        const char *fraction = p + 1;
        p = skip_digits(fraction);
        digits += p - fraction;
    }
    if (digits == 0) return text;
    if (*p == 'e' || *p == 'E') {
        const char *exponent = p + 1;
        if (*exponent == '+' || *exponent == '-') exponent++;
        const char *stop = skip_digits(exponent);
        if (stop > exponent) p = stop;
    }
    return p;
}

static int is_infinite_word(const char *text) {
    static const char *const words[] = {"inf", "infinity", "nan", ".inf", ".nan"};
    if (*text == '+' || *text == '-') text++;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcasecmp(text, words[i]) == 0) return 1;
    return 0;
}

/* newlocale("C") allocates nothing in glibc; where it fails, the process locale is the best there is. */
static double strtod_in_c(const char *text) {
    const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c == (locale_t)0) return strtod(text, NULL);
    const locale_t before = uselocale(c);
    const double value = strtod(text, NULL);
    uselocale(before);
    freelocale(c);
    return value;
}

ziNumberFault zi_number_scan(const char *text, const char **end, double *value) {
    *end = number_end(text);
    *value = 0;
    if (*end == text) return is_infinite_word(text) ? ZI_NUMBER_INFINITE : ZI_NUMBER_NONE;
    if (**end == 'x' || **end == 'X') return ZI_NUMBER_NONE;
    *value = strtod_in_c(text);
    return isfinite(*value) ? ZI_NUMBER_GOOD : ZI_NUMBER_TOO_LARGE;
}

const char *zi_number_fault_phrase(ziNumberFault fault) {
    if (fault == ZI_NUMBER_INFINITE) return "not finite";
    if (fault == ZI_NUMBER_TOO_LARGE) return "beyond the range of numbers (about 1.8e308)";
    return "not a number";
}
