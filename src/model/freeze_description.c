/* First step of freezing: links, joints, frames, shapes and loops copied in model order, and the names to find them by.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/elastic.h"
#include "model/freeze.h"
#include "model/joint_spring.h"
#include "model/order.h"
#include "model/tree.h"

bool zi_freeze_text(ziFreezePlan *plan, const char **text) {
    if (!*text) return true;
    *text = zi_arena_text(&plan->model->arena, *text);
    return *text != NULL;
}

bool zi_freeze_mark(ziFreezePlan *plan, zvMark *mark) {
    if (!mark->file) return true;
    if (mark->file != plan->file_seen) {
        plan->file_seen = mark->file;
        plan->file_copy = zi_arena_text(&plan->model->arena, mark->file);
    }
    mark->file = plan->file_copy;
    return mark->file != NULL;
}

/* K and D of a joint. */
static bool copy_matrices(ziFreezePlan *plan, zvJointType type, const double **stiffness, const double **damping) {
    ziArena *arena = &plan->model->arena;
    const int n = zv_joint_type_nv(type);
    return zi_matrix_copy(arena, n, stiffness) && zi_matrix_copy(arena, n, damping);
}

static bool copy_flexible(ziFreezePlan *plan, const zvFlexibleJoint **flexible) {
    if (!*flexible) return true;
    zvFlexibleJoint *copy = zi_arena_alloc(&plan->model->arena, sizeof *copy);
    if (copy) *copy = **flexible;
    *flexible = copy;
    return copy != NULL;
}

bool zi_freeze_points(ziFreezePlan *plan, zvCurve *curve) {
    if (!curve->points) return true;
    size_t size = 3 * (size_t)curve->count * sizeof(double);
    double *copy = zi_arena_alloc(&plan->model->arena, size);
    if (copy) memcpy(copy, curve->points, size);
    curve->points = copy;
    return copy != NULL;
}

/* In model order, behind the ground link of a free base. */
static bool copy_links(ziFreezePlan *plan, zvLink *links) {
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

/* Joint i moves link i + 1: the order of joints is that of the links below them. Those that follow a fixed joint are
 * fixed. */
static bool copy_joints(ziFreezePlan *plan, const double *held, zvJoint *joints, const zvLink *links,
                        ziLinkPlace *places) {
    zvModel *m = plan->model;
    const zvBuilder *b = plan->builder;
    int shift = b->free_base ? 1 : 0;
    for (int i = 0; i < m->njoint; i++) {
        int link = plan->order.sequence[i + 1 - shift];
        int above = plan->order.joint_above[link];
        joints[i] = above >= 0 ? b->joints[above] : plan->root_joint;
        if (above >= 0 && !isnan(held[above])) zi_hold_joint(&joints[i], held[above]);
        int parent = above >= 0 ? plan->order.place[plan->order.parent_link[above]] + shift : 0;
        joints[i].parent = links[parent].name;
        joints[i].child = links[i + 1].name;
        places[i + 1].parent = parent;
        places[i + 1].joint = i;
        if (!zi_freeze_text(plan, &joints[i].name) || !zi_freeze_text(plan, &joints[i].mimic) ||
            !zi_freeze_points(plan, &joints[i].curve) ||
            !copy_matrices(plan, joints[i].type, &joints[i].stiffness_matrix, &joints[i].damping_matrix) ||
            !copy_flexible(plan, &joints[i].flexible) || !zi_freeze_mark(plan, &joints[i].mark)) {
            return false;
        }
    }
    places[0].parent = places[0].joint = -1;
    return true;
}

/* Named frames with the index of their link. */
static bool copy_frames(ziFreezePlan *plan, zvFrame *frames, int *frame_links) {
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

/* Shapes with their texts; nothing else refers to them. */
static bool copy_shapes(ziFreezePlan *plan, zvShape *shapes) {
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

/* Everything users may ask for later, so that the builder can go. */
bool zi_freeze_description(ziFreezePlan *plan) {
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
    double *held = zi_held_values(plan->builder);
    const bool kept = held && copy_links(plan, links) && copy_joints(plan, held, joints, links, places) &&
                      copy_frames(plan, frames, frame_links) && copy_shapes(plan, shapes) && zi_freeze_loops(plan) &&
                      zi_freeze_names(plan);
    free(held);
    return kept;
}

/* Loops in file order, behind them the joints that are cut, and two frames for each that has a place: "NAME.parent" and
 * "NAME.child". */

static bool has_frames(const zvLoop *loop) { return loop->kind != ZV_LOOP_COUPLING; }

void zi_count_loops(ziFreezePlan *plan) {
    zvModel *m = plan->model;
    const zvBuilder *b = plan->builder;
    m->nloop = (int)b->nloop;
    for (size_t i = 0; i < b->nloop; i++) m->nframe += has_frames(&b->loops[i]) ? 2 : 0;
    for (size_t j = 0; j < b->njoint; j++) {
        if (!zi_order_cuts(b, &plan->order, j)) continue;
        m->nloop++;
        m->nframe += 2;
    }
}

/* Terms of a coupling and the names of their joints. */
static bool copy_terms(ziFreezePlan *plan, zvLoop *loop) {
    if (loop->term_count == 0) return true;
    size_t count = (size_t)loop->term_count;
    zvLoopTerm *copy = zi_arena_alloc(&plan->model->arena, count * sizeof *copy);
    if (!copy) return false;
    memcpy(copy, loop->terms, count * sizeof *copy);
    loop->terms = copy;
    for (size_t i = 0; i < count; i++) {
        if (!zi_freeze_text(plan, &copy[i].joint)) return false;
    }
    return true;
}

/* The frame of one end becomes that of index *next; returns its link, -1 when out of memory. */
static int add_frame(ziFreezePlan *plan, const zvLoop *loop, bool child, int *next) {
    zvModel *m = plan->model;
    zvFrame *frame = (zvFrame *)&m->frames[*next];
    const char *suffix = child ? ".child" : ".parent";
    size_t length = strlen(loop->name), size = length + strlen(suffix) + 1;
    char *name = zi_arena_alloc(&m->arena, size);
    if (!name) return -1;
    snprintf(name, size, "%s%s", loop->name, suffix);
    const char *on = child ? loop->child : loop->parent;
    int end = zi_loop_end(plan->builder, on, child ? &loop->child_origin : &loop->origin, &frame->pose);
    int link = zi_loop_on_ground(plan->builder, on) ? 0 : plan->order.place[end] + (plan->builder->free_base ? 1 : 0);
    frame->name = name;
    frame->link = m->links[link].name;
    frame->mark = loop->mark;
    ((int *)m->frame_links)[(*next)++] = link;
    return link;
}

/* Copies what *loop points at into the model, and places it. */
static bool add_loop(ziFreezePlan *plan, zvLoop *loop, zvLoopPlace *place, int *next) {
    if (!zi_freeze_text(plan, &loop->name) || !zi_freeze_text(plan, &loop->parent) ||
        !zi_freeze_text(plan, &loop->child) || !zi_freeze_points(plan, &loop->curve) || !copy_terms(plan, loop) ||
        !copy_matrices(plan, loop->type, &loop->stiffness_matrix, &loop->damping_matrix) ||
        !zi_freeze_mark(plan, &loop->mark)) {
        return false;
    }
    *place = (zvLoopPlace){-1, -1, -1, -1, 0, 0, 0};
    if (!has_frames(loop)) return true;
    place->parent_frame = plan->model->nlink + *next;
    place->parent = add_frame(plan, loop, false, next);
    place->child_frame = plan->model->nlink + *next;
    place->child = add_frame(plan, loop, true, next);
    return place->parent >= 0 && place->child >= 0;
}

/* Loops of the description, then joints that are cut. */
bool zi_freeze_loops(ziFreezePlan *plan) {
    zvModel *m = plan->model;
    const zvBuilder *b = plan->builder;
    if (m->nloop == 0) return true;
    zvLoop *loops = zi_arena_alloc(&m->arena, (size_t)m->nloop * sizeof *loops);
    zvLoopPlace *places = zi_arena_alloc(&m->arena, (size_t)m->nloop * sizeof *places);
    if (!loops || !places) return false;
    m->loops = loops;
    m->loop_places = places;
    int count = 0, frame = (int)b->nframe;
    for (size_t i = 0; i < b->nloop; i++, count++) {
        loops[count] = b->loops[i];
        if (!add_loop(plan, &loops[count], &places[count], &frame)) return false;
    }
    for (size_t j = 0; j < b->njoint; j++) {
        if (!zi_order_cuts(b, &plan->order, j)) continue;
        loops[count] = zi_loop_of_joint(&b->joints[j]);
        if (!add_loop(plan, &loops[count], &places[count], &frame)) return false;
        count++;
    }
    return true;
}

static size_t text_bytes(const char *text) { return text ? strlen(text) + 32 : 0; }

/* The loop itself, its frames, their attachments, and its constraint. */
static size_t loop_bytes(const zvBuilder *b, const zvLoop *loop) {
    size_t bytes = sizeof(zvLoop) + sizeof(zvLoopPlace) + sizeof(int) + sizeof(ziConstraint) + sizeof(ziJointData);
    bytes += 3 * text_bytes(loop->name) + text_bytes(loop->parent) + text_bytes(loop->child) + 32;
    bytes += 2 * sizeof(zvFrame) + 16 * sizeof(int);
    if (loop->stiffness_matrix || loop->damping_matrix) bytes += 2 * (ZV_MAX_DOF * ZV_MAX_DOF * sizeof(double) + 64);
    bytes += 3 * sizeof(double) * (size_t)loop->curve.count + zi_path_bytes(&loop->curve) + 129;
    for (int i = 0; i < loop->term_count; i++) {
        bytes += sizeof(zvLoopTerm) + sizeof(ziConstraintTerm) + text_bytes(loop->terms[i].joint);
    }
    zvPose pose;
    int parent = has_frames(loop) ? zi_loop_end(b, loop->parent, &loop->origin, &pose) : -1;
    int child = has_frames(loop) ? zi_loop_end(b, loop->child, &loop->child_origin, &pose) : -1;
    if (parent >= 0) bytes += zi_attachment_bytes(&b->links[parent]);
    if (child >= 0) bytes += zi_attachment_bytes(&b->links[child]);
    return bytes;
}

/* A bound for everything that loops add to the model's block. */
size_t zi_loops_bytes(const zvBuilder *b, const ziOrder *o) {
    size_t bytes = 0, followers = 0;
    for (size_t i = 0; i < b->nloop; i++) bytes += loop_bytes(b, &b->loops[i]);
    for (size_t j = 0; j < b->njoint; j++) {
        followers += b->joints[j].mimic != NULL;
        if (!zi_order_cuts(b, o, j)) continue;
        zvLoop loop = zi_loop_of_joint(&b->joints[j]);
        bytes += loop_bytes(b, &loop);
    }
    if (bytes == 0) return 0;
    return bytes + sizeof(ziClosedTree) + 272 + followers * (sizeof(ziConstraint) + 2 * sizeof(ziConstraintTerm) + 65);
}

/* Frames, joints and loops in order of their names, to find them by. */

typedef struct NamedIndex {
    const char *name;
    int index;
} NamedIndex;

static int by_name(const void *a, const void *b) {
    return strcmp(((const NamedIndex *)a)->name, ((const NamedIndex *)b)->name);
}

/* Sorts entries by name and writes their indices. */
static const int *sorted(zvModel *m, NamedIndex *entries, int count) {
    int *indices = zi_arena_alloc(&m->arena, (size_t)count * sizeof *indices);
    if (!indices) return NULL;
    qsort(entries, (size_t)count, sizeof *entries, by_name);
    for (int i = 0; i < count; i++) indices[i] = entries[i].index;
    return indices;
}

/* Indices sorted by name for binary search. */
bool zi_freeze_names(ziFreezePlan *plan) {
    zvModel *m = plan->model;
    int nframes = m->nlink + m->nframe, most = nframes > m->nloop ? nframes : m->nloop;
    NamedIndex *entries = malloc(((size_t)most + 1) * sizeof *entries);
    if (!entries) return false;
    for (int i = 0; i < nframes; i++) {
        entries[i] = (NamedIndex){i < m->nlink ? m->links[i].name : m->frames[i - m->nlink].name, i};
    }
    m->frames_by_name = sorted(m, entries, nframes);
    for (int i = 0; i < m->njoint; i++) entries[i] = (NamedIndex){m->joints[i].name, i};
    m->joints_by_name = sorted(m, entries, m->njoint);
    for (int i = 0; i < m->nloop; i++) entries[i] = (NamedIndex){m->loops[i].name, i};
    if (m->nloop > 0) m->loops_by_name = sorted(m, entries, m->nloop);
    free(entries);
    return m->frames_by_name && m->joints_by_name && (m->loops_by_name || m->nloop == 0);
}
