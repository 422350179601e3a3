/* The inertia of a link changed in a private copy: every method of every table, lanes included, answers as for a model
 * that was built with it, with closed loops too; changes leave no trace when they are undone; what cannot be is
 * refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/payload.h"
#include "support/bent_tree.h"
#include "support/near.h"
#include "support/random_closed.h"
#include "support/random_tree.h"
#include "zveno/agree.h"
#include "zveno/derive.h"
#include "zveno/dynamics.h"

enum { JOINTS = 10, SEEDS = 24 };

/* Chains of revolute joints, trees of revolute and prismatic ones, all types, followers, a floating base. */
static rtOptions options_of(uint64_t seed) {
    rtOptions options = rt_options_default(JOINTS);
    options.shape = (rtShape)(seed % 3);
    options.massless = seed % 5 == 0;
    options.free_base = seed % 4 == 3;
    if (seed % 4 == 0) options.types = RT_TYPE(REVOLUTE);
    if (seed % 4 == 1) options.types = RT_TYPE(REVOLUTE) | RT_TYPE(PRISMATIC) | RT_TYPE(FIXED);
    if (seed % 6 == 5) options.mimics = 2, options.coupled = true;
    options.curves = RT_LINE | RT_CIRCLE;
    return options;
}

static int link_of(const zvModel *model, const rtTree *tree, int link) {
    const int found = zv_model_find_frame(model, tree->links[link].name);
    assert_true(found >= 0 && found < zv_model_nlink(model));
    return found;
}

/* Changes a link of the description and of the copy alike. */
static void change(rtTree *tree, rtRandom *random, int link, zvModel *copy) {
    rt_inertia(random, false, &tree->links[link].inertia);
    tree->links[link].has_inertia = true;
    assert_int_equal(zv_model_set_link_inertia(copy, link_of(copy, tree, link), &tree->links[link].inertia), ZV_OK);
}

static void state_of(rtRandom *random, const zvModel *model, double *q, double *v, double *a) {
    const int nv = zv_model_nv(model);
    zv_neutral(model, q);
    rt_vector(random, 1, nv, v);
    zv_position_add(model, q, v, q);
    rt_vector(random, 1, nv, v);
    rt_vector(random, 1, nv, a);
}

enum { MOST = 7 * JOINTS + 7 };

/* Default answers of two models that should be one. */
static void expect_same(const zvModel *copy, const zvModel *built, rtRandom *random) {
    const int nv = zv_model_nv(built), nj = zv_model_njoint(built);
    static double q[MOST], v[MOST], a[MOST], x[2][MOST * MOST], r[2][6 * MOST];
    zvError error;
    zvWork *work[2] = {zv_work_create(copy, &error), zv_work_create(built, &error)};
    const zvModel *model[2] = {copy, built};
    double c[2][3], energy[2][2];
    state_of(random, built, q, v, a);
    for (int k = 0; k < 2; k++) zv_mass_matrix(model[k], work[k], q, x[k]);
    assert_all_near_scaled("M", nv * nv, x[0], x[1], 1e-13);
    for (int k = 0; k < 2; k++) zv_inverse_dynamics(model[k], work[k], q, v, a, NULL, x[k]);
    assert_all_near_scaled("tau", nv, x[0], x[1], 1e-12);
    for (int k = 0; k < 2; k++) zv_inverse_derivatives(model[k], work[k], q, v, a, NULL, x[k], NULL, NULL);
    assert_all_near_scaled("dtau/dq", nv * nv, x[0], x[1], 1e-12);
    for (int k = 0; k < 2; k++) zv_coriolis_matrix(model[k], work[k], q, v, x[k]);
    assert_all_near_scaled("C", nv * nv, x[0], x[1], 1e-12);
    for (int k = 0; k < 2; k++) zv_joint_reactions(model[k], work[k], q, v, a, NULL, r[k]);
    assert_all_near_scaled("reactions", 6 * nj, r[0], r[1], 1e-12);
    for (int k = 0; k < 2; k++) zv_center_of_mass(model[k], work[k], q, c[k]);
    assert_all_near("centre of mass", 3, c[0], c[1], 1e-12);
    for (int k = 0; k < 2; k++) zv_energy(model[k], work[k], q, v, &energy[k][0], &energy[k][1]);
    assert_all_near_scaled("energy", 2, energy[0], energy[1], 1e-12);
    assert_near_relative(zv_model_mass(copy), zv_model_mass(built), 1e-14);
    for (int k = 0; k < 2; k++) zv_work_destroy(work[k]);
}

/* All methods of all tables, lanes in either precision and derivatives, on the copy alone. */
static void expect_agreement(const zvModel *copy) {
    zvError error = {0};
    zvAgreement *agreement = zv_agreement_create(copy, false, &error);
    zvWork *work = zv_work_create(copy, &error);
    zvAgreeOptions options = zv_agree_options_default();
    options.samples = 3;
    options.timing = 0;
    assert_non_null(agreement);
    assert_int_equal(zv_agree(copy, work, agreement, &options, &error), ZV_OK);
    for (size_t i = 0; i < zv_agreement_questions(agreement); i++) {
        const zvAgreeQuestion *question = zv_agreement_question(agreement, i);
        if (!question->agrees) fail_msg("%s: ratio %g", question->name, question->ratio);
    }
    zv_work_destroy(work);
    zv_agreement_destroy(agreement);
}

static int depth_of(const zvModel *model, int link) {
    int depth = 0;
    for (int i = model->link_places[link].body; i > 0; i = model->tree.body[i].parent) depth++;
    return depth;
}

static void every_method_sees_it(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        near_about("seed %d", (int)seed);
        zvError error = {0};
        const rtOptions options = options_of(seed);
        rtRandom random = {seed};
        rtTree *tree = rt_tree_create(9100 + seed, &options);
        zvModel *model = rt_tree_freeze(tree), *copy = zv_model_copy(model, &error);
        assert_non_null(copy);
        expect_same(copy, model, &random);
        for (int k = 0; k < 4; k++) {
            const int link = 1 + rt_below(&random, JOINTS);
            change(tree, &random, link, copy);
            assert_true(copy->payload->touched <= depth_of(copy, link_of(copy, tree, link)));
            zvModel *built = rt_tree_freeze(tree);
            assert_non_null(built);
            expect_same(copy, built, &random);
            zv_model_destroy(built);
        }
        if (zv_model_nv(copy) > 0) expect_agreement(copy);
        zv_model_destroy(copy);
        zv_model_destroy(model);
        free(tree);
    }
}

/* Every method for closed loops, before and after: the loops stay closed at q, forces and motion are those of a
 * mechanism that was built with the payload. */
static void closed_loops(void **state) {
    (void)state;
    size_t rows;
    const zvClosedMethod *methods = zv_closed_methods(&rows);
    int compared = 0;
    for (int index = 0; index < 40; index++) {
        near_about("closed mechanism %d", index);
        zvError error = {0};
        rcOptions options = rc_options_spread(index);
        rcCase c;
        options.elastic = false;
        options.loops = 1;
        assert_true(rc_open(&c, 9300 + (uint64_t)index, &options));
        zvModel *copy = zv_model_copy(c.model, &error);
        zvWork *work = zv_work_create(copy, &error); /* made before the change */
        const zvLoop *loops[RC_MAX_LOOPS];
        for (int i = 0; i < c.loops; i++) loops[i] = &c.loop[i].loop;
        for (int link = 1; link < c.tree->nlink; link += 2) change(c.tree, &c.random, link, copy);
        zvModel *built = rc_freeze(&c, loops, c.loops);
        zvWork *other = zv_work_create(built, &error);
        assert_true(copy && work && built && other);
        double *x = calloc(3 * ((size_t)c.nv + (size_t)c.rows) + 1, sizeof *x), *want = x + c.nv + c.rows,
               *without = want + c.nv + c.rows;
        assert_non_null(x);
        for (size_t k = 0; k < rows; k++) {
            const zvStatus status = methods[k].run(built, other, NULL, c.q, c.v, c.tau, c.fext, want, want + c.nv);
            assert_int_equal(methods[k].run(copy, work, NULL, c.q, c.v, c.tau, c.fext, x, x + c.nv), status);
            if (status != ZV_OK) continue;
            assert_all_near_scaled(methods[k].name, c.nv, x, want, 1e-9);
            assert_int_equal(methods[k].run(c.model, c.work, NULL, c.q, c.v, c.tau, c.fext, without, without + c.nv),
                             ZV_OK);
            compared += memcmp(without, want, (size_t)c.nv * sizeof *want) != 0;
        }
        free(x);
        zv_work_destroy(other);
        zv_work_destroy(work);
        zv_model_destroy(built);
        zv_model_destroy(copy);
        rc_close(&c);
    }
    assert_true(compared > 40);
}

/* How well loops are held is measured by the mass of their links, which a payload changes: links a hundred times as
 * heavy and as light are told as in a mechanism that was built with them. */
static void loops_are_measured_anew(void **state) {
    (void)state;
    for (int index = 0; index < 40; index++) {
        near_about("measured mechanism %d", index);
        zvError error = {0};
        rcOptions options = rc_options_spread(index);
        rcCase c;
        options.elastic = false;
        options.loops = 1;
        assert_true(rc_open(&c, 9700 + (uint64_t)index, &options));
        zvModel *copy = zv_model_copy(c.model, &error);
        const zvLoop *loops[RC_MAX_LOOPS];
        for (int i = 0; i < c.loops; i++) loops[i] = &c.loop[i].loop;
        for (int link = 1; link < c.tree->nlink; link++) {
            zvInertia *inertia = &c.tree->links[link].inertia;
            const double factor = index % 2 ? 100 : 0.01;
            inertia->mass *= factor;
            for (int k = 0; k < 6; k++) inertia->moment[k] *= factor;
            assert_int_equal(zv_model_set_link_inertia(copy, link_of(copy, c.tree, link), inertia), ZV_OK);
        }
        zvModel *built = rc_freeze(&c, loops, c.loops), *models[2] = {copy, built};
        zvSingularity told[2];
        double *a = calloc((size_t)c.nv + (size_t)c.rows + 1, sizeof *a);
        assert_true(a && built);
        for (int k = 0; k < 2; k++) {
            const zvClosing closing = {.singularity = &told[k]};
            zvWork *work = zv_work_create(models[k], &error);
            zv_closed_forward_dynamics(models[k], work, &closing, c.q, c.v, c.tau, NULL, a, a + c.nv);
            zv_work_destroy(work);
        }
        assert_named_near("margin", told[0].margin, told[1].margin, 1e-9);
        assert_int_equal(told[0].dropped, told[1].dropped);
        free(a);
        zv_model_destroy(built);
        zv_model_destroy(copy);
        rc_close(&c);
    }
}

/* Taken up and put down ten thousand times: no trace in bodies, reduced bodies and the mass of all. */
static void no_trace_is_left(void **state) {
    (void)state;
    zvError error = {0};
    const rtOptions options = rt_options_default(JOINTS);
    rtRandom random = {3};
    rtTree *tree = rt_tree_create(78, &options);
    zvModel *model = rt_tree_freeze(tree), *copy = zv_model_copy(model, &error);
    for (int k = 0; k < 10000; k++) {
        const int link = rt_below(&random, zv_model_nlink(copy));
        const zvInertia own = zv_model_link(model, link)->inertia;
        zvInertia loaded;
        rt_inertia(&random, true, &loaded);
        assert_int_equal(zv_model_set_link_inertia(copy, link, &loaded), ZV_OK);
        assert_int_equal(zv_model_set_link_inertia(copy, link, &own), ZV_OK);
    }
    for (int i = 1; i < model->tree.nb; i++) {
        const ziBody *body = &model->tree.body[i], *mine = &copy->tree.body[i];
        const ziReducedNumbers *numbers = &model->tree.reduced->numbers[i], *kept = &copy->tree.reduced->numbers[i];
        assert_near_relative(mine->m, body->m, 1e-14);
        assert_all_near_scaled("J", 12, mine->J, body->J, 1e-14);
        assert_all_near_scaled("K", 6, kept->K, numbers->K, 1e-11);
        assert_near(kept->mass, numbers->mass, 1e-13 * (1 + numbers->mass));
    }
    assert_near_relative(zv_model_mass(copy), zv_model_mass(model), 1e-14);
    expect_same(copy, model, &random);
    zv_model_destroy(copy);
    zv_model_destroy(model);
    free(tree);
}

/* The masses that rows of loops are measured by, in a closed mechanism, after ten thousand changes; a copy begins with
 * those of its model to the last bit. */
static void no_trace_is_left_of_loops(void **state) {
    (void)state;
    zvError error = {0};
    for (int index = 0; index < 4; index++) {
        near_about("closed mechanism %d", index);
        rcOptions options = rc_options_spread(index);
        rtRandom random = {(uint64_t)index + 5};
        rcCase c;
        options.elastic = false;
        options.loops = 1;
        assert_true(rc_open(&c, 9900 + (uint64_t)index, &options));
        zvModel *copy = zv_model_copy(c.model, &error);
        const size_t size = (size_t)copy->tree.nb * sizeof *copy->tree.beyond;
        assert_memory_equal(copy->tree.beyond, c.model->tree.beyond, size);
        for (int k = 0; k < 10000; k++) {
            const int link = rt_below(&random, zv_model_nlink(copy));
            const zvInertia own = zv_model_link(c.model, link)->inertia;
            zvInertia loaded;
            rt_inertia(&random, true, &loaded);
            assert_int_equal(zv_model_set_link_inertia(copy, link, &loaded), ZV_OK);
            assert_int_equal(zv_model_set_link_inertia(copy, link, &own), ZV_OK);
        }
        for (int i = 1; i < copy->tree.nb; i++)
            assert_near(copy->tree.beyond[i], c.model->tree.beyond[i], 4e-16 * c.model->tree.beyond[i]);
        zv_model_destroy(copy);
        rc_close(&c);
    }
}

/* A path whose masses are all taken away weighs nothing, not what rounding leaves of them: its loop is then measured by
 * the mass of the whole robot. 0.1 + 0.3 - 0.1 - 0.3 is 5.6e-17 in plain sums. */
static void massless_paths_weigh_nothing(void **state) {
    (void)state;
    static const char *const names[] = {"ground", "crank", "coupler", "rocker"};
    const double masses[] = {0, 0.1, 0.3, 2};
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    zvModel *model = NULL;
    for (int i = 0; i < 4; i++) {
        zvLink link = zv_link_default(names[i]);
        link.inertia = (zvInertia){.mass = masses[i]};
        assert_int_equal(zv_builder_add_link(builder, &link, &error), ZV_OK);
    }
    for (int i = 1; i < 4; i++) {
        zvJoint joint = zv_joint_default((const char *[]){"a", "b", "c"}[i - 1], ZV_JOINT_REVOLUTE,
                                         names[i == 3 ? 0 : i - 1], names[i]);
        joint.dof[0].armature = i == 3 ? 1 : 0;
        joint.origin.p[0] = 1;
        assert_int_equal(zv_builder_add_joint(builder, &joint, &error), ZV_OK);
    }
    const zvLoop loop = zv_loop_default("d", ZV_LOOP_JOINT, ZV_JOINT_REVOLUTE, "coupler", "rocker");
    assert_int_equal(zv_builder_add_loop(builder, &loop, &error), ZV_OK);
    if (zv_builder_freeze(builder, &model, &error) != ZV_OK) fail_msg("%s", error.text);
    zvModel *copy = zv_model_copy(model, &error);
    const int crank = zv_model_find_frame(model, "crank"), coupler = zv_model_find_frame(model, "coupler");
    const int root = model->link_places[crank].body;
    const zvInertia none = {0}, light = {.mass = 0.1}, heavy = {.mass = 0.3};
    assert_true(copy->tree.beyond[root] > 0.3);
    for (int k = 0; k < 3; k++) {
        zv_model_set_link_inertia(copy, crank, &none), zv_model_set_link_inertia(copy, coupler, &none);
        assert_true(copy->tree.beyond[root] == 0);
        zv_model_set_link_inertia(copy, crank, &light), zv_model_set_link_inertia(copy, coupler, &heavy);
        assert_near(copy->tree.beyond[root], 0.4, 1e-16);
    }
    zv_model_destroy(copy);
    zv_model_destroy(model);
    zv_builder_destroy(builder);
}

static void refusals(void **state) {
    (void)state;
    zvError error = {0};
    const rtOptions options = rt_options_default(3);
    rtTree *tree = rt_tree_create(1, &options);
    zvModel *model = rt_tree_freeze(tree), *copy = zv_model_copy(model, &error);
    const zvInertia good = {.mass = 2, .com = {0.1, 0, 0}, .moment = {0.1, 0, 0, 0.1, 0, 0.1}};
    const zvInertia before = zv_model_link(copy, 2)->inertia;
    zvInertia bad[7];
    for (int i = 0; i < 7; i++) bad[i] = good;
    bad[0].mass = -1;
    bad[1].mass = 0;        /* moments without mass */
    bad[2].moment[0] = 0.3; /* triangle */
    bad[3].moment[1] = 0.2; /* negative principal moment */
    bad[4].mass = NAN;
    bad[5].com[1] = INFINITY;
    bad[6].moment[4] = NAN;
    for (int i = 0; i < 7; i++)
        assert_int_equal(zv_model_set_link_inertia(copy, 2, &bad[i]), i < 4 ? ZV_PHYSICS : ZV_NUMBER);
    assert_memory_equal(&before, &zv_model_link(copy, 2)->inertia, sizeof before);
    assert_int_equal(zv_model_set_link_inertia(model, 2, &good), ZV_NOT_SUPPORTED); /* frozen */
    assert_int_equal(zv_model_set_link_inertia(copy, 2, &(zvInertia){0}), ZV_OK);   /* nothing at all */
    zv_model_destroy(copy);
    zv_model_destroy(model);
    free(tree);
}

/* Copies and workspaces in memory of the caller's, and a copy of a copy. */
static void memory_of_the_caller(void **state) {
    (void)state;
    zvError error = {0};
    const rtOptions options = rt_options_default(6);
    rtRandom random = {9};
    rtTree *tree = rt_tree_create(2, &options);
    zvModel *model = rt_tree_freeze(tree), *copy = NULL;
    const size_t size = zv_model_copy_size(model);
    unsigned char *block = aligned_alloc(ZV_ALIGNMENT, size + ZV_ALIGNMENT);
    assert_int_equal(zv_model_copy_init(block + 8, size, model, &copy, &error), ZV_SIZE);
    assert_null(copy);
    assert_int_equal(zv_model_copy_init(block, size - 1, model, &copy, &error), ZV_SIZE);
    assert_non_null(strstr(error.text, "expected"));
    block[size] = 77;
    assert_int_equal(zv_model_copy_init(block, size, model, &copy, &error), ZV_OK);
    assert_int_equal(block[size], 77);
    change(tree, &random, 3, copy);
    zvModel *second = zv_model_copy(copy, &error), *built = rt_tree_freeze(tree);
    memset(block, 0xff, size); /* the second needs the first model, not the copy between them */
    expect_same(second, built, &random);
    change(tree, &random, 4, second);
    zv_model_destroy(built);
    built = rt_tree_freeze(tree);
    expect_same(second, built, &random);

    const size_t work_size = zv_work_size(second);
    unsigned char *scratch = aligned_alloc(ZV_ALIGNMENT, (work_size + 127) / 64 * 64);
    zvWork *work = NULL;
    assert_int_equal(zv_work_init(scratch + 1, work_size, second, &work, &error), ZV_SIZE);
    assert_int_equal(zv_work_init(scratch, work_size - 1, second, &work, &error), ZV_SIZE);
    assert_null(work);
    assert_int_equal(zv_work_init(scratch, work_size, second, &work, &error), ZV_OK);
    double q[MOST], M[MOST * MOST];
    zv_neutral(second, q);
    zv_mass_matrix(second, work, q, M);
    zv_work_destroy(work); /* does nothing */
    free(scratch);
    free(block);
    zv_model_destroy(second);
    zv_model_destroy(built);
    zv_model_destroy(model);
    free(tree);
}

/* What an elastic link carries may change; the elastic link itself not. */
static void elastic_robots(void **state) {
    (void)state;
    zvError error = {0};
    int changed = 0, refused = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        near_about("elastic seed %d", (int)seed);
        btCase c;
        rtRandom random = {seed};
        rtOptions options = rt_options_default(5);
        options.frames = 0;
        bt_case_open(&c, seed, options, 2);
        zvModel *copy = zv_model_copy(c.model, &error);
        for (int link = 1; link < c.tree->nlink; link++) {
            if (c.tree->links[link].beam || c.tree->links[link].modal) {
                const zvInertia good = {.mass = 2, .moment = {0.1, 0, 0, 0.1, 0, 0.1}};
                const int at = link_of(copy, c.tree, link);
                assert_int_equal(zv_model_set_link_inertia(copy, at, &good), ZV_NOT_SUPPORTED);
                refused++;
            } else {
                change(c.tree, &random, link, copy);
                changed++;
            }
        }
        zvModel *built = rt_tree_freeze(c.tree);
        expect_same(copy, built, &random);
        zv_model_destroy(built);
        zv_model_destroy(copy);
        bt_case_close(&c);
    }
    assert_true(changed > 0 && refused > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_method_sees_it),
                                       cmocka_unit_test(closed_loops),
                                       cmocka_unit_test(loops_are_measured_anew),
                                       cmocka_unit_test(no_trace_is_left),
                                       cmocka_unit_test(no_trace_is_left_of_loops),
                                       cmocka_unit_test(massless_paths_weigh_nothing),
                                       cmocka_unit_test(refusals),
                                       cmocka_unit_test(memory_of_the_caller),
                                       cmocka_unit_test(elastic_robots)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
