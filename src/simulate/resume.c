/* Checkpoints of a run: one list of what a run is, which both writes and reads it. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "actuate/element.h"
#include "record/output.h"
#include "simulate/impact.h"
#include "simulate/run.h"

enum { LAYOUT = 10 };

/* Numbers going out (writing) or coming in. */
typedef struct Tape {
    bool writing, failed;
    double *values;
    size_t count, capacity, at;
} Tape;

/* One number, written or read: the same list of calls does both, so they cannot disagree. */
static void pass(Tape *tape, double *x) {
    if (tape->failed) return;
    if (!tape->writing) {
        if (tape->at < tape->count)
            *x = tape->values[tape->at++];
        else
            tape->failed = true;
        return;
    }
    if (zi_grow(&tape->values, tape->count, &tape->capacity, sizeof *tape->values))
        tape->values[tape->count++] = *x;
    else
        tape->failed = true;
}

static void pass_all(Tape *tape, double *x, int count) {
    for (int i = 0; i < count; i++) pass(tape, &x[i]);
}

/* Whole numbers up to 2^53 */
#define PASS_WHOLE(tape, type, x)                  \
    do {                                           \
        double number_ = (double)(x);              \
        pass(tape, &number_);                      \
        if (!(tape)->writing) (x) = (type)number_; \
    } while (0)

/* Counts that go on over a resumed run. */
static void pass_statistics(Tape *tape, zvIntegrationStatistics *s) {
    long *const counts[] = {&s->steps,           &s->rates,
                            &s->rejected,        &s->newton_iterations,
                            &s->newton_failures, &s->linear_iterations,
                            &s->preparations,    &s->event_calls,
                            &s->restarts};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) PASS_WHOLE(tape, long, *counts[i]);
    pass(tape, &s->last_step);
    pass(tape, &s->least_step);
    pass(tape, &s->greatest_step);
    PASS_WHOLE(tape, int, s->last_order);
}

/* Energies, and what the judgement of the run rests on. */
static void pass_ledger(Tape *tape, ziLedger *l) {
    pass_all(tape, l->first, l->stores);
    pass_all(tape, l->now, l->stores);
    pass_all(tape, l->span, l->stores);
    pass_all(tape, l->least, l->stores);
    pass_all(tape, l->done, l->accounts);
    pass_all(tape, l->flow, l->accounts);
    pass_all(tape, l->lowest, l->accounts);
    pass_all(tape, l->highest, l->accounts);
    pass(tape, &l->impacts);
    pass(tape, &l->impact_flow);
    pass_all(tape, l->closings, l->loops);
    pass_all(tape, l->swings, l->loops);
    pass(tape, &l->peak);
    pass(tape, &l->worst);
    pass(tape, &l->floor);
}

/* What was passed before goes on to be told. */
static void pass_limits(Tape *tape, ziLimits *l) {
    for (int i = 0; i < l->count; i++) {
        for (int k = 0; k < ZI_LIMIT_KINDS; k++) {
            ziLimitPass *p = &l->list[i].passes[k];
            pass(tape, &p->first);
            pass(tape, &p->t);
            pass(tape, &p->value);
            pass(tape, &p->limit);
            pass(tape, &p->excess);
        }
    }
}

static void pass_event_set(Tape *tape, ziEventSet *t) {
    pass_all(tape, t->shift, t->own);
    for (int i = 0; i < t->own; i++) PASS_WHOLE(tape, unsigned char, t->held[i]);
    pass_all(tape, t->since, t->count);
    pass_all(tape, t->often, t->count);
}

/* Those kept in memory, for the summary of a resumed run. */
static void pass_event_records(Tape *tape, ziRun *r) {
    size_t count = r->event_record_count;
    PASS_WHOLE(tape, size_t, count);
    pass(tape, &r->event_total);
    for (size_t i = 0; i < count && !tape->failed; i++) {
        if (!zi_grow(&r->event_records, i, &r->event_record_capacity, sizeof *r->event_records)) tape->failed = true;
        if (tape->failed) return;
        ziEventRecord *o = &r->event_records[i];
        if (!tape->writing) *o = (ziEventRecord){0};
        pass(tape, &o->t);
        PASS_WHOLE(tape, int, o->event);
        PASS_WHOLE(tape, ziEventOutcome, o->what);
        pass(tape, &o->before);
        pass(tape, &o->after);
        r->event_record_count = i + 1;
    }
}

/* What the method remembers besides y; coming in it waits for the integrator. */
static void pass_memory(Tape *tape, ziRun *r) {
    const double *memory = NULL;
    size_t count = 0;
    if (tape->writing) memory = zv_integrator_memory(r->integrator, &count);
    PASS_WHOLE(tape, size_t, count);
    if (!tape->writing) {
        if (tape->failed || count > tape->count - tape->at) tape->failed = true;
        if (!tape->failed) r->memory = zi_arena_alloc(&r->system->arena, (count + 1) * sizeof *r->memory);
        if (!r->memory) tape->failed = true;
        r->memory_count = count;
    }
    for (size_t i = 0; i < count && !tape->failed; i++) {
        double x = tape->writing ? memory[i] : 0;
        pass(tape, &x);
        if (!tape->writing) r->memory[i] = x;
    }
}

/* Everything that the rest of the run depends on, in a fixed order under a layout number. */
static void pass_run(Tape *tape, ziRun *r, zvIntegrationStatistics *statistics) {
    ziSystem *s = r->system;
    int layout = LAYOUT;
    PASS_WHOLE(tape, int, layout);
    if (layout != LAYOUT) tape->failed = true;
    pass(tape, &r->t);
    pass_all(tape, r->y, s->size);
    for (int i = 0; i < zv_drives_nmode(s->drives); i++) PASS_WHOLE(tape, unsigned char, s->modes[i]);
    pass(tape, &s->horizon);
    pass(tape, &r->next_sample);
    PASS_WHOLE(tape, bool, r->existed);
    PASS_WHOLE(tape, bool, r->beside);
    PASS_WHOLE(tape, long, s->damped);
    for (int i = 0; i < zv_model_nloop(s->model); i++) PASS_WHOLE(tape, unsigned char, s->open[i]);
    pass_all(tape, s->offsets, zv_model_nloop_rows(s->model));
    PASS_WHOLE(tape, int, s->efforts->loops_redundant);
    PASS_WHOLE(tape, int, s->efforts->loops_redundant_led);
    pass_all(tape, zi_efforts_held(s->efforts), zi_drives_nheld(s->drives));
    pass(tape, &s->worst_gap);
    pass(tape, &s->worst_rate);
    pass(tape, &s->singular.margin);
    PASS_WHOLE(tape, int, s->singular.loop);
    PASS_WHOLE(tape, bool, s->singular.resolved);
    pass(tape, &s->singular_t);
    pass_all(tape, s->singular_q, s->nq);
    PASS_WHOLE(tape, bool, s->guessed);
    pass_all(tape, r->observer.quaternions, 4 * r->scenario->channel_count);
    pass_statistics(tape, statistics);
    pass_event_set(tape, &r->event_set);
    pass_ledger(tape, &r->ledger);
    pass_limits(tape, &r->limits);
    pass_event_records(tape, r);
    pass_memory(tape, r);
}

/* Rows reach the disk before the checkpoint that counts them. */
zvStatus zi_run_checkpoint(ziRun *r, zvError *error) {
    Tape tape = {.writing = true};
    zvIntegrationStatistics statistics = zi_run_total(r);
    zvSpoolMark mark;
    zvStatus status = zv_recorder_sync(r->recorder, true, &mark, error);
    if (status < 0) return status;
    pass_run(&tape, r, &statistics);
    status = tape.failed ? zv_fail(error, ZV_MEMORY, (zvMark){0}, NULL, "out of memory for a checkpoint")
                         : zv_checkpoint_write(r->options.output, r->scenario->fingerprint, mark, tape.count,
                                               tape.values, error);
    free(tape.values);
    r->saved = zi_wall_clock();
    return status;
}

/* Finds in the checkpoint what it should hold, no more and no less. */
static zvStatus load(ziRun *r, size_t count, double *values, zvError *error) {
    Tape tape = {.values = values, .count = count};
    pass_run(&tape, r, &r->earlier);
    const bool good =
        !tape.failed && tape.at == count && isfinite(r->t) && r->t >= r->scenario->start && r->t <= r->end;
    for (size_t i = 0; good && i < r->event_record_count; i++) {
        if (!zi_event_is_known(&r->event_set, &r->event_records[i])) tape.failed = true;
    }
    for (int i = 0; i < r->event_set.own; i++) {
        if (r->event_set.held[i] && r->scenario->events[i].kind != ZI_EVENT_LIMIT) tape.failed = true;
    }
    if (good && !tape.failed) {
        zi_stops_tell(&r->event_set);
        return ZV_OK;
    }
    return zv_fail(error, ZV_SYNTAX, (zvMark){0}, r->options.output,
                   "the checkpoint of \"%s\" does not fit this version; start from the beginning", r->options.output);
}

/* A run that goes on at this moment holds the lock; the recorder will say so. */
static bool is_running(const char *output) {
    char *path = zi_path_with(output, ".rows");
    const int file = path ? zi_open_locked(path) : -1;
    const bool locked = path && file < 0 && errno == EWOULDBLOCK;
    if (file >= 0) close(file);
    free(path);
    return locked;
}

/* A checkpoint of the same scenario means a run that could go on; it is not overwritten silently. */
zvStatus zi_run_spare(const ziRun *r, zvError *error) {
    enum { TIME = 1 }; /* where pass_run has it */
    const char *output = r->options.output;
    double *values = NULL;
    size_t count = 0;
    zvSpoolMark mark;
    const bool there = zv_checkpoint_read(output, r->scenario->fingerprint, &mark, &count, &values, NULL) >= 0;
    const bool worth = there && count > TIME && values[0] == LAYOUT && values[TIME] > r->scenario->start;
    const double t = worth ? values[TIME] : 0;
    free(values);
    if (!worth || is_running(output)) return ZV_OK;
    return zv_fail(error, ZV_IO, (zvMark){output, 0, 0}, output,
                   "an earlier run of this scenario stopped at t = %.9g s with %llu rows; go on with it (--resume) or "
                   "begin anew (--restart)",
                   t, (unsigned long long)mark.rows);
}

/* Refuses a checkpoint of another scenario, then opens the spool where it counts. */
zvStatus zi_run_resume(ziRun *r, zvError *error) {
    double *values = NULL;
    size_t count = 0;
    zvSpoolMark mark;
    zvChannel *channels;
    if (!r->options.output) {
        return zv_fail(error, ZV_SCHEMA, (zvMark){0}, NULL,
                       "nothing to resume without an output; name the recording of the run that was broken off");
    }
    zvStatus status = zi_system_begin(r->system, r->y, error);
    if (status >= 0) status = zi_run_channels(r, &channels, error);
    if (status >= 0)
        status = zv_checkpoint_read(r->options.output, r->scenario->fingerprint, &mark, &count, &values, error);
    if (status >= 0) status = load(r, count, values, error);
    free(values);
    if (status < 0) return status;
    r->recorder = zv_recorder_resume(r->options.output, r->scenario->channel_count + 1, channels, mark, error);
    if (!r->recorder) return error->status < 0 ? error->status : ZV_IO;
    r->rows = mark.rows;
    r->resumed_at = r->t;
    zi_run_announce(r, channels);
    return zi_run_engage(r, error);
}
