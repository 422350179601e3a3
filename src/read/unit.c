/* Units of measurement: a table of names, and the grammar of products of them. */
#include "read/unit.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    double factor;
    ziUnit unit;
} units[] = {{"kg", 1, {1, 0, 0}},
             {"g", 1e-3, {1, 0, 0}},
             {"t", 1e3, {1, 0, 0}},
             {"m", 1, {0, 1, 0}},
             {"km", 1e3, {0, 1, 0}},
             {"cm", 1e-2, {0, 1, 0}},
             {"mm", 1e-3, {0, 1, 0}},
             {"um", 1e-6, {0, 1, 0}},
             {"s", 1, {0, 0, 1}},
             {"ms", 1e-3, {0, 0, 1}},
             {"min", 60, {0, 0, 1}},
             {"h", 3600, {0, 0, 1}},
             {"rad", 1, {0, 0, 0}},
             {"deg", 3.14159265358979323846 / 180, {0, 0, 0}},
             {"rev", 2 * 3.14159265358979323846, {0, 0, 0}},
             {"rpm", 2 * 3.14159265358979323846 / 60, {0, 0, -1}},
             {"Hz", 1, {0, 0, -1}},
             {"N", 1, {1, 1, -2}},
             {"kN", 1e3, {1, 1, -2}},
             {"Nm", 1, {1, 2, -2}},
             {"J", 1, {1, 2, -2}},
             {"W", 1, {1, 2, -3}},
             {"kW", 1e3, {1, 2, -3}},
             {"Pa", 1, {1, -1, -2}},
             {"kPa", 1e3, {1, -1, -2}},
             {"MPa", 1e6, {1, -1, -2}},
             {"GPa", 1e9, {1, -1, -2}}};

bool zi_unit_is(ziUnit a, ziUnit b) { return a.kg == b.kg && a.m == b.m && a.s == b.s; }

bool zi_unit_times(ziUnit a, ziUnit b, int power, ziUnit *product) {
    const int kg = a.kg + b.kg * power, m = a.m + b.m * power, s = a.s + b.s * power;
    const bool kept = kg >= -99 && kg <= 99 && m >= -99 && m <= 99 && s >= -99 && s <= 99;
    if (kept) *product = (ziUnit){(signed char)kg, (signed char)m, (signed char)s};
    return kept;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* One name with its power: "s^2", "m2" is none. false: none begins there. */
static bool scan_name(const char **at, const char *limit, int sign, double *factor, ziUnit *unit) {
    const char *p = *at;
    while (p < limit && is_letter(*p)) p++;
    const size_t length = (size_t)(p - *at);
    if (length == 0 || (p < limit && (*p == '_' || (*p >= '0' && *p <= '9')))) return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strlen(units[i].name) != length || memcmp(units[i].name, *at, length) != 0) continue;
        int power = 1;
        if (limit - p >= 2 && p[0] == '^' && p[1] >= '1' && p[1] <= '9') {
            power = p[1] - '0';
            p += 2;
        }
        if (!zi_unit_times(*unit, units[i].unit, sign * power, unit)) return false;
        for (int k = 0; k < power; k++) *factor = sign > 0 ? *factor * units[i].factor : *factor / units[i].factor;
        *at = p;
        return true;
    }
    return false;
}

/* Names with blanks between them are multiplied; what follows a slash, which blanks may not surround, is below it. */
void zi_unit_scan(const char *text, const char *limit, const char **end, double *factor, ziUnit *unit) {
    const char *at = text;
    *end = text;
    *factor = 1;
    *unit = (ziUnit){0, 0, 0};
    if (!scan_name(&at, limit, 1, factor, unit)) return;
    for (;;) {
        *end = at;
        const bool below = at < limit && *at == '/';
        const char *next = at + (below ? 1 : 0);
        while (!below && next < limit && *next == ' ') next++;
        if (!below && next == at) return;
        if (!scan_name(&next, limit, below ? -1 : 1, factor, unit)) return;
        at = next;
    }
}

/* Those of one sign: above the line, or below it. */
static void put_powers(const int powers[3], int sign, char buffer[ZI_UNIT_SIZE]) {
    static const char *const names[] = {"kg", "m", "s"};
    bool first = true;
    for (int i = 0; i < 3; i++) {
        const int power = sign * powers[i];
        const size_t used = strlen(buffer);
        if (power <= 0) continue;
        const char *before = sign < 0 ? "/" : first ? "" : " ";
        if (power == 1)
            snprintf(buffer + used, ZI_UNIT_SIZE - used, "%s%s", before, names[i]);
        else
            snprintf(buffer + used, ZI_UNIT_SIZE - used, "%s%s^%d", before, names[i], power);
        first = false;
    }
}

const char *zi_unit_text(ziUnit unit, char buffer[ZI_UNIT_SIZE]) {
    const int powers[3] = {unit.kg, unit.m, unit.s};
    buffer[0] = '\0';
    put_powers(powers, 1, buffer);
    if (!buffer[0]) snprintf(buffer, ZI_UNIT_SIZE, "1");
    put_powers(powers, -1, buffer);
    return buffer;
}
