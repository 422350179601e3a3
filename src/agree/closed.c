/* Forward dynamics with loops. The answer is (a, G^T lambda): where conditions repeat each other lambda is not one
 * number, but the forces it makes are.
 *
 * With X = M^-1, H = X G^T (G X G^T)^-1 of the conditions that count and W = X - H G X, errors s of forces and c of
 * conditions move a by |W| s + |H| c, and G^T lambda = M a + bias - tau with it. c holds what elimination through the
 * open tree's motion makes of s, |G X| s. */
#include <math.h>
#include <string.h>

#include "agree/roster.h"
#include "linalg/semidefinite.h"

static zvStatus closed_by(ziTrial *t, const void *row, double *answer) {
    const zvClosedMethod *method = row;
    const zvStatus status = method->run(t->model, t->work, NULL, t->q, t->v, t->tau, t->load, answer, t->lambda);
    if (status >= 0) zv_loop_forces(t->model, t->work, t->q, t->lambda, answer + t->nv);
    return status;
}

static double row_size(const ziTrial *t, size_t k) {
    double most = 0;
    for (size_t j = 0; j < t->nv; j++) most = fmax(most, fabs(t->G[k * t->nv + j]));
    return most;
}

/* G X, G X G^T */
static void set_system(ziTrial *t) {
    const size_t n = t->nv, r = t->rows;
    memset(t->GX, 0, r * n * sizeof *t->GX);
    for (size_t k = 0; k < r; k++) {
        double *row = t->GX + k * n;
        for (size_t i = 0; i < n; i++) {
            const double g = t->G[k * n + i];
            for (size_t j = 0; j < n && g != 0; j++) row[j] += g * t->X[i * n + j];
        }
        for (size_t l = 0; l < r; l++) {
            t->A[k * r + l] = 0;
            for (size_t j = 0; j < n; j++) t->A[k * r + l] += row[j] * t->G[l * n + j];
        }
    }
}

/* Y (rank x nv) := H^T, rows in the order of the factor. Returns the rank. */
static int set_answers(ziTrial *t) {
    const int n = (int)t->nv, r = (int)t->rows;
    const int rank = semidefinite_factor(r, r, t->A, t->order, t->unit, NULL, (struct semidefinite_floor){1e-9, 0});
    memcpy(t->Y, t->GX, t->rows * t->nv * sizeof *t->Y);
    semidefinite_half(r, r, t->A, t->order, t->unit, rank, n, n, t->Y);
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < rank; k++) t->row[k] = t->Y[k * n + j];
        semidefinite_back(r, t->A, rank, t->row);
        for (int k = 0; k < rank; k++) t->Y[k * n + j] = t->row[k] * t->unit[t->order[k]];
    }
    return rank;
}

/* s into forces, c into row. */
static void set_errors(ziTrial *t, const double *a) {
    double speed = 0, boost = 0;
    zi_error_scale_forces(&t->error_scale, t->v, a, t->load, t->forces);
    for (size_t i = 0; i < t->nv; i++) {
        t->forces[i] += fabs(t->tau[i]);
        for (size_t k = 0; k < t->rows; k++) t->forces[i] += row_size(t, k) * fabs(t->lambda[k]);
        speed += fabs(t->v[i]);
        boost += fabs(a[i]);
    }
    for (size_t k = 0; k < t->rows; k++) {
        t->row[k] = fabs(t->bias[k]) + row_size(t, k) * (speed * speed + boost);
        for (size_t j = 0; j < t->nv; j++) t->row[k] += fabs(t->GX[k * t->nv + j]) * t->forces[j];
    }
}

/* Errors of forces and conditions, carried through elimination (file head). */
static bool closed_sizes(ziTrial *t, const double *median, double *sizes) {
    const size_t n = t->nv;
    if (!t->regular) return false;
    zv_closed_forward_dynamics(t->model, t->work, NULL, t->q, t->v, t->tau, t->load, t->x, t->lambda);
    zv_loop_jacobian(t->model, t->work, t->q, t->G);
    zv_loop_bias(t->model, t->work, NULL, t->q, t->v, t->bias);
    set_system(t);
    const size_t rank = (size_t)set_answers(t);
    set_errors(t, median);
    for (size_t i = 0; i < n; i++) {
        sizes[i] = 0;
        for (size_t j = 0; j < n; j++) {
            double W = t->X[i * n + j];
            for (size_t k = 0; k < rank; k++) W -= t->Y[k * n + i] * t->GX[(size_t)t->order[k] * n + j];
            sizes[i] += fabs(W) * t->forces[j];
        }
        for (size_t k = 0; k < rank; k++) sizes[i] += fabs(t->Y[k * n + i]) * t->row[t->order[k]];
    }
    for (size_t i = 0; i < n; i++) {
        sizes[n + i] = t->forces[i];
        for (size_t j = 0; j < n; j++) sizes[n + i] += t->S[i * n + j] * sizes[j];
    }
    return true;
}

void zi_roster_closed(ziRoster *r) {
    size_t count;
    const zvClosedMethod *methods = zv_closed_methods(&count);
    if (r->model->nloop == 0) return;
    zi_roster_ask(r, "closed", "a and G^T lambda with loops", 2 * (size_t)r->model->nv, closed_sizes);
    for (size_t i = 0; i < count; i++) zi_roster_add(r, methods[i].name, closed_by, &methods[i]);
}
