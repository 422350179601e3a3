/* Workspaces: aligned, of the right size, one per thread, and never an answer. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/random_tree.h"
#include "support/run_tests.h"
#include "work/scratch.h"
#include "zveno/dynamics.h"

static zvModel *tree(uint64_t seed) {
    const rtOptions options = rt_options_default(12);
    rtTree *description = rt_tree_create(seed, &options);
    zvModel *model = rt_tree_freeze(description);
    assert_non_null(model);
    free(description);
    return model;
}

static void scratch_of_arrays(void **state) {
    (void)state;
    zvError error = {0};
    zvModel *model = tree(1);
    zvWork *work = zv_work_create(model, &error);
    assert_non_null(work);
    ziScratch scratch = zi_scratch_of(model, work);
    unsigned char *before = NULL;
    for (int i = 0; i < 50; i++) {
        unsigned char *taken = (unsigned char *)zi_scratch_doubles(&scratch, i);
        assert_int_equal((uintptr_t)taken % 64, 0);
        if (before) assert_true(taken >= before + (size_t)(i - 1) * sizeof(double));
        before = taken;
    }
    assert_ptr_equal(zi_scratch_of(model, work).next, work->scratch.next); /* a copy was used up, not scratch memory */
    zv_work_destroy(work);
    zv_work_destroy(NULL);
    zv_model_destroy(model);
}

/* Whatever lies in scratch memory does not matter: answers on a soiled scratch memory are those on a clean one, bit by
 * bit. */
static void soiled_scratch(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        zvError error = {0};
        zvModel *model = tree(seed);
        zvWork *work = zv_work_create(model, &error);
        const int nq = zv_model_nq(model), nv = zv_model_nv(model);
        const size_t entries = (size_t)nv * (size_t)nv;
        double *q = calloc((size_t)(nq + 3 * nv) + 4 * entries, sizeof *q);
        double *v = q + nq, *tau = v + nv, *clean = tau + nv + nv;
        rtRandom random = {seed};
        zv_neutral(model, q);
        rt_vector(&random, 1, nv, v);
        rt_vector(&random, 1, nv, tau);
        for (int pass = 0; pass < 2; pass++) {
            double *out = clean + 2 * (size_t)pass * entries, *C = out + entries;
            const size_t size = (size_t)(work->scratch.end - work->scratch.next);
            memset(work->scratch.next, pass ? 0xFF : 0, size); /* bytes of 0xFF are not numbers */
            zv_mass_matrix(model, work, q, out);
            memset(work->scratch.next, pass ? 0xFF : 0, size);
            zv_coriolis_matrix(model, work, q, v, C);
            memset(work->scratch.next, pass ? 0xFF : 0, size);
            if (nv > 0) assert_int_equal(zv_forward_dynamics(model, work, q, v, tau, NULL, out), ZV_OK);
        }
        if (memcmp(clean, clean + 2 * entries, 2 * entries * sizeof *q) != 0) fail_msg("seed %d", (int)seed);
        free(q);
        zv_work_destroy(work);
        zv_model_destroy(model);
    }
}

/* A robot that cannot move has a workspace all the same. */
static void nothing_moves(void **state) {
    (void)state;
    zvError error = {0};
    zvModel *model = NULL;
    zvBuilder *builder = zv_builder_create(&error);
    zvLink link = zv_link_default("rock");
    link.inertia = (zvInertia){.mass = 5, .moment = {1, 0, 0, 1, 0, 1}};
    assert_int_equal(zv_builder_add_link(builder, &link, &error), ZV_OK);
    assert_int_equal(zv_builder_freeze(builder, &model, &error), ZV_OK);
    zvWork *work = zv_work_create(model, &error);
    assert_non_null(work);
    double none[1] = {42};
    zv_inverse_dynamics(model, work, none, none, none, NULL, none);
    assert_int_equal(zv_forward_dynamics(model, work, none, none, none, NULL, none), ZV_OK);
    zv_mass_matrix(model, work, none, none);
    assert_true(none[0] == 42); /* nothing is written where nothing belongs */
    zv_work_destroy(work);
    zv_model_destroy(model);
    zv_builder_destroy(builder);
}

TESTS(scratch_of_arrays, soiled_scratch, nothing_moves)
