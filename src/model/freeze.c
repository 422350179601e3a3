/* Builder to model: check, order, and lay everything out in one block. */
#include "model/freeze.h"

#include <stdlib.h>
#include <string.h>

#include "model/check.h"
#include "model/path.h"
#include "real/isa.h"

enum { SLACK = 4096 }; /* alignment gaps of the fixed number of arrays */

static size_t text_bytes(const char *text) { return text ? strlen(text) + 32 : 0; }

/* An upper bound, so that the arena needs only one block. */
static size_t model_bytes(const zvBuilder *b) {
    size_t nl = b->nlink + 1, nj = nl, bytes = SLACK + text_bytes(b->name);
    bytes += nl * (sizeof(zvLink) + sizeof(zvLinkPlace) + sizeof(zvBody));
    bytes += nj * (sizeof(zvJoint) + sizeof(zvJointPlace) + 4 * sizeof(int));
    bytes += (nl + b->nframe) * 3 * sizeof(int) + b->nframe * sizeof(zvFrame) + b->nshape * sizeof(zvShape);
    for (size_t i = 0; i < b->nlink; i++)
        bytes += 3 * text_bytes(b->links[i].name); /* the link, and its joint's ends */
    for (size_t i = 0; i < b->njoint; i++) {
        const zvJoint *j = &b->joints[i];
        size_t nq = (size_t)zv_joint_type_nq(j->type);
        bytes += text_bytes(j->name) + text_bytes(j->mimic) + sizeof(zvJointData) + zv_path_bytes(&j->curve);
        bytes += nq * (6 * sizeof(double) + 5 * sizeof(int)) + 3 * sizeof(double) * (size_t)j->curve.count + 32;
    }
    for (size_t i = 0; i < b->nframe; i++) bytes += text_bytes(b->frames[i].name) + text_bytes(b->frames[i].link);
    for (size_t i = 0; i < b->nshape; i++) {
        bytes += text_bytes(b->shapes[i].name) + text_bytes(b->shapes[i].mesh) + text_bytes(b->shapes[i].link);
    }
    return bytes;
}

static zvModel *new_model(const zvBuilder *b) {
    zvArena arena = {0};
    if (!zv_arena_reserve(&arena, model_bytes(b))) return NULL;
    zvModel *model = zv_arena_alloc(&arena, sizeof *model);
    if (!model) {
        zv_arena_free(&arena);
        return NULL;
    }
    model->arena = arena;
    return model;
}

static const char *unused_name(const zvNames *taken, const char *const *candidates) {
    while (candidates[1] && zv_names_find(taken, *candidates) >= 0) candidates++;
    return *candidates;
}

static void add_free_base(zvPlan *plan) {
    static const char *const link_names[] = {"world", "universe", "ground", "free_base_ground", NULL};
    static const char *const joint_names[] = {"root_joint", "free_base", "free_base_root_joint", NULL};
    const zvBuilder *b = plan->builder;
    const char *ground = unused_name(&b->link_names, link_names);
    plan->world = zv_link_default(ground);
    plan->root_joint =
        zv_joint_default(unused_name(&b->joint_names, joint_names), ZV_FREE, ground, b->links[plan->order.root].name);
}

static bool run_steps(zvPlan *plan) {
    zvModel *m = plan->model;
    const zvBuilder *b = plan->builder;
    m->nlink = (int)b->nlink + (b->free_base ? 1 : 0);
    m->njoint = m->nlink - 1;
    m->nframe = (int)b->nframe;
    m->nshape = (int)b->nshape;
    m->isa = zv_isa_best();
    memcpy(m->tree.gravity, b->gravity, sizeof m->tree.gravity);
    if (b->free_base) add_free_base(plan);
    return zv_freeze_description(plan) && zv_freeze_coordinates(plan) && zv_freeze_bodies(plan);
}

zvStatus zv_builder_freeze(const zvBuilder *builder, zvModel **model, zvError *error) {
    *model = NULL;
    zvPlan plan = {.builder = builder};
    if (!zv_order_make(builder, &plan.order)) {
        return zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while building the model");
    }
    zvStatus status = zv_first_fatal(builder, &plan.order, error);
    if (status == ZV_OK) {
        plan.model = new_model(builder);
        if (!plan.model || !run_steps(&plan)) {
            zv_model_destroy(plan.model);
            plan.model = NULL;
            status = zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while building the model");
        }
    }
    zv_order_free(&plan.order);
    *model = plan.model;
    return status;
}

void zv_model_destroy(zvModel *model) {
    if (!model) return;
    zvArena arena = model->arena; /* the model itself lies in it */
    zv_arena_free(&arena);
}
