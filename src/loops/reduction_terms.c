/* Inertia, velocity forces and gravity in independent coordinates, [Kolyubin] 3.3:
 *   D_r = P^T M P,   C_r = P^T (M dP/dt + C P),   G_r = P^T (g + k)
 * dD_r/dt - 2 C_r = P^T (dM/dt - 2C) P + (dP/dt)^T M P - P^T M dP/dt is skew as dM/dt - 2C is.
 *
 * dP/dt has the dependent rows -Gc^-1 (dG/dt) P. For velocities v, w that obey the loops, with D_v the derivative along
 * v at constant components of w,
 *   (D_v G) w + (D_w G) v = (bias(v + w) - bias(v - w)) / 2      as bias(v) = (D_v G) v is quadratic
 *   (D_v G) w - (D_w G) v = G [v, w]                             as the loops are integrable (Frobenius)
 * where [v, w] is the bracket of the frame that v is measured in: zero for coordinates, the cross product for angular
 * velocities along the body's axes. */
#include <math.h>
#include <string.h>

#include "loops/reduction.h"
#include "model/tree.h"

static void add_cross(double k, const double *a, const double *b, double *out) {
    out[0] += k * (a[1] * b[2] - a[2] * b[1]);
    out[1] += k * (a[2] * b[0] - a[0] * b[2]);
    out[2] += k * (a[0] * b[1] - a[1] * b[0]);
}

/* c := [v, w] */
static void bracket(const zvModel *m, const double *v, const double *w, double *c) {
    memset(c, 0, (size_t)m->nv * sizeof *c);
    for (int i = 0; i < m->njoint; i++) {
        const int at = m->joint_places[i].v_index;
        if (m->joints[i].type == ZV_JOINT_SPHERICAL) add_cross(1, v + at, w + at, c + at);
        if (m->joints[i].type != ZV_JOINT_FREE) continue;
        add_cross(1, v + at + 3, w + at, c + at);
        add_cross(-1, w + at + 3, v + at, c + at);
        add_cross(1, v + at + 3, w + at + 3, c + at + 3);
    }
}

static double norm(int n, const double *x) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

/* b := (D_v G) w + (D_w G) v; x (nv) and less (rows) are scratch. */
static void turn_of_G(const zvModel *m, zvWork *work, const zvReduction *r, const double *q, const double *v,
                      const double *w, double *b, double *x, double *less) {
    const double s = norm(r->nv, v) / norm(r->nv, w);
    for (int i = 0; i < r->nv; i++) x[i] = v[i] + s * w[i];
    zv_loop_bias(m, work, NULL, q, x, b);
    for (int i = 0; i < r->nv; i++) x[i] = v[i] - s * w[i];
    zv_loop_bias(m, work, NULL, q, x, less);
    for (int k = 0; k < r->rows; k++) b[k] = (b[k] - less[k]) / (2 * s);
}

/* Pdot, column after column. With E reduced, -Gc^-1 G c = -(c_c - P_c c_r). */
static void fill_Pdot(const zvModel *m, zvWork *work, zvReduction *r, const double *q, const double *v) {
    double *w = r->spare, *x = w + r->nv, *c = x + r->nv, *b = c + r->nv, *less = b + r->rows;
    memset(r->Pdot, 0, (size_t)r->nv * (size_t)r->n * sizeof *r->Pdot);
    if (r->rank == 0 || !v || !(norm(r->nv, v) > 0)) return;
    for (int j = 0; j < r->n; j++) {
        for (int i = 0; i < r->nv; i++) w[i] = r->P[(size_t)i * (size_t)r->n + (size_t)j];
        turn_of_G(m, work, r, q, v, w, b, x, less);
        zi_reduction_follow(r, b, x);
        bracket(m, v, w, c);
        for (int i = 0; i < r->nv; i++) {
            const double *row = r->P + (size_t)i * (size_t)r->n;
            if (r->taken[i] < 0) continue;
            double turned = -c[i];
            for (int k = 0; k < r->n; k++) turned += row[k] * c[r->independent[k]];
            r->Pdot[(size_t)i * (size_t)r->n + (size_t)j] = 0.5 * (x[i] + turned);
        }
    }
}

static void fill_D(zvReduction *r) {
    const int n = r->n;
    zi_multiply(r->nv, r->nv, r->square, n, r->P, r->thin);
    zi_project_columns(r->nv, n, r->P, n, r->thin, r->D);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            double *a = r->D + (size_t)i * (size_t)n + (size_t)j, *b = r->D + (size_t)j * (size_t)n + (size_t)i;
            *a = *b = 0.5 * (*a + *b);
        }
    }
}

void zi_reduction_terms(const zvModel *m, zvWork *work, zvReduction *r, const double *q, const double *v) {
    const size_t nv = (size_t)r->nv, n = (size_t)r->n;
    fill_Pdot(m, work, r, q, v);
    zv_mass_matrix(m, work, q, r->square);
    fill_D(r);
    double *other = r->thin + nv * nv;
    zi_multiply(r->nv, r->nv, r->square, r->n, r->Pdot, r->thin);
    memset(r->C, 0, n * n * sizeof *r->C);
    if (v) {
        zv_coriolis_matrix(m, work, q, v, r->square);
        zi_multiply(r->nv, r->nv, r->square, r->n, r->P, other);
        for (size_t i = 0; i < nv * n; i++) r->thin[i] += other[i];
        zi_project_columns(r->nv, r->n, r->P, r->n, r->thin, r->C);
    }
    zv_gravity_force(m, work, q, r->along);
    zv_elastic_force(m, q, v, r->spare);
    for (int i = 0; i < r->nv; i++) r->along[i] += r->spare[i];
    zi_project_columns(r->nv, r->n, r->P, 1, r->along, r->G);
}
