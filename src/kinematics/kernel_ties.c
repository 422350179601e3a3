/* Points, directions, gaps and rates of all ties: O(n), one pass over the tree and one over the ties. */
#include "kinematics/kernels.h"
#include "kinematics/station.h"
#include "kinematics/tie.h"
#include "real/sincos.h"

/* The row at r from another one, turned to R, moving with rel against it. */
static inline void place_row(const tie_row *up, mat3 R, vec3 r, motion rel, tie_row *me) {
    me->R = R;
    me->p = v3_add(up->p, r);
    me->w = v3_add(up->w, rel.ang);
    me->v = v3_cross_add(up->w, r, v3_add(up->v, rel.lin));
}

/* The sections of an elastic body; v may be NULL. */
static ZV_COLD void place_sections(const zvTree *t, const zvElastic *el, const double *q, const double *v,
                                   const tie_row *body, tie_row *row) {
    for (int s = el->station; s < el->station + el->stations; s++) {
        const zvStation *st = &t->station[s];
        const double *e = q + el->q;
        placed f;
        place_station(st, el, &body->R, e, &f, NULL);
        const motion rel = v ? station_rate_world(st, el, &body->R, e, v + el->v) : motion_zero();
        place_row(body, f.R, f.r, rel, &row[t->nb + s]);
    }
}

static inline void place_rows(const zvTree *t, zvDesk desk, const double *q, const double *v, tie_row *row) {
    double *s = zv_desk_doubles(&desk, (size_t)t->nq), *c = zv_desk_doubles(&desk, (size_t)t->nq);
    sincos_array(t->nq, q, s, c);
    row[0].R = m3_identity();
    row[0].p = row[0].v = row[0].w = v3_zero();
    for (int i = 1; i < t->nb; i++) {
        const zvBody *b = &t->body[i];
        const tie_row *up = &row[b->base];
        motion S[ZV_MAX_DOF];
        placed f;
        place_body(b, &up->R, q + b->q, s + b->q, c + b->q, &f, S);
        place_row(up, f.R, f.r, v ? relative_velocity(b, S, v + b->v) : motion_zero(), &row[i]);
        if (b->elastic) place_sections(t, b->elastic, q, v, &row[i], row);
    }
}

static inline void note_tie(const tie_now *now, zvTieState *out) {
    v3_to(out->point, now->point);
    for (int k = 0; k < now->rows; k++) {
        v3_to(out->T[k], now->lin[k]);
        v3_to(out->T[k] + 3, now->ang[k]);
    }
}

void ZV_KERNEL(zv_ties)(const zvTree *t, zvDesk desk, const double *q, const double *v, const double *targets,
                        zvTieState *out) {
    tie_row *row = zv_desk_take(&desk, (size_t)(t->nb + t->ns) * sizeof *row);
    place_rows(t, desk, q, v, row);
    for (int i = 0; i < t->closed->ties; i++) {
        const zvTie *tie = &t->closed->tie[i];
        const tie_row *a = &row[tie->a.row], *b = &row[tie->b.row];
        const tie_target target = tie_target_of(tie, targets, i);
        tie_now now;
        tie_place(tie, a, b, &now);
        note_tie(&now, &out[i]);
        if (tie->kind == ZV_LOOP_COUPLING) {
            out[i].gap[0] = tie_sum_q(tie, q) - target.value;
            out[i].rate[0] = (v ? tie_sum_v(tie, v) : 0) - target.rate;
        } else {
            tie_gap(tie, b, &now, target, out[i].gap);
            tie_rate(tie, a, b, &now, target, out[i].rate);
        }
    }
}
