/* Accelerations near a singular position, as their limit along the motion.
 *
 * Where conditions become dependent for a moment, one direction w of the coordinates loses its hold: with sigma the
 * singular value that vanishes there, sigma (w.a) + bias = 0. On the branch that the mechanism is on bias vanishes with
 * sigma, and a is smooth; off it by an error e of the position or of the velocity, accelerations are wrong by
 * e / sigma, those of a position closed to rounding by eps / sigma^3. No steps of an integrator get through that.
 * But a does not depend on sigma where it is taken some way before and behind: with forces, gravity and velocity as
 * they are,
 *   a(q) = sum c_k a(q_k, v_k),     q_k = closed(q + k h v),   v_k = closed(v),    k = -4 ... -1, 1 ... 4,
 * is Lagrange's interpolation of a smooth function, whose error is (4! h^4)^2 / 8! of its eighth derivative. The branch
 * is that of the velocity: the q_k are the closed positions next to a straight line along v. */
#include "loops/closed.h"
#include "loops/near.h"
#include "loops/reduction.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum { NODES = 4 }; /* on either side */

/* Pivots in the units of their rows are squares of sigma. Below the first a state counts as near a singular position;
 * nodes must have the second at least, and a multiple of what the state has: else something else than a singular
 * position makes conditions weak, and it stays. Sigma grows with the distance, and the slower the harder links turn:
 * roundings e leave e/sigma^3 at nodes, 1e-8 of accelerations at the second, while interpolation over a longer way
 * loses more than that. */
static const double zone = 2e-2, clear = 1e-4, clearer = 4;
static const double rounding = 1e-13, allowed = 30; /* errors of a state a loop, of its size; a multiple of them */
static const double lost = 1e-8;    /* where nothing else helps, accelerations have no digits from here on */
static const double unclosed = 1e3; /* margins up to the square of this part of what loops are left open by are its */
static const double first_node = 0.04, farthest = 0.12; /* of the first node, rad or sizes of the robot */
static const double closest = 5e-4;                     /* likewise, to look for the loop in question */

typedef struct Limit {
    const zvModel *model;
    zvWork work;
    const ziSweep *at; /* the state */
    const double *tau;
    const unsigned char *locked;
    bool weak;     /* its margin says so: else nodes must have more conditions */
    double margin; /* its own; 0 for what was left out */
    ziSweep node;
    zvClosing closing;
    double *targets, *q, *v, *a, *found, *lambda; /* of the node */
    double *sum_a, *sum_found, *sum_lambda;
} Limit;

/* Memory for nodes and sums, the sums cleared. */
static Limit limit_of(const zvModel *m, const zvWork *work, const ziSweep *s, const double *tau) {
    Limit x = {.model = m, .work = *work, .at = s, .tau = tau, .weak = s->margin < zone, .node = *s};
    x.margin = x.weak ? s->margin : 0;
    ziScratch *scratch = &x.work.scratch;
    const size_t nv = (size_t)m->nv, rows = (size_t)m->tree.closed->loop_rows;
    double **vectors[] = {&x.v, &x.a, &x.found, &x.sum_a, &x.sum_found};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) *vectors[i] = zi_scratch_doubles(scratch, nv);
    x.q = zi_scratch_doubles(scratch, (size_t)m->nq);
    x.lambda = zi_scratch_doubles(scratch, rows);
    x.sum_lambda = zi_scratch_doubles(scratch, rows);
    x.locked = zi_free_or_locked(m, scratch, s->given);
    if (s->closing && s->closing->targets) x.targets = zi_scratch_doubles(scratch, 3 * (size_t)m->nloop);
    memset(x.found, 0, nv * sizeof *x.found);
    memset(x.sum_a, 0, nv * sizeof *x.sum_a);
    memset(x.sum_found, 0, nv * sizeof *x.sum_found);
    memset(x.sum_lambda, 0, rows * sizeof *x.sum_lambda);
    return x;
}

/* The state after a time t of motion along v, not closed; targets go on. */
static void go_along(Limit *x, double t) {
    const zvModel *m = x->model;
    for (int i = 0; i < m->nv; i++) x->a[i] = t * x->at->v[i];
    zv_position_add(m, x->at->q, x->a, x->q);
    memcpy(x->v, x->at->v, (size_t)m->nv * sizeof *x->v);
    x->closing = (zvClosing){.targets = x->targets};
    if (x->at->closing) {
        x->closing.open = x->at->closing->open;
        x->closing.offsets = x->at->closing->offsets;
    }
    for (int i = 0; x->targets && i < m->nloop; i++) {
        const double *from = x->at->closing->targets + 3 * i;
        x->targets[3 * i] = from[0] + t * (from[1] + 0.5 * t * from[2]);
        x->targets[3 * i + 1] = from[1] + t * from[2];
        x->targets[3 * i + 2] = from[2];
    }
    x->node.q = x->q;
    x->node.v = x->v;
    x->node.closing = &x->closing;
    x->node.lambda = x->lambda;
}

static bool is_clear(const Limit *x) { return x->node.margin > fmax(clear, clearer * x->margin); }

/* How far the directions that are weak at the state hold at time t along v, at the price of one sweep. */
static double margin_along(Limit *x, double t) {
    go_along(x, t);
    ziSweep probe = x->node;
    probe.level = ZI_CONSTRAINT_FREE;
    probe.given = x->locked;
    memset(x->a, 0, (size_t)x->model->nv * sizeof *x->a);
    const zvStatus status = zi_sweep_closed(x->model, x->work.scratch, &probe, NULL, NULL, x->a);
    x->node.weakest = probe.weakest;
    if (status < 0 || probe.dropped > x->at->dropped - !x->weak) return 0; /* nothing comes back */
    return probe.margin;
}

/* Closes the node at time t and finds its accelerations; false: it cannot be used. */
static bool visit(Limit *x, double t, double *a_given) {
    const zvModel *m = x->model;
    go_along(x, t);
    if (zi_close_near(m, &x->work, &x->closing, x->locked, x->q, NULL) < 0) return false;
    if (zv_close_velocity(m, &x->work, &x->closing, x->q, x->locked, x->v, NULL) < 0) return false;
    memcpy(x->a, a_given, (size_t)m->nv * sizeof *x->a);
    return zi_sweep_closed(m, x->work.scratch, &x->node, x->tau, x->found, x->a) >= 0 && is_clear(x);
}

static void add(int count, double k, const double *x, double *sum) {
    for (int i = 0; i < count; i++) sum[i] += k * x[i];
}

/* Weights of the nodes at +-k: (-1)^(k+1) 4!^2 / ((4-k)! (4+k)!) */
static const double weight[NODES] = {4 / 5.0, -2 / 5.0, 4 / 35.0, -1 / 70.0};

/* Sums the answers of all nodes; false: one of them cannot be used. */
static bool interpolate(Limit *x, double h, double *a_given) {
    const zvModel *m = x->model;
    for (int k = NODES; k > 0; k--) {
        for (int sign = -1; sign < 2; sign += 2) {
            if (!visit(x, sign * k * h, a_given)) return false;
            add(m->nv, weight[k - 1], x->a, x->sum_a);
            add(m->nv, weight[k - 1], x->found, x->sum_found);
            add(m->tree.closed->loop_rows, weight[k - 1], x->lambda, x->sum_lambda);
        }
    }
    return true;
}

/* The time to the first node: far enough for the weak directions, and for those that were left out, to hold. 0: there
 * is none, or the state is at rest: velocities whose squares are rounding of its accelerations a are that, and their
 * direction is any, as in difference quotients about rest. */
static double find_step(Limit *x, const double *a) {
    const double rate = x->at->v ? zi_swiftest_joint(x->model, x->at->v) : 0;
    if (!(rate * rate > DBL_EPSILON * zi_swiftest_joint(x->model, a))) return 0;
    double h = first_node / rate;
    for (int k = 0; k < 2; k++) {
        x->node.margin = fmin(margin_along(x, h), margin_along(x, -h));
        if (is_clear(x)) return h;
        if (!(x->node.margin > clearer * x->margin)) return 0;
        h *= 1.2 * sqrt(clear / x->node.margin);
        if (h * rate > farthest) return 0;
    }
    return 0;
}

/* Whether the limit differs from the answer at the state by no more than the errors of the latter: those of rounding
 * and of what the loops are left open by, over sigma^3; rates that are left change its squares of velocities. A
 * mechanism that goes by beside a singular position, its lengths being almost those of one that goes through, turns off
 * on a shorter way than that to the nodes: there its own answer, which has digits, is right, and the limit is that of
 * another mechanism. Roundings of all loops that are singular together add up: of a row of forty four-bars they are
 * more than those of one. */
static bool agrees(Limit *x, const ziSweep *s, const double *a) {
    if (!x->weak || !(s->margin > 0)) return true; /* the state's answer has no digits to compare with */
    const ziLeft left = zi_loops_left(x->model, &x->work, s->closing, s->q, s->v);
    const double rate = zi_swiftest_joint(x->model, s->v);
    const double error = rounding * x->model->nloop + left.gap;
    double off = 0, most = rate * rate;
    for (int i = 0; i < x->model->nv; i++) {
        const double reach = zi_velocity_reach(x->model, i);
        off = fmax(off, reach * fabs(x->sum_a[i] - a[i]));
        most = fmax(most, reach * fabs(x->sum_a[i]));
    }
    return off <= allowed * (error * most + left.rate * rate) / (s->margin * sqrt(s->margin));
}

/* Copies what was found into the entries that were asked for. */
static void take_answers(const Limit *x, const ziSweep *s, double *found, double *a) {
    for (int i = 0; i < x->model->nv; i++) {
        const bool moves = !s->given || s->given[i] == ZV_GIVEN_FORCE;
        if (moves) a[i] = x->sum_a[i];
        if (!moves && found) found[i] = x->sum_found[i];
    }
    if (s->lambda) memcpy(s->lambda, x->sum_lambda, (size_t)x->model->tree.closed->loop_rows * sizeof *s->lambda);
}

/* The loop whose hold is weakest a little way along no special direction. What is singular at the state is held as the
 * square of the way to it, which beside light links can still be well: the nearer, the less. -1: not a loop. */
static int weakest_beside(Limit *x) {
    ziSweep beside = *x->at;
    double *v = zi_scratch_doubles(&x->work.scratch, (size_t)x->model->nv);
    for (int i = 0; i < x->model->nv; i++) v[i] = sin(1.0 + i * i) / zi_velocity_reach(x->model, i);
    beside.v = v;
    x->at = &beside;
    double margin = 1;
    for (double h = first_node; margin > zone && h > closest; h /= 8) margin = margin_along(x, h);
    x->at = NULL;
    return x->node.weakest < 0 && x->model->nloop == 1 ? 0 : x->node.weakest;
}

/* Whether more conditions were left out than repeat others anyway. Given accelerations may leave more of them nothing
 * to do for all the time: there it is worth a look, for callers who ask, but says nothing for sure unless they know. */
static bool lacks_conditions(const ziSweep *s) {
    return s->closing && (!s->given || s->closing->singularity) && s->dropped > s->closing->redundant;
}

/* Puts the limit, if there is one, in the place of the answers at the state itself; false: they are not determined. */
static bool resolve(const zvModel *m, const zvWork *work, ziSweep *s, const double *tau, double *found, double *a) {
    Limit x = limit_of(m, work, s, tau);
    const double h = find_step(&x, a);
    if (h > 0 && interpolate(&x, h, a) && agrees(&x, s, a)) {
        take_answers(&x, s, found, a);
        if (x.node.dropped < s->dropped) s->margin = 0; /* a direction that was left out holds again on both sides */
        s->weakest = x.node.weakest;
        return true;
    }
    const bool lacks = lacks_conditions(s);
    const bool sure = lacks && (s->given ? s->closing->redundant_given : s->closing->redundant > 0);
    if (s->margin > lost && !sure) return true;
    if (s->weakest < 0 || lacks) s->weakest = weakest_beside(&x);
    return false;
}

/* Whether a condition that repeats others where loops are closed counts for itself because they are not, in a try of a
 * step or for a difference quotient: axes of a hinge that are not one by an angle hold aside by its square. There it
 * says nothing of the motion, and accelerations that obey it would be of the size of one over the angle. */
static bool holds_apart(const zvModel *m, const zvWork *work, const ziSweep *s) {
    if (!(s->margin < zone) || !s->closing || s->closing->redundant == INT_MAX || s->dropped >= s->closing->redundant)
        return false;
    zvWork below = *work;
    const double apart = unclosed * zi_loops_left(m, &below, s->closing, s->q, NULL).gap;
    return s->margin <= apart * apart;
}

/* The answer at the state, without conditions that are none, or its limit; what is singular is told. */
zvStatus zi_sweep_through(const zvModel *m, const zvWork *work, ziSweep *s, const double *tau, double *found,
                          double *a) {
    zvStatus status = zi_sweep_closed(m, work->scratch, s, tau, found, a);
    bool resolved = true;
    while (status >= 0 && holds_apart(m, work, s)) {
        s->floor = 2 * s->margin;
        status = zi_sweep_closed(m, work->scratch, s, tau, found, a);
    }
    s->floor = 0;
    if (status >= 0 && (s->margin < zone || lacks_conditions(s))) resolved = resolve(m, work, s, tau, found, a);
    if (s->closing && s->closing->singularity)
        *s->closing->singularity =
            (zvSingularity){.margin = s->margin, .loop = s->weakest, .dropped = s->dropped, .resolved = resolved};
    return status;
}
