/* Links and what is drawn of them in the document of a page. */
#include <stdlib.h>

#include "page_parts.h"

void page_pose_keys(const zvPose *pose, Json *json) {
    json_key(json, "p"), json_numbers(json, pose->p, 3);
    json_key(json, "R"), json_numbers(json, pose->R, 9);
}

void page_pose_json(const zvPose *pose, Json *json) {
    json_map(json, JSON_LINE);
    page_pose_keys(pose, json);
    json_end(json);
}

static bool drawable(const zvShape *shape, PageMeshSet *set) {
    return shape->kind != ZV_SHAPE_MESH || page_mesh_of(set, shape);
}

/* Links of the shapes; `of_link` receives what is shown so far of each link: nothing. */
static bool shown_alloc(const zvModel *model, int **shown, bool **of_link) {
    *shown = malloc(((size_t)zv_model_nshape(model) + 1) * sizeof **shown);
    *of_link = calloc((size_t)zv_model_nlink(model) + 1, sizeof **of_link);
    return *shown && *of_link;
}

int *page_shown_shapes(const zvModel *model, PageMeshSet *set) {
    const int count = zv_model_nshape(model);
    int *shown;
    bool *of_link;
    const bool enough = shown_alloc(model, &shown, &of_link);
    for (int i = 0; enough && i < count; i++) {
        const zvShape *shape = zv_model_shape(model, i);
        shown[i] = -1;
        if (shape->collision || !drawable(shape, set)) continue;
        shown[i] = zv_model_find_frame(model, shape->link);
        of_link[shown[i]] = true;
    }
    for (int i = 0; enough && i < count; i++) {
        const zvShape *shape = zv_model_shape(model, i);
        const int link = zv_model_find_frame(model, shape->link);
        if (shape->collision && !of_link[link] && drawable(shape, set)) shown[i] = link;
    }
    free(of_link);
    if (enough) return shown;
    free(shown);
    return NULL;
}

static void shape_json(const zvModel *model, int link, const zvShape *shape, PageMeshSet *set, Json *json) {
    static const char *const words[] = {[ZV_SHAPE_BOX] = "box",
                                        [ZV_SHAPE_CYLINDER] = "cylinder",
                                        [ZV_SHAPE_SPHERE] = "sphere",
                                        [ZV_SHAPE_MESH] = "mesh"};
    const PageMesh *mesh = shape->kind == ZV_SHAPE_MESH ? page_mesh_of(set, shape) : NULL;
    json_map(json, JSON_LINE);
    json_key(json, "kind"), json_text(json, words[shape->kind]);
    json_key(json, "pose"), page_pose_json(&shape->pose, json);
    json_key(json, "size"), json_numbers(json, shape->size, 3);
    json_key(json, "mesh"), json_integer(json, mesh ? mesh->number : -1);
    json_key(json, "color");
    if (shape->has_color)
        json_numbers(json, shape->color, 4);
    else
        json_text(json, NULL);
    json_key(json, "bend"), page_bend_json(model, link, shape->pose.p, json);
    json_end(json);
}

/* Of the rigid part of an elastic link; the rest is drawn by its sections. */
static void ellipsoid_json(const zvLink *link, Json *json) {
    zvPose pose;
    double axes[3];
    if (!page_ellipsoid(&link->inertia, &pose, axes)) {
        json_text(json, NULL);
        return;
    }
    json_map(json, JSON_LINE);
    page_pose_keys(&pose, json);
    json_key(json, "axes"), json_numbers(json, axes, 3);
    json_end(json);
}

void page_links_json(const zvModel *model, const int *shown, PageMeshSet *set, Json *json) {
    json_list(json, JSON_BLOCK);
    for (int i = 0; i < zv_model_nlink(model); i++) {
        const zvInertia inertia = zv_model_link_inertia(model, i);
        json_map(json, JSON_LINE);
        json_key(json, "name"), json_text(json, zv_model_link(model, i)->name);
        json_key(json, "mass"), json_number(json, inertia.mass);
        json_key(json, "com"), json_numbers(json, inertia.com, 3);
        json_key(json, "joint"), json_integer(json, zv_model_link_joint(model, i));
        json_key(json, "shapes"), json_list(json, JSON_LINE);
        for (int k = 0; k < zv_model_nshape(model); k++) {
            if (shown[k] == i) shape_json(model, i, zv_model_shape(model, k), set, json);
        }
        json_end(json);
        json_key(json, "ellipsoid"), ellipsoid_json(zv_model_link(model, i), json);
        json_key(json, "elastic"), page_elastic_json(model, i, json);
        json_end(json);
    }
    json_end(json);
}
