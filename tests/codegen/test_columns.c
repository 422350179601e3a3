/* Functions that end with a loop over columns: what they answer is what the whole text leaves on a tape, which has no
 * loop; one state and lanes; trees, arms, joints that follow others; numbers of columns that fill no block. */
#define _XOPEN_SOURCE 700
#include "generated.h"
#include "support/run_tests.h"

#include <math.h>

#include "codegen/columns.h"
#include "codegen/traced.h"
#include "stack.h"
#include "support/random_tree.h"
#include "zveno/dynamics.h"
#include "zveno/read.h"

/* Sanitizers watch what writes the code, not the code: few robots are enough for them. */
#ifdef __SANITIZE_ADDRESS__
static const bool sanitized = true;
#else
static const bool sanitized = false;
#endif

enum { MANY = 24, STATES = 6, WHOLE = MANY + 3 * MANY * MANY };

typedef int (*Derivatives)(const double *, const double *, const double *, double *, double *, double *, double *);
typedef int (*DerivativesBatch)(size_t, size_t, const double *, const double *, const double *, double *, double *,
                                double *, double *, int *);
typedef int (*MinvBatch)(size_t, size_t, const double *, double *, int *);

typedef struct Case {
    zvModel *model;
    size_t nq, nv;
    double q[STATES][MANY], v[STATES][MANY], tau[STATES][MANY];
} Case;

static void open_case(Case *c, zvModel *model, uint64_t seed) {
    rtRandom random = {seed};
    print_message("seed %llu\n", (unsigned long long)seed);
    *c = (Case){.model = model, .nq = (size_t)zv_model_nq(model), .nv = (size_t)zv_model_nv(model)};
    assert_true(c->nq <= MANY);
    for (int s = 0; s < STATES; s++) {
        double step[MANY];
        rt_vector(&random, 2, (int)c->nv, step);
        rt_vector(&random, 2, (int)c->nv, c->v[s]);
        rt_vector(&random, 5, (int)c->nv, c->tau[s]);
        zv_neutral(model, c->q[s]);
        zv_position_add(model, c->q[s], step, c->q[s]);
    }
}

static zvModel *read_model(const char *name) {
    char path[512];
    zvModel *model = NULL;
    zvError error = {0};
    snprintf(path, sizeof path, ZV_SOURCE_DIR "/models/%s", name);
    if (zv_model_read(path, &model, &error) < 0) fail_msg("%s: %s", path, error.text);
    return model;
}

/* -- the tape ----------------------------------------------------------------------------------------------------- */

static void answer_on_tape(const Case *c, zvGenerated function, double (*answer)[WHOLE]) {
    ziReduced reduced = {0};
    ziTape tape;
    assert_int_equal(zi_reduced_make(c->model, -1, &reduced, NULL), ZV_OK);
    ziEdge *output = calloc(zi_generated_edges(c->model, function), sizeof *output);
    assert_true(output && zi_tape_open(&tape, ZI_TAPE_RECORD));
    assert_int_equal(zi_trace_function(&reduced, function, &tape, output), ZV_OK);
    double *value = calloc((size_t)tape.count, sizeof *value);
    assert_non_null(value);
    for (int s = 0; s < STATES; s++) {
        double input[3 * MANY];
        memcpy(input, c->q[s], c->nq * sizeof *input);
        memcpy(input + c->nq, c->v[s], c->nv * sizeof *input);
        memcpy(input + c->nq + c->nv, c->tau[s], c->nv * sizeof *input);
        zi_tape_run(&tape, input, value);
        for (size_t i = 0; i < zi_generated_size(c->model, function); i++)
            answer[s][i] = zi_edge_value(value, output[i]);
    }
    free(value);
    free(output);
    zi_tape_close(&tape);
    zi_reduced_free(&reduced);
}

/* Both programs take the same factors; what differs is the order of sums. Each part by its largest number, and by how
 * much M^-1 magnifies what is rounded. */
static void expect_same(const Case *c, zvGenerated function, const double *x, const double *y, const char *what) {
    double M[MANY * MANY], condition = 0, largest = 0;
    const size_t n = c->nv;
    zvWork *work = zv_work_create(c->model, NULL);
    assert_non_null(work);
    zv_mass_matrix(c->model, work, c->q[0], M);
    zv_work_destroy(work);
    const double *W = function == ZV_GENERATED_MINV ? y : y + n + 2 * n * n;
    for (size_t i = 0; i < n * n; i++) condition = fmax(condition, fabs(W[i])), largest = fmax(largest, fabs(M[i]));
    condition *= largest * (double)n;
    for (int part = 0; zi_generated_part(c->model, function, part) > 0; part++) {
        const size_t size = zi_generated_part(c->model, function, part);
        double most = 0;
        for (size_t i = 0; i < size; i++) most = fmax(most, fabs(y[i]));
        for (size_t i = 0; i < size; i++)
            if (!(fabs(x[i] - y[i]) <= 4 * 0x1p-52 * condition * most))
                fail_msg("%s, part %d [%zu]: %.17g, on the tape %.17g", what, part, i, x[i], y[i]);
        x += size, y += size;
    }
}

/* -- one robot ---------------------------------------------------------------------------------------------------- */

/* Not optimised: compiling takes most of the time. */
static Code code_of(const Case *c, const char *name, zvGenerated function, const char *edit) {
    assert_true(zi_columns_looped(c->model, function));
    write_code(c->model, &(zvCodegenOptions){.name = name, .functions = 1u << function, .lanes = 4});
    if (edit) expect_command("sed -i '%s' %s/%s.c", edit, folder, name);
    return compile(ZV_CC, "-O0", name);
}

static void find_batch(const Code *code, const char *name, zvGenerated function, void *to) {
    char symbol[128];
    snprintf(symbol, sizeof symbol, "%s_%s_batch", name, zv_generated_name(function));
    find_symbol(code, symbol, to);
}

static void spread(size_t rows, double from[STATES][MANY], double *to) {
    for (size_t i = 0; i < rows; i++)
        for (size_t s = 0; s < STATES; s++) to[i * STATES + s] = from[s][i];
}

static void batch_of(const Case *c, const Code *code, const char *name, double (*answer)[WHOLE], int *status) {
    static double q[MANY * STATES], v[MANY * STATES], tau[MANY * STATES], x[WHOLE * STATES];
    const size_t n = c->nv, square = n * n * STATES;
    DerivativesBatch many;
    Case copy = *c;
    find_batch(code, name, ZV_GENERATED_FORWARD_DERIVATIVES, &many);
    spread(c->nq, copy.q, q), spread(n, copy.v, v), spread(n, copy.tau, tau);
    double *X = x + n * STATES;
    many(STATES, STATES, q, v, tau, x, X, X + square, X + 2 * square, status);
    for (size_t i = 0; i < n + 3 * n * n; i++)
        for (size_t s = 0; s < STATES; s++) answer[s][i] = x[i * STATES + s];
}

static void check_derivatives(const char *name, zvModel *model, uint64_t seed, const char *edit) {
    static Case c;
    static double one[WHOLE], other[STATES][WHOLE], many[STATES][WHOLE];
    const zvGenerated function = ZV_GENERATED_FORWARD_DERIVATIVES;
    int status[STATES];
    Derivatives alone;
    open_case(&c, model, seed);
    const Code code = code_of(&c, name, function, edit);
    const size_t n = c.nv;
    find(&code, name, function, &alone);
    batch_of(&c, &code, name, many, status);
    answer_on_tape(&c, function, other);
    for (int s = 0; s < STATES; s++) {
        double *X = one + n;
        assert_int_equal(alone(c.q[s], c.v[s], c.tau[s], one, X, X + n * n, X + 2 * n * n), 0);
        assert_int_equal(status[s], 0);
        expect_same(&c, function, one, other[s], name);
        expect_same(&c, function, many[s], other[s], name);
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < i; k++) {
                assert_true(X[2 * n * n + i * n + k] == X[2 * n * n + k * n + i]);
                assert_true(many[s][n + 2 * n * n + i * n + k] == many[s][n + 2 * n * n + k * n + i]);
            }
    }
    dlclose(code.handle);
    zv_model_destroy(model);
}

/* -- tests -------------------------------------------------------------------------------------------------------- */

/* A chain of hinges, every third joint a slide. */
/* flat: all axes are parallel, so that compiling takes little. */
static zvModel *chain(int joints, bool flat) {
    const zvInertia inertia = {.mass = 2, .com = {0.1, 0.05, 0.02}, .moment = {0.1, 0, 0, 0.2, 0, 0.25}};
    const double axes[2][3] = {{0, 0, 1}, {1, 0.5, 1}}, offset[3] = {0.3, 0, 0};
    zvBuilder *b = stack_begin();
    for (int i = 0; i < joints; i++)
        stack_add(b, i, inertia, i % 3 == 2 ? ZV_JOINT_PRISMATIC : ZV_JOINT_CONTINUOUS, axes[flat ? 0 : i % 2], offset);
    return stack_end(b);
}

static void arm(void **state) {
    (void)state;
    check_derivatives("six", chain(6, false), 1, NULL);
}

static void without_vectors(void **state) {
    (void)state;
    check_derivatives("plain", chain(6, false), 4,
                      "s/^#if defined(__GNUC__)$/#if 0/; s/^#if defined(__clang__) ||.*$/#if 0/");
}

static void trees(void **state) {
    (void)state;
    if (sanitized) skip();
    for (int i = 0; i < 2; i++) {
        rtOptions options = rt_options_default(3);
        options.free_base = i == 0;
        options.curves = RT_LINE | RT_CIRCLE;
        options.shape = RT_BUSHY;
        options.mimics = options.coupled = i == 1;
        rtTree *tree = rt_tree_create(50 + (uint64_t)i, &options);
        check_derivatives(i ? "coupled" : "bushy", rt_tree_freeze(tree), 50 + (uint64_t)i, NULL);
        free(tree);
    }
}

/* A quaternion without length, a number that is none: told, and the other lanes do not notice. */
static void singular_lanes(void **state) {
    (void)state;
    if (sanitized) skip();
    static Case c;
    static double before[STATES][WHOLE], after[STATES][WHOLE], one[WHOLE];
    int status[STATES];
    Derivatives alone;
    open_case(&c, read_model("ssrms_free.yaml"), 60);
    const Code code = code_of(&c, "free", ZV_GENERATED_FORWARD_DERIVATIVES, NULL);
    const size_t n = c.nv;
    find(&code, "free", ZV_GENERATED_FORWARD_DERIVATIVES, &alone);
    batch_of(&c, &code, "free", before, status);
    memset(c.q[1], 0, sizeof c.q[1]);
    c.q[2][9] = NAN;
    batch_of(&c, &code, "free", after, status);
    for (int s = 0; s < STATES; s++) {
        double *X = one + n;
        const int bad = s == 1 || s == 2 ? -1 : 0;
        if (status[s] != bad) fail_msg("state %d: %d", s, status[s]);
        assert_int_equal(alone(c.q[s], c.v[s], c.tau[s], one, X, X + n * n, X + 2 * n * n), bad);
        if (!bad) assert_memory_equal(before[s], after[s], (n + 3 * n * n) * sizeof(double));
    }
    dlclose(code.handle);
    zv_model_destroy(c.model);
}

static void inverse_alone(void **state) {
    (void)state;
    static Case c;
    static double one[MANY * MANY], other[STATES][WHOLE], q[MANY * STATES], many[MANY * MANY * STATES],
        lane[MANY * MANY];
    Checked1 minv;
    MinvBatch batch;
    int status[STATES];
    open_case(&c, chain(21, true), 70);
    const Code code = code_of(&c, "lengthy", ZV_GENERATED_MINV, NULL);
    const size_t n = c.nv;
    find(&code, "lengthy", ZV_GENERATED_MINV, &minv);
    find_batch(&code, "lengthy", ZV_GENERATED_MINV, &batch);
    spread(c.nq, c.q, q);
    assert_int_equal(batch(STATES, STATES, q, many, status), 0);
    answer_on_tape(&c, ZV_GENERATED_MINV, other);
    for (int s = 0; s < 2; s++) {
        assert_int_equal(minv(c.q[s], one), 0);
        expect_same(&c, ZV_GENERATED_MINV, one, other[s], "lengthy");
        for (size_t i = 0; i < n * n; i++) lane[i] = many[i * STATES + (size_t)s];
        expect_same(&c, ZV_GENERATED_MINV, lane, other[s], "lane");
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < i; k++) assert_true(one[i * n + k] == one[k * n + i]);
    }
    dlclose(code.handle);
    zv_model_destroy(c.model);
}

/* What is counted: of a chain without zeros n columns take both sweeps, n (n - 1) / 2 entries each, and n pivots. */
static void counted(void **state) {
    (void)state;
    for (int n = 4; n < 9; n++) {
        zvModel *model = chain(n, false);
        ziColumns columns;
        assert_true(zi_columns_make(&columns, model, NULL, NULL));
        const zvOperations o = zi_columns_operations(&columns, ZV_GENERATED_FORWARD_DERIVATIVES);
        assert_int_equal(columns.limbs, 1);
        assert_int_equal(o.add, 3 * n * 2 * (n * (n - 1) / 2));
        assert_int_equal(o.mul, o.add + 3 * n * n);
        zi_columns_free(&columns);
        zv_model_destroy(model);
    }
    zvModel *model = read_model("quadruped.yaml"); /* with a free base, or fixed: limbs are legs */
    ziColumns columns;
    assert_true(zi_columns_make(&columns, model, NULL, NULL));
    for (int i = 0; i < columns.n; i++) {
        assert_true(columns.unit[i] & zi_columns_bit(&columns, i));
        assert_int_equal(columns.unit[i] & ~columns.full[i], 0);
        if (columns.before[i] >= 0) assert_true(columns.unit[i] & zi_columns_bit(&columns, columns.before[i]));
    }
    assert_true(columns.limbs >= 4);
    zi_columns_free(&columns);
    zv_model_destroy(model);
}

TESTS_BETWEEN(make_folder, remove_folder, arm, without_vectors, trees, singular_lanes, inverse_alone, counted)
