/* Texts that say which argument is wrong, where, and what belongs there. Places count from 1. */
#include "motion/arguments.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

static const zvMark nowhere = {0};

typedef struct Token {
    char text[32];
} Token;

static Token token_of(double value) {
    Token token;
    snprintf(token.text, sizeof token.text, "%.9g", value);
    return token;
}

bool zi_argument_width(int width, zvError *error) {
    if (width >= 1) return true;
    zv_fail(error, ZV_SIZE, nowhere, token_of(width).text,
            "a law of width %d has nothing to move; give it one entry or more", width);
    return false;
}

bool zi_argument_finite(const char *what, double value, zvError *error) {
    if (isfinite(value)) return true;
    zv_fail(error, ZV_NUMBER, nowhere, token_of(value).text, "%s is %g; give a finite number", what, value);
    return false;
}

bool zi_argument_array(const char *what, int rows, int width, const double *values, zvError *error) {
    const size_t count = (size_t)rows * (size_t)width;
    for (size_t i = 0; i < count; i++) {
        if (isfinite(values[i])) continue;
        zv_fail(error, ZV_NUMBER, nowhere, token_of(values[i]).text,
                "%s holds %g in row %zu, entry %zu; give finite numbers", what, values[i], i / (size_t)width + 1,
                i % (size_t)width + 1);
        return false;
    }
    return true;
}

bool zi_argument_positive(const char *what, int width, const double *values, zvError *error) {
    if (!zi_argument_array(what, 1, width, values, error)) return false;
    for (int i = 0; i < width; i++) {
        if (values[i] > 0) continue;
        zv_fail(error, ZV_NUMBER, nowhere, token_of(values[i]).text,
                "entry %d of %s is %g; a limit is a positive number", i + 1, what, values[i]);
        return false;
    }
    return true;
}

bool zi_argument_count(const char *what, int count, int least, int most, zvError *error) {
    if (count >= least && count <= most) return true;
    if (most == INT_MAX) {
        zv_fail(error, ZV_SIZE, nowhere, token_of(count).text, "%d %s are too few; give at least %d", count, what,
                least);
    } else {
        zv_fail(error, ZV_SIZE, nowhere, token_of(count).text, "%d %s; give %d to %d", count, what, least, most);
    }
    return false;
}

bool zi_argument_span(double start, double duration, zvError *error) {
    if (!zi_argument_finite("the start", start, error) || !zi_argument_finite("the duration", duration, error))
        return false;
    if (!(duration > 0)) {
        zv_fail(error, ZV_NUMBER, nowhere, token_of(duration).text,
                "the duration is %g s; a motion needs a positive duration", duration);
        return false;
    }
    const double end = start + duration;
    if (isfinite(end) && end > start) return true;
    zv_fail(error, ZV_NUMBER, nowhere, token_of(duration).text,
            "a duration of %g s cannot be told from nothing at the time %g s; start earlier or take longer", duration,
            start);
    return false;
}

bool zi_argument_times(int count, const double *times, zvError *error) {
    if (!zi_argument_array("the list of times", count, 1, times, error)) return false;
    for (int i = 1; i < count; i++) {
        if (times[i] > times[i - 1]) continue;
        zv_fail(error, ZV_NUMBER, nowhere, token_of(times[i]).text,
                "time %d is %.17g s, not after time %d, %.17g s; times must ascend", i + 1, times[i], i, times[i - 1]);
        return false;
    }
    if (count < 2 || isfinite(times[count - 1] - times[0])) return true;
    zv_fail(error, ZV_NUMBER, nowhere, token_of(times[count - 1]).text,
            "the times %g s to %g s span more than the range of numbers; keep to the duration of the motion", times[0],
            times[count - 1]);
    return false;
}
