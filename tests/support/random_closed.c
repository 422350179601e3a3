/* Draws loops into a random tree and freezes it with them. */
#define _POSIX_C_SOURCE 200112L /* setenv */

#include "support/random_closed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/random_tree_case.h"
#include "support/random_tree_joint.h"
#include "support/reference_joint.h"

/* The tree before it has loops, at the state where they are to be closed. */
typedef struct Open {
    const zvModel *model;
    zvWork *work;
    const double *q;
} Open;

static void *buffer(size_t count, size_t size) {
    void *x = calloc(count + 1, size);
    if (!x) abort();
    return x;
}

rcOptions rc_options_spread(int index) {
    rcOptions options = {.loops = 1 + index % 3, .kinds = RC_ALL_KINDS, .elastic = index % 4 == 3, .driven = 0.2};
    options.tree = rt_options_default(4 + index % 7);
    options.tree.shape = index % 2 ? RT_BUSHY : RT_DEEP;
    options.tree.free_base = index % 3 == 2;
    options.tree.mimics = index % 5 == 4 ? 2 : 0;
    options.tree.massless = false;
    if (options.elastic) options.tree.curves = RT_LINE | RT_CIRCLE;
    return options;
}

static bool bends(const rtTree *tree, int link) { return tree->links[link].beam || tree->links[link].modal; }

static int link_of(const rtTree *tree, const zvFrame *frame) {
    for (int i = 0; i < tree->nlink; i++) {
        if (frame->link == tree->link_names[i]) return i;
    }
    abort();
}

/* Freedoms of joints and links on the path between two links, those of followers left out; counts what moves. */
static int freedoms_between(const rtTree *tree, int a, int b) {
    int count = 0;
    while (a != b) {
        int *deeper = a > b ? &a : &b; /* parents have lower numbers */
        const zvJoint *joint = &tree->joints[*deeper - 1];
        if (!joint->mimic || !tree->coupled) count += zv_joint_type_nv(joint->type);
        *deeper = tree->parent[*deeper - 1];
    }
    return count;
}

/* --- poses ----------------------------------------------------------------------------------------------------- */

/* The loop's joint at its coordinates: the child's frame in the parent's. */
static zvPose joint_at(const rcLoop *l) {
    zvJoint joint = zv_joint_default(l->name, l->loop.type, "a", "b");
    memcpy(joint.axis, l->loop.axis, sizeof joint.axis);
    memcpy(joint.axis2, l->loop.axis2, sizeof joint.axis2);
    joint.pitch = l->loop.pitch;
    joint.curve = l->loop.curve;
    refJoint ref;
    refPose pose;
    const exact zero[7] = {0};
    exact q[7];
    for (int i = 0; i < 7; i++) q[i] = l->qc[i];
    ref_joint_open(&ref, &joint);
    ref_joint_pose(&ref, q, zero, zero, &pose);
    ref_joint_close(&ref);
    zvPose out;
    for (int i = 0; i < 9; i++) out.R[i] = (double)pose.R[i].x;
    for (int i = 0; i < 3; i++) out.p[i] = (double)pose.p[i].x;
    return out;
}

static zvPose frame_at(const Open *o, const char *name) {
    zvPose pose;
    zv_frame_pose(o->model, o->work, o->q, zv_model_find_frame(o->model, name), &pose);
    return pose;
}

/* --- loops ----------------------------------------------------------------------------------------------------- */

/* Loop coordinates: moderate, so that the nearest ones of the engine are these. */
static void draw_coordinates(rtRandom *random, rcLoop *l) {
    const zvCurve *curve = &l->loop.curve;
    rt_vector(random, 1, 3, l->qc);
    if (l->loop.type == ZV_JOINT_SPHERICAL) rt_quaternion(random, l->qc);
    if (l->loop.type == ZV_JOINT_CURVE && curve->kind == ZV_CURVE_CIRCLE) l->qc[0] *= 2.5 * curve->radius;
    if (l->loop.type != ZV_JOINT_CURVE || curve->kind != ZV_CURVE_SPLINE) return;
    double length = 0;
    for (int i = 1; i < curve->count; i++) {
        double d[3];
        for (int k = 0; k < 3; k++) d[k] = curve->points[3 * i + k] - curve->points[3 * i - 3 + k];
        length += sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
    l->qc[0] = rt_uniform(random, 0.1, 0.9) * length;
}

static bool can_drive(zvJointType type) { return zv_joint_type_nv(type) == 1; }

/* Axes, pitch and path as those of a joint that a tree might have. */
static void draw_joint(rtRandom *random, const rcOptions *options, rcLoop *l) {
    rtTree *scratch = buffer(1, sizeof *scratch);
    rtOptions one = options->tree;
    one.types = 1u << l->loop.type;
    rt_draw_joint(scratch, random, &one, 0);
    const zvJoint *joint = &scratch->joints[0];
    memcpy(l->loop.axis, joint->axis, sizeof l->loop.axis);
    memcpy(l->loop.axis2, joint->axis2, sizeof l->loop.axis2);
    l->loop.pitch = joint->pitch;
    l->loop.curve = joint->curve;
    memcpy(l->points, scratch->points[0], sizeof l->points);
    if (joint->curve.points) l->loop.curve.points = l->points;
    free(scratch);
    l->loop.ball = l->loop.type == ZV_JOINT_CURVE && rt_chance(random, 0.5);
    draw_coordinates(random, l);
    l->loop.driven = can_drive(l->loop.type) && rt_chance(random, options->driven);
    l->loop.value = l->qc[0];
}

static int rows_of(const zvLoop *loop) {
    if (loop->kind != ZV_LOOP_JOINT) return 1;
    return 6 - zv_joint_type_nv(loop->type) - (loop->ball ? 3 : 0) + loop->driven;
}

/* Puts the joint's end on the rigid side where it belongs: the other end stays where its frame is. */
static void fit_joint(const Open *o, rcLoop *l, bool child_bends) {
    const zvPose a = frame_at(o, l->loop.parent), b = frame_at(o, l->loop.child), j = joint_at(l);
    if (child_bends) {
        const zvPose back = rt_pose_inverse(&j), world = zv_pose_compose(&b, &back), from = rt_pose_inverse(&a);
        l->loop.origin = zv_pose_compose(&from, &world);
    } else {
        const zvPose world = zv_pose_compose(&a, &j), from = rt_pose_inverse(&b);
        l->loop.child_origin = zv_pose_compose(&from, &world);
    }
}

/* Not so short that its direction means little. */
static bool fit_rod(const Open *o, rcLoop *l) {
    const zvPose a = frame_at(o, l->loop.parent), b = frame_at(o, l->loop.child);
    double square = 0;
    for (int k = 0; k < 3; k++) square += (b.p[k] - a.p[k]) * (b.p[k] - a.p[k]);
    l->loop.length = sqrt(square);
    return l->loop.length > 0.05;
}

/* A kind that takes at most `freedoms` conditions; false: none is allowed. */
static bool draw_kind(rcCase *c, const rcOptions *options, int freedoms, bool both_bend, rcLoop *l) {
    for (int tries = 0; tries < 40; tries++) {
        const int bit = rt_below(&c->random, ZV_JOINT_TYPES + 1);
        if (!(options->kinds >> bit & 1u) || bit == ZV_JOINT_FREE) continue;
        const bool rod = 1 << bit == RC_ROD;
        if (both_bend && !rod) continue;
        l->loop = zv_loop_default(l->name, rod ? ZV_LOOP_ROD : ZV_LOOP_JOINT, rod ? ZV_JOINT_FIXED : (zvJointType)bit,
                                  l->loop.parent, l->loop.child);
        if (!rod) draw_joint(&c->random, options, l);
        if (rows_of(&l->loop) <= freedoms) return true;
    }
    return false;
}

/* The same end given by its link instead of a frame on it. */
static void name_link(const zvFrame *frame, const char **end, zvPose *origin) {
    *end = frame->link;
    *origin = zv_pose_compose(&frame->pose, origin);
}

/* Closes a loop between frames 2i and 2i + 1 of the tree. */
static bool draw_ends(rcCase *c, const rcOptions *options, const Open *o, int i, rcLoop *l) {
    const zvFrame *a = &c->tree->frames[2 * i], *b = &c->tree->frames[2 * i + 1];
    const int from = link_of(c->tree, a), to = link_of(c->tree, b);
    const bool a_bends = bends(c->tree, from), b_bends = bends(c->tree, to);
    l->loop.parent = a->name;
    l->loop.child = b->name;
    if (!draw_kind(c, options, freedoms_between(c->tree, from, to), a_bends && b_bends, l)) return false;
    if (l->loop.kind == ZV_LOOP_JOINT)
        fit_joint(o, l, b_bends);
    else if (!fit_rod(o, l))
        return false;
    if (rt_chance(&c->random, 0.5)) name_link(a, &l->loop.parent, &l->loop.origin);
    if (rt_chance(&c->random, 0.5)) name_link(b, &l->loop.child, &l->loop.child_origin);
    return true;
}

static bool single(zvJointType type) { return zv_joint_type_nv(type) == 1; }

/* Two or three joints with one coordinate each that follow nothing. */
static bool draw_coupling(rcCase *c, const Open *o, rcLoop *l) {
    int count = 0;
    l->loop = zv_loop_default(l->name, ZV_LOOP_COUPLING, ZV_JOINT_FIXED, NULL, NULL);
    for (int i = 0, start = rt_below(&c->random, c->tree->njoint); i < c->tree->njoint && count < RC_MAX_TERMS; i++) {
        const zvJoint *joint = &c->tree->joints[(start + i) % c->tree->njoint];
        const int at = zv_model_find_joint(o->model, joint->name);
        if (!single(joint->type) || joint->mimic || (count == 2 && rt_chance(&c->random, 0.5))) continue;
        l->terms[count] = (zvLoopTerm){joint->name, rt_signed(&c->random, 0.3, 2)};
        l->loop.offset += l->terms[count++].ratio * o->q[zv_model_joint_place(o->model, at).q_index];
    }
    l->loop.terms = l->terms;
    l->loop.term_count = count;
    return count >= 2;
}

static void draw_loops(rcCase *c, const rcOptions *options, const Open *o) {
    for (int i = 0; i < options->loops && i < RC_MAX_LOOPS; i++) {
        rcLoop *l = &c->loop[c->loops];
        snprintf(l->name, sizeof l->name, "loop%d", c->loops);
        const bool couples = options->kinds & RC_COUPLING && rt_chance(&c->random, 0.2);
        if (couples ? draw_coupling(c, o, l) : draw_ends(c, options, o, i, l)) c->loops++;
    }
}

/* --- the case --------------------------------------------------------------------------------------------------- */

static zvStatus add_all(zvBuilder *builder, const rtTree *tree, const zvLoop *const *loops, int count, zvError *error) {
    zvStatus status = rt_tree_add(tree, builder, error);
    for (int i = 0; i < count && status == ZV_OK; i++) status = zv_builder_add_loop(builder, loops[i], error);
    return status;
}

zvModel *rc_freeze(const rcCase *c, const zvLoop *const *loops, int count) {
    zvError error = {0};
    zvModel *model = NULL;
    zvBuilder *builder = zv_builder_create(&error);
    if (!builder) abort();
    zv_builder_set_gravity(builder, c->tree->gravity);
    zv_builder_set_free_base(builder, c->tree->free_base);
    zv_builder_set_mimic_coupled(builder, c->tree->coupled);
    zvStatus status = add_all(builder, c->tree, loops, count, &error);
    if (status == ZV_OK) status = zv_builder_freeze(builder, &model, &error);
    if (status < 0) fprintf(stderr, "seed %llu: refused: %s\n", (unsigned long long)c->seed, error.text);
    zv_builder_destroy(builder);
    return model;
}

/* The tree alone and a state; elastic ones are drawn by elastic_case. */
static bool open_tree(rcCase *c, rtOptions *options, bool elastic, Open *o) {
    static const char *const levels[] = {"baseline", "x86-64-v3", "x86-64-v4"};
    options->frames = RT_MAX_FRAMES;
    if (elastic) {
        const bool good = ec_open(&c->bent, c->seed, options);
        c->tree = c->bent.tree;
        *o = (Open){c->bent.model, c->bent.work, c->bent.q};
        if (good) memcpy(c->q = buffer((size_t)c->bent.nq, sizeof *c->q), o->q, (size_t)c->bent.nq * sizeof *c->q);
        return good;
    }
    setenv("ZVENO_ISA", levels[rt_below(&c->random, 3)], 1);
    c->tree = rt_tree_create(c->seed, options);
    zvModel *model = rt_tree_freeze(c->tree);
    *o = (Open){model, model ? zv_work_create(model, NULL) : NULL, NULL};
    if (!o->work) return false;
    c->q = buffer((size_t)zv_model_nq(model), sizeof *c->q);
    rt_draw_position(model, &c->random, c->q);
    o->q = c->q;
    return true;
}

static void draw_state(rcCase *c) {
    c->nq = zv_model_nq(c->model);
    c->nv = zv_model_nv(c->model);
    c->rows = zv_model_nloop_rows(c->model);
    c->nexternal = zv_model_nexternal(c->model);
    c->v = buffer((size_t)c->nv, sizeof *c->v);
    c->tau = buffer((size_t)c->nv, sizeof *c->tau);
    c->fext = buffer((size_t)c->nexternal, sizeof *c->fext);
    rt_vector(&c->random, 2, c->nv, c->v);
    rt_vector(&c->random, 10, c->nv, c->tau);
    rt_vector(&c->random, 10, c->nexternal, c->fext);
    if (c->bent.model) memcpy(c->v, c->bent.v, (size_t)c->nv * sizeof *c->v);
}

bool rc_open(rcCase *c, uint64_t seed, const rcOptions *options) {
    *c = (rcCase){.seed = seed, .random = {seed ^ 0x10095u}};
    rtOptions tree = options->tree;
    const zvLoop *loops[RC_MAX_LOOPS];
    Open open = {0};
    const bool good = open_tree(c, &tree, options->elastic, &open);
    if (good) draw_loops(c, options, &open);
    for (int i = 0; i < c->loops; i++) loops[i] = &c->loop[i].loop;
    if (good) c->model = rc_freeze(c, loops, c->loops);
    if (!options->elastic) {
        zv_work_destroy(open.work);
        zv_model_destroy((zvModel *)open.model);
    }
    c->work = c->model ? zv_work_create(c->model, NULL) : NULL;
    if (c->work) draw_state(c);
    return c->work;
}

void rc_close(rcCase *c) {
    zv_work_destroy(c->work);
    zv_model_destroy(c->model);
    if (c->bent.tree)
        ec_close(&c->bent);
    else
        free(c->tree);
    free(c->q);
    free(c->v);
    free(c->tau);
    free(c->fext);
    memset(c, 0, sizeof *c);
}
