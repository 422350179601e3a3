/* Whether the method fits the problem, judged by h rho, the step times the spectral radius of df/dy, which a few steps
 * of a power iteration with difference quotients estimate now and then: at the border of the stability region an
 * explicit method is wasted, well inside of it an implicit one. Short of the border an explicit method is wasted too if
 * the mode that sets rho only decays and the motion is slow beside it. Adams has more to tell: its corrector fails at
 * the border, or the high derivatives of its polynomial ring. */
#include <math.h>
#include <string.h>

#include "integrate/method.h"

#include "base/require.h"

enum { FIRST_LOOK = 32, ENOUGH_STEPS = 100, PACE_STEPS = 5000 };

/* Room for the power iteration and a first direction; 0 when out of memory. */
int zi_advice_create(zvIntegrator *in) {
    ziAdvice *a = &in->advice;
    size_t bytes = (size_t)in->size * sizeof(double);
    a->next = FIRST_LOOK;
    a->direction = zi_arena_alloc(&in->arena, bytes);
    a->slope = zi_arena_alloc(&in->arena, bytes);
    a->moved = zi_arena_alloc(&in->arena, bytes);
    a->y = zi_arena_alloc(&in->arena, bytes);
    a->first = zi_arena_alloc(&in->arena, bytes);
    a->second = zi_arena_alloc(&in->arena, bytes);
    if (!a->direction || !a->slope || !a->moved || !a->y || !a->first || !a->second) return 0;
    for (int i = 0; i < in->size; i++) a->direction[i] = 1 + 0.3 * (i % 3);
    return 1;
}

static double length(const double *x, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

/* direction <- J direction, by a difference; the growth, or 0 when it cannot be had. */
static double multiply(zvIntegrator *in) {
    ziAdvice *a = &in->advice;
    int n = in->ode.size;
    double norm = length(a->direction, n), shift = 1e-7 * (1 + length(in->y, n));
    if (!(norm > 0)) return 0;
    for (int i = 0; i < n; i++) a->y[i] = in->y[i] + shift / norm * a->direction[i];
    if (zi_call_rate(in, in->reach, a->y, a->moved)) return 0;
    for (int i = 0; i < n; i++) a->moved[i] = (a->moved[i] - a->slope[i]) / shift;
    double growth = length(a->moved, n), along = 0;
    if (!(growth > 0) || !isfinite(growth)) return 0;
    for (int i = 0; i < n; i++) along += a->moved[i] * a->direction[i];
    a->decay = along / (growth * norm);
    for (int i = 0; i < n; i++) a->direction[i] = a->moved[i] / growth;
    return growth;
}

/* Two products, since in positions and velocities one alone sees a stiffness or 1, not a frequency. */
static double spectral_radius(zvIntegrator *in) {
    ziAdvice *a = &in->advice;
    size_t bytes = (size_t)in->ode.size * sizeof(double);
    if (zi_call_rate(in, in->reach, in->y, a->slope)) return 0;
    memcpy(a->first, a->direction, bytes);
    double first = multiply(in);
    memcpy(a->second, a->direction, bytes);
    a->growth = first;
    return first > 0 ? sqrt(first * multiply(in)) : 0;
}

static double scalar_product(const double *x, const double *y, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += x[i] * y[i];
    return sum;
}

/* The mode that sets rho, of the plane of the last two directions: with J a = g b and J b = p a + q b, by least
 * squares, l^2 = q l + g p. A power iteration alone circles about a vibration and sees now more, now less of it. */
static void refine(zvIntegrator *in, ziLook *look) {
    const ziAdvice *x = &in->advice;
    const int n = in->ode.size;
    const double *c = x->moved, norm = length(x->first, n), g = x->growth;
    const double ab = scalar_product(x->first, x->second, n) / norm, ac = scalar_product(x->first, c, n) / norm,
                 bc = scalar_product(x->second, c, n), rest = 1 - ab * ab;
    look->turn = 1;
    if (!(rest > 1e-11)) return; /* one direction only: it decays or grows, and rho is right */
    const double p = (ac - ab * bc) / rest, q = (bc - ab * ac) / rest, square = q * q / 4 + g * p;
    look->rho = square < 0 ? sqrt(-g * p) : fabs(q) / 2 + sqrt(square);
    if (square < 0) look->turn = q * q / (-2 * g * p) - 1; /* cos 2a = 2 cos^2 a - 1, cos a = q / 2 over |l| */
}

/* Where the stability region of a Runge-Kutta method ends on the negative real axis; for Euler on the imaginary one. */
static double stability_limit(const zvIntegrator *in) {
    static const double of_order[] = {1, 2, 2, 2.51, 2.78, 3.31, 4.06, 5, 6};
    return of_order[in->order];
}

/* From this share of the limit on stability rules; where accuracy does, oscillations reach a third of it. */
static const double HELD = 0.6;

static bool is_multistep(const zvIntegrator *in) { return in->method->family == ZV_FAMILY_MULTISTEP; }

/* In units of the tolerance. */
static double weighted(const zvIntegrator *in, const double *x) {
    double sum = 0;
    for (int i = 0; i < in->ode.size; i++) {
        double weight = in->rtol * fabs(in->y[i]) + in->atol[i];
        if (weight > 0) sum += x[i] * x[i] / (weight * weight);
    }
    return sqrt(sum);
}

/* How fast the motion changes, |y''| / |y'|, by the slopes at both ends of the step; that at its end is at hand. */
static double pace_of_slopes(zvIntegrator *in) {
    ziAdvice *a = &in->advice;
    if (zi_call_rate(in, in->from, in->y_from, a->moved)) return INFINITY;
    for (int i = 0; i < in->ode.size; i++) a->moved[i] = a->slope[i] - a->moved[i];
    return weighted(in, a->moved) / (in->counts.last_step * weighted(in, a->slope));
}

/* Explicit Runge-Kutta. Below the share that is sure it is wasted where the motion is slow beside a mode that decays:
 * there h rho above one spoils its errors, not those of methods for stiff problems. */
static bool runge_kutta_held_back(zvIntegrator *in, double product, bool decays) {
    double limit = stability_limit(in);
    if (product > HELD * limit) return true;
    if (product < 0.03 * limit || !decays) return false;
    return product > 10 * in->counts.last_step * pace_of_slopes(in);
}

/* Adams. As a rule CVODE evaluates f once a step, at the predicted state (PEC), and the region of that shrinks fast
 * with the order: to about 0.1 on the real axis for order 6. At its border the errors live in the high derivatives: the
 * fourth, times h, outgrows the third. Inside, the motion must be slow beside the mode that sets rho, as above. */
static bool adams_at_border(zvIntegrator *in, double product) {
    ziAdvice *a = &in->advice;
    double h = in->counts.last_step, before = weighted(in, a->slope), ratio = 0, fastest = 0;
    if (product < 0.03 || product > 3) return false;
    for (int k = 2; k <= 4 && in->stepper->derivative(in, k, a->moved); k++) {
        double now = weighted(in, a->moved);
        ratio = h * now / before;
        fastest = fmax(fastest, ratio);
        before = now;
    }
    if (fastest == 0) return product > 0.2; /* order 1 is for starts */
    return ratio > 1 || product > 10 * fastest;
}

static bool held_back(zvIntegrator *in, double product) {
    if (in->method->implicit || in->method->family == ZV_FAMILY_FIXED_STEP) return false;
    return is_multistep(in) ? in->advice.decay <= -0.9 && adams_at_border(in, product)
                            : runge_kutta_held_back(in, product, in->advice.decay <= -0.9);
}

/* Of the step just done, for whoever chooses methods; leaves no trace in what is reported of the callbacks. */
ziLook zi_stiffness(zvIntegrator *in) {
    const ziTrouble trouble = in->trouble;
    const double trouble_time = in->trouble_time;
    ziLook look = {.rho = spectral_radius(in)};
    if (look.rho > 0) refine(in, &look);
    look.held =
        !in->method->implicit && runge_kutta_held_back(in, in->counts.last_step * look.rho, look.turn > ZI_MOST_TURN);
    in->trouble = trouble;
    in->trouble_time = trouble_time;
    return look;
}

static void look(zvIntegrator *in) {
    ziAdvice *a = &in->advice;
    a->rho = spectral_radius(in);
    double product = in->counts.last_step * a->rho, weight = (double)(in->counts.steps - a->last);
    a->seen += weight;
    if (held_back(in, product)) a->held_back += weight;
    if (!is_multistep(in) && product > 1.05 * stability_limit(in)) a->beyond_limit += weight;
    if (product < (a->decay > -0.9 ? 1 : 0.1)) a->inside += weight; /* where the region of adams ends, see above */
}

/* At the pace of the last steps, would the time done and asked for take two million? */
static void watch_pace(zvIntegrator *in, double t_stop) {
    ziAdvice *a = &in->advice;
    if (in->counts.steps == 1) a->begin = a->mark = in->from;
    if (in->counts.steps % PACE_STEPS != 0) return;
    if ((in->reach - a->mark) / PACE_STEPS < 5e-7 * (t_stop - a->begin)) a->crawls = true;
    a->mark = in->reach;
}

/* Every now and then, and without leaving a trace in what is reported of the callbacks. */
void zi_advice_look(zvIntegrator *in, double t_stop) {
    ziAdvice *a = &in->advice;
    watch_pace(in, t_stop);
    if (in->ode.size == 0 || in->unwatched || in->counts.steps < a->next) return;
    ziTrouble trouble = in->trouble; /* that f refuses a step aside is none */
    double trouble_time = in->trouble_time;
    look(in);
    in->trouble = trouble;
    in->trouble_time = trouble_time;
    a->last = in->counts.steps;
    a->next = a->last + FIRST_LOOK + a->last / 8;
}

/* Sentences ----------------------------------------------------------------------------------------------- */

#define JUMPS "many steps are rejected: forces may jump; let events or breaks mark the jumps, or limit the step"
/* What holds an explicit method down may hold an implicit one down as well, by its accuracy: only auto measures which is
 * cheaper, so that both send there and none to the other. */
#define STIFF "the problem looks stiff: stability, not accuracy, holds the step down; try auto"
#define CRAWLS                                                                                                       \
    "at this pace the run takes millions of steps: forces may jump to and fro; smooth them, or let events mark the " \
    "jumps"

static const char *explicit_advice(const ziAdvice *a, const zvIntegrationStatistics *s) {
    if (a->held_back > 0.5 * a->seen) return STIFF;
    if (a->crawls) return CRAWLS "; if the problem is only stiff, try auto";
    return (double)s->newton_failures > 0.05 * (double)s->steps ? STIFF : NULL;
}

static const char *implicit_advice(const zvIntegrator *in, const zvIntegrationStatistics *s) {
    const ziAdvice *a = &in->advice;
    double steps = (double)s->steps, rejected = (double)s->rejected / steps;
    if (a->crawls) return CRAWLS;
    if (rejected > 0.25) return JUMPS;
    bool dearer = a->rho * (in->reach - a->begin) > steps; /* what an explicit method would take at the least */
    if (rejected > 0.2 || dearer || !(a->inside > 0.9 * a->seen)) return NULL;
    return "the problem does not look stiff: an explicit method would be cheaper; try auto";
}

/* The stepper's own judgement first; a short run says nothing. */
const char *zv_integrator_advice(const zvIntegrator *in) {
    ZI_REQUIRE(in);
    const ziAdvice *a = &in->advice;
    zvIntegrationStatistics s = zv_integrator_statistics(in);
    const char *own = in->stepper->advice ? in->stepper->advice(in, &s) : NULL;
    if (own) return own;
    if (s.steps < ENOUGH_STEPS) return NULL;
    if (in->method->family == ZV_FAMILY_FIXED_STEP) {
        return a->beyond_limit > 0.05 * a->seen
                   ? "the step is too long for the stiffest part of the system: shorten it, or try auto or bdf"
                   : NULL;
    }
    const char *advice = in->method->implicit ? implicit_advice(in, &s) : explicit_advice(a, &s);
    if (advice) return advice;
    if (in->rtol < 1e-12) return "rtol is near rounding errors: below 1e-12 it costs steps and gains no digits";
    return (double)s.rejected > 0.4 * (double)s.steps ? JUMPS : NULL;
}
