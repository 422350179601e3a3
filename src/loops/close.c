/* Closing positions and velocities: what is nearly closed by Newton steps, what is far from it by descent. */
#include "base/require.h"
#include "loops/closed.h"
#include "loops/near.h"

#include <math.h>
#include <string.h>

/* Closing what is nearly closed, by the least motion in the sense of the mass matrix: Newton steps by the closed sweep,
 *   q := q + M^-1 G^T lambda with G M^-1 G^T lambda = -gap,      v likewise with the rates.
 * Elastic links have their stiffness added to M, so that joints move and not the light links bend: what closing bends
 * springs back, and integrators would follow vibrations that no force has caused. Steps that overshoot, as near a dead
 * centre, are halved. */

enum { MOST_STEPS = 20, MOST_HALVINGS = 6 };
static const ziAugment unbent = {0, 1}; /* s^2: any time that is long beside vibrations */
static const double slow = 1e-7;        /* of the rates that a floor may leave */
static const double passable = 1e-9;    /* where conditions were dropped: a singular position cannot be held better */

static double gap_at(const zvModel *m, zvWork *work, const zvClosing *closing, const double *q) {
    return zi_loops_left(m, work, closing, q, NULL).gap;
}

/* Moves q along a, or a part of it, to where the gap is smaller; next is (nq). false: there is no such place. */
static bool advance_closing(const zvModel *m, zvWork *work, const zvClosing *closing, double closed, double *a,
                            double *next, double *q, double *gap) {
    for (int k = 0; k <= MOST_HALVINGS; k++) {
        zv_position_add(m, q, a, next);
        const double there = gap_at(m, work, closing, next);
        if (there < *gap) {
            memcpy(q, next, (size_t)m->nq * sizeof *q);
            *gap = there;
            return true;
        }
        if (*gap <= closed) return false; /* as good as it gets */
        for (int i = 0; i < m->nv; i++) a[i] *= 0.5;
    }
    return false;
}

/* A step that makes the gap larger is halved a few times, then given up. */
zvStatus zi_newton_closed(const zvModel *m, zvWork *work, ziSweep *s, double *q, double *gap) {
    double *next = zi_scratch_doubles(&work->scratch, (size_t)m->nq),
           *a = zi_scratch_doubles(&work->scratch, (size_t)m->nv);
    s->q = q;
    const ziLeft left = zi_loops_left(m, work, s->closing, q, NULL);
    const double done = zi_done_within(left.reach), closed = zi_closed_within(left.reach);
    *gap = left.gap;
    for (int k = 0; k<MOST_STEPS && * gap> done; k++) {
        const double before = *gap;
        memset(a, 0, (size_t)m->nv * sizeof *a);
        const zvStatus status = zi_sweep_closed(m, work->scratch, s, NULL, NULL, a);
        if (status < 0) return status;
        if (!advance_closing(m, work, s->closing, closed, a, next, q, gap)) break;
        if (*gap <= closed && *gap > 0.1 * before) break; /* rounding */
    }
    if (*gap <= closed) return ZV_OK;
    return s->dropped > 0 && *gap <= passable ? ZV_DEGRADED : ZV_CLOSURE;
}

/* On failure q is as it was. */
zvStatus zi_close_near(const zvModel *m, zvWork *work, const zvClosing *closing, const unsigned char *given, double *q,
                       double *gap) {
    zvWork below = *work;
    double *start = zi_scratch_doubles(&below.scratch, (size_t)m->nq), left = 0;
    ziSweep s = {.level = ZI_CONSTRAINT_POSITIONS, .closing = closing};
    s.given = zi_free_or_locked(m, &below.scratch, given);
    if (m->tree.ne > 0) s.structure = &unbent;
    for (int i = 0; i < m->nq; i++) start[i] = q[i];
    zv_position_normalize(m, q);
    s.floor = closing ? closing->floor : 0;
    zvStatus status = m->tree.closed ? zi_newton_closed(m, &below, &s, q, &left) : ZV_OK;
    if (s.floor > 0 && status != ZV_OK) { /* it matters */
        s.floor = 0;
        status = zi_newton_closed(m, &below, &s, q, &left);
    }
    if (status < 0) memcpy(q, start, (size_t)m->nq * sizeof *q);
    if (gap) *gap = left;
    return status;
}

/* The problem is linear: further sweeps only take what rounding or a floor left. On failure v is as it was. */
zvStatus zv_close_velocity(const zvModel *m, zvWork *work, const zvClosing *closing, const double *q,
                           const unsigned char *given, double *v, double *rate) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(v, m->nv));
    if (rate) *rate = 0;
    if (!m->tree.closed) return ZV_OK;
    zvWork below = *work;
    const size_t size = (size_t)m->nv * sizeof *v;
    double *best = zi_scratch_doubles(&below.scratch, (size_t)m->nv),
           *a = zi_scratch_doubles(&below.scratch, (size_t)m->nv);
    ziSweep s = {.level = ZI_CONSTRAINT_VELOCITIES, .closing = closing, .q = q, .v = best};
    s.given = zi_free_or_locked(m, &below.scratch, given);
    if (m->tree.ne > 0) s.structure = &unbent;
    const ziLeft before = zi_loops_left(m, &below, closing, q, v);
    const double done = zi_done_within(before.reach), closed = zi_closed_within(before.reach);
    double left = before.rate, speed = 1;
    memcpy(best, v, size);
    for (int i = 0; i < m->nv; i++) speed = fmax(speed, fabs(v[i]));
    s.floor = closing ? closing->floor : 0;
    for (int k = 0; k < 4 && left > done * speed; k++) {
        if (k > 0 && left > slow * speed) s.floor = 0; /* what it leaves matters */
        memset(a, 0, size);
        const zvStatus status = zi_sweep_closed(m, below.scratch, &s, NULL, NULL, a);
        if (status < 0) return status;
        for (int i = 0; i < m->nv; i++) a[i] += best[i];
        const double there = zi_loops_left(m, &below, closing, q, a).rate;
        if (!(there < left)) {
            if (!(s.floor > 0 && left > slow * speed)) break;
            continue;
        }
        left = there;
        memcpy(best, a, size);
    }
    if (rate) *rate = left;
    const zvStatus status = left <= closed * speed                  ? ZV_OK
                            : left <= 1e-5 * speed && s.dropped > 0 ? ZV_DEGRADED
                                                                    : ZV_CLOSURE;
    if (status >= 0) memcpy(v, best, size);
    return status;
}

/* Powell's dogleg between steepest descent and Newton's step. */

static const double widest = 0.5, narrowest = 1e-9; /* trust radius: radians, or parts of the robot's size */
static const double idle = 1e-7;                    /* a step that promises less of the merit is none */

static double *doubles(ziDescent *d, int count) { return zi_scratch_doubles(&d->work.scratch, (size_t)count); }

/* Lengths count by the size of the robot, in gaps as in coordinates. Forces on the coordinates are resisted by the
 * robot's whole mass at the distance of its size. */
static void set_units(ziDescent *d) {
    const zvModel *m = d->model;
    const double mass = m->mass > 0 ? m->mass : 1, size = m->tree.closed->size;
    for (int i = 0; i < m->nv; i++) d->unit[i] = 1;
    for (int j = 0; j < m->njoint; j++) {
        const zvJointPlace place = m->joint_places[j];
        for (int k = 0; k < place.nv; k++) {
            if (zv_joint_type_v_unit(m->joints[j].type, k, ZV_QUANTITY_POSITION)[0] == 'm')
                d->unit[place.v_index + k] = size;
        }
    }
    for (int i = 0; i < m->nv; i++) d->extra[i] = mass * size * size / (d->unit[i] * d->unit[i]);
}

/* Rows with a direction of force are lengths. */
static void set_weights(ziDescent *d, const double *q) {
    const ziClosedTree *closed = d->model->tree.closed;
    ziScratch scratch = d->work.scratch;
    const ziConstraintState *state = zi_states_of_constraints(d->model, &scratch, q);
    d->closed = zi_closed_within(zi_reach_of(d->model, state));
    for (int i = 0; i < d->model->nloop; i++) {
        const ziConstraint *constraint = &closed->constraint[i];
        for (int k = 0; k < constraint->rows; k++) {
            const double *t = state[i].T[k];
            const bool length = constraint->kind != ZV_LOOP_COUPLING && (t[0] != 0 || t[1] != 0 || t[2] != 0);
            d->length[constraint->row + k] = length;
            d->weight[constraint->row + k] = length ? 1 / closed->size : 1;
        }
    }
}

/* The same targets, standing still. */
static const double *still(ziDescent *d, const zvClosing *closing) {
    if (!closing || !closing->targets) return NULL;
    double *targets = doubles(d, 3 * d->model->nloop);
    for (int i = 0; i < d->model->nloop; i++) {
        targets[3 * i] = closing->targets[3 * i];
        targets[3 * i + 1] = targets[3 * i + 2] = 0;
    }
    return targets;
}

/* Weights make lengths and angles comparable by the size of the robot. */
ziDescent zi_descent_open(const zvModel *m, const zvWork *work, const zvClosing *closing, const double *q) {
    ziDescent d = {.model = m, .work = *work, .structure = {0, 1}, .radius = 0.3};
    const int rows = m->tree.closed->loop_rows;
    double **of_rows[] = {&d.weight, &d.gap, &d.push, &d.along_c, &d.along_n};
    double **of_freedoms[] = {&d.unit, &d.extra, &d.cauchy, &d.newton, &d.step};
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; i++) *of_rows[i] = doubles(&d, rows);
    for (size_t i = 0; i < sizeof of_freedoms / sizeof *of_freedoms; i++) *of_freedoms[i] = doubles(&d, m->nv);
    d.next = doubles(&d, m->nq);
    d.length = zi_scratch_take(&d.work.scratch, (size_t)rows);
    d.closing.targets = still(&d, closing);
    d.closing.open = closing ? closing->open : NULL;
    d.closing.offsets = closing ? closing->offsets : NULL;
    set_units(&d);
    set_weights(&d, q);
    return d;
}

/* Sum of (w x)(w y) over the rows. */
static double product(const ziDescent *d, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; i < d->model->tree.closed->loop_rows; i++) sum += d->weight[i] * d->weight[i] * x[i] * y[i];
    return sum;
}

double zi_descent_merit(ziDescent *d, const double *q) {
    zv_loop_gaps(d->model, &d->work, &d->closing, q, NULL, d->gap, NULL);
    return 0.5 * product(d, d->gap, d->gap);
}

/* Down the gradient G^T w^2 gap to where the linear model is least. false: the gradient is zero. */
static bool find_cauchy(ziDescent *d, const double *q) {
    const zvModel *m = d->model;
    for (int i = 0; i < m->tree.closed->loop_rows; i++) d->push[i] = -d->weight[i] * d->weight[i] * d->gap[i];
    zv_loop_forces(m, &d->work, q, d->push, d->step);
    const zvStatus status =
        zv_structural_inverse_times(m, &d->work, q, d->given, d->extra, 0, d->structure.stiffness, d->step, d->cauchy);
    zv_loop_gaps(m, &d->work, &d->closing, q, d->cauchy, d->push, d->along_c);
    const double slope = product(d, d->gap, d->along_c), bend = product(d, d->along_c, d->along_c), t = -slope / bend;
    if (status < 0 || !(bend > 0) || !(t > 0) || !isfinite(t)) return false;
    for (int i = 0; i < m->nv; i++) d->cauchy[i] *= t;
    for (int i = 0; i < m->tree.closed->loop_rows; i++) d->along_c[i] *= t;
    return true;
}

static bool find_newton(ziDescent *d, const double *q) {
    const zvModel *m = d->model;
    ziSweep s = {
        .level = ZI_CONSTRAINT_POSITIONS, .closing = &d->closing, .q = q, .given = d->given, .extra = d->extra};
    if (m->tree.ne > 0) s.structure = &d->structure;
    memset(d->newton, 0, (size_t)m->nv * sizeof *d->newton);
    if (zi_sweep_closed(m, d->work.scratch, &s, NULL, NULL, d->newton) < 0) return false;
    zv_loop_gaps(m, &d->work, &d->closing, q, d->newton, d->push, d->along_n);
    const double left = product(d, d->gap, d->gap) + 2 * product(d, d->gap, d->along_n);
    return isfinite(left + product(d, d->along_n, d->along_n));
}

static double step_size(const ziDescent *d, const double *step) {
    double most = 0;
    for (int i = 0; i < d->model->nv; i++) most = fmax(most, fabs(step[i]) / d->unit[i]);
    return most;
}

/* How far one may go from cauchy to newton until a coordinate reaches the radius. */
static double share_of_newton(const ziDescent *d) {
    double share = 1;
    for (int i = 0; i < d->model->nv; i++) {
        const double from = d->cauchy[i], by = d->newton[i] - from, edge = d->radius * d->unit[i];
        if (fabs(from + by) > edge) share = fmin(share, ((by > 0 ? edge : -edge) - from) / by);
    }
    return fmax(share, 0);
}

/* step := c cauchy + n newton; returns what the linear model promises. */
static double promise(ziDescent *d, double c, double n) {
    double *there = d->push;
    for (int i = 0; i < d->model->tree.closed->loop_rows; i++)
        there[i] = d->gap[i] + (c != 0 ? c * d->along_c[i] : 0) + (n != 0 ? n * d->along_n[i] : 0);
    for (int i = 0; i < d->model->nv; i++)
        d->step[i] = (c != 0 ? c * d->cauchy[i] : 0) + (n != 0 ? n * d->newton[i] : 0);
    return 0.5 * (product(d, d->gap, d->gap) - product(d, there, there));
}

/* The step within the radius; what it promises, not positive: nothing is to be gained. */
static double choose_step(ziDescent *d, bool has_cauchy, bool has_newton) {
    double promised = 0;
    if (has_newton && step_size(d, d->newton) <= d->radius) promised = promise(d, 0, 1);
    if (promised > 0 || !has_cauchy) return promised;
    const double length = step_size(d, d->cauchy);
    if (has_newton && length < d->radius) {
        const double share = share_of_newton(d);
        promised = promise(d, 1 - share, share);
        if (promised > 0) return promised;
    }
    return promise(d, length > d->radius ? d->radius / length : 1, 0);
}

static void set_radius(ziDescent *d, double ratio) {
    const double length = step_size(d, d->step);
    if (!(ratio > 0.25)) d->radius = 0.25 * length;
    if (ratio > 0.75) d->radius = fmin(fmax(d->radius, 2 * length), widest);
}

/* Dogleg: the trust radius follows how well the model predicted the last step. */
double zi_descend(ziDescent *d, double *q, double enough, int *steps) {
    double merit = zi_descent_merit(d, q);
    bool fresh = true, cauchy = false, newton = false;
    d->radius = 0.3;
    for (; *steps > 0 && merit > enough && d->radius > narrowest; --*steps) {
        if (fresh) {
            zi_descent_merit(d, q);
            cauchy = find_cauchy(d, q);
            newton = find_newton(d, q);
        }
        const double promised = choose_step(d, cauchy, newton);
        if (!(promised > idle * merit)) break;
        zv_position_add(d->model, q, d->step, d->next);
        double *gap = d->gap; /* those of q are needed again when the step is refused */
        d->gap = d->push;
        const double there = zi_descent_merit(d, d->next);
        d->push = d->gap;
        d->gap = gap;
        set_radius(d, (merit - there) / promised);
        fresh = there < merit;
        if (!fresh) continue;
        merit = there;
        memcpy(q, d->next, (size_t)d->model->nq * sizeof *q);
    }
    return merit;
}

/* A start is far when gaps are more than this part of the robot's size, or angle: a run that steps from one closed
 * position to the next must not end up in another assembly. */
static const double far_gap = 1e-3;
enum { MOST_DESCENT = 200 };

/* From far: descent to where the gaps are all but closed, then Newton's steps. */
static zvStatus close_from_far(const zvModel *m, const zvWork *work, const zvClosing *closing,
                               const unsigned char *given, double *q, double *left) {
    int steps = MOST_DESCENT;
    zvWork below = *work;
    ziSweep s = {.level = ZI_CONSTRAINT_POSITIONS, .closing = closing};
    s.given = zi_free_or_locked(m, &below.scratch, given);
    if (m->tree.ne > 0) s.structure = &unbent;
    ziDescent d = zi_descent_open(m, &below, closing, q);
    d.given = s.given;
    const double rows = (double)m->tree.closed->loop_rows;
    zi_descend(&d, q, fmax(1e-12, d.closed * d.closed) * rows, &steps);
    return zi_newton_closed(m, &d.work, &s, q, left);
}

/* On failure q is as it was, and *gap what is left where it is least; ZV_SINGULAR and the like come through. */
zvStatus zv_close_position(const zvModel *m, zvWork *work, const zvClosing *closing, const unsigned char *given,
                           double *q, double *gap) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq));
    double left = 0, there;
    zvStatus status = zi_close_near(m, work, closing, given, q, &left);
    if (status == ZV_CLOSURE) {
        zvWork below = *work;
        const size_t size = (size_t)m->nq * sizeof *q;
        double *start = zi_scratch_doubles(&below.scratch, (size_t)m->nq);
        memcpy(start, q, size);
        zv_position_normalize(m, q);
        there = gap_at(m, &below, closing, q);
        if (there > far_gap) status = close_from_far(m, &below, closing, given, q, &there);
        if (status < 0) memcpy(q, start, size);
        left = fmin(left, there);
    }
    if (gap) *gap = left;
    return status;
}
