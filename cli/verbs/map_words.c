/* What --over and --show of zveno map say. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "complain.h"
#include "dofs.h"
#include "verbs/map.h"
#include "zveno/document.h"

enum { MOST_POSES = 10000000 };

/* The entry of q or of v of a name; -1: none. */
static int entry_named(const zvModel *model, bool of_q, const char *name) {
    EntryCursor entry = entry_first(model, of_q);
    const int count = of_q ? zv_model_nq(model) : zv_model_nv(model);
    int found = -1;
    for (int i = 0; i < count && found < 0; i++, entry_next(&entry)) {
        Text label = {0};
        entry_label(&entry, &label);
        if (label.bytes && !strcmp(label.bytes, name)) found = i;
        text_free(&label);
    }
    return found;
}

/* With the nearest name, and all of them. */
static Code unknown_entry(const zvModel *model, bool of_q, const char *name) {
    const int count = of_q ? zv_model_nq(model) : zv_model_nv(model);
    Text *labels = calloc((size_t)count + 1, sizeof *labels);
    const char **names = calloc((size_t)count + 1, sizeof *names);
    EntryCursor entry = entry_first(model, of_q);
    Code code = CODE_INPUT;
    for (int i = 0; labels && names && i < count; i++, entry_next(&entry)) {
        entry_label(&entry, &labels[i]);
        names[i] = labels[i].bytes ? labels[i].bytes : "";
    }
    code = labels && names ? complain_unknown(code, "coordinate", name, names, (size_t)count) : complain_memory();
    for (int i = 0; labels && i < count; i++) text_free(&labels[i]);
    free(labels);
    free(names);
    return code;
}

/* "-90:90:5deg": from, to and step, all in degrees; "0.5"; false: no such thing. */
static bool take_range(const char *text, double range[3], int *parts) {
    char copy[200];
    snprintf(copy, sizeof copy, "%s", text);
    char *suffix = strstr(copy, "deg");
    const bool degrees = suffix && !suffix[3];
    if (degrees) *suffix = '\0';
    *parts = 0;
    for (char *word = copy; *parts < 3; (*parts)++) {
        char *end = strchr(word, ':');
        if (end) *end = '\0';
        const zvNode node = {.kind = ZV_NODE_SCALAR, .text = word};
        if (zv_node_number(&node, "a number", &range[*parts], NULL) < 0) return false;
        if (degrees) range[*parts] *= acos(-1) / 180;
        if (!end) return (*parts)++, true;
        word = end + 1;
    }
    return false;
}

/* Values of an axis; steps that end within a millionth of the last value reach it. */
static Code fill_axis(MapAxis *axis, const double range[3], int parts, const char *text) {
    double count = 1;
    if (parts == 2 || (parts == 3 && !(range[2] > 0 && range[1] >= range[0])))
        return complain(CODE_USAGE,
                        "expected --over %s=from:to:step with a rising range and a positive step, or one "
                        "value, found \"%s\"",
                        axis->name, text);
    if (parts == 3) count = floor((range[1] - range[0]) / range[2] + 1e-6) + 1;
    if (!(count <= MOST_POSES)) return complain(CODE_USAGE, "expected at most 1e7 poses, found more: \"%s\"", text);
    axis->count = (int)count;
    axis->at = calloc((size_t)axis->count, sizeof *axis->at);
    if (!axis->at) return complain_memory();
    for (int i = 0; i < axis->count; i++) axis->at[i] = parts == 3 ? range[0] + i * range[2] : range[0];
    return CODE_DONE;
}

/* "joint=from:to:step" */
static Code read_axis(Map *map, const char *text, size_t length) {
    MapAxis *axis = &map->axes[map->axis_count];
    char word[128];
    double range[3];
    int parts;
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    char *equals = strrchr(word, '=');
    if (!equals || equals == word || !take_range(equals + 1, range, &parts))
        return complain(CODE_USAGE, "expected --over name=from:to:step, in rad or m (or deg at the end), found \"%s\"",
                        word);
    *equals = '\0';
    axis->index = entry_named(map->model, true, word);
    axis->rate = axis->index < 0 && !strncmp(word, "v.", 2);
    if (axis->rate) axis->index = entry_named(map->model, false, word + 2);
    if (axis->index < 0) return unknown_entry(map->model, !axis->rate, axis->rate ? word + 2 : word);
    snprintf(axis->name, sizeof axis->name, "%s", word);
    const EntryCursor entry = entry_at(map->model, !axis->rate, axis->index);
    axis->unit = axis->rate ? entry_unit(&entry, QUANTITY_VELOCITY) : entry_position_unit(&entry);
    map->axis_count++;
    return fill_axis(axis, range, parts, equals + 1);
}

/* Their product is the number of poses. */
Code map_read_axes(Map *map) {
    Code code = CODE_DONE;
    double poses = 1;
    for (const char *list = map->args->over; list && *list && code == CODE_DONE;) {
        const size_t length = strcspn(list, ",");
        if (map->axis_count == MAP_AXES)
            return complain(CODE_USAGE, "expected at most %d coordinates after --over, found more", MAP_AXES);
        code = read_axis(map, list, length);
        if (code == CODE_DONE) poses *= map->axes[map->axis_count - 1].count;
        list += length + (list[length] == ',');
    }
    if (code == CODE_DONE && poses > MOST_POSES)
        return complain(CODE_USAGE, "expected at most 1e7 poses, found %.3g", poses);
    map->count = (size_t)poses;
    return code;
}

/* "f3": a letter or word and a number from 1 */
static bool take_numbered(const char *word, const char *head, int *number) {
    const size_t length = strlen(head);
    char after;
    return !strncmp(word, head, length) && sscanf(word + length, "%4d%c", number, &after) == 1 && *number > 0;
}

/* One word of --show. */
static Code read_column(Map *map, const char *text, size_t length) {
    static const char *const known[] = {
        "f1", "zeta1", "stiffness", "manipulability", "manipulability-xyz", "gravity-torque", "x", "y", "z"};
    MapColumn *c = &map->columns[map->column_count++];
    int number = 0;
    snprintf(c->name, sizeof c->name, "%.*s", (int)length, text);
    const char *word = c->name, *places = "xyz";
    c->unit = "1";
    if (take_numbered(word, "f", &number)) {
        c->value = (zvMapValue){ZV_MAP_FREQUENCY, number - 1};
        c->unit = "Hz";
    } else if (take_numbered(word, "zeta", &number)) {
        c->value = (zvMapValue){ZV_MAP_DAMPING, number - 1};
    } else if (!strcmp(word, "stiffness")) {
        c->value = (zvMapValue){ZV_MAP_STIFFNESS, 0};
        c->unit = "N/m";
    } else if (!strcmp(word, "manipulability") || !strcmp(word, "manipulability-xyz")) {
        c->value = (zvMapValue){word[14] ? ZV_MAP_MANIPULABILITY_XYZ : ZV_MAP_MANIPULABILITY, 0};
    } else if (!strncmp(word, "gravity-torque", 14) && (!word[14] || word[14] == '.')) {
        const int dof = word[14] ? entry_named(map->model, false, word + 15) : -1;
        if (word[14] && dof < 0) return unknown_entry(map->model, false, word + 15);
        const EntryCursor entry = entry_at(map->model, false, dof < 0 ? 0 : dof);
        c->value = (zvMapValue){ZV_MAP_GRAVITY, dof};
        c->least_is_best = true;
        c->unit = entry_unit(&entry, QUANTITY_FORCE);
    } else if (word[0] && !word[1] && strchr(places, word[0])) {
        c->value = (zvMapValue){ZV_MAP_PLACE, (int)(strchr(places, word[0]) - places)};
        c->unit = "m";
    } else {
        return complain_unknown(CODE_USAGE, "value of a map", word, known, sizeof known / sizeof known[0]);
    }
    const bool of_frame =
        c->value.kind != ZV_MAP_FREQUENCY && c->value.kind != ZV_MAP_DAMPING && c->value.kind != ZV_MAP_GRAVITY;
    if (of_frame && !map->args->frame)
        return complain(CODE_USAGE, "expected --frame NAME for %s, which is of a frame, found none", word);
    return CODE_DONE;
}

Code map_read_columns(Map *map) {
    Code code = CODE_DONE;
    for (const char *list = map->args->show ? map->args->show : "f1"; *list && code == CODE_DONE;) {
        const size_t length = strcspn(list, ",");
        if (map->column_count == MAP_VALUES)
            return complain(CODE_USAGE, "expected at most %d values after --show, found more", MAP_VALUES);
        code = read_column(map, list, length);
        list += length + (list[length] == ',');
    }
    return code;
}
