/* Sequences, sums and laws side by side. All three are one list of simple laws, each with its window of time, its own
 * clock and its place in the vector; x is the sum of those whose window is open. A compound part gives its list away,
 * so compounds never nest: no recursion and no scratch, however deep a file nests them. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "motion/law.h"

#include "base/require.h"

typedef struct Given {
    const char *what; /* "a sum", for texts */
    int count;
    zvLaw *const *parts;
} Given;

static zvLaw *refuse_parts(const Given *given) {
    for (int i = 0; i < given->count; i++) zv_law_destroy(given->parts[i]);
    return NULL;
}

/* A part that could not be made is told apart from a wrong count. */
static int all_there(const Given *given, zvError *error) {
    const zvMark nowhere = {0};
    if (given->count < 1) {
        zv_fail(error, ZV_SIZE, nowhere, "", "%s: expected at least one law, found none; give one", given->what);
        return 0;
    }
    for (int i = 0; i < given->count; i++) {
        if (given->parts[i]) continue;
        zv_fail(error, ZV_SIZE, nowhere, "", "part %d of %s: expected a law, found none; make every law before it",
                i + 1, given->what);
        return 0;
    }
    return 1;
}

static int same_width(const Given *given, zvError *error) {
    const int width = given->parts[0]->width;
    for (int i = 1; i < given->count; i++) {
        if (given->parts[i]->width == width) continue;
        zv_fail(error, ZV_SIZE, (zvMark){0}, "",
                "part %d of %s: expected %d entries as in part 1, found %d; give all the same width", i + 1,
                given->what, width, given->parts[i]->width);
        return 0;
    }
    return 1;
}

/* An empty compound law with room for all simple laws of the parts and `more` besides. */
static zvLaw *new_compound(const Given *given, int width, int more, zvError *error) {
    uint64_t count = (uint64_t)more;
    for (int i = 0; i < given->count; i++)
        count += given->parts[i]->type == ZI_LAW_PARTS ? (uint64_t)given->parts[i]->count : 1;
    if (count > INT_MAX) {
        zv_fail(error, ZV_SIZE, (zvMark){0}, "", "%s: expected at most %d parts, found more; divide it", given->what,
                INT_MAX);
        return NULL;
    }
    zvLaw *law = zi_law_new(ZI_LAW_PARTS, width, 0, 0, error);
    if (!law) return NULL;
    law->parts = calloc((size_t)count, sizeof *law->parts);
    if (law->parts) return law;
    zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while making %s", given->what);
    zv_law_destroy(law);
    return NULL;
}

/* Takes one simple law over; a window that never opens lets it go. */
static void take_simple(zvLaw *whole, ziLawPart part) {
    if (part.begin < part.end) {
        whole->parts[whole->count++] = part;
    } else {
        zv_law_destroy(part.law);
    }
}

/* Takes a law over, simple or compound, to run in the window with its time counted from shift. */
static void take_part(zvLaw *whole, zvLaw *law, ziLawPart window) {
    if (law->type != ZI_LAW_PARTS) {
        window.law = law;
        take_simple(whole, window);
        return;
    }
    for (int i = 0; i < law->count; i++) {
        ziLawPart part = law->parts[i];
        part.offset += window.offset;
        part.begin = fmax(part.begin + window.shift, window.begin);
        part.end = fmin(part.end + window.shift, window.end);
        part.shift += window.shift;
        take_simple(whole, part);
    }
    law->count = 0;
    zv_law_destroy(law);
}

static const ziLawPart always = {.begin = -INFINITY, .end = INFINITY};

zvLaw *zv_law_sum(int count, zvLaw *const *parts, zvError *error) {
    ZI_REQUIRE(count < 1 || parts);
    const Given given = {"a sum", count, parts};
    if (!all_there(&given, error) || !same_width(&given, error)) return refuse_parts(&given);
    zvLaw *law = new_compound(&given, parts[0]->width, 0, error);
    if (!law) return refuse_parts(&given);
    for (int i = 0; i < count; i++) take_part(law, parts[i], always);
    return law;
}

/* Side by side: each part has its own entries. */
zvLaw *zv_law_join(int count, zvLaw *const *parts, zvError *error) {
    ZI_REQUIRE(count < 1 || parts);
    const Given given = {"a joined law", count, parts};
    if (!all_there(&given, error)) return refuse_parts(&given);
    int64_t width = 0;
    for (int i = 0; i < count; i++) width += parts[i]->width;
    if (width > INT_MAX) {
        zv_fail(error, ZV_SIZE, (zvMark){0}, "", "a joined law: expected at most %d entries, found more; divide it",
                INT_MAX);
        return refuse_parts(&given);
    }
    zvLaw *law = new_compound(&given, (int)width, 0, error);
    if (!law) return refuse_parts(&given);
    ziLawPart window = always;
    for (int i = 0; i < count; i++) {
        const int entries = parts[i]->width;
        take_part(law, parts[i], window);
        window.offset += entries;
    }
    return law;
}

/* Each part must begin later than the one before it; the last one has no end. */
static int durations_good(double start, int count, const double *durations, zvError *error) {
    if (!zi_argument_finite("the start", start, error)) return 0;
    for (int i = 0; i + 1 < count; i++) {
        const double end = start + durations[i];
        if (!(isfinite(end) && durations[i] > 0 && end > start)) {
            zv_fail(error, ZV_NUMBER, (zvMark){0}, "",
                    "part %d of a sequence: expected a positive duration, found %g s from %g s on; only the last part "
                    "needs none",
                    i + 1, durations[i], start);
            return 0;
        }
        start = end;
    }
    return 1;
}

/* The value with which a sequence begins, held before it. */
static zvLaw *first_value(const zvLaw *first, zvError *error) {
    zvLaw *law = zi_law_new(ZI_LAW_POLYNOMIAL, first->width, 1, 0, error);
    if (!law) return NULL;
    law->order = 1;
    zv_law_at(first, 0, law->numbers, NULL, NULL);
    return law;
}

/* One after another, each with its own time from 0. */
zvLaw *zv_law_sequence(double start, int count, zvLaw *const *parts, const double *durations, zvError *error) {
    ZI_REQUIRE(count < 1 || parts);
    const Given given = {"a sequence", count, parts};
    if (!all_there(&given, error) || !same_width(&given, error) || !durations_good(start, count, durations, error))
        return refuse_parts(&given);
    zvLaw *law = new_compound(&given, parts[0]->width, 1, error);
    zvLaw *before = law ? first_value(parts[0], error) : NULL;
    if (!before) {
        zv_law_destroy(law);
        return refuse_parts(&given);
    }
    take_part(law, before, (ziLawPart){.begin = -INFINITY, .end = start});
    for (int i = 0; i < count; i++) {
        const double end = i + 1 < count ? start + durations[i] : INFINITY;
        take_part(law, parts[i], (ziLawPart){.begin = start, .end = end, .shift = start});
        start = end;
    }
    return law;
}

/* The part's own time. A break at b comes at b + shift, rounded; t - shift rounds differently and may miss it, so the
 * clock is put on the break when the break has come. */
static double own_time(const ziLawPart *part, double t) {
    const double own = t - part->shift;
    if (part->shift == 0) return own;
    const double next = zv_law_next_break(part->law, own);
    return next + part->shift <= t ? next : own;
}

void zi_parts_add(const zvLaw *law, double t, double *x, double *dx, double *ddx) {
    for (int i = 0; i < law->count; i++) {
        const ziLawPart *part = &law->parts[i];
        if (!(t >= part->begin && t < part->end)) continue;
        const int o = part->offset;
        zi_law_add(part->law, own_time(part, t), x + o, dx ? dx + o : NULL, ddx ? ddx + o : NULL);
    }
}

static double next_break_of(const ziLawPart *part, double t) {
    if (t < part->begin) return part->begin;
    if (t >= part->end) return INFINITY;
    const double next = zv_law_next_break(part->law, own_time(part, t)) + part->shift;
    return fmin(part->end, next > t ? next : nextafter(t, INFINITY));
}

double zi_parts_next_break(const zvLaw *law, double t) {
    double first = INFINITY;
    for (int i = 0; i < law->count; i++) first = fmin(first, next_break_of(&law->parts[i], t));
    return first;
}
