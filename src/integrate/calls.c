/* The caller's functions: counted, and looked at for what is not a number. */
#include <math.h>

#include "integrate/method.h"

static int note(zvIntegrator *in, double t, int answer) {
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
    int answer = note(in, t, in->ode.rate(in->ode.context, t, y, dy));
    return answer ? answer : check_finite(in, t, dy, in->ode.size);
}

int zi_call_residual(zvIntegrator *in, double t, const double *y, const double *a, double *r, double *rest) {
    const zvStructure *s = in->ode.structure;
    in->counts.rates++;
    int answer = note(in, t, s->residual(in->ode.context, t, y, a, r, rest));
    if (!answer) answer = check_finite(in, t, r, s->nv);
    return answer ? answer : check_finite(in, t, rest, in->ode.size - s->nq - s->nv);
}

int zi_call_reduced(zvIntegrator *in, double t, const double *y, const double c[3], const double *r, double *x) {
    const zvStructure *s = in->ode.structure;
    int answer = note(in, t, s->reduced(in->ode.context, t, y, c[0], c[1], c[2], r, x));
    return answer ? answer : check_finite(in, t, x, in->ode.size - s->nq - in->ode.quadratures);
}

int zi_call_position_rate(zvIntegrator *in, double t, const double *y, double *dy) {
    int answer = note(in, t, in->ode.position_rate(in->ode.context, t, y, dy));
    return answer ? answer : check_finite(in, t, dy, in->ode.size);
}

int zi_call_events(zvIntegrator *in, double t, const double *y, double *g) {
    in->counts.event_calls++;
    int answer = note(in, t, in->ode.events(in->ode.context, t, y, g));
    return answer ? answer : check_finite(in, t, g, in->ode.event_count);
}

int zi_call_project(zvIntegrator *in, double t, double *y) {
    if (!in->ode.project) return 0;
    int answer = note(in, t, in->ode.project(in->ode.context, t, y));
    return answer ? answer : check_finite(in, t, y, in->ode.size);
}

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
