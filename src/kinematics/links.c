/* Kinematics of all links in one sweep, and of frames out of them. */
#include "zveno/kinematics.h"

#include <assert.h>
#include <string.h>

#include "base/require.h"
#include "kinematics/attachment.h"
#include "kinematics/placement.h"
#include "work/coupling.h"

void zv_link_poses(const zvModel *m, zvWork *work, const double *q, zvPose *poses) {
    ZI_REQUIRE(m && work && q && poses);
    ziScratch scratch = zi_scratch_of(m, work);
    const double *tq = zi_tree_q(m, &scratch, q);
    ziPlacement *bodies = zi_scratch_take(&scratch, (size_t)m->tree.nb * sizeof *bodies);
    zi_kinematics_kernels(m)->body_poses(&m->tree, scratch, tq, bodies);
    for (int i = 0; i < m->nlink; i++) {
        zvPose body = zi_pose_of(&bodies[m->link_places[i].body]);
        poses[i] = zv_pose_compose(&body, &m->link_places[i].pose);
    }
}

/* y = R x */
static void turn(const double R[9], const double x[3], double y[3]) {
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

void zv_link_motions(const zvModel *m, zvWork *work, const double *q, const double *v, zvPose *poses,
                     double *velocities) {
    ZI_REQUIRE(m && work && q && poses);
    if (!velocities || !v) {
        zv_link_poses(m, work, q, poses);
        if (velocities) memset(velocities, 0, 6 * (size_t)m->nlink * sizeof *velocities);
        return;
    }
    ziScratch scratch = zi_scratch_of(m, work);
    const double *tq = zi_tree_q(m, &scratch, q), *tv = zi_tree_v(m, &scratch, v);
    ziPlacement *bodies = zi_scratch_take(&scratch, (size_t)m->tree.nb * sizeof *bodies);
    double *rates = zi_scratch_doubles(&scratch, 6 * (size_t)m->tree.nb);
    zi_kinematics_kernels(m)->body_motions(&m->tree, scratch, tq, tv, bodies, rates);
    for (int i = 0; i < m->nlink; i++) {
        const ziLinkPlace *place = &m->link_places[i];
        const ziPlacement *body = &bodies[place->body];
        double d[3];
        zvPose pose = zi_pose_of(body);
        poses[i] = zv_pose_compose(&pose, &place->pose);
        turn(pose.R, place->pose.p, d);
        shift_velocity(rates + 6 * place->body, d, velocities + 6 * i);
    }
}

/* The same for a frame on a section of an elastic link, which has its origin where its body has. */
static void frame_on_section(const zvModel *m, int frame, int link, const double *q, const double *v,
                             const zvPose *from, const double *link_velocity, zvPose *pose, double *velocity) {
    const ziAttachment *st = &m->tree.attachment[zi_frame_attachment(m, frame)];
    const ziElastic *el = m->tree.body[st->body].elastic;
    const double *e = q + m->coupling.q_master[el->q];
    const zvPose in_section = zi_frame_in_body(m, frame);
    const mat3 R = m3_mul(m3_transpose(m3_of(from->R)), m3_of(m->link_places[link].pose.R)); /* of the body */
    placed f;
    ziPlacement section;
    place_attachment(st, el, &R, e, &f, NULL);
    m3_to(section.R, f.R);
    v3_to(section.p, v3_add(v3_of(from->p), f.r));
    *pose = zi_pose_of(&section);
    *pose = zv_pose_compose(pose, &in_section);
    if (!velocity) return;
    motion x = motion_shift(motion_of(v3_of(link_velocity), v3_of(link_velocity + 3)), f.r);
    if (v) x = motion_add(x, attachment_rate_world(st, el, &R, e, v + m->coupling.v_master[el->v]));
    x = motion_shift(x, m3_mulv(f.R, v3_of(in_section.p)));
    v3_to(velocity, x.lin);
    v3_to(velocity + 3, x.ang);
}

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
        turn(poses[link].R, inner->p, d);
        *pose = zv_pose_compose(&poses[link], inner);
    }
    if (velocity) shift_velocity(carried, d, velocity);
}
