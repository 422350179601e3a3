/* Closed loops of a scenario: its initial state is assembled, and how they are kept closed. */
#include <stdio.h>
#include <string.h>

#include "simulate/scenario_read.h"

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
static zvStatus move(Assembly *a, zvError *error) {
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
        return zv_fail(
            reader->error, ZV_CLOSURE, a->mark, "initial",
            "the initial positions leave a gap of %.3g of the robot's size in its loops; give closed ones, or "
            "write assemble: true",
            gap);
    }
    const zvStatus status = move(a, &inner);
    if (status >= 0 || status == ZV_MEMORY) return status;
    if (status == ZV_SINGULAR) return refuse_massless(a);
    return zv_fail(
        reader->error, status, a->mark, inner.token,
        "the initial state cannot be assembled: %s (held: %s); name fewer joints in initial.q, and those that may "
        "move under initial.guess",
        inner.text, held_names(a, names, sizeof names));
}

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
    return zv_fail(
        reader->error, status, a->mark, "v",
        "the initial velocities contradict the closed loops by %.3g 1/s of the robot's size (held: %s); name "
        "fewer joints in initial.v or prescribe fewer motions",
        rate, held_names(a, names, sizeof names));
}

static zvStatus assemble(Assembly *a, bool last) {
    zvScenario *scenario = a->reader->scenario;
    const zvStatus status = last ? close_positions(a) : move(a, &(zvError){0});
    if (!last && status < 0) return status == ZV_MEMORY ? status : ZV_OK; /* motions may help */
    if (status < 0) return status;
    for (int i = 0; i < zv_model_nq(scenario->model); i++) {
        if (a->q[i] != scenario->q[i]) a->reader->q_given[i] = false; /* it was a guess */
        scenario->q[i] = a->q[i];
    }
    return last ? close_velocities(a) : ZV_OK;
}

zvStatus zi_scenario_assemble(ziScenarioReader *reader, const ziElement *root, bool last) {
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

zvStatus zi_scenario_loops(ziScenarioReader *reader, const ziElement *root) {
    static const char *const keys[] = {"stabilisation", "feedback"};
    static const char *const words[] = {
        [ZI_STABILISE_PROJECTION] = "projection", [ZI_STABILISE_BAUMGARTE] = "baumgarte", [ZI_STABILISE_NONE] = "none"};
    zvScenario *scenario = reader->scenario;
    int choice = ZI_STABILISE_PROJECTION;
    ziElement loops;
    scenario->feedback = USUAL_FEEDBACK;
    zvStatus status = zi_element_part(&reader->reading, root, "loops", "loops", ZI_KEYS(keys), &loops);
    if (status < 0 || !loops.node) return status;
    if (zv_model_nloop(scenario->model) == 0)
        return zi_element_refuse(&reader->reading, root, "loops", "has no place here: the model has no closed loops");
    status = zi_element_word(&reader->reading, &loops, "stabilisation", ZI_KEYS(words), &choice);
    if (status >= 0) status = zi_scenario_not_negative(reader, &loops, "feedback", &scenario->feedback);
    if (status >= 0 && scenario->feedback > MOST_FEEDBACK)
        status =
            zi_scenario_bad_number(reader, &loops, "feedback", scenario->feedback,
                                   "it makes the equations stiff; at most 1e5 1/s, and less than one over the step");
    scenario->feedback_given = zi_element_has(&loops, "feedback");
    scenario->stabilisation = (ziStabilisation)choice;
    return status;
}
