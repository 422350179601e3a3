/* Tangents of the forces: exact where they are linear, by central differences elsewhere. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "modes/statics.h"

/* Steps, in units of each degree of freedom. Forces are sums of products of sines and cosines of angles: with two
 * points the rest is h^2/6 and rounding eps/h, with four it is h^4/30. */
static double step_of(int points) { return points == 2 ? 1.0 / 65536 : 1.0 / 1024; }

/* What rounding may have left: not more than this part of the error scale forces over the step. */
static const double noise = 64 * DBL_EPSILON;

static void sample(ziStatics *s, const double *q, size_t j, double step, double *force) {
    s->step[j] = step;
    zv_position_add(s->model, q, s->step, s->moved);
    s->step[j] = 0;
    zi_statics_force(s, s->moved, s->rest->v, force);
}

static void difference(ziStatics *s, const double *q, size_t j, int points, double *K) {
    const double h = step_of(points) * s->unit[j];
    double *f = s->samples;
    sample(s, q, j, -h, f);
    sample(s, q, j, h, f + s->nv);
    if (points == 4) {
        sample(s, q, j, -2 * h, f + 2 * s->nv);
        sample(s, q, j, 2 * h, f + 3 * s->nv);
    }
    for (size_t i = 0; i < s->nv; i++) {
        double near = f[s->nv + i] - f[i], slope = near / (2 * h);
        if (points == 4) slope = (8 * near - (f[3 * s->nv + i] - f[2 * s->nv + i])) / (12 * h);
        K[i * s->nv + j] = fabs(slope) <= noise / h * s->error_scale / s->unit[i] ? 0 : slope;
    }
}

/* Where two halves of a matrix differ by no more than rounding and truncation they are made the same. */
static void make_even(const ziStatics *s, int points, double *K) {
    const double h = step_of(points), tolerance = 16 * noise / h + 16 * h * h * (points == 2 ? 1 : h * h);
    for (size_t i = 0; i < s->nv; i++) {
        for (size_t j = 0; j < i; j++) {
            double *a = &K[i * s->nv + j], *b = &K[j * s->nv + i];
            if (fabs(*a - *b) <= tolerance * s->error_scale / (s->unit[i] * s->unit[j])) *a = *b = 0.5 * (*a + *b);
        }
    }
}

/* Adds stiffness or damping matrices of the elastic links. */
static void add_links(const ziStatics *s, bool stiffness, double *X) {
    for (int link = 0; link < zv_model_nlink(s->model); link++) {
        const zvElasticPlace place = zv_model_elastic_place(s->model, link);
        const size_t n = (size_t)place.count, at = (size_t)place.v_index;
        if (!n) continue;
        zv_model_elastic_matrices(s->model, link, NULL, stiffness ? s->own : NULL, stiffness ? NULL : s->own);
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++) X[(at + i) * s->nv + at + j] += s->own[i * n + j];
        }
    }
}

static void add_diagonal(const ziStatics *s, const double *x, double *X) {
    for (size_t i = 0; x && i < s->nv; i++) X[i * s->nv + i] += x[i];
}

void zi_statics_stiffness(ziStatics *s, const double *q, int points, bool skip_held, double *K) {
    memset(K, 0, s->nv * s->nv * sizeof *K);
    for (size_t j = 0; s->curved && j < s->nv; j++) {
        if (!(skip_held && s->rest->held && s->rest->held[j])) difference(s, q, j, points, K);
    }
    if (s->curved && !skip_held) make_even(s, points, K);
    add_diagonal(s, s->rest->stiffness, K);
    add_links(s, true, K);
}

/* Forces are quadratic in v: the difference is exact whatever the step. */
static void rate_difference(ziStatics *s, const double *q, size_t j, double *D) {
    const double h = s->speed * s->unit[j], mass = s->error_scale / (s->speed * s->speed);
    double *f = s->samples, *v = s->samples + 2 * s->nv;
    memcpy(v, s->rest->v, s->nv * sizeof *v);
    v[j] = s->rest->v[j] - h;
    zi_statics_force(s, q, v, f);
    v[j] = s->rest->v[j] + h;
    zi_statics_force(s, q, v, f + s->nv);
    for (size_t i = 0; i < s->nv; i++) {
        double slope = (f[s->nv + i] - f[i]) / (2 * h);
        D[i * s->nv + j] = fabs(slope) <= noise * mass * s->speed / (s->unit[i] * s->unit[j]) ? 0 : slope;
    }
}

void zi_statics_damping(ziStatics *s, const double *q, double *D) {
    memset(D, 0, s->nv * s->nv * sizeof *D);
    for (size_t j = 0; s->speed > 0 && j < s->nv; j++) rate_difference(s, q, j, D);
    add_diagonal(s, s->rest->damping, D);
    add_links(s, false, D);
}
