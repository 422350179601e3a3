/* Where a boom that is held lets its load hang: what holds it, and how soft it stands. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "zveno/zveno.h"

static const char boom[] = "zveno_scenario: 1\n"
                           "model:\n"
                           "  inline:\n"
                           "    name: boom\n"
                           "    links:\n"
                           "      - {name: ground}\n"
                           "      - {name: boom, mass: 80, com: [2, 0, 0], inertia: [1, 100, 100]}\n"
                           "      - {name: load, mass: 200, com: [0, 0, -0.5], inertia: [5, 5, 5]}\n"
                           "    joints:\n"
                           "      - {name: lift, type: continuous, parent: ground, child: boom, axis: [0, -1, 0]}\n"
                           "      - {name: hook, type: continuous, parent: boom, child: load, axis: [0, -1, 0],\n"
                           "         origin: {xyz: [4, 0, 0]}}\n"
                           "duration: 1\n"
                           "initial: {q: {lift: 0.5}}\n";

int main(void) {
    zvScenario *scenario = NULL;
    zvEquilibrium *rest = NULL;
    zvError error;
    const unsigned char held[] = {1, 0}; /* the boom; the load swings to where it hangs */
    zvRestOptions options = zv_rest_default();
    options.held = held;
    if (zv_scenario_read_memory("boom.yaml", boom, strlen(boom), 0, NULL, &scenario, &error) < 0 ||
        zv_scenario_equilibrium(scenario, &options, &rest, &error) < 0) {
        fprintf(stderr, "%s\n", zv_error_line(&error, (char[1024]){0}, 1024));
        return 1;
    }
    const double moment = zv_equilibrium_holding(rest)[0], want = 9.81 * cos(0.5) * (80 * 2 + 200 * 4);
    printf("the boom is held by %.3f N m (%.3f by hand), the load hangs at %.6f rad, %s, %.4f rad^2/s^2\n", moment,
           want, zv_equilibrium_position(rest)[1], zv_stability_word(zv_equilibrium_stability(rest)),
           zv_equilibrium_squares(rest)[0]);
    const bool good = fabs(moment - want) < 1e-8 * want && fabs(zv_equilibrium_position(rest)[1] + 0.5) < 1e-10 &&
                      fabs(zv_equilibrium_squares(rest)[0] - 200 * 9.81 * 0.5 / (5 + 200 * 0.25)) < 1e-7;
    zv_equilibrium_destroy(rest), zv_scenario_destroy(scenario);
    return !good;
}
