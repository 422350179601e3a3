/* A run in the caller's hands: advanced piece by piece, looked at and changed in between. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/require.h"
#include "simulate/run.h"
#include "simulate/scenario.h"

/* What a drive gets that has no function: the forces last pushed. */
typedef struct PushedForce {
    double *force; /* NULL: the drive has a function */
    int count;
} PushedForce;

struct zvSimulation {
    ziRun run;
    zvRunFunction *functions; /* those of the options, and of drives that the caller pushes */
    PushedForce *pushed;      /* (pushed_count) of all drives with functions */
    int pushed_count;
    zvChannel *channels;
    zvStatus status; /* below zero: it failed and does not go on; then with its text */
    zvError error;
    bool finished;
};

static zvStatus no_room(zvError *error) {
    return zv_fail(error, ZV_MEMORY, (zvMark){0}, NULL, "out of memory for the simulation");
}

/* zvDriveFunction of a drive that the caller pushes. */
static zvStatus give_pushed(void *context, double t, const double *q, const double *v, double *force) {
    const PushedForce *pushed = context;
    (void)t, (void)q, (void)v;
    memcpy(force, pushed->force, (size_t)pushed->count * sizeof *force);
    return ZV_OK;
}

/* Functions of the options first, then one for each drive that they leave out. */
static bool gather_functions(zvSimulation *s, const zvScenario *scenario, zvRunOptions *o) {
    const int drives = zv_drives_nfunction(scenario->drives), given = o->function_count;
    s->functions = calloc((size_t)(drives + given) + 1, sizeof *s->functions);
    s->pushed = calloc((size_t)drives + 1, sizeof *s->pushed);
    if (!s->functions || !s->pushed) return false;
    s->pushed_count = drives;
    for (int k = 0; k < given; k++) s->functions[k] = o->functions[k];
    for (int i = 0; i < drives; i++) {
        const zvDriveOwn own = zv_drives_function(scenario->drives, i);
        bool has_function = false;
        for (int k = 0; k < given; k++) has_function |= strcmp(s->functions[k].drive, own.name) == 0;
        if (has_function) continue;
        s->pushed[i] = (PushedForce){calloc((size_t)own.count + 1, sizeof(double)), own.count};
        if (!s->pushed[i].force) return false;
        s->functions[o->function_count++] = (zvRunFunction){own.name, give_pushed, &s->pushed[i]};
    }
    o->functions = s->functions;
    return true;
}

/* Drives without a function get one, then all is as in zv_simulate until the first step. */
zvStatus zv_simulation_create(const zvScenario *scenario, const zvRunOptions *options, zvSimulation **simulation,
                              zvError *error) {
    ZI_REQUIRE(scenario && simulation);
    zvError own = {0};
    zvRunOptions o = options ? *options : (zvRunOptions){0};
    zvSimulation *s = calloc(1, sizeof *s);
    if (!error) error = &own;
    *error = own; /* whether a callee failed is read from it */
    *simulation = NULL;
    if (!s) return no_room(error);
    zvStatus status = gather_functions(s, scenario, &o) ? ZV_OK : no_room(error);
    if (status >= 0) status = zi_run_create(&s->run, scenario, &o, error);
    if (status >= 0) status = zi_run_channels(&s->run, &s->channels, error);
    if (status >= 0) status = zi_run_open(&s->run, error);
    if (status < 0 || status == ZV_INTERRUPTED)
        zv_simulation_destroy(s);
    else
        *simulation = s;
    return status;
}

void zv_simulation_destroy(zvSimulation *s) {
    if (!s) return;
    for (int i = 0; i < s->pushed_count; i++) free(s->pushed[i].force);
    zi_run_free(&s->run);
    free(s->functions);
    free(s->pushed);
    free(s);
}

/* Whether it can go on; else the failure that ended it. */
static zvStatus going_on(const zvSimulation *s, zvError *error) {
    if (s->finished)
        return zv_fail(error, ZV_SCHEMA, (zvMark){0}, NULL,
                       "expected a simulation that goes on, found one that is finished; create another");
    if (s->status < 0 && error) *error = s->error;
    return s->status;
}

/* What failed half way is kept, and told from then on. */
static zvStatus end_by(zvSimulation *s, zvStatus status, zvError *error) {
    s->status = status;
    s->error = *error;
    return status;
}

/* What stopped it on the way may be gone the next time; what failed is kept. */
zvStatus zv_simulation_advance(zvSimulation *s, double t, zvError *error) {
    ZI_REQUIRE(s);
    zvError own = {0};
    if (!error) error = &own;
    *error = (zvError){0};
    zvStatus status = going_on(s, error);
    if (status < 0 || s->run.done) return status;
    if (isnan(t)) return zv_fail(error, ZV_NUMBER, (zvMark){0}, NULL, "expected a time, found one that is no number");
    s->run.until = t;
    s->run.asked = 0;
    status = zi_run_march(&s->run, error);
    if (status == ZV_OK) return ZV_OK;
    status = zi_run_explain(&s->run, status, error);
    if (status == ZV_INTERRUPTED && s->run.system->efforts->stopped == ZV_OK) return status;
    return end_by(s, status, error);
}

bool zv_simulation_is_over(const zvSimulation *s) {
    ZI_REQUIRE(s);
    return s->finished || s->run.done || s->status != ZV_OK;
}

double zv_simulation_time(const zvSimulation *s) {
    ZI_REQUIRE(s);
    return s->run.t;
}

void zv_simulation_state(zvSimulation *s, double *q, double *v, double *states) {
    ZI_REQUIRE(s);
    ziSystem *system = s->run.system;
    zi_system_show(system, s->run.t, s->run.y);
    if (q) memcpy(q, system->q, (size_t)system->nq * sizeof *q);
    if (v) memcpy(v, system->v, (size_t)system->nv * sizeof *v);
    if (states && system->nz) memcpy(states, system->z, (size_t)system->nz * sizeof *states);
}

/* Copies numbers that are given into y; false: one is not finite. */
static bool put_finite(double *y, const double *x, int count) {
    double sum = 0;
    for (int i = 0; x && i < count; i++) sum += 0 * x[i];
    if (x && sum == 0) memcpy(y, x, (size_t)count * sizeof *y);
    return sum == 0;
}

/* Stops let go, and hold again where the new state touches them. */
zvStatus zv_simulation_set_state(zvSimulation *s, const double *q, const double *v, const double *states,
                                 zvError *error) {
    ZI_REQUIRE(s);
    ziRun *r = &s->run;
    zvError own = {0};
    if (!error) error = &own;
    *error = (zvError){0};
    zvStatus status = going_on(s, error);
    if (status < 0) return status;
    zi_event_set_keep(&r->event_set, r->y);
    if (!put_finite(r->y, q, r->system->nq) || !put_finite(r->y + r->system->at_v, v, r->system->nv) ||
        !put_finite(r->y + r->system->at_z, states, r->system->nz)) {
        zi_event_set_recover(&r->event_set, r->y);
        return zv_fail(error, ZV_NUMBER, (zvMark){0}, NULL,
                       "expected finite numbers for the state, found one that is not");
    }
    zi_event_set_release(&r->event_set);
    status = zi_system_settle(r->system, r->t, r->y, error);
    if (status >= 0) status = zi_event_set_check(&r->event_set, r->t, r->y, error);
    if (status < 0) {
        zi_event_set_recover(&r->event_set, r->y);
        return status;
    }
    status = zi_run_start_anew(r, error);
    return status < 0 ? end_by(s, status, error) : ZV_OK;
}

/* Forces that are as they were change nothing: no new start for methods that remember. */
zvStatus zv_simulation_push(zvSimulation *s, const char *drive, const double *force, zvError *error) {
    ZI_REQUIRE(s && force);
    const zvDrives *drives = s->run.system->drives;
    zvError own = {0};
    if (!error) error = &own;
    *error = (zvError){0};
    const zvStatus status = going_on(s, error);
    if (status < 0) return status;
    for (int i = 0; i < zv_drives_nfunction(drives); i++) {
        const zvDriveOwn found = zv_drives_function(drives, i);
        const size_t bytes = (size_t)found.count * sizeof *force;
        if (!s->pushed[i].force || (drive && strcmp(found.name, drive) != 0)) continue;
        if (memcmp(s->pushed[i].force, force, bytes) == 0) return ZV_OK;
        double *to = s->pushed[i].force;
        if (!put_finite(to, force, found.count))
            return zv_fail(error, ZV_NUMBER, (zvMark){0}, found.name,
                           "force on drive \"%.60s\": expected finite numbers, found one that is not", found.name);
        if (found.interval > 0) return ZV_OK; /* its next sample takes it */
        const zvStatus started = zi_run_start_anew(&s->run, error);
        return started < 0 ? end_by(s, started, error) : ZV_OK;
    }
    return zv_fail(error, ZV_NAME, (zvMark){0}, drive,
                   "expected a drive of type function that has no function in this simulation, found %s%.60s%s",
                   drive ? "\"" : "none", drive ? drive : "", drive ? "\"" : "");
}

int zv_simulation_channels(const zvSimulation *s) {
    ZI_REQUIRE(s);
    return s->run.scenario->channel_count + 1;
}

const zvChannel *zv_simulation_channel(const zvSimulation *s, int channel) {
    ZI_REQUIRE(s);
    ZI_REQUIRE_INDEX(channel, s->run.scenario->channel_count + 1);
    return &s->channels[channel];
}

zvStatus zv_simulation_row(zvSimulation *s, double *row, zvError *error) {
    ZI_REQUIRE(s && row);
    const zvStatus status = zi_observe_row(&s->run.observer, s->run.t, s->run.y, row);
    if (status >= 0) return ZV_OK;
    return zv_fail(error, status, (zvMark){0}, NULL, "no forces can be found at t = %.9g s: %s", s->run.t,
                   zv_status_sentence(status));
}

zvStatus zv_simulation_summary(zvSimulation *s, zvRunSummary **summary, zvError *error) {
    ZI_REQUIRE(s && summary);
    *summary = zi_run_summarize(&s->run,
                                s->run.done     ? ZV_OK
                                : s->status < 0 ? s->status
                                                : ZV_INTERRUPTED,
                                s->status < 0 ? s->error.text : NULL);
    return *summary ? ZV_OK : no_room(error);
}

/* One that ends before its time is no failure here. */
zvStatus zv_simulation_finish(zvSimulation *s, zvRunSummary **summary, zvError *error) {
    ZI_REQUIRE(s);
    zvError own = {0};
    zvRunSummary *made = NULL;
    if (!error) error = &own;
    *error = (zvError){0};
    zvStatus status = s->finished ? going_on(s, error) : s->status;
    if (!s->finished) {
        if (status < 0) *error = s->error;
        if (s->run.done) status = zi_run_explain(&s->run, zi_run_judge(&s->run, error), error);
        const bool early = status == ZV_OK && !s->run.done && !s->run.condemned;
        status = zi_run_complete(&s->run, early ? ZV_INTERRUPTED : status, &made, error);
        if (early && status == ZV_INTERRUPTED) status = ZV_OK;
        s->finished = true;
    }
    if (summary) *summary = made;
    if (!summary) zv_run_summary_destroy(made);
    return status;
}
