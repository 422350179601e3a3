/* Simulation from C: a scenario in a string, watched while it runs; nothing is written to disk. A mass on a spring and
 * a damper is let go; what remains of its swing after 3 s is known in closed form. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "zveno/zveno.h"

static const char text[] = "zveno_scenario: 1\n"
                           "title: A mass on a spring\n"
                           "model:\n"
                           "  inline:\n"
                           "    name: oscillator\n"
                           "    links: [{name: wall}, {name: mass, mass: 2, inertia: [0.01, 0.01, 0.01]}]\n"
                           "    joints: [{name: slide, type: prismatic, parent: wall, child: mass, axis: [1, 0, 0]}]\n"
                           "duration: 3\n"
                           "initial: {q: {slide: 0.1}}\n"
                           "joints: {slide: {spring: {stiffness: 50}, damping: 1}}\n";

static bool watch(void *context, const zvProgress *progress) {
    int *calls = context;
    printf("%3.0f %% at t = %.2f s, step %.2g s\n",
           100 * (progress->t - progress->start) / (progress->end - progress->start), progress->t, progress->step);
    return ++*calls < 1000; /* false would stop the run */
}

int main(void) {
    const char *changes[] = {"integrator.rtol=1e-10", "integrator.atol=1e-12"}; /* as --set of the command */
    int calls = 0;
    zvRunOptions options = {.progress = watch, .progress_interval = 0.02, .context = &calls};
    zvScenario *scenario = NULL;
    zvRunSummary *summary = NULL;
    zvError error;
    if (zv_scenario_read_memory("spring.yaml", text, strlen(text), 2, changes, &scenario, &error) < 0 ||
        zv_simulate(scenario, &options, &summary, &error) < 0) {
        fprintf(stderr, "%s\n", zv_error_line(&error, (char[1024]){0}, 1024));
        return 1;
    }
    const double t = zv_run_time(summary), decay = 0.25, omega = sqrt(25 - decay * decay);
    const double q = zv_run_position(summary)[0];
    const double wanted = 0.1 * exp(-decay * t) * (cos(omega * t) + decay / omega * sin(omega * t));
    const double gap = zv_run_ledger_gap(summary) / zv_run_energy_exchanged(summary);
    for (int i = 0; i < zv_run_ledger_rows(summary); i++) {
        const zvLedgerRow row = zv_run_ledger_row(summary, i);
        printf("%-14s %s %10.6f J\n", row.name, row.is_store ? "change" : "work  ", row.amount);
    }
    printf("x = %.12f m, closed form %.12f m; gap of the ledger %.1e of the energy exchanged\n", q, wanted, gap);
    zv_run_summary_destroy(summary), zv_scenario_destroy(scenario);
    return !(fabs(q - wanted) < 1e-8 && fabs(gap) < 1e-8 && calls >= 2);
}
