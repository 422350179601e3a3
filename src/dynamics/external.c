/* External wrenches: from frames to links, from links to bodies. */
#include "dynamics/external.h"

#include <assert.h>
#include <string.h>

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

const double *zv_body_wrenches(const zvModel *m, zvDesk *desk, const double *tq, const double *fext) {
    if (!fext) return NULL;
    double *wrenches = zv_desk_doubles(desk, 6 * m->tree.nb);
    zvDesk rest = *desk;
    zvPlacement *bodies = zv_desk_take(&rest, (size_t)m->tree.nb * sizeof *bodies);
    zv_kinematics_kernels(m)->body_poses(&m->tree, rest, tq, bodies);
    memset(wrenches, 0, 6 * (size_t)m->tree.nb * sizeof *wrenches);
    for (int i = 0; i < m->nlink; i++) {
        const zvLinkPlace *place = &m->link_places[i];
        const double *R = bodies[place->body].R, *p = place->pose.p;
        double d[3];
        for (int k = 0; k < 3; k++) d[k] = R[k] * p[0] + R[3 + k] * p[1] + R[6 + k] * p[2];
        add_shifted(wrenches + 6 * place->body, fext + 6 * i, d);
    }
    return wrenches;
}

void zv_add_wrench(const zvModel *m, zvWork *work, const double *q, int frame, const double *wrench, double *fext) {
    assert(frame >= 0 && frame < zv_model_nframe(m));
    double d[3] = {0};
    int link = frame;
    if (frame >= m->nlink) {
        zvPose pose;
        link = m->frame_links[frame - m->nlink];
        zv_frame_pose(m, work, q, link, &pose);
        const double *p = m->frames[frame - m->nlink].pose.p;
        for (int i = 0; i < 3; i++) d[i] = pose.R[3 * i] * p[0] + pose.R[3 * i + 1] * p[1] + pose.R[3 * i + 2] * p[2];
    }
    add_shifted(fext + 6 * link, wrench, d);
}
