/* Error control of structural steps. With d = am - af accelerations are those of t + d h, and the method leaves
 *
 *   of x  h^3 (beta + d/2 - 1/6) x''' + h^4 (((1/2 - beta) d^2 + beta (1 + d)^2) / 2 - 1/24) x''''
 *   of v  h^2 (gamma + d - 1/2) x'''  + h^3 (((1 - gamma) d^2 + gamma (1 + d)^2) / 2 - 1/6) x''''
 *
 * of the Taylor series; h x''' is the change of a over the step, h^2 x'''' the change of that from step to step. The
 * second terms matter where the first vanish: gamma = 1/2, beta = 1/6. The rest is like v. */
#include <math.h>

#include "integrate/newmark.h"

typedef struct Terms {
    double first, second;
} Terms;

static Terms of_position(const ziNewmark *nm) {
    const double d = nm->am - nm->af, b = nm->beta;
    return (Terms){fabs(b + d / 2 - 1.0 / 6), fabs(((0.5 - b) * d * d + b * (1 + d) * (1 + d)) / 2 - 1.0 / 24)};
}

static Terms of_rate(double gamma, double d) {
    return (Terms){fabs(gamma + d - 0.5), fabs(((1 - gamma) * d * d + gamma * (1 + d) * (1 + d)) / 2 - 1.0 / 6)};
}

/* Change of slope i over the step, and the change of that since the step before; unknown: as large as itself. */
static Terms changes(const ziNewmark *nm, double h, int i) {
    const double once = nm->slope_to[i] - nm->slope_from[i];
    const double twice = *nm->last_h > 0 ? (once - h * nm->bend[i]) * 2 * h / (h + *nm->last_h) : once;
    return (Terms){fabs(once), fabs(twice)};
}

static double sum(Terms a, Terms b) { return a.first * b.first + a.second * b.second; }

/* The entry of y that goes with a degree of freedom, or -1. */
static int position_of(const zvIntegrator *in, int dof) {
    const zvStructure *s = in->ode.structure;
    return s->coordinate ? s->coordinate[dof] : s->nq == s->nv ? dof : -1;
}

/* The square of an error in entry k of y in units of its tolerance; -1: of something of size one. */
static double square(const zvIntegrator *in, double error, int k) {
    const double size = k < 0 ? 1 : fmax(fabs(in->y_from[k]), fabs(zi_newmark(in)->y_to[k]));
    const double allowed = in->rtol * size + (k < 0 ? in->atol[0] : in->atol[k]);
    return error == 0 ? 0 : error * error / (allowed * allowed);
}

double zi_newmark_error(const zvIntegrator *in, double h) {
    const ziNewmark *nm = zi_newmark(in);
    const Terms x = of_position(nm), v = of_rate(nm->gamma, nm->am - nm->af);
    const Terms z = of_rate(nm->rest_gamma, nm->rest_am - nm->af);
    const int count = 2 * nm->nv + nm->nrest;
    double total = 0;
    for (int i = 0; i < nm->nv; i++) {
        const Terms c = changes(nm, h, i);
        total += square(in, h * h * sum(x, c), position_of(in, i)) + square(in, h * sum(v, c), nm->nq + i);
    }
    for (int i = nm->nv; i < nm->n; i++) total += square(in, h * sum(z, changes(nm, h, i)), nm->nq + i);
    return count > 0 ? sqrt(total / count) : 0;
}

double zi_newmark_pace(const zvIntegrator *in, double error) {
    const double shortest = 0.2, longest = 2;
    if (!(error < INFINITY)) return shortest;
    return fmin(longest, fmax(shortest, 0.9 * pow(error, -1.0 / (in->order + 1))));
}

/* In which forces move no position by more than a few tolerances. */
double zi_newmark_first(const zvIntegrator *in) {
    const ziNewmark *nm = zi_newmark(in);
    double h = INFINITY;
    for (int i = 0; i < nm->nv; i++) {
        const int k = position_of(in, i);
        const double a = fabs(nm->slope[i]), size = k < 0 ? 1 : fabs(in->y[k]);
        const double allowed = in->rtol * size + in->atol[k < 0 ? 0 : k];
        if (a > 0) h = fmin(h, sqrt(10 * allowed / a));
    }
    return h < INFINITY && h > 0 ? h : 1e-3;
}
