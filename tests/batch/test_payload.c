/* The inertia of a link changed under a batch that was made before: every question in both precisions, on one thread
 * and on several, answers as a batch made for a robot that was built with it. Links at the end, in the middle, welded,
 * leading a follower and following; then all put back. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "batch/square_tree.h"
#include "support/near.h"
#include "support/run_tests.h"
#include "zveno/batch.h"

enum { JOINTS = 9, STATES = 21, LINK_FRAME = 3 };

typedef enum Question {
    INVERSE,
    BIAS,
    MASS,
    INVERSE_DERIVATIVES,
    POSE,
    JACOBIAN,
    SOLVED, /* from here on M is solved with */
    FORWARD = SOLVED,
    MIXED,
    MINV,
    FORWARD_DERIVATIVES,
    QUESTIONS
} Question;

static const char *const names[QUESTIONS] = {"inverse", "bias",  "mass", "inverse derivatives", "pose", "jacobian",
                                             "forward", "mixed", "minv", "forward derivatives"};

static const unsigned char given[] = {ZV_GIVEN_FORCE, ZV_GIVEN_ACCELERATION, ZV_GIVEN_FORCE, ZV_GIVEN_LOCKED};

/* States of a robot in both precisions, entry i of state s at [i * STATES + s], and room for answers. */
typedef struct Case {
    int nq, nv;
    size_t most; /* numbers of the largest answer */
    double *q, *v, *a, *f;
    float *single_q, *single_v, *single_a, *single_f;
    unsigned char *given;
} Case;

/* Numbers of an answer. */
static size_t answer_size(const Case *c, Question question) {
    const size_t nv = (size_t)c->nv;
    switch (question) {
    case MASS:
    case MINV: return STATES * nv * nv;
    case INVERSE_DERIVATIVES: return STATES * 3 * nv * nv;
    case FORWARD_DERIVATIVES: return STATES * (nv + 3 * nv * nv);
    case MIXED: return STATES * 2 * nv;
    case POSE: return STATES * 12;
    case JACOBIAN: return STATES * 6 * nv;
    default: return STATES * nv;
    }
}

/* One question in one precision; several arrays of an answer lie one behind the other. */
#define DEFINE_ASK(NAME, SUFFIX, NUMBER, Q, V, A, F)                                                            \
    static void NAME(zvBatch *b, Question question, const Case *c, NUMBER *out) {                               \
        const size_t n = (size_t)c->nv * STATES, nn = (size_t)c->nv * n;                                        \
        zvStatus status = ZV_OK;                                                                                \
        switch (question) {                                                                                     \
        case INVERSE: status = zv_batch_inverse##SUFFIX(b, STATES, Q, V, A, F, out); break;                     \
        case BIAS: status = zv_batch_bias##SUFFIX(b, STATES, Q, V, out); break;                                 \
        case MASS: status = zv_batch_mass##SUFFIX(b, STATES, Q, out); break;                                    \
        case INVERSE_DERIVATIVES:                                                                               \
            status = zv_batch_inverse_derivatives##SUFFIX(b, STATES, Q, V, A, F, out, out + nn, out + 2 * nn);  \
            break;                                                                                              \
        case POSE: status = zv_batch_pose##SUFFIX(b, LINK_FRAME, STATES, Q, out); break;                        \
        case JACOBIAN: status = zv_batch_jacobian##SUFFIX(b, LINK_FRAME, ZV_AXES_WORLD, STATES, Q, out); break; \
        case FORWARD: status = zv_batch_forward##SUFFIX(b, STATES, Q, V, A, F, out, NULL); break;               \
        case MIXED:                                                                                             \
            memcpy(out, A, n * sizeof *out);                                                                    \
            memcpy(out + n, A, n * sizeof *out);                                                                \
            status = zv_batch_mixed##SUFFIX(b, STATES, Q, V, c->given, F, out, out + n, NULL);                  \
            break;                                                                                              \
        case MINV: status = zv_batch_minv##SUFFIX(b, STATES, Q, out, NULL); break;                              \
        default:                                                                                                \
            status = zv_batch_forward_derivatives##SUFFIX(b, STATES, Q, V, A, F, out, out + n, out + n + nn,    \
                                                          out + n + 2 * nn, NULL);                              \
        }                                                                                                       \
        if (status != ZV_OK) fail_msg("%s: %s: %s", near_case, names[question], zv_status_name(status));        \
    }
DEFINE_ASK(ask_double, , double, c->q, c->v, c->a, c->f)
DEFINE_ASK(ask_single, _single, float, c->single_q, c->single_v, c->single_a, c->single_f)

/* In either precision, as doubles. */
static void ask(zvBatch *batch, Question question, bool single, const Case *c, double *out) {
    if (!single) {
        ask_double(batch, question, c, out);
        return;
    }
    float *room = calloc(c->most, sizeof *room);
    assert_non_null(room);
    ask_single(batch, question, c, room);
    for (size_t i = 0; i < answer_size(c, question); i++) out[i] = (double)room[i];
    free(room);
}

static double *zeros(size_t count) {
    double *x = calloc(count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

static float *rounded(const double *x, size_t count) {
    float *y = calloc(count + 1, sizeof *y);
    assert_non_null(y);
    for (size_t i = 0; i < count; i++) y[i] = (float)x[i];
    return y;
}

static void open_case(Case *c, const zvModel *model, uint64_t seed) {
    rtRandom random = {seed};
    *c = (Case){.nq = zv_model_nq(model), .nv = zv_model_nv(model)};
    const size_t nq = (size_t)c->nq * STATES, nv = (size_t)c->nv * STATES,
                 nf = 6 * (size_t)zv_model_nlink(model) * STATES;
    double *q = zeros((size_t)c->nq);
    c->most = nv + 3 * nv * (size_t)c->nv + 12 * STATES;
    c->q = zeros(nq), c->v = zeros(nv), c->a = zeros(nv), c->f = zeros(nf);
    for (int s = 0; s < STATES; s++) {
        rt_draw_position(model, &random, q);
        for (int i = 0; i < c->nq; i++) c->q[i * STATES + s] = (double)(float)q[i];
    }
    free(q);
    rt_vector(&random, 1, (int)nv, c->v);
    rt_vector(&random, 2, (int)nv, c->a);
    rt_vector(&random, 3, (int)nf, c->f);
    c->single_q = rounded(c->q, nq), c->single_v = rounded(c->v, nv);
    c->single_a = rounded(c->a, nv), c->single_f = rounded(c->f, nf);
    c->given = calloc((size_t)c->nv + 1, 1);
    assert_non_null(c->given);
    for (int i = 0; i < c->nv; i++) c->given[i] = given[i % 4];
}

static void close_case(Case *c) {
    free(c->q), free(c->v), free(c->a), free(c->f), free(c->given);
    free(c->single_q), free(c->single_v), free(c->single_a), free(c->single_f);
}

static zvBatch *batch_of(const zvModel *model, int threads) {
    zvError error = {0};
    zvBatch *batch = zv_batch_create(model, &(zvBatchOptions){.threads = threads}, &error);
    if (!batch) fail_msg("%s", error.text);
    return batch;
}

/* Of the largest number of an answer. Constants may differ in their last bit: what is solved for feels the condition of
 * M, some thousand here. */
static double tolerance_of(Question question, bool single) {
    if (single) return question < SOLVED ? 1e-6 : 1e-3;
    return question < SOLVED ? 1e-14 : 1e-11;
}

/* Batches of one copy, on one thread and on several, against one made for the same robot built anew. */
static void expect_built(zvBatch *const *copies, const zvModel *built, const Case *c) {
    double *x = zeros(c->most), *same = zeros(c->most), *want = zeros(c->most);
    zvBatch *batch = batch_of(built, 1);
    for (int single = 0; single < 2; single++) {
        for (Question question = 0; question < QUESTIONS; question++) {
            const size_t count = answer_size(c, question);
            ask(batch, question, single, c, want);
            ask(copies[0], question, single, c, x);
            ask(copies[1], question, single, c, same);
            assert_all_near_scaled(names[question], count, x, want, tolerance_of(question, single));
            assert_memory_equal(x, same, count * sizeof *x);
        }
    }
    zv_batch_destroy(batch);
    free(x), free(same), free(want);
}

static int link_of(const zvModel *model, const rtTree *tree, int link) {
    const int found = zv_model_find_frame(model, tree->links[link].name);
    assert_true(found >= 0 && found < zv_model_nlink(model));
    return found;
}

static void put_back(zvModel *copy, const zvModel *model, const rtTree *tree, const int *links, int count) {
    for (int k = 0; k < count; k++) {
        const int link = link_of(copy, tree, links[k]);
        assert_int_equal(zv_model_set_link_inertia(copy, link, &zv_model_link(model, link)->inertia), ZV_OK);
    }
}

/* A robot, and the links of it that carry something else one after the other; the changes add up. Put back, answers are
 * those of before; taken up and put back again, to the last bit. */
static void expect_changes(rtTree *tree, const int *links, int count) {
    zvError error = {0};
    rtRandom random = {tree->seed};
    zvModel *model = rt_tree_freeze(tree), *copy = zv_model_copy(model, &error);
    assert_true(model && copy);
    Case c;
    open_case(&c, model, tree->seed);
    zvBatch *batches[2] = {batch_of(copy, 1), batch_of(copy, 3)}, *original = batch_of(model, 2);
    double *before = zeros(c.most), *after = zeros(c.most);
    ask(original, MASS, false, &c, before);
    for (int k = 0; k < count; k++) {
        zvLink *link = &tree->links[links[k]];
        rt_inertia(&random, false, &link->inertia);
        link->inertia.mass *= 3;
        link->has_inertia = true;
        assert_int_equal(zv_model_set_link_inertia(copy, link_of(copy, tree, links[k]), &link->inertia), ZV_OK);
        zvModel *built = rt_tree_freeze(tree);
        assert_non_null(built);
        expect_built(batches, built, &c);
        zv_model_destroy(built);
    }
    ask(original, MASS, false, &c, after);
    assert_memory_equal(before, after, answer_size(&c, MASS) * sizeof *before);
    ask(batches[0], MASS, false, &c, after);
    assert_true(memcmp(before, after, answer_size(&c, MASS) * sizeof *before) != 0);
    put_back(copy, model, tree, links, count);
    expect_built(batches, model, &c);
    ask(batches[0], MASS, false, &c, before);
    for (int k = 0; k < count; k++)
        zv_model_set_link_inertia(copy, link_of(copy, tree, links[k]), &tree->links[links[k]].inertia);
    put_back(copy, model, tree, links, count);
    ask(batches[1], MASS, false, &c, after);
    assert_memory_equal(before, after, answer_size(&c, MASS) * sizeof *before);
    free(before), free(after);
    for (int k = 0; k < 2; k++) zv_batch_destroy(batches[k]);
    zv_batch_destroy(original);
    close_case(&c);
    zv_model_destroy(copy);
    zv_model_destroy(model);
}

/* A random tree without massless links, so that M is far from singular. */
static rtTree *tree_of(uint64_t seed, rtShape shape, unsigned types, int joints) {
    rtOptions options = rt_options_default(joints);
    options.shape = shape;
    options.types = types;
    options.massless = false;
    options.armature = 1;
    rtTree *tree = rt_tree_create(seed, &options);
    assert_non_null(tree);
    if (seed % 2) st_square(tree);
    return tree;
}

static void ends_and_middles(void **state) {
    (void)state;
    static const unsigned types[] = {RT_TYPE(REVOLUTE), RT_TYPE(REVOLUTE) | RT_TYPE(PRISMATIC),
                                     RT_TYPE(REVOLUTE) | RT_TYPE(SPHERICAL) | RT_TYPE(CYLINDRICAL) |
                                         RT_TYPE(UNIVERSAL)};
    for (uint64_t seed = 1; seed <= 9; seed++) {
        near_about("seed %d", (int)seed);
        rtTree *tree = tree_of(seed, (rtShape)(seed % 3), types[seed / 3 % 3], JOINTS);
        expect_changes(tree, (const int[]){JOINTS, JOINTS / 2, 1}, 3);
        free(tree);
    }
}

/* A chain so long that lanes solve by sweeps. */
static void long_chain(void **state) {
    (void)state;
    near_about("long chain");
    rtTree *tree = tree_of(31, RT_CHAIN, RT_TYPE(REVOLUTE), 40);
    expect_changes(tree, (const int[]){40, 17}, 2);
    free(tree);
}

/* Links that a fixed joint makes a part of the body before: one in the middle of a chain, one at its end. */
static void welded_links(void **state) {
    (void)state;
    for (uint64_t seed = 41; seed <= 44; seed++) {
        near_about("welded, seed %d", (int)seed);
        rtTree *tree = tree_of(seed, RT_CHAIN, RT_TYPE(REVOLUTE) | RT_TYPE(PRISMATIC), JOINTS);
        tree->joints[3].type = tree->joints[JOINTS - 1].type = ZV_JOINT_FIXED;
        expect_changes(tree, (const int[]){4, JOINTS, 3}, 3); /* welded, welded, and what the first is welded to */
        free(tree);
    }
}

/* Coupled joints: the link of the one that leads, of the one that follows, and one that both carry. */
static void followers(void **state) {
    (void)state;
    for (uint64_t seed = 51; seed <= 54; seed++) {
        near_about("follower, seed %d", (int)seed);
        rtTree *tree = tree_of(seed, RT_CHAIN, RT_TYPE(REVOLUTE), JOINTS);
        tree->joints[5].mimic = tree->joint_names[2];
        tree->joints[5].ratio = -1.5;
        tree->joints[5].offset = 0.2;
        tree->coupled = true;
        expect_changes(tree, (const int[]){3, 6, JOINTS}, 3);
        free(tree);
    }
}

/* The base itself of a robot that nothing holds. */
static void floating_base(void **state) {
    (void)state;
    near_about("floating base");
    rtTree *tree = tree_of(61, RT_BUSHY, RT_TYPE(REVOLUTE), JOINTS);
    tree->free_base = true;
    expect_changes(tree, (const int[]){0, 4, JOINTS}, 3);
    free(tree);
}

TESTS(ends_and_middles, long_chain, welded_links, followers, floating_base)
