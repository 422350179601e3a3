/* Matrices of kinematics: Jacobians of all links, the rate of a frame's Jacobian, the centroidal momentum matrix. */
#include <string.h>

#include "base/require.h"
#include "kinematics/kernels.h"
#include "work/coupling.h"
#include "zveno/kinematics.h"

/* Whether the kernels answer for all of it: no elastic links, every joint by itself. */
static bool is_plain(const zvModel *m) { return m->tree.ne == 0 && m->coupling.count == 0; }

/* One sweep for all; local axes need the poses besides. */
void zv_link_jacobians(const zvModel *m, zvWork *work, const double *q, zvAxes axes, double *J) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(J, m->nv));
    const size_t size = 6 * (size_t)m->nv;
    if (!is_plain(m)) { /* one by one */
        for (int i = 0; i < m->nlink; i++) zv_frame_jacobian(m, work, q, i, axes, J + (size_t)i * size);
        return;
    }
    ziScratch scratch = zi_scratch_of(m, work);
    const ziKinematicsKernels *kernels = zi_kinematics_kernels(m);
    kernels->link_jacobians(&m->tree, scratch, m->nlink, m->link_places, q, J);
    if (axes == ZV_AXES_WORLD) return;
    zvPose *poses = zi_scratch_take(&scratch, (size_t)m->nlink * sizeof *poses);
    kernels->link_poses(&m->tree, scratch, m->nlink, m->link_places, q, poses);
    for (int i = 0; i < m->nlink; i++) zi_to_local(&poses[i], m->nv, J + (size_t)i * size);
}

/* Whether a frame is carried by a section of an elastic link. */
static bool bends(const zvModel *m, const ziFrameSpot *spot) {
    bool on_section = spot->attachment >= 0;
    for (int i = spot->body; i && m->tree.ne > 0; i = m->tree.body[i].parent)
        on_section |= m->tree.body[i].base != m->tree.body[i].parent;
    return on_section;
}

/* X -= w x J in both halves of every column; (6 x count). */
static void subtract_turn(const double *w, int count, const double *J, double *X) {
    for (int half = 0; half < 2; half++, J += 3 * count, X += 3 * count) {
        const double *x = J, *y = J + count, *z = y + count;
        for (int k = 0; k < count; k++) {
            X[k] -= w[1] * z[k] - w[2] * y[k];
            X[count + k] -= w[2] * x[k] - w[0] * z[k];
            X[2 * count + k] -= w[0] * y[k] - w[1] * x[k];
        }
    }
}

/* Local axes turn: d/dt (R^T J) = R^T (dJ/dt - w x J). */
zvStatus zv_frame_jacobian_rate(const zvModel *m, zvWork *work, const double *q, const double *v, int frame,
                                zvAxes axes, double *rate) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(v, m->nv) && ZI_ARRAY(rate, m->nv));
    ZI_REQUIRE_INDEX(frame, zv_model_nframe(m));
    ziScratch scratch = zi_scratch_of(m, work);
    const ziKinematicsKernels *kernels = zi_kinematics_kernels(m);
    const size_t size = 6 * (size_t)m->tree.nv;
    ziFrameSpot spot;
    zvPose pose;
    double w[3];
    zi_frame_spot(m, frame, &spot);
    if (bends(m, &spot)) {
        memset(rate, 0, 6 * (size_t)m->nv * sizeof *rate);
        return ZV_NOT_SUPPORTED;
    }
    const double *tq = zi_tree_q(m, &scratch, q), *tv = zi_tree_v(m, &scratch, v);
    double *T = m->coupling.count ? zi_scratch_doubles(&scratch, size) : rate;
    kernels->frame_jacobian_rate(&m->tree, scratch, &spot, tq, tv, &pose, w, T);
    if (axes == ZV_AXES_LOCAL) {
        double *J = zi_scratch_doubles(&scratch, size);
        kernels->frame_jacobian(&m->tree, scratch, &spot, tq, &pose, J);
        subtract_turn(w, m->tree.nv, J, T);
        zi_to_local(&pose, m->tree.nv, T);
    }
    zi_contract_columns(m, 6, T, rate);
    return ZV_OK;
}

/* With elastic links a momentum for each unit velocity. */
static void map_by_columns(const zvModel *m, zvWork *work, const double *q, double *A, double *c) {
    zvWork below = *work;
    double *unit = zi_scratch_doubles(&below.scratch, (size_t)m->nv), h[6];
    memset(unit, 0, (size_t)m->nv * sizeof *unit);
    zv_momentum(m, &below, q, unit, h, c);
    for (int k = 0; k < m->nv; k++) {
        unit[k] = 1;
        zv_momentum(m, &below, q, unit, h, NULL);
        unit[k] = 0;
        for (int i = 0; i < 6; i++) A[i * m->nv + k] = h[i];
    }
}

/* Coupled joints: columns of the tree, contracted. */
void zv_centroidal_map(const zvModel *m, zvWork *work, const double *q, double *A, double *c) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(A, m->nv));
    double center[3];
    if (m->tree.ne > 0) {
        map_by_columns(m, work, q, A, c);
        return;
    }
    ziScratch scratch = zi_scratch_of(m, work);
    const double *tq = zi_tree_q(m, &scratch, q);
    double *T = m->coupling.count ? zi_scratch_doubles(&scratch, 6 * (size_t)m->tree.nv) : A;
    zi_kinematics_kernels(m)->centroidal_map(&m->tree, scratch, tq, T, center);
    zi_contract_columns(m, 6, T, A);
    if (c) memcpy(c, center, sizeof center);
}

zvStatus zv_centroidal_bias(const zvModel *m, zvWork *work, const double *q, const double *v, double *bias) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(v, m->nv) && bias);
    memset(bias, 0, 6 * sizeof *bias);
    if (m->tree.ne > 0) return ZV_NOT_SUPPORTED;
    ziScratch scratch = zi_scratch_of(m, work);
    const double *tq = zi_tree_q(m, &scratch, q), *tv = zi_tree_v(m, &scratch, v);
    zi_kinematics_kernels(m)->centroidal_bias(&m->tree, scratch, tq, tv, bias);
    return ZV_OK;
}
