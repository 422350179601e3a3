/* Integrators as the caller sees them: the caller's functions, creation, starts, steps, stops and events, the same for
 * every method. The table of methods is in methods.c. */
#include "base/require.h"
#include "integrate/method.h"
#include "zveno/integrate.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The caller's functions: counted, and looked at for what is not a number. */

static int note_answer(zvIntegrator *in, double t, int answer) {
    if (answer == 0) return 0;
    in->trouble = answer > 0 ? ZI_TROUBLE_REFUSED : ZI_TROUBLE_GAVE_UP;
    in->trouble_time = t;
    return answer;
}

static int check_finite(zvIntegrator *in, double t, const double *x, int count) {
    int bad = 0;
    for (int i = 0; i < count; i++) bad |= !isfinite(x[i]);
    if (!bad) return 0;
    in->trouble = ZI_TROUBLE_NOT_FINITE;
    in->trouble_time = t;
    return 1;
}

int zi_call_rate(zvIntegrator *in, double t, const double *y, double *dy) {
    in->counts.rates++;
    if (in->ode.size == 0) dy[0] = 0; /* the entry that stands for none */
    int answer = note_answer(in, t, in->ode.rate(in->ode.context, t, y, dy));
    return answer ? answer : check_finite(in, t, dy, in->ode.size);
}

int zi_call_residual(zvIntegrator *in, double t, const double *y, const double *a, double *r, double *rest) {
    const zvStructure *s = in->ode.structure;
    in->counts.rates++;
    int answer = note_answer(in, t, s->residual(in->ode.context, t, y, a, r, rest));
    if (!answer) answer = check_finite(in, t, r, s->nv);
    return answer ? answer : check_finite(in, t, rest, in->ode.size - s->nq - s->nv);
}

int zi_call_reduced(zvIntegrator *in, double t, const double *y, const double c[3], const double *r, double *x) {
    const zvStructure *s = in->ode.structure;
    int (*const solve)(void *, double, const double *, double, double, double, const double *, double *) =
        in->structural.iteration == ZV_ITERATION_MASS ? s->assembled : s->reduced;
    int answer = note_answer(in, t, solve(in->ode.context, t, y, c[0], c[1], c[2], r, x));
    return answer ? answer : check_finite(in, t, x, in->ode.size - s->nq - in->ode.quadratures);
}

int zi_call_position_rate(zvIntegrator *in, double t, const double *y, double *dy) {
    int answer = note_answer(in, t, in->ode.position_rate(in->ode.context, t, y, dy));
    return answer ? answer : check_finite(in, t, dy, in->ode.size);
}

int zi_call_events(zvIntegrator *in, double t, const double *y, double *g) {
    in->counts.event_calls++;
    int answer = note_answer(in, t, in->ode.events(in->ode.context, t, y, g));
    return answer ? answer : check_finite(in, t, g, in->ode.event_count);
}

int zi_call_project(zvIntegrator *in, double t, double *y) {
    if (!in->ode.project) return 0;
    int answer = note_answer(in, t, in->ode.project(in->ode.context, t, y));
    return answer ? answer : check_finite(in, t, y, in->ode.size);
}

/* What a callback answered last, as a status and a text with its time. */
zvStatus zi_trouble_fail(const zvIntegrator *in, const char *whose, zvError *error) {
    zvMark nowhere = {0};
    double t = in->trouble_time;
    switch (in->trouble) {
    case ZI_TROUBLE_NOT_FINITE:
        return zv_fail(error, ZV_NO_CONVERGENCE, nowhere, in->method->name,
                       "%s is not finite at t = %.9g: look for divisions by zero, or a motion that runs away", whose,
                       t);
    case ZI_TROUBLE_REFUSED:
        return zv_fail(error, ZV_NO_CONVERGENCE, nowhere, in->method->name,
                       "%s cannot be computed at t = %.9g: the motion leaves the region where it is defined", whose, t);
    default: return zv_fail(error, ZV_NO_CONVERGENCE, nowhere, in->method->name, "%s gave up at t = %.9g", whose, t);
    }
}

zvStatus zi_stops_fail(const zvIntegrator *in, double t, const char *why, zvError *error) {
    return zv_fail(error, ZV_NO_CONVERGENCE, (zvMark){0}, in->method->name, "%s stops at t = %.9g: %s",
                   in->method->name, t, why);
}

/* Creation: options are checked, defaults filled in, memory taken. */

static const zvMark nowhere = {0};

static zvStatus bad_number(zvError *error, const char *what, double value, const char *wanted) {
    return zv_fail(error, ZV_NUMBER, nowhere, what, "%s: expected %s, found %g", what, wanted, value);
}

static zvStatus check_tolerances(const zvIntegrationOptions *o, int size, zvError *error) {
    if (!(o->rtol > 0 && o->rtol < 1)) return bad_number(error, "rtol", o->rtol, "a number between 0 and 1");
    if (!(o->atol >= 0 && isfinite(o->atol))) return bad_number(error, "atol", o->atol, "0 or a positive number");
    for (int i = 0; o->scale && i < size; i++) {
        if (!(o->scale[i] >= 0 && isfinite(o->scale[i]))) {
            return bad_number(error, "scale", o->scale[i], "0 or a positive factor of atol");
        }
    }
    return ZV_OK;
}

static zvStatus check_sizes(const zvOde *ode, zvError *error) {
    if (ode->size < 0)
        return zv_fail(error, ZV_SIZE, nowhere, "size", "expected 0 or more unknowns, found %d", ode->size);
    if (ode->quadratures >= 0 && ode->quadratures <= ode->size) return ZV_OK;
    return zv_fail(error, ZV_SIZE, nowhere, "quadratures", "expected 0 to %d quadratures among %d unknowns, found %d",
                   ode->size, ode->size, ode->quadratures);
}

/* Numbers that the method cannot work with, before anything is allocated. */
static zvStatus check_options(const zvIntegrationMethod *m, const zvIntegrationOptions *o, int size, zvError *error) {
    if (o->order != 0 && (o->order < m->least_order || o->order > m->greatest_order)) {
        return m->least_order == m->greatest_order
                   ? zv_fail(error, ZV_NUMBER, nowhere, "order", "%s: expected order %d, found %d", m->name,
                             m->least_order, o->order)
                   : zv_fail(error, ZV_NUMBER, nowhere, "order", "%s: expected an order from %d to %d, found %d",
                             m->name, m->least_order, m->greatest_order, o->order);
    }
    if (!(o->step >= 0 && isfinite(o->step)))
        return bad_number(error, "step", o->step, "a positive number, or 0 for the method's own");
    if (!(o->max_step >= 0)) return bad_number(error, "max_step", o->max_step, "a positive number, or 0 for none");
    if (o->max_steps < 0) {
        return bad_number(error, "max_steps", (double)o->max_steps, "a positive number, or 0 for none");
    }
    return zv_integration_is_fixed(o) ? ZV_OK : check_tolerances(o, size, error);
}

static int take_arrays(zvIntegrator *in, const double *scale, double atol) {
    size_t bytes = (size_t)in->size * sizeof(double);
    in->y = zi_arena_alloc(&in->arena, bytes);
    in->y_from = zi_arena_alloc(&in->arena, bytes);
    in->atol = zi_arena_alloc(&in->arena, bytes);
    if (!in->y || !in->y_from || !in->atol || !zi_events_create(in) || !zi_advice_create(in)) return 0;
    for (int i = 0; i < in->size; i++) in->atol[i] = in->ode.size == 0 ? 1 : scale ? atol * scale[i] : atol;
    return 1;
}

/* All memory is taken here; steps allocate nothing. */
zvIntegrator *zv_integrator_create(const zvOde *ode, const zvIntegrationOptions *options, zvError *error) {
    ZI_REQUIRE(ode);
    const zvIntegrationOptions usual = zv_integration_default(), *o = options ? options : &usual;
    const zvIntegrationMethod *method = zi_method_choose(o->method, error);
    if (!method || check_sizes(ode, error) < 0 || check_options(method, o, ode->size, error) < 0) return NULL;
    zvIntegrator *in = calloc(1, sizeof *in);
    if (!in) {
        zv_fail(error, ZV_MEMORY, nowhere, "", "out of memory for an integrator");
        return NULL;
    }
    in->method = method;
    in->stepper = zi_method_stepper(method);
    in->ode = *ode;
    in->size = ode->size > 0 ? ode->size : 1;
    in->order = o->order ? o->order : method->usual_order;
    in->rtol = o->rtol;
    in->step = o->step > 0 || !zv_integration_is_fixed(o) ? o->step : 1e-3;
    in->structural = o->structural ? *o->structural : zv_structural_default();
    in->max_step = isfinite(o->max_step) ? o->max_step : 0;
    in->max_steps = o->max_steps;
    zvStatus status = ZV_OK;
    if (!take_arrays(in, o->scale, o->atol)) {
        status = zv_fail(error, ZV_MEMORY, nowhere, "", "out of memory for %d unknowns", ode->size);
    } else {
        status = in->stepper->create(in, error);
    }
    if (status >= 0) return in;
    zv_integrator_destroy(in);
    return NULL;
}

void zv_integrator_destroy(zvIntegrator *in) {
    if (!in) return;
    in->stepper->destroy(in);
    zi_arena_free(&in->arena);
    free(in);
}

/* The caller's side of an integrator: starts, steps, stops and events, the same for every method. */

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
    ZI_REQUIRE(in && count);
    *count = in->memory_count;
    return in->memory;
}

/* memory is what the method remembered at (t, y): with it the next step is the same to the last bit. */
zvStatus zv_integrator_resume(zvIntegrator *in, double t, const double *y, const double *memory, zvError *error) {
    ZI_REQUIRE(in && (y || in->ode.size <= 0));
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
    ZI_REQUIRE(in);
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
    const double rounding = fabs(in->from) * DBL_EPSILON;
    return zv_fail(
        error, ZV_NO_CONVERGENCE, nowhere, in->method->name,
        "expected steps that the clock can tell apart, found one below %.2g s at t = %.9g s, where t itself is "
        "rounded by so much: smooth forces that jump there (friction: smoothing) or mark the jumps by events, "
        "loosen the tolerances (rtol %.3g)%s%s",
        rounding, in->from, in->rtol, in->method->implicit ? "" : ", try auto or bdf",
        fabs(in->from) > 1e4 ? ", or let time begin at 0" : "");
}

/* One step of the method from where the last one ended, or started anew at t after a cut. On failure t and y stay as
 * the caller saw them. */
static zvStatus advance_step(zvIntegrator *in, double t_stop, zvError *error) {
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

/* One step of the method, then events inside it; ends at t_stop, at an event or between. */
zvStatus zv_integrator_step(zvIntegrator *in, double t_stop, zvStepEnd *end, zvError *error) {
    ZI_REQUIRE(in && end && in->started);
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
    zvStatus status = fresh ? advance_step(in, t_stop, error) : ZV_OK;
    if (status < 0) return status;
    in->t_before = in->t;
    in->t = fmin(in->reach, t_stop);
    if (!fresh) in->stepper->at(in, in->t, in->y); /* the rest of a step that went beyond an event */
    bool found;
    status = zi_events_search(in, &found, error);
    *end = found ? ZV_STEP_EVENT : in->t < t_stop ? ZV_STEP_INSIDE : ZV_STEP_STOP;
    return status;
}

double zv_integrator_time(const zvIntegrator *in) {
    ZI_REQUIRE(in);
    return in->t;
}
const double *zv_integrator_state(const zvIntegrator *in) {
    ZI_REQUIRE(in);
    return in->y;
}
double zv_integrator_time_before(const zvIntegrator *in) {
    ZI_REQUIRE(in);
    return in->t_before;
}

void zv_integrator_at(zvIntegrator *in, double t, double *y) {
    ZI_REQUIRE(in && (y || in->ode.size <= 0));
    if (t >= in->t || in->from >= in->reach) {
        copy(y, in->y, in->ode.size);
    } else if (in->ode.size > 0) {
        in->stepper->at(in, fmax(t, in->from), y);
    }
}

bool zv_integrator_interpolates(const zvIntegrator *in) {
    ZI_REQUIRE(in);
    return in->stepper->interpolates;
}
const int *zv_integrator_fired(const zvIntegrator *in) {
    ZI_REQUIRE(in);
    return in->events.fired;
}

zvIntegrationStatistics zv_integrator_statistics(const zvIntegrator *in) {
    ZI_REQUIRE(in);
    zvIntegrationStatistics s = in->counts;
    s.last_order = in->order;
    in->stepper->statistics(in, &s);
    return s;
}
