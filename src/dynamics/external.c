/* External forces: from frames to links, from links to bodies. */
#include "dynamics/external.h"

#include <assert.h>
#include <string.h>

#include "base/require.h"
#include "kinematics/attachment.h"
#include "kinematics/kernels.h"
#include "zveno/dynamics.h"
#include "zveno/kinematics.h"

/* to += wrench acting at the point d away */
static void add_shifted(double *to, const double *wrench, const double d[3]) {
    const double *f = wrench, *n = wrench + 3;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        to[i] += f[i];
        to[3 + i] += n[i] + d[j] * f[k] - d[k] * f[j];
    }
}

/* Wrenches on links shifted to the origins of the bodies that carry them and summed up (nb x 6, world axes), then the
 * forces on elastic coordinates, which stay as they are. NULL when there is no fext. */
const double *zi_body_wrenches(const zvModel *m, ziScratch *scratch, const double *tq, const double *fext) {
    if (!fext) return NULL;
    double *wrenches = zi_scratch_doubles(scratch, (size_t)(6 * m->tree.nb + m->tree.ne));
    ziScratch rest = *scratch;
    zvPose *bodies = zi_scratch_take(&rest, (size_t)m->tree.nb * sizeof *bodies);
    zi_kinematics_kernels(m)->body_poses(&m->tree, rest, tq, bodies);
    memset(wrenches, 0, 6 * (size_t)m->tree.nb * sizeof *wrenches);
    for (int i = 0; i < m->nlink; i++) {
        const ziLinkPlace *place = &m->link_places[i];
        const double *R = bodies[place->body].R, *p = place->pose.p;
        double d[3];
        for (int k = 0; k < 3; k++) d[k] = R[3 * k] * p[0] + R[3 * k + 1] * p[1] + R[3 * k + 2] * p[2];
        add_shifted(wrenches + 6 * place->body, fext + 6 * i, d);
    }
    /* bodies come in the order of their links */
    memcpy(wrenches + 6 * m->tree.nb, fext + 6 * m->nlink, (size_t)m->tree.ne * sizeof *wrenches);
    return wrenches;
}

/* The forces on a link's elastic coordinates in fext. */
static double *elastic_entries(const zvModel *m, int link, double *fext) {
    double *at = fext + 6 * m->nlink;
    for (int i = 0; i < link; i++) {
        if (m->link_elastic[i]) at += m->tree.body[m->link_elastic[i]].elastic->n;
    }
    return at;
}

/* A wrench on a frame that sits on a section: forces on the elastic coordinates by virtual work. d receives the lever
 * about the link's origin; world axes. */
static void add_to_section(const zvModel *m, ziScratch scratch, const double *q, int frame, const zvPose *link_pose,
                           const double *wrench, double *fext, double d[3]) {
    const ziAttachment *st = &m->tree.attachment[zi_frame_attachment(m, frame)];
    const ziElastic *el = m->tree.body[st->body].elastic;
    const int link = m->frame_links[frame - m->nlink];
    const mat3 R = m3_mul(m3_transpose(m3_of(link_pose->R)), m3_of(m->link_places[link].pose.R)); /* of the body */
    const zvPose in_section = zi_frame_in_body(m, frame);
    motion *S = zi_scratch_take(&scratch, (size_t)el->n * sizeof *S);
    placed f;
    place_attachment(st, el, &R, q + m->coupling.q_master[el->q], &f, S);
    const vec3 x = m3_mulp(f.R, in_section.p);
    const force F = force_shift(force_of(v3_of(wrench), v3_of(wrench + 3)), x);
    double *entries = elastic_entries(m, link, fext);
    for (int i = 0; i < el->n; i++) entries[i] += force_dot(F, S[i]);
    v3_to(d, v3_add(f.r, x));
}

/* Adds a wrench at the origin of a frame to fext, which has one per link at the link's origin; on a section of an
 * elastic link it adds forces on the elastic coordinates as well. */
void zv_add_wrench(const zvModel *m, zvWork *work, const double *q, int frame, const double *wrench, double *fext) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && wrench);
    ZI_REQUIRE_INDEX(frame, zv_model_nframe(m));
    assert(frame >= 0 && frame < zv_model_nframe(m));
    double d[3] = {0};
    int link = frame;
    if (frame >= m->nlink) {
        zvPose pose;
        link = m->frame_links[frame - m->nlink];
        zv_frame_pose(m, work, q, link, &pose);
        const double *p = m->frames[frame - m->nlink].pose.p;
        if (zi_frame_attachment(m, frame) >= 0) {
            add_to_section(m, zi_scratch_of(m, work), q, frame, &pose, wrench, fext, d);
        } else {
            for (int i = 0; i < 3; i++)
                d[i] = pose.R[3 * i] * p[0] + pose.R[3 * i + 1] * p[1] + pose.R[3 * i + 2] * p[2];
        }
    }
    add_shifted(fext + 6 * link, wrench, d);
}

/* Turned by the frame into the world, then as any other. */
void zv_add_local_wrench(const zvModel *m, zvWork *work, const double *q, int frame, const double *wrench,
                         double *fext) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && wrench && fext);
    ZI_REQUIRE_INDEX(frame, zv_model_nframe(m));
    zvPose pose;
    double turned[6];
    zv_frame_pose(m, work, q, frame, &pose);
    const mat3 R = m3_transpose(m3_of(pose.R)); /* poses are by rows */
    v3_to(turned, m3_mulv(R, v3_of(wrench)));
    v3_to(turned + 3, m3_mulv(R, v3_of(wrench + 3)));
    zv_add_wrench(m, work, q, frame, turned, fext);
}
