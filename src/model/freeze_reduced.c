/* After bodies are made: the reduced robot, as recursions read it. Robots with elastic links have none. */
#include <stdlib.h>
#include <string.h>

#include "model/freeze.h"
#include "model/reduced.h"

static ziReducedKind kind_of(int type) {
    switch (type) {
    case ZV_JOINT_REVOLUTE: return ZI_REDUCED_TURNS;
    case ZV_JOINT_PRISMATIC: return ZI_REDUCED_SLIDES;
    case ZV_JOINT_FREE: return ZI_REDUCED_FLOATS;
    default: return ZI_REDUCED_ANY;
    }
}

static bool same(const double *a, const double *b, int count) {
    for (int i = 0; i < count; i++)
        if (a[i] != b[i]) return false;
    return true;
}

static int way_of(const ziReducedBody *b) {
    static const double level[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, quarter[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0},
                        cyclic[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0};
    const double *E = b->E, *r = b->r;
    const int along_x = r[0] != 0 ? ZI_TRANSFORM_X : 0, along = r[1] != 0 || r[2] != 0 ? ZI_TRANSFORM_ALONG : 0;
    if (b->type != ZV_JOINT_REVOLUTE) return ZI_TRANSFORM_ANY;
    if (same(E, level, 9) && r[1] == 0) return ZI_TRANSFORM_LEVEL + along_x + along;
    if (same(E, quarter, 9) && r[2] == 0) return ZI_TRANSFORM_QUARTER + along_x + along;
    if (same(E, level, 4) && E[6] == 0) return ZI_TRANSFORM_TWISTED + along_x + along;
    return same(E, cyclic, 9) ? ZI_TRANSFORM_CYCLIC : ZI_TRANSFORM_ANY;
}

static void set_step(const ziReducedBody *b, const ziBody *body, ziReducedStep *step) {
    *step = (ziReducedStep){.parent = b->parent,
                            .q = b->q,
                            .v = b->v,
                            .nv = b->nv,
                            .v_end = body->v_end,
                            .kind = (unsigned char)kind_of(b->type),
                            .form = (unsigned char)way_of(b)};
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

static bool lay_out(ziPlan *plan, const ziReduced *reduced) {
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

bool zi_freeze_reduced(ziPlan *plan) {
    ziTree *t = &plan->model->tree;
    if (t->ne) return true;
    ziReduced reduced = {.model = plan->model, .nb = t->nb, .body = malloc((size_t)t->nb * sizeof *reduced.body)};
    if (!reduced.body) return false;
    zi_reduced_prepare(&reduced, -1);
    const bool done = lay_out(plan, &reduced);
    free(reduced.body);
    return done;
}
