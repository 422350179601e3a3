/* A robot for scenario tests: two arms in a vertical plane, a slide, a ball joint, a follower and a fixed grip. */
#ifndef TESTS_SCENARIO_TEXT_H
#define TESTS_SCENARIO_TEXT_H

#define INERTIA "mass: 1, com: [0, 0, 0.2], inertia: [0.1, 0.1, 0.1]"

#define ROBOT                                                                                                       \
    "{inline: {name: arm, links: [{name: base}, {name: upper, " INERTIA "}, {name: lower, " INERTIA                 \
    "}, {name: rod, " INERTIA "}, {name: hand, " INERTIA "}, {name: nail, " INERTIA "}, {name: grip}], "            \
    "joints: ["                                                                                                     \
    "{name: shoulder, type: revolute, parent: base, child: upper, axis: [0, 1, 0], damping: 0.3, "                  \
    "friction: 0.2, spring: {stiffness: 2, rest: 0.1}, limits: {lower: -2, upper: 2}}, "                            \
    "{name: elbow, type: revolute, parent: upper, child: lower, axis: [0, 1, 0], origin: {xyz: [0, 0, 0.5]}, "      \
    "limits: {lower: -2.5, upper: 2.5}, damping: 0.4}, "                                                            \
    "{name: slide, type: prismatic, parent: lower, child: rod, axis: [0, 0, 1], origin: {xyz: [0, 0, 0.4]}, "       \
    "limits: {lower: -0.1, upper: 0.5}}, "                                                                          \
    "{name: ball, type: spherical, parent: rod, child: hand, origin: {xyz: [0, 0, 0.3]}}, "                         \
    "{name: nail_joint, type: revolute, parent: rod, child: nail, axis: [1, 0, 0], limits: {lower: -9, upper: 9}, " \
    "mimic: {joint: elbow, ratio: 2}}, "                                                                            \
    "{name: weld, type: fixed, parent: rod, child: grip}], "                                                        \
    "frames: [{name: tool, link: rod, pose: {xyz: [0, 0, 0.1]}}]}}"

/* Three lines; what follows begins in line 4. */
#define HEAD "zveno_scenario: 1\nmodel: " ROBOT "\nduration: 2\n"

#endif
