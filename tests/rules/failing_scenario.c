/* Scenarios while memory runs out (failing.h): reading one with all kinds of sections, and running it with a recording
 * in CSV, with a fixed step (nobody gets memory) and, where there is SUNDIALS, with adams and bdf (only we do not: what
 * SUNDIALS does without memory is its own affair). */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "failing.h"
#include "scenario.h"
#include "zveno/simulate.h"

/* A failure has a text. */
static zvStatus told(zvStatus status, const zvError *error) {
    if (status == ZV_OK || (status == ZV_MEMORY && error->text[0])) return status;
    fprintf(stderr, "%s, %d:%d: \"%s\"\n", zv_status_name(status), error->line, error->column, error->text);
    return ZV_SYNTAX;
}

static zvStatus read_scenario(const char *method, zvScenario **scenario) {
    const char *changes[] = {method, "drives.0.kp=[3, 4, 5]"};
    zvError error = {0};
    return told(zv_scenario_read_memory("s.yaml", everything, sizeof everything - 1, 2, changes, scenario, &error),
                &error);
}

static zvStatus read_and_forget(void *context) {
    zvScenario *scenario = NULL;
    const zvStatus status = read_scenario(context, &scenario);
    zv_scenario_destroy(scenario);
    return status;
}

/* Running ----------------------------------------------------------------------------------------- */

static char folder[64], output[80];

static void remove_output(void) {
    static const char *const suffixes[] = {"", ".rows", ".checkpoint"};
    char path[128];
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        snprintf(path, sizeof path, "%s%s", output, suffixes[i]);
        unlink(path);
    }
}

/* Success means a recording, a failure to get memory none. */
static zvStatus simulate(void *context) {
    const zvRunOptions options = {.output = output};
    zvError error = {0};
    zvRunSummary *summary = NULL;
    const zvStatus status = told(zv_simulate(context, &options, &summary, &error), &error);
    zv_run_summary_destroy(summary);
    const bool written = access(output, F_OK) == 0;
    remove_output();
    if (written == (status == ZV_OK)) return status;
    fprintf(stderr, "%s although %s was%s written\n", zv_status_name(status), output, written ? "" : " not");
    return ZV_IO;
}

/* Piece by piece, with the recording in memory; the drives of the scenario have no functions to be pushed. */
static zvStatus step(void *context) {
    const zvRunOptions options = {.keep = true};
    zvError error = {0};
    zvSimulation *simulation = NULL;
    zvRunSummary *summary = NULL;
    double row[512];
    zvStatus status = zv_simulation_create(context, &options, &simulation, &error);
    int width = 0;
    for (int i = 0; simulation && i < zv_simulation_channels(simulation); i++)
        width += zv_simulation_channel(simulation, i)->width;
    if (width > (int)(sizeof row / sizeof *row)) return ZV_SYNTAX;
    if (status == ZV_OK) status = zv_simulation_advance(simulation, 0.01, &error);
    if (status == ZV_OK) status = zv_simulation_row(simulation, row, &error);
    if (status == ZV_OK) status = zv_simulation_summary(simulation, &summary, &error);
    zv_run_summary_destroy(summary);
    summary = NULL;
    if (status == ZV_OK) status = zv_simulation_finish(simulation, &summary, &error);
    zv_run_summary_destroy(summary);
    zv_simulation_destroy(simulation);
    return told(status, &error);
}

static int fail_simulation(const char *method, Whose whose) {
    zvScenario *scenario = NULL;
    if (read_scenario(method, &scenario) != ZV_OK) return 1;
    int failures = fail_every_request(method, simulate, scenario, whose);
    if (whose == ANYBODY) failures += fail_every_request("stepwise", step, scenario, whose);
    zv_scenario_destroy(scenario);
    return failures;
}

int main(void) {
    char rk4[] = "integrator={method: rk4, step: 5e-3}";
    int failures = fail_every_request("reading", read_and_forget, rk4, ANYBODY);
    snprintf(folder, sizeof folder, "/tmp/zveno-failing-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    snprintf(output, sizeof output, "%s/out.csv", folder);
    failures += fail_simulation(rk4, ANYBODY);
    if (zv_integration_method_find("adams")) failures += fail_simulation("integrator.method=adams", OURS);
    if (zv_integration_method_find("bdf")) failures += fail_simulation("integrator.method=bdf", OURS);
    rmdir(folder); /* which leaves it when something strange lies in it */
    return failures != 0;
}
