/* What a batch promises besides its numbers: any count and stride, one status per state, states that do not disturb
 * each other, the same bits for any number of threads, nothing allocated, and plain words where it cannot help. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "batch/square_tree.h"
#include "support/bent_tree.h"
#include "support/count_allocations.h"
#include "support/run_tests.h"

enum { JOINTS = 7, STATES = 41 };

/* Arrays of a model, entry i of state s at [i * STATES + s]. */
typedef struct Table {
    zvModel *model;
    zvWork *work;
    int nq, nv;
    double *q, *v, *a, *tau, *out, *same;
    size_t most; /* numbers of the largest answer */
} Table;

static void open_table(Table *t, zvModel *model, uint64_t seed) {
    rtRandom random = {seed};
    *t = (Table){.model = model, .nq = zv_model_nq(model), .nv = zv_model_nv(model)};
    t->work = zv_work_create(model, NULL);
    t->most = (size_t)(3 * t->nv * t->nv + 6 * t->nv + 12) * STATES;
    t->q = calloc((size_t)t->nq * STATES, sizeof(double));
    t->v = calloc((size_t)t->nv * STATES, sizeof(double));
    t->a = calloc((size_t)t->nv * STATES, sizeof(double));
    t->tau = calloc((size_t)t->nv * STATES, sizeof(double));
    t->out = calloc(t->most, sizeof(double));
    t->same = calloc(t->most, sizeof(double));
    double *q = calloc((size_t)t->nq, sizeof *q);
    assert_true(t->work && t->q && t->v && t->a && t->tau && t->out && t->same && q);
    for (int s = 0; s < STATES; s++) {
        rt_draw_position(model, &random, q);
        for (int i = 0; i < t->nq; i++) t->q[i * STATES + s] = q[i];
    }
    rt_vector(&random, 2, t->nv * STATES, t->v);
    rt_vector(&random, 5, t->nv * STATES, t->a);
    free(q);
}

static void close_table(Table *t) {
    zv_work_destroy(t->work);
    zv_model_destroy(t->model);
    free(t->q), free(t->v), free(t->a), free(t->tau), free(t->out), free(t->same);
}

static zvModel *robot(uint64_t seed, int mimics) {
    rtOptions options = rt_options_default(JOINTS);
    options.types = RT_TYPE(REVOLUTE) | RT_TYPE(PRISMATIC) | RT_TYPE(SPHERICAL);
    options.massless = false;
    options.mimics = mimics;
    options.coupled = mimics > 0;
    rtTree *tree = rt_tree_create(seed, &options);
    if (seed % 2) st_square(tree);
    zvModel *model = rt_tree_freeze(tree);
    free(tree);
    assert_non_null(model);
    return model;
}

static zvBatch *batch_of(const zvModel *model, int threads, size_t stride) {
    zvError error = {0};
    zvBatch *batch =
        zv_batch_create(model, &(zvBatchOptions){.threads = threads, .stride = stride, .same_bits = true}, &error);
    if (!batch) fail_msg("%s", error.text);
    return batch;
}

enum { QUESTIONS = 9, DYNAMIC = 4, MIXED = 8 }; /* the first of them are those of dynamics */

static zvStatus ask(zvBatch *b, int question, size_t count, const Table *t, double *out) {
    static const unsigned char given[64] = {ZV_GIVEN_FORCE, ZV_GIVEN_ACCELERATION, ZV_GIVEN_LOCKED};
    const size_t square = out ? (size_t)(t->nv * t->nv) * STATES : 0; /* of derivatives, one behind the other */
    switch (question) {
    case 0: return zv_batch_inverse(b, count, t->q, t->v, t->a, NULL, out);
    case 1: return zv_batch_forward(b, count, t->q, t->v, t->a, NULL, out, NULL);
    case 2: return zv_batch_mass(b, count, t->q, out);
    case 3: return zv_batch_minv(b, count, t->q, out, NULL);
    case 4: return zv_batch_pose(b, 3, count, t->q, out);
    case 5: return zv_batch_jacobian(b, 3, ZV_AXES_WORLD, count, t->q, out);
    case 6: return zv_batch_inverse_derivatives(b, count, t->q, t->v, t->a, NULL, out, out + square, out + 2 * square);
    case 7:
        return zv_batch_forward_derivatives(b, count, t->q, t->v, t->a, NULL, NULL, out, out + square, out + 2 * square,
                                            NULL);
    default: /* what is given in one state is zero where it is not read */
        for (int i = 0; i < t->nv; i++)
            for (size_t s = 0; s < count; s++) t->tau[(size_t)i * STATES + s] = out[(size_t)i * STATES + s] = 0;
        return zv_batch_mixed(b, count, t->q, t->v, given, NULL, t->tau, out, NULL);
    }
}

static size_t entries(const Table *t, int question) {
    const size_t nv = (size_t)t->nv;
    switch (question) {
    case 2:
    case 3: return nv * nv;
    case 4: return 12;
    case 5: return 6 * nv;
    case 6:
    case 7: return 3 * nv * nv;
    default: return nv;
    }
}

/* Any count, in arrays that have room for more: the rest of them stays as it was, the answers are the same bits. */
static void counts_and_strides(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, 3, 5, 8, 16, 17, STATES};
    for (uint64_t seed = 1; seed < 5; seed++) {
        Table t;
        open_table(&t, robot(seed, 0), seed);
        zvBatch *batch = batch_of(t.model, 1, STATES);
        for (int question = 0; question < QUESTIONS; question++) {
            const size_t n = entries(&t, question);
            assert_int_equal(ask(batch, question, STATES, &t, t.same), ZV_OK);
            for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
                for (size_t i = 0; i < n * STATES; i++) t.out[i] = -7;
                assert_int_equal(ask(batch, question, counts[k], &t, t.out), ZV_OK);
                for (size_t i = 0; i < n * STATES; i++)
                    if (t.out[i] != (i % STATES < counts[k] ? t.same[i] : -7))
                        fail_msg("seed %d, question %d, %zu states: entry %zu of state %zu", (int)seed, question,
                                 counts[k], i / STATES, i % STATES);
            }
        }
        zv_batch_destroy(batch);
        close_table(&t);
    }
}

static void threads(void **state) {
    (void)state;
    Table t;
    open_table(&t, robot(11, 0), 11);
    for (int question = 0; question < QUESTIONS; question++) {
        for (int count = 1; count <= 9; count += count < 3 ? 1 : 3) {
            zvBatch *batch = batch_of(t.model, count, 0);
            assert_int_equal(zv_batch_threads(batch), count);
            for (int again = 0; again < 20; again++) {
                memset(t.out, 0, t.most * sizeof *t.out);
                assert_int_equal(ask(batch, question, STATES, &t, t.out), ZV_OK);
                if (count == 1) memcpy(t.same, t.out, t.most * sizeof *t.out);
                assert_memory_equal(t.same, t.out, t.most * sizeof *t.out);
            }
            zv_batch_destroy(batch);
        }
    }
    zvBatch *batch = zv_batch_create(t.model, NULL, NULL);
    assert_true(batch && zv_batch_threads(batch) >= 1 &&
                zv_batch_lanes(batch, true) == 2 * zv_batch_lanes(batch, false));
    zv_batch_destroy(batch);
    close_table(&t);
}

/* No numbers, and angles that are too large for the short way to their sines, in one state after the other. */
static void disturbances(void **state) {
    (void)state;
    static const double strange[] = {NAN, INFINITY, -INFINITY, 3e5, -1e9, 1e300};
    Table t;
    open_table(&t, robot(13, 0), 13);
    zvBatch *batch = batch_of(t.model, 1, 0);
    for (int question = 0; question < QUESTIONS; question++) {
        const size_t n = entries(&t, question);
        assert_int_equal(ask(batch, question, STATES, &t, t.same), ZV_OK);
        for (int s = 0; s < STATES; s++) {
            double *q = &t.q[s % t.nq * STATES + s], before = *q;
            *q = strange[s % 6];
            ask(batch, question, STATES, &t, t.out);
            *q = before;
            for (size_t i = 0; i < n * STATES; i++)
                if (i % STATES != (size_t)s) assert_true(memcmp(&t.out[i], &t.same[i], sizeof *t.out) == 0);
        }
    }
    zv_batch_destroy(batch);
    close_table(&t);
}

/* One answer of single states: in the order of ask(). */
static zvStatus single_state(const Table *t, int question, const double *q, const double *v, const double *a,
                             double *out) {
    switch (question) {
    case 0: zv_inverse_dynamics(t->model, t->work, q, v, a, NULL, out); return ZV_OK;
    case 1: return zv_forward_dynamics(t->model, t->work, q, v, a, NULL, out);
    case 2: zv_mass_matrix(t->model, t->work, q, out); return ZV_OK;
    default: return zv_mass_inverse(t->model, t->work, q, out);
    }
}

static void pick(const double *table, int n, int s, double *x) {
    for (int i = 0; i < n; i++) x[i] = table[i * STATES + s];
}

/* Differences by no more than `tolerance` of the largest entry of the answer. */
static void expect_single_states(const Table *t, zvBatch *batch, double tolerance) {
    double *q = calloc((size_t)(t->nq + 2 * t->nv + t->nv * t->nv), sizeof *q), *v = q + t->nq, *a = v + t->nv,
           *want = a + t->nv;
    assert_non_null(q);
    for (int question = 0; question < DYNAMIC; question++) {
        const int n = (int)entries(t, question);
        assert_int_equal(ask(batch, question, STATES, t, t->out), ZV_OK);
        for (int s = 0; s < STATES; s++) {
            double size = 0;
            pick(t->q, t->nq, s, q), pick(t->v, t->nv, s, v), pick(t->a, t->nv, s, a);
            assert_int_equal(single_state(t, question, q, v, a, want), ZV_OK);
            for (int i = 0; i < n; i++) size = fmax(size, fabs(want[i]));
            for (int i = 0; i < n; i++)
                if (!(fabs(t->out[i * STATES + s] - want[i]) <= tolerance * size))
                    fail_msg("question %d, state %d, entry %d: %.17g, not %.17g", question, s, i,
                             t->out[i * STATES + s], want[i]);
        }
    }
    free(q);
}

static void large_angles(void **state) {
    (void)state;
    rtOptions options = rt_options_default(4);
    options.types = RT_TYPE(CONTINUOUS);
    options.massless = false;
    rtTree *tree = rt_tree_create(17, &options);
    st_square(tree);
    Table t;
    open_table(&t, rt_tree_freeze(tree), 17);
    free(tree);
    for (int i = 0; i < t.nq * STATES; i++) t.q[i] *= pow(10, i % 7);
    zvBatch *batch = batch_of(t.model, 1, 0);
    expect_single_states(&t, batch, 1e-8); /* an offset of the angle is rounded where the angle is large */
    zv_batch_destroy(batch);
    close_table(&t);
}

static void coupled_joints(void **state) {
    (void)state;
    for (uint64_t seed = 21; seed < 41; seed++) {
        Table t;
        open_table(&t, robot(seed, 2), seed);
        zvBatch *batch = batch_of(t.model, 1, 0);
        expect_single_states(&t, batch, 1e-9); /* digits that the two ways of solving may lose: condition of M */
        zv_batch_destroy(batch);
        close_table(&t);
    }
}

/* Three axes z, y, z through one point and one body on them: there is no telling the first from the third when the
 * second is at zero. */
static zvModel *wrist(void) {
    zvBuilder *b = zv_builder_create(NULL);
    static const char *const names[4] = {"ground", "one", "two", "hand"};
    zvModel *model = NULL;
    zvError error = {0};
    for (int i = 0; i < 4; i++) {
        zvLink link = zv_link_default(names[i]);
        link.has_inertia = i == 3;
        if (i == 3) link.inertia = (zvInertia){.mass = 1, .moment = {0.2, 0, 0, 0.3, 0, 0.4}};
        assert_int_equal(zv_builder_add_link(b, &link, &error), ZV_OK);
        if (i == 0) continue;
        zvJoint joint = zv_joint_default(names[i], ZV_JOINT_CONTINUOUS, names[i - 1], names[i]);
        joint.axis[0] = 0, joint.axis[1] = i == 2, joint.axis[2] = i != 2;
        assert_int_equal(zv_builder_add_joint(b, &joint, &error), ZV_OK);
    }
    if (zv_builder_freeze(b, &model, &error) != ZV_OK) fail_msg("%s", error.text);
    zv_builder_destroy(b);
    return model;
}

/* A chain in which the last joint follows the first, of as many coordinates as matrices are made for. */
static zvModel *largest_coupled(void) {
    enum { MOST = 512 };
    zvBuilder *b = zv_builder_create(NULL);
    zvModel *model = NULL;
    zvError error = {0};
    char name[2][8] = {"0", ""};
    zv_builder_set_mimic_coupled(b, true);
    for (int i = 0; i <= MOST; i++) {
        snprintf(name[i % 2], sizeof *name, "%d", i);
        zvLink link = zv_link_default(name[i % 2]);
        link.has_inertia = true;
        link.inertia = (zvInertia){.mass = 1, .com = {0.1, 0, 0}, .moment = {0.2, 0, 0, 0.3, 0, 0.4}};
        assert_int_equal(zv_builder_add_link(b, &link, &error), ZV_OK);
        if (i == 0) continue;
        zvJoint joint = zv_joint_default(name[i % 2], ZV_JOINT_PRISMATIC, name[(i + 1) % 2], name[i % 2]);
        joint.axis[i % 3] = 1, joint.axis[(i + 1) % 3] = joint.axis[(i + 2) % 3] = 0;
        joint.dof[0].lower = -1, joint.dof[0].upper = 1;
        if (i == MOST) joint.mimic = "1";
        assert_int_equal(zv_builder_add_joint(b, &joint, &error), ZV_OK);
    }
    if (zv_builder_freeze(b, &model, &error) != ZV_OK) fail_msg("%s", error.text);
    zv_builder_destroy(b);
    return model;
}

/* Room for matrices of the largest model, whose answers take a way by scratch memory. */
static void largest_matrices(void **state) {
    (void)state;
    zvModel *m = largest_coupled();
    const size_t n = (size_t)zv_model_nv(m);
    double *q = calloc(n, sizeof *q), *M = calloc(n * n, sizeof *M), *W = calloc(n * n, sizeof *W);
    zvBatch *batch = batch_of(m, 1, 0);
    assert_int_equal(n, 511);
    assert_int_equal(zv_batch_mass(batch, 1, q, M), ZV_OK);
    assert_int_equal(zv_batch_minv(batch, 1, q, W, NULL), ZV_OK);
    for (size_t i = 0; i < n; i += 73) {
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t k = 0; k < n; k++) sum += M[i * n + k] * W[k * n + j];
            if (!(fabs(sum - (double)(i == j)) < 1e-8)) fail_msg("M M^-1 at %zu, %zu: %.3g", i, j, sum);
            assert_true(M[i * n + j] == M[j * n + i]);
        }
    }
    zv_batch_destroy(batch);
    zv_model_destroy(m);
    free(q), free(M), free(W);
}

static void one_status_per_state(void **state) {
    (void)state;
    Table t;
    zvStatus status[STATES];
    open_table(&t, wrist(), 5);
    zvBatch *batch = batch_of(t.model, 2, 0);
    for (int s = 0; s < STATES; s++) t.q[STATES + s] = s % 5 == 2 ? 0 : 1;
    for (int question = 0; question < 3; question++) {
        const zvStatus all = question == 0   ? zv_batch_minv(batch, STATES, t.q, t.out, status)
                             : question == 1 ? zv_batch_forward(batch, STATES, t.q, t.v, t.a, NULL, t.out, status)
                                             : zv_batch_forward_derivatives(batch, STATES, t.q, t.v, t.a, NULL, t.out,
                                                                            NULL, NULL, NULL, status);
        assert_int_equal(all, ZV_SINGULAR);
        for (int s = 0; s < STATES; s++) {
            assert_int_equal(status[s], s % 5 == 2 ? ZV_SINGULAR : ZV_OK);
            for (int i = 0; i < t.nv && s % 5 != 2; i++) assert_true(isfinite(t.out[i * STATES + s]));
        }
    }
    for (int s = 0; s < STATES; s++) t.q[STATES + s] = s == 7 ? NAN : 1;
    assert_int_equal(zv_batch_forward(batch, STATES, t.q, t.v, t.a, NULL, t.out, status), ZV_SINGULAR);
    for (int s = 0; s < STATES; s++) assert_int_equal(status[s], s == 7 ? ZV_SINGULAR : ZV_OK);
    assert_int_equal(zv_batch_forward(batch, 5, t.q, t.v, t.a, NULL, t.out, NULL), ZV_OK);
    zv_batch_destroy(batch);
    close_table(&t);
}

/* More than there is room for; more than memory has addresses for; none at all, in arrays that are not there. */
static void absurd_counts(void **state) {
    (void)state;
    static const size_t counts[] = {STATES + 1, SIZE_MAX / 8, SIZE_MAX - 7, SIZE_MAX};
    Table t;
    open_table(&t, robot(14, 0), 14);
    zvBatch *fixed = batch_of(t.model, 2, STATES), *loose = batch_of(t.model, 2, 0),
            *vast = batch_of(t.model, 1, SIZE_MAX / 4);
    for (int question = 0; question < QUESTIONS; question++) {
        for (int k = 0; k < 4 && question != MIXED; k++) {
            assert_int_equal(ask(fixed, question, counts[k], &t, t.out), ZV_SIZE);
            if (k) assert_int_equal(ask(loose, question, counts[k], &t, t.out), ZV_SIZE);
        }
        assert_int_equal(ask(vast, question, 1, &t, t.out), ZV_SIZE);
        assert_int_equal(ask(loose, question, 0, &(Table){.nv = t.nv}, NULL), ZV_OK);
    }
    assert_int_equal(zv_batch_mixed(fixed, SIZE_MAX, t.q, t.v, (unsigned char[64]){0}, NULL, t.a, t.out, NULL),
                     ZV_SIZE);
    zv_batch_destroy(fixed), zv_batch_destroy(loose), zv_batch_destroy(vast);
    close_table(&t);
}

/* Answers over inputs, at the same places, and inputs that are not there. */
static void shared_arrays(void **state) {
    (void)state;
    Table t;
    open_table(&t, robot(15, 0), 15);
    zvBatch *batch = batch_of(t.model, 2, 0);
    const size_t bytes = (size_t)t.nv * STATES * sizeof *t.out;
    for (int question = 0; question < 2; question++) {
        ask(batch, question, STATES, &t, t.same);
        memcpy(t.out, t.a, bytes);
        Table shared = t;
        shared.a = t.out;
        assert_int_equal(ask(batch, question, STATES, &shared, t.out), ZV_OK);
        assert_memory_equal(t.out, t.same, bytes);
        double *zeros = calloc(1, bytes);
        assert_non_null(zeros);
        Table rest = t, none = t;
        rest.v = rest.a = zeros, none.v = none.a = NULL;
        ask(batch, question, STATES, &rest, t.same);
        ask(batch, question, STATES, &none, t.out);
        for (int i = 0; i < t.nv * STATES; i++) assert_true(t.out[i] == t.same[i]);
        free(zeros);
    }
    zv_batch_destroy(batch);
    close_table(&t);
}

static void nothing_is_allocated(void **state) {
    (void)state;
    Table t;
    open_table(&t, robot(61, 2), 61);
    zvBatch *batch = batch_of(t.model, 3, 0);
    const long before = allocations;
    for (int question = 0; question < QUESTIONS; question++) ask(batch, question, STATES, &t, t.out);
    assert_int_equal(allocations, before);
    zv_batch_destroy(batch);
    close_table(&t);
}

static void expect_refusal(const zvModel *model, const char *word) {
    zvError error = {0};
    assert_null(zv_batch_create(model, NULL, &error));
    assert_int_equal(error.status, ZV_NOT_SUPPORTED);
    if (!strstr(error.text, word)) fail_msg("\"%s\" does not speak of %s", error.text, word);
}

static void refusals(void **state) {
    (void)state;
    rtOptions options = rt_options_default(2);
    options.types = RT_TYPE(CURVE);
    options.curves = RT_OPEN_SPLINE;
    rtTree *tree = rt_tree_create(3, &options);
    zvModel *model = rt_tree_freeze(tree);
    assert_non_null(model);
    expect_refusal(model, "spline");
    zv_model_destroy(model);
    free(tree);
    btCase bent;
    rtOptions few = rt_options_default(3);
    few.frames = 0;
    bt_case_open(&bent, 4, few, 2);
    expect_refusal(bent.model, "elastic");
    bt_case_close(&bent);
}

TESTS(counts_and_strides, threads, disturbances, large_angles, coupled_joints, one_status_per_state, absurd_counts,
      shared_arrays, nothing_is_allocated, largest_matrices, refusals)
