/* Scenarios from memory, and the first steps of their runs, recorded row by row but not to a file. What a run gives up
 * has a text; what it ends well with is numbers. */
#include <math.h>
#include <stdbool.h>

#include "target.h"
#include "zveno/simulate.h"

enum { SMALL = 32, CALLS = 200 }; /* degrees of freedom; steps and rows shown before a run is stopped */

typedef struct Watch {
    int calls;
} Watch;

static bool go_on(Watch *watch) { return ++watch->calls < CALLS; }

static bool see_progress(void *context, const zvProgress *progress) {
    (void)progress;
    return go_on(context);
}

static bool see_row(void *context, const double *row) {
    (void)row;
    return go_on(context);
}

static void run(const zvScenario *scenario) {
    Watch watch = {0};
    zvError error = {0};
    zvRunSummary *summary = NULL;
    const zvRunOptions options = {
        .progress = see_progress, .progress_interval = 1e-9, .row = see_row, .context = &watch};
    const zvStatus status = zv_simulate(scenario, &options, &summary, &error);
    demand(status >= 0 || error.text[0], "a run that fails has a text");
    demand(status < 0 || summary != NULL, "a run that ends well has a summary");
    for (int i = 0; summary && status >= 0 && i < zv_model_nq(zv_scenario_model(scenario)); i++)
        demand(isfinite(zv_run_position(summary)[i]), "a run that ends well ends at numbers");
    zv_run_summary_destroy(summary);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    zvError error = {0};
    zvScenario *scenario = NULL;
    const zvStatus status =
        zv_scenario_read_memory("nowhere/fuzz.yaml", (const char *)data, size, 0, NULL, &scenario, &error);
    if (status >= 0 && zv_model_nv(zv_scenario_model(scenario)) <= SMALL) run(scenario);
    zv_scenario_destroy(scenario);
    return 0;
}
