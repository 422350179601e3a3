/* Reading a scenario while every n-th request for memory fails, for n = 1, 2, ... until a whole reading succeeds: once
 * alone, and once with all later requests failing as well. Each failure must be reported, and nothing may leak. */
#include <stdio.h>
#include <string.h>

#include "allocator.h"
#include "zveno/simulate.h"

#define INERTIA "mass: 1, com: [0, 0, 0.2], inertia: [0.1, 0.1, 0.1]"

static const char text[] =
    "zveno_scenario: 1\n"
    "model: {inline: {links: [{name: base}, {name: a, " INERTIA "}, {name: b, " INERTIA "}], joints: ["
    "{name: j, type: revolute, parent: base, child: a, axis: [0, 1, 0], limits: {lower: -2, upper: 2}, friction: 1},"
    "{name: k, type: revolute, parent: a, child: b, axis: [0, 1, 0], origin: {xyz: [0, 0, 0.5]}, damping: 1}],"
    "frames: [{name: tool, link: b, pose: {xyz: [0, 0, 0.4]}}]}}\n"
    "duration: 1\n"
    "initial: {q: {j: 0.3, k: 1}, motors: {k: {theta: 1.1}}}\n"
    "joints: {k: {spring: {stiffness: 2}, flexible: {stiffness: 10, inertia: 1}}}\n"
    "drives:\n"
    "  - {type: pid, joints: all, kp: [1, 2], ki: 1, limit: 5, reference: {type: line, frame: tool, task: [x, z], to: "
    "{xyz: "
    "[0.3, 0, 0.6]}, duration: 0.5, profile: trapezoidal}}\n"
    "  - {type: torque, joints: all, law: [{type: harmonic, amplitude: 1, hertz: 1}, {type: sum, parts: [1, 2]}]}\n"
    "  - {type: torque, joint: j, law: {type: sequence, parts: [{duration: 1, law: 2}, {type: spline, times: [0, 1], "
    "points: [0, 1]}]}}\n"
    "loads: [{frame: tool, force: [0, 0, 1]}]\n"
    "events: [{type: limit, joints: all}, {type: threshold, channel: pose tool.z, value: 3}]\n"
    "output: {file: a.h5, channels: [q, forces, pose tool]}\n";

static zvStatus run(void) {
    static const char *const changes[] = {"integrator.rtol=1e-6", "drives.0.kp=[3, 4]"};
    zvError error = {0};
    zvScenario *scenario = NULL;
    const zvStatus status = zv_scenario_read_memory("s.yaml", text, sizeof text - 1, 2, changes, &scenario, &error);
    if (status < 0 && status != ZV_MEMORY) fprintf(stderr, "%d:%d: %s\n", error.line, error.column, error.text);
    zv_scenario_destroy(scenario);
    return status;
}

/* One reading with the n-th request refused; false when something is wrong. */
static bool try_failure(long n, bool forever, bool *over) {
    const long before = allocator_outstanding();
    allocator_fail(n, ANYBODY, forever);
    const zvStatus status = run();
    const bool refused = allocator_refused();
    allocator_fail(0, ANYBODY, false);
    const long leaked = allocator_outstanding() - before;
    *over = !refused;
    if ((status == ZV_MEMORY || status == ZV_OK) && leaked == 0) return true;
    fprintf(stderr, "request %ld%s refused: %s, %ld blocks leaked\n", n, forever ? " and all later ones" : "",
            zv_status_name(status), leaked);
    return false;
}

int main(void) {
    int failures = 0;
    run(); /* one-time allocations of the parser */
    if (run() != ZV_OK) return 1;
    for (int forever = 0; forever < 2; forever++) {
        bool over = false;
        long n = 0;
        while (!over && failures < 20) failures += !try_failure(++n, forever, &over);
        printf("%ld requests%s, %d failures\n", n - 1, forever ? ", later ones refused too" : "", failures);
        failures += n < 10; /* then the allocator is not replaced */
    }
    return failures != 0;
}
