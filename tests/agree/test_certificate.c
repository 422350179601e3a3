/* The certificate: the judge on numbers made by hand, a wrong answer among right ones, random robots that must agree,
 * and what the header promises. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>
#include <time.h>

#include "agree/roster.h"
#include "agree/trial.h"
#include "support/bent_tree.h"
#include "support/count_allocations.h"
#include "support/random_closed.h"
#include "support/random_tree_case.h"
#include "support/run_tests.h"
#include "support/sanitized.h"
#include "zveno/agree.h"

/* -- the judge ----------------------------------------------------------------------------------------------------- */

static void medians(void **state) {
    (void)state;
    const double a[] = {1, 5, -3}, b[] = {2, 5, NAN}, c[] = {9, 4, 2};
    const double *three[] = {a, NULL, b, c}, *two[] = {c, a};
    double median[3];
    zi_answers_median(4, three, 3, median);
    assert_true(median[0] == 2 && median[1] == 5 && isnan(median[2]));
    zi_answers_median(2, two, 3, median);
    assert_true(median[0] == 5 && median[1] == 4.5 && median[2] == -0.5);
}

static void spreads(void **state) {
    (void)state;
    const double ulp = 0x1p-52; /* the spacing at 1 ... 2 */
    const double a[] = {1.5, 0.25}, b[] = {1.5 + 2 * ulp, 0.25}, c[] = {1.5, 0.25 - ulp};
    const double *all[] = {a, b, c}, rounding[] = {ulp, ulp / 2}, none[] = {ulp, 0};
    ziDifference d = zi_answers_spread(3, all, 2, rounding);
    assert_true(d.ulps == 2 && d.ratio == 2);
    d = zi_answers_spread(3, all, 2, none); /* where no rounding can be, nothing may differ */
    assert_true(d.ulps == 2 && isinf(d.ratio));
    d = zi_answers_spread(2, all, 2, none);
    assert_true(d.ulps == 2 && d.ratio == 2);
    d = zi_answers_spread(3, all, 2, NULL);
    assert_true(d.ulps == 2 && d.ratio == 0);
    d = zi_answers_distance(b, a, 2, rounding);
    assert_true(d.ulps == 2 && d.ratio == 2);
}

/* Whoever is no number is to blame, the others are not. */
static void nothing_is_no_number(void **state) {
    (void)state;
    const double a[] = {1, 2}, wrong[] = {1, NAN}, large[] = {INFINITY, 2}, rounding[] = {1, 1};
    const double *all[] = {a, wrong}, *other[] = {a, large};
    double median[2];
    assert_true(isinf(zi_answers_spread(2, all, 2, rounding).ratio));
    assert_true(isinf(zi_answers_spread(2, all, 2, NULL).ratio));
    assert_true(isinf(zi_answers_spread(2, other, 2, rounding).ulps));
    zi_answers_median(2, all, 2, median);
    assert_true(isinf(zi_answers_distance(wrong, median, 2, rounding).ratio));
    assert_true(zi_answers_distance(a, median, 2, rounding).ratio == 0);
}

/* -- a method that is wrong ---------------------------------------------------------------------------------------- */

/* One entry of M off by 1e-10 of itself: the usual factor sees it, and the median says who. */
static bool wrong_entry_is_seen(rtCase *c) {
    ziTrial t;
    bool good = zi_trial_create(c->model, &t);
    t.work = c->work;
    good = good && zi_trial_draw(&t, c->seed, 0, NULL) == ZV_OK;
    const size_t n = t.nv * t.nv, at = t.nv * t.nv - 1;
    double *rounding = calloc(n, sizeof *rounding), *bad = malloc(n * sizeof *bad), *median = calloc(n, sizeof *median);
    const double *answers[] = {t.M, bad, t.M};
    const double unit = c->ref->njoint * DBL_EPSILON;
    memcpy(bad, t.M, n * sizeof *bad);
    for (size_t i = 0; i < n; i++) rounding[i] = unit * t.S[i];
    good = good && zi_answers_spread(3, answers, n, rounding).ratio == 0;
    bad[at] *= 1 + 1e-10;
    zi_answers_median(3, answers, n, median);
    good = good && zi_answers_spread(3, answers, n, rounding).ratio > 32;
    good = good && zi_answers_distance(bad, median, n, rounding).ratio > 32;
    good = good && zi_answers_distance(t.M, median, n, rounding).ratio == 0;
    free(rounding);
    free(bad);
    free(median);
    zi_trial_destroy(&t);
    return good;
}

static void tame(int index, rtOptions *options) {
    (void)index;
    options->wild = false;
    options->mimics = 0;
}

static void wrong_entries(void **state) {
    (void)state;
    assert_true(rt_each(96000, 40, 20, tame, wrong_entry_is_seen));
}

/* -- robots -------------------------------------------------------------------------------------------------------- */

typedef struct Worst {
    double ratio;
    int compared, singular;
} Worst;
static Worst worst;

/* Whether all methods agree; the largest ratio is kept. */
static bool agrees(const zvModel *model, zvWork *work, uint64_t seed, int samples) {
    zvAgreement *agreement = zv_agreement_create(model, false, NULL);
    zvAgreeOptions options = zv_agree_options_default();
    options.samples = samples;
    options.seed = seed;
    options.timing = 0;
    if (zv_model_nv(model) == 0) return agreement == NULL; /* nothing to compare */
    assert_non_null(agreement);
    const zvStatus status = zv_agree(model, work, agreement, &options, NULL);
    const bool good = status == ZV_CLOSURE || (status == ZV_OK && zv_agreement_holds(agreement));
    for (size_t k = 0; k < zv_agreement_questions(agreement) && status == ZV_OK; k++) {
        const zvAgreeQuestion *q = zv_agreement_question(agreement, k);
        worst.ratio = fmax(worst.ratio, q->ratio);
        worst.compared += q->compared;
        worst.singular += q->singular;
        if (!q->agrees)
            fprintf(stderr, "seed %llu: %s, ratio %.3g in state %d\n", (unsigned long long)seed, q->name, q->ratio,
                    q->worst);
    }
    zv_agreement_destroy(agreement);
    return good;
}

static bool tree_agrees(rtCase *c) { return agrees(c->model, c->work, c->seed, 3); }

static void random_trees(void **state) {
    (void)state;
    worst = (Worst){0};
    assert_true(rt_each(96100, SANITIZED ? 60 : 300, 40, NULL, tree_agrees));
    print_message("trees from seed 96100: %d comparisons, largest ratio %.2g\n", worst.compared, worst.ratio);
    assert_true(worst.ratio > 0.01 && worst.compared > 1000);
}

static void random_elastic_trees(void **state) {
    (void)state;
    worst = (Worst){0};
    for (int i = 0; i < (SANITIZED ? 15 : 60); i++) {
        rtOptions options = rt_options_spread(i, 12);
        btCase c;
        options.wild = false;
        options.mimics = 0;
        bt_case_open(&c, 96500 + (uint64_t)i, options, 3);
        const bool good = agrees(c.model, c.work, c.seed, 3);
        bt_case_close(&c);
        if (!good) fail_msg("elastic tree %d, seed %llu", i, (unsigned long long)(96500 + i));
    }
    print_message("elastic trees from seed 96500: largest ratio %.2g\n", worst.ratio);
    assert_true(worst.ratio > 0.01);
}

static void random_mechanisms(void **state) {
    (void)state;
    worst = (Worst){0};
    for (int i = 0; i < (SANITIZED ? 15 : 60); i++) {
        const rcOptions options = rc_options_spread(i);
        rcCase c;
        const bool good = rc_open(&c, 96700 + (uint64_t)i, &options) && agrees(c.model, c.work, c.seed, 2);
        rc_close(&c);
        if (!good) fail_msg("mechanism %d, seed %llu", i, (unsigned long long)(96700 + i));
    }
    print_message("mechanisms from seed 96700: %d comparisons, largest ratio %.2g\n", worst.compared, worst.ratio);
    assert_true(worst.compared > 200);
}

/* A link with its mass beside the joint's origin, joined to `parent`. */
static zvJoint add_finger(zvBuilder *b, const char *name, const char *parent, zvJointType type, double side, double x) {
    zvLink link = zv_link_default(name);
    zvJoint finger = zv_joint_default(name, type, parent, name);
    link.has_inertia = true;
    link.inertia = (zvInertia){.mass = 0.1, .com = {0, 0.01 * side, 0}, .moment = {1e-4, 0, 0, 1e-4, 0, 1e-4}};
    finger.origin.p[0] = x;
    memcpy(finger.axis, (double[3]){0, side, 0}, sizeof finger.axis);
    zv_builder_add_link(b, &link, NULL);
    return finger;
}

/* Two grippers on a free base: fingers that mirror each other push it by forces that cancel exactly, so that entries of
 * M^-1 are products of two roundings. */
static void exact_cancellation(void **state) {
    (void)state;
    static const double places[2] = {0.3, -0.7};
    zvBuilder *b = zv_builder_create(NULL);
    zvLink base = zv_link_default("base");
    base.has_inertia = true;
    base.inertia = (zvInertia){.mass = 3, .com = {0.1, 0, 0.2}, .moment = {0.1, 0, 0, 0.2, 0, 0.3}};
    zv_builder_add_link(b, &base, NULL);
    zv_builder_set_free_base(b, true);
    for (int i = 0; i < 2; i++) {
        char left[8], right[8];
        snprintf(left, sizeof left, "left%d", i);
        snprintf(right, sizeof right, "right%d", i);
        zvJoint finger = add_finger(b, left, "base", ZV_JOINT_PRISMATIC, 1, places[i]);
        zv_builder_add_joint(b, &finger, NULL);
        finger = add_finger(b, right, "base", ZV_JOINT_PRISMATIC, -1, places[i]);
        finger.mimic = left;
        zv_builder_add_joint(b, &finger, NULL);
    }
    zvModel *model = NULL;
    zvError error = {0};
    if (zv_builder_freeze(b, &model, &error) < 0) fail_msg("%s", error.text);
    zvWork *work = zv_work_create(model, &error);
    worst = (Worst){0};
    assert_true(agrees(model, work, 1, 20));
    assert_true(isfinite(worst.ratio) && worst.compared > 100);
    zv_work_destroy(work);
    zv_model_destroy(model);
    zv_builder_destroy(b);
}

/* Limits that mean none: positions are drawn within a turn of zero, or of the limit next to it. */
static void far_limits(void **state) {
    (void)state;
    static const double limits[][4] = {{-999999, 999999, -6.3, 6.3}, {100, 1e6, 100, 112.6}, {-1, 2, -1, 2}};
    for (int k = 0; k < 3; k++) {
        zvBuilder *b = zv_builder_create(NULL);
        zvLink ground = zv_link_default("ground");
        zvModel *model = NULL;
        zvError error = {0};
        zv_builder_add_link(b, &ground, NULL);
        zvJoint finger = add_finger(b, "arm", "ground", ZV_JOINT_REVOLUTE, 1, 0.1);
        finger.dof[0].has_limits = true;
        finger.dof[0].lower = limits[k][0], finger.dof[0].upper = limits[k][1];
        zv_builder_add_joint(b, &finger, NULL);
        if (zv_builder_freeze(b, &model, &error) < 0) fail_msg("%s", error.text);
        ziGuess guess = {.state = 7};
        double least = INFINITY, most = -INFINITY;
        for (int i = 0; i < 200; i++) {
            double q = 0;
            zi_guess_position(&guess, model, 1, NULL, &q);
            least = fmin(least, q), most = fmax(most, q);
        }
        const double width = limits[k][3] - limits[k][2];
        if (!(least >= limits[k][2] && most <= limits[k][3] && most - least > 0.9 * width))
            fail_msg("limits %g and %g: positions from %g to %g", limits[k][0], limits[k][1], least, most);
        zv_model_destroy(model);
        zv_builder_destroy(b);
    }
}

/* -- what the header promises -------------------------------------------------------------------------------------- */

static bool stop_at_two(void *context, const zvAgreeProgress *now) {
    *(int *)context = now->done;
    return now->done < 2;
}

/* Of one question alone it may be the same at any state: some entries are constant. */
static double all_ratios(const zvAgreement *agreement) {
    double sum = 0;
    for (size_t i = 0; i < zv_agreement_questions(agreement); i++) sum += zv_agreement_question(agreement, i)->ratio;
    return sum;
}

static void promises(void **state) {
    (void)state;
    const rtOptions tree = rt_options_spread(7, 10);
    rtCase c;
    assert_true(rt_case_open(&c, 96900, &tree));
    zvAgreement *agreement = zv_agreement_create(c.model, false, NULL);
    zvAgreeOptions options = zv_agree_options_default();
    zvError error = {0};
    int told = 0;
    assert_non_null(agreement);
    assert_false(zv_agreement_holds(agreement)); /* nothing was compared */
    options.samples = 4;
    options.timing = 1e-4;
    const long before = allocations;
    assert_int_equal(zv_agree(c.model, c.work, agreement, &options, &error), ZV_OK);
    assert_int_equal(allocations, before);
    assert_true(zv_agreement_holds(agreement));
    assert_int_equal(zv_agreement_samples(agreement), 4);
    assert_true(zv_agreement_condition(agreement) >= 1);
    assert_true(zv_agreement_method(agreement, 0)->seconds > 0);
    assert_int_equal(zv_agreement_method(agreement, 0)->answered, 4);
    const double ratio = all_ratios(agreement);
    options.factor = 1e-9; /* more than anyone can keep */
    zv_agree(c.model, c.work, agreement, &options, &error);
    assert_false(zv_agreement_holds(agreement));
    assert_true(all_ratios(agreement) == ratio); /* the same states again */
    options.seed = 2;
    zv_agree(c.model, c.work, agreement, &options, &error);
    assert_true(all_ratios(agreement) != ratio);
    options.tell = stop_at_two;
    options.context = &told;
    assert_int_equal(zv_agree(c.model, c.work, agreement, &options, &error), ZV_INTERRUPTED);
    assert_true(told == 2 && zv_agreement_samples(agreement) == 2);
    options.samples = 0;
    assert_int_equal(zv_agree(c.model, c.work, agreement, &options, &error), ZV_NUMBER);
    assert_string_equal(error.text, "samples: expected 1 or more, found 0");
    options.samples = 1;
    options.factor = (double)NAN;
    assert_int_equal(zv_agree(c.model, c.work, agreement, &options, &error), ZV_NUMBER);
    assert_string_equal(error.text, "factor: expected a positive number, found nan");
    zv_agreement_destroy(agreement);
    rt_case_close(&c);
}

/* Stops, or lets the time pass, the nth time it is asked. */
typedef struct Sitter {
    int calls, nth;
    double until; /* s; 0: stop */
} Sitter;

static bool sit(void *context, const zvAgreeProgress *now) {
    Sitter *sitter = context;
    if (++sitter->calls != sitter->nth) return true;
    const struct timespec pause = {0, 10000000};
    for (double at = now->elapsed; at <= sitter->until; at += 0.01) nanosleep(&pause, NULL);
    return sitter->until > 0;
}

/* tell and the clock are asked between methods, not only between states. */
static void stops_between_methods(void **state) {
    (void)state;
    const rtOptions tree = rt_options_spread(7, 10);
    rtCase c;
    assert_true(rt_case_open(&c, 96950, &tree));
    zvAgreement *agreement = zv_agreement_create(c.model, false, NULL);
    zvAgreeOptions options = zv_agree_options_default();
    Sitter sitter = {.nth = 4};
    options.timing = 0;
    options.tell = sit;
    options.context = &sitter;
    assert_int_equal(zv_agree(c.model, c.work, agreement, &options, NULL), ZV_INTERRUPTED);
    assert_true(sitter.calls == 4 && zv_agreement_samples(agreement) == 0 && !zv_agreement_holds(agreement));
    for (double limit = 0.3;; limit *= 4) { /* a busy machine may not come as far within the first */
        sitter = (Sitter){.nth = 4, .until = options.seconds = limit};
        assert_int_equal(zv_agree(c.model, c.work, agreement, &options, NULL), ZV_OK);
        if (sitter.calls >= sitter.nth) break;
    }
    assert_int_equal(zv_agreement_samples(agreement), 1);
    assert_true(zv_agreement_holds(agreement)); /* three mass matrices were compared */
    assert_int_equal(zv_agreement_question(agreement, 0)->compared, 1);
    assert_int_equal(zv_agreement_question(agreement, 1)->compared, 0);
    assert_null(zv_agreement_method(agreement, 2)->why);
    assert_non_null(zv_agreement_method(agreement, 3)->why);
    options.seconds = 0; /* no trace of it in the next run */
    options.samples = 2;
    assert_int_equal(zv_agree(c.model, c.work, agreement, &options, NULL), ZV_OK);
    assert_null(zv_agreement_method(agreement, 3)->why);
    assert_int_equal(zv_agreement_question(agreement, 1)->compared, 2);
    zv_agreement_destroy(agreement);
    rt_case_close(&c);
}

/* A massless last link: nobody finds accelerations, and that is agreement. */
static void singular_robots(void **state) {
    (void)state;
    zvBuilder *builder = zv_builder_create(NULL);
    zvLink base = zv_link_default("base"), arm = zv_link_default("arm"), ghost = zv_link_default("ghost");
    zvJoint first = zv_joint_default("first", ZV_JOINT_CONTINUOUS, "base", "arm");
    zvJoint second = zv_joint_default("second", ZV_JOINT_CONTINUOUS, "arm", "ghost");
    zvModel *model = NULL;
    arm.has_inertia = true;
    arm.inertia = (zvInertia){.mass = 2, .com = {0.3, 0, 0}, .moment = {0.1, 0, 0, 0.1, 0, 0.1}};
    second.origin.p[0] = 0.5;
    zv_builder_add_link(builder, &base, NULL);
    zv_builder_add_link(builder, &arm, NULL);
    zv_builder_add_link(builder, &ghost, NULL);
    zv_builder_add_joint(builder, &first, NULL);
    zv_builder_add_joint(builder, &second, NULL);
    assert_int_equal(zv_builder_freeze(builder, &model, NULL), ZV_OK);
    zvWork *work = zv_work_create(model, NULL);
    worst = (Worst){0};
    assert_true(agrees(model, work, 1, 10));
    assert_true(worst.singular >= 50); /* forward, inverse mass, three products */
    zv_work_destroy(work);
    zv_model_destroy(model);
    zv_builder_destroy(builder);
}

/* Ten links in no special directions on a root without mass under a free base: M is singular, but rounding hides it
 * from some methods and not from others. */
static void singular_to_rounding(void **state) {
    (void)state;
    zvBuilder *b = zv_builder_create(NULL);
    zvModel *model = NULL;
    char name[2][16] = {"root", "root"};
    const zvLink root = zv_link_default("root");
    zv_builder_add_link(b, &root, NULL);
    zv_builder_set_free_base(b, true);
    for (int i = 0; i < 10; i++) {
        snprintf(name[(i + 1) % 2], sizeof name[0], "link%d", i);
        zvLink link = zv_link_default(name[(i + 1) % 2]);
        zvJoint hinge = zv_joint_default(link.name, ZV_JOINT_CONTINUOUS, name[i % 2], link.name);
        const double x = sin(1 + 7.0 * i), y = sin(2 + 5.0 * i), z = sin(3 + 11.0 * i);
        link.has_inertia = true;
        link.inertia = (zvInertia){
            .mass = 1 + 0.5 * x, .com = {0.01 * y, 0.01 * z, 0.05}, .moment = {2e-3, 0, 0, 3e-3, 0, 2.5e-3}};
        hinge.origin = zv_pose_from_rpy((double[3]){0.02 * x, 0.02 * y, 0.1}, (double[3]){0.3 * z, 0.3 * x, y});
        zv_builder_add_link(b, &link, NULL);
        zv_builder_add_joint(b, &hinge, NULL);
    }
    assert_int_equal(zv_builder_freeze(b, &model, NULL), ZV_OK);
    zvWork *work = zv_work_create(model, NULL);
    worst = (Worst){0};
    for (int seed = 1; seed <= 5; seed++) assert_true(agrees(model, work, (uint64_t)seed, 5));
    assert_true(worst.compared > 50 && worst.singular > 10);
    zv_work_destroy(work);
    zv_model_destroy(model);
    zv_builder_destroy(b);
}

TESTS(medians, spreads, nothing_is_no_number, wrong_entries, random_trees, random_elastic_trees, random_mechanisms,
      exact_cancellation, far_limits, promises, stops_between_methods, singular_robots, singular_to_rounding)
