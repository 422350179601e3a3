/* Integrals of modal data, and the damping matrix of both kinds of elastic link. */
#include <math.h>
#include <stdlib.h>

#include "beam/integrals.h"
#include "linalg/cholesky.h"
#include "linalg/jacobi.h"

/* One node; d and r are room for (n x 3). */
static void add_node(const zvModalNode *node, const double R[9], const double p[3], double *d, double *r,
                     ziModeIntegrals *out) {
    double at[3], moment[6];
    turn3(R, node->at, at);
    for (int k = 0; k < 3; k++) at[k] += p[k];
    zi_sym_turn(R, node->moment, moment);
    for (int i = 0; i < out->n; i++) {
        turn3(R, node->shape + 6 * i, d + 3 * i);
        turn3(R, node->shape + 6 * i + 3, r + 3 * i);
    }
    zi_modes_add_point(out, node->mass, at, d);
    zi_modes_add_moment(out, moment, r);
}

/* Momenta given in place of nodes. In a frame shifted by p moments of momentum and inertia gain p x S and its like. */
static void add_momenta(const zvModal *modal, const double R[9], const double p[3], ziModeIntegrals *out) {
    for (int i = 0; i < out->n; i++) {
        double *S = out->S1 + 3 * i, *L = out->L0 + 3 * i, lever[3];
        if (modal->translation) turn3(R, modal->translation + 3 * i, S);
        if (modal->rotation) turn3(R, modal->rotation + 3 * i, L);
        cross3(p, S, lever);
        for (int k = 0; k < 3; k++) L[k] += lever[k];
        add_pair(out->J1 + 6 * i, 1, p, S);
    }
}

/* Lower triangle; what is not symmetric is rounding of a file. */
static void copy_lower(int n, const double *from, double *to) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) to[i * n + j] = 0.5 * (from[i * n + j] + from[j * n + i]);
    }
}

static void add_damping_matrix(int n, const double *matrix, double *D) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) D[i * n + j] += 0.5 * (matrix[i * n + j] + matrix[j * n + i]);
    }
}

/* Nodes as point masses with moments; matrices that are given replace what nodes would make. */
bool zi_modal_integrals(const zvModal *modal, const double R[9], const double p[3], ziModeIntegrals *out) {
    const double along[3] = {R[0], R[3], R[6]};
    double d[3 * ZV_MAX_MODES], r[3 * ZV_MAX_MODES];
    const int n = out->n = modal->count;
    out->extra = 0; /* points of modal data do not shorten */
    zi_modes_clear(out, along);
    for (int k = 0; k < modal->node_count; k++) add_node(&modal->nodes[k], R, p, d, r, out);
    if (modal->node_count == 0) {
        add_momenta(modal, R, p, out);
        if (n > 0) copy_lower(n, modal->mass, out->M);
    }
    if (n > 0) copy_lower(n, modal->stiffness, out->K);
    zi_modes_mirror(out);
    if (modal->damping_matrix) add_damping_matrix(n, modal->damping_matrix, out->D);
    return zi_modes_damp(out, &modal->damping);
}

/* D = mass_factor M + stiffness_factor K + M V diag(2 zeta omega) V^T M, V the mass-normalised modes of (K, M). */

static bool has_ratios(const zvElasticDamping *damping) {
    bool any = damping->ratio != 0;
    for (int k = 0; k < damping->count; k++) any = any || damping->ratios[k] != 0;
    return any;
}

/* X := L^-1 X, L lower triangular, X (n x n) */
static void solve_lower(int n, const double *L, double *X) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < n; k++) X[i * n + k] -= L[i * n + j] * X[j * n + k];
        }
        for (int k = 0; k < n; k++) X[i * n + k] /= L[i * n + i];
    }
}

static void transpose(int n, double *X) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            const double t = X[i * n + j];
            X[i * n + j] = X[j * n + i];
            X[j * n + i] = t;
        }
    }
}

/* Ratio of the mode with eigenvalue `square[k]`: by its place among all in order of frequency. */
static double ratio_of(const zvElasticDamping *damping, int n, const double *square, int k) {
    int rank = 0;
    for (int i = 0; i < n; i++) rank += square[i] < square[k] || (i < k && square[i] == square[k]);
    return rank < damping->count ? damping->ratios[rank] : damping->ratio;
}

/* Room: three (n x n) matrices and n numbers. With M = L L^T (rows in `order`) and the eigenvectors Q of
 * L^-1 K L^-T it is M V = L Q. */
static void add_ratios(ziModeIntegrals *out, const zvElasticDamping *damping, double *buffer, int *order) {
    const int n = out->n;
    double *L = buffer, *A = L + n * n, *Vt = A + n * n, *square = Vt + n * n;
    for (int i = 0; i < n * n; i++) L[i] = out->M[i];
    if (cholesky_factor(n, L, order, 0) < n) return; /* refused as a fault of the description */
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) A[i * n + j] = out->K[order[i] * n + order[j]];
    }
    solve_lower(n, L, A);
    transpose(n, A);
    solve_lower(n, L, A);
    jacobi_eigen(n, A, Vt);
    for (int k = 0; k < n; k++) square[k] = A[k * n + k];
    for (int k = 0; k < n; k++) {
        const double strength = 2 * ratio_of(damping, n, square, k) * sqrt(fmax(square[k], 0));
        double *MV = A; /* its eigenvalues are copied */
        for (int i = 0; i < n; i++) {
            MV[i] = 0;
            for (int j = 0; j <= i; j++) MV[i] += L[i * n + j] * Vt[k * n + j];
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                const double part = strength * MV[i] * MV[j];
                out->D[order[i] * n + order[j]] += part;
                if (j < i) out->D[order[j] * n + order[i]] += part;
            }
        }
    }
}

/* Rayleigh's terms directly; ratios need the eigenvectors of (K, M), hence memory of its own. */
bool zi_modes_damp(ziModeIntegrals *out, const zvElasticDamping *damping) {
    const size_t n = (size_t)out->n;
    for (size_t i = 0; i < n * n; i++)
        out->D[i] += damping->mass_factor * out->M[i] + damping->stiffness_factor * out->K[i];
    if (n == 0 || !has_ratios(damping)) return true;
    double *buffer = malloc((3 * n * n + n) * sizeof *buffer);
    int *order = malloc(n * sizeof *order);
    const bool ok = buffer && order;
    if (ok) add_ratios(out, damping, buffer, order);
    free(buffer);
    free(order);
    return ok;
}
