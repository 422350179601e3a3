/* Units of measurement in expressions: what they are in SI, and products and powers of them. Angles have none: rad
 * is 1. */
#ifndef ZI_READ_UNIT_H
#define ZI_READ_UNIT_H

#include <stdbool.h>

/* Powers of the base units. */
typedef struct ziUnit {
    signed char kg, m, s;
} ziUnit;

enum { ZI_UNIT_SIZE = 32 };

bool zi_unit_is(ziUnit a, ziUnit b);
/* a b^power; false: a power is beyond what is kept. */
bool zi_unit_times(ziUnit a, ziUnit b, int power, ziUnit *product);
/* Takes a unit, such as "kg", "N m/rad" or "m/s^2", that begins at text; *end is behind it, or text when none begins
 * there. A number in this unit times *factor is one in SI. */
void zi_unit_scan(const char *text, const char *limit, const char **end, double *factor, ziUnit *unit);
/* "kg m^2/s", or "1"; returns buffer. */
const char *zi_unit_text(ziUnit unit, char buffer[ZI_UNIT_SIZE]);

#endif
