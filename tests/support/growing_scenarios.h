/* Scenarios of as many links as one likes: what implicit methods cost on them should grow like the links.
 *
 *   coupler  a four-bar linkage led by its crank, the coupler an elastic beam cut into links
 *   arm      two joints with stiff controllers, the upper arm an elastic beam cut into links
 *   chain    joints with stiff springs and dampers, controllers on the first three, two mimic joints at the end */
#ifndef ZV_TESTS_SUPPORT_GROWING_SCENARIOS_H
#define ZV_TESTS_SUPPORT_GROWING_SCENARIOS_H

#include <stdarg.h>
#include <stdio.h>

enum { GS_TEXT = 1 << 16 }; /* bytes that suffice for 128 links */

typedef struct gsText {
    char *text;
    size_t used;
} gsText;

static inline void gs_print(gsText *t, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(t->text + t->used, GS_TEXT - t->used, format, arguments);
    va_end(arguments);
    if (size > 0) t->used += (size_t)size;
    if (t->used >= GS_TEXT) t->used = GS_TEXT - 1;
}

/* Links of a beam one after the other, and the fixed joints between them. */
static inline void gs_beam(gsText *t, int links, double length, const char *section, const char *damping) {
    for (int i = 0; i < links; i++)
        gs_print(t, "{name: b%d, beam: {length: %.17g, %s, shapes: cubic, damping: {%s}}}, ", i, length / links,
                 section, damping);
}

static inline void gs_beam_joints(gsText *t, int links, double length) {
    for (int i = 1; i < links; i++)
        gs_print(t, "{name: f%d, type: fixed, parent: b%d, child: b%d, origin: {xyz: [%.17g, 0, 0]}}, ", i, i - 1, i,
                 length / links);
}

static inline void gs_head(gsText *t, double duration, const char *integrator) {
    gs_print(t, "{zveno_scenario: 1, duration: %g, integrator: {%s}, output: {ledger: false}, ", duration, integrator);
}

/* damping: that of a link, as "ratio: 0.01". */
static inline void gs_coupler(char *text, int links, const char *damping, double duration, const char *integrator) {
    gsText t = {text, 0};
    gs_head(&t, duration, integrator);
    gs_print(&t, "initial: {guess: {pin: 60 deg, pivot: 90 deg}}, drives: [{type: motion, joint: shaft, law: {type: "
                 "polynomial, coefficients: [0, 0, 10]}}], model: {inline: {gravity: [0, -9.81, 0], links: [{name: "
                 "ground}, {name: crank, mass: 0.3, com: [0.05, 0, 0], inertia: [1e-5, 0.00025, 0.00025]}, ");
    gs_beam(&t, links, 0.4,
            "material: {E: 2.1e11, poisson: 0.3, density: 7850}, section: {box: [0.003, 0.02]}, modes: {y: 2, axial: "
            "1}",
            damping);
    gs_print(&t, "{name: rocker, mass: 0.5, com: [0.15, 0, 0], inertia: [1e-5, 0.004, 0.004]}], joints: [{name: shaft, "
                 "type: continuous, parent: ground, child: crank}, {name: pin, type: continuous, parent: crank, child: "
                 "b0, origin: {xyz: [0.1, 0, 0]}}, ");
    gs_beam_joints(&t, links, 0.4);
    gs_print(&t,
             "{name: pivot, type: continuous, parent: ground, child: rocker, origin: {xyz: [0.35, 0, 0]}}], loops: "
             "[{name: wrist, type: revolute, parent: b%d, child: rocker, origin: {xyz: [%.17g, 0, 0]}, child_origin: "
             "{xyz: [0.3, 0, 0]}}]}}}",
             links - 1, 0.4 / links);
}

static inline void gs_arm(char *text, int links, const char *damping, double duration, const char *integrator) {
    gsText t = {text, 0};
    gs_head(&t, duration, integrator);
    gs_print(&t, "drives: [{type: pd, joints: [shoulder, elbow], kp: [4e4, 2e4], kd: [1500, 400], reference: {type: "
                 "polynomial, coefficients: [[0, 0], [0, 0], [1, 1]]}}], model: {inline: {links: [{name: base}, ");
    gs_beam(&t, links, 1,
            "material: {E: 7e10, poisson: 0.3, density: 2700}, section: {tube: [0.04, 0.036]}, modes: {y: 2, z: 2}",
            damping);
    gs_print(&t, "{name: fore, mass: 2, com: [0.3, 0, 0], inertia: [0.01, 0.06, 0.06]}], joints: [{name: shoulder, "
                 "type: continuous, parent: base, child: b0, axis: [0, 1, 0]}, ");
    gs_beam_joints(&t, links, 1);
    gs_print(&t,
             "{name: elbow, type: continuous, parent: b%d, child: fore, axis: [0, 1, 0], origin: {xyz: [%.17g, 0, "
             "0]}}]}}}",
             links - 1, 1.0 / links);
}

/* damping: of a joint, as a number. */
static inline void gs_chain(char *text, int links, const char *damping, double duration, const char *integrator) {
    gsText t = {text, 0};
    gs_head(&t, duration, integrator);
    gs_print(&t, "gravity: [9.81, 0, 0], drives: [{type: pd, joints: [j1, j2, j3], kp: [1e5, 1e5, 1e5], kd: [3e3, 3e3, "
                 "3e3], reference: 0.2}], model: {inline: {links: [{name: l0}, {name: left, mass: 0.1, com: [0, 0.05, "
                 "0], inertia: [1e-4, 1e-4, 1e-4]}, {name: right, mass: 0.1, com: [0, -0.05, 0], inertia: [1e-4, 1e-4, "
                 "1e-4]}");
    for (int i = 1; i <= links; i++)
        gs_print(&t, ", {name: l%d, mass: 0.5, com: [0, 0, -0.05], inertia: [0.001, 0.001, 0.0005]}", i);
    gs_print(&t, "], joints: [");
    for (int i = 1; i <= links; i++)
        gs_print(&t,
                 "{name: j%d, type: continuous, parent: l%d, child: l%d, origin: {xyz: [0, 0, -0.1]}, axis: [%d, %d, "
                 "0], damping: %s, spring: {stiffness: 3000}}, ",
                 i, i - 1, i, i % 2 == 0, i % 2, damping);
    for (int i = 0; i < 2; i++)
        gs_print(&t,
                 "{name: finger%d, type: continuous, parent: l%d, child: %s, axis: [1, 0, 0], mimic: {joint: j%d, "
                 "ratio: %g}}%s",
                 i, links, i ? "right" : "left", links, i ? -0.7 : 0.7, i ? "]}}}" : ", ");
}

#endif
