/* Laws given by formulas: constants, polynomials, cycloids, trapezoids, harmonics. */
#include <math.h>

#include "simulate/scenario_read.h"

static const double PI = 3.14159265358979323846;

/* A vector under a key, zeros when it is absent; NULL on failure. */
static double *vector(const ziLawText *law, const char *key, bool spread) {
    double *values = zi_scenario_scratch(law->reader, (size_t)law->place->width, sizeof *values);
    if (!values) return NULL;
    return zi_scenario_vector(law->reader, &law->element, key, law->place, spread, values) < 0 ? NULL : values;
}

static double *needed(const ziLawText *law, const char *key, const char *advice) {
    return zi_scenario_law_need(law, key, advice) < 0 ? NULL : vector(law, key, false);
}

/* Where a motion begins: written, or where the joints are. */
static const double *beginning(const ziLawText *law) {
    if (!zi_element_has(&law->element, "from") && law->place->from) return law->place->from;
    return needed(law, "from", "from, where it begins");
}

static bool read_start(const ziLawText *law, double *start) {
    *start = 0;
    return zi_element_number(&law->reader->reading, &law->element, "start", start) >= 0;
}

static bool read_span(const ziLawText *law, double *start, double *duration) {
    return read_start(law, start) && zi_scenario_law_need(law, "duration", "duration, in s") >= 0 &&
           zi_scenario_positive(law->reader, &law->element, "duration", duration) >= 0;
}

static zvLaw *make_constant(const ziLawText *law) {
    if (zi_scenario_law_need(law, "value", "value: a number or a list") < 0) return NULL;
    const double *value = vector(law, "value", !law->place->strict);
    return value ? zv_law_constant(law->place->width, value, law->reader->error) : NULL;
}

static zvLaw *make_polynomial(const ziLawText *law) {
    double start, *rows;
    int count;
    if (!read_start(law, &start) || zi_scenario_law_rows(law, "coefficients", 1, &count, &rows) < 0) return NULL;
    return zv_law_polynomial(law->place->width, start, count, rows, law->reader->error);
}

/* Position, velocity and so on at one end, as rows. */
static double *end_rows(const ziLawText *law, const double *position, const char *const *keys, int count) {
    const size_t width = (size_t)law->place->width;
    double *rows = zi_scenario_scratch(law->reader, (size_t)count * width, sizeof *rows);
    if (!rows) return NULL;
    for (size_t i = 0; i < width; i++) rows[i] = position[i];
    for (int k = 1; k < count && k < 3; k++)
        if (zi_scenario_vector(law->reader, &law->element, keys[k - 1], law->place, true, rows + (size_t)k * width) < 0)
            return NULL;
    return rows;
}

/* 2: cubic, 3: quintic, 4: septic, whose jerk vanishes at the ends. */
static zvLaw *make_two_point(const ziLawText *law, int count) {
    static const char *const from_keys[] = {"from_velocity", "from_acceleration"};
    static const char *const to_keys[] = {"to_velocity", "to_acceleration"};
    double start, duration = 0;
    const double *from = beginning(law), *to = from ? needed(law, "to", "to, where it ends") : NULL;
    if (!to || !read_span(law, &start, &duration)) return NULL;
    const double *first = end_rows(law, from, from_keys, count);
    const double *last = first ? end_rows(law, to, to_keys, count) : NULL;
    if (!last) return NULL;
    return zv_law_boundary(law->place->width, start, duration, count, first, count, last, law->reader->error);
}

static zvLaw *make_cubic(const ziLawText *law) { return make_two_point(law, 2); }
static zvLaw *make_quintic(const ziLawText *law) { return make_two_point(law, 3); }
static zvLaw *make_septic(const ziLawText *law) { return make_two_point(law, 4); }

static zvLaw *make_boundary(const ziLawText *law) {
    double start, duration = 0, *from, *to;
    int from_count, to_count;
    if (!read_span(law, &start, &duration)) return NULL;
    if (zi_scenario_law_rows(law, "from", 1, &from_count, &from) < 0) return NULL;
    if (zi_scenario_law_rows(law, "to", 1, &to_count, &to) < 0) return NULL;
    return zv_law_boundary(law->place->width, start, duration, from_count, from, to_count, to, law->reader->error);
}

static zvLaw *make_cycloidal(const ziLawText *law) {
    double start, duration = 0;
    const double *from = beginning(law), *to = from ? needed(law, "to", "to, where it ends") : NULL;
    if (!to || !read_span(law, &start, &duration)) return NULL;
    return zv_law_cycloidal(law->place->width, start, duration, from, to, law->reader->error);
}

static double *bounds(const ziLawText *law, const char *key) {
    if (zi_scenario_law_need(law, key, "duration, or velocity and acceleration") < 0) return NULL;
    double *values = vector(law, key, true);
    for (int i = 0; values && i < law->place->width; i++) {
        if (values[i] > 0) continue;
        zi_scenario_bad_number(law->reader, &law->element, key, values[i], "a bound must be greater than 0");
        return NULL;
    }
    return values;
}

static zvLaw *make_trapezoidal(const ziLawText *law) {
    double start, duration = 0, share = 1.0 / 3;
    const int width = law->place->width;
    ziScenarioReader *reader = law->reader;
    const double *from = beginning(law), *to = from ? needed(law, "to", "to, where it ends") : NULL;
    if (!to || !read_start(law, &start)) return NULL;
    if (!zi_element_has(&law->element, "duration")) {
        const double *velocity = bounds(law, "velocity"), *acceleration = velocity ? bounds(law, "acceleration") : NULL;
        if (!acceleration) return NULL;
        return zv_law_trapezoidal_limits(width, start, velocity, acceleration, from, to, reader->error);
    }
    if (zi_element_has(&law->element, "velocity") || zi_element_has(&law->element, "acceleration")) {
        zi_element_refuse(&reader->reading, &law->element, "duration",
                          "contradicts velocity and acceleration; give one or the other");
        return NULL;
    }
    if (!read_span(law, &start, &duration)) return NULL;
    if (zi_element_number(&reader->reading, &law->element, "share", &share) < 0) return NULL;
    if (!(share > 0 && share <= 0.5)) {
        zi_scenario_bad_number(reader, &law->element, "share", share,
                               "the share of accelerating is above 0 and at most 0.5");
        return NULL;
    }
    return zv_law_trapezoidal(width, start, duration, share, from, to, reader->error);
}

static zvLaw *make_harmonic(const ziLawText *law) {
    double start;
    const bool hertz = zi_element_has(&law->element, "hertz");
    ziScenarioReader *reader = law->reader;
    if (hertz && zi_element_has(&law->element, "frequency")) {
        zi_element_refuse(&reader->reading, &law->element, "hertz", "and frequency (rad/s) are both given; keep one");
        return NULL;
    }
    const char *key = hertz ? "hertz" : "frequency";
    if (zi_scenario_law_need(law, key, "frequency in rad/s, or hertz") < 0 || !read_start(law, &start)) return NULL;
    const double *amplitude = needed(law, "amplitude", "amplitude");
    const double *offset = amplitude ? vector(law, "offset", false) : NULL;
    double *frequency = offset ? vector(law, key, true) : NULL;
    const double *phase = frequency ? vector(law, "phase", true) : NULL;
    if (!phase) return NULL;
    for (int i = 0; hertz && i < law->place->width; i++) frequency[i] *= 2 * PI;
    return zv_law_harmonic(law->place->width, start, offset, amplitude, frequency, phase, reader->error);
}

#define SPAN_KEYS "from", "to", "duration", "start"

const ziLawKind zi_curve_laws[ZI_CURVE_LAWS] = {
    {"constant", make_constant, {"value"}},
    {"polynomial", make_polynomial, {"coefficients", "start"}},
    {"cubic", make_cubic, {SPAN_KEYS, "from_velocity", "to_velocity"}},
    {"quintic", make_quintic, {SPAN_KEYS, "from_velocity", "to_velocity", "from_acceleration", "to_acceleration"}},
    {"septic", make_septic, {SPAN_KEYS, "from_velocity", "to_velocity", "from_acceleration", "to_acceleration"}},
    {"boundary", make_boundary, {SPAN_KEYS}},
    {"cycloidal", make_cycloidal, {SPAN_KEYS}},
    {"trapezoidal", make_trapezoidal, {SPAN_KEYS, "share", "velocity", "acceleration"}},
    {"harmonic", make_harmonic, {"offset", "amplitude", "frequency", "hertz", "phase", "start"}},
};
