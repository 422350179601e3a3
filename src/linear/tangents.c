/* Tangents of all terms at a state: by every coordinate, velocity, state of a drive and input. Those of dynamics and
 * loops are exact where they can be (dynamics.c); forces of drives, loads and springs are differenced alone. */
#include "linear/linear.h"

#include "loops/reduction.h"
#include "zveno/flexible.h"

#include <math.h>
#include <string.h>

/* Rows of loops in turns; of open ones nothing. */
static void scale_rows(const zvLinear *l, double *rows) {
    const ziSystem *s = l->system;
    for (int i = 0; i < zv_model_nloop(l->model); i++) {
        const zvLoopPlace place = zv_model_loop_place(l->model, i);
        for (int k = place.row; k < place.row + place.rows; k++) rows[k] = s->open[i] ? 0 : rows[k] * l->row_unit[k];
    }
}

/* Gaps, rates and accelerations of the loops at the state placed. */
static void loop_terms(zvLinear *l, double *terms) {
    ziSystem *s = l->system;
    double *acceleration = terms + l->terms.acceleration;
    zvClosing closing = zv_efforts_closing(s->efforts);
    closing.feedback = 0;
    zv_loop_gaps(l->model, s->work, &closing, s->q, s->v, terms + l->terms.gap, terms + l->terms.rate);
    zv_loop_bias(l->model, s->work, &closing, s->q, s->v, acceleration);
    zv_loop_jacobian(l->model, s->work, s->q, l->G);
    for (int r = 0; r < l->rows; r++)
        for (int i = 0; i < l->nv; i++) acceleration[r] += l->G[r * l->nv + i] * s->efforts->a[i];
    scale_rows(l, terms + l->terms.gap);
    scale_rows(l, terms + l->terms.rate);
    scale_rows(l, acceleration);
}

/* All terms at the state placed, with the accelerations and multipliers kept. */
static zvStatus terms_now(zvLinear *l, double *terms) {
    ziSystem *s = l->system;
    const zvStatus status = zv_drives_residual(s->drives, s->efforts, s->work, zi_system_clock(s, l->t), s->q, s->v,
                                               s->z, s->modes, l->a, terms);
    if (status < 0) return status;
    if (l->nz) memcpy(terms + l->terms.drive, s->efforts->rate, (size_t)l->nz * sizeof *terms);
    if (l->rows == 0) return ZV_OK;
    zv_loop_forces(l->model, s->work, s->q, l->lambda, l->force);
    for (int i = 0; i < l->nv; i++) terms[i] -= l->given[i] == ZV_GIVEN_FORCE ? l->force[i] : 0;
    loop_terms(l, terms);
    return ZV_OK;
}

/* What drives, springs and loads give at the state placed: their part of the terms, with laws of loops those of loops.
 */
static zvStatus pushes_now(zvLinear *l, bool targets, double *terms) {
    ziSystem *s = l->system;
    memset(terms, 0, (size_t)l->terms.count * sizeof *terms);
    const zvStatus status =
        zi_drives_act(s->drives, s->efforts, s->work, zi_system_clock(s, l->t), s->q, s->v, s->z, s->modes, l->a);
    if (status < 0) return status;
    if (l->nz) memcpy(terms + l->terms.drive, s->efforts->rate, (size_t)l->nz * sizeof *terms);
    zi_linear_pushed(l, terms);
    if (targets) loop_terms(l, terms);
    return ZV_OK;
}

/* Which terms are differenced. */
typedef enum Differenced { ALL_TERMS, PUSHES, PUSHES_AND_TARGETS } Differenced;

/* slope += the tangent of these terms along a move. */
static zvStatus add_tangent(zvLinear *l, const ziMove *move, Differenced what, double *slope) {
    static const double times[ZI_LINEAR_POINTS] = {-1, 1, -2, 2};
    const size_t count = (size_t)l->terms.count;
    for (size_t k = 0; k < ZI_LINEAR_POINTS; k++) {
        if (!zi_linear_place(l, move, times[k])) return ZV_MEMORY;
        double *terms = l->samples + k * count;
        const zvStatus status = what == ALL_TERMS ? terms_now(l, terms) : pushes_now(l, what != PUSHES, terms);
        if (status < 0) return status;
    }
    const double *x = l->samples;
    for (size_t i = 0; i < count; i++)
        slope[i] += zi_linear_slope(x[i], x[count + i], x[2 * count + i], x[3 * count + i], move->size);
    return ZV_OK;
}

double zi_linear_state_unit(const zvLinear *l, int state) {
    const zvDriveState s = zv_drives_state(l->scenario->drives, state);
    const bool motor = s.dof >= 0 && l->scenario->drives->rotor[s.dof] >= 0;
    return motor ? l->unit[s.dof] : 1e-3; /* integrals: short of the limits of their controllers */
}

/* By each coordinate and each velocity. */
static zvStatus coordinate_tangents(zvLinear *l, bool exact) {
    const size_t count = (size_t)l->terms.count, nv = (size_t)l->nv;
    const Differenced what = exact ? PUSHES : ALL_TERMS;
    zvStatus status = ZV_OK;
    for (int i = 0; i < l->nv && status >= 0; i++) {
        double *by_q = l->tangents + (size_t)i * count, *by_v = by_q + nv * count;
        memset(l->dq, 0, nv * sizeof *l->dq);
        l->dq[i] = 1;
        status = add_tangent(l, &(ziMove){.dq = l->dq, .size = ZI_LINEAR_STEP * l->unit[i]}, what, by_q);
        if (status >= 0)
            status = add_tangent(l, &(ziMove){.dv = l->dq, .size = ZI_LINEAR_STEP * l->velocity_unit[i]}, what, by_v);
    }
    return status;
}

/* The dynamics along the motion of one degree of freedom that a law leads: a tangent by q or v, or M and G by a. */
static void add_led(zvLinear *l, int dof, int order, const double *dynamics, double *column) {
    const size_t count = (size_t)l->terms.count;
    for (size_t i = 0; order < 2 && i < count; i++)
        column[i] += dynamics[((size_t)order * (size_t)l->nv + (size_t)dof) * count + i];
    if (order < 2) return;
    memset(l->step, 0, (size_t)l->nv * sizeof *l->step);
    l->step[dof] = 1;
    zv_mass_times(l->model, l->system->work, l->y, l->step, l->force);
    l->step[dof] = 0;
    for (int i = 0; i < l->nv; i++) column[i] += l->given[i] == ZV_GIVEN_FORCE ? l->force[i] : 0;
    for (int r = 0; r < l->rows; r++) column[l->terms.acceleration + r] += l->row[r] * l->G[r * l->nv + dof];
}

/* Of an input: dynamics is moved by laws of motions alone, which its exact part has before forces of drives join it. */
static void begin_input(zvLinear *l, const ziPerturbation *p, double *column) {
    memset(column, 0, (size_t)l->terms.count * sizeof *column);
    if (p->what != ZI_PERTURB_LAW || p->element->kind != &zi_prescribed_kind) return;
    add_led(l, p->element->dofs[p->index], p->order, l->tangents, column);
}

/* By inputs, before coordinates' columns have forces of drives in them: their exact part. */
static void begin_inputs(zvLinear *l) {
    double *column = l->tangents + (2 * (size_t)l->nv + (size_t)l->nz) * (size_t)l->terms.count;
    for (int i = 0; i < l->nu; i++, column += l->terms.count) begin_input(l, &l->inputs[i].perturbation, column);
}

/* By states of drives and by inputs. */
static zvStatus other_tangents(zvLinear *l, bool exact) {
    const size_t count = (size_t)l->terms.count;
    double *column = l->tangents + 2 * (size_t)l->nv * count;
    zvStatus status = ZV_OK;
    memset(column, 0, (size_t)l->nz * count * sizeof *column);
    for (int i = 0; i < l->nz && status >= 0; i++, column += count) {
        memset(l->dz, 0, (size_t)l->nz * sizeof *l->dz);
        l->dz[i] = 1;
        status = add_tangent(l, &(ziMove){.dz = l->dz, .size = ZI_LINEAR_STEP * zi_linear_state_unit(l, i)},
                             exact ? PUSHES : ALL_TERMS, column);
    }
    for (int i = 0; i < l->nu && status >= 0; i++, column += count) {
        const ziPerturbation *input = &l->inputs[i].perturbation;
        const bool targets = input->what == ZI_PERTURB_LAW && input->element->kind == &zi_loop_motion_kind;
        if (!exact) memset(column, 0, count * sizeof *column);
        status = add_tangent(l, &(ziMove){.input = input, .size = input->size},
                             !exact    ? ALL_TERMS
                             : targets ? PUSHES_AND_TARGETS
                                       : PUSHES,
                             column);
    }
    return status;
}

/* Rates of motors whose rotors have an axis depend on accelerations, linearly. */
static zvStatus acceleration_tangents(zvLinear *l) {
    memset(l->by_a, 0, (size_t)l->nz * (size_t)l->nv * sizeof *l->by_a);
    if (l->nz == 0 || !zv_model_has_rotor_axes(l->model)) return ZV_OK;
    double *two[2] = {l->samples, l->samples + l->terms.count};
    for (int i = 0; i < l->nv; i++) {
        const double kept = l->a[i];
        for (int side = 0; side < 2; side++) {
            l->a[i] = kept + (side ? l->unit[i] : -l->unit[i]);
            const bool placed = zi_linear_place(l, &(ziMove){.size = 0}, 0);
            const zvStatus status = placed ? terms_now(l, two[side]) : ZV_MEMORY;
            l->a[i] = kept;
            if (status < 0) return status;
        }
        for (int k = 0; k < l->nz; k++)
            l->by_a[k * l->nv + i] = (two[1][l->terms.drive + k] - two[0][l->terms.drive + k]) / (2 * l->unit[i]);
    }
    return ZV_OK;
}

/* The exact part first: what laws of motions do is made of it. */
zvStatus zi_linear_tangents(zvLinear *l, zvError *error) {
    const bool exact = zi_linear_is_exact(l);
    if (l->rows) zi_row_units(l->model, l->system->work, l->y, l->row_unit);
    for (int r = 0; r < l->rows; r++) l->row[r] = 1;
    scale_rows(l, l->row);
    if (exact) {
        zi_linear_dynamics(l);
        begin_inputs(l);
    } else {
        memset(l->tangents, 0, 2 * (size_t)l->nv * (size_t)l->terms.count * sizeof *l->tangents);
    }
    zvStatus status = coordinate_tangents(l, exact);
    if (status >= 0) status = other_tangents(l, exact);
    if (status >= 0) status = acceleration_tangents(l);
    if (status >= 0) return ZV_OK;
    return zv_fail(error, status, (zvMark){0}, NULL, "the forces beside the state at t = %.9g s cannot be found: %s",
                   l->t, zv_status_sentence(status));
}
