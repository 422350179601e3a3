/* How a scenario finds accelerations: a row of the table of forward dynamics. */
#include "actuate/element.h"
#include "dynamics/methods.h"
#include "simulate/scenario_read.h"
#include "work/scratch.h"

#include <stdio.h>

enum { FORWARD_ROWS = ZI_FORWARD_ROW_COUNT };

/* Why a row cannot answer for this scenario; NULL: it can. */
static const char *obstacle_of(const zvScenario *scenario, const zvMethod *row) {
    if (zi_forward_assembles(row) && zv_model_nv(scenario->model) > ZI_SCRATCH_MATRIX_MAX)
        return "defined for up to 2048 degrees of freedom only";
    return zv_domain_obstacle(row->domain, scenario->model, scenario->drives->has_loads);
}

/* A matrix of the tree says nothing of loops; "auto" is what is done without the key. */
static zvStatus choose_row(ziScenarioReader *reader, const ziNamedMap *integrator, const zvMethod *row) {
    const zvScenario *scenario = reader->scenario;
    if (zv_model_nloop(scenario->model) > 0)
        return zi_map_refuse(&reader->reading, integrator, "forward",
                             "expected forward: auto of a model with closed loops, whose accelerations and loop forces "
                             "come from one sweep, found another; leave it out");
    const char *obstacle = obstacle_of(scenario, row);
    if (!obstacle) return ZV_OK;
    const char *names[FORWARD_ROWS];
    char list[200], text[400];
    size_t count;
    int fit = 0;
    const zvMethod *rows = zv_methods(ZV_QUESTION_FORWARD, &count);
    for (size_t i = 0; i < count; i++)
        if (!obstacle_of(scenario, &rows[i])) names[fit++] = rows[i].name;
    snprintf(text, sizeof text, "expected a method for this scenario, found \"%s\", %s; write one of %s", row->name,
             obstacle, zi_scenario_names(names, fit, list, sizeof list));
    return zi_map_refuse(&reader->reading, integrator, "forward", text);
}

/* Structural methods find their accelerations by the corrector, whose matrix has the same limit. */
zvStatus zi_scenario_forward(ziScenarioReader *reader, const ziNamedMap *integrator) {
    zvScenario *scenario = reader->scenario;
    const zvStructural *structural = scenario->integration.structural;
    const char *words[FORWARD_ROWS];
    size_t count;
    int choice = 0;
    if (!integrator->node) return ZV_OK;
    const zvMethod *rows = zv_methods(ZV_QUESTION_FORWARD, &count);
    for (size_t i = 0; i < count; i++) words[i] = rows[i].name;
    zvStatus status = zi_map_word(&reader->reading, integrator, "forward", words, count, &choice);
    if (status >= 0 && choice > 0) {
        scenario->forward = &rows[choice];
        status = choose_row(reader, integrator, scenario->forward);
    }
    if (status >= 0 && structural && structural->iteration == ZV_ITERATION_MASS && zv_model_nloop(scenario->model) > 0)
        return zi_map_refuse(&reader->reading, integrator, "iteration",
                             "expected reduced or full of a model with closed loops, which no global matrix knows, "
                             "found mass; write reduced");
    if (status >= 0 && structural && structural->iteration == ZV_ITERATION_MASS &&
        zv_model_nv(scenario->model) > ZI_SCRATCH_MATRIX_MAX)
        status =
            zi_map_refuse(&reader->reading, integrator, "iteration",
                          "expected at most 2048 degrees of freedom for a global matrix, found more; write reduced");
    return status;
}
