/* Sixth step of freezing: loops become constraints, whose frames are turned so that the axis is z, as those of bodies
 * are, and which know their rows and the place at which their two branches meet. */
#include <stdlib.h>
#include <string.h>

#include "model/axis.h"
#include "model/freeze.h"
#include "model/joint_type.h"
#include "model/measure.h"
#include "model/order.h"

static void place_end(const zvModel *m, int frame, const double Q[9], ziConstraintEnd *end) {
    zvPose turn = zv_pose_identity(), pose = zi_frame_in_body(m, frame);
    memcpy(turn.R, Q, sizeof turn.R);
    zi_rotation_clean(pose.R);
    pose = zv_pose_compose(&pose, &turn);
    int attachment = zi_frame_attachment(m, frame);
    end->body = zv_model_frame_body(m, frame);
    end->row = attachment >= 0 ? m->tree.nb + attachment : end->body;
    for (int i = 0; i < 9; i++) end->R[4 * (i % 3) + i / 3] = pose.R[i]; /* by columns */
    memcpy(end->p, pose.p, sizeof pose.p);
}

/* A joint or rod between two frames, which are turned so that its axis is z. */
static bool constraint_joint(ziFreezePlan *plan, const zvLoop *loop, const zvLoopPlace *place,
                             ziConstraint *constraint) {
    zvPose turn = zv_pose_identity();
    if (loop->kind == ZV_LOOP_JOINT && zi_joint_needs(loop->type, ZI_JOINT_AXIS)) zi_axis_frame(loop->axis, turn.R);
    place_end(plan->model, place->parent_frame, turn.R, &constraint->a);
    place_end(plan->model, place->child_frame, turn.R, &constraint->b);
    constraint->target = loop->length;
    if (loop->kind == ZV_LOOP_ROD) return true;
    constraint->ball = zi_joint_needs(loop->type, ZI_JOINT_PATH) && loop->ball;
    constraint->driven = loop->driven;
    constraint->target = loop->value;
    constraint->form = zi_joint_needs(loop->type, ZI_JOINT_PATH)    ? ZI_CONSTRAINT_PATH
                       : zi_joint_needs(loop->type, ZI_JOINT_AXIS2) ? ZI_CONSTRAINT_TWO_AXES
                                                                    : ZI_CONSTRAINT_AXES;
    constraint->slides = (unsigned char)zi_joint_free_axes(loop->type, false);
    constraint->turns = constraint->ball ? 7 : (unsigned char)zi_joint_free_axes(loop->type, true);
    zvJoint joint = zi_joint_of_loop(loop);
    return zi_freeze_joint(plan, &joint, turn.R, &constraint->joint);
}

/* Terms of a coupling as tree coordinates. */
static bool constraint_coupling(zvModel *m, const zvLoop *loop, ziConstraint *constraint) {
    ziConstraintTerm *terms = zi_arena_alloc(&m->arena, (size_t)loop->term_count * sizeof *terms);
    if (!terms) return false;
    for (int i = 0; i < loop->term_count; i++) {
        int joint = zv_model_find_joint(m, loop->terms[i].joint);
        const ziBody *body = &m->tree.body[m->link_places[joint + 1].body];
        terms[i] = (ziConstraintTerm){body->q, body->v, loop->terms[i].ratio};
    }
    constraint->terms = loop->term_count;
    constraint->term = terms;
    constraint->target = loop->offset;
    return true;
}

/* A coupled follower: q - ratio q_master = offset. */
static bool constraint_follower(zvModel *m, const ziBody *body, ziConstraint *constraint) {
    const ziCoupling *c = &m->coupling;
    ziConstraintTerm *terms = zi_arena_alloc(&m->arena, 2 * sizeof *terms);
    if (!terms) return false;
    int master = c->own_v[c->v_master[body->v]];
    terms[0] = (ziConstraintTerm){body->q, body->v, 1};
    terms[1] = (ziConstraintTerm){m->tree.body[m->tree.dof_body[master]].q, master, -c->v_ratio[body->v]};
    constraint->kind = ZV_LOOP_COUPLING;
    constraint->terms = c->v_ratio[body->v] != 0 ? 2 : 1;
    constraint->term = terms;
    constraint->target = c->q_offset[body->q];
    return true;
}

/* Of two bodies; parents have smaller numbers. */
static int common_ancestor(const ziTree *t, int a, int b) {
    while (a != b) {
        if (a > b)
            a = t->body[a].parent;
        else
            b = t->body[b].parent;
    }
    return a;
}

/* The share of a coupling in a joint enters when that joint is eliminated: it is complete where all of them are. */
static int ancestor_of(const ziTree *t, const ziConstraint *constraint) {
    if (constraint->kind != ZV_LOOP_COUPLING) return common_ancestor(t, constraint->a.body, constraint->b.body);
    int ancestor = t->body[t->dof_body[constraint->term[0].v]].parent;
    for (int i = 1; i < constraint->terms; i++)
        ancestor = common_ancestor(t, ancestor, t->body[t->dof_body[constraint->term[i].v]].parent);
    return ancestor;
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

static int ancestor_link(const zvModel *m, const zvLoop *loop, const zvLoopPlace *place) {
    if (loop->kind != ZV_LOOP_COUPLING) return common_link(m, place->parent, place->child);
    int ancestor = -1;
    for (int i = 0; i < loop->term_count; i++) {
        int parent = m->joint_places[zv_model_find_joint(m, loop->terms[i].joint)].parent;
        ancestor = ancestor < 0 ? parent : common_link(m, ancestor, parent);
    }
    return ancestor;
}

/* The model's loops in their order; their rows come first. */
static bool constraint_loops(ziFreezePlan *plan, ziClosedTree *c, ziConstraint *constraints) {
    zvModel *m = plan->model;
    zvLoopPlace *places = (zvLoopPlace *)m->loop_places;
    for (int i = 0; i < m->nloop; i++) {
        const zvLoop *loop = &m->loops[i];
        ziConstraint *constraint = &constraints[c->constraints++];
        constraint->kind = loop->kind;
        bool enough = loop->kind == ZV_LOOP_COUPLING ? constraint_coupling(m, loop, constraint)
                                                     : constraint_joint(plan, loop, &places[i], constraint);
        if (!enough) return false;
        constraint->row = places[i].row = c->rows;
        constraint->rows = places[i].rows = zi_loop_rows(loop);
        places[i].ancestor = ancestor_link(m, loop, &places[i]);
        c->rows += constraint->rows;
    }
    c->loop_rows = c->rows;
    return true;
}

static bool constraint_followers(zvModel *m, ziClosedTree *c, ziConstraint *constraints) {
    for (int i = 0; i < m->njoint && m->coupling.count > 0; i++) {
        if (m->joint_places[i].mimic < 0) continue;
        ziConstraint *constraint = &constraints[c->constraints++];
        if (!constraint_follower(m, &m->tree.body[m->link_places[i + 1].body], constraint)) return false;
        constraint->row = c->rows;
        c->rows += constraint->rows = 1;
    }
    return true;
}

/* The farthest reach of a link, of an end of a loop or of a rod. */
static bool find_reach(ziFreezePlan *plan, ziClosedTree *c) {
    const zvBuilder *b = plan->builder;
    ziExtent *extents = zi_extents_make(b, &plan->order);
    if (!extents) return false;
    double size = 0;
    for (size_t i = 0; i < b->nlink; i++) {
        if (extents[i].body > size) size = extents[i].body;
    }
    free(extents);
    for (size_t i = 0; i < b->nloop; i++) {
        const zvLoop *loop = &b->loops[i];
        const double reach[] = {zi_pose_offset(&loop->origin), zi_pose_offset(&loop->child_origin), loop->length};
        for (int k = 0; k < 3 && loop->kind != ZV_LOOP_COUPLING; k++) {
            if ((k < 2 || loop->kind == ZV_LOOP_ROD) && reach[k] > size) size = reach[k];
        }
    }
    c->size = size > 0 ? size : 1;
    return true;
}

double zi_armature_as_mass(const ziTree *t, const ziBody *b, double size) {
    double sum = 0;
    for (int k = 0; k < b->nv; k++) {
        const bool turns = zi_joint_turns(b->type, k);
        sum += t->armature[b->v + k] / (turns ? size * size : 1);
    }
    return sum;
}

/* The masses that directions of constraints are measured by: of bodies beyond the joints between a constraint and its
 * ancestor. The ground's is zero, so that an end without such a body adds nothing. */
static bool weigh_constraints(zvModel *m, const ziClosedTree *c, ziConstraint *constraints) {
    const ziTree *t = &m->tree;
    double *beyond = zi_arena_alloc(&m->arena, (size_t)t->nb * sizeof *beyond);
    if (!beyond) return false;
    for (int i = 0; i < t->nb; i++) beyond[i] = i ? t->body[i].m + zi_armature_as_mass(t, &t->body[i], c->size) : 0;
    for (int i = t->nb - 1; i > 0; i--)
        if (t->body[i].parent) beyond[t->body[i].parent] += beyond[i];
    m->tree.beyond = beyond;
    for (int k = 0; k < c->constraints; k++) {
        ziConstraint *constraint = &constraints[k];
        const int ends[2] = {constraint->a.body, constraint->b.body};
        for (int side = 0; side < 2 && constraint->kind != ZV_LOOP_COUPLING; side++) {
            int body = ends[side];
            while (body != constraint->ancestor && t->body[body].parent != constraint->ancestor)
                body = t->body[body].parent;
            constraint->side[side] = body != constraint->ancestor ? body : 0;
        }
    }
    return true;
}

/* Which loops the model leaves open. */
static bool constraint_open(zvModel *m, ziClosedTree *c) {
    unsigned char *open = zi_arena_alloc(&m->arena, (size_t)c->constraints);
    for (int i = 0; open && i < m->nloop; i++) open[i] = m->loops[i].open;
    c->open = open;
    return open != NULL;
}

/* Loops, then coupled followers as couplings, so that one sweep treats all of them. */
bool zi_freeze_constraints(ziFreezePlan *plan) {
    zvModel *m = plan->model;
    if (m->nloop == 0) return true;
    ziClosedTree *c = zi_arena_alloc(&m->arena, sizeof *c);
    ziConstraint *constraints = zi_arena_alloc(&m->arena, (size_t)(m->nloop + m->coupling.count) * sizeof *constraints);
    if (!c || !constraints || !find_reach(plan, c) || !constraint_loops(plan, c, constraints) ||
        !constraint_followers(m, c, constraints) || !constraint_open(m, c))
        return false;
    for (int i = 0; i < c->constraints; i++) constraints[i].ancestor = ancestor_of(&m->tree, &constraints[i]);
    c->constraint = constraints;
    m->tree.closed = c;
    return weigh_constraints(m, c, constraints);
}
