/* Assembling from far: descent from the guess, a few kicks where it is stuck, then fresh guesses; Newton at the end.
 * Elastic links bend only where the mechanism does not close otherwise. */
#include <math.h>
#include <string.h>

#include "loops/descent.h"
#include "loops/guess.h"

enum { MOST_KICKS = 8 };
static const double pi = 3.14159265358979323846;

zvAssembly zv_assembly_default(void) { return (zvAssembly){.tolerance = 1e-12, .iterations = 200, .seed = 1}; }

/* What is being tried, and the best position so far. */
typedef struct Attempt {
    zvDescent descent;
    const zvAssembly *options;
    zvGuess guess;
    double *best, merit;
    unsigned char *given;
} Attempt;

static Attempt open_attempt(const zvModel *m, const zvWork *work, const zvClosing *closing, const zvAssembly *options,
                            const double *q) {
    Attempt t = {.options = options, .guess = {options->seed}, .merit = INFINITY};
    zvWork below = *work;
    t.best = zv_desk_doubles(&below.desk, (size_t)m->nq);
    t.given = zv_desk_take(&below.desk, (size_t)m->nv);
    memcpy(t.best, q, (size_t)m->nq * sizeof *q);
    t.descent = zv_descent_open(m, &below, closing, q);
    t.descent.given = t.given;
    return t;
}

/* Held freedoms are locked, those of elastic links on demand. */
static void lock(Attempt *t, bool stiff) {
    const zvModel *m = t->descent.model;
    const unsigned char *held = t->options->held;
    for (int i = 0; i < m->nv; i++) t->given[i] = held && held[i] ? ZV_LOCKED : ZV_GIVEN_FORCE;
    for (int i = 0; stiff && i < m->nlink; i++) {
        const zvElasticPlace place = zv_model_elastic_place(m, i);
        if (place.count) memset(t->given + place.v_index, ZV_LOCKED, (size_t)place.count);
    }
}

/* Newton to rounding; whether the position is closed. */
static bool finish(Attempt *t, double *q) {
    zvDescent *d = &t->descent;
    zvWork work = d->work;
    zvSweep s = {.level = ZV_TIE_POSITIONS, .closing = &d->closing, .given = t->given, .extra = d->extra};
    if (d->model->tree.ne > 0) s.structure = &d->structure;
    double gap;
    return zv_newton_closed(d->model, &work, &s, q, &gap) != ZV_SINGULAR && gap <= t->options->tolerance;
}

/* Down from q; kicked on where it is stuck. */
static bool try_from(Attempt *t, int steps, double *q) {
    zvDescent *d = &t->descent;
    const size_t size = (size_t)d->model->nq * sizeof *q;
    const double enough = 1e-12 * (double)d->model->tree.closed->loop_rows; /* squares: Newton does the rest */
    for (int kick = 0; steps > 0 && kick <= MOST_KICKS; kick++) {
        const double merit = zv_descend(d, q, enough, &steps);
        if (merit <= enough && finish(t, q)) return true;
        if (merit < t->merit) {
            t->merit = merit;
            memcpy(t->best, q, size);
        }
        zv_guess_step(&t->guess, d->model, t->given, d->unit, 0.1 * (1 + kick), d->step);
        zv_position_add(d->model, q, d->step, q);
    }
    return false;
}

/* With straight links first, then with elastic ones. */
static bool try_guess(Attempt *t, double *q) {
    const zvModel *m = t->descent.model;
    const bool elastic = m->tree.ne > 0;
    const int steps = t->options->iterations;
    zv_position_normalize(m, q);
    lock(t, elastic);
    if (try_from(t, elastic ? steps / 2 : steps, q)) return true;
    if (!elastic) return false;
    lock(t, false);
    memcpy(q, t->best, (size_t)m->nq * sizeof *q);
    return try_from(t, steps - steps / 2, q);
}

/* The gap of a loop, all its linear or all its angular rows: whichever is larger for a robot of this size. */
static double loop_gap(const zvDescent *d, int loop, bool *linear) {
    const zvTie *tie = &d->model->tree.closed->tie[loop];
    double lengths = 0, angles = 0, size = d->model->tree.closed->size;
    for (int k = tie->row; k < tie->row + tie->rows; k++) {
        if (d->length[k])
            lengths = hypot(lengths, d->gap[k]);
        else
            angles = hypot(angles, d->gap[k]);
    }
    *linear = lengths >= angles * size;
    return *linear ? lengths / size : angles;
}

/* Says which loop is worst at q. */
static zvStatus cannot_close(Attempt *t, const double *q, zvError *error) {
    zvDescent *d = &t->descent;
    const zvModel *m = d->model;
    int worst = 0;
    double most = -1;
    bool linear = true;
    zv_descent_merit(d, q);
    for (int i = 0; i < m->nloop; i++) {
        bool lengths;
        const double gap = loop_gap(d, i, &lengths);
        if (!(gap > most)) continue;
        most = gap;
        worst = i;
        linear = lengths;
    }
    const zvLoop *loop = &m->loops[worst];
    const double shown = linear ? 1000 * most * m->tree.closed->size : most * 180 / pi;
    return zv_fail(error, ZV_CLOSURE, loop->mark, loop->name, "loop \"%s\" cannot close: nearest gap %.3g %s",
                   loop->name, shown, linear ? "mm" : "deg");
}

static zvStatus assemble(Attempt *t, double *q, zvError *error) {
    const zvModel *m = t->descent.model;
    if (try_guess(t, q)) return ZV_OK;
    for (int k = 0; k < t->options->restarts; k++) {
        memcpy(q, t->best, (size_t)m->nq * sizeof *q);
        zv_guess_position(&t->guess, m, m->tree.closed->size, t->options->held, q);
        if (try_guess(t, q)) return ZV_OK;
    }
    memcpy(q, t->best, (size_t)m->nq * sizeof *q);
    return cannot_close(t, q, error);
}

zvStatus zv_assemble(const zvModel *m, zvWork *work, const zvClosing *closing, const zvAssembly *options, double *q,
                     zvError *error) {
    const zvAssembly usual = zv_assembly_default();
    if (!m->tree.closed) return ZV_OK;
    Attempt t = open_attempt(m, work, closing, options ? options : &usual, q);
    return assemble(&t, q, error);
}

int zv_assemblies(const zvModel *m, zvWork *work, const zvClosing *closing, const zvAssembly *options, const double *q,
                  int guesses, int room, double *answers) {
    zvAssembly single = options ? *options : zv_assembly_default();
    const size_t nq = (size_t)m->nq;
    int count = 0;
    single.restarts = 0;
    if (!m->tree.closed) return 0;
    for (int k = 0; k < guesses && count < room; k++) {
        zvWork below = *work;
        double *found = answers + (size_t)count * nq; /* room for the answer to come */
        zvGuess guess = {single.seed + (unsigned)k};
        memcpy(found, q, nq * sizeof *q);
        if (k > 0) zv_guess_position(&guess, m, m->tree.closed->size, single.held, found);
        bool fresh = zv_assemble(m, &below, closing, &single, found, NULL) == ZV_OK;
        for (int i = 0; i < count && fresh; i++) fresh = !zv_same_position(m, answers + (size_t)i * nq, found, 1e-6);
        count += fresh;
    }
    return count;
}
