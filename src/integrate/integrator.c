/* The caller's side of an integrator: starts, steps, stops and events, the same for every method. */
#include "zveno/integrate.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "integrate/method.h"

static const zvMark nowhere = {0};

static void copy(double *to, const double *from, int count) {
    if (count > 0) memcpy(to, from, (size_t)count * sizeof *to);
}

static zvStatus check_start(const zvIntegrator *in, double t, const double *y, zvError *error) {
    if (!isfinite(t)) return zv_fail(error, ZV_NUMBER, nowhere, "t", "the integration cannot start at t = %g", t);
    for (int i = 0; i < in->ode.size; i++) {
        if (!isfinite(y[i])) {
            return zv_fail(error, ZV_NUMBER, nowhere, "y", "entry %d of the initial state is not finite", i + 1);
        }
    }
    return ZV_OK;
}

zvStatus zv_integrator_start(zvIntegrator *in, double t, const double *y, zvError *error) {
    return zv_integrator_resume(in, t, y, NULL, error);
}

const double *zv_integrator_memory(const zvIntegrator *in, size_t *count) {
    *count = in->memory_count;
    return in->memory;
}

zvStatus zv_integrator_resume(zvIntegrator *in, double t, const double *y, const double *memory, zvError *error) {
    zvStatus status = check_start(in, t, y, error);
    if (status < 0) return status;
    if (in->started) {
        in->stepper->statistics(in, &in->counts);
        in->counts.restarts++;
    }
    if (!in->has_origin) zv_integrator_set_origin(in, t);
    in->started = true;
    in->cut = false;
    in->steps_since_start = 0;
    in->trouble = ZI_TROUBLE_NONE;
    in->t = in->t_before = in->from = in->reach = t;
    copy(in->y, y, in->ode.size);
    copy(in->y_from, y, in->ode.size);
    in->remembers = memory && in->memory_count > 0;
    if (in->remembers && memory != in->memory) copy(in->memory, memory, (int)in->memory_count);
    status = in->stepper->start(in, true, error);
    in->remembers = false;
    return status < 0 ? status : zi_events_start(in, error);
}

void zv_integrator_set_origin(zvIntegrator *in, double origin) {
    in->origin = origin;
    in->has_origin = true;
}

static void count_step(zvIntegrator *in, double t_stop) {
    zvIntegrationStatistics *s = &in->counts;
    double h = in->reach - in->from;
    bool own_choice = in->reach < t_stop; /* a step cut short by t_stop says nothing of the method */
    s->steps++;
    s->last_step = h;
    if (s->least_step == 0 || (own_choice && h < s->least_step)) s->least_step = h;
    s->greatest_step = fmax(s->greatest_step, h);
}

static zvStatus no_progress(const zvIntegrator *in, zvError *error) {
    if (in->trouble != ZI_TROUBLE_NONE) return zi_trouble_fail(in, "the right-hand side", error);
    return zv_fail(error, ZV_NO_CONVERGENCE, nowhere, in->method->name,
                   "the step fell below the rounding of t at t = %.9g: the motion is not smooth there, or the "
                   "tolerances are too tight",
                   in->from);
}

/* A step of the stepper from (t, y). */
static zvStatus advance(zvIntegrator *in, double t_stop, zvError *error) {
    zvStatus status = ZV_OK;
    if (in->max_steps && in->steps_since_start >= in->max_steps) {
        return zv_fail(error, ZV_NO_CONVERGENCE, nowhere, in->method->name,
                       "%ld steps done and only at t = %.9g: raise the greatest number of steps, or loosen tolerances",
                       in->max_steps, in->t);
    }
    if (in->trouble_time < in->t) in->trouble = ZI_TROUBLE_NONE; /* passed by; one still ahead explains a failure */
    if (in->cut) {
        in->reach = in->t;
        in->cut = false;
        status = in->stepper->start(in, false, error);
        if (status < 0) return status;
    }
    in->from = in->reach;
    copy(in->y_from, in->y, in->size);
    status = in->stepper->step(in, t_stop, error);
    if (status >= 0 && !(in->reach > in->from)) status = no_progress(in, error);
    if (status < 0) { /* what the caller sees stays as it was */
        copy(in->y, in->y_from, in->size);
        in->reach = in->from;
        return status;
    }
    in->steps_since_start++;
    count_step(in, t_stop);
    zi_advice_look(in, t_stop);
    return ZV_OK;
}

zvStatus zv_integrator_step(zvIntegrator *in, double t_stop, zvStepEnd *end, zvError *error) {
    assert(in->started);
    if (!isfinite(t_stop) || t_stop < in->t) {
        return zv_fail(error, ZV_NUMBER, nowhere, "t_stop", "a step from t = %.9g cannot end at %.9g", in->t, t_stop);
    }
    zi_events_forget(in);
    *end = ZV_STEP_STOP;
    if (t_stop - in->t <= 8 * DBL_EPSILON * fmax(fabs(in->t), fabs(t_stop))) { /* nothing to integrate */
        in->t_before = in->t;
        in->t = t_stop;
        in->reach = fmax(in->reach, t_stop);
        return ZV_OK;
    }
    bool fresh = in->cut || in->reach <= in->t;
    zvStatus status = fresh ? advance(in, t_stop, error) : ZV_OK;
    if (status < 0) return status;
    in->t_before = in->t;
    in->t = fmin(in->reach, t_stop);
    if (!fresh) in->stepper->at(in, in->t, in->y); /* the rest of a step that went beyond an event */
    bool found;
    status = zi_events_search(in, &found, error);
    *end = found ? ZV_STEP_EVENT : in->t < t_stop ? ZV_STEP_INSIDE : ZV_STEP_STOP;
    return status;
}

double zv_integrator_time(const zvIntegrator *in) { return in->t; }

const double *zv_integrator_state(const zvIntegrator *in) { return in->y; }

double zv_integrator_time_before(const zvIntegrator *in) { return in->t_before; }

void zv_integrator_at(zvIntegrator *in, double t, double *y) {
    if (t >= in->t || in->from >= in->reach) {
        copy(y, in->y, in->ode.size);
    } else if (in->ode.size > 0) {
        in->stepper->at(in, fmax(t, in->from), y);
    }
}

bool zv_integrator_interpolates(const zvIntegrator *in) { return in->stepper->interpolates; }

const int *zv_integrator_fired(const zvIntegrator *in) { return in->events.fired; }

zvIntegrationStatistics zv_integrator_statistics(const zvIntegrator *in) {
    zvIntegrationStatistics s = in->counts;
    s.last_order = in->order;
    in->stepper->statistics(in, &s);
    return s;
}
