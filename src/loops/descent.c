/* Powell's dogleg between steepest descent and Newton's step. */
#include "loops/descent.h"

#include <math.h>
#include <string.h>

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
    const ziConstraintState *state = zi_tie_states(d->model, &scratch, q);
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

static double size_of(const ziDescent *d, const double *step) {
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
    if (has_newton && size_of(d, d->newton) <= d->radius) promised = promise(d, 0, 1);
    if (promised > 0 || !has_cauchy) return promised;
    const double length = size_of(d, d->cauchy);
    if (has_newton && length < d->radius) {
        const double share = share_of_newton(d);
        promised = promise(d, 1 - share, share);
        if (promised > 0) return promised;
    }
    return promise(d, length > d->radius ? d->radius / length : 1, 0);
}

static void set_radius(ziDescent *d, double ratio) {
    const double length = size_of(d, d->step);
    if (!(ratio > 0.25)) d->radius = 0.25 * length;
    if (ratio > 0.75) d->radius = fmin(fmax(d->radius, 2 * length), widest);
}

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
