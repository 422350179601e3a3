/* The energy-momentum method: the implicit midpoint rule (newmark.h with am = af = gamma = 1/2, beta = 1/4) whose step
 * is corrected until energy and momentum balance exactly,
 *
 *   v+ = v + h a_m + s,   x = h (v + v+) / 2,   balance of forces at the middle for a_m,
 *   E(t+, y+) - E(t, y) = h P_m + debt,         p(y+) = p(y),   c(y+) = c(y) + h p / mass
 *
 * P_m is the power of all that exchanges energy, at the middle, where the quadratures of y take it too: books of energy
 * close to rounding. p, and the centre of mass c, are those of systems that nothing pushes from outside. The correction
 * s, of third order in h, is
 *
 *   s = sigma d + (rigid motion),   d: the velocity at the middle, less the rigid motion that carries its momentum
 *
 * the discrete gradient of [Gonzalez] with d along the step: dE/dsigma = 2 T(d), which vanishes only with the step
 * itself. Rigid motions are the least corrections of momentum in the metric of the mass matrix, and d is at right
 * angles to them there, so that energy and momentum are corrected apart. *Differs*: [Simo] and [Gonzalez] have
 * positions of points, whose momentum a midpoint rule keeps by itself; in joint coordinates it keeps neither. What a
 * step cannot take, because hardly anything moves, is the debt of the next. */
#include "integrate/newmark.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_PASSES = 4, MOST_WAITED = 2 };
static const double FARTHEST = 0.05;             /* of sigma */
static const double ROUNDING = 16 * DBL_EPSILON; /* of an energy */

/* y of the middle with the velocities d. */
static void replace_velocity(const zvIntegrator *in, const double *d) {
    const ziNewmark *nm = zi_newmark(in);
    memcpy(nm->spare, nm->y, (size_t)in->size * sizeof *nm->spare);
    memcpy(nm->spare + nm->nq, d, (size_t)nm->nv * sizeof *d);
}

/* d, the direction of the correction, from the middle of the step; and 2 T(d), 0 where energy is not to be corrected.
 */
static void aim(zvIntegrator *in, double h) {
    ziNewmark *nm = zi_newmark(in);
    const zvStructure *s = in->ode.structure;
    void *context = in->ode.context;
    double p[6], parts[2], *d = nm->direction;
    nm->stiffness = 0;
    nm->led = !s->movable(context, nm->y + nm->nq, d);
    if (nm->led) return;
    replace_velocity(in, d);
    if (nm->floats && s->momentum(context, nm->spare, p)) {
        s->carry(context, nm->spare, p, nm->part);
        for (int i = 0; i < nm->nv; i++) d[i] -= nm->part[i];
        replace_velocity(in, d);
    }
    s->energy(context, in->from + 0.5 * h, nm->spare, parts);
    nm->stiffness = 2 * parts[0];
}

/* A step begins: nothing is corrected yet. */
void zi_conserve_open(zvIntegrator *in) {
    ziNewmark *nm = zi_newmark(in);
    const zvStructure *s = in->ode.structure;
    double parts[2];
    memset(nm->shift, 0, (size_t)nm->nv * sizeof *nm->shift);
    nm->aimed = false;
    nm->sigma = 0;
    nm->lack_before = INFINITY;
    nm->lags = false;
    nm->waited = 0;
    nm->energy_from = s->energy(in->ode.context, in->from, in->y_from, parts);
    nm->floats = s->momentum && s->momentum(in->ode.context, in->y_from, nm->momentum_from);
}

/* Adds factor x (nv) to the shift; the largest change, of velocities of size one. */
static double add_shift(const zvIntegrator *in, double factor, const double *x) {
    const ziNewmark *nm = zi_newmark(in);
    const double *v = nm->y_to + nm->nq;
    double most = 0;
    for (int i = 0; i < nm->nv; i++) {
        nm->shift[i] += factor * x[i];
        most = fmax(most, fabs(factor * x[i]) / (1 + fabs(v[i])));
    }
    return most;
}

/* Gives the end of the step the momentum of its beginning; returns the change of the shift. */
static double keep_momentum(zvIntegrator *in, double h) {
    ziNewmark *nm = zi_newmark(in);
    const zvStructure *s = in->ode.structure;
    double p[6];
    zi_newmark_complete(in, h);
    if (!nm->floats || !s->momentum(in->ode.context, nm->y_to, p)) return 0;
    for (int i = 0; i < 6; i++) p[i] = nm->momentum_from[i] - p[i];
    s->carry(in->ode.context, nm->y_to, p, nm->part);
    const double most = add_shift(in, 1, nm->part);
    zi_newmark_complete(in, h);
    return most;
}

/* What the end of the step, as it is completed, lacks of energy. */
static void find_lack(zvIntegrator *in, double h) {
    ziNewmark *nm = zi_newmark(in);
    const zvStructure *s = in->ode.structure;
    double parts[2];
    const double energy = s->energy(in->ode.context, in->from + h, nm->y_to, parts);
    nm->lack = nm->energy_from + *nm->debt + h * s->power(in->ode.context) - energy;
    nm->energy_size = parts[1];
}

static bool is_balanced(const ziNewmark *nm) { return fabs(nm->lack) <= ROUNDING * nm->energy_size; }

/* Moves the energy by what it lacks, unless that changes velocities of size one by more than `farthest`; the change. */
static double keep_energy(zvIntegrator *in, double farthest) {
    ziNewmark *nm = zi_newmark(in);
    if (!(nm->stiffness > 0) || is_balanced(nm)) return 0;
    const double before = nm->sigma;
    nm->sigma = fmax(-FARTHEST, fmin(FARTHEST, before + nm->lack / nm->stiffness));
    const double most = add_shift(in, nm->sigma - before, nm->direction);
    if (most <= farthest) return most;
    add_shift(in, before - nm->sigma, nm->direction);
    nm->sigma = before;
    return 0;
}

/* Momentum first: its correction changes the energy, that of the energy hardly the momentum. The power is that of
 * forces before the last change, and what balances weight or damps hard has much of it in slow motions: where that
 * hides the change, the next wait for the accelerations. */
double zi_conserve_correct(zvIntegrator *in, double h) {
    ziNewmark *nm = zi_newmark(in);
    if (!nm->aimed) aim(in, h);
    nm->aimed = true;
    const double most = keep_momentum(in, h);
    find_lack(in, h);
    nm->lags |= !is_balanced(nm) && fabs(nm->lack) > 0.5 * fabs(nm->lack_before);
    if (nm->waited == MOST_WAITED) return most;
    nm->waited += nm->lags;
    nm->lack_before = nm->lack;
    return fmax(most, keep_energy(in, INFINITY));
}

/* Without solving for the accelerations again: the changes are below the tolerance of the corrector, and what needs
 * more is debt. */
void zi_conserve_close(zvIntegrator *in, double h, double tolerance) {
    ziNewmark *nm = zi_newmark(in);
    for (int pass = 0;; pass++) {
        keep_momentum(in, h);
        find_lack(in, h);
        if (pass == MOST_PASSES || keep_energy(in, tolerance) == 0) break;
    }
    nm->debt_to = nm->led ? 0 : nm->lack;
    if (nm->floats) in->ode.structure->advance(in->ode.context, h, nm->momentum_from, in->y_from, nm->y_to);
}
