/* A four-bar linkage in the x-z plane, and its geometry and energy in closed form.
 *
 * Ground pivots at (0, 0) and (D, 0). The crank (length A) turns about the first, the rocker (C) about the second, the
 * coupler (B) hangs on the crank's end; `close` joins its end with the rocker's. Angles count from x towards z, that of
 * the coupler against the crank. The ring may be cut at `close` or, with CUT_AT_KNEE, at `knee`. */
#ifndef ZV_TESTS_SIMULATE_FOUR_BAR_H
#define ZV_TESTS_SIMULATE_FOUR_BAR_H

#include "simulate/runs.h"

enum { CRANK, KNEE, ROCKER }; /* coordinates */

static const double D = 1, A = 0.3, B = 0.9, C = 0.7; /* m */
static const double mass[3] = {1.2, 2, 1.5}, turning[3] = {0.02, 0.15, 0.08}, centre[3] = {0.12, 0.5, 0.3};

#define FOUR_BAR_LINKS                                                                                   \
    "links: [{name: ground}, {name: crank, mass: 1.2, com: [0.12, 0, 0], inertia: [0.01, 0.02, 0.02]}, " \
    "{name: coupler, mass: 2, com: [0.5, 0, 0], inertia: [0.01, 0.15, 0.15]}, "                          \
    "{name: rocker, mass: 1.5, com: [0.3, 0, 0], inertia: [0.01, 0.08, 0.08]}], joints: ["               \
    "{name: crank, type: continuous, parent: ground, child: crank, axis: [0, -1, 0]}, "
#define KNEE_JOINT(keys)                                                                                         \
    "{name: knee, type: revolute, parent: crank, child: coupler, axis: [0, -1, 0], origin: {xyz: [0.3, 0, 0]}, " \
    "limits: {lower: -9, upper: 9}" keys "}, "
#define ROCKER_JOINT(limits)                                                                                     \
    "{name: rocker, type: revolute, parent: ground, child: rocker, axis: [0, -1, 0], origin: {xyz: [1, 0, 0]}, " \
    "limits: {" limits "}}"
#define CLOSE "close, type: revolute, parent: rocker, child: coupler, axis: [0, -1, 0], origin: {xyz: [0.7, 0, 0]}, "
#define CLOSE_LOOP(keys) "], loops: [{name: " CLOSE "child_origin: {xyz: [0.9, 0, 0]}" keys "}]"

#define FOUR_BAR_OF(limits, keys) "{inline: {" FOUR_BAR_LINKS KNEE_JOINT("") ROCKER_JOINT(limits) CLOSE_LOOP(keys) "}}"
#define FOUR_BAR FOUR_BAR_OF("lower: -9, upper: 9", "")

/* Where the coupler and the rocker are when the crank stands at angle x, knee up: angles against x, and their
 * derivatives by it. */
typedef struct Bars {
    double angle[3], ratio[3];
} Bars;

static inline Bars bars_at(double x) {
    const double px = A * cos(x), pz = A * sin(x), ex = D - px, ez = -pz, e = hypot(ex, ez);
    const double along = (e * e + B * B - C * C) / (2 * e), up = sqrt(B * B - along * along);
    const double tx = px + (along * ex - up * ez) / e, tz = pz + (along * ez + up * ex) / e;
    Bars b = {.angle = {x, atan2(tz - pz, tx - px), atan2(tz, tx - D)}, .ratio = {1}};
    /* A e'(x) + B e'(b) b' = C e'(c) c' with e'(u) = (-sin u, cos u) */
    const double s = sin(b.angle[1] - b.angle[2]);
    b.ratio[1] = A * sin(b.angle[2] - x) / (B * s);
    b.ratio[2] = A * sin(b.angle[1] - x) / (C * s);
    return b;
}

/* Reduced inertia at the crank. */
static inline double bars_inertia(const Bars *b) {
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += turning[i] * b->ratio[i] * b->ratio[i];
    sum += mass[0] * centre[0] * centre[0] + mass[2] * pow(centre[2] * b->ratio[2], 2);
    const double vx = -A * sin(b->angle[0]) - centre[1] * sin(b->angle[1]) * b->ratio[1];
    const double vz = A * cos(b->angle[0]) + centre[1] * cos(b->angle[1]) * b->ratio[1];
    return sum + mass[1] * (vx * vx + vz * vz);
}

static inline double bars_potential(const Bars *b) {
    return 9.81 *
           (mass[0] * centre[0] * sin(b->angle[0]) + mass[1] * (A * sin(b->angle[0]) + centre[1] * sin(b->angle[1])) +
            mass[2] * centre[2] * sin(b->angle[2]));
}

static inline double bars_energy(double x, double v) {
    const Bars b = bars_at(x);
    return 0.5 * bars_inertia(&b) * v * v + bars_potential(&b);
}

/* dV/dx by central differences of high order. */
static inline double bars_pull(double x) {
    static const double weight[3] = {45 / 60.0, -9 / 60.0, 1 / 60.0};
    double sum = 0;
    for (int i = 1; i <= 3; i++) {
        const Bars up = bars_at(x + 1e-2 * i), down = bars_at(x - 1e-2 * i);
        sum += weight[i - 1] * (bars_potential(&up) - bars_potential(&down));
    }
    return sum / 1e-2;
}

#endif
