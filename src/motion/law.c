/* What all laws share: checks of what constructors are given, two-point interpolation, the table of kinds, memory,
 * evaluation. */
#include "motion/law.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/require.h"

/* Texts that say which argument is wrong, where, and what belongs there. Places count from 1. */

static const zvMark nowhere = {0};

typedef struct LawToken {
    char text[32];
} LawToken;

static LawToken token_of(double value) {
    LawToken token;
    snprintf(token.text, sizeof token.text, "%.9g", value);
    return token;
}

bool zi_argument_width(int width, zvError *error) {
    if (width >= 1) return true;
    zv_fail(error, ZV_SIZE, nowhere, token_of(width).text,
            "width of a law: expected one entry or more, found %d; give it something to move", width);
    return false;
}

bool zi_argument_finite(const char *what, double value, zvError *error) {
    if (isfinite(value)) return true;
    zv_fail(error, ZV_NUMBER, nowhere, token_of(value).text, "%s: expected a finite number, found %g; give one", what,
            value);
    return false;
}

/* Rows of finite numbers; the first that is not is named by its place. */
bool zi_argument_array(const char *what, int rows, int width, const double *values, zvError *error) {
    ZI_REQUIRE(values);
    const size_t count = (size_t)rows * (size_t)width;
    for (size_t i = 0; i < count; i++) {
        if (isfinite(values[i])) continue;
        zv_fail(error, ZV_NUMBER, nowhere, token_of(values[i]).text,
                "%s, row %zu, entry %zu: expected a finite number, found %g; give finite numbers", what,
                i / (size_t)width + 1, i % (size_t)width + 1, values[i]);
        return false;
    }
    return true;
}

bool zi_argument_positive(const char *what, int width, const double *values, zvError *error) {
    if (!zi_argument_array(what, 1, width, values, error)) return false;
    for (int i = 0; i < width; i++) {
        if (values[i] > 0) continue;
        zv_fail(error, ZV_NUMBER, nowhere, token_of(values[i]).text,
                "%s, entry %d: expected a positive limit, found %g; give one above zero", what, i + 1, values[i]);
        return false;
    }
    return true;
}

bool zi_argument_count(const char *what, int count, int least, int most, zvError *error) {
    if (count >= least && count <= most) return true;
    if (most == INT_MAX) {
        zv_fail(error, ZV_SIZE, nowhere, token_of(count).text, "expected at least %d %s, found %d; give more", least,
                what, count);
    } else {
        zv_fail(error, ZV_SIZE, nowhere, token_of(count).text, "expected %d to %d %s, found %d; give as many", least,
                most, what, count);
    }
    return false;
}

/* A duration that rounding would swallow is refused too. */
bool zi_argument_span(double start, double duration, zvError *error) {
    if (!zi_argument_finite("the start", start, error) || !zi_argument_finite("the duration", duration, error))
        return false;
    if (!(duration > 0)) {
        zv_fail(error, ZV_NUMBER, nowhere, token_of(duration).text,
                "the duration: expected more than 0 s, found %g s; give the motion time", duration);
        return false;
    }
    const double end = start + duration;
    if (isfinite(end) && end > start) return true;
    zv_fail(
        error, ZV_NUMBER, nowhere, token_of(duration).text,
        "the duration: expected one that rounding leaves at the time %g s, found %g s; start earlier or take longer",
        start, duration);
    return false;
}

/* The text names the first one that does not ascend. */
bool zi_argument_times(int count, const double *times, zvError *error) {
    ZI_REQUIRE(times);
    if (!zi_argument_array("the list of times", count, 1, times, error)) return false;
    for (int i = 1; i < count; i++) {
        if (times[i] > times[i - 1]) continue;
        zv_fail(error, ZV_NUMBER, nowhere, token_of(times[i]).text,
                "time %d: expected one after %.17g s, found %.17g s; times must ascend", i + 1, times[i - 1], times[i]);
        return false;
    }
    if (count < 2 || isfinite(times[count - 1] - times[0])) return true;
    zv_fail(error, ZV_NUMBER, nowhere, token_of(times[count - 1]).text,
            "the times: expected a span within the range of numbers, found %g s to %g s; keep to the duration of the "
            "motion",
            times[0], times[count - 1]);
    return false;
}

/* Two-point Taylor (Hermite) interpolation in closed form. Up to 8 and 8 conditions the sums cancel eight digits, which
 * long double has to spare; a law is made once. docs/motion.md (5) to (8). */

/* C(n, k), exact: n <= 15. */
static long double binomial(int n, int k) {
    long double c = 1;
    for (int i = 1; i <= k; i++) c = c * (n - k + i) / i; /* whole at every step */
    return c;
}

/* Adds to the m Taylor coefficients a at s = 0 the n that meet b at s = 1: closed form in three steps, in long double,
 * since the sums cancel. */
void zi_two_point(int m, double *a, int n, const double *b) {
    long double rest[ZI_MOST_CONDITIONS], powers[ZI_MOST_CONDITIONS];
    /* What the known part leaves of the conditions at s = 1: (6). */
    for (int j = 0; j < n; j++) {
        rest[j] = b[j];
        for (int k = j; k < m; k++) rest[j] -= binomial(k, j) * (long double)a[k];
    }
    /* s^m R(s) has to give the rest; with v = 1 - s, R = rest(-v) (1 - v)^-m up to v^(n-1): (7). */
    for (int k = 0; k < n; k++) {
        powers[k] = 0;
        for (int j = 0; j <= k; j++) {
            const long double r = j % 2 ? -rest[j] : rest[j];
            powers[k] += r * binomial(m - 1 + k - j, k - j);
        }
    }
    /* From powers of 1 - s to powers of s: (8). */
    for (int i = 0; i < n; i++) {
        long double sum = 0;
        for (int k = i; k < n; k++) sum += binomial(k, i) * powers[k];
        a[m + i] = (double)(i % 2 ? -sum : sum);
    }
}

/* What is common to all laws: the table of kinds, memory, evaluation. */

typedef struct LawKind {
    void (*add)(const zvLaw *law, double t, double *x, double *dx, double *ddx);
    double (*next_break)(const zvLaw *law, double t);
} LawKind;

static const LawKind kinds[] = {
#define ZV_X(NAME, name) [ZI_LAW_##NAME] = {zi_##name##_add, zi_##name##_next_break},
    ZI_LAW_LIST(ZV_X)
#undef ZV_X
};

static const uint64_t most_numbers = UINT64_C(1) << 30; /* 8 GiB */

/* A law with memory for rows x width + extra numbers, cleared; sizes are checked before they are multiplied. */
zvLaw *zi_law_new(ziLawType type, int width, uint64_t rows, uint64_t extra, zvError *error) {
    const uint64_t most_rows = extra > most_numbers ? 0 : (most_numbers - extra) / (uint64_t)width;
    if (rows > most_rows) {
        zv_fail(error, ZV_SIZE, (zvMark){0}, "",
                "size of a law: expected at most %llu numbers, found %llu rows of %d; divide it",
                (unsigned long long)most_numbers, (unsigned long long)rows, width);
        return NULL;
    }
    const uint64_t bytes = (rows * (uint64_t)width + extra) * sizeof(double) + sizeof(zvLaw);
    zvLaw *law = bytes <= SIZE_MAX ? calloc(1, (size_t)bytes) : NULL;
    if (!law) {
        zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while making a law of motion");
        return NULL;
    }
    law->type = type;
    law->width = width;
    return law;
}

zvLaw *zi_law_refuse_overflow(zvLaw *law, double greatest, zvError *error) {
    if (isfinite(greatest)) return law;
    zv_fail(
        error, ZV_NUMBER, (zvMark){0}, "",
        "velocities and accelerations of a law: expected less than 1.8e308, found more; give it more time or smaller "
        "numbers");
    zv_law_destroy(law);
    return NULL;
}

void zv_law_destroy(zvLaw *law) {
    if (!law) return;
    if (law->type == ZI_LAW_PARTS) {
        for (int i = 0; i < law->count; i++) free(law->parts[i].law);
        free(law->parts);
    }
    free(law);
}

int zv_law_width(const zvLaw *law) {
    ZI_REQUIRE(law);
    return law->width;
}

void zi_law_add(const zvLaw *law, double t, double *x, double *dx, double *ddx) {
    kinds[law->type].add(law, t, x, dx, ddx);
}

void zv_law_at(const zvLaw *law, double t, double *x, double *dx, double *ddx) {
    ZI_REQUIRE(law && x);
    const size_t size = (size_t)law->width * sizeof *x;
    memset(x, 0, size);
    if (dx) memset(dx, 0, size);
    if (ddx) memset(ddx, 0, size);
    zi_law_add(law, t, x, dx, ddx);
}

double zv_law_next_break(const zvLaw *law, double t) {
    ZI_REQUIRE(law);
    return kinds[law->type].next_break(law, t);
}
