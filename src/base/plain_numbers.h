/* Numbers written with a point in every locale: the C locale for this thread, between begin and end only. Includers
 * define _POSIX_C_SOURCE 200809L. A file of its own, so that whoever needs only this links nothing of recordings. */
#ifndef ZI_BASE_PLAIN_NUMBERS_H
#define ZI_BASE_PLAIN_NUMBERS_H

#include <locale.h>
#include <stdbool.h>

typedef struct ziPlainNumbers {
    locale_t plain, before;
} ziPlainNumbers;

/* False when out of memory: the locale is then as it was, and end must not be called. glibc allocates nothing. */
bool zi_plain_numbers_begin(ziPlainNumbers *scope);
void zi_plain_numbers_end(ziPlainNumbers *scope);

#endif
