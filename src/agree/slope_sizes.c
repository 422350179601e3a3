/* Sizes of the terms that derivatives of forces are sums of.
 *
 * By v: forces are sums of squares of rates, so a unit of v_k more changes each of its terms by no more than it changes
 * the error scale forces, in which nothing cancels. By q: what k turns changes by an angle times itself; what it
 * displaces lengthens a lever, and error scale forces grow with levers as no force can. */
#include <math.h>
#include <string.h>

#include "agree/roster.h"

/* What a unit along a curve changes of its direction and curvature, relative to them. */
static double bend_of(const ziErrorScale *g, int body) {
    const ziBody *b = &g->model->tree.body[body];
    if (b->type != ZV_JOINT_CURVE) return 0;
    const ziPath *path = &b->data->path;
    const double lin = g->lin[b->v];
    double bend = lin > 0 ? g->sway[body] / lin : 0;
    for (int i = 0; path->kind == ZV_CURVE_SPLINE && i < path->pieces; i++)
        bend = fmax(bend, 2 / (path->knots[i + 1] - path->knots[i]));
    return bend;
}

double zi_slope_turn(const ziTrial *t, size_t k, double *slide) {
    const zvModel *m = t->model;
    const ziCoupling *c = &m->coupling;
    double turn = 0;
    *slide = 0;
    for (int body = 1; body < m->tree.nb; body++) {
        const ziBody *b = &m->tree.body[body];
        for (int i = b->v; i < b->v + b->nv; i++) {
            if ((size_t)(c->count ? c->v_master[i] : i) != k) continue;
            const double ratio = c->count ? fabs(c->v_ratio[i]) : 1;
            turn += ratio * (t->error_scale.ang[i] + bend_of(&t->error_scale, body));
            *slide += ratio * t->error_scale.lin[i];
        }
    }
    return turn;
}

/* Levers that a unit of coordinate k lengthens. */
static void stretch(ziTrial *t, size_t k) {
    const zvModel *m = t->model;
    const ziCoupling *c = &m->coupling;
    for (int body = 1; body < m->tree.nb; body++) {
        const ziBody *b = &m->tree.body[body];
        for (int i = b->v; i < b->v + b->nv; i++)
            if ((size_t)(c->count ? c->v_master[i] : i) == k)
                t->error_scale.row[body].lever += (c->count ? fabs(c->v_ratio[i]) : 1) * t->error_scale.lin[i];
    }
}

void zi_sizes_by_q(ziTrial *t, const double *a, double *by_q) {
    const size_t n = t->nv;
    double slide;
    zi_error_scale_forces(&t->error_scale, t->v, a, t->load, t->forces);
    for (size_t k = 0; k < n; k++) {
        const double turn = zi_slope_turn(t, k, &slide);
        if (slide > 0) stretch(t, k);
        zi_error_scale_forces(&t->error_scale, t->v, a, t->load, t->x);
        for (size_t i = 0; i < n; i++) by_q[i * n + k] = fmax(0, t->x[i] - t->forces[i]) + turn * t->forces[i];
        if (slide > 0) zi_error_scale_place(&t->error_scale, t->q);
    }
}

void zi_sizes_by_v(ziTrial *t, double *by_v) {
    const size_t n = t->nv;
    for (size_t i = 0; i < n; i++) t->y[i] = fabs(t->v[i]);
    zi_error_scale_forces(&t->error_scale, t->y, NULL, NULL, t->forces);
    for (size_t k = 0; k < n; k++) {
        t->y[k] += 1;
        zi_error_scale_forces(&t->error_scale, t->y, NULL, NULL, t->x);
        for (size_t i = 0; i < n; i++) by_v[i * n + k] = fmax(0, t->x[i] - t->forces[i]);
        t->y[k] = fabs(t->v[k]);
    }
}
