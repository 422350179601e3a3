/* Momentum and kinetic energy of the whole; state of all constraints: O(n). The table of kinematics kernels of one
 * instruction set. */
#include "kinematics/attachment.h"
#include "kinematics/constraint_rows.h"
#include "kinematics/kernels.h"
#include "real/sincos.h"

/* A body, or behind all bodies a section of one. */
typedef struct MovingBody {
    mat3 R;
    vec3 p; /* origin */
    motion v;
    force h; /* of a body: momentum, angular momentum about the origin */
} MovingBody;

/* Momentum of an elastic body at row me, its sections, its first moment (world axes); returns its kinetic energy. */
static ZI_COLD real total_elastic(const ziTree *t, ziScratch scratch, const ziBody *b, const double *q, const double *v,
                                  MovingBody *me, MovingBody *row, vec3 *first) {
    real energy;
    const ziElastic *el = b->elastic;
    const double *e = q + el->q, *de = v + el->v;
    const deformed now = deformed_body(scratch, b, e, de);
    const motion own = motion_of(m3_tmulv(me->R, me->v.lin), m3_tmulv(me->R, me->v.ang));
    const force h = deformed_momentum(b, &now, own, &energy);
    me->h = force_of(m3_mulv(me->R, h.lin), m3_mulv(me->R, h.ang));
    *first = m3_mulv(me->R, now.S);
    for (int s = el->attachment; s < el->attachment + el->attachments; s++) {
        MovingBody *section = &row[t->nb + s];
        placed f;
        place_attachment(&t->attachment[s], el, &me->R, e, &f, NULL);
        section->R = f.R;
        section->p = v3_add(me->p, f.r);
        section->v = motion_add(motion_shift(me->v, f.r), attachment_rate_world(&t->attachment[s], el, &me->R, e, de));
    }
    return energy;
}

/* Compiled twice: a loop that may call somebody about an elastic body cannot keep its sums in registers. */
static ZI_HOT void add_up(const ziTree *t, ziScratch scratch, const bool bends, const double *q, const double *v,
                          double *mc, double *p, double *L, double *kinetic) {
    double *s = zi_scratch_doubles(&scratch, t->nq), *c = zi_scratch_doubles(&scratch, t->nq);
    MovingBody *row = zi_scratch_take(&scratch, (size_t)(t->nb + t->ns) * sizeof *row);
    sincos_array(t->nq, q, s, c);
    real mass = 0, energy = 0;
    vec3 first = v3_zero(), momentum = v3_zero(), spin = v3_zero();
    row[0].R = m3_identity();
    row[0].p = v3_zero();
    row[0].v = motion_zero();
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        const MovingBody *up = &row[b->base];
        MovingBody *me = &row[i];
        motion S[ZV_MAX_DOF];
        placed f;
        place_body(b, &up->R, q + b->q, s + b->q, c + b->q, &f, S);
        me->R = f.R;
        me->p = v3_add(up->p, f.r);
        me->v = motion_add(motion_shift(up->v, f.r), relative_velocity(b, S, v + b->v));
        vec3 moment;
        if (bends && b->elastic) {
            energy += total_elastic(t, scratch, b, q, v, me, row, &moment);
        } else {
            rigid I_ = world_inertia(b, f.R);
            me->h = rigid_mul(&I_, me->v);
            energy += 0.5 * force_dot(me->h, me->v);
            moment = I_.h;
        }
        mass += b->m;
        first = v3_add(first, v3_axpy(b->m, me->p, moment));
        momentum = v3_add(momentum, me->h.lin);
    }
    vec3 center = mass > 0 ? v3_scale(1 / mass, first) : v3_zero();
    for (int i = 1; i < t->nb; i++) {
        spin = v3_add(spin, v3_cross_add(v3_sub(row[i].p, center), row[i].h.lin, row[i].h.ang));
    }
    for (int d = 0; d < t->nv; d++) energy += 0.5 * t->armature[d] * v[d] * v[d];
    v3_to(mc, first);
    v3_to(p, momentum);
    v3_to(L, spin);
    *kinetic = energy;
}

void ZI_KERNEL(zi_totals)(const ziTree *t, ziScratch scratch, const double *q, const double *v, double *mc, double *p,
                          double *L, double *kinetic) {
    if (t->ne)
        add_up(t, scratch, true, q, v, mc, p, L, kinetic);
    else
        add_up(t, scratch, false, q, v, mc, p, L, kinetic);
}

/* Points, directions, gaps and rates of all constraints: O(n), one pass over the tree and one over the constraints. */

static inline void note_constraint(const constraint_now *now, ziConstraintState *out) {
    v3_to(out->point, now->point);
    for (int k = 0; k < now->rows; k++) {
        v3_to(out->T[k], now->lin[k]);
        v3_to(out->T[k] + 3, now->ang[k]);
    }
}

/* One sweep over the tree, then each constraint from the rows of its two sides. */
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

const ziKinematicsKernels ZI_KERNEL(zi_kinematics_kernels) = {
    .body_poses = ZI_KERNEL(zi_body_poses),
    .joint_poses = ZI_KERNEL(zi_joint_poses),
    .link_poses = ZI_KERNEL(zi_link_poses),
    .link_motions = ZI_KERNEL(zi_link_motions),
    .frame_pose = ZI_KERNEL(zi_frame_pose),
    .frame_motion = ZI_KERNEL(zi_frame_motion),
    .frame_jacobian = ZI_KERNEL(zi_frame_jacobian_columns),
    .frame_jacobian_rate = ZI_KERNEL(zi_frame_jacobian_rate),
    .link_jacobians = ZI_KERNEL(zi_link_jacobians),
    .centroidal_map = ZI_KERNEL(zi_centroidal_map),
    .centroidal_bias = ZI_KERNEL(zi_centroidal_bias),
    .totals = ZI_KERNEL(zi_totals),
    .constraints = ZI_KERNEL(zi_constraints),
};
