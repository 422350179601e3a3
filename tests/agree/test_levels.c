/* The certificate on every set of kernels that this machine runs, forced one by one: recursions, lanes and derivatives
 * of each. Who must have been asked is looked at too, so that nobody passes by being absent. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "real/isa.h"
#include "support/random_tree_case.h"
#include "support/run_tests.h"
#include "support/sanitized.h"
#include "zveno/agree.h"
#include "zveno/batch.h"
#include "zveno/read.h"
#include "zveno/version.h"

static const char *const levels[ZI_ISA_LEVELS] = {"baseline", "x86-64-v3", "x86-64-v4"};

typedef struct Case {
    const char *name;
    bool rigid, laned; /* no elastic links; nor loops or splines */
} Case;

static const Case cases[] = {{"cobot7", true, true},         {"puma560", true, true},    {"scara", true, true},
                             {"quadruped", true, true},      {"humanoid50", true, true}, {"joints_zoo", true, false},
                             {"five_bar", true, false},      {"stewart", true, false},   {"flexible_arm", false, false},
                             {"flexible_free", false, false}};

/* States at which a method of a question answered; -1: there is no such row, or it was not asked. */
static int answered(const zvAgreement *agreement, const char *question, const char *method) {
    for (size_t k = 0; k < zv_agreement_questions(agreement); k++) {
        const zvAgreeQuestion *q = zv_agreement_question(agreement, k);
        if (strcmp(q->name, question) != 0) continue;
        for (int i = 0; i < q->methods; i++) {
            const zvAgreeMethod *m = zv_agreement_method(agreement, (size_t)(q->method + i));
            if (strcmp(m->name, method) == 0) return m->why ? -1 : m->answered;
        }
    }
    return -1;
}

static void expect_asked(const zvAgreement *agreement, const Case *c, int samples) {
    static const char *const questions[] = {"mass", "bias", "inverse", "forward", "inverse-mass", "mixed", "frame"};
    char single[64];
    for (size_t i = 0; i < sizeof questions / sizeof *questions && c->laned; i++) {
        assert_int_equal(answered(agreement, questions[i], "lanes"), samples);
        snprintf(single, sizeof single, "%s-single", questions[i]);
        assert_int_equal(answered(agreement, single, "lanes"), samples);
    }
    if (!c->laned) assert_int_equal(answered(agreement, "mass", "lanes"), -1);
    if (!c->rigid) return;
    assert_int_equal(answered(agreement, "mass", "composite-reduced"), samples);
    assert_int_equal(answered(agreement, "mass", "composite"), samples);
    assert_int_equal(answered(agreement, "bias", "newton-euler-reduced"), samples);
    assert_int_equal(answered(agreement, "inverse", "newton-euler-reduced"),
                     samples / 2); /* not where there are external forces */
    assert_int_equal(answered(agreement, "forward", "mass-reduced"), samples / 2);
    assert_int_equal(answered(agreement, "forward-derivatives", "analytic"), samples);
    assert_int_equal(answered(agreement, "inverse-differences", "differences"), samples);
}

/* The largest ratio. */
static double certify(const zvModel *model, zvWork *work, const Case *c, uint64_t seed, int samples) {
    zvAgreement *agreement = zv_agreement_create(model, false, NULL);
    zvAgreeOptions options = zv_agree_options_default();
    double worst = 0;
    assert_non_null(agreement);
    options.samples = samples;
    options.seed = seed;
    options.timing = 0;
    assert_int_equal(zv_agree(model, work, agreement, &options, NULL), ZV_OK);
    for (size_t k = 0; k < zv_agreement_questions(agreement); k++) {
        const zvAgreeQuestion *q = zv_agreement_question(agreement, k);
        worst = fmax(worst, q->ratio);
        if (!q->agrees)
            fail_msg("%s on %s, seed %llu: %s, ratio %.3g in state %d", c ? c->name : "tree", zv_isa_name(),
                     (unsigned long long)seed, q->name, q->ratio, q->worst);
    }
    assert_true(zv_agreement_holds(agreement));
    if (c) expect_asked(agreement, c, samples);
    zv_agreement_destroy(agreement);
    return worst;
}

static double certify_file(const Case *c, int samples) {
    char path[512];
    zvError error = {0};
    zvModel *model = NULL;
    snprintf(path, sizeof path, "%s/models/%s.yaml", ZV_SOURCE_DIR, c->name);
    if (zv_model_read(path, &model, &error) != ZV_OK) fail_msg("%s: %s", path, error.text);
    zvWork *work = zv_work_create(model, NULL);
    assert_non_null(work);
    const double worst = certify(model, work, c, 1, samples);
    zv_work_destroy(work);
    zv_model_destroy(model);
    return worst;
}

/* Joints of all types at all places. */
static bool certify_tree(rtCase *c) {
    if (c->nv > 0) certify(c->model, c->work, NULL, c->seed, 2);
    return true;
}

static bool has_batches(void) {
    zvModel *model = NULL;
    assert_int_equal(zv_model_read(ZV_SOURCE_DIR "/models/scara.yaml", &model, NULL), ZV_OK);
    zvBatch *batch = zv_batch_create(model, NULL, NULL);
    zv_batch_destroy(batch);
    zv_model_destroy(model);
    return batch != NULL;
}

static void every_level(void **state) {
    (void)state;
    unsetenv("ZVENO_ISA");
    const int best = zi_isa_best();
    const bool batches = has_batches();
    for (int level = 0; level <= best; level++) {
        double worst = 0;
        setenv("ZVENO_ISA", levels[level], 1);
        assert_string_equal(zv_isa_name(), levels[level]);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            Case c = cases[i];
            c.laned = c.laned && batches;
            worst = fmax(worst, certify_file(&c, SANITIZED ? 4 : 20));
        }
        assert_true(rt_each(96300, SANITIZED ? 10 : 60, 30, NULL, certify_tree));
        print_message("%s: largest ratio %.2g\n", levels[level], worst);
    }
    unsetenv("ZVENO_ISA");
}

TESTS(every_level)
