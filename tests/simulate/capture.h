/* Machines whose loops come and go. */
#ifndef ZV_TESTS_SIMULATE_CAPTURE_H
#define ZV_TESTS_SIMULATE_CAPTURE_H

#include "simulate/runs.h"

/* Two bodies on one rail, which a coupling holds together when it is closed. */
#define CARTS                                                                                                       \
    "{inline: {gravity: [0, 0, 0], links: [{name: ground}, {name: one, mass: 3, inertia: [0.1, 0.1, 0.1]}, {name: " \
    "two, mass: 2, inertia: [0.1, 0.1, 0.1]}], joints: [{name: a, type: prismatic, parent: ground, child: one, "    \
    "axis: [1, 0, 0]}, {name: b, type: prismatic, parent: ground, child: two, axis: [1, 0, 0]}], loops: [{name: "   \
    "hook, type: coupling, terms: {a: 1, b: -1}, offset: 0, open: true}]}}"

/* A base with an arm of two joints, and a load that tumbles by; %s: the integrator. */
#define FLOATING                                                                                                       \
    "{zveno_scenario: 1, model: {inline: {gravity: [0, 0, 0], links: [{name: world}, {name: base, mass: 40, com: "     \
    "[0.1, 0, 0.05], inertia: [4, 5, 6]}, {name: upper, mass: 4, com: [0.5, 0, 0], inertia: [0.02, 0.4, 0.4]}, "       \
    "{name: fore, mass: 3, com: [0.4, 0, 0.1], inertia: [0.02, 0.2, 0.2]}, {name: load, mass: 12, com: [0.1, 0.05, "   \
    "0], inertia: [0.8, 1.1, 1.3]}], joints: [{name: root, type: free, parent: world, child: base}, {name: shoulder, " \
    "type: continuous, parent: base, child: upper, axis: [0, 0, 1], origin: {xyz: [0.4, 0.1, 0]}}, {name: elbow, "     \
    "type: continuous, parent: upper, child: fore, axis: [0, 1, 0], origin: {xyz: [1, 0, 0]}}, {name: flight, type: "  \
    "free, parent: world, child: load}], frames: [{name: hand, link: fore, pose: {xyz: [0.8, 0, 0]}}], loops: "        \
    "[{name: grip, type: fixed, parent: hand, child: load, open: true}]}}, duration: 1.2, initial: {q: {shoulder: "    \
    "0.3, elbow: -0.4, flight: [2.2, 0.9, 0.5, 0.3, -0.2, 0.5, 0.7874007874011811]}, v: {root: [0.1, -0.05, 0.02, "    \
    "0.1, 0.05, -0.1], shoulder: 0.3, elbow: -0.2, flight: [-0.4, 0.2, -0.1, 0.9, -0.6, 0.4]}}, joints: {elbow: "      \
    "{damping: 2}}, events: [{name: catch, type: time, at: 0.4, action: close, loop: grip, place: here}, {name: "      \
    "release, type: time, at: 0.9, action: open, loop: grip}], integrator: {%s}, output: {rate: 100, channels: [q, "   \
    "v, momentum, energy, closed]}}"

/* An arm of two joints beside a post; %s: what is closed. */
#define SWING_ARM                                                                                                      \
    "{inline: {links: [{name: ground}, {name: upper, mass: 1.5, com: [0, 0, -0.4], inertia: [0.1, 0.1, 0.01]}, "       \
    "{name: lower, mass: 1, com: [0.05, 0, -0.3], inertia: [0.05, 0.06, 0.02]}], joints: [{name: shoulder, type: "     \
    "continuous, parent: ground, child: upper, axis: [0, 1, 0]}, {name: elbow, type: continuous, parent: upper, "      \
    "child: lower, origin: {xyz: [0, 0, -0.8]}, axis: [0, 1, 0]}], frames: [{name: tip, link: lower, pose: {xyz: [0, " \
    "0, -0.6]}}], loops: [%s]}}"
#define ROD_LOOP \
    "{name: bar, type: rod, parent: ground, child: tip, origin: {xyz: [1.2, 0, 0]}, length: %.17g, open: %s}"
#define SHARP "integrator: {method: erk, order: 8, rtol: 1e-12, atol: 1e-13}, output: {rate: 1}"

static inline double ledger_row(const zvRunSummary *summary, const char *name) {
    for (int i = 0; i < zv_run_ledger_rows(summary); i++) {
        const zvLedgerRow row = zv_run_ledger_row(summary, i);
        if (strcmp(row.name, name) == 0) return row.amount;
    }
    fail_msg("no row %s in the ledger", name);
    return NAN;
}

#endif
