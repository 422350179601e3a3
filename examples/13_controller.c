/* A controller of one's own: a function of this program is a drive of the simulation, asked every 2 ms as a digital
 * controller is. Between samples a mass on rails moves with a constant force, so that its path is known exactly. */
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
                           "duration: 1\n"
                           "drives: [{type: function, name: brain, joint: slide, interval: 0.002, limit: 40}]\n";

typedef struct Brain {
    double kp, kd, goal;
    long calls;
} Brain;

static zvStatus think(void *context, double t, const double *q, const double *v, double *force) {
    Brain *brain = context;
    (void)t;
    brain->calls++;
    force[0] = brain->kp * (brain->goal - q[0]) - brain->kd * v[0];
    return ZV_OK; /* any other status stops the run */
}

int main(void) {
    Brain brain = {.kp = 200, .kd = 40, .goal = 0.5};
    const zvRunFunction functions[] = {{"brain", think, &brain}};
    const zvRunOptions options = {.functions = functions, .function_count = 1, .keep = true};
    zvScenario *scenario = NULL;
    zvRunSummary *summary = NULL;
    zvError error;
    if (zv_scenario_read_memory("cart.yaml", text, strlen(text), 0, NULL, &scenario, &error) < 0 ||
        zv_simulate(scenario, &options, &summary, &error) < 0) {
        fprintf(stderr, "%s\n", zv_error_line(&error, (char[1024]){0}, 1024));
        return 1;
    }
    double x = 0, v = 0;
    const double T = 0.002, m = 2;
    for (int k = 0; k < 500; k++) {
        const double u = fmax(-40, fmin(40, 200 * (0.5 - x) - 40 * v));
        x += v * T + u / m * T * T / 2;
        v += u / m * T;
    }
    uint64_t rows;
    zv_recorder_rows(zv_run_kept(summary), &rows);
    printf("x = %.9f m after %ld samples, step by step %.9f m; %llu rows kept\n", zv_run_position(summary)[0],
           brain.calls, x, (unsigned long long)rows);
    const bool good = fabs(zv_run_position(summary)[0] - x) < 1e-9 && brain.calls == 500 && rows > 1;
    zv_run_summary_destroy(summary), zv_scenario_destroy(scenario);
    return !good;
}
