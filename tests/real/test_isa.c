/* Choice of the instruction set: named, lowered on request, never raised; every set gives the same answers. */
#define _XOPEN_SOURCE 700
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "real/isa.h"
#include "support/near.h"
#include "support/random_tree.h"
#include "support/run_tests.h"
#include "zveno/dynamics.h"
#include "zveno/version.h"

static const char *const names[ZI_ISA_LEVELS] = {"baseline", "x86-64-v3", "x86-64-v4"};

static int best(void) {
    unsetenv("ZVENO_ISA");
    return zi_isa_best();
}

static void named(void **state) {
    (void)state;
    const int level = best();
    assert_in_range(level, ZI_ISA_BASELINE, ZI_ISA_V4);
    assert_string_equal(zv_isa_name(), names[level]);
}

static void lowered_but_not_raised(void **state) {
    (void)state;
    const int level = best();
    for (int asked = 0; asked < ZI_ISA_LEVELS; asked++) {
        setenv("ZVENO_ISA", names[asked], 1);
        assert_int_equal(zi_isa_best(), asked < level ? asked : level);
    }
    setenv("ZVENO_ISA", "", 1); /* as if it were not set */
    assert_int_equal(zi_isa_best(), level);
    assert_null(zi_isa_unknown());
    unsetenv("ZVENO_ISA");
}

static void short_names(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int level;
    } known[] = {{"v3", ZI_ISA_V3}, {"avx2", ZI_ISA_V3}, {"v4", ZI_ISA_V4}, {"avx512", ZI_ISA_V4}};
    const int level = best();
    for (int i = 0; i < 4; i++) {
        setenv("ZVENO_ISA", known[i].name, 1);
        assert_int_equal(zi_isa_best(), known[i].level < level ? known[i].level : level);
        assert_null(zi_isa_unknown());
    }
    unsetenv("ZVENO_ISA");
}

/* Nothing is computed with another instruction set than was asked for. */
static void unknown_names_are_refused(void **state) {
    (void)state;
    static const char *const nonsense[] = {"x86-64", "baselines", "V4", "9", "avx-512"};
    for (int i = 0; i < 5; i++) {
        zvError error = {0};
        zvModel *model = NULL;
        zvBuilder *builder = zv_builder_create(&error);
        const zvLink link = zv_link_default("base");
        assert_int_equal(zv_builder_add_link(builder, &link, &error), ZV_OK);
        setenv("ZVENO_ISA", nonsense[i], 1);
        assert_string_equal(zi_isa_unknown(), nonsense[i]);
        assert_int_equal(zv_builder_freeze(builder, &model, &error), ZV_NAME);
        assert_null(model);
        assert_string_equal(error.token, nonsense[i]);
        assert_non_null(strstr(error.text, "ZVENO_ISA is \""));
        assert_non_null(strstr(error.text, "expected baseline, v3"));
        unsetenv("ZVENO_ISA");
        assert_int_equal(zv_builder_freeze(builder, &model, &error), ZV_OK);
        zv_model_destroy(model);
        zv_builder_destroy(builder);
    }
}

enum { MANY = 128 };

typedef struct Answer {
    int nv;
    double tau[MANY], a[MANY], M[MANY * MANY];
} Answer;

static void ask(const rtTree *tree, uint64_t seed, Answer *answer) {
    zvError error = {0};
    zvModel *model = rt_tree_freeze(tree);
    zvWork *work = zv_work_create(model, &error);
    double q[MANY], v[MANY], a[MANY];
    rtRandom random = {seed};
    const int nv = answer->nv = zv_model_nv(model);
    assert_true(zv_model_nq(model) <= MANY);
    zv_neutral(model, q);
    rt_vector(&random, 1, nv, v);
    rt_vector(&random, 1, nv, a);
    zv_position_add(model, q, a, q);
    zv_inverse_dynamics(model, work, q, v, a, NULL, answer->tau);
    assert_int_equal(zv_forward_dynamics(model, work, q, v, answer->tau, NULL, answer->a), ZV_OK);
    zv_mass_matrix(model, work, q, answer->M);
    zv_work_destroy(work);
    zv_model_destroy(model);
}

/* A model keeps the kernels it was frozen for; between sets only rounding differs. */
static void same_answers(void **state) {
    (void)state;
    const int level = best();
    static Answer answers[ZI_ISA_LEVELS];
    for (uint64_t seed = 1; seed <= 20; seed++) {
        rtOptions options = rt_options_default(15);
        options.massless = false;
        rtTree *tree = rt_tree_create(seed, &options);
        near_about("seed %d", (int)seed);
        for (int i = 0; i <= level; i++) {
            setenv("ZVENO_ISA", names[i], 1);
            ask(tree, seed, &answers[i]);
            assert_all_near_scaled("tau", answers[0].nv, answers[i].tau, answers[0].tau, 1e-13);
            assert_all_near_scaled("M", answers[0].nv * answers[0].nv, answers[i].M, answers[0].M, 1e-13);
            assert_all_near_scaled("a", answers[0].nv, answers[i].a, answers[0].a, 1e-9);
        }
        free(tree);
    }
    unsetenv("ZVENO_ISA");
}

TESTS(named, lowered_but_not_raised, short_names, unknown_names_are_refused, same_answers)
