/* A linear model: its memory, the state it is about, its answers. */
#include "linear/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/require.h"
#include "model/tree.h"
#include "modes/statics.h"

enum { MOST_FREEDOMS = 2048 };

static double *doubles(zvLinear *l, size_t count) { return zi_arena_alloc(&l->arena, (count + 1) * sizeof(double)); }

static ziLinearTerms terms_of(const zvLinear *l) {
    ziLinearTerms t = {.force = 0, .gap = l->nv};
    t.rate = t.gap + l->rows;
    t.acceleration = t.rate + l->rows;
    t.drive = t.acceleration + l->rows;
    t.count = t.drive + l->nz;
    return t;
}

/* What the state and the tangents need; false when out of memory. */
static bool take_tangents(zvLinear *l) {
    const size_t nv = (size_t)l->nv, rows = (size_t)l->rows, count = (size_t)l->terms.count;
    l->y = doubles(l, (size_t)l->system->size);
    l->moved = doubles(l, (size_t)l->system->size);
    l->a = doubles(l, nv);
    l->lambda = doubles(l, rows);
    l->given = zi_arena_alloc(&l->arena, nv + 1);
    l->unit = doubles(l, nv);
    l->step = doubles(l, nv);
    l->velocity_unit = doubles(l, nv);
    l->row_unit = doubles(l, rows);
    l->row = doubles(l, rows);
    l->tangents = doubles(l, count * (2 * nv + (size_t)l->nz + (size_t)l->nu));
    l->by_a = doubles(l, (size_t)l->nz * nv);
    l->samples = doubles(l, ZI_LINEAR_POINTS * count);
    const size_t jets = zi_linear_jet_bytes(l->model), tq = (size_t)l->model->tree.nq, tv = (size_t)l->model->tree.nv;
    l->jets = jets ? zi_arena_alloc(&l->arena, jets) : NULL;
    l->directions = doubles(l, 4 * (2 * tq + 2 * tv + 2 * rows));
    l->first = doubles(l, 2 * (size_t)l->nq);
    l->G = doubles(l, rows * nv);
    l->turn = doubles(l, 2 * rows);
    l->force = doubles(l, nv);
    l->dq = doubles(l, nv);
    l->dz = doubles(l, (size_t)l->nz);
    return (l->jets || !jets) && l->directions && l->first && l->dq && l->dz && l->y && l->moved && l->a && l->lambda &&
           l->given && l->unit && l->step && l->velocity_unit && l->row_unit && l->row && l->tangents && l->by_a &&
           l->samples && l->G && l->turn && l->force;
}

static int widest(const zvLinear *l) {
    int most = 1;
    for (int i = 0; i < l->ny; i++) {
        const int width = zi_channel_width(l->scenario, l->outputs[i].spec);
        if (width > most) most = width;
    }
    return most;
}

/* What elimination and the answers need. */
static bool take_answers(zvLinear *l) {
    const size_t nv = (size_t)l->nv, rows = (size_t)l->rows, nx = 2 * nv + (size_t)l->nz, nu = (size_t)l->nu,
                 ny = (size_t)l->ny;
    l->independent = zi_arena_alloc(&l->arena, (nv + 1) * sizeof *l->independent);
    l->taken = zi_arena_alloc(&l->arena, (nv + 1) * sizeof *l->taken);
    l->kinds = zi_arena_alloc(&l->arena, nv + 1);
    l->E = doubles(l, rows * (nv + rows));
    double **const squares[] = {&l->P, &l->M, &l->Mr, &l->factors};
    for (size_t i = 0; i < sizeof squares / sizeof *squares; i++)
        if (!(*squares[i] = doubles(l, nv * nv))) return false;
    double **const seconds[] = {&l->mass, &l->damping, &l->stiffness};
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++)
        if (!(*seconds[i] = doubles(l, (nv + (size_t)l->nz) * (nv + (size_t)l->nz)))) return false;
    l->forcing = doubles(l, (nv + (size_t)l->nz) * nu);
    l->pivots = doubles(l, nv);
    l->paths = doubles(l, (nx + nu) * (3 * nv + (size_t)l->nz));
    l->A = doubles(l, nx * nx);
    l->B = doubles(l, nx * nu);
    l->C = doubles(l, ny * nx);
    l->D = doubles(l, ny * nu);
    l->rate = doubles(l, nx);
    l->out = doubles(l, ny);
    l->values = doubles(l, (size_t)ZI_LINEAR_POINTS * ny + (size_t)widest(l));
    l->likes = doubles(l, 4 * ny);
    return l->independent && l->taken && l->kinds && l->E && l->forcing && l->pivots && l->paths && l->A && l->B &&
           l->C && l->D && l->rate && l->out && l->values && l->likes;
}

zvStatus zi_linear_no_memory(zvError *error) {
    return zv_fail(error, ZV_MEMORY, (zvMark){0}, NULL, "out of memory for a linear model");
}

/* System, names and memory. */
static zvStatus build(zvLinear *l, int input_count, const char *const *inputs, int output_count,
                      const char *const *outputs, zvError *error) {
    l->system = zi_system_create(l->scenario, error);
    if (!l->system) return ZV_MEMORY;
    l->nq = l->system->nq;
    l->nv = l->system->nv;
    l->nz = l->system->nz;
    l->rows = zv_model_nloop_rows(l->model);
    if (l->nv > MOST_FREEDOMS)
        return zv_fail(error, ZV_SIZE, (zvMark){0}, NULL,
                       "expected at most %d degrees of freedom for dense matrices, found %d; model a part of the "
                       "machine",
                       MOST_FREEDOMS, l->nv);
    zvStatus status = zi_linear_name_states(l, error);
    if (status >= 0) status = zi_linear_read_inputs(l, input_count, inputs, error);
    if (status >= 0) status = zi_linear_read_outputs(l, output_count, outputs, error);
    if (status < 0) return status;
    l->terms = terms_of(l);
    if (!take_tangents(l) || !take_answers(l) || !zi_ledger_create(&l->ledger, l->system) ||
        !zi_observer_create(&l->observer, l->system, &l->ledger))
        return zi_linear_no_memory(error);
    l->system->efforts->feedback = 0;
    return ZV_OK;
}

/* What was made by a failure ends with it. */
zvStatus zv_linear_create(const zvScenario *scenario, int input_count, const char *const *inputs, int output_count,
                          const char *const *outputs, zvLinear **linear, zvError *error) {
    ZI_REQUIRE(scenario && linear);
    zvLinear *l = calloc(1, sizeof *l);
    *linear = NULL;
    if (!l) return zi_linear_no_memory(error);
    l->scenario = scenario;
    l->model = scenario->model;
    const zvStatus status = build(l, input_count, inputs, output_count, outputs, error);
    if (status >= 0) {
        *linear = l;
        return ZV_OK;
    }
    zv_linear_destroy(l);
    return status;
}

void zv_linear_destroy(zvLinear *l) {
    if (!l) return;
    zi_system_destroy(l->system);
    free(l->outputs);
    zi_arena_free(&l->arena);
    free(l);
}

/* The state ------------------------------------------------------------------------------------------------- */

/* Motions of each coordinate that matter: a turn of something, or a length of the size of the robot. */
static zvStatus measure(zvLinear *l, zvError *error) {
    ziStatics s;
    const zvRest rest = {.q = l->y};
    const zvStatus status = zi_statics_create(l->model, l->system->work, &rest, &s, error);
    if (status >= 0) memcpy(l->unit, s.unit, (size_t)l->nv * sizeof *l->unit);
    zi_statics_free(&s);
    if (status < 0) return status;
    memcpy(l->velocity_unit, l->unit, (size_t)l->nv * sizeof *l->unit);
    for (size_t i = 0; i < l->scenario->drives->nelement; i++) {
        const ziElement *e = &l->scenario->drives->elements[i];
        if (e->kind != &zi_friction_kind || e->of.friction.smoothing == 0) continue;
        l->velocity_unit[e->dofs[0]] = fmin(l->velocity_unit[e->dofs[0]], e->of.friction.smoothing);
    }
    return ZV_OK;
}

/* Into y: what is given, the rest as the scenario begins. */
static zvStatus set_state(zvLinear *l, const double *q, const double *v, const double *z, zvError *error) {
    ziSystem *s = l->system;
    const zvScenario *scenario = l->scenario;
    const bool begins = !q && !v;
    double *own = l->y + s->at_z;
    memset(l->y, 0, (size_t)s->size * sizeof *l->y);
    memcpy(l->y, q ? q : scenario->q, (size_t)l->nq * sizeof *l->y);
    memcpy(l->y + s->at_v, v ? v : scenario->v, (size_t)l->nv * sizeof *l->y);
    zi_system_show(s, l->t, l->y);
    if (z)
        memcpy(own, z, (size_t)l->nz * sizeof *own);
    else if (begins && !scenario->motors_at_equilibrium && l->nz > 0)
        memcpy(own, scenario->z, (size_t)l->nz * sizeof *own);
    else if (l->nz > 0)
        zv_drives_initial(s->drives, s->efforts, s->work, s->q, s->v, scenario->motors_at_equilibrium, own);
    return zi_system_settle(s, l->t, l->y, error);
}

/* Accelerations and multipliers at y. */
static zvStatus solve_state(zvLinear *l, zvError *error) {
    ziSystem *s = l->system;
    zi_system_place(s, l->t, l->y);
    const zvStatus status = zi_system_accelerate(s);
    if (status < 0)
        return zv_fail(error, status, (zvMark){0}, NULL, "the motion about t = %.9g s is not determined: %s", l->t,
                       zv_status_sentence(status));
    memcpy(l->a, s->efforts->a, (size_t)l->nv * sizeof *l->a);
    memcpy(l->lambda, s->efforts->lambda, (size_t)l->rows * sizeof *l->lambda);
    memcpy(l->given, s->efforts->given, (size_t)l->nv);
    return ZV_OK;
}

/* State, tangents, reduction, outputs, each from the one before. */
zvStatus zv_linear_at(zvLinear *l, double t, const double *q, const double *v, const double *z, zvError *error) {
    ZI_REQUIRE(l);
    l->t = t;
    l->system->horizon = zv_drives_next_break(l->system->drives, t);
    if (!zi_efforts_perturb(l->system->drives, l->system->efforts, NULL)) return zi_linear_no_memory(error);
    zvStatus status = set_state(l, q, v, z, error);
    if (status >= 0) status = measure(l, error);
    if (status >= 0) status = solve_state(l, error);
    if (status >= 0) status = zi_linear_tangents(l, error);
    if (status >= 0) status = zi_linear_reduce(l, error);
    if (status >= 0) status = zi_linear_observe(l, error);
    return status < 0 ? status : ZV_OK;
}

/* Moves the state by size times the departures and the input. */
bool zi_linear_place(zvLinear *l, const ziMove *move, double times) {
    ziSystem *s = l->system;
    const double size = times * move->size;
    memcpy(l->moved, l->y, (size_t)s->size * sizeof *l->y);
    if (move->dq) {
        for (int i = 0; i < l->nv; i++) l->step[i] = size * move->dq[i];
        zv_position_add(l->model, l->y, l->step, l->moved);
    }
    for (int i = 0; move->dv && i < l->nv; i++) l->moved[s->at_v + i] += size * move->dv[i];
    for (int i = 0; move->dz && i < l->nz; i++) l->moved[s->at_z + i] += size * move->dz[i];
    if (move->input) l->perturbation = *move->input;
    l->perturbation.size = size;
    if (!zi_efforts_perturb(s->drives, s->efforts, move->input ? &l->perturbation : NULL)) return false;
    zi_system_place(s, l->t, l->moved);
    return true;
}

ziDeparture zi_linear_departure(const zvLinear *l, int column) {
    const size_t nv = (size_t)l->nv, count = (size_t)l->terms.count, first = 2 * nv + (size_t)l->nz;
    double *at = l->paths + (size_t)column * (3 * nv + (size_t)l->nz);
    return (ziDeparture){at, at + nv, at + 2 * nv, at + 3 * nv,
                         column < l->nx ? NULL : l->tangents + (first + (size_t)(column - l->nx)) * count};
}

/* Answers --------------------------------------------------------------------------------------------------- */

/* One row of the table for each. */
const double *zv_linear_matrix(const zvLinear *l, zvLinearMatrix which, int *rows, int *columns) {
    ZI_REQUIRE(l);
    const struct {
        const double *numbers;
        int rows, columns;
    } all[] = {[ZV_LINEAR_A] = {l->A, l->nx, l->nx},
               [ZV_LINEAR_B] = {l->B, l->nx, l->nu},
               [ZV_LINEAR_C] = {l->C, l->ny, l->nx},
               [ZV_LINEAR_D] = {l->D, l->ny, l->nu},
               [ZV_LINEAR_MASS] = {l->mass, l->np, l->np},
               [ZV_LINEAR_DAMPING] = {l->damping, l->np, l->np},
               [ZV_LINEAR_STIFFNESS] = {l->stiffness, l->np, l->np},
               [ZV_LINEAR_FORCING] = {l->forcing, l->np, l->nu},
               [ZV_LINEAR_P] = {l->P, l->nv, l->n},
               [ZV_LINEAR_RATE] = {l->rate, l->nx, 1},
               [ZV_LINEAR_OUTPUT] = {l->out, l->ny, 1}};
    ZI_REQUIRE((size_t)which < sizeof all / sizeof *all);
    if (rows) *rows = all[which].rows;
    if (columns) *columns = all[which].columns;
    return all[which].numbers;
}

int zv_linear_freedoms(const zvLinear *l) {
    ZI_REQUIRE(l);
    return l->n;
}
int zv_linear_states(const zvLinear *l) {
    ZI_REQUIRE(l);
    return l->nx;
}
int zv_linear_inputs(const zvLinear *l) {
    ZI_REQUIRE(l);
    return l->nu;
}
int zv_linear_outputs(const zvLinear *l) {
    ZI_REQUIRE(l);
    return l->ny;
}
const int *zv_linear_independent(const zvLinear *l) {
    ZI_REQUIRE(l);
    return l->independent;
}
zvLinearName zv_linear_input(const zvLinear *l, int input) {
    ZI_REQUIRE(l);
    ZI_REQUIRE_INDEX(input, l->nu);
    return l->inputs[input].name;
}
zvLinearName zv_linear_output(const zvLinear *l, int output) {
    ZI_REQUIRE(l);
    ZI_REQUIRE_INDEX(output, l->ny);
    return l->outputs[output].name;
}
zvLinearName zv_linear_state(const zvLinear *l, int state) {
    ZI_REQUIRE(l);
    ZI_REQUIRE_INDEX(state, l->nx);
    if (state >= 2 * l->n) {
        const int k = state - 2 * l->n;
        return (zvLinearName){l->state_names[k], zv_drives_state(l->scenario->drives, k).unit};
    }
    const int dof = l->independent[state % l->n];
    return state < l->n ? (zvLinearName){l->position_names[dof], l->position_units[dof]}
                        : (zvLinearName){l->velocity_names[dof], l->velocity_units[dof]};
}

double zv_linear_state_at(const zvLinear *l, const double **q, const double **v, const double **z, const double **a) {
    ZI_REQUIRE(l);
    if (q) *q = l->y;
    if (v) *v = l->y + l->system->at_v;
    if (z) *z = l->y + l->system->at_z;
    if (a) *a = l->a;
    return l->t;
}
