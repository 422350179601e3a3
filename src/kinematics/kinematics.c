/* Kinematics of one frame and of the whole. */
#include "zveno/kinematics.h"

#include <assert.h>
#include <string.h>

#include "base/require.h"
#include "kinematics/placement.h"
#include "work/coupling.h"

static void spot_of(const zvModel *m, int frame, ziFrameSpot *spot) {
    assert(frame >= 0 && frame < zv_model_nframe(m));
    const zvPose pose = zi_frame_in_body(m, frame);
    spot->body = zv_model_frame_body(m, frame);
    spot->attachment = zi_frame_attachment(m, frame);
    zi_transpose(pose.R, spot->in_body.R);
    memcpy(spot->in_body.p, pose.p, sizeof pose.p);
}

/* World components to the frame's own: both halves of each column of X (6 x count, row-major). */
static void to_local(const ziPlacement *pose, int count, double *X) {
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

static void frame_motion(const zvModel *m, zvWork *work, const double *q, const double *v, const double *a, int frame,
                         ziPlacement *pose, double *velocity, double *acceleration) {
    ziScratch scratch = zi_scratch_of(m, work);
    ziFrameSpot spot;
    const double *tq = zi_tree_q(m, &scratch, q), *tv = zi_tree_v(m, &scratch, v), *ta = zi_tree_v(m, &scratch, a);
    spot_of(m, frame, &spot);
    zi_kinematics_kernels(m)->frame_motion(&m->tree, scratch, &spot, tq, tv, ta, pose, velocity, acceleration);
}

void zv_frame_pose(const zvModel *m, zvWork *work, const double *q, int frame, zvPose *pose) {
    ZI_REQUIRE(m && work && q && pose);
    ZI_REQUIRE_INDEX(frame, zv_model_nframe(m));
    ziPlacement x;
    frame_motion(m, work, q, NULL, NULL, frame, &x, NULL, NULL);
    *pose = zi_pose_of(&x);
}

void zv_frame_velocity(const zvModel *m, zvWork *work, const double *q, const double *v, int frame, zvAxes axes,
                       double *out) {
    ZI_REQUIRE(m && work && q && out);
    ZI_REQUIRE_INDEX(frame, zv_model_nframe(m));
    ziPlacement x;
    frame_motion(m, work, q, v, NULL, frame, &x, out, NULL);
    if (axes == ZV_AXES_LOCAL) to_local(&x, 1, out);
}

void zv_frame_acceleration(const zvModel *m, zvWork *work, const double *q, const double *v, const double *a, int frame,
                           zvAxes axes, double *out) {
    ZI_REQUIRE(m && work && q && out);
    ZI_REQUIRE_INDEX(frame, zv_model_nframe(m));
    ziPlacement x;
    frame_motion(m, work, q, v, a, frame, &x, NULL, out);
    if (axes == ZV_AXES_LOCAL) to_local(&x, 1, out);
}

void zv_frame_bias(const zvModel *m, zvWork *work, const double *q, const double *v, int frame, zvAxes axes,
                   double *out) {
    ZI_REQUIRE(m && work && q && out);
    ZI_REQUIRE_INDEX(frame, zv_model_nframe(m));
    zv_frame_acceleration(m, work, q, v, NULL, frame, axes, out);
}

/* Two poses along the same path; only the coordinates of its bodies are looked at. */
void zv_frame_deviation(const zvModel *m, zvWork *work, const double *q, int frame, double *out) {
    ZI_REQUIRE(m && work && q && out);
    ZI_REQUIRE_INDEX(frame, zv_model_nframe(m));
    ziScratch scratch = zi_scratch_of(m, work);
    ziFrameSpot spot;
    const ziKinematicsKernels *kernels = zi_kinematics_kernels(m);
    const double *tq = zi_tree_q(m, &scratch, q);
    double *straight = zi_scratch_doubles(&scratch, (size_t)m->tree.nq);
    ziPlacement bent, rigid;
    spot_of(m, frame, &spot);
    for (int i = spot.body; i; i = m->tree.body[i].parent) {
        const ziBody *b = &m->tree.body[i];
        for (int k = 0; k < b->nq; k++) straight[b->q + k] = tq[b->q + k];
        for (int k = 0; b->elastic && k < b->elastic->n; k++) straight[b->elastic->q + k] = 0;
    }
    kernels->frame_motion(&m->tree, scratch, &spot, tq, NULL, NULL, &bent, NULL, NULL);
    kernels->frame_motion(&m->tree, scratch, &spot, straight, NULL, NULL, &rigid, NULL, NULL);
    for (int i = 0; i < 3; i++) out[i] = bent.p[i] - rigid.p[i];
}

void zv_frame_jacobian(const zvModel *m, zvWork *work, const double *q, int frame, zvAxes axes, double *J) {
    ZI_REQUIRE(m && work && q && J);
    ZI_REQUIRE_INDEX(frame, zv_model_nframe(m));
    ziScratch scratch = zi_scratch_of(m, work);
    ziPlacement x;
    ziFrameSpot spot;
    const double *tq = zi_tree_q(m, &scratch, q);
    double *T = m->coupling.count ? zi_scratch_doubles(&scratch, 6 * m->tree.nv) : J;
    spot_of(m, frame, &spot);
    zi_kinematics_kernels(m)->frame_jacobian(&m->tree, scratch, &spot, tq, &x, T);
    zi_contract_columns(m, 6, T, J);
    if (axes == ZV_AXES_LOCAL) to_local(&x, m->nv, J);
}

typedef struct Totals {
    double mc[3], h[6], kinetic;
} Totals;

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
    ZI_REQUIRE(m && work && q && c);
    Totals t = totals_of(m, work, q, NULL);
    center_of(m, &t, c);
}

void zv_momentum(const zvModel *m, zvWork *work, const double *q, const double *v, double *h, double *c) {
    ZI_REQUIRE(m && work && q && h);
    Totals t = totals_of(m, work, q, v);
    memcpy(h, t.h, sizeof t.h);
    if (c) center_of(m, &t, c);
}

void zv_energy(const zvModel *m, zvWork *work, const double *q, const double *v, double *kinetic, double *potential) {
    ZI_REQUIRE(m && work && q);
    Totals t = totals_of(m, work, q, v);
    const double *g = m->tree.gravity;
    *kinetic = t.kinetic;
    *potential = -(g[0] * t.mc[0] + g[1] * t.mc[1] + g[2] * t.mc[2]);
}

double zv_strain_energy(const zvModel *m, const double *q) {
    ZI_REQUIRE(m && q);
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
