/* The default method: a non-stiff and a stiff one, changed over while the run goes on.
 *
 *   erk of order 8   as long as accuracy rules the step
 *   bdf              where stability would hold erk down and the fast modes decay
 *   dirk             where they vibrate: beyond order 2 no multistep method is stable on the imaginary axis [Hairer2]
 * V.1
 *
 * Why erk and not adams, as in [Petzold]: with its continuous extension (dop853.c) rows and events cost three calls of
 * f a step, it needs one to three times the calls of adams for a tenth of the error, and hardly anything between them:
 * the time of most problems is a third to a fifth (docs/integrators.md has the table). Its stability region is nearly a
 * half disc of radius 6, so that stability rules just where h rho comes near to that. *Differs* from [Petzold] and
 * [Shampine] also in that costs are measured, and a change that has not paid is taken back, each time for twice as
 * long.
 *
 * Members are integrators of their own, which share the caller's functions and know no events. bdf and dirk work to a
 * share of the tolerance, since errors of a run are some ten to hundred times those of a step. */
#include <math.h>
#include <string.h>

#include "base/require.h"
#include "integrate/method.h"
#include "integrate/statistics.h"

enum { NON_STIFF, STIFF, VIBRATING, MEMBERS };

/* A call of f by bdf or dirk brings linear equations and vectors of a history along: on our problems it takes 1.7 to 6,
 * and 1.1 to 3.4 times as long as one by erk. Fixed numbers, so that a run does not depend on the clock. */
static const struct {
    const char *method;
    int least, greatest, usual; /* orders */
    double share;               /* of the tolerance */
    double weight;              /* of a call of f, in the comparison of costs */
    long soon, trial;           /* steps between looks at the least; those that cost is measured by */
} rows[MEMBERS] = {{"erk", 2, 8, 8, 0.2, 1, 4, 8}, {"bdf", 1, 5, 5, 0.01, 3, 8, 48}, {"dirk", 2, 5, 5, 0.1, 2, 8, 48}};

enum {
    LATE = 16,   /* steps between looks at the most */
    START = 32,  /* steps of bdf and dirk from a first short one, of low order, to those that are worth measuring */
    SHORT = 200, /* a method left before this many steps was not worth the change */
    VOTES = 2,   /* looks in a row that must agree */
    MOST_VOTES = 128
};

/* Calls of f per unit of time that erk needs where a fast mode rules, over rho: a step of 2 to 5 / rho takes twelve. */
static const double ERK_COST = 4;
static const double INSIDE = 3.6; /* h rho from which stability rules erk */

/* What a checkpoint keeps, as doubles. */
typedef struct Kept {
    double active, changes;
    double patience; /* looks in a row that must speak for a change */
    double since;    /* steps since the last one */
    double t[ZV_CHANGES_KEPT], method[ZV_CHANGES_KEPT];
} Kept;

typedef struct Auto {
    zvIntegrator *members[MEMBERS];
    int wanted;
    int votes;                 /* looks in a row that speak for a change */
    long steps, next, between; /* since the change; when to look again; steps between looks */
    double window[3];          /* of the steps that cost is measured by: their number, calls of f, and time */
    int before;                /* the method before, */
    double cost;               /* and what it cost; 0: unknown */
    double rho;                /* at the last look */
    double erk_cost;           /* of erk over rho when it was left, as ERK_COST; 0: unknown */
} Auto;

static Auto *auto_of(const zvIntegrator *in) { return in->engine; }
static Kept *kept_of(const zvIntegrator *in) { return (Kept *)in->memory; }
static int active_of(const zvIntegrator *in) { return (int)kept_of(in)->active; }
static zvIntegrator *member_of(const zvIntegrator *in) { return auto_of(in)->members[active_of(in)]; }

/* Of the tolerance, but what is below rounding costs steps and gains nothing. */
static double share_of(const zvIntegrator *in, int k) {
    const double finest = 1e-12; /* as advice.c says */
    return in->rtol > 0 ? fmin(fmax(rows[k].share, finest / in->rtol), 1) : rows[k].share;
}

/* To its share of the tolerance; the caller's events stay outside. */
static zvIntegrator *create_member(const zvIntegrator *in, int k, zvError *error) {
    zvOde ode = in->ode;
    const double share = share_of(in, k);
    zvIntegrationOptions o = {.method = rows[k].method, .rtol = in->rtol * share, .atol = share};
    const int order = in->order < rows[k].usual ? in->order : rows[k].usual;
    o.order = order < rows[k].least ? rows[k].least : order;
    if (k == NON_STIFF && o.order == 7) o.order = 6; /* there is no erk of order 7 */
    o.scale = in->atol;
    o.step = in->step;
    o.max_step = in->max_step;
    ode.event_count = 0;
    ode.events = NULL;
    ode.guards = NULL;
    return zv_integrator_create(&ode, &o, error);
}

/* All members are made at once: nothing is allocated at a change. */
static zvStatus auto_create(zvIntegrator *in, zvError *error) {
    Auto *a = in->engine = zi_arena_alloc(&in->arena, sizeof *a);
    in->memory_count = sizeof(Kept) / sizeof(double);
    in->memory = zi_arena_alloc(&in->arena, sizeof(Kept));
    in->unwatched = true; /* it looks itself */
    if (!a || !in->memory)
        return zv_fail(error, ZV_MEMORY, (zvMark){0}, in->method->name, "out of memory for %d unknowns", in->ode.size);
    kept_of(in)->patience = VOTES;
    for (int k = 0; k < MEMBERS; k++) {
        a->members[k] = create_member(in, k, error);
        if (!a->members[k]) return error && error->status < 0 ? error->status : ZV_MEMORY;
    }
    return ZV_OK;
}

static void auto_destroy(zvIntegrator *in) {
    for (int k = 0; in->engine && k < MEMBERS; k++) zv_integrator_destroy(auto_of(in)->members[k]);
}

static const ziStepper *const natures[MEMBERS];

/* The active member's nature is the whole's. */
static void show_nature(zvIntegrator *in) { in->stepper = natures[active_of(in)]; }

/* Its own counts take in those of its library, which begins to count anew at each start. */
static void leave_member(zvIntegrator *member) {
    if (member->started) member->stepper->statistics(member, &member->counts);
    member->started = false;
}

static zvStatus start_member(zvIntegrator *in, bool anew, zvError *error) {
    zvIntegrator *member = member_of(in);
    if (anew) leave_member(member);
    member->started = true;
    member->from = member->reach = member->t = in->reach;
    show_nature(in);
    if (in->ode.adopt) in->ode.adopt(in->ode.context, member->method);
    memcpy(member->y, in->y, (size_t)in->size * sizeof *in->y);
    return member->stepper->start(member, anew, error);
}

static void note_change(zvIntegrator *in) {
    Kept *k = kept_of(in);
    const int at = (int)fmin(k->changes++, ZV_CHANGES_KEPT - 1);
    k->t[at] = in->reach;
    k->method[at] = k->active;
}

static void watch_anew(zvIntegrator *in) {
    Auto *a = auto_of(in);
    a->steps = a->votes = 0;
    a->next = a->between = rows[active_of(in)].soon;
}

static bool is_member(double k) { return k == NON_STIFF || k == STIFF || k == VIBRATING; }

/* Members' counts are the caller's by now. The method of the last start goes on: a jump of the state seldom changes
 * the stiffness. */
static zvStatus auto_start(zvIntegrator *in, bool anew, zvError *error) {
    Auto *a = auto_of(in);
    Kept *k = kept_of(in);
    if (!anew) return start_member(in, false, error);
    for (int i = 0; i < MEMBERS; i++) {
        a->members[i]->started = false;
        a->members[i]->counts = (zvIntegrationStatistics){0};
    }
    if (!is_member(k->active)) k->active = NON_STIFF;
    if (k->changes == 0) {
        note_change(in);
        k->since = SHORT;
    }
    a->wanted = active_of(in);
    a->cost = 0;
    watch_anew(in);
    return start_member(in, true, error);
}

static void measure_anew(zvIntegrator *in) { memset(auto_of(in)->window, 0, sizeof auto_of(in)->window); }

/* Changes that follow each other closely need ever more patience, those that last give it back. */
static zvStatus change_member(zvIntegrator *in, int k, zvError *error) {
    Kept *kept = kept_of(in);
    kept->patience = kept->since < SHORT ? fmin(2 * kept->patience, MOST_VOTES) : fmax(kept->patience / 2, VOTES);
    kept->since = 0;
    leave_member(member_of(in));
    auto_of(in)->before = active_of(in);
    measure_anew(in);
    kept->active = auto_of(in)->wanted = k;
    note_change(in);
    watch_anew(in);
    if (natures[k]->one_step && zi_call_project(in, in->reach, in->y))
        return zi_trouble_fail(in, "the projection", error);
    return start_member(in, true, error);
}

/* A step of the active member. */
static zvStatus step_member(zvIntegrator *in, double t_stop, zvError *error) {
    zvIntegrator *member = member_of(in);
    member->trouble = in->trouble;
    member->trouble_time = in->trouble_time;
    member->from = member->reach;
    memcpy(member->y_from, member->y, (size_t)in->size * sizeof *in->y);
    const long before = member->counts.rates;
    const zvStatus status = member->stepper->step(member, t_stop, error);
    in->trouble = member->trouble;
    in->trouble_time = member->trouble_time;
    if (status < 0 || !(member->reach > member->from)) return status;
    member->t = in->reach = member->reach;
    member->counts.last_step = member->reach - member->from;
    auto_of(in)->window[0]++;
    auto_of(in)->window[1] += (double)(member->counts.rates - before);
    auto_of(in)->window[2] += member->counts.last_step;
    memcpy(in->y, member->y, (size_t)in->size * sizeof *in->y);
    return status;
}

/* Where the active member cannot go on another may; the first failure is the one to tell. */
static zvStatus try_others(zvIntegrator *in, double t_stop, zvStatus failure) {
    const int first = active_of(in);
    const double from = in->reach;
    zvError other;
    for (int k = 0; k < MEMBERS; k++) {
        if (k == first || in->trouble == ZI_TROUBLE_GAVE_UP) continue;
        if (change_member(in, k, &other) >= 0 && step_member(in, t_stop, &other) >= 0 && in->reach > from) return ZV_OK;
    }
    return failure;
}

/* Weighted calls of f per unit of time over the last steps, starts after events among them; 0: not yet known. */
static double cost_of(const zvIntegrator *in) {
    double *w = auto_of(in)->window;
    const double trial = (double)rows[active_of(in)].trial;
    if (w[0] < trial || !(w[2] > 0)) return 0;
    for (int i = 0; w[0] >= 2 * trial && i < 3; i++) w[i] /= 2; /* what is long past counts less and less */
    return rows[active_of(in)].weight * w[1] / w[2];
}

/* Which member this look speaks for, of erk: stability rules, or not. Where the share of bdf would be below rounding
 * erk is the more exact one as long as it is stable. */
static int look_from_non_stiff(const zvIntegrator *in, const ziLook *look) {
    const bool inside = member_of(in)->counts.last_step * look->rho < INSIDE;
    if (!look->held || (inside && share_of(in, STIFF) > rows[STIFF].share)) return NON_STIFF;
    return look->turn > ZI_MOST_TURN ? STIFF : VIBRATING;
}

/* Of the others: back where erk costs less than what was measured. Where stability rules it costs ERK_COST over rho;
 * where the fast mode, well inside the stability region, spoils its errors, what it cost when it was left. */
static int look_from_stiff(const zvIntegrator *in, const ziLook *look, double cost) {
    if (cost > 0 && look->rho * fmax(ERK_COST, auto_of(in)->erk_cost) < cost) return NON_STIFF;
    if (active_of(in) == VIBRATING) return look->turn > 0 ? STIFF : VIBRATING;
    const bool held_by_vibration = look->turn < ZI_MOST_TURN && member_of(in)->counts.last_step * look->rho < 2;
    return held_by_vibration ? VIBRATING : STIFF;
}

/* Once after a change, when it is known what the method costs: whether the one before was cheaper. */
static bool did_not_pay(Auto *a, double cost) {
    if (!(a->cost > 0 && cost > 0)) return false;
    const bool paid = cost < a->cost;
    a->cost = 0;
    return !paid;
}

/* Looks that speak for another member, one after the other, make it wanted. At once: where a change has not paid, and
 * where stiffness has gone since the last look, for by the matrix of the stiffer system bdf takes errors for small. */
static void auto_look(zvIntegrator *in) {
    Auto *a = auto_of(in);
    const double cost = cost_of(in);
    const ziLook look = zi_stiffness(member_of(in));
    const int active = active_of(in);
    const bool dear = did_not_pay(a, cost);
    const int best = dear                  ? a->before
                     : active == NON_STIFF ? look_from_non_stiff(in, &look)
                                           : look_from_stiff(in, &look, cost);
    a->votes = best == active ? 0 : a->votes + 1;
    a->between = best == active ? (long)fmin(2 * (double)a->between, LATE) : rows[active].soon;
    a->next = a->steps + a->between;
    const double settled = active == NON_STIFF ? (double)rows[active].soon : START;
    if (kept_of(in)->since <= settled) measure_anew(in); /* first steps are short, and cost calls */
    const bool sudden = best == NON_STIFF && look.rho < 0.1 * a->rho;
    a->rho = look.rho;
    if (!dear && !sudden && a->votes < kept_of(in)->patience) return;
    a->wanted = best;
    if (best != active) a->cost = dear ? 0 : cost;
    if (best != active && active == NON_STIFF) a->erk_cost = cost / look.rho;
    if (sudden) a->erk_cost = 0; /* another problem */
}

/* A change is made before the step, so that states inside the last one are those of who made it. */
static zvStatus auto_step(zvIntegrator *in, double t_stop, zvError *error) {
    Auto *a = auto_of(in);
    zvStatus status = a->wanted == active_of(in) ? ZV_OK : change_member(in, a->wanted, error);
    if (status >= 0) status = step_member(in, t_stop, error);
    if (status != ZV_MEMORY && (status < 0 || !(in->reach > in->from))) status = try_others(in, t_stop, status);
    if (status < 0) return status;
    a->steps++;
    kept_of(in)->since++;
    if (in->ode.size > 0 && a->steps >= a->next) auto_look(in);
    return status;
}

static void auto_at(zvIntegrator *in, double t, double *y) { member_of(in)->stepper->at(member_of(in), t, y); }

/* Steps are counted by the caller's side alone: members have none. */
static void auto_statistics(const zvIntegrator *in, zvIntegrationStatistics *s) {
    const zvIntegrator *active = member_of(in);
    for (int k = 0; k < MEMBERS; k++) zi_statistics_add(s, &auto_of(in)->members[k]->counts);
    s->last_order = active->order;
    if (active->started) active->stepper->statistics(active, s);
}

#define NATURE(ONE_STEP, INTERPOLATES)                                                                  \
    {                                                                                                   \
        .one_step = ONE_STEP, .interpolates = INTERPOLATES, .create = auto_create, .start = auto_start, \
        .step = auto_step, .at = auto_at, .statistics = auto_statistics, .destroy = auto_destroy        \
    }

const ziStepper zi_stepper_auto = NATURE(true, true);
static const ziStepper auto_stiff = NATURE(false, true), auto_vibrating = NATURE(true, false);
static const ziStepper *const natures[MEMBERS] = {&zi_stepper_auto, &auto_stiff, &auto_vibrating};

/* The first ones are kept, the last one in the last place. */
int zv_integrator_changes(const zvIntegrator *in, zvMethodChange *changes, long *total) {
    ZI_REQUIRE(in);
    const bool is_auto = in->stepper->step == auto_step;
    const Kept *k = is_auto ? kept_of(in) : NULL;
    const int count = k ? (int)fmin(k->changes, ZV_CHANGES_KEPT) : 0;
    for (int i = 0; i < count; i++)
        changes[i] = (zvMethodChange){k->t[i], is_member(k->method[i]) ? rows[(int)k->method[i]].method : ""};
    if (total) *total = k ? (long)k->changes : 0;
    return count;
}
