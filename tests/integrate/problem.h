/* Problems with known solutions, and the shortest way to integrate them. */
#ifndef ZV_TESTS_INTEGRATE_PROBLEM_H
#define ZV_TESTS_INTEGRATE_PROBLEM_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "zveno/integrate.h"

static const double PI = 3.141592653589793;

/* An ellipse of excentricity 0.3, period 2 pi, from the pericentre. */
static inline int kepler_rate(void *context, double t, const double *y, double *dy) {
    (void)context, (void)t;
    double r = sqrt(y[0] * y[0] + y[1] * y[1]), r3 = r * r * r;
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = -y[0] / r3;
    dy[3] = -y[1] / r3;
    return 0;
}

/* By Kepler's equation E - e sin E = t. */
static inline void kepler_exact(double t, double *y) {
    const double e = 0.3, b = sqrt(1 - e * e);
    double E = t;
    for (int i = 0; i < 60; i++) E -= (E - e * sin(E) - t) / (1 - e * cos(E));
    double dE = 1 / (1 - e * cos(E));
    y[0] = cos(E) - e;
    y[1] = b * sin(E);
    y[2] = -sin(E) * dE;
    y[3] = b * cos(E) * dE;
}

static const unsigned char kepler_positions[4] = {1, 1, 0, 0};

static inline int kepler_position_rate(void *context, double t, const double *y, double *dy) {
    (void)context, (void)t;
    dy[0] = y[2];
    dy[1] = y[3];
    return 0;
}

static inline zvOde kepler(void) {
    return (zvOde){
        .size = 4, .rate = kepler_rate, .is_position = kepler_positions, .position_rate = kepler_position_rate};
}

/* y'' = -y */
static inline int oscillator_rate(void *context, double t, const double *y, double *dy) {
    (void)context, (void)t;
    dy[0] = y[1];
    dy[1] = -y[0];
    return 0;
}

/* [Prothero and Robinson]: y = cos t attracts at the rate *context. */
static inline int prothero_rate(void *context, double t, const double *y, double *dy) {
    dy[0] = -*(double *)context * (y[0] - cos(t)) - sin(t);
    return 0;
}

static inline double greatest_gap(const double *x, const double *y, int count) {
    double gap = 0;
    for (int i = 0; i < count; i++) gap = fmax(gap, fabs(x[i] - y[i]));
    return gap;
}

static inline zvIntegrator *make(const zvOde *ode, const zvIntegrationOptions *options) {
    zvError error = {0};
    zvIntegrator *in = zv_integrator_create(ode, options, &error);
    if (!in) fail_msg("%s: %s", options->method, error.text);
    return in;
}

static inline void begin(zvIntegrator *in, double t, const double *y) {
    zvError error = {0};
    if (zv_integrator_start(in, t, y, &error) < 0) fail_msg("%s", error.text);
}

static inline zvStepEnd step(zvIntegrator *in, double t_stop) {
    zvError error = {0};
    zvStepEnd end;
    if (zv_integrator_step(in, t_stop, &end, &error) < 0) fail_msg("%s", error.text);
    return end;
}

/* Steps to t_stop, past events. */
static inline void run_to(zvIntegrator *in, double t_stop) {
    while (step(in, t_stop) != ZV_STEP_STOP) {}
}

static inline bool have(const char *method) { return zv_integration_method_find(method) != NULL; }

#endif
