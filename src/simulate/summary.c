/* What a run leaves behind: numbers, the ledger, and a text of one fact per line. */
#include "simulate/run.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/require.h"
#include "loops/open.h"

struct zvRunSummary {
    ziArena arena;
    double t, elapsed, gap, exchanged, largest_gap, reference;
    zvEnergyJudgement judgement;
    double loop_gap, loop_rate;
    zvLoopMobility mobility; /* at the end */
    int loops;
    unsigned char *open; /* (loops) at the end */
    double *q, *v;
    uint64_t rows;
    bool over;
    const char *output, *ending, *advice, *text;
    const char *methods; /* that auto ran, or NULL */
    zvIntegrationStatistics statistics;
    int change_count;
    long change_total;
    zvMethodChange changes[ZV_CHANGES_KEPT]; /* of method */
    int event_count, ledger_count, warning_count;
    const char **warnings;
    int limit_count;
    zvLimitPass *limits;
    zvEvent *events;
    zvLedgerRow *ledger;
    zvRecorder *kept; /* or NULL */
    int note_count;
    zvNote *notes; /* of what is kept */
};

/* Parts ---------------------------------------------------------------------------------------------- */

static bool copy_state(zvRunSummary *m, const ziRun *r) {
    ziSystem *s = r->system;
    m->q = zi_arena_alloc(&m->arena, ((size_t)s->nq + 1) * sizeof *m->q);
    m->v = zi_arena_alloc(&m->arena, ((size_t)s->nv + 1) * sizeof *m->v);
    if (!m->q || !m->v) return false;
    zi_system_show(s, r->t, r->y);
    memcpy(m->q, s->q, (size_t)s->nq * sizeof *m->q);
    memcpy(m->v, s->v, (size_t)s->nv * sizeof *m->v);
    return true;
}

static void copy_loops(zvRunSummary *m, const ziRun *r) {
    ziSystem *s = r->system;
    m->loop_gap = s->loops ? s->worst_gap : NAN;
    m->loop_rate = s->loops ? s->worst_rate : NAN;
    m->mobility = (zvLoopMobility){.freedoms = -1, .redundant = -1};
    if (!s->loops) m->mobility = (zvLoopMobility){.freedoms = s->nv};
    const zvClosing closing = {.open = s->open};
    if (s->loops) zi_loop_mobility(s->model, s->work, &closing, m->q, &m->mobility); /* not of very large ones */
}

static bool copy_open(zvRunSummary *m, const ziRun *r) {
    const size_t count = (size_t)zv_model_nloop(r->system->model);
    m->loops = (int)count;
    m->open = zi_arena_alloc(&m->arena, count + 1);
    if (m->open) memcpy(m->open, r->system->open, count);
    return m->open != NULL;
}

/* Names and texts outlive the run. */
static bool copy_events(zvRunSummary *m, const ziRun *r) {
    m->events = zi_arena_alloc(&m->arena, (r->event_record_count + 1) * sizeof *m->events);
    if (!m->events) return false;
    for (size_t i = 0; i < r->event_record_count; i++) {
        const ziEventRecord *o = &r->event_records[i];
        char text[256];
        zvEvent *h = &m->events[m->event_count++];
        h->t = o->t;
        h->name = zi_arena_text(&m->arena, zi_event_name(&r->event_set, o->event));
        h->text = zi_arena_text(&m->arena, zi_event_text(&r->event_set, o, text, sizeof text));
        if (!h->name || !h->text) return false;
    }
    return true;
}

static bool add_row(zvRunSummary *m, const char *name, double amount, bool is_store) {
    zvLedgerRow *row = &m->ledger[m->ledger_count++];
    *row = (zvLedgerRow){zi_arena_text(&m->arena, name), amount, is_store};
    return row->name != NULL;
}

/* Changes of stores, then what the accounts and impacts brought; NaN without a ledger. */
static bool copy_ledger(zvRunSummary *m, const ziRun *r) {
    const ziLedger *l = &r->ledger;
    const zvDrives *drives = r->scenario->drives;
    m->gap = m->exchanged = m->largest_gap = m->reference = NAN;
    m->judgement = zi_judge_energy(r);
    if (!r->scenario->ledger) return true;
    m->ledger = zi_arena_alloc(&m->arena, (size_t)(l->stores + l->accounts + l->loops + 1) * sizeof *m->ledger);
    if (!m->ledger) return false;
    bool enough = true;
    for (int i = 0; i < l->stores; i++) {
        const char *name = i == ZI_STORE_KINETIC     ? "kinetic"
                           : i == ZI_STORE_POTENTIAL ? "potential"
                                                     : zv_drives_store_name(drives, i - ZI_STORE_OTHERS);
        enough &= add_row(m, name, l->now[i] - l->first[i], true);
    }
    for (int i = 0; i < l->accounts; i++) enough &= add_row(m, zv_drives_account(drives, i).name, l->done[i], false);
    if (l->impact_flow > 0) enough &= add_row(m, "impacts", l->impacts, false);
    for (int i = 0; i < l->loops; i++) {
        char name[160];
        snprintf(name, sizeof name, "closing %.140s", zv_model_loop(r->system->model, i)->name);
        if (l->swings[i] > 0) enough &= add_row(m, name, l->closings[i], false);
    }
    m->gap = zi_ledger_gap(l);
    m->exchanged = zi_ledger_exchanged(l);
    m->largest_gap = l->worst;
    m->reference = zi_ledger_reference(l);
    return enough;
}

enum { MOST_LIMITS = 20 }; /* that warn; the list has all */

static bool warn(zvRunSummary *m, const char *text) {
    const char *kept = zi_arena_text(&m->arena, text);
    m->warnings[m->warning_count++] = kept;
    return kept != NULL;
}

/* Told in every case, also where the caller accepts it and where the run has failed of it. */
static bool copy_warnings(zvRunSummary *m, const ziRun *r) {
    char text[400];
    int more = 0;
    m->warnings = zi_arena_alloc(&m->arena, (MOST_LIMITS + 4) * sizeof *m->warnings);
    if (!m->warnings) return false;
    const zvModel *model = r->system->model;
    const bool massless = zv_model_nv(model) > 0 && zv_model_mass(model) == 0;
    bool enough = !massless || warn(m, "no link that moves has mass: forces that follow from its motion are zero, or "
                                       "those of rotors alone; give the links of the model their masses");
    enough = enough && (m->judgement < ZV_ENERGY_DOUBTFUL || warn(m, zi_judge_words(r, text, sizeof text)));
    if (enough && *r->system->loop_warning) enough = warn(m, r->system->loop_warning);
    for (int i = 0, told = 0; enough && i < m->limit_count; i++) {
        if (m->limits[i].saturated) continue;
        if (told++ < MOST_LIMITS)
            enough = warn(m, m->limits[i].text);
        else
            more++;
    }
    snprintf(text, sizeof text, "%d more limits were passed; --json lists them all", more);
    return enough && (more == 0 || warn(m, text));
}

static bool copy_limits(zvRunSummary *m, const ziRun *r) {
    m->limit_count = zi_limits_passed(r);
    m->limits = zi_arena_alloc(&m->arena, ((size_t)m->limit_count + 1) * sizeof *m->limits);
    return m->limits && zi_limits_list(r, &m->arena, m->limits);
}

/* Which methods auto ran, and from when on; of many the first and the last. */
static bool copy_changes(zvRunSummary *m, const ziRun *r) {
    enum { SHOWN = 6 };
    char text[512] = "";
    if (r->integrator) m->change_count = zv_integrator_changes(r->integrator, m->changes, &m->change_total);
    if (m->change_count == 0) return true;
    for (int i = 0; i < m->change_count; i++) {
        const size_t used = strlen(text);
        if (i >= SHOWN && i + 1 < m->change_count) continue;
        snprintf(text + used, sizeof text - used, "%s%s from %.6g s",
                 i == 0      ? ""
                 : i > SHOWN ? ", ..., "
                             : ", ",
                 m->changes[i].method, m->changes[i].t);
    }
    const size_t used = strlen(text);
    if (m->change_total > SHOWN + 1) snprintf(text + used, sizeof text - used, " (%ld changes)", m->change_total - 1);
    m->methods = zi_arena_text(&m->arena, text);
    return m->methods != NULL;
}

static const char *ending_of(zvRunSummary *m, const ziRun *r, zvStatus status, const char *failure) {
    char text[600];
    if (failure) return zi_arena_text(&m->arena, failure);
    if (status == ZV_INTERRUPTED) return "interrupted";
    if (r->stopped_by < 0) return "end of duration";
    snprintf(text, sizeof text, "event \"%.500s\"", zi_event_name(&r->event_set, r->stopped_by));
    return zi_arena_text(&m->arena, text);
}

/* Text ----------------------------------------------------------------------------------------------- */

typedef struct Page {
    char *text;
    size_t size, capacity;
    bool failed;
} Page;

static void line(Page *page, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Adds a line to the text, which grows. */
static void line(Page *page, const char *format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text - 1, format, args);
    va_end(args);
    strcat(text, "\n");
    for (const char *c = text; !page->failed; c++) {
        if (!zi_grow(&page->text, page->size, &page->capacity, 1))
            page->failed = true;
        else if (!(page->text[page->size] = *c))
            return;
        else
            page->size++;
    }
}

static void write_time(Page *page, const zvRunSummary *m, const ziRun *r) {
    const double pace = m->elapsed > 0 ? (r->t - r->resumed_at) / m->elapsed : 0;
    line(page, "simulated: %.9g s to %.9g s", r->scenario->start, m->t);
    line(page, "ending: %s", m->ending);
    if (r->resumed_at > r->scenario->start) line(page, "resumed at: %.9g s", r->resumed_at);
    line(page, "wall clock: %.3g s (%.3g times real time)", m->elapsed, pace);
    if (r->recorder) line(page, "rows: %llu", (unsigned long long)m->rows);
}

/* The method, and what it cost. */
static void write_method(Page *page, const zvRunSummary *m, const ziRun *r) {
    const zvIntegrationOptions *o = &r->scenario->integration;
    const zvIntegrationMethod *method =
        o->method ? zv_integration_method_find(o->method) : zv_integration_methods(&(size_t){0});
    const zvIntegrationStatistics *s = &m->statistics;
    if (method && zv_integration_is_fixed(o))
        line(page, "method: %s, step %.9g s", method->name, o->step);
    else if (method)
        line(page, "method: %s, rtol %.3g, atol %.3g", method->name, o->rtol, o->atol);
    if (m->methods) line(page, "methods run: %s", m->methods);
    line(page, "unknowns: %d", r->system->size);
    line(page, "steps: %ld", s->steps);
    if (s->rejected) line(page, "rejected steps: %ld", s->rejected);
    line(page, "evaluations: %ld", s->rates);
    if (s->steps) line(page, "step sizes: %.3g s to %.3g s", s->least_step, s->greatest_step);
    if (s->newton_iterations) line(page, "corrector iterations: %ld", s->newton_iterations);
    if (s->newton_failures) line(page, "corrector failures: %ld", s->newton_failures);
    if (s->linear_iterations) line(page, "Krylov iterations: %ld", s->linear_iterations);
    if (s->event_calls) line(page, "evaluations of events: %ld", s->event_calls);
    if (s->restarts > 1) line(page, "restarts: %ld", s->restarts);
}

/* Events, damping, loops and ledger, as far as there are any. */
static void write_rest(Page *page, const zvRunSummary *m, const ziRun *r) {
    if (r->event_total > 0) line(page, "events: %.0f", r->event_total);
    if (r->system->damped)
        line(page, "task control damped near singular positions: %ld evaluations", r->system->damped);
    if (r->system->loops) {
        const zvLoopMobility *at_end = &m->mobility;
        if (at_end->freedoms >= 0)
            line(page, "closed loops: %d conditions, %d of them redundant at the end; degrees of freedom left: %d",
                 at_end->rows, at_end->redundant, at_end->freedoms);
        line(page, "largest residual of loops: gap %.2g, rate %.2g 1/s (lengths over the robot's size)", m->loop_gap,
             m->loop_rate);
    }
    if (r->scenario->ledger) {
        line(page, "energy exchanged: %.6g J", m->exchanged);
        line(page, "energy ledger gap: %.3g J, at most %.3g J during the run (%.2g of %.6g J): %s", m->gap,
             m->largest_gap, m->largest_gap / m->reference, m->reference, zv_energy_judgement_word(m->judgement));
    } else {
        line(page, "energy: not judged, the output leaves its balance out");
    }
    for (int i = 0; i < m->limit_count; i++) {
        if (m->limits[i].saturated) line(page, "limit: %s", m->limits[i].text);
    }
    for (int i = 0; i < m->warning_count; i++) line(page, "warning: %s", m->warnings[i]);
    if (m->advice) line(page, "advice: %s", m->advice);
}

static const char *write_text(zvRunSummary *m, const ziRun *r) {
    Page page = {0};
    write_time(&page, m, r);
    write_method(&page, m, r);
    write_rest(&page, m, r);
    const char *text = page.failed ? NULL : zi_arena_text(&m->arena, page.text);
    free(page.text);
    return text;
}

/* The cause before the effect. Where the energy is wrong, links bend and spin because of it. */
static const char *advice_of(const ziRun *r) {
    const char *advice = NULL;
    if (zi_judge_energy(r) != ZV_ENERGY_WRONG) {
        advice = zi_spin_advice(&r->spin);
        if (!advice) advice = zi_bend_advice(&r->bend);
    }
    return !advice && r->integrator ? zv_integrator_advice(r->integrator) : advice;
}

/* Also of a run that failed or was interrupted: as far as it came. */
zvRunSummary *zi_run_summarize(const ziRun *r, zvStatus status, const char *failure) {
    zvRunSummary *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->t = r->t;
    m->elapsed = zi_wall_clock() - r->began;
    m->rows = r->rows;
    m->over = r->done || r->condemned;
    m->statistics = zi_run_total(r);
    m->advice = advice_of(r);
    m->ending = ending_of(m, r, status, failure);
    if (m->ending && copy_state(m, r) && copy_open(m, r) && copy_changes(m, r) && copy_events(m, r) &&
        copy_ledger(m, r) && copy_limits(m, r) && copy_warnings(m, r)) {
        copy_loops(m, r);
        m->text = write_text(m, r);
    }
    if (m->text) return m;
    zv_run_summary_destroy(m);
    return NULL;
}

zvStatus zi_run_summary_output(zvRunSummary *m, const char *path) {
    m->output = zi_arena_text(&m->arena, path);
    return path && !m->output ? ZV_MEMORY : ZV_OK;
}

void zv_run_summary_destroy(zvRunSummary *m) {
    if (!m) return;
    zv_recorder_destroy(m->kept);
    zi_arena_free(&m->arena);
    free(m);
}

/* Names and texts of the notes outlive the run. */
zvStatus zi_run_summary_keep(zvRunSummary *m, zvRecorder *recorder, int count, const zvNote *notes) {
    m->kept = recorder;
    m->notes = zi_arena_alloc(&m->arena, (size_t)count * sizeof *m->notes);
    bool enough = m->notes != NULL;
    for (int i = 0; enough && i < count; i++) {
        m->notes[i] = (zvNote){zi_arena_text(&m->arena, notes[i].name), zi_arena_text(&m->arena, notes[i].text)};
        enough = m->notes[i].name && m->notes[i].text;
    }
    m->note_count = enough ? count : 0;
    return enough ? ZV_OK : ZV_MEMORY;
}

const zvRecorder *zv_run_kept(const zvRunSummary *m) {
    ZI_REQUIRE(m);
    return m->kept;
}

zvStatus zv_run_write(const zvRunSummary *m, const char *path, zvError *error) {
    ZI_REQUIRE(m && path);
    if (m->kept) return zv_recorder_finish(m->kept, path, m->note_count, m->notes, error);
    return zv_fail(error, ZV_SCHEMA, (zvMark){0}, NULL,
                   "expected a run that keeps its recording in memory, found one that does not; set keep, and no "
                   "output");
}

/* Questions ------------------------------------------------------------------------------------------ */

/* One that an entry answers. */
#define ANSWER(type, question, entry)      \
    type question(const zvRunSummary *m) { \
        ZI_REQUIRE(m);                     \
        return m->entry;                   \
    }

ANSWER(double, zv_run_time, t)
ANSWER(const double *, zv_run_position, q)
ANSWER(const double *, zv_run_velocity, v)
ANSWER(double, zv_run_elapsed, elapsed)
ANSWER(uint64_t, zv_run_rows, rows)
ANSWER(const char *, zv_run_output, output)
ANSWER(const char *, zv_run_ending, ending)
ANSWER(bool, zv_run_is_over, over)
ANSWER(zvIntegrationStatistics, zv_run_statistics, statistics)
long zv_run_changes(const zvRunSummary *m, int *kept) {
    ZI_REQUIRE(m);
    if (kept) *kept = m->change_count;
    return m->change_total;
}
zvMethodChange zv_run_change(const zvRunSummary *m, int change) {
    ZI_REQUIRE(m);
    ZI_REQUIRE_INDEX(change, m->change_count);
    return m->changes[change];
}
ANSWER(const char *, zv_run_methods, methods)
ANSWER(const char *, zv_run_advice, advice)
ANSWER(int, zv_run_events, event_count)
zvEvent zv_run_event(const zvRunSummary *m, int event) {
    ZI_REQUIRE(m);
    ZI_REQUIRE_INDEX(event, m->event_count);
    return m->events[event];
}
ANSWER(int, zv_run_ledger_rows, ledger_count)
zvLedgerRow zv_run_ledger_row(const zvRunSummary *m, int row) {
    ZI_REQUIRE(m);
    ZI_REQUIRE_INDEX(row, m->ledger_count);
    return m->ledger[row];
}
ANSWER(double, zv_run_ledger_gap, gap)
ANSWER(double, zv_run_energy_exchanged, exchanged)
ANSWER(zvEnergyJudgement, zv_run_energy_judgement, judgement)
ANSWER(double, zv_run_largest_gap, largest_gap)
ANSWER(double, zv_run_energy_reference, reference)
ANSWER(int, zv_run_limits, limit_count)
zvLimitPass zv_run_limit(const zvRunSummary *m, int limit) {
    ZI_REQUIRE(m);
    ZI_REQUIRE_INDEX(limit, m->limit_count);
    return m->limits[limit];
}
ANSWER(int, zv_run_warnings, warning_count)
const char *zv_run_warning(const zvRunSummary *m, int warning) {
    ZI_REQUIRE(m);
    ZI_REQUIRE_INDEX(warning, m->warning_count);
    return m->warnings[warning];
}
bool zv_run_loop_is_closed(const zvRunSummary *m, int loop) {
    ZI_REQUIRE(m);
    ZI_REQUIRE_INDEX(loop, m->loops);
    return !m->open[loop];
}
ANSWER(double, zv_run_loop_gap, loop_gap)
ANSWER(double, zv_run_loop_rate, loop_rate)
ANSWER(zvLoopMobility, zv_run_mobility, mobility)
ANSWER(const char *, zv_run_text, text)
