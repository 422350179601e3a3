/* Drives whose force is a function of the program that uses the library: own controllers. Which function it is stands
 * with the efforts, so that several threads may run one set with functions of their own. */
#include "actuate/element.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/require.h"

static bool function_claim(zvDrives *d, ziElement *e) {
    e->of.function.number = d->nfunction;
    e->of.function.held = d->nheld;
    if (!zi_claim_accounts(d, e)) return false;
    d->nfunction++;
    d->nheld += e->count;
    return true;
}

/* Asks the function of an element for its forces (count) at a state; what is not finite is refused. */
static zvStatus ask(const ziElement *e, zvEfforts *out, double t, const double *q, const double *v, double *force) {
    const ziBoundFunction *bound = &zi_efforts_scratch(out)->functions[e->of.function.number];
    zvStatus status = out->stopped == ZV_OK ? ZV_SCHEMA : out->stopped;
    memset(force, 0, (size_t)e->count * sizeof *force);
    if (bound->function && out->stopped == ZV_OK) status = bound->function(bound->context, t, q, v, force);
    for (int k = 0; k < e->count && (status == ZV_OK || status == ZV_DEGRADED); k++)
        if (!isfinite(force[k])) status = ZV_NUMBER;
    if (status == ZV_OK || status == ZV_DEGRADED) return ZV_OK;
    if (out->stopped == ZV_OK) out->stopped_by = e->of.function.number;
    out->stopped = status;
    return status < 0 ? status : ZV_NO_CONVERGENCE;
}

static zvStatus push(const ziElement *e, const ziInstant *now) {
    ziEffortsScratch *scratch = zi_efforts_scratch(now->out);
    double *force = scratch->held + e->of.function.held;
    const zvStatus status = e->of.function.interval > 0 ? ZV_OK : ask(e, now->out, now->t, now->q, now->v, force);
    for (int k = 0; k < e->count && status >= 0; k++) zi_push_limited(e, now, k, force[k]);
    return status;
}

const ziElementKind zi_function_kind = {.word = "function", .actuates = true, .claim = function_claim, .push = push};

/* The interval is not negative; that it is there at all is the caller's word. */
zvStatus zv_drives_add_function(zvDrives *d, const char *name, int count, const int *dofs, double interval,
                                const double *limit, zvError *error) {
    ZI_REQUIRE(d && (count <= 0 || dofs));
    ziElement e = {.kind = &zi_function_kind, .of.function.interval = interval};
    zvStatus status = zi_drives_open(d, &e, name, count, dofs, error);
    if (status == ZV_OK && count < 1)
        status = zv_fail(error, ZV_SIZE, (zvMark){0}, e.name,
                         "function \"%s\": expected degrees of freedom, found none; give at least one", e.name);
    if (status == ZV_OK) status = zi_check_not_negative(&e, "interval", interval, error);
    if (status == ZV_OK) status = zi_keep_limits(d, &e, limit, &e.limit, error);
    return zi_drives_close(d, &e, status, error);
}

/* Functions by number. */

static const ziElement *function_of(const zvDrives *d, int function) {
    for (size_t i = 0; i < d->nelement; i++)
        if (d->elements[i].kind == &zi_function_kind && d->elements[i].of.function.number == function)
            return &d->elements[i];
    return NULL;
}

int zv_drives_nfunction(const zvDrives *d) {
    ZI_REQUIRE(d);
    return d->nfunction;
}

zvDriveOwn zv_drives_function(const zvDrives *d, int function) {
    ZI_REQUIRE(d);
    ZI_REQUIRE_INDEX(function, d->nfunction);
    const ziElement *e = function_of(d, function);
    return (zvDriveOwn){e->name, e->count, e->dofs, e->of.function.interval};
}

void zv_efforts_set_function(zvEfforts *efforts, int function, zvDriveFunction asked, void *context) {
    ZI_REQUIRE(efforts && function >= 0);
    zi_efforts_scratch(efforts)->functions[function] = (ziBoundFunction){asked, context};
}

double *zi_efforts_held(zvEfforts *efforts) { return zi_efforts_scratch(efforts)->held; }

/* Sampling. */

/* Whether only rounding tells t from a multiple of the interval; *nearest: which one. */
static bool is_sample(double t, double interval, double *nearest) {
    *nearest = round(t / interval);
    return fabs(t - *nearest * interval) <= 64 * DBL_EPSILON * fmax(fabs(t), interval);
}

double zi_function_next_sample(const ziElement *e, double t) {
    const double interval = e->of.function.interval;
    double number;
    if (e->kind != &zi_function_kind || interval == 0) return INFINITY;
    if (!is_sample(t, interval, &number)) number = floor(t / interval);
    return (number + 1) * interval;
}

/* Those whose time has come, or all; what they give is held in the efforts. */
zvStatus zv_drives_sample(const zvDrives *d, zvEfforts *efforts, double t, bool all, const double *q, const double *v) {
    ZI_REQUIRE(d && efforts && q && v);
    for (size_t i = 0; i < d->nelement; i++) {
        const ziElement *e = &d->elements[i];
        double number;
        if (e->kind != &zi_function_kind || e->of.function.interval == 0) continue;
        if (!all && !is_sample(t, e->of.function.interval, &number)) continue;
        const zvStatus status = ask(e, efforts, t, q, v, zi_efforts_held(efforts) + e->of.function.held);
        if (status < 0) return status;
    }
    return ZV_OK;
}
