/* First step of freezing: links, joints, frames and shapes copied in model order. */
#include <string.h>

#include "model/elastic.h"
#include "model/freeze.h"

bool zi_freeze_text(ziPlan *plan, const char **text) {
    if (!*text) return true;
    *text = zi_arena_text(&plan->model->arena, *text);
    return *text != NULL;
}

bool zi_freeze_mark(ziPlan *plan, zvMark *mark) {
    if (!mark->file) return true;
    if (mark->file != plan->file_seen) {
        plan->file_seen = mark->file;
        plan->file_copy = zi_arena_text(&plan->model->arena, mark->file);
    }
    mark->file = plan->file_copy;
    return mark->file != NULL;
}

bool zi_freeze_points(ziPlan *plan, zvCurve *curve) {
    if (!curve->points) return true;
    size_t size = 3 * (size_t)curve->count * sizeof(double);
    double *copy = zi_arena_alloc(&plan->model->arena, size);
    if (copy) memcpy(copy, curve->points, size);
    curve->points = copy;
    return copy != NULL;
}

static bool copy_links(ziPlan *plan, zvLink *links) {
    zvModel *m = plan->model;
    const zvBuilder *b = plan->builder;
    int shift = b->free_base ? 1 : 0;
    if (shift) links[0] = plan->world;
    for (int i = shift; i < m->nlink; i++) links[i] = b->links[plan->order.sequence[i - shift]];
    for (int i = 0; i < m->nlink; i++) {
        if (!zi_freeze_text(plan, &links[i].name) || !zi_freeze_mark(plan, &links[i].mark) ||
            !zi_elastic_copy(&m->arena, &links[i]))
            return false;
    }
    return true;
}

/* Joint i moves link i + 1: the order of joints is that of the links below them. */
static bool copy_joints(ziPlan *plan, zvJoint *joints, const zvLink *links, ziLinkPlace *places) {
    zvModel *m = plan->model;
    const zvBuilder *b = plan->builder;
    int shift = b->free_base ? 1 : 0;
    for (int i = 0; i < m->njoint; i++) {
        int link = plan->order.sequence[i + 1 - shift];
        int above = plan->order.joint_above[link];
        joints[i] = above >= 0 ? b->joints[above] : plan->root_joint;
        int parent = above >= 0 ? plan->order.place[plan->order.parent_link[above]] + shift : 0;
        joints[i].parent = links[parent].name;
        joints[i].child = links[i + 1].name;
        places[i + 1].parent = parent;
        places[i + 1].joint = i;
        if (!zi_freeze_text(plan, &joints[i].name) || !zi_freeze_text(plan, &joints[i].mimic) ||
            !zi_freeze_points(plan, &joints[i].curve) || !zi_freeze_mark(plan, &joints[i].mark)) {
            return false;
        }
    }
    places[0].parent = places[0].joint = -1;
    return true;
}

static bool copy_frames(ziPlan *plan, zvFrame *frames, int *frame_links) {
    zvModel *m = plan->model;
    const zvBuilder *b = plan->builder;
    for (size_t i = 0; i < b->nframe; i++) {
        frames[i] = b->frames[i];
        int link = plan->order.place[zi_names_find(&b->link_names, frames[i].link)] + (b->free_base ? 1 : 0);
        frame_links[i] = link;
        frames[i].link = m->links[link].name;
        if (!zi_freeze_text(plan, &frames[i].name) || !zi_freeze_mark(plan, &frames[i].mark)) return false;
    }
    return true;
}

static bool copy_shapes(ziPlan *plan, zvShape *shapes) {
    zvModel *m = plan->model;
    const zvBuilder *b = plan->builder;
    for (int i = 0; i < m->nshape; i++) {
        shapes[i] = b->shapes[i];
        int link = plan->order.place[zi_names_find(&b->link_names, shapes[i].link)] + (b->free_base ? 1 : 0);
        shapes[i].link = m->links[link].name;
        if (!zi_freeze_text(plan, &shapes[i].name) || !zi_freeze_text(plan, &shapes[i].mesh) ||
            !zi_freeze_mark(plan, &shapes[i].mark))
            return false;
    }
    return true;
}

bool zi_freeze_description(ziPlan *plan) {
    zvModel *m = plan->model;
    m->name = zi_arena_text(&m->arena, plan->builder->name);
    zvLink *links = zi_arena_alloc(&m->arena, (size_t)m->nlink * sizeof *links);
    ziLinkPlace *places = zi_arena_alloc(&m->arena, (size_t)m->nlink * sizeof *places);
    zvJoint *joints = zi_arena_alloc(&m->arena, (size_t)m->njoint * sizeof *joints);
    zvFrame *frames = zi_arena_alloc(&m->arena, (size_t)m->nframe * sizeof *frames);
    int *frame_links = zi_arena_alloc(&m->arena, (size_t)m->nframe * sizeof *frame_links);
    zvShape *shapes = zi_arena_alloc(&m->arena, (size_t)m->nshape * sizeof *shapes);
    if (!m->name || !links || !places || !joints || !frames || !frame_links || !shapes) return false;
    m->links = links;
    m->link_places = places;
    m->joints = joints;
    m->frames = frames;
    m->frame_links = frame_links;
    m->shapes = shapes;
    return copy_links(plan, links) && copy_joints(plan, joints, links, places) &&
           copy_frames(plan, frames, frame_links) && copy_shapes(plan, shapes) && zi_freeze_loops(plan) &&
           zi_freeze_names(plan);
}
