/* Poses of all bodies and of all links, with their velocities when they are wanted: one outward sweep, O(n). Bodies
 * stand in scratch memory by columns; what is asked for is written once, where the caller wants it. */
#include "kinematics/attachment.h"
#include "kinematics/kernels.h"
#include "kinematics/turned.h"
#include "real/sincos.h"
#include "spatial/pose_rows.h"

/* Where a body is, or behind all bodies a section of one, and how it moves: of its origin, world axes. */
typedef struct PosedBody {
    mat3 R;
    vec3 p;
    motion v;
} PosedBody;

_Static_assert(sizeof(PosedBody) <= ZI_SCRATCH_PER_BODY, "scratch too small");

/* The sections of a body, with velocities or without. */
static ZI_COLD void place_sections(const ziTree *t, const ziElastic *el, const double *q, const double *v,
                                   const PosedBody *body, PosedBody *row) {
    const double *e = q + el->q;
    for (int s = el->attachment; s < el->attachment + el->attachments; s++) {
        const ziAttachment *st = &t->attachment[s];
        PosedBody *me = &row[t->nb + s];
        placed f;
        place_attachment(st, el, &body->R, e, &f, NULL);
        me->R = f.R;
        me->p = v3_add(body->p, f.r);
        if (!v) continue;
        me->v = motion_add(motion_shift(body->v, f.r), attachment_rate_world(st, el, &body->R, e, v + el->v));
    }
}

/* A joint that is not revolute; v may be NULL. */
static ZI_COLD void place_other(const ziBody *b, const PosedBody *up, const double *q, const double *s, const double *c,
                                const double *v, PosedBody *me) {
    motion S[ZV_MAX_DOF];
    placed f;
    place_body(b, &up->R, q + b->q, s + b->q, c + b->q, &f, S);
    me->R = f.R;
    me->p = v3_add(up->p, f.r);
    if (v) me->v = motion_add(motion_shift(up->v, f.r), relative_velocity(b, S, v + b->v));
}

/* Rows of all bodies (nb) and of the sections behind them. v is a constant wherever this is called: NULL, or not. */
static ZI_HOT PosedBody *place_all(const ziTree *t, ziScratch *scratch, const double *q, const double *v) {
    double *s = zi_scratch_doubles(scratch, (size_t)t->nq), *c = zi_scratch_doubles(scratch, (size_t)t->nq);
    PosedBody *row = zi_scratch_take(scratch, (size_t)(t->nb + t->ns) * sizeof *row);
    sincos_array(t->nq, q, s, c);
    row[0].R = m3_identity();
    row[0].p = v3_zero();
    row[0].v = motion_zero();
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        const PosedBody *up = &row[b->base];
        PosedBody *me = &row[i];
        if (b->type == ZV_JOINT_REVOLUTE) {
            const mat3 P = up->R;
            const vec3 r = m3_mulp(P, b->r);
            me->R = turned_rotation(b, P, s[b->q], c[b->q]);
            me->p = v3_add(up->p, r);
            if (v) me->v = motion_add(motion_shift(up->v, r), motion_of(v3_zero(), v3_scale(v[b->v], me->R.z)));
        } else {
            place_other(b, up, q, s, c, v, me);
        }
        if (b->elastic) place_sections(t, b->elastic, q, v, me, row);
    }
    return row;
}

void ZI_KERNEL(zi_body_poses)(const ziTree *t, ziScratch scratch, const double *q, zvPose *out) {
    const PosedBody *row = place_all(t, &scratch, q, NULL);
    for (int i = 0; i < t->nb; i++) pose_to(&out[i], row[i].R, row[i].p);
}

/* A link is fixed in its body: in. */
static ZI_HOT void link_to(const zvPose *in, mat3 R, vec3 p, zvPose *out) {
    const double *L = in->R;
    pose_to(out,
            m3(v3_mix(L[0], R.x, L[3], R.y, L[6], R.z), v3_mix(L[1], R.x, L[4], R.y, L[7], R.z),
               v3_mix(L[2], R.x, L[5], R.y, L[8], R.z)),
            p);
}

void ZI_KERNEL(zi_link_poses)(const ziTree *t, ziScratch scratch, int nlink, const ziLinkPlace *links, const double *q,
                              zvPose *out) {
    const PosedBody *row = place_all(t, &scratch, q, NULL);
    for (int i = 0; i < nlink; i++) {
        const PosedBody *body = &row[links[i].body];
        const mat3 R = body->R;
        link_to(&links[i].pose, R, v3_add(body->p, m3_mulp(R, links[i].pose.p)), &out[i]);
    }
}

/* A body's first link comes before its others and before those of bodies behind it. */
void ZI_KERNEL(zi_joint_poses)(const ziTree *t, ziScratch scratch, int nlink, const ziLinkPlace *links, const double *q,
                               zvPose *out) {
    const PosedBody *row = place_all(t, &scratch, q, NULL);
    for (int i = 0, next = 0; i < nlink; i++) {
        if (links[i].body < next) continue;
        next = links[i].body + 1;
        const PosedBody *body = &row[links[i].body];
        const mat3 R = body->R;
        link_to(&links[i].pose, R, v3_add(body->p, m3_mulp(R, links[i].pose.p)), &out[links[i].body]);
    }
}

/* The same as of links with velocities of their origins and angular velocities (nlink x 6). */
void ZI_KERNEL(zi_link_motions)(const ziTree *t, ziScratch scratch, int nlink, const ziLinkPlace *links,
                                const double *q, const double *v, zvPose *out, double *velocities) {
    const PosedBody *row = place_all(t, &scratch, q, v);
    for (int i = 0; i < nlink; i++) {
        const PosedBody *body = &row[links[i].body];
        const mat3 R = body->R;
        const vec3 d = m3_mulp(R, links[i].pose.p);
        const motion x = motion_shift(body->v, d);
        link_to(&links[i].pose, R, v3_add(body->p, d), &out[i]);
        v3_to(velocities + 6 * i, x.lin);
        v3_to(velocities + 6 * i + 3, x.ang);
    }
}
