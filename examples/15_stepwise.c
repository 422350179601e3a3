/* A simulation in one's own loop: a cart is pushed by a force that this program works out every 10 ms, is put somewhere
 * else half way, and finds its goal again. Its path between two pushes is known exactly. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "zveno/zveno.h"

static const char text[] = "zveno_scenario: 1\n"
                           "model:\n"
                           "  inline:\n"
                           "    name: cart\n"
                           "    links: [{name: rail}, {name: cart, mass: 2, inertia: [0.01, 0.01, 0.01]}]\n"
                           "    joints: [{name: slide, type: prismatic, parent: rail, child: cart, axis: [1, 0, 0]}]\n"
                           "duration: 10\n"
                           "drives: [{type: function, name: hand, joint: slide}]\n";

int main(void) {
    zvScenario *scenario = NULL;
    zvSimulation *simulation = NULL;
    zvRunSummary *summary = NULL;
    zvError error;
    zvStatus status = zv_scenario_read_memory("cart.yaml", text, strlen(text), 0, NULL, &scenario, &error);
    if (status >= 0) status = zv_simulation_create(scenario, NULL, &simulation, &error);
    double q = 0, v = 0, x = 0, u = 0, worst = 0;
    const double T = 0.01, m = 2;
    for (int k = 1; k <= 400 && status >= 0; k++) {
        if (k == 201) {
            const double elsewhere = -0.3, at_rest = 0;
            status = zv_simulation_set_state(simulation, &elsewhere, &at_rest, NULL, &error);
            x = q = elsewhere, u = v = at_rest;
        }
        const double force = 80 * (0.5 - q) - 25 * v;
        if (status >= 0) status = zv_simulation_push(simulation, "hand", &force, &error);
        if (status >= 0) status = zv_simulation_advance(simulation, k * T, &error);
        if (status < 0) break;
        zv_simulation_state(simulation, &q, &v, NULL);
        x += u * T + force / m * T * T / 2;
        u += force / m * T;
        worst = fmax(worst, fabs(q - x));
    }
    if (status >= 0) status = zv_simulation_finish(simulation, &summary, &error);
    if (status < 0) {
        fprintf(stderr, "%s\n", zv_error_line(&error, (char[1024]){0}, 1024));
        return 1;
    }
    printf("x = %.6f m at t = %g s (%s); never more than %.1e m from the exact path\n", q, zv_run_time(summary),
           zv_run_ending(summary), worst);
    const bool good = fabs(q - 0.5) < 1e-3 && worst < 1e-7;
    zv_run_summary_destroy(summary), zv_simulation_destroy(simulation), zv_scenario_destroy(scenario);
    return !good;
}
