/* Balance of energy and momentum, from the engine alone.
 *
 * The rate of the energy depends only on q' and v', so it is the derivative at t = 0 along q(t) = q moved by t v,
 * v(t) = v + t a: an eighth-order central difference. With a step of 0.03 / (fastest turning) truncation is about
 * 1e-15 of the energy and rounding eps / 0.03; the tolerance is 16 x depth x eps x energy / step, uncancelled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/random_tree_case.h"
#include "support/run_tests.h"

enum { ULPS = 16 };

static const double weight[5] = {0, 4 / 5.0, -1 / 5.0, 4 / 105.0, -1 / 280.0};

static exact fastest(const rtCase *c) {
    exact most = 1;
    for (int l = 0; l < c->ref->nlink; l++) most = fmaxl(most, c->error_scale->w[l]);
    for (int i = 0; i < c->nv; i++) most = fmaxl(most, 5 * fabsl((exact)c->v[i])); /* circles of 0.2 m */
    return most;
}

/* Position and velocity at time t of the motion that starts at q, v with acceleration a. */
static void at_time(const rtCase *c, double t, double *q, double *v) {
    for (int i = 0; i < c->nv; i++) v[i] = t * c->v[i];
    zv_position_add(c->model, c->q, v, q);
    for (int i = 0; i < c->nv; i++) v[i] = c->v[i] + t * c->a[i];
}

typedef void (*Question)(const rtCase *c, const double *q, const double *v, double *out);

static void rate_of(const rtCase *c, Question question, int count, double h, double *rate) {
    double *q = calloc((size_t)c->nq + 1, sizeof *q), *v = calloc((size_t)c->nv + 1, sizeof *v), out[8];
    assert_true(q && v);
    for (int i = 0; i < count; i++) rate[i] = 0;
    for (int k = -4; k <= 4; k++) {
        if (k == 0) continue;
        at_time(c, k * h, q, v);
        question(c, q, v, out);
        for (int i = 0; i < count; i++) rate[i] += (k < 0 ? -weight[-k] : weight[k]) * out[i] / h;
    }
    free(q);
    free(v);
}

static void ask_energy(const rtCase *c, const double *q, const double *v, double *out) {
    double kinetic, potential;
    zv_energy(c->model, c->work, q, v, &kinetic, &potential);
    out[0] = kinetic + potential;
}

static void ask_momentum(const rtCase *c, const double *q, const double *v, double *out) {
    double center[3];
    zv_momentum(c->model, c->work, q, v, out, center);
    for (int k = 0; k < 3; k++) { /* about the world's origin */
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out[3 + k] += center[i] * out[j] - center[j] * out[i];
    }
}

/* Power of the loads: each at its link's origin, against that link's velocity. */
static exact load_power(const rtCase *c, exact *size) {
    exact power = 0;
    for (int l = 0; l < c->nlink; l++) {
        double u[6];
        zv_frame_velocity(c->model, c->work, c->q, c->v, l, ZV_AXES_WORLD, u);
        for (int k = 0; k < 6; k++) {
            power += (exact)u[k] * c->fext[6 * l + k];
            *size += fabsl((exact)u[k] * c->fext[6 * l + k]);
        }
    }
    return power;
}

static bool power_balances(rtCase *c) {
    double h = (double)(0.03L / fastest(c)), rate;
    exact size = 0, power = load_power(c, &size);
    zv_inverse_dynamics(c->model, c->work, c->q, c->v, c->a, c->fext, c->x);
    for (int i = 0; i < c->nv; i++) {
        power += (exact)c->x[i] * c->v[i];
        size += c->error_scale->tau[i] * fabsl((exact)c->v[i]);
    }
    rate_of(c, ask_energy, 1, h, &rate);
    exact scale = size + (c->error_scale->kinetic + c->error_scale->potential) / h;
    return rt_near(c, "dE/dt", 1, &rate, &power, &scale, ULPS);
}

static void smooth(int index, rtOptions *options) {
    (void)index;
    options->curves = RT_LINE | RT_CIRCLE; /* splines are too rough for high-order differences across their knots */
}

static void power_is_energy_rate(void **state) {
    (void)state;
    assert_true(rt_each(320000, 1000, 20, smooth, power_balances));
}

/* Floating freely, moved by inner forces only: momentum and its moment about the world's origin stay. */
static bool momentum_stays(rtCase *c) {
    double h = (double)(0.03L / fastest(c)), rate[6];
    exact want[6] = {0}, scale[6], spin = 0, linear = 0, reach = 2;
    for (int i = 0; i < 6; i++) c->tau[i] = 0;
    if (zv_forward_dynamics(c->model, c->work, c->q, c->v, c->tau, NULL, c->a) != ZV_OK) return false;
    ref_error_scale(c->ref, c->v, c->a, NULL, false, c->error_scale);
    for (int l = 0; l < c->ref->nlink; l++) reach = fmaxl(reach, c->error_scale->reach[l] + 2);
    for (int l = 0; l < c->ref->nlink; l++) {
        exact m = zv_model_link(c->model, l)->inertia.mass;
        exact speed = c->error_scale->u[l] + 2 * c->error_scale->w[l],
              boost = c->error_scale->a[l] + 2 * c->error_scale->alpha[l];
        linear += m * (speed / h + boost);
        spin += 2 * m * reach * (speed / h + boost);
    }
    for (int k = 0; k < 6; k++) scale[k] = k < 3 ? linear : spin;
    rate_of(c, ask_momentum, 6, h, rate);
    return rt_near(c, "dh/dt", 6, rate, want, scale, ULPS);
}

static void floating(int index, rtOptions *options) {
    smooth(index, options);
    options->free_base = options->weightless = true;
    options->wild = false; /* the condition of the mass matrix does not enter the tolerance */
    options->massless = false;
    options->mimics = 0;
    options->armature = 0; /* a rotor on the free base would hold it in the world */
}

static void floating_momentum(void **state) {
    (void)state;
    assert_true(rt_each(330500, 200, 12, floating, momentum_stays));
}

/* Commutator-free Runge-Kutta of order 4 (Celledoni, Marthinsen, Owren 2003) on (q, v): positions are moved by
 * zv_position_add only, so rotations stay rotations. */
typedef struct Flow {
    const rtCase *c;
    int nq, nv;
    double *q, *stage_q, *half_q, *v, *stage_v, *move;
    double *qd[4], *vd[4];
} Flow;

static void flow_rate(Flow *f, int k, const double *q, const double *v) {
    memcpy(f->qd[k], v, sizeof *v * (size_t)f->nv);
    assert_int_equal(zv_forward_dynamics(f->c->model, f->c->work, q, v, f->c->tau, NULL, f->vd[k]), ZV_OK);
}

/* move = h sum w_k rate_k, for positions and, added to v, for velocities. */
static void flow_sum(Flow *f, const double w[4], double h, const double *from_q, double *to_q) {
    for (int i = 0; i < f->nv; i++) {
        f->move[i] = 0;
        for (int k = 0; k < 4; k++) f->move[i] += w[k] == 0 ? 0 : h * w[k] * f->qd[k][i];
    }
    zv_position_add(f->c->model, from_q, f->move, to_q);
}

static void flow_speed(Flow *f, const double w[4], double h) {
    for (int i = 0; i < f->nv; i++) {
        f->stage_v[i] = f->v[i];
        for (int k = 0; k < 4; k++) f->stage_v[i] += w[k] == 0 ? 0 : h * w[k] * f->vd[k][i];
    }
}

static void flow_step(Flow *f, double h) {
    static const double first[4] = {0.5, 0, 0, 0}, second[4] = {0, 0.5, 0, 0}, third[4] = {-0.5, 0, 1, 0};
    static const double early[4] = {3 / 12.0, 2 / 12.0, 2 / 12.0, -1 / 12.0};
    static const double late[4] = {-1 / 12.0, 2 / 12.0, 2 / 12.0, 3 / 12.0};
    static const double whole[4] = {1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0}, straight[4] = {0, 0, 1, 0};
    flow_rate(f, 0, f->q, f->v);
    flow_sum(f, first, h, f->q, f->half_q);
    flow_speed(f, first, h);
    flow_rate(f, 1, f->half_q, f->stage_v);
    flow_sum(f, second, h, f->q, f->stage_q);
    flow_speed(f, second, h);
    flow_rate(f, 2, f->stage_q, f->stage_v);
    flow_sum(f, third, h, f->half_q, f->stage_q);
    flow_speed(f, straight, h);
    flow_rate(f, 3, f->stage_q, f->stage_v);
    flow_sum(f, early, h, f->q, f->half_q);
    flow_sum(f, late, h, f->half_q, f->q);
    flow_speed(f, whole, h);
    memcpy(f->v, f->stage_v, sizeof *f->v * (size_t)f->nv);
}

static double *numbers(int count) {
    double *x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

/* Largest drift of (energy, momentum) after time T in so many steps, relative to their uncancelled sizes. */
static double drift(const rtCase *c, double T, int steps) {
    Flow f = {.c = c, .nq = c->nq, .nv = c->nv};
    double **positions[] = {&f.q, &f.stage_q, &f.half_q}, **speeds[] = {&f.v, &f.stage_v, &f.move};
    for (int i = 0; i < 3; i++) *positions[i] = numbers(f.nq), *speeds[i] = numbers(f.nv);
    for (int k = 0; k < 4; k++) f.qd[k] = numbers(f.nv), f.vd[k] = numbers(f.nv);
    memcpy(f.q, c->q, sizeof *f.q * (size_t)f.nq);
    memcpy(f.v, c->v, sizeof *f.v * (size_t)f.nv);
    double before[7], after[7], worst = 0;
    ask_momentum(c, f.q, f.v, before);
    ask_energy(c, f.q, f.v, before + 6);
    for (int i = 0; i < steps; i++) flow_step(&f, T / steps);
    ask_momentum(c, f.q, f.v, after);
    ask_energy(c, f.q, f.v, after + 6);
    for (int k = 0; k < 7; k++) worst = fmax(worst, fabs(after[k] - before[k]) / (1 + fabs(before[k])));
    for (int i = 0; i < 3; i++) free(*positions[i]), free(*speeds[i]);
    for (int k = 0; k < 4; k++) free(f.qd[k]), free(f.vd[k]);
    return worst;
}

/* The drift of a free motion must vanish like h^4 (here: by 10 or more for half the step) down to rounding. */
static bool drift_vanishes(rtCase *c) {
    for (int i = 0; i < c->nv; i++) c->tau[i] = 0;
    double coarse = drift(c, 0.1, 20), fine = drift(c, 0.1, 40), floor = 1e4 * (double)c->eps;
    if (fine <= floor || fine <= coarse / 10) return true;
    fprintf(stderr, "seed %llu: drift %g with 20 steps, %g with 40\n", (unsigned long long)c->seed, coarse, fine);
    return false;
}

static void small_floating(int index, rtOptions *options) {
    floating(index, options);
    options->joints = 1 + index % 5;
}

static void free_motion_keeps_energy_and_momentum(void **state) {
    (void)state;
    assert_true(rt_each(20800, 20, 5, small_floating, drift_vanishes));
}

TESTS(power_is_energy_rate, floating_momentum, free_motion_keeps_energy_and_momentum)
