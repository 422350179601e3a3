/* How a scenario is integrated. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "integrate/method.h"
#include "simulate/scenario_read.h"

static const double COARSEST = 0.1; /* relative tolerance */
static const double USUAL_STEP = 1e-3;
static const double MOST_STEPS = 1e12; /* of a run */
static const double LEAST_ULPS = 1e3;  /* of a duration, in roundings of the times that bound it */

enum { METHODS = 16 };

static const char USUAL_METHOD[] = "adams";

/* A scenario means the same in every build, so what a build lacks is refused, never replaced by something coarser. */
static zvStatus check_build(zvScenarioReader *reader, const zvElement *root, const zvElement *element) {
    const zvNode *node = element->node ? zv_node_get(element->node, "method") : NULL;
    const char *name = node && node->kind == ZV_NODE_SCALAR ? node->text : USUAL_METHOD;
    if (!zv_method_is_absent(name)) return ZV_OK;
    const zvNode *place = node ? node : element->node ? element->node : root->node;
    return zv_fail(reader->error, ZV_NOT_SUPPORTED, place->mark, name,
                   "the method %s%s needs SUNDIALS, which this build lacks; write integrator: {method: rk4, step: 1e-3}"
                   " or build with ZVENO_SUNDIALS=ON",
                   name, node ? "" : ", the default,");
}

static zvStatus read_method(zvScenarioReader *reader, const zvElement *element, const zvIntegrationMethod **method) {
    size_t count;
    const zvIntegrationMethod *rows = zv_integration_methods(&count);
    const char *words[METHODS];
    int choice = 0;
    if (count > METHODS) count = METHODS;
    for (size_t i = 0; i < count; i++) words[i] = rows[i].name;
    const zvStatus status =
        element->node ? zv_element_word(&reader->reading, element, "method", words, count, &choice) : ZV_OK;
    *method = &rows[choice];
    reader->scenario->integration.method = rows[choice].name;
    return status;
}

static zvStatus read_tolerances(zvScenarioReader *reader, const zvElement *element, zvIntegrationOptions *options) {
    zvStatus status = zv_scenario_positive(reader, element, "rtol", &options->rtol);
    if (status >= 0) status = zv_scenario_not_negative(reader, element, "atol", &options->atol);
    if (status >= 0 && options->rtol > COARSEST)
        return zv_scenario_bad_number(reader, element, "rtol", options->rtol,
                                      "a relative tolerance above 0.1 leaves no digit right; 1e-6 is coarse");
    return status;
}

static zvStatus read_order(zvScenarioReader *reader, const zvElement *element, const zvIntegrationMethod *method,
                           zvIntegrationOptions *options) {
    const zvNode *node = zv_node_get(element->node, "order");
    if (!node) return ZV_OK;
    const zvStatus status = zv_node_integer(node, "order of the integrator", &options->order, reader->error);
    if (status < 0 || (options->order >= method->least_order && options->order <= method->greatest_order))
        return status;
    if (method->least_order == method->greatest_order)
        return zv_fail(reader->error, ZV_NUMBER, node->mark, node->text, "order is %d; the method %s has order %d only",
                       options->order, method->name, method->least_order);
    return zv_fail(reader->error, ZV_NUMBER, node->mark, node->text, "order is %d; the method %s has orders %d to %d",
                   options->order, method->name, method->least_order, method->greatest_order);
}

static zvStatus read_steps(zvScenarioReader *reader, const zvElement *element, const zvIntegrationMethod *method,
                           zvIntegrationOptions *options) {
    const double duration = reader->scenario->duration;
    const zvNode *node = zv_node_get(element->node, "max_steps");
    double most = 0;
    zvStatus status = zv_scenario_positive(reader, element, "step", &options->step);
    if (status >= 0) status = zv_scenario_positive(reader, element, "max_step", &options->max_step);
    if (status >= 0) status = zv_scenario_positive(reader, element, "max_steps", &most);
    if (status < 0) return status;
    if (node && (most > 1e15 || most != (double)(long)most))
        return zv_scenario_bad_number(reader, element, "max_steps", most, "write a whole number");
    options->max_steps = (long)most;
    if (zv_element_has(element, "step") && options->step > duration)
        return zv_scenario_bad_number(reader, element, "step", options->step,
                                      "that is longer than the whole duration; steps are in seconds");
    if (method->family == ZV_FIXED_STEP && duration / options->step > MOST_STEPS)
        return zv_scenario_bad_number(reader, element, "step", options->step,
                                      "that makes more than 1e12 steps in the duration; steps are in seconds");
    if (zv_element_has(element, "max_step") && duration / options->max_step > MOST_STEPS)
        return zv_scenario_bad_number(reader, element, "max_step", options->max_step,
                                      "that makes more than 1e12 steps in the duration; steps are in seconds");
    return ZV_OK;
}

/* Times near the start must be told apart. */
static zvStatus check_duration(zvScenarioReader *reader, const zvElement *root) {
    const zvScenario *scenario = reader->scenario;
    if (scenario->duration >= LEAST_ULPS * DBL_EPSILON * fabs(scenario->start)) return ZV_OK;
    return zv_scenario_bad_number(reader, root, "duration", scenario->duration,
                                  "that is lost in the rounding of the start; begin nearer to 0 or run for longer");
}

zvStatus zv_scenario_integrator(zvScenarioReader *reader, const zvElement *root) {
    static const char *const keys[] = {"method", "rtol", "atol", "order", "step", "max_step", "max_steps"};
    zvScenario *scenario = reader->scenario;
    zvIntegrationOptions *options = &scenario->integration;
    const zvIntegrationMethod *method = NULL;
    zvElement element;
    *options = zv_integration_default();
    zvStatus status = check_duration(reader, root);
    if (status >= 0)
        status = zv_element_part(&reader->reading, root, "integrator", "the integrator", ZV_KEYS(keys), &element);
    if (status >= 0) status = check_build(reader, root, &element);
    if (status >= 0) status = read_method(reader, &element, &method);
    if (status < 0) return status;
    options->step = method->family != ZV_FIXED_STEP   ? 0
                    : scenario->duration < USUAL_STEP ? scenario->duration
                                                      : USUAL_STEP;
    if (!element.node) return ZV_OK;
    status = read_tolerances(reader, &element, options);
    if (status >= 0) status = read_order(reader, &element, method, options);
    if (status >= 0) status = read_steps(reader, &element, method, options);
    return status;
}
