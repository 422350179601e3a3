/* C, D and y: what departures and inputs do to channels. Coordinates, velocities, accelerations and states of drives
 * are those of the departures; other channels by differences of four points of what a recording would show, along the
 * departure of everything, dynamics solved anew. */
#include "linear/linear.h"

#include <math.h>
#include <string.h>

/* Entries of channels that are entries of the departure itself; NULL: the channel is another, or a law moves it. */
static const double *direct(const zvLinear *l, const ziLinearOutput *output, const ziDeparture *d) {
    int dof = output->entry;
    if (output->spec.kind == ZI_CHANNEL_STATES) return d->dz + output->entry;
    if (output->spec.kind == ZI_CHANNEL_Q) {
        for (dof = 0; dof < l->nv && l->system->coordinate[dof] != output->entry;) dof++;
        if (dof == l->nv) return NULL;
    }
    const double *of = output->spec.kind == ZI_CHANNEL_Q   ? d->dq
                       : output->spec.kind == ZI_CHANNEL_V ? d->dv
                       : output->spec.kind == ZI_CHANNEL_A ? d->da
                                                           : NULL;
    return of && l->given[dof] == ZV_GIVEN_FORCE ? of + dof : NULL;
}

/* All outputs at the state placed; begins: it is the state itself, orientations are kept. row has room for a channel.
 */
static zvStatus observe_all(zvLinear *l, bool forces, bool begins, double *out, double *row) {
    ziChannelSpec shown = {ZI_CHANNEL_KINDS, -1};
    zvStatus status = forces ? zi_system_accelerate(l->system) : ZV_OK;
    if (status < 0) return status;
    l->observer.reactions_known = false;
    for (int i = 0; i < l->ny; i++) {
        const ziLinearOutput *o = &l->outputs[i];
        if (o->spec.kind != shown.kind || o->spec.index != shown.index)
            zi_observe_channel(&l->observer, o->spec, begins ? NULL : l->likes + 4 * i, row);
        if (begins && o->spec.kind == ZI_CHANNEL_POSE) memcpy(l->likes + 4 * i, row + 3, 4 * sizeof *row);
        shown = o->spec;
        out[i] = row[o->entry];
    }
    return ZV_OK;
}

/* How long a step along a departure is: until some coordinate, velocity or state of a drive has gone its own. */
static double step_along(const zvLinear *l, const ziDeparture *d, const ziPerturbation *input) {
    double most = 0;
    for (int i = 0; i < l->nv; i++) {
        most = fmax(most, fabs(d->dq[i]) / l->unit[i]);
        most = fmax(most, fabs(d->dv[i]) / l->velocity_unit[i]);
    }
    for (int k = 0; k < l->nz; k++) { most = fmax(most, fabs(d->dz[k]) / zi_linear_state_unit(l, k)); }
    return input && most == 0 ? input->size : ZI_LINEAR_STEP / most;
}

/* A column of C or D. */
static zvStatus difference(zvLinear *l, int column, bool forces) {
    static const double times[ZI_LINEAR_POINTS] = {-1, 1, -2, 2};
    const ziDeparture d = zi_linear_departure(l, column);
    const ziPerturbation *input = column < l->nx ? NULL : &l->inputs[column - l->nx].perturbation;
    const ziMove move = {d.dq, d.dv, d.dz, input, step_along(l, &d, input)};
    const size_t ny = (size_t)l->ny;
    double *x = l->values, *row = x + ZI_LINEAR_POINTS * ny;
    for (size_t k = 0; k < ZI_LINEAR_POINTS; k++) {
        if (!zi_linear_place(l, &move, times[k])) return ZV_MEMORY;
        const zvStatus status = observe_all(l, forces, false, x + k * ny, row);
        if (status < 0) return status;
    }
    const int stride = column < l->nx ? l->nx : l->nu;
    double *to = column < l->nx ? l->C + column : l->D + (column - l->nx);
    for (size_t i = 0; i < ny; i++) {
        const double *own = direct(l, &l->outputs[i], &d);
        to[i * (size_t)stride] = own ? *own : zi_linear_slope(x[i], x[ny + i], x[2 * ny + i], x[3 * ny + i], move.size);
    }
    return ZV_OK;
}

/* Without channels that have to be differenced nothing is evaluated. */
static void put_direct(zvLinear *l, int column) {
    const ziDeparture d = zi_linear_departure(l, column);
    const int stride = column < l->nx ? l->nx : l->nu;
    double *to = column < l->nx ? l->C + column : l->D + (column - l->nx);
    for (int i = 0; i < l->ny; i++) to[i * stride] = *direct(l, &l->outputs[i], &d);
}

/* Columns one by one; at the end the system stands at the state again. */
zvStatus zi_linear_observe(zvLinear *l, zvError *error) {
    bool forces = false, all_direct = true;
    const ziDeparture any = zi_linear_departure(l, 0);
    for (int i = 0; i < l->ny; i++) {
        forces |= zi_channel_needs_forces(l->outputs[i].spec.kind);
        all_direct &= direct(l, &l->outputs[i], &any) != NULL;
    }
    zvStatus status = zi_linear_place(l, &(ziMove){.size = 0}, 0) ? ZV_OK : ZV_MEMORY;
    if (status >= 0) status = observe_all(l, forces, true, l->out, l->values);
    for (int c = 0; c < l->nx + l->nu && status >= 0; c++) {
        if (all_direct)
            put_direct(l, c);
        else
            status = difference(l, c, forces);
    }
    zi_linear_place(l, &(ziMove){.size = 0}, 0);
    if (status >= 0) return ZV_OK;
    return zv_fail(error, status, (zvMark){0}, NULL, "the outputs beside the state at t = %.9g s cannot be found: %s",
                   l->t, zv_status_sentence(status));
}
