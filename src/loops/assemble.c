/* Assembling: a closed position from any guess, from random ones where that fails. */
#include "base/require.h"
#include "loops/closed.h"
#include "model/joint_type.h"
#include "zveno/dynamics.h"

#include <math.h>
#include <string.h>

/* Random positions and comparison of positions. */

static const double pi = 3.14159265358979323846;

/* splitmix64 */
double zi_guess_next(ziGuess *g) {
    uint64_t z = g->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-52 - 1;
}

/* A point of the unit ball in four dimensions, scaled: every rotation is as likely. */
static void guess_quaternion(ziGuess *g, double e[4]) {
    double square;
    do {
        square = 0;
        for (int k = 0; k < 4; k++) {
            e[k] = zi_guess_next(g);
            square += e[k] * e[k];
        }
    } while (square > 1 || square < 0.01);
    for (int k = 0; k < 4; k++) e[k] /= sqrt(square);
}

/* Limits so far apart that they mean none are narrowed to this, on either side of zero or of what is nearest to it. */
static double widest_guess(const zvJoint *described, int k, double size) {
    return zi_joint_turns(described->type, k) ? 2 * pi : 100 * size;
}

static double guess_coordinate(ziGuess *g, const zvJoint *described, int k, double size) {
    const zvDof *dof = &described->dof[k];
    const double x = zi_guess_next(g), wide = widest_guess(described, k, size);
    if (!dof->has_limits || !isfinite(dof->upper - dof->lower))
        return x * (zi_joint_turns(described->type, k) ? pi : size);
    const double half = 0.5 * (dof->upper - dof->lower), middle = 0.5 * (dof->lower + dof->upper);
    if (half <= wide) return middle + x * half;
    return fmin(fmax(0, dof->lower + wide), dof->upper - wide) + x * wide;
}

static void guess_joint(ziGuess *g, const zvJoint *described, double size, double *q) {
    const int quaternion = zi_joint_types[described->type].quaternion;
    const int plain = quaternion >= 0 ? quaternion : zv_joint_type_nq(described->type);
    if (quaternion >= 0) guess_quaternion(g, q + quaternion);
    for (int k = 0; k < plain; k++) q[k] = guess_coordinate(g, described, k, size);
}

static bool beyond(const zvModel *m, int link, int ancestor) {
    while (link > ancestor) link = m->joint_places[zv_model_link_joint(m, link)].parent; /* parents come first */
    return link == ancestor;
}

bool zi_joint_carries(const zvModel *m, int index) {
    const int moved = m->joint_places[index].child;
    if (!zi_joint_free(m->joints[index].type)) return false;
    for (int i = 0; i < m->nloop; i++) {
        const zvLoopPlace place = m->loop_places[i];
        if (m->loops[i].kind == ZV_LOOP_COUPLING) continue; /* none is of free joints */
        if (beyond(m, place.parent, moved) != beyond(m, place.child, moved)) return false;
    }
    return true;
}

/* Joint by joint; what is held, carries loops or bends stays. */
void zi_guess_position(ziGuess *g, const zvModel *m, double size, const unsigned char *held, double *q) {
    for (int j = 0; j < m->njoint; j++) {
        const zvJointPlace place = m->joint_places[j];
        double fresh[7];
        bool stays = false;
        if (place.nq == 0 || zi_joint_carries(m, j)) continue;
        guess_joint(g, &m->joints[j], size, fresh);
        for (int k = 0; held && k < place.nv; k++) stays = stays || held[place.v_index + k];
        if (stays && place.nq == place.nv) { /* the others of its freedoms are their own */
            for (int k = 0; k < place.nq; k++)
                if (!held[place.v_index + k]) q[place.q_index + k] = fresh[k];
        } else if (!stays) {
            memcpy(q + place.q_index, fresh, (size_t)place.nq * sizeof *q);
        }
    }
}

/* step (nv) := a random one, at most `most` times unit (nv); zero where given says so. */
static void guess_step(ziGuess *g, const zvModel *m, const unsigned char *given, const double *unit, double most,
                       double *step) {
    for (int i = 0; i < m->nv; i++) {
        const double x = zi_guess_next(g);
        step[i] = given && given[i] != ZV_GIVEN_FORCE ? 0 : most * unit[i] * x;
    }
}

/* Whether whole turns of the joint's coordinate k lead back to the same place, for all that follow it. */
static bool cyclic(const zvModel *m, int index, int k) {
    const zvJointType type = m->joints[index].type;
    if (zi_joint_slides(type, k)) return false;
    for (int j = 0; j < m->njoint; j++) {
        if (m->joint_places[j].mimic == index) return false;
    }
    return true;
}

/* Quaternions of opposite sign are the same rotation, cyclic angles the same modulo a turn. */
static bool same_joint(const zvModel *m, int j, const double *a, const double *b, double near) {
    const int quaternion = zi_joint_types[m->joints[j].type].quaternion, nq = m->joint_places[j].nq;
    double same = 0, opposite = 0;
    for (int k = 0; k < nq; k++) {
        double by = fabs(a[k] - b[k]);
        if (quaternion >= 0 && k >= quaternion) {
            same = fmax(same, by);
            opposite = fmax(opposite, fabs(a[k] + b[k]));
            continue;
        }
        if (cyclic(m, j, k)) by = fabs(remainder(a[k] - b[k], 2 * pi));
        if (!(by <= near)) return false;
    }
    return fmin(same, opposite) <= near;
}

/* No coordinate differs by more than `near`; whole turns and signs of quaternions do not count. */
static bool same_position(const zvModel *m, const double *a, const double *b, double near) {
    for (int j = 0; j < m->njoint; j++) {
        const zvJointPlace place = m->joint_places[j];
        if (place.nq > 0 && !same_joint(m, j, a + place.q_index, b + place.q_index, near)) return false;
    }
    for (int i = 0; i < m->nlink; i++) {
        const zvElasticPlace place = zv_model_elastic_place(m, i);
        for (int k = place.q_index; k < place.q_index + place.count; k++)
            if (!(fabs(a[k] - b[k]) <= near)) return false;
    }
    return true;
}

/* Assembling from far: descent from the guess, a few kicks where it is stuck, then fresh guesses; Newton at the end.
 * Elastic links bend only where the mechanism does not close otherwise. */

enum { MOST_KICKS = 8 };

zvAssembly zv_assembly_default(void) { return (zvAssembly){.tolerance = 1e-12, .iterations = 200, .seed = 1}; }

/* What is being tried, and the best position so far. */
typedef struct Attempt {
    ziDescent descent;
    const zvAssembly *options;
    ziGuess guess;
    double *best, merit;
    double *outside; /* a closed position beyond limits of joints */
    unsigned char *given;
} Attempt;

/* Arrays of all attempts from scratch memory, the descent's included. */
static Attempt open_attempt(const zvModel *m, const zvWork *work, const zvClosing *closing, const zvAssembly *options,
                            const double *q) {
    Attempt t = {.options = options, .guess = {options->seed}, .merit = INFINITY};
    zvWork below = *work;
    t.best = zi_scratch_doubles(&below.scratch, (size_t)m->nq);
    t.outside = zi_scratch_doubles(&below.scratch, (size_t)m->nq);
    t.given = zi_scratch_take(&below.scratch, (size_t)m->nv);
    memcpy(t.best, q, (size_t)m->nq * sizeof *q);
    t.descent = zi_descent_open(m, &below, closing, q);
    t.descent.given = t.given;
    return t;
}

/* Held freedoms are locked, and those that no loop needs; those of elastic links on demand. */
static void lock(Attempt *t, bool stiff) {
    const zvModel *m = t->descent.model;
    const unsigned char *held = t->options->held;
    for (int i = 0; i < m->nv; i++) t->given[i] = held && held[i] ? ZV_GIVEN_LOCKED : ZV_GIVEN_FORCE;
    for (int j = 0; j < m->njoint; j++) {
        const zvJointPlace place = m->joint_places[j];
        if (zi_joint_carries(m, j)) memset(t->given + place.v_index, ZV_GIVEN_LOCKED, (size_t)place.nv);
    }
    for (int i = 0; stiff && i < m->nlink; i++) {
        const zvElasticPlace place = zv_model_elastic_place(m, i);
        if (place.count) memset(t->given + place.v_index, ZV_GIVEN_LOCKED, (size_t)place.count);
    }
}

/* Newton to rounding; whether the position is closed. */
static bool close_to_rounding(Attempt *t, double *q) {
    ziDescent *d = &t->descent;
    zvWork work = d->work;
    ziSweep s = {.level = ZI_CONSTRAINT_POSITIONS, .closing = &d->closing, .given = t->given, .extra = d->extra};
    if (d->model->tree.ne > 0) s.structure = &d->structure;
    double gap;
    if (zi_newton_closed(d->model, &work, &s, q, &gap) == ZV_SINGULAR) return false;
    return gap <= fmax(t->options->tolerance, d->closed);
}

/* Down from q; kicked on where it is stuck. */
static bool try_from(Attempt *t, int steps, double *q) {
    ziDescent *d = &t->descent;
    const size_t size = (size_t)d->model->nq * sizeof *q;
    const double enough = fmax(1e-12, d->closed * d->closed) *
                          (double)d->model->tree.closed->loop_rows; /* squares: Newton does the rest */
    for (int kick = 0; steps > 0 && kick <= MOST_KICKS; kick++) {
        const double merit = zi_descend(d, q, enough, &steps);
        if (merit <= enough && close_to_rounding(t, q)) return true;
        if (merit < t->merit) {
            t->merit = merit;
            memcpy(t->best, q, size);
        }
        guess_step(&t->guess, d->model, t->given, d->unit, 0.1 * (1 + kick), d->step);
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
static double loop_gap(const ziDescent *d, int loop, bool *linear) {
    const ziConstraint *constraint = &d->model->tree.closed->constraint[loop];
    double lengths = 0, angles = 0, size = d->model->tree.closed->size;
    for (int k = constraint->row; k < constraint->row + constraint->rows; k++) {
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
    ziDescent *d = &t->descent;
    const zvModel *m = d->model;
    int worst = 0;
    double most = -1;
    bool linear = true;
    zi_descent_merit(d, q);
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

/* Whether all joints that are not held are within their limits. */
static bool within_limits(const zvModel *m, const unsigned char *held, const double *q) {
    for (int j = 0; j < m->njoint; j++) {
        const zvJointPlace place = m->joint_places[j];
        for (int k = 0; place.mimic < 0 && place.nq == place.nv && k < place.nv; k++) {
            const zvDof *dof = &m->joints[j].dof[k];
            const double x = q[place.q_index + k];
            if (!dof->has_limits || (held && held[place.v_index + k])) continue;
            if (x < dof->lower || x > dof->upper) return false;
        }
    }
    return true;
}

/* The first position within limits, else the first at all. */
static zvStatus assemble(Attempt *t, double *q, zvError *error) {
    const zvModel *m = t->descent.model;
    const size_t size = (size_t)m->nq * sizeof *q;
    bool closed = false;
    for (int k = 0; k <= t->options->restarts; k++) {
        if (k > 0) {
            memcpy(q, t->best, size);
            zi_guess_position(&t->guess, m, m->tree.closed->size, t->options->held, q);
        }
        if (!try_guess(t, q)) continue;
        if (within_limits(m, t->options->held, q)) return ZV_OK;
        if (!closed) memcpy(t->outside, q, size);
        closed = true;
    }
    memcpy(q, closed ? t->outside : t->best, size);
    return closed ? ZV_OK : cannot_close(t, q, error);
}

/* A guess that is not finite would send the descent nowhere: refused by its entry. */
zvStatus zv_assemble(const zvModel *m, zvWork *work, const zvClosing *closing, const zvAssembly *options, double *q,
                     zvError *error) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq));
    const zvAssembly usual = zv_assembly_default();
    if (!m->tree.closed) return ZV_OK;
    for (int i = 0; i < m->nq; i++) {
        if (!isfinite(q[i]))
            return zv_fail(error, ZV_NUMBER, (zvMark){0}, "q", "entry %d of the guess q is not finite", i + 1);
    }
    Attempt t = open_attempt(m, work, closing, options ? options : &usual, q);
    return assemble(&t, q, error);
}

/* Distinct closed positions from fresh guesses, as many as there is room for. */
int zv_assemblies(const zvModel *m, zvWork *work, const zvClosing *closing, const zvAssembly *options, const double *q,
                  int guesses, int capacity, double *answers) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && answers);
    zvAssembly single = options ? *options : zv_assembly_default();
    const size_t nq = (size_t)m->nq;
    int count = 0;
    single.restarts = 0;
    if (!m->tree.closed) return 0;
    for (int k = 0; k < guesses && count < capacity; k++) {
        zvWork below = *work;
        double *found = answers + (size_t)count * nq; /* room for the answer to come */
        ziGuess guess = {single.seed + (unsigned)k};
        memcpy(found, q, nq * sizeof *q);
        if (k > 0) zi_guess_position(&guess, m, m->tree.closed->size, single.held, found);
        bool fresh = zv_assemble(m, &below, closing, &single, found, NULL) == ZV_OK;
        for (int i = 0; i < count && fresh; i++) fresh = !same_position(m, answers + (size_t)i * nq, found, 1e-6);
        count += fresh;
    }
    return count;
}
