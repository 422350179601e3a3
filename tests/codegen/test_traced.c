/* What the kernels leave on a tape is a program for the robot: run at a random state it answers as the reference
 * does, for every row of the tables and on trees of every joint type. Tolerances as for the methods themselves:
 * 16 x depth x eps x the uncancelled size of the terms (32 with joints that follow others), for accelerations spread by
 * |M^-1|. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codegen/simplify.h"
#include "codegen/traced.h"
#include "support/random_tree_case.h"
#include "support/run_tests.h"

static int ulps;
static exact worst; /* error in units of eps x scale */
static long long compared;

/* Inputs in the order of traced.h; third is a or tau. */
static double *state_of(const rtCase *c, const double *third) {
    double *x = calloc((size_t)(c->nq + 2 * c->nv), sizeof *x);
    assert_non_null(x);
    memcpy(x, c->q, (size_t)c->nq * sizeof *x);
    memcpy(x + c->nq, c->v, (size_t)c->nv * sizeof *x);
    memcpy(x + c->nq + c->nv, third, (size_t)c->nv * sizeof *x);
    return x;
}

/* Traces a row and runs the program; to receives its size numbers. */
static bool run(const rtCase *c, zvQuestion question, const zvMethod *row, const double *third, int size, double *to) {
    ziTape tape, needed = {0};
    ziEdge *edges = calloc(2 * (size_t)size, sizeof *edges);
    assert_true(edges && zi_tape_open(&tape, ZI_TAPE_RECORD));
    bool good = zi_trace_method(c->model, question, row->name, &tape, edges) == ZV_OK;
    good = good && zi_prune(&tape, (size_t)size, edges, &needed, edges + size) == ZV_OK;
    if (good) {
        double *inputs = state_of(c, third), *value = calloc((size_t)needed.count, sizeof *value);
        assert_non_null(value);
        zi_tape_run(&needed, inputs, value);
        for (int i = 0; i < size; i++) to[i] = zi_edge_value(value, edges[size + i]);
        free(inputs);
        free(value);
    }
    zi_tape_close(&needed);
    zi_tape_close(&tape);
    free(edges);
    return good;
}

/* All rows of a question against want, within scale. */
static bool agree(rtCase *c, zvQuestion question, const double *third, int size, const exact *want,
                  const exact *scale) {
    size_t count;
    const zvMethod *rows = zv_methods(question, &count);
    for (size_t k = 0; k < count; k++) {
        if (!zv_domain_holds(rows[k].domain, c->model)) continue;
        for (int i = 0; i < size; i++) c->A[i] = NAN;
        if (!run(c, question, &rows[k], third, size, c->A) ||
            !rt_near(c, rows[k].name, size, c->A, want, scale, ulps)) {
            fprintf(stderr, "%s by %s\n", zv_question_name(question), rows[k].name);
            return false;
        }
        for (int i = 0; i < size; i++)
            if (scale[i] > 0) worst = fmaxl(worst, fabsl(c->A[i] - want[i]) / (c->eps * scale[i]));
        compared += size;
    }
    return true;
}

static bool masses_agree(rtCase *c) {
    ref_mass(c->ref, c->M);
    ref_error_scale_mass(c->ref, c->error_scale, c->S);
    return agree(c, ZV_QUESTION_MASS, c->a, c->nv * c->nv, c->M, c->S);
}

static bool forces_agree(rtCase *c) {
    ref_move(c->ref, c->v, NULL);
    ref_inverse(c->ref, NULL, true, c->want);
    ref_error_scale(c->ref, c->v, NULL, NULL, true, c->error_scale);
    if (!agree(c, ZV_QUESTION_BIAS, c->a, c->nv, c->want, c->error_scale->tau)) return false;
    ref_move(c->ref, c->v, c->a);
    ref_inverse(c->ref, NULL, true, c->want);
    ref_error_scale(c->ref, c->v, c->a, NULL, true, c->error_scale);
    return agree(c, ZV_QUESTION_INVERSE, c->a, c->nv, c->want, c->error_scale->tau);
}

/* After forces_agree: c->want is the reference's tau of a; what rounding it moves is within the tolerance. */
static bool accelerations_agree(rtCase *c) {
    for (int i = 0; i < c->nv; i++) c->tau[i] = (double)c->want[i];
    if (!lin_inverse(c->nv, c->M, c->S)) return false;
    for (int i = 0; i < c->nv; i++) {
        c->scale[i] = 0;
        for (int j = 0; j < c->nv; j++) c->scale[i] += fabsl(c->S[i * c->nv + j]) * c->error_scale->tau[j];
        c->want[i] = c->a[i];
    }
    return agree(c, ZV_QUESTION_FORWARD, c->tau, c->nv, c->want, c->scale);
}

static bool all_agree(rtCase *c) { return masses_agree(c) && forces_agree(c) && accelerations_agree(c); }

static void straight(int index, rtOptions *options) {
    (void)index;
    options->mimics = 0;
    options->curves = RT_LINE | RT_CIRCLE;
}

static void followers(int index, rtOptions *options) {
    straight(index, options);
    options->mimics = 1 + index % 4;
    if (options->joints < 4) options->joints += 4;
    options->types = RT_ALL_TYPES & ~(RT_TYPE(FREE) | RT_TYPE(PLANAR) | RT_TYPE(CYLINDRICAL));
}

static void check(uint64_t seed, int count, int most, rtChange change) {
    ulps = most;
    worst = 0;
    compared = 0;
    assert_true(rt_each(seed, count, 20, change, all_agree));
    print_message("%lld numbers, the worst is %.2Lf depth eps off\n", compared, worst);
    assert_true(compared > 500 * count);
}

static void random_trees(void **state) {
    (void)state;
    check(71000, 64, 16, straight);
}

static void coupled_trees(void **state) {
    (void)state;
    check(72000, 40, 32, followers);
}

static void each_joint_type(void **state) {
    (void)state;
    ulps = 16;
    for (int type = 0; type < ZV_JOINT_TYPES; type++) {
        if (type == ZV_JOINT_FIXED) continue;
        rtOptions options = rt_options_default(3);
        options.types = 1u << type;
        options.curves = RT_LINE | RT_CIRCLE;
        rtCase c;
        const bool good = rt_case_open(&c, 73000 + (uint64_t)type, &options) && all_agree(&c);
        rt_case_close(&c);
        if (!good) fail_msg("joints of type %s", zv_joint_type_word((zvJointType)type));
    }
}

/* A spline chooses its piece by the coordinate: that is told, not guessed. */
static void splines(void **state) {
    (void)state;
    rtOptions options = rt_options_default(2);
    options.types = RT_TYPE(CURVE);
    options.curves = RT_OPEN_SPLINE;
    rtCase c;
    assert_true(rt_case_open(&c, 74000, &options));
    for (int question = 0; question < ZV_QUESTIONS; question++) {
        size_t count;
        const zvMethod *rows = zv_methods((zvQuestion)question, &count);
        for (size_t k = 0; k < count; k++) {
            zvCount counted;
            zvError error = {0};
            assert_int_equal(zv_count(c.model, (zvQuestion)question, &rows[k], k % 2, &counted, &error),
                             ZV_NOT_SUPPORTED);
            assert_non_null(strstr(error.text, "spline"));
        }
    }
    rt_case_close(&c);
}

TESTS(random_trees, coupled_trees, each_joint_type, splines)
