/* Mechanisms whose loops lose rank where they go: four-bars in a row (IFToMM A02: bars of 1 m and 1 kg, all cranks
 * parallel, all loops at once at each half turn), one with unequal cranks, and a slider-crank whose rod is as long as
 * its crank (at a quarter turn the slider may stay while crank and rod turn as one). In the last two the loop's force
 * grows without bound there. On the branch that goes on each has one freedom, the angle x of its cranks, I(x) x'' =
 * -I'(x)/2 x'^2 - V'(x), which is integrated here by Runge and Kutta's method in extended precision. */
#ifndef ZV_TEST_SINGULAR_MECHANISMS_H
#define ZV_TEST_SINGULAR_MECHANISMS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "zveno/simulate.h"

static const double mechanism_speed = -2;

typedef enum Kind { FOUR_BARS, UNEQUAL, SLIDER_CRANK, LONE_CRANK } Kind;

typedef struct Mechanism {
    const char *label;
    Kind kind;      /* UNEQUAL: the second crank is three times as heavy; LONE_CRANK: one crank alone, to compare */
    int bars;       /* loops */
    double turning; /* moments of inertia of all bars, besides those of uniform ones, in units of these */
    double start;   /* rad: where the cranks begin, beside the usual place */
    bool rests;     /* begins at rest */
} Mechanism;

static inline double mechanism_start(const Mechanism *m) { return 1.5707963267948966 - 0.35 + m->start; }
static inline double mechanism_rate(const Mechanism *m) { return m->rests ? 0 : mechanism_speed; }

/* The reduced equation. */

typedef struct Reduced {
    long double inertia, swing, weight; /* I = inertia + swing sin^2 x, V = weight sin x */
} Reduced;

static inline Reduced mechanism_reduce(const Mechanism *m) {
    const long double more = m->turning / 12.0L;
    if (m->kind == SLIDER_CRANK) return (Reduced){1 / 3.0L + 1 / 12.0L + 0.25L + 2 * more, 2 + 4, 9.81L};
    const int cranks = m->bars + 1;
    const long double weights = cranks + (m->kind == UNEQUAL ? 2 : 0);
    return (Reduced){weights * (1 / 3.0L + more) + m->bars, 0, 9.81L * (weights / 2 + m->bars)};
}

static inline long double mechanism_acceleration(const Reduced *r, long double x, long double v) {
    const long double s = sinl(x), c = cosl(x);
    return -(r->swing * s * c * v * v + r->weight * c) / (r->inertia + r->swing * s * s);
}

/* x at the end of a run of `duration` s from its start, with `steps` steps. */
static inline long double mechanism_angle(const Mechanism *m, double duration, int steps) {
    const Reduced r = mechanism_reduce(m);
    const long double h = (long double)duration / steps;
    long double x = mechanism_start(m), v = mechanism_rate(m);
    for (int i = 0; i < steps; i++) {
        const long double a1 = mechanism_acceleration(&r, x, v), v2 = v + h / 2 * a1;
        const long double a2 = mechanism_acceleration(&r, x + h / 2 * v, v2), v3 = v + h / 2 * a2;
        const long double a3 = mechanism_acceleration(&r, x + h / 2 * v2, v3), v4 = v + h * a3;
        const long double a4 = mechanism_acceleration(&r, x + h * v3, v4);
        x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return x;
}

/* The scenario as text. */

static inline void put_bar(FILE *f, const Mechanism *m, const char *name, int i, double mass) {
    const double inertia = mass * (1 + m->turning) / 12;
    fprintf(f, "{name: %s%d, mass: %g, com: [0.5, 0, 0], inertia: [1e-6, %.17g, %.17g]}, ", name, i, mass, inertia,
            inertia);
}

static inline void put_pin(FILE *f, const char *name, const char *parent, int of, const char *child, int i, double at) {
    fprintf(f, "{name: %s%d, type: continuous, parent: %s", name, i, parent);
    if (of >= 0) fprintf(f, "%d", of);
    fprintf(f, ", child: %s%d, origin: {xyz: [%g, 0, 0]}}, ", child, i, at);
}

static inline void put_four_bars(FILE *f, const Mechanism *m, bool swapped) {
    fprintf(f, "links: [");
    for (int i = 0; i <= m->bars; i++) put_bar(f, m, "crank", i, m->kind == UNEQUAL && i == 1 ? 3 : 1);
    for (int i = 0; i < m->bars; i++) put_bar(f, m, "coupler", i, 1);
    fprintf(f, "{name: ground}], joints: [");
    for (int i = 0; i <= m->bars; i++) put_pin(f, "pivot", "ground", -1, "crank", i, i);
    for (int i = 0; i < m->bars; i++) put_pin(f, "pin", "crank", i, "coupler", i, 1);
    fprintf(f, "], loops: [");
    for (int i = 0; i < m->bars; i++) {
        fprintf(f, "{name: close%d, type: revolute, origin: {xyz: [1, 0, 0]}, child_origin: {xyz: [1, 0, 0]}, ", i);
        fprintf(f, swapped ? "parent: crank%d, child: coupler%d}, " : "child: crank%d, parent: coupler%d}, ", i + 1, i);
    }
    fprintf(f, "]}}, initial: {q: {");
    for (int i = 0; i <= m->bars; i++) fprintf(f, "pivot%d: %.17g, ", i, mechanism_start(m));
    for (int i = 0; i < m->bars; i++) fprintf(f, "pin%d: %.17g, ", i, -mechanism_start(m));
    fprintf(f, "}, v: {");
    for (int i = 0; i <= m->bars; i++) fprintf(f, "pivot%d: %g, ", i, mechanism_rate(m));
    for (int i = 0; i < m->bars; i++) fprintf(f, "pin%d: %g, ", i, -mechanism_rate(m));
    fprintf(f, "}}");
}

static inline void put_slider_crank(FILE *f, const Mechanism *m, bool swapped) {
    fprintf(f, "links: [");
    put_bar(f, m, "crank", 0, 1);
    put_bar(f, m, "rod", 0, 1);
    fprintf(f, "{name: slider0, mass: 1, inertia: [1e-2, 1e-2, 1e-2]}, {name: ground}], joints: [");
    put_pin(f, "pivot", "ground", -1, "crank", 0, 0);
    put_pin(f, "pin", "crank", 0, "rod", 0, 1);
    fprintf(f, "{name: slide, type: prismatic, parent: ground, child: slider0, axis: [1, 0, 0]}], loops: ["
               "{name: wrist, type: revolute, ");
    fprintf(f, swapped ? "parent: slider0, child: rod0, child_origin: {xyz: [1, 0, 0]}}"
                       : "parent: rod0, child: slider0, origin: {xyz: [1, 0, 0]}}");
    fprintf(f, "]}}, initial: {q: {pivot0: %.17g, pin0: %.17g, slide: %.17g}, v: {pivot0: %g, pin0: %g, slide: %.17g}}",
            mechanism_start(m), -2 * mechanism_start(m), 2 * cos(mechanism_start(m)), mechanism_rate(m),
            -2 * mechanism_rate(m), -2 * sin(mechanism_start(m)) * mechanism_rate(m));
}

/* The keys model and initial of a scenario. */
static inline void mechanism_write(FILE *f, const Mechanism *m, bool swapped) {
    fprintf(f, "model: {inline: {zveno: 1, name: singular, gravity: [0, -9.81, 0], ");
    if (m->kind == SLIDER_CRANK)
        put_slider_crank(f, m, swapped);
    else
        put_four_bars(f, m, swapped);
}

/* A scenario of it; keys are further ones, in the flow style of YAML. NULL with an error. */
static inline zvScenario *mechanism_scenario(const Mechanism *m, bool swapped, const char *keys, zvError *error) {
    char *bytes = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&bytes, &size);
    zvScenario *scenario = NULL;
    if (!f) return NULL;
    fprintf(f, "{zveno_scenario: 1, ");
    mechanism_write(f, m, swapped);
    fprintf(f, ", %s}", keys);
    fclose(f);
    zv_scenario_read_memory("mechanism", bytes, size, 0, NULL, &scenario, error);
    free(bytes);
    return scenario;
}

static inline int mechanism_cranks(const Mechanism *m) { return m->kind == SLIDER_CRANK ? 1 : m->bars + 1; }

/* Coordinate of a joint "pivot0", "pin3". */
static inline int mechanism_coordinate(const zvModel *model, const char *name, int i) {
    char text[32];
    snprintf(text, sizeof text, "%s%d", name, i);
    return zv_model_joint_place(model, zv_model_find_joint(model, text)).q_index;
}

/* The largest error of a crank's angle. */
static inline double mechanism_error(const Mechanism *m, const zvModel *model, const double *q, long double angle) {
    double worst = 0;
    for (int i = 0; i < mechanism_cranks(m); i++)
        worst = fmax(worst, fabs((double)(q[mechanism_coordinate(model, "pivot", i)] - angle)));
    return worst;
}

/* q, v and, when not NULL, a of the mechanism at x, x', x''. */
static inline void mechanism_state(const Mechanism *m, const zvModel *model, double x, double x1, double x2, double *q,
                                   double *v, double *a) {
    const bool slides = m->kind == SLIDER_CRANK;
    const double factor = slides ? -2 : -1;
    for (int i = 0; i < mechanism_cranks(m); i++) {
        const int at = mechanism_coordinate(model, "pivot", i);
        q[at] = x, v[at] = x1;
        if (a) a[at] = x2;
    }
    for (int i = 0; i < m->bars; i++) {
        const int at = mechanism_coordinate(model, "pin", i);
        q[at] = factor * x, v[at] = factor * x1;
        if (a) a[at] = factor * x2;
    }
    if (!slides) return;
    const int at = zv_model_joint_place(model, zv_model_find_joint(model, "slide")).q_index;
    q[at] = 2 * cos(x), v[at] = -2 * sin(x) * x1;
    if (a) a[at] = -2 * (sin(x) * x2 + cos(x) * x1 * x1);
}

#endif
