/* Sections of elastic links as pictures get them, against the engine: of every joint and frame on an elastic link of
 * the models, the pose by the tables of its section is that of kinematics, in deformed states with a printed seed. */
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

enum { STATES = 5, MOST_Q = 64 };
static const uint64_t seed = 81604;

typedef struct Case {
    zvModel *model;
    zvWork *work;
    double q[MOST_Q];
    zvPose links[MOST_Q];
    int checked;
} Case;

static zvModel *read_model(const char *name) {
    char path[512];
    zvError error = {0};
    zvBuilder *b = zv_builder_create(&error);
    zvModel *model = NULL;
    snprintf(path, sizeof path, "%s/models/%s", ZV_SOURCE_DIR, name);
    if (zv_read_file(b, path, ZV_FORMAT_AUTO, &error) < 0 || zv_builder_freeze(b, &model, &error) < 0)
        fail_msg("%s: %s", name, error.text);
    zv_builder_destroy(b);
    return model;
}

static void multiply(const double A[9], const double B[9], double out[9]) {
    double sum[9] = {0};
    for (int i = 0; i < 27; i++) sum[i / 9 * 3 + i % 3] += A[i / 9 * 3 + i / 3 % 3] * B[i / 3 % 3 * 3 + i % 3];
    memcpy(out, sum, sizeof sum);
}

/* exp of the cross product with theta: its series for a 64th of it, squared six times. Nothing is shared with the
 * engine. */
static void rotation(const double theta[3], double R[9]) {
    const double x = theta[0] / 64, y = theta[1] / 64, z = theta[2] / 64, W[9] = {0, -z, y, z, 0, -x, -y, x, 0};
    double term[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    memcpy(R, term, sizeof term);
    for (int n = 1; n < 20; n++) {
        multiply(term, W, term);
        for (int i = 0; i < 9; i++) R[i] += term[i] /= n;
    }
    for (int n = 0; n < 6; n++) multiply(R, R, R);
}

/* Where something at `pose` of an elastic link stands in it, by the formula of model.h. */
static zvPose bent(const Case *c, int link, const zvPose *pose) {
    const zvElasticPlace place = zv_model_elastic_place(c->model, link);
    const int n = place.count;
    const double *e = c->q + place.q_index;
    double d[3 * MOST_Q], r[3 * MOST_Q], G[MOST_Q * MOST_Q], theta[3] = {0}, shortening = 0, off[3];
    zvElasticSection s;
    zvPose turned = zv_pose_identity(), at = zv_pose_identity();
    assert_true(n < MOST_Q && zv_model_elastic_section(c->model, link, pose->p, &s, d, r, G));
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) theta[k] += r[3 * i + k] * e[i], at.p[k] += d[3 * i + k] * e[i];
        for (int j = 0; j < n; j++) shortening += e[i] * G[n * i + j] * e[j] / 2;
    }
    assert_true(s.turns || theta[0] == 0);
    assert_true(s.shortens || shortening == 0);
    assert_true(hypot(hypot(theta[0], theta[1]), theta[2]) < 3); /* up to half a turn the engine is exact */
    rotation(theta, turned.R);
    for (int k = 0; k < 3; k++) {
        at.p[k] += s.pose.p[k] - s.pose.R[3 * k] * shortening;
        off[k] = pose->p[k] - s.pose.p[k];
    }
    zvPose moved = *pose;
    memcpy(moved.p, off, sizeof off);
    moved = zv_pose_compose(&turned, &moved);
    for (int k = 0; k < 3; k++) moved.p[k] += at.p[k];
    return zv_pose_compose(&c->links[link], &moved);
}

static void same_pose(const char *what, const zvPose *a, const zvPose *b) {
    near_about("%s", what);
    assert_all_near("R", 9, a->R, b->R, 1e-13);
    assert_all_near("p", 3, a->p, b->p, 1e-12); /* the models are some 10 m long */
}

static void check_frames(Case *c) {
    for (int i = zv_model_nlink(c->model); i < zv_model_nframe(c->model); i++) {
        const zvFrame frame = zv_model_frame(c->model, i);
        const int link = zv_model_find_frame(c->model, frame.link);
        zvPose engine;
        if (zv_model_elastic_place(c->model, link).count == 0) continue;
        const zvPose own = bent(c, link, &frame.pose);
        zv_frame_pose(c->model, c->work, c->q, i, &engine);
        same_pose(frame.name, &own, &engine);
        c->checked++;
    }
}

/* Fixed joints: the child stands where the joint does. The others are put to zero. */
static void check_joints(Case *c) {
    for (int i = 0; i < zv_model_njoint(c->model); i++) {
        const zvJoint *joint = zv_model_joint(c->model, i);
        const zvJointPlace place = zv_model_joint_place(c->model, i);
        if (zv_model_elastic_place(c->model, place.parent).count == 0) continue;
        const zvPose own = bent(c, place.parent, &joint->origin);
        same_pose(joint->name, &own, &c->links[place.child]);
        c->checked++;
    }
}

static void check_model(const char *name, rtRandom *random) {
    Case c = {.model = read_model(name)};
    c.work = zv_work_create(c.model, NULL);
    assert_true(c.work && zv_model_nq(c.model) <= MOST_Q && zv_model_nlink(c.model) <= MOST_Q);
    for (int state = 0; state < STATES; state++) {
        zv_neutral(c.model, c.q);
        for (int link = 0; link < zv_model_nlink(c.model); link++) {
            const zvElasticPlace place = zv_model_elastic_place(c.model, link);
            rt_vector(random, 0.08, place.count, c.q + place.q_index);
        }
        zv_link_poses(c.model, c.work, c.q, c.links);
        check_frames(&c);
        check_joints(&c);
    }
    print_message("%s: %d poses\n", name, c.checked);
    assert_true(c.checked >= STATES);
    zv_work_destroy(c.work);
    zv_model_destroy(c.model);
}

static void sections_stand_where_the_engine_puts_them(void **state) {
    (void)state;
    static const char *const names[] = {"flexible_arm.yaml", "flexible_free.yaml", "flexible_panel.yaml",
                                        "four_bar_elastic.yaml", "spin_beam.yaml"};
    rtRandom random = {seed};
    print_message("seed %llu\n", (unsigned long long)seed);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) check_model(names[i], &random);
}

TESTS(sections_stand_where_the_engine_puts_them)
