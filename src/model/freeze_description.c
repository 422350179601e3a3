/* First step of freezing: links, joints, frames and shapes copied in model order, with names to find them by. */
#include <stdlib.h>
#include <string.h>

#include "model/elastic.h"
#include "model/freeze.h"

/* Copies *text into the model; false when out of memory. */
static bool own(zvModel *m, const char **text) {
    if (!*text) return true;
    *text = zv_arena_text(&m->arena, *text);
    return *text != NULL;
}

/* Marks of one file share one copy of its name. */
typedef struct Files {
    const char *seen, *copy;
} Files;

static bool own_file(zvModel *m, Files *files, zvMark *mark) {
    if (!mark->file) return true;
    if (mark->file != files->seen) {
        files->seen = mark->file;
        files->copy = zv_arena_text(&m->arena, mark->file);
    }
    mark->file = files->copy;
    return mark->file != NULL;
}

static bool copy_links(zvPlan *plan, zvLink *links, Files *files) {
    zvModel *m = plan->model;
    const zvBuilder *b = plan->builder;
    int shift = b->free_base ? 1 : 0;
    if (shift) links[0] = plan->world;
    for (int i = shift; i < m->nlink; i++) links[i] = b->links[plan->order.sequence[i - shift]];
    for (int i = 0; i < m->nlink; i++) {
        if (!own(m, &links[i].name) || !own_file(m, files, &links[i].mark) || !zv_elastic_copy(&m->arena, &links[i]))
            return false;
    }
    return true;
}

static bool own_points(zvModel *m, zvCurve *curve) {
    if (!curve->points) return true;
    size_t size = 3 * (size_t)curve->count * sizeof(double);
    double *copy = zv_arena_alloc(&m->arena, size);
    if (copy) memcpy(copy, curve->points, size);
    curve->points = copy;
    return copy != NULL;
}

/* Joint i moves link i + 1: the order of joints is that of the links below them. */
static bool copy_joints(zvPlan *plan, zvJoint *joints, const zvLink *links, zvLinkPlace *places, Files *files) {
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
        if (!own(m, &joints[i].name) || !own(m, &joints[i].mimic) || !own_points(m, &joints[i].curve) ||
            !own_file(m, files, &joints[i].mark)) {
            return false;
        }
    }
    places[0].parent = places[0].joint = -1;
    return true;
}

static bool copy_frames(zvPlan *plan, zvFrame *frames, int *frame_links, Files *files) {
    zvModel *m = plan->model;
    const zvBuilder *b = plan->builder;
    for (int i = 0; i < m->nframe; i++) {
        frames[i] = b->frames[i];
        int link = plan->order.place[zv_names_find(&b->link_names, frames[i].link)] + (b->free_base ? 1 : 0);
        frame_links[i] = link;
        frames[i].link = m->links[link].name;
        if (!own(m, &frames[i].name) || !own_file(m, files, &frames[i].mark)) return false;
    }
    return true;
}

static bool copy_shapes(zvPlan *plan, zvShape *shapes, Files *files) {
    zvModel *m = plan->model;
    const zvBuilder *b = plan->builder;
    for (int i = 0; i < m->nshape; i++) {
        shapes[i] = b->shapes[i];
        int link = plan->order.place[zv_names_find(&b->link_names, shapes[i].link)] + (b->free_base ? 1 : 0);
        shapes[i].link = m->links[link].name;
        if (!own(m, &shapes[i].name) || !own(m, &shapes[i].mesh) || !own_file(m, files, &shapes[i].mark)) return false;
    }
    return true;
}

typedef struct Entry {
    const char *name;
    int index;
} Entry;

static int by_name(const void *a, const void *b) { return strcmp(((const Entry *)a)->name, ((const Entry *)b)->name); }

/* Sorts entries by name and writes their indices. */
static const int *sorted(zvModel *m, Entry *entries, int count) {
    int *indices = zv_arena_alloc(&m->arena, (size_t)count * sizeof *indices);
    if (!indices) return NULL;
    qsort(entries, (size_t)count, sizeof *entries, by_name);
    for (int i = 0; i < count; i++) indices[i] = entries[i].index;
    return indices;
}

static bool index_names(zvModel *m) {
    int nframes = m->nlink + m->nframe;
    Entry *entries = malloc((size_t)nframes * sizeof *entries);
    if (!entries) return false;
    for (int i = 0; i < nframes; i++) {
        entries[i] = (Entry){i < m->nlink ? m->links[i].name : m->frames[i - m->nlink].name, i};
    }
    m->frames_by_name = sorted(m, entries, nframes);
    for (int i = 0; i < m->njoint; i++) entries[i] = (Entry){m->joints[i].name, i};
    m->joints_by_name = sorted(m, entries, m->njoint);
    free(entries);
    return m->frames_by_name && m->joints_by_name;
}

bool zv_freeze_description(zvPlan *plan) {
    zvModel *m = plan->model;
    Files files = {0};
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
    return copy_links(plan, links, &files) && copy_joints(plan, joints, links, places, &files) &&
           copy_frames(plan, frames, frame_links, &files) && copy_shapes(plan, shapes, &files) && index_names(m);
}
