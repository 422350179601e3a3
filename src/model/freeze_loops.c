/* Part of the first step of freezing: loops in file order, behind them the joints that are cut, and two frames for each
 * that has a place: "NAME.parent" and "NAME.child". */
#include <stdio.h>
#include <string.h>

#include "model/freeze.h"
#include "model/loop.h"
#include "model/path.h"

static bool has_frames(const zvLoop *loop) { return loop->kind != ZV_LOOP_COUPLING; }

void zi_count_loops(ziPlan *plan) {
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

static bool copy_terms(ziPlan *plan, zvLoop *loop) {
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
static int add_frame(ziPlan *plan, const zvLoop *loop, bool child, int *next) {
    zvModel *m = plan->model;
    zvFrame *frame = (zvFrame *)&m->frames[*next];
    const char *suffix = child ? ".child" : ".parent";
    size_t length = strlen(loop->name), size = length + strlen(suffix) + 1;
    char *name = zi_arena_alloc(&m->arena, size);
    if (!name) return -1;
    snprintf(name, size, "%s%s", loop->name, suffix);
    int end = zi_loop_end(plan->builder, child ? loop->child : loop->parent,
                          child ? &loop->child_origin : &loop->origin, &frame->pose);
    int link = plan->order.place[end] + (plan->builder->free_base ? 1 : 0);
    frame->name = name;
    frame->link = m->links[link].name;
    frame->mark = loop->mark;
    ((int *)m->frame_links)[(*next)++] = link;
    return link;
}

/* Copies what *loop points at into the model, and places it. */
static bool add_loop(ziPlan *plan, zvLoop *loop, zvLoopPlace *place, int *next) {
    if (!zi_freeze_text(plan, &loop->name) || !zi_freeze_text(plan, &loop->parent) ||
        !zi_freeze_text(plan, &loop->child) || !zi_freeze_points(plan, &loop->curve) || !copy_terms(plan, loop) ||
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

bool zi_freeze_loops(ziPlan *plan) {
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
    bytes += 3 * sizeof(double) * (size_t)loop->curve.count + zi_path_bytes(&loop->curve) + 128;
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
    return bytes + sizeof(ziClosedTree) + 256 + followers * (sizeof(ziConstraint) + 2 * sizeof(ziConstraintTerm) + 64);
}
