/* Springs and dampers of joints that close loops, in modes and equilibria: a body on a joint of each type against the
 * same body on a free joint that a loop of that type closes, and a four-bar with springs in two of its joints against
 * its closed form, whichever of them closes it. */
#include "modes/closed.h"
#include "simulate/four_bar.h"
#include "support/run_tests.h"

#define BODY                                                                                                       \
    "{inline: {links: [{name: ground}, {name: body, mass: 2, com: [0.1, -0.2, 0.15], inertia: [0.3, 0.02, -0.03, " \
    "0.4, "                                                                                                        \
    "0.01, 0.5]}], joints: ["
#define ENDS "parent: ground, child: body, origin: {xyz: [0.3, 0, 0.2], rpy: [0.3, -0.5, 0.2]}, "

/* The types with freedoms, their axes, springs at rest where the joint does not stand, and dampers. */
static const char *const joints[] = {
    "type: revolute, axis: [0.6, 0, 0.8], spring: {stiffness: 30, rest: 0.4}, damping: "
    "0.7",
    "type: prismatic, axis: [0, 0.6, 0.8], spring: {stiffness: 90, rest: 0.1}, damping: "
    "2",
    "type: cylindrical, axis: [0.6, 0.8, 0], spring: {stiffness: [[70, 5], [5, 40]], rest: [0.1, 0.3]}, damping: [[2, "
    "0.1], [0.1, 0.8]]",
    "type: universal, axis: [1, 0, 0], axis2: [0, 0.8, 0.6], spring: {stiffness: [[40, -6], [-6, 25]], rest: [0.2, "
    "-0.3]}, damping: [[0.5, 0.1], [0.1, 0.8]]",
    "type: planar, axis: [0, 0.6, 0.8], spring: {stiffness: [[70, 5, 1], [5, 90, 2], [1, 2, 30]], rest: [0.1, 0.2, "
    "0.3]}, damping: [[2, 0.1, 0], [0.1, 3, 0], [0, 0, 0.4]]",
    "type: spherical, spring: {stiffness: [[40, 5, 1], [5, 50, 2], [1, 2, 30]], rest: [0.1, 0.2, 0.3]}, damping: "
    "[[0.2, "
    "0.1, 0], [0.1, 0.3, 0], [0, 0, 0.4]]"};

static void assert_modes(const char *what, const Closed *a, const Closed *b, double tolerance) {
    assert_int_equal(a->count, b->count);
    for (int k = 0; k < a->count; k++) {
        const zvMode *x = &a->modes[k], *y = &b->modes[k];
        near_about("%s, mode %d", what, k);
        assert_named_near("frequency", x->frequency, y->frequency, tolerance * y->frequency);
        assert_named_near("damping", x->damping, y->damping, tolerance * fmax(1, y->damping));
    }
}

/* Springs of loops are zvRest.joint_matrices, those of the tree the rest. */
static void settle_sprung(Closed *c) {
    double stiffness[64], relaxed[64], damping[64];
    zv_joint_springs(c->model, stiffness, relaxed, damping);
    zvRest rest = {.stiffness = stiffness, .relaxed = relaxed, .damping = damping, .joint_matrices = true};
    settle(c, &rest);
}

static void joint_or_loop(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof joints / sizeof *joints; i++) {
        char text[1500];
        snprintf(text, sizeof text, BODY "{name: it, " ENDS "%s%s}]}}", joints[i],
                 i < 2 ? ", limits: {lower: -3, upper: 3}" : "");
        Closed tree = closed_of(text);
        snprintf(text, sizeof text,
                 BODY "{name: base, type: free, parent: ground, child: body}], loops: [{name: it, " ENDS "%s}]}}",
                 joints[i]);
        Closed loop = closed_of(text);
        zvPose pose;
        double step[6];
        settle_sprung(&tree);
        zv_frame_pose(tree.model, tree.work, tree.q, zv_model_find_frame(tree.model, "body"), &pose);
        const zvPose none = zv_pose_identity();
        zv_pose_error(&pose, &none, step);
        zv_position_add(loop.model, loop.q, step, loop.q);
        settle_sprung(&loop);
        assert_modes(joints[i], &loop, &tree, 1e-9);
        closed_free(&tree);
        closed_free(&loop);
    }
}

/* Two springs k (angle - rest)^2 / 2 and dampers in the knee and where the ring closes. */
#define SPRUNG_KNEE ", spring: {stiffness: 30, rest: 0.4}, damping: 0.2"
#define SPRUNG_CLOSE ", spring: {stiffness: 45, rest: -1.1}, damping: 0.3"
/* The four-bar's links with the frame of the coupler where the ring closed. */
#define LINKS_FROM_END                                                                                   \
    "links: [{name: ground}, {name: crank, mass: 1.2, com: [0.12, 0, 0], inertia: [0.01, 0.02, 0.02]}, " \
    "{name: coupler, mass: 2, com: [-0.4, 0, 0], inertia: [0.01, 0.15, 0.15]}, "                         \
    "{name: rocker, mass: 1.5, com: [0.3, 0, 0], inertia: [0.01, 0.08, 0.08]}], joints: ["               \
    "{name: crank, type: continuous, parent: ground, child: crank, axis: [0, -1, 0]}, "
static const double knee_k = 30, knee_rest = 0.4, knee_d = 0.2, close_k = 45, close_rest = -1.1, close_d = 0.3;

static double sprung_potential(double x) {
    const Bars b = bars_at(x);
    const double knee = b.angle[1] - x - knee_rest, shut = b.angle[1] - b.angle[2] - close_rest;
    return bars_potential(&b) + 0.5 * knee_k * knee * knee + 0.5 * close_k * shut * shut;
}

static void four_bar(void **state) {
    (void)state;
    static const char *const cuts[] = {
        "{inline: {" FOUR_BAR_LINKS KNEE_JOINT(SPRUNG_KNEE) ROCKER_JOINT("lower: -9, upper: 9")
            CLOSE_LOOP(SPRUNG_CLOSE) "}}",
        "{inline: {" LINKS_FROM_END ROCKER_JOINT(
            "lower: -9, upper: 9") ", {name: " CLOSE "limits: {lower: -9, upper: 9}" SPRUNG_CLOSE
                                   "}], loops: [{name: knee, type: revolute, parent: crank, child: "
                                   "coupler, axis: [0, -1, 0], origin: {xyz: [0.3, 0, 0]}, child_origin: {xyz: [-0.9, "
                                   "0, 0]}" SPRUNG_KNEE "}]}}"};
    for (int i = 0; i < 2; i++) {
        Closed c = closed_of(cuts[i]);
        const Bars guess = bars_at(0.5);
        c.q[0] = 0.5;
        c.q[i ? 1 : ROCKER] = guess.angle[2];
        c.q[i ? 2 : KNEE] = i ? guess.angle[1] - guess.angle[2] : guess.angle[1] - 0.5;
        settle_sprung(&c);
        const double x = c.q[0], h = 1e-3;
        const Bars b = bars_at(x);
        const double V = sprung_potential(x), up = sprung_potential(x + h), down = sprung_potential(x - h);
        const double slope = (up - down) / (2 * h), J = bars_inertia(&b),
                     omega = sqrt((up + down - 2 * V) / (h * h) / J);
        const double knee = b.ratio[1] - 1, shut = b.ratio[1] - b.ratio[2];
        near_about("cut %d", i);
        assert_named_near("other assembly", sin(c.q[i ? 1 : ROCKER] - b.angle[2]), 0, 1e-9);
        assert_named_near("equilibrium", slope, 0, 1e-4);
        assert_int_equal(c.count, 1);
        assert_named_near("frequency", c.modes[0].frequency, omega, 1e-5 * omega);
        assert_named_near("damping", c.modes[0].damping,
                          (knee_d * knee * knee + close_d * shut * shut) / (2 * J * omega), 1e-5);
        closed_free(&c);
    }
}

/* Springs of the tree alone would be another mechanism. */
static void not_left_out(void **state) {
    (void)state;
    Closed c = closed_of(FOUR_BAR_OF("lower: -9, upper: 9", SPRUNG_CLOSE));
    const double stiffness[3] = {1, 0, 0}, q[3] = {0};
    const zvRest rest = {.q = q, .stiffness = stiffness};
    zvError error = {0};
    assert_int_equal(zv_modes(c.model, c.work, &rest, c.modes, NULL, &c.count, &error), ZV_NOT_SUPPORTED);
    assert_non_null(strstr(error.text, "expected joint_matrices of zvRest"));
    closed_free(&c);
}

TESTS(joint_or_loop, four_bar, not_left_out)
