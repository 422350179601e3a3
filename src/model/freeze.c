/* Builder to model: check, order, and lay everything out in one block. */
#include "model/freeze.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/require.h"
#include "model/check.h"
#include "model/elastic.h"
#include "model/reduced.h"
#include "model/tree.h"
#include "real/isa.h"

enum { SLACK = 4096 }; /* alignment gaps of the fixed number of arrays */

static size_t text_bytes(const char *text) { return text ? strlen(text) + 32 : 0; }

enum { PER_COORDINATE = 9 * sizeof(double) + 6 * sizeof(int) };

static size_t carried_bytes(const zvBuilder *b, const char *link) {
    int i = zi_names_find(&b->link_names, link);
    return i >= 0 ? zi_attachment_bytes(&b->links[i]) : 0;
}

/* What elastic links need more. */
static size_t elastic_bytes(const zvBuilder *b) {
    size_t bytes = 0;
    for (size_t i = 0; i < b->nlink; i++) {
        const zvLink *link = &b->links[i];
        if (!link->beam && !link->modal) continue;
        bytes += sizeof(zvInertia) + 32 + zi_elastic_copy_bytes(link) + zi_modes_bytes(link);
        bytes += (size_t)zi_link_modes(link) * PER_COORDINATE;
    }
    if (bytes == 0) return 0;
    for (size_t i = 0; i < b->njoint; i++) bytes += carried_bytes(b, b->joints[i].parent);
    for (size_t i = 0; i < b->nframe; i++) bytes += carried_bytes(b, b->frames[i].link);
    return bytes;
}

/* An upper bound, so that the arena needs only one block. */
static size_t model_bytes(const zvBuilder *b, const ziOrder *o) {
    size_t nl = b->nlink + 1, nj = nl, bytes = SLACK + text_bytes(b->name) + elastic_bytes(b) + zi_loops_bytes(b, o);
    bytes += nl * (sizeof(zvLink) + sizeof(ziLinkPlace) + sizeof(ziBody) + sizeof(ziReducedStep) +
                   sizeof(ziReducedNumbers) + sizeof(ziReducedFrame) + sizeof(double));
    bytes += nj * (sizeof(zvJoint) + sizeof(zvJointPlace) + 5 * sizeof(int));
    bytes += (nl + b->nframe) * 5 * sizeof(int) + b->nframe * sizeof(zvFrame) + b->nshape * sizeof(zvShape);
    for (size_t i = 0; i < b->nlink; i++)
        bytes += 3 * text_bytes(b->links[i].name); /* the link, and its joint's ends */
    for (size_t i = 0; i < b->njoint; i++) {
        const zvJoint *j = &b->joints[i];
        size_t nq = (size_t)zv_joint_type_nq(j->type);
        bytes += text_bytes(j->name) + text_bytes(j->mimic) + sizeof(ziJointData) + zi_path_bytes(&j->curve);
        if (j->flexible) bytes += sizeof(zvFlexibleJoint) + 64;
        if (j->stiffness_matrix || j->damping_matrix) bytes += 2 * (ZV_MAX_DOF * ZV_MAX_DOF * sizeof(double) + 64);
        bytes += nq * PER_COORDINATE + 3 * sizeof(double) * (size_t)j->curve.count + 32;
    }
    for (size_t i = 0; i < b->nframe; i++) bytes += text_bytes(b->frames[i].name) + text_bytes(b->frames[i].link);
    for (size_t i = 0; i < b->nshape; i++) {
        bytes += text_bytes(b->shapes[i].name) + text_bytes(b->shapes[i].mesh) + text_bytes(b->shapes[i].link);
    }
    return bytes;
}

static zvModel *new_model(const zvBuilder *b, const ziOrder *o) {
    ziArena arena = {0};
    if (!zi_arena_reserve(&arena, model_bytes(b, o))) return NULL;
    zvModel *model = zi_arena_alloc(&arena, sizeof *model);
    if (!model) {
        zi_arena_free(&arena);
        return NULL;
    }
    model->arena = arena;
    return model;
}

static bool frame_taken(const zvBuilder *b, const char *name) {
    if (zi_names_find(&b->link_names, name) >= 0) return true;
    for (size_t i = 0; i < b->nframe; i++) {
        if (strcmp(b->frames[i].name, name) == 0) return true;
    }
    return false;
}

/* name, or name_2, name_3 ... when it is taken */
static const char *unused_name(ziFreezePlan *plan, const char *name, char *buffer, size_t size, bool joint) {
    snprintf(buffer, size, "%s", name);
    for (int i = 2;
         joint ? zi_names_find(&plan->builder->joint_names, buffer) >= 0 : frame_taken(plan->builder, buffer); i++) {
        snprintf(buffer, size, "%s_%d", name, i);
    }
    return buffer;
}

static void add_free_base(ziFreezePlan *plan) {
    const char *ground = unused_name(plan, "world", plan->world_name, sizeof plan->world_name, false);
    const char *joint = unused_name(plan, "root_joint", plan->joint_name, sizeof plan->joint_name, true);
    plan->world = zv_link_default(ground);
    plan->root_joint = zv_joint_default(joint, ZV_JOINT_FREE, ground, plan->builder->links[plan->order.root].name);
}

static const char too_dense[] =
    "too many closed loops go through the same links; cut them where their branches are short";

/* The steps in their order; each relies on those before it. */
static bool run_steps(ziFreezePlan *plan) {
    zvModel *m = plan->model;
    const zvBuilder *b = plan->builder;
    m->nlink = (int)b->nlink + (b->free_base ? 1 : 0);
    m->njoint = m->nlink - 1;
    m->nframe = (int)b->nframe;
    m->nshape = (int)b->nshape;
    zi_count_loops(plan);
    m->isa = zi_isa_best();
    memcpy(m->tree.gravity, b->gravity, sizeof m->tree.gravity);
    if (b->free_base) add_free_base(plan);
    return zi_freeze_description(plan) && zi_freeze_coordinates(plan) && zi_freeze_bodies(plan) &&
           zi_freeze_modes(plan) && zi_freeze_reduced(plan) && zi_freeze_attachments(plan) &&
           zi_freeze_constraints(plan) && zi_freeze_fronts(plan);
}

/* Order, refuse what is fatal, lay out; the builder stays as it is. An instruction set that nobody knows is refused
 * too: whoever asked for it would measure another. */
zvStatus zv_builder_freeze(const zvBuilder *builder, zvModel **model, zvError *error) {
    ZI_REQUIRE(builder && model);
    *model = NULL;
    const char *unknown = zi_isa_unknown();
    if (unknown) {
        return zv_fail(error, ZV_NAME, (zvMark){0}, unknown,
                       "environment variable ZVENO_ISA is \"%s\", expected " ZI_ISA_NAMES, unknown);
    }
    ziFreezePlan plan = {.builder = builder};
    if (!zi_order_make(builder, &plan.order)) {
        return zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while building the model");
    }
    zvStatus status = zi_first_fatal(builder, &plan.order, error);
    if (status == ZV_OK) {
        plan.model = new_model(builder, &plan.order);
        if (!plan.model || !run_steps(&plan)) {
            zv_model_destroy(plan.model);
            plan.model = NULL;
            status = plan.too_dense
                         ? zv_fail(error, ZV_SIZE, (zvMark){0}, "", "%s", too_dense)
                         : zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while building the model");
        }
    }
    zi_order_free(&plan.order);
    *model = plan.model;
    return status;
}

void zv_model_destroy(zvModel *model) {
    if (!model) return;
    ziArena arena = model->arena; /* the model itself lies in it */
    zi_arena_free(&arena);
}
