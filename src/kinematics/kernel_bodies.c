/* Poses and velocities of all bodies; momentum and kinetic energy of the whole: O(n). */
#include "kinematics/kernels.h"
#include "kinematics/outward.h"
#include "real/sincos.h"

void ZV_KERNEL(zv_body_poses)(const zvTree *t, zvDesk desk, const double *q, zvPlacement *out) {
    double *s = zv_desk_doubles(&desk, t->nq), *c = zv_desk_doubles(&desk, t->nq);
    sincos_array(t->nq, q, s, c);
    m3_to(out[0].R, m3_identity());
    v3_to(out[0].p, v3_zero());
    for (int i = 1; i < t->nb; i++) {
        const zvBody *b = &t->body[i];
        motion S[ZV_MAX_DOF];
        mat3 Rp = m3_of(out[b->parent].R);
        placed f;
        place_body(b, &Rp, q + b->q, s + b->q, c + b->q, &f, S);
        m3_to(out[i].R, f.R);
        v3_to(out[i].p, v3_add(v3_of(out[b->parent].p), f.r));
    }
}

void ZV_KERNEL(zv_body_motions)(const zvTree *t, zvDesk desk, const double *q, const double *v, zvPlacement *out,
                                double *velocities) {
    double *s = zv_desk_doubles(&desk, t->nq), *c = zv_desk_doubles(&desk, t->nq);
    sincos_array(t->nq, q, s, c);
    m3_to(out[0].R, m3_identity());
    v3_to(out[0].p, v3_zero());
    v3_to(velocities, v3_zero());
    v3_to(velocities + 3, v3_zero());
    for (int i = 1; i < t->nb; i++) {
        const zvBody *b = &t->body[i];
        const double *up = velocities + 6 * b->parent;
        double *me = velocities + 6 * i;
        motion S[ZV_MAX_DOF];
        mat3 Rp = m3_of(out[b->parent].R);
        placed f;
        place_body(b, &Rp, q + b->q, s + b->q, c + b->q, &f, S);
        motion x = motion_shift(motion_of(v3_of(up), v3_of(up + 3)), f.r);
        x = motion_add(x, relative_velocity(b, S, v + b->v));
        m3_to(out[i].R, f.R);
        v3_to(out[i].p, v3_add(v3_of(out[b->parent].p), f.r));
        v3_to(me, x.lin);
        v3_to(me + 3, x.ang);
    }
}

typedef struct Row {
    mat3 R;
    vec3 p; /* origin */
    motion v;
    force h; /* momentum, angular momentum about the origin */
} Row;

void ZV_KERNEL(zv_totals)(const zvTree *t, zvDesk desk, const double *q, const double *v, double *mc, double *p,
                          double *L, double *kinetic) {
    double *s = zv_desk_doubles(&desk, t->nq), *c = zv_desk_doubles(&desk, t->nq);
    Row *row = zv_desk_take(&desk, (size_t)t->nb * sizeof *row);
    sincos_array(t->nq, q, s, c);
    real mass = 0, energy = 0;
    vec3 first = v3_zero(), momentum = v3_zero(), spin = v3_zero();
    row[0].R = m3_identity();
    row[0].p = v3_zero();
    row[0].v = motion_zero();
    for (int i = 1; i < t->nb; i++) {
        const zvBody *b = &t->body[i];
        const Row *up = &row[b->parent];
        Row *me = &row[i];
        motion S[ZV_MAX_DOF];
        placed f;
        place_body(b, &up->R, q + b->q, s + b->q, c + b->q, &f, S);
        me->R = f.R;
        me->p = v3_add(up->p, f.r);
        me->v = motion_add(motion_shift(up->v, f.r), relative_velocity(b, S, v + b->v));
        rigid I_ = world_inertia(b, f.R);
        me->h = rigid_mul(&I_, me->v);
        energy += 0.5 * force_dot(me->h, me->v);
        mass += b->m;
        first = v3_add(first, v3_axpy(b->m, me->p, I_.h));
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
