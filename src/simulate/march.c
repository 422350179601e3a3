/* The loop of a run: steps, rows, breaks of laws, events, checkpoints, progress. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "simulate/run.h"

/* Rows ----------------------------------------------------------------------------------------------- */

zvStatus zv_run_record(zvRun *r, double t, const double *y, zvError *error) {
    if (!r->recorder) return ZV_OK;
    zvStatus status = zv_observe_row(&r->observer, t, y, r->row);
    if (status < 0) {
        return zv_fail(error, ZV_NO_CONVERGENCE, (zvMark){0}, NULL, "no forces can be found at t = %.9g s: %s", t,
                       zv_status_sentence(status));
    }
    r->rows++;
    return zv_recorder_row(r->recorder, r->row, error);
}

static double sample_time(const zvRun *r) { return r->scenario->start + r->next_sample * r->scenario->interval; }

static bool samples(const zvRun *r) { return r->scenario->interval > 0 && r->next_sample <= r->last_sample; }

/* Rows inside the last step, up to but not at its end: there something may jump. */
static zvStatus record_inside(zvRun *r, zvError *error) {
    while (samples(r) && sample_time(r) < r->t) {
        const double t = sample_time(r);
        if (r->recorder) {
            zv_integrator_at(r->integrator, t, r->inside);
            zvStatus status = zv_run_record(r, t, r->inside, error);
            if (status < 0) return status;
        }
        r->next_sample++;
    }
    return ZV_OK;
}

/* The row at the end of the last step, if one is due there. */
static zvStatus record_here(zvRun *r, zvError *error) {
    bool due = r->done || r->scenario->interval == 0;
    if (samples(r) && sample_time(r) <= r->t) {
        r->next_sample++;
        due = true;
    }
    return due ? zv_run_record(r, r->t, r->y, error) : ZV_OK;
}

/* Where to stop --------------------------------------------------------------------------------------- */

static void nearer(double *stop, double t) {
    if (t < *stop) *stop = t;
}

/* Times that only rounding tells apart are one: the later. */
static void merge(double *stop, double t) {
    if (isfinite(t) && t > *stop && t - *stop <= 64 * DBL_EPSILON * fmax(fabs(t), fabs(*stop))) *stop = t;
}

static double next_stop(const zvRun *r) {
    const double sample = samples(r) && !zv_integrator_interpolates(r->integrator) ? sample_time(r) : INFINITY;
    double stop = r->end;
    nearer(&stop, r->system->horizon);
    nearer(&stop, sample);
    merge(&stop, sample);
    merge(&stop, r->system->horizon);
    merge(&stop, r->end);
    return stop;
}

/* Events ---------------------------------------------------------------------------------------------- */

static zvStatus note(zvRun *r, const zvOccurrence *o, zvError *error) {
    char text[256];
    r->happened++;
    if (r->occurrence_count < ZV_OCCURRENCES_KEPT) {
        if (!zv_grow(&r->occurrences, r->occurrence_count, &r->occurrence_room, sizeof *r->occurrences)) {
            return zv_fail(error, ZV_MEMORY, (zvMark){0}, NULL, "out of memory for the list of events");
        }
        r->occurrences[r->occurrence_count++] = *o;
    }
    if (!r->recorder) return ZV_OK;
    const zvHappening happening = {o->t, zv_trigger_name(&r->triggers, o->event),
                                   zv_trigger_text(&r->triggers, o, text, sizeof text)};
    return zv_recorder_happening(r->recorder, &happening, error);
}

/* The energy ledger before and after a jump of the state. */
static void look(zvRun *r) {
    zv_system_show(r->system, r->t, r->y);
    zv_ledger_look(&r->ledger, r->system);
}

static void look_after_jump(zvRun *r) {
    zv_system_show(r->system, r->t, r->y);
    zv_ledger_jump(&r->ledger, r->system);
}

static zvStatus fire_all(zvRun *r, const int *fired, bool *jumped, zvError *error) {
    zvStatus status = ZV_OK;
    bool struck = false;
    for (int i = 0; status >= 0 && i < r->triggers.count; i++) {
        if (struck && i >= r->triggers.own) break; /* impacts have settled sticking and sliding anew */
        zvOutcome outcome;
        status = zv_trigger_fire(&r->triggers, i, fired[i], r->t, r->y, &outcome, error);
        *jumped |= outcome.jumped;
        struck |= outcome.jumped && i < r->triggers.own;
        if (!outcome.happened) continue;
        zvStatus noted = note(r, &outcome.occurrence, status < 0 ? NULL : error);
        if (status >= 0) status = noted;
        if (!outcome.stop || r->done) continue;
        r->done = true;
        r->stopped_by = i;
    }
    return status;
}

/* Rows just before and just after an impact, both at its time. */
static zvStatus handle_events(zvRun *r, bool *jumped, zvError *error) {
    const int *fired = zv_integrator_fired(r->integrator);
    bool strikes = false;
    for (int i = 0; i < r->triggers.count; i++) {
        strikes |= zv_trigger_counts(&r->triggers, i, fired[i]) && zv_trigger_strikes(&r->triggers, i, r->t, r->y);
    }
    zvStatus status = strikes ? zv_run_record(r, r->t, r->y, error) : ZV_OK;
    if (status >= 0) status = fire_all(r, fired, jumped, error);
    if (!*jumped) return status;
    look_after_jump(r);
    if (strikes && r->scenario->interval > 0 && status >= 0 && !r->done) status = zv_run_record(r, r->t, r->y, error);
    return status;
}

/* One step -------------------------------------------------------------------------------------------- */

static zvStatus pass_break(zvRun *r, zvError *error) {
    zvStatus status = zv_jump_pass(&r->triggers.jump, r->t, r->y, error);
    if (status >= 0) look_after_jump(r);
    return status;
}

static zvStatus after_step(zvRun *r, zvStepEnd end, zvError *error) {
    bool jumped = false;
    r->t = zv_integrator_time(r->integrator);
    memcpy(r->y, zv_integrator_state(r->integrator), (size_t)r->system->size * sizeof *r->y);
    zvStatus status = record_inside(r, error);
    if (status < 0) return status;
    if (r->scenario->ledger) look(r);
    zv_triggers_relax(&r->triggers, r->t, r->y);
    if (end == ZV_STEP_EVENT) {
        status = handle_events(r, &jumped, error);
        merge(&r->t, r->system->horizon); /* no step is short enough to lie between them */
        merge(&r->t, r->end);
    }
    if (r->t >= r->end) r->done = true;
    if (status >= 0 && r->t >= r->system->horizon) {
        status = pass_break(r, error);
        jumped = true;
    }
    if (status >= 0) status = record_here(r, error);
    if (status >= 0 && jumped && !r->done) status = zv_integrator_start(r->integrator, r->t, r->y, error);
    return status;
}

static double last_step(const zvRun *r) { return r->t - zv_integrator_time_before(r->integrator); }

/* false: stop */
static bool tell(zvRun *r, double now) {
    if (!r->options.progress) return true;
    const zvProgress p = {.t = r->t,
                          .start = r->scenario->start,
                          .end = r->end,
                          .step = last_step(r),
                          .elapsed = now - r->began,
                          .resumed_at = r->resumed_at,
                          .rows = r->rows,
                          .steps = zv_run_total(r).steps};
    r->told = now;
    return r->options.progress(r->options.context, &p);
}

/* What is due by the clock at the end of a step. */
static zvStatus look_at_clock(zvRun *r, zvError *error) {
    const double now = zv_wall_clock();
    zvStatus status = ZV_OK;
    if (now - r->told >= r->options.progress_interval && !tell(r, now)) return ZV_INTERRUPTED;
    if (r->recorder && now - r->saved >= r->options.checkpoint) {
        status = zv_run_checkpoint(r, now - r->fixed >= 5, error);
    }
    return status;
}

zvStatus zv_run_march(zvRun *r, zvError *error) {
    if (!tell(r, zv_wall_clock())) return ZV_INTERRUPTED;
    while (!r->done) {
        zvStepEnd end;
        zvStatus status = zv_integrator_step(r->integrator, next_stop(r), &end, error);
        if (status >= 0) status = after_step(r, end, error);
        /* not at events: a function that is zero there makes a poor start for whoever resumes */
        if (status >= 0 && !r->done && end != ZV_STEP_EVENT) status = look_at_clock(r, error);
        if (status != ZV_OK && status != ZV_DEGRADED) return status;
    }
    tell(r, zv_wall_clock());
    return ZV_OK;
}
