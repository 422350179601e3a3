/* Bodies of elastic links and the sections that carry others. Shapes are powers, so that everything can be written
 * down. */
#include <math.h>

#include "beam/modes.h"
#include "elastic_robot.h"
#include "model/elastic.h"
#include "model/tree.h"
#include "support/near.h"
#include "support/run_tests.h"

/* Bodies: 0 ground, 1 arm, 2 hand, 3 box with lid, 4 flap, 5 slide. */
static void an_elastic_link_is_alone(void **state) {
    (void)state;
    static const int parent[] = {0, 0, 1, 1, 3, 1}, v[] = {0, 0, 6, 7, 7, 8}, nv[] = {0, 1, 1, 0, 1, 1};
    static const int v_end[] = {9, 9, 7, 8, 8, 9}, dof_parent[] = {-1, 0, 1, 2, 3, 4, 5, 5, 5};
    static const int dof_body[] = {1, 1, 1, 1, 1, 1, 2, 4, 5}, link_body[] = {0, 1, 2, 3, 3, 4, 5};
    zvBeam arm = beam(2, 1, 1, 1);
    zvModel *m = freeze(robot(&arm));
    const ziTree *t = &m->tree;
    assert_int_equal(t->nb, 6);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(t->body[i].parent, parent[i]);
        assert_int_equal(t->body[i].v_end, v_end[i]);
        assert_true((t->body[i].elastic != NULL) == (i == 1));
        if (i) assert_int_equal(t->body[i].v, v[i]);
        if (i) assert_int_equal(t->body[i].nv, nv[i]);
    }
    for (int i = 0; i < 9; i++) {
        assert_int_equal(t->dof_parent[i], dof_parent[i]);
        assert_int_equal(t->dof_body[i], dof_body[i]);
        assert_true(t->armature[i] == (i == 0 ? 0.7 : 0));
    }
    for (int i = 0; i < 7; i++) {
        assert_int_equal(zv_model_frame_body(m, i), link_body[i]);
        assert_int_equal(m->link_elastic[i], i == 1);
    }
    assert_int_equal(t->body[3].type, ZV_JOINT_FIXED);
    assert_true(t->body[3].m == 2);
    assert_true(t->ne == 5 && t->max_modes == 7 && t->modes_squared == 49 && t->attachment_modes == 5 * 4);
    const ziElastic *el = t->body[1].elastic;
    assert_true(el->n == 5 && el->q == 1 && el->v == 1 && el->attachment == 0 && el->attachments == 3);
    assert_true(fabs(zv_model_mass(m) - (2 + 1.5 * L + 5)) < 1e-14);
    zv_model_destroy(m);
}

/* The arm's joint turns about y; its body's axes x, y, z are the link's z, x, y. */
static void expect_turned(const double *found, double x, double y, double z) {
    const double expected[3] = {z, x, y};
    assert_all_near("turned", 3, found, expected, 1e-14);
}

/* Powers at s = x / L: s^2 and s^3 in bending, s in twist and extension; section turns by slopes. */
static void check_attachment(const ziAttachment *st, double x) {
    double s = x / L;
    expect_turned(st->at, x, 0, 0);
    expect_turned(st->d + 0, 0, s * s, 0);
    expect_turned(st->d + 3, 0, s * s * s, 0);
    expect_turned(st->d + 6, 0, 0, s * s);
    expect_turned(st->d + 9, 0, 0, 0);
    expect_turned(st->d + 12, s, 0, 0);
    expect_turned(st->r + 0, 0, 0, 2 * s / L);
    expect_turned(st->r + 3, 0, 0, 3 * s * s / L);
    expect_turned(st->r + 6, 0, -2 * s / L, 0);
    expect_turned(st->r + 9, s, 0, 0);
    expect_turned(st->r + 12, 0, 0, 0);
    const double G[3] = {4. / 3 * s * s * s / L, 6. / 4 * s * s * s * s / L, 9. / 5 * pow(s, 5) / L};
    assert_true(fabs(st->G[0] - G[0]) < 1e-14 && fabs(st->G[1] - G[1]) < 1e-14 && fabs(st->G[6] - G[2]) < 1e-14);
    assert_true(fabs(st->G[12] - G[0]) < 1e-14 && fabs(st->G[2]) < 1e-14 && fabs(st->G[24]) < 1e-14);
}

static void sections_carry_what_hangs_on_them(void **state) {
    (void)state;
    zvBeam arm = beam(2, 1, 1, 1);
    zvModel *m = freeze(robot(&arm));
    const ziTree *t = &m->tree;
    assert_int_equal(t->ns, 3);
    check_attachment(&t->attachment[0], L);
    check_attachment(&t->attachment[1], 0.5);
    check_attachment(&t->attachment[2], L / 2);
    check_attachment(&t->attachment[3], 1.5);
    static const int base[] = {0, 0, 6 + 0, 6 + 1, 3, 6 + 2};
    for (int i = 1; i < t->nb; i++) assert_int_equal(t->body[i].base, base[i]);
    expect_turned(t->body[2].r, 0, 0.1, -0.2); /* what is off the axis stays */
    expect_turned(t->body[3].r, 0, 0, 0);
    static const int attachments[] = {2, 3, 3, -1};
    for (int i = 0; i < 4; i++) assert_int_equal(zi_frame_attachment(m, m->nlink + i), attachments[i]);
    for (int i = 0; i < m->nlink; i++) assert_int_equal(zi_frame_attachment(m, i), -1);
    expect_turned(zi_frame_in_body(m, m->nlink).p, 0, 0.3, 0);
    expect_turned(zi_frame_in_body(m, m->nlink + 1).p, 0, 0, 0);
    expect_turned(zi_frame_in_body(m, m->nlink + 2).p, 0, 0.5, 0);
    zv_model_destroy(m);
}

/* Where each body's frame is when nothing moves and nothing bends, by way of sections. */
static void place_bodies(const ziTree *t, zvPose *poses) {
    poses[0] = zv_pose_identity();
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        zvPose seat = poses[b->parent], in = zv_pose_identity();
        if (b->base >= t->nb) {
            memcpy(in.p, t->attachment[b->base - t->nb].at, sizeof in.p);
            assert_int_equal(t->attachment[b->base - t->nb].body, b->parent);
            seat = zv_pose_compose(&seat, &in);
        } else {
            assert_int_equal(b->base, b->parent);
        }
        for (int k = 0; k < 9; k++) in.R[k] = b->E[4 * (k % 3) + k / 3];
        memcpy(in.p, b->r, sizeof in.p);
        poses[i] = zv_pose_compose(&seat, &in);
    }
}

static double far_apart(const zvPose *a, const zvPose *b) {
    double worst = 0;
    for (int k = 0; k < 9; k++) worst = fmax(worst, fabs(a->R[k] - b->R[k]));
    for (int k = 0; k < 3; k++) worst = fmax(worst, fabs(a->p[k] - b->p[k]));
    return worst;
}

/* Undeformed, every link and frame is where the origins of the joints above it lead. */
static void undeformed_is_as_described(void **state) {
    (void)state;
    zvBeam arm = beam(1, 1, 1, 1);
    zvModel *m = freeze(robot(&arm));
    zvPose bodies[6], links[7];
    place_bodies(&m->tree, bodies);
    links[0] = zv_pose_identity();
    for (int i = 1; i < m->nlink; i++) {
        links[i] = zv_pose_compose(&links[m->link_places[i].parent], &m->joints[i - 1].origin);
        zvPose in = zi_frame_in_body(m, i), found = zv_pose_compose(&bodies[zv_model_frame_body(m, i)], &in);
        assert_true(far_apart(&found, &links[i]) < 1e-14);
    }
    for (int i = 0; i < m->nframe; i++) {
        zvPose seat = bodies[zv_model_frame_body(m, m->nlink + i)], section = zv_pose_identity();
        int attachment = zi_frame_attachment(m, m->nlink + i);
        if (attachment >= 0) memcpy(section.p, m->tree.attachment[attachment].at, sizeof section.p);
        seat = zv_pose_compose(&seat, &section);
        zvPose in = zi_frame_in_body(m, m->nlink + i), found = zv_pose_compose(&seat, &in);
        zvPose expected = zv_pose_compose(&links[m->frame_links[i]], &m->frames[i].pose);
        assert_true(far_apart(&found, &expected) < 1e-14);
    }
    zv_model_destroy(m);
}

/* The inertia of a uniform rod about its end, link axes, as a link's inertia. */
static zvInertia rod(const zvBeam *b) {
    double m = b->rhoA * L, c = m * L * L / 12;
    return (zvInertia){m, {L / 2, 0, 0}, {L * (b->rhoIy + b->rhoIz), 0, 0, c + L * b->rhoIy, 0, c + L * b->rhoIz}};
}

static void expect_same_body(const ziBody *a, const ziBody *b) {
    assert_true(fabs(a->m - b->m) < 1e-14 * b->m);
    for (int k = 0; k < 4; k++) assert_true(fabs(a->h[k] - b->h[k]) < 1e-13);
    for (int k = 0; k < 12; k++) assert_true(fabs(a->J[k] - b->J[k]) < 1e-12);
}

/* A beam without modes weighs what a rigid rod does that is fixed to the link. */
static void no_modes_is_rigid(void **state) {
    (void)state;
    zvBeam arm = beam(0, 0, 0, 0);
    zvModel *m = freeze(robot(&arm));
    zvBuilder *plain = robot(NULL);
    zvLink bar = zv_link_default("bar");
    bar.inertia = rod(&arm);
    assert_int_equal(zv_builder_add_link(plain, &bar, NULL), ZV_OK);
    zvJoint weld = zv_joint_default("weld", ZV_JOINT_FIXED, "arm", "bar");
    assert_int_equal(zv_builder_add_joint(plain, &weld, NULL), ZV_OK);
    zvModel *expected = freeze(plain);
    assert_int_equal(m->tree.nb, 5); /* ground, arm with box and lid, hand, flap, slide */
    assert_int_equal(m->tree.nb, expected->tree.nb);
    assert_int_equal(m->nq, 4);
    assert_true(m->tree.ne == 0 && m->tree.ns == 0 && zv_model_nelastic(m) == 0);
    for (int i = 1; i < m->tree.nb; i++) {
        assert_null(m->tree.body[i].elastic);
        assert_int_equal(m->tree.body[i].base, m->tree.body[i].parent);
        expect_same_body(&m->tree.body[i], &expected->tree.body[i]);
    }
    assert_non_null(zv_model_link(m, 1)->beam);
    assert_true(fabs(m->link_places[1].inertia->mass - (2 + 1.5 * L)) < 1e-14);
    zv_model_destroy(m);
    zv_model_destroy(expected);
    /* with modes, the body of the arm alone is that rod with the rigid part */
    arm = beam(2, 1, 1, 1);
    m = freeze(robot(&arm));
    const ziBody *body = &m->tree.body[1];
    const zvInertia *own = &zv_model_link(m, 1)->inertia;
    zvInertia r = rod(&arm);
    expect_turned(body->h, own->mass * 0.1 + r.mass * L / 2, own->mass * 0.02, 0);
    double Jzz = own->moment[5] + own->mass * (0.1 * 0.1 + 0.02 * 0.02) + r.moment[5] + r.mass * L * L / 4;
    double Jyz = own->moment[4], Jxy = own->moment[1] - own->mass * 0.1 * 0.02;
    assert_true(fabs(body->J[0] - Jzz) < 1e-13 && fabs(body->J[2] - Jyz) < 1e-14 && fabs(body->J[6] - Jxy) < 1e-14);
    zv_model_destroy(m);
}

/* Moments about the origin less those of the integrals, and first moments likewise. */
static void expect_integrals(const zvInertia *i, const ziModeIntegrals *x) {
    const double *c = i->com, m = i->mass;
    const double J[6] = {m * (c[1] * c[1] + c[2] * c[2]), -m * c[0] * c[1], -m * c[0] * c[2],
                         m * (c[0] * c[0] + c[2] * c[2]), -m * c[1] * c[2], m * (c[0] * c[0] + c[1] * c[1])};
    assert_true(fabs(m - x->mass) < 1e-13);
    for (int k = 0; k < 3; k++) assert_true(fabs(m * c[k] - x->S0[k]) < 1e-13);
    for (int k = 0; k < 6; k++) assert_true(fabs(i->moment[k] + J[k] - x->J0[k]) < 1e-12);
}

/* What a link weighs is what the mode integrals see of it. */
static void inertia_is_that_of_the_integrals(void **state) {
    (void)state;
    const zvPose same = zv_pose_identity();
    const zvModalNode nodes[] = {{.at = {1, 2, 3}, .mass = 2, .moment = {1, 0.1, 0.2, 2, 0.3, 3}},
                                 {.at = {-1, 0, 1}, .mass = 0.5},
                                 {.at = {0.3, -2, 0}, .mass = 1, .moment = {0, 0, 0, 1, 0, 0}}};
    const zvModal modal = {.node_count = 3, .nodes = nodes};
    const zvBeam bar = beam(0, 0, 0, 0);
    zvLink link = zv_link_default("link");
    ziModeIntegrals x = {0};
    link.beam = &bar;
    zvInertia whole = zi_link_inertia(&link);
    assert_true(zi_beam_integrals(&bar, same.R, same.p, &x));
    expect_integrals(&whole, &x);
    link.beam = NULL;
    link.modal = &modal;
    whole = zi_link_inertia(&link);
    assert_true(zi_modal_integrals(&modal, same.R, same.p, &x));
    expect_integrals(&whole, &x);
}

static double entry(const double *A, int n, int i, int j) { return i < j ? A[j * n + i] : A[i * n + j]; }

static void matrices_and_factor(void **state) {
    (void)state;
    zvBeam arm = beam(2, 1, 1, 1);
    arm.damping.mass_factor = 0.5;
    zvModel *m = freeze(robot(&arm));
    double M[25], K[25], D[25], a = arm.rhoA * L, EI = arm.EIz / (L * L * L);
    zv_model_elastic_matrices(m, 1, M, K, D);
    zv_model_elastic_matrices(m, 1, NULL, NULL, NULL);
    zv_model_elastic_matrices(m, 0, M, K, D); /* rigid: nothing is written */
    assert_true(fabs(M[0] - a / 5) < 1e-14 && fabs(M[1] - a / 6) < 1e-14 && fabs(M[6] - a / 7) < 1e-14);
    assert_true(fabs(M[18] - L * 0.005 / 3) < 1e-16 && fabs(M[24] - a / 3) < 1e-14);
    assert_true(fabs(K[0] - 4 * EI) < 1e-11 && fabs(K[1] - 6 * EI) < 1e-11 && fabs(K[6] - 12 * EI) < 1e-11);
    assert_true(fabs(D[6] - 0.5 * M[6]) < 1e-15);
    const ziElastic *el = m->tree.body[1].elastic;
    for (int i = 0; i < 25; i++) {
        double sum = el->rest[i];
        for (int k = 0; k < el->extra; k++) sum += el->couple[5 * k + i / 5] * el->couple[5 * k + i % 5];
        assert_true(fabs(sum - M[i]) < 1e-15);
    }
    assert_null(el->M_factor); /* extension is one of the shapes of shortening: nothing is left of it */
    zv_model_destroy(m);
    arm = beam(2, 1, 2, 0);
    m = freeze(robot(&arm));
    zv_model_elastic_matrices(m, 1, M, NULL, NULL);
    const double *F = m->tree.body[1].elastic->M_factor;
    assert_non_null(F);
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 5; j++) {
            double sum = 0;
            for (int k = 0; k <= i && k <= j; k++)
                sum += (k == i ? 1 : entry(F, 5, i, k)) * F[6 * k] * (k == j ? 1 : entry(F, 5, j, k));
            assert_true(fabs(sum - M[5 * i + j]) < 1e-15);
        }
    }
    zv_model_destroy(m);
}

/* Sections of the publication's functions do not turn at the tip; without stiffening nothing shortens. */
static void what_is_zero_is_left_out(void **state) {
    (void)state;
    zvBeam arm = beam(2, 2, 0, 0);
    arm.shapes = ZV_SHAPES_GEVORKIAN;
    arm.stiffening = ZV_STIFFENING_OFF;
    zvModel *m = freeze(robot(&arm));
    assert_null(m->tree.attachment[0].r);
    assert_non_null(m->tree.attachment[1].r);
    for (int i = 0; i < 4; i++) assert_null(m->tree.attachment[i].G);
    assert_int_equal(m->tree.body[1].elastic->extra, 0);
    zv_model_destroy(m);
}

/* Fixed joints above and below elastic links, and a free base that is elastic. */
static void fixed_joints_and_free_base(void **state) {
    (void)state;
    zvBuilder *b = zv_builder_create(NULL);
    zvBeam one = beam(1, 0, 0, 0), two = beam(0, 2, 0, 0);
    add_link(b, "ground", 1, NULL);
    add_link(b, "first", 0, &one);
    add_link(b, "second", 0, &two);
    add_link(b, "end", 1, NULL);
    add_joint(b, "a", ZV_JOINT_FIXED, "ground", "first", 0, 0, 0);
    add_joint(b, "b", ZV_JOINT_FIXED, "first", "second", L * (1 + 5e-10), 0, 0);
    add_joint(b, "c", ZV_JOINT_SPHERICAL, "second", "end", L, 0, 0);
    zvError error = {0};
    zvModel *m = NULL, *floating = NULL;
    if (zv_builder_freeze(b, &m, &error) != ZV_OK) fail_msg("%s", error.text);
    zv_builder_set_free_base(b, true);
    if (zv_builder_freeze(b, &floating, &error) != ZV_OK) fail_msg("%s", error.text);
    assert_true(m->tree.nb == 4 && m->nq == 7 && m->nv == 6 && m->tree.ns == 2);
    static const int parents[] = {-1, 0, 1, 2, 3, 4};
    for (int i = 0; i < 6; i++) assert_int_equal(m->tree.dof_parent[i], parents[i]);
    assert_true(m->tree.body[1].type == ZV_JOINT_FIXED && m->tree.body[1].base == 0 && m->tree.body[1].elastic->v == 0);
    assert_true(m->tree.attachment[0].at[0] == L && fabs(m->tree.body[2].r[0] - 1e-9) < 1e-15);
    assert_true(m->tree.body[3].v == 3 && m->tree.body[3].v_end == 6 && m->tree.body[1].v_end == 6);
    assert_true(floating->tree.nb == 5 && floating->nq == 14 && floating->nv == 12);
    assert_true(zv_model_elastic_place(floating, 2).q_index == 7 && zv_model_elastic_place(floating, 2).v_index == 6);
    zv_model_destroy(m);
    zv_model_destroy(floating);
    zv_builder_link(b, 0)->beam = &one; /* the root itself, base free */
    if (zv_builder_freeze(b, &floating, &error) != ZV_OK) fail_msg("%s", error.text);
    assert_true(floating->tree.nb == 5 && floating->nq == 15 && floating->link_elastic[1] == 1);
    zv_model_destroy(floating);
    zv_builder_destroy(b);
}

TESTS(an_elastic_link_is_alone, sections_carry_what_hangs_on_them, undeformed_is_as_described, no_modes_is_rigid,
      inertia_is_that_of_the_integrals, matrices_and_factor, what_is_zero_is_left_out, fixed_joints_and_free_base)
