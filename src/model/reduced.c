/* The reduced robot: a copy of the tree with second moments, then sparse frames (reduced_reframe.c), fewer masses,
 * which bodies may share axes, and the layout that recursions read. */
#include "model/reduced.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/freeze.h"
#include "model/joint_type.h"
#include "spatial/components.h"

ziMoments zi_body_moments(const ziBody *body) {
    /* (19.1); the difference of two first: of a thin link they are nearly equal, and the third is small */
    const double *h = body->h, *J = body->J, xx = 0.5 * ((J[5] - J[0]) + J[10]), yy = 0.5 * ((J[0] - J[5]) + J[10]),
                 zz = 0.5 * ((J[0] - J[10]) + J[5]);
    return (ziMoments){body->m, {h[0], h[1], h[2]}, {xx, -J[1], -J[2], yy, -J[6], zz}};
}

/* Columns without padding, and second moments in place of moments of inertia. */
static void copy_body(const ziBody *from, ziReducedBody *to) {
    *to = (ziReducedBody){.parent = from->parent,
                          .q = from->q,
                          .v = from->v,
                          .type = from->type,
                          .nv = from->nv,
                          .nq = from->nq,
                          .data = from->data,
                          .sign = 1,
                          .m = from->m,
                          .own_R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (int i = 0; i < 9; i++) to->E[i] = from->E[4 * (i / 3) + i % 3];
    memcpy(to->r, from->r, sizeof to->r);
    const ziMoments a = zi_body_moments(from);
    memcpy(to->h, a.h, sizeof to->h);
    memcpy(to->K, a.K, sizeof to->K);
}

/* Depth-first order: what hangs on a body follows it. */
static void find_ends(ziReduced *reduced) {
    for (int i = 0; i < reduced->nb; i++) reduced->body[i].end = i + 1;
    for (int i = reduced->nb - 1; i > 0; i--) {
        ziReducedBody *up = &reduced->body[reduced->body[i].parent];
        if (reduced->body[i].end > up->end) up->end = reduced->body[i].end;
    }
}

static void copy_frame(ziReduced *reduced, int frame) {
    reduced->frame_body = -1;
    if (frame < 0) return;
    const zvPose pose = zi_frame_in_body(reduced->model, frame);
    reduced->frame_body = zv_model_frame_body(reduced->model, frame);
    for (int i = 0; i < 9; i++) reduced->frame_R[i] = pose.R[3 * (i % 3) + i / 3];
    memcpy(reduced->frame_p, pose.p, sizeof pose.p);
}

/* When one joint alone hangs on the ground, its frame is the ground's. */
static void lower_ground(ziReduced *reduced) {
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const int first = 1;
    if (reduced->nb < 2 || reduced->body[first].end < reduced->nb || reduced->frame_body == 0) return;
    ziReducedBody *b = &reduced->body[first];
    const double *g = reduced->model->tree.gravity;
    memcpy(reduced->ground_R, b->E, sizeof b->E);
    memcpy(reduced->ground_p, b->r, sizeof b->r);
    for (int k = 0; k < 3; k++)
        reduced->gravity[k] = b->E[3 * k] * g[0] + b->E[3 * k + 1] * g[1] + b->E[3 * k + 2] * g[2];
    memcpy(b->E, one, sizeof one);
    memset(b->r, 0, sizeof b->r);
}

/* Joints about or along z whose axes stay where they are. */
static bool keeps_axis(int type) {
    return zi_joint_types[type].constant_in_parent && zi_joint_types[type].constant_in_body;
}

static int parallel(const ziReducedBody *b) {
    for (int k = 0; k < 9; k++)
        if (b->E[k] != (k % 4 == 0)) return 0;
    return 1;
}

/* Of a body's children with parallel axes the one with most bodies beyond it joins. */
static void find_joining(ziReduced *reduced, int i) {
    int best = 0;
    for (int k = i + 1; k < reduced->body[i].end; k = reduced->body[k].end) {
        const ziReducedBody *b = &reduced->body[k];
        if (!parallel(b) || !keeps_axis(b->type)) continue;
        if (!best || b->end - k > reduced->body[best].end - best) best = k;
    }
    if (best) reduced->body[best].joins = 1;
}

/* The steps in order: copy, sparse frames, the ground's frame, masses moved inward, shared axes. */
void zi_reduced_prepare(ziReduced *reduced, int frame) {
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const ziTree *t = &reduced->model->tree;
    for (int i = 0; i < t->nb; i++) copy_body(&t->body[i], &reduced->body[i]);
    find_ends(reduced);
    copy_frame(reduced, frame);
    memcpy(reduced->ground_R, one, sizeof one);
    memset(reduced->ground_p, 0, sizeof reduced->ground_p);
    memcpy(reduced->gravity, t->gravity, sizeof t->gravity);
    zi_reduced_reframe(reduced);
    lower_ground(reduced);
    zi_reduced_regroup(reduced);
    for (int i = 1; i < reduced->nb; i++)
        if (keeps_axis(reduced->body[i].type)) find_joining(reduced, i);
}

/* Masses that a joint does not feel, moved to its parent. */

/* (19.7): what moves with the parent as well, in the body's axes at rest. A revolute joint: the part on its axis, (m,
 * h_z, K_zz). A prismatic one: the parent sees K + q (z h^T + h z^T) + q^2 m z z^T, whose constant part K is felt by no
 * force along z. */
static moments take_unfelt(ziReducedBody *b) {
    moments part = moments_zero();
    if (b->type == ZV_JOINT_REVOLUTE) {
        part.m = b->m, part.h.z = b->h[2], part.zz = b->K[5];
        b->m = b->h[2] = b->K[5] = 0;
    } else if (b->type == ZV_JOINT_PRISMATIC) {
        const double none[3] = {0, 0, 0};
        part = moments_of(0, none, b->K);
        for (int k = 0; k < 6; k++) b->K[k] = 0;
    }
    return part;
}

/* What cancelled leaves rounding behind; it was meant to be zero. size: the most that x can be. */
static void clean(double *x, double size) {
    if (fabs(*x) <= 4 * DBL_EPSILON * size) *x = 0;
}

/* By Cauchy and Schwarz h_i^2 <= m K_ii and K_ij^2 <= K_ii K_jj; the diagonal is a sum of squares, nothing cancels. */
static void clean_moments(ziReducedBody *b) {
    double *K = b->K;
    const double m = sqrt(b->m), x = sqrt(fabs(K[0])), y = sqrt(fabs(K[3])), z = sqrt(fabs(K[5]));
    clean(&b->h[0], m * x), clean(&b->h[1], m * y), clean(&b->h[2], m * z);
    clean(&K[1], x * y), clean(&K[2], x * z), clean(&K[4], y * z);
}

ziMoments zi_reduced_unfelt(ziReducedBody *b) {
    clean_moments(b);
    const moments a = moments_shift(r3_of(b->r), moments_place(b->E, take_unfelt(b)));
    return (ziMoments){a.m, {a.h.x, a.h.y, a.h.z}, {a.xx, a.xy, a.xz, a.yy, a.yz, a.zz}};
}

void zi_reduced_regroup(ziReduced *reduced) {
    for (int i = reduced->nb - 1; i > 0; i--) {
        const ziMoments part = zi_reduced_unfelt(&reduced->body[i]);
        ziReducedBody *up = &reduced->body[reduced->body[i].parent];
        up->m += part.m;
        for (int k = 0; k < 3; k++) up->h[k] += part.h[k];
        for (int k = 0; k < 6; k++) up->K[k] += part.K[k];
    }
}

/* After bodies are made: the reduced robot, as recursions read it. Robots with elastic links have none. */

static ziReducedKind reduced_kind(int type) {
    switch (type) {
    case ZV_JOINT_REVOLUTE: return ZI_REDUCED_TURNS;
    case ZV_JOINT_PRISMATIC: return ZI_REDUCED_SLIDES;
    case ZV_JOINT_FREE: return ZI_REDUCED_FLOATS;
    default: return ZI_REDUCED_ANY;
    }
}

static bool same_numbers(const double *a, const double *b, int count) {
    for (int i = 0; i < count; i++)
        if (a[i] != b[i]) return false;
    return true;
}

static int form_of(const ziReducedBody *b) {
    static const double level[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, quarter[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0},
                        cyclic[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0};
    const double *E = b->E, *r = b->r;
    const int along_x = r[0] != 0 ? ZI_TRANSFORM_X : 0, along = r[1] != 0 || r[2] != 0 ? ZI_TRANSFORM_ALONG : 0;
    if (b->type != ZV_JOINT_REVOLUTE) return ZI_TRANSFORM_ANY;
    if (same_numbers(E, level, 9) && r[1] == 0) return ZI_TRANSFORM_LEVEL + along_x + along;
    if (same_numbers(E, quarter, 9) && r[2] == 0) return ZI_TRANSFORM_QUARTER + along_x + along;
    if (same_numbers(E, level, 4) && E[6] == 0) return ZI_TRANSFORM_TWISTED + along_x + along;
    return same_numbers(E, cyclic, 9) ? ZI_TRANSFORM_CYCLIC : ZI_TRANSFORM_ANY;
}

static void set_step(const ziReducedBody *b, const ziBody *body, ziReducedStep *step) {
    *step = (ziReducedStep){.parent = b->parent,
                            .q = b->q,
                            .v = b->v,
                            .nv = b->nv,
                            .v_end = body->v_end,
                            .kind = (unsigned char)reduced_kind(b->type),
                            .form = (unsigned char)form_of(b)};
}

static void set_numbers(const ziReducedBody *b, ziReducedNumbers *n) {
    *n = (ziReducedNumbers){.sign = b->sign, .cosine = b->E[4], .sine = b->E[5], .m = b->m, .mass = b->m};
    memcpy(n->r, b->r, sizeof n->r);
    memcpy(n->E, b->E, sizeof n->E);
    memcpy(n->h, b->h, sizeof n->h);
    memcpy(n->K, b->K, sizeof n->K);
}

/* Masses of subtrees. */
static void add_masses(int nb, ziReducedStep *step, ziReducedNumbers *numbers) {
    for (int i = nb - 1; i > 0; i--) {
        step[i].heavy = numbers[i].mass != 0;
        step[i].first = step[i].v_end == step[step[i].parent].v_end;
        numbers[step[i].parent].mass += numbers[i].mass;
    }
}

/* Whether two neighbours turn about one axis: in M a light body would then be the difference of heavy ones. */
static bool coaxial(const ziTree *t, const ziReducedStep *step) {
    for (int i = 1; i < t->nb; i++)
        if (step[i].parent && step[i].form < ZI_TRANSFORM_QUARTER && !(step[i].form & ZI_TRANSFORM_X)) return true;
    return false;
}

/* Structure and numbers side by side as the recursions read them, with what all of them decide by. */
static bool lay_out_reduced(ziFreezePlan *plan, const ziReduced *reduced) {
    ziTree *t = &plan->model->tree;
    ziArena *arena = &plan->model->arena;
    const size_t nb = (size_t)t->nb, nq = (size_t)t->nq, nv = (size_t)t->nv;
    ziReducedTree *tree = zi_arena_alloc(arena, sizeof *tree);
    ziReducedStep *step = zi_arena_alloc(arena, nb * sizeof *step);
    ziReducedNumbers *numbers = zi_arena_alloc(arena, nb * sizeof *numbers);
    ziReducedFrame *frame = zi_arena_alloc(arena, nb * sizeof *frame);
    double *signs = zi_arena_alloc(arena, (2 * nq + nv + 1) * sizeof *signs);
    if (!tree || !step || !numbers || !frame || !signs) return false;
    double *sign = signs, *offset = sign + nq, *rate = offset + nq;
    for (size_t i = 0; i < nq; i++) sign[i] = 1;
    for (size_t i = 0; i < nv; i++) rate[i] = 1;
    for (size_t i = 1; i < nb; i++) {
        const ziReducedBody *b = &reduced->body[i];
        set_step(b, &t->body[i], &step[i]);
        set_numbers(b, &numbers[i]);
        memcpy(frame[i].R, b->own_R, sizeof frame[i].R);
        memcpy(frame[i].p, b->own_p, sizeof frame[i].p);
        if (step[i].kind > ZI_REDUCED_SLIDES) continue;
        sign[b->q] = rate[b->v] = b->sign;
        offset[b->q] = b->offset;
    }
    add_masses(t->nb, step, numbers);
    *tree =
        (ziReducedTree){.step = step, .numbers = numbers, .frame = frame, .sign = sign, .offset = offset, .rate = rate};
    for (size_t i = 1; i < nb; i++) {
        if (step[i].kind != ZI_REDUCED_TURNS && !zi_reduced_floats(&step[i])) tree->transforms = true;
        if (step[i].parent != (int)i - 1) tree->branched = true;
    }
    const bool floats = nb > 1 && zi_reduced_floats(&step[1]);
    if (floats) tree->angles = t->body[1].nq;
    tree->arm = !tree->transforms && !floats && !tree->branched && !coaxial(t, step);
    memcpy(tree->ground_R, reduced->ground_R, sizeof tree->ground_R);
    t->reduced = tree;
    return true;
}

bool zi_freeze_reduced(ziFreezePlan *plan) {
    ziTree *t = &plan->model->tree;
    if (t->ne) return true;
    ziReduced reduced = {.model = plan->model, .nb = t->nb, .body = malloc((size_t)t->nb * sizeof *reduced.body)};
    if (!reduced.body) return false;
    zi_reduced_prepare(&reduced, -1);
    const bool done = lay_out_reduced(plan, &reduced);
    free(reduced.body);
    return done;
}
