/* Equilibrium of a system that is more than its model, as a scenario is: the tangent of its forces, and loads applied
 * in parts. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "modes/dense.h"
#include "modes/search.h"

static const double least_part = 1.0 / 512; /* of the loads, below which it is no use */

/* The forces of a system outside at a step of one unknown. */
static void sample_outside(ziSearch *w, size_t j, double step, double *force) {
    const size_t nv = w->s.nv;
    memset(w->step, 0, w->wide * sizeof *w->step);
    w->step[j] = step;
    memcpy(w->z_next, w->z, (w->wide - nv) * sizeof *w->z);
    if (j >= nv) w->z_next[j - nv] += step;
    zv_position_add(w->s.model, w->q, w->step, w->next);
    zi_search_forces(w, w->next, w->z_next);
    memcpy(force, w->force, w->wide * sizeof *force);
}

/* Their tangent by differences of 2 or 4 points; entries that rounding alone could have made are zero. Spoils force. */
void zi_search_outside_stiffness(ziSearch *w, int points) {
    const size_t wide = w->wide;
    const unsigned char *held = w->s.rest->held;
    double *f = w->samples;
    for (size_t j = 0; j < wide; j++) {
        const double h = zi_statics_step(points) * w->unit[j];
        const bool skip = j < w->s.nv && held && held[j];
        for (int p = 0; !skip && p < points; p++)
            sample_outside(w, j, (p % 2 ? h : -h) * (p < 2 ? 1 : 2), f + (size_t)p * wide);
        for (size_t i = 0; i < wide; i++) {
            const double near = f[wide + i] - f[i], far = points == 4 ? f[3 * wide + i] - f[2 * wide + i] : 0;
            const double slope = points == 4 ? (8 * near - far) / (12 * h) : near / (2 * h);
            w->K[i * wide + j] = skip || fabs(slope) <= ZI_STATICS_NOISE / h * w->size[i] ? 0 : slope;
        }
    }
}

/* From the share of the loads that is borne to the next, or back to where it was. */
static zvStatus try_share(ziSearch *w, double share, double *q, double *z, zvError *error) {
    const size_t bytes_q = w->s.nq * sizeof *q, bytes_z = (w->wide - w->s.nv) * sizeof *z;
    memcpy(q, w->q, bytes_q);
    memcpy(z, w->z, bytes_z);
    w->s.share = share;
    const zvStatus status = zi_search_settle(w, error);
    if (status >= 0) return status;
    memcpy(w->q, q, bytes_q);
    memcpy(w->z, z, bytes_z);
    w->chosen = false;
    return status;
}

/* Parts of the loads that are halved where they are too much and doubled where they are not. */
static zvStatus apply_in_parts(ziSearch *w, int steps, int *taken, zvError *error) {
    double *q = zi_arena_alloc(&w->s.arena, w->s.nq * sizeof *q), at = 0,
           *z = zi_arena_alloc(&w->s.arena, (w->wide - w->s.nv + 1) * sizeof *z);
    double part = steps > 0 ? 1.0 / steps : 1;
    zvError first = {0};
    *taken = 0;
    if (!q || !z) return zi_dense_fail(ZV_MEMORY, error);
    while (at < 1) {
        const double next = steps > 0 ? (*taken + 1.0) / steps : fmin(1, at + part);
        const zvStatus status = try_share(w, next, q, z, error);
        if (status >= 0) {
            at = next;
            ++*taken;
            part *= 2;
            continue;
        }
        const bool hopeless = status != ZV_NO_CONVERGENCE && status != ZV_SINGULAR;
        if (part == 1 && error) first = *error;
        if (hopeless || w->refused < 0 || steps > 0) return status;
        if (part < least_part) return at > 0 ? status : (error ? (*error = first, first.status) : status);
        part *= part == 1 ? 0.25 : 0.5;
    }
    return ZV_OK;
}

/* What the caller has room for. */
static void tell_facts(ziSearch *w, ziEquilibriumFacts *facts) {
    const size_t nv = w->s.nv;
    facts->scale = w->s.error_scale;
    if (facts->unit) memcpy(facts->unit, w->s.unit, nv * sizeof *facts->unit);
    if (facts->K) zi_search_tangent(w, 4);
    zi_search_list(w, 0, NULL);
    if (!w->closed) {
        int count = 0;
        for (size_t i = 0; i < nv; i++)
            if (!(w->s.rest->held && w->s.rest->held[i])) w->dof[count++] = (int)i;
        zi_search_list(w, count, NULL);
        facts->n = count;
        for (size_t i = 0; facts->P && i < nv * (size_t)count; i++) facts->P[i] = 0;
        for (int k = 0; facts->P && k < count; k++) facts->P[(size_t)w->dof[k] * (size_t)count + (size_t)k] = 1;
    } else {
        zi_search_list(w, w->loops.n, w->loops.dof);
        facts->n = w->loops.n;
        if (facts->P) memcpy(facts->P, w->loops.P, nv * (size_t)w->loops.n * sizeof *facts->P);
        if (facts->lambda) memcpy(facts->lambda, w->loops.lambda, (size_t)w->loops.rows * sizeof *facts->lambda);
    }
    if (facts->dof) memcpy(facts->dof, w->dof, (size_t)facts->n * sizeof *facts->dof);
    if (facts->K) zi_search_reduce(w, facts->K);
}

/* Loads and springs of a system outside count in the size of all forces as they are at the first guess. */
static void reckon_loads(ziSearch *w) {
    const ziOutside *outside = w->s.outside;
    for (size_t i = 0; i < w->s.nv; i++) w->s.error_scale = fmax(w->s.error_scale, w->size[i] * w->unit[i]);
    outside->measure(outside->context, w->s.unit, w->s.error_scale, w->unit + w->s.nv);
}

/* The first guess is what 1 - share of its own missing forces holds. */
zvStatus zi_equilibrium_outside(const zvModel *model, zvWork *work, const zvRest *rest, const ziOutside *outside,
                                int steps, double *q, ziEquilibriumFacts *facts, zvError *error) {
    ziSearch w = {0};
    zvStatus status = zi_search_begin(&w, model, work, rest, outside, error);
    if (status == ZV_OK) {
        zi_search_forces(&w, w.q, w.z);
        reckon_loads(&w);
        memcpy(w.given, w.force, w.wide * sizeof *w.given);
        status = w.refused < 0 ? w.refused : apply_in_parts(&w, steps, &facts->steps, error);
    }
    if (status == ZV_OK) {
        memcpy(q, w.q, w.s.nq * sizeof *q);
        memcpy(outside->z, w.z, (w.wide - w.s.nv) * sizeof *w.z);
        w.chosen = false;
        zi_search_unbalanced(&w, w.q, w.z);
        facts->left = w.left;
        tell_facts(&w, facts);
    }
    zi_statics_free(&w.s);
    return status;
}
