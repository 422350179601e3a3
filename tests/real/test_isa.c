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
    static const char *const nonsense[] = {"", "x86-64", "baselines", "v4", "9"};
    for (int i = 0; i < 5; i++) {
        setenv("ZVENO_ISA", nonsense[i], 1);
        assert_int_equal(zi_isa_best(), level);
    }
    unsetenv("ZVENO_ISA");
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

TESTS(named, lowered_but_not_raised, same_answers)
