/* Derivatives of what loops say, along motions with constant v: the numbers that rates and biases are compared with. */
#ifndef ZV_TEST_LOOPS_ALONG_H
#define ZV_TEST_LOOPS_ALONG_H

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/random_closed.h"

/* How closely to look. Splines have jumps in their third derivative: short steps of second order for them, long ones of
 * eighth order (as in elastic_case.h) for what is smooth. */
typedef struct Along {
    const rcCase *c;
    bool smooth;
    double quick; /* 1/s: nothing turns or comes round faster */
} Along;

static inline double *numbers(int count) {
    double *x = calloc((size_t)count + 1, sizeof *x);
    if (!x) abort();
    return x;
}

/* The least length at which something of a loop comes round: radius of its path, thread, rod. */
static inline double finest(const zvLoop *loop) {
    double length = 0.2;
    if (loop->kind == ZV_LOOP_ROD) length = fmin(length, loop->length);
    if (loop->kind == ZV_LOOP_JOINT && loop->type == ZV_JOINT_HELICAL) length = fmin(length, fabs(loop->pitch));
    return length;
}

static inline double frame_quickness(const rcCase *c, const double *v, int frame, double length) {
    double *J = numbers(6 * c->nv), sum = 1;
    zv_frame_jacobian(c->model, c->work, c->q, frame, ZV_AXES_WORLD, J);
    for (int k = 0; k < c->nv; k++) {
        double lin = 0, ang = 0;
        for (int i = 0; i < 3; i++) {
            lin += fabs(J[i * c->nv + k]);
            ang += fabs(J[(3 + i) * c->nv + k]);
        }
        sum += fabs(v[k]) * (1 + ang + lin / length);
    }
    free(J);
    return sum;
}

static inline Along along(const rcCase *c, const double *v, bool smooth) {
    Along x = {c, smooth, 1};
    for (int k = 0; k < c->nv; k++) x.quick += fabs(v[k]);
    for (int i = 0; i < c->loops; i++) {
        const zvLoopPlace place = zv_model_loop_place(c->model, i);
        const double length = finest(zv_model_loop(c->model, i));
        if (place.parent_frame < 0) continue;
        x.quick = fmax(x.quick, frame_quickness(c, v, place.parent_frame, length));
        x.quick = fmax(x.quick, frame_quickness(c, v, place.child_frame, length));
    }
    return x;
}

/* No frame is farther away: links and joints of at most 5 m. */
static inline double reach_of(const rcCase *c) { return 5.0 * zv_model_nlink(c->model); }

/* What a difference may be off by, of something of this size. */
static inline double loss_of(const Along *x, double size) {
    return size * x->quick * (x->smooth ? 8 * DBL_EPSILON / 0.03 : 3e-10);
}

typedef void (*Function)(const rcCase *c, double t, const double *q, const void *more, double *out);

static inline void derivative(const Along *x, const double *v, Function f, const void *more, int count, double *rate) {
    static const double weight[5] = {0, 4 / 5.0, -1 / 5.0, 4 / 105.0, -1 / 280.0};
    const rcCase *c = x->c;
    const double h = (x->smooth ? 0.03 : 1e-5) / x->quick;
    const int most = x->smooth ? 4 : 1;
    double *q = numbers(c->nq), *step = numbers(c->nv), *out = numbers(count);
    for (int i = 0; i < count; i++) rate[i] = 0;
    for (int k = -most; k <= most; k++) {
        const double w = x->smooth ? weight[abs(k)] : 0.5;
        if (k == 0) continue;
        for (int i = 0; i < c->nv; i++) step[i] = k * h * v[i];
        zv_position_add(c->model, c->q, step, q);
        f(c, k * h, q, more, out);
        for (int i = 0; i < count; i++) rate[i] += (k < 0 ? -w : w) * out[i] / h;
    }
    free(q);
    free(step);
    free(out);
}

/* |got - want| <= tolerance; tells what is far. NaN is far. */
static inline bool near(const rcCase *c, const char *what, int count, const double *got, const double *want,
                        double tolerance) {
    for (int i = 0; i < count; i++) {
        if (fabs(got[i] - want[i]) <= tolerance) continue;
        fprintf(stderr, "seed %llu: %s[%d] is %.17g, not %.17g: off by %.3g, allowed %.3g\n",
                (unsigned long long)c->seed, what, i, got[i], want[i], fabs(got[i] - want[i]), tolerance);
        for (int k = 0; k < c->loops; k++) {
            const zvLoopPlace p = zv_model_loop_place(c->model, k);
            fprintf(stderr, "  loop %d: kind %d, type %d, rows %d..%d%s\n", k, (int)c->loop[k].loop.kind,
                    (int)c->loop[k].loop.type, p.row, p.row + p.rows - 1, c->loop[k].loop.driven ? ", driven" : "");
        }
        return false;
    }
    return true;
}

/* Every kind of loop on trees of several shapes, rigid and elastic, on fixed and free bases; then all kinds together.
 */
typedef bool (*Check)(const rcCase *c, bool smooth);

static inline bool each_kind(uint64_t seed, int times, unsigned curves, Check check) {
    const bool smooth = !(curves & (RT_OPEN_SPLINE | RT_CLOSED_SPLINE));
    for (int bit = 0; bit <= ZV_JOINT_TYPES + 2; bit++) {
        int met = 0;
        for (int i = 0; i < times && bit != ZV_JOINT_FREE; i++) {
            rcOptions options = rc_options_spread(i);
            if (!options.elastic) options.tree.curves = curves;
            options.tree.joints += 3;
            options.driven = 0.4;
            if (bit < ZV_JOINT_TYPES + 2) options.kinds = 1u << bit;
            rcCase c;
            const bool good = rc_open(&c, seed + (uint64_t)(1000 * bit + i), &options) && check(&c, smooth);
            met += c.loops;
            rc_close(&c);
            if (!good) return false;
        }
        if (!met && bit != ZV_JOINT_FREE) {
            fprintf(stderr, "seed %llu: no loop of kind %d was drawn\n", (unsigned long long)seed, bit);
            return false;
        }
    }
    return true;
}

#endif
