/* The certificate: draw a state, ask everyone, compare; then take the time. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "agree/roster.h"
#include "base/require.h"
#include "work/scratch.h"

struct zvAgreement {
    ziRoster roster;
    ziTrial trial;
    ziRecordedSet generated;
    ziArena arena;
    ziWatch watch;
    double *answers; /* of all methods of a question */
    double *median, *rounding;
    int samples, depth;
    double condition, factor;
};

/* The tests of the library allow a method to be 16 depth eps error scale from an exact answer, and see 8. Two methods
 * may then be 32 apart; robots of models/ stay below 7. */
static const double usual_factor = 32;

zvAgreeOptions zv_agree_options_default(void) {
    return (zvAgreeOptions){.samples = 100, .seed = 1, .factor = usual_factor, .timing = 0.004};
}

/* Memory ---------------------------------------------------------------------------------------------- */

/* Memory for the answers to the question that needs most. */
static bool take_roster_arrays(zvAgreement *g) {
    size_t most = 1, widest = 1;
    for (size_t k = 0; k < g->roster.questions; k++) {
        const size_t methods = (size_t)g->roster.question[k].methods, width = g->roster.contest[k].width;
        if (methods * width > most) most = methods * width;
        if (width > widest) widest = width;
    }
    g->answers = zi_arena_alloc(&g->arena, most * sizeof(double));
    g->median = zi_arena_alloc(&g->arena, widest * sizeof(double));
    g->rounding = zi_arena_alloc(&g->arena, widest * sizeof(double));
    return g->answers && g->median && g->rounding;
}

/* The lists depend on the model alone; states are drawn later. */
zvAgreement *zv_agreement_create(const zvModel *m, bool generated, zvError *error) {
    ZI_REQUIRE(m);
    const zvMark none = {0};
    if (m->nv == 0) {
        zv_fail(error, ZV_SIZE, none, "", "nothing moves: there is nothing to compare");
        return NULL;
    }
    if (m->tree.nv > ZI_SCRATCH_MATRIX_MAX) {
        zv_fail(error, ZV_SIZE, none, "",
                "methods are compared by their matrices, and %d degrees of freedom are more than %d", m->tree.nv,
                ZI_SCRATCH_MATRIX_MAX);
        return NULL;
    }
    zvAgreement *g = calloc(1, sizeof *g);
    if (g && zi_trial_create(m, &g->trial) && (!generated || zi_recorded_make(m, &g->generated))) {
        g->depth = m->tree.max_depth > 0 ? m->tree.max_depth : 1;
        g->roster.model = m;
        zi_roster_tables(&g->roster, &g->trial.ring, generated ? &g->generated : NULL);
        zi_roster_crosses(&g->roster, &g->trial.ring, generated ? &g->generated : NULL);
        zi_roster_frame(&g->roster, &g->trial.ring);
        zi_roster_slopes(&g->roster, generated ? &g->generated : NULL);
        zi_roster_closed(&g->roster);
        if (take_roster_arrays(g)) return g;
    }
    zv_agreement_destroy(g);
    zv_fail(error, ZV_MEMORY, none, "", "out of memory for the answers of all methods (%d degrees of freedom)", m->nv);
    return NULL;
}

void zv_agreement_destroy(zvAgreement *g) {
    if (!g) return;
    zi_recorded_free(&g->generated);
    zi_trial_destroy(&g->trial);
    zi_arena_free(&g->arena);
    free(g);
}

/* Comparing ------------------------------------------------------------------------------------------- */

typedef struct Answers {
    const double *at[ZI_MOST_ANSWERS]; /* NULL: none */
    int given, refused;                /* known ones are not counted */
} Answers;

static const char time_was_up[] = "not asked: the time was up";

/* *at remains NULL when there is no answer. */
static void ask_one(zvAgreement *g, int method, size_t width, double *answer, const double **at, Answers *answers) {
    ziContender *who = &g->roster.contender[method];
    for (size_t i = 0; i < width; i++) answer[i] = (double)NAN; /* what is not filled in is seen */
    const double start = zi_watch_now();
    const zvStatus status = who->answer(&g->trial, who->row, answer);
    if (status >= 0) {
        *at = answer;
        who->fastest = fmin(who->fastest, zi_watch_now() - start);
    }
    answers->given += status >= 0 && !who->known;
    answers->refused += status < 0 && status != ZV_NOT_SUPPORTED;
}

/* False: no more of this state. When the time is up in the first one, those who were not asked are told of. */
static bool ask_methods(zvAgreement *g, const zvAgreeQuestion *q, size_t width, Answers *answers) {
    *answers = (Answers){.given = 0};
    for (int k = 0; k < q->methods; k++) {
        zvAgreeMethod *method = &g->roster.method[q->method + k];
        if (method->why) continue;
        if (zi_watch_goes_on(&g->watch, g->samples))
            ask_one(g, q->method + k, width, g->answers + (size_t)k * width, &answers->at[k], answers);
        else if (g->watch.stopped || g->samples > 0)
            return false;
        else
            method->why = time_was_up;
    }
    return true;
}

/* Ulps are spacings of doubles, or of singles. */
static void note_difference(ziDifference by, const ziContest *contest, double *ulps, double *ratio) {
    *ulps = fmax(*ulps, by.ulps * (contest->epsilon > DBL_EPSILON ? DBL_EPSILON / FLT_EPSILON : 1));
    *ratio = fmax(*ratio, by.ratio);
}

/* What rounding may do to each entry, or NULL. */
static const double *expect(zvAgreement *g, const ziContest *contest) {
    if (!contest->sizes(&g->trial, g->median, g->rounding)) return NULL;
    for (size_t i = 0; i < contest->width; i++) g->rounding[i] *= g->depth * contest->epsilon;
    return g->rounding;
}

/* False: no more of this state. */
static bool compare_question(zvAgreement *g, size_t question, int sample) {
    zvAgreeQuestion *q = &g->roster.question[question];
    const ziContest *contest = &g->roster.contest[question];
    Answers answers;
    int count = 0;
    if (!ask_methods(g, q, contest->width, &answers)) return false;
    for (int k = 0; k < q->methods; k++) count += answers.at[k] != NULL;
    if (answers.given == 0) {
        q->singular += answers.refused > 0;
        return true;
    }
    zi_answers_median((size_t)q->methods, answers.at, contest->width, g->median);
    const double *rounding = expect(g, contest);
    if (!rounding && (answers.refused > 0 || !g->trial.regular)) {
        q->singular++; /* to rounding: some methods see it, some do not */
        return true;
    }
    ziDifference spread = zi_answers_spread((size_t)q->methods, answers.at, contest->width, rounding);
    if (answers.refused > 0) spread.ratio = INFINITY;
    for (int k = 0; k < q->methods; k++) {
        zvAgreeMethod *method = &g->roster.method[q->method + k];
        if (!answers.at[k]) continue;
        method->answered++;
        const ziDifference off = zi_answers_distance(answers.at[k], g->median, contest->width, rounding);
        note_difference(off, contest, &method->ulps, &method->ratio);
    }
    q->compared += count > 1;
    if (spread.ratio > q->ratio) q->worst = sample;
    note_difference(spread, contest, &q->ulps, &q->ratio);
    q->agrees = q->ratio <= g->factor;
    return true;
}

/* Timing ---------------------------------------------------------------------------------------------- */

/* Batches of twice as many calls until one is long enough, then the fastest of some. */
static double time_method(zvAgreement *g, const ziContender *who, double budget) {
    enum { BATCHES = 8 };
    const double began = zi_watch_now();
    double best = INFINITY;
    for (int calls = 1, batches = 0; batches < BATCHES;) {
        const double start = zi_watch_now();
        for (int i = 0; i < calls; i++)
            if (who->answer(&g->trial, who->row, g->answers) < 0) return 0;
        const double now = zi_watch_now();
        best = fmin(best, (now - start) / calls);
        if (now - start < budget / BATCHES && calls < 1 << 20)
            calls *= 2;
        else
            batches++;
        if (now - began > 2 * budget) break;
    }
    return best;
}

/* Whoever took longer than the budget when asked is not asked again. False: tell said stop. */
static bool take_times(zvAgreement *g, double budget) {
    for (size_t k = 0; k < g->roster.methods; k++) {
        const ziContender *who = &g->roster.contender[k];
        zvAgreeMethod *method = &g->roster.method[k];
        if (method->why || who->known || who->untimed || method->answered == 0) continue;
        zi_watch_goes_on(&g->watch, g->samples);
        if (g->watch.stopped) return false;
        method->seconds = who->fastest > budget ? who->fastest : time_method(g, who, budget);
    }
    return true;
}

/* The run --------------------------------------------------------------------------------------------- */

/* Cost in multiples of a chain's with that many joints, from which on one call takes seconds. */
static bool is_large(const zvModel *m) {
    static const double joints = 500;
    return (double)m->tree.nv * m->tree.nv * m->tree.max_depth > joints * joints * joints;
}

/* Clears what a run before this one left in the lists. */
static void clear_lists(zvAgreement *g, const zvAgreeOptions *options) {
    static const char cubic[] = "too slow for limited time: grows with the cube of the robot's size";
    const bool limited = options->seconds > 0 && is_large(g->roster.model);
    g->watch = zi_watch_start(options);
    g->samples = 0;
    g->condition = 0;
    g->factor = options->factor;
    for (size_t k = 0; k < g->roster.questions; k++) {
        zvAgreeQuestion *q = &g->roster.question[k];
        q->compared = q->singular = 0;
        q->ulps = q->ratio = 0;
        q->worst = -1;
        q->agrees = true;
    }
    for (size_t k = 0; k < g->roster.methods; k++) {
        zvAgreeMethod *method = &g->roster.method[k];
        ziContender *who = &g->roster.contender[k];
        if (who->answer) method->why = limited && who->cubic ? cubic : NULL; /* else excused for good */
        who->fastest = INFINITY;
        method->answered = 0;
        method->ulps = method->ratio = method->seconds = 0;
    }
}

static zvStatus one_state(zvAgreement *g, uint64_t seed, int index, zvError *error) {
    const zvStatus status = zi_trial_draw(&g->trial, seed, index, error);
    if (status < 0) return status;
    g->condition = fmax(g->condition, zi_trial_condition(&g->trial));
    for (size_t k = 0; k < g->roster.questions; k++)
        if (!compare_question(g, k, index)) return ZV_OK;
    g->samples++;
    return ZV_OK;
}

/* As many states as there is time for. */
static zvStatus all_states(zvAgreement *g, int *begun, zvError *error) {
    const zvAgreeOptions *o = &g->watch.options;
    double longest = 0;
    for (*begun = 0; *begun < o->samples;) {
        const double start = zi_watch_now();
        const zvStatus status = one_state(g, o->seed, (*begun)++, error);
        if (status < 0) return status;
        if (!zi_watch_goes_on(&g->watch, g->samples)) break;
        longest = fmax(longest, zi_watch_now() - start);
        if (zi_watch_ends_within(&g->watch, longest)) break; /* the next would not be done in time */
    }
    return g->watch.stopped ? ZV_INTERRUPTED : ZV_OK;
}

/* Numbers that no comparison can be made with. */
static zvStatus check_options(const zvAgreeOptions *o, zvError *error) {
    const zvMark nowhere = {0};
    if (o->samples < 1)
        return zv_fail(error, ZV_NUMBER, nowhere, "samples", "samples: expected 1 or more, found %d", o->samples);
    if (!(o->factor > 0))
        return zv_fail(error, ZV_NUMBER, nowhere, "factor", "factor: expected a positive number, found %g", o->factor);
    if (!(o->seconds >= 0))
        return zv_fail(error, ZV_NUMBER, nowhere, "seconds", "seconds: expected 0 or more, found %g", o->seconds);
    if (!(o->timing >= 0))
        return zv_fail(error, ZV_NUMBER, nowhere, "timing", "timing: expected 0 or more, found %g", o->timing);
    return ZV_OK;
}

/* Compares first; times are taken at the first state, so that they do not depend on how many there are. */
zvStatus zv_agree(const zvModel *m, zvWork *work, zvAgreement *g, const zvAgreeOptions *options, zvError *error) {
    ZI_REQUIRE(m && work && g);
    const zvAgreeOptions o = options ? *options : zv_agree_options_default();
    int begun;
    (void)m;
    const zvStatus possible = check_options(&o, error);
    if (possible < 0) return possible;
    g->trial.work = work;
    clear_lists(g, &o);
    const zvStatus status = all_states(g, &begun, error);
    if (status != ZV_OK || o.timing == 0) return status;
    if (begun > 1 && zi_trial_draw(&g->trial, o.seed, 0, error) < 0) return ZV_OK;
    return take_times(g, o.timing) ? ZV_OK : ZV_INTERRUPTED;
}

/* What came out --------------------------------------------------------------------------------------- */

bool zv_agreement_holds(const zvAgreement *g) {
    ZI_REQUIRE(g);
    bool all = true, any = false;
    for (size_t k = 0; k < g->roster.questions; k++) {
        all = all && g->roster.question[k].agrees;
        any = any || g->roster.question[k].compared > 0;
    }
    return all && any;
}

int zv_agreement_samples(const zvAgreement *g) {
    ZI_REQUIRE(g);
    return g->samples;
}
int zv_agreement_depth(const zvAgreement *g) {
    ZI_REQUIRE(g);
    return g->depth;
}
double zv_agreement_condition(const zvAgreement *g) {
    ZI_REQUIRE(g);
    return g->condition;
}
size_t zv_agreement_questions(const zvAgreement *g) {
    ZI_REQUIRE(g);
    return g->roster.questions;
}
const zvAgreeQuestion *zv_agreement_question(const zvAgreement *g, size_t k) {
    ZI_REQUIRE(g && k < g->roster.questions);
    return &g->roster.question[k];
}
const zvAgreeMethod *zv_agreement_method(const zvAgreement *g, size_t k) {
    ZI_REQUIRE(g && k < g->roster.methods);
    return &g->roster.method[k];
}
