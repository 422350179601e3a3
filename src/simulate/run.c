/* A run from its creation to its end. */
#define _POSIX_C_SOURCE 200809L
#include "simulate/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/require.h"
#include "integrate/statistics.h"
#include "loops/tell.h"
#include "simulate/scenario.h"
#include "zveno/flexible.h"

double zi_wall_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static zvStatus no_memory(zvError *error) {
    return zv_fail(error, ZV_MEMORY, (zvMark){0}, NULL, "out of memory for the simulation");
}

/* Creation ------------------------------------------------------------------------------------------- */

/* The last row of the regular ones: that at the end comes in any case, and no other just before it. */
static void count_samples(ziRun *r) {
    const double interval = r->scenario->interval;
    r->last_sample = -1;
    if (interval > 0) r->last_sample = ceil(r->scenario->duration / interval - 1e-6) - 1;
}

/* Defaults of the options, then system, ledger, observer and events, whatever of them the scenario needs. */
zvStatus zi_run_create(ziRun *r, const zvScenario *scenario, const zvRunOptions *options, zvError *error) {
    *r = (ziRun){.scenario = scenario, .stopped_by = -1, .began = zi_wall_clock(), .until = INFINITY};
    if (options) r->options = *options;
    if (!(r->options.checkpoint > 0)) r->options.checkpoint = scenario->checkpoint > 0 ? scenario->checkpoint : 5;
    if (!(r->options.progress_interval > 0)) r->options.progress_interval = 0.1;
    r->saved = r->began;
    r->end = scenario->start + scenario->duration;
    count_samples(r);
    r->system = zi_system_create(scenario, error);
    if (!r->system) return ZV_MEMORY;
    const size_t bytes = ((size_t)r->system->size + 1) * sizeof(double);
    r->y = zi_arena_alloc(&r->system->arena, bytes);
    r->inside = zi_arena_alloc(&r->system->arena, bytes);
    const bool spins = zv_model_has_rotor_axes(r->system->model);
    if (spins) r->before = zi_arena_alloc(&r->system->arena, bytes);
    if (!r->y || !r->inside || (spins && !r->before) || !zi_ledger_create(&r->ledger, r->system) ||
        !zi_spin_create(&r->spin, r->system) || !zi_bend_create(&r->bend, r->system) ||
        !zi_limits_create(&r->limits, r->system) || !zi_observer_create(&r->observer, r->system, &r->ledger)) {
        return no_memory(error);
    }
    r->row = zi_arena_alloc(&r->system->arena, (size_t)r->observer.width * sizeof(double));
    return r->row ? zi_event_set_create(&r->event_set, r->system, &r->observer, error) : no_memory(error);
}

void zi_run_free(ziRun *r) {
    zv_recorder_destroy(r->recorder);
    if (r->integrator) zv_integrator_destroy(r->integrator);
    zi_system_destroy(r->system);
    free(r->event_records);
}

/* The integrator gets the system's functions with the events of this run. */
zvStatus zi_run_engage(ziRun *r, zvError *error) {
    zvOde ode = zi_system_ode(r->system);
    zvIntegrationOptions options = r->scenario->integration;
    ode.event_count = r->event_set.count;
    ode.guards = r->event_set.guards;
    if (ode.event_count == 0) ode.events = NULL;
    options.scale = r->system->scale;
    r->integrator = zv_integrator_create(&ode, &options, error);
    if (!r->integrator) return error && error->status < 0 ? error->status : ZV_MEMORY;
    zv_integrator_set_origin(r->integrator, r->scenario->start);
    zi_event_set_arm(&r->event_set, r->t, r->y);
    size_t count;
    zv_integrator_memory(r->integrator, &count);
    return zv_integrator_resume(r->integrator, r->t, r->y, count == r->memory_count ? r->memory : NULL, error);
}

/* Recording ------------------------------------------------------------------------------------------ */

/* Time first, then the channels of the scenario, as the recording lists them. */
zvStatus zi_run_channels(ziRun *r, zvChannel **channels, zvError *error) {
    const zvScenario *scenario = r->scenario;
    zvChannel *all = zi_arena_alloc(&r->system->arena, ((size_t)scenario->channel_count + 1) * sizeof *all);
    if (!all) return no_memory(error);
    all[0] = (zvChannel){.name = "time", .unit = "s", .about = "simulated time", .width = 1};
    for (int i = 0; i < scenario->channel_count; i++) {
        zvStatus status = zi_channel_describe(scenario, scenario->channels[i], &r->system->arena, &all[i + 1], error);
        if (status < 0) return status;
    }
    *channels = all;
    return ZV_OK;
}

static zvStatus create_recorder(ziRun *r, const zvChannel *channels, zvError *error) {
    zvStatus status = r->options.restart ? ZV_OK : zi_run_spare(r, error);
    if (status < 0) return status;
    r->existed = access(r->options.output, F_OK) == 0;
    r->recorder = zv_recorder_create(r->options.output, r->scenario->channel_count + 1, channels, error);
    return r->recorder ? ZV_OK : error && error->status < 0 ? error->status : ZV_IO;
}

void zi_run_announce(const ziRun *r, const zvChannel *channels) {
    if (r->options.begin) r->options.begin(r->options.context, r->scenario->channel_count + 1, channels);
}

/* To a file, or to memory; without either the caller may still want to know the channels. */
static zvStatus open_recorder(ziRun *r, zvError *error) {
    zvChannel *channels;
    if (!r->options.output && !r->options.begin && !r->options.keep) return ZV_OK;
    zvStatus status = zi_run_channels(r, &channels, error);
    if (status >= 0 && r->options.keep && !r->options.output) {
        r->recorder = zv_recorder_create_memory(r->scenario->channel_count + 1, channels, error);
        if (!r->recorder) status = error->status < 0 ? error->status : ZV_MEMORY;
    }
    if (status >= 0 && r->options.output) status = create_recorder(r, channels, error);
    if (status >= 0) zi_run_announce(r, channels);
    return status;
}

/* From the start: modes settled, events checked, recorder opened, first row written. */
zvStatus zi_run_begin(ziRun *r, zvError *error) {
    r->t = r->resumed_at = r->scenario->start;
    zvStatus status = zi_system_begin(r->system, r->y, error);
    if (status >= 0) status = zi_system_check_branch(r->system, r->t, r->y, error);
    if (status >= 0) status = zi_event_set_check(&r->event_set, r->t, r->y, error);
    if (status >= 0) status = zi_run_engage(r, error);
    if (status >= 0) status = open_recorder(r, error);
    if (status < 0) return status;
    zi_system_show(r->system, r->t, r->y);
    zi_ledger_start(&r->ledger, r->system);
    zi_limits_look(r);
    status = zi_run_record(r, r->t, r->y, error);
    r->next_sample = 1;
    return status >= 0 && r->options.output ? zi_run_checkpoint(r, error) : status;
}

/* The end -------------------------------------------------------------------------------------------- */

/* This process after those before it. */
zvIntegrationStatistics zi_run_total(const ziRun *r) {
    zvIntegrationStatistics sum = r->earlier;
    if (!r->integrator) return sum;
    const zvIntegrationStatistics own = zv_integrator_statistics(r->integrator);
    zi_statistics_add(&sum, &own);
    return sum;
}

/* "runs/arm.h5" -> "runs/arm.partial.h5" */
static char *partial_path(ziRun *r) {
    const char *path = r->options.output, *dot = strrchr(path, '.'), *end = path + strlen(path);
    if (!dot || strchr(dot, '/')) dot = end;
    char *name = zi_arena_alloc(&r->system->arena, strlen(path) + sizeof ".partial");
    if (!name) return NULL;
    memcpy(name, path, (size_t)(dot - path));
    strcpy(name + (dot - path), ".partial");
    return strcat(name, dot);
}

/* A recording that ends early takes the output's name only when nothing stood there before the run. */
static zvStatus write_recording(ziRun *r, zvStatus status, zvRunSummary *summary, zvError *error) {
    const char *partial = partial_path(r), *path = r->options.output;
    if (!partial) return no_memory(error);
    if (status != ZV_OK && r->existed) path = partial;
    zvStatus written = zi_run_summary_output(summary, path);
    if (written >= 0) written = zi_run_finish(r, summary, path, error);
    if (written < 0 || (status != ZV_OK && !r->condemned)) return written;
    if (r->beside) unlink(partial); /* what an interruption of this run left */
    zv_recorder_discard_spool(r->recorder);
    return ZV_OK;
}

/* After a failure of the disk there is no use in writing more to it: spool and checkpoint wait for a resumption. */
zvStatus zi_run_complete(ziRun *r, zvStatus status, zvRunSummary **summary, zvError *error) {
    zvError second = {0};
    zvRunSummary *made = zi_run_summarize(r, status, status < 0 ? error->text : NULL);
    if (!made) return status < 0 ? status : no_memory(error);
    *summary = made;
    if (r->recorder && !r->options.output) {
        const zvStatus kept = zi_run_keep(r, made, &second);
        if (kept < 0 && status >= 0) *error = second;
        return kept < 0 && status >= 0 ? kept : status;
    }
    if (!r->recorder || status == ZV_IO || status == ZV_MEMORY) return status;
    if (status == ZV_INTERRUPTED) r->beside = r->existed;
    zvStatus written = status == ZV_INTERRUPTED && !r->at_event ? zi_run_checkpoint(r, &second) : ZV_OK;
    if (written >= 0) written = write_recording(r, status, made, &second);
    if (written >= 0) return status;
    zi_run_summary_output(made, NULL);
    if (status < 0) return status; /* the first failure is the one to tell */
    *error = second;
    return written;
}

bool zi_run_out_of_reach(ziRun *r, int looks, zvError *why) {
    static const double ahead[] = {1e-5, 1e-4, 1e-3}; /* of the duration */
    for (int i = 0; i < looks; i++) {
        const double t = fmin(r->t + ahead[i] * r->scenario->duration, r->end);
        if (zi_system_is_stuck(r->system, t, r->y, why)) return true;
    }
    return false;
}

/* The loop of this name, else the only one, else the one that was held weakest when last looked at; -1: not known. */
static int loop_in_trouble(const ziRun *r, const char *name) {
    const zvModel *m = r->system->model;
    for (int i = 0; i < zv_model_nloop(m); i++) {
        if (strcmp(zv_model_loop(m, i)->name, name) == 0) return i;
    }
    return zv_model_nloop(m) == 1 ? 0 : r->system->efforts->singularity.loop;
}

/* Where the machine was when its loops could no longer be closed: `loop "close", joint = value unit` of the loop that
 * is in trouble, or of all joints. */
static void tell_last_position(const ziRun *r, const char *loop_name, char *text, size_t size) {
    const zvModel *m = r->system->model;
    const int loop = loop_in_trouble(r, loop_name);
    snprintf(text, size, loop >= 0 ? "loop \"%.60s\"" : "all loops", loop >= 0 ? zv_model_loop(m, loop)->name : "");
    zi_tell_loop_joints(m, loop, r->y, r->system->signs, text, size);
}

/* Whether the run stopped at a singular position, seen on the way ahead or at the last state itself. */
static bool tell_singular(ziRun *r, char *text, size_t size) {
    if (!r->system->loops) return false;
    if (zi_system_tell_singular(r->system, r->t, text, size)) return true;
    zi_system_look_singular(r->system, r->t, r->y);
    return zi_system_tell_singular(r->system, r->t, text, size);
}

/* Adds to loops that cannot be closed, at a break of a law for instance, where the machine was. */
static zvStatus tell_closure(const ziRun *r, zvError *error) {
    const zvError told = *error;
    char where[ZI_LOOP_WARNING];
    tell_last_position(r, told.token, where, sizeof where);
    return zv_fail(error, ZV_CLOSURE, (zvMark){0}, told.token, "%s; the position before it: %s", told.text, where);
}

/* The loops did not stay closed, at t or soon after it as `why` says. After a singular position that nothing led out of
 * it is the other branch that the motions contradict. */
static zvStatus tell_stuck(const ziRun *r, double t, const zvError *why, const char *token, zvError *error) {
    char where[ZI_LOOP_WARNING];
    if (!r->system->singular.resolved && zi_system_tell_singular(r->system, -INFINITY, where, sizeof where))
        return zv_fail(
            error, ZV_CLOSURE, (zvMark){0}, token,
            "the loops cannot stay closed at t = %.9g s: they were in a singular position from which several "
            "motions go on (%s), and left it on one that prescribed motions and held joints contradict; "
            "start beside it, or give the velocities of as many joints as are free there, along one branch",
            t, where);
    tell_last_position(r, why->token, where, sizeof where);
    return zv_fail(error, ZV_CLOSURE, (zvMark){0}, token,
                   "the loops cannot stay closed at t = %.9g s (%s)%s%s: prescribed motions and held joints contradict "
                   "them, or the machine has reached the end of its reach; prescribe fewer motions, or end the run "
                   "before",
                   t, where, why->text[0] ? ", soon after it " : "", why->text);
}

/* Adds to a failed convergence why the last evaluation failed, as the system kept it; loops at the end of their reach
 * become an error of closure. */
static zvStatus explain(ziRun *r, zvStatus status, zvError *error) {
    const ziSystem *s = r->system;
    if (status == ZV_CLOSURE) return tell_closure(r, error);
    if (status != ZV_NO_CONVERGENCE) return status;
    const bool known = s->trouble < 0 && s->trouble_t >= r->t;
    const zvError told = *error;
    zvError why = {0};
    char where[ZI_LOOP_WARNING];
    const bool reach = (!known || s->trouble == ZV_CLOSURE) && s->closes && zi_run_out_of_reach(r, 3, &why);
    if (reach || (known && s->trouble == ZV_CLOSURE))
        return tell_stuck(r, known ? s->trouble_t : r->t, &why, why.token[0] ? why.token : told.token, error);
    if (tell_singular(r, where, sizeof where))
        return zv_fail(
            error, status, (zvMark){0}, told.token,
            "%s; a singular position that cannot be resolved: %s; give the mechanism another way through it, "
            "or end the run before",
            told.text, where);
    if (!known) return status;
    return zv_fail(error, status, (zvMark){0}, told.token, "%s (at t = %.9g s %s)", told.text, s->trouble_t,
                   zv_status_sentence(s->trouble));
}

/* A function of the program that stopped it has the last word. */
zvStatus zi_run_open(ziRun *r, zvError *error) {
    zvStatus status = zi_run_bind(r, error);
    if (status >= 0) status = zi_run_spare_inputs(r, error);
    if (status >= 0) status = r->options.resume ? zi_run_resume(r, error) : zi_run_begin(r, error);
    if (status < 0) zi_run_is_stopped(r, &status, error);
    return status;
}

zvStatus zi_run_explain(ziRun *r, zvStatus status, zvError *error) {
    if (status != ZV_OK) r->done = false;
    if (zi_run_is_stopped(r, &status, error))
        r->done = false;
    else if (!r->condemned)
        status = explain(r, status, error);
    return status;
}

/* From beginning to end. */
static zvStatus run_through(ziRun *r, zvRunSummary **summary, zvError *error) {
    zvStatus status = zi_run_open(r, error);
    if (status < 0 || status == ZV_INTERRUPTED) return status;
    status = zi_run_march(r, error);
    if (status == ZV_OK) status = zi_run_judge(r, error);
    return zi_run_complete(r, zi_run_explain(r, status, error), summary, error);
}

/* The run is freed whatever happened; the summary is the caller's, also of a run that failed. */
zvStatus zv_simulate(const zvScenario *scenario, const zvRunOptions *options, zvRunSummary **summary, zvError *error) {
    ZI_REQUIRE(scenario);
    zvError own = {0};
    zvRunSummary *made = NULL;
    ziRun run;
    if (!error) error = &own;
    *error = own; /* whether a callee failed is read from it */
    zvStatus status = zi_run_create(&run, scenario, options, error);
    if (status >= 0) status = run_through(&run, &made, error);
    zi_run_free(&run);
    if (summary) *summary = made;
    if (!summary) zv_run_summary_destroy(made);
    return status;
}
