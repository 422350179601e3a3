/* Whether the method fits the problem. Adams tells by itself: its corrector fails when stability holds the step down.
 * The others are judged by h rho, the step times the spectral radius of df/dy, which a few steps of a power iteration
 * with difference quotients estimate now and then: at the border of the stability region an explicit method is
 * wasted, well inside of it an implicit one. */
#include <math.h>

#include "integrate/method.h"

enum { FIRST_LOOK = 32, ENOUGH_STEPS = 100 };

int zv_advice_create(zvIntegrator *in) {
    zvAdvice *a = &in->advice;
    size_t bytes = (size_t)in->size * sizeof(double);
    a->next = FIRST_LOOK;
    a->direction = zv_arena_alloc(&in->arena, bytes);
    a->slope = zv_arena_alloc(&in->arena, bytes);
    a->moved = zv_arena_alloc(&in->arena, bytes);
    a->y = zv_arena_alloc(&in->arena, bytes);
    if (!a->direction || !a->slope || !a->moved || !a->y) return 0;
    for (int i = 0; i < in->size; i++) a->direction[i] = 1 + 0.3 * (i % 3);
    return 1;
}

static double length(const double *x, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

/* direction <- J direction, by a difference; the growth, or 0 when it cannot be had. */
static double multiply(zvIntegrator *in) {
    zvAdvice *a = &in->advice;
    int n = in->ode.size;
    double norm = length(a->direction, n), shift = 1e-7 * (1 + length(in->y, n));
    if (!(norm > 0)) return 0;
    for (int i = 0; i < n; i++) a->y[i] = in->y[i] + shift / norm * a->direction[i];
    if (zv_call_rate(in, in->reach, a->y, a->moved)) return 0;
    for (int i = 0; i < n; i++) a->moved[i] = (a->moved[i] - a->slope[i]) / shift;
    double growth = length(a->moved, n);
    if (!(growth > 0) || !isfinite(growth)) return 0;
    for (int i = 0; i < n; i++) a->direction[i] = a->moved[i] / growth;
    return growth;
}

/* Two products, since in positions and velocities one alone sees a stiffness or 1, not a frequency. */
static double spectral_radius(zvIntegrator *in) {
    if (zv_call_rate(in, in->reach, in->y, in->advice.slope)) return 0;
    double first = multiply(in);
    return first > 0 ? sqrt(first * multiply(in)) : 0;
}

/* Where the stability region ends on the negative real axis; for Euler on the imaginary one. */
static double stability_limit(const zvIntegrator *in) {
    static const double of_order[] = {1, 2, 2, 2.51, 2.78, 3.31, 4.06, 5, 5};
    return of_order[in->order];
}

void zv_advice_look(zvIntegrator *in) {
    zvAdvice *a = &in->advice;
    bool adams = in->method->family == ZV_MULTISTEP && !in->method->implicit;
    long steps = in->counts.steps;
    if (adams || in->ode.size == 0 || steps < a->next) return;
    zvTrouble trouble = in->trouble; /* that f refuses a step aside is none */
    double trouble_time = in->trouble_time;
    double product = in->counts.last_step * spectral_radius(in);
    in->trouble = trouble;
    in->trouble_time = trouble_time;
    double weight = (double)(steps - a->last);
    a->seen += weight;
    if (product > 0.6 * stability_limit(in)) a->near_limit += weight;
    if (product > 1.05 * stability_limit(in)) a->beyond_limit += weight;
    if (product < 1) a->inside += weight;
    a->last = steps;
    a->next = steps + FIRST_LOOK + steps / 8;
}

static bool looks_stiff(const zvIntegrator *in, const zvIntegrationStatistics *s) {
    const zvAdvice *a = &in->advice;
    if (in->method->implicit) return false;
    if (in->method->family == ZV_MULTISTEP) return (double)s->newton_failures > 0.05 * (double)s->steps;
    return a->near_limit > 0.5 * a->seen;
}

const char *zv_integrator_advice(const zvIntegrator *in) {
    const zvAdvice *a = &in->advice;
    zvIntegrationStatistics s = zv_integrator_statistics(in);
    if (s.steps < ENOUGH_STEPS) return NULL;
    if (in->method->family == ZV_FIXED_STEP) {
        return a->beyond_limit > 0.05 * a->seen
                   ? "the step is too long for the stiffest part of the system: shorten it, or try bdf or dirk"
                   : NULL;
    }
    if (looks_stiff(in, &s)) {
        return "the problem looks stiff: stability, not accuracy, holds the step down; try bdf or dirk";
    }
    if (in->method->implicit && a->seen > 0 && a->inside > 0.9 * a->seen) {
        return "the problem does not look stiff: adams or erk would be cheaper";
    }
    if (in->rtol < 1e-12) return "rtol is near rounding errors: below 1e-12 it costs steps and gains no digits";
    if ((double)s.rejected > 0.4 * (double)s.steps) {
        return "many steps are rejected: forces may jump; let events or breaks mark the jumps, or limit the step";
    }
    return NULL;
}
