/* Decimal numbers, the same in every locale. */
#ifndef ZI_READ_NUMBER_H
#define ZI_READ_NUMBER_H

typedef enum ziNumberFault {
    ZI_NUMBER_GOOD,
    ZI_NUMBER_NONE,     /* no number stands here */
    ZI_NUMBER_INFINITE, /* inf or nan in one of its spellings */
    ZI_NUMBER_TOO_LARGE /* beyond the range of a double, e.g. 1e400 */
} ziNumberFault;

/* Reads a decimal number at the start of a NUL-terminated text; *end is where it stops.
 * INFINITE only when the whole text is such a word. Numbers too small for a double become zero or denormal. */
ziNumberFault zi_number_scan(const char *text, const char **end, double *value);
/* Why a text is no number, as a phrase to follow "which is "; not for GOOD. */
const char *zi_number_fault_phrase(ziNumberFault fault);

#endif
