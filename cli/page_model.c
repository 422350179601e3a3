/* The model in the document of a page. */
#include "page_model.h"

#include <stdlib.h>

#include "coordinates.h"
#include "page_parts.h"

/* {link, p, R, bend}, with the name for frames in their own right. */
static void frame_json(const zvModel *model, int index, bool named, Json *json) {
    const zvFrame frame = zv_model_frame(model, index);
    const int link = zv_model_find_frame(model, frame.link);
    json_map(json, JSON_LINE);
    if (named) json_key(json, "name"), json_text(json, frame.name);
    json_key(json, "link"), json_integer(json, link);
    page_pose_keys(&frame.pose, json);
    json_key(json, "bend"), page_bend_json(model, link, frame.pose.p, json);
    json_end(json);
}

/* Behind the links come the frames of the description, then those of the ends of loops. */
static void frames_json(const zvModel *model, Json *json) {
    int end = zv_model_nframe(model);
    for (int i = 0; i < zv_model_nloop(model); i++) {
        const int first = zv_model_loop_place(model, i).parent_frame;
        if (first >= 0 && first < end) end = first;
    }
    json_list(json, JSON_BLOCK);
    for (int i = zv_model_nlink(model); i < end; i++) frame_json(model, i, true, json);
    json_end(json);
}

static void loop_end_json(const zvModel *model, int frame, Json *json) {
    if (frame >= 0)
        frame_json(model, frame, false, json);
    else
        json_text(json, NULL);
}

static void loops_json(const zvModel *model, Json *json) {
    static const char *const kinds[] = {
        [ZV_LOOP_JOINT] = "joint", [ZV_LOOP_ROD] = "rod", [ZV_LOOP_COUPLING] = "coupling"};
    json_list(json, JSON_BLOCK);
    for (int i = 0; i < zv_model_nloop(model); i++) {
        const zvLoop *loop = zv_model_loop(model, i);
        const zvLoopPlace place = zv_model_loop_place(model, i);
        json_map(json, JSON_LINE);
        json_key(json, "name"), json_text(json, loop->name);
        json_key(json, "kind"), json_text(json, kinds[loop->kind]);
        json_key(json, "type"), json_text(json, loop->kind == ZV_LOOP_JOINT ? zv_joint_type_word(loop->type) : NULL);
        json_key(json, "axis"), page_direction_json(loop->axis, json);
        json_key(json, "parent_frame"), loop_end_json(model, place.parent_frame, json);
        json_key(json, "child_frame"), loop_end_json(model, place.child_frame, json);
        json_end(json);
    }
    json_end(json);
}

static void label_json(const Entry *entry, Json *json) {
    Text label = {0};
    entry_label(entry, &label);
    json_key(json, "label"), json_text(json, label.bytes ? label.bytes : "");
    if (label.failed) json->out->failed = true;
    text_free(&label);
}

/* Which entry of q moves at the rate that an entry of v is; -1 where a quaternion stands between them. */
static int coordinate_of(const Entry *entry) {
    const zvJointPlace place = zv_model_joint_place(entry->model, entry->joint);
    const zvElasticPlace elastic = zv_model_elastic_place(entry->model, place.child);
    if (entry->part >= place.nv) return elastic.q_index + entry->part - place.nv;
    return place.nq == place.nv ? place.q_index + entry->part : -1;
}

static void entries_json(const zvModel *model, bool of_q, Json *json) {
    Entry entry = entry_first(model, of_q);
    json_list(json, JSON_BLOCK);
    for (; entry.joint < zv_model_njoint(model); entry_next(&entry)) {
        json_map(json, JSON_LINE);
        label_json(&entry, json);
        json_key(json, "unit");
        json_text(json, of_q ? entry_position_unit(&entry) : entry_unit(&entry, QUANTITY_VELOCITY));
        if (!of_q) json_key(json, "q"), json_integer(json, coordinate_of(&entry));
        json_end(json);
    }
    json_end(json);
}

static void neutral_json(const zvModel *model, Json *json) {
    const size_t nq = (size_t)zv_model_nq(model);
    double *q = malloc((nq + 1) * sizeof *q);
    if (q) {
        zv_neutral(model, q);
        json_numbers(json, q, nq);
    } else {
        json->out->failed = true;
    }
    free(q);
}

static void model_json(const zvModel *model, const int *shown, double size, PageMeshSet *set, Json *json) {
    double g[3];
    zv_model_gravity(model, g);
    json_map(json, JSON_BLOCK);
    json_key(json, "name"), json_text(json, zv_model_name(model));
    json_key(json, "gravity"), json_numbers(json, g, 3);
    json_key(json, "nq"), json_integer(json, zv_model_nq(model));
    json_key(json, "nv"), json_integer(json, zv_model_nv(model));
    json_key(json, "neutral"), neutral_json(model, json);
    json_key(json, "size"), json_number(json, size);
    json_key(json, "links"), page_links_json(model, shown, set, json);
    json_key(json, "joints"), page_joints_json(model, json);
    json_key(json, "frames"), frames_json(model, json);
    json_key(json, "loops"), loops_json(model, json);
    json_key(json, "meshes"), page_meshes_json(set, json);
    json_key(json, "coordinates"), entries_json(model, true, json);
    json_key(json, "degrees"), entries_json(model, false, json);
    json_end(json);
}

zvStatus page_model_json(const zvModel *model, const PageMeshes *meshes, Json *json, PageProblems *problems,
                         zvError *error) {
    PageMeshSet set = {.where = meshes, .problems = problems};
    int *shown = page_shown_shapes(model, &set);
    const double size = shown ? page_size(model, shown, &set) : -1;
    if (size >= 0) model_json(model, shown, size, &set, json);
    const bool enough = size >= 0 && !set.failed && !json->out->failed;
    free(shown);
    page_meshes_free(&set);
    if (enough) return ZV_OK;
    return zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "%s", zv_status_sentence(ZV_MEMORY));
}
