/* Dense df/dy by difference quotients, without the columns of unknowns that feed nothing back. The increments are those
 * of CVODE [Hindmarsh]: the root of the rounding of y, but not less than what the rounding of f asks for. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "integrate/sundials.h"

static double weight(const zvIntegrator *in, double y, int i) { return in->rtol * fabs(y) + in->atol[i]; }

/* A thousand roundings of f over a step, in units of the tolerance. */
static double least_increment(const zvIntegrator *in, const double *y, const double *f) {
    double sum = 0, gamma = 0;
    for (int i = 0; i < in->size; i++) {
        double part = f[i] / weight(in, y[i], i);
        sum += part * part;
    }
    zi_sundials(in)->current_gamma(zi_sundials(in)->memory, &gamma);
    double least = 1000 * fabs(gamma) * DBL_EPSILON * in->size * sqrt(sum / in->size);
    return least > 0 && isfinite(least) ? least : 1;
}

int zi_sundials_jacobian(realtype t, N_Vector yv, N_Vector fv, SUNMatrix J, void *user_data, N_Vector room, N_Vector b,
                         N_Vector c) {
    zvIntegrator *in = user_data;
    double *y = NV_DATA_S(yv), *moved = NV_DATA_S(room);
    const double *f = NV_DATA_S(fv);
    int n = in->size, active = zi_sundials_active(in);
    double least = least_increment(in, y, f);
    (void)b, (void)c;
    for (int j = 0; j < active; j++) {
        double *column = SUNDenseMatrix_Column(J, j), keep = y[j];
        double increment = fmax(sqrt(DBL_EPSILON) * fabs(keep), least * weight(in, keep, j));
        y[j] += increment;
        int answer = zi_call_rate(in, t, y, moved);
        y[j] = keep;
        if (answer) return answer;
        for (int i = 0; i < n; i++) column[i] = (moved[i] - f[i]) / increment;
    }
    for (int j = active; j < n; j++) memset(SUNDenseMatrix_Column(J, j), 0, (size_t)n * sizeof(double));
    return 0;
}
