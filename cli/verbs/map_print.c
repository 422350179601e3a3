/* Maps as tables, JSON, files and pictures. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart/chart.h"
#include "complain.h"
#include "json.h"
#include "table.h"
#include "verbs/map.h"
#include "zveno/record.h"

double map_axis_at(const Map *map, int axis, size_t pose) {
    for (int i = map->axis_count - 1; i > axis; i--) pose /= (size_t)map->axes[i].count;
    return map->axes[axis].at[pose % (size_t)map->axes[axis].count];
}

static double value_of(const Map *map, int column, size_t pose) {
    return map->values[pose * (size_t)map->column_count + (size_t)column];
}

/* Poses of the least and the greatest value; false: there is none. */
static bool find_worst(const Map *map, int column, size_t *least, size_t *greatest) {
    bool any_value = false;
    for (size_t k = 0; k < map->count; k++) {
        const double value = value_of(map, column, k);
        if (!isfinite(value)) continue;
        if (!any_value || value < value_of(map, column, *least)) *least = k;
        if (!any_value || value > value_of(map, column, *greatest)) *greatest = k;
        any_value = true;
    }
    return any_value;
}

/* "j2 = 0.3, j3 = 1" */
static void put_pose(const Map *map, size_t pose, Text *out) {
    for (int i = 0; i < map->axis_count; i++) {
        if (i) text_puts(out, ", ");
        text_name(out, map->axes[i].name);
        text_printf(out, " = %.6g", map_axis_at(map, i, pose));
    }
}

static void pose_cell(const Map *map, size_t pose, Table *table) {
    Text text = {0};
    put_pose(map, pose, &text);
    table_text(table, text.bytes ? text.bytes : "");
    text_free(&text);
}

/* A row for each value: the worst and the best pose. */
void map_table(const Map *map, Text *out) {
    static const char *const headings[] = {"value", "", "worst", "at", "best", "at"};
    Table table = table_start(6);
    text_printf(out, "%zu poses", map->count);
    if (map->failed) text_printf(out, ", %zu of them without an answer", map->failed);
    text_puts(out, "\n");
    for (int i = 0; i < 6; i++) table_text(&table, headings[i]);
    for (int c = 0; c < map->column_count; c++) {
        size_t least = 0, greatest = 0;
        const bool found = find_worst(map, c, &least, &greatest), turned = map->columns[c].least_is_best;
        table_text(&table, map->columns[c].name);
        table_text(&table, map->columns[c].unit);
        if (!found) {
            table_text(&table, "none");
            for (int i = 0; i < 3; i++) table_text(&table, "");
            continue;
        }
        table_number(&table, value_of(map, c, turned ? greatest : least));
        pose_cell(map, turned ? greatest : least, &table);
        table_number(&table, value_of(map, c, turned ? least : greatest));
        pose_cell(map, turned ? least : greatest, &table);
    }
    table_finish(&table, out);
}

static void end_json(const Map *map, const char *key, int column, size_t pose, Json *json) {
    json_key(json, key), json_map(json, JSON_LINE);
    json_key(json, "value"), json_number(json, value_of(map, column, pose));
    for (int i = 0; i < map->axis_count; i++)
        json_key(json, map->axes[i].name), json_number(json, map_axis_at(map, i, pose));
    json_end(json);
}

/* A value: its ends, then all poses. */
static void column_json(const Map *map, int column, Json *json) {
    size_t least = 0, greatest = 0;
    json_map(json, JSON_BLOCK);
    json_key(json, "name"), json_text(json, map->columns[column].name);
    json_key(json, "unit"), json_text(json, map->columns[column].unit);
    if (find_worst(map, column, &least, &greatest)) {
        const bool turned = map->columns[column].least_is_best;
        end_json(map, "worst", column, turned ? greatest : least, json);
        end_json(map, "best", column, turned ? least : greatest, json);
    }
    json_key(json, "data"), json_list(json, JSON_LINE);
    for (size_t k = 0; k < map->count; k++) {
        const double value = value_of(map, column, k);
        isfinite(value) ? json_number(json, value) : json_text(json, NULL);
    }
    json_end(json);
    json_end(json);
}

/* Axes before values, so that data can be shaped. */
void map_json(const Map *map, Text *out) {
    Json json = json_start(out);
    json_map(&json, JSON_BLOCK);
    json_key(&json, "poses"), json_integer(&json, (int)map->count);
    json_key(&json, "failed"), json_integer(&json, (int)map->failed);
    json_key(&json, "axes"), json_list(&json, JSON_BLOCK);
    for (int i = 0; i < map->axis_count; i++) {
        json_map(&json, JSON_LINE);
        json_key(&json, "name"), json_text(&json, map->axes[i].name);
        json_key(&json, "unit"), json_text(&json, map->axes[i].unit);
        json_key(&json, "values"), json_numbers(&json, map->axes[i].at, (size_t)map->axes[i].count);
        json_end(&json);
    }
    json_end(&json);
    json_key(&json, "values"), json_list(&json, JSON_BLOCK);
    for (int c = 0; c < map->column_count; c++) column_json(map, c, &json);
    json_end(&json);
    json_end(&json);
}

/* A recording whose rows are poses: their number, the axes, the values. */
Code map_write(const Map *map) {
    zvChannel channels[1 + MAP_AXES + MAP_VALUES] = {{.name = "pose", .unit = "1", .about = "number", .width = 1}};
    double row[1 + MAP_AXES + MAP_VALUES];
    int count = 1;
    zvError error = {0};
    for (int i = 0; i < map->axis_count; i++)
        channels[count++] =
            (zvChannel){.name = map->axes[i].name, .unit = map->axes[i].unit, .about = "axis", .width = 1};
    for (int c = 0; c < map->column_count; c++)
        channels[count++] =
            (zvChannel){.name = map->columns[c].name, .unit = map->columns[c].unit, .about = "value", .width = 1};
    zvRecorder *recorder = zv_recorder_create(map->args->output, count, channels, &error);
    zvStatus status = recorder ? ZV_OK : error.status;
    for (size_t k = 0; status >= 0 && k < map->count; k++) {
        row[0] = (double)k;
        for (int i = 0; i < map->axis_count; i++) row[1 + i] = map_axis_at(map, i, k);
        for (int c = 0; c < map->column_count; c++) row[1 + map->axis_count + c] = value_of(map, c, k);
        status = zv_recorder_row(recorder, row, &error);
    }
    if (status >= 0) status = zv_recorder_finish(recorder, NULL, 0, NULL, &error);
    if (recorder) zv_recorder_discard_spool(recorder);
    zv_recorder_destroy(recorder);
    return status < 0 ? complain_error(&error) : CODE_DONE;
}

/* Axes of more than one value; -1 where there are fewer. */
static int wide_axis(const Map *map, int which) {
    for (int i = 0; i < map->axis_count; i++)
        if (map->axes[i].count > 1 && which-- == 0) return i;
    return -1;
}

static void label_of(const char *name, const char *unit, char *label, size_t size) {
    snprintf(label, size, "%s [%s]", name, unit);
}

/* Values of one column, pose after pose. */
static double *values_of_column(const Map *map, int column) {
    double *values = calloc(map->count + 1, sizeof *values);
    for (size_t k = 0; values && k < map->count; k++) values[k] = value_of(map, column, k);
    return values;
}

/* What a picture is made of; freed at once. */
typedef struct MapPicture {
    ChartPane panes[MAP_VALUES];
    ChartSeries series[MAP_VALUES];
    ChartHeat heats[MAP_VALUES];
    double *values[MAP_VALUES];
    char labels[MAP_VALUES + 2][160];
    int count;
} MapPicture;

/* Curves over one coordinate: values of one unit share a pane, as in a Campbell diagram. */
static bool draw_curves(const Map *map, int axis, MapPicture *p) {
    for (int c = 0; c < map->column_count; c++) {
        if (!(p->values[c] = values_of_column(map, c))) return false;
        p->series[c] = (ChartSeries){
            .label = map->columns[c].name, .count = map->count, .x = map->axes[axis].at, .y = p->values[c]};
        const bool same = c && !strcmp(map->columns[c].unit, map->columns[c - 1].unit);
        if (!same) {
            char *label = p->labels[p->count];
            label_of("", map->columns[c].unit, label, sizeof p->labels[0]);
            p->panes[p->count++] = (ChartPane){.y = {.label = label + 1}, .series = &p->series[c]};
        }
        p->panes[p->count - 1].count++;
    }
    return true;
}

/* A grid of colours over two coordinates for each value. */
static bool draw_grids(const Map *map, int slow, int fast, MapPicture *p) {
    for (int c = 0; c < map->column_count; c++) {
        if (!(p->values[c] = values_of_column(map, c))) return false;
        label_of(map->columns[c].name, map->columns[c].unit, p->labels[c], sizeof p->labels[0]);
        p->heats[c] = (ChartHeat){map->axes[fast].count, map->axes[slow].count, map->axes[fast].at,
                                  map->axes[slow].at,    p->values[c],          NULL};
        label_of(map->axes[slow].name, map->axes[slow].unit, p->labels[MAP_VALUES], sizeof p->labels[0]);
        p->panes[p->count++] =
            (ChartPane){.title = p->labels[c], .y = {.label = p->labels[MAP_VALUES]}, .heat = &p->heats[c]};
    }
    return true;
}

/* Over one coordinate or two; the others have one value each. */
Code map_plot(const Map *map) {
    const int first = wide_axis(map, 0), second = wide_axis(map, 1);
    MapPicture *p = calloc(1, sizeof *p);
    zvError error = {0};
    if (first < 0 || wide_axis(map, 2) >= 0) {
        free(p);
        return complain(CODE_USAGE, "expected one or two coordinates with several values for a picture, found %s",
                        first < 0 ? "none" : "more: give the others one value each");
    }
    const int across = second < 0 ? first : second;
    bool drawn = p && (second < 0 ? draw_curves(map, first, p) : draw_grids(map, first, second, p));
    zvStatus status = ZV_MEMORY;
    if (drawn) {
        label_of(map->axes[across].name, map->axes[across].unit, p->labels[MAP_VALUES + 1], sizeof p->labels[0]);
        const Chart chart = {.title = zv_model_name(map->model),
                             .x = {.label = p->labels[MAP_VALUES + 1]},
                             .pane_count = p->count,
                             .panes = p->panes,
                             .width = map->args->width,
                             .height = map->args->height};
        status = chart_write(&chart, map->args->plot, &error);
    }
    for (int c = 0; p && c < MAP_VALUES; c++) free(p->values[c]);
    free(p);
    if (status == ZV_MEMORY) return complain_memory();
    return status < 0 ? complain_error(&error) : CODE_DONE;
}
