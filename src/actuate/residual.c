/* How far accelerations are from what the forces demand: the same passes as accelerate.c, with inverse dynamics between
 * them instead of forward dynamics. */
#include <string.h>

#include "actuate/element.h"

zvStatus zv_drives_residual(const zvDrives *d, zvEfforts *out, zvWork *work, double t, const double *q, const double *v,
                            const double *z, const unsigned char *modes, const double *a, double *residual) {
    const ziInstant now = {.drives = d, .out = out, .work = work, .t = t, .q = q, .v = v, .z = z, .modes = modes};
    if (zi_efforts_open(&now) < 0) return out->status;
    memcpy(zi_efforts_scratch(out)->known, out->tau, (size_t)d->nv * sizeof(double));
    for (int i = 0; i < d->nv; i++) {
        if (out->given[i] == ZV_GIVEN_FORCE) out->a[i] = a[i];
    }
    zv_inverse_dynamics(d->model, work, q, v, out->a, out->fext, residual);
    for (int i = 0; i < d->nv; i++) {
        if (out->given[i] == ZV_GIVEN_FORCE) {
            residual[i] -= out->tau[i];
        } else {
            out->tau[i] = residual[i];
            residual[i] = 0;
        }
    }
    zi_efforts_conclude(&now);
    return out->status;
}
