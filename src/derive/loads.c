/* External forces at the origins of bodies, and how they change when a body turns under them: eq. (14). */
#include "derive/loads.h"

#include <string.h>

#include "kinematics/kernels.h"

/* to += wrench acting at the point d away;  K += n~ turned round and d~ f~: K x = x x n + d x (x x f), by columns. */
static void add_load(const double *wrench, const double d[3], double *to, double *K) {
    const double *f = wrench, *n = wrench + 3;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        to[i] += f[i];
        to[3 + i] += n[i] + d[j] * f[k] - d[k] * f[j];
        K[3 * i + i] += d[j] * f[j] + d[k] * f[k];
        K[3 * i + j] -= n[k] + d[i] * f[j];
        K[3 * i + k] += n[j] - d[i] * f[k];
    }
}

/* External forces of links at the origins of their bodies, and K of (14) about them, both in world axes. No fext: both
 * NULL. */
ziLoads zi_derive_loads(const zvModel *m, ziScratch *scratch, const double *tq, const double *fext) {
    if (!fext) return (ziLoads){NULL, NULL};
    const size_t nb = (size_t)m->tree.nb;
    double *wrench = zi_scratch_doubles(scratch, 6 * nb), *sway = zi_scratch_doubles(scratch, 9 * nb);
    ziScratch rest = *scratch;
    zvPose *bodies = zi_scratch_take(&rest, nb * sizeof *bodies);
    zi_kinematics_kernels(m)->body_poses(&m->tree, rest, tq, bodies);
    memset(wrench, 0, 6 * nb * sizeof *wrench);
    memset(sway, 0, 9 * nb * sizeof *sway);
    for (int i = 0; i < m->nlink; i++) {
        const ziLinkPlace *place = &m->link_places[i];
        const double *R = bodies[place->body].R, *p = place->pose.p;
        double d[3];
        for (int k = 0; k < 3; k++) d[k] = R[3 * k] * p[0] + R[3 * k + 1] * p[1] + R[3 * k + 2] * p[2];
        add_load(fext + 6 * i, d, wrench + 6 * place->body, sway + 9 * place->body);
    }
    return (ziLoads){wrench, sway};
}
