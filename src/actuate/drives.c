/* The set of drives: its degrees of freedom, checks of what elements are given, its creation and growth, what it
 * consists of. */
#include "actuate/element.h"
#include "base/require.h"
#include "model/coordinate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Label, coordinate and units of every degree of freedom (nv), in the arena; NULL when out of memory. */
static ziFreedom *zi_freedoms(const zvModel *model, ziArena *arena) {
    size_t nv = (size_t)zv_model_nv(model);
    ziFreedom *freedoms = zi_arena_alloc(arena, nv * sizeof *freedoms);
    const char **labels = zi_arena_alloc(arena, nv * sizeof *labels);
    int *coordinates = zi_arena_alloc(arena, nv * sizeof *coordinates);
    if (!freedoms || !labels || !coordinates || !zi_coordinate_labels(model, false, arena, labels)) return NULL;
    zi_coordinates_of_dofs(model, coordinates);
    for (int link = 0; link < zv_model_nlink(model); link++) {
        const zvElasticPlace place = zv_model_elastic_place(model, link);
        for (int k = 0; k < place.count; k++) {
            int dof = place.v_index + k;
            freedoms[dof] = (ziFreedom){.label = labels[dof],
                                        .coordinate = coordinates[dof],
                                        .elastic = true,
                                        .position_unit = zv_model_elastic_unit(model, link, k, ZV_QUANTITY_POSITION),
                                        .rate_unit = zv_model_elastic_unit(model, link, k, ZV_QUANTITY_VELOCITY),
                                        .force_unit = zv_model_elastic_unit(model, link, k, ZV_QUANTITY_FORCE),
                                        .integral_unit = zv_model_elastic_unit(model, link, k, ZV_QUANTITY_INTEGRAL)};
        }
    }
    for (int j = 0; j < zv_model_njoint(model); j++) {
        const zvJointPlace place = zv_model_joint_place(model, j);
        const zvJointType type = zv_model_joint(model, j)->type;
        for (int k = 0; k < place.nv; k++) {
            int dof = place.v_index + k;
            freedoms[dof] = (ziFreedom){.label = labels[dof],
                                        .coordinate = coordinates[dof],
                                        .position_unit = zv_joint_type_v_unit(type, k, ZV_QUANTITY_POSITION),
                                        .rate_unit = zv_joint_type_v_unit(type, k, ZV_QUANTITY_VELOCITY),
                                        .force_unit = zv_joint_type_v_unit(type, k, ZV_QUANTITY_FORCE),
                                        .integral_unit = zv_joint_type_v_unit(type, k, ZV_QUANTITY_INTEGRAL)};
        }
    }
    return freedoms;
}

/* Checks of what elements are given. Texts name the element, what is wrong and what to do. */

static zvStatus refuse_number(const ziElement *e, const char *what, double value, const char *expected,
                              zvError *error) {
    char token[32];
    snprintf(token, sizeof token, "%g", value);
    if (!e->label)
        return zv_fail(error, ZV_NUMBER, (zvMark){0}, token, "%s of %s \"%s\": expected %s, found %s", what,
                       e->kind->word, e->name, expected, token);
    return zv_fail(error, ZV_NUMBER, (zvMark){0}, token, "%s of %s \"%s\" on \"%s\": expected %s, found %s", what,
                   e->kind->word, e->name, e->label, expected, token);
}

zvStatus zi_check_finite(const ziElement *e, const char *what, double value, zvError *error) {
    return isfinite(value) ? ZV_OK : refuse_number(e, what, value, "a finite number", error);
}

zvStatus zi_check_not_negative(const ziElement *e, const char *what, double value, zvError *error) {
    return isfinite(value) && value >= 0 ? ZV_OK : refuse_number(e, what, value, "zero or more", error);
}

zvStatus zi_check_positive(const ziElement *e, const char *what, double value, zvError *error) {
    return isfinite(value) && value > 0 ? ZV_OK : refuse_number(e, what, value, "more than zero", error);
}

/* There is one, and it has as many entries as are wanted. */
zvStatus zi_check_law(const ziElement *e, const char *what, const zvLaw *law, int width, zvError *error) {
    if (!law)
        return zv_fail(error, ZV_SCHEMA, (zvMark){0}, e->name, "%s of %s \"%s\": expected a law, found none; give one",
                       what, e->kind->word, e->name);
    if (width < 1)
        return zv_fail(error, ZV_SIZE, (zvMark){0}, e->name,
                       "%s \"%s\": expected degrees of freedom, found none; give at least one", e->kind->word, e->name);
    if (zv_law_width(law) == width) return ZV_OK;
    return zv_fail(error, ZV_SIZE, (zvMark){0}, e->name,
                   "%s of %s \"%s\": expected a law of %d %s, found one of %d; give a law of that width", what,
                   e->kind->word, e->name, width, width == 1 ? "entry" : "entries", zv_law_width(law));
}

zvStatus zi_check_coordinate(const zvDrives *d, const ziElement *e, int dof, zvError *error) {
    if (d->freedoms[dof].coordinate >= 0) return ZV_OK;
    return zv_fail(
        error, ZV_NOT_SUPPORTED, (zvMark){0}, d->freedoms[dof].label,
        "%s \"%s\": expected a degree of freedom with a position, found \"%s\", which is turned by a quaternion; "
        "act on its velocity or force instead",
        e->kind->word, e->name, d->freedoms[dof].label);
}

/* NULL means zeros; a gain that is not finite is refused by name. */
zvStatus zi_keep_gains(zvDrives *d, const ziElement *e, const char *what, const double *gains, int count,
                       const double **kept, zvError *error) {
    double *copy = zi_arena_alloc(&d->arena, (size_t)count * sizeof *copy); /* zeroed */
    if (!copy) return zv_fail(error, ZV_MEMORY, (zvMark){0}, e->name, "out of memory while adding a %s", e->kind->word);
    *kept = copy;
    for (int k = 0; gains && k < count; k++) {
        zvStatus status = zi_check_finite(e, what, gains[k], error);
        if (status < 0) return status;
        copy[k] = gains[k];
    }
    return ZV_OK;
}

/* NULL means no limit. */
zvStatus zi_keep_limits(zvDrives *d, const ziElement *e, const double *limit, const double **kept, zvError *error) {
    double *copy = zi_arena_alloc(&d->arena, (size_t)e->count * sizeof *copy);
    if (!copy) return zv_fail(error, ZV_MEMORY, (zvMark){0}, e->name, "out of memory while adding a %s", e->kind->word);
    *kept = copy;
    for (int k = 0; k < e->count; k++) {
        copy[k] = limit ? limit[k] : INFINITY;
        if (!(copy[k] > 0))
            return zv_fail(error, ZV_NUMBER, (zvMark){0}, e->name,
                           "limit of %s \"%s\" for \"%s\": expected more than zero, found %g; give the greatest force",
                           e->kind->word, e->name, d->freedoms[e->dofs[k]].label, copy[k]);
    }
    return ZV_OK;
}

/* The set of drives: its making, its growth, what it consists of. */

/* What is known per degree of freedom, before any element; false when out of memory. */
static bool lay_out_set(zvDrives *d) {
    size_t nv = (size_t)d->nv;
    d->freedoms = zi_freedoms(d->model, &d->arena);
    d->rotor = zi_arena_alloc(&d->arena, nv * sizeof *d->rotor);
    d->stick = zi_arena_alloc(&d->arena, nv * sizeof *d->stick);
    d->prescribed = zi_arena_alloc(&d->arena, nv * sizeof *d->prescribed);
    d->driven = zi_arena_alloc(&d->arena, nv * sizeof *d->driven);
    d->saturation = zi_arena_alloc(&d->arena, nv * sizeof *d->saturation);
    d->named = zi_arena_alloc(&d->arena, nv * sizeof *d->named);
    d->aimed = zi_arena_alloc(&d->arena, (size_t)zv_model_nloop(d->model) * sizeof *d->aimed);
    if (!d->freedoms || !d->rotor || !d->stick || !d->prescribed || !d->driven || !d->saturation || !d->named ||
        !d->aimed)
        return false;
    for (size_t i = 0; i < nv; i++) d->rotor[i] = d->stick[i] = -1;
    for (size_t i = 0; i < nv; i++) d->saturation[i] = INFINITY;
    return zi_drives_group(d);
}

zvDrives *zv_drives_create(const zvModel *model, zvError *error) {
    ZI_REQUIRE(model);
    zvDrives *d = calloc(1, sizeof *d);
    if (d) *d = (zvDrives){.model = model, .nv = zv_model_nv(model)};
    if (d && lay_out_set(d) && zi_add_elastic_links(d, error) >= 0) return d;
    zv_drives_destroy(d);
    zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while making a set of drives");
    return NULL;
}

static void release(ziElement *e) {
    zv_law_destroy(e->law);
    zv_law_destroy(e->feedforward);
    if (e->route) zv_route_destroy(e->route);
}

void zv_drives_destroy(zvDrives *d) {
    if (!d) return;
    for (size_t i = 0; i < d->nelement; i++) release(&d->elements[i]);
    free(d->elements);
    free(d->accounts);
    free(d->stores);
    free(d->states);
    free(d->sticks);
    zi_arena_free(&d->arena);
    free(d);
}

/* Growth ------------------------------------------------------------------------------------------------- */

/* Each exists and is named once. */
static zvStatus check_dofs(const zvDrives *d, const ziElement *e, int count, const int *dofs, zvError *error) {
    zvStatus status = ZV_OK;
    int good = 0;
    for (; good < count; good++) {
        int dof = dofs[good];
        if (dof < 0 || dof >= d->nv)
            status = zv_fail(error, ZV_NAME, (zvMark){0}, e->name,
                             "%s \"%s\": expected one of %d degrees of freedom, counted from 0, found %d",
                             e->kind->word, e->name, d->nv, dof);
        else if (d->named[dof])
            status = zv_fail(error, ZV_NAME, (zvMark){0}, d->freedoms[dof].label,
                             "%s \"%s\": expected every degree of freedom once, found \"%s\" twice; name it once",
                             e->kind->word, e->name, d->freedoms[dof].label);
        if (status < 0) break;
        d->named[dof] = true;
    }
    while (good > 0) d->named[dofs[--good]] = false;
    return status;
}

static zvStatus out_of_memory(const ziElement *e, zvError *error) {
    return zv_fail(error, ZV_MEMORY, (zvMark){0}, e->name, "out of memory while adding a %s", e->kind->word);
}

/* Name and degrees of freedom, checked and copied; the element claims nothing yet. */
zvStatus zi_drives_open(zvDrives *d, ziElement *e, const char *name, int count, const int *dofs, zvError *error) {
    e->account = e->store = e->state = -1;
    e->name = name && *name ? name : e->kind->word; /* until it is kept: for error texts */
    zvStatus status = check_dofs(d, e, count, dofs, error);
    if (status < 0) return status;
    if (count == 1 && !e->label) e->label = d->freedoms[dofs[0]].label;
    int *list = zi_arena_alloc(&d->arena, (size_t)count * sizeof *list);
    e->name = zi_arena_text(&d->arena, e->name);
    if (!list || !e->name) {
        e->name = e->kind->word;
        return out_of_memory(e, error);
    }
    if (count) memcpy(list, dofs, (size_t)count * sizeof *list);
    e->count = count;
    e->dofs = list;
    return ZV_OK;
}

/* Adds the element, or takes back what it claimed and frees its law. */
zvStatus zi_drives_close(zvDrives *d, ziElement *e, zvStatus status, zvError *error) {
    size_t naccount = d->naccount, nstore = d->nstore, nstate = d->nstate;
    if (status >= 0 &&
        (!zi_grow(&d->elements, d->nelement, &d->element_capacity, sizeof *d->elements) || !e->kind->claim(d, e))) {
        d->naccount = naccount;
        d->nstore = nstore;
        d->nstate = nstate;
        status = out_of_memory(e, error);
    }
    if (status < 0) {
        release(e);
        return status;
    }
    for (int k = 0; e->kind->actuates && k < e->count; k++) d->driven[e->dofs[k]] = true;
    d->elements[d->nelement++] = *e;
    return ZV_OK;
}

const char *zi_claim_name(zvDrives *d, const ziElement *e, int k, const char *suffix) {
    const char *label = e->label ? e->label : d->freedoms[e->dofs[k]].label;
    size_t length = strlen(e->name) + strlen(label) + strlen(suffix) + 3;
    char *name = zi_arena_alloc(&d->arena, length);
    if (!name) return NULL;
    strcpy(name, e->name);
    strcat(strcat(name, " "), label);
    if (*suffix) strcat(strcat(name, " "), suffix);
    return name;
}

bool zi_claim_account(zvDrives *d, zvAccount account) {
    if (!account.name || !zi_grow(&d->accounts, d->naccount, &d->account_capacity, sizeof account)) return false;
    d->accounts[d->naccount++] = account;
    return true;
}

bool zi_claim_accounts(zvDrives *d, ziElement *e) {
    e->account = (int)d->naccount;
    for (int k = 0; k < e->count; k++) {
        zvAccount account = {.name = zi_claim_name(d, e, k, ""),
                             .unit = d->freedoms[e->dofs[k]].force_unit,
                             .dof = e->dofs[k],
                             .dissipates = e->kind->dissipates};
        if (!zi_claim_account(d, account)) return false;
    }
    return true;
}

bool zi_claim_store(zvDrives *d, const char *name) {
    if (!name || !zi_grow(&d->stores, d->nstore, &d->store_capacity, sizeof *d->stores)) return false;
    d->stores[d->nstore++] = (ziStore){name};
    return true;
}

bool zi_claim_state(zvDrives *d, zvDriveState state) {
    if (!state.name || !zi_grow(&d->states, d->nstate, &d->state_capacity, sizeof state)) return false;
    d->states[d->nstate++] = state;
    return true;
}

bool zi_claim_stick(zvDrives *d, int dof, const char *name, const double hold[2]) {
    if (d->stick[dof] < 0) {
        if (!name || !zi_grow(&d->sticks, d->nstick, &d->stick_capacity, sizeof *d->sticks)) return false;
        d->sticks[d->nstick] = (ziStick){.dof = dof, .name = name};
        d->stick[dof] = (int)d->nstick++;
    }
    ziStick *stick = &d->sticks[d->stick[dof]];
    for (int side = 0; side < 2; side++) stick->hold[side] += hold[side];
    return true;
}

/* What the set consists of ------------------------------------------------------------------------------- */

int zv_drives_nstate(const zvDrives *d) {
    ZI_REQUIRE(d);
    return (int)d->nstate;
}
int zv_drives_nmode(const zvDrives *d) {
    ZI_REQUIRE(d);
    return (int)d->nstick;
}
zvDriveState zv_drives_state(const zvDrives *d, int state) {
    ZI_REQUIRE(d);
    ZI_REQUIRE_INDEX(state, zv_drives_nstate(d));
    return d->states[state];
}
int zv_drives_naccount(const zvDrives *d) {
    ZI_REQUIRE(d);
    return (int)d->naccount;
}
zvAccount zv_drives_account(const zvDrives *d, int account) {
    ZI_REQUIRE(d);
    ZI_REQUIRE_INDEX(account, zv_drives_naccount(d));
    return d->accounts[account];
}
int zv_drives_nstore(const zvDrives *d) {
    ZI_REQUIRE(d);
    return (int)d->nstore;
}
const char *zv_drives_store_name(const zvDrives *d, int store) {
    ZI_REQUIRE(d);
    ZI_REQUIRE_INDEX(store, zv_drives_nstore(d));
    return d->stores[store].name;
}
const char *zv_drives_event_name(const zvDrives *d, int event) {
    ZI_REQUIRE(d);
    ZI_REQUIRE_INDEX(event, zv_drives_nmode(d));
    return d->sticks[event].name;
}

bool zi_drives_act_on(const zvDrives *d, int dof) { return d->driven[dof]; }
bool zi_drives_saturate_at(const zvDrives *d, int dof) { return isfinite(d->saturation[dof]); }

double zi_drives_own_limit(const zvDrives *d, int dof) {
    double sum = 0;
    for (size_t i = 0; i < d->nelement; i++) {
        const ziElement *e = &d->elements[i];
        for (int k = 0; e->kind->actuates && k < e->count; k++)
            if (e->dofs[k] == dof) sum += e->limit ? e->limit[k] : INFINITY;
    }
    return sum > 0 ? sum : INFINITY;
}

zvStatus zv_drives_saturate(zvDrives *d, int dof, double effort, zvError *error) {
    ZI_REQUIRE(d);
    if (dof < 0 || dof >= d->nv || !(effort > 0))
        return zv_fail(
            error, ZV_NUMBER, (zvMark){0}, NULL,
            "saturation: expected one of %d degrees of freedom, counted from 0, and a force above 0, found %d and %g",
            d->nv, dof, effort);
    d->saturation[dof] = effort;
    return ZV_OK;
}

bool zv_drives_prescribes(const zvDrives *d, int dof) {
    ZI_REQUIRE(d);
    ZI_REQUIRE_INDEX(dof, d->nv);
    return d->prescribed[dof];
}

/* Of laws and routes, and the next sample of functions. */
double zv_drives_next_break(const zvDrives *d, double t) {
    ZI_REQUIRE(d);
    double next = INFINITY;
    for (size_t i = 0; i < d->nelement; i++) {
        const ziElement *e = &d->elements[i];
        if (e->law) next = fmin(next, zv_law_next_break(e->law, t));
        if (e->feedforward) next = fmin(next, zv_law_next_break(e->feedforward, t));
        if (e->route) next = fmin(next, zv_route_next_break(e->route, t));
        next = fmin(next, zi_function_next_sample(e, t));
    }
    return next;
}

void zv_drives_reference(const zvDrives *d, zvEfforts *efforts, double t, double *r) {
    ZI_REQUIRE(d && efforts && r);
    double *x = zi_efforts_scratch(efforts)->law[0];
    for (int i = 0; i < d->nv; i++) r[i] = NAN;
    for (size_t i = 0; i < d->nelement; i++) {
        const ziElement *e = &d->elements[i];
        if (!e->kind->refers) continue;
        zi_element_law(e, zi_efforts_scratch(efforts), t, x, NULL, NULL);
        for (int k = 0; k < e->count; k++) r[e->dofs[k]] = x[k];
    }
}

void zv_drives_stored(const zvDrives *d, zvWork *work, const double *q, const double *v, const double *z,
                      double *stored) {
    ZI_REQUIRE(d && work && q && (z || !d->nstate) && (stored || !d->nstore));
    for (size_t i = 0; i < d->nelement; i++) {
        const ziElement *e = &d->elements[i];
        if (e->kind->stored) e->kind->stored(d, e, work, q, v, z, stored + e->store);
    }
}
