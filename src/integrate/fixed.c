/* Fixed steps: the classical Runge-Kutta method and semi-implicit Euler.
 *
 * Steps end at origin + k step, reckoned anew each time, so that a step depends on (t, y), the origin and t_stop only:
 * a run resumed at the end of any step has the same bits as an unbroken one. The state inside a step is that of the
 * same method with a shorter step from the same start: no order is lost, and an event's state is what a step up to the
 * event would have given. */
#include <float.h>
#include <math.h>

#include "integrate/method.h"

typedef struct Fixed {
    double *slope, *sum, *stage; /* (size) each */
} Fixed;

static zvStatus create(zvIntegrator *in, zvError *error) {
    size_t bytes = (size_t)in->size * sizeof(double);
    Fixed *f = in->engine = zi_arena_alloc(&in->arena, sizeof *f);
    if (f) {
        f->slope = zi_arena_alloc(&in->arena, bytes);
        f->sum = zi_arena_alloc(&in->arena, bytes);
        f->stage = zi_arena_alloc(&in->arena, bytes);
    }
    if (f && f->slope && f->sum && f->stage) return ZV_OK;
    return zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory for %d unknowns", in->ode.size);
}

/* y1 = y0 + h/6 (k1 + 2 k2 + 2 k3 + k4) [Hairer1] II.1 table 1.2. */
static int advance_rk4(zvIntegrator *in, double t, double h, const double *y0, double *y1) {
    static const double node[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    Fixed *f = in->engine;
    int n = in->size;
    for (int s = 0; s < 4; s++) {
        double part = node[s] * h;
        for (int i = 0; i < n; i++) f->stage[i] = s == 0 ? y0[i] : y0[i] + part * f->slope[i];
        int answer = zi_call_rate(in, t + part, f->stage, f->slope);
        if (answer) return answer;
        for (int i = 0; i < n; i++) f->sum[i] = (s == 0 ? 0 : f->sum[i]) + weight[s] * f->slope[i];
    }
    for (int i = 0; i < n; i++) y1[i] = y0[i] + h / 6 * f->sum[i];
    return 0;
}

/* Velocities first, then positions with the new velocities [Hairer3] I.1 (1.9). */
static int advance_euler(zvIntegrator *in, double t, double h, const double *y0, double *y1) {
    Fixed *f = in->engine;
    const unsigned char *is_position = in->ode.is_position;
    int answer = zi_call_rate(in, t, y0, f->slope);
    if (answer) return answer;
    for (int i = 0; i < in->ode.size; i++) f->stage[i] = is_position[i] ? y0[i] : y0[i] + h * f->slope[i];
    answer = zi_call_position_rate(in, t + h, f->stage, f->slope);
    if (answer) return answer;
    for (int i = 0; i < in->ode.size; i++) y1[i] = is_position[i] ? y0[i] + h * f->slope[i] : f->stage[i];
    return 0;
}

typedef int Advance(zvIntegrator *in, double t, double h, const double *y0, double *y1);

/* Grid points nearer than a billionth of a step are the point itself. */
double zi_grid_end(const zvIntegrator *in, double t, double t_stop) {
    const double near = 1e-9;
    double k = floor((t - in->origin) / in->step + near) + 1, end = in->origin + k * in->step;
    if (end <= t) end = t + in->step;
    return end >= t_stop - near * in->step ? t_stop : end;
}

static zvStatus step(zvIntegrator *in, double t_stop, Advance *advance, zvError *error) {
    double end = zi_grid_end(in, in->from, t_stop);
    if (advance(in, in->from, end - in->from, in->y_from, in->y)) {
        return zi_trouble_fail(in, "the right-hand side", error);
    }
    if (zi_call_project(in, end, in->y)) return zi_trouble_fail(in, "the projection", error);
    in->reach = end;
    return ZV_OK;
}

/* Where f is not defined a straight line to the caller's state must do. */
static void at(zvIntegrator *in, double t, double *y, Advance *advance) {
    if (advance(in, in->from, t - in->from, in->y_from, y) == 0) return;
    double part = (t - in->from) / (in->t - in->from);
    for (int i = 0; i < in->ode.size; i++) y[i] = in->y_from[i] + part * (in->y[i] - in->y_from[i]);
}

static zvStatus start(zvIntegrator *in, bool anew, zvError *error) {
    (void)in, (void)anew, (void)error;
    return ZV_OK;
}

static void statistics(const zvIntegrator *in, zvIntegrationStatistics *s) { (void)in, (void)s; }

static void destroy(zvIntegrator *in) { (void)in; }

static zvStatus step_rk4(zvIntegrator *in, double t_stop, zvError *error) {
    return step(in, t_stop, advance_rk4, error);
}

static void at_rk4(zvIntegrator *in, double t, double *y) { at(in, t, y, advance_rk4); }

static zvStatus create_euler(zvIntegrator *in, zvError *error) {
    if (in->ode.position_rate && in->ode.is_position) return create(in, error);
    return zv_fail(error, ZV_NOT_SUPPORTED, (zvMark){0}, "euler",
                   "semi-implicit Euler needs to know which unknowns are positions, which this system does not tell; "
                   "take rk4");
}

static zvStatus step_euler(zvIntegrator *in, double t_stop, zvError *error) {
    return step(in, t_stop, advance_euler, error);
}

static void at_euler(zvIntegrator *in, double t, double *y) { at(in, t, y, advance_euler); }

const ziStepper zi_stepper_rk4 = {true, true, create, start, step_rk4, at_rk4, statistics, destroy, NULL, NULL};
const ziStepper zi_stepper_euler = {true,     true,       create_euler, start, step_euler,
                                    at_euler, statistics, destroy,      NULL,  NULL};
