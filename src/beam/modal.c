/* Integrals of modal data. */
#include <stdlib.h>

#include "beam/integrals.h"

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
