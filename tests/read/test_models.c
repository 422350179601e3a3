/* The library of robots in models/: every file reads, freezes, has the expected size and mass and can move; where a
 * robot is written twice, natively and as URDF, both files describe the same robot. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"
#include "zveno/zveno.h"

enum { MAX_COORDINATES = 64, MAX_LINKS = 64, PATH = 512 };
static const double tolerance = 1e-12;

typedef struct Expected {
    const char *file;
    int nq, nv;
    double mass; /* of the moving links, kg */
} Expected;

/* URDF has no free base, hence the smaller sizes of the walking robots there. */
static const Expected expected[] = {
    {"bricard.yaml", 5, 5, 5},
    {"capture.yaml", 17, 15, 200},
    {"chain10.urdf", 10, 10, 10},
    {"chain10.yaml", 10, 10, 10},
    {"cobot7.urdf", 8, 8, 16.56},
    {"cobot7.yaml", 8, 8, 16.56},
    {"delta.yaml", 10, 9, 1.86},
    {"disk_and_wheel.yaml", 2, 2, 2},
    {"double_pendulum.yaml", 2, 2, 2},
    {"double_pendulum_rods.yaml", 2, 2, 3},
    {"five_bar.yaml", 4, 4, 7.5},
    {"flexible_arm.yaml", 8, 8, 285.63950157759245},
    {"flexible_arm_two.yaml", 12, 12, 285.63950157759245},
    {"flexible_free.yaml", 16, 15, 79.324446484502},
    {"flexible_panel.yaml", 11, 10, 114},
    {"four_bar_elastic.yaml", 6, 6, 0.9884},
    {"humanoid50.urdf", 44, 44, 75 - 8.3775},
    {"humanoid50.yaml", 51, 50, 75},
    {"industrial6.urdf", 6, 6, 200.2},
    {"industrial6.yaml", 6, 6, 200.2},
    {"joints_zoo.yaml", 26, 24, 12.2},
    {"parallelogram.yaml", 4, 4, 7.5},
    {"parallelogram_decoupled.yaml", 4, 4, 7.5},
    {"puma560.urdf", 6, 6, 23.45},
    {"puma560.yaml", 6, 6, 23.45},
    {"quadruped.urdf", 12, 12, 7.28},
    {"quadruped.yaml", 19, 18, 14.28},
    {"rrp.yaml", 3, 3, 34},
    {"rrp_rail.yaml", 3, 3, 34},
    {"scara.urdf", 4, 4, 12.7},
    {"scara.yaml", 4, 4, 12.7},
    {"spin_beam.yaml", 7, 7, 12},
    {"ssrms7.yaml", 7, 7, 352.5},
    {"ssrms_flexible.yaml", 24, 23, 1505.3199423955493},
    {"ssrms_free.yaml", 14, 13, 1505.32},
    {"stewart.yaml", 25, 24, 17.4},
    {"two_link.yaml", 2, 2, 10},
    {"two_link_geared.yaml", 2, 2, 10},
};
enum { EXPECTED = sizeof expected / sizeof *expected };

static bool ends_with(const char *text, const char *end) {
    size_t n = strlen(text), k = strlen(end);
    return n >= k && strcmp(text + n - k, end) == 0;
}

static zvModel *read_model(const char *file, bool free_base) {
    char path[PATH], line[1024];
    snprintf(path, sizeof path, "%s/models/%s", ZV_SOURCE_DIR, file);
    zvError error = {0};
    zvModel *model = NULL;
    zvBuilder *builder = zv_builder_create(&error);
    assert_non_null(builder);
    zvStatus status = zv_read_file(builder, path, ZV_FORMAT_AUTO, &error);
    if (free_base) zv_builder_set_free_base(builder, true);
    if (status >= 0) status = zv_builder_freeze(builder, &model, &error);
    if (status < 0) fail_msg("%s", zv_error_line(&error, line, sizeof line));
    zv_builder_destroy(builder);
    assert_true(zv_model_nq(model) <= MAX_COORDINATES && zv_model_nlink(model) <= MAX_LINKS);
    return model;
}

static zvWork *create_work(const zvModel *model) {
    zvError error = {0};
    zvWork *work = zv_work_create(model, &error);
    assert_non_null(work);
    return work;
}

/* Joints anywhere; elastic links bent by centimetres, which is what they are made for. */
static void random_state(const zvModel *model, rtRandom *random, double *q, double *v, double *a) {
    double neutral[MAX_COORDINATES], step[MAX_COORDINATES];
    zv_neutral(model, neutral);
    rt_vector(random, 1.5, zv_model_nv(model), step);
    for (int i = 0; i < zv_model_nlink(model); i++) {
        const zvElasticPlace place = zv_model_elastic_place(model, i);
        for (int k = 0; k < place.count; k++) step[place.v_index + k] *= 0.02;
    }
    zv_position_add(model, neutral, step, q);
    rt_vector(random, 1, zv_model_nv(model), v);
    rt_vector(random, 1, zv_model_nv(model), a);
}

static double largest(const double *x, int count) {
    double max = 0;
    for (int i = 0; i < count; i++) max = fmax(max, fabs(x[i]));
    return max;
}

/* Single files ------------------------------------------------------------------------------------ */

static void every_file_is_known(void **state) {
    (void)state;
    DIR *folder = opendir(ZV_SOURCE_DIR "/models");
    assert_non_null(folder);
    int found = 0;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        if (!ends_with(entry->d_name, ".yaml") && !ends_with(entry->d_name, ".urdf")) continue;
        int known = 0;
        for (int i = 0; i < EXPECTED; i++) known += strcmp(expected[i].file, entry->d_name) == 0;
        if (known != 1) fail_msg("models/%s stands %d times in the table of this test", entry->d_name, known);
        found++;
    }
    closedir(folder);
    assert_int_equal(found, EXPECTED);
}

static void sizes_and_masses(void **state) {
    (void)state;
    for (int i = 0; i < EXPECTED; i++) {
        zvModel *model = read_model(expected[i].file, false);
        print_message("%s\n", expected[i].file);
        assert_int_equal(zv_model_nq(model), expected[i].nq);
        assert_int_equal(zv_model_nv(model), expected[i].nv);
        assert_element_near(expected[i].file, 0, zv_model_mass(model), expected[i].mass,
                            tolerance * (1 + expected[i].mass));
        size_t stem = strlen(expected[i].file) - strlen(".yaml");
        assert_int_equal(strlen(zv_model_name(model)), stem);
        assert_memory_equal(zv_model_name(model), expected[i].file, stem);
        assert_true(zv_model_nshape(model) > 0);
        zv_model_destroy(model);
    }
}

static bool fail_on_finding(void *context, const zvFinding *finding) {
    const char *file = context;
    if (finding->severity == ZV_SEVERITY_NOTE) return true;
    bool puma = strncmp(file, "puma560", 7) == 0 && strcmp(finding->rule, "triangle-inequality") == 0;
    if (!puma) fail_msg("%s: %s %s", file, finding->element, finding->why);
    return true;
}

/* Only what is published so may be doubtful: a measured moment. */
static void nothing_is_doubtful(void **state) {
    (void)state;
    for (int i = 0; i < EXPECTED; i++) {
        char path[PATH], file[64];
        snprintf(file, sizeof file, "%s", expected[i].file);
        snprintf(path, sizeof path, "%s/models/%s", ZV_SOURCE_DIR, file);
        zvError error = {0};
        zvBuilder *builder = zv_builder_create(&error);
        assert_non_null(builder);
        assert_true(zv_read_file(builder, path, ZV_FORMAT_AUTO, &error) >= 0);
        assert_true(zv_check(builder, fail_on_finding, file, &error) >= 0);
        zv_builder_destroy(builder);
    }
}

/* Forward dynamics undoes inverse dynamics: no part is massless that can move, nothing is lost on the way. The bound is
 * the rounding of 64 coordinates times the condition of light fingers on heavy trunks. */
static void every_robot_moves(void **state) {
    (void)state;
    const uint64_t seed = 1974;
    rtRandom random = {seed};
    for (int i = 0; i < EXPECTED; i++) {
        zvModel *model = read_model(expected[i].file, false);
        zvWork *work = create_work(model);
        double q[MAX_COORDINATES], v[MAX_COORDINATES], a[MAX_COORDINATES], tau[MAX_COORDINATES], b[MAX_COORDINATES];
        random_state(model, &random, q, v, a);
        zv_inverse_dynamics(model, work, q, v, a, NULL, tau);
        assert_int_equal(zv_forward_dynamics(model, work, q, v, tau, NULL, b), ZV_OK);
        for (int k = 0; k < zv_model_nv(model); k++) {
            if (fabs(a[k] - b[k]) < 1e-8) continue;
            fail_msg("%s, seed %llu, a[%d]: %.17g, %.17g", expected[i].file, (unsigned long long)seed, k, a[k], b[k]);
        }
        zv_work_destroy(work);
        zv_model_destroy(model);
    }
}

/* Pairs ------------------------------------------------------------------------------------------- */

static void assert_same_joint(const zvModel *x, const zvModel *y, int joint) {
    const zvJoint *a = zv_model_joint(x, joint), *b = zv_model_joint(y, joint);
    zvJointPlace p = zv_model_joint_place(x, joint), r = zv_model_joint_place(y, joint);
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->type, b->type);
    assert_int_equal(p.q_index, r.q_index);
    assert_int_equal(p.mimic, r.mimic);
    for (int k = 0; k < zv_joint_type_nv(a->type); k++) {
        const zvDof *s = &a->dof[k], *t = &b->dof[k];
        assert_int_equal(s->has_limits, t->has_limits);
        assert_element_near(a->name, k, s->lower, t->lower, tolerance * (1 + 1));
        assert_element_near(a->name, k, s->upper, t->upper, tolerance * (1 + 1));
        assert_element_near(a->name, k, s->effort, t->effort, tolerance * (1 + s->effort));
        assert_element_near(a->name, k, s->velocity, t->velocity, tolerance * (1 + s->velocity));
        assert_element_near(a->name, k, s->damping, t->damping, tolerance * (1 + s->damping));
        assert_element_near(a->name, k, s->friction, t->friction, tolerance * (1 + s->friction));
    }
}

static void assert_same_pose(const zvPose *a, const zvPose *b, const char *what) {
    for (int k = 0; k < 9; k++) assert_element_near(what, k, a->R[k], b->R[k], tolerance * (1 + 1));
    for (int k = 0; k < 3; k++) assert_element_near(what, k, a->p[k], b->p[k], tolerance * (1 + 10));
}

static void assert_same_parts(const zvModel *x, const zvModel *y) {
    assert_int_equal(zv_model_nlink(x), zv_model_nlink(y));
    assert_int_equal(zv_model_njoint(x), zv_model_njoint(y));
    assert_int_equal(zv_model_nshape(x), zv_model_nshape(y));
    for (int i = 0; i < zv_model_nlink(x); i++) {
        assert_string_equal(zv_model_link(x, i)->name, zv_model_link(y, i)->name);
    }
    for (int i = 0; i < zv_model_njoint(x); i++) assert_same_joint(x, y, i);
}

static bool same_shape(const zvShape *a, const zvShape *b) {
    double far = strcmp(a->link, b->link) != 0 || a->kind != b->kind;
    for (int k = 0; k < 3; k++) far += fabs(a->size[k] - b->size[k]) + fabs(a->pose.p[k] - b->pose.p[k]);
    for (int k = 0; k < 4; k++) far += fabs(a->color[k] - b->color[k]);
    for (int k = 0; k < 9; k++) far += fabs(a->pose.R[k] - b->pose.R[k]);
    return far < tolerance;
}

/* Shapes keep the order of their file, and the native file may list those of chain rows after those of other links. */
static void assert_same_shapes(const zvModel *x, const zvModel *y) {
    for (int i = 0; i < zv_model_nshape(x); i++) {
        const zvShape *shape = zv_model_shape(x, i);
        int matches = 0;
        for (int k = 0; k < zv_model_nshape(y); k++) matches += same_shape(shape, zv_model_shape(y, k));
        if (matches != 1) fail_msg("shape %d of link %s occurs %d times in the other file", i, shape->link, matches);
    }
}

/* What the rotors add: URDF cannot express it. */
static void add_armature(const zvModel *model, const double *a, double sign, double *tau) {
    for (int i = 0; i < zv_model_njoint(model); i++) {
        zvJointPlace place = zv_model_joint_place(model, i);
        for (int k = 0; k < place.nv; k++) {
            int at = place.v_index + k;
            tau[at] += sign * zv_model_joint(model, i)->dof[k].armature * a[at];
        }
    }
}

static void assert_same_motion(const zvModel *x, const zvModel *y, rtRandom *random) {
    double q[MAX_COORDINATES], v[MAX_COORDINATES], a[MAX_COORDINATES], s[MAX_COORDINATES], t[MAX_COORDINATES];
    zvPose poses[2][MAX_LINKS];
    zvWork *on_x = create_work(x), *on_y = create_work(y);
    random_state(x, random, q, v, a);
    zv_link_poses(x, on_x, q, poses[0]);
    zv_link_poses(y, on_y, q, poses[1]);
    for (int i = 0; i < zv_model_nlink(x); i++) {
        assert_same_pose(&poses[0][i], &poses[1][i], zv_model_link(x, i)->name);
    }
    zv_inverse_dynamics(x, on_x, q, v, a, NULL, s);
    zv_inverse_dynamics(y, on_y, q, v, a, NULL, t);
    add_armature(x, a, -1, s);
    add_armature(y, a, -1, t);
    int nv = zv_model_nv(x);
    for (int k = 0; k < nv; k++)
        assert_element_near("inverse dynamics", k, s[k], t[k], tolerance * (1 + largest(s, nv)));
    zv_work_destroy(on_x);
    zv_work_destroy(on_y);
}

static void native_and_urdf_agree(void **state) {
    (void)state;
    const uint64_t seed = 1957;
    rtRandom random = {seed};
    int pairs = 0;
    for (int i = 0; i < EXPECTED; i++) {
        if (!ends_with(expected[i].file, ".urdf")) continue;
        char native[PATH];
        snprintf(native, sizeof native, "%.*s.yaml", (int)(strlen(expected[i].file) - 5), expected[i].file);
        print_message("%s, seed %llu\n", native, (unsigned long long)seed);
        zvModel *x = read_model(native, false);
        zvModel *y = read_model(expected[i].file, zv_model_find_joint(x, "root_joint") >= 0);
        assert_string_equal(zv_model_name(x), zv_model_name(y));
        assert_int_equal(zv_model_nq(x), zv_model_nq(y));
        assert_int_equal(zv_model_nv(x), zv_model_nv(y));
        assert_same_parts(x, y);
        assert_same_shapes(x, y);
        for (int k = 0; k < 5; k++) assert_same_motion(x, y, &random);
        zv_model_destroy(x);
        zv_model_destroy(y);
        pairs++;
    }
    assert_int_equal(pairs, 7);
}

TESTS(every_file_is_known, sizes_and_masses, nothing_is_doubtful, every_robot_moves, native_and_urdf_agree)
