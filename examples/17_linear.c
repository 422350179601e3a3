/* A crane's trolley with its load: the linear model about the hanging load, its poles, what the step of a force does,
 * and the zero that the trolley has where the load swings by itself. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "zveno/zveno.h"

static const char crane[] = "zveno_scenario: 1\n"
                            "model:\n"
                            "  inline:\n"
                            "    name: crane\n"
                            "    links:\n"
                            "      - {name: rail}\n"
                            "      - {name: trolley, mass: 100, inertia: [1, 1, 1]}\n"
                            "      - {name: load, mass: 400, com: [0, 0, -5]}\n"
                            "    joints:\n"
                            "      - {name: run, type: prismatic, parent: rail, child: trolley, axis: [1, 0, 0]}\n"
                            "      - {name: rope, type: continuous, parent: trolley, child: load, axis: [0, 1, 0]}\n"
                            "duration: 1\n";

int main(void) {
    const char *inputs[] = {"tau.run"}, *outputs[] = {"q.run"};
    const double g = 9.81, alone = sqrt(g / 5), together = sqrt(g / 5 * (1 + 400.0 / 100));
    double real[4], imag[4], y[2];
    zvScenario *scenario = NULL;
    zvLinear *linear = NULL;
    zvError error;
    int nx, count;
    if (zv_scenario_read_memory("crane.yaml", crane, strlen(crane), 0, NULL, &scenario, &error) < 0 ||
        zv_linear_create(scenario, 1, inputs, 1, outputs, &linear, &error) < 0 ||
        zv_linear_at(linear, 0, NULL, NULL, NULL, &error) < 0) {
        fprintf(stderr, "%s\n", zv_error_line(&error, (char[1024]){0}, 1024));
        return 1;
    }
    zvStateSpace s = {.nu = 1, .ny = 1, .A = zv_linear_matrix(linear, ZV_LINEAR_A, &nx, NULL)};
    s.nx = nx;
    s.B = zv_linear_matrix(linear, ZV_LINEAR_B, NULL, NULL);
    s.C = zv_linear_matrix(linear, ZV_LINEAR_C, NULL, NULL);
    s.D = zv_linear_matrix(linear, ZV_LINEAR_D, NULL, NULL);
    zv_poles(&s, real, imag, &error);
    double fastest = 0;
    for (int i = 0; i < nx; i++) fastest = fmax(fastest, fabs(imag[i]));
    zv_zeros(&s, &count, real, imag, &error);
    zv_time_response(&s, ZV_STIMULUS_STEP, 1, 2, y, &error); /* after 1 s of 1 N */
    printf("they swing at %.6f rad/s (%.6f by hand), the load alone at %.6f (%.6f); 1 N moves the trolley by %.6g m in "
           "1 s\n",
           fastest, together, fabs(imag[0]), alone, y[1]);
    /* (s^2 + g/l) / (100 s^2 (s^2 + w^2)) by partial fractions */
    const double w = together, moved = (g / 5 / (w * w) * 0.5 + (1 - g / 5 / (w * w)) * (1 - cos(w)) / (w * w)) / 100;
    const bool good = count == 2 && fabs(fastest - together) < 1e-9 && fabs(fabs(imag[0]) - alone) < 1e-9 &&
                      fabs(y[1] - moved) < 1e-12;
    zv_linear_destroy(linear);
    zv_scenario_destroy(scenario);
    return !good;
}
