/* Stiff drives on many loops: above 32 unknowns the equations of implicit methods are solved by a preconditioner that
 * knows the loops, or led by it. A row of equal four-bars must move as one of them, which has dense matrices. */
#include "simulate/four_bar.h"
#include "support/run_tests.h"

enum { BARS = 12 };

/* The parts of a scenario that repeat: links, joints, loops, initial positions, joints' springs. */
static void write_parts(char *text, size_t size, const char *part, const char *between, int count) {
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < count; i++) {
        for (const char *c = part; *c; c++)
            used += (size_t)snprintf(text + used, size - used, *c == '#' ? "%d" : "%c", *c == '#' ? i : *c);
        used += (size_t)snprintf(text + used, size - used, "%s", i + 1 < count ? between : "");
    }
}

static zvScenario *row_of(int count, const char *method) {
    static const char *const parts[] = {
        "{name: c#, mass: 1.2, com: [0.12, 0, 0], inertia: [0.01, 0.02, 0.02]}, {name: b#, mass: 2, com: [0.5, 0, 0], "
        "inertia: [0.01, 0.15, 0.15]}, {name: r#, mass: 1.5, com: [0.3, 0, 0], inertia: [0.01, 0.08, 0.08]}",
        "{name: jc#, type: continuous, parent: ground, child: c#, axis: [0, -1, 0]}, {name: jb#, type: continuous, "
        "parent: "
        "c#, child: b#, axis: [0, -1, 0], origin: {xyz: [0.3, 0, 0]}}, {name: jr#, type: continuous, parent: ground, "
        "child: r#, axis: [0, -1, 0], origin: {xyz: [1, 0, 0]}}",
        "{name: l#, type: revolute, parent: r#, child: b#, axis: [0, -1, 0], origin: {xyz: [0.7, 0, 0]}, child_origin: "
        "{xyz: [0.9, 0, 0]}}",
        "jc#: 1",
        "jr#: {spring: {stiffness: 1e5, rest: 1.7}, damping: 2e4}, jb#: {damping: 50}",
    };
    static char texts[5][20000], whole[80000];
    for (int i = 0; i < 5; i++) write_parts(texts[i], sizeof texts[i], parts[i], ", ", count);
    const int size = snprintf(
        whole, sizeof whole,
        "{zveno_scenario: 1, duration: 0.5, model: {inline: {links: [{name: ground}, %s], joints: [%s], loops: [%s]}}, "
        "initial: {q: {%s}}, joints: {%s}, integrator: {method: %s, rtol: 1e-8, atol: 1e-8}, output: {ledger: false}}",
        texts[0], texts[1], texts[2], texts[3], texts[4], method);
    zvScenario *scenario = NULL;
    zvError error = {0};
    if (zv_scenario_read_memory("test", whole, (size_t)size, 0, NULL, &scenario, &error) < 0)
        fail_msg("%s", error.text);
    return scenario;
}

static void row_of_bars(void **state) {
    (void)state;
    static const char *const methods[] = {"bdf", "dirk"};
    for (int i = 0; i < 2; i++) {
        if (!zv_integration_method_find(methods[i])) continue;
        zvScenario *one = row_of(1, methods[i]), *many = row_of(BARS, methods[i]);
        zvRunSummary *alone = run_of(one, NULL), *together = run_of(many, NULL);
        const zvIntegrationStatistics dense = zv_run_statistics(alone), krylov = zv_run_statistics(together);
        print_message("%s: %ld and %ld steps; %ld Krylov for %ld Newton iterations\n", methods[i], dense.steps,
                      krylov.steps, krylov.linear_iterations, krylov.newton_iterations);
        assert_true(fabs(zv_run_position(alone)[0] - 1) > 1e-3);
        for (int k = 0; k < 3 * BARS; k++) {
            assert_named_near(methods[i], zv_run_position(together)[k], zv_run_position(alone)[k % 3], 3e-6);
            assert_named_near(methods[i], zv_run_velocity(together)[k], zv_run_velocity(alone)[k % 3], 3e-5);
        }
        assert_int_equal(dense.linear_iterations, 0);
        assert_true(krylov.linear_iterations > 0 && krylov.linear_iterations < 4 * krylov.newton_iterations);
        assert_true(krylov.steps < 2 * dense.steps + 50);
        assert_true(zv_run_loop_gap(together) <= 1e-12 && zv_run_loop_rate(together) <= 1e-11);
        zv_run_summary_destroy(alone);
        zv_run_summary_destroy(together);
        zv_scenario_destroy(one);
        zv_scenario_destroy(many);
    }
}

TESTS(row_of_bars)
