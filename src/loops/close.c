/* Closing what is nearly closed, by the least motion in the sense of the mass matrix: Newton steps by the closed sweep,
 *   q := q + M^-1 G^T lambda with G M^-1 G^T lambda = -gap,      v likewise with the rates.
 * Steps that overshoot, as near a dead centre, are halved. */
#include <math.h>
#include <string.h>

#include "loops/gaps.h"
#include "loops/sweep.h"

enum { MOST_STEPS = 20, MOST_HALVINGS = 6 };
static const double slow = 1e-7;     /* of the rates that a floor may leave */
static const double passable = 1e-9; /* where conditions were dropped: a singular position cannot be held better */

static double gap_at(const zvModel *m, zvWork *work, const zvClosing *closing, const double *q) {
    return zi_loops_left(m, work, closing, q, NULL).gap;
}

/* Moves q along a, or a part of it, to where the gap is smaller; next is (nq). false: there is no such place. */
static bool advance(const zvModel *m, zvWork *work, const zvClosing *closing, double closed, double *a, double *next,
                    double *q, double *gap) {
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
        if (!advance(m, work, s->closing, closed, a, next, q, gap)) break;
        if (*gap <= closed && *gap > 0.1 * before) break; /* rounding */
    }
    if (*gap <= closed) return ZV_OK;
    return s->dropped > 0 && *gap <= passable ? ZV_DEGRADED : ZV_CLOSURE;
}

zvStatus zv_close_position(const zvModel *m, zvWork *work, const zvClosing *closing, const unsigned char *given,
                           double *q, double *gap) {
    zvWork below = *work;
    double *start = zi_scratch_doubles(&below.scratch, (size_t)m->nq), left = 0;
    ziSweep s = {.level = ZI_CONSTRAINT_POSITIONS, .closing = closing};
    s.given = zi_free_or_locked(m, &below.scratch, given);
    memcpy(start, q, (size_t)m->nq * sizeof *q);
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

zvStatus zv_close_velocity(const zvModel *m, zvWork *work, const zvClosing *closing, const double *q,
                           const unsigned char *given, double *v, double *rate) {
    if (rate) *rate = 0;
    if (!m->tree.closed) return ZV_OK;
    zvWork below = *work;
    const size_t size = (size_t)m->nv * sizeof *v;
    double *best = zi_scratch_doubles(&below.scratch, (size_t)m->nv),
           *a = zi_scratch_doubles(&below.scratch, (size_t)m->nv);
    ziSweep s = {.level = ZI_CONSTRAINT_VELOCITIES, .closing = closing, .q = q, .v = best};
    s.given = zi_free_or_locked(m, &below.scratch, given);
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
