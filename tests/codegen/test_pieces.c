/* Functions so long that they are written in pieces (codegen/program.h): a robot of fifty joints against the library,
 * one state and lanes, answers over inputs; how long the pieces are, which is what compilers take time for; and which
 * functions the library does better. */
#define _XOPEN_SOURCE 700
#include "generated.h"
#include "support/run_tests.h"

#include "support/near.h"
#include "support/random_tree.h"
#include "zveno/derive.h"
#include "zveno/dynamics.h"
#include "zveno/read.h"

enum { MANY = 64, SQUARE = MANY * MANY, STATES = 5, LONGEST = 2400, MOST_PIECES = 12 };
static const uint64_t seed = 83;

static zvModel *robot(const char *file, bool free_base) {
    zvBuilder *b = zv_builder_create(NULL);
    zvModel *model = NULL;
    zvError error = {0};
    char path[512];
    snprintf(path, sizeof path, ZV_SOURCE_DIR "/models/%s.yaml", file);
    assert_int_equal(zv_read_file(b, path, ZV_FORMAT_AUTO, &error), ZV_OK);
    if (free_base) zv_builder_set_free_base(b, true);
    if (zv_builder_freeze(b, &model, &error) < 0) fail_msg("%s", error.text);
    zv_builder_destroy(b);
    return model;
}

static zvCodegenSummary write_functions(const zvModel *m, const char *name, unsigned functions, int lanes,
                                        bool single) {
    zvCodegenSummary summary;
    zvError error = {0};
    const zvCodegenOptions options = {.name = name, .functions = functions, .lanes = lanes, .single = single};
    if (zv_codegen(m, &options, folder, &summary, &error) < 0) fail_msg("%s", error.text);
    return summary;
}

typedef struct Case {
    zvModel *model;
    zvWork *work;
    int nq, nv;
    double q[STATES][MANY], v[STATES][MANY], tau[STATES][MANY];
} Case;

static Case random_states(zvModel *m) {
    Case c = {m, zv_work_create(m, NULL), zv_model_nq(m), zv_model_nv(m), {{0}}, {{0}}, {{0}}};
    rtRandom random = {seed};
    print_message("seed %llu\n", (unsigned long long)seed);
    for (int s = 0; s < STATES; s++) {
        double from[MANY];
        zv_neutral(m, from);
        rt_vector(&random, 1, c.nv, c.v[s]);
        zv_position_add(m, from, c.v[s], c.q[s]);
        rt_vector(&random, 2, c.nv, c.v[s]);
        rt_vector(&random, 50, c.nv, c.tau[s]);
    }
    return c;
}

/* Entry i of state s at [i * STATES + s]. */
static void spread(double x[STATES][MANY], int count, double *to) {
    for (int i = 0; i < count; i++)
        for (int s = 0; s < STATES; s++) to[i * STATES + s] = x[s][i];
}

typedef int (*Batch3)(size_t, size_t, const double *, const double *, const double *, double *, int *);

/* a with M a + C v + g = tau, judged by the library's inverse dynamics; then over tau, over v, and in lanes. */
static void forward(void **state) {
    (void)state;
    Case c = random_states(robot("humanoid50", true));
    static double q[MANY * STATES], v[MANY * STATES], tau[MANY * STATES], many[MANY * STATES];
    const zvCodegenSummary summary = write_functions(c.model, "long_forward", 1u << ZV_GENERATED_FORWARD, 4, false);
    assert_true(summary.function[ZV_GENERATED_FORWARD].statements > LONGEST);
    expect_command("grep -q 'long_forward_forward_lanes_2(' %s/long_forward.c", folder);
    Code code = compile(ZV_CC, "-O0", "long_forward");
    Batch3 batch;
    int results[STATES];
    find(&code, "long_forward", ZV_GENERATED_FORWARD, &code.forward);
    find_symbol(&code, "long_forward_forward_batch", &batch);
    spread(c.q, c.nq, q);
    spread(c.v, c.nv, v);
    spread(c.tau, c.nv, tau);
    assert_int_equal(batch(STATES, STATES, q, v, tau, many, results), 0);
    for (int s = 0; s < STATES; s++) {
        double a[MANY], back[MANY], over[MANY], lane[MANY];
        assert_int_equal(code.forward(c.q[s], c.v[s], c.tau[s], a), 0);
        zv_inverse_dynamics(c.model, c.work, c.q[s], c.v[s], a, NULL, back);
        assert_all_near_scaled("tau", c.nv, back, c.tau[s], 1e-11);
        memcpy(over, c.tau[s], sizeof over);
        code.forward(c.q[s], c.v[s], over, over);
        assert_memory_equal(over, a, (size_t)c.nv * sizeof *a);
        memcpy(over, c.v[s], sizeof over);
        code.forward(c.q[s], over, c.tau[s], over);
        assert_memory_equal(over, a, (size_t)c.nv * sizeof *a);
        for (int i = 0; i < c.nv; i++) lane[i] = many[i * STATES + s];
        zv_inverse_dynamics(c.model, c.work, c.q[s], c.v[s], lane, NULL, back);
        assert_all_near_scaled("tau of lanes", c.nv, back, c.tau[s], 1e-11);
        assert_int_equal(results[s], 0);
    }
    memset(c.q[0], 0, sizeof c.q[0]); /* a quaternion without length */
    assert_int_equal(code.forward(c.q[0], c.v[0], c.tau[0], c.tau[1]), -1);
    dlclose(code.handle);
    zv_work_destroy(c.work);
    zv_model_destroy(c.model);
}

typedef int (*Derivatives4)(const double *, const double *, const double *, double *, double *, double *, double *);

/* The longest of all, with the loop over columns behind its pieces, against the library's derivatives. */
static void derivatives(void **state) {
    (void)state;
    Case c = random_states(robot("humanoid50", true));
    static double a[MANY], dq[SQUARE], dv[SQUARE], dtau[SQUARE], want_a[MANY], want[3][SQUARE];
    write_functions(c.model, "long_derivatives", 1u << ZV_GENERATED_FORWARD_DERIVATIVES, 0, false);
    Code code = compile(ZV_CC, "-O0", "long_derivatives");
    Derivatives4 forward_derivatives;
    find(&code, "long_derivatives", ZV_GENERATED_FORWARD_DERIVATIVES, &forward_derivatives);
    const int n = c.nv;
    for (int s = 0; s < 2; s++) {
        assert_int_equal(forward_derivatives(c.q[s], c.v[s], c.tau[s], a, dq, dv, dtau), 0);
        zv_forward_derivatives(c.model, c.work, c.q[s], c.v[s], c.tau[s], NULL, want_a, want[0], want[1], want[2]);
        assert_all_near_scaled("a", n, a, want_a, 1e-9);
        assert_all_near_scaled("da/dq", n * n, dq, want[0], 1e-9);
        assert_all_near_scaled("da/dv", n * n, dv, want[1], 1e-9);
        assert_all_near_scaled("da/dtau", n * n, dtau, want[2], 1e-9);
    }
    dlclose(code.handle);
    zv_work_destroy(c.work);
    zv_model_destroy(c.model);
}

/* Statements of the functions of a file: the longest, and how many have the word in their name. */
static int longest_function(const char *name, const char *word, int *count) {
    char path[256], line[8192];
    int longest = 0, lines = 0;
    snprintf(path, sizeof path, "%s/%s.c", folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    *count = 0;
    while (fgets(line, sizeof line, file)) {
        const bool head = line[0] != ' ' && line[0] != '#' && strstr(line, ") {");
        if (head) lines = 0;
        if (head && strstr(line, word)) ++*count;
        lines += strncmp(line, "    ", 4) == 0 && strchr(line, ';') != NULL;
        if (line[0] == '}' && lines > longest) longest = lines;
    }
    fclose(file);
    return longest;
}

/* Every function of a robot of fifty joints, in double and with lanes, in pieces that compilers are quick with; float
 * is compiled with all warnings. */
static void sizes(void **state) {
    (void)state;
    zvModel *m = robot("humanoid50", true);
    const unsigned all = UNDERIVED & ~(1u << ZV_GENERATED_POSE | 1u << ZV_GENERATED_JACOBIAN);
    const unsigned derived = 1u << ZV_GENERATED_INVERSE_DERIVATIVES | 1u << ZV_GENERATED_FORWARD_DERIVATIVES;
    const zvCodegenSummary summary = write_functions(m, "whole", all | derived, 4, false);
    int pieces;
    const int longest = longest_function("whole", "_PIECE", &pieces);
    print_message("longest function: %d statements; %d pieces\n", longest, pieces);
    if (longest > LONGEST + 200) fail_msg("a function of %d statements", longest); /* with inputs read, pointers set */
    assert_in_range(pieces, 2 * 3, 4 * MOST_PIECES);
    long long statements = 0;
    for (int f = 0; f < ZV_GENERATED_FUNCTIONS; f++) statements += summary.function[f].statements;
    assert_in_range(statements, 1000, 60000);
    write_functions(m, "single", 1u << ZV_GENERATED_FORWARD | 1u << ZV_GENERATED_MINV, 8, true);
    Code code = compile(ZV_CC, "-O0", "single");
    dlclose(code.handle);
    zv_model_destroy(m);
}

/* An arm's code gains; most of a humanoid's does not. */
static void advice(void **state) {
    (void)state;
    const unsigned both = 1u << ZV_GENERATED_FORWARD | 1u << ZV_GENERATED_INVERSE_DERIVATIVES;
    zvModel *arm = robot("cobot7", false), *humanoid = robot("humanoid50", true);
    const zvCodegenSummary small = write_functions(arm, "arm", both, 0, false),
                           large = write_functions(humanoid, "humanoid", both, 0, false);
    for (int f = 0; f < ZV_GENERATED_FUNCTIONS; f++) {
        assert_false(small.function[f].library_better);
        assert_int_equal(large.function[f].library_better, (both >> f) & 1);
    }
    zv_model_destroy(arm);
    zv_model_destroy(humanoid);
}

TESTS_BETWEEN(make_folder, remove_folder, forward, derivatives, sizes, advice)
