/* Kinematics of one frame, of all links in one sweep, and of the whole; choice of the compiled table of kernels. */
#include "zveno/kinematics.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/require.h"
#include "kinematics/attachment.h"
#include "kinematics/kernels.h"
#include "real/isa.h"
#include "work/coupling.h"

ZI_CHOOSE_KERNELS(ziKinematicsKernels, zi_kinematics_kernels)

/* Kinematics of one frame and of the whole. */

void zi_frame_spot(const zvModel *m, int frame, ziFrameSpot *spot) {
    assert(frame >= 0 && frame < zv_model_nframe(m));
    spot->body = zv_model_frame_body(m, frame);
    spot->attachment = zi_frame_attachment(m, frame);
    spot->in_body = zi_frame_in_body(m, frame);
}

/* R^T on both halves of every column. */
void zi_to_local(const zvPose *pose, int count, double *X) {
    const double *R = pose->R;
    for (int half = 0; half < 2; half++) {
        double *x = X + 3 * half * count, *y = x + count, *z = y + count;
        for (int k = 0; k < count; k++) {
            double u = x[k], v = y[k], w = z[k];
            x[k] = R[0] * u + R[3] * v + R[6] * w;
            y[k] = R[1] * u + R[4] * v + R[7] * w;
            z[k] = R[2] * u + R[5] * v + R[8] * w;
        }
    }
}

static void frame_motion(const zvModel *m, zvWork *work, const double *q, const double *v, const double *a, int frame,
                         zvPose *pose, double *velocity, double *acceleration) {
    ziScratch scratch = zi_scratch_of(m, work);
    ziFrameSpot spot;
    const double *tq = zi_tree_q(m, &scratch, q), *tv = zi_tree_v(m, &scratch, v), *ta = zi_tree_v(m, &scratch, a);
    zi_frame_spot(m, frame, &spot);
    zi_kinematics_kernels(m)->frame_motion(&m->tree, scratch, &spot, tq, tv, ta, pose, velocity, acceleration);
}

/* Paths over sections of elastic links are left to the kernel of motions. */
void zv_frame_pose(const zvModel *m, zvWork *work, const double *q, int frame, zvPose *pose) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && pose);
    ZI_REQUIRE_INDEX(frame, zv_model_nframe(m));
    if (m->tree.ne > 0) {
        frame_motion(m, work, q, NULL, NULL, frame, pose, NULL, NULL);
        return;
    }
    ziScratch scratch = zi_scratch_of(m, work);
    ziFrameSpot spot;
    const double *tq = zi_tree_q(m, &scratch, q);
    zi_frame_spot(m, frame, &spot);
    zi_kinematics_kernels(m)->frame_pose(&m->tree, scratch, &spot, tq, pose);
}

void zv_frame_velocity(const zvModel *m, zvWork *work, const double *q, const double *v, int frame, zvAxes axes,
                       double *out) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && out);
    ZI_REQUIRE_INDEX(frame, zv_model_nframe(m));
    zvPose x;
    frame_motion(m, work, q, v, NULL, frame, &x, out, NULL);
    if (axes == ZV_AXES_LOCAL) zi_to_local(&x, 1, out);
}

void zv_frame_acceleration(const zvModel *m, zvWork *work, const double *q, const double *v, const double *a, int frame,
                           zvAxes axes, double *out) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && out);
    ZI_REQUIRE_INDEX(frame, zv_model_nframe(m));
    zvPose x;
    frame_motion(m, work, q, v, a, frame, &x, NULL, out);
    if (axes == ZV_AXES_LOCAL) zi_to_local(&x, 1, out);
}

void zv_frame_bias(const zvModel *m, zvWork *work, const double *q, const double *v, int frame, zvAxes axes,
                   double *out) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && out);
    ZI_REQUIRE_INDEX(frame, zv_model_nframe(m));
    zv_frame_acceleration(m, work, q, v, NULL, frame, axes, out);
}

/* Two poses along the same path; only the coordinates of its bodies are looked at. */
void zv_frame_deviation(const zvModel *m, zvWork *work, const double *q, int frame, double *out) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && out);
    ZI_REQUIRE_INDEX(frame, zv_model_nframe(m));
    ziScratch scratch = zi_scratch_of(m, work);
    ziFrameSpot spot;
    const ziKinematicsKernels *kernels = zi_kinematics_kernels(m);
    const double *tq = zi_tree_q(m, &scratch, q);
    double *straight = zi_scratch_doubles(&scratch, (size_t)m->tree.nq);
    zvPose bent, straightened;
    zi_frame_spot(m, frame, &spot);
    for (int i = spot.body; i; i = m->tree.body[i].parent) {
        const ziBody *b = &m->tree.body[i];
        for (int k = 0; k < b->nq; k++) straight[b->q + k] = tq[b->q + k];
        for (int k = 0; b->elastic && k < b->elastic->n; k++) straight[b->elastic->q + k] = 0;
    }
    kernels->frame_motion(&m->tree, scratch, &spot, tq, NULL, NULL, &bent, NULL, NULL);
    kernels->frame_motion(&m->tree, scratch, &spot, straight, NULL, NULL, &straightened, NULL, NULL);
    for (int i = 0; i < 3; i++) out[i] = bent.p[i] - straightened.p[i];
}

/* J (6 x nv) of a frame's origin: that of the tree by the kernel, columns of coupled joints contracted, then turned
 * into frame axes when wanted. */
void zv_frame_jacobian(const zvModel *m, zvWork *work, const double *q, int frame, zvAxes axes, double *J) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(J, m->nv));
    ZI_REQUIRE_INDEX(frame, zv_model_nframe(m));
    ziScratch scratch = zi_scratch_of(m, work);
    zvPose x;
    ziFrameSpot spot;
    const double *tq = zi_tree_q(m, &scratch, q);
    double *T = m->coupling.count ? zi_scratch_doubles(&scratch, 6 * m->tree.nv) : J;
    zi_frame_spot(m, frame, &spot);
    zi_kinematics_kernels(m)->frame_jacobian(&m->tree, scratch, &spot, tq, &x, T);
    zi_contract_columns(m, 6, T, J);
    if (axes == ZV_AXES_LOCAL) zi_to_local(&x, m->nv, J);
}

typedef struct Totals {
    double mc[3], h[6], kinetic;
} Totals;

/* What the public sums share: one sweep answers centre of mass, momentum and energy. */
static Totals totals_of(const zvModel *m, zvWork *work, const double *q, const double *v) {
    ziScratch scratch = zi_scratch_of(m, work);
    Totals t;
    const double *tq = zi_tree_q(m, &scratch, q), *tv = zi_tree_v(m, &scratch, v);
    if (!tv) {
        double *zeros = zi_scratch_doubles(&scratch, m->tree.nv);
        memset(zeros, 0, (size_t)m->tree.nv * sizeof *zeros);
        tv = zeros;
    }
    zi_kinematics_kernels(m)->totals(&m->tree, scratch, tq, tv, t.mc, t.h, t.h + 3, &t.kinetic);
    return t;
}

static void center_of(const zvModel *m, const Totals *t, double *c) {
    for (int i = 0; i < 3; i++) c[i] = m->mass > 0 ? t->mc[i] / m->mass : 0;
}

void zv_center_of_mass(const zvModel *m, zvWork *work, const double *q, double *c) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && c);
    Totals t = totals_of(m, work, q, NULL);
    center_of(m, &t, c);
}

void zv_momentum(const zvModel *m, zvWork *work, const double *q, const double *v, double *h, double *c) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && h);
    Totals t = totals_of(m, work, q, v);
    memcpy(h, t.h, sizeof t.h);
    if (c) center_of(m, &t, c);
}

void zv_energy(const zvModel *m, zvWork *work, const double *q, const double *v, double *kinetic, double *potential) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq));
    Totals t = totals_of(m, work, q, v);
    const double *g = m->tree.gravity;
    *kinetic = t.kinetic;
    *potential = -(g[0] * t.mc[0] + g[1] * t.mc[1] + g[2] * t.mc[2]);
}

/* e.K e / 2 over elastic links; needs no sweep. */
double zv_strain_energy(const zvModel *m, const double *q) {
    ZI_REQUIRE(m && ZI_ARRAY(q, m->nq));
    double energy = 0;
    for (int b = 1; b < m->tree.nb && m->tree.ne; b++) {
        const ziElastic *el = m->tree.body[b].elastic;
        if (!el) continue;
        const double *e = q + m->coupling.q_master[el->q], *K = el->K;
        for (int i = 0; i < el->n; i++) {
            for (int j = 0; j < el->n; j++) energy += 0.5 * e[i] * *K++ * e[j];
        }
    }
    return energy;
}

/* Keeps the section if it is turned by more than *most. */
static void compare_turn(const zvModel *m, int attachment, const double *q, int of, double *most, int *link) {
    const ziAttachment *st = &m->tree.attachment[attachment];
    const ziElastic *el = m->tree.body[st->body].elastic;
    const vec3 theta = st->r ? rows_mix(el->n, st->r, q + m->coupling.q_master[el->q]) : v3_zero();
    const double turn = sqrt(v3_dot(theta, theta));
    if (*link >= 0 && !(turn > *most)) return;
    *most = turn;
    *link = of;
}

/* Sections that carry bodies, then those that frames sit on. */
double zv_elastic_turn(const zvModel *m, const double *q, int *link) {
    ZI_REQUIRE(m && ZI_ARRAY(q, m->nq));
    double most = 0;
    int whose = -1;
    for (int i = 0; i < m->nlink && m->tree.ne; i++) {
        const ziElastic *el = m->link_elastic[i] ? m->tree.body[m->link_elastic[i]].elastic : NULL;
        for (int k = 0; el && k < el->attachments; k++) compare_turn(m, el->attachment + k, q, i, &most, &whose);
    }
    for (int f = m->nlink; f < zv_model_nframe(m) && m->tree.ne; f++) {
        const int at = zi_frame_attachment(m, f);
        if (at >= 0) compare_turn(m, at, q, m->frame_links[f - m->nlink], &most, &whose);
    }
    if (link) *link = whose;
    return most;
}

/* Kinematics of all links in one sweep, and of frames out of them. */

void zv_link_poses(const zvModel *m, zvWork *work, const double *q, zvPose *poses) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && poses);
    ziScratch scratch = zi_scratch_of(m, work);
    const double *tq = zi_tree_q(m, &scratch, q);
    zi_kinematics_kernels(m)->link_poses(&m->tree, scratch, m->nlink, m->link_places, tq, poses);
}

void zv_body_poses(const zvModel *m, zvWork *work, const double *q, zvPose *poses) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && poses);
    ziScratch scratch = zi_scratch_of(m, work);
    const double *tq = zi_tree_q(m, &scratch, q);
    zi_kinematics_kernels(m)->joint_poses(&m->tree, scratch, m->nlink, m->link_places, tq, poses);
}

/* y = R x */
static void turn_vector(const double R[9], const double x[3], double y[3]) {
    for (int i = 0; i < 3; i++) y[i] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2];
}

/* Velocity (linear, angular) of the point d away from where it is `from`; both (6). */
static void shift_velocity(const double *from, const double d[3], double *to) {
    const double *w = from + 3;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        to[i] = from[i] + (w[j] * d[k] - w[k] * d[j]);
        to[3 + i] = w[i];
    }
}

/* Without velocities the poses alone. */
void zv_link_motions(const zvModel *m, zvWork *work, const double *q, const double *v, zvPose *poses,
                     double *velocities) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && poses);
    if (!velocities || !v) {
        zv_link_poses(m, work, q, poses);
        if (velocities) memset(velocities, 0, 6 * (size_t)m->nlink * sizeof *velocities);
        return;
    }
    ziScratch scratch = zi_scratch_of(m, work);
    const double *tq = zi_tree_q(m, &scratch, q), *tv = zi_tree_v(m, &scratch, v);
    zi_kinematics_kernels(m)->link_motions(&m->tree, scratch, m->nlink, m->link_places, tq, tv, poses, velocities);
}

/* The same for a frame on a section of an elastic link, which has its origin where its body has. */
static void frame_on_section(const zvModel *m, int frame, int link, const double *q, const double *v,
                             const zvPose *from, const double *link_velocity, zvPose *pose, double *velocity) {
    const ziAttachment *st = &m->tree.attachment[zi_frame_attachment(m, frame)];
    const ziElastic *el = m->tree.body[st->body].elastic;
    const double *e = q + m->coupling.q_master[el->q];
    const zvPose in_section = zi_frame_in_body(m, frame);
    const mat3 R = m3_mul(m3_of_rows(from->R), m3_of(m->link_places[link].pose.R)); /* of the body */
    placed f;
    zvPose section;
    place_attachment(st, el, &R, e, &f, NULL);
    m3_to_rows(section.R, f.R);
    v3_to(section.p, v3_add(v3_of(from->p), f.r));
    *pose = zv_pose_compose(&section, &in_section);
    if (!velocity) return;
    motion x = motion_shift(motion_of(v3_of(link_velocity), v3_of(link_velocity + 3)), f.r);
    if (v) x = motion_add(x, attachment_rate_world(st, el, &R, e, v + m->coupling.v_master[el->v]));
    x = motion_shift(x, m3_mulv(f.R, v3_of(in_section.p)));
    v3_to(velocity, x.lin);
    v3_to(velocity + 3, x.ang);
}

/* From the link's pose alone, unless the frame sits on a section of an elastic link. */
void zv_frame_of_links(const zvModel *m, int frame, const double *q, const double *v, const zvPose *poses,
                       const double *velocities, zvPose *pose, double *velocity) {
    ZI_REQUIRE(m && poses && pose);
    ZI_REQUIRE_INDEX(frame, zv_model_nframe(m));
    assert(frame >= 0 && frame < zv_model_nframe(m));
    const int link = frame < m->nlink ? frame : m->frame_links[frame - m->nlink];
    const double *carried = velocity ? velocities + 6 * link : NULL;
    double d[3] = {0};
    if (zi_frame_attachment(m, frame) >= 0) {
        frame_on_section(m, frame, link, q, v, &poses[link], carried, pose, velocity);
        return;
    }
    *pose = poses[link];
    if (frame >= m->nlink) {
        const zvPose *inner = &m->frames[frame - m->nlink].pose;
        turn_vector(poses[link].R, inner->p, d);
        *pose = zv_pose_compose(&poses[link], inner);
    }
    if (velocity) shift_velocity(carried, d, velocity);
}
