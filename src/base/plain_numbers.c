/* The C locale of a thread (plain_numbers.h). */
#define _POSIX_C_SOURCE 200809L
#include "base/plain_numbers.h"

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
