/* How a scenario is integrated: the method and its tolerances, how loops are kept closed, and that prescribed
 * motions are continuous. */
#include "actuate/element.h"
#include "integrate/method.h"
#include "simulate/scenario_read.h"
#include "simulate/system.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* How a scenario is integrated. */

static const double COARSEST = 0.1; /* relative tolerance */
static const double USUAL_STEP = 1e-3;
static const double MOST_STEPS = 1e12; /* of a run */
static const double LEAST_ULPS = 1e3;  /* of a duration, in roundings of the times that bound it */

enum { METHODS = 16 };

static const char USUAL_METHOD[] = "auto";

/* A scenario means the same in every build, so what a build lacks is refused, never replaced by something coarser. */
static zvStatus check_build(ziScenarioReader *reader, const ziNamedMap *root, const ziNamedMap *element) {
    const zvNode *node = element->node ? zv_node_get(element->node, "method") : NULL;
    const char *name = node && node->kind == ZV_NODE_SCALAR ? node->text : USUAL_METHOD;
    if (!zi_method_is_absent(name)) return ZV_OK;
    const zvNode *place = node ? node : element->node ? element->node : root->node;
    return zv_fail(reader->error, ZV_NOT_SUPPORTED, place->mark, name,
                   "expected SUNDIALS for the method %s%s, found a build without; write integrator: {method: rk4, "
                   "step: 1e-3} or build with ZVENO_SUNDIALS=ON",
                   name, node ? "" : ", the default,");
}

/* The words are those of the table of methods. */
static zvStatus read_method(ziScenarioReader *reader, const ziNamedMap *element, const zvIntegrationMethod **method) {
    size_t count;
    const zvIntegrationMethod *rows = zv_integration_methods(&count);
    const char *words[METHODS];
    int choice = 0;
    if (count > METHODS) count = METHODS;
    for (size_t i = 0; i < count; i++) words[i] = rows[i].name;
    const zvStatus status =
        element->node ? zi_map_word(&reader->reading, element, "method", words, count, &choice) : ZV_OK;
    *method = &rows[choice];
    reader->scenario->integration.method = rows[choice].name;
    return status;
}

static zvStatus read_tolerances(ziScenarioReader *reader, const ziNamedMap *element, zvIntegrationOptions *options) {
    zvStatus status = zi_scenario_positive(reader, element, "rtol", &options->rtol);
    if (status >= 0) status = zi_scenario_not_negative(reader, element, "atol", &options->atol);
    if (status >= 0 && options->rtol > COARSEST)
        return zi_scenario_bad_number(reader, element, "rtol", options->rtol, "at most 0.1",
                                      "more leaves no digit right; 1e-6 is coarse");
    return status;
}

/* Within what the method has. */
static zvStatus read_order(ziScenarioReader *reader, const ziNamedMap *element, const zvIntegrationMethod *method,
                           zvIntegrationOptions *options) {
    const zvNode *node = zv_node_get(element->node, "order");
    if (!node) return ZV_OK;
    const zvStatus status = zv_node_integer(node, "order of the integrator", &options->order, reader->error);
    if (status < 0 || (options->order >= method->least_order && options->order <= method->greatest_order))
        return status;
    if (method->least_order == method->greatest_order)
        return zv_fail(reader->error, ZV_NUMBER, node->mark, node->text, "expected order %d of the method %s, found %d",
                       method->least_order, method->name, options->order);
    return zv_fail(reader->error, ZV_NUMBER, node->mark, node->text,
                   "expected an order from %d to %d of the method %s, found %d", method->least_order,
                   method->greatest_order, method->name, options->order);
}

/* Steps must fit into the duration, and their number into a counter. */
static zvStatus read_steps(ziScenarioReader *reader, const ziNamedMap *element, zvIntegrationOptions *options) {
    const double duration = reader->scenario->duration;
    const zvNode *node = zv_node_get(element->node, "max_steps");
    double most = 0;
    zvStatus status = zi_scenario_positive(reader, element, "step", &options->step);
    if (status >= 0) status = zi_scenario_positive(reader, element, "max_step", &options->max_step);
    if (status >= 0) status = zi_scenario_positive(reader, element, "max_steps", &most);
    if (status < 0) return status;
    if (node && (most > 1e15 || most != (double)(long)most))
        return zi_scenario_bad_number(reader, element, "max_steps", most, "a whole number", NULL);
    options->max_steps = (long)most;
    if (zi_map_has(element, "step") && options->step > duration)
        return zi_scenario_bad_number(reader, element, "step", options->step, "at most the duration",
                                      "steps are in seconds");
    if (zv_integration_is_fixed(options) && duration / options->step > MOST_STEPS)
        return zi_scenario_bad_number(reader, element, "step", options->step, "at most 1e12 steps in the duration",
                                      "steps are in seconds");
    if (zi_map_has(element, "max_step") && duration / options->max_step > MOST_STEPS)
        return zi_scenario_bad_number(reader, element, "max_step", options->max_step,
                                      "at most 1e12 steps in the duration", "steps are in seconds");
    return ZV_OK;
}

/* Structural methods ----------------------------------------------------------------------------------- */

/* Keys that only these methods have; the first are of newmark alone, the next of generalized-alpha. */
static const char *const STRUCTURAL_KEYS[] = {
    "beta", "gamma", "rho", "iteration", "predictor", "corrector_tolerance", "adaptive", "corrector_iterations"};
enum { NEWMARK_KEYS = 2, ALPHA_KEYS = 3, ALL_STRUCTURAL_KEYS = 8 };

/* Refuses keys of structural methods that the chosen method would ignore. */
static zvStatus refuse_strangers(ziScenarioReader *reader, const ziNamedMap *element, const zvIntegrationMethod *m) {
    const bool newmark = strcmp(m->name, "newmark") == 0, alpha = strcmp(m->name, "generalized-alpha") == 0;
    for (int i = 0; i < ALL_STRUCTURAL_KEYS; i++) {
        const bool fits = i < NEWMARK_KEYS ? newmark : i < ALPHA_KEYS ? alpha : m->structural;
        if (fits || !zi_map_has(element, STRUCTURAL_KEYS[i])) continue;
        const zvNode *node = zv_node_get(element->node, STRUCTURAL_KEYS[i]);
        return zv_fail(reader->error, ZV_SCHEMA, node->mark, STRUCTURAL_KEYS[i],
                       "expected options of %s, found %s, one of %s; leave it out", m->name, STRUCTURAL_KEYS[i],
                       i < NEWMARK_KEYS ? "newmark"
                       : i < ALPHA_KEYS ? "generalized-alpha"
                                        : "newmark, generalized-alpha and energy-momentum");
    }
    return ZV_OK;
}

/* A number of [0, 1]. */
static zvStatus read_part(ziScenarioReader *reader, const ziNamedMap *element, const char *key, double *value) {
    const zvStatus status = zi_scenario_not_negative(reader, element, key, value);
    if (status < 0 || *value <= 1) return status;
    return zi_scenario_bad_number(reader, element, key, *value, "a number between 0 and 1", NULL);
}

/* How the structural methods iterate. */
static zvStatus read_corrector(ziScenarioReader *reader, const ziNamedMap *element, zvStructural *s) {
    static const char *const iterations[] = {
        [ZV_ITERATION_REDUCED] = "reduced", [ZV_ITERATION_FULL] = "full", [ZV_ITERATION_MASS] = "mass"};
    static const char *const predictors[] = {"constant", "zero"};
    const ziReading *reading = &reader->reading;
    int iteration = s->iteration, predictor = 0;
    zvStatus status = zi_map_word(reading, element, "iteration", ZI_KEYS(iterations), &iteration);
    if (status >= 0) status = zi_map_word(reading, element, "predictor", predictors, 2, &predictor);
    if (status >= 0) status = zi_scenario_positive(reader, element, "corrector_tolerance", &s->corrector_tolerance);
    if (status < 0) return status;
    s->iteration = (zvIteration)iteration;
    s->predictor = predictor ? ZV_PREDICTOR_ZERO : ZV_PREDICTOR_CONSTANT;
    if (s->corrector_tolerance != 0 && (s->corrector_tolerance < 1e-14 || s->corrector_tolerance > 0.1))
        return zi_scenario_bad_number(reader, element, "corrector_tolerance", s->corrector_tolerance,
                                      "a number between 1e-14 and 0.1", "left out it follows the step");
    const zvNode *node = zv_node_get(element->node, "corrector_iterations");
    if (node) status = zv_node_integer(node, "corrector_iterations", &s->corrector_iterations, reader->error);
    if (status >= 0 && (s->corrector_iterations < 1 || s->corrector_iterations > 1000000))
        return zi_scenario_bad_number(reader, element, "corrector_iterations", s->corrector_iterations,
                                      "a whole number from 1 on", "20 is usual");
    return status;
}

/* Whether a drive feeds the motion of all joints back to each: the reduced matrix knows nothing of it. */
static bool feeds_back(const zvDrives *drives) {
    for (size_t i = 0; i < drives->nelement; i++) {
        const ziElementKind *kind = drives->elements[i].kind;
        if (kind == &zi_computed_torque_kind || kind == &zi_task_control_kind) return true;
    }
    return false;
}

/* Parameters of Newmark and generalised alpha over their defaults. */
static zvStatus read_structural(ziScenarioReader *reader, const ziNamedMap *element, zvIntegrationOptions *options) {
    zvStructural *s = zi_arena_alloc(&reader->scenario->arena, sizeof *s);
    if (!s) return zi_scenario_no_memory(reader);
    *s = zv_structural_default();
    if (feeds_back(reader->scenario->drives)) s->iteration = ZV_ITERATION_FULL;
    options->structural = s;
    if (!element->node) return ZV_OK;
    zvStatus status = read_part(reader, element, "beta", &s->beta);
    if (status >= 0) status = read_part(reader, element, "gamma", &s->gamma);
    if (status >= 0) status = read_part(reader, element, "rho", &s->rho);
    if (status >= 0) status = zi_map_bool(&reader->reading, element, "adaptive", &s->adaptive);
    return status < 0 ? status : read_corrector(reader, element, s);
}

/* Times near the start must be told apart. */
static zvStatus check_duration(ziScenarioReader *reader, const ziNamedMap *root) {
    const zvScenario *scenario = reader->scenario;
    if (scenario->duration >= LEAST_ULPS * DBL_EPSILON * fabs(scenario->start)) return ZV_OK;
    return zi_scenario_bad_number(reader, root, "duration", scenario->duration, "more than the rounding of the start",
                                  "begin nearer to 0 or run for longer");
}

/* The section "integrator": method, the keys of structural methods, the default step, then tolerances, order and steps.
 */
zvStatus zi_scenario_integrator(ziScenarioReader *reader, const ziNamedMap *root) {
    static const char *const keys[] = {"method",
                                       "rtol",
                                       "atol",
                                       "order",
                                       "step",
                                       "max_step",
                                       "max_steps",
                                       "forward",
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
    ziNamedMap element;
    *options = zv_integration_default();
    zvStatus status = check_duration(reader, root);
    if (status >= 0)
        status = zi_map_part(&reader->reading, root, "integrator", "the integrator", ZI_KEYS(keys), &element);
    if (status >= 0) status = check_build(reader, root, &element);
    if (status >= 0) status = read_method(reader, &element, &method);
    if (status >= 0 && element.node) status = refuse_strangers(reader, &element, method);
    if (status >= 0 && method->structural) status = read_structural(reader, &element, options);
    if (status >= 0) status = zi_scenario_forward(reader, &element);
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

/* Closed loops of a scenario: its initial state is assembled, and how they are kept closed. */

static const double UNNOTICED = 1e-6; /* of a residual that assemble: false lets pass */
static const double USUAL_FEEDBACK = 10, MOST_FEEDBACK = 1e5;
enum { RESTARTS = 16 }; /* fresh guesses when the initial positions lead nowhere */

/* The initial state on its way to closed loops. */
typedef struct Assembly {
    ziScenarioReader *reader;
    zvMark mark;
    zvClosing closing;
    unsigned char *held; /* (nv) what must not move */
    double *q;           /* (nq) */
} Assembly;

static void hold(Assembly *a, const unsigned char *named, bool elastic) {
    const zvScenario *scenario = a->reader->scenario;
    for (int i = 0; i < zv_model_nv(scenario->model); i++)
        a->held[i] = named[i] || zv_drives_prescribes(scenario->drives, i) || (elastic && a->reader->owners[i] < 0);
}

/* Names of what is held, for error texts. */
static const char *held_names(const Assembly *a, char *buffer, size_t size) {
    const ziScenarioReader *reader = a->reader;
    const int nv = zv_model_nv(reader->scenario->model);
    const char **names = zi_scenario_scratch(a->reader, (size_t)nv + 1, sizeof *names);
    int count = 0;
    buffer[0] = '\0';
    for (int i = 0; names && i < nv; i++)
        if (a->held[i] && reader->owners[i] >= 0) names[count++] = reader->v_labels[i];
    return count ? zi_scenario_names(names, count, buffer, size) : "nothing";
}

/* Elastic links stay as they are if that will do. */
static zvStatus close_loops(Assembly *a, zvError *error) {
    const zvScenario *scenario = a->reader->scenario;
    const size_t bytes = (size_t)zv_model_nq(scenario->model) * sizeof *a->q;
    const bool elastic = zv_model_nelastic(scenario->model) > 0;
    zvAssembly options = zv_assembly_default();
    zvStatus status = ZV_CLOSURE;
    options.held = a->held;
    options.restarts = RESTARTS;
    for (int bends = !elastic; status == ZV_CLOSURE && bends < 2; bends++) {
        hold(a, a->reader->q_held, !bends);
        memcpy(a->q, scenario->q, bytes);
        status = zv_assemble(scenario->model, a->reader->work, &a->closing, &options, a->q, error);
    }
    return status;
}

/* Names of the links at the ends of the tree that have no inertia, for error texts. */
static const char *massless_names(const Assembly *a, char *buffer, size_t size) {
    const zvModel *model = a->reader->scenario->model;
    const int nlink = zv_model_nlink(model);
    const char **names = zi_scenario_scratch(a->reader, (size_t)nlink + 1, sizeof *names);
    int count = 0;
    for (int i = 1; names && i < nlink; i++) {
        const zvLink *link = zv_model_link(model, i);
        bool carries = link->has_inertia || link->beam || link->modal;
        for (int j = 0; !carries && j < zv_model_njoint(model); j++)
            carries = strcmp(zv_model_joint(model, j)->parent, link->name) == 0;
        if (!carries) names[count++] = link->name;
    }
    return count ? zi_scenario_names(names, count, buffer, size) : "not at the end of a branch";
}

/* Loops come in by the masses of the tree, so each of its freedoms must move one. */
static zvStatus refuse_massless(Assembly *a) {
    char names[200];
    return zv_fail(
        a->reader->error, ZV_SINGULAR, a->mark, NULL,
        "the tree without its loops has a massless part that moves freely (links without mass: %s), so that no "
        "motion can be found; cut the loop at another joint, or give that part mass and inertia",
        massless_names(a, names, sizeof names));
}

/* Without assemble the state must be closed already; with it what is named stays where it is. */
static zvStatus close_positions(Assembly *a) {
    const ziScenarioReader *reader = a->reader;
    const zvScenario *scenario = reader->scenario;
    zvError inner = {0};
    char names[200];
    double gap = 0;
    if (!reader->assemble) {
        memcpy(a->q, scenario->q, (size_t)zv_model_nq(scenario->model) * sizeof *a->q);
        zv_loop_residual(scenario->model, reader->work, &a->closing, a->q, NULL, -1, &gap, NULL);
        hold(a, reader->q_held, false);
        if (!(gap > UNNOTICED)) return ZV_OK; /* the first step takes it away */
        return zv_fail(reader->error, ZV_CLOSURE, a->mark, "initial",
                       "expected initial positions that close the loops, found a gap of %.3g of the robot's size; give "
                       "closed ones, or write assemble: true",
                       gap);
    }
    const zvStatus status = close_loops(a, &inner);
    if (status >= 0 || status == ZV_MEMORY) return status;
    if (status == ZV_SINGULAR) return refuse_massless(a);
    return zv_fail(
        reader->error, status, a->mark, inner.token,
        "the initial state cannot be assembled: %s (held: %s); name fewer joints in initial.q, and those that may "
        "move under initial.guess",
        inner.text, held_names(a, names, sizeof names));
}

/* At the closed position, first without the rates of elastic links, then with them. */
static zvStatus close_velocities(Assembly *a) {
    const ziScenarioReader *reader = a->reader;
    const zvScenario *scenario = reader->scenario;
    char names[200];
    double rate = 0;
    zvStatus status = ZV_CLOSURE;
    for (int bends = zv_model_nelastic(scenario->model) == 0; status == ZV_CLOSURE && bends < 2; bends++) {
        hold(a, reader->v_held, !bends);
        status = zv_close_velocity(scenario->model, reader->work, &a->closing, a->q, a->held, scenario->v, &rate);
    }
    if (status >= 0) return status;
    if (status == ZV_SINGULAR) return refuse_massless(a);
    return zv_fail(reader->error, status, a->mark, "v",
                   "expected initial velocities that agree with the closed loops, found them off by %.3g 1/s of the "
                   "robot's size (held: %s); name fewer joints in initial.v or prescribe fewer motions",
                   rate, held_names(a, names, sizeof names));
}

static zvStatus assemble(Assembly *a, bool last) {
    zvScenario *scenario = a->reader->scenario;
    const zvStatus status = last ? close_positions(a) : close_loops(a, &(zvError){0});
    if (!last && status < 0) return status == ZV_MEMORY ? status : ZV_OK; /* motions may help */
    if (status < 0) return status;
    for (int i = 0; i < zv_model_nq(scenario->model); i++) {
        if (a->q[i] != scenario->q[i]) a->reader->q_given[i] = false; /* it was a guess */
        scenario->q[i] = a->q[i];
    }
    return last ? close_velocities(a) : ZV_OK;
}

/* Called twice: early as well as it goes, and at last with all motions known, when it must succeed. */
zvStatus zi_scenario_assemble(ziScenarioReader *reader, const ziNamedMap *root, bool last) {
    const zvScenario *scenario = reader->scenario;
    const zvNode *initial = zv_node_get(root->node, "initial");
    if (zv_model_nloop(scenario->model) == 0 || (!last && !reader->assemble)) return ZV_OK;
    Assembly a = {.reader = reader, .mark = (initial ? initial : root->node)->mark};
    a.held = zi_scenario_scratch(reader, (size_t)zv_model_nv(scenario->model), 1);
    a.q = zi_scenario_scratch(reader, (size_t)zv_model_nq(scenario->model), sizeof *a.q);
    zvEfforts *efforts = a.held && a.q ? zv_efforts_create(scenario->drives, reader->error) : NULL;
    if (!efforts) return reader->error->status;
    zv_drives_aim(scenario->drives, efforts, scenario->start);
    a.closing = zv_efforts_closing(efforts);
    const zvStatus status = assemble(&a, last);
    zv_efforts_destroy(efforts);
    return status;
}

/* The section "loops": projection unless another stabilisation is given; a feedback that would make the equations stiff
 * is refused. */
zvStatus zi_scenario_loops(ziScenarioReader *reader, const ziNamedMap *root) {
    static const char *const keys[] = {"stabilisation", "feedback", "branch"};
    static const char *const branches[] = {"determined", "any"};
    static const char *const words[] = {
        [ZI_STABILISE_PROJECTION] = "projection", [ZI_STABILISE_BAUMGARTE] = "baumgarte", [ZI_STABILISE_NONE] = "none"};
    zvScenario *scenario = reader->scenario;
    int choice = ZI_STABILISE_PROJECTION, branch = 0;
    ziNamedMap loops;
    scenario->feedback = USUAL_FEEDBACK;
    zvStatus status = zi_map_part(&reader->reading, root, "loops", "loops", ZI_KEYS(keys), &loops);
    if (status < 0 || !loops.node) return status;
    if (zv_model_nloop(scenario->model) == 0)
        return zi_map_refuse(&reader->reading, root, "loops",
                             "expected a model with closed loops, found one without; remove it");
    status = zi_map_word(&reader->reading, &loops, "stabilisation", ZI_KEYS(words), &choice);
    if (status >= 0) status = zi_map_word(&reader->reading, &loops, "branch", ZI_KEYS(branches), &branch);
    if (status >= 0) status = zi_scenario_not_negative(reader, &loops, "feedback", &scenario->feedback);
    if (status >= 0 && scenario->feedback > MOST_FEEDBACK)
        status = zi_scenario_bad_number(reader, &loops, "feedback", scenario->feedback,
                                        "at most 1e5 1/s, and less than one over the step",
                                        "more makes the equations stiff");
    scenario->feedback_given = zi_map_has(&loops, "feedback");
    scenario->stabilisation = (ziStabilisation)choice;
    scenario->any_branch = branch == 1;
    return status;
}

/* Prescribed motions must not jump in position: no force moves a mass at once. */

/* The law of the n-th motion of the list that jumps: motions stand in the set in this order. */
static const zvNode *law_of(const zvNode *list, int n, const ziPositionJump *jump) {
    const char *key = jump->places ? "position" : jump->turns ? "orientation" : "law";
    for (int i = 0; list && i < list->count; i++) {
        const zvNode *type = zv_node_get(list->items[i], "type");
        if (!type || !type->text || strcmp(type->text, "motion") != 0) continue;
        if (n-- == 0) return zv_node_get(list->items[i], key);
    }
    return NULL;
}

/* Refuses prescribed motions whose position jumps: with the place of the law, the time and the values on both sides. */
zvStatus zi_scenario_continuity(ziScenarioReader *reader, const ziNamedMap *root) {
    const zvScenario *scenario = reader->scenario;
    ziPositionJump jump;
    double *buffer = zi_scenario_scratch(reader, 2 * (size_t)zv_model_nv(scenario->model), sizeof *buffer);
    if (!buffer) return ZV_MEMORY;
    if (!zi_jump_of_motions(scenario, buffer, &jump)) return ZV_OK;
    const zvNode *law = law_of(zv_node_get(root->node, "drives"), jump.motion, &jump);
    if (jump.dof < 0) {
        const char *name = zv_model_loop(scenario->model, jump.loop)->name;
        return zv_fail(reader->error, ZV_PHYSICS, (law ? law : root->node)->mark, name,
                       "expected a motion of loop \"%.60s\" without jumps, found one at t = %.9g s from %.9g to %.9g, "
                       "which no force can do; make its parts meet",
                       name, jump.t, jump.from, jump.to);
    }
    const int owner = reader->owners[jump.dof], k = jump.dof - zv_model_joint_place(scenario->model, owner).v_index;
    return zv_fail(reader->error, ZV_PHYSICS, (law ? law : root->node)->mark, reader->v_labels[jump.dof],
                   "expected a motion of joint \"%.60s\" without jumps, found one at t = %.9g s from %.9g to %.9g, by "
                   "%.3g %s, which no force can do; make its parts meet, or lead the joint there with a pd drive",
                   reader->v_labels[jump.dof], jump.t, jump.from, jump.to, jump.to - jump.from,
                   zv_joint_type_v_unit(zv_model_joint(scenario->model, owner)->type, k, ZV_QUANTITY_POSITION));
}
