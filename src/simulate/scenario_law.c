/* Laws of time in scenarios: by formulas here, by points and tables in scenario_law_tables.c, by routes of frames in
 * scenario_route.c. */
#include "simulate/scenario_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Laws given by formulas: constants, polynomials, cycloids, trapezoids, harmonics. */

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
    if (!zi_map_has(&law->element, "from") && law->place->from) return law->place->from;
    return needed(law, "from", "from, where it begins");
}

static bool read_start(const ziLawText *law, double *start) {
    *start = 0;
    return zi_map_number(&law->reader->reading, &law->element, "start", start) >= 0;
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
        zi_scenario_bad_number(law->reader, &law->element, key, values[i], "a bound above 0", NULL);
        return NULL;
    }
    return values;
}

/* Either a duration and the share of acceleration, or limits from which the duration follows. */
static zvLaw *make_trapezoidal(const ziLawText *law) {
    double start, duration = 0, share = 1.0 / 3;
    const int width = law->place->width;
    ziScenarioReader *reader = law->reader;
    const double *from = beginning(law), *to = from ? needed(law, "to", "to, where it ends") : NULL;
    if (!to || !read_start(law, &start)) return NULL;
    if (!zi_map_has(&law->element, "duration")) {
        const double *velocity = bounds(law, "velocity"), *acceleration = velocity ? bounds(law, "acceleration") : NULL;
        if (!acceleration) return NULL;
        return zv_law_trapezoidal_limits(width, start, velocity, acceleration, from, to, reader->error);
    }
    if (zi_map_has(&law->element, "velocity") || zi_map_has(&law->element, "acceleration")) {
        zi_map_refuse(&reader->reading, &law->element, "duration",
                      "expected a duration, or velocity and acceleration, found both; keep one");
        return NULL;
    }
    if (!read_span(law, &start, &duration)) return NULL;
    if (zi_map_number(&reader->reading, &law->element, "share", &share) < 0) return NULL;
    if (!(share > 0 && share <= 0.5)) {
        zi_scenario_bad_number(reader, &law->element, "share", share, "a share above 0 and at most 0.5", NULL);
        return NULL;
    }
    return zv_law_trapezoidal(width, start, duration, share, from, to, reader->error);
}

/* Frequency in rad/s, or hertz. */
static zvLaw *make_harmonic(const ziLawText *law) {
    double start;
    const bool hertz = zi_map_has(&law->element, "hertz");
    ziScenarioReader *reader = law->reader;
    if (hertz && zi_map_has(&law->element, "frequency")) {
        zi_map_refuse(&reader->reading, &law->element, "hertz",
                      "expected hertz or frequency (rad/s), found both; keep one");
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

/* What a first-order filter makes of a step. */
static zvLaw *make_exponential(const ziLawText *law) {
    double start;
    const double *from = beginning(law), *to = from ? needed(law, "to", "to, what it nears") : NULL;
    if (!to || !read_start(law, &start) || zi_scenario_law_need(law, "time", "time, the time constant in s") < 0)
        return NULL;
    const double *time = bounds(law, "time");
    return time ? zv_law_exponential(law->place->width, start, from, to, time, law->reader->error) : NULL;
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
    {"exponential", make_exponential, {"from", "to", "time", "start"}},
};

/* Laws of time in scenarios: numbers, lists, and maps with a type. What the types take stands in the tables of
 * curve_laws here, scenario_law_tables.c and scenario_route.c. */

enum { DEEPEST = 8, LOOKS = 64 };

static const ziLawKind *const tables[] = {zi_curve_laws, zi_table_laws, zi_path_laws};
static const int counts[] = {ZI_CURVE_LAWS, ZI_TABLE_LAWS, ZI_PATH_LAWS};
enum { ALL_LAWS = ZI_CURVE_LAWS + ZI_TABLE_LAWS + ZI_PATH_LAWS };

/* Numbers of the right count -------------------------------------------------------------------------- */

/* "of wrong dimension": found numbers where the place wants width. */
static zvStatus wrong_dimension(ziScenarioReader *reader, const ziNamedMap *element, const char *key,
                                const zvNode *node, const ziLawPlace *place, int found) {
    char what[ZI_WHAT], entries[200] = "";
    if (place->freedoms) {
        const char *names[8];
        const int shown = place->width < 8 ? place->width : 8;
        for (int i = 0; i < shown; i++) names[i] = reader->v_labels[place->freedoms->dofs[i]];
        char list[160];
        snprintf(entries, sizeof entries, ": %s%s", zi_scenario_names(names, shown, list, sizeof list),
                 shown < place->width ? ", ..." : "");
    }
    return zv_fail(reader->error, ZV_SIZE, node->mark, node->kind == ZV_NODE_SCALAR ? node->text : "[",
                   "%s: expected %d number%s, found %d%s", zi_map_what(element, key, what), place->width,
                   place->width == 1 ? "" : "s", found, entries);
}

/* Whether entry i under this key may be written in deg: positions of joints that turn and their
 * rates, and phases and angular frequencies of any law. */
static bool is_angle(const ziScenarioReader *reader, const char *key, const ziLawPlace *place, int i) {
    if (key && (strcmp(key, "phase") == 0 || strcmp(key, "frequency") == 0)) return true;
    if (key && strcmp(key, "hertz") == 0) return false;
    return place->motion && (!place->freedoms || strcmp(reader->v_units[place->freedoms->dofs[i]], "rad") == 0);
}

/* A list of the right length, or one number that stands for all. */
static zvStatus read_values(ziScenarioReader *reader, const ziNamedMap *element, const char *key, const zvNode *node,
                            const ziLawPlace *place, bool spread, double *values) {
    char what[ZI_WHAT];
    zi_map_what(element, key, what);
    if (node->kind != ZV_NODE_LIST) {
        bool angle = true;
        for (int i = 0; angle && i < place->width; i++) angle = is_angle(reader, key, place, i);
        const zvStatus status = zi_node_value(node, what, angle, &values[0], reader->error);
        if (status < 0) return status;
        if (place->width > 1 && !spread) return wrong_dimension(reader, element, key, node, place, 1);
        for (int i = 1; i < place->width; i++) values[i] = values[0];
        return ZV_OK;
    }
    if (node->count != place->width) return wrong_dimension(reader, element, key, node, place, node->count);
    zvStatus status = ZV_OK;
    for (int i = 0; i < place->width && status >= 0; i++) {
        char entry[ZI_WHAT + 24];
        snprintf(entry, sizeof entry, "number %d of %s", i + 1, what);
        status = zi_node_value(node->items[i], entry, is_angle(reader, key, place, i), &values[i], reader->error);
    }
    return status;
}

zvStatus zi_scenario_vector(ziScenarioReader *reader, const ziNamedMap *element, const char *key,
                            const ziLawPlace *place, bool spread, double *values) {
    const zvNode *node = zv_node_get(element->node, key);
    return node ? read_values(reader, element, key, node, place, spread, values) : ZV_OK;
}

zvStatus zi_scenario_law_need(const ziLawText *law, const char *key, const char *advice) {
    return zi_map_need(&law->reader->reading, &law->element, key, advice);
}

/* Points, one row each; in one array, row after row. */
zvStatus zi_scenario_law_rows(const ziLawText *law, const char *key, int least, int *count, double **values) {
    const zvNode *list = NULL;
    zvStatus status = zi_scenario_law_need(law, key, "a list of points, one row each");
    if (status >= 0) status = zi_map_list(&law->reader->reading, &law->element, key, &list);
    if (status < 0) return status;
    char what[ZI_WHAT];
    if (list->count < least)
        return zv_fail(law->reader->error, ZV_SIZE, list->mark, key, "%s: expected at least %d rows, found %d",
                       zi_map_what(&law->element, key, what), least, list->count);
    const size_t width = (size_t)law->place->width;
    *count = list->count;
    *values = zi_scenario_scratch(law->reader, (size_t)list->count * width, sizeof **values);
    if (!*values) return ZV_MEMORY;
    for (int i = 0; status >= 0 && i < list->count; i++)
        status = read_values(law->reader, &law->element, key, list->items[i], law->place, false,
                             *values + (size_t)i * width);
    return status;
}

/* The list "times", which must ascend; the error marks the item that does not. */
zvStatus zi_scenario_law_times(const ziLawText *law, int *count, double **times) {
    const zvNode *list = NULL;
    zvStatus status = zi_scenario_law_need(law, "times", "times: [0, 1, ...], in s");
    if (status >= 0) status = zi_map_list(&law->reader->reading, &law->element, "times", &list);
    if (status < 0) return status;
    char what[ZI_WHAT];
    zi_map_what(&law->element, "times", what);
    *count = list->count;
    *times = zi_scenario_scratch(law->reader, (size_t)list->count, sizeof **times);
    if (!*times) return ZV_MEMORY;
    for (int i = 0; i < list->count; i++) {
        if ((status = zv_node_number(list->items[i], what, &(*times)[i], law->reader->error)) < 0) return status;
        if (i > 0 && !((*times)[i] > (*times)[i - 1]))
            return zv_fail(law->reader->error, ZV_NUMBER, list->items[i]->mark, list->items[i]->text,
                           "%s: expected ascending times, found %g after %g", what, (*times)[i], (*times)[i - 1]);
    }
    return ZV_OK;
}

/* Laws ------------------------------------------------------------------------------------------------ */

static const ziLawKind *find_kind(const char *word) {
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (int i = 0; i < counts[t]; i++)
            if (strcmp(tables[t][i].word, word) == 0) return &tables[t][i];
    return NULL;
}

static bool is_path(const ziLawKind *kind) { return kind >= zi_path_laws && kind < zi_path_laws + ZI_PATH_LAWS; }

/* A path in space needs joints; another unknown word is refused with the nearest. */
static zvStatus refuse_kind(const ziLawText *law, const ziLawKind *path) {
    const char *words[ALL_LAWS];
    char what[ZI_WHAT];
    int count = 0, choice;
    if (path)
        return zv_fail(law->reader->error, ZV_SCHEMA, zv_node_get(law->element.node, "type")->mark, path->word,
                       "%s: expected a law of numbers, found a %s: only a whole law of joint positions can be a path "
                       "in space; to wait or return on it give its progress as a law",
                       zi_map_what(&law->element, NULL, what), path->word);
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (int i = 0; i < counts[t]; i++) words[count++] = tables[t][i].word;
    if (!law->place->positions) count -= ZI_PATH_LAWS;
    return zi_map_word(&law->reader->reading, &law->element, "type", words, (size_t)count, &choice);
}

/* The type decides which keys are known. */
static zvLaw *read_typed(ziLawText *law) {
    ziScenarioReader *reader = law->reader;
    const char *word = NULL, *keys[12] = {"type"};
    size_t count = 1;
    if (zi_scenario_law_need(law, "type", "type: quintic, harmonic, ...") < 0) return NULL;
    if (zi_map_text(&reader->reading, &law->element, "type", &word) < 0) return NULL;
    const ziLawKind *kind = find_kind(word);
    const bool path = kind && is_path(kind) && !law->place->positions;
    if (!kind || path) {
        refuse_kind(law, path ? kind : NULL);
        return NULL;
    }
    while (count <= 10 && kind->keys[count - 1]) {
        keys[count] = kind->keys[count - 1];
        count++;
    }
    char what[ZI_WHAT], whole[ZI_WHAT + 40];
    snprintf(whole, sizeof whole, "%s (%s)", zi_map_what(&law->element, NULL, what), word);
    if (zv_node_only(law->element.node, whole, keys, count, reader->error) < 0) return NULL;
    zvLaw *made = kind->make(law);
    if (!made) zi_scenario_blame(reader, &law->element, law->element.node, reader->error->status);
    return made;
}

static zvLaw *read_constant(ziScenarioReader *reader, const zvNode *node, const ziLawPlace *place) {
    const ziNamedMap element = {node, place->kind, place->name};
    double *values = zi_scenario_scratch(reader, (size_t)place->width, sizeof *values);
    if (!values || read_values(reader, &element, NULL, node, place, !place->strict, values) < 0) return NULL;
    zvLaw *law = zv_law_constant(place->width, values, reader->error);
    if (!law) zi_scenario_blame(reader, &element, node, reader->error->status);
    return law;
}

/* A list with laws among its items: one law for each entry, side by side. */
static zvLaw *read_side_by_side(ziScenarioReader *reader, const zvNode *list, const ziLawPlace *place, int depth) {
    const ziNamedMap element = {list, place->kind, place->name};
    if (list->count != place->width) {
        wrong_dimension(reader, &element, NULL, list, place, list->count);
        return NULL;
    }
    zvLaw **parts = zi_scenario_scratch(reader, (size_t)list->count, sizeof *parts);
    if (!parts) return NULL;
    for (int i = 0; i < list->count; i++) {
        const ziFreedoms one = {1, place->freedoms ? place->freedoms->dofs + i : NULL};
        const ziLawPlace part = {.kind = place->kind,
                                 .name = place->name,
                                 .width = 1,
                                 .from = place->from ? place->from + i : NULL,
                                 .freedoms = place->freedoms ? &one : NULL,
                                 .motion = place->motion};
        if ((parts[i] = zi_scenario_law_nested(reader, list->items[i], &part, depth + 1))) continue;
        while (i-- > 0) zv_law_destroy(parts[i]);
        return NULL;
    }
    zvLaw *law = zv_law_join(list->count, parts, reader->error);
    if (!law) zi_scenario_blame(reader, &element, list, reader->error->status);
    return law;
}

/* A number or list is a constant, a map has a type; nesting is bounded, since laws recurse here. */
zvLaw *zi_scenario_law_nested(ziScenarioReader *reader, const zvNode *node, const ziLawPlace *place, int depth) {
    if (depth > DEEPEST) {
        zv_fail(reader->error, ZV_SIZE, node->mark, "",
                "expected laws nested at most %d deep, found more; write them out", DEEPEST);
        return NULL;
    }
    if (node->kind == ZV_NODE_MAP) {
        ziLawText law = {reader, {node, place->kind, place->name}, place, depth};
        return read_typed(&law);
    }
    for (int i = 0; node->kind == ZV_NODE_LIST && i < node->count; i++)
        if (node->items[i]->kind == ZV_NODE_MAP) return read_side_by_side(reader, node, place, depth);
    return read_constant(reader, node, place);
}

/* Looks along the law for positions that only degrees or millimetres explain. */
static zvStatus check_positions(ziScenarioReader *reader, const zvNode *node, const ziLawPlace *place,
                                const zvLaw *law) {
    const zvScenario *scenario = reader->scenario;
    double *x = zi_scenario_scratch(reader, 2 * (size_t)place->width, sizeof *x);
    if (!x) return ZV_MEMORY;
    double *farthest = x + place->width;
    for (int i = 0; i <= LOOKS; i++) {
        zv_law_at(law, scenario->start + scenario->duration * i / LOOKS, x, NULL, NULL);
        for (int k = 0; k < place->width; k++)
            if (fabs(x[k]) > fabs(farthest[k])) farthest[k] = x[k];
    }
    zvStatus status = ZV_OK;
    for (int k = 0; status >= 0 && k < place->width; k++)
        status = zi_scenario_check_position(reader, node, place->freedoms->dofs[k], farthest[k]);
    return status;
}

zvLaw *zi_scenario_law(ziScenarioReader *reader, const zvNode *node, const ziLawPlace *place) {
    zvLaw *law = zi_scenario_law_nested(reader, node, place, 0);
    if (!law || !place->positions || check_positions(reader, node, place, law) >= 0) return law;
    zv_law_destroy(law);
    return NULL;
}
