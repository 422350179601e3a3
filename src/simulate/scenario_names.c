/* Names in scenarios: joints, single freedoms of joints, frames, channels. Unknown ones are refused with the nearest.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "model/coordinate.h"
#include "read/text.h"
#include "simulate/scenario.h"
#include "simulate/scenario_read.h"

static const double TURN = 2 * 3.14159265358979323846;
static const double FAR = 50; /* ranges of a sliding joint beyond its limits */

/* Stops with "..." where the buffer ends. */
const char *zi_scenario_names(const char *const *names, int count, char *buffer, size_t size) {
    size_t used = 0;
    buffer[0] = '\0';
    for (int i = 0; i < count; i++) {
        if (used + strlen(names[i]) + 8 >= size) {
            snprintf(buffer + used, size - used, "...");
            break;
        }
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", names[i], i + 1 < count ? ", " : "");
    }
    return buffer;
}

zvStatus zi_scenario_unknown(ziScenarioReader *reader, zvMark mark, const char *kind, const char *name,
                             const char *const *names, int count) {
    char known[200];
    const char *nearest = zi_meant_name(name, names, (size_t)count);
    if (nearest)
        return zv_fail(reader->error, ZV_NAME, mark, name,
                       "expected a known %s, found \"%.60s\"; did you mean \"%.60s\"?", kind, name, nearest);
    return zv_fail(reader->error, ZV_NAME, mark, name, "expected a known %s, found \"%.60s\"; there are %s", kind, name,
                   zi_scenario_names(names, count, known, sizeof known));
}

/* Refuses items of a list that share a name, with the line of the one that has it already. */
zvStatus zi_scenario_distinct(ziScenarioReader *reader, const zvNode *list, const char *kind) {
    ziNames names = {0};
    zvStatus status = ZV_OK;
    for (int i = 0; i < list->count && status >= 0; i++) {
        const zvNode *name = zv_node_get(list->items[i], "name");
        if (!name || !name->text) continue;
        const int holder = zi_names_add(&names, name->text, i);
        if (holder < 0) status = zi_scenario_no_memory(reader);
        if (holder < 0 || holder == i) continue;
        status = zv_fail(reader->error, ZV_NAME, name->mark, name->text,
                         "expected a %s of another name, found \"%.60s\", which stands in line %d already", kind,
                         name->text, zv_node_get(list->items[holder], "name")->mark.line);
    }
    zi_names_free(&names);
    return status;
}

/* Labels of q and v, and which joint and coordinate belongs to each degree of freedom. */
zvStatus zi_scenario_label(ziScenarioReader *reader) {
    const zvModel *model = reader->scenario->model;
    const size_t nq = (size_t)zv_model_nq(model), nv = (size_t)zv_model_nv(model);
    const char **q_labels = zi_scenario_scratch(reader, nq, sizeof *q_labels);
    const char **v_labels = zi_scenario_scratch(reader, nv, sizeof *v_labels);
    const char **q_units = zi_scenario_scratch(reader, nq, sizeof *q_units);
    const char **v_units = zi_scenario_scratch(reader, nv, sizeof *v_units);
    reader->coordinates = zi_scenario_scratch(reader, nv, sizeof *reader->coordinates);
    reader->owners = zi_scenario_scratch(reader, nv, sizeof *reader->owners);
    reader->q_given = zi_scenario_scratch(reader, nq, sizeof *reader->q_given);
    reader->v_given = zi_scenario_scratch(reader, nv, sizeof *reader->v_given);
    reader->q_held = zi_scenario_scratch(reader, nv, 1);
    reader->v_held = zi_scenario_scratch(reader, nv, 1);
    if (!q_labels || !v_labels || !q_units || !v_units || !reader->coordinates || !reader->owners || !reader->q_given ||
        !reader->v_given || !reader->q_held || !reader->v_held)
        return ZV_MEMORY;
    if (!zi_coordinate_labels(model, true, &reader->scratch, q_labels) ||
        !zi_coordinate_labels(model, false, &reader->scratch, v_labels))
        return zi_scenario_no_memory(reader);
    zi_coordinate_units(model, true, ZV_QUANTITY_POSITION, q_units);
    zi_coordinate_units(model, false, ZV_QUANTITY_POSITION, v_units);
    reader->q_units = q_units;
    reader->v_units = v_units;
    reader->q_labels = q_labels;
    reader->v_labels = v_labels;
    zi_coordinates_of_dofs(model, reader->coordinates);
    for (size_t i = 0; i < nv; i++) reader->owners[i] = -1; /* those of elastic links stay without */
    for (int i = 0; i < zv_model_njoint(model); i++) {
        const zvJointPlace place = zv_model_joint_place(model, i);
        for (int k = 0; k < place.nv; k++) reader->owners[place.v_index + k] = i;
    }
    return ZV_OK;
}

/* Freedoms -------------------------------------------------------------------------------------------- */

/* A joint without a freedom of its own: it follows another, or is fixed. */
static zvStatus refuse_immovable(ziScenarioReader *reader, int joint, zvMark mark) {
    const zvModel *model = reader->scenario->model;
    const zvJointPlace place = zv_model_joint_place(model, joint);
    const char *name = zv_model_joint(model, joint)->name;
    if (place.mimic >= 0)
        return zv_fail(reader->error, ZV_NAME, mark, name,
                       "expected a joint with a freedom of its own, found \"%.60s\", which follows \"%.60s\"; name "
                       "that joint, or write model: {file: ..., mimic: independent}",
                       name, zv_model_joint(model, place.mimic)->name);
    return zv_fail(reader->error, ZV_NAME, mark, name,
                   "expected a joint that moves, found \"%.60s\", which is fixed; name another", name);
}

/* Tells those of joints only: coordinates of elastic links are no answer. */
static zvStatus unknown_freedom(ziScenarioReader *reader, zvMark mark, const char *what, const char *name) {
    const int nv = zv_model_nv(reader->scenario->model);
    const char **labels = zi_scenario_scratch(reader, (size_t)nv, sizeof *labels);
    if (!labels) return ZV_MEMORY;
    int count = 0;
    for (int i = 0; i < nv; i++)
        if (reader->owners[i] >= 0) labels[count++] = reader->v_labels[i];
    return zi_scenario_unknown(reader, mark, what, name, labels, count);
}

/* Joints before labels: "wrist" means all its freedoms, "wrist.x" one of them. */
zvStatus zi_scenario_freedom(ziScenarioReader *reader, const char *name, zvMark mark, const char *what,
                             ziFreedoms *freedoms) {
    const zvModel *model = reader->scenario->model;
    const int nv = zv_model_nv(model), joint = zv_model_find_joint(model, name);
    int first = 0, count = 1;
    if (joint >= 0) {
        const zvJointPlace place = zv_model_joint_place(model, joint);
        if (place.nv == 0) return refuse_immovable(reader, joint, mark);
        first = place.v_index;
        count = place.nv;
    } else {
        while (first < nv && strcmp(reader->v_labels[first], name) != 0) first++;
        if (first == nv) return unknown_freedom(reader, mark, what, name);
        if (reader->owners[first] < 0)
            return zv_fail(reader->error, ZV_NAME, mark, name,
                           "expected a joint, found \"%.60s\", an elastic coordinate of a link", name);
    }
    freedoms->count = count;
    if (!(freedoms->dofs = zi_scenario_scratch(reader, (size_t)count, sizeof *freedoms->dofs))) return ZV_MEMORY;
    for (int k = 0; k < count; k++) freedoms->dofs[k] = first + k;
    return ZV_OK;
}

/* All that have a coordinate: a free base and ball joints are not driven unless they are named. */
static void all_freedoms(const ziScenarioReader *reader, ziFreedoms *freedoms) {
    freedoms->count = 0;
    for (int i = 0; i < zv_model_nv(reader->scenario->model); i++)
        if (reader->coordinates[i] >= 0 && reader->owners[i] >= 0) freedoms->dofs[freedoms->count++] = i;
}

/* Appends the freedoms of one name; a second mention is refused. */
static zvStatus add_named(ziScenarioReader *reader, const zvNode *node, const char *what, ziFreedoms *freedoms) {
    const char *name = NULL;
    ziFreedoms one;
    zvStatus status = zv_node_text(node, what, &name, reader->error);
    if (status >= 0) status = zi_scenario_freedom(reader, name, node->mark, "joint", &one);
    if (status < 0) return status;
    for (int k = 0; k < one.count; k++) {
        for (int i = 0; i < freedoms->count; i++)
            if (freedoms->dofs[i] == one.dofs[k])
                return zv_fail(reader->error, ZV_NAME, node->mark, name,
                               "expected joint \"%.60s\" once, found it twice; remove one",
                               reader->v_labels[one.dofs[k]]);
        freedoms->dofs[freedoms->count++] = one.dofs[k];
    }
    return ZV_OK;
}

/* "all", or a list of names. */
static zvStatus listed(ziScenarioReader *reader, const ziNamedMap *element, const zvNode *list, ziFreedoms *freedoms) {
    char what[ZI_WHAT];
    zi_map_what(element, "joints", what);
    if (list->kind == ZV_NODE_SCALAR && strcmp(list->text, "all") == 0) {
        all_freedoms(reader, freedoms);
        if (freedoms->count == 0)
            return zv_fail(reader->error, ZV_NAME, list->mark, "all",
                           "%s: expected joints with a coordinate of their own in the robot, found none; name a joint",
                           what);
        return ZV_OK;
    }
    char found[ZI_FOUND_SIZE];
    if (list->kind != ZV_NODE_LIST || list->count == 0)
        return zv_fail(reader->error, ZV_SCHEMA, list->mark, list->kind == ZV_NODE_SCALAR ? list->text : "",
                       "%s: expected a list of joint names or all, found %s", what, zi_node_found(list, found));
    zvStatus status = ZV_OK;
    for (int i = 0; status >= 0 && i < list->count; i++) status = add_named(reader, list->items[i], what, freedoms);
    return status;
}

/* Degrees of freedom of "joint" or "joints", which exclude each other; neither means all where it is optional. */
zvStatus zi_scenario_freedoms(ziScenarioReader *reader, const ziNamedMap *element, bool optional,
                              ziFreedoms *freedoms) {
    const zvNode *one = zv_node_get(element->node, "joint"), *list = zv_node_get(element->node, "joints");
    char what[ZI_WHAT];
    freedoms->count = 0;
    freedoms->dofs = zi_scenario_scratch(reader, (size_t)zv_model_nv(reader->scenario->model), sizeof *freedoms->dofs);
    if (!freedoms->dofs) return ZV_MEMORY;
    if (one && list)
        return zv_fail(reader->error, ZV_SCHEMA, list->mark, "joints",
                       "%s: expected joint or joints, found both; keep one", zi_map_what(element, NULL, what));
    if (one) return add_named(reader, one, zi_map_what(element, "joint", what), freedoms);
    if (list) return listed(reader, element, list, freedoms);
    if (!optional)
        return zv_fail(reader->error, ZV_SCHEMA, element->node->mark, "joint",
                       "%s: expected the key joint, found none; add joint: NAME, joints: [NAMES] or joints: all",
                       zi_map_what(element, NULL, what));
    all_freedoms(reader, freedoms);
    return ZV_OK;
}

/* Quaternions have no single coordinate that a law could follow. */
zvStatus zi_scenario_need_positions(ziScenarioReader *reader, const ziNamedMap *element, const ziFreedoms *freedoms) {
    const zvNode *one = zv_node_get(element->node, "joint"), *list = zv_node_get(element->node, "joints");
    char what[ZI_WHAT];
    for (int i = 0; i < freedoms->count; i++)
        if (reader->coordinates[freedoms->dofs[i]] < 0)
            return zv_fail(reader->error, ZV_NOT_SUPPORTED, (one ? one : list)->mark,
                           reader->v_labels[freedoms->dofs[i]],
                           "%s: expected joints with a coordinate to follow, found \"%.60s\", which turns by a "
                           "quaternion or floats; leave it out, drive it by torques, or lead it by a motion with "
                           "position and orientation",
                           zi_map_what(element, NULL, what), reader->v_labels[freedoms->dofs[i]]);
    return ZV_OK;
}

/* Far beyond the limits: most likely degrees or millimetres; the text says so. */
zvStatus zi_scenario_check_position(ziScenarioReader *reader, const zvNode *node, int dof, double value) {
    const zvModel *model = reader->scenario->model;
    const zvJoint *joint = zv_model_joint(model, reader->owners[dof]);
    const zvDof *limits = &joint->dof[dof - zv_model_joint_place(model, reader->owners[dof]).v_index];
    if (!limits->has_limits) return ZV_OK;
    const double beyond = fmax(limits->lower - value, value - limits->upper);
    const char *token = node->kind == ZV_NODE_SCALAR ? node->text : "";
    if (joint->type == ZV_JOINT_REVOLUTE && beyond > TURN)
        return zv_fail(reader->error, ZV_NUMBER, node->mark, token,
                       "expected joint \"%.60s\" within a turn of its limits %g ... %g, found %g rad; angles are in "
                       "radians: write %g deg if degrees are meant",
                       joint->name, limits->lower, limits->upper, value, value);
    if (joint->type == ZV_JOINT_PRISMATIC && beyond > FAR * (limits->upper - limits->lower))
        return zv_fail(reader->error, ZV_NUMBER, node->mark, token,
                       "expected joint \"%.60s\" near its limits %g ... %g, found %g m; lengths are in metres: was it "
                       "written in millimetres?",
                       joint->name, limits->lower, limits->upper, value);
    return ZV_OK;
}

/* Frames ---------------------------------------------------------------------------------------------- */

static zvStatus unknown_frame(ziScenarioReader *reader, zvMark mark, const char *name) {
    const zvModel *model = reader->scenario->model;
    const int count = zv_model_nframe(model);
    const char **names = zi_scenario_scratch(reader, (size_t)count, sizeof *names);
    if (!names) return ZV_MEMORY;
    for (int i = 0; i < count; i++) names[i] = zv_model_frame(model, i).name;
    return zi_scenario_unknown(reader, mark, "frame or link", name, names, count);
}

zvStatus zi_scenario_frame(ziScenarioReader *reader, const ziNamedMap *element, const char *key, int *frame) {
    const char *name = NULL;
    zvStatus status = zi_map_need(&reader->reading, element, key, "the name of a frame or link");
    if (status >= 0) status = zi_map_text(&reader->reading, element, key, &name);
    if (status < 0) return status;
    *frame = zv_model_find_frame(reader->scenario->model, name);
    return *frame >= 0 ? ZV_OK : unknown_frame(reader, zv_node_get(element->node, key)->mark, name);
}

/* Channels -------------------------------------------------------------------------------------------- */

static int find_named(const zvModel *model, ziChannelOf of, const char *name) {
    if (of == ZI_OF_LOOP) return zv_model_find_loop(model, name);
    return of == ZI_OF_FRAME ? zv_model_find_frame(model, name) : zv_model_find_joint(model, name);
}

/* By name; the text says when the model has no loops at all. */
zvStatus zi_scenario_loop(ziScenarioReader *reader, const char *name, zvMark mark, int *loop) {
    const zvModel *model = reader->scenario->model;
    const int count = zv_model_nloop(model);
    *loop = zv_model_find_loop(model, name);
    if (*loop >= 0) return ZV_OK;
    if (count == 0)
        return zv_fail(reader->error, ZV_NAME, mark, name,
                       "expected a known loop, found \"%.60s\": the model has no closed loops", name);
    const char **names = zi_scenario_scratch(reader, (size_t)count, sizeof *names);
    if (!names) return ZV_MEMORY;
    for (int i = 0; i < count; i++) names[i] = zv_model_loop(model, i)->name;
    return zi_scenario_unknown(reader, mark, "loop", name, names, count);
}

static zvStatus unknown_named(ziScenarioReader *reader, zvMark mark, ziChannelOf of, const char *name) {
    const zvModel *model = reader->scenario->model;
    if (of == ZI_OF_FRAME) return unknown_frame(reader, mark, name);
    if (of == ZI_OF_LOOP) return zi_scenario_loop(reader, name, mark, &(int){0});
    const int count = zv_model_njoint(model);
    const char **names = zi_scenario_scratch(reader, (size_t)count, sizeof *names);
    if (!names) return ZV_MEMORY;
    for (int i = 0; i < count; i++) names[i] = zv_model_joint(model, i)->name;
    return zi_scenario_unknown(reader, mark, "joint", name, names, count);
}

/* "tool", or with an entry "tool.x": names may contain dots, so the longest that exists counts. */
static zvStatus channel_of(ziScenarioReader *reader, const zvNode *node, char *name, bool entry, ziChannelSpec *spec,
                           const char **label) {
    const ziChannelOf of = zi_channel_rows[spec->kind].of;
    spec->index = find_named(reader->scenario->model, of, name);
    if (spec->index >= 0) return ZV_OK;
    const size_t length = strlen(name);
    for (size_t i = length; entry && i-- > 1;) {
        if (name[i] != '.') continue;
        name[i] = '\0';
        *label = name + i + 1;
        if ((spec->index = find_named(reader->scenario->model, of, name)) >= 0) return ZV_OK;
    }
    *label = NULL;
    return unknown_named(reader, node->mark, of, name);
}

static zvStatus channel_kind(ziScenarioReader *reader, const zvNode *node, const char *word, ziChannelSpec *spec) {
    const char *words[ZI_CHANNEL_KINDS];
    for (int i = 0; i < ZI_CHANNEL_KINDS; i++) {
        words[i] = zi_channel_rows[i].word;
        if (strcmp(word, words[i]) != 0) continue;
        *spec = (ziChannelSpec){(ziChannelKind)i, -1};
        return ZV_OK;
    }
    return zi_scenario_unknown(reader, node->mark, "channel", word, words, ZI_CHANNEL_KINDS);
}

/* Word, then name, then label, as far as they are given; the kind decides what may follow. */
zvStatus zi_scenario_channel(ziScenarioReader *reader, const zvNode *node, bool entry, ziChannelSpec *spec,
                             const char **label) {
    const char *text = NULL;
    zvStatus status = zv_node_text(node, "a channel", &text, reader->error);
    if (status < 0) return status;
    char *word = zi_scenario_scratch(reader, strlen(text) + 1, 1);
    if (!word) return ZV_MEMORY;
    strcpy(word, text);
    char *end = word + strcspn(word, entry ? " ." : " ");
    const char after = *end;
    *end = '\0';
    *label = NULL;
    if ((status = channel_kind(reader, node, word, spec)) < 0) return status;
    const ziChannelOf of = zi_channel_rows[spec->kind].of;
    if (after == '.') *label = end + 1;
    if (after == ' ' && of == ZI_OF_NOTHING)
        return zv_fail(reader->error, ZV_SCHEMA, node->mark, text,
                       "expected no name behind channel \"%s\", found one; write just \"%s\"%s", word, word,
                       entry ? " or \"WORD.ENTRY\"" : "");
    if (after == ' ') return channel_of(reader, node, end + 1 + strspn(end + 1, " "), entry, spec, label);
    if (of == ZI_OF_FRAME)
        return zv_fail(reader->error, ZV_SCHEMA, node->mark, text,
                       "expected a frame behind channel \"%s\", found none; write \"%s FRAME\"", word, word);
    return ZV_OK;
}

/* At the place of the law, which decides. */
zvStatus zi_scenario_begin_rate(ziScenarioReader *reader, int dof, double rate, zvMark mark) {
    static const double disagreement = 1e-6; /* of the rate, at least of 1 rad/s or m/s */
    const zvScenario *scenario = reader->scenario;
    const bool given = reader->v_given[dof] && (reader->v_held[dof] || zv_model_nloop(scenario->model) == 0);
    const double initial = scenario->v[dof];
    if (!given || fabs(rate - initial) <= disagreement * fmax(1, fabs(rate))) return ZV_OK;
    return zv_fail(
        reader->error, ZV_NUMBER, mark, reader->v_labels[dof],
        "expected the motion of joint \"%.60s\" to begin with its initial velocity %g, found it with %g; make "
        "them equal, or leave one of them out",
        reader->v_labels[dof], initial, rate);
}
