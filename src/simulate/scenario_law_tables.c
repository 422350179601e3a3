/* Laws given by points or made of other laws: splines, tables, CSV files, sequences, sums. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "simulate/scenario_read.h"

/* Points ---------------------------------------------------------------------------------------------- */

static bool read_points(const ziLawText *law, int *count, double **times, double **points) {
    int rows = 0;
    char what[ZI_WHAT];
    if (zi_scenario_law_times(law, count, times) < 0) return false;
    if (zi_scenario_law_rows(law, "points", 1, &rows, points) < 0) return false;
    if (rows == *count) return true;
    zv_fail(law->reader->error, ZV_SIZE, zv_node_get(law->element.node, "points")->mark, "points",
            "%s: expected one row for each of the %d times, found %d", zi_map_what(&law->element, "points", what),
            *count, rows);
    return false;
}

static zvLaw *make_spline(const ziLawText *law) {
    static const char *const words[] = {
        [ZV_SPLINE_NATURAL] = "natural", [ZV_SPLINE_CLAMPED] = "clamped", [ZV_SPLINE_PERIODIC] = "periodic"};
    double *times, *points;
    int count, ends = ZV_SPLINE_CLAMPED;
    if (zi_map_word(&law->reader->reading, &law->element, "ends", ZI_KEYS(words), &ends) < 0) return NULL;
    if (!read_points(law, &count, &times, &points)) return NULL;
    return zv_law_spline(law->place->width, count, times, points, (zvSplineEnds)ends, law->reader->error);
}

static zvLaw *make_table(const ziLawText *law) {
    static const char *const words[] = {[ZV_TABLE_LINEAR] = "linear", [ZV_TABLE_HOLD] = "hold"};
    double *times, *points;
    int count, mode = ZV_TABLE_LINEAR;
    if (zi_map_word(&law->reader->reading, &law->element, "mode", ZI_KEYS(words), &mode) < 0) return NULL;
    if (!read_points(law, &count, &times, &points)) return NULL;
    return zv_law_table(law->place->width, count, times, points, (zvTableMode)mode, law->reader->error);
}

/* CSV ------------------------------------------------------------------------------------------------- */

/* A column by its name, or by its number from 1; *column counts from 0. */
static zvStatus find_column(const ziLawText *law, const zvTable *table, const zvNode *node, int *column) {
    ziScenarioReader *reader = law->reader;
    const char *name = NULL;
    char what[ZI_WHAT];
    zvStatus status = zv_node_text(node, zi_map_what(&law->element, "columns", what), &name, reader->error);
    if (status < 0) return status;
    for (int i = 0; table->names && i < table->columns; i++) {
        if (strcmp(table->names[i], name) != 0) continue;
        *column = i;
        return ZV_OK;
    }
    if (!node->quoted && name[strspn(name, "0123456789")] == '\0') {
        if ((status = zv_node_integer(node, what, column, reader->error)) < 0) return status;
        if (--*column >= 0 && *column < table->columns) return ZV_OK;
        return zv_fail(reader->error, ZV_NAME, node->mark, name, "expected a column from 1 to %d, found %s",
                       table->columns, name);
    }
    if (table->names) return zi_scenario_unknown(reader, node->mark, "column", name, table->names, table->columns);
    return zv_fail(reader->error, ZV_NAME, node->mark, name,
                   "expected a line of names in the table, found none; give the number of the column, from 1");
}

/* By name or number; without a list all columns but the time, if their number fits. */
static zvStatus find_columns(const ziLawText *law, const zvTable *table, int *time, int *columns) {
    const zvNode *time_node = zv_node_get(law->element.node, "time"), *list = NULL;
    zvStatus status = time_node ? find_column(law, table, time_node, time) : ZV_OK;
    if (status >= 0) status = zi_map_list(&law->reader->reading, &law->element, "columns", &list);
    if (status < 0) return status;
    char what[ZI_WHAT];
    const int width = law->place->width, found = list ? list->count : table->columns - 1;
    if (found != width)
        return zv_fail(law->reader->error, ZV_SIZE, list ? list->mark : law->element.node->mark, "columns",
                       "%s: expected %d column%s%s, found %d", zi_map_what(&law->element, NULL, what), width,
                       width == 1 ? "" : "s", list ? "" : " besides time", found);
    for (int i = 0, next = 0; i < width && !list; i++, next++) {
        next += next == *time;
        columns[i] = next;
    }
    for (int i = 0; status >= 0 && list && i < width; i++)
        status = find_column(law, table, list->items[i], &columns[i]);
    return status;
}

/* Copies the columns wanted, scaled, and makes a spline or a table of them. */
static zvLaw *law_of_table(const ziLawText *law, const zvTable *table, int mode) {
    ziScenarioReader *reader = law->reader;
    const int width = law->place->width, rows = table->rows;
    int time = 0, *columns = zi_scenario_scratch(reader, (size_t)width, sizeof *columns);
    double *scale = zi_scenario_scratch(reader, (size_t)width, sizeof *scale);
    double *times = zi_scenario_scratch(reader, (size_t)rows, sizeof *times);
    double *points = zi_scenario_scratch(reader, (size_t)rows * (size_t)width, sizeof *points);
    if (!columns || !scale || !times || !points || find_columns(law, table, &time, columns) < 0) return NULL;
    for (int k = 0; k < width; k++) scale[k] = 1;
    if (zi_scenario_vector(reader, &law->element, "scale", law->place, true, scale) < 0) return NULL;
    for (int i = 0; i < rows; i++) {
        const double *row = table->values + (size_t)i * (size_t)table->columns;
        times[i] = row[time];
        for (int k = 0; k < width; k++) points[(size_t)i * (size_t)width + (size_t)k] = scale[k] * row[columns[k]];
    }
    if (mode == 0) return zv_law_spline(width, rows, times, points, ZV_SPLINE_NATURAL, reader->error);
    return zv_law_table(width, rows, times, points, mode == 2 ? ZV_TABLE_HOLD : ZV_TABLE_LINEAR, reader->error);
}

/* A law from columns of a CSV file: spline, straight or held. The file is among the inputs of the scenario and in its
 * fingerprint. */
static zvLaw *make_csv(const ziLawText *law) {
    static const char *const words[] = {"spline", "linear", "hold"};
    ziScenarioReader *reader = law->reader;
    int mode = 0;
    const char *path = NULL;
    char what[ZI_WHAT];
    ziSource source;
    zvTable table = {0};
    if (zi_map_word(&reader->reading, &law->element, "mode", ZI_KEYS(words), &mode) < 0) return NULL;
    if (zi_scenario_law_need(law, "file", "file, the path of a CSV file") < 0) return NULL;
    if (zi_scenario_load(reader, zv_node_get(law->element.node, "file"), zi_map_what(&law->element, "file", what),
                         &path, &source) < 0)
        return NULL;
    zvLaw *made = NULL;
    if (zv_table_read_memory(path, source.bytes, source.size, &table, reader->error) >= 0) {
        made = law_of_table(law, &table, mode);
        zv_table_free(&table);
    }
    zi_source_free(&source);
    return made;
}

/* Laws of laws ---------------------------------------------------------------------------------------- */

static const zvNode *law_parts(const ziLawText *law) {
    const zvNode *list = NULL;
    char what[ZI_WHAT];
    if (zi_scenario_law_need(law, "parts", "parts, a list of laws") < 0) return NULL;
    if (zi_map_list(&law->reader->reading, &law->element, "parts", &list) < 0) return NULL;
    if (list->count > 0) return list;
    zv_fail(law->reader->error, ZV_SIZE, list->mark, "parts", "%s: expected at least one law, found none",
            zi_map_what(&law->element, "parts", what));
    return NULL;
}

/* A part is {duration, law}; the last may be {law} or the law itself. */
static const zvNode *part_law(const ziLawText *law, const zvNode *item, bool last, double *duration) {
    static const char *const keys[] = {"duration", "law"};
    const ziReading *reading = &law->reader->reading;
    const bool bare = item->kind != ZV_NODE_MAP || zv_node_get(item, "type");
    if (bare && last) return item;
    ziNamedMap part = {item, "part of", law->element.name};
    char kind[ZI_WHAT];
    snprintf(kind, sizeof kind, "part of %.120s", law->element.kind);
    part.kind = kind;
    char what[ZI_WHAT];
    if (bare) {
        zv_fail(law->reader->error, ZV_SCHEMA, item->mark, "duration",
                "%s: expected {duration: ..., law: ...} for each part but the last, found another",
                zi_map_what(&part, NULL, what));
        return NULL;
    }
    if (zv_node_only(item, zi_map_what(&part, NULL, what), ZI_KEYS(keys), law->reader->error) < 0) return NULL;
    if (zi_map_need(reading, &part, "law", "law") < 0) return NULL;
    if (!last && zi_map_need(reading, &part, "duration", "duration, in s") < 0) return NULL;
    if (zi_scenario_positive(law->reader, &part, "duration", duration) < 0) return NULL;
    return zv_node_get(item, "law");
}

static void destroy_parts(zvLaw **parts, int count) {
    for (int i = 0; i < count; i++) zv_law_destroy(parts[i]);
}

/* Each part begins, unless it says otherwise, where the one before ends. */
static bool read_sequence(const ziLawText *law, const zvNode *list, zvLaw **parts, double *durations) {
    ziLawPlace place = *law->place;
    double *at = zi_scenario_scratch(law->reader, (size_t)place.width, sizeof *at);
    for (int i = 0; at && i < list->count; i++) {
        const zvNode *node = part_law(law, list->items[i], i + 1 == list->count, &durations[i]);
        place.positions = false; /* lines and arcs begin where the robot stands at the start */
        parts[i] = node ? zi_scenario_law_nested(law->reader, node, &place, law->depth + 1) : NULL;
        if (!parts[i]) {
            destroy_parts(parts, i);
            return false;
        }
        zv_law_at(parts[i], durations[i], at, NULL, NULL);
        place.from = at;
    }
    return at != NULL;
}

static zvLaw *make_sequence(const ziLawText *law) {
    const zvNode *list = law_parts(law);
    double start = 0;
    if (!list || zi_map_number(&law->reader->reading, &law->element, "start", &start) < 0) return NULL;
    zvLaw **parts = zi_scenario_scratch(law->reader, (size_t)list->count, sizeof *parts);
    double *durations = zi_scenario_scratch(law->reader, (size_t)list->count, sizeof *durations);
    if (!parts || !durations || !read_sequence(law, list, parts, durations)) return NULL;
    return zv_law_sequence(start, list->count, parts, durations, law->reader->error);
}

/* Parts are positions only as a sum, so single ones are not checked against limits. */
static zvLaw *make_sum(const ziLawText *law) {
    const zvNode *list = law_parts(law);
    if (!list) return NULL;
    zvLaw **parts = zi_scenario_scratch(law->reader, (size_t)list->count, sizeof *parts);
    ziLawPlace place = *law->place;
    place.positions = false;
    for (int i = 0; parts && i < list->count; i++) {
        parts[i] = zi_scenario_law_nested(law->reader, list->items[i], &place, law->depth + 1);
        if (!parts[i]) {
            destroy_parts(parts, i);
            return NULL;
        }
        place.from = NULL; /* only one of them begins where the robot stands */
    }
    return parts ? zv_law_sum(list->count, parts, law->reader->error) : NULL;
}

const ziLawKind zi_table_laws[ZI_TABLE_LAWS] = {
    {"spline", make_spline, {"times", "points", "ends"}},
    {"table", make_table, {"times", "points", "mode"}},
    {"csv", make_csv, {"file", "time", "columns", "mode", "scale"}},
    {"sequence", make_sequence, {"start", "parts"}},
    {"sum", make_sum, {"parts"}},
};
