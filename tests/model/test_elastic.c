/* Coordinates of elastic links: order, names, units, positions; and what a model keeps of its description. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "elastic_robot.h"
#include "model/coordinate.h"
#include "model/tree.h"
#include "support/run_tests.h"

static void coordinates_follow_the_joint(void **state) {
    (void)state;
    zvBeam arm = beam(2, 1, 1, 1);
    zvModel *m = freeze(robot(&arm));
    static const char *const labels[] = {"shoulder",   "arm.y1", "arm.y2", "arm.z1", "arm.twist1",
                                         "arm.axial1", "wrist",  "hinge",  "rail"};
    static const char *const units[] = {"rad/s", "m/s", "m/s", "m/s", "rad/s", "m/s", "rad/s", "rad/s", "m/s"};
    const char *found[9];
    int dofs[9];
    assert_int_equal(zv_model_nq(m), 9);
    assert_int_equal(zv_model_nv(m), 9);
    assert_int_equal(zv_model_nelastic(m), 5);
    assert_int_equal(zv_model_nexternal(m), 6 * 7 + 5);
    for (int of_q = 0; of_q < 2; of_q++) {
        ziArena arena = {0};
        assert_true(zi_coordinate_labels(m, of_q, &arena, found));
        for (int i = 0; i < 9; i++) assert_string_equal(found[i], labels[i]);
        zi_arena_free(&arena);
    }
    zi_coordinate_units(m, false, ZV_QUANTITY_VELOCITY, found);
    zi_coordinates_of_dofs(m, dofs);
    for (int i = 0; i < 9; i++) {
        assert_string_equal(found[i], units[i]);
        assert_int_equal(dofs[i], i);
    }
    zi_coordinate_units(m, true, ZV_QUANTITY_POSITION, found);
    assert_string_equal(found[4], "rad");
    assert_string_equal(found[5], "m");
    zvElasticPlace place = zv_model_elastic_place(m, 1);
    assert_true(place.count == 5 && place.q_index == 1 && place.v_index == 1);
    assert_int_equal(zv_model_elastic_place(m, 2).count, 0);
    assert_string_equal(zv_model_elastic_part(m, 1, 3), "twist1");
    assert_string_equal(zv_model_elastic_unit(m, 1, 3, ZV_QUANTITY_FORCE), "N m");
    zv_model_destroy(m);
}

/* Followers have no coordinate of their own, their elastic links do. */
static void beside_coupled_mimics(void **state) {
    (void)state;
    zvBuilder *b = zv_builder_create(NULL);
    zvBeam bar = beam(1, 1, 0, 0);
    add_link(b, "base", 0, NULL);
    add_link(b, "left", 1, &bar);
    add_link(b, "right", 1, &bar);
    add_link(b, "third", 1, NULL);
    zvJoint *follower = add_joint(b, "l", ZV_JOINT_REVOLUTE, "base", "left", 0, 0, 0);
    follower->mimic = "r";
    follower->ratio = -2;
    follower->offset = 0.5;
    add_joint(b, "r", ZV_JOINT_REVOLUTE, "base", "right", 0, 0, 0);
    add_joint(b, "t", ZV_JOINT_REVOLUTE, "right", "third", L, 0, 0);
    zvModel *m = freeze(b);
    static const char *const labels[] = {"left.y1", "left.z1", "r", "right.y1", "right.z1", "t"};
    static const int master[] = {2, 0, 1, 2, 3, 4, 5}, own[] = {1, 2, 3, 4, 5, 6};
    const ziCoupling *c = &m->coupling;
    assert_true(m->nq == 6 && m->nv == 6 && m->tree.nq == 7 && m->tree.nv == 7 && c->count == 1);
    for (int i = 0; i < 7; i++) {
        assert_int_equal(c->q_master[i], master[i]);
        assert_int_equal(c->v_master[i], master[i]);
        assert_int_equal(c->follows[i], i == 0);
        assert_true(c->q_ratio[i] == (i ? 1 : -2) && c->v_ratio[i] == (i ? 1 : -2));
        assert_true(c->q_offset[i] == (i ? 0 : 0.5));
    }
    for (int i = 0; i < 6; i++) assert_int_equal(c->own_v[i], own[i]);
    ziArena arena = {0};
    const char *found[6];
    assert_true(zi_coordinate_labels(m, true, &arena, found));
    for (int i = 0; i < 6; i++) assert_string_equal(found[i], labels[i]);
    zi_arena_free(&arena);
    assert_true(zv_model_elastic_place(m, 1).q_index == 0 && zv_model_elastic_place(m, 2).q_index == 3);
    double q[6] = {1, 2, 3, 4, 5, 6}, v[6] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, out[6];
    zv_position_add(m, q, v, out);
    for (int i = 0; i < 6; i++) assert_true(out[i] == q[i] + v[i]);
    zv_model_destroy(m);
}

/* Positions: plain numbers behind a quaternion. */
static void positions(void **state) {
    (void)state;
    zvBuilder *b = zv_builder_create(NULL);
    zvBeam bar = beam(1, 1, 0, 0);
    add_link(b, "base", 0, NULL);
    add_link(b, "bar", 1, &bar);
    add_link(b, "end", 1, NULL);
    add_joint(b, "ball", ZV_JOINT_SPHERICAL, "base", "bar", 0, 0, 0);
    add_joint(b, "pin", ZV_JOINT_REVOLUTE, "bar", "end", L, 0, 0);
    zvModel *m = freeze(b);
    assert_true(m->nq == 7 && m->nv == 6);
    double q[7] = {9, 9, 9, 9, 9, 9, 9}, v[6] = {0, 0, 0.5, 0.1, 0.2, 0.3}, out[7];
    int dofs[6];
    zv_neutral(m, q);
    for (int i = 0; i < 7; i++) assert_true(q[i] == (i == 3));
    q[4] = 1;
    q[6] = 2;
    zv_position_add(m, q, v, out);
    assert_true(fabs(out[2] - sin(0.25)) < 1e-15 && out[4] == 1.1 && out[5] == 0.2 && out[6] == 2.3);
    zv_position_rate(m, q, v, out);
    assert_true(fabs(out[2] - 0.25) < 1e-15 && out[4] == 0.1 && out[5] == 0.2 && out[6] == 0.3);
    q[3] = 2;
    assert_true(zv_position_normalize(m, q) == 1 && q[4] == 1 && q[6] == 2);
    zi_coordinates_of_dofs(m, dofs);
    static const int expected[] = {-1, -1, -1, 4, 5, 6};
    for (int i = 0; i < 6; i++) assert_int_equal(dofs[i], expected[i]);
    zv_model_destroy(m);
}

/* A model is one block whatever is in it: an upper bound that is too small would make a second. */
static void expect_one_block(const zvModel *m) {
    const void *next;
    memcpy(&next, m->arena.blocks, sizeof next); /* a block starts with the address of the next */
    assert_null(next);
}

/* Adding and freezing copy: the caller's arrays are gone before the model is made, the builder before it is asked. */
static void everything_is_copied(void **state) {
    (void)state;
    enum { N = 2, SIZE = 4096 };
    double *block = calloc(SIZE, sizeof *block);
    char(*texts)[16] = calloc(4, sizeof *texts);
    snprintf(texts[0], 16, "flap");
    snprintf(texts[1], 16, "bow");
    snprintf(texts[2], 16, "tip");
    const char **names = malloc(N * sizeof *names);
    names[0] = texts[0];
    names[1] = texts[1];
    double *K = block, *ratios = block + 8, *shape = block + 16, *far = block + 32;
    K[0] = 10, K[3] = 20, ratios[0] = 0.01, ratios[1] = 0.02;
    for (int i = 0; i < 12; i++) shape[i] = i == 1 || i == 8, far[i] = i == 1 || i == 8 || i == 9;
    zvModalNode *nodes = calloc(2, sizeof *nodes);
    nodes[0] = (zvModalNode){.at = {1, 0, 0}, .mass = 2, .shape = shape};
    nodes[1] = (zvModalNode){.at = {0, 0, 0}, .mass = 1, .moment = {1, 0, 0, 1, 0, 1}, .shape = block + 48};
    zvModalInterface *interfaces = calloc(1, sizeof *interfaces);
    interfaces[0] = (zvModalInterface){.name = texts[2], .at = {1, 2, 3}, .shape = far};
    zvModal *modal = calloc(1, sizeof *modal);
    *modal = (zvModal){.count = N, .names = names, .stiffness = K, .node_count = 2, .nodes = nodes};
    modal->damping = (zvElasticDamping){.count = 2, .ratios = ratios};
    modal->interface_count = 1;
    modal->interfaces = interfaces;
    zvBeam *bar = malloc(sizeof *bar);
    *bar = beam(2, 0, 0, 0);
    bar->damping = (zvElasticDamping){.count = 2, .ratios = ratios};
    zvBuilder *b = zv_builder_create(NULL);
    add_link(b, "base", 0, NULL);
    add_link(b, "bar", 0, bar);
    zvLink plate = zv_link_default("plate");
    plate.modal = modal;
    assert_int_equal(zv_builder_add_link(b, &plate, NULL), ZV_OK);
    add_link(b, "end", 1, NULL);
    add_joint(b, "a", ZV_JOINT_REVOLUTE, "base", "bar", 0, 0, 0);
    add_joint(b, "b", ZV_JOINT_REVOLUTE, "bar", "plate", L, 0, 0);
    add_joint(b, "c", ZV_JOINT_REVOLUTE, "plate", "end", 1, 2, 3 + 1e-10);
    for (int i = 0; i < SIZE; i++) block[i] = NAN;
    memset(texts, 'x', 4 * sizeof *texts);
    memset(modal, 0xff, sizeof *modal);
    memset(bar, 0xff, sizeof *bar);
    free(block), free(texts), free(names), free(nodes), free(interfaces), free(modal), free(bar);
    zvModel *m = freeze(b);
    expect_one_block(m);
    const zvModal *kept = zv_model_link(m, 2)->modal;
    assert_string_equal(kept->names[1], "bow");
    assert_string_equal(kept->interfaces[0].name, "tip");
    assert_true(kept->stiffness[3] == 20 && kept->nodes[0].shape[8] == 1 && kept->damping.ratios[1] == 0.02);
    assert_true(zv_model_link(m, 1)->beam->length == L && zv_model_link(m, 1)->beam->damping.ratios[0] == 0.01);
    assert_string_equal(zv_model_elastic_part(m, 2, 0), "flap");
    assert_string_equal(zv_model_elastic_unit(m, 2, 0, ZV_QUANTITY_POSITION), "1");
    assert_string_equal(zv_model_elastic_unit(m, 2, 0, ZV_QUANTITY_VELOCITY), "1/s");
    double M[4];
    zv_model_elastic_matrices(m, 2, M, NULL, NULL);
    assert_true(M[0] == 2 && M[1] == 0 && M[3] == 2);
    const ziAttachment *st = &m->tree.attachment[1];
    assert_true(st->body == 2 && st->at[2] == 3 && st->d[1] == 1 && st->d[5] == 1 && st->r[3] == 1 && !st->G);
    assert_true(fabs(m->tree.body[3].r[2] - 1e-10) < 1e-15 && m->tree.body[2].m == 3);
    zv_model_destroy(m);
}

/* Generalised masses without nodes: the link's inertia is the whole one, and modes without names are numbered. */
static void modal_data_without_nodes(void **state) {
    (void)state;
    const double mass[] = {1}, stiffness[] = {9}, translation[] = {0, 0.5, 0}, rotation[] = {0, 0, 0.2};
    const double shape[6] = {0, 1, 0, 0, 0, 0.5};
    const zvModalInterface tip = {"tip", {1, 0, 0}, shape};
    const zvModal modal = {.count = 1,
                           .mass = mass,
                           .stiffness = stiffness,
                           .translation = translation,
                           .rotation = rotation,
                           .interface_count = 1,
                           .interfaces = &tip};
    zvBuilder *b = zv_builder_create(NULL);
    add_link(b, "base", 0, NULL);
    add_link(b, "plate", 2, NULL);
    zvLink *plate = zv_builder_link(b, 1);
    plate->modal = &modal;
    zvInertia own = plate->inertia;
    add_joint(b, "pin", ZV_JOINT_REVOLUTE, "base", "plate", 0, 0, 0);
    zvModel *m = freeze(b);
    assert_string_equal(zv_model_elastic_part(m, 1, 0), "mode1");
    assert_true(m->tree.body[1].m == own.mass && fabs(m->tree.body[1].h[0] - own.mass * own.com[0]) < 1e-16);
    const ziElastic *el = m->tree.body[1].elastic;
    assert_true(el->S1[1] == 0.5 && el->L0[2] == 0.2 && el->K[0] == 9 && el->M_factor[0] == 1);
    zv_model_destroy(m);
}

/* A plate of many nodes and interfaces, all with the same two modes. */
static void add_plate(zvBuilder *b, int nodes, int interfaces) {
    static const double K[4] = {4, 0, 0, 9}, shape[12] = {0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0};
    static const char *const names[2] = {"up", "aside"};
    zvModalNode *node = calloc((size_t)nodes, sizeof *node);
    zvModalInterface *face = calloc((size_t)interfaces, sizeof *face);
    char(*texts)[16] = calloc((size_t)interfaces, sizeof *texts);
    for (int i = 0; i < nodes; i++) node[i] = (zvModalNode){.at = {i, 1, 0}, .mass = 1, .shape = shape};
    for (int i = 0; i < interfaces; i++) {
        snprintf(texts[i], sizeof *texts, "face%d", i);
        face[i] = (zvModalInterface){texts[i], {i, 0, 0}, shape};
    }
    zvModal modal = {.count = 2, .names = names, .stiffness = K, .node_count = nodes, .nodes = node};
    modal.interface_count = interfaces;
    modal.interfaces = face;
    zvLink link = zv_link_default("plate");
    link.modal = &modal;
    assert_int_equal(zv_builder_add_link(b, &link, NULL), ZV_OK);
    free(node);
    free(face);
    free(texts);
}

static void models_are_one_block(void **state) {
    (void)state;
    for (int modes = 1; modes <= 9; modes++) {
        zvBeam arm = beam(modes, modes, modes, modes);
        arm.shapes = ZV_SHAPES_CLAMPED_FREE;
        zvModel *m = freeze(robot(&arm));
        expect_one_block(m);
        zv_model_destroy(m);
    }
    zvBuilder *b = zv_builder_create(NULL);
    add_link(b, "base", 0, NULL);
    add_plate(b, 400, 300);
    add_joint(b, "root", ZV_JOINT_REVOLUTE, "base", "plate", 0, 0, 0);
    for (int i = 0; i < 10; i++) {
        char name[16];
        snprintf(name, sizeof name, "frame%d", i);
        add_frame(b, name, "plate", 30 * i, 0, 0);
    }
    zvModel *m = freeze(b);
    expect_one_block(m);
    assert_true(m->tree.ns == 0 && m->frame_attachments[9] == 9 && m->tree.attachment[9].at[0] == 270);
    zv_model_destroy(m);
}

TESTS(coordinates_follow_the_joint, beside_coupled_mimics, positions, everything_is_copied, modal_data_without_nodes,
      models_are_one_block)
