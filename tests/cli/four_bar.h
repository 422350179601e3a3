/* A parallelogram four-bar in the x-y plane, gravity along -y, whose equations can be written by hand. The cranks, of
 * length L, stand at theta = pi/3 + q; the coupler keeps its direction. */
#ifndef ZV_TESTS_CLI_FOUR_BAR_H
#define ZV_TESTS_CLI_FOUR_BAR_H

#include <math.h>

#include "support/near.h"
#include "transcript.h"

static const double L = 0.4, BASE = 0.7, G0 = 9.81;
static const double M_CRANK = 2, J_CRANK = 0.03, M_ROCKER = 1.5, J_ROCKER = 0.025, M_COUPLER = 3;

#define FOUR_BAR_LINKS(coupler)                                                                                        \
    "zveno: 1\nname: four_bar\ngravity: [0, -9.81, 0]\nlinks:\n  - {name: ground}\n"                                   \
    "  - {name: crank, mass: 2, com: [0.2, 0, 0], inertia: [0.001, 0.03, 0.03]}\n"                                     \
    "  - {name: coupler, mass: 3, com: [0.35, 0, 0], inertia: [0.001, 0.08, 0.08]}\n"                                  \
    "  - {name: rocker, mass: 1.5, com: [0.2, 0, 0], inertia: [0.001, 0.025, 0.025]}\n"                                \
    "joints:\n"                                                                                                        \
    "  - {name: A, type: continuous, parent: ground, child: crank, origin: {rpy: [0, 0, pi/3]}}\n"                     \
    "  - {name: B, type: continuous, parent: crank, child: coupler, origin: {xyz: [0.4, 0, 0], rpy: [0, 0, -pi/3]}}\n" \
    "  - {name: D, type: continuous, parent: ground, child: rocker, origin: {xyz: [0.7, 0, 0], rpy: [0, 0, pi/3]}}\n"  \
    "loops:\n"                                                                                                         \
    "  - {name: C, type: revolute, parent: rocker, child: coupler, origin: {xyz: [0.4, 0, 0]}, "                       \
    "child_origin: {xyz: [" coupler ", 0, 0]}}\n"

static const char four_bar[] = FOUR_BAR_LINKS("0.7");

/* Of the only coordinate: D a + G = tau; C vanishes. */
static inline double reduced_inertia(void) {
    return J_CRANK + J_ROCKER + (M_CRANK + M_ROCKER) * L * L / 4 + M_COUPLER * L * L;
}

static inline double reduced_gravity(double theta) {
    return G0 * cos(theta) * (L / 2 * (M_CRANK + M_ROCKER) + L * M_COUPLER);
}

/* Force of the rocker on the coupler, along the coupler's axes, when the cranks have rate w and acceleration alpha and
 * the rocker's pivot no drive: moments on the coupler about B, then on the rocker about D. */
static inline void hinge_force(double theta, double w, double alpha, double F[2]) {
    const double c = cos(theta), s = sin(theta), J = J_ROCKER + M_ROCKER * L * L / 4;
    F[1] = M_COUPLER / 2 * (G0 + L * (alpha * c - w * w * s));
    F[0] = (J * alpha + M_ROCKER * G0 * L / 2 * c + L * c * F[1]) / (L * s);
}

/* Numbers at path, within 1e-11. */
static inline void expect_close(const char *json, const char *path, int count, const double *expected) {
    zvDocument *document = parse(json);
    const zvNode *node = node_at(zv_document_root(document), path);
    for (int i = 0; i < count; i++) {
        double value = NAN;
        if (node->kind == ZV_NODE_LIST) assert_int_equal(node->count, count);
        assert_int_equal(zv_node_number(node->kind == ZV_NODE_LIST ? node->items[i] : node, path, &value, NULL), ZV_OK);
        assert_element_near(path, i, value, expected[i], 1e-11 * (1 + fabs(expected[i])));
    }
    zv_document_destroy(document);
}

static inline double number_at(const char *json, const char *path) {
    zvDocument *document = parse(json);
    double value = NAN;
    assert_int_equal(zv_node_number(node_at(zv_document_root(document), path), path, &value, NULL), ZV_OK);
    zv_document_destroy(document);
    return value;
}

#endif
