/* Matrices that take the velocities of all joints: Jacobians of all links, the centroidal momentum matrix; and the rate
 * of momentum without accelerations. One outward and one inward sweep at most; world axes; rigid trees. */
#include "kinematics/kernels.h"
#include "kinematics/outward.h"
#include "real/pack.h"
#include "real/sincos.h"

/* -- Jacobians of all links ------------------------------------------------------------------------------------- */

/* PACK columns of J from `d` on, seen from the point r away, to X; both (6 x nv). */
static ZI_HOT void shift_pack(size_t nv, size_t d, const double *J, vec3 r, double *X) {
    const pack rx = pack_like(v3_x(r)), ry = pack_like(v3_y(r)), rz = pack_like(v3_z(r));
    const pack a = pack_of(J + 3 * nv + d), b = pack_of(J + 4 * nv + d), c = pack_of(J + 5 * nv + d);
    pack_to(X + d, (pack_of(J + d) + b * rz) - c * ry);
    pack_to(X + nv + d, (pack_of(J + nv + d) + c * rx) - a * rz);
    pack_to(X + 2 * nv + d, (pack_of(J + 2 * nv + d) + a * ry) - b * rx);
    pack_to(X + 3 * nv + d, a);
    pack_to(X + 4 * nv + d, b);
    pack_to(X + 5 * nv + d, c);
}

/* All columns, those that are zero with the others: that takes less than to clear them row by row. The last pack
 * overlaps the one before it; few columns go by way of wider rows. */
static inline void shift_columns(size_t nv, const double *J, vec3 r, double *X) {
    if (nv >= PACK) {
        for (size_t d = 0; d + PACK < nv; d += PACK) shift_pack(nv, d, J, r, X);
        shift_pack(nv, nv - PACK, J, r, X);
        return;
    }
    double from[6 * PACK] = {0}, to[6 * PACK];
    for (size_t i = 0; i < 6; i++) memcpy(from + i * PACK, J + i * nv, nv * sizeof *J);
    shift_pack(PACK, 0, from, r, to);
    for (size_t i = 0; i < 6; i++) memcpy(X + i * nv, to + i * PACK, nv * sizeof *X);
}

static inline void clear_columns(size_t nv, double *X) { memset(X, 0, 6 * nv * sizeof *X); }

static inline void set_column(size_t nv, size_t d, vec3 lin, vec3 ang, double *X) {
    X[d] = v3_x(lin);
    X[nv + d] = v3_y(lin);
    X[2 * nv + d] = v3_z(lin);
    X[3 * nv + d] = v3_x(ang);
    X[4 * nv + d] = v3_y(ang);
    X[5 * nv + d] = v3_z(ang);
}

/* A body, and the first of its links: where its origin is, as seen from the body's. */
typedef struct CarriedLink {
    placed at;
    vec3 offset;
    int link;
} CarriedLink;

/* The first link of a body: columns of its parent's first link carried on, and those of the joint. */
static inline void open_link(const ziTree *t, const ziBody *b, const CarriedLink *up, const CarriedLink *me,
                             const motion *S, double *J) {
    const size_t nv = (size_t)t->nv, own = (size_t)b->v, size = 6 * nv;
    double *X = J + (size_t)me->link * size;
    if (b->parent)
        shift_columns(nv, J + (size_t)up->link * size, v3_add(v3_sub(me->at.r, up->offset), me->offset), X);
    else
        clear_columns(nv, X);
    for (int k = 0; k < b->nv; k++) set_column(nv, own + (size_t)k, motion_shift(S[k], me->offset).lin, S[k].ang, X);
}

/* Links welded to a body move as its first one does. */
void ZI_KERNEL(zi_link_jacobians)(const ziTree *t, ziScratch scratch, int nlink, const ziLinkPlace *links,
                                  const double *q, double *J) {
    double *s = zi_scratch_doubles(&scratch, (size_t)t->nq), *c = zi_scratch_doubles(&scratch, (size_t)t->nq);
    CarriedLink *row = zi_scratch_take(&scratch, (size_t)t->nb * sizeof *row);
    const size_t nv = (size_t)t->nv, size = 6 * nv;
    sincos_array(t->nq, q, s, c);
    row[0].at.R = m3_identity();
    row[0].offset = v3_zero();
    for (int i = 0, next = 1; i < nlink; i++) {
        const int body = links[i].body;
        const ziBody *b = &t->body[body];
        CarriedLink *me = &row[body];
        double *X = J + (size_t)i * size;
        if (body == 0) {
            clear_columns(nv, X);
        } else if (body >= next) {
            motion S[ZV_MAX_DOF];
            next = body + 1;
            place_body(b, &row[b->parent].at.R, q + b->q, s + b->q, c + b->q, &me->at, S);
            me->offset = m3_mulp(me->at.R, links[i].pose.p);
            me->link = i;
            open_link(t, b, &row[b->parent], me, S, J);
        } else {
            const vec3 away = v3_sub(m3_mulp(me->at.R, links[i].pose.p), me->offset);
            shift_columns(nv, J + (size_t)me->link * size, away, X);
        }
    }
}

/* -- momentum ---------------------------------------------------------------------------------------------------- */

/* Bodies with their inertias, alone or with all beyond them, and their places from the first body that moves on: so
 * that a robot far from the origin loses no digits. */
typedef struct CarriedBody {
    placed at;
    rigid I_;
    vec3 p;
    vec3 w;
    motion acc; /* without accelerations of joints */
} CarriedBody;

/* Where the centre of mass is, seen from where the first moving body is; 0 is the world's origin when nothing has mass.
 */
typedef struct Center {
    vec3 from, c;
} Center;

static inline vec3 first_origin(const CarriedBody *row, int nb) { return nb > 1 ? row[1].at.r : v3_zero(); }

static inline Center center_of(const CarriedBody *row, int nb, double mass, vec3 moment) {
    Center x;
    x.from = first_origin(row, nb);
    x.c = mass > 0 ? v3_scale(1 / mass, moment) : v3_neg(x.from);
    return x;
}

static inline CarriedBody *open_bodies(const ziTree *t, ziScratch *scratch, const double *q, double **s, double **c) {
    *s = zi_scratch_doubles(scratch, (size_t)t->nq);
    *c = zi_scratch_doubles(scratch, (size_t)t->nq);
    CarriedBody *row = zi_scratch_take(scratch, (size_t)t->nb * sizeof *row);
    sincos_array(t->nq, q, *s, *c);
    row[0].at.R = m3_identity();
    row[0].w = v3_zero();
    row[0].acc = motion_zero();
    return row;
}

/* Momentum about its origin of all that a joint moves. */
static inline force composite_momentum(const ziBody *b, const rigid *I_, const motion *S) {
    if (b->type == ZV_JOINT_REVOLUTE) return force_of(v3_cross(S->ang, I_->h), m3_mulv(I_->J, S->ang));
    return rigid_mul(I_, *S);
}

/* A (6 x nv): composite inertias inward, then a column for each freedom, about the centre of mass. */
void ZI_KERNEL(zi_centroidal_map)(const ziTree *t, ziScratch scratch, const double *q, double *A, double *center) {
    double *s, *c;
    CarriedBody *row = open_bodies(t, &scratch, q, &s, &c);
    motion *S = zi_scratch_take(&scratch, (size_t)t->nv * sizeof *S);
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        place_body(b, &row[b->parent].at.R, q + b->q, s + b->q, c + b->q, &row[i].at, S + b->v);
        row[i].I_ = world_inertia(b, row[i].at.R);
    }
    double mass = 0;
    vec3 moment = v3_zero();
    for (int i = t->nb - 1; i > 0; i--) {
        const ziBody *b = &t->body[i];
        if (b->parent) {
            rigid_add_shifted(&row[b->parent].I_, &row[i].I_, row[i].at.r);
        } else {
            mass += row[i].I_.m;
            moment = v3_add(moment, v3_axpy(row[i].I_.m, v3_sub(row[i].at.r, first_origin(row, t->nb)), row[i].I_.h));
        }
    }
    const Center at = center_of(row, t->nb, mass, moment);
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        row[i].p = b->parent ? v3_add(row[b->parent].p, row[i].at.r) : v3_sub(v3_sub(row[i].at.r, at.from), at.c);
        for (int d = b->v; d < b->v + b->nv; d++) {
            const force F = composite_momentum(b, &row[i].I_, &S[d]);
            set_column((size_t)t->nv, (size_t)d, F.lin, force_shift(F, row[i].p).ang, A);
        }
    }
    v3_to(center, v3_add(at.from, at.c));
}

/* Rate of momentum at a = 0 about the centre of mass: forces that the bodies' own accelerations ask for. */
void ZI_KERNEL(zi_centroidal_bias)(const ziTree *t, ziScratch scratch, const double *q, const double *v, double *bias) {
    double *s, *c, mass = 0;
    CarriedBody *row = open_bodies(t, &scratch, q, &s, &c);
    force *F = zi_scratch_take(&scratch, (size_t)t->nb * sizeof *F);
    vec3 moment = v3_zero(), lin = v3_zero(), ang = v3_zero();
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        const CarriedBody *up = &row[b->parent];
        CarriedBody *me = &row[i];
        motion S[ZV_MAX_DOF];
        place_body(b, &up->at.R, q + b->q, s + b->q, c + b->q, &me->at, S);
        const motion rel = relative_velocity(b, S, v + b->v);
        const rigid I_ = world_inertia(b, me->at.R);
        me->w = v3_add(up->w, rel.ang);
        me->acc = motion_add(motion_shift(up->acc, me->at.r), carried_bias(up->w, me->at.r, rel));
        if (subspace_moves(b))
            me->acc = motion_add(me->acc, joint_bias_world(b, &up->at.R, q + b->q, s + b->q, c + b->q, v + b->v));
        me->p = b->parent ? v3_add(up->p, me->at.r) : v3_sub(me->at.r, first_origin(row, t->nb));
        F[i] = rigid_mul(&I_, me->acc);
        F[i].lin = v3_add(F[i].lin, v3_cross(me->w, v3_cross(me->w, I_.h)));
        F[i].ang = v3_add(F[i].ang, v3_cross(me->w, m3_mulv(I_.J, me->w)));
        mass += I_.m;
        moment = v3_add(moment, v3_axpy(I_.m, me->p, I_.h));
    }
    const Center at = center_of(row, t->nb, mass, moment);
    for (int i = 1; i < t->nb; i++) {
        lin = v3_add(lin, F[i].lin);
        ang = v3_add(ang, force_shift(F[i], v3_sub(row[i].p, at.c)).ang);
    }
    v3_to(bias, lin);
    v3_to(bias + 3, ang);
}

_Static_assert(sizeof(CarriedBody) + sizeof(force) <= ZI_SCRATCH_PER_BODY &&
                   sizeof(CarriedLink) <= ZI_SCRATCH_PER_BODY && sizeof(motion) + 64 <= ZI_SCRATCH_PER_COORDINATE,
               "scratch too small");
