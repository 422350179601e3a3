/* What zv_count says is what is done: every row of every table is executed on a number that counts, on chains and on
 * trees of all joint types, rigid and elastic, and operations and answers are compared with zv_count and with the row
 * on doubles. No row has all its operations before its own recursion begins (real_stage): docs/methods.md, column
 * "method as written". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codegen/counting.h"
#include "dynamics/auto.h"
#include "support/elastic_case.h"
#include "support/random_tree_case.h"
#include "support/run_tests.h"

static long long rows_compared;

/* The same kernel on the same numbers, fused or not: far nearer than two methods would have to be. */
static bool same_answer(size_t size, const double *a, const double *b) {
    double most = 0;
    for (size_t i = 0; i < size; i++) most = fmax(most, fabs(b[i]));
    for (size_t i = 0; i < size; i++)
        if (!(fabs(a[i] - b[i]) <= 1e-9 * most)) return false;
    return true;
}

static long long all_of(zvOperations o) { return o.mul + o.add + o.div + o.trig; }

/* A state of a robot, and room for two answers. */
typedef struct Asked {
    const zvModel *model;
    zvWork *work;
    const double *q, *v, *a;
    double *A, *B;
} Asked;

static bool asked_as_counted(const Asked *c, zvQuestion question, const zvMethod *row) {
    const size_t size = zv_answer_size(question, c->model);
    zvCount count;
    zvOperations done;
    zvError error = {0};
    if (zv_count(c->model, question, row, false, &count, &error) != ZV_OK) return false;
    if (!execute_row(c->model, question, row->name, c->q, c->v, c->a, c->A, &done)) return false;
    const long long said[4] = {count.kinematics.mul + count.method.mul, count.kinematics.add + count.method.add,
                               count.kinematics.div + count.method.div, count.kinematics.trig + count.method.trig};
    rows_compared++;
    if (zv_model_nv(c->model) > 0 && all_of(count.method) <= 0) {
        fprintf(stderr, "%s by %s: expected operations of the method, found %lld of kinematics alone\n",
                zv_question_name(question), row->name, all_of(count.kinematics));
        return false;
    }
    if (said[0] != done.mul || said[1] != done.add || said[2] != done.div || said[3] != done.trig) {
        fprintf(stderr, "%s by %s: %lld %lld %lld %lld counted, %lld %lld %lld %lld executed\n",
                zv_question_name(question), row->name, said[0], said[1], said[2], said[3], done.mul, done.add, done.div,
                done.trig);
        return false;
    }
    const zvStatus status = row->run(c->model, c->work, c->q, c->v, c->a, NULL, c->B); /* no link is massless */
    if (status == ZV_OK && same_answer(size, c->A, c->B)) return true;
    fprintf(stderr, "%s by %s: %s\n", zv_question_name(question), row->name,
            status == ZV_OK ? "another answer" : zv_status_name(status));
    return false;
}

static bool all_as_counted(const Asked *c) {
    for (int question = 0; question < ZV_QUESTIONS; question++) {
        size_t count;
        const zvMethod *rows = zv_methods((zvQuestion)question, &count);
        for (size_t i = 0; i < count; i++)
            if (zv_domain_holds(rows[i].domain, c->model) && !asked_as_counted(c, (zvQuestion)question, &rows[i]))
                return false;
    }
    return true;
}

static Asked asked_of(const rtCase *c) { return (Asked){c->model, c->work, c->q, c->v, c->a, c->A, c->B}; }

static bool row_as_counted(rtCase *c, zvQuestion question, const zvMethod *row) {
    const Asked asked = asked_of(c);
    return asked_as_counted(&asked, question, row);
}

static bool as_counted(rtCase *c) {
    const Asked asked = asked_of(c);
    return all_as_counted(&asked);
}

static bool elastic_as_counted(ecCase *c) {
    const Asked asked = {c->model, c->work, c->q, c->v, c->a, c->A, c->B};
    if (all_as_counted(&asked)) return true;
    fprintf(stderr, "seed %llu\n", (unsigned long long)c->seed);
    return false;
}

/* The last ones lie past every threshold but that of sweeps for the inverse of M. */
static void chains(int index, rtOptions *options) {
    options->joints = index < 26 ? 1 + index : 12 + index;
    options->shape = RT_CHAIN;
    options->types = RT_TYPE(REVOLUTE);
    options->massless = false;
    options->mimics = 0;
}

static void trees(int index, rtOptions *options) {
    (void)index;
    options->curves = RT_LINE | RT_CIRCLE;
    options->massless = false;
    options->mimics = 0;
}

static void followers(int index, rtOptions *options) {
    trees(index, options);
    options->mimics = 1 + index % 4;
    if (options->joints < 4) options->joints += 4;
    options->types = RT_ALL_TYPES & ~(RT_TYPE(FREE) | RT_TYPE(PLANAR) | RT_TYPE(CYLINDRICAL));
}

static void chains_as_counted(void **state) {
    (void)state;
    assert_true(rt_each(77000, 28, 28, chains, as_counted));
}

static void trees_as_counted(void **state) {
    (void)state;
    assert_true(rt_each(77100, 40, 20, trees, as_counted));
}

static void followers_as_counted(void **state) {
    (void)state;
    assert_true(rt_each(77200, 20, 12, followers, as_counted));
    assert_true(rows_compared > 2000);
}

/* Curves may be splines, which no straight-line program has. */
static void elastic_trees_as_counted(void **state) {
    (void)state;
    rows_compared = 0;
    assert_true(ec_each(77400, 60, RT_ALL_TYPES & ~RT_TYPE(CURVE), elastic_as_counted));
    assert_true(rows_compared > 60 * 20);
}

/* A chain of hinges, some of which follow others, too long for dense factors: dynamics/coupled.c answers. */
static void coupled_arms(int index, rtOptions *options) {
    chains(0, options);
    options->free_base = options->wild = false;
    options->joints = ZI_AUTO_COUPLED_DOFS + 5 + index;
    options->mimics = 1 + index % 4;
}

/* Every sweep and Newton-Euler take the sine and cosine of every joint: per follower one sweep for the response of the
 * gaps; two for a solution, without and with the coupling forces; Newton-Euler for what is missing; two to refine. */
static bool sweeps_as_derived(rtCase *c) {
    const int joints = zv_model_njoint(c->model), followers = joints - c->nv;
    zvOperations by_name, by_default;
    if (followers < 1 || c->nv <= ZI_AUTO_COUPLED_DOFS) return false;
    if (!execute_row(c->model, ZV_QUESTION_FORWARD, "articulated", c->q, c->v, c->a, c->A, &by_name)) return false;
    if (!execute_row(c->model, ZV_QUESTION_FORWARD, "auto", c->q, c->v, c->a, c->B, &by_default)) return false;
    if (by_name.trig == 2LL * joints * (followers + 5) && by_default.mul == by_name.mul)
        return row_as_counted(c, ZV_QUESTION_FORWARD, zv_method_named(ZV_QUESTION_FORWARD, "articulated")) &&
               row_as_counted(c, ZV_QUESTION_FORWARD, zv_method_named(ZV_QUESTION_FORWARD, "auto"));
    fprintf(stderr, "%d joints, %d followers: %lld sines and cosines\n", joints, followers, by_name.trig);
    return false;
}

static void coupled_arms_as_counted(void **state) {
    (void)state;
    assert_true(rt_each(77300, 4, ZI_AUTO_COUPLED_DOFS, coupled_arms, sweeps_as_derived));
}

TESTS(chains_as_counted, trees_as_counted, followers_as_counted, elastic_trees_as_counted, coupled_arms_as_counted)
