/* The default method: a non-stiff and a stiff one, changed over while the run goes on.
 *
 *   adams   as long as accuracy rules the step
 *   bdf     where stability would hold adams down and the fast modes decay
 *   dirk    where they vibrate: beyond order 2 no multistep method is stable on the imaginary axis [Hairer2] V.1
 *
 * The pair and the idea of comparing what both would cost are Petzold's [Petzold]; that stability and not accuracy
 * rules a step is judged by h rho and by the derivatives of the method's polynomial (advice.c), as [Shampine] judges by
 * the steps that stability and accuracy allow. *Differs*: the cost of the active method is measured, in rates per unit
 * of time, and a change that has not paid is taken back, each time for twice as long.
 *
 * Members are integrators of their own, which share the caller's functions and know no events. They work to a share of
 * the tolerance, since errors of a run are some ten to hundred times those of a step. */
#include <math.h>
#include <string.h>

#include "base/require.h"
#include "integrate/method.h"
#include "integrate/statistics.h"

enum { NON_STIFF, STIFF, VIBRATING, MEMBERS };

static const struct {
    const char *method;
    int least, greatest, usual; /* orders */
    double share;               /* of the tolerance */
} rows[MEMBERS] = {{"adams", 1, 12, 12, 0.01}, {"bdf", 1, 5, 5, 0.02}, {"dirk", 2, 5, 5, 0.15}};

enum {
    LOOK_SOON = 8,  /* steps between looks when something was seen */
    LOOK_LATE = 64, /* and when nothing was for long */
    TRIAL = 48,     /* steps after which a change must have paid */
    SHORT = 200,    /* a method left before this many steps was not worth the change */
    VOTES = 2,      /* looks in a row that must agree */
    MOST_VOTES = 128
};

/* Rates per unit of time that adams needs where stability rules, over rho: a step of 0.3 / rho takes two. */
static const double ADAMS_COST = 6;

/* cos 2a of a mode that decays at the angle a of the negative real axis: bdf of order 4 is stable up to 73 degrees. */
static const double MOST_TURN = -0.8;

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
    long settled_rates;        /* since when cost is measured */
    double settled, cost;      /* its time; what the method before cost, 0: unknown */
    long failures;             /* of the corrector, at the last look */
} Auto;

static Auto *auto_of(const zvIntegrator *in) { return in->engine; }
static Kept *kept_of(const zvIntegrator *in) { return (Kept *)in->memory; }
static int active_of(const zvIntegrator *in) { return (int)kept_of(in)->active; }
static zvIntegrator *member_of(const zvIntegrator *in) { return auto_of(in)->members[active_of(in)]; }

/* To its share of the tolerance; the caller's events stay outside. */
static zvIntegrator *create_member(const zvIntegrator *in, int k, zvError *error) {
    zvOde ode = in->ode;
    zvIntegrationOptions o = {.method = rows[k].method, .rtol = in->rtol * rows[k].share, .atol = rows[k].share};
    const int order = in->order < rows[k].usual ? in->order : rows[k].usual;
    o.order = order < rows[k].least ? rows[k].least : order;
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

static const ziStepper auto_of_one_step;

/* The active member's nature is the whole's. */
static void show_nature(zvIntegrator *in) {
    in->stepper = member_of(in)->stepper->one_step ? &auto_of_one_step : &zi_stepper_auto;
}

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
    memcpy(member->y, in->y, (size_t)in->size * sizeof *in->y);
    show_nature(in);
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
    a->next = a->between = LOOK_SOON;
    a->settled_rates = 0;
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
    a->failures = 0;
    watch_anew(in);
    return start_member(in, true, error);
}

/* Changes that follow each other closely need ever more patience, those that last give it back. */
static zvStatus change_member(zvIntegrator *in, int k, zvError *error) {
    Kept *kept = kept_of(in);
    kept->patience = kept->since < SHORT ? fmin(2 * kept->patience, MOST_VOTES) : fmax(kept->patience / 2, VOTES);
    kept->since = 0;
    leave_member(member_of(in));
    kept->active = auto_of(in)->wanted = k;
    auto_of(in)->failures = 0;
    note_change(in);
    watch_anew(in);
    return start_member(in, true, error);
}

/* A step of the active member. */
static zvStatus step_member(zvIntegrator *in, double t_stop, zvError *error) {
    zvIntegrator *member = member_of(in);
    member->trouble = in->trouble;
    member->trouble_time = in->trouble_time;
    member->from = member->reach;
    const zvStatus status = member->stepper->step(member, t_stop, error);
    in->trouble = member->trouble;
    in->trouble_time = member->trouble_time;
    if (status < 0 || !(member->reach > member->from)) return status;
    member->t = in->reach = member->reach;
    member->counts.last_step = member->reach - member->from;
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

/* Rates per unit of time since the method has left its start behind; 0: not yet known. */
static double cost_of(const zvIntegrator *in) {
    const Auto *a = auto_of(in);
    const zvIntegrator *member = member_of(in);
    if (a->settled_rates == 0 || !(member->reach > a->settled)) return 0;
    return (double)(member->counts.rates - a->settled_rates) / (member->reach - a->settled);
}

/* From here on cost is measured. */
static void settle(zvIntegrator *in) {
    auto_of(in)->settled_rates = member_of(in)->counts.rates;
    auto_of(in)->settled = member_of(in)->reach;
}

/* The corrector of adams fails where its iteration does not contract, h rho above one. */
static bool corrector_fails(const zvIntegrator *in) {
    Auto *a = auto_of(in);
    zvIntegrationStatistics s = {0};
    member_of(in)->stepper->statistics(member_of(in), &s);
    const long fresh = s.newton_failures - a->failures;
    a->failures = s.newton_failures;
    return (double)fresh > 0.05 * (double)a->between;
}

/* Which member this look speaks for. */
static int look_from_non_stiff(const zvIntegrator *in, const ziLook *look) {
    if (!look->slow && !corrector_fails(in)) return NON_STIFF;
    return look->turn > MOST_TURN ? STIFF : VIBRATING;
}

/* Back where adams is stable at a cost below that measured, or where the change has not paid. */
static int look_from_stiff(zvIntegrator *in, const ziLook *look, double cost) {
    Auto *a = auto_of(in);
    if (a->cost > 0 && a->steps >= TRIAL && cost > 0) {
        const bool paid = cost < a->cost;
        a->cost = 0;
        if (!paid) {
            a->votes = MOST_VOTES;
            return NON_STIFF;
        }
    }
    if (cost > 0 && look->rho * ADAMS_COST < cost) return NON_STIFF;
    if (active_of(in) == VIBRATING) return look->turn > 0 ? STIFF : VIBRATING;
    const bool held_by_vibration = look->turn < MOST_TURN && member_of(in)->counts.last_step * look->rho < 2;
    return held_by_vibration ? VIBRATING : STIFF;
}

/* Looks that speak for another member, one after the other, make it wanted. */
static void auto_look(zvIntegrator *in) {
    Auto *a = auto_of(in);
    const double cost = cost_of(in);
    const ziLook look = zi_stiffness(member_of(in));
    const int active = active_of(in);
    const int best = active == NON_STIFF ? look_from_non_stiff(in, &look) : look_from_stiff(in, &look, cost);
    a->votes = best == active ? 0 : a->votes + 1;
    a->between = best == active ? (long)fmin(2 * (double)a->between, LOOK_LATE) : LOOK_SOON;
    a->next = a->steps + a->between;
    settle(in);
    if (a->votes < kept_of(in)->patience) return;
    a->wanted = best;
    a->cost = active == NON_STIFF ? cost : 0;
}

/* A change is made before the step, so that states inside the last one are those of who made it. */
static zvStatus auto_step(zvIntegrator *in, double t_stop, zvError *error) {
    Auto *a = auto_of(in);
    zvStatus status = a->wanted == active_of(in) ? ZV_OK : change_member(in, a->wanted, error);
    if (status >= 0) status = step_member(in, t_stop, error);
    if (status < 0 && status != ZV_MEMORY) status = try_others(in, t_stop, status);
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

const ziStepper zi_stepper_auto = {.one_step = false,
                                   .interpolates = true,
                                   .create = auto_create,
                                   .start = auto_start,
                                   .step = auto_step,
                                   .at = auto_at,
                                   .statistics = auto_statistics,
                                   .destroy = auto_destroy};

static const ziStepper auto_of_one_step = {.one_step = true,
                                           .interpolates = false,
                                           .create = auto_create,
                                           .start = auto_start,
                                           .step = auto_step,
                                           .at = auto_at,
                                           .statistics = auto_statistics,
                                           .destroy = auto_destroy};

/* The first ones are kept, the last one in the last place. */
int zv_integrator_changes(const zvIntegrator *in, zvMethodChange *changes, long *total) {
    ZI_REQUIRE(in);
    const bool is_auto = in->stepper == &zi_stepper_auto || in->stepper == &auto_of_one_step;
    const Kept *k = is_auto ? kept_of(in) : NULL;
    const int count = k ? (int)fmin(k->changes, ZV_CHANGES_KEPT) : 0;
    for (int i = 0; i < count; i++)
        changes[i] = (zvMethodChange){k->t[i], is_member(k->method[i]) ? rows[(int)k->method[i]].method : ""};
    if (total) *total = k ? (long)k->changes : 0;
    return count;
}
