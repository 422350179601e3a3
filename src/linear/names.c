/* Inputs and outputs of linear models by their names; names of states. */
#include "linear/linear.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/coordinate.h"
#include "simulate/scenario_read.h"

/* "q." and a label. */
static const char *joined(zvLinear *l, const char *head, const char *between, const char *tail) {
    const size_t size = strlen(head) + strlen(between) + strlen(tail) + 1;
    char *text = zi_arena_alloc(&l->arena, size);
    if (text) snprintf(text, size, "%s%s%s", head, between, tail);
    return text;
}

/* Labels and units of coordinates, velocities and states of drives, as channels have them. */
zvStatus zi_linear_name_states(zvLinear *l, zvError *error) {
    const size_t nv = (size_t)l->nv + 1, nz = (size_t)l->nz + 1;
    const char **labels = zi_arena_alloc(&l->arena, nv * sizeof *labels);
    l->position_names = zi_arena_alloc(&l->arena, nv * sizeof *labels);
    l->velocity_names = zi_arena_alloc(&l->arena, nv * sizeof *labels);
    l->position_units = zi_arena_alloc(&l->arena, nv * sizeof *labels);
    l->velocity_units = zi_arena_alloc(&l->arena, nv * sizeof *labels);
    l->state_names = zi_arena_alloc(&l->arena, nz * sizeof *labels);
    if (!labels || !l->position_names || !l->velocity_names || !l->position_units || !l->velocity_units ||
        !l->state_names || !zi_coordinate_labels(l->model, false, &l->arena, labels))
        return zi_linear_no_memory(error);
    zi_coordinate_units(l->model, false, ZV_QUANTITY_POSITION, l->position_units);
    zi_coordinate_units(l->model, false, ZV_QUANTITY_VELOCITY, l->velocity_units);
    for (int i = 0; i < l->nv; i++) {
        l->position_names[i] = joined(l, "q.", "", labels[i]);
        l->velocity_names[i] = joined(l, "v.", "", labels[i]);
        if (!l->position_names[i] || !l->velocity_names[i]) return zi_linear_no_memory(error);
    }
    for (int k = 0; k < l->nz; k++) {
        l->state_names[k] = joined(l, "states.", "", zv_drives_state(l->scenario->drives, k).name);
        if (!l->state_names[k]) return zi_linear_no_memory(error);
    }
    return ZV_OK;
}

/* A name is "WORD", "WORD.ENTRY", "WORD OWNER" or "WORD OWNER.ENTRY". Inputs are matched with all that there could be,
 * so that what is wrong can be told with what is near. */
typedef struct Candidates {
    zvLinear *linear;
    int count, capacity, chosen;
    ziLinearInput *list;
    const char **groups; /* of each: the name without its entry */
    bool failed;
} Candidates;

static void add_candidate(Candidates *c, const char *group, const char *entry, const char *unit,
                          ziPerturbation perturbation) {
    if (c->failed || c->count == c->capacity) {
        c->failed = true;
        return;
    }
    const char *name = joined(c->linear, group, *entry ? "." : "", entry);
    c->failed = !name;
    c->groups[c->count] = group;
    c->list[c->count++] = (ziLinearInput){{name, unit}, perturbation};
}

static const char *const wrench_entries[6] = {"fx", "fy", "fz", "mx", "my", "mz"};

/* Forces of drives and on links, of every degree of freedom. */
static void add_forces(Candidates *c) {
    const zvDrives *drives = c->linear->scenario->drives;
    for (int i = 0; i < c->linear->nv; i++) {
        const ziFreedom *f = &drives->freedoms[i];
        if (!f->elastic && !drives->prescribed[i])
            add_candidate(c, "tau", f->label, f->force_unit, (ziPerturbation){ZI_PERTURB_DRIVE, NULL, i, 0, 1});
    }
    for (int i = 0; i < c->linear->nv; i++) {
        const ziFreedom *f = &drives->freedoms[i];
        if (!drives->prescribed[i])
            add_candidate(c, "disturbance", f->label, f->force_unit, (ziPerturbation){ZI_PERTURB_JOINT, NULL, i, 0, 1});
    }
}

/* Values of laws and their derivatives, of every element that has one. */
static void add_laws(Candidates *c, const ziElement *e) {
    static const char *const words[3] = {"reference ", "reference_rate ", "reference_acceleration "};
    const zvDrives *drives = c->linear->scenario->drives;
    const int width = e->law ? zv_law_width(e->law) : 0;
    for (int order = 0; width && order < (e->kind->refers || e->count == 0 ? 3 : 1); order++) {
        const char *group = joined(c->linear, words[order], "", e->name);
        if (!group || (order && e->kind == &zi_load_kind)) continue;
        for (int k = 0; k < width; k++) {
            const ziFreedom *f = e->count == width ? &drives->freedoms[e->dofs[k]] : NULL;
            const char *entry = f ? f->label : e->kind == &zi_load_kind ? wrench_entries[k] : "";
            const bool force = e->kind == &zi_torque_kind;
            const char *unit = !f           ? e->kind == &zi_load_kind ? k < 3 ? "N" : "N m" : "1"
                               : force      ? f->force_unit
                               : order == 0 ? f->position_unit
                                            : f->rate_unit;
            add_candidate(c, group, entry, unit, (ziPerturbation){ZI_PERTURB_LAW, e, k, order, 1.0 / 1024});
        }
    }
}

static void add_frames(Candidates *c) {
    for (int f = 0; f < zv_model_nframe(c->linear->model); f++) {
        const char *group = joined(c->linear, "load ", "", zv_model_frame(c->linear->model, f).name);
        for (int k = 0; group && k < 6; k++)
            add_candidate(c, group, wrench_entries[k], k < 3 ? "N" : "N m",
                          (ziPerturbation){ZI_PERTURB_FRAME, NULL, f, k, 1});
    }
}

static int most_candidates(const zvLinear *l) {
    int count = 2 * l->nv + 6 * zv_model_nframe(l->model);
    for (size_t i = 0; i < l->scenario->drives->nelement; i++) {
        const ziElement *e = &l->scenario->drives->elements[i];
        count += e->law ? 3 * zv_law_width(e->law) : 0;
    }
    return count;
}

static bool collect(Candidates *c) {
    zvLinear *l = c->linear;
    c->capacity = most_candidates(l);
    c->list = zi_arena_alloc(&l->arena, ((size_t)c->capacity + 1) * sizeof *c->list);
    c->groups = zi_arena_alloc(&l->arena, ((size_t)c->capacity + 1) * sizeof *c->groups);
    if (!c->list || !c->groups) return false;
    add_forces(c);
    for (size_t i = 0; i < l->scenario->drives->nelement; i++) add_laws(c, &l->scenario->drives->elements[i]);
    add_frames(c);
    return !c->failed;
}

/* A reader with which the functions of scenarios can be asked. */
static ziScenarioReader reader_of(const zvLinear *l, zvError *error) {
    return (ziScenarioReader){.scenario = (zvScenario *)l->scenario, .error = error};
}

/* Fails: suggests the nearest name of all that there are. */
static zvStatus unknown_input(const Candidates *c, const char *name, zvError *error) {
    ziScenarioReader reader = reader_of(c->linear, error);
    const char **names = zi_arena_alloc(&c->linear->arena, 2 * (size_t)c->count * sizeof *names);
    int count = 0;
    if (!names) return zi_linear_no_memory(error);
    for (int i = 0; i < c->count; i++) {
        if (i == 0 || strcmp(c->groups[i], c->groups[i - 1]) != 0) names[count++] = c->groups[i];
    }
    if (strchr(name, '.')) {
        for (int i = 0; i < c->count; i++) names[count++] = c->list[i].name.name;
    }
    const zvStatus status = zi_scenario_unknown(&reader, (zvMark){0}, "input", name, names, count);
    zi_arena_free(&reader.scratch);
    return status;
}

/* Marks those of one name; an input that is named twice counts once. */
static zvStatus choose(Candidates *c, const char *name, unsigned char *chosen, zvError *error) {
    bool found = false;
    for (int i = 0; i < c->count; i++) {
        if (strcmp(name, c->list[i].name.name) != 0 && strcmp(name, c->groups[i]) != 0) continue;
        chosen[i] = 1;
        found = true;
    }
    return found ? ZV_OK : unknown_input(c, name, error);
}

/* Without names: tau where drives act, or everywhere but in free joints. */
static void choose_usual(const Candidates *c, unsigned char *chosen) {
    const zvDrives *drives = c->linear->scenario->drives;
    bool driven = false;
    for (int i = 0; i < c->count; i++) {
        const ziPerturbation *p = &c->list[i].perturbation;
        if (p->what != ZI_PERTURB_DRIVE || !drives->driven[p->index]) continue;
        chosen[i] = 1;
        driven = true;
    }
    for (int i = 0; i < c->count && !driven; i++) {
        const ziPerturbation *p = &c->list[i].perturbation;
        if (p->what == ZI_PERTURB_DRIVE && drives->freedoms[p->index].coordinate >= 0) chosen[i] = 1;
    }
}

/* Chosen of all that there could be, in their order. */
zvStatus zi_linear_read_inputs(zvLinear *l, int count, const char *const *names, zvError *error) {
    Candidates c = {.linear = l};
    if (!collect(&c)) return zi_linear_no_memory(error);
    unsigned char *chosen = zi_arena_alloc(&l->arena, (size_t)c.count + 1);
    zvStatus status = chosen ? ZV_OK : zi_linear_no_memory(error);
    for (int i = 0; status >= 0 && names && i < count; i++) status = choose(&c, names[i], chosen, error);
    if (status >= 0 && !names) choose_usual(&c, chosen);
    if (status < 0) return status;
    l->inputs = c.list;
    for (int i = 0; i < c.count; i++)
        if (chosen[i]) l->inputs[l->nu++] = c.list[i];
    return ZV_OK;
}

/* Outputs --------------------------------------------------------------------------------------------------- */

/* Whether the entry of a channel has a value: no reference where nothing refers to the joint. */
static bool has_value(const zvLinear *l, ziChannelSpec spec, int entry) {
    if (spec.kind != ZI_CHANNEL_REFERENCE) return true;
    double *r = zi_efforts_scratch(l->system->efforts)->y;
    zv_drives_reference(l->scenario->drives, l->system->efforts, l->scenario->start, r);
    return !isnan(r[entry]);
}

/* All entries of a channel with values, or the one that label names. */
static zvStatus add_outputs(zvLinear *l, ziScenarioReader *reader, ziChannelSpec spec, const char *label,
                            size_t *capacity, zvError *error) {
    zvChannel channel;
    const zvStatus status = zi_channel_describe(l->scenario, spec, &l->arena, &channel, error);
    int found = 0;
    if (status < 0) return status;
    for (int k = 0; k < channel.width; k++) {
        if ((label && strcmp(channel.labels[k], label) != 0) || !has_value(l, spec, k)) continue;
        if (!zi_grow(&l->outputs, (size_t)l->ny, capacity, sizeof *l->outputs)) return zi_linear_no_memory(error);
        const char *name = joined(l, channel.name, ".", channel.labels[k]);
        if (!name) return zi_linear_no_memory(error);
        l->outputs[l->ny++] = (ziLinearOutput){{name, channel.units ? channel.units[k] : channel.unit}, spec, k};
        found++;
    }
    if (found) return ZV_OK;
    if (label) return zi_scenario_unknown(reader, (zvMark){0}, "entry", label, channel.labels, channel.width);
    return zv_fail(error, ZV_SCHEMA, (zvMark){0}, channel.name,
                   "expected a channel with values, found \"%s\" without; leave it out", channel.name);
}

/* Channels by the names that scenarios give them. */
zvStatus zi_linear_read_outputs(zvLinear *l, int count, const char *const *names, zvError *error) {
    static const char *const usual[] = {"q"};
    zvError own = {0};
    ziScenarioReader reader = reader_of(l, error ? error : &own);
    size_t capacity = 0;
    zvStatus status = ZV_OK;
    if (!names) names = usual, count = 1;
    for (int i = 0; status >= 0 && i < count; i++) {
        const zvNode node = {.kind = ZV_NODE_SCALAR, .text = names[i]};
        const char *label = NULL;
        ziChannelSpec spec;
        status = zi_scenario_channel(&reader, &node, true, &spec, &label);
        if (status >= 0) status = add_outputs(l, &reader, spec, label, &capacity, reader.error);
    }
    zi_arena_free(&reader.scratch);
    return status;
}
