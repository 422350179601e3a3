/* Kinematics of links, frames and the whole. */
#include "zveno/kinematics.h"

#include <assert.h>
#include <string.h>

#include "kinematics/kernels.h"
#include "work/coupling.h"

static void transpose(const double A[9], double T[9]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) T[3 * j + i] = A[3 * i + j];
    }
}

static zvPose pose_of(const zvPlacement *x) {
    zvPose pose;
    transpose(x->R, pose.R);
    memcpy(pose.p, x->p, sizeof pose.p);
    return pose;
}

static zvFrameSpot spot_of(const zvModel *m, int frame) {
    assert(frame >= 0 && frame < zv_model_nframe(m));
    zvPose pose = zv_frame_in_body(m, frame);
    zvFrameSpot spot = {.body = zv_model_frame_body(m, frame)};
    transpose(pose.R, spot.in_body.R);
    memcpy(spot.in_body.p, pose.p, sizeof pose.p);
    return spot;
}

/* World components to the frame's own: both halves of each column of X (6 x count, row-major). */
static void to_local(const zvPlacement *pose, int count, double *X) {
    const double *R = pose->R; /* columns */
    for (int half = 0; half < 2; half++) {
        double *x = X + 3 * half * count, *y = x + count, *z = y + count;
        for (int k = 0; k < count; k++) {
            double u = x[k], v = y[k], w = z[k];
            x[k] = R[0] * u + R[1] * v + R[2] * w;
            y[k] = R[3] * u + R[4] * v + R[5] * w;
            z[k] = R[6] * u + R[7] * v + R[8] * w;
        }
    }
}

void zv_link_poses(const zvModel *m, zvWork *work, const double *q, zvPose *poses) {
    zvDesk desk = zv_desk_of(m, work);
    const double *tq = zv_tree_q(m, &desk, q);
    zvPlacement *bodies = zv_desk_take(&desk, (size_t)m->tree.nb * sizeof *bodies);
    zv_kinematics_kernels(m)->body_poses(&m->tree, desk, tq, bodies);
    for (int i = 0; i < m->nlink; i++) {
        zvPose body = pose_of(&bodies[m->link_places[i].body]);
        poses[i] = zv_pose_compose(&body, &m->link_places[i].pose);
    }
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
        zvPose pose = pose_of(body);
        poses[i] = zv_pose_compose(&pose, &place->pose);
        for (int k = 0; k < 3; k++) {
            d[k] = pose.R[3 * k] * place->pose.p[0] + pose.R[3 * k + 1] * place->pose.p[1] +
                   pose.R[3 * k + 2] * place->pose.p[2];
        }
        shift_velocity(rates + 6 * place->body, d, velocities + 6 * i);
    }
}

void zv_frame_of_links(const zvModel *m, int frame, const zvPose *poses, const double *velocities, zvPose *pose,
                       double *velocity) {
    assert(frame >= 0 && frame < zv_model_nframe(m));
    const int link = frame < m->nlink ? frame : m->frame_links[frame - m->nlink];
    const double *R = poses[link].R;
    double d[3] = {0};
    *pose = poses[link];
    if (frame >= m->nlink) {
        const zvPose *inner = &m->frames[frame - m->nlink].pose;
        for (int i = 0; i < 3; i++)
            d[i] = R[3 * i] * inner->p[0] + R[3 * i + 1] * inner->p[1] + R[3 * i + 2] * inner->p[2];
        *pose = zv_pose_compose(&poses[link], inner);
    }
    if (velocity) shift_velocity(velocities + 6 * link, d, velocity);
}

static void frame_motion(const zvModel *m, zvWork *work, const double *q, const double *v, const double *a, int frame,
                         zvPlacement *pose, double *velocity, double *acceleration) {
    zvDesk desk = zv_desk_of(m, work);
    zvFrameSpot spot = spot_of(m, frame);
    const double *tq = zv_tree_q(m, &desk, q), *tv = zv_tree_v(m, &desk, v), *ta = zv_tree_v(m, &desk, a);
    zv_kinematics_kernels(m)->frame_motion(&m->tree, desk, &spot, tq, tv, ta, pose, velocity, acceleration);
}

void zv_frame_pose(const zvModel *m, zvWork *work, const double *q, int frame, zvPose *pose) {
    zvPlacement x;
    frame_motion(m, work, q, NULL, NULL, frame, &x, NULL, NULL);
    *pose = pose_of(&x);
}

void zv_frame_velocity(const zvModel *m, zvWork *work, const double *q, const double *v, int frame, zvAxes axes,
                       double *out) {
    zvPlacement x;
    frame_motion(m, work, q, v, NULL, frame, &x, out, NULL);
    if (axes == ZV_LOCAL_AXES) to_local(&x, 1, out);
}

void zv_frame_acceleration(const zvModel *m, zvWork *work, const double *q, const double *v, const double *a, int frame,
                           zvAxes axes, double *out) {
    zvPlacement x;
    frame_motion(m, work, q, v, a, frame, &x, NULL, out);
    if (axes == ZV_LOCAL_AXES) to_local(&x, 1, out);
}

void zv_frame_bias(const zvModel *m, zvWork *work, const double *q, const double *v, int frame, zvAxes axes,
                   double *out) {
    zv_frame_acceleration(m, work, q, v, NULL, frame, axes, out);
}

void zv_frame_jacobian(const zvModel *m, zvWork *work, const double *q, int frame, zvAxes axes, double *J) {
    zvDesk desk = zv_desk_of(m, work);
    zvPlacement x;
    zvFrameSpot spot = spot_of(m, frame);
    const double *tq = zv_tree_q(m, &desk, q);
    double *T = m->coupling.count ? zv_desk_doubles(&desk, 6 * m->tree.nv) : J;
    zv_kinematics_kernels(m)->frame_jacobian(&m->tree, desk, &spot, tq, &x, T);
    zv_contract_columns(m, 6, T, J);
    if (axes == ZV_LOCAL_AXES) to_local(&x, m->nv, J);
}

typedef struct Totals {
    double mc[3], h[6], kinetic;
} Totals;

static Totals totals_of(const zvModel *m, zvWork *work, const double *q, const double *v) {
    zvDesk desk = zv_desk_of(m, work);
    Totals t;
    const double *tq = zv_tree_q(m, &desk, q), *tv = zv_tree_v(m, &desk, v);
    if (!tv) {
        double *zeros = zv_desk_doubles(&desk, m->tree.nv);
        memset(zeros, 0, (size_t)m->tree.nv * sizeof *zeros);
        tv = zeros;
    }
    zv_kinematics_kernels(m)->totals(&m->tree, desk, tq, tv, t.mc, t.h, t.h + 3, &t.kinetic);
    return t;
}

static void center_of(const zvModel *m, const Totals *t, double *c) {
    for (int i = 0; i < 3; i++) c[i] = m->mass > 0 ? t->mc[i] / m->mass : 0;
}

void zv_center_of_mass(const zvModel *m, zvWork *work, const double *q, double *c) {
    Totals t = totals_of(m, work, q, NULL);
    center_of(m, &t, c);
}

void zv_momentum(const zvModel *m, zvWork *work, const double *q, const double *v, double *h, double *c) {
    Totals t = totals_of(m, work, q, v);
    memcpy(h, t.h, sizeof t.h);
    if (c) center_of(m, &t, c);
}

void zv_energy(const zvModel *m, zvWork *work, const double *q, const double *v, double *kinetic, double *potential) {
    Totals t = totals_of(m, work, q, v);
    const double *g = m->tree.gravity;
    *kinetic = t.kinetic;
    *potential = -(g[0] * t.mc[0] + g[1] * t.mc[1] + g[2] * t.mc[2]);
}
