/* Batches of generated code: each state is answered as alone, with the same digits wherever it stands, and nothing
 * outside of the arrays is read or written: they end where a page begins that must not be touched. */
#define _GNU_SOURCE
#include "generated.h"
#include "support/run_tests.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/near.h"
#include "support/random_tree.h"
#include "support/read_model.h"
#include "zveno/kinematics.h"
#include "zveno/read.h"

enum { MOST = 19, GAP = 3, STRIDE = MOST + GAP };
static const double untouched = -1.25e300;

typedef void (*Plain3Batch)(size_t, size_t, const double *, const double *, const double *, double *);
typedef int (*Checked3Batch)(size_t, size_t, const double *, const double *, const double *, double *, int *);
typedef void (*Plain1Batch)(size_t, size_t, const double *, double *);
typedef int (*Checked1Batch)(size_t, size_t, const double *, double *, int *);
typedef void (*Plain6Batch)(size_t, size_t, const double *, const double *, const double *, double *, double *,
                            double *);

typedef struct Batches {
    Plain3Batch inverse;
    Checked3Batch forward;
    Plain1Batch mass;
    Checked1Batch minv;
    Plain6Batch derivatives;
} Batches;

static void find_batch(const Code *code, const char *name, zvGenerated function, void *to) {
    char symbol[128];
    snprintf(symbol, sizeof symbol, "%s_%s_batch", name, zv_generated_name(function));
    find_symbol(code, symbol, to);
}

/* -- arrays that end at a page which must not be touched ----------------------------------------------------------- */

typedef struct Fenced {
    char *pages;
    size_t bytes;
    double *x; /* rows x STRIDE, the last row only `count` long */
    size_t rows, count;
} Fenced;

static Fenced fence(size_t rows, size_t count) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = ((rows - 1) * STRIDE + count) * sizeof(double);
    Fenced f = {.bytes = (size + page - 1) / page * page + page, .rows = rows, .count = count};
    f.pages = mmap(NULL, f.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(f.pages != MAP_FAILED);
    assert_int_equal(mprotect(f.pages + f.bytes - page, page, PROT_NONE), 0);
    f.x = (double *)(f.pages + f.bytes - page - size);
    for (size_t i = 0; i < size / sizeof(double); i++) f.x[i] = untouched;
    return f;
}

static void unfence(Fenced *f) { munmap(f->pages, f->bytes); }

static void expect_gaps(const Fenced *f) {
    for (size_t i = 0; i + 1 < f->rows; i++)
        for (size_t s = f->count; s < STRIDE; s++) assert_true(f->x[i * STRIDE + s] == untouched);
}

static void put(const Fenced *f, size_t s, const double *from) {
    for (size_t i = 0; i < f->rows; i++) f->x[i * STRIDE + s] = from[i];
}
static void get(const Fenced *f, size_t s, double *to) {
    for (size_t i = 0; i < f->rows; i++) to[i] = f->x[i * STRIDE + s];
}

/* -- a robot ------------------------------------------------------------------------------------------------------ */

enum { MANY = 12 };

typedef struct Case {
    zvModel *model;
    size_t nq, nv;
    Code code;
    Batches batch;
    double q[MOST][MANY], v[MOST][MANY], a[MOST][MANY];
} Case;

/* Answers of all states, one by one: inverse, forward, mass, minv. */
typedef struct Alone {
    double inverse[MOST][MANY], forward[MOST][MANY], mass[MOST][MANY * MANY], minv[MOST][MANY * MANY];
    int status[MOST], inverted[MOST];
} Alone;

/* edit: what sed does to the file before it is compiled */
static void open_code(Case *c, const char *name, int lanes, const char *compiler, const char *edit) {
    write_code(c->model, &(zvCodegenOptions){.name = name,
                                             .functions = 1u << ZV_GENERATED_INVERSE | 1u << ZV_GENERATED_FORWARD |
                                                          1u << ZV_GENERATED_MASS | 1u << ZV_GENERATED_MINV |
                                                          1u << ZV_GENERATED_INVERSE_DERIVATIVES,
                                             .lanes = lanes});
    if (edit) expect_command("sed -i '%s' %s/%s.c", edit, folder, name);
    char options[64]; /* as many lanes as that whether or not the machine has registers for them */
    snprintf(options, sizeof options, "-O1 -D%s_LANES=%d", name, lanes);
    c->code = compile(compiler, options, name);
    find(&c->code, name, ZV_GENERATED_INVERSE, &c->code.inverse);
    find(&c->code, name, ZV_GENERATED_FORWARD, &c->code.forward);
    find(&c->code, name, ZV_GENERATED_MASS, &c->code.mass);
    find(&c->code, name, ZV_GENERATED_MINV, &c->code.minv);
    find_batch(&c->code, name, ZV_GENERATED_INVERSE, &c->batch.inverse);
    find_batch(&c->code, name, ZV_GENERATED_FORWARD, &c->batch.forward);
    find_batch(&c->code, name, ZV_GENERATED_MASS, &c->batch.mass);
    find_batch(&c->code, name, ZV_GENERATED_MINV, &c->batch.minv);
    find_batch(&c->code, name, ZV_GENERATED_INVERSE_DERIVATIVES, &c->batch.derivatives);
}

static void open_case(Case *c, zvModel *model, uint64_t seed) {
    rtRandom random = {seed};
    print_message("seed %llu\n", (unsigned long long)seed);
    *c = (Case){.model = model, .nq = (size_t)zv_model_nq(model), .nv = (size_t)zv_model_nv(model)};
    assert_true(c->nq <= MANY);
    for (int s = 0; s < MOST; s++) {
        double step[MANY];
        rt_vector(&random, 3, (int)c->nv, step);
        rt_vector(&random, 2, (int)c->nv, c->v[s]);
        rt_vector(&random, 5, (int)c->nv, c->a[s]);
        zv_neutral(model, c->q[s]);
        zv_position_add(model, c->q[s], step, c->q[s]);
    }
}

static void close_case(Case *c) {
    dlclose(c->code.handle);
    zv_model_destroy(c->model);
}

static void answer_alone(const Case *c, Alone *x) {
    for (int s = 0; s < MOST; s++) {
        c->code.inverse(c->q[s], c->v[s], c->a[s], x->inverse[s]);
        x->status[s] = c->code.forward(c->q[s], c->v[s], c->a[s], x->forward[s]);
        c->code.mass(c->q[s], x->mass[s]);
        x->inverted[s] = c->code.minv(c->q[s], x->minv[s]);
    }
}

/* The states from `first` on; what comes out, by state in their own order. */
static void answer_batch(const Case *c, size_t first, size_t count, Alone *x) {
    Fenced q = fence(c->nq, count), v = fence(c->nv, count), a = fence(c->nv, count);
    Fenced tau = fence(c->nv, count), M = fence(c->nv * c->nv, count), W = fence(c->nv * c->nv, count);
    Fenced acc = fence(c->nv, count);
    int status[MOST + 1], inverted[MOST + 1], worst = 0;
    for (size_t s = 0; s < count; s++)
        put(&q, s, c->q[first + s]), put(&v, s, c->v[first + s]), put(&a, s, c->a[first + s]);
    status[count] = inverted[count] = 77;
    c->batch.inverse(count, STRIDE, q.x, v.x, a.x, tau.x);
    const int returned = c->batch.forward(count, STRIDE, q.x, v.x, a.x, acc.x, status);
    c->batch.mass(count, STRIDE, q.x, M.x);
    c->batch.minv(count, STRIDE, q.x, W.x, inverted);
    assert_int_equal(status[count] + inverted[count], 154);
    for (size_t s = 0; s < count; s++) {
        if (status[s] < worst) worst = status[s];
        get(&tau, s, x->inverse[first + s]), get(&acc, s, x->forward[first + s]);
        get(&M, s, x->mass[first + s]), get(&W, s, x->minv[first + s]);
        x->status[first + s] = status[s], x->inverted[first + s] = inverted[s];
    }
    assert_int_equal(returned, worst);
    assert_int_equal(c->batch.forward(count, STRIDE, q.x, v.x, a.x, acc.x, NULL), worst);
    c->batch.inverse(count, STRIDE, q.x, v.x, a.x, a.x); /* the answer may take the place of an input */
    for (size_t s = 0; s < count; s++) {
        double shared[MANY];
        get(&a, s, shared);
        assert_memory_equal(shared, x->inverse[first + s], c->nv * sizeof(double));
    }
    Fenced *all[] = {&q, &v, &a, &tau, &M, &W, &acc};
    for (int i = 0; i < 7; i++) expect_gaps(all[i]), unfence(all[i]);
}

/* Every count, beginning anywhere. */
static void check_places(const Case *c) {
    static Alone alone, whole, part;
    answer_alone(c, &alone);
    answer_batch(c, 0, MOST, &whole);
    for (int s = 0; s < MOST; s++) {
        assert_int_equal(whole.status[s], alone.status[s]);
        assert_int_equal(whole.inverted[s], alone.inverted[s]);
        assert_all_near_scaled("inverse", c->nv, whole.inverse[s], alone.inverse[s], 4 * 0x1p-52);
        assert_all_near_scaled("mass", c->nv * c->nv, whole.mass[s], alone.mass[s], 4 * 0x1p-52);
        if (alone.status[s]) continue;
        assert_all_near_scaled("forward", c->nv, whole.forward[s], alone.forward[s], 4 * 0x1p-52);
        assert_all_near_scaled("minv", c->nv * c->nv, whole.minv[s], alone.minv[s], 4 * 0x1p-52);
    }
    for (size_t count = 0; count <= MOST; count++) {
        part = whole;
        answer_batch(c, MOST - count, count, &part);
        assert_memory_equal(&part, &whole, sizeof part);
    }
}

static void check_derivatives(const Case *c) {
    Fenced q = fence(c->nq, 5), v = fence(c->nv, 5), a = fence(c->nv, 5), x[3];
    double one[3][MANY * MANY], many[MANY * MANY], M[MANY * MANY];
    for (size_t s = 0; s < 5; s++) put(&q, s, c->q[s]), put(&v, s, c->v[s]), put(&a, s, c->a[s]);
    for (int k = 0; k < 3; k++) x[k] = fence(c->nv * c->nv, 5);
    c->batch.derivatives(5, STRIDE, q.x, v.x, a.x, x[0].x, x[1].x, x[2].x);
    /* the last state is what stands first in a batch of its own */
    Fenced Q = fence(c->nq, 1), V = fence(c->nv, 1), A = fence(c->nv, 1), y[3];
    put(&Q, 0, c->q[4]), put(&V, 0, c->v[4]), put(&A, 0, c->a[4]);
    for (int k = 0; k < 3; k++) y[k] = fence(c->nv * c->nv, 1);
    c->batch.derivatives(1, STRIDE, Q.x, V.x, A.x, y[0].x, y[1].x, y[2].x);
    c->code.mass(c->q[4], M);
    for (int k = 0; k < 3; k++) {
        get(&y[k], 0, one[k]);
        if (k == 2) assert_all_near_scaled("da", c->nv * c->nv, one[k], M, 4 * 0x1p-52);
        get(&x[k], 4, many);
        assert_memory_equal(one[k], many, c->nv * c->nv * sizeof(double));
        expect_gaps(&x[k]), expect_gaps(&y[k]), unfence(&x[k]), unfence(&y[k]);
    }
    Fenced *all[] = {&q, &v, &a, &Q, &V, &A};
    for (int i = 0; i < 6; i++) unfence(all[i]);
}

/* -- tests -------------------------------------------------------------------------------------------------------- */

static void wherever_they_stand(void **state) {
    (void)state;
    static const struct {
        const char *name, *compiler;
        int lanes;
    } rows[] = {{"four", "gcc", 4}, {"eight", "gcc", 8}, {"other", "clang", 4}};
    for (int i = 0; i < 3; i++) {
        static Case c;
        char line[64];
        zvModel *model = NULL;
        snprintf(line, sizeof line, "command -v %s >/dev/null 2>&1", rows[i].compiler);
        if (system(line) != 0) continue;
        assert_int_equal(zv_model_read(ZV_SOURCE_DIR "/models/rrp.yaml", &model, NULL), ZV_OK);
        open_case(&c, model, 80 + (uint64_t)i);
        open_code(&c, rows[i].name, rows[i].lanes, rows[i].compiler, NULL);
        check_places(&c);
        check_derivatives(&c);
        close_case(&c);
    }
}

/* Quaternions, and far angles and such that are none in single lanes: the others do not notice. */
static void what_one_lane_has(void **state) {
    (void)state;
    static const char robot[] =
        "zveno: 1\nlinks:\n  - {name: base}\n"
        "  - {name: ball, mass: 2, com: [0.1, 0.2, 0.3], inertia: [0.5, 0.6, 0.7]}\n"
        "  - {name: arm, mass: 1, com: [0.3, 0, 0.1], inertia: [0.1, 0.2, 0.2]}\n"
        "joints:\n  - {name: b, type: spherical, parent: base, child: ball}\n"
        "  - {name: j, type: continuous, parent: ball, child: arm, axis: [0, 1, 0], origin: {xyz: [0.2, 0.1, 0]}}\n";
    static Case c;
    static Alone before, after;
    open_case(&c, read_model(robot), 90);
    open_code(&c, "ball", 4, ZV_CC, NULL);
    check_places(&c);
    answer_batch(&c, 0, MOST, &before);
    c.q[2][4] = 1e6, c.q[5][4] = NAN, c.q[17][4] = -3e7;
    memset(c.q[8], 0, 4 * sizeof(double)); /* no length */
    answer_batch(&c, 0, MOST, &after);
    assert_int_equal(after.status[2] | after.status[17], 0);
    assert_int_equal(after.status[5] & after.status[8] & after.inverted[5] & after.inverted[8], -1);
    assert_true(isnan(after.inverse[5][0]));
    for (int s = 0; s < MOST; s++) {
        double alone[MANY];
        c.code.inverse(c.q[s], c.v[s], c.a[s], alone);
        if (s == 2 || s == 17) assert_all_near_scaled("far", c.nv, after.inverse[s], alone, 4 * 0x1p-52);
        if (s == 2 || s == 5 || s == 8 || s == 17) continue;
        assert_int_equal(after.status[s], 0);
        assert_memory_equal(after.inverse[s], before.inverse[s], sizeof before.inverse[s]);
        assert_memory_equal(after.minv[s], before.minv[s], sizeof before.minv[s]);
    }
    close_case(&c);
}

/* A point mass at the tip of two links: stretched out it cannot be pushed along them. */
static void singular_lanes(void **state) {
    (void)state;
    static Case c;
    static Alone x;
    open_case(&c,
              read_model("zveno: 1\nlinks:\n  - {name: base}\n  - {name: upper}\n"
                         "  - {name: tip, mass: 2, com: [1, 0, 0], inertia: [0, 0, 0]}\n"
                         "joints:\n  - {name: a, type: continuous, parent: base, child: upper, axis: [0, 0, 1]}\n"
                         "  - {name: b, type: continuous, parent: upper, child: tip, axis: [0, 0, 1], "
                         "origin: {xyz: [1, 0, 0]}}\n"),
              91);
    open_code(&c, "tip", 8, ZV_CC, NULL);
    for (int s = 0; s < MOST; s++) c.q[s][1] = s % 5 == 3 ? 0 : 1 + 0.1 * s;
    answer_batch(&c, 0, MOST, &x);
    for (int s = 0; s < MOST; s++) {
        assert_int_equal(x.status[s], s % 5 == 3 ? -1 : 0);
        assert_int_equal(x.inverted[s], s % 5 == 3 ? -1 : 0);
    }
    close_case(&c);
}

static void single_precision(void **state) {
    (void)state;
    typedef void (*One)(const float *, const float *, const float *, float *);
    typedef void (*Many)(size_t, size_t, const float *, const float *, const float *, float *);
    zvModel *model = NULL;
    One inverse;
    Many batch;
    assert_int_equal(zv_model_read(ZV_SOURCE_DIR "/models/rrp.yaml", &model, NULL), ZV_OK);
    write_code(model, &(zvCodegenOptions){
                          .name = "single", .functions = 1u << ZV_GENERATED_INVERSE, .single = true, .lanes = 8});
    Code code = compile(ZV_CC, "-O1 -Dsingle_LANES=8", "single");
    find(&code, "single", ZV_GENERATED_INVERSE, &inverse);
    find_batch(&code, "single", ZV_GENERATED_INVERSE, &batch);
    float q[3][MOST], v[3][MOST], a[3][MOST], tau[3][MOST];
    rtRandom random = {92};
    print_message("seed 92\n");
    for (int s = 0; s < MOST; s++) {
        double x[9];
        rt_vector(&random, 2, 9, x);
        for (int i = 0; i < 3; i++) q[i][s] = (float)x[i], v[i][s] = (float)x[3 + i], a[i][s] = (float)x[6 + i];
    }
    batch(MOST, MOST, q[0], v[0], a[0], tau[0]);
    for (int s = 0; s < MOST; s++) {
        float x[3][3], alone[3], size = 0;
        for (int i = 0; i < 3; i++) x[0][i] = q[i][s], x[1][i] = v[i][s], x[2][i] = a[i][s];
        inverse(x[0], x[1], x[2], alone);
        for (int i = 0; i < 3; i++) size = fmaxf(size, fabsf(alone[i]));
        for (int i = 0; i < 3; i++) assert_true(fabsf(tau[i][s] - alone[i]) <= 4 * 0x1p-23F * size);
    }
    dlclose(code.handle);
    zv_model_destroy(model);
}

static void lanes_there_are(void **state) {
    (void)state;
    zvModel *model = NULL;
    zvCodegenSummary summary;
    zvError error = {0};
    assert_int_equal(zv_model_read(ZV_SOURCE_DIR "/models/rrp.yaml", &model, NULL), ZV_OK);
    const zvCodegenOptions options = {.functions = 1, .lanes = 5};
    assert_int_equal(zv_codegen(model, &options, folder, &summary, &error), ZV_NUMBER);
    assert_non_null(strstr(error.text, "lanes: expected 4 or 8, or 0 for no batches, found"));
    zv_model_destroy(model);
}

/* Without vectors: one lane. */
static void without_vectors(void **state) {
    (void)state;
    static Case c;
    zvModel *model = NULL;
    assert_int_equal(zv_model_read(ZV_SOURCE_DIR "/models/rrp.yaml", &model, NULL), ZV_OK);
    open_case(&c, model, 93);
    open_code(&c, "plain", 4, ZV_CC, "s/^#if defined(__GNUC__)$/#if 0/; s/^#if defined(__clang__) ||.*$/#if 0/");
    check_places(&c);
    close_case(&c);
}

TESTS_BETWEEN(make_folder, remove_folder, wherever_they_stand, what_one_lane_has, singular_lanes, single_precision,
              lanes_there_are, without_vectors)
