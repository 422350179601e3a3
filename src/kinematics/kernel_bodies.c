/* Poses and velocities of all bodies; momentum and kinetic energy of the whole: O(n). */
#include "kinematics/deformed.h"
#include "kinematics/kernels.h"
#include "real/sincos.h"

/* Bodies are the caller's rows, sections of elastic bodies follow them on the desk: what a joint sits on is one of
 * either. */
static inline const zvPlacement *base_of(const zvTree *t, const zvBody *b, const zvPlacement *bodies,
                                         const zvPlacement *sections) {
    return b->base < t->nb ? &bodies[b->base] : &sections[b->base - t->nb];
}

/* The sections of a body at row `body` that moves with me (6); without v only their poses. rates is (ns x 6). */
static ZV_COLD void place_sections(const zvTree *t, const zvElastic *el, const double *q, const double *v,
                                   const zvPlacement *body, const double *me, zvPlacement *sections, double *rates) {
    const mat3 R = m3_of(body->R);
    const double *e = q + el->q;
    for (int s = el->station; s < el->station + el->stations; s++) {
        const zvStation *st = &t->station[s];
        placed f;
        place_station(st, el, &R, e, &f, NULL);
        m3_to(sections[s].R, f.R);
        v3_to(sections[s].p, v3_add(v3_of(body->p), f.r));
        if (!v) continue;
        const motion x = motion_shift(motion_of(v3_of(me), v3_of(me + 3)), f.r);
        const motion moved = motion_add(x, station_rate_world(st, el, &R, e, v + el->v));
        v3_to(rates + 6 * s, moved.lin);
        v3_to(rates + 6 * s + 3, moved.ang);
    }
}

void ZV_KERNEL(zv_body_poses)(const zvTree *t, zvDesk desk, const double *q, zvPlacement *out) {
    double *s = zv_desk_doubles(&desk, t->nq), *c = zv_desk_doubles(&desk, t->nq);
    zvPlacement *sections = zv_desk_take(&desk, (size_t)t->ns * sizeof *sections);
    sincos_array(t->nq, q, s, c);
    m3_to(out[0].R, m3_identity());
    v3_to(out[0].p, v3_zero());
    for (int i = 1; i < t->nb; i++) {
        const zvBody *b = &t->body[i];
        const zvPlacement *up = base_of(t, b, out, sections);
        motion S[ZV_MAX_DOF];
        mat3 Rp = m3_of(up->R);
        placed f;
        place_body(b, &Rp, q + b->q, s + b->q, c + b->q, &f, S);
        m3_to(out[i].R, f.R);
        v3_to(out[i].p, v3_add(v3_of(up->p), f.r));
        if (b->elastic) place_sections(t, b->elastic, q, NULL, &out[i], NULL, sections, NULL);
    }
}

void ZV_KERNEL(zv_body_motions)(const zvTree *t, zvDesk desk, const double *q, const double *v, zvPlacement *out,
                                double *velocities) {
    double *s = zv_desk_doubles(&desk, t->nq), *c = zv_desk_doubles(&desk, t->nq);
    zvPlacement *sections = zv_desk_take(&desk, (size_t)t->ns * sizeof *sections);
    double *rates = zv_desk_doubles(&desk, 6 * (size_t)t->ns);
    sincos_array(t->nq, q, s, c);
    m3_to(out[0].R, m3_identity());
    v3_to(out[0].p, v3_zero());
    v3_to(velocities, v3_zero());
    v3_to(velocities + 3, v3_zero());
    for (int i = 1; i < t->nb; i++) {
        const zvBody *b = &t->body[i];
        const zvPlacement *base = base_of(t, b, out, sections);
        const double *up = b->base < t->nb ? velocities + 6 * b->base : rates + 6 * (b->base - t->nb);
        double *me = velocities + 6 * i;
        motion S[ZV_MAX_DOF];
        mat3 Rp = m3_of(base->R);
        placed f;
        place_body(b, &Rp, q + b->q, s + b->q, c + b->q, &f, S);
        motion x = motion_shift(motion_of(v3_of(up), v3_of(up + 3)), f.r);
        x = motion_add(x, relative_velocity(b, S, v + b->v));
        m3_to(out[i].R, f.R);
        v3_to(out[i].p, v3_add(v3_of(base->p), f.r));
        v3_to(me, x.lin);
        v3_to(me + 3, x.ang);
        if (b->elastic) place_sections(t, b->elastic, q, v, &out[i], me, sections, rates);
    }
}

/* A body, or behind all bodies a section of one. */
typedef struct Row {
    mat3 R;
    vec3 p; /* origin */
    motion v;
    force h; /* of a body: momentum, angular momentum about the origin */
} Row;

/* Momentum of an elastic body at row me, its sections, its first moment (world axes); returns its kinetic energy. */
static ZV_COLD real total_elastic(const zvTree *t, zvDesk desk, const zvBody *b, const double *q, const double *v,
                                  Row *me, Row *row, vec3 *first) {
    real energy;
    const zvElastic *el = b->elastic;
    const double *e = q + el->q, *de = v + el->v;
    const deformed now = deformed_body(desk, b, e, de);
    const motion own = motion_of(m3_tmulv(me->R, me->v.lin), m3_tmulv(me->R, me->v.ang));
    const force h = deformed_momentum(b, &now, own, &energy);
    me->h = force_of(m3_mulv(me->R, h.lin), m3_mulv(me->R, h.ang));
    *first = m3_mulv(me->R, now.S);
    for (int s = el->station; s < el->station + el->stations; s++) {
        Row *section = &row[t->nb + s];
        placed f;
        place_station(&t->station[s], el, &me->R, e, &f, NULL);
        section->R = f.R;
        section->p = v3_add(me->p, f.r);
        section->v = motion_add(motion_shift(me->v, f.r), station_rate_world(&t->station[s], el, &me->R, e, de));
    }
    return energy;
}

/* Compiled twice: a loop that may call somebody about an elastic body cannot keep its sums in registers. */
static ZV_HOT void add_up(const zvTree *t, zvDesk desk, const bool bends, const double *q, const double *v, double *mc,
                          double *p, double *L, double *kinetic) {
    double *s = zv_desk_doubles(&desk, t->nq), *c = zv_desk_doubles(&desk, t->nq);
    Row *row = zv_desk_take(&desk, (size_t)(t->nb + t->ns) * sizeof *row);
    sincos_array(t->nq, q, s, c);
    real mass = 0, energy = 0;
    vec3 first = v3_zero(), momentum = v3_zero(), spin = v3_zero();
    row[0].R = m3_identity();
    row[0].p = v3_zero();
    row[0].v = motion_zero();
    for (int i = 1; i < t->nb; i++) {
        const zvBody *b = &t->body[i];
        const Row *up = &row[b->base];
        Row *me = &row[i];
        motion S[ZV_MAX_DOF];
        placed f;
        place_body(b, &up->R, q + b->q, s + b->q, c + b->q, &f, S);
        me->R = f.R;
        me->p = v3_add(up->p, f.r);
        me->v = motion_add(motion_shift(up->v, f.r), relative_velocity(b, S, v + b->v));
        vec3 moment;
        if (bends && b->elastic) {
            energy += total_elastic(t, desk, b, q, v, me, row, &moment);
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

void ZV_KERNEL(zv_totals)(const zvTree *t, zvDesk desk, const double *q, const double *v, double *mc, double *p,
                          double *L, double *kinetic) {
    if (t->ne)
        add_up(t, desk, true, q, v, mc, p, L, kinetic);
    else
        add_up(t, desk, false, q, v, mc, p, L, kinetic);
}
