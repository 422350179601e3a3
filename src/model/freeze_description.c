/* First step of freezing: links, joints, frames and shapes copied in model order. */
#include <string.h>

#include "model/elastic.h"
#include "model/freeze.h"

bool zv_freeze_text(zvPlan *plan, const char **text) {
    if (!*text) return true;
    *text = zv_arena_text(&plan->model->arena, *text);
    return *text != NULL;
}

bool zv_freeze_mark(zvPlan *plan, zvMark *mark) {
    if (!mark->file) return true;
    if (mark->file != plan->file_seen) {
        plan->file_seen = mark->file;
        plan->file_copy = zv_arena_text(&plan->model->arena, mark->file);
    }
    mark->file = plan->file_copy;
    return mark->file != NULL;
}

bool zv_freeze_points(zvPlan *plan, zvCurve *curve) {
    if (!curve->points) return true;
    size_t size = 3 * (size_t)curve->count * sizeof(double);
    double *copy = zv_arena_alloc(&plan->model->arena, size);
    if (copy) memcpy(copy, curve->points, size);
    curve->points = copy;
    return copy != NULL;
}

static bool copy_links(zvPlan *plan, zvLink *links) {
    zvModel *m = plan->model;
    const zvBuilder *b = plan->builder;
    int shift = b->free_base ? 1 : 0;
    if (shift) links[0] = plan->world;
    for (int i = shift; i < m->nlink; i++) links[i] = b->links[plan->order.sequence[i - shift]];
    for (int i = 0; i < m->nlink; i++) {
        if (!zv_freeze_text(plan, &links[i].name) || !zv_freeze_mark(plan, &links[i].mark) ||
            !zv_elastic_copy(&m->arena, &links[i]))
            return false;
    }
    return true;
}

/* Joint i moves link i + 1: the order of joints is that of the links below them. */
static bool copy_joints(zvPlan *plan, zvJoint *joints, const zvLink *links, zvLinkPlace *places) {
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
        if (!zv_freeze_text(plan, &joints[i].name) || !zv_freeze_text(plan, &joints[i].mimic) ||
            !zv_freeze_points(plan, &joints[i].curve) || !zv_freeze_mark(plan, &joints[i].mark)) {
            return false;
        }
    }
    places[0].parent = places[0].joint = -1;
    return true;
}

static bool copy_frames(zvPlan *plan, zvFrame *frames, int *frame_links) {
    zvModel *m = plan->model;
    const zvBuilder *b = plan->builder;
    for (size_t i = 0; i < b->nframe; i++) {
        frames[i] = b->frames[i];
        int link = plan->order.place[zv_names_find(&b->link_names, frames[i].link)] + (b->free_base ? 1 : 0);
        frame_links[i] = link;
        frames[i].link = m->links[link].name;
        if (!zv_freeze_text(plan, &frames[i].name) || !zv_freeze_mark(plan, &frames[i].mark)) return false;
    }
    return true;
}

static bool copy_shapes(zvPlan *plan, zvShape *shapes) {
    zvModel *m = plan->model;
    const zvBuilder *b = plan->builder;
    for (int i = 0; i < m->nshape; i++) {
        shapes[i] = b->shapes[i];
        int link = plan->order.place[zv_names_find(&b->link_names, shapes[i].link)] + (b->free_base ? 1 : 0);
        shapes[i].link = m->links[link].name;
        if (!zv_freeze_text(plan, &shapes[i].name) || !zv_freeze_text(plan, &shapes[i].mesh) ||
            !zv_freeze_mark(plan, &shapes[i].mark))
            return false;
    }
    return true;
}

bool zv_freeze_description(zvPlan *plan) {
    zvModel *m = plan->model;
    m->name = zv_arena_text(&m->arena, plan->builder->name);
    zvLink *links = zv_arena_alloc(&m->arena, (size_t)m->nlink * sizeof *links);
    zvLinkPlace *places = zv_arena_alloc(&m->arena, (size_t)m->nlink * sizeof *places);
    zvJoint *joints = zv_arena_alloc(&m->arena, (size_t)m->njoint * sizeof *joints);
    zvFrame *frames = zv_arena_alloc(&m->arena, (size_t)m->nframe * sizeof *frames);
    int *frame_links = zv_arena_alloc(&m->arena, (size_t)m->nframe * sizeof *frame_links);
    zvShape *shapes = zv_arena_alloc(&m->arena, (size_t)m->nshape * sizeof *shapes);
    if (!m->name || !links || !places || !joints || !frames || !frame_links || !shapes) return false;
    m->links = links;
    m->link_places = places;
    m->joints = joints;
    m->frames = frames;
    m->frame_links = frame_links;
    m->shapes = shapes;
    return copy_links(plan, links) && copy_joints(plan, joints, links, places) &&
           copy_frames(plan, frames, frame_links) && copy_shapes(plan, shapes) && zv_freeze_loops(plan) &&
           zv_freeze_names(plan);
}
