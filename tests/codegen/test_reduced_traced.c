/* What the texts of generated code leave on a tape, simplified, is the robot: run at a random state it answers as the
 * reference does; and it takes as few operations as it should. */
#include "codegen/program.h"
#include "codegen/simplify.h"
#include "codegen/traced.h"
#include "support/run_tests.h"

#include "reduced_check.h"
#include "stack.h"

enum { SIMPLIFIED = 500 }; /* nodes; larger programs, which take long to simplify, run as they stand */

static const int ulps = 32; /* simplifying changes the order of sums */

static void trace(const ziReduced *reduced, zvGenerated function, ziTape *tape, ziEdge *moved) {
    const size_t size = zi_generated_edges(reduced->model, function);
    ziTape raw;
    ziEdge *output = room(size * sizeof *output);
    assert_true(zi_tape_open(&raw, ZI_TAPE_RECORD));
    assert_int_equal(zi_trace_function(reduced, function, &raw, output), ZV_OK);
    assert_int_equal((raw.count < SIMPLIFIED ? zi_simplify : zi_prune)(&raw, size, output, tape, moved), ZV_OK);
    zi_tape_close(&raw);
    free(output);
}

static void ask(rtCase *c, const ziReduced *reduced, zvGenerated function, const double *third, double *answer) {
    const size_t size = zi_generated_size(reduced->model, function),
                 guards = zi_generated_guards(reduced->model, function), nq = (size_t)c->nq, nv = (size_t)c->nv;
    ziTape tape = {0};
    ziEdge *output = room((size + 2 * guards) * sizeof *output);
    trace(reduced, function, &tape, output);
    double *input = room((nq + 2 * nv) * sizeof *input), *value = room((size_t)tape.count * sizeof *value);
    memcpy(input, c->q, nq * sizeof *input);
    memcpy(input + nq, c->v, nv * sizeof *input);
    if (third) memcpy(input + nq + nv, third, nv * sizeof *input);
    zi_tape_run(&tape, input, value);
    assert_true(zi_guards_hold(guards, output + size, value));
    for (size_t i = 0; i < size; i++) answer[i] = zi_edge_value(value, output[i]);
    zi_tape_close(&tape);
    free(output);
    free(input);
    free(value);
}

static void small(int index, rtOptions *options) {
    no_splines(index, options);
    options->joints = 1 + index % 4;
}

static void random_trees(void **state) {
    (void)state;
    assert_true(rt_each(63000, 12, 4, small, all_agree));
}

static void aligned_trees(void **state) {
    (void)state;
    assert_true(each_aligned(64000, 20, 4));
}

/* Six hinges of the kind of the space arm, long axis x or y of each link: Z X Y Y Y X. */
static zvModel *arm(void) {
    static const double axes[6][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 1, 0}, {0, 1, 0}, {1, 0, 0}};
    static const double offsets[6][3] = {{0, 0, 0}, {0, 0, 0.5}, {0.5, 0, 0}, {5, 0, 0}, {5, 0, 0}, {0, 0.5, 0}};
    const zvInertia inertia = {.mass = 40, .com = {0.2, 0.1, 0}, .moment = {1, 0, 0, 2, 0, 2.5}};
    zvBuilder *b = stack_begin();
    for (int i = 0; i < 6; i++) stack_add(b, i, inertia, ZV_JOINT_REVOLUTE, axes[i], offsets[i]);
    return stack_end(b);
}

/* A quarter of the 2514 of [Yaskevich] for six joints is the most that the mass matrix may take. */
static void few_operations(void **state) {
    (void)state;
    zvModel *model = arm();
    ziReduced reduced;
    ziTape tape = {0};
    ziEdge output[36];
    assert_int_equal(zi_reduced_make(model, -1, &reduced, NULL), ZV_OK);
    trace(&reduced, ZV_GENERATED_MASS, &tape, output);
    const zvOperations o = zi_tape_operations(&tape);
    if (o.mul + o.add > 628 || o.div || o.trig > 12) fail_msg("%lld + %lld + %lld, %lld", o.mul, o.add, o.div, o.trig);
    print_message("mass matrix of six hinges: %lld products, %lld sums\n", o.mul, o.add);
    zi_tape_close(&tape);
    zi_reduced_free(&reduced);
    zv_model_destroy(model);
}

TESTS(random_trees, aligned_trees, few_operations)
