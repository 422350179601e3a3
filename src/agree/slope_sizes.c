/* Sizes of the terms that derivatives of forces are sums of.
 *
 * By v: forces are sums of squares of rates, so a unit of v_k more changes each of its terms by no more than it changes
 * the gross forces, in which nothing cancels. By q: what k turns changes by an angle times itself; what it displaces
 * lengthens a lever, and gross forces grow with levers as no force can. */
#include <math.h>
#include <string.h>

#include "agree/roster.h"

/* What a unit along a curve changes of its direction and curvature, relative to them. */
static double bend_of(const zvGross *g, int body) {
    const zvBody *b = &g->model->tree.body[body];
    if (b->type != ZV_CURVE) return 0;
    const zvPath *path = &b->data->path;
    const double lin = g->lin[b->v];
    double bend = lin > 0 ? g->sway[body] / lin : 0;
    for (int i = 0; path->kind == ZV_CURVE_SPLINE && i < path->pieces; i++)
        bend = fmax(bend, 2 / (path->knots[i + 1] - path->knots[i]));
    return bend;
}

double zv_slope_turn(const zvTrial *t, size_t k, double *slide) {
    const zvModel *m = t->model;
    const zvCoupling *c = &m->coupling;
    double turn = 0;
    *slide = 0;
    for (int body = 1; body < m->tree.nb; body++) {
        const zvBody *b = &m->tree.body[body];
        for (int i = b->v; i < b->v + b->nv; i++) {
            if ((size_t)(c->count ? c->v_master[i] : i) != k) continue;
            const double ratio = c->count ? fabs(c->v_ratio[i]) : 1;
            turn += ratio * (t->gross.ang[i] + bend_of(&t->gross, body));
            *slide += ratio * t->gross.lin[i];
        }
    }
    return turn;
}

/* Levers that a unit of coordinate k lengthens. */
static void stretch(zvTrial *t, size_t k) {
    const zvModel *m = t->model;
    const zvCoupling *c = &m->coupling;
    for (int body = 1; body < m->tree.nb; body++) {
        const zvBody *b = &m->tree.body[body];
        for (int i = b->v; i < b->v + b->nv; i++)
            if ((size_t)(c->count ? c->v_master[i] : i) == k)
                t->gross.row[body].lever += (c->count ? fabs(c->v_ratio[i]) : 1) * t->gross.lin[i];
    }
}

void zv_sizes_by_q(zvTrial *t, const double *a, double *by_q) {
    const size_t n = t->nv;
    double slide;
    zv_gross_forces(&t->gross, t->v, a, t->load, t->forces);
    for (size_t k = 0; k < n; k++) {
        const double turn = zv_slope_turn(t, k, &slide);
        if (slide > 0) stretch(t, k);
        zv_gross_forces(&t->gross, t->v, a, t->load, t->x);
        for (size_t i = 0; i < n; i++) by_q[i * n + k] = fmax(0, t->x[i] - t->forces[i]) + turn * t->forces[i];
        if (slide > 0) zv_gross_place(&t->gross, t->q);
    }
}

void zv_sizes_by_v(zvTrial *t, double *by_v) {
    const size_t n = t->nv;
    for (size_t i = 0; i < n; i++) t->y[i] = fabs(t->v[i]);
    zv_gross_forces(&t->gross, t->y, NULL, NULL, t->forces);
    for (size_t k = 0; k < n; k++) {
        t->y[k] += 1;
        zv_gross_forces(&t->gross, t->y, NULL, NULL, t->x);
        for (size_t i = 0; i < n; i++) by_v[i * n + k] = fmax(0, t->x[i] - t->forces[i]);
        t->y[k] = fabs(t->v[k]);
    }
}
