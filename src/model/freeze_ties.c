/* Sixth step of freezing: loops become ties, whose frames are turned so that the axis is z, as those of bodies are, and
 * which know their rows and the place at which their two branches meet. */
#include <stdlib.h>
#include <string.h>

#include "model/axis.h"
#include "model/extent.h"
#include "model/freeze.h"
#include "model/loop.h"

static void place_end(const zvModel *m, int frame, const double Q[9], zvTieEnd *end) {
    zvPose turn = zv_pose_identity(), pose = zv_frame_in_body(m, frame);
    memcpy(turn.R, Q, sizeof turn.R);
    zv_rotation_clean(pose.R);
    pose = zv_pose_compose(&pose, &turn);
    int station = zv_frame_station(m, frame);
    end->body = zv_model_frame_body(m, frame);
    end->row = station >= 0 ? m->tree.nb + station : end->body;
    for (int i = 0; i < 9; i++) end->R[4 * (i % 3) + i / 3] = pose.R[i]; /* by columns */
    memcpy(end->p, pose.p, sizeof pose.p);
}

/* Type and data of the joint that a tie is. */
static bool make_joint(zvPlan *plan, const zvLoop *loop, const double Q[9], zvBody *body) {
    zvJoint joint = zv_joint_of_loop(loop);
    body->type = (unsigned char)(loop->type == ZV_CONTINUOUS ? ZV_REVOLUTE : loop->type);
    body->nv = (unsigned char)zv_joint_type_nv(loop->type);
    body->nq = (unsigned char)zv_joint_type_nq(loop->type);
    if (body->type == ZV_REVOLUTE || body->type == ZV_PRISMATIC || body->type == ZV_FIXED) return true;
    body->data = zv_freeze_joint(plan, &joint, Q);
    return body->data != NULL;
}

static bool tie_joint(zvPlan *plan, const zvLoop *loop, const zvLoopPlace *place, zvTie *tie) {
    zvPose turn = zv_pose_identity();
    if (loop->kind == ZV_LOOP_JOINT && zv_joint_uses_axis(loop->type)) zv_axis_frame(loop->axis, turn.R);
    place_end(plan->model, place->parent_frame, turn.R, &tie->a);
    place_end(plan->model, place->child_frame, turn.R, &tie->b);
    tie->target = loop->length;
    if (loop->kind == ZV_LOOP_ROD) return true;
    tie->ball = loop->type == ZV_CURVE && loop->ball;
    tie->driven = loop->driven;
    tie->target = loop->value;
    return make_joint(plan, loop, turn.R, &tie->joint);
}

static bool tie_coupling(zvModel *m, const zvLoop *loop, zvTie *tie) {
    zvTieTerm *terms = zv_arena_alloc(&m->arena, (size_t)loop->term_count * sizeof *terms);
    if (!terms) return false;
    for (int i = 0; i < loop->term_count; i++) {
        int joint = zv_model_find_joint(m, loop->terms[i].joint);
        const zvBody *body = &m->tree.body[m->link_places[joint + 1].body];
        terms[i] = (zvTieTerm){body->q, body->v, loop->terms[i].ratio};
    }
    tie->terms = loop->term_count;
    tie->term = terms;
    tie->target = loop->offset;
    return true;
}

/* A coupled follower: q - ratio q_master = offset. */
static bool tie_follower(zvModel *m, const zvBody *body, zvTie *tie) {
    const zvCoupling *c = &m->coupling;
    zvTieTerm *terms = zv_arena_alloc(&m->arena, 2 * sizeof *terms);
    if (!terms) return false;
    int master = c->own_v[c->v_master[body->v]];
    terms[0] = (zvTieTerm){body->q, body->v, 1};
    terms[1] = (zvTieTerm){m->tree.body[m->tree.dof_body[master]].q, master, -c->v_ratio[body->v]};
    tie->kind = ZV_LOOP_COUPLING;
    tie->terms = c->v_ratio[body->v] != 0 ? 2 : 1;
    tie->term = terms;
    tie->target = c->q_offset[body->q];
    return true;
}

/* Of two bodies; parents have smaller numbers. */
static int common_ancestor(const zvTree *t, int a, int b) {
    while (a != b) {
        if (a > b)
            a = t->body[a].parent;
        else
            b = t->body[b].parent;
    }
    return a;
}

/* The share of a coupling in a joint enters when that joint is eliminated: it is complete where all of them are. */
static int home_of(const zvTree *t, const zvTie *tie) {
    if (tie->kind != ZV_LOOP_COUPLING) return common_ancestor(t, tie->a.body, tie->b.body);
    int home = t->body[t->dof_body[tie->term[0].v]].parent;
    for (int i = 1; i < tie->terms; i++) home = common_ancestor(t, home, t->body[t->dof_body[tie->term[i].v]].parent);
    return home;
}

static int common_link(const zvModel *m, int a, int b) {
    while (a != b) {
        if (a > b)
            a = m->link_places[a].parent;
        else
            b = m->link_places[b].parent;
    }
    return a;
}

static int home_link(const zvModel *m, const zvLoop *loop, const zvLoopPlace *place) {
    if (loop->kind != ZV_LOOP_COUPLING) return common_link(m, place->parent, place->child);
    int home = -1;
    for (int i = 0; i < loop->term_count; i++) {
        int parent = m->joint_places[zv_model_find_joint(m, loop->terms[i].joint)].parent;
        home = home < 0 ? parent : common_link(m, home, parent);
    }
    return home;
}

static bool tie_loops(zvPlan *plan, zvClosedTree *c, zvTie *ties) {
    zvModel *m = plan->model;
    zvLoopPlace *places = (zvLoopPlace *)m->loop_places;
    for (int i = 0; i < m->nloop; i++) {
        const zvLoop *loop = &m->loops[i];
        zvTie *tie = &ties[c->ties++];
        tie->kind = loop->kind;
        bool enough =
            loop->kind == ZV_LOOP_COUPLING ? tie_coupling(m, loop, tie) : tie_joint(plan, loop, &places[i], tie);
        if (!enough) return false;
        tie->row = places[i].row = c->rows;
        tie->rows = places[i].rows = zv_loop_rows(loop);
        places[i].home = home_link(m, loop, &places[i]);
        c->rows += tie->rows;
    }
    c->loop_rows = c->rows;
    return true;
}

static bool tie_followers(zvModel *m, zvClosedTree *c, zvTie *ties) {
    for (int i = 0; i < m->njoint && m->coupling.count > 0; i++) {
        if (m->joint_places[i].mimic < 0) continue;
        zvTie *tie = &ties[c->ties++];
        if (!tie_follower(m, &m->tree.body[m->link_places[i + 1].body], tie)) return false;
        tie->row = c->rows;
        c->rows += tie->rows = 1;
    }
    return true;
}

/* The farthest reach of a link, of an end of a loop or of a rod. */
static bool measure(zvPlan *plan, zvClosedTree *c) {
    const zvBuilder *b = plan->builder;
    zvExtent *extents = zv_extents_make(b, &plan->order);
    if (!extents) return false;
    double size = 0;
    for (size_t i = 0; i < b->nlink; i++) {
        if (extents[i].body > size) size = extents[i].body;
    }
    free(extents);
    for (size_t i = 0; i < b->nloop; i++) {
        const zvLoop *loop = &b->loops[i];
        const double reach[] = {zv_pose_offset(&loop->origin), zv_pose_offset(&loop->child_origin), loop->length};
        for (int k = 0; k < 3 && loop->kind != ZV_LOOP_COUPLING; k++) {
            if ((k < 2 || loop->kind == ZV_LOOP_ROD) && reach[k] > size) size = reach[k];
        }
    }
    c->size = size > 0 ? size : 1;
    return true;
}

bool zv_freeze_ties(zvPlan *plan) {
    zvModel *m = plan->model;
    if (m->nloop == 0) return true;
    zvClosedTree *c = zv_arena_alloc(&m->arena, sizeof *c);
    zvTie *ties = zv_arena_alloc(&m->arena, (size_t)(m->nloop + m->coupling.count) * sizeof *ties);
    if (!c || !ties || !measure(plan, c) || !tie_loops(plan, c, ties) || !tie_followers(m, c, ties)) return false;
    for (int i = 0; i < c->ties; i++) ties[i].home = home_of(&m->tree, &ties[i]);
    c->tie = ties;
    m->tree.closed = c;
    return true;
}
