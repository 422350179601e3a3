/* Tangents of all terms at a state: by every coordinate, velocity, state of a drive and input. */
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

/* slope := the tangent of the terms along a move. */
static zvStatus tangent(zvLinear *l, const ziMove *move, double *slope) {
    static const double times[ZI_LINEAR_POINTS] = {-1, 1, -2, 2};
    const size_t count = (size_t)l->terms.count;
    for (size_t k = 0; k < ZI_LINEAR_POINTS; k++) {
        if (!zi_linear_place(l, move, times[k])) return ZV_MEMORY;
        const zvStatus status = terms_now(l, l->samples + k * count);
        if (status < 0) return status;
    }
    const double *x = l->samples;
    for (size_t i = 0; i < count; i++)
        slope[i] = zi_linear_slope(x[i], x[count + i], x[2 * count + i], x[3 * count + i], move->size);
    return ZV_OK;
}

double zi_linear_state_unit(const zvLinear *l, int state) {
    const zvDriveState s = zv_drives_state(l->scenario->drives, state);
    const bool motor = s.dof >= 0 && l->scenario->drives->rotor[s.dof] >= 0;
    return motor ? l->unit[s.dof] : 1e-3; /* integrals: short of the limits of their controllers */
}

/* By each coordinate and each velocity. */
static zvStatus coordinate_tangents(zvLinear *l) {
    const size_t count = (size_t)l->terms.count, nv = (size_t)l->nv;
    zvStatus status = ZV_OK;
    for (int i = 0; i < l->nv && status >= 0; i++) {
        double *by_q = l->tangents + (size_t)i * count, *by_v = by_q + nv * count;
        memset(l->dq, 0, nv * sizeof *l->dq);
        l->dq[i] = 1;
        status = tangent(l, &(ziMove){.dq = l->dq, .size = ZI_LINEAR_STEP * l->unit[i]}, by_q);
        if (status >= 0)
            status = tangent(l, &(ziMove){.dv = l->dq, .size = ZI_LINEAR_STEP * l->velocity_unit[i]}, by_v);
    }
    return status;
}

/* By states of drives and by inputs. */
static zvStatus other_tangents(zvLinear *l) {
    const size_t count = (size_t)l->terms.count;
    double *column = l->tangents + 2 * (size_t)l->nv * count;
    zvStatus status = ZV_OK;
    for (int i = 0; i < l->nz && status >= 0; i++, column += count) {
        memset(l->dz, 0, (size_t)l->nz * sizeof *l->dz);
        l->dz[i] = 1;
        status = tangent(l, &(ziMove){.dz = l->dz, .size = ZI_LINEAR_STEP * zi_linear_state_unit(l, i)}, column);
    }
    for (int i = 0; i < l->nu && status >= 0; i++, column += count) {
        const ziPerturbation *input = &l->inputs[i].perturbation;
        status = tangent(l, &(ziMove){.input = input, .size = input->size}, column);
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

zvStatus zi_linear_tangents(zvLinear *l, zvError *error) {
    if (l->rows) zi_row_units(l->model, l->system->work, l->y, l->row_unit);
    zvStatus status = coordinate_tangents(l);
    if (status >= 0) status = other_tangents(l);
    if (status >= 0) status = acceleration_tangents(l);
    if (status >= 0) return ZV_OK;
    return zv_fail(error, status, (zvMark){0}, NULL, "the forces beside the state at t = %.9g s cannot be found: %s",
                   l->t, zv_status_sentence(status));
}
