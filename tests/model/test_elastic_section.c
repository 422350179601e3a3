/* Points of elastic links that are no places of joints: the nearest section carries them. Beams along any axis, modal
 * data, links of a rigid robot, inertia of whole links. */
#include <math.h>

#include "elastic_robot.h"
#include "support/near.h"
#include "support/run_tests.h"

static zvElasticSection section_at(const zvModel *m, int link, double x, double y, double z, double *d, double *r,
                                   double *G) {
    zvElasticSection s;
    assert_true(zv_model_elastic_section(m, link, (double[]){x, y, z}, &s, d, r, G));
    return s;
}

static zvModel *one_beam(const zvBeam *arm) {
    zvBuilder *b = zv_builder_create(NULL);
    add_link(b, "base", 0, NULL);
    add_link(b, "arm", 0, arm);
    add_joint(b, "hub", ZV_JOINT_REVOLUTE, "base", "arm", 0, 0, 0);
    return freeze(b);
}

/* s^2 and its slope 2 s / L; a turn about z lifts y, a turn about -y lifts z. */
static void shapes_of_powers(void **state) {
    (void)state;
    zvBeam arm = beam(1, 1, 1, 1);
    arm.stiffening = ZV_STIFFENING_ON;
    zvModel *m = one_beam(&arm);
    double d[3 * 4], r[3 * 4], G[16];
    const double s = 0.25, slope = 2 * s / L;
    const zvElasticSection found = section_at(m, 1, s * L, 0.3, -0.1, d, r, G);
    const double dy[12] = {0, s * s, 0, 0, 0, s * s, 0, 0, 0, s, 0, 0};
    const double ry[12] = {0, 0, slope, 0, -slope, 0, s, 0, 0, 0, 0, 0};
    assert_true(found.turns && found.shortens);
    assert_near(found.pose.p[0], s * L, 4e-15);
    assert_true(found.pose.p[1] == 0 && found.pose.p[2] == 0 && found.pose.R[0] == 1 && found.pose.R[3] == 0);
    for (int i = 0; i < 12; i++) {
        assert_near(d[i], dy[i], 4e-15);
        assert_near(r[i], ry[i], 4e-15);
    }
    /* integral of (2 x / L^2)^2 to s L */
    for (int i = 0; i < 16; i++) assert_near(G[i], i == 0 || i == 5 ? 4 * s * s * s / (3 * L) : 0, 4e-15);
    zv_model_destroy(m);
}

static void beyond_the_ends(void **state) {
    (void)state;
    zvBeam arm = beam(1, 0, 0, 0);
    arm.start[0] = 0.5, arm.start[2] = 1;
    arm.axis[0] = 0, arm.axis[1] = 3;
    zvModel *m = one_beam(&arm);
    double d[3];
    zvElasticSection found = section_at(m, 1, 0, L + 7, 0, d, NULL, NULL);
    assert_true(fabs(found.pose.p[0] - 0.5) < 1e-15 && fabs(found.pose.p[1] - L) < 1e-15 &&
                fabs(found.pose.p[2] - 1) < 1e-15);
    assert_near(found.pose.R[3], 1, 4e-15); /* its x is y of the link */
    assert_near(d[0], -1, 4e-15);           /* its y is -x of the link */
    found = section_at(m, 1, 9, -7, 9, d, NULL, NULL);
    assert_true(fabs(found.pose.p[1]) < 1e-15 && d[0] == 0 && d[1] == 0 && d[2] == 0);
    assert_false(found.turns);
    zv_model_destroy(m);
}

static void places_of_modal_data(void **state) {
    (void)state;
    static const double stiffness[1] = {5}, low[6] = {0, 0, 0.1, 0, 0, 0}, high[6] = {0, 0, 1, 0, -0.5, 0};
    static const zvModalNode nodes[] = {{{0.5, 0, 0}, 1, {0.1, 0, 0, 0.1, 0, 0.1}, low},
                                        {{1, 0, 0}, 2, {0.1, 0, 0, 0.1, 0, 0.1}, high}};
    static const zvModalInterface tip = {"tip", {1.5, 0, 0}, high};
    const zvModal modal = {
        .count = 1, .stiffness = stiffness, .node_count = 2, .nodes = nodes, .interface_count = 1, .interfaces = &tip};
    zvBuilder *b = zv_builder_create(NULL);
    zvLink panel = zv_link_default("panel");
    add_link(b, "base", 0, NULL);
    panel.modal = &modal;
    assert_int_equal(zv_builder_add_link(b, &panel, NULL), ZV_OK);
    add_joint(b, "hub", ZV_JOINT_REVOLUTE, "base", "panel", 0, 0, 0);
    zvModel *m = freeze(b);
    double d[3], r[3], G[1];
    zvElasticSection found = section_at(m, 1, 0.6, 0.1, 0, d, r, G);
    assert_true(found.pose.p[0] == 0.5 && d[2] == 0.1 && !found.turns && !found.shortens && r[1] == 0 && G[0] == 0);
    found = section_at(m, 1, 1.3, 0, 0, d, r, NULL);
    assert_true(found.pose.p[0] == 1.5 && d[2] == 1 && found.turns && r[1] == -0.5 && found.pose.R[0] == 1);
    found = section_at(m, 1, 1.2, 0, 0, d, r, NULL);
    assert_true(found.pose.p[0] == 1);
    const zvInertia whole = zv_model_link_inertia(m, 1);
    assert_near(whole.mass, 3, 4e-15);
    assert_near(whole.com[0], 2.5 / 3, 4e-15);
    assert_near(whole.moment[3], 0.2 + 2.0 / 3 * 0.25, 4e-15);
    zv_model_destroy(m);
}

static void rigid_links_have_none(void **state) {
    (void)state;
    zvBeam arm = beam(2, 1, 0, 0);
    zvModel *m = one_beam(&arm);
    zvElasticSection s;
    assert_false(zv_model_elastic_section(m, 0, (double[]){0, 0, 0}, &s, NULL, NULL, NULL));
    assert_true(zv_model_elastic_section(m, 1, (double[]){1, 0, 0}, &s, NULL, NULL, NULL));
    assert_near(zv_model_link_inertia(m, 1).mass, 1.5 * L, 4e-15);
    assert_near(zv_model_link_inertia(m, 1).com[0], L / 2, 4e-15);
    zv_model_destroy(m);
}

TESTS(shapes_of_powers, beyond_the_ends, places_of_modal_data, rigid_links_have_none)
