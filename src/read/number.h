/* Decimal numbers, the same in every locale. */
#ifndef ZV_READ_NUMBER_H
#define ZV_READ_NUMBER_H

typedef enum zvNumberFault {
    ZV_NUMBER_GOOD,
    ZV_NUMBER_NONE,     /* no number stands here */
    ZV_NUMBER_INFINITE, /* inf or nan in one of its spellings */
    ZV_NUMBER_TOO_LARGE /* beyond the range of a double, e.g. 1e400 */
} zvNumberFault;

/* Reads a decimal number at the start of a NUL-terminated text; *end is where it stops.
 * INFINITE only when the whole text is such a word. Numbers too small for a double become zero or denormal. */
zvNumberFault zv_number_scan(const char *text, const char **end, double *value);
/* Why a text is no number, as a phrase to follow "which is "; not for GOOD. */
const char *zv_number_fault_phrase(zvNumberFault fault);

#endif
