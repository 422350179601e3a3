/* How a scenario is integrated. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "integrate/method.h"
#include "simulate/scenario_read.h"

static const double COARSEST = 0.1; /* relative tolerance */
static const double USUAL_STEP = 1e-3;
static const double MOST_STEPS = 1e12; /* of a run */
static const double LEAST_ULPS = 1e3;  /* of a duration, in roundings of the times that bound it */

enum { METHODS = 16 };

static const char USUAL_METHOD[] = "adams";

/* A scenario means the same in every build, so what a build lacks is refused, never replaced by something coarser. */
static zvStatus check_build(ziScenarioReader *reader, const ziElement *root, const ziElement *element) {
    const zvNode *node = element->node ? zv_node_get(element->node, "method") : NULL;
    const char *name = node && node->kind == ZV_NODE_SCALAR ? node->text : USUAL_METHOD;
    if (!zi_method_is_absent(name)) return ZV_OK;
    const zvNode *place = node ? node : element->node ? element->node : root->node;
    return zv_fail(reader->error, ZV_NOT_SUPPORTED, place->mark, name,
                   "the method %s%s needs SUNDIALS, which this build lacks; write integrator: {method: rk4, step: 1e-3}"
                   " or build with ZVENO_SUNDIALS=ON",
                   name, node ? "" : ", the default,");
}

static zvStatus read_method(ziScenarioReader *reader, const ziElement *element, const zvIntegrationMethod **method) {
    size_t count;
    const zvIntegrationMethod *rows = zv_integration_methods(&count);
    const char *words[METHODS];
    int choice = 0;
    if (count > METHODS) count = METHODS;
    for (size_t i = 0; i < count; i++) words[i] = rows[i].name;
    const zvStatus status =
        element->node ? zi_element_word(&reader->reading, element, "method", words, count, &choice) : ZV_OK;
    *method = &rows[choice];
    reader->scenario->integration.method = rows[choice].name;
    return status;
}

static zvStatus read_tolerances(ziScenarioReader *reader, const ziElement *element, zvIntegrationOptions *options) {
    zvStatus status = zi_scenario_positive(reader, element, "rtol", &options->rtol);
    if (status >= 0) status = zi_scenario_not_negative(reader, element, "atol", &options->atol);
    if (status >= 0 && options->rtol > COARSEST)
        return zi_scenario_bad_number(reader, element, "rtol", options->rtol,
                                      "a relative tolerance above 0.1 leaves no digit right; 1e-6 is coarse");
    return status;
}

static zvStatus read_order(ziScenarioReader *reader, const ziElement *element, const zvIntegrationMethod *method,
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

static zvStatus read_steps(ziScenarioReader *reader, const ziElement *element, zvIntegrationOptions *options) {
    const double duration = reader->scenario->duration;
    const zvNode *node = zv_node_get(element->node, "max_steps");
    double most = 0;
    zvStatus status = zi_scenario_positive(reader, element, "step", &options->step);
    if (status >= 0) status = zi_scenario_positive(reader, element, "max_step", &options->max_step);
    if (status >= 0) status = zi_scenario_positive(reader, element, "max_steps", &most);
    if (status < 0) return status;
    if (node && (most > 1e15 || most != (double)(long)most))
        return zi_scenario_bad_number(reader, element, "max_steps", most, "write a whole number");
    options->max_steps = (long)most;
    if (zi_element_has(element, "step") && options->step > duration)
        return zi_scenario_bad_number(reader, element, "step", options->step,
                                      "that is longer than the whole duration; steps are in seconds");
    if (zv_integration_is_fixed(options) && duration / options->step > MOST_STEPS)
        return zi_scenario_bad_number(reader, element, "step", options->step,
                                      "that makes more than 1e12 steps in the duration; steps are in seconds");
    if (zi_element_has(element, "max_step") && duration / options->max_step > MOST_STEPS)
        return zi_scenario_bad_number(reader, element, "max_step", options->max_step,
                                      "that makes more than 1e12 steps in the duration; steps are in seconds");
    return ZV_OK;
}

/* Structural methods ----------------------------------------------------------------------------------- */

/* Keys that only these methods have; the first are of newmark alone, the next of generalized-alpha. */
static const char *const STRUCTURAL_KEYS[] = {
    "beta", "gamma", "rho", "iteration", "predictor", "corrector_tolerance", "adaptive", "corrector_iterations"};
enum { NEWMARK_KEYS = 2, ALPHA_KEYS = 3, ALL_STRUCTURAL_KEYS = 8 };

static zvStatus refuse_strangers(ziScenarioReader *reader, const ziElement *element, const zvIntegrationMethod *m) {
    const bool newmark = strcmp(m->name, "newmark") == 0;
    for (int i = 0; i < ALL_STRUCTURAL_KEYS; i++) {
        const bool fits = i < NEWMARK_KEYS ? newmark : m->structural && (i >= ALPHA_KEYS || !newmark);
        if (fits || !zi_element_has(element, STRUCTURAL_KEYS[i])) continue;
        const zvNode *node = zv_node_get(element->node, STRUCTURAL_KEYS[i]);
        return zv_fail(reader->error, ZV_SCHEMA, node->mark, STRUCTURAL_KEYS[i],
                       "%s is an option of %s, not of %s; leave it out", STRUCTURAL_KEYS[i],
                       i < NEWMARK_KEYS ? "newmark"
                       : i < ALPHA_KEYS ? "generalized-alpha"
                                        : "newmark and generalized-alpha",
                       m->name);
    }
    return ZV_OK;
}

/* A number of [0, 1]. */
static zvStatus read_part(ziScenarioReader *reader, const ziElement *element, const char *key, double *value) {
    const zvStatus status = zi_scenario_not_negative(reader, element, key, value);
    if (status < 0 || *value <= 1) return status;
    return zi_scenario_bad_number(reader, element, key, *value, "write a number between 0 and 1");
}

static zvStatus read_corrector(ziScenarioReader *reader, const ziElement *element, zvStructural *s) {
    static const char *const iterations[] = {"reduced", "full"}, *const predictors[] = {"constant", "zero"};
    const ziReading *reading = &reader->reading;
    int iteration = 0, predictor = 0;
    zvStatus status = zi_element_word(reading, element, "iteration", iterations, 2, &iteration);
    if (status >= 0) status = zi_element_word(reading, element, "predictor", predictors, 2, &predictor);
    if (status >= 0) status = zi_scenario_positive(reader, element, "corrector_tolerance", &s->corrector_tolerance);
    if (status < 0) return status;
    s->iteration = iteration ? ZV_ITERATION_FULL : ZV_ITERATION_REDUCED;
    s->predictor = predictor ? ZV_PREDICTOR_ZERO : ZV_PREDICTOR_CONSTANT;
    if (s->corrector_tolerance < 1e-14 || s->corrector_tolerance > 0.1)
        return zi_scenario_bad_number(reader, element, "corrector_tolerance", s->corrector_tolerance,
                                      "write a number between 1e-14 and 0.1; 1e-9 is usual");
    const zvNode *node = zv_node_get(element->node, "corrector_iterations");
    if (node) status = zv_node_integer(node, "corrector_iterations", &s->corrector_iterations, reader->error);
    if (status >= 0 && (s->corrector_iterations < 1 || s->corrector_iterations > 1000000))
        return zi_scenario_bad_number(reader, element, "corrector_iterations", s->corrector_iterations,
                                      "write a whole number from 1 on; 20 is usual");
    return status;
}

static zvStatus read_structural(ziScenarioReader *reader, const ziElement *element, zvIntegrationOptions *options) {
    zvStructural *s = zi_arena_alloc(&reader->scenario->arena, sizeof *s);
    if (!s) return zi_scenario_no_memory(reader);
    *s = zv_structural_default();
    options->structural = s;
    if (!element->node) return ZV_OK;
    zvStatus status = read_part(reader, element, "beta", &s->beta);
    if (status >= 0) status = read_part(reader, element, "gamma", &s->gamma);
    if (status >= 0) status = read_part(reader, element, "rho", &s->rho);
    if (status >= 0) status = zi_element_bool(&reader->reading, element, "adaptive", &s->adaptive);
    return status < 0 ? status : read_corrector(reader, element, s);
}

/* Times near the start must be told apart. */
static zvStatus check_duration(ziScenarioReader *reader, const ziElement *root) {
    const zvScenario *scenario = reader->scenario;
    if (scenario->duration >= LEAST_ULPS * DBL_EPSILON * fabs(scenario->start)) return ZV_OK;
    return zi_scenario_bad_number(reader, root, "duration", scenario->duration,
                                  "that is lost in the rounding of the start; begin nearer to 0 or run for longer");
}

zvStatus zi_scenario_integrator(ziScenarioReader *reader, const ziElement *root) {
    static const char *const keys[] = {"method",
                                       "rtol",
                                       "atol",
                                       "order",
                                       "step",
                                       "max_step",
                                       "max_steps",
                                       "beta",
                                       "gamma",
                                       "rho",
                                       "iteration",
                                       "predictor",
                                       "corrector_tolerance",
                                       "corrector_iterations",
                                       "adaptive"};
    zvScenario *scenario = reader->scenario;
    zvIntegrationOptions *options = &scenario->integration;
    const zvIntegrationMethod *method = NULL;
    ziElement element;
    *options = zv_integration_default();
    zvStatus status = check_duration(reader, root);
    if (status >= 0)
        status = zi_element_part(&reader->reading, root, "integrator", "the integrator", ZI_KEYS(keys), &element);
    if (status >= 0) status = check_build(reader, root, &element);
    if (status >= 0) status = read_method(reader, &element, &method);
    if (status >= 0 && method->structural && zv_model_nloop(scenario->model) > 0)
        return zi_element_refuse(&reader->reading, &element, "method",
                                 "knows no closed loops, and the model has some; write adams, bdf, erk, dirk, rk4 or "
                                 "euler");
    if (status >= 0 && element.node) status = refuse_strangers(reader, &element, method);
    if (status >= 0 && method->structural) status = read_structural(reader, &element, options);
    if (status < 0) return status;
    options->step = !zv_integration_is_fixed(options) ? 0
                    : scenario->duration < USUAL_STEP ? scenario->duration
                                                      : USUAL_STEP;
    if (!element.node) return ZV_OK;
    status = read_tolerances(reader, &element, options);
    if (status >= 0) status = read_order(reader, &element, method, options);
    if (status >= 0) status = read_steps(reader, &element, options);
    return status;
}
