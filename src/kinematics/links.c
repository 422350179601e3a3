/* Kinematics of all links in one sweep, and of frames out of them. */
#include "zveno/kinematics.h"

#include <assert.h>
#include <string.h>

#include "kinematics/placement.h"
#include "kinematics/station.h"
#include "work/coupling.h"

void zv_link_poses(const zvModel *m, zvWork *work, const double *q, zvPose *poses) {
    zvDesk desk = zv_desk_of(m, work);
    const double *tq = zv_tree_q(m, &desk, q);
    zvPlacement *bodies = zv_desk_take(&desk, (size_t)m->tree.nb * sizeof *bodies);
    zv_kinematics_kernels(m)->body_poses(&m->tree, desk, tq, bodies);
    for (int i = 0; i < m->nlink; i++) {
        zvPose body = zv_pose_of(&bodies[m->link_places[i].body]);
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
    if (!velocities || !v) {
        zv_link_poses(m, work, q, poses);
        if (velocities) memset(velocities, 0, 6 * (size_t)m->nlink * sizeof *velocities);
        return;
    }
    zvDesk desk = zv_desk_of(m, work);
    const double *tq = zv_tree_q(m, &desk, q), *tv = zv_tree_v(m, &desk, v);
    zvPlacement *bodies = zv_desk_take(&desk, (size_t)m->tree.nb * sizeof *bodies);
    double *rates = zv_desk_doubles(&desk, 6 * (size_t)m->tree.nb);
    zv_kinematics_kernels(m)->body_motions(&m->tree, desk, tq, tv, bodies, rates);
    for (int i = 0; i < m->nlink; i++) {
        const zvLinkPlace *place = &m->link_places[i];
        const zvPlacement *body = &bodies[place->body];
        double d[3];
        zvPose pose = zv_pose_of(body);
        poses[i] = zv_pose_compose(&pose, &place->pose);
        turn(pose.R, place->pose.p, d);
        shift_velocity(rates + 6 * place->body, d, velocities + 6 * i);
    }
}

/* The same for a frame on a section of an elastic link, which has its origin where its body has. */
static void frame_on_section(const zvModel *m, int frame, int link, const double *q, const double *v,
                             const zvPose *from, const double *link_velocity, zvPose *pose, double *velocity) {
    const zvStation *st = &m->tree.station[zv_frame_station(m, frame)];
    const zvElastic *el = m->tree.body[st->body].elastic;
    const double *e = q + m->coupling.q_master[el->q];
    const zvPose in_section = zv_frame_in_body(m, frame);
    const mat3 R = m3_mul(m3_transpose(m3_of(from->R)), m3_of(m->link_places[link].pose.R)); /* of the body */
    placed f;
    zvPlacement section;
    place_station(st, el, &R, e, &f, NULL);
    m3_to(section.R, f.R);
    v3_to(section.p, v3_add(v3_of(from->p), f.r));
    *pose = zv_pose_of(&section);
    *pose = zv_pose_compose(pose, &in_section);
    if (!velocity) return;
    motion x = motion_shift(motion_of(v3_of(link_velocity), v3_of(link_velocity + 3)), f.r);
    if (v) x = motion_add(x, station_rate_world(st, el, &R, e, v + m->coupling.v_master[el->v]));
    x = motion_shift(x, m3_mulv(f.R, v3_of(in_section.p)));
    v3_to(velocity, x.lin);
    v3_to(velocity + 3, x.ang);
}

void zv_frame_of_links(const zvModel *m, int frame, const double *q, const double *v, const zvPose *poses,
                       const double *velocities, zvPose *pose, double *velocity) {
    assert(frame >= 0 && frame < zv_model_nframe(m));
    const int link = frame < m->nlink ? frame : m->frame_links[frame - m->nlink];
    const double *carried = velocity ? velocities + 6 * link : NULL;
    double d[3] = {0};
    if (zv_frame_station(m, frame) >= 0) {
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
