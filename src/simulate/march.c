/* The loop of a run: steps, rows, breaks of laws, events, checkpoints, progress. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "actuate/element.h"
#include "simulate/impact.h"
#include "simulate/loop_events.h"
#include "simulate/run.h"

/* Rows ----------------------------------------------------------------------------------------------- */

/* Whether anybody looks at rows: each costs the forces at its state. */
static bool wants_rows(const ziRun *r) { return r->recorder || r->options.row; }

static void show_row(ziRun *r) {
    if (r->options.row && !r->options.row(r->options.context, r->row) && r->asked == 0) r->asked = zi_wall_clock();
}

/* Nothing is computed where nobody wants rows. */
zvStatus zi_run_record(ziRun *r, double t, const double *y, zvError *error) {
    if (!wants_rows(r)) return ZV_OK;
    zvStatus status = zi_observe_row(&r->observer, t, y, r->row);
    if (status < 0) {
        return zv_fail(error, ZV_NO_CONVERGENCE, (zvMark){0}, NULL, "no forces can be found at t = %.9g s: %s", t,
                       zv_status_sentence(status));
    }
    if (r->recorder) status = zv_recorder_row(r->recorder, r->row, error);
    r->rows++;
    if (status >= 0) show_row(r);
    return status;
}

static double sample_time(const ziRun *r) { return r->scenario->start + r->next_sample * r->scenario->interval; }

static bool samples(const ziRun *r) { return r->scenario->interval > 0 && r->next_sample <= r->last_sample; }

/* Whether only rounding tells two times apart. */
static bool same_time(double a, double b) {
    return a == b || (isfinite(a - b) && fabs(a - b) <= 64 * DBL_EPSILON * fmax(fabs(a), fabs(b)));
}

/* Whether the last step ended where a law breaks. */
static bool at_break(const ziRun *r) { return r->t >= r->system->horizon; }

/* A row that belongs to the break at the end of the last step shows what was before it. */
static bool belongs_here(const ziRun *r, double sample) { return at_break(r) && same_time(sample, r->t); }

/* Rows inside the last step, up to but not at its end: there something may jump. */
static zvStatus record_inside(ziRun *r, zvError *error) {
    while (samples(r) && sample_time(r) < r->t && !belongs_here(r, sample_time(r))) {
        const double t = sample_time(r);
        if (wants_rows(r)) {
            zv_integrator_at(r->integrator, t, r->inside);
            zvStatus status = zi_run_record(r, t, r->inside, error);
            if (status < 0) return status;
        }
        r->next_sample++;
    }
    return ZV_OK;
}

/* The row at the end of the last step, if one is due there. */
static zvStatus record_here(ziRun *r, zvError *error) {
    bool due = r->done || r->scenario->interval == 0;
    if (samples(r) && (sample_time(r) <= r->t || belongs_here(r, sample_time(r)))) {
        r->next_sample++;
        due = true;
    }
    return due ? zi_run_record(r, r->t, r->y, error) : ZV_OK;
}

/* Where to stop --------------------------------------------------------------------------------------- */

/* t becomes the earlier of both; where only rounding tells them apart it stays. */
static void nearer(double *stop, double t) {
    if (t < *stop && !same_time(t, *stop)) *stop = t;
}

/* The end, where the caller wants to look, the next break, the next row for methods that do not look inside their
 * steps: one of them when they are the same but for rounding, in this order. A checkpoint that cannot wait may shorten
 * a step of a variable-step method; runs with fixed steps do not depend on when they were saved. */
static double next_stop(const ziRun *r) {
    double stop = r->end;
    nearer(&stop, r->until);
    nearer(&stop, r->system->horizon);
    if (samples(r) && !zv_integrator_interpolates(r->integrator)) nearer(&stop, sample_time(r));
    if (r->short_step > 0) nearer(&stop, r->t + r->short_step);
    return stop;
}

/* Events ---------------------------------------------------------------------------------------------- */

/* Keeps the first events in memory and all of them in the recording. */
static zvStatus note_event(ziRun *r, const ziEventRecord *o, zvError *error) {
    char text[256];
    r->event_total++;
    if (r->event_record_count < ZI_EVENT_RECORDS_KEPT) {
        if (!zi_grow(&r->event_records, r->event_record_count, &r->event_record_capacity, sizeof *r->event_records)) {
            return zv_fail(error, ZV_MEMORY, (zvMark){0}, NULL, "out of memory for the list of events");
        }
        r->event_records[r->event_record_count++] = *o;
    }
    if (!r->recorder) return ZV_OK;
    const zvEvent event = {o->t, zi_event_name(&r->event_set, o->event),
                           zi_event_text(&r->event_set, o, text, sizeof text)};
    return zv_recorder_event(r->recorder, &event, error);
}

/* The energy ledger; whether elastic links stay where their model holds, and loops closed. */
static void look_at_state(ziRun *r) {
    zi_bend_look(&r->bend, r->y);
    if (!r->scenario->ledger && r->spin.count == 0 && !r->system->loops) return;
    zi_system_show(r->system, r->t, r->y);
    if (r->scenario->ledger) zi_ledger_look(&r->ledger, r->system);
    if (r->spin.count > 0) zi_spin_look(&r->spin, r->system);
    if (r->system->loops) zi_system_look_at_loops(r->system);
}

static void look_at_limits(ziRun *r) {
    if (r->limits.count == 0) return;
    if (!r->scenario->ledger) zi_system_show(r->system, r->t, r->y); /* else it is shown */
    zi_limits_look(r);
}

static void look_after_jump(ziRun *r) {
    zi_system_show(r->system, r->t, r->y);
    zi_ledger_jump(&r->ledger, r->system);
}

/* Before a loop closes or opens: what came before it is not its own. */
static void look_before_swing(ziRun *r, bool jumped) {
    if (jumped) {
        look_after_jump(r);
        return;
    }
    zi_system_show(r->system, r->t, r->y);
    zi_ledger_look(&r->ledger, r->system);
}

/* What it brought in, for its account and for its text. */
static void look_after_swing(ziRun *r, ziOutcome *outcome) {
    const int loop = r->scenario->events[outcome->event_record.event].loop;
    zi_system_show(r->system, r->t, r->y);
    outcome->event_record.after = zi_ledger_swing(&r->ledger, r->system, loop);
}

/* Velocities just before a jump, and what rotors with an axis of their own make of it; before is NULL without such. */
static void note_velocities(ziRun *r) {
    if (!r->before) return;
    zi_system_show(r->system, r->t, r->y);
    memcpy(r->before, r->system->v, (size_t)r->system->nv * sizeof *r->before);
}

static void keep_spins(ziRun *r) {
    const ziSystem *s = r->system;
    if (r->before) zi_drives_keep_spins(s->drives, s->work, r->y, r->before, r->y + s->at_v, r->y + s->at_z);
}

/* In the order of the scenario; an impact settles sticking anew, so older mode changes no longer count. */
static zvStatus fire_all(ziRun *r, const int *fired, bool *jumped, zvError *error) {
    zvStatus status = ZV_OK;
    bool struck = false;
    for (int i = 0; status >= 0 && i < r->event_set.count; i++) {
        if (struck && i >= r->event_set.own) break; /* impacts have settled sticking and sliding anew */
        ziOutcome outcome;
        const bool swings =
            i < r->event_set.own && zi_event_counts(&r->event_set, i, fired[i]) && zi_event_swings(&r->event_set, i);
        if (swings) look_before_swing(r, *jumped);
        note_velocities(r);
        status = zi_event_fire(&r->event_set, i, fired[i], r->t, r->y, &outcome, error);
        if (outcome.jumped && status >= 0) keep_spins(r);
        *jumped |= outcome.jumped;
        struck |= outcome.jumped && i < r->event_set.own;
        if (swings && outcome.jumped && status >= 0) look_after_swing(r, &outcome);
        if (!outcome.fired) continue;
        status = note_event(r, &outcome.event_record, error);
        if (!outcome.stop || r->done) continue;
        r->done = true;
        r->stopped_by = i;
    }
    return status;
}

/* Rows just before and just after an impact, both at its time. */
static zvStatus handle_events(ziRun *r, bool *jumped, zvError *error) {
    const int *fired = zv_integrator_fired(r->integrator);
    bool strikes = false;
    for (int i = 0; i < r->event_set.count; i++) {
        strikes |= zi_event_counts(&r->event_set, i, fired[i]) && zi_event_strikes(&r->event_set, i, r->t, r->y);
    }
    zvStatus status = strikes ? zi_run_record(r, r->t, r->y, error) : ZV_OK;
    if (status >= 0) status = fire_all(r, fired, jumped, error);
    if (!*jumped) return status;
    look_after_jump(r);
    if (strikes && r->scenario->interval > 0 && status >= 0 && !r->done) status = zi_run_record(r, r->t, r->y, error);
    return status;
}

/* One step -------------------------------------------------------------------------------------------- */

/* A break that cannot be passed leaves y as it was before it. */
static zvStatus pass_break(ziRun *r, zvError *error) {
    const size_t bytes = (size_t)r->system->size * sizeof *r->y;
    memcpy(r->inside, r->y, bytes);
    note_velocities(r);
    zvStatus status = zi_jump_pass(&r->event_set.jump, r->t, r->y, error);
    if (status >= 0) status = zi_stops_settle(&r->event_set, r->t, r->y, error);
    if (status >= 0) {
        keep_spins(r);
        look_after_jump(r);
    } else {
        memcpy(r->y, r->inside, bytes);
    }
    return status;
}

/* After a step: rows inside it first, since an event may change the state at its end; then events, the row at the end,
 * breaks of laws, and a new start of the integrator after a jump. */
static zvStatus after_step(ziRun *r, zvStepEnd end, zvError *error) {
    bool jumped = false;
    r->t = zv_integrator_time(r->integrator);
    memcpy(r->y, zv_integrator_state(r->integrator), (size_t)r->system->size * sizeof *r->y);
    zvStatus status = record_inside(r, error);
    if (status < 0) return status;
    look_at_state(r);
    look_at_limits(r);
    status = zi_run_watch(r, error);
    if (status < 0) return status;
    zi_event_set_relax(&r->event_set, r->t, r->y);
    if (end == ZV_STEP_EVENT) {
        status = handle_events(r, &jumped, error);
        if (same_time(r->t, r->system->horizon))
            r->t = r->system->horizon; /* no step is so short as to lie between them */
        if (same_time(r->t, r->end)) r->t = r->end;
    }
    if (r->t >= r->end) r->done = true;
    if (status >= 0) status = record_here(r, error);
    if (status >= 0 && at_break(r) && !r->done) {
        status = pass_break(r, error);
        jumped = true;
    }
    r->at_event = end == ZV_STEP_EVENT && !jumped; /* whoever resumes after a jump starts as this run does */
    if (status < 0 || !jumped || r->done) return status;
    zi_event_set_arm(&r->event_set, r->t, r->y);
    return zv_integrator_start(r->integrator, r->t, r->y, error);
}

static double last_step(const ziRun *r) { return r->t - zv_integrator_time_before(r->integrator); }

enum { MANY_STEPS = 20000 }; /* after which advice is worth having before the end */

/* Reports progress to the caller; false: the run is to stop. */
static bool report_progress(ziRun *r, double now) {
    if (!r->options.progress) return true;
    const long steps = zi_run_total(r).steps;
    const zvProgress p = {.t = r->t,
                          .start = r->scenario->start,
                          .end = r->end,
                          .step = last_step(r),
                          .elapsed = now - r->began,
                          .resumed_at = r->resumed_at,
                          .rows = r->rows,
                          .steps = steps,
                          .advice = steps > MANY_STEPS ? zv_integrator_advice(r->integrator) : NULL};
    r->told = now;
    return r->options.progress(r->options.context, &p);
}

static const double PATIENCE = 0.3; /* s of wall-clock time that a stop waits for a step that ends without an event */
static const double OVERDUE = 3;    /* intervals that a checkpoint waits for one */

static bool may_shorten(const ziRun *r) { return !zv_integration_is_fixed(&r->scenario->integration); }

/* What is due by the clock at the end of a step that began at `from`. A function that is zero where the integrator goes
 * on makes a poor start for whoever resumes, so checkpoints wait for a step that ends without an event, or with a jump.
 * Where events come thick none does by itself: one is cut short then, if it may be; else the last checkpoint stays and
 * a stop does not wait for ever. */
static zvStatus look_at_clock(ziRun *r, double from, zvError *error) {
    const double now = zi_wall_clock();
    if (now - r->told >= r->options.progress_interval && !report_progress(r, now) && r->asked == 0) r->asked = now;
    const bool stop = r->asked > 0, save = r->options.output && now - r->saved >= r->options.checkpoint;
    const bool waited = stop && now - r->asked >= PATIENCE;
    r->short_step = 0;
    if (stop && (!r->at_event || !r->options.output || (waited && !may_shorten(r)))) return ZV_INTERRUPTED;
    if (save && !r->at_event) return zi_run_checkpoint(r, error);
    if ((waited || (save && now - r->saved >= fmax(OVERDUE * r->options.checkpoint, PATIENCE))) && may_shorten(r))
        r->short_step = fmax(0.25 * (r->t - from), 1000 * DBL_EPSILON * fabs(r->t));
    return ZV_OK;
}

enum { CREEPING = 32 }; /* steps in a row after which the loops are looked at */

/* Towards the end of a machine's reach steps shrink with the way that is left, and hundreds of thousands of them fit in
 * before the clock cannot tell them apart. Looks, ever less often, whether the loops can be closed at all a hundred
 * such steps later; what is said of it is completed where failures are explained. */
static zvStatus watch_creeping(ziRun *r, zvError *error) {
    static const double next_to_nothing = 1e-7; /* of the duration */
    zvError why = {0};
    if (!r->system->closes || last_step(r) > next_to_nothing * r->scenario->duration) {
        r->creeping = 0;
        return ZV_OK;
    }
    const long count = ++r->creeping;
    if (count < CREEPING || (count & (count - 1)) != 0 || !zi_run_out_of_reach(r, 1, &why)) return ZV_OK;
    return zv_fail(error, ZV_NO_CONVERGENCE, (zvMark){0}, NULL, "steps shrink to %.3g s at t = %.9g s: %s",
                   last_step(r), r->t, why.text);
}

static bool is_there(const ziRun *r) { return r->t >= r->until || same_time(r->t, r->until); }

/* One step, its rows and events, then checkpoint and progress; ends when done, where it was to come, or interrupted. */
zvStatus zi_run_march(ziRun *r, zvError *error) {
    if (!report_progress(r, zi_wall_clock())) return ZV_INTERRUPTED;
    while (!r->done && !is_there(r)) {
        const double from = r->t;
        zvStepEnd end;
        zvStatus status = zv_integrator_step(r->integrator, next_stop(r), &end, error);
        if (status >= 0) status = after_step(r, end, error);
        if (status >= 0 && !r->done) status = watch_creeping(r, error);
        if (status >= 0 && !r->done) status = look_at_clock(r, from, error);
        if (status != ZV_OK && status != ZV_DEGRADED) return status;
    }
    if (r->done) report_progress(r, zi_wall_clock());
    return ZV_OK;
}

zvStatus zi_run_start_anew(ziRun *r, zvError *error) {
    zvStatus status = zi_system_settle(r->system, r->t, r->y, error);
    if (status >= 0) status = zi_stops_settle(&r->event_set, r->t, r->y, error);
    if (status < 0) return status;
    look_after_jump(r);
    zi_event_set_arm(&r->event_set, r->t, r->y);
    return zv_integrator_start(r->integrator, r->t, r->y, error);
}
