/* A scenario with all kinds of sections, elements and events, short enough to be run a thousand times. Nothing happens
 * in it. */
#ifndef RULES_SCENARIO_H
#define RULES_SCENARIO_H

#define INERTIA "mass: 1, com: [0, 0, 0.2], inertia: [0.1, 0.1, 0.1]"

static const char everything[] =
    "zveno_scenario: 1\n"
    "model:\n"
    "  inline:\n"
    "    links: [{name: base}, {name: a, " INERTIA "}, {name: b, " INERTIA "}, {name: c, " INERTIA "}]\n"
    "    joints:\n"
    "      - {name: j, type: revolute, parent: base, child: a, axis: [0, 1, 0], limits: {lower: -2, upper: 2}, "
    "friction: 1}\n"
    "      - {name: k, type: revolute, parent: a, child: b, axis: [0, 1, 0], origin: {xyz: [0, 0, 0.5]}, damping: 1}\n"
    "      - {name: s, type: revolute, parent: b, child: c, axis: [0, 1, 0], origin: {xyz: [0, 0, 0.5]}}\n"
    "    frames: [{name: tool, link: c, pose: {xyz: [0, 0, 0.4]}}]\n"
    "duration: 0.03\n"
    "initial: {q: {j: 0.3, k: 1, s: 0.5}, v: {s: 4}, motors: {k: {theta: 1.1}}}\n"
    "joints: {k: {spring: {stiffness: 2}, flexible: {stiffness: 10, inertia: 1}}, s: {friction: {coulomb: 0.1, "
    "stick_slip: true}}}\n"
    "springs: [{from: base, to: tool, stiffness: 3, damping: 1, length: 0.2}]\n"
    "drives:\n"
    "  - {type: pid, joints: all, kp: [1, 2, 3], ki: 1, limit: 5, reference: {type: line, frame: tool, task: [x, z, "
    "ry], to: {xyz: [0.7, 0, 0.8]}, duration: 0.5, profile: trapezoidal}}\n"
    "  - {type: computed_torque, joint: s, kp: 1, kd: 2, reference: {type: quintic, to: 1, duration: 0.5}}\n"
    "  - {type: operational_space, frame: tool, task: [x, z], kp: 1, kd: 2, null_damping: 1, route: {type: arc, "
    "center: "
    "[0, 0, 0], angle: 0.1, axis: [0, 1, 0], duration: 1}}\n"
    "  - {type: torque, joints: all, law: [{type: harmonic, amplitude: 1, hertz: 1}, {type: sum, parts: [1, 2]}, 0]}\n"
    "  - {type: torque, joint: j, law: {type: sequence, parts: [{duration: 0.02, law: 2}, {type: spline, times: [0, "
    "1], points: [0, 1]}]}}\n"
    "loads: [{frame: tool, force: [0, 0, {type: table, times: [0, 1], points: [1, 2]}]}]\n"
    "events:\n"
    "  - {type: limit, joints: all}\n"
    "  - {type: plane, frame: tool, offset: -5, action: bounce, restitution: 0.5}\n"
    "  - {type: threshold, channel: pose tool.z, value: 5}\n"
    "output: {file: a.csv, channels: [q, forces, pose tool]}\n";

#undef INERTIA

#endif
