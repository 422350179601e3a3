/* zveno_implicit [METHOD | structural | accuracy]: what implicit methods cost over the number of links.
 *
 * Scenarios of tests/support/growing_scenarios.h, from a few links to many, by dirk, bdf and auto. Printed are
 * processor time of the run, the least of several, steps, and evaluations of the right-hand side per step; then the
 * slopes of the logarithms of the run's time, of the number of steps and of the time of one over that of links (1:
 * linear), and the greatest ratio of times per step of neighbouring sizes, over that of the links: where it is above
 * one there is a step in the cost.
 *
 * structural: the four-bar with an elastic coupler by structural methods and dirk, error against a tight explicit run
 * beside time.
 *
 * accuracy: the same by dirk, bdf and auto over a range of tolerances: steps, time and how far the middle of the
 * coupler is off, a point that does not depend on the cut; then the time for one and the same error, and its slope. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "study.h"
#include "support/growing_scenarios.h"
#include "zveno/kinematics.h"
#include "zveno/simulate.h"

enum { SIZES = 8 };

typedef struct Problem {
    const char *what, *damping;
    void (*write)(char *text, int links, const char *damping, double duration, const char *integrator);
    double duration, atol;
    int links[SIZES];
} Problem;

static const Problem problems[] = {
    {"four-bar, elastic coupler in n links, damping ratio 0.01",
     "ratio: 0.01",
     gs_coupler,
     0.01,
     1e-9,
     {4, 5, 8, 10, 12, 16, 24, 32}},
    {"the same, damping of the material 1e-5 s",
     "rayleigh: {stiffness: 1e-5}",
     gs_coupler,
     0.2,
     1e-6,
     {4, 5, 8, 10, 12, 16, 24, 32}},
    {"elastic arm in n links, controllers",
     "rayleigh: {stiffness: 1e-4}",
     gs_arm,
     0.5,
     1e-6,
     {2, 3, 4, 8, 12, 16, 32, 64}},
    {"n joints with springs, controllers, two mimic joints",
     "20",
     gs_chain,
     0.5,
     1e-6,
     {8, 15, 17, 24, 31, 33, 48, 100}},
};

typedef struct Cost {
    double seconds, steps, rates;
} Cost;

static Cost measure(const Problem *p, int links, const char *method) {
    static char text[GS_TEXT];
    char integrator[128];
    zvScenario *scenario = NULL;
    zvError error = {0};
    Cost cost = {.seconds = INFINITY};
    snprintf(integrator, sizeof integrator, "method: %s, rtol: 1e-6, atol: %g", method, p->atol);
    p->write(text, links, p->damping, p->duration, integrator);
    study_demand(zv_scenario_read_memory(p->what, text, strlen(text), 0, NULL, &scenario, &error) >= 0, &error);
    for (double spent = 0; spent < 0.2;) {
        zvRunSummary *summary = NULL;
        const double begin = study_now();
        study_demand(zv_simulate(scenario, NULL, &summary, &error) >= 0, &error);
        const double seconds = study_now() - begin;
        const zvIntegrationStatistics s = zv_run_statistics(summary);
        cost = (Cost){fmin(cost.seconds, seconds), (double)s.steps, (double)s.rates};
        spent += seconds;
        zv_run_summary_destroy(summary);
    }
    zv_scenario_destroy(scenario);
    return cost;
}

static void print_problem(const Problem *p, const char *method) {
    double x[SIZES], run[SIZES], steps[SIZES], step[SIZES], jump = 0;
    printf("%s: %s, rtol 1e-6, atol %g\n%8s %10s %10s %12s\n", p->what, method, p->atol, "links", "ms", "steps",
           "calls / step");
    for (int i = 0; i < SIZES; i++) {
        const Cost cost = measure(p, p->links[i], method);
        x[i] = p->links[i];
        run[i] = cost.seconds;
        steps[i] = cost.steps;
        step[i] = cost.seconds / cost.steps;
        if (i > 0) jump = fmax(jump, step[i] / step[i - 1] * x[i - 1] / x[i]);
        printf("%8d %10.1f %10.0f %12.2f\n", p->links[i], 1e3 * cost.seconds, cost.steps, cost.rates / cost.steps);
        fflush(stdout);
    }
    printf("slope %.2f of the run: %.2f of the steps, %.2f of one; greatest step in the cost %.2f\n\n",
           study_slope(SIZES, x, run), study_slope(SIZES, x, steps), study_slope(SIZES, x, step), jump);
}

/* Error beside time --------------------------------------------------------------------------------------------- */

enum { MOST_COORDINATES = 3 * 32 + 3 };

/* Runs the coupler; q receives where it ends. The least time of a few runs. */
static double run_coupler(int links, double duration, const char *integrator, double *q, long *steps) {
    static char text[GS_TEXT];
    zvScenario *scenario = NULL;
    zvError error = {0};
    double best = INFINITY;
    gs_coupler(text, links, "ratio: 0.01", duration, integrator);
    study_demand(zv_scenario_read_memory("coupler", text, strlen(text), 0, NULL, &scenario, &error) >= 0, &error);
    const size_t nq = (size_t)zv_model_nq(zv_scenario_model(scenario));
    for (double spent = 0; spent < 0.3;) {
        zvRunSummary *summary = NULL;
        const double begin = study_now();
        study_demand(zv_simulate(scenario, NULL, &summary, &error) >= 0, &error);
        const double seconds = study_now() - begin;
        memcpy(q, zv_run_position(summary), nq * sizeof *q);
        *steps = zv_run_statistics(summary).steps;
        best = fmin(best, seconds);
        spent += seconds;
        zv_run_summary_destroy(summary);
    }
    zv_scenario_destroy(scenario);
    return best;
}

/* The largest error of a coordinate of the coupler's links and that of the rocker's angle, at the end. */
static void compare_coupler(int links, double duration) {
    static const char *const integrators[] = {
        "method: dirk, rtol: 1e-6, atol: 1e-9",    "method: dirk, rtol: 1e-3, atol: 1e-5",
        "method: dirk, rtol: 1e-2, atol: 1e-4",    "method: dirk, rtol: 1e-2, atol: 1e-3",
        "method: dirk, rtol: 1e-1, atol: 1e-2",    "method: generalized-alpha, step: 1e-4",
        "method: generalized-alpha, step: 2.5e-4", "method: generalized-alpha, step: 1e-3",
        "method: generalized-alpha, step: 5e-3",   "method: newmark, step: 1e-3",
        "method: energy-momentum, step: 1e-3"};
    double wanted[MOST_COORDINATES], q[MOST_COORDINATES];
    long steps;
    const double tight = run_coupler(links, duration, "method: erk, order: 8, rtol: 1e-8, atol: 1e-11", wanted, &steps);
    const int rocker = 3 * links + 2;
    printf("four-bar, elastic coupler in %d links, damping ratio 0.01, %g s; erk 8 at 1e-8: %.1f ms, %ld steps\n",
           links, duration, 1e3 * tight, steps);
    printf("%-42s %10s %8s %12s %12s\n", "integrator", "ms", "steps", "rocker, rad", "coupler");
    for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++) {
        const double seconds = run_coupler(links, duration, integrators[i], q, &steps);
        double worst = 0;
        for (int k = 2; k < rocker; k++) worst = fmax(worst, fabs(q[k] - wanted[k]));
        printf("%-42s %10.2f %8ld %12.1e %12.1e\n", integrators[i], 1e3 * seconds, steps,
               fabs(q[rocker] - wanted[rocker]), worst);
        fflush(stdout);
    }
    printf("\n");
}

static void structural_methods(void) {
    for (int links = 4; links <= 32; links *= 2) compare_coupler(links, 0.05);
}

/* Equal accuracy ------------------------------------------------------------------------------------------------ */

enum { TOLERANCES = 6, CUTS = 4 };
static const double wanted_error = 1e-10; /* m */

/* Where the joint in the middle of the coupler is. */
static void place_middle(int links, const double *q, double place[3]) {
    static char text[GS_TEXT];
    char name[16];
    zvScenario *scenario = NULL;
    zvError error = {0};
    zvPose pose;
    gs_coupler(text, links, "ratio: 0.01", 1, "method: dirk");
    study_demand(zv_scenario_read_memory("coupler", text, strlen(text), 0, NULL, &scenario, &error) >= 0, &error);
    const zvModel *model = zv_scenario_model(scenario);
    zvWork *work = zv_work_create(model, &error);
    study_demand(work != NULL, &error);
    snprintf(name, sizeof name, "b%d", links / 2);
    zv_frame_pose(model, work, q, zv_model_find_frame(model, name), &pose);
    memcpy(place, pose.p, sizeof pose.p);
    zv_work_destroy(work);
    zv_scenario_destroy(scenario);
}

static double distance_apart(const double *x, const double *y) {
    return sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) + (x[2] - y[2]) * (x[2] - y[2]));
}

/* The time for the wanted error, between the two tolerances whose errors are about it; the coarsest tolerance when its
 * error is small enough, NAN when none is. */
static double time_for(const double *seconds, const double *errors) {
    if (errors[0] <= wanted_error) return seconds[0];
    for (int i = 1; i < TOLERANCES; i++) {
        if (errors[i] > wanted_error) continue;
        const double share = log(errors[i - 1] / wanted_error) / log(errors[i - 1] / errors[i]);
        return seconds[i - 1] * pow(seconds[i] / seconds[i - 1], share);
    }
    return NAN;
}

/* One method on one cut of the coupler, over all tolerances. */
static double measure_accuracy(const char *method, int links, const double *wanted) {
    double seconds[TOLERANCES], errors[TOLERANCES], q[MOST_COORDINATES], place[3];
    long steps;
    for (int i = 0; i < TOLERANCES; i++) {
        char integrator[96];
        snprintf(integrator, sizeof integrator, "method: %s, rtol: %g, atol: %g", method, pow(10, -2 - i),
                 pow(10, -5 - i));
        seconds[i] = run_coupler(links, 0.01, integrator, q, &steps);
        place_middle(links, q, place);
        errors[i] = distance_apart(place, wanted);
        printf("%6d %-46s %10.1f %8ld %12.1e\n", links, integrator, 1e3 * seconds[i], steps, errors[i]);
        fflush(stdout);
    }
    return time_for(seconds, errors);
}

static void equal_accuracy(void) {
    static const char *const methods[] = {"dirk, order: 4", "dirk, order: 5", "bdf", "auto"};
    static const int cuts[CUTS] = {4, 8, 16, 32};
    double q[MOST_COORDINATES], wanted[CUTS][3], x[CUTS], seconds[CUTS];
    long steps;
    printf("four-bar, elastic coupler in n links, damping ratio 0.01, 0.01 s\n%6s %-46s %10s %8s %12s\n", "links",
           "integrator", "ms", "steps", "middle, m");
    for (int i = 0; i < CUTS; i++) {
        run_coupler(cuts[i], 0.01, "method: erk, order: 8, rtol: 1e-9, atol: 1e-12", q, &steps);
        place_middle(cuts[i], q, wanted[i]);
    }
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        for (int i = 0; i < CUTS; i++) {
            x[i] = cuts[i];
            seconds[i] = measure_accuracy(methods[m], cuts[i], wanted[i]);
        }
        printf("%s, ms for an error of %g m:", methods[m], wanted_error);
        for (int i = 0; i < CUTS; i++) printf(" %.0f", 1e3 * seconds[i]);
        printf("; slope %.2f\n\n", study_slope(CUTS, x, seconds));
    }
}

int main(int count, char **arguments) {
    static const char *const methods[] = {"dirk", "bdf", "auto"};
    if (count < 2 || strcmp(arguments[1], "structural") == 0) structural_methods();
    if (count < 2 || strcmp(arguments[1], "accuracy") == 0) equal_accuracy();
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        for (int m = 0; m < 3; m++) {
            if (count < 2 || strcmp(arguments[1], methods[m]) == 0) print_problem(&problems[i], methods[m]);
        }
    }
    return EXIT_SUCCESS;
}
