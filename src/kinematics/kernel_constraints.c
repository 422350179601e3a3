/* Points, directions, gaps and rates of all constraints: O(n), one pass over the tree and one over the constraints. */
#include "kinematics/attachment.h"
#include "kinematics/constraint.h"
#include "kinematics/kernels.h"
#include "real/sincos.h"

/* The row at r from another one, turned to R, moving with rel against it. */
static inline void place_row(const constraint_row *up, mat3 R, vec3 r, motion rel, constraint_row *me) {
    me->R = R;
    me->p = v3_add(up->p, r);
    me->w = v3_add(up->w, rel.ang);
    me->v = v3_cross_add(up->w, r, v3_add(up->v, rel.lin));
}

/* The sections of an elastic body; v may be NULL. */
static ZI_COLD void place_sections(const ziTree *t, const ziElastic *el, const double *q, const double *v,
                                   const constraint_row *body, constraint_row *row) {
    for (int s = el->attachment; s < el->attachment + el->attachments; s++) {
        const ziAttachment *st = &t->attachment[s];
        const double *e = q + el->q;
        placed f;
        place_attachment(st, el, &body->R, e, &f, NULL);
        const motion rel = v ? attachment_rate_world(st, el, &body->R, e, v + el->v) : motion_zero();
        place_row(body, f.R, f.r, rel, &row[t->nb + s]);
    }
}

static inline void place_rows(const ziTree *t, ziScratch scratch, const double *q, const double *v,
                              constraint_row *row) {
    double *s = zi_scratch_doubles(&scratch, (size_t)t->nq), *c = zi_scratch_doubles(&scratch, (size_t)t->nq);
    sincos_array(t->nq, q, s, c);
    row[0].R = m3_identity();
    row[0].p = row[0].v = row[0].w = v3_zero();
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        const constraint_row *up = &row[b->base];
        motion S[ZV_MAX_DOF];
        placed f;
        place_body(b, &up->R, q + b->q, s + b->q, c + b->q, &f, S);
        place_row(up, f.R, f.r, v ? relative_velocity(b, S, v + b->v) : motion_zero(), &row[i]);
        if (b->elastic) place_sections(t, b->elastic, q, v, &row[i], row);
    }
}

static inline void note_constraint(const constraint_now *now, ziConstraintState *out) {
    v3_to(out->point, now->point);
    for (int k = 0; k < now->rows; k++) {
        v3_to(out->T[k], now->lin[k]);
        v3_to(out->T[k] + 3, now->ang[k]);
    }
}

void ZI_KERNEL(zi_constraints)(const ziTree *t, ziScratch scratch, const double *q, const double *v,
                               const double *targets, ziConstraintState *out) {
    constraint_row *row = zi_scratch_take(&scratch, (size_t)(t->nb + t->ns) * sizeof *row);
    place_rows(t, scratch, q, v, row);
    for (int i = 0; i < t->closed->constraints; i++) {
        const ziConstraint *constraint = &t->closed->constraint[i];
        const constraint_row *a = &row[constraint->a.row], *b = &row[constraint->b.row];
        const constraint_target target = constraint_target_of(constraint, targets, i);
        constraint_now now;
        constraint_place(constraint, a, b, &now);
        note_constraint(&now, &out[i]);
        if (constraint->kind == ZV_LOOP_COUPLING) {
            out[i].gap[0] = constraint_sum_q(constraint, q) - target.value;
            out[i].rate[0] = (v ? constraint_sum_v(constraint, v) : 0) - target.rate;
        } else {
            constraint_gap(constraint, b, &now, target, out[i].gap);
            constraint_rate(constraint, a, b, &now, target, out[i].rate);
        }
    }
}
