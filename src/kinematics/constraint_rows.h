/* Where the rows of a tree are and how they move, as constraints look at them: one sweep outward. */
#ifndef ZI_KINEMATICS_CONSTRAINT_ROWS_H
#define ZI_KINEMATICS_CONSTRAINT_ROWS_H

#include "kinematics/attachment.h"
#include "kinematics/constraint.h"
#include "real/sincos.h"
#include "work/scratch.h"

/* The row at r from another one, turned to R, moving with rel against it. */
static inline void place_row(const constraint_row *up, mat3 R, vec3 r, motion rel, constraint_row *me) {
    me->R = R;
    me->p = v3_add(up->p, r);
    me->w = v3_add(up->w, rel.ang);
    me->v = v3_cross_add(up->w, r, v3_add(up->v, rel.lin));
}

/* The sections of an elastic body; v may be NULL. */
static ZI_COLD void place_section_rows(const ziTree *t, const ziElastic *el, const real *q, const real *v,
                                       const constraint_row *body, constraint_row *row) {
    for (int s = el->attachment; s < el->attachment + el->attachments; s++) {
        const ziAttachment *st = &t->attachment[s];
        const real *e = q + el->q;
        placed f;
        place_attachment(st, el, &body->R, e, &f, NULL);
        const motion rel = v ? attachment_rate_world(st, el, &body->R, e, v + el->v) : motion_zero();
        place_row(body, f.R, f.r, rel, &row[t->nb + s]);
    }
}

/* Rows of all bodies and sections; without v they are at rest. */
static inline void place_rows(const ziTree *t, ziScratch scratch, const real *q, const real *v, constraint_row *row) {
    real *s = zi_scratch_array(&scratch, real, t->nq), *c = zi_scratch_array(&scratch, real, t->nq);
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
        if (b->elastic) place_section_rows(t, b->elastic, q, v, &row[i], row);
    }
}

#endif
